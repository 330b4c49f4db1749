import ArkivedStore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The metadata of a file, which changes when the file is written or replaced.
struct InboxStamp: Hashable, Sendable {
  let size: Int
  /// The time of the last change of content, in nanoseconds since 1970.
  let modified: Int
  /// The time of the last change of any kind, which programs cannot set.
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

  /// Reads the metadata of a name itself, not of a link's target.
  ///
  /// - Returns: nil if the name doesn't exist.
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

  /// Returns true if it is the same file with the same content.
  func isSame(as other: InboxStamp) -> Bool {
    place == other.place && size == other.size && modified == other.modified
  }
}

/// An error that reports that a file of an inbox cannot be used at present and stays in place.
struct InboxObstacle: Error, Hashable {
  /// The obstacle, as a sentence without its full stop; nil if it is temporary.
  let reason: String?
}

/// An inbox's folder with its files, and the subfolders for files that have been processed.
struct InboxFolder: Sendable {
  let url: URL

  /// The subfolder for imported files.
  static let done = "done"
  /// The subfolder for files that cannot be read.
  static let failed = "failed"

  func path(_ name: String) -> String { url.path + "/" + name }

  /// Returns all names in the folder, in order, except those of the subfolders.
  ///
  /// - Throws: `InboxObstacle` if the folder cannot be read.
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
      // A name that is not UTF-8 cannot be shown, and is reported as such.
      guard let name else {
        names.append(Self.unnamed)
        continue
      }
      if name != ".", name != "..", name != Self.done, name != Self.failed { names.append(name) }
    }
    return names.sorted()
  }

  /// A placeholder for a name that is not UTF-8.
  static let unnamed = "\u{FFFD}"

  /// Returns the system's message for an error code.
  static func problem(_ code: Int32 = errno) -> String { String(cString: strerror(code)) }

  // MARK: Reading

  /// An open file that is certainly the one that was checked.
  final class OpenFile {
    let descriptor: Int32
    let stamp: InboxStamp

    fileprivate init(_ descriptor: Int32, _ stamp: InboxStamp) {
      (self.descriptor, self.stamp) = (descriptor, stamp)
    }

    deinit { close(descriptor) }

    /// Reads the next bytes.
    ///
    /// - Returns: empty data at the end.
    /// - Throws: `InboxObstacle` if the system refuses.
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

    /// Returns the first bytes; reading continues from the beginning.
    func head() throws(InboxObstacle) -> Data {
      let head = try read(upTo: 4096)
      lseek(descriptor, 0, SEEK_SET)
      return head
    }

    /// Verifies that the file has not changed.
    ///
    /// - Throws: `InboxObstacle` if the file was written in the meantime; it will be read again.
    func check() throws(InboxObstacle) {
      var status = stat()
      guard fstat(descriptor, &status) == 0, InboxStamp(status).isSame(as: stamp) else {
        throw InboxObstacle(reason: nil)
      }
    }
  }

  /// Opens a file that is not being written.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - stamp: the file's last known state.
  ///   - stillness: determines whether a file that is still open was merely never closed.
  /// - Returns: the open file.
  /// - Throws: `InboxObstacle` if the file is missing, has been replaced, is being written, is
  ///   locked, or may not be read.
  func openFile(
    _ name: String, _ stamp: InboxStamp, _ stillness: InboxStillness
  ) throws(InboxObstacle) -> OpenFile {
    // A link points elsewhere, and a pipe would block.
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

  // MARK: Folders

  /// Reserves a free name in a subfolder, such as `note.txt` or `note (2).txt`, with an empty file.
  ///
  /// - Parameters:
  ///   - name: the name.
  ///   - shelf: the subfolder.
  ///   - ending: the name ending of a second file next to it, whose name must also be free.
  /// - Returns: the name.
  /// - Throws: `InboxObstacle` if the system refuses.
  func place(
    for name: String, on shelf: String, beside ending: String? = nil
  ) throws(InboxObstacle) -> String {
    let folder = path(shelf)
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw InboxObstacle(reason: "\(folder) can’t be created: \(Self.problem())")
    }
    guard InboxStamp(at: folder)?.isFolder == true else {
      throw InboxObstacle(
        reason: "\(folder) isn’t an actual subfolder of the inbox. Move it "
          + "elsewhere")
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

  /// Returns a name such as `note (2).txt`.
  static func numbered(_ name: String, _ number: Int) -> String {
    guard number > 1 else { return name }
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else {
      return "\(name) (\(number))"
    }
    return "\(name[..<dot]) (\(number))\(name[dot...])"
  }

  /// Moves a file to its reserved name, even if it was renamed in the meantime.
  ///
  /// - Returns: false if it no longer exists; another file that has its name is left alone.
  /// - Throws: `InboxObstacle` if the system refuses.
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
    guard InboxStamp(at: place)?.isSame(as: stamp) != false else {
      try moveBack(place, to: current)
      return false
    }
    return true
  }

  /// Returns a file to the inbox that replaced the one that was to be moved at the last moment, and
  /// hasn't been read.
  ///
  /// - Throws: `InboxObstacle` if the system refuses.
  func moveBack(_ place: String, to name: String) throws(InboxObstacle) {
    for number in 1...10_000 {
      // Unlike a rename, a link never replaces a file that arrived since.
      let free = path(Self.numbered(name, number))
      if link(place, free) == 0 {
        unlink(place)
        return
      }
      // Not every file system has links.
      if errno != EEXIST, InboxStamp(at: free) == nil, rename(place, free) == 0 { return }
    }
    throw InboxObstacle(reason: "a newer file was moved to \(place) unread. Move it back")
  }

  /// Returns the current name of a file; nil if it no longer exists or has been written to since.
  private func present(_ name: String, _ stamp: InboxStamp) -> String? {
    func isHere(_ name: String) -> Bool { InboxStamp(at: path(name))?.isSame(as: stamp) == true }
    if isHere(name) { return name }
    // If it stayed under another name, it would be imported again.
    return (try? names())?.first { isHere($0) }
  }

  /// Makes moved files survive a power failure.
  func synchronise(_ shelves: Set<String>) {
    for folder in [url] + shelves.sorted().map({ url.appendingPathComponent($0) }) {
      // Not every file system can flush a folder, and moving a file twice does no harm.
      try? DurableFile.synchronise(folder)
    }
  }
}
