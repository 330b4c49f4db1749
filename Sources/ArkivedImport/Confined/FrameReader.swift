package import ArkivedCore
package import Foundation

/// Data that isn't a frame this program writes, so the sender can't be trusted.
package struct BrokenFrame: Error, Hashable, Sendable {
  package init() {}
}

/// Reads what `FrameWriter` wrote without trusting it.
///
/// Counts are checked against the available bytes, and numbers are limited so no calculation with
/// them overflows.
package struct FrameReader {
  /// The largest number of milliseconds, bytes or days.
  package static let numberLimit = 1 << 53
  /// The nesting limit for JSON in anything that Arkived reads.
  private static let depthLimit = 200

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  /// Creates a reader.
  ///
  /// - Parameter bytes: a frame without its length; they have to outlive the reader.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Ends the reading.
  ///
  /// - Throws: `BrokenFrame` if bytes are left over.
  package func end() throws {
    guard position == bytes.count else { throw BrokenFrame() }
  }

  private mutating func take(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count >= 0, count <= bytes.count - position else { throw BrokenFrame() }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: bytes[position..<(position + count)])
  }

  // MARK: Values

  package mutating func byte() throws -> UInt8 {
    guard position < bytes.count else { throw BrokenFrame() }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func bool() throws -> Bool {
    switch try byte() {
    case 0: false
    case 1: true
    default: throw BrokenFrame()
    }
  }

  private mutating func count() throws -> Int {
    Int(UInt32(littleEndian: try take(4).loadUnaligned(as: UInt32.self)))
  }

  package mutating func int64() throws -> Int64 {
    Int64(littleEndian: try take(8).loadUnaligned(as: Int64.self))
  }

  package mutating func int() throws -> Int {
    let value = try int64()
    guard (-Int64(Self.numberLimit)...Int64(Self.numberLimit)).contains(value) else {
      throw BrokenFrame()
    }
    return Int(value)
  }

  package mutating func double() throws -> Double {
    Double(bitPattern: UInt64(bitPattern: try int64()))
  }

  package mutating func string() throws -> String {
    String(decoding: try take(try count()), as: UTF8.self)
  }

  package mutating func data() throws -> [UInt8] { [UInt8](try take(try count())) }

  package mutating func uuid() throws -> UUID {
    UUID(uuid: try take(16).loadUnaligned(as: uuid_t.self))
  }

  package mutating func instant() throws -> Instant {
    Instant(milliseconds: Int64(try int()))
  }

  package mutating func day() throws -> DayKey { DayKey(clamping: try int()) }

  package mutating func url() throws -> URL {
    let path = try string()
    guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw BrokenFrame() }
    let url = URL(fileURLWithPath: path, isDirectory: try bool())
    // Files extracted to a temporary folder must be inside it.
    guard !ScratchFolders.holds(url) || !path.split(separator: "/").contains("..") else {
      throw BrokenFrame()
    }
    return url
  }

  package mutating func optional<Value>(
    _ body: (inout FrameReader) throws -> Value
  ) throws -> Value? {
    try bool() ? body(&self) : nil
  }

  package mutating func list<Value>(
    _ body: (inout FrameReader) throws -> Value
  ) throws -> [Value] {
    let count = try count()
    // Each has at least one byte.
    guard count <= bytes.count - position else { throw BrokenFrame() }
    var values: [Value] = []
    for _ in 0..<count { values.append(try body(&self)) }
    return values
  }

  package mutating func strings() throws -> [String] { try list { try $0.string() } }

  package mutating func json() throws -> JSON { try json(depth: 0) }

  private mutating func json(depth: Int) throws -> JSON {
    guard depth <= Self.depthLimit else { throw BrokenFrame() }
    switch try byte() {
    case 0: return .null
    case 1: return .bool(try bool())
    case 2: return .integer(try int64())
    case 3: return .number(try double())
    case 4: return .string(try string())
    case 5: return .array(try list { try $0.json(depth: depth + 1) })
    case 6:
      var object = JSONObject()
      var keys: Set<String> = []
      let count = try count()
      for _ in 0..<count {
        let key = try string()
        guard keys.insert(key).inserted else { throw BrokenFrame() }
        object.append(uncheckedKey: key, try json(depth: depth + 1))
      }
      return .object(object)
    default: throw BrokenFrame()
    }
  }
}
