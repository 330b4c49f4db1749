public import Foundation

/// A point on the UTC time line, in whole milliseconds since 1970-01-01T00:00:00Z.
///
/// Its text form is ISO 8601 in UTC with `Z`; milliseconds are written only if they are not zero.
public struct Instant: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public let milliseconds: Int64

  /// The first instant that the text form can represent (years 1 to 9999).
  public static let earliest = Instant(
    milliseconds: Int64(DayKey.earliest.daysSinceEpoch) * 86_400_000)
  /// The last instant that the text form can represent.
  public static let latest = Instant(
    milliseconds: (Int64(DayKey.latest.daysSinceEpoch) + 1) * 86_400_000 - 1)

  /// Creates an instant from milliseconds since 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Rounds down to the millisecond; dates outside the years 1 to 9999 are clamped.
  public init(_ date: Date) {
    let exact = (date.timeIntervalSince1970 * 1000).rounded(.down)
    guard exact > Double(Instant.earliest.milliseconds) else {
      self = .earliest
      return
    }
    self.init(milliseconds: Int64(min(exact, Double(Instant.latest.milliseconds))))
  }

  /// The instant as Foundation's `Date`.
  public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

  /// Returns true if one instant is before another.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the instant some seconds later, limited to the years 1 to 9999.
  public func adding(seconds: Int) -> Instant {
    let (delta, first) = Int64(seconds).multipliedReportingOverflow(by: 1000)
    let (sum, second) = milliseconds.addingReportingOverflow(delta)
    guard !first, !second else { return seconds < 0 ? .earliest : .latest }
    return min(max(Instant(milliseconds: sum), .earliest), .latest)
  }

  /// Returns the whole seconds to a later instant, rounded down.
  public func seconds(to later: Instant) -> Int {
    let difference = later.milliseconds - milliseconds
    return Int(difference >= 0 ? difference / 1000 : (difference - 999) / 1000)
  }

  /// The text form, such as 2026-03-14T09:30:00Z.
  public var description: String {
    let wall = WallTime(utc: self)
    let rest = Int(((milliseconds % 1000) + 1000) % 1000)
    guard rest != 0 else { return "\(wall)Z" }
    let digits = String(rest)
    return "\(wall).\(String(repeating: "0", count: 3 - digits.count))\(digits)Z"
  }

  /// Parses RFC 3339 / ISO 8601 extended date-times with `Z` or an offset; the fraction is
  /// truncated to milliseconds, and a leap second counts as the second before it.
  public init?(_ text: String) {
    guard let parsed = ISODateTime(text), let offset = parsed.offsetSeconds else { return nil }
    self = Instant(milliseconds: parsed.wall.milliseconds + Int64(parsed.fraction))
      .adding(seconds: -offset)
  }
}

/// The components of an ISO 8601 date-time text, with or without an offset.
package struct ISODateTime: Sendable {
  package let wall: WallTime
  /// In milliseconds, 0–999.
  package let fraction: Int
  /// In seconds east of UTC; nil if the text has no offset (a floating time).
  package let offsetSeconds: Int?

  /// Parses `YYYY-MM-DD(T| )HH:MM[:SS[.fff…]][Z|±HH[:]MM]`; returns nil for other texts.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard (16...64).contains(bytes.count), let day = DayKey(ascii: bytes[..<10]),
      bytes[10] == 0x54 || bytes[10] == 0x74 || bytes[10] == 0x20
    else { return nil }
    var position = 11
    func pair() -> Int? {
      guard position + 1 < bytes.count, (0x30...0x39).contains(bytes[position]),
        (0x30...0x39).contains(bytes[position + 1])
      else { return nil }
      defer { position += 2 }
      return Int(bytes[position] - 0x30) * 10 + Int(bytes[position + 1] - 0x30)
    }
    func skip(_ byte: UInt8) -> Bool {
      guard position < bytes.count, bytes[position] == byte else { return false }
      position += 1
      return true
    }
    guard let hour = pair(), skip(0x3A), let minute = pair() else { return nil }
    var second = 0
    var fraction = 0
    if skip(0x3A) {
      guard let value = pair() else { return nil }
      second = value
      if skip(0x2E) || skip(0x2C) {
        var scale = 100
        var digits = 0
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
          fraction += Int(bytes[position] - 0x30) * scale
          scale /= 10
          digits += 1
          position += 1
        }
        guard digits > 0 else { return nil }
      }
    }
    guard hour < 24, minute < 60, second <= 60 else { return nil }
    var offset: Int?
    if skip(0x5A) || skip(0x7A) {
      offset = 0
    } else if position < bytes.count, bytes[position] == 0x2B || bytes[position] == 0x2D {
      let sign = bytes[position] == 0x2B ? 1 : -1
      position += 1
      guard let hours = pair() else { return nil }
      _ = skip(0x3A)
      let minutes = position < bytes.count ? pair() : 0
      guard let minutes, hours < 24, minutes < 60 else { return nil }
      offset = sign * (hours * 3600 + minutes * 60)
    }
    guard position == bytes.count else { return nil }
    wall = WallTime(day: day, secondOfDay: hour * 3600 + minute * 60 + min(second, 59))
    self.fraction = fraction
    offsetSeconds = offset
  }
}
