import Foundation

/// The content lines of an iCalendar file, unfolded (RFC 5545 §3.1), in bounded memory.
///
/// Line ends are LF, CRLF, any run of CR before LF, and lone CR in a file without LF. Empty lines
/// are skipped, even between a line and its continuation, as in old Mozilla files. UTF-16 with a
/// byte order mark is converted to UTF-8; a UTF-8 byte order mark is dropped.
struct CalendarLines {
  /// The result of a call to `next`.
  enum Line {
    /// A complete content line, stored in `line`.
    case whole
    /// A content line longer than the limit; its content was skipped.
    case tooLong
  }

  /// The maximum length of a content line in bytes, enough for a text of many megabytes.
  static let lengthLimit = 64 << 20
  /// The content line that `next` found, without its end.
  private(set) var line: [UInt8] = []
  /// The number of the physical line on which it starts, from 1.
  private(set) var number = 0

  private var source: TextBytes
  private var physical: [UInt8] = []
  private var physicalNumber = 0
  private var hasPending = false
  private var isTooLong = false

  /// Opens a file.
  ///
  /// - Throws: Any error from opening the file.
  init(_ url: URL) throws { source = try TextBytes(url) }

  func close() { source.close() }

  /// Reads the next content line; returns nil at the end of the file.
  mutating func next() throws -> Line? {
    if !hasPending { hasPending = try readPhysical() }
    guard hasPending else { return nil }
    swap(&line, &physical)
    number = physicalNumber
    var overflowed = isTooLong
    if number == 1 || line.first == 0x20 || line.first == 0x09 {
      // The line continues nothing, so it merely has white space before its first word.
      line.removeFirst(line.prefix { $0 == 0x20 || $0 == 0x09 }.count)
    }
    while true {
      hasPending = try readPhysical()
      guard hasPending, let first = physical.first, first == 0x20 || first == 0x09 else { break }
      if isTooLong || line.count + physical.count > Self.lengthLimit { overflowed = true }
      if overflowed { line.removeAll() } else { line.append(contentsOf: physical[1...]) }
    }
    return overflowed ? .tooLong : .whole
  }

  /// Reads the next line of the file that isn't empty into `physical`.
  private mutating func readPhysical() throws -> Bool {
    repeat {
      physical.removeAll(keepingCapacity: physical.capacity < 1 << 16)
      isTooLong = false
      guard try source.readLine(into: &physical, limit: Self.lengthLimit, tooLong: &isTooLong)
      else { return false }
      physicalNumber += 1
      while physical.last == 0x0D { physical.removeLast() }
    } while physical.isEmpty && !isTooLong
    return true
  }
}
