import ArkivedCrypto
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file's content at one moment, regardless of later changes to the file.
struct FileSnapshot {
  /// The size limit in bytes below which files are kept in memory; larger ones are copied.
  private static let inMemory = 4 << 20

  let stamp: FileStamp
  /// Nanoseconds since 1970.
  let readAt: Int
  let hash: String
  let shape: CalendarShape
  let content: CalendarResource.Content

  var version: String { "\(stamp.text)-\(hash)" }

  /// The result of reading.
  enum Outcome {
    case whole(FileSnapshot)
    /// The file changed while it was read, or it is incomplete and recent.
    case isBeingWritten
    /// The file is incomplete, but no longer seems to be written to.
    case isCut
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - limit: the maximum size, in bytes.
  ///   - patience: the age below which a file may still be written to.
  ///   - scratch: returns the folder for the copy of a large file.
  /// - Returns: the content, or why there is none.
  /// - Throws: `CalendarSourceError`, `CancellationError`.
  static func read(
    _ path: String, limit: Int, patience: Duration, scratch: () throws -> URL
  ) throws -> Outcome {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileStamp.failure(path, errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    func look() throws -> FileStamp {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw FileStamp.failure(path, errno) }
      return FileStamp(status)
    }
    let stamp = try look()
    guard stamp.isFile else {
      throw CalendarSourceError.unreadable(path: path, reason: "not a file")
    }
    let tooLarge = CalendarSourceError.tooLarge(place: path, megabytes: limit >> 20)
    guard stamp.size <= limit else { throw tooLarge }
    var copy: FileHandle?
    var content = CalendarResource.Content.bytes([])
    if stamp.size > inMemory {
      let url = try scratch().appendingPathComponent("\(UUID().uuidString).ics")
      guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
        throw CalendarSourceError.unreadable(path: path, reason: "not enough space for a copy")
      }
      copy = try FileHandle(forWritingTo: url)
      content = .file(url)
    }
    defer { try? copy?.close() }
    var isKept = false
    defer {
      if !isKept, case .file(let url) = content { try? FileManager.default.removeItem(at: url) }
    }
    var bytes: [UInt8] = []
    var hash = SHA256()
    var shape = CalendarShape()
    while true {
      try Task.checkCancellation()
      let piece: Data
      do {
        piece = try handle.read(upToCount: 1 << 20) ?? Data()
        try copy?.write(contentsOf: piece)
      } catch {
        throw CalendarSourceError.unreadable(path: path, reason: reason(error))
      }
      guard !piece.isEmpty else { break }
      hash.update(data: piece)
      shape.add(piece)
      guard shape.count <= limit else { throw tooLarge }
      if copy == nil {
        bytes += piece
        // The file grew while it was read.
        guard bytes.count <= stamp.size else { return .isBeingWritten }
      }
    }
    let now = FileStamp.now
    guard shape.count == stamp.size, try look() == stamp else { return .isBeingWritten }
    if !shape.isWhole {
      let age = Duration.nanoseconds(max(0, now - stamp.modified))
      if age < patience { return .isBeingWritten }
      guard shape.component != nil else {
        throw CalendarSourceError.notACalendar(place: path, came: shape.otherwise)
      }
      guard shape.endsWithAnEnd else { return .isCut }
    }
    isKept = true
    if copy == nil { content = .bytes(bytes) }
    return .whole(
      FileSnapshot(
        stamp: stamp, readAt: now,
        hash: hash.finalize().hexadecimal,
        shape: shape, content: content))
  }

  /// Deletes the copy of a large file.
  func discard() {
    if case .file(let url) = content { try? FileManager.default.removeItem(at: url) }
  }

  private static func reason(_ error: any Error) -> String {
    (error as NSError).userInfo[NSUnderlyingErrorKey].map { "\($0)" } ?? "\(error)"
  }
}

/// A private temporary folder, created on first use.
final class ScratchFolder {
  private var folder: URL?

  func url() throws -> URL {
    if let folder { return folder }
    let made = try ScratchFolders.make()
    folder = made
    return made
  }

  deinit { if let folder { ScratchFolders.remove(folder) } }
}
