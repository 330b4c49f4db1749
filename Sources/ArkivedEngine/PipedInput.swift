import ArkivedImport
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What comes through a pipe, such as a shell's `<(command)`, as a file: what it is can only be found
/// out by reading it more than once.
enum PipedInput {
  /// No file that is imported is larger.
  private static let limit: Int64 = 8 << 30
  /// Room that stays on the disk.
  private static let reserve: Int64 = 512 << 20
  private static let patience: Int32 = 200

  /// The path itself, or for a pipe a file with all that came through it.
  ///
  /// - Parameter scratch: takes the file; it has to outlive the import.
  /// - Throws: `ImportRefusal` for what is no file, folder or pipe, and where a pipe brings nothing or
  ///   more than there is room for; `ImportCancelled`.
  static func file(
    _ path: URL, in scratch: ScratchFolder, _ watch: ImportWatch
  ) throws -> URL {
    var status = stat()
    // What is not there is told by who reads it.
    guard stat(path.path, &status) == 0 else { return path }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFREG || kind == S_IFDIR { return path }
    guard kind == S_IFIFO else {
      throw ImportRefusal(
        place: path.path, message: "not a file, folder or pipe, so it can’t be imported")
    }
    return try gather(path, scratch, watch)
  }

  private static func gather(
    _ path: URL, _ scratch: ScratchFolder, _ watch: ImportWatch
  ) throws -> URL {
    // `<(command)` is called by a number, which says nothing.
    let given = path.lastPathComponent
    let isNamed = given.contains { !$0.isNumber } && given != "stdin"
    let folder = try scratch.make().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(isNamed ? given : "pipe")
    try Data().write(to: file)
    let output = try FileHandle(forWritingTo: file)
    defer { try? output.close() }
    // Who writes into it may not be there yet, and is waited for below, where it can be broken off.
    let input = open(path.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard input >= 0 else {
      throw ImportRefusal(
        place: path.path,
        message: "the pipe can’t be opened: \(String(cString: strerror(errno)))")
    }
    defer { close(input) }
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let free = (attributes[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    let room = min(limit, max(0, free - reserve))
    let count = try copy(input, to: output, room: room, place: path.path, watch)
    guard count > 0 else {
      throw ImportRefusal(place: path.path, message: "no data came through the pipe")
    }
    return file
  }

  private static func copy(
    _ input: Int32, to output: FileHandle, room: Int64, place: String, _ watch: ImportWatch
  ) throws -> Int64 {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var total: Int64 = 0
    while true {
      var ready = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, patience) > 0 else {
        // Who writes into it may take long.
        try watch.look()
        continue
      }
      let count = read(input, &buffer, buffer.count)
      guard count > 0 else {
        guard count < 0 else { return total }
        if errno == EAGAIN || errno == EINTR { continue }
        throw ImportRefusal(
          place: place, message: "the pipe can’t be read: \(String(cString: strerror(errno)))")
      }
      total += Int64(count)
      guard total <= room else {
        throw ImportRefusal(
          place: place,
          message: "more data comes through the pipe than there is space for. Write it to a file "
            + "first")
      }
      try output.write(contentsOf: buffer[..<count])
      if watch.isToStop() { throw ImportCancelled() }
    }
  }
}
