import ArkivedCore
import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A folder on a WebDAV server (RFC 4918).
///
/// Paths are relative to it and consist of plain names. Requests are sent only to `https:`
/// addresses and to this computer, because each request includes the name and password.
package struct WebDAVFolder: Sendable {
  /// A file or folder on the server.
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var isFolder: Bool
    /// The size in bytes; nil if the server doesn’t say.
    package var size: Int?
    /// A mark that changes whenever the content does: the ETag, or the date of the last change with
    /// the size.
    package var mark: String
  }

  private let base: CalendarAddress
  private let client: CalendarClient

  private static let patience = Duration.seconds(60)
  /// The minimum number of bytes per second; a slower transfer is abandoned.
  private static let slowest = 4_096
  private static let piece = 1 << 18
  /// Files up to this size are sent in one piece.
  private static let small = 1 << 22

  /// The address for display.
  package var place: String { base.shown }

  /// Returns true if a text is an address rather than a path.
  package static func isAddress(_ text: String) -> Bool {
    let text = text.lowercased()
    return text.hasPrefix("https://") || text.hasPrefix("http://")
  }

  /// Creates a client for the folder at an address.
  ///
  /// - Throws: `WebDAVFailure`.
  package init(
    _ text: String, credentials: CalendarCredentials, network: CalendarNetwork = .system
  ) async throws {
    guard let url = URL(string: text), Self.isAddress(text), let given = try? CalendarAddress(url),
      given.query == nil
    else {
      // A user name and password in the address aren't shown.
      let shown = text.replacing(/\/\/[^\/]*@/, with: "//")
      throw WebDAVFailure(.unusableAddress, FieldError.shown(shown))
    }
    let folder = CalendarAddress.normal(given.path)
    base = given.with(path: folder.hasSuffix("/") ? folder : folder + "/")
    guard base.isEncrypted || NetworkReach.isThisComputer(base.host) else {
      throw WebDAVFailure(.unencrypted, base.shown)
    }
    do {
      client = try await CalendarClient(
        base, credentials: credentials, allowsPlainHTTP: false, network: network, place: base.shown)
    } catch {
      throw WebDAVFailure(.unauthorised, base.shown, status: nil)
    }
  }

  // MARK: Reading

  /// Returns the contents of a folder.
  ///
  /// - Returns: nil if the folder doesn’t exist.
  /// - Throws: `WebDAVFailure`.
  package func list(_ path: String) async throws -> [Entry]? {
    try await within(Self.patience) {
      let address = address(path, isFolder: true)
      var found: [Entry] = []
      let outcome = try await DAVClient(client: client).ask(
        "PROPFIND", address, depth: "1",
        DAVClient.propfind([
          "D:resourcetype", "D:getcontentlength", "D:getetag", "D:getlastmodified",
        ])
      ) { response in
        for href in response.hrefs {
          guard let name = name(href, in: address), response.status.map({ $0 < 300 }) ?? true else {
            continue
          }
          found.append(entry(name, response))
        }
      }
      switch outcome {
      case .told: return found
      case .refused(let refusal) where refusal.status == 404 || refusal.status == 410: return nil
      case .refused(let refusal): throw failure(refusal.status)
      }
    }
  }

  private func entry(_ name: String, _ response: DAVResponse) -> Entry {
    let size = response.property("DAV:getcontentlength").flatMap { Int($0.text) }
    let tag = response.property("DAV:getetag")?.text ?? ""
    let date = response.property("DAV:getlastmodified")?.text ?? ""
    return Entry(
      name: name, isFolder: response.isOfType("DAV:collection"), size: size,
      mark: "\(tag.isEmpty ? date : tag)|\(size ?? -1)")
  }

  /// Returns the name of a direct child; nil for anything else, and for names that aren’t plain.
  private func name(_ href: String, in folder: CalendarAddress) -> String? {
    guard let target = folder.resolving(href), target.isSameOrigin(as: folder) else { return nil }
    let (path, parent) = (target.name, folder.name)
    guard path.hasPrefix(parent), path != parent else { return nil }
    var name = path.dropFirst(parent.count)
    if name.hasSuffix("/") { name = name.dropLast() }
    let isPlain = name.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
    }
    return isPlain && !name.isEmpty ? String(name) : nil
  }

  /// Fetches a file, continuing where an earlier attempt ended.
  ///
  /// - Parameters:
  ///   - path: the file on the server.
  ///   - entry: the file's entry in the server’s list.
  ///   - target: the destination of the complete file.
  ///   - limit: the largest size to fetch, in bytes.
  /// - Throws: `WebDAVFailure`, `POSIXError` if the disk can't be written to.
  package func fetch(
    _ path: String, _ entry: Entry, to target: URL, limit: Int = .max
  ) async throws {
    let part = target.deletingLastPathComponent()
      .appendingPathComponent(".part-\(target.lastPathComponent)")
    let mark = part.appendingPathExtension("mark")
    if (try? String(contentsOf: mark, encoding: .utf8)) != entry.mark {
      try? FileManager.default.removeItem(at: part)
      guard
        FileManager.default.createFile(
          atPath: mark.path, contents: Data(entry.mark.utf8),
          attributes: [.posixPermissions: 0o600])
      else { throw CocoaError(.fileWriteUnknown) }
    }
    let isWhole = try await within(patience(for: entry.size ?? 0)) {
      try await download(path, entry, to: part, limit: limit)
    }
    guard isWhole else {
      try? FileManager.default.removeItem(at: part)
      try? FileManager.default.removeItem(at: mark)
      throw WebDAVFailure(.unusable, place)
    }
    guard rename(part.path, target.path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    try? FileManager.default.removeItem(at: mark)
  }

  /// Returns false if the file is larger than the limit, or if its size differs from the size in the
  /// list.
  private func download(
    _ path: String, _ entry: Entry, to part: URL, limit: Int
  ) async throws -> Bool {
    let descriptor = open(part.path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var count = Int(try file.seekToEnd())
    if let size = entry.size, count == size, size > 0 { return true }
    if let size = entry.size, count > size {
      try file.truncate(atOffset: 0)
      count = 0
    }
    var request = CalendarClient.Request(address: address(path))
    // Only a strong tag guarantees that the rest belongs to the same version as the beginning.
    let tag = entry.mark.prefix { $0 != "|" }
    if count > 0, tag.hasPrefix("\"") {
      request.headers = [("Range", "bytes=\(count)-"), ("If-Range", String(tag))]
    }
    let answer = try await client.send(request)
    switch answer.status {
    case 206:
      guard answer.headers.first(name: "Content-Range")?.hasPrefix("bytes \(count)-") == true else {
        return false
      }
    case 200:
      try file.truncate(atOffset: 0)
      count = 0
    case 416: return false
    default: throw failure(answer.status)
    }
    try file.seek(toOffset: UInt64(count))
    let most = min(entry.size ?? Int.max / 2, limit)
    do {
      try await client.read(answer, limit: max(0, most - count)) { piece in
        try file.write(contentsOf: Data(piece.readableBytesView))
        count += piece.readableBytes
      }
    } catch CalendarSourceError.tooLarge {
      return false
    }
    guard flushToDisk(descriptor) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return entry.size.map { $0 == count } ?? true
  }

  // MARK: Writing

  /// Stores a file.
  ///
  /// - Parameters:
  ///   - file: the local file.
  ///   - path: its path on the server.
  ///   - isNew: true to leave an existing file alone.
  /// - Returns: false if the file already exists.
  /// - Throws: `WebDAVFailure`.
  package func store(_ file: URL, as path: String, isNew: Bool) async throws -> Bool {
    let handle = try FileHandle(forReadingFrom: file)
    let size = Int(try handle.seekToEnd())
    try handle.close()
    return try await within(patience(for: size)) {
      var request = CalendarClient.Request(method: .PUT, address: address(path))
      request.headers = [("Content-Type", "application/octet-stream")]
      if isNew { request.headers.append(("If-None-Match", "*")) }
      if size <= Self.small { request.body = Array(try Data(contentsOf: file)) }
      if request.body == nil {
        request.upload = {
          .stream(
            FilePieces(file: file, size: size, piece: Self.piece), length: .known(Int64(size)))
        }
      }
      let answer = try await client.send(request)
      await drain(answer)
      switch answer.status {
      case 200, 201, 204: return true
      case 412 where isNew: return false
      default: throw failure(answer.status)
      }
    }
  }

  /// Creates a folder, unless it already exists.
  ///
  /// - Throws: `WebDAVFailure`; `.missing` if the parent folder doesn’t exist.
  package func makeFolder(_ path: String) async throws {
    try await within(Self.patience) {
      let answer = try await client.send(
        CalendarClient.Request(
          method: HTTPMethod(rawValue: "MKCOL"), address: address(path, isFolder: true)))
      await drain(answer)
      switch answer.status {
      // It already exists.
      case 200, 201, 204, 405: return
      case 409: throw WebDAVFailure(.missing, place, status: 409)
      default: throw failure(answer.status)
      }
    }
  }

  /// Removes a file, unless it no longer exists.
  ///
  /// - Throws: `WebDAVFailure`.
  package func remove(_ path: String) async throws {
    try await within(Self.patience) {
      let answer = try await client.send(
        CalendarClient.Request(method: .DELETE, address: address(path)))
      await drain(answer)
      guard [200, 202, 204, 404, 410].contains(answer.status) else { throw failure(answer.status) }
    }
  }

  // MARK: Requests

  private func address(_ path: String, isFolder: Bool = false) -> CalendarAddress {
    base.with(path: base.path + path + (isFolder && !path.isEmpty ? "/" : ""))
  }

  private func patience(for size: Int) -> Duration {
    Self.patience + .seconds(size / Self.slowest)
  }

  private func drain(_ answer: CalendarClient.Answer) async {
    _ = try? await client.collect(answer, limit: 1 << 16)
  }

  private func failure(_ status: Int) -> WebDAVFailure {
    let kind: WebDAVFailure.Kind =
      switch status {
      case 401: .unauthorised
      case 403: .forbidden
      case 404, 409, 410: .missing
      case 405, 501: .notAFolder
      case 413: .tooLarge
      case 423: .locked
      case 507: .full
      case 500...599, 408, 425, 429: .serverError
      default: .unusable
      }
    return WebDAVFailure(kind, place, status: status)
  }

  /// Runs a request with a time limit and converts its errors to this type’s.
  private func within<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await FetchDeadline.run(limit, place: place, body)
    } catch let error as CalendarSourceError {
      throw failure(error)
    }
  }

  private func failure(_ error: CalendarSourceError) -> WebDAVFailure {
    switch error {
    case .unauthorised: WebDAVFailure(.unauthorised, place, status: 401)
    case .forbidden: WebDAVFailure(.forbidden, place, status: 403)
    case .notFound, .missing: WebDAVFailure(.missing, place, status: 404)
    case .unreachable: WebDAVFailure(.unreachable, place)
    case .timedOut: WebDAVFailure(.timedOut, place)
    case .tooManyRedirects, .redirectLoop, .redirectedElsewhere: WebDAVFailure(.redirected, place)
    case .serverError(_, let status, _): failure(status)
    default: WebDAVFailure(.unusable, place)
    }
  }
}

/// The content of a file, piece by piece.
private struct FilePieces: AsyncSequence, Sendable {
  let file: URL
  let size: Int
  let piece: Int

  struct Iterator: AsyncIteratorProtocol {
    fileprivate var handle: FileHandle?
    fileprivate var left: Int
    fileprivate let piece: Int

    mutating func next() async throws -> ByteBuffer? {
      guard left > 0, let data = try handle?.read(upToCount: Swift.min(piece, left)), !data.isEmpty
      else { return nil }
      left -= data.count
      return ByteBuffer(bytes: data)
    }
  }

  func makeAsyncIterator() -> Iterator {
    Iterator(handle: try? FileHandle(forReadingFrom: file), left: size, piece: piece)
  }
}
