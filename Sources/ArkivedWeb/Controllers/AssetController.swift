import ArkivedCore
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
    Asset(name: "day.css", type: "text/css", content: PackageResources.day_css),
    script("day.js", PackageResources.day_js),
    script("day-move.js", PackageResources.day_move_js),
    script("day-note.js", PackageResources.day_note_js),
    script("day-files.js", PackageResources.day_files_js),
    script("visit.js", PackageResources.visit_js),
    Asset(name: "goals.css", type: "text/css", content: PackageResources.goals_css),
    script("goals.js", PackageResources.goals_js),
    Asset(name: "insights.css", type: "text/css", content: PackageResources.insights_css),
    Asset(name: "meetings.css", type: "text/css", content: PackageResources.meetings_css),
    script("meetings.js", PackageResources.meetings_js),
    Asset(name: "calendar.css", type: "text/css", content: PackageResources.calendar_css),
    script("calendar.js", PackageResources.calendar_js),
    Asset(name: "design.css", type: "text/css", content: PackageResources.design_css),
    script("offline.js", PackageResources.offline_js),
    Asset(name: "offline.html", type: "text/html", content: PackageResources.offline_html),
    Asset(name: "settings.css", type: "text/css", content: PackageResources.settings_css),
    script("settings.js", PackageResources.settings_js),
    script("talk.js", PackageResources.talk_js),
    script("app.js", PackageResources.app_js),
    script("live.js", PackageResources.live_js),
    script("search.js", PackageResources.search_js),
    Asset(name: "sprite.svg", type: "image/svg+xml", content: PackageResources.sprite_svg),
    Asset(name: "icon.svg", type: "image/svg+xml", content: PackageResources.icon_svg),
    Asset(name: "icon-180.png", type: "image/png", content: PackageResources.icon_180_png),
    Asset(name: "icon-192.png", type: "image/png", content: PackageResources.icon_192_png),
    Asset(name: "icon-512.png", type: "image/png", content: PackageResources.icon_512_png),
    Asset(
      name: "manifest.webmanifest", type: "application/manifest+json",
      content: PackageResources.manifest_webmanifest),
  ]

  /// A script without its comments and indentation, which browsers need not be sent. No text in the
  /// scripts goes over several lines.
  private static func script(_ name: String, _ source: [UInt8]) -> Asset {
    var content: [UInt8] = []
    for line in source.split(separator: UInt8(ascii: "\n")) {
      let code = line.drop { $0 == UInt8(ascii: " ") }
      guard !code.isEmpty, !code.starts(with: "//".utf8) else { continue }
      content += code
      content.append(UInt8(ascii: "\n"))
    }
    return Asset(name: name, type: "text/javascript", content: content)
  }
}

/// `/assets/{name}`: the same for everybody, and nobody's data.
struct AssetController: Sendable {
  func addRoutes(to router: Router<WebContext>) {
    router.get("/assets/:name", use: show)
    router.get("/service-worker.js", use: worker)
  }

  /// The service worker; it lies above all the pages that it serves while the server is away.
  @Sendable func worker(_ request: Request, context: WebContext) async throws -> Response {
    Response(
      status: .ok,
      headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache"],
      body: .init(byteBuffer: ByteBuffer(bytes: SpokenAssets.worker(in: .current))))
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("name") ?? ""
    guard let asset = Asset.all.first(where: { $0.name == name })?.spoken(in: .current) else {
      throw WebFailure(.notFound, "No such file", "There is no such file.")
    }
    let isVersioned = request.uri.query?.hasPrefix("v=") == true
    return Response(
      status: .ok,
      headers: [
        .contentType: asset.type.hasPrefix("image/png")
          ? asset.type : "\(asset.type); charset=utf-8",
        .cacheControl: isVersioned ? "public, max-age=31536000, immutable" : "no-cache",
      ], body: .init(byteBuffer: ByteBuffer(bytes: asset.content)))
  }
}
