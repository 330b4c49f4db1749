import ArkivedCore

/// The values that services write in JSON.
enum ServiceValue {
  static func number(_ json: JSON?) -> Double? {
    guard let json else { return nil }
    let value = json.double ?? json.string.flatMap { Double($0) }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  static func seconds(_ json: JSON?) -> Int? {
    guard let value = number(json), (0...1e9).contains(value) else { return nil }
    return Int(value.rounded())
  }

  /// Returns an identifier, which is a number or a text.
  static func id(_ json: JSON?) -> String? {
    json?.int.map(String.init) ?? JournalEntry.words(json)
  }

  /// Returns milliseconds since 1970 as an instant.
  static func instant(milliseconds json: JSON?) -> Instant? {
    guard let value = number(json), abs(value) < 1e15 else { return nil }
    return JournalEntry.instant(milliseconds: Int64(value))
  }

  /// Parses `2019-08-04T20:28:00.0`, with `T` or a space, as a local time.
  static func wall(_ text: String?) -> WallTime? {
    guard let text else { return nil }
    let parts = text.split { $0 == "T" || $0 == " " }
    guard parts.count >= 2, let day = DayKey(String(parts[0].prefix(10))) else { return nil }
    let clock = parts[1].split { ".+Z".contains($0) }.first ?? ""
    return TableTimes.secondOfDay(String(clock)).map { WallTime(day: day, secondOfDay: $0) }
  }

  /// Parses a UTC time without a zone.
  static func utc(_ text: String?) -> Instant? {
    if let text, let instant = Instant(text) { return instant }
    return wall(text).map { Zone.utc.instant(of: $0) }
  }

  /// Returns an offset such as `UTC+0900` in seconds.
  static func offset(_ text: String?) -> Int? {
    guard let text, let sign = text.firstIndex(where: { "+-".contains($0) }) else { return nil }
    let digits = text[sign...].dropFirst().filter(\.isNumber)
    guard (3...4).contains(digits.count), let value = Int(digits) else { return nil }
    let seconds = value / 100 * 3_600 + value % 100 * 60
    guard seconds <= 50_400 else { return nil }
    return text[sign] == "-" ? -seconds : seconds
  }
}
