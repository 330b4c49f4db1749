import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The routes of `/attachments/{id}`: files of entries, served so they can't be executed, and their
/// thumbnails.
struct AttachmentController: Sendable {
  let archive: Archive
  let thumbnails: Thumbnails
  let queue: ThumbnailQueue

  func addRoutes(to router: Router<WebContext>) {
    router.get("/attachments/:id", use: show)
    router.get("/attachments/:id/thumbnail", use: showThumbnail)
  }

  /// The security policy that keeps a file from running wherever it is displayed.
  private static let policy = "default-src 'none'; sandbox"

  /// A placeholder for an unreadable picture: a frame and a slope, in a grey that is visible in
  /// light and dark mode.
  private static let brokenPicture = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 120" width="160" height="120">\
    <g fill="none" stroke="#888" stroke-width="3" stroke-linejoin="round">\
    <rect x="44" y="32" width="72" height="56" rx="6"/><path d="M50 82l20-24 14 16 10-10 16 18"/>\
    <circle cx="98" cy="48" r="5"/></g></svg>
    """

  /// Returns the thumbnail for `?size=small|large`, a WebP picture.
  ///
  /// The line of a journey becomes a drawing. If no thumbnail can be created, the response is the
  /// file itself if it is small. Otherwise it is a drawing of a broken picture, so a broken photo
  /// doesn't disturb the page.
  @Sendable func showThumbnail(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let name = request.fields.text("size") ?? Thumbnails.Size.small.rawValue
    guard let size = Thumbnails.Size(rawValue: name) else {
      throw WebFailure(
        .badRequest, "Invalid value", "size must be small or large.", field: "size")
    }
    let (archive, thumbnails) = (archive, thumbnails)
    let attachment = try await offServer {
      guard let attachment = try archive.attachment(id) else {
        throw ArchiveError.notFound("No attachment with the ID \(id.uuidString).")
      }
      return attachment
    }
    if WayFile.isWay(attachment) {
      let drawn = try await offServer { () -> (content: Data, type: String) in
        let drawing = (try? archive.content(of: attachment)).flatMap {
          WayPicture.svg(WayFile.lines($0), size)
        }
        return try drawing.map { (Data($0.utf8), "image/svg+xml") } ?? Self.broken()
      }
      return Self.picture(drawn.content, drawn.type)
    }
    if let kept = try await offServer({ thumbnails.kept(attachment, size) }) {
      return Self.picture(kept, "image/webp")
    }
    let making = { @Sendable () throws -> (content: Data, type: String) in
      do {
        return (try thumbnails.picture(attachment, size), "image/webp")
      } catch ImageFailure.absent {
        guard let content = try? archive.content(of: attachment),
          content.count <= EntryFiles.wholePictureLimit
        else { return try Self.broken() }
        let media = MediaType(sniffing: content, fileName: "")
        guard media.isSafeInline, media.name.hasPrefix("image/") else {
          return try Self.broken()
        }
        return (content, media.name)
      } catch {
        return try Self.broken()
      }
    }
    // Creating one may have to wait for others, which the server's own threads must not do.
    guard let made = try await queue.run(for: context.presence(), making) else {
      return Response(status: Self.left)
    }
    return Self.picture(made.content, made.type)
  }

  /// The status for a client that doesn't wait any more, as other servers call it.
  private static let left = HTTPResponse.Status(
    code: 499, reasonPhrase: "Client Closed Request")

  /// Returns the placeholder.
  ///
  /// - Throws: `WebFailure` 503 if the picture may be intact and too many files are open to read
  ///   it.
  private static func broken() throws -> (content: Data, type: String) {
    guard !FileDescriptorLimit.isReached else { throw WebFailure.tooManyOpenFiles }
    return (Data(brokenPicture.utf8), "image/svg+xml")
  }

  private static func picture(_ content: Data, _ type: String) -> Response {
    var response = Response(
      status: .ok, headers: [.contentType: type],
      body: .init(byteBuffer: ByteBuffer(bytes: content)))
    response.headers[.name("Content-Security-Policy")] = policy
    return response
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (attachment, content, file) = try await offServer {
      guard let attachment = try archive.attachment(id) else {
        throw ArchiveError.notFound("No attachment with the ID \(id.uuidString).")
      }
      do {
        let content = try archive.content(of: attachment)
        return (
          attachment, content, try Self.opened(attachment, size: content.count, in: archive)
        )
      } catch {
        guard !FileDescriptorLimit.explains(error) else { throw WebFailure.tooManyOpenFiles }
        // The error for a missing photo that stayed in its folder says where it was.
        guard attachment.original == nil else { throw error }
        throw ArchiveError.notFound("No file found for this attachment. Run arkived doctor.")
      }
    }
    // The type comes from the content, because the stored one could be anything.
    let media = MediaType(sniffing: content, fileName: attachment.originalName ?? "")
    var response = Response(status: .ok, headers: [.contentType: media.name])
    response.headers[.acceptRanges] = "bytes"
    func body(_ part: Range<Int>) -> ResponseBody {
      if let file { return Response.body(of: file, part) }
      let first = content.startIndex + part.lowerBound
      return Response.body(inPieces: content[first..<(first + part.count)])
    }
    // Players jump to the position that they request.
    switch ByteRange(request.headers[.range], size: content.count) {
    case .whole: response.body = body(0..<content.count)
    case .part(let range):
      response.status = .partialContent
      response.headers[.contentRange] =
        "bytes \(range.lowerBound)-\(range.upperBound)/\(content.count)"
      response.body = body(Range(range))
    case .outside:
      response.status = .rangeNotSatisfiable
      response.headers[.contentRange] = "bytes */\(content.count)"
    }
    response.headers[.name("Content-Security-Policy")] = Self.policy
    if !media.isSafeInline {
      response.headers[.contentDisposition] = Response.disposition(
        attachment.originalName ?? "attachment")
    }
    return response
  }

  /// Opens the file of a large attachment, which is read while it's sent.
  ///
  /// - Parameters:
  ///   - attachment: the attachment.
  ///   - size: the size of its content.
  ///   - archive: the archive.
  /// - Returns: the file; nil if its content can be sent at once.
  /// - Throws: `ArchiveError.notFound` if the file was replaced in the meantime, and errors from
  ///   opening it.
  static func opened(
    _ attachment: Attachment, size: Int, in archive: Archive
  ) throws -> PlainFile? {
    guard size > Response.pieceSize,
      let url = archive.file(of: attachment) ?? attachment.original
    else { return nil }
    let file = try PlainFile(url)
    guard file.count == size else {
      throw ArchiveError.notFound("No file found for this attachment. Run arkived doctor.")
    }
    return file
  }
}
