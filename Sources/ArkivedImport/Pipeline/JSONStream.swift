import ArkivedCore
import Foundation

/// The reason why a JSON document can't be read any further.
struct JSONStreamError: Error, Hashable, CustomStringConvertible {
  /// The offset in bytes from the start of the text, from 0.
  var offset: Int
  var message: String

  var description: String { "\(message) at byte \(offset)" }
}

/// Reads a large JSON document in bounded memory: enters the objects and lists that its caller
/// selects, and returns or skips the values in them.
///
/// For such a value it only matches brackets and quotes, however deep they are nested, and leaves
/// validation to its parser.
struct JSONStream {
  enum Kind { case object, array, string, other }

  /// The maximum size of a value, in bytes.
  static let lengthLimit = 64 << 20

  private var source: TextBytes
  private var chunk: [UInt8] = []
  private var position = 0
  /// The offset of the chunk in the text.
  private var base = 0

  init(_ url: URL) throws { source = try TextBytes(url) }

  func close() { source.close() }

  /// The number of bytes of the text consumed so far.
  var offset: Int { base + position }

  // MARK: Lists and objects

  /// Returns the kind of the value that begins here.
  ///
  /// - Throws: `JSONStreamError` at the end of the text.
  mutating func kind() throws -> Kind {
    switch try nextByte() {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case nil: throw cutOff()
    default: .other
    }
  }

  /// Skips the beginning of a script that assigns the document: `window.YTD.tweets.part0 =`.
  ///
  /// - Throws: `JSONStreamError` if the assignment has no end.
  mutating func skipAssignment() throws {
    guard try nextByte() == UInt8(ascii: "w") else { return }
    for _ in 0..<200 {
      guard let byte = try peek() else { throw cutOff() }
      position += 1
      if byte == UInt8(ascii: "=") { return }
    }
    throw failure("an equals sign is missing")
  }

  /// Returns true if nothing but white space follows.
  mutating func isAtEnd() throws -> Bool { try nextByte() == nil }

  /// Enters the object that begins here.
  ///
  /// - Parameter body: called after each key and its colon, and consumes the whole value.
  /// - Throws: what `body` throws, and `JSONStreamError` if the file is damaged.
  mutating func members(_ body: (String, inout JSONStream) throws -> Void) throws {
    try open(UInt8(ascii: "{"), "an object is expected here")
    var isFirst = true
    while try !closes(UInt8(ascii: "}"), &isFirst) {
      let key = try key()
      try body(key, &self)
    }
  }

  /// Enters the list that begins here.
  ///
  /// - Parameter body: called before each element, and must consume the whole element.
  /// - Throws: what `body` throws, and `JSONStreamError` if the file is damaged.
  mutating func elements(_ body: (inout JSONStream) throws -> Void) throws {
    try open(UInt8(ascii: "["), "a list is expected here")
    var isFirst = true
    while try !closes(UInt8(ascii: "]"), &isFirst) { try body(&self) }
  }

  private mutating func open(_ bracket: UInt8, _ message: String) throws {
    guard let byte = try nextByte() else { throw cutOff() }
    guard byte == bracket else { throw failure(message) }
    position += 1
  }

  /// Reads the comma before an item or the bracket after the last; returns true for the bracket.
  private mutating func closes(_ bracket: UInt8, _ isFirst: inout Bool) throws -> Bool {
    guard var byte = try nextByte() else { throw cutOff() }
    if !isFirst, byte != bracket {
      guard byte == UInt8(ascii: ",") else { throw failure("a comma or bracket is missing") }
      position += 1
      guard let next = try nextByte() else { throw cutOff() }
      byte = next
    }
    isFirst = false
    guard byte == bracket else { return false }
    position += 1
    return true
  }

  private mutating func key() throws -> String {
    guard try nextByte() == UInt8(ascii: "\"") else {
      throw failure("a key in quotes is expected here")
    }
    let start = offset
    let bytes = try bytes()
    guard let bytes, let key = try? JSON(parsing: bytes).string else {
      throw JSONStreamError(offset: start, message: "the key can’t be read")
    }
    guard try nextByte() == UInt8(ascii: ":") else { throw failure("a colon is missing") }
    position += 1
    return key
  }

  // MARK: Values

  /// Reads the value that begins here; returns nil if it exceeds the limit.
  mutating func bytes() throws -> [UInt8]? { try value { Array($0) } }

  /// Passes the bytes of the value that begins here to a closure; returns nil if it exceeds the
  /// limit.
  mutating func value<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) throws -> Result? {
    guard try nextByte() != nil else { throw cutOff() }
    let start = position
    var end = ValueEnd()
    position = end.find(in: chunk, from: start)
    guard !end.isFound else {
      let range = start..<position
      guard !range.isEmpty else { throw failure("a value is expected here") }
      return try chunk.withUnsafeBufferPointer {
        try body(UnsafeBufferPointer(rebasing: $0[range]))
      }
    }
    var kept = Array(chunk[start...])
    var isTooLong = false
    while !end.isFound {
      guard try peek() != nil else { throw cutOff() }
      let from = position
      position = end.find(in: chunk, from: from)
      if kept.count + position - from > Self.lengthLimit {
        isTooLong = true
        kept = []
      } else if !isTooLong {
        kept.append(contentsOf: chunk[from..<position])
      }
    }
    guard !isTooLong else { return nil }
    return try kept.withUnsafeBufferPointer(body)
  }

  /// Skips the value that begins here.
  mutating func skip() throws {
    guard try nextByte() != nil else { throw cutOff() }
    let start = offset
    var end = ValueEnd()
    while !end.isFound {
      guard try peek() != nil else { throw cutOff() }
      position = end.find(in: chunk, from: position)
    }
    guard offset > start else { throw failure("a value is expected here") }
  }

  // MARK: Bytes

  private mutating func peek() throws -> UInt8? {
    if position == chunk.count {
      base += chunk.count
      position = 0
      chunk = try source.readChunk() ?? []
      if chunk.isEmpty { return nil }
    }
    return chunk[position]
  }

  /// Returns the next byte that isn't white space.
  private mutating func nextByte() throws -> UInt8? {
    while let byte = try peek() {
      guard byte == 0x20 || (0x09...0x0D).contains(byte) else { return byte }
      position += 1
    }
    return nil
  }

  private func failure(_ message: String) -> JSONStreamError {
    JSONStreamError(offset: offset, message: message)
  }

  private func cutOff() -> JSONStreamError { failure("the file ends abruptly") }
}
