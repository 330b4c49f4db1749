import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import Hummingbird

/// The route of `/api/v1/service`: the service that runs Arkived whenever its owner is signed in.
///
/// It is only read here. Installing it writes a file outside the archive that starts a program at
/// every sign-in, which the page and `arkived service` do.
struct ServiceController: Sendable {
  let archive: Archive
  let service: UserService

  func addRoutes(to group: RouterGroup<WebContext>) {
    group.get("/service", use: show)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try request.refuseArguments()
    let (service, archive) = (service, archive)
    return try await offServer {
      let isInstalled = service.isInstalled
      var absence: String?
      var isSupported = true
      do {
        absence = try service.absence()
      } catch let failure as ServiceFailure {
        (absence, isSupported) = (failure.description, false)
      }
      let served = service.archive
      let home = archive.databaseFile?.deletingLastPathComponent().path
      return Response(json: [
        "isSupported": .bool(isSupported), "isInstalled": .bool(isInstalled),
        "isEnabled": .bool(service.isEnabled),
        "state": .string(isInstalled ? service.state() : "absent"),
        "file": JSON(isInstalled ? service.file.path : nil), "archive": JSON(served),
        "isForThisArchive": .bool(served != nil && served == home),
        "problem": JSON(absence),
      ])
    }
  }
}
