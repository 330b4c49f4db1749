import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How a file looks from outside; one that was written or replaced since looks otherwise.
struct InboxStamp: Hashable, Sendable {
  let size: Int
  /// When the content was changed last: nanoseconds since 1970.
  let modified: Int
  /// When anything about it was changed last, which nobody can set.
  let changed: Int
  private let place: [UInt64]
  private let mode: UInt32

  init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    size = Int(status.st_size)
    self.modified = Self.nanoseconds(modified)
    self.changed = Self.nanoseconds(changed)
    place = [UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]
    mode = UInt32(status.st_mode)
  }

  /// Looks at a name itself, not at what it may lead to.
  ///
  /// - Returns: nil where there is none.
  init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  private static func nanoseconds(_ time: timespec) -> Int {
    let (whole, isOver) = Int(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    return isOver ? 0 : whole &+ Int(time.tv_nsec)
  }

  private var type: UInt32 { mode & UInt32(S_IFMT) }
  var isFile: Bool { type == UInt32(S_IFREG) }
  var isFolder: Bool { type == UInt32(S_IFDIR) }
  var isLink: Bool { type == UInt32(S_IFLNK) }

  /// Whether it is the same file with the same content.
  func isSame(as other: InboxStamp) -> Bool {
    place == other.place && size == other.size && modified == other.modified
  }
}

/// The file of an inbox cannot be used now; it stays where it is.
struct InboxObstacle: Error, Hashable {
  /// What is in the way, as a sentence without its full stop; nil where it will pass.
  let reason: String?
}

/// An inbox's folder: what lies in it, and the shelves on which files are put that are dealt with.
struct InboxFolder: Sendable {
  let url: URL

  /// Where files go that have come in.
  static let done = "done"
  /// Where files go that cannot be read.
  static let failed = "failed"

  func path(_ name: String) -> String { url.path + "/" + name }

