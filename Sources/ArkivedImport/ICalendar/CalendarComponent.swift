import Foundation

/// The properties of a calendar component that Arkived reads (RFC 5545 §3.8, RFC 7986).
enum CalendarProperty: String, CaseIterable {
  case attendee = "ATTENDEE"
  case categories = "CATEGORIES"
  case description = "DESCRIPTION"
  case end = "DTEND"
  case start = "DTSTART"
  case duration = "DURATION"
  case excludedDate = "EXDATE"
  case geo = "GEO"
  case lastModified = "LAST-MODIFIED"
  // Tasks.
  case completed = "COMPLETED"
  case due = "DUE"
  case percent = "PERCENT-COMPLETE"
  case relatedTo = "RELATED-TO"
  case location = "LOCATION"
  case organizer = "ORGANIZER"
  case recurrenceDate = "RDATE"
  case recurrenceID = "RECURRENCE-ID"
  case recurrenceRule = "RRULE"
  case sequence = "SEQUENCE"
  case status = "STATUS"
  case summary = "SUMMARY"
  case uid = "UID"
  // Links and remarks, which go into the description.
  case attachment = "ATTACH"
  case comment = "COMMENT"
  case conference = "CONFERENCE"
  case contact = "CONTACT"
  case googleConference = "X-GOOGLE-CONFERENCE"
  case teamsConference = "X-MICROSOFT-SKYPETEAMSMEETINGURL"
  case url = "URL"
  // Time zones.
  case zoneID = "TZID"
  case zoneLocation = "X-LIC-LOCATION"
  case offsetFrom = "TZOFFSETFROM"
  case offsetTo = "TZOFFSETTO"
  case begin = "BEGIN"
  case finish = "END"

  private static let byLength: [[(name: [UInt8], property: CalendarProperty)]] = {
    var table: [[(name: [UInt8], property: CalendarProperty)]] = Array(repeating: [], count: 40)
    for property in allCases {
      let name = Array(property.rawValue.utf8)
      table[name.count].append((name, property))
    }
    return table
  }()

  /// Creates the property with a content line's name, ignoring case.
  init?(name: ArraySlice<UInt8>) {
    guard name.count < Self.byLength.count else { return nil }
    for candidate in Self.byLength[name.count]
    where name.elementsEqual(candidate.name, by: { CalendarText.upper($0) == $1 }) {
      self = candidate.property
      return
    }
    return nil
  }
}

/// Functions on the bytes of content lines.
enum CalendarText {
  @inline(__always)
  static func upper(_ byte: UInt8) -> UInt8 { byte >= 0x61 && byte <= 0x7A ? byte - 32 : byte }

  /// Returns a content line's name: the text before the first `;` or `:`, trimmed.
  static func name(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = line.firstIndex(where: { $0 == 0x3A || $0 == 0x3B }) else { return nil }
    return trimmed(line[line.startIndex..<end])
  }

  /// Returns the start of a content line's value: after the first `:` outside quotes, or else after
  /// the first.
  static func valueStart(_ line: ArraySlice<UInt8>) -> Int? {
    var isQuoted = false
    for index in line.indices {
      switch line[index] {
      case 0x22: isQuoted.toggle()
      case 0x3A where !isQuoted: return index + 1
      default: break
      }
    }
    return line.firstIndex(of: 0x3A).map { $0 + 1 }
  }

  /// Returns a content line's value as text, with its escapes unchanged.
  static func value(_ line: ArraySlice<UInt8>) -> String {
    guard let start = valueStart(line) else { return "" }
    return String(decoding: trimmed(line[start...]), as: UTF8.self)
  }

  /// Returns a content line with repaired parameters and a trimmed value.
  ///
  /// Empty parameters, white space around parameters and parameters without a value are removed, as
  /// are white space and `;` at either end of the value.
  static func cleaned(_ line: ArraySlice<UInt8>) -> [UInt8] {
    guard let start = valueStart(line), let name = name(line) else { return Array(line) }
    var parts: [ArraySlice<UInt8>] = []
    var isQuoted = false
    var from = line.startIndex
    for index in line.startIndex..<start {
      if line[index] == 0x22 { isQuoted.toggle() }
      guard index == start - 1 || (line[index] == 0x3B && !isQuoted) else { continue }
      parts.append(line[from..<index])
      from = index + 1
    }
    var result = Array(name)
    for part in parts.dropFirst() {
      guard let equals = part.firstIndex(of: 0x3D) else { continue }
      let key = trimmed(part[part.startIndex..<equals])
      let value = trimmed(part[(equals + 1)...])
      guard !key.isEmpty, !value.isEmpty else { continue }
      result.append(0x3B)
      result.append(contentsOf: key)
      result.append(0x3D)
      result.append(contentsOf: value)
    }
    result.append(0x3A)
    var value = trimmed(line[start...])
    while let last = value.last, last == 0x3B || last == 0x20 { value.removeLast() }
    result.append(contentsOf: value)
    return result
  }

  /// Returns a rule whose INTERVAL exceeds libical's 16 bits with one that fits, along with the
  /// original interval; returns nil for any other rule.
  static func withoutLongInterval(
    _ line: ArraySlice<UInt8>
  ) -> (line: [UInt8], interval: Int)? {
    guard line.count < 10_000 else { return nil }
    let text = String(decoding: line, as: UTF8.self).uppercased()
    guard let name = text.range(of: "INTERVAL=") else { return nil }
    let digits = text[name.upperBound...].prefix { $0.isASCII && $0.isNumber }
    let interval = Int(digits) ?? (digits.isEmpty ? 0 : .max)
    guard interval > Int(Int16.max) else { return nil }
    let short = text[..<name.upperBound] + "1" + text[digits.endIndex...]
    return (Array(short.utf8), min(interval, 1 << 31))
  }

