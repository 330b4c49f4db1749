import ArkivedCore
import Foundation

/// When a photo was taken: a day, the instant where it is known, and the zone that it was taken in.
///
/// A camera's clock shows local time and says seldom where. Its offset is, in this order: the one
/// that EXIF names (`OffsetTimeOriginal`); the difference from the time of satellites
/// (`GPSDateStamp`, `GPSTimeStamp`) or from the instant that a service kept beside the photo, where
/// it is one that clocks have; else that of the home zone. Of zones with that offset the home zone is
/// taken if it had it then, else a zone that has it always.
struct PhotoTime: Hashable, Sendable {
  let day: DayKey
  let instant: Instant?
  let zone: Zone

  private static let offsetStep = 15 * 60

  /// - Parameters:
  ///   - wall: what the camera's clock showed.
  ///   - utc: the same moment by another clock, if one is known.
  init(wall: WallTime, offset: Int?, utc: Instant?, home: Zone) {
    guard let told = offset ?? utc.flatMap({ Self.offset(of: wall, at: $0) }) else {
      self.init(instant: home.instant(of: wall), zone: home, day: wall.day)
      return
    }
    let instant = Instant(milliseconds: wall.milliseconds - Int64(told) * 1000)
    let zone = Self.zone(offset: told, at: instant, home: home)
    // Where the machine knows no zone of that offset, the day is the camera's all the same.
    self.init(instant: instant, zone: zone, day: wall.day)
  }

  /// An instant that no local time is known of; its day is the one at home.
  init(instant: Instant, home: Zone) {
    self.init(instant: instant, zone: home, day: home.dayKey(at: instant))
  }

  /// A day without a time.
  init(day: DayKey, home: Zone) { (self.day, instant, zone) = (day, nil, home) }

  private init(instant: Instant, zone: Zone, day: DayKey) {
    (self.instant, self.zone, self.day) = (instant, zone, day)
  }

  /// The offset that the difference of two clocks means, if they went alike within five minutes.
  private static func offset(of wall: WallTime, at utc: Instant) -> Int? {
    let difference = Int((wall.milliseconds - utc.milliseconds) / 1000)
    let steps = (Double(difference) / Double(offsetStep)).rounded()
    let offset = Int(steps) * offsetStep
    guard abs(difference - offset) <= 300, abs(offset) <= 14 * 3600 else { return nil }
    return offset
  }

  static func zone(offset: Int, at instant: Instant, home: Zone) -> Zone {
    if home.offset(at: instant) == offset { return home }
    if offset == 0 { return .utc }
    // The names of the IANA database count the other way round.
    if offset % 3600 == 0 {
      let hours = offset / 3600
      return Zone("Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))") ?? home
    }
    let places = [
      -34_200: "Pacific/Marquesas", -12_600: "America/St_Johns", 12_600: "Asia/Tehran",
      16_200: "Asia/Kabul", 19_800: "Asia/Kolkata", 20_700: "Asia/Kathmandu",
      23_400: "Asia/Yangon", 31_500: "Australia/Eucla", 34_200: "Australia/Darwin",
      37_800: "Australia/Adelaide", 45_900: "Pacific/Chatham",
    ]
    return places[offset].flatMap { Zone($0) } ?? home
  }

  /// Whether it can be when a photo was taken: not before there were any, nor in the future.
  func isPlausible(now: Instant) -> Bool {
    day.year >= 1826 && (instant ?? now) <= now.adding(seconds: 86_400)
      && day <= Zone.utc.dayKey(at: now).advanced(by: 1)
  }

  // MARK: Names of files

  /// What the name of a file says: `IMG_20210503_101112.jpg`, `2021-05-03 10.11.12.jpg`,
  /// `Screenshot 2021-05-03 at 10.11.12.png`; `IMG-20210503-WA0001.jpg` has a day alone. Pixel phones
  /// (`PXL_…`) name theirs in UTC.
  init?(fileName: String, home: Zone) {
    let groups = fileName.split { !("0"..."9").contains($0) }.map(String.init)
    for (index, group) in groups.enumerated() {
      var rest = Array(groups[(index + 1)...])
      var digits = group
      if group.count == 4, rest.count >= 2, rest[0].count == 2, rest[1].count == 2 {
        digits += rest[0] + rest[1]
        rest.removeFirst(2)
      } else if group.count == 14 {
        rest.insert(String(group.suffix(6)), at: 0)
        digits = String(group.prefix(8))
      }
      guard digits.count == 8, digits.hasPrefix("19") || digits.hasPrefix("20"),
        let day = DayKey(
          "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
      else { continue }
      guard let second = Self.secondOfDay(rest) else {
        self.init(day: day, home: home)
        return
      }
      let wall = WallTime(day: day, secondOfDay: second)
      if fileName.hasPrefix("PXL_") {
        self.init(instant: Instant(milliseconds: wall.milliseconds), home: home)
      } else {
        self.init(wall: wall, offset: nil, utc: nil, home: home)
      }
      return
    }
    return nil
  }

  private static func secondOfDay(_ groups: [String]) -> Int? {
    var digits = ""
    if let first = groups.first, (6...9).contains(first.count) {
      digits = String(first.prefix(6))
    } else if groups.count >= 3, groups[..<3].allSatisfy({ $0.count == 2 }) {
      digits = groups[..<3].joined()
    }
    guard digits.count == 6, let number = Int(digits), number / 10_000 < 24,
      number / 100 % 100 < 60, number % 100 < 60
    else { return nil }
    return number / 10_000 * 3600 + number / 100 % 100 * 60 + number % 100
  }
}
