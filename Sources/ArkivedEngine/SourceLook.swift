import ArkivedImport
import ArkivedCrypto
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The metadata of a file or of everything in a folder, which differs if the content differs.
///
/// A file system records the last write of any kind to a file, content or times (`st_ctime`), and
/// no program can set that back. Together with its number, size and name this time shows whether
/// the file is still the same. Only a write at the very moment of checking may go unnoticed.
struct SourceLook: Hashable {
  /// The total size of its files in bytes.
  let byteCount: Int
  /// A hash over the names, kinds, numbers, sizes and times of everything in it.
  let mark: String
  /// The time of the last change of any of its files, in nanoseconds since 1970.
  let newest: Int
  /// True if something was written so recently, or is on such a memory card, that another change
  /// might go unnoticed.
  let isFresh: Bool

  static var now: Int { Int(Date().timeIntervalSince1970 * Double(second)) }

  /// Twice the longest tick of the systems' clocks, and the resolution of the slowest file systems.
  private static let tick = 25_000_000
  private static let coarseTick = 3_000_000_000
  private static let second = 1_000_000_000

  /// Reads the metadata of files and folders with everything in them, and of links with their
  /// targets.
  ///
  /// A missing file has metadata, too. The result is nil if a folder cannot be read, contains too
  /// many files, or contains a link to another folder, in which changes would not be noticed.
  ///
  /// - Parameters:
  ///   - urls: the files and folders.
  ///   - limit: the largest number of files and folders in a folder.
  init?(at urls: [URL], limit: Int = 200_000) {
    var looking = Looking(now: Self.now)
    for url in urls.map({ $0.resolvingSymlinksInPath() }) {
      guard looking.take(url.path, as: "") else { return nil }
      guard let names = looking.isFolder ? Self.names(in: url, limit) : [] else { return nil }
      for name in names {
        guard looking.take("\(url.path)/\(name)", as: name) else { return nil }
      }
    }
    (byteCount, newest, isFresh) = (looking.byteCount, looking.newest, looking.isFresh)
    mark = looking.hash.finalize().hexadecimal
  }

  /// Returns true if everything was written before a moment, for any resolution of the file
  /// system's times.
  ///
  /// - Parameter moment: nanoseconds since 1970.
  /// - Returns: true if it was.
  func isOlder(than moment: Int) -> Bool {
    newest &+ (newest % Self.second == 0 ? Self.coarseTick : Self.tick) < moment
  }

  private static func names(in folder: URL, _ limit: Int) -> [String]? {
    guard let walk = FileManager.default.enumerator(atPath: folder.path) else { return nil }
    var names: [String] = []
    while let name = walk.nextObject() as? String {
      guard names.count < limit else { return nil }
      names.append(name)
    }
    return names.sorted()
  }

  private struct Looking {
    let now: Int
    private let disks = ForgetfulDisks.present
    var hash = SHA256()
    var byteCount = 0
    var newest = 0
    var isFresh = false
    /// True if the last item examined is a folder.
    var isFolder = false

    init(now: Int) { self.now = now }

    /// Adds a path.
    ///
    /// - Returns: true if it could be examined, or does not exist.
    mutating func take(_ path: String, as name: String) -> Bool {
      var status = stat()
      isFolder = false
      guard lstat(path, &status) == 0 else {
        guard errno == ENOENT else { return false }
        hash.update(data: Data("\(name)\u{0}absent\n".utf8))
        return true
      }
      var kind = status.st_mode & S_IFMT
      if kind == S_IFLNK {
        guard let target = Self.target(path) else {
          hash.update(data: Data("\(name)\u{0}lost\n".utf8))
          return true
        }
        guard target.st_mode & S_IFMT != S_IFDIR else { return false }
        // Distinguishes a link from a file that had the same name before.
        hash.update(data: Data("link\n".utf8))
        (status, kind) = (target, target.st_mode & S_IFMT)
      }
      isFolder = kind == S_IFDIR
      guard !isFolder else {
        // Its content determines the result; its own times change with temporary files.
        hash.update(data: Data("\(name)\u{0}folder\n".utf8))
        return true
      }
      #if canImport(Darwin)
        let (changed, written) = (status.st_ctimespec, status.st_mtimespec)
      #else
        let (changed, written) = (status.st_ctim, status.st_mtim)
      #endif
      let moment = Int(changed.tv_sec) &* SourceLook.second &+ Int(changed.tv_nsec)
      let line =
        "\(name)\u{0}\(kind) \(status.st_ino) \(status.st_size) \(moment) \(written.tv_sec) "
        + "\(written.tv_nsec)\n"
      hash.update(data: Data(line.utf8))
      newest = max(newest, moment)
      if kind == S_IFREG { byteCount = byteCount &+ Int(status.st_size) }
      if disks.hold(UInt64(truncatingIfNeeded: status.st_dev)) { isFresh = true }
      let isCoarse = moment % SourceLook.second == 0
      if now - moment < (isCoarse ? SourceLook.coarseTick : SourceLook.tick) { isFresh = true }
      return true
    }

    /// Returns the target of a link; nil if it does not exist.
    private static func target(_ path: String) -> stat? {
      var status = stat()
      return stat(path, &status) == 0 ? status : nil
    }
  }

  // MARK: Content

  /// Returns the SHA-256 of a file's content.
  ///
  /// - Parameters:
  ///   - url: the file.
  ///   - reach: called with the number of bytes read; if it throws, reading ends.
  /// - Returns: the hash.
  /// - Throws: an error if the file can't be read, and what `reach` throws.
  static func content(of url: URL, reach: (Int) throws -> Void) throws -> String {
    let handle = try FileHandle(forReadingFrom: url)
    defer { try? handle.close() }
    var hash = SHA256()
    var count = 0
    while true {
      let piece = try handle.readPiece(upTo: 1 << 20)
      guard !piece.isEmpty else { break }
      hash.update(data: piece)
      count += piece.count
      try reach(count)
    }
    return hash.finalize().hexadecimal
  }
}
