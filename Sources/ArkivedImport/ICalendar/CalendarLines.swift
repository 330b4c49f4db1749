import Foundation

/// The content lines of an iCalendar file, unfolded (RFC 5545 §3.1), in bounded memory.
///
/// Line ends are LF, CRLF, any run of CR before LF, and lone CR in a file without LF. Empty lines are
/// passed over, also between a line and its continuation, as old Mozilla files have them. UTF-16 with
/// a byte order mark is turned into UTF-8; a UTF-8 byte order mark is dropped.
struct CalendarLines {
  /// What a call of `next` found.
  enum Line {
    /// A whole content line stands in `line`.
    case whole
    /// A content line longer than the limit; its content was passed over.
    case tooLong
  }

  /// No content line is longer; a text of many megabytes has its place.
  static let lengthLimit = 64 << 20
  /// The content line that `next` found, without its end.
  private(set) var line: [UInt8] = []
  /// The number of the physical line on which it starts, from 1.
  private(set) var number = 0

  private var source: CalendarBytes
  private var physical: [UInt8] = []
  private var physicalNumber = 0
  private var hasPending = false
  private var isTooLong = false

  /// - Throws: what opening the file throws.
  init(_ url: URL) throws { source = try CalendarBytes(url) }

  func close() { source.close() }

  /// The next content line, or nil at the end of the file.
  mutating func next() throws -> Line? {
    if !hasPending { hasPending = try readPhysical() }
    guard hasPending else { return nil }
    swap(&line, &physical)
    number = physicalNumber
    var overflowed = isTooLong
    if number == 1 || line.first == 0x20 || line.first == 0x09 {
      // A continuation of nothing: only white space before the first word.
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

  /// Puts the next line of the file that is not empty into `physical`.
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

/// A file's bytes as UTF-8, cut into lines.
struct CalendarBytes {
  private enum Encoding { case bytes, utf16LittleEndian, utf16BigEndian }

  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtStart = true
  private var isAtEnd = false
  private var lineEnd: UInt8 = 0x0A
  private var encoding = Encoding.bytes
  /// Bytes of a UTF-16 unit or pair that the last chunk began.
  private var rest: [UInt8] = []

  init(_ url: URL) throws { handle = try FileHandle(forReadingFrom: url) }

  func close() { try? handle.close() }

  /// Appends the bytes up to the next line end; false at the end of the file.
  mutating func readLine(into line: inout [UInt8], limit: Int, tooLong: inout Bool) throws -> Bool {
    var hasContent = false
    while true {
      if position == buffer.count {
        try fill()
        if position == buffer.count { return hasContent }
      }
      hasContent = true
      let start = position
      let wanted = lineEnd
      let found = buffer.withUnsafeBytes { bytes -> Int? in
        guard let base = bytes.baseAddress,
          let hit = memchr(base + start, Int32(wanted), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(hit) - base
      }
      let end = found ?? buffer.count
      if line.count + end - start > limit {
        tooLong = true
        line.removeAll()
      } else if !tooLong {
        line.append(contentsOf: buffer[start..<end])
      }
      position = end
      if found != nil {
        position += 1
        return true
      }
    }
  }

  private mutating func fill() throws {
    buffer.removeAll(keepingCapacity: true)
    position = 0
    while buffer.isEmpty, !isAtEnd {
      guard let chunk = try handle.read(upToCount: 1 << 18), !chunk.isEmpty else {
        isAtEnd = true
        return
      }
      buffer.append(contentsOf: chunk)
      if isAtStart {
        isAtStart = false
        dropMark()
        if encoding == .bytes, !buffer.contains(0x0A), buffer.contains(0x0D) { lineEnd = 0x0D }
      }
      if encoding != .bytes { transcode() }
    }
  }

  private mutating func dropMark() {
    if buffer.starts(with: [0xEF, 0xBB, 0xBF]) {
      buffer.removeFirst(3)
    } else if buffer.starts(with: [0xFF, 0xFE]) {
      encoding = .utf16LittleEndian
      buffer.removeFirst(2)
    } else if buffer.starts(with: [0xFE, 0xFF]) {
      encoding = .utf16BigEndian
      buffer.removeFirst(2)
    }
  }

  private mutating func transcode() {
    let bytes = rest + buffer
    var count = bytes.count / 2
    let isBigEndian = encoding == .utf16BigEndian
    func unit(_ index: Int) -> UInt16 {
      let (first, second) = (UInt16(bytes[index * 2]), UInt16(bytes[index * 2 + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    if count > 1, UTF16.isLeadSurrogate(unit(count - 1)) { count -= 1 }
    rest = Array(bytes[(count * 2)...])
    buffer = Array(String(decoding: (0..<count).lazy.map(unit), as: UTF16.self).utf8)
  }
}
