package import Foundation

/// A text file's bytes as UTF-8, in bounded memory, by line or by chunk.
///
/// UTF-16 is converted to UTF-8, and byte order marks are dropped. Lines end with LF, or with CR in
/// a file whose beginning has no LF.
package struct TextBytes {
  private enum Encoding { case bytes, utf16LittleEndian, utf16BigEndian }

  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtStart = true
  private var isAtEnd = false
  private var lineEnd: UInt8 = 0x0A
  private var encoding = Encoding.bytes
  /// The bytes of a UTF-16 unit or pair that began in the last chunk.
  private var rest: [UInt8] = []

  package init(_ url: URL) throws { handle = try FileHandle(forReadingFrom: url) }

  package func close() { try? handle.close() }

  /// True if the last line read had an end; the last line of a file may have none.
  private(set) var hadLineEnd = false

  /// Reads the next bytes; returns nil at the end of the file.
  package mutating func readChunk() throws -> [UInt8]? {
    if position == buffer.count { try fill() }
    guard position < buffer.count else { return nil }
    defer { position = buffer.count }
    return position == 0 ? buffer : Array(buffer[position...])
  }

  /// Appends the bytes up to the next line end; returns false at the end of the file.
  mutating func readLine(into line: inout [UInt8], limit: Int, tooLong: inout Bool) throws -> Bool {
    var hasContent = false
    hadLineEnd = false
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
        hadLineEnd = true
        return true
      }
    }
  }

  private mutating func fill() throws {
    buffer = []
    position = 0
    while buffer.isEmpty, !isAtEnd {
      buffer = try handle.readPiece(upTo: 1 << 18)
      guard !buffer.isEmpty else {
        isAtEnd = true
        return
      }
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
    } else if let order = UTF16Order(buffer) {
      encoding = order.isBigEndian ? .utf16BigEndian : .utf16LittleEndian
      buffer.removeFirst(order.markLength)
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
