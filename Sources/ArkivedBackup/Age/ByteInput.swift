package import Foundation

/// Sequential bytes, read in bounded memory.
package final class ByteInput {
  private let more: (Int) throws -> [UInt8]
  private var buffer: [UInt8] = []
  private var position = 0
  private var isAtEnd = false
  /// The number of bytes consumed.
  private(set) var offset = 0

  /// Creates an input.
  ///
  /// - Parameter more: returns the next bytes, up to the given number; empty at the end.
  init(_ more: @escaping (Int) throws -> [UInt8]) { self.more = more }

  package convenience init(_ handle: FileHandle) {
    self.init { count in [UInt8](try handle.read(upToCount: count) ?? Data()) }
  }

  package convenience init(_ bytes: [UInt8]) {
    var rest = bytes[...]
    self.init { count in
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
  }

  private func fill() throws {
    guard position == buffer.count, !isAtEnd else { return }
    buffer = try more(1 << 17)
    position = 0
    isAtEnd = buffer.isEmpty
  }

  /// Consumes and returns a number of bytes; fewer only at the end.
  func take(_ count: Int) throws -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    while result.count < count {
      try fill()
      guard position < buffer.count else { break }
      let end = min(buffer.count, position + count - result.count)
      result.append(contentsOf: buffer[position..<end])
      position = end
    }
    offset += result.count
    return result
  }

  /// Returns the next bytes without consuming them; fewer at the end.
  package func peek(_ count: Int) throws -> [UInt8] {
    try fill()
    while buffer.count - position < count, !isAtEnd {
      let next = try more(1 << 17)
      isAtEnd = next.isEmpty
      buffer = Array(buffer[position...]) + next
      position = 0
    }
    return Array(buffer[position...].prefix(count))
  }

  /// Returns the next line with its line feed, which the last line may lack; nil at the end.
  ///
  /// - Parameter limit: the maximum length; a longer line is cut, without a line feed.
  /// - Returns: the line.
  /// - Throws: an error if the input can't be read.
  func line(limit: Int) throws -> [UInt8]? {
    var result: [UInt8] = []
    while result.count < limit {
      try fill()
      guard position < buffer.count else { break }
      let stop = min(buffer.count, position + limit - result.count)
      let feed = buffer[position..<stop].firstIndex(of: 0x0A)
      let end = feed.map { $0 + 1 } ?? stop
      result.append(contentsOf: buffer[position..<end])
      position = end
      if feed != nil { break }
    }
    offset += result.count
    return result.isEmpty ? nil : result
  }
}
