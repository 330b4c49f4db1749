package import ArkivedCore
import Foundation

/// The time at which something in an inbox folder was written or recorded, as far as its file
/// shows.
package struct InboxTime: Hashable, Sendable {
  /// The source of the time.
  package enum Origin: Hashable, Sendable {
    /// The front matter of a page.
    case page
    case name
    /// The file's modification date.
    case change
  }

  package let day: DayKey
  /// The instant; nil if only the day is known.
  package let instant: Instant?
  package let zone: Zone
  package let origin: Origin

  private init(day: DayKey, instant: Instant?, zone: Zone, origin: Origin) {
    (self.day, self.instant, self.zone, self.origin) = (day, instant, zone, origin)
  }

  /// Creates the time from the file name, or else from the modification date; it is never in the
  /// future.
  ///
  /// - Parameters:
  ///   - fileName: the file's name.
  ///   - changed: the file's modification date.
  ///   - now: the current time; a wrong clock may have written a later one.
  ///   - home: the home time zone.
  package init(fileName: String, changed: Instant, now: Instant, home: Zone) {
    if let named = Self.named(fileName, home: home), named.isPlausible(now: now) {
      self.init(day: named.day, instant: named.instant, zone: named.zone, origin: .name)
      return
    }
    let instant = min(changed, now)
    self.init(day: home.dayKey(at: instant), instant: instant, zone: home, origin: .change)
  }

  /// Creates the time given by the front matter of a page.
  init(page day: DayKey, instant: Instant?, home: Zone) {
    self.init(day: day, instant: instant, zone: home, origin: .page)
  }

  // MARK: Names

  /// Parses a name like `PhotoTime`, and also `2026-03-05 18.22`, `2026-03-05T1822` and a phone's
  /// milliseconds since 1970, `1772731331000`.
  private static func named(_ name: String, home: Zone) -> PhotoTime? {
    guard let named = PhotoTime(fileName: name, home: home) else {
      return counted(name, home: home)
    }
    guard named.instant == nil, let minute = minute(in: name, after: named.day) else {
      return named
    }
    let wall = WallTime(day: named.day, secondOfDay: minute * 60)
    return PhotoTime(wall: wall, offset: nil, utc: nil, home: home)
  }

  /// Returns the minute of the day that follows the day, if the name has no seconds.
  private static func minute(in name: String, after day: DayKey) -> Int? {
    let stem = InboxName(name).stem
    let written = [day.description, day.description.filter { $0 != "-" }]
    guard let range = written.lazy.compactMap({ stem.range(of: $0) }).first else { return nil }
    let groups = stem[range.upperBound...].split { !("0"..."9").contains($0) }.prefix(2)
    let digits = groups.first?.count == 4 ? String(groups[groups.startIndex]) : groups.joined()
    guard digits.count == 4, groups.allSatisfy({ [2, 4].contains($0.count) }),
      let number = Int(digits), number / 100 < 24, number % 100 < 60
    else { return nil }
    return number / 100 * 60 + number % 100
  }

  private static func counted(_ name: String, home: Zone) -> PhotoTime? {
    let groups = name.split { !("0"..."9").contains($0) }
    guard let digits = groups.first(where: { $0.count == 13 && $0.hasPrefix("1") }),
      let milliseconds = Int64(digits)
    else { return nil }
    return PhotoTime(instant: Instant(milliseconds: milliseconds), home: home)
  }
}
