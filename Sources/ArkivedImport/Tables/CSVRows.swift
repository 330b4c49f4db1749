import Foundation

/// The rows of a table of separated values (RFC 4180), one at a time in bounded memory.
///
/// It parses liberally: rows end with LF, CRLF or CR; a quote inside a field that doesn't begin
/// with one is an ordinary character; text after a closing quote belongs to the field. Blank rows
/// are skipped.
struct CSVRows {
  struct Row {
    var fields: [String]
    /// The line of the file on which the row begins, from 1.
    var line: Int
    /// True if a quotation mark was never closed, so the row extends to the end of the file.
    var isUnclosed = false
    /// True if it exceeded the limit; its fields are missing.
    var isTooLong = false
    /// True if it isn't UTF-8 and was read as Windows-1252.
    var isWindowsLatin = false
  }

  /// The maximum length of a row; 16 MiB is enough for a long note.
  static let lengthLimit = 16 << 20

  private let separator: UInt8
  private let read: () throws -> [UInt8]?
  private var buffer: [UInt8] = []
  private var position = 0
  private var line = 1
  /// The number of bytes read so far, for progress.
  private(set) var offset = 0

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - separator: the character between two values.
  ///   - read: returns the file's bytes in order, and nil at their end.
  init(separator: UInt8, read: @escaping () throws -> [UInt8]?) {
    self.separator = separator
    self.read = read
  }

  /// Reads the next row that isn't blank; returns nil at the end.
  mutating func next() throws -> Row? {
    while let row = try row() {
      if row.isTooLong || row.fields.contains(where: { !$0.isEmpty }) { return row }
    }
    return nil
  }

  private mutating func row() throws -> Row? {
    guard try fill() else { return nil }
    var cells = CSVCells(line: line)
    while try fill() {
      let byte = buffer[position]
      position += 1
      guard byte == 0x0A || byte == 0x0D else {
        cells.take(byte, separator)
        continue
      }
      if byte == 0x0D, try fill(), buffer[position] == 0x0A { position += 1 }
      line += 1
      guard cells.isInsideQuotes else { return cells.row() }
      cells.take(0x0A, separator)
    }
    return cells.row()
  }

  /// Refills the buffer if necessary, and returns true if there is a byte to read.
  private mutating func fill() throws -> Bool {
    guard position == buffer.count else { return true }
    offset += buffer.count
    position = 0
    buffer = try read() ?? []
    return !buffer.isEmpty
  }
}

/// The cells of the row being read.
private struct CSVCells {
  private enum State { case beginning, plain, quoted, quoteInQuotes }

  private let line: Int
  private var state = State.beginning
  private var cells: [[UInt8]] = []
  private var cell: [UInt8] = []
  private var count = 0

  init(line: Int) { self.line = line }

  var isInsideQuotes: Bool { state == .quoted }

  mutating func take(_ byte: UInt8, _ separator: UInt8) {
    let quote = UInt8(ascii: "\"")
    switch (state, byte) {
    case (.quoted, quote): state = .quoteInQuotes
    case (.quoted, _): append(byte)
    case (.quoteInQuotes, quote):
      append(byte)
      state = .quoted
    case (.beginning, quote): state = .quoted
    case (_, separator):
      cells.append(cell)
      cell = []
      state = .beginning
    default:
      append(byte)
      state = .plain
    }
  }

  private mutating func append(_ byte: UInt8) {
    count += 1
    if count <= CSVRows.lengthLimit { cell.append(byte) }
  }

  func row() -> CSVRows.Row {
    var row = CSVRows.Row(fields: [], line: line)
    guard count <= CSVRows.lengthLimit else {
      row.isTooLong = true
      return row
    }
    row.isUnclosed = isInsideQuotes
    for cell in cells + [self.cell] {
      if let text = String(validating: cell, as: UTF8.self) {
        row.fields.append(text)
      } else {
        row.isWindowsLatin = true
        row.fields.append(String(decoding: WindowsLatin.utf8(cell[...]), as: UTF8.self))
      }
    }
    return row
  }
}
