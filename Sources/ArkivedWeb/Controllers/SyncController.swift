import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of `/api/v1/syncs`: the linked places (`LinkController`) that are Ten Week files,
/// synced all at once and in both directions.
///
/// Calendars and services are only read, one by one, and are under `/links` alone.
struct SyncController: Sendable {
  let archive: Archive
  let zone: Zone
  let repeated: RepeatedRequests

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/syncs", use: list)
    group.post("/syncs", use: run)
  }

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    return try await offServer {
      Response(json: [
        "links": .array(try archive.syncLinks().filter { !$0.kind.isOnlyRead }.map(\.json))
      ])
    }
  }

  /// Syncs every linked place, one after another.
  @Sendable func run(_ request: Request, context: WebContext) async throws -> Response {
    let object = try await request.jsonObject(limit: context.maxUploadSize)
    let key = try RepeatedRequests.key(request, asking: JSON.object(object).bytes())
    return Response(
      try await repeated.answer(key) {
        var fields = FieldReader(object)
        let allowsDeletions = try fields.bool("allowDeletions") ?? false
        try fields.refuseUnknown()
        let links = try archive.syncLinks().filter { !$0.kind.isOnlyRead }
        guard !links.isEmpty else {
          throw ArchiveError.notFound("No file is linked. Link one: arkived sync link FILE.")
        }
        let job = SyncJob(archive: archive, homeZone: zone)
        return KeptAnswer([
          "syncs": .array(
            try links.map { try job.run($0, allowsDeletions: allowsDeletions).json })
        ])
      })
  }
}
