import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import Foundation
import Hummingbird

/// The web app's parts, and the routes to them.
struct WebApp: Sendable {
  let archive: Archive
  let zone: Zone
  let door: Door

  func router() throws -> Router<WebContext> {
    let pages = try Pages()
    let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
    router.addMiddleware {
      SecurityHeadersMiddleware()
      FailureMiddleware(pages: pages)
      DoorMiddleware(door: door, failures: FailureMiddleware(pages: pages))
    }
    AssetController().addRoutes(to: router)
    LoginController(door: door, pages: pages).addRoutes(to: router)
    DayPageController(archive: archive, zone: zone, pages: pages).addRoutes(to: router)
    ActivityPageController(archive: archive, zone: zone, pages: pages).addRoutes(to: router)
    FindPageController(archive: archive, zone: zone, pages: pages).addRoutes(to: router)
    AttachmentController(archive: archive).addRoutes(to: router)
    let api = router.group("/api/v1")
    DayController(archive: archive).addRoutes(to: api)
    ActivityController(archive: archive, zone: zone).addRoutes(to: api)
    FindController(archive: archive, zone: zone).addRoutes(to: api)
    HistoryController(archive: archive).addRoutes(to: api)
    ImportController(archive: archive, zone: zone).addRoutes(to: api)
    DescriptionController().addRoutes(to: api)
    return router
  }
}
