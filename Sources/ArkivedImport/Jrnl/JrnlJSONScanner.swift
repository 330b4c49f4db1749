import ArkivedCore
import Foundation

/// The reason why a file isn't a readable JSON document, with the line.
struct JrnlJSONError: Error {
  var line: Int
  var message: String
  /// True if the document is truncated.
  var isCutOff = false
}

/// Reads jrnl's JSON in bounded memory and returns the members of the outermost object, and those
/// of the list `entries` one by one.
struct JrnlJSONScanner {
  enum Item {
    case member(key: String, bytes: [UInt8], line: Int)
    case entry(bytes: [UInt8], line: Int)
    /// A value longer than the limit, which was skipped.
    case tooLong(line: Int)
  }

  /// The maximum size of a member or entry, in bytes.
  static let sizeLimit = 64 << 20

  /// True if a list `entries` was seen.
  private(set) var hasEntries = false
  private(set) var line = 1

  private enum Place { case start, members, entries, end }

  private var source: TextBytes
  private var chunk: [UInt8] = []
  private var position = 0
  private var place = Place.start
  private var isFirst = true

  init(_ url: URL) throws { source = try TextBytes(url) }

  func close() { source.close() }

  /// Reads the next item; returns nil at the document's end.
  ///
  /// - Throws: `JrnlJSONError` if the text isn't such a document, and any error from reading.
  mutating func next() throws -> Item? {
    while true {
      try skipSpace()
      switch place {
      case .start:
        guard try peek() == UInt8(ascii: "{") else {
          throw failure("a JSON object is expected here")
        }
        advance()
        place = .members
        isFirst = true
      case .members:
        if try closes(with: UInt8(ascii: "}")) {
          place = .end
          continue
        }
        if let item = try member() { return item }
      case .entries:
        if try closes(with: UInt8(ascii: "]")) {
          place = .members
          isFirst = false
          continue
        }
        let start = line
        guard let bytes = try value() else { return .tooLong(line: start) }
        return .entry(bytes: bytes, line: start)
      case .end:
        guard try peek() == nil else { throw failure("there is more text after the document") }
        return nil
      }
    }
  }

  /// Reads the comma before an item or the bracket after the last; returns true for the bracket.
  private mutating func closes(with bracket: UInt8) throws -> Bool {
    guard let byte = try peek() else { throw cutOff() }
    if byte == bracket {
      advance()
      return true
    }
    if !isFirst {
      guard byte == UInt8(ascii: ",") else { throw failure("a comma or bracket is missing here") }
      advance()
      try skipSpace()
    }
    isFirst = false
    return false
  }

  /// Reads a member of the outermost object; enters the list of entries and returns nil for it.
  private mutating func member() throws -> Item? {
    let start = line
    guard try peek() == UInt8(ascii: "\""), let quoted = try value(),
      let key = try? JSON(parsing: quoted).string
    else { throw failure("a key in quotes is expected here") }
    try skipSpace()
    guard try peek() == UInt8(ascii: ":") else { throw failure("a colon is expected here") }
    advance()
    try skipSpace()
    if key == "entries", try peek() == UInt8(ascii: "[") {
      advance()
      hasEntries = true
      place = .entries
      isFirst = true
      return nil
    }
    guard let bytes = try value() else { return .tooLong(line: start) }
    return .member(key: key, bytes: bytes, line: start)
  }

  /// Reads the bytes of the value that begins here; returns nil if it exceeds the limit.
  private mutating func value() throws -> [UInt8]? {
    guard let first = try peek() else { throw cutOff() }
    var bytes: [UInt8] = []
    var isTooLong = false
    var depth = 0
    var isInString = false
    var isEscaped = false
    let isScalar = ![UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\"")].contains(first)
    while let byte = try peek() {
      if isScalar, [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5D, 0x7D].contains(byte) {
        guard !bytes.isEmpty else { throw failure("a value is expected here") }
        return bytes
      }
      advance()
      if bytes.count >= Self.sizeLimit {
        isTooLong = true
        bytes = []
      }
      if !isTooLong { bytes.append(byte) }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
      } else {
        switch byte {
        case UInt8(ascii: "\""): isInString = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break
        }
      }
      if !isScalar, depth == 0, !isInString { return isTooLong ? nil : bytes }
    }
    throw cutOff()
  }

  // MARK: Bytes

  private mutating func peek() throws -> UInt8? {
    if position == chunk.count {
      guard let next = try source.readChunk() else { return nil }
      chunk = next
      position = 0
    }
    return chunk[position]
  }

  private mutating func advance() {
    if chunk[position] == 0x0A { line += 1 }
    position += 1
  }

  private mutating func skipSpace() throws {
    while let byte = try peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { advance() }
  }

  private func failure(_ message: String) -> JrnlJSONError {
    JrnlJSONError(line: line, message: message)
  }

  private func cutOff() -> JrnlJSONError {
    JrnlJSONError(line: line, message: "the file ends abruptly", isCutOff: true)
  }
}
