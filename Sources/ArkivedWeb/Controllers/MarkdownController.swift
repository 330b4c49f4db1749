import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The route of `/export/markdown.zip` with `from` and `to`: some days as Markdown pages with their
/// files.
struct MarkdownController: Sendable {
  let archive: Archive
  let zone: Zone

  func addRoutes(to router: Router<WebContext>) { router.get("/export/markdown.zip", use: save) }

  /// Returns the address of a link that saves some days.
  static func href(_ days: ClosedRange<DayKey>) -> String {
    "/export/markdown.zip?from=\(days.lowerBound)&to=\(days.upperBound)"
  }

  private static let pieceSize = 1 << 18

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let days = try request.arguments { fields throws(FieldError) in
      let span = try DayFilter(&fields, from: "from", to: "to", homeZone: zone)
      guard let first = span.from else { throw FieldError("from", "is missing. Choose a day") }
      guard let last = span.to else { throw FieldError("to", "is missing. Choose a day") }
      guard first <= last else { throw FieldError("from", "is after “to”") }
      return first...last
    }
    let content = try await offServer {
      let folder = try ScratchFolders.make()
      // A mapped file stays readable after its name is removed.
      defer { ScratchFolders.remove(folder) }
      let file = folder.appendingPathComponent("days.zip")
      _ = try ExportJob(archive: archive).writeMarkdownZip(of: days, to: file)
      return try Data(contentsOf: file, options: .alwaysMapped)
    }
    let name =
      days.lowerBound == days.upperBound
      ? "\(days.lowerBound)" : "\(days.lowerBound)-to-\(days.upperBound)"
    return Response(
      status: .ok,
      headers: [
        .contentType: "application/zip",
        .contentDisposition: "attachment; filename=\"arkived-\(name).zip\"",
      ],
      body: ResponseBody(contentLength: content.count) { writer in
        for start in stride(from: content.startIndex, to: content.endIndex, by: Self.pieceSize) {
          let end = min(start + Self.pieceSize, content.endIndex)
          try await writer.write(ByteBuffer(bytes: content[start..<end]))
        }
        try await writer.finish(nil)
      })
  }
}
