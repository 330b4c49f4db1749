import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/activities`, and the writing of actions, which are activities.
struct ActivityController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests
  /// The path at which a new one can be read.
  var place = "activities"

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.post("/activities", use: create)
    group.get("/activities/:id", use: show)
    group.patch("/activities/:id", use: change)
    group.delete("/activities/:id", use: delete)
    group.get("/activities/:id/history", use: history)
    group.get("/quick-add", use: understand)
  }

  private var defaults: EntryDefaults {
    EntryDefaults(now: archive.clock.now, homeZone: zone, identities: archive.identities)
  }

  private var today: DayKey { zone.dayKey(at: archive.clock.now) }

  /// Creates an activity from a typed `line`, or else from the arguments of createActivity.
  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let addsOnly = context.agent?.addsOnly == true
    let key = try RepeatedRequests.key(
      request, from: context.agent, asking: JSON.object(object).bytes())
    let author = context.caller.author
    let caller = context.caller
    let answer = try await repeated.answer(key, keeps: true) {
      var activity: Activity
      if let line = object["line"]?.string {
        guard object.members.allSatisfy({ ["line", "dayKey", "language"].contains($0.key) }) else {
          throw FieldError("line", "can only be combined with dayKey and language")
        }
        var fields = FieldReader(object)
        let entry = EntryLine(
          archive: archive, zone: zone, language: try Self.language(of: &fields))
        activity = entry.activity(
          from: try entry.understand(line, onPage: try fields.day("dayKey")))
      } else {
        activity = try ActivityArguments.create(object, source: caller.source, defaults: defaults)
      }
      if addsOnly, [.manual, .assistant].contains(activity.source) {
        activity.source = .shortcut
      }
      activity.source = caller.source(insteadOf: activity.source)
      guard let key else {
        let saved = try archive.add(activity, by: author)
        if addsOnly { return acknowledged(saved) }
        return created(saved, try archive.countsToward(action: activity.id, today: today))
      }
      return try archive.add(activity, by: author, once: key, today: today) { saved, counts in
        addsOnly ? acknowledged(saved) : created(saved, counts)
      }
    }
    return Response(answer)
  }

  /// Reads the language of a program's line.
  ///
  /// The default is English regardless of the owner's language, because the meaning of a program's
  /// text must not depend on a setting.
  private static func language(of fields: inout FieldReader) throws -> Language {
    guard let name = try fields.string("language") else { return .english }
    guard let language = Language.all.first(where: { $0.code == name }) else {
      let known = Language.all.map(\.code).joined(separator: " or ")
      throw FieldError("language", "is \(FieldError.shown(name)), but must be \(known)")
    }
    return language
  }

  private func created(_ saved: Saved<Activity>, _ counts: [GoalCredit]) -> KeptAnswer {
    let json = saved.value.json
    return KeptAnswer(
      [
        "created": json, "countsToward": .array(counts.map(\.json)),
        "changeId": JSON(saved.change?.id.uuidString),
      ], status: .created, location: "/api/v1/\(place)/\(saved.value.id.uuidString)",
      etag: EntityTag.text(saved.value.updatedAt, of: json.bytes()))
  }

  /// Returns the response for a client that may not read: how its own input was understood, without
  /// any additions from the archive.
  private func acknowledged(_ saved: Saved<Activity>) -> KeptAnswer {
    let activity = saved.value
    return KeptAnswer(
      [
        "created": [
          "id": .string(activity.id.uuidString), "dayKey": JSON(activity.dayKey),
          "startAt": JSON(activity.startAt), "timeZone": .string(activity.timeZone),
          "text": .string(activity.text), "source": .string(activity.source.rawValue),
        ]
      ], status: .created)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try Self.id(context)
    try request.refuseArguments()
    let activity = try await offServer {
      guard let activity = try archive.activity(id) else { throw try archive.noActivity(id) }
      return activity
    }
    return Response(entity: activity.json, version: activity.updatedAt)
  }

  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let id = try Self.id(context)
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let (saved, counts) = try await offServer {
      let saved = try guarded(id, precondition) { version in
        try archive.updateActivity(id, version: version) { activity in
          try ActivityArguments.change(&activity, object, homeZone: zone)
        }
      }
      return (saved, try archive.countsToward(action: id, today: today))
    }
    let json = saved.value.json
    return Response(
      json: [
        "updated": json, "countsToward": .array(counts.map(\.json)),
        "changeId": JSON(saved.change?.id.uuidString),
      ],
      etag: EntityTag.text(saved.value.updatedAt, of: json.bytes()))
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try Self.id(context)
    let precondition = Precondition(request)
    let saved = try await offServer {
      try guarded(id, precondition) { try archive.deleteActivities([id], version: $0) }
    }
    return Response(json: [
      "deleted": .array(saved.value.map(\.json)), "changeId": JSON(saved.change?.id.uuidString),
    ])
  }

  /// Changes an activity only in the version that the request names.
  private func guarded<Value>(
    _ id: UUID, _ precondition: Precondition, _ change: (Instant?) throws -> Value
  ) throws -> Value {
    guard let current = try archive.version(ofActivity: id) else {
      throw try archive.noActivity(id)
    }
    let version = try precondition.version(current: current)
    do {
      return try change(version ?? nil)
    } catch ArchiveError.conflict where version != .none {
      throw Precondition.changed
    }
  }

  @Sendable func history(_ request: Request, context: WebContext) async throws -> Response {
    let id = try Self.id(context)
    try request.refuseArguments()
    let versions = try await offServer { try archive.history(of: id) }
    return Response(json: ["versions": .array(versions.map(\.json))])
  }

  /// Returns the interpretation of a line, for the chips below the field.
  @Sendable func understand(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments(besides: ["line", "day", "language"])
    let fields = request.fields
    let line = fields["line"] ?? ""
    let page = try fields.day("day")
    let language = try fields.text("language").map { try Self.language(named: $0) } ?? .english
    return Response(
      json: try await offServer { () throws -> JSON in
        try ShownDates.speaking(language) { () throws -> JSON in
          do {
            let entry = EntryLine(archive: archive, zone: zone)
            return try entry.understand(line, onPage: page).json
          } catch let error as QuickAddError {
            return ["text": .string(line), "parts": [], "error": .string("\(error)")]
          }
        }
      })
  }

  /// Returns the language that a query names.
  ///
  /// - Throws: `WebFailure` 400 if there is none.
  private static func language(named name: String) throws -> Language {
    guard let language = Language.named(name) else {
      let known = Language.all.map(\.code).joined(separator: " or ")
      throw WebFailure(
        .badRequest, "Invalid value",
        "language is \(FieldError.shown(name)), but must be \(known).", field: "language")
    }
    return language
  }

  /// Returns the ID in an address.
  static func id(_ context: WebContext, _ name: String = "id") throws -> UUID {
    let text = context.parameters.get(name) ?? ""
    guard let id = UUID(uuidString: text) else {
      throw WebFailure(
        .badRequest, "Invalid ID", "\(FieldError.shown(text)) isn’t a valid UUID.", field: name)
    }
    return id
  }
}

extension QuickAddReading {
  /// The parts of an interpretation that the page shows.
  var json: JSON {
    [
      "text": .string(text), "dayKey": JSON(dayKey),
      "dayLabel": .string(QuickAddReader.label(day: dayKey)),
      "parts": .array(
        understood.map {
          [
            "role": .string($0.role.rawValue), "words": .string($0.words),
            "label": .string($0.label),
          ]
        }), "suggestedPeople": .array(suggestedPeople.map { .string($0) }), "error": nil,
    ]
  }
}
