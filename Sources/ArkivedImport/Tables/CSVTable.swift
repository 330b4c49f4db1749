import ArkivedCore
import Foundation

/// A table of separated values whose first row contains the names of its columns.
struct CSVTable {
  /// A row whose cells are read by column name.
  struct Row {
    fileprivate let columns: [String: Int]
    fileprivate let fields: [String]
    let line: Int

    fileprivate init(columns: [String: Int], fields: [String], line: Int) {
      (self.columns, self.fields, self.line) = (columns, fields, line)
    }

    /// Creates a row whose cells are only read by position.
    init(fields: [String]) { self.init(columns: [:], fields: fields, line: 0) }

    /// Returns a trimmed cell, or nil if the column is missing or the cell is empty.
    func value(_ column: String) -> String? {
      guard let index = columns[column], index < fields.count else { return nil }
      let text = fields[index].filter { $0 != "\0" }.trimmingCharacters(in: .whitespacesAndNewlines)
      return text.isEmpty ? nil : text
    }

    /// Returns a cell by the column's position in the same way.
    func value(at column: Int) -> String? {
      guard column < fields.count else { return nil }
      let text = fields[column].filter { $0 != "\0" }
        .trimmingCharacters(in: .whitespacesAndNewlines)
      return text.isEmpty ? nil : text
    }

    /// Returns the names of the columns that begin with a word, in lower case and in order.
    func names(beginning word: String) -> [String] {
      columns.filter { $0.key.hasPrefix(word) }.sorted { $0.value < $1.value }.map(\.key)
    }

    /// Returns the names of the columns that end with a word, in lower case and in order.
    func names(ending word: String) -> [String] {
      columns.filter { $0.key.hasSuffix(word) }.sorted { $0.value < $1.value }.map(\.key)
    }
  }

  private let file: ImportFile
  private var rows: CSVRows
  private let columns: [String: Int]
  /// The names of the columns as written.
  let header: [String]
  /// True if semicolons separate the cells, as in countries with decimal commas.
  let hasSemicolons: Bool
  /// The columns without a distinct name, which can't be looked up.
  private let nameless: Set<Int>
  /// The first row, if it doesn't contain the names of the columns.
  private var unread: CSVRows.Row?
  /// True if a quote in the first row is never closed.
  private let isHeaderUnclosed: Bool
  /// The number of rows before the column names, if they were skipped.
  let preambleCount: Int
  private var isLatinTold = false
  private var isStrayTold = false

  /// Opens a table.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - names: the columns' names if the first row doesn't give them.
  ///   - skipsFirstLine: true if a line before the column names contains something else.
  ///   - skipsPreamble: true if rows such as the account and the balance may precede the column
  ///     names.
  ///   - numbersRepeats: true to give the second column with the same name a distinct name:
  ///     `Distance 2`.
  ///   - isNamed: returns true if a first row contains the column names.
  /// - Throws: `ImportRefusal` if the file can't be read.
  init(
    _ file: ImportFile, orNamed names: [String] = [], skipsFirstLine: Bool = false,
    skipsPreamble: Bool = false, numbersRepeats: Bool = false,
    isNamed: ([String]) -> Bool = { _ in true }
  ) throws {
    self.file = file
    do {
      let handle = try FileHandle(forReadingFrom: file.url)
      let head = [UInt8](try handle.read(upToCount: 4096) ?? Data())
      try handle.close()
      var bytes = try TextBytes(file.url)
      let separator = Self.separator(of: head)
      hasSemicolons = separator == UInt8(ascii: ";")
      rows = CSVRows(separator: separator) { try bytes.readChunk() }
      if skipsFirstLine || Self.toldSeparator(head) != nil { _ = try rows.next() }
      preambleCount = skipsPreamble ? Self.preamble(head, separator) : 0
      for _ in 0..<preambleCount { _ = try rows.next() }
      let row = try rows.next()
      isHeaderUnclosed = row?.isUnclosed ?? false
      var first = row?.fields ?? []
      // Samsung writes a byte order mark after its first line.
      if let name = first.first, name.unicodeScalars.first?.value == 0xFEFF {
        first[0] = String(name.unicodeScalars.dropFirst())
      }
      if !first.isEmpty, !isNamed(first) {
        unread = row
        first = names
      }
      if numbersRepeats { first = Self.numbered(first) }
      let columns = Self.columns(first)
      self.columns = columns
      let header = first.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
      self.header = header
      nameless = Set(
        header.indices.filter { header[$0].isEmpty || columns[header[$0].lowercased()] != $0 })
    } catch {
      throw ImportRefusal(
        place: "\(file.name):1", message: "the file can’t be read: \(error.localizedDescription)")
    }
  }

