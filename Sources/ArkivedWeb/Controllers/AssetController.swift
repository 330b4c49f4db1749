import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// A file that pages need.
struct Asset: Sendable {
  let name: String
  let type: String
  let content: [UInt8]

  static let all = [
    Asset(name: "tokens.css", type: "text/css", content: PackageResources.tokens_css),
    Asset(name: "app.css", type: "text/css", content: PackageResources.app_css),
    Asset(name: "goals.css", type: "text/css", content: PackageResources.goals_css),
    Asset(name: "goals.js", type: "text/javascript", content: PackageResources.goals_js),
    Asset(name: "insights.css", type: "text/css", content: PackageResources.insights_css),
    Asset(name: "meetings.css", type: "text/css", content: PackageResources.meetings_css),
    Asset(name: "meetings.js", type: "text/javascript", content: PackageResources.meetings_js),
    Asset(name: "app.js", type: "text/javascript", content: PackageResources.app_js),
    Asset(name: "live.js", type: "text/javascript", content: PackageResources.live_js),
    Asset(name: "search.js", type: "text/javascript", content: PackageResources.search_js),
    Asset(name: "sprite.svg", type: "image/svg+xml", content: PackageResources.sprite_svg),
    Asset(name: "icon.svg", type: "image/svg+xml", content: PackageResources.icon_svg),
    Asset(
      name: "manifest.webmanifest", type: "application/manifest+json",
      content: PackageResources.manifest_webmanifest),
  ]
}

/// `/assets/{name}`: the same for everybody, and nobody's data.
struct AssetController: Sendable {
  func addRoutes(to router: Router<WebContext>) {
    router.get("/assets/:name", use: show)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("name") ?? ""
    guard let asset = Asset.all.first(where: { $0.name == name }) else {
      throw WebFailure(.notFound, "No such file", "There is no such file.")
    }
    let isVersioned = request.uri.query?.hasPrefix("v=") == true
    return Response(
      status: .ok,
      headers: [
        .contentType: "\(asset.type); charset=utf-8",
        .cacheControl: isVersioned ? "public, max-age=31536000, immutable" : "no-cache",
      ], body: .init(byteBuffer: ByteBuffer(bytes: asset.content)))
  }
}
