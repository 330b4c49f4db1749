import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// `/attachments/{id}`: files of entries, served so that they cannot run.
struct AttachmentController: Sendable {
  let archive: Archive

  func addRoutes(to router: Router<WebContext>) {
    router.get("/attachments/:id", use: show)
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (attachment, content) = try await offServer {
      guard let attachment = try archive.attachment(id) else {
        throw ArchiveError.notFound("attachment \(id.uuidString)")
      }
      guard let file = archive.file(of: attachment),
        let content = try? Data(contentsOf: file, options: .mappedIfSafe)
      else { throw ArchiveError.notFound("file of the attachment; run arkived doctor") }
      return (attachment, content)
    }
    // The type comes from the content; what the row says could be anything.
    let media = MediaType(sniffing: content, fileName: attachment.originalName ?? "")
    var response = Response(status: .ok, headers: [.contentType: media.name])
    response.headers[.acceptRanges] = "bytes"
    // Players jump to where they are told.
    switch ByteRange(request.headers[.range], size: content.count) {
    case .whole: response.body = .init(byteBuffer: ByteBuffer(bytes: content))
    case .part(let range):
      let first = content.startIndex + range.lowerBound
      let part = content[first..<(first + range.count)]
      response.status = .partialContent
      response.headers[.contentRange] =
        "bytes \(range.lowerBound)-\(range.upperBound)/\(content.count)"
      response.body = .init(byteBuffer: ByteBuffer(bytes: part))
    case .outside:
      response.status = .rangeNotSatisfiable
      response.headers[.contentRange] = "bytes */\(content.count)"
    }
    response.headers[.name("Content-Security-Policy")] = "default-src 'none'; sandbox"
    if !media.isSafeInline {
      let name = (attachment.originalName ?? "attachment").map { character in
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
          ? character : "_"
      }
      response.headers[.contentDisposition] = "attachment; filename=\"\(String(name))\""
    }
    return response
  }
}
