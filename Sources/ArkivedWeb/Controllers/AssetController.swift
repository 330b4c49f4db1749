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
    "tokens.css", "app.css", "day.css", "day.js", "day-move.js", "day-place.js", "day-note.js",
    "day-files.js", "codemirror.js", "editor.js", "editor-marks.js", "editor-complete.js",
    "editor.css", "map.css", "map.js", "photos.css", "photos.js", "dates.js", "home.css",
    "home.js", "palette.js",
    "visit.js", "goals.css", "goals.js", "insights.css", "meetings.css", "meetings.js",
    "calendar.css", "calendar.js", "design.css", "offline.js", "offline.html", "settings.css",
    "settings.js", "talk.js", "app.js", "live.js", "search.js", "sprite.svg", "icon.svg",
    "icon-180.png", "icon-192.png", "icon-512.png", "manifest.webmanifest",
  ].map(asset)

  /// The editor library, which is minified and has string literals of several lines.
  private static let library = "codemirror.js"

  private static func asset(_ name: String) -> Asset {
    let content = WebFiles.content(name)
    let type =
      switch name.split(separator: ".").last {
      case "css": "text/css"
      case "js": "text/javascript"
      case "html": "text/html"
      case "svg": "image/svg+xml"
      case "png": "image/png"
      case "webmanifest": "application/manifest+json"
      default: "application/octet-stream"
      }
    let isOwnScript = name.hasSuffix(".js") && name != library
    return Asset(name: name, type: type, content: isOwnScript ? shortened(content) : content)
  }

  /// Returns a script without its comments and indentation, which browsers don't need; no string
  /// literal in the scripts spans several lines.
  private static func shortened(_ source: [UInt8]) -> [UInt8] {
    var content: [UInt8] = []
    for line in source.split(separator: UInt8(ascii: "\n")) {
      let code = line.drop { $0 == UInt8(ascii: " ") }
      guard !code.isEmpty, !code.starts(with: "//".utf8) else { continue }
      content += code
      content.append(UInt8(ascii: "\n"))
    }
    return content
  }
}

/// The route `/assets/{name}`, which is the same for everybody and contains no personal data.
struct AssetController: Sendable {
  func addRoutes(to router: Router<WebContext>) {
    router.get("/assets/:name", use: show)
    router.get("/service-worker.js", use: worker)
  }

  /// Returns the service worker, whose path is above all the pages that it serves while the server
  /// is unavailable.
  @Sendable func worker(_ request: Request, context: WebContext) async throws -> Response {
    Response(
      status: .ok,
      headers: [.contentType: "text/javascript; charset=utf-8", .cacheControl: "no-cache"],
      body: .init(byteBuffer: ByteBuffer(bytes: SpokenAssets.worker(in: .current))))
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let name = context.parameters.get("name") ?? ""
    guard let asset = Asset.all.first(where: { $0.name == name })?.spoken(in: .current) else {
      throw WebFailure(.notFound, "File not found", "This file doesn’t exist.")
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