  /// All names in it, in order, but those of the shelves.
  ///
  /// - Throws: `InboxObstacle` where the folder cannot be looked into.
  func names() throws(InboxObstacle) -> [String] {
    guard let folder = opendir(url.path) else {
      throw InboxObstacle(reason: "\(url.path) can’t be opened: \(Self.problem())")
    }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          String(validatingCString: $0)
        }
      }
      // What is no UTF-8 cannot be named here; it is told as such.
      guard let name else {
        names.append(Self.unnamed)
        continue
      }
      if name != ".", name != "..", name != Self.done, name != Self.failed { names.append(name) }
    }
    return names.sorted()
  }

  /// Stands for a file whose name is no UTF-8.
  static let unnamed = "\u{FFFD}"

  /// What the system says is wrong.
  static func problem(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

  // MARK: Reading

  /// An open file that is certainly the one that was looked at.
  final class OpenFile {
    let descriptor: Int32
    let stamp: InboxStamp

    fileprivate init(_ descriptor: Int32, _ stamp: InboxStamp) {
      (self.descriptor, self.stamp) = (descriptor, stamp)
    }

    deinit { close(descriptor) }

    /// Reads on.
    ///
    /// - Returns: nothing at the end.
    /// - Throws: `InboxObstacle`.
    func read(upTo count: Int) throws(InboxObstacle) -> Data {
      var bytes = [UInt8](repeating: 0, count: count)
      while true {
        #if canImport(Glibc)
          let read = Glibc.read(descriptor, &bytes, count)
        #else
          let read = Darwin.read(descriptor, &bytes, count)
        #endif
        if read >= 0 { return Data(bytes[..<read]) }
        guard errno == EINTR else {
          throw InboxObstacle(reason: "it can’t be read: \(InboxFolder.problem())")
        }
      }
    }

    /// The first bytes; reading goes on from the beginning.
    func head() throws(InboxObstacle) -> Data {
      let head = try read(upTo: 4096)
      lseek(descriptor, 0, SEEK_SET)
      return head
    }

    /// - Throws: `InboxObstacle` where the file was written meanwhile; it is read again then.
    func check() throws(InboxObstacle) {
      var status = stat()
      guard fstat(descriptor, &status) == 0, InboxStamp(status).isSame(as: stamp) else {
        throw InboxObstacle(reason: nil)
      }
    }
  }

  /// Opens a file that is not being written.
  ///
  /// - Parameter stillness: tells whether it was only not closed.
  /// - Throws: `InboxObstacle` where it went, is another one by now, is being written, is locked, or
  ///   may not be read.
  func openFile(
    _ name: String, _ stamp: InboxStamp, _ stillness: InboxStillness
  ) throws(InboxObstacle) -> OpenFile {
    // A link leads elsewhere, and a pipe would keep us waiting.
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = open(path(name), flags)
    guard descriptor >= 0 else {
      let code = errno
      guard ![ENOENT, ELOOP, ENXIO].contains(code) else { throw InboxObstacle(reason: nil) }
      throw InboxObstacle(
        reason: code == EACCES
          ? "its permissions don’t let Arkived read it. Allow it with: chmod u+r"
          : "it can’t be opened: \(Self.problem(code))")
    }
    let file = OpenFile(descriptor, stamp)
    try file.check()
    guard FileLease.isBeingWritten(descriptor) != true || stillness.isForgotten(name, stamp) else {
      throw InboxObstacle(reason: nil)
    }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw InboxObstacle(reason: "another program has locked it")
    }
    return file
  }

  // MARK: Shelves

  /// Takes a free name on a shelf: `note.txt`, `note (2).txt`. An empty file holds it.
  ///
  /// - Parameter ending: of a second file that is to stand beside it; no other file has its name then.
  /// - Throws: `InboxObstacle`.
  func place(
    for name: String, on shelf: String, beside ending: String? = nil
  ) throws(InboxObstacle) -> String {
    let folder = path(shelf)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw InboxObstacle(reason: "\(folder) can’t be created: \(Self.problem())")
    }
    guard InboxStamp(at: folder)?.isFolder == true else {
      throw InboxObstacle(reason: "\(folder) isn’t a folder of the inbox itself. Move it elsewhere")
    }
    for number in 1...10_000 {
      let place = folder + "/" + Self.numbered(name, number)
      if let ending, InboxStamp(at: place + ending) != nil { continue }
      let descriptor = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        close(descriptor)
        return place
      }
      guard errno == EEXIST else {
        throw InboxObstacle(reason: "\(place) can’t be written: \(Self.problem())")
      }
    }
    throw InboxObstacle(reason: "\(folder) contains too many files named \(name). Clear it out")
  }

  /// `note (2).txt`.
  static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return "\(name) (\(number))"
    }
    return "\(name[..<dot]) (\(number))\(name[dot...])"
  }

  /// Moves a file onto the name that was taken for it, also where it was renamed meanwhile.
  ///
  /// - Returns: false where it is not here any more; what has its name by now stays.
  /// - Throws: `InboxObstacle`.
  func move(_ name: String, _ stamp: InboxStamp, to place: String) throws(InboxObstacle) -> Bool {
    guard let current = present(name, stamp) else {
      unlink(place)
      return false
    }
    guard rename(path(current), place) == 0 else {
      let code = errno
      unlink(place)
      throw InboxObstacle(reason: "it can’t be moved to \(place): \(Self.problem(code))")
    }
    return true
  }

  /// The name that a file has by now; nil where it is gone, or was written since.
  private func present(_ name: String, _ stamp: InboxStamp) -> String? {
    func isHere(_ name: String) -> Bool { InboxStamp(at: path(name))?.isSame(as: stamp) == true }
    if isHere(name) { return name }
    // Left lying under another name it would come in once more.
    return (try? names())?.first { isHere($0) }
  }

  /// Makes what was moved survive a power failure.
  func synchronise(_ shelves: Set<String>) {
    for folder in [url] + shelves.sorted().map({ url.appendingPathComponent($0) }) {
      // Not every file system can flush a folder; what is moved twice does no harm.
      try? DurableFile.synchronise(folder)
    }
  }
}
