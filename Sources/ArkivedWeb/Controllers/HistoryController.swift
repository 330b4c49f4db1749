import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/changes` and `/api/v1/history`.
struct HistoryController: Sendable {
  let archive: Archive
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/changes", use: list)
    group.get("/changes/:id", use: show)
    group.post("/changes/:id/undo", use: undo)
    group.get("/history", use: versions)
    group.get("/history/:id", use: version)
    group.get("/history/:id/comparison", use: comparison)
    group.post("/history/:id/restore", use: restore)
  }

  /// Returns the newest changes, or those before the change that `before`, or `after` as in other
  /// lists, names.
  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let filter = try request.arguments { fields throws(FieldError) in
      var filter = ChangeFilter()
      let (before, after) = (try fields.uuid("before"), try fields.uuid("after"))
      guard before == nil || after == nil else {
        throw FieldError("after", "can’t be combined with before")
      }
      filter.before = before ?? after
      filter.limit = try fields.int("limit") ?? 100
      guard (1...500).contains(filter.limit) else {
        throw FieldError("limit", "is \(filter.limit), but must be between 1 and 500")
      }
      return filter
    }
    let found = try await offServer { try archive.changes(matching: filter) }
    return Response(json: [
      "changes": .array(found.changes.map(\.json)), "hasMore": .bool(found.hasMore),
      "next": found.hasMore ? JSON(found.changes.last?.id.uuidString) : .null,
    ])
  }

  /// The maximum number of entities listed for one change.
  private static let entityLimit = 500

  /// Returns a change with its effects, before and after.
  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let (change, entities) = try await offServer {
      (try archive.change(id), try archive.entities(ofChange: id, limit: Self.entityLimit))
    }
    guard let change, let entities else {
      throw ArchiveError.notFound("No change with the ID \(id.uuidString).")
    }
    return Response(
      json: ["change": change.json, "entities": .array(entities.map(\.json))])
  }

  /// Returns the old versions of anything with an ID, existing or deleted, newest first.
  @Sendable func versions(_ request: Request, context: WebContext) async throws -> Response {
    let entity = try request.arguments { fields throws(FieldError) in
      guard let entity = try fields.uuid("entity") else {
        throw FieldError("entity", "is missing. It must be the ID of the item")
      }
      return entity
    }
    let versions = try await offServer { try archive.history(of: entity) }
    return Response(json: ["versions": .array(versions.map(\.json))])
  }

  @Sendable func version(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let version = try await offServer { try archive.historyRecord(matching: id.uuidString) }
    return Response(json: version.json)
  }

  /// Returns the differences between an old version and another one of the same entity, or the
  /// current one.
  @Sendable func comparison(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let other = try request.arguments { fields throws(FieldError) in try fields.uuid("with") }
    let changes = try await offServer { () throws -> [RecordDifference.Change] in
      let version = try archive.historyRecord(matching: id.uuidString)
      guard let other else {
        let since = try archive.comparison(since: version, limit: .max)
        guard let before = since.before, let after = since.after else {
          throw ArchiveError.notFound("No current version: it was deleted. You can restore it.")
        }
        return RecordDifference.changes(from: before, to: after)
      }
      let second = try archive.historyRecord(matching: other.uuidString)
      guard second.sourceID == version.sourceID else {
        throw FieldError("with", "is a version of a different item")
      }
      return RecordDifference.changes(from: version.record, to: second.record)
    }
    return Response(
      json: [
        "from": .string(id.uuidString), "to": JSON(other?.uuidString),
        "changes": .array(changes.map(\.json)),
      ])
  }

  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let key = try RepeatedRequests.key(request, asking: [])
    return Response(
      try await repeated.answer(key, keeps: true) {
        try archive.undo(id, once: key) { KeptAnswer($0.json) }
      })
  }

  /// Restores an old version; `If-Match` contains the version that it replaces.
  @Sendable func restore(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let key = try RepeatedRequests.key(request, asking: [])
    let precondition = Precondition(request)
    let answer = try await repeated.answer(key, keeps: true) {
      let version = try archive.historyRecord(matching: id.uuidString)
      return try archive.restore(
        version, once: key, answer: { KeptAnswer(["change": $0.json]) }
      ) { current in
        _ = try precondition.version(current: current)
      }
    }
    return Response(answer)
  }
}

extension Archive.Undone {
  var json: JSON {
    [
      "undone": undid.json, "change": change.json, "removed": JSON(removed),
      "restored": JSON(restored), "kept": JSON(kept),
    ]
  }
}
