import ArkivedCore
import ArkivedImport
import ArkivedCrypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The files of a multipart form (RFC 7578), written to the disk as they arrive, so their size is
/// limited by the disk and not by memory.
///
/// Each has a separate folder within one that is removed at the end.
final class ReceivedFiles: Sendable {
  struct File: Sendable {
    /// The name given by the sender, without folders.
    let name: String
    let url: URL
    /// The SHA-256 of the content.
    let hash: String
  }

  /// The size beyond which uploads are refused, regardless of the available space.
  static let sizeLimit: Int64 = 1 << 30
  /// The space in bytes that is kept free on the disk.
  private static let reserve: Int64 = 512 << 20
  /// The number of bytes collected before they are written.
  private static let chunkSize = 1 << 18

  private let parser: Mutex<FormParser>
  private let folder: URL

  /// Receives a request's form.
  ///
  /// - Throws: `WebFailure` with the problem of the form; then nothing is kept.
  static func receive(
    _ request: Request
  ) async throws -> (files: [File], folder: URL, fields: [String: String]) {
    guard let boundary = MultipartForm.boundary(request.headers[.contentType]) else {
      throw WebFailure(
        .unsupportedMediaType, "No files", "The files weren’t sent as a form.")
    }
    let length = request.headers[.contentLength].flatMap { Int64($0) } ?? 0
    let received = try await offServer { try ReceivedFiles(boundary) }
    do {
      let limit = try await offServer { try received.limit() }
      guard length <= limit else { throw tooLarge(limit) }
      var count: Int64 = 0
      var waiting: [UInt8] = []
      for try await buffer in request.body {
        count += Int64(buffer.readableBytes)
        guard count <= limit else { throw tooLarge(limit) }
        waiting += buffer.readableBytesView
        guard waiting.count >= chunkSize else { continue }
        let bytes = waiting
        waiting = []
        try await offServer { try received.take(bytes) }
      }
      let bytes = waiting
      return try await offServer {
        try received.take(bytes)
        return (try received.finish(), received.folder, received.fields)
      }
    } catch {
      try? await offServer { ScratchFolders.remove(received.folder) }
      throw error
    }
  }

  private init(_ boundary: String) throws {
    folder = try ScratchFolders.make()
    parser = Mutex(FormParser(boundary: boundary, folder: folder))
  }

  private static func tooLarge(_ limit: Int64) -> WebFailure {
    WebFailure(
      .contentTooLarge, "Too large",
      "Together, the files are larger than \(ZipFailure.size(limit)), the most that can be "
        + "uploaded here. Give their path on this computer instead.")
  }

