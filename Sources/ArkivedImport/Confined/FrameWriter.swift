package import ArkivedCore
package import Foundation

/// Writes frames: a four-byte length, a one-byte kind, and a sequence of values.
///
/// Both ends are the same program on the same computer, so the format needs no version. Numbers are
/// little-endian; texts and lists begin with their count.
package struct FrameWriter: Sendable {
  /// The maximum size of a frame, in bytes.
  package static let limit = 160 << 20

  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var isEmpty: Bool { bytes.isEmpty }

  /// Discards the written data but keeps the capacity.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Writes one frame.
  ///
  /// - Returns: false if the frame would be too long; in that case nothing is written.
  package mutating func frame(_ kind: UInt8, _ body: (inout FrameWriter) -> Void) -> Bool {
    let start = bytes.count
    put(UInt32(0))
    put(kind)
    body(&self)
    let count = bytes.count - start - 4
    guard count <= Self.limit else {
      bytes.removeLast(bytes.count - start)
      return false
    }
    for place in 0..<4 { bytes[start + place] = UInt8(truncatingIfNeeded: count >> (8 * place)) }
    return true
  }

  // MARK: Values

  package mutating func put(_ value: UInt8) { bytes.append(value) }
  package mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }

  package mutating func put(_ value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func put(_ value: Int64) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes an integer, clamped to the largest useful value.
  package mutating func put(_ value: Int) {
    put(Int64(min(max(value, -FrameReader.numberLimit), FrameReader.numberLimit)))
  }

  package mutating func put(_ value: Double) { put(Int64(bitPattern: value.bitPattern)) }

  package mutating func put(_ value: String) {
    put(UInt32(clamping: value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  package mutating func put(_ value: [UInt8]) {
    put(UInt32(clamping: value.count))
    bytes.append(contentsOf: value)
  }

  package mutating func put(_ value: UUID) {
    withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
  }

  package mutating func put(_ value: Instant) { put(Int(clamping: value.milliseconds)) }
  package mutating func put(_ value: DayKey) { put(value.daysSinceEpoch) }

  package mutating func put(_ value: URL) {
    put(value.absoluteURL.path)
    put(value.hasDirectoryPath)
  }

  package mutating func optional<Value>(
    _ value: Value?, _ body: (inout FrameWriter, Value) -> Void
  ) {
    put(value != nil)
    if let value { body(&self, value) }
  }

  package mutating func list<Value>(
    _ values: [Value], _ body: (inout FrameWriter, Value) -> Void
  ) {
    put(UInt32(clamping: values.count))
    for value in values { body(&self, value) }
  }

  package mutating func put(_ value: String?) { optional(value) { $0.put($1) } }
  package mutating func put(_ value: Double?) { optional(value) { $0.put($1) } }
  package mutating func put(_ value: Int?) { optional(value) { $0.put($1) } }
  package mutating func put(_ value: UUID?) { optional(value) { $0.put($1) } }
  package mutating func put(_ value: Instant?) { optional(value) { $0.put($1) } }
  package mutating func put(_ value: DayKey?) { optional(value) { $0.put($1) } }
  package mutating func put(_ value: URL?) { optional(value) { $0.put($1) } }
  package mutating func put(_ values: [String]) { list(values) { $0.put($1) } }

  package mutating func put(_ value: JSON) {
    switch value {
    case .null: put(UInt8(0))
    case .bool(let value):
      put(UInt8(1))
      put(value)
    case .integer(let value):
      put(UInt8(2))
      put(value)
    case .number(let value):
      put(UInt8(3))
      put(value)
    case .string(let value):
      put(UInt8(4))
      put(value)
    case .array(let values):
      put(UInt8(5))
      list(values) { $0.put($1) }
    case .object(let object):
      put(UInt8(6))
      list(object.members) { writer, member in
        writer.put(member.key)
        writer.put(member.value)
      }
    }
  }
}
