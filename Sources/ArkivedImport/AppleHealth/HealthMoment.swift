import ArkivedCore
import Foundation

/// A moment as Apple Health writes it: `2016-11-14 07:25:41 -0700`.
///
/// The offset is that of the phone's clock, so the date and time as written are local.
struct HealthMoment: Hashable {
  /// Seconds since 1970-01-01T00:00:00Z.
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

  /// Returns the same moment in another zone.
  func inZone(_ zone: Zone) -> HealthMoment {
    HealthMoment(seconds: seconds, offset: zone.offset(at: instant))
  }

  /// Returns the zone for the offset if the home zone has a different offset at that moment:
  /// `Etc/GMT+7` is seven hours west.
  ///
  /// Offsets that aren't whole hours count as home.
  func zone(home: Zone) -> Zone {
    if home.offset(at: instant) == offset { return home }
    guard offset % 3600 == 0, abs(offset) <= 14 * 3600 else { return home }
    let hours = offset / 3600
    return hours == 0 ? .utc : Zone("Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))") ?? home
  }
}

extension HealthMoment {
  /// Parses the forms that iOS releases have written.
  ///
  /// Accepts spaces or `T`, `Z` or an offset with or without a colon, no separators
  /// (`20140916211911-0500`), and the 12-hour clock that some regions' settings produce.
  ///
  /// - Parameter text: a NUL-terminated string.
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

  /// Parses the same forms; returns nil without a text.
  init?(_ text: String?) {
    guard let text, let moment = text.withCString({ HealthMoment(cString: $0) }) else { return nil }
    self = moment
  }
}

/// A reader of fixed numbers of digits.
private struct DigitReader {
  private var rest: UnsafePointer<CChar>

  init(_ text: UnsafePointer<CChar>) { rest = text }

  private static func digit(_ byte: CChar) -> Int? {
    (0x30...0x39).contains(byte) ? Int(byte) - 0x30 : nil
  }

  mutating func number(_ count: Int) -> Int? {
    var value = 0
    for index in 0..<count {
      // The terminating NUL isn't a digit, so nothing past it is read.
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
    // Skips a space or a no-break space: U+00A0 or U+202F.
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

  /// Reads `AM` or `p.m.` and returns true for the second half of the day, or nil if neither
  /// follows.
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

  /// Reads an offset in seconds east of UTC that ends the text.
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
