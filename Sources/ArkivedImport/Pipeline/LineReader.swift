package import Foundation

/// Reads a file line by line in bounded memory.
package struct LineReader {
  /// The result of a call to `next`.
  package enum Line {
    case bytes([UInt8])
    /// A line longer than the limit; its content was skipped.
    case tooLong
  }

  /// The maximum length of a line; 64 MiB is enough for a long note.
  static let lengthLimit = 64 << 20

  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// The number of the last line that `next` returned, from 1.
  private(set) var number = 0
  /// The number of bytes read from the file so far.
  private(set) var offset = 0

  package init(_ url: URL) throws { handle = try FileHandle(forReadingFrom: url) }

  package func close() { try? handle.close() }

  /// Reads the next line without its line ending (LF or CRLF); returns nil at the end of the file.
  package mutating func next() throws -> Line? {
    var line: [UInt8] = []
    var isTooLong = false
    var hasContent = false
    while true {
      if position == buffer.count {
        let chunk = try isAtEnd ? [] : handle.readPiece(upTo: 1 << 20)
        guard !chunk.isEmpty else {
          isAtEnd = true
          guard hasContent else { return nil }
          number += 1
          return isTooLong ? .tooLong : .bytes(line)
        }
        offset += position
        buffer = chunk
        position = 0
      }
      hasContent = true
      let end = buffer[position...].firstIndex(of: 0x0A) ?? buffer.count
      if line.count + end - position > Self.lengthLimit {
        isTooLong = true
        line = []
      } else if !isTooLong {
        line.append(contentsOf: buffer[position..<end])
      }
      position = end
      if end < buffer.count {
        position += 1
        number += 1
        if isTooLong { return .tooLong }
        if line.last == 0x0D { line.removeLast() }
        return .bytes(line)
      }
    }
  }
}
