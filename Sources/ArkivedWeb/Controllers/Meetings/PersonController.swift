import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/people`.
struct PersonController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/people", use: list)
    group.post("/people", use: create)
    group.get("/people/duplicates", use: duplicates)
    group.get("/people/:id", use: show)
    group.patch("/people/:id", use: change)
    group.delete("/people/:id", use: delete)
    group.get("/people/:id/history", use: history)
    group.get("/people/:id/meetings", use: meetings)
    group.post("/people/:id/merge", use: merge)
  }

  private var today: DayKey { zone.dayKey(at: archive.clock.now) }

  static let orders: [String: Archive.PersonOrder] = [
    "name": .name, "lastSeen": .lastSeen, "meetings": .meetings,
  ]

  // MARK: Reading

  /// Returns people; all without a limit.
  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let (query, order, page) = try request.arguments { fields throws(FieldError) in
      let name = try fields.string("order") ?? "lastSeen"
      guard let order = Self.orders[name] else {
        throw FieldError(
          "order", "is \(FieldError.shown(name)), but must be name, lastSeen or meetings")
      }
      let query = try fields.string("query") ?? ""
      return (
        query, order, try ListPage(&fields, usual: 100_000, most: 100_000, takesCursor: true)
      )
    }
    return try await offServer {
      let found = try page.items(id: { $0.person.id }) { limit, offset -> [PersonSummary] in
        try archive.people(
          matching: query, order: order, today: today, limit: limit, offset: offset)
      }
      return Response(json: [
        "people": .array(found.items.map(\.json)),
        "total": JSON(try archive.countPeople(matching: query)), "next": found.nextJSON,
      ])
    }
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let found = try await offServer { try summary(id) }
    return Response(entity: found.json, version: found.person.updatedAt)
  }

  @Sendable func history(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let versions = try await offServer { try archive.history(of: id) }
    return Response(json: ["versions": .array(versions.map(\.json))])
  }

  /// Returns the meetings that a person attends, latest first.
  @Sendable func meetings(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (arguments, page) = try request.arguments { fields throws(FieldError) in
      var filter = MeetingFilter()
      let span = try DayFilter(&fields, from: "from", to: "to", homeZone: zone)
      (filter.from, filter.to) = (span.from, span.to)
      let page = try ListPage(&fields, usual: 50, most: 500, takesCursor: true)
      filter.people = [id]
      return (filter, page)
    }
    return try await offServer {
      _ = try summary(id)
      var filter = arguments
      let found = try page.items(id: { $0.id }) { limit, offset -> [MeetingEntry] in
        (filter.limit, filter.offset) = (limit, offset)
        return try archive.meetings(filter)
      }
      return Response(json: [
        "meetings": .array(found.items.map(\.json)),
        "total": JSON(try archive.countMeetings(filter)), "next": found.nextJSON,
      ])
    }
  }

  /// Returns people who are probably the same, with the reasons.
  @Sendable func duplicates(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return try await offServer {
      let proposals = try archive.personMergeProposals(today: today)
      let people = try archive.people(proposals.flatMap { [$0.kept, $0.merged] })
      let known = Dictionary(people.map { ($0.id, $0) }) { first, _ in first }
      let found = proposals.compactMap { proposal -> JSON? in
        guard let kept = known[proposal.kept], let merged = known[proposal.merged] else {
          return nil
        }
        return ["kept": kept.json, "merged": merged.json, "reason": .string(proposal.reason)]
      }
      return Response(json: ["duplicates": .array(found), "total": JSON(found.count)])
    }
  }

  private func summary(_ id: UUID) throws -> PersonSummary {
    guard let summary = try archive.person(id, today: today) else {
      throw ArchiveError.notFound("No person with the ID \(id.uuidString).")
    }
    return summary
  }

  // MARK: Writing

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        try Self.refuseGiven(object)
        var fields = FieldReader(object)
        let person = try Person(
          &fields,
          defaults: EntryDefaults(
            now: archive.clock.now, homeZone: zone, identities: archive.identities))
        try fields.refuseUnknown()
        return try Self.named {
          try archive.create(person, once: key) { saved in
            WriteAnswer.created(
              PersonSummary(person: saved.value).json, at: "people", id: person.id,
              version: saved.value.updatedAt, saved.change)
          }
        }
      })
  }

  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    return try await offServer {
      try Self.refuseGiven(object)
      let old = try summary(id).person
      let saved = try WriteAnswer.guarded(old.updatedAt, precondition) { version in
        try Self.named {
          try archive.updatePerson(id, version: version) { try Self.apply(object, to: &$0) }
        }
      }
      let json = try summary(id).json
      return WriteAnswer.updated(json, version: saved.value.updatedAt, saved.change)
    }
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    return try await offServer {
      let old = try summary(id)
      let saved = try WriteAnswer.guarded(old.person.updatedAt, precondition) {
        try archive.deletePerson(id, version: $0)
      }
      return WriteAnswer.deleted(old.json, saved.change)
    }
  }

  /// Merges this person into another, who remains.
  @Sendable func merge(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) {
        var fields = FieldReader(object)
        let into = try fields.required("into")
        try fields.refuseUnknown()
        _ = try summary(id)
        let kept = try archive.personNamed(into, field: "into")
        return try archive.merge(id, into: kept, today: today, once: key) { found, change in
          let json = found.json
          return KeptAnswer(
            ["merged": json, "changeId": JSON(change.id.uuidString)],
            etag: EntityTag.text(found.person.updatedAt, of: json.bytes()))
        }
      })
  }

  private static func refuseGiven(_ object: JSONObject) throws(FieldError) {
    try WriteAnswer.refuseGiven(
      object, ["id", "externalRefs", "provider", "externalId", "createdAt", "updatedAt"])
  }

  private static func apply(_ object: JSONObject, to person: inout Person) throws(FieldError) {
    var fields = FieldReader(object)
    if fields.has("name") { person.name = try fields.string("name") }
    if fields.has("email") { person.email = try fields.string("email") }
    if fields.has("addresses") { person.furtherAddresses = try fields.strings("addresses") ?? [] }
    if fields.has("aliases") { person.aliases = try fields.strings("aliases") ?? [] }
    if fields.has("relationshipSummary") {
      person.relationshipSummary = try fields.string("relationshipSummary")
    }
    try fields.refuseUnknown()
    try person.validate()
  }

  /// Renames the fields in the archive's errors to those used here.
  private static func named<Value>(_ work: () throws -> Value) throws -> Value {
    do {
      return try work()
    } catch let error as FieldError where error.field == "furtherAddresses" {
      throw FieldError("addresses", error.problem)
    }
  }
}
