import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// Creates, changes and deletes one type of entity related to goals, guarded by versions.
struct EntityWrites<Entity: Editable>: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests
  /// The path of the collection below `/api/v1`.
  let place: String
  /// Converts an entity to JSON.
  var json: @Sendable (Entity) -> JSON = { $0.json }
  /// Returns the remarks that accompany a written entity.
  var remarks: @Sendable (Entity) throws -> JSONObject = { _ in [:] }

  // MARK: Routes

  func create(_ request: Request, _ context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key, keeps: true) { try create(object, once: key) })
  }

  func change(_ request: Request, _ context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let saved = try await offServer {
      try guarded(id, precondition) { version in
        try archive.update(Entity.self, id, version: version) { entity in
          try entity.change(object, homeZone: zone)
        }
      }
    }
    let notes = try await offServer { try remarks(saved.value) }
    let body = json(saved.value)
    return Response(
      json: answer("updated", body, saved.change, notes),
      etag: EntityTag.text(saved.value.updatedAt, of: body.bytes()))
  }

  func delete(_ request: Request, _ context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let precondition = Precondition(request)
    let saved = try await offServer {
      try guarded(id, precondition) { try archive.delete(Entity.self, id, version: $0) }
    }
    return WriteAnswer.deleted(json(saved.value), saved.change)
  }

  func history(_ request: Request, _ context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    try request.refuseArguments()
    let versions = try await offServer { try archive.history(of: id) }
    return Response(json: ["versions": .array(versions.map(\.json))])
  }

  // MARK: Parts

  /// Creates an entity from its fields and returns the response; runs on threads that may wait.
  func create(_ object: JSONObject, once key: RequestKey?) throws -> KeptAnswer {
    for field in ["id", "createdAt", "updatedAt"] where object[field] != nil {
      throw FieldError(field, "can’t be set here. The archive assigns it")
    }
    var fields = FieldReader(object)
    let entity = try Entity(
      &fields,
      defaults: EntryDefaults(
        now: archive.clock.now, homeZone: zone, identities: archive.identities))
    try fields.refuseUnknown()
    // Nothing else is read while it is being written.
    let notes = try remarks(entity)
    guard let key else { return created(try archive.create(entity), notes) }
    return try archive.create(entity, once: key) { created($0, notes) }
  }

  /// Returns the entity in the address.
  ///
  /// - Throws: `ArchiveError.notFound` if the entity doesn't exist.
  func entity(_ id: UUID) throws -> Entity {
    guard let entity = try archive.entity(Entity.self, id) else {
      throw ArchiveError.notFound("No \(Entity.typeName) with the ID \(id.uuidString).")
    }
    return entity
  }

  /// Returns the entity that a field of the body refers to.
  ///
  /// - Throws: `FieldError` if the field is missing or doesn't refer to an entity.
  func entity(_ fields: inout FieldReader, _ field: String) throws -> Entity {
    guard let id = try fields.uuid(field) else { throw FieldError(field, "is missing") }
    guard let entity = try archive.entity(Entity.self, id) else {
      throw FieldError(field, "is \(id.uuidString), but no such \(Entity.typeName) exists")
    }
    return entity
  }

  /// Changes an entity only in the version that the request names.
  private func guarded<Value>(
    _ id: UUID, _ precondition: Precondition, _ change: (Instant?) throws -> Value
  ) throws -> Value {
    let version = try precondition.version(current: try entity(id).updatedAt)
    do {
      return try change(version ?? nil)
    } catch ArchiveError.conflict where version != .none {
      throw Precondition.changed
    }
  }

  private func created(_ saved: Saved<Entity>, _ notes: JSONObject) -> KeptAnswer {
    let body = json(saved.value)
    return KeptAnswer(
      answer("created", body, saved.change, notes), status: .created,
      location: "/api/v1/\(place)/\(saved.value.id.uuidString)",
      etag: EntityTag.text(saved.value.updatedAt, of: body.bytes()))
  }

  private func answer(
    _ verb: String, _ body: JSON, _ change: Change?, _ notes: JSONObject
  ) -> JSON {
    let answer: JSON = .object([verb: body, "changeId": JSON(change?.id.uuidString)])
    return answer.with(notes)
  }
}

extension JSON {
  /// Returns the object with additional members.
  func with(_ more: JSONObject) -> JSON {
    guard var object else { return self }
    for (key, value) in more.members { object[key] = value }
    return .object(object)
  }
}
