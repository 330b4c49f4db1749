import ArkivedCore
import Foundation

/// Reads the columns of a row by their meaning.
struct TenWeekFields {
  let row: InterchangeRow
  let table: TenWeekTable
  private let homeZone: Zone

  init(_ table: TenWeekTable, _ row: InterchangeRow, _ homeZone: Zone) {
    self.table = table
    self.row = row
    self.homeZone = homeZone
  }

  /// Returns the name of the column with a meaning, for messages.
  func name(_ meaning: String) -> String {
    let names = table.field(meaning)?.names ?? [meaning]
    return names.first { row[$0] != nil } ?? meaning
  }

  /// Returns the value of the first column with a meaning that isn't empty.
  static func value(
    _ meaning: String, _ table: TenWeekTable, _ row: InterchangeRow
  ) -> InterchangeValue? {
    let values = (table.field(meaning)?.names ?? [meaning]).compactMap { row[$0] }
    return values.first { !$0.isNull } ?? values.first
  }

  private func value(_ meaning: String) -> InterchangeValue {
    TenWeekFields.value(meaning, table, row) ?? .null
  }

  func text(_ meaning: String) throws(FieldError) -> String? {
    switch value(meaning) {
    case .null: return nil
    case .text(let text): return text.isEmpty ? nil : text
    case .integer(let number): return "\(number)"
    case .real(let number): return AmountText.plain(number)
    case .brokenText: throw FieldError(name(meaning), "isn’t valid UTF-8 text")
    case .blob: throw FieldError(name(meaning), "contains bytes instead of text")
    }
  }

  func number(_ meaning: String) throws(FieldError) -> Double? {
    let number: Double?
    switch value(meaning) {
    case .null: return nil
    case .integer(let value): number = Double(value)
    case .real(let value): number = value
    case .text(let text):
      if text.isEmpty { return nil }
      number = Double(text)
    case .brokenText, .blob: number = nil
    }
    guard let number, number.isFinite else {
      throw FieldError(name(meaning), "is \(shown(meaning)), but must be a finite number")
    }
    return number
  }

  func whole(_ meaning: String) throws(FieldError) -> Int? {
    guard let number = try number(meaning) else { return nil }
    guard let whole = Int(exactly: number) else {
      throw FieldError(name(meaning), "is \(shown(meaning)), but must be a whole number")
    }
    return whole
  }

  func time(_ meaning: String) throws(FieldError) -> TenWeekTime? {
    guard let text = try text(meaning) else { return nil }
    let isStamp = ["created_at", "updated_at", "archived_at"].contains(meaning)
    guard let time = TenWeekTime(text, homeZone, isStamp: isStamp) else {
      throw FieldError(
        name(meaning),
        "is \(FieldError.shown(text)), but must be a day or time such as 2026-03-14T09:30:00")
    }
    return time
  }

  func measurements() throws(FieldError) -> [String: Double] {
    let meaning = "measurement_units_by_amount"
    guard let text = try text(meaning) else { return [:] }
    guard let json = try? JSON(parsing: text) else {
      throw FieldError(meaning, "is \(FieldError.shown(text)), which isn’t valid JSON")
    }
    if json == .null { return [:] }
    guard let object = json.object else {
      throw FieldError(meaning, "must be an object of amounts, not \(json.typeName)")
    }
    var amounts: [String: Double] = [:]
    for (unit, value) in object.members {
      guard let amount = value.double, amount.isFinite else {
        throw FieldError(meaning, "contains \(value.typeName) for \(FieldError.shown(unit))")
      }
      amounts[unit] = amount
    }
    return amounts
  }

  /// Returns a list of texts; a text that isn't a list becomes a list of one.
  func list(_ meaning: String) throws(FieldError) -> [String] {
    guard let text = try text(meaning) else { return [] }
    guard let json = try? JSON(parsing: text) else {
      guard !text.hasPrefix("["), !text.hasPrefix("{") else {
        throw FieldError(meaning, "is \(FieldError.shown(text)), which isn’t valid JSON")
      }
      return [text]
    }
    switch json {
    case .null: return []
    case .array(let elements): return elements.map { $0.string ?? $0.text() }
    case .string(let text): return [text]
    default: return [json.text()]
    }
  }

