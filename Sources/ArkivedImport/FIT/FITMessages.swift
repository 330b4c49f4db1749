import Foundation

/// The header at the beginning of a FIT file.
struct FITHeader {
  /// The size of the header in bytes: 12, or 14 with its own checksum.
  let size: Int
  /// The size in bytes of the messages after the header; the file's checksum follows them.
  let dataSize: Int
  /// True if the header's checksum is correct, or if it has none.
  let isSound: Bool

  /// - Returns: nil if the bytes don't begin with a header.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 12, (12...64).contains(bytes[0]),
      Array(bytes[8..<12]) == Array(".FIT".utf8)
    else { return nil }
    size = Int(bytes[0])
    dataSize = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
    guard size >= 14, bytes.count >= 14 else {
      isSound = true
      return
    }
    let told = UInt16(bytes[12]) | UInt16(bytes[13]) << 8
    isSound = told == 0 || told == FITChecksum.of(bytes[..<12])
  }
}

/// The checksum of FIT files: CRC-16 with the polynomial 0x8005, reflected.
enum FITChecksum {
  private static let table: [UInt16] = (0..<256).map { byte in
    (0..<8).reduce(UInt16(byte)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1
    }
  }

  static func of(_ bytes: some Sequence<UInt8>, after crc: UInt16 = 0) -> UInt16 {
    bytes.reduce(crc) { $0 >> 8 ^ table[Int(($0 ^ UInt16($1)) & 0xFF)] }
  }
}

/// The layout of the messages with a local number.
struct FITDefinition {
  struct Field {
    var number: UInt8
    /// The field's position in the message.
    var offset: Int
    var size: Int
    /// The number of its type; see `FITMessage.number`.
    var type: UInt8
  }

  /// The type of information in the messages: 18 is a session, 20 a record.
  var global: UInt16
  var isBigEndian: Bool
  var fields: [Field]
  /// The size of a message in bytes, including developer fields, which come last and aren't read.
  var size: Int
}

/// A message and its values.
struct FITMessage {
  let definition: FITDefinition
  let bytes: [UInt8]
  /// Seconds since 1989-12-31T00:00:00Z, from the field or from a compressed header.
  var timestamp: UInt32?

  /// The number of seconds from 1970 to the FIT epoch.
  static let epoch: Int64 = 631_065_600
  /// Smaller times are counted from when the device was turned on.
  static let leastTime: UInt32 = 0x1000_0000

  /// The size in bytes of a value of each type, by type number: enum, sint8, uint8, sint16, uint16,
  /// sint32, uint32, string, float32, float64, uint8z, uint16z, uint32z, byte, sint64, uint64,
  /// uint64z.
  private static let sizes = [1, 1, 1, 2, 2, 4, 4, 1, 4, 8, 1, 2, 4, 1, 8, 8, 8]

  /// Returns the first value of a field; nil if it is missing, not a number, marked as invalid, or
  /// larger than any possible measurement.
  func number(_ number: UInt8) -> Double? {
    value(number).flatMap { abs($0) < 1e12 ? $0 : nil }
  }

  private func value(_ number: UInt8) -> Double? {
    guard let field = definition.fields.first(where: { $0.number == number }) else { return nil }
    let type = Int(field.type & 0x1F)
    guard type < Self.sizes.count, type != 7, type != 13, field.size >= Self.sizes[type] else {
      return nil
    }
    let size = Self.sizes[type]
    var bits: UInt64 = 0
    for index in 0..<size {
      let place = definition.isBigEndian ? index : size - 1 - index
      bits = bits << 8 | UInt64(bytes[field.offset + place])
    }
    let all = size == 8 ? UInt64.max : 1 << UInt64(size * 8) - 1
    switch type {
    case 8:
      let value = Float(bitPattern: UInt32(bits))
      return bits == all || !value.isFinite ? nil : Double(value)
    case 9:
      let value = Double(bitPattern: bits)
      return bits == all || !value.isFinite ? nil : value
    case 10, 11, 12, 16: return bits == 0 ? nil : Double(bits)
    case 1, 3, 5, 14:
      guard bits != all >> 1 else { return nil }
      let isNegative = bits > all >> 1
      return isNegative ? -Double(all - bits) - 1 : Double(bits)
    default: return bits == all ? nil : Double(bits)
    }
  }

