import ArkivedCore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a file looks from outside; another content has another look, as far as the file system can
/// tell the times apart.
struct FileStamp: Hashable {
  let size: Int
  /// Nanoseconds since 1970.
  let modified: Int
  private let inode: UInt64
  private let device: UInt64
  let isFolder: Bool
  let isFile: Bool

  init(_ status: stat) {
    size = Int(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    let (whole, isOver) = Int(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    modified = isOver ? 0 : whole &+ Int(time.tv_nsec)
    inode = UInt64(status.st_ino)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    isFolder = status.st_mode & S_IFMT == S_IFDIR
    isFile = status.st_mode & S_IFMT == S_IFREG
  }

  /// - Throws: `CalendarSourceError.missing` or `.unreadable`.
  init(at path: String) throws(CalendarSourceError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileStamp.failure(path, errno) }
    self.init(status)
  }

  /// The beginning of the version of the file's content.
  var text: String { "\(size)-\(modified)" }

  /// Which of two looks is of the same file or folder.
  var place: [UInt64] { [device, inode] }

  /// Whether the file could have changed again since without looking otherwise: some file systems
  /// count in seconds, the others in ticks of the system.
  func isFresh(at now: Int) -> Bool {
    now - modified < (modified % 1_000_000_000 == 0 ? 3_000_000_000 : 50_000_000)
  }

  static var now: Int { Int(Date().timeIntervalSince1970 * 1e9) }

  static func failure(_ path: String, _ code: Int32) -> CalendarSourceError {
    [ENOENT, ENOTDIR].contains(code)
      ? .missing(path: path)
      : .unreadable(path: path, reason: String(cString: strerror(code)))
  }
}

/// What is remembered of files beside their versions.
struct FileMemory: Hashable {
  /// How files look now that were written again with the content they had.
  var touched: [String: String] = [:]
  /// Files that had only just been written when they were read.
  var fresh: Set<String> = []

  init(_ state: JSON? = nil) {
    for pair in state?["touched"]?.array ?? [] {
      guard let pair = pair.array, let name = pair.first?.string else { continue }
      touched[name] = pair.last?.string
    }
    fresh = Set(state?["fresh"]?.array?.compactMap(\.string) ?? [])
  }

  var json: JSON? {
    guard !touched.isEmpty || !fresh.isEmpty else { return nil }
    let pairs = touched.sorted { $0.key < $1.key }.map { JSON([$0.key, $0.value]) }
    return ["touched": .array(pairs), "fresh": JSON(fresh.sorted())]
  }

  /// Whether a file needs no reading.
  func isUnchanged(_ name: String, _ stamp: FileStamp, version: String?) -> Bool {
    guard let version, !fresh.contains(name) else { return false }
    return stamp.text == touched[name] ?? FileMemory.stamp(of: version)
  }

  /// Keeps what was known of a file that was not read.
  mutating func keep(_ name: String, from last: FileMemory) {
    touched[name] = last.touched[name]
    if last.fresh.contains(name) { fresh.insert(name) }
  }

  /// - Parameter isTaken: false where the content is the one that is known.
  mutating func note(_ name: String, _ file: FileSnapshot, version: String?, isTaken: Bool) {
    if !isTaken, let version, FileMemory.stamp(of: version) != file.stamp.text {
      touched[name] = file.stamp.text
    }
    if file.stamp.isFresh(at: file.readAt) { fresh.insert(name) }
  }

  private static func stamp(of version: String) -> String {
    version.lastIndex(of: "-").map { String(version[..<$0]) } ?? version
  }

  static func hash(of version: String) -> Substring? {
    version.lastIndex(of: "-").map { version[version.index(after: $0)...] }
  }
}