  /// Returns the type of a goal.
  ///
  /// One column says `SmartGoal`, the other `smart_goal`; if both exist and differ, the one that
  /// isn't the default of a new row counts.
  func goalType() throws(FieldError) -> GoalType {
    var types: [GoalType] = []
    for name in table.field("goal_type")?.names ?? [] {
      guard let text = row[name]?.text, !text.isEmpty else { continue }
      let folded = text.lowercased().filter { $0 != "_" && $0 != " " }
      types.append(
        GoalType.known.first { $0.rawValue.lowercased() == folded } ?? GoalType(rawValue: text))
    }
    return types.first { $0 != .goal } ?? .goal
  }

  private func shown(_ meaning: String) -> String {
    switch value(meaning) {
    case .text(let text): FieldError.shown(text)
    case .real(let number): "\(number)"
    case .integer(let number): "\(number)"
    default: "no number"
    }
  }
}

/// A day or time as Ten Week writes it.
///
/// It is `2026-03-14`; `2026-03-14T09:30:00` in Python, in home time; or `2026-03-14 08:30:00.123`
/// in Swift, in UTC (GRDB's date format).
struct TenWeekTime: Hashable, Sendable {
  let instant: Instant
  /// The local day: at the place of the time's UTC offset, or else at home.
  let day: DayKey
  /// The zone of its offset, if clocks at home had another.
  ///
  /// It is nil for home, and also if no zone of the IANA database has just this offset, because
  /// they exist for whole hours.
  let zone: Zone?

  /// Parses a day or time.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - homeZone: the home time zone.
  ///   - isStamp: true in a column that SQLite may have filled by itself, in UTC and with a space
  ///     (`CURRENT_TIMESTAMP`).
  init?(_ text: String, _ homeZone: Zone, isStamp: Bool = false) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if let day = DayKey(text) {
      self.day = day
      zone = nil
      instant = homeZone.start(of: day)
      return
    }
    guard let parsed = ISODateTime(text) else { return nil }
    let fraction = Int64(parsed.fraction)
    let offsetSeconds = parsed.offsetSeconds ?? (Self.isUTC(text, isStamp) ? 0 : nil)
    guard let offset = offsetSeconds else {
      let start = homeZone.instant(of: parsed.wall)
      instant = Instant(milliseconds: start.milliseconds + fraction)
      day = parsed.wall.day
      zone = nil
      return
    }
    instant = Instant(milliseconds: parsed.wall.milliseconds + fraction).adding(seconds: -offset)
    day = offset == 0 ? homeZone.dayKey(at: instant) : parsed.wall.day
    // UTC says when, but not where.
    zone = offset == 0 || offset == homeZone.offset(at: instant) ? nil : Self.zone(of: offset)
  }

  /// Returns true if SQLite or GRDB wrote a time without an offset; Python writes six fractional
  /// digits, GRDB three.
  private static func isUTC(_ text: String, _ isStamp: Bool) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts[0].utf8.count == 19, parts[0].utf8.dropFirst(10).first == UInt8(ascii: " ") else {
      return false
    }
    return parts.count == 2 ? parts[1].utf8.count == 3 : isStamp
  }

  /// Returns the zone of an offset; the sign of these names is reversed.
  private static func zone(of offset: Int) -> Zone? {
    guard offset % 3_600 == 0 else { return nil }
    return Zone("Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset) / 3_600)")
  }

  /// Returns true if a text without an offset is the local time of a zone at an instant.
  ///
  /// In the hour that is repeated in autumn, it matches two instants, and parsing it returns the
  /// first.
  static func shows(_ instant: Instant, _ text: String, _ zone: Zone) -> Bool {
    guard let parsed = ISODateTime(text), parsed.offsetSeconds == nil, !isUTC(text, false) else {
      return false
    }
    let shown = instant.adding(seconds: zone.offset(at: instant))
    return parsed.wall.milliseconds + Int64(parsed.fraction) == shown.milliseconds
  }

  /// Returns the local time of a zone at an instant.
  ///
  /// It contains no offset, because Ten Week compares it with days, and its Python can't compare
  /// times with and without an offset.
  static func text(_ instant: Instant, _ zone: Zone) -> String {
    String(instant.adding(seconds: zone.offset(at: instant)).description.dropLast())
  }

  /// Returns the same text with the offset, for comparison.
  static func exactText(_ instant: Instant, _ zone: Zone) -> String {
    "\(text(instant, zone)) \(zone.offset(at: instant))"
  }
}
