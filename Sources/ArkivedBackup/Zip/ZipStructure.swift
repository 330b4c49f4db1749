/// Verification of a ZIP archive without a seal, such as a backup from an earlier version.
///
/// Every byte belongs to one record, records are contiguous, and duplicated fields agree. The
/// content isn't read here: its checksums are verified when it is unpacked. Layout: APPNOTE.TXT
/// 6.3.10, as libarchive writes it.
struct ZipStructure {
  private let bytes: any RandomBytes

  private static let endSignature: [UInt8] = [0x50, 0x4B, 0x05, 0x06]
  private static let centralSignature: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
  private static let localSignature: [UInt8] = [0x50, 0x4B, 0x03, 0x04]
  private static let descriptorSignature: [UInt8] = [0x50, 0x4B, 0x07, 0x08]
  private static let wideEndSignature: [UInt8] = [0x50, 0x4B, 0x06, 0x06]
  private static let locatorSignature: [UInt8] = [0x50, 0x4B, 0x06, 0x07]

  private static let endCount = 22
  private static let centralCount = 46
  private static let localCount = 30
  private static let wideEndCount = 56
  private static let locatorCount = 20

  /// The content of a 32-bit field whose value is in a ZIP64 field.
  private static let wide: UInt64 = 0xFFFF_FFFF
  /// The header of ZIP64 fields among the extra fields.
  private static let wideKind: UInt64 = 1
  /// The version of ZIP that introduced ZIP64.
  private static let wideVersion: UInt64 = 45

  /// Verifies an archive.
  ///
  /// - Throws: `BackupFailure.damaged` if bytes were added, removed or changed.
  static func check(_ bytes: any RandomBytes) throws {
    try ZipStructure(bytes: bytes).check()
  }

  private func check() throws {
    let (count, directory) = try end()
    var position = directory.lowerBound
    var last: Member?
    var found: UInt64 = 0
    while position < directory.upperBound {
      let member = try centralRecord(at: position, before: directory.upperBound)
      if let last {
        guard member.attributes == last.attributes else { throw BackupFailure.altered }
        try checkLocal(last, endsAt: member.offset)
      } else {
        guard member.offset == 0 else { throw BackupFailure.altered }
      }
      last = member
      position = member.nextRecord
      found += 1
    }
    guard let last, found == count else { throw BackupFailure.altered }
    try checkLocal(last, endsAt: directory.lowerBound)
  }

  // MARK: End of central directory

  /// Reads the records at the end.
  ///
  /// - Returns: the number of members, and the range of the central directory.
  private func end() throws -> (count: UInt64, directory: Range<Int>) {
    let place = bytes.count - Self.endCount
    let record = try read(place, Self.endCount)
    guard record.starts(with: Self.endSignature), Self.number(record, 20, 2) == 0,
      Self.number(record, 4, 4) == 0,
      Self.number(record, 8, 2) == Self.number(record, 10, 2)
    else { throw BackupFailure.altered }
    var count = Self.number(record, 8, 2)
    var size = Self.number(record, 12, 4)
    var start = Self.number(record, 16, 4)
    var directoryEnd = place
    if let record = try wideEnd(before: place) {
      let values = (
        Self.number(record, 32, 8), Self.number(record, 40, 8), Self.number(record, 48, 8)
      )
      guard count == min(values.0, 0xFFFF), size == min(values.1, Self.wide),
        start == min(values.2, Self.wide)
      else { throw BackupFailure.altered }
      (count, size, start) = values
      directoryEnd = place - Self.locatorCount - Self.wideEndCount
    }
    let first = try position(start)
    guard try first + position(size) == directoryEnd else { throw BackupFailure.altered }
    return (count, first..<directoryEnd)
  }

  /// Reads the ZIP64 end record; nil in an archive without one.
  private func wideEnd(before place: Int) throws -> [UInt8]? {
    guard place >= Self.locatorCount else { return nil }
    let locator = try read(place - Self.locatorCount, Self.locatorCount)
    guard locator.starts(with: Self.locatorSignature) else { return nil }
    let start = place - Self.locatorCount - Self.wideEndCount
    let record = try read(start, Self.wideEndCount)
    guard Self.number(locator, 4, 4) == 0, try position(Self.number(locator, 8, 8)) == start,
      Self.number(locator, 16, 4) == 1, record.starts(with: Self.wideEndSignature),
      Self.number(record, 4, 8) == UInt64(Self.wideEndCount - 12),
      Self.number(record, 12, 2) == Self.wideVersion,
      Self.number(record, 14, 2) == Self.wideVersion, Self.number(record, 16, 8) == 0,
      Self.number(record, 24, 8) == Self.number(record, 32, 8)
    else { throw BackupFailure.altered }
    return record
  }

  // MARK: Members

  private struct ExtraField {
    let kind: UInt64
    let content: [UInt8]
  }

  /// A member in the central directory.
  private struct Member {
    /// The flags, method, time and date, which the local header repeats.
    let shared: [UInt8]
    /// The originating system and the attributes, which are the same for all members.
    let attributes: [UInt8]
    let madeBy: UInt64
    let needed: UInt64
    let checksum: UInt64
    let packedCount: UInt64
    let count: UInt64
    let offset: Int
    let name: [UInt8]
    let extra: [ExtraField]
    let isWide: Bool
    /// The start of the next record in the directory.
    let nextRecord: Int

    /// True if the checksum and sizes follow the content.
    var hasDescriptor: Bool { shared[0] & 8 != 0 }
  }

