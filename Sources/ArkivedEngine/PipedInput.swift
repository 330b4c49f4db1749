import ArkivedImport
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Input from a pipe, such as a shell's `<(command)`, stored as a file, because recognising its
/// format takes several reads.
enum PipedInput {
  /// The largest size of an imported file.
  private static let limit: Int64 = 8 << 30
  /// The space to leave free on the disk.
  private static let reserve: Int64 = 512 << 20
  private static let patience: Int32 = 200

  /// Returns the path itself or, for a pipe, a file with everything read from it.
  ///
  /// - Parameters:
  ///   - path: the path.
  ///   - scratch: contains the file; it must outlive the import.
  ///   - watch: notified of progress, and asked whether to continue.
  /// - Returns: the path of the file.
  /// - Throws: `ImportRefusal` if it is not a file, folder or pipe, or if a pipe yields nothing or
  ///   more than the available space; `ImportCancelled`.
  static func file(
    _ path: URL, in scratch: ScratchFolder, _ watch: ImportWatch
  ) throws -> URL {
    var status = stat()
    // The reader reports a missing file.
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
    // `<(command)` has a number as its name, which is meaningless to people.
    let given = path.lastPathComponent
    let isNamed = given.contains { !$0.isNumber } && given != "stdin"
    let folder = try scratch.make().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent(isNamed ? given : "pipe")
    try Data().write(to: file)
    let output = try FileHandle(forWritingTo: file)
    defer { try? output.close() }
    // The writer may not be there yet; the loop below waits for it and can be cancelled.
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
        // The writer may take long.
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
          message: "not enough space for the data from the pipe. Write it to a file first")
      }
      try output.write(contentsOf: buffer[..<count])
      if watch.isToStop() { throw ImportCancelled() }
    }
  }
}
