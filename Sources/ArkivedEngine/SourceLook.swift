import ArkivedImport
import ArkivedCrypto
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a file, or all that lies in a folder, looks from outside: another content has another look.
///
/// A file system notes when anything of a file was last written, content or times (`st_ctime`), and no
/// program can set that back; together with its number, size and name it tells whether the file is the
/// one it was. Only what was written in the very moment of looking may look the same as before.
struct SourceLook: Hashable {
  /// The bytes of all its files.
  let byteCount: Int
  /// A hash over the names, kinds, numbers, sizes and times of all that is there.
  let mark: String
  /// When any of its files changed last, in nanoseconds since 1970.
  let newest: Int
  /// Whether something was written so lately, or lies on such a card, that one more change might not
  /// show.
  let isFresh: Bool

  static var now: Int { Int(Date().timeIntervalSince1970 * Double(second)) }

  /// Twice the longest tick of the systems' clocks, and what the slowest file systems count in.
  private static let tick = 25_000_000
  private static let coarseTick = 3_000_000_000
  private static let second = 1_000_000_000

  /// Looks at files and folders, with all that is in these; one that is not there has its look, too.
  /// Links are looked at with the files that they lead to.
  ///
  /// - Parameter limit: a folder of more files and folders than these is not looked at.
  /// - Returns: nil where a folder cannot be read, holds too much, or holds a link to another folder:
  ///   what changes there is not seen.
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

  /// Whether all of it was written before a moment, however coarsely the file system tells the time.
  ///
  /// - Parameter moment: nanoseconds since 1970.
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
    /// Whether what was looked at last is a folder.
    var isFolder = false

    init(now: Int) { self.now = now }

    /// - Returns: whether it could be looked at, or is not there.
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
        // Told apart from the file itself, which the same name may have been before.
        hash.update(data: Data("link\n".utf8))
        (status, kind) = (target, target.st_mode & S_IFMT)
      }
      isFolder = kind == S_IFDIR
      guard !isFolder else {
        // What is in it tells; its own times change with what comes and goes again.
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

    /// What a link leads to; nil where that is not there.
    private static func target(_ path: String) -> stat? {
      var status = stat()
      return stat(path, &status) == 0 ? status : nil
    }
  }

  // MARK: Content

  /// The SHA-256 of a file's content.
  ///
  /// - Parameter reach: told how many bytes were read; what it throws ends the reading.
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
