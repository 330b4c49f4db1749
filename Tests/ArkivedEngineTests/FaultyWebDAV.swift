import ArkivedTestSupport
import Foundation
import Synchronization

/// A WebDAV server in memory that can fail in the middle of anything.
final class FaultyWebDAV: Sendable {
  private struct Content {
    var files: [String: (bytes: [UInt8], version: Int)] = [:]
    var folders: Set<String> = ["/dav"]
    var count = 0
  }

  enum Fault: CaseIterable {
    /// The request is refused.
    case refused
    /// The connection ends before the answer does.
    case cut
    /// What came is kept, and the answer never sent.
    case unanswered
    /// Half of what came is kept.
    case halfStored
    /// The answer is shorter than the list says.
    case wrongLength
  }

  private let content = Mutex(Content())
  private let fault = Mutex<@Sendable (CalendarServer.Request) -> Fault?>({ _ in nil })
  let server: CalendarServer

  var address: String { "\(server.origin)/dav/" }
  var paths: [String] { content.withLock { $0.files.keys.sorted() } }

  /// True if a file's tag stays the same when another version of the same size replaces it, like a
  /// tag that consists of the time in seconds and the size.
  private let hasCoarseTags: Bool

  /// True if its lists don't contain the sizes of files.
  private let hidesSizes: Bool

  init(hasCoarseTags: Bool = false, hidesSizes: Bool = false) throws {
    self.hasCoarseTags = hasCoarseTags
    self.hidesSizes = hidesSizes
    server = try CalendarServer()
    server.reply { [weak self] in self?.answer($0) ?? .silence }
  }

  /// Adds a file that no device wrote, or removes one.
  func put(_ bytes: [UInt8]?, at path: String) {
    if let bytes {
      store(bytes, path)
    } else {
      content.withLock { $0.files[path] = nil }
    }
  }

  func fail(_ fault: @escaping @Sendable (CalendarServer.Request) -> Fault?) {
    self.fault.withLock { $0 = fault }
  }

  private func answer(_ request: CalendarServer.Request) -> CalendarServer.Reply {
    let path = request.path.hasSuffix("/") ? String(request.path.dropLast()) : request.path
    let fault = fault.withLock { $0 }(request)
    if fault == .refused { return .answer(500) }
    if fault == .halfStored, request.method == "PUT" {
      store(Array(request.bytes.prefix(request.bytes.count / 2)), path)
      return .answer(500)
    }
    let answer = carryOut(request, path)
    switch fault {
    case .cut:
      if case .answer(200, _, let body) = answer, request.method == "GET" {
        return .bytes(
          Array("HTTP/1.1 200 Answer\r\nContent-Length: \(body.count)\r\n\r\n".utf8)
            + body.prefix(body.count / 2))
      }
      return .bytes(Array("HTTP/1.1 200 Answer\r\nContent-Length: 5000\r\n\r\nhalf".utf8))
    case .unanswered: return .bytes([])
    case .wrongLength:
      guard case .answer(200, let headers, let body) = answer, request.method == "GET" else {
        return answer
      }
      return .answer(200, headers: headers, body: Array(body.dropLast(7)))
    default: return answer
    }
  }

  private func store(_ bytes: [UInt8], _ path: String) {
    content.withLock {
      $0.count += 1
      let old = $0.files[path]
      let keepsTag = hasCoarseTags && old?.bytes.count == bytes.count
      $0.files[path] = (bytes, keepsTag ? old?.version ?? $0.count : $0.count)
    }
  }

  private func carryOut(
    _ request: CalendarServer.Request, _ path: String
  ) -> CalendarServer.Reply {
    let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    let (file, isFolder, hasParent) = content.withLock {
      ($0.files[path], $0.folders.contains(path), $0.folders.contains(parent))
    }
    switch request.method {
    case "PROPFIND": return isFolder ? .multistatus(list(path)) : .answer(404)
    case "MKCOL":
      guard !isFolder else { return .answer(405) }
      guard hasParent else { return .answer(409) }
      content.withLock { _ = $0.folders.insert(path) }
      return .answer(201)
    case "PUT":
      guard hasParent else { return .answer(409) }
      guard file == nil || request.headers["if-none-match"] != "*" else { return .answer(412) }
      store(request.bytes, path)
      return .answer(201)
    case "GET":
      guard let file else { return .answer(404) }
      let tag = "\"\(file.version)\""
      if let range = request.headers["range"], request.headers["if-range"] == tag,
        let start = Int(range.dropFirst("bytes=".count).dropLast()), start < file.bytes.count
      {
        let rest = Array(file.bytes[start...])
        return .answer(
          206,
          headers: [
            "Content-Range": "bytes \(start)-\(file.bytes.count - 1)/\(file.bytes.count)",
            "ETag": tag,
          ], body: rest)
      }
      return .answer(200, headers: ["ETag": tag], body: file.bytes)
    case "DELETE":
      content.withLock { $0.files[path] = nil }
      return .answer(file == nil ? 404 : 204)
    default: return .answer(405)
    }
  }

  private func list(_ path: String) -> String {
    content.withLock { content in
      func isChild(_ other: String) -> Bool {
        other.hasPrefix(path + "/") && !other.dropFirst(path.count + 1).contains("/")
      }
      let folders = ([path] + content.folders.filter(isChild).sorted()).map {
        """
        <d:response><d:href>\($0)/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>\
        </d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
        """
      }
      let files = content.files.filter { isChild($0.key) }.map { name, file in
        let size =
          hidesSizes ? "" : "<d:getcontentlength>\(file.bytes.count)</d:getcontentlength>"
        return """
          <d:response><d:href>\(name)</d:href><d:propstat><d:prop><d:resourcetype/>\(size)\
          <d:getetag>"\(file.version)"</d:getetag></d:prop>\
          <d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>
          """
      }
      return (folders + files).joined()
    }
  }
}
