import ArkivedCore
import Foundation

/// Reads the columns of one row by what they mean.
struct TenWeekFields {
  let row: InterchangeRow
  let table: TenWeekTable
  private let homeZone: Zone

  init(_ table: TenWeekTable, _ row: InterchangeRow, _ homeZone: Zone) {
    self.table = table
    self.row = row
    self.homeZone = homeZone
  }

  /// The column that holds what is meant, for messages.
  func name(_ meaning: String) -> String {
    let names = table.field(meaning)?.names ?? [meaning]
    return names.first { row[$0] != nil } ?? meaning
  }

  /// The first of the columns of a meaning that holds something.
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

  /// A list of texts; a text that is no list is a list of one.
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

  /// One column says `SmartGoal`, the other `smart_goal`; where both are there and differ, the one
  /// that is not what a new row gets by itself is meant.
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

/// A day or time as the relative writes it: `2026-03-14`, `2026-03-14T09:30:00` in Python, where it is the time at
/// home, `2026-03-14 08:30:00.123` in Swift, where it is UTC (GRDB's form of a date).
struct TenWeekTime: Hashable, Sendable {
  let instant: Instant
  /// The local day: there where a time names its offset from UTC, else at home.
  let day: DayKey
  /// The zone of its offset, where clocks at home had another; nil for home, also where no zone of
  /// the IANA database stands for the offset alone, which are those of whole hours.
  let zone: Zone?

  /// - Parameter isStamp: whether it stands in a column that SQLite may have filled by itself, in UTC and with a blank
  ///   (`CURRENT_TIMESTAMP`).
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
    // UTC tells when, not where.
    zone = offset == 0 || offset == homeZone.offset(at: instant) ? nil : Self.zone(of: offset)
  }

  /// Whether SQLite or GRDB wrote a time without an offset. Python writes six fractional digits, GRDB three.
  private static func isUTC(_ text: String, _ isStamp: Bool) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts[0].utf8.count == 19, parts[0].utf8.dropFirst(10).first == UInt8(ascii: " ") else {
      return false
    }
    return parts.count == 2 ? parts[1].utf8.count == 3 : isStamp
  }

  /// The sign of these names is the other way round.
  private static func zone(of offset: Int) -> Zone? {
    guard offset % 3_600 == 0 else { return nil }
    return Zone("Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset) / 3_600)")
  }

  /// Whether a text without an offset is what clocks in a zone show at an instant. In the hour that comes
  /// twice in autumn it is that at two instants, of which reading it gives the first.
  static func shows(_ instant: Instant, _ text: String, _ zone: Zone) -> Bool {
    guard let parsed = ISODateTime(text), parsed.offsetSeconds == nil, !isUTC(text, false) else {
      return false
    }
    let shown = instant.adding(seconds: zone.offset(at: instant))
    return parsed.wall.milliseconds + Int64(parsed.fraction) == shown.milliseconds
  }

  /// The time that clocks in a zone show then. It names no offset: the relative compares it with days, and its Python
  /// can't compare a time that names one with a time that names none.
  static func text(_ instant: Instant, _ zone: Zone) -> String {
    String(instant.adding(seconds: zone.offset(at: instant)).description.dropLast())
  }

  /// The same with the offset, for comparing.
  static func exactText(_ instant: Instant, _ zone: Zone) -> String {
    "\(text(instant, zone)) \(zone.offset(at: instant))"
  }
}
