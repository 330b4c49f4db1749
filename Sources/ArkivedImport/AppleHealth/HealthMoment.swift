import ArkivedCore
import Foundation

/// A moment as Apple Health writes it: `2016-11-14 07:25:41 -0700`.
///
/// The offset is that of the phone's clock, so that date and time as written are the local ones.
struct HealthMoment: Hashable {
  /// Since 1970-01-01T00:00:00Z.
  var seconds: Int
  /// Seconds east of UTC.
  var offset: Int

  var instant: Instant { Instant(milliseconds: Int64(seconds) * 1000) }

  /// Seconds since 1970-01-01T00:00:00 by the local clock.
  var local: Int { seconds + offset }

  /// The local day, counted from 1970-01-01.
  var day: Int { HealthMoment.day(ofLocal: local) }

  static func day(ofLocal seconds: Int) -> Int {
    seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
  }

  /// The same moment by the clocks of another zone.
  func inZone(_ zone: Zone) -> HealthMoment {
    HealthMoment(seconds: seconds, offset: zone.offset(at: instant))
  }

  /// The zone of an offset where the home zone has another one then: `Etc/GMT+7` is seven hours
  /// west. Half hours have none; they count as home.
  func zone(home: Zone) -> Zone {
    if home.offset(at: instant) == offset { return home }
    guard offset % 3600 == 0, abs(offset) <= 14 * 3600 else { return home }
    let hours = offset / 3600
    return hours == 0 ? .utc : Zone("Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))") ?? home
  }
}

extension HealthMoment {
  /// Reads the forms that releases of iOS have written: with spaces or with `T`, with `Z`, an offset
  /// with or without a colon, without separators (`20140916211911-0500`), and with a clock of twelve
  /// hours, which some regions' settings bring about.
  ///
  /// - Parameter text: ends with a zero.
  init?(cString text: UnsafePointer<CChar>) {
    var reader = DigitReader(text)
    guard let year = reader.number(4), (1900...2200).contains(year) else { return nil }
    let isPlain = !reader.skip("-")
    guard let month = reader.number(2), isPlain || reader.skip("-"), let day = reader.number(2),
      isPlain || reader.skip(" ") || reader.skip("T"),
      let date = DayKey(year: year, month: month, day: day),
      var hour = isPlain ? reader.number(2) : reader.upToTwo(), isPlain || reader.skip(":"),
      let minute = reader.number(2), isPlain || reader.skip(":"), let second = reader.number(2),
      minute < 60, second <= 60
    else { return nil }
    reader.skipFraction()
    if let isAfternoon = reader.half() {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + (isAfternoon ? 12 : 0)
    }
    guard hour < 24, let offset = reader.offset() else { return nil }
    self.offset = offset
    seconds = date.daysSinceEpoch * 86_400 + hour * 3600 + minute * 60 + min(second, 59) - offset
  }

  /// The same; nil where there is no text.
  init?(_ text: String?) {
    guard let text, let moment = text.withCString({ HealthMoment(cString: $0) }) else { return nil }
    self = moment
  }
}

/// Reads fixed numbers of digits.
private struct DigitReader {
  private var rest: UnsafePointer<CChar>

  init(_ text: UnsafePointer<CChar>) { rest = text }

  private static func digit(_ byte: CChar) -> Int? {
    (0x30...0x39).contains(byte) ? Int(byte) - 0x30 : nil
  }

  mutating func number(_ count: Int) -> Int? {
    var value = 0
    for index in 0..<count {
      // A zero at the end of the text is no digit, so that nothing behind it is looked at.
      guard let digit = Self.digit(rest[index]) else { return nil }
      value = value * 10 + digit
    }
    rest += count
    return value
  }

  mutating func upToTwo() -> Int? {
    guard let first = Self.digit(rest[0]) else { return nil }
    guard let second = Self.digit(rest[1]) else {
      rest += 1
      return first
    }
    rest += 2
    return first * 10 + second
  }

  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard UInt32(UInt8(truncatingIfNeeded: rest[0])) == character.value else { return false }
    rest += 1
    return true
  }

  mutating func skipFraction() {
    guard rest[0] == 0x2E else { return }
    rest += 1
    while Self.digit(rest[0]) != nil { rest += 1 }
  }

  private mutating func skipSpaces() {
    // A space, or one that does not break: U+00A0 or U+202F.
    while true {
      if rest[0] == 0x20 {
        rest += 1
      } else if rest[0] == CChar(truncatingIfNeeded: 0xC2),
        rest[1] == CChar(truncatingIfNeeded: 0xA0)
      {
        rest += 2
      } else if rest[0] == CChar(truncatingIfNeeded: 0xE2),
        rest[1] == CChar(truncatingIfNeeded: 0x80),
        rest[2] == CChar(truncatingIfNeeded: 0xAF)
      {
        rest += 3
      } else {
        return
      }
    }
  }

  /// `AM`, `p.m.`: whether it is the second half of the day; nil where neither stands.
  mutating func half() -> Bool? {
    skipSpaces()
    let letter = rest[0] | 0x20
    guard letter == 0x61 || letter == 0x70 else { return nil }
    var next = 1
    while rest[next] == 0x2E || rest[next] == 0x20 { next += 1 }
    guard rest[next] | 0x20 == 0x6D else { return nil }
    rest += next + 1
    while rest[0] == 0x2E { rest += 1 }
    return letter == 0x70
  }

  /// Seconds east of UTC, where nothing follows them.
  mutating func offset() -> Int? {
    skipSpaces()
    if skip("Z") { return rest[0] == 0 ? 0 : nil }
    let isWest = rest[0] == 0x2D
    guard isWest || rest[0] == 0x2B else { return nil }
    rest += 1
    guard let hours = number(2) else { return nil }
    _ = skip(":")
    let minutes = rest[0] == 0 ? 0 : number(2)
    guard let minutes, hours <= 18, minutes < 60, rest[0] == 0 else { return nil }
    return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
  }
}
