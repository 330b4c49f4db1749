import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/lifetime`.
struct LifeTimeController: Sendable {
  let archive: Archive
  let zone: Zone

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/lifetime", use: show)
    group.put("/lifetime", use: write)
  }

  private var today: DayKey { zone.dayKey(at: archive.clock.now) }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return try await offServer {
      guard let life = try archive.lifeTime() else {
        throw ArchiveError.notFound("No lifetime is set yet. PUT a birthDate to set it.")
      }
      return Response(entity: life.json(on: today), version: life.updatedAt)
    }
  }

  /// Creates the lifetime from a birth date, or changes the given fields of the existing one.
  @Sendable func write(_ request: Request, context: WebContext) async throws -> Response {
    let precondition = Precondition(request)
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    return try await offServer {
      let current = try archive.lifeTime()
      let version = try precondition.version(current: current?.updatedAt)
      guard let current else {
        // A lifetime that was deleted in the meantime must not come back.
        guard !precondition.requiresExisting else { throw Precondition.changed }
        return try answer(try create(object), status: .created)
      }
      do {
        return try answer(
          try archive.update(LifeTime.self, current.id, version: version ?? nil) { life in
            try life.change(object, homeZone: zone)
            if object["birthDate"] != nil {
              try LifeTime.checkBirth(life.birthDate, today: today)
            }
          })
      } catch ArchiveError.conflict where version != .none {
        throw Precondition.changed
      }
    }
  }

  private func create(_ object: JSONObject) throws -> Saved<LifeTime> {
    for field in ["id", "createdAt", "updatedAt"] where object[field] != nil {
      throw FieldError(field, "can’t be set here. The archive assigns it")
    }
    var fields = FieldReader(object)
    let life = try LifeTime(
      &fields,
      defaults: EntryDefaults(
        now: archive.clock.now, homeZone: zone, identities: archive.identities))
    try fields.refuseUnknown()
    try LifeTime.checkBirth(life.birthDate, today: today)
    return try archive.create(life)
  }

  private func answer(
    _ saved: Saved<LifeTime>, status: HTTPResponse.Status = .ok
  ) throws -> Response {
    let json = saved.value.json(on: today)
    return Response(
      json: json.with(["changeId": JSON(saved.change?.id.uuidString)]), status: status,
      etag: EntityTag.text(saved.value.updatedAt, of: json.bytes()))
  }
}
