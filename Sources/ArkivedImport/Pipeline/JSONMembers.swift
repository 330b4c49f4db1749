import Foundation

/// The members of a JSON object as ranges of its bytes, without creating values, for lists of
/// millions of small objects with a few relevant fields.
///
/// It matches brackets and quotes. If the bytes aren't an object, the members end and `isSound` is
/// false.
struct JSONMembers {
  struct Member {
    /// The range between the quotes; escapes aren't decoded.
    var key: Range<Int>
    /// The range including the quotes or brackets.
    var value: Range<Int>
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var position: Int
  private(set) var isSound = true

  /// Creates the sequence.
  ///
  /// - Parameter bytes: an object with nothing before it; they must outlive the iteration.
  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    position = 1
    isSound = bytes.first == UInt8(ascii: "{")
    if !isSound { position = bytes.count }
  }

  mutating func next() -> Member? {
    skip { $0 == UInt8(ascii: ",") || Self.isSpace($0) }
    guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") else {
      isSound = isSound && position < bytes.count && bytes[position] == UInt8(ascii: "}")
      return nil
    }
    let keyStart = position + 1
    guard takeString() else { return fail() }
    let key = keyStart..<position - 1
    skip(Self.isSpace)
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { return fail() }
    position += 1
    skip(Self.isSpace)
    let start = position
    guard takeValue(), position > start else { return fail() }
    return Member(key: key, value: start..<position)
  }

  private mutating func fail() -> Member? {
    isSound = false
    position = bytes.count
    return nil
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (byte >= 0x09 && byte <= 0x0D)
  }

  private mutating func skip(_ isPassed: (UInt8) -> Bool) {
    while position < bytes.count, isPassed(bytes[position]) { position += 1 }
  }

  private mutating func takeString() -> Bool {
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += byte == UInt8(ascii: "\\") ? 2 : 1
      if byte == UInt8(ascii: "\"") { return true }
    }
    position = bytes.count
    return false
  }

  private mutating func takeValue() -> Bool {
    guard position < bytes.count else { return false }
    switch bytes[position] {
    case UInt8(ascii: "\""): return takeString()
    case UInt8(ascii: "{"), UInt8(ascii: "["): return takeNested()
    default:
      skip { byte in
        byte != UInt8(ascii: ",") && byte != UInt8(ascii: "}") && byte != UInt8(ascii: "]")
          && !Self.isSpace(byte)
      }
      return position < bytes.count
    }
  }

  private mutating func takeNested() -> Bool {
    var depth = 0
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        guard takeString() else { return false }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      position += 1
      if depth == 0 { return true }
    }
    return false
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Returns true if the bytes of a range are a given name.
  func holds(_ name: StaticString, at range: Range<Int>) -> Bool {
    guard let baseAddress, range.count == name.utf8CodeUnitCount else { return false }
    return memcmp(baseAddress + range.lowerBound, name.utf8Start, range.count) == 0
  }

  /// Returns a range without the quotes around it, if there are any.
  func unquoted(_ range: Range<Int>) -> Range<Int> {
    guard range.count >= 2, self[range.lowerBound] == UInt8(ascii: "\"") else { return range }
    return range.lowerBound + 1..<range.upperBound - 1
  }

  /// Returns the integer in a range, quoted or not; a fraction is truncated.
  func integer(at range: Range<Int>) -> Int64? {
    let range = unquoted(range)
    var position = range.lowerBound
    let isNegative = position < range.upperBound && self[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    guard position < range.upperBound, range.upperBound - position <= 18 else {
      return number(at: range)
    }
    var value: Int64 = 0
    while position < range.upperBound {
      let byte = self[position]
      guard (0x30...0x39).contains(byte) else { return number(at: range) }
      value = value * 10 + Int64(byte - 0x30)
      position += 1
    }
    return isNegative ? -value : value
  }

  /// Returns a number in another notation: 5.0, 1e6.
  private func number(at range: Range<Int>) -> Int64? {
    guard range.count <= 40, let number = Double(text(at: range)), abs(number) < 9e18 else {
      return nil
    }
    return Int64(number)
  }

  /// Returns the text of a range, without decoding its escapes.
  func text(at range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: self[range]), as: UTF8.self)
  }
}
