/// Collects incoming bytes and returns them frame by frame.
package struct FrameBuffer: Sendable {
  private var bytes: [UInt8] = []
  private var position = 0

  package init() {}

  /// True if no bytes are left over.
  package var isEmpty: Bool { position == bytes.count }

  package mutating func append(_ piece: some Collection<UInt8>) {
    if position > 0 {
      bytes.removeFirst(position)
      position = 0
    }
    bytes.append(contentsOf: piece)
  }

  /// Reads the next frame if it has arrived completely.
  ///
  /// - Parameter body: receives the frame's kind and reads its values.
  /// - Returns: nil if more bytes have to arrive first.
  /// - Throws: `BrokenFrame` for an impossible length, and any error that the body throws.
  package mutating func next<Value>(
    _ body: (UInt8, inout FrameReader) throws -> Value
  ) throws -> Value? {
    guard bytes.count - position >= 4 else { return nil }
    var count = 0
    for place in 0..<4 { count |= Int(bytes[position + place]) << (8 * place) }
    guard count > 0, count <= FrameWriter.limit else { throw BrokenFrame() }
    guard bytes.count - position - 4 >= count else { return nil }
    let start = position + 4
    position = start + count
    return try bytes.withUnsafeBytes { all in
      var reader = FrameReader(UnsafeRawBufferPointer(rebasing: all[(start + 1)..<(start + count)]))
      return try body(all[start], &reader)
    }
  }
}
