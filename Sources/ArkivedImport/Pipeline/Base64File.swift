import Foundation

/// A decoder of Base64 files (RFC 4648) in bounded memory; white space and surrounding quotes are
/// skipped.
enum Base64File {
  /// An error for data of another kind that starts at this byte.
  struct Strange: Error, Hashable {
    var offset: Int
  }

  private static let pieceSize = 1 << 18

  /// Decodes a file into a newly created one; a truncated file yields everything that is complete.
  ///
  /// - Throws: `Strange`, and any error from reading and writing.
  static func decode(_ source: URL, to target: URL) throws {
    let input = try FileHandle(forReadingFrom: source)
    defer { try? input.close() }
    try Data().write(to: target)
    let output = try FileHandle(forWritingTo: target)
    defer { try? output.close() }
    var digits: [UInt8] = []
    var offset = 0
    var isPadded = false
    while let piece = try input.read(upToCount: pieceSize), !piece.isEmpty {
      for byte in piece {
        offset += 1
        guard byte > 0x20, byte != UInt8(ascii: "\"") else { continue }
        let isPadding = byte == UInt8(ascii: "=")
        guard isPadding || (!isPadded && isDigit(byte)) else { throw Strange(offset: offset - 1) }
        isPadded = isPadded || isPadding
        digits.append(byte)
      }
      let count = digits.count / 4 * 4
      guard let bytes = Data(base64Encoded: Data(digits.prefix(count))) else {
        throw Strange(offset: offset - digits.count)
      }
      try output.write(contentsOf: bytes)
      digits.removeFirst(count)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