  /// Refuses an empty table.
  ///
  /// - Throws: `ImportRefusal` if there isn't even a first row.
  func refuseEmpty() throws(ImportRefusal) {
    guard header.isEmpty else { return }
    throw ImportRefusal(place: "\(file.name):1", message: "the file is empty")
  }

  /// Reports the columns that aren't read.
  ///
  /// - Parameters:
  ///   - sink: receives the warnings.
  ///   - isKnown: returns true if a column is read, or has no meaning of its own; the name is in
  ///     lower case.
  func tellUnread(into sink: any ImportSink, isKnown: (String) -> Bool) {
    let unread = header.filter { !$0.isEmpty && !isKnown($0.lowercased()) }.prefix(20)
    guard !unread.isEmpty else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: "\(file.name):1",
        message: "skipped columns: "
          + unread.map { FieldError.shown($0) }.joined(separator: ", ")))
  }

  /// Returns the lower-case column names of the table that begins with these bytes, or an empty set
  /// if they don't begin a table.
  static func columns(ofHead head: [UInt8]) -> Set<String> {
    var rest: [UInt8]? = HeadText.plain(head)
    var rows = CSVRows(separator: separator(of: head)) {
      defer { rest = nil }
      return rest
    }
    if toldSeparator(head) != nil { _ = try? rows.next() }
    guard let first = try? rows.next(), first.fields.count > 1 else { return [] }
    return Set(columns(first.fields).keys)
  }

  /// Returns the row of column names of the table that begins with these bytes, which is the first
  /// one unless `skipsPreamble` is true, and the complete rows below it.
  static func beginning(
    ofHead head: [UInt8], isWhole: Bool, skipsPreamble: Bool = false
  ) -> (header: [String], rows: [[String]]) {
    var rest: [UInt8]? = HeadText.plain(head)
    var reader = CSVRows(separator: separator(of: head)) {
      defer { rest = nil }
      return rest
    }
    var rows: [[String]] = []
    if toldSeparator(head) != nil { _ = try? reader.next() }
    if skipsPreamble {
      for _ in 0..<preamble(head, separator(of: head)) { _ = try? reader.next() }
    }
    while let row = try? reader.next(), rows.count < 100 {
      if row.isUnclosed || row.isTooLong { break }
      rows.append(row.fields)
    }
    if !isWhole, rows.count > 1 { rows.removeLast() }
    guard let header = rows.first else { return ([], []) }
    return (
      header.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }, Array(rows.dropFirst())
    )
  }

  /// The maximum number of rows before the column names.
  private static let preambleLimit = 20

  /// Returns the number of rows before the one with the column names.
  ///
  /// Banks and devices write the account, the balance or the owner there. Such rows have at most
  /// half as many cells. The row with the names contains no dates and numbers, and the row below it
  /// has a date and as many cells. If the first rows are a table of their own, nothing is skipped.
  private static func preamble(_ head: [UInt8], _ separator: UInt8) -> Int {
    var rest: [UInt8]? = HeadText.plain(head)
    var reader = CSVRows(separator: separator) {
      defer { rest = nil }
      return rest
    }
    if toldSeparator(head) != nil { _ = try? reader.next() }
    var rows: [[String]] = []
    while rows.count < preambleLimit + 2, let row = try? reader.next(), !row.isUnclosed,
      !row.isTooLong
    {
      rows.append(row.fields.map { $0.trimmingCharacters(in: .whitespacesAndNewlines) })
    }
    func width(_ row: [String]) -> Int { (row.lastIndex { !$0.isEmpty } ?? -1) + 1 }
    func hasDay(_ row: [String]) -> Bool { row.contains { TableMoment.isDay($0) } }
    var widest = 0
    for (index, (row, next)) in zip(rows, rows.dropFirst()).enumerated() {
      let areNames = !row.contains { TableMoment.isDay($0) || TableNumbers.isNumber($0) }
      if areNames, row.count == next.count, row.count > 1, hasDay(next) {
        return widest > 0 && width(row) >= 4 && widest * 2 <= width(row) ? index : 0
      }
      widest = max(widest, width(row))
    }
    return 0
  }

  /// Returns the first rows below the column names.
  ///
  /// - Parameters:
  ///   - count: the maximum number of rows.
  ///   - size: the number of bytes after which reading stops.
  /// - Returns: the rows.
  /// - Throws: an error if the file can't be read.
  mutating func firstRows(_ count: Int, size: Int = 8 << 20) throws -> [[String]] {
    var found: [[String]] = []
    while found.count < count, rows.offset < size, let row = try rows.next() {
      if !row.isTooLong, !row.isUnclosed { found.append(row.fields) }
    }
    return found
  }

  /// Returns the reason why not even the first row below the column names can be read, or nil if it
  /// can.
  ///
  /// - Returns: the reason, with its place.
  /// - Throws: an error if the file can't be read.
  mutating func damage() throws -> ImportRefusal? {
    let unclosed = "the quote that opens here is never closed. Close it and import again"
    if isHeaderUnclosed { return ImportRefusal(place: "\(file.name):1", message: unclosed) }
    guard let row = try takeUnread() ?? rows.next(), row.isUnclosed || row.isTooLong else {
      return nil
    }
    return ImportRefusal(
      place: "\(file.name):\(row.line)",
      message: row.isTooLong ? "the row is longer than 16 MiB" : unclosed)
  }

  /// Returns the column names, with a number appended to repeated ones.
  static func numbered(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    var next: [String: Int] = [:]
    return names.map { name in
      let plain = name.trimmingCharacters(in: .whitespacesAndNewlines)
      var own = plain
      var number = next[plain.lowercased()] ?? 2
      while !plain.isEmpty, !seen.insert(own.lowercased()).inserted {
        own = "\(plain) \(number)"
        number += 1
      }
      next[plain.lowercased()] = number
      return own
    }
  }

  private static func columns(_ names: [String]) -> [String: Int] {
    let keys = names.map { $0.trimmingCharacters(in: .whitespacesAndNewlines).lowercased() }
    return Dictionary(zip(keys, keys.indices)) { first, _ in first }
  }

  /// Returns the separator by the first line that has one; a spreadsheet saves tables with semicolons
  /// or tabs in countries with decimal commas.
  private static func separator(of head: [UInt8]) -> UInt8 {
    if let told = toldSeparator(head) { return told }
    let choices = [UInt8(ascii: ","), UInt8(ascii: ";"), 0x09]
    // A title may stand alone before the table.
    let lines = head.split { $0 == 0x0A || $0 == 0x0D }
    let first = lines.first { line in choices.contains { line.contains($0) } } ?? []
    return choices.max { one, other in
      first.count(where: { $0 == one }) < first.count(where: { $0 == other })
    } ?? UInt8(ascii: ",")
  }

  /// Returns the separator in a first line such as `sep=;`, which programs write for Excel; nil if
  /// there is none.
  private static func toldSeparator(_ head: [UInt8]) -> UInt8? {
    let first = Array(HeadText.plain(head).prefix { $0 != 0x0A && $0 != 0x0D }.prefix(6))
    guard first.count == 5, String(decoding: first[..<4], as: UTF8.self).lowercased() == "sep=",
      ",;|\t".utf8.contains(first[4])
    else { return nil }
    return first[4]
  }

  /// Passes on the rows below the first in order, and reports unreadable ones to the sink.
  ///
  /// - Throws: Any error from reading the file, and any error that `body` throws.
  mutating func forEach(into sink: any ImportSink, _ body: (Row) throws -> Void) throws {
    while let row = try takeUnread() ?? rows.next() {
      sink.reach(rows.offset)
      let place = "\(file.name):\(row.line)"
      if row.isTooLong {
        sink.diagnose(
          Diagnostic(.skipped, place: place, message: "skipped: the row is longer than 16 MiB"))
        continue
      }
      if row.isUnclosed {
        sink.diagnose(
          Diagnostic(
            .skipped, place: place,
            message:
              "skipped: a quote opened in this row is never closed and runs to the end of the "
              + "file. Close it and import again"))
        continue
      }
      if row.isWindowsLatin, !isLatinTold {
        isLatinTold = true
        sink.diagnose(
          Diagnostic(
            .note, place: place,
            message: "the text isn’t UTF-8; this row and others like it were read as Windows-1252")
        )
      }
      if !isStrayTold, let stray = stray(row.fields) {
        isStrayTold = true
        sink.diagnose(
          Diagnostic(
            .note, place: place,
            message:
              "\(FieldError.shown(stray)) isn’t in a column with a unique name. This value and "
              + "others like it were skipped. Put text that contains the separator in quotes"))
      }
      try body(Row(columns: columns, fields: row.fields, line: row.line))
    }
  }

  private mutating func takeUnread() -> CSVRows.Row? {
    defer { unread = nil }
    return unread
  }

  /// Returns a cell with contents that doesn't belong to any column, if there is one.
  private func stray(_ fields: [String]) -> String? {
    guard fields.count > header.count || !nameless.isEmpty else { return nil }
    let loose = fields.indices.filter { $0 >= header.count || nameless.contains($0) }
    return loose.lazy.map { fields[$0].trimmingCharacters(in: .whitespacesAndNewlines) }
      .first { !$0.isEmpty }
  }
}

/// A sink that discards everything, for examining a file before it is read.
final class SilentSink: ImportSink {
  func take(_ record: ImportedRecord) {}
  func diagnose(_ diagnostic: Diagnostic) {}
}
