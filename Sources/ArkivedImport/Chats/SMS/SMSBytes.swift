import Foundation

/// A backup of text messages, converted to XML that can be parsed, in bounded memory.
///
/// The files of multimedia messages, which are stored in attributes as Base64, are written to a
/// folder, and their numbers replace them. Emoji that were written as two halves of UTF-16
/// (`&#55357;&#56832;`), which XML doesn't allow, are combined into one character.
struct SMSBytes {
  private static let pieceSize = 1 << 18

  private enum State {
    case outside, tag
    /// In a value, up to this quotation mark.
    case value(UInt8)
    /// In the bytes of a file, up to this quotation mark.
    case data(UInt8)
    /// In something other than an element, up to its end.
    case other([UInt8])
  }

  private let handle: FileHandle
  private let folder: () throws -> URL
  private var state = State.outside
  /// The most recent bytes, as many as are needed to look for a name or an end in them.
  private var recent: [UInt8] = []
  /// The unfinished reference.
  private var reference: [UInt8] = []
  /// The first half of a character.
  private var half: UInt16?
  private var output: [UInt8] = []
  private var digits: [UInt8] = []
  private var file: FileHandle?
  private var isBroken = false
  private var count = 0
  /// Bytes that were read.
  private(set) var offset = 0

  /// Reads a file and writes its attachments to a folder.
  init(_ url: URL, folder: @escaping () throws -> URL) throws {
    handle = try FileHandle(forReadingFrom: url)
    self.folder = folder
  }

  func close() {
    try? file?.close()
    try? handle.close()
  }

  /// Returns the next bytes, or nil at the end of the file.
  mutating func next() throws -> [UInt8]? {
    while true {
      let piece = try handle.readPiece(upTo: Self.pieceSize)
      guard !piece.isEmpty else {
        flushReference()
        defer { output = [] }
        return output.isEmpty ? nil : output
      }
      offset += piece.count
      for byte in piece { try take(byte) }
      guard !output.isEmpty else { continue }
      defer { output.removeAll(keepingCapacity: true) }
      return output
    }
  }

  private mutating func take(_ byte: UInt8) throws {
    switch state {
    case .outside:
      flushHalf()
      output.append(byte)
      if byte == UInt8(ascii: "<") {
        state = .tag
        recent = [byte]
      }
    case .tag:
      output.append(byte)
      try takeInTag(byte)
    case .value(let quote):
      if byte == quote {
        flushReference()
        output.append(byte)
        state = .tag
        recent = [UInt8(ascii: "<"), 0x20]
      } else {
        takeInValue(byte)
      }
    case .data(let quote):
      if byte == quote {
        try finishFile()
        output.append(byte)
        state = .tag
        recent = [UInt8(ascii: "<"), 0x20]
      } else if byte > 0x20 {
        digits.append(byte)
        if digits.count >= 1 << 16 { try write() }
      }
    case .other(let end):
      output.append(byte)
      recent.append(byte)
      if recent.count > 3 { recent.removeFirst() }
      if recent.suffix(end.count).elementsEqual(end) { state = .outside }
    }
  }

  private mutating func takeInTag(_ byte: UInt8) throws {
    switch byte {
    case UInt8(ascii: ">"): state = .outside
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let name = recent.dropLast().reversed().drop { $0 == 0x20 }.prefix { $0 > 0x20 }.reversed()
      let isValue = recent.last == UInt8(ascii: "=")
      state =
        isValue && Array(name) == Array("data".utf8) ? .data(byte) : isValue ? .value(byte) : .tag
      recent = []
    default:
      // No name is longer; anything before it doesn't matter.
      if recent.count > 64 { recent.removeFirst(32) }
      if byte == UInt8(ascii: "="), recent.last == 0x20 { recent.removeLast() }
      if !(byte == 0x20 && recent.last == UInt8(ascii: "=")) {
        recent.append(byte <= 0x20 ? 0x20 : byte)
      }
      if recent.count == 2, recent[0] == UInt8(ascii: "<"), byte == UInt8(ascii: "?") {
        state = .other(Array("?>".utf8))
      } else if recent == Array("<!--".utf8) {
        state = .other(Array("-->".utf8))
        recent = []
      }
    }
  }

  // MARK: References

  private mutating func takeInValue(_ byte: UInt8) {
    if byte == UInt8(ascii: "&") {
      flushPending()
      reference = [byte]
    } else if reference.isEmpty {
      flushHalf()
      output.append(byte)
    } else {
      reference.append(byte)
      if byte == UInt8(ascii: ";") {
        finishReference()
      } else if reference.count > 12 {
        flushReference()
      }
    }
  }

  private mutating func finishReference() {
    let text = String(decoding: reference.dropFirst().dropLast(), as: UTF8.self)
    let number =
      text.hasPrefix("#x")
      ? UInt32(text.dropFirst(2), radix: 16)
      : text.hasPrefix("#") ? UInt32(text.dropFirst()) : nil
    guard let number, (0xD800...0xDFFF).contains(number) else { return flushReference() }
    let unit = UInt16(number)
    reference = []
    if UTF16.isLeadSurrogate(unit) {
      flushHalf()
      half = unit
    } else if let high = half {
      half = nil
      output.append(contentsOf: String(decoding: [high, unit], as: UTF16.self).utf8)
    } else {
      output.append(contentsOf: "\u{FFFD}".utf8)
    }
  }

  /// Writes pending data; a half without its other half becomes a replacement character.
  private mutating func flushHalf() {
    guard half != nil else { return }
    half = nil
    output.append(contentsOf: "\u{FFFD}".utf8)
  }

  private mutating func flushPending() {
    guard !reference.isEmpty else { return }
    flushReference()
  }

  private mutating func flushReference() {
    flushHalf()
    output.append(contentsOf: reference)
    reference = []
  }

  // MARK: Files

  private mutating func write() throws {
    let whole = digits.count / 4 * 4
    guard whole > 0, !isBroken else {
      if isBroken { digits = [] }
      return
    }
    guard let bytes = Data(base64Encoded: Data(digits.prefix(whole))) else {
      // A text such as “null”, or damaged data.
      isBroken = true
      digits = []
      return
    }
    if file == nil {
      count += 1
      let url = try folder().appendingPathComponent("\(count)")
      try Data().write(to: url)
      file = try FileHandle(forWritingTo: url)
    }
    try file?.write(contentsOf: bytes)
    digits.removeFirst(whole)
  }

  private mutating func finishFile() throws {
    let isNull = file == nil && digits == Array("null".utf8)
    if !isNull {
      while digits.count % 4 != 0, digits.count % 4 != 1 { digits.append(UInt8(ascii: "=")) }
      try write()
    }
    if file != nil, !isBroken { output.append(contentsOf: "\(count)".utf8) }
    if isBroken { output.append(contentsOf: "broken".utf8) }
    try file?.close()
    (file, isBroken, digits) = (nil, false, [])
  }
}
