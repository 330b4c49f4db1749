import ArkivedCore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file's attributes, which differ for different content as far as the file system's timestamps
/// can show.
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

  /// Reads a file's attributes.
  ///
  /// - Throws: `CalendarSourceError.missing` or `.unreadable`.
  init(at path: String) throws(CalendarSourceError) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw FileStamp.failure(path, errno) }
    self.init(status)
  }

  /// The beginning of the version of the file's content.
  var text: String { "\(size)-\(modified)" }

  /// The identity of the file or folder, equal for stamps of the same one.
  var place: [UInt64] { [device, inode] }

  /// Returns true if the file could have changed since without a different stamp.
  ///
  /// Some file systems count in seconds, others in system ticks.
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

/// The remembered data about files, besides their versions.
struct FileMemory: Hashable {
  /// The stamps of files that were rewritten with the same content.
  var touched: [String: String] = [:]
  /// The files that had only just been written when they were read.
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

  /// Returns true if a file doesn't need to be read.
  func isUnchanged(_ name: String, _ stamp: FileStamp, version: String?) -> Bool {
    guard let version, !fresh.contains(name) else { return false }
    return stamp.text == touched[name] ?? FileMemory.stamp(of: version)
  }

  /// Keeps the data about a file that wasn't read.
  mutating func keep(_ name: String, from last: FileMemory) {
    touched[name] = last.touched[name]
    if last.fresh.contains(name) { fresh.insert(name) }
  }

  /// Remembers a file that was read.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - file: the file.
  ///   - version: the version that the server gives, if any.
  ///   - isTaken: false if the content is already known.
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
