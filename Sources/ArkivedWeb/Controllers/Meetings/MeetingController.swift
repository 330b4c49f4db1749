import ArkivedAssistant
import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/meetings` and `/api/v1/brief`.
struct MeetingController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests
  let indexes: SearchIndexes

  /// The number of meetings that a search is asked for at first.
  private static let searchLimit = 500
  /// The maximum number of meetings that a search finds.
  private static let wideSearchLimit = 10_000

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/meetings", use: list)
    group.post("/meetings", use: create)
    group.get("/meetings/:id", use: show)
    group.patch("/meetings/:id", use: change)
    group.delete("/meetings/:id", use: delete)
    group.get("/meetings/:id/history", use: history)
    group.get("/meetings/:id/brief", use: brief)
    group.post("/meetings/:id/brief/summary", use: summary)
    group.get("/meetings/:id/notes", use: notes)
    group.get("/brief", use: briefs)
  }

  private var defaults: EntryDefaults {
    EntryDefaults(now: archive.clock.now, homeZone: zone, identities: archive.identities)
  }

  private var briefEngine: BriefEngine {
    BriefEngine(
      archive: archive, zone: zone,
      retriever: SearchRetriever(HybridSearch(archive: archive, zone: zone, indexes: indexes)))
  }

  // MARK: Reading

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let (arguments, page, person, query) = try request.arguments { fields throws(FieldError) in
      var filter = MeetingFilter()
      let span = try DayFilter(&fields, from: "from", to: "to", homeZone: zone)
      (filter.from, filter.to) = (span.from, span.to)
      // A meeting that began the evening before and continues belongs to the day, too.
      filter.now = span.from.map { zone.start(of: $0) }
      filter.isWithOthers = try fields.bool("withOthers") ?? false
      let page = try ListPage(&fields, usual: 50, most: 500, takesCursor: true)
      return (filter, page, try fields.string("person"), try fields.string("query"))
    }
    return try await offServer {
      var filter = arguments
      if let person {
        filter.people = [try request.answering { try archive.personNamed(person) }]
      }
      var total: Int?
      let found = try page.items(id: { $0.id }) { limit, offset -> [MeetingEntry] in
        (filter.limit, filter.offset) = (limit, offset)
        guard let query else { return try archive.meetings(filter) }
        let (items, count) = try search(query, filter)
        total = count
        return items
      }
      return Response(json: [
        "meetings": .array(found.items.map(\.json)),
        "total": JSON(try total ?? archive.countMeetings(filter)), "next": found.nextJSON,
      ])
    }
  }

  /// Returns the meetings among the entries that a search finds, best first.
  private func search(
    _ query: String, _ filter: MeetingFilter
  ) throws -> (items: [MeetingEntry], total: Int) {
    var request = SearchRequest(
      query: query, from: filter.from.map(TimeBound.day), to: filter.to.map(TimeBound.day),
      limit: Self.searchLimit)
    request.meetings = MeetingConditions(
      groups: filter.people.map { [$0] }, isWithOthers: filter.isWithOthers)
    let search = HybridSearch(archive: archive, zone: zone, indexes: indexes)
    var all = try search.search(request).hits
    // Years of a weekly meeting are more, and each counts and has a page.
    if all.count >= request.limit {
      request.limit = Self.wideSearchLimit
      all = try search.search(request).hits
    }
    let hits = all.filter { $0.type == .activity }
    let found = try hits.dropFirst(filter.offset).prefix(filter.limit).compactMap { hit in
      try archive.meeting(ofActivity: hit.id)
    }
    return (found, hits.count)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("id") ?? ""
    try request.refuseArguments()
    return try await offServer {
      let entry = try archive.meeting(called: name)
      let own = entry.ownFields.map { field -> JSON in
        ["name": .string(field.name), "eventValue": .string(field.eventValue)]
      }
      return Response(
        entity: entry.json.with(["ownFields": .array(own)]), version: entry.updatedAt)
    }
  }

  @Sendable func history(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("id") ?? ""
    try request.refuseArguments()
    return try await offServer {
      let entry = try? archive.meeting(called: name)
      guard let id = entry?.id ?? UUID(uuidString: name) else {
        throw ArchiveError.notFound("No meeting with the ID \(FieldError.shown(name)).")
      }
      let own = try archive.history(of: id)
      let days = try entry.map { try archive.history(of: $0.activity.id) } ?? []
      return Response(json: ["versions": .array((own + days).map(\.json))])
    }
  }

  @Sendable func notes(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("id") ?? ""
    let page = try request.arguments { fields throws(FieldError) in
      try ListPage(&fields, usual: 50, most: 500, takesCursor: true)
    }
    return try await offServer {
      var filter = NoteFilter()
      filter.meeting = try archive.meeting(called: name).id
      let found = try page.items(id: { $0.id }) { limit, offset -> [Note] in
        (filter.limit, filter.offset) = (limit, offset)
        return try archive.notes(filter)
      }
      return Response(json: [
        "notes": .array(found.items.map(\.json)), "total": JSON(try archive.countNotes(filter)),
        "next": found.nextJSON,
      ])
    }
  }

  // MARK: Briefs

  @Sendable func brief(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("id") ?? ""
    try request.refuseArguments()
    return try await offServer {
      Response(json: try briefEngine.brief(of: try archive.meeting(called: name)).json)
    }
  }

  /// Returns the language model's summary of a brief.
  @Sendable func summary(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("id") ?? ""
    try request.refuseArguments()
    let (archive, zone) = (self.archive, self.zone)
    let patience = MeetingPageController.modelPatience
    let (brief, summarizer) = try await offServer {
      (
        try briefEngine.brief(of: try archive.meeting(called: name)),
        try ModelSummarizer(configured: archive, zone: zone, patience: patience)
      )
    }
    guard let summarizer else {
      throw WebFailure(
        .conflict, "No language model set up",
        "Summaries need a language model, and none is set up. The brief itself works without one.")
    }
    let summary = try await summarizer.summary(of: brief, now: archive.clock.now)
    return Response(json: ["summary": summary.json])
  }

  /// Returns the brief of the next meeting if none is named, or for `today` those of today's
  /// meetings with other people.
  @Sendable func briefs(_ request: Request, context: WebContext) async throws -> Response {
    let name = try request.arguments { fields throws(FieldError) in
      try fields.string("meeting") ?? "next"
    }
    return try await offServer {
      guard name == "today" else {
        return Response(json: try briefEngine.brief(of: try archive.meeting(called: name)).json)
      }
      let today = zone.dayKey(at: archive.clock.now)
      let meetings = try archive.meetings(.briefed(on: today))
      let briefs = try meetings.map { try briefEngine.brief(of: $0).json }
      return Response(json: [
        "dayKey": JSON(today), "briefs": .array(briefs), "total": JSON(briefs.count),
      ])
    }
  }

  // MARK: Writing

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        let fields = try archive.linkingAttendees(object)
        let entry = try MeetingArguments.create(fields, defaults: defaults)
        return try archive.create(entry, once: key) { saved in
          WriteAnswer.created(
            saved.value.json, at: "meetings", id: saved.value.id, version: saved.value.updatedAt,
            saved.change)
        }
      })
  }

  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("id") ?? ""
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    return try await offServer {
      let old = try archive.meeting(called: name)
      let fields = try archive.linkingAttendees(object)
      let saved = try WriteAnswer.guarded(old.updatedAt, precondition) { version in
        try archive.updateMeeting(old.id, version: version) { entry in
          try MeetingArguments.change(&entry, fields)
        }
      }
      let entry = try archive.meeting(old.id) ?? saved.value
      return WriteAnswer.updated(entry.json, version: entry.updatedAt, saved.change)
    }
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("id") ?? ""
    let precondition = Precondition(request)
    return try await offServer {
      let old = try archive.meeting(called: name)
      let saved = try WriteAnswer.guarded(old.updatedAt, precondition) {
        try archive.deleteMeeting(old.id, version: $0)
      }
      return WriteAnswer.deleted(saved.value.json, saved.change)
    }
  }
}

extension Archive {
  /// Returns the meeting with an ID, or for `next` the next one with other people.
  ///
  /// - Throws: `ArchiveError.notFound`, `WebFailure` for a text that is neither.
  func meeting(called name: String) throws -> MeetingEntry {
    if name == "next" {
      guard let entry = try nextMeeting(at: clock.now) else {
        throw ArchiveError.notFound("No upcoming meeting with other people.")
      }
      return entry
    }
    guard let id = UUID(uuidString: name) else {
      throw WebFailure(
        .badRequest, "Invalid ID", "\(FieldError.shown(name)) is neither a UUID nor “next”.",
        field: "id")
    }
    guard let entry = try meeting(id) else {
      throw ArchiveError.notFound("No meeting with the ID \(id.uuidString).")
    }
    return entry
  }
}