  private func centralRecord(at position: Int, before end: Int) throws -> Member {
    guard end - position >= Self.centralCount else { throw BackupFailure.altered }
    let head = try read(position, Self.centralCount)
    let nameCount = Int(Self.number(head, 28, 2))
    let extraCount = Int(Self.number(head, 30, 2))
    let next = position + Self.centralCount + nameCount + extraCount
    // Members have no comments, and none begins on another disk.
    guard head.starts(with: Self.centralSignature), Self.number(head, 32, 4) == 0, next <= end
    else { throw BackupFailure.altered }
    let rest = try read(position + Self.centralCount, nameCount + extraCount)
    let fields = try Self.extraFields(rest[nameCount...])
    let wideFields = fields.filter { $0.kind == Self.wideKind }
    guard wideFields.count < 2 else { throw BackupFailure.altered }
    var wideValues = wideFields.first?.content ?? []
    func value(_ place: Int) throws -> UInt64 {
      let value = Self.number(head, place, 4)
      guard value == Self.wide, !wideFields.isEmpty else { return value }
      guard wideValues.count >= 8 else { throw BackupFailure.altered }
      let wideValue = Self.number(wideValues, 0, 8)
      wideValues.removeFirst(8)
      return wideValue
    }
    let count = try value(24)
    let packedCount = try value(20)
    let offset = try value(42)
    guard wideValues.isEmpty else { throw BackupFailure.altered }
    return Member(
      shared: Array(head[8..<16]), attributes: [head[5]] + head[36..<42],
      madeBy: Self.number(head, 4, 1), needed: Self.number(head, 6, 2),
      checksum: Self.number(head, 16, 4), packedCount: packedCount, count: count,
      offset: try self.position(offset), name: Array(rest[..<nameCount]),
      extra: fields.filter { $0.kind != Self.wideKind }, isWide: !wideFields.isEmpty,
      nextRecord: next)
  }

  /// Compares a member's local header, and the descriptor after its content, with the directory.
  private func checkLocal(_ member: Member, endsAt end: Int) throws {
    let head = try read(member.offset, Self.localCount)
    let nameCount = Int(Self.number(head, 26, 2))
    let extraCount = Int(Self.number(head, 28, 2))
    let rest = try read(member.offset + Self.localCount, nameCount + extraCount)
    let version = Self.number(head, 4, 2)
    guard head.starts(with: Self.localSignature), Array(head[6..<14]) == member.shared,
      version == member.madeBy, member.needed == (member.isWide ? Self.wideVersion : version),
      Array(rest[..<nameCount]) == member.name
    else { throw BackupFailure.altered }
    let numbers = [
      (Self.number(head, 14, 4), member.checksum), (Self.number(head, 18, 4), member.packedCount),
      (Self.number(head, 22, 4), member.count),
    ]
    for (written, known) in numbers where written != min(known, Self.wide) {
      guard member.hasDescriptor, written == 0 || written == Self.wide else {
        throw BackupFailure.altered
      }
    }
    try checkExtra(Self.extraFields(rest[nameCount...]), of: member)
    let contentEnd =
      try member.offset + Self.localCount + rest.count + position(member.packedCount)
    try checkDescriptor(of: member, contentEnd: contentEnd, endsAt: end)
  }

  private func checkExtra(_ fields: [ExtraField], of member: Member) throws {
    let own = fields.filter { $0.kind != Self.wideKind }
    guard own.count == member.extra.count else { throw BackupFailure.altered }
    for (field, known) in zip(own, member.extra) {
      // The directory has only the first of several times.
      guard field.kind == known.kind, field.content.starts(with: known.content) else {
        throw BackupFailure.altered
      }
    }
    for field in fields where field.kind == Self.wideKind {
      guard field.content.count == 16,
        [0, member.count].contains(Self.number(field.content, 0, 8)),
        [0, member.packedCount].contains(Self.number(field.content, 8, 8))
      else { throw BackupFailure.altered }
    }
  }

  private func checkDescriptor(of member: Member, contentEnd: Int, endsAt end: Int) throws {
    guard member.hasDescriptor else {
      guard contentEnd == end else { throw BackupFailure.altered }
      return
    }
    // Sizes have 32 or 64 bits.
    guard [16, 24].contains(end - contentEnd) else { throw BackupFailure.altered }
    let record = try read(contentEnd, end - contentEnd)
    let width = (record.count - 8) / 2
    guard record.starts(with: Self.descriptorSignature),
      Self.number(record, 4, 4) == member.checksum,
      Self.number(record, 8, width) == member.packedCount,
      Self.number(record, 8 + width, width) == member.count
    else { throw BackupFailure.altered }
  }

  // MARK: Bytes

  private static func extraFields(_ bytes: ArraySlice<UInt8>) throws -> [ExtraField] {
    var fields: [ExtraField] = []
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let head = Array(rest.prefix(4))
      guard head.count == 4 else { throw BackupFailure.altered }
      let count = Int(number(head, 2, 2))
      let content = Array(rest.dropFirst(4).prefix(count))
      guard content.count == count else { throw BackupFailure.altered }
      fields.append(ExtraField(kind: number(head, 0, 2), content: content))
      rest = rest.dropFirst(4 + count)
    }
    return fields
  }

  /// Reads all bytes of a range.
  private func read(_ place: Int, _ count: Int) throws -> [UInt8] {
    guard place >= 0 else { throw BackupFailure.altered }
    let found = try bytes.bytes(at: place, count)
    guard found.count == count else { throw BackupFailure.altered }
    return found
  }

  /// Returns a value as a position or a length in the file.
  private func position(_ value: UInt64) throws -> Int {
    guard value <= UInt64(bytes.count) else { throw BackupFailure.altered }
    return Int(value)
  }

  /// Returns a little-endian number of `count` bytes.
  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
    bytes[place..<(place + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