  private func limit() throws -> Int64 {
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let free = (attributes[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    return min(Self.sizeLimit, max(0, free - Self.reserve))
  }

  private func take(_ bytes: [UInt8]) throws { try parser.withLock { try $0.take(bytes) } }
  private var fields: [String: String] { parser.withLock { $0.fields } }
  private func finish() throws -> [File] { try parser.withLock { try $0.finish() } }
}

/// Parses a form while it arrives.
private struct FormParser {
  private enum State { case beginning, boundary, head, content, end }

  private static let headLimit = 1 << 16

  private let delimiter: [UInt8]
  private let folder: URL
  private var state = State.beginning
  private var buffer: [UInt8]
  private var files: [ReceivedFiles.File] = []
  /// The typed values of fields that are not files, by name; if a name is repeated, the first value
  /// counts.
  private(set) var fields: [String: String] = [:]
  private var field: String?
  private var typed: [UInt8] = []
  private static let fieldLimit = 4_096
  /// The name of the file being written, or nil for a field that is not a file.
  private var name: String?
  private var url: URL?
  private var handle: FileHandle?
  private var hash = SHA256()
  private var size = 0

  init(boundary: String, folder: URL) {
    delimiter = Array("\r\n--\(boundary)".utf8)
    self.folder = folder
    // The first boundary may be at the very beginning.
    buffer = Array("\r\n".utf8)
  }

  mutating func take(_ bytes: [UInt8]) throws {
    buffer += bytes
    while try step() {}
  }

  mutating func finish() throws -> [ReceivedFiles.File] {
    switch state {
    case .end: return files
    case .beginning:
      throw WebFailure(.badRequest, "Invalid form", "The form’s boundary is missing.")
    case .boundary, .head, .content:
      throw WebFailure(.badRequest, "Invalid form", "The form arrived incomplete. Send it again.")
    }
  }

  /// Advances by one part of the form.
  ///
  /// - Returns: true if the received data may contain more.
  private mutating func step() throws -> Bool {
    switch state {
    case .beginning:
      guard let place = place(of: delimiter) else {
        drop(buffer.count - delimiter.count + 1)
        return false
      }
      drop(place + delimiter.count)
      state = .boundary
    case .boundary:
      guard buffer.count >= 2 else { return false }
      state = buffer.starts(with: "\r\n".utf8) ? .head : .end
      drop(2)
    case .head:
      guard let end = place(of: Array("\r\n\r\n".utf8)) else {
        guard buffer.count <= Self.headLimit else {
          throw WebFailure(
            .badRequest, "Invalid form", "A part of the form has a header that is too long.")
        }
        return false
      }
      try begin(String(decoding: buffer[..<end], as: UTF8.self))
      drop(end + 4)
      state = .content
    case .content:
      guard let end = place(of: delimiter) else {
        try write(buffer.count - delimiter.count + 1)
        return false
      }
      try write(end)
      try endFile()
      drop(delimiter.count)
      state = .boundary
    case .end:
      buffer = []
      return false
    }
    return true
  }

  private mutating func drop(_ count: Int) {
    if count > 0 { buffer.removeFirst(min(count, buffer.count)) }
  }

  private func place(of wanted: [UInt8]) -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, bytes.count >= wanted.count else { return nil }
      var start = 0
      while start <= bytes.count - wanted.count,
        let hit = memchr(base + start, Int32(wanted[0]), bytes.count - wanted.count - start + 1)
      {
        let place = UnsafeRawPointer(hit) - base
        if bytes[place..<(place + wanted.count)].elementsEqual(wanted) { return place }
        start = place + 1
      }
      return nil
    }
  }

  // MARK: Files

  private mutating func begin(_ head: String) throws {
    name = MultipartForm.fileName(head)
    (hash, size) = (SHA256(), 0)
    field = name == nil ? MultipartForm.value("name", head) : nil
    typed = []
    guard let sent = name else { return }
    let own = folder.appendingPathComponent("\(files.count)")
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
    let target = own.appendingPathComponent(Self.fileName(sent))
    guard FileManager.default.createFile(atPath: target.path, contents: nil) else {
      throw CocoaError(.fileWriteUnknown)
    }
    url = target
    handle = try FileHandle(forWritingTo: target)
  }

  /// Returns the last component of the name a browser sends, which is not a path.
  private static func fileName(_ sent: String) -> String {
    let name = sent.split(whereSeparator: { "/\\\0".contains($0) }).last ?? "upload"
    return name.hasPrefix(".") ? "upload" : String(decoding: name.utf8.suffix(120), as: UTF8.self)
  }

  private mutating func write(_ count: Int) throws {
    guard count > 0 else { return }
    if let handle {
      let piece = Data(buffer[..<count])
      try handle.write(contentsOf: piece)
      hash.update(data: piece)
      size += count
    } else if field != nil {
      typed += buffer.prefix(min(count, Self.fieldLimit - typed.count))
    }
    drop(count)
  }

  private mutating func endFile() throws {
    defer { (name, url, handle) = (nil, nil, nil) }
    if let field, fields[field] == nil {
      fields[field] = String(decoding: typed, as: UTF8.self)
    }
    field = nil
    guard let name, let url, let handle else { return }
    try handle.close()
    // A file field without a chosen file is submitted with neither name nor content.
    guard !name.isEmpty || size > 0 else { return }
    let digest = Data(hash.finalize()).base64EncodedString()
    files.append(ReceivedFiles.File(name: url.lastPathComponent, url: url, hash: digest))
  }
}