  /// Returns the text of a field, up to its zero byte.
  func text(_ number: UInt8) -> String? {
    guard let field = definition.fields.first(where: { $0.number == number }),
      field.type & 0x1F == 7
    else { return nil }
    let end = field.offset + field.size
    let text = String(decoding: bytes[field.offset..<end].prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  /// Returns the time in a field in milliseconds since 1970.
  func moment(_ number: UInt8) -> Int64? {
    guard let seconds = self.number(number), seconds >= Double(Self.leastTime), seconds < 4.3e9
    else { return nil }
    return (Int64(seconds) + Self.epoch) * 1_000
  }

  /// The time at which the message was written, in milliseconds since 1970.
  var time: Int64? {
    timestamp.flatMap {
      $0 < Self.leastTime ? nil : (Int64($0) + Self.epoch) * 1_000
    }
  }

  /// Returns the position given by two fields in semicircles, where 2³¹ semicircles are half the
  /// Earth.
  func place(_ lat: UInt8, _ lon: UInt8) -> GeoPoint? {
    guard let north = number(lat), let east = number(lon) else { return nil }
    let degrees = 180 / 2_147_483_648.0
    return GeoPoint(lat: north * degrees, lon: east * degrees)
  }
}

/// Reads the messages of a FIT file one by one, in bounded memory.
struct FITStream {
  /// Damage in the file that prevents reading, with its position.
  struct Damage: Error {
    var offset: Int
    var message: String
    /// True if the file ends too early.
    var isCut = false
  }

  private let handle: FileHandle
  private var buffer: [UInt8] = []
  private var position = 0
  /// The position of the buffer in the file.
  private var base = 0
  private var crc: UInt16 = 0
  private var definitions: [FITDefinition?] = Array(repeating: nil, count: 16)
  private var lastTime: UInt32?
  /// The end of the current part's messages.
  private var end = 0
  private let wanted: Set<UInt16>

  /// Opens a file and passes on only the wanted messages.
  init(_ url: URL, wanted: Set<UInt16>) throws {
    handle = try FileHandle(forReadingFrom: url)
    self.wanted = wanted
  }

  func close() { try? handle.close() }

  /// The number of bytes consumed from the start of the file.
  var offset: Int { base + position }

  // MARK: Parts

  /// Moves to the next part; a file may consist of several parts, each with its own header.
  ///
  /// - Returns: false at the end of the file.
  /// - Throws: `Damage` if the header is missing.
  mutating func beginPart() throws -> Bool {
    crc = 0
    guard let head = try peek(14), !head.isEmpty else { return false }
    let start = offset
    guard let header = FITHeader(head) else {
      throw Damage(offset: start, message: "a FIT header is expected here")
    }
    guard header.isSound else {
      throw Damage(offset: start, message: "the checksum of the header doesn’t match")
    }
    guard try take(header.size) != nil else {
      throw Damage(offset: start, message: "the file ends inside its header", isCut: true)
    }
    // A device that stopped in the middle never wrote the size.
    end = header.dataSize == 0 ? Int.max : offset + header.dataSize
    definitions = Array(repeating: nil, count: 16)
    lastTime = nil
    return true
  }

  /// Verifies the checksum after the part's messages.
  ///
  /// - Throws: `Damage` if it doesn't match; a checksum of zero means that none was calculated.
  mutating func endPart() throws {
    let own = crc
    let start = offset
    guard let sum = try take(2) else {
      throw Damage(offset: start, message: "the file ends before its checksum", isCut: true)
    }
    let told = UInt16(sum[0]) | UInt16(sum[1]) << 8
    guard told == own || told == 0 else {
      throw Damage(offset: start, message: "the checksum doesn’t match")
    }
  }

  // MARK: Messages

  /// Returns the next wanted message; nil at the end of the part.
  ///
  /// - Throws: `Damage` if it can't be read.
  mutating func next() throws -> FITMessage? {
    while offset < end {
      let start = offset
      guard let header = try take(1)?.first else { throw cut(start) }
      if header & 0x80 != 0 {
        let message = try data(Int(header >> 5 & 3), start, offset: header & 0x1F)
        if let message { return message }
      } else if header & 0x40 != 0 {
        try define(Int(header & 0x0F), start, hasDeveloper: header & 0x20 != 0)
      } else if let message = try data(Int(header & 0x0F), start, offset: nil) {
        return message
      }
    }
    return nil
  }

  private func cut(_ offset: Int) -> Damage {
    Damage(offset: offset, message: "the file ends in the midst of its data", isCut: true)
  }

  private mutating func define(_ local: Int, _ start: Int, hasDeveloper: Bool) throws {
    guard let head = try take(5) else { throw cut(start) }
    guard head[1] <= 1 else {
      throw Damage(offset: start, message: "a definition has an invalid byte order")
    }
    let isBigEndian = head[1] == 1
    let (first, second) = (UInt16(head[2]), UInt16(head[3]))
    guard let list = try take(Int(head[4]) * 3) else { throw cut(start) }
    var fields: [FITDefinition.Field] = []
    var size = 0
    for index in stride(from: 0, to: list.count, by: 3) {
      fields.append(
        FITDefinition.Field(
          number: list[index], offset: size, size: Int(list[index + 1]), type: list[index + 2]))
      size += Int(list[index + 1])
    }
    if hasDeveloper {
      guard let count = try take(1)?.first, let list = try take(Int(count) * 3) else {
        throw cut(start)
      }
      for index in stride(from: 1, to: list.count, by: 3) { size += Int(list[index]) }
    }
    definitions[local] = FITDefinition(
      global: isBigEndian ? first << 8 | second : second << 8 | first, isBigEndian: isBigEndian,
      fields: fields, size: size)
  }

  private mutating func data(_ local: Int, _ start: Int, offset: UInt8?) throws -> FITMessage? {
    guard let definition = definitions[local] else {
      throw Damage(offset: start, message: "a message has no definition")
    }
    guard let bytes = try take(definition.size) else { throw cut(start) }
    var message = FITMessage(definition: definition, bytes: bytes)
    if let offset {
      // A five-bit offset from the last complete time.
      if let last = lastTime {
        let step = (UInt32(offset) &- last) & 0x1F
        lastTime = last &+ step
      }
      message.timestamp = lastTime
    } else if let time = message.number(253).flatMap({ UInt32(exactly: $0) }) {
      lastTime = time
      message.timestamp = time
    }
    return wanted.contains(definition.global) ? message : nil
  }

  // MARK: Bytes

  /// Returns the next bytes without consuming them; fewer at the end of the file.
  private mutating func peek(_ count: Int) throws -> [UInt8]? {
    try fill(count)
    return Array(buffer[position..<min(position + count, buffer.count)])
  }

  /// Consumes the given number of bytes; returns nil if the file has fewer.
  private mutating func take(_ count: Int) throws -> [UInt8]? {
    try fill(count)
    guard position + count <= buffer.count else { return nil }
    let bytes = Array(buffer[position..<position + count])
    position += count
    crc = FITChecksum.of(bytes, after: crc)
    return bytes
  }

  private mutating func fill(_ count: Int) throws {
    guard position + count > buffer.count else { return }
    let piece = try handle.readPiece(upTo: 256 << 10)
    guard !piece.isEmpty else { return }
    base += position
    buffer = Array(buffer[position...]) + piece
    position = 0
  }
}
