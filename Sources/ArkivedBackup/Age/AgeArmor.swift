/// The age format's text encoding (strict PEM): lines of 64 characters between two markers.
package enum AgeArmor {
  private static let begin = Array("-----BEGIN AGE ENCRYPTED FILE-----".utf8)
  private static let end = Array("-----END AGE ENCRYPTED FILE-----".utf8)
  private static let columns = 64
  private static let blankLimit = 1024

  /// Returns true if a file with this beginning is armored.
  package static func isArmored(_ head: [UInt8]) -> Bool {
    head.drop { isBlank($0) }.starts(with: begin)
  }

  /// Returns the decoded bytes of an armored file.
  package static func decoded(_ input: ByteInput) -> ByteInput {
    var state = State(input: input)
    return ByteInput { _ in try state.next() }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private struct State {
    let input: ByteInput
    private var hasBegun = false
    private var isOver = false

    init(input: ByteInput) { self.input = input }

    mutating func next() throws -> [UInt8] {
      if !hasBegun { try readBegin() }
      guard !isOver else { return [] }
      let line = try line()
      if line == end {
        try finish()
        return []
      }
      guard (1...columns).contains(line.count), let bytes = StrictBase64.decodePadded(line) else {
        throw AgeFailure.armor("one of its lines is damaged")
      }
      if bytes.count < columns / 4 * 3 {
        guard try self.line() == end else {
          throw AgeFailure.armor("it continues after its last line")
        }
        try finish()
      }
      return bytes
    }

    private func line() throws -> [UInt8] {
      // Longer than any valid line, so a longer one is detected as damaged.
      guard var line = try input.line(limit: blankLimit + columns) else {
        throw AgeFailure.armor("it ends too early")
      }
      if line.last == 0x0A { line.removeLast() }
      if line.last == 0x0D { line.removeLast() }
      return line
    }

    private mutating func readBegin() throws {
      var blank = 0
      while true {
        let line = try line()
        guard line.allSatisfy(isBlank) else {
          guard line == begin else { throw AgeFailure.armor("its first line is wrong") }
          hasBegun = true
          return
        }
        blank += line.count + 1
        guard blank <= blankLimit else {
          throw AgeFailure.armor(
            """
            there is too much white space before its first line
            """)
        }
      }
    }

    private mutating func finish() throws {
      isOver = true
      let rest = try input.take(blankLimit + 1)
      guard rest.count <= blankLimit, rest.allSatisfy(isBlank) else {
        throw AgeFailure.armor("there is more data after its end")
      }
    }
  }
}
