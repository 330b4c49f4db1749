import Foundation

/// The reason a text is not valid JSON, with its position.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The byte offset from the start of the text, from 0.
  package let offset: Int
  package let message: String

  package var description: String { "\(message) at byte \(offset)" }
}

extension JSON {
  /// Parses one JSON document in UTF-8.
  ///
  /// Foundation's decoder hides duplicate keys, the order of keys and the position of errors, which
  /// an archive must report, so this parser replaces it.
  ///
  /// - Parameters:
  ///   - text: the document.
  ///   - depthLimit: the deepest nesting allowed, which keeps the stack from overflowing.
  /// - Throws: `JSONSyntaxError`, also for duplicate keys and numbers out of range.
  package init(parsing text: some Collection<UInt8>, depthLimit: Int = 128) throws {
    var parser = JSONParser(bytes: Array(text), depthLimit: depthLimit)
    self = try parser.document()
  }

  package init(parsing text: String) throws { try self.init(parsing: text.utf8) }

  /// The deepest nesting of a value without a form of its own, such as the details of an answer, so
  /// that an old version with it can still be parsed.
  package static let freeDepth = 126
  /// The deepest nesting of an export's line, and of one that waits for its import to be published,
  /// which contain old versions.
  package static let lineDepth = 136

  /// Returns true if lists and objects are nested in more than `limit` levels.
  package func isNested(deeperThan limit: Int) -> Bool {
    switch self {
    case .array(let values):
      limit <= 0 || values.contains { $0.isNested(deeperThan: limit - 1) }
    case .object(let object):
      limit <= 0 || object.members.contains { $0.value.isNested(deeperThan: limit - 1) }
    case .null, .bool, .integer, .number, .string: false
    }
  }
}

private struct JSONParser {
  let bytes: [UInt8]
  let depthLimit: Int
  var position = 0

  init(bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  mutating func document() throws -> JSON {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    let value = try value(depth: 0)
    skipSpace()
    guard position == bytes.count else { throw failure("unexpected text after the value") }
    return value
  }

  private func failure(_ message: String, at offset: Int? = nil) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset ?? position, message: message)
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  private mutating func value(depth: Int) throws -> JSON {
    guard depth <= depthLimit else { throw failure("nested deeper than \(depthLimit) levels") }
    skipSpace()
    guard position < bytes.count else { throw failure("the text ends where a value is expected") }
    switch bytes[position] {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), 0x30...0x39: return try number()
    default: throw failure("a JSON value is expected here")
    }
  }

  private mutating func word(_ word: StaticString, _ value: JSON) throws -> JSON {
    let expected = word.withUTF8Buffer(Array.init)
    guard bytes[position...].starts(with: expected) else {
      throw failure("a JSON value is expected here")
    }
    position += expected.count
    return value
  }

  private static let scanLimit = 40

  private mutating func object(depth: Int) throws -> JSON {
    position += 1
    var object = JSONObject()
    // A few keys are compared one by one; hashing pays off only for many.
    var seen: Set<String>?
    skipSpace()
    if position < bytes.count, bytes[position] == UInt8(ascii: "}") {
      position += 1
      return .object(object)
    }
    while true {
      skipSpace()
      let start = position
      guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
        throw failure("a key in quotes is expected here")
      }
      let key = try string()
      if object.members.count == Self.scanLimit { seen = Set(object.keys) }
      guard seen?.insert(key).inserted ?? (object.index(of: key) == nil) else {
        throw failure("the key “\(key)” occurs twice", at: start)
      }
      skipSpace()
      guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else {
        throw failure("a colon is expected here")
      }
      position += 1
      object.append(uncheckedKey: key, try value(depth: depth + 1))
      skipSpace()
      guard position < bytes.count else { throw failure("the text ends inside an object") }
      switch bytes[position] {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "}"):
        position += 1
        return .object(object)
      default: throw failure("a comma or } is expected here")
      }
    }
  }

  private mutating func array(depth: Int) throws -> JSON {
    position += 1
    var values: [JSON] = []
    skipSpace()
    if position < bytes.count, bytes[position] == UInt8(ascii: "]") {
      position += 1
      return .array(values)
    }
    while true {
      values.append(try value(depth: depth + 1))
      skipSpace()
      guard position < bytes.count else { throw failure("the text ends inside a list") }
      switch bytes[position] {
      case UInt8(ascii: ","): position += 1
      case UInt8(ascii: "]"):
        position += 1
        return .array(values)
      default: throw failure("a comma or ] is expected here")
      }
    }
  }

  private mutating func number() throws -> JSON {
    let start = position
    func digits() -> Int {
      var end = position
      while end < bytes.count, (0x30...0x39).contains(bytes[end]) { end += 1 }
      return end - position
    }
    if bytes[position] == UInt8(ascii: "-") { position += 1 }
    let whole = digits()
    guard whole > 0 else { throw failure("a digit is expected here") }
    guard whole == 1 || bytes[position] != 0x30 else { throw failure("a number starts with 0") }
    position += whole
    var isWhole = true
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      let fraction = digits()
      guard fraction > 0 else { throw failure("a digit is expected here") }
      position += fraction
    }
    if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
      isWhole = false
      position += 1
      if position < bytes.count, [0x2B, 0x2D].contains(bytes[position]) { position += 1 }
      let exponent = digits()
      guard exponent > 0 else { throw failure("a digit is expected here") }
      position += exponent
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else {
      throw failure("the number is too large", at: start)
    }
    return .number(value)
  }

  private mutating func string() throws -> String {
    position += 1
    let start = position
    // Most strings contain no escape, so this finds the end and validates once.
    var union: UInt8 = 0
    while position < bytes.count, bytes[position] != UInt8(ascii: "\""),
      bytes[position] != UInt8(ascii: "\\"), bytes[position] >= 0x20
    {
      union |= bytes[position]
      position += 1
    }
    guard position < bytes.count else { throw failure("the text ends inside a string") }
    if bytes[position] == UInt8(ascii: "\"") {
      defer { position += 1 }
      // ASCII needs no validation.
      guard union >= 0x80 else { return String(decoding: bytes[start..<position], as: UTF8.self) }
      return try text(bytes[start..<position], at: start)
    }
    var content = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return try text(content[...], at: start)
      case UInt8(ascii: "\\"):
        position += 1
        content.append(contentsOf: try escape().utf8)
      case 0..<0x20: throw failure("a string contains an unescaped control character")
      default:
        content.append(byte)
        position += 1
      }
    }
    throw failure("the text ends inside a string")
  }

  private func text(_ bytes: ArraySlice<UInt8>, at offset: Int) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("the string isn’t valid UTF-8", at: offset)
    }
    return text
  }

  private mutating func escape() throws -> String {
    guard position < bytes.count else { throw failure("the text ends inside a string") }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let start = position - 2
      let first = try hexadecimal()
      if (0xD800...0xDBFF).contains(first), position + 1 < bytes.count,
        bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
      {
        position += 2
        let second = try hexadecimal()
        if (0xDC00...0xDFFF).contains(second),
          let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        {
          return String(Character(scalar))
        }
      }
      guard let scalar = Unicode.Scalar(first) else {
        throw failure("a surrogate pair is incomplete", at: start)
      }
      return String(Character(scalar))
    default: throw failure("\\ before a character that takes none", at: position - 2)
    }
  }

  private mutating func hexadecimal() throws -> UInt32 {
    guard position + 4 <= bytes.count,
      bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let value = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits are expected here") }
    position += 4
    return value
  }
}
