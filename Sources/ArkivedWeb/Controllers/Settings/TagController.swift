import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/tags`.
struct TagController: Sendable {
  let archive: Archive
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/tags", use: list)
    group.get("/tags/duplicates", use: duplicates)
    group.get("/tags/:id", use: show)
    group.patch("/tags/:id", use: change)
    group.delete("/tags/:id", use: delete)
    group.post("/tags/:id/merge", use: merge)
    group.post("/tags/:id/apart", use: keepApart)
    group.delete("/tags/apart", use: proposeAgain)
  }

  // MARK: Reading

  /// Returns tags with their counts; `prefix` selects names that begin with a text, `query` those
  /// that contain it.
  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let (prefix, query, order, page) = try request.arguments { fields throws(FieldError) in
      let name = try fields.string("order") ?? "uses"
      guard let order = Archive.TagOrder(rawValue: name) else {
        throw FieldError("order", "is \(FieldError.shown(name)), but must be uses or name")
      }
      return (
        NameFolding.key(try fields.string("prefix") ?? ""), try fields.string("query") ?? "", order,
        try ListPage(&fields, usual: 1_000, most: 10_000, takesCursor: true)
      )
    }
    return try await offServer {
      guard prefix.isEmpty else {
        let found = try archive.tagSummaries(matching: prefix, order: order).filter {
          let name = NameFolding.key($0.tag.name)
          return name.hasPrefix(prefix)
            && (query.isEmpty || name.contains(NameFolding.key(query)))
        }
        let part = page.items(id: { $0.tag.id }) { limit, offset -> [TagSummary] in
          Array(found.dropFirst(offset).prefix(limit))
        }
        return Self.answer(part, of: found.count)
      }
      let found = try page.items(id: { $0.tag.id }) { limit, offset -> [TagSummary] in
        try archive.tagSummaries(matching: query, order: order, limit: limit, offset: offset)
      }
      return Self.answer(found, of: try archive.countTags(matching: query))
    }
  }

  private static func answer(_ found: CursorPage<TagSummary>, of total: Int) -> Response {
    Response(json: [
      "tags": .array(found.items.map(\.json)), "total": JSON(total), "next": found.nextJSON,
    ])
  }

  /// Returns tags that are probably the same.
  @Sendable func duplicates(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return try await offServer {
      let found = try archive.tagProposals(limit: 100)
      return Response(json: [
        "duplicates": .array(found.map { ["kept": $0.kept.json, "merged": $0.merged.json] }),
        "total": JSON(found.count),
      ])
    }
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let found = try await offServer { try summary(id) }
    return Response(entity: found.json, version: found.tag.updatedAt)
  }

  private func summary(_ id: UUID) throws -> TagSummary {
    guard let summary = try archive.tag(id) else {
      throw ArchiveError.notFound("No tag with the ID \(id.uuidString).")
    }
    return summary
  }

  // MARK: Writing

  /// Changes a tag's name or colour everywhere.
  @Sendable func change(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    return try await offServer {
      try WriteAnswer.refuseGiven(object)
      let saved = try WriteAnswer.guarded(try summary(id).tag.updatedAt, precondition) { version in
        try archive.editTag(id, version: version) { try Self.apply(object, to: &$0) }
      }
      let found = try summary(id)
      return WriteAnswer.updated(found.json, version: found.tag.updatedAt, saved.change)
    }
  }

  private static func apply(_ object: JSONObject, to tag: inout Tag) throws(FieldError) {
    var fields = FieldReader(object)
    if fields.has("name") { tag.name = try fields.required("name") }
    if fields.has("colorHex") { tag.colorHex = try fields.string("colorHex") }
    if fields.has("colour") {
      guard !fields.has("colorHex") else {
        throw FieldError("colour", "can’t be combined with colorHex. Give one of them")
      }
      guard let name = try fields.string("colour") else {
        tag.colorHex = nil
        return try fields.refuseUnknown()
      }
      tag.colorHex = try TagColour(named: name).hex
    }
    try fields.refuseUnknown()
  }

  /// Removes a tag from everything that has it.
  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    return try await offServer {
      let old = try summary(id)
      let saved = try WriteAnswer.guarded(old.tag.updatedAt, precondition) {
        try archive.deleteTag(id, version: $0)
      }
      return WriteAnswer.deleted(old.json, saved.change)
    }
  }

  /// Merges this tag into another, which remains.
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
        let kept = try archive.tagToMergeInto(into)
        return try archive.mergeTag(id, into: kept, once: key) { found, saved in
          KeptAnswer(
            [
              "merged": found.json, "entries": JSON(saved.value.entries),
              "changeId": JSON(saved.change?.id.uuidString),
            ], etag: EntityTag.text(found.tag.updatedAt, of: found.json.bytes()))
        }
      })
  }

  /// Marks a tag and another one as different, so they are no longer suggested for merging.
  @Sendable func keepApart(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    var fields = FieldReader(try await request.jsonObject(limit: context.maxUploadSize))
    guard let other = try fields.uuid("from") else {
      throw FieldError("from", "is missing. It must be the ID of the other tag")
    }
    try fields.refuseUnknown()
    return try await offServer {
      try archive.keepTagsApart(id, other)
      return Response(json: ["keptApart": JSON(try archive.countTagsApart())])
    }
  }

  /// Clears the pairs that were marked as different.
  @Sendable func proposeAgain(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return try await offServer {
      try archive.proposeTagsAgain()
      return Response(json: ["keptApart": JSON(try archive.countTagsApart())])
    }
  }
}