  /// Splits a line whose value is a list into lines with at most `limit` values each.
  static func split(_ line: ArraySlice<UInt8>, every limit: Int) -> [[UInt8]] {
    guard let start = valueStart(line) else { return [Array(line)] }
    let head = Array(line[line.startIndex..<start])
    var result: [[UInt8]] = []
    var from = start
    var count = 0
    for index in start..<line.endIndex
    where line[index] == 0x2C && (index == start || line[index - 1] != 0x5C) {
      count += 1
      guard count == limit else { continue }
      result.append(head + line[from..<index])
      from = index + 1
      count = 0
    }
    result.append(head + line[from...])
    return result
  }

  /// Returns the value of a content line's parameter, without quotes; nil if there is none.
  static func parameter(_ name: String, of line: ArraySlice<UInt8>) -> String? {
    guard let start = valueStart(line) else { return nil }
    var isQuoted = false
    let parts = line[..<(start - 1)].split { byte in
      if byte == 0x22 { isQuoted.toggle() }
      return byte == 0x3B && !isQuoted
    }
    for part in parts.dropFirst() {
      guard let equals = part.firstIndex(of: 0x3D),
        String(decoding: trimmed(part[..<equals]), as: UTF8.self).uppercased() == name
      else { continue }
      let value = String(decoding: trimmed(part[(equals + 1)...]), as: UTF8.self)
      return value.filter { $0 != "\"" }
    }
    return nil
  }

  /// Returns a text value without its escapes (RFC 5545 §3.3.11).
  static func unescaped(_ text: String) -> String {
    var result = ""
    var isEscaped = false
    for character in text {
      if isEscaped {
        result.append(character == "n" || character == "N" ? "\n" : character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        result.append(character)
      }
    }
    return result
  }

  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var bytes = bytes
    while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
    while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
    return bytes
  }
}

/// A component as in the file, with the lines that Arkived reads.
struct CalendarComponent {
  /// The kinds that are read; others are skipped.
  enum Kind: String {
    case event = "VEVENT"
    case journal = "VJOURNAL"
    case task = "VTODO"
    case timeZone = "VTIMEZONE"
  }

  struct Line {
    let property: CalendarProperty
    /// The number of the physical line on which it starts.
    let number: Int
    /// Its range in `text`.
    let range: Range<Int>
  }

  let kind: Kind
  /// The line number of its BEGIN.
  let number: Int
  /// The index of the calendar object in the file that contains it, from 0.
  let calendar: Int
  private(set) var text: [UInt8] = []
  private(set) var lines: [Line] = []
  /// The first line that isn't a property.
  private(set) var unreadableLine: Int?
  /// The first line that was skipped because of its length.
  private(set) var tooLongLine: Int?
  private(set) var encodingNote: String?

  /// The size limit of a component in bytes; anything beyond it is skipped.
  static let sizeLimit = 64 << 20

  init(kind: Kind, number: Int, calendar: Int) {
    self.kind = kind
    self.number = number
    self.calendar = calendar
  }

  mutating func noteUnreadable(_ number: Int) { unreadableLine = unreadableLine ?? number }

  mutating func noteTooLong(_ number: Int) { tooLongLine = tooLongLine ?? number }

  mutating func append(_ property: CalendarProperty, _ line: [UInt8], number: Int) {
    guard text.count + line.count <= Self.sizeLimit else {
      noteTooLong(number)
      return
    }
    let start = text.count
    text.append(contentsOf: line)
    lines.append(Line(property: property, number: number, range: start..<text.count))
  }

  /// Returns the line of a property's first occurrence, or else of the component's BEGIN.
  func line(of property: CalendarProperty) -> Int {
    lines.first { $0.property == property }?.number ?? number
  }

  func bytes(of line: Line) -> ArraySlice<UInt8> { text[line.range] }

  /// Returns the raw value of a property's first occurrence.
  func value(of property: CalendarProperty) -> String? {
    guard let line = lines.first(where: { $0.property == property }) else { return nil }
    return CalendarText.value(bytes(of: line))
  }

  /// Converts the text to UTF-8 without control characters, and reports the changes.
  mutating func repairText() {
    var notes: [String] = []
    if !isValidUTF8 {
      rewrite { WindowsLatin.utf8($0) }
      notes.append("its text isn’t UTF-8 and was read as Windows-1252")
    }
    let hasControls = text.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    if hasControls {
      rewrite { line in line.filter { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F } }
      notes.append("control characters were removed")
    }
    if !notes.isEmpty { encodingNote = notes.joined(separator: "; ") }
  }

  private var isValidUTF8: Bool {
    if text.allSatisfy({ $0 < 0x80 }) { return true }
    return String(validating: text, as: UTF8.self) != nil
  }

  private mutating func rewrite(_ change: (ArraySlice<UInt8>) -> [UInt8]) {
    let old = self
    text = []
    lines = []
    for line in old.lines {
      append(line.property, change(old.bytes(of: line)), number: line.number)
    }
  }
}
