import ArkivedCore
import Foundation

/// The time of a photo: a day, the instant if it is known, and its zone.
///
/// A camera's clock shows local time and rarely records the zone. Its offset is, in this order: the
/// one in EXIF (`OffsetTimeOriginal`); the difference from satellite time (`GPSDateStamp`,
/// `GPSTimeStamp`) or from the instant that a service stored with the photo, if such an offset
/// exists; or else that of the home zone. Among zones with that offset, the home zone is chosen if
/// it had the offset at that time, otherwise a zone that always has it.
struct PhotoTime: Hashable, Sendable {
  let day: DayKey
  let instant: Instant?
  let zone: Zone

  private static let offsetStep = 15 * 60

  /// Creates a time from the camera's clock.
  ///
  /// - Parameters:
  ///   - wall: the time by the camera's clock.
  ///   - offset: the minutes between the clock and UTC, if the camera stored them.
  ///   - utc: the same moment by another clock, if one is known.
  ///   - home: the home time zone.
  init(wall: WallTime, offset: Int?, utc: Instant?, home: Zone) {
    guard let told = offset ?? utc.flatMap({ Self.offset(of: wall, at: $0) }) else {
      self.init(instant: home.instant(of: wall), zone: home, day: wall.day)
      return
    }
    let instant = Instant(milliseconds: wall.milliseconds - Int64(told) * 1000)
    let zone = Self.zone(offset: told, at: instant, home: home)
    // Even if the machine knows no zone with that offset, the day is the camera's.
    self.init(instant: instant, zone: zone, day: wall.day)
  }

  /// Creates a time from an instant without local time; its day is the one at home.
  init(instant: Instant, home: Zone) {
    self.init(instant: instant, zone: home, day: home.dayKey(at: instant))
  }

  /// Creates a day without a time.
  init(day: DayKey, home: Zone) { (self.day, instant, zone) = (day, nil, home) }

  private init(instant: Instant, zone: Zone, day: DayKey) {
    (self.instant, self.zone, self.day) = (instant, zone, day)
  }

  /// Returns the offset that explains the difference between two clocks, if they agree within five
  /// minutes.
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
    // The names of the IANA database count in the opposite direction.
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
    let usual = places[offset].flatMap { Zone($0) }
    if let usual, usual.offset(at: instant) == offset { return usual }
    // In summer, the offset may be that of another place, such as Newfoundland's -2:30.
    return PlaceTime.halves.lazy.compactMap { Zone($0) }
      .first { $0.offset(at: instant) == offset } ?? usual ?? home
  }

  /// Returns true if a photo can have been taken then: after the invention of photography and not
  /// in the future.
  func isPlausible(now: Instant) -> Bool {
    day.year >= 1826 && (instant ?? now) <= now.adding(seconds: 86_400)
      && day <= Zone.utc.dayKey(at: now).advanced(by: 1)
  }

  // MARK: File names

  /// Parses a file name such as `IMG_20210503_101112.jpg`, `2021-05-03 10.11.12.jpg`, `Screenshot
  /// 2021-05-03 at 10.11.12.png` or `Screenshot 2021-05-03 at 9.11.12 PM.png`.
  ///
  /// `IMG-20210503-WA0001.jpg` has only a day. Pixel phones (`PXL_…`) use UTC in names.
  init?(fileName: String, home: Zone) {
    let groups = fileName.split { !("0"..."9").contains($0) }
    for (index, group) in groups.enumerated() {
      var rest = Array(groups[(index + 1)...])
      var digits = String(group)
      if group.count == 4, rest.count >= 2, rest[0].count == 2, rest[1].count == 2 {
        digits += "\(rest[0])\(rest[1])"
        rest.removeFirst(2)
      } else if group.count == 14 {
        rest.insert(group.suffix(6), at: 0)
        digits = String(group.prefix(8))
      }
      guard digits.count == 8, digits.hasPrefix("19") || digits.hasPrefix("20"),
        let day = DayKey(
          "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))")
      else { continue }
      guard let second = Self.secondOfDay(rest, in: fileName) else {
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

  /// Returns the time in the groups of digits after a day.
  private static func secondOfDay(_ groups: [Substring], in name: String) -> Int? {
    var digits = ""
    var isAfternoon: Bool?
    if let first = groups.first, (6...9).contains(first.count) {
      digits = String(first.prefix(6))
    } else if groups.count >= 3, groups[..<3].allSatisfy({ $0.count <= 2 }) {
      isAfternoon = half(beside: groups[0].startIndex..<groups[2].endIndex, in: name)
      // Only a 12-hour clock has hours of one digit.
      let zero = isAfternoon != nil && groups[0].count == 1 ? "0" : ""
      digits = zero + groups[..<3].joined(separator: "")
    }
    guard digits.count == 6, let number = Int(digits), number / 10_000 < 24,
      number / 100 % 100 < 60, number % 100 < 60
    else { return nil }
    var hour = number / 10_000
    if let isAfternoon, hour <= 12 { hour = hour % 12 + (isAfternoon ? 12 : 0) }
    return hour * 3600 + number / 100 % 100 * 60 + number % 100
  }

  /// Returns true for the afternoon if a clock time has the half of the day after or before it, as
  /// in `9.11.12 PM` and `下午9.11.12`; nil if it has neither.
  private static func half(beside clock: Range<String.Index>, in name: String) -> Bool? {
    let dot = name[clock.upperBound...].lastIndex(of: ".") ?? name.endIndex
    let after = name[clock.upperBound..<dot].prefix { !$0.isNumber && $0 != "(" && $0 != "-" }
    let start = name[..<clock.lowerBound].lastIndex { $0.isNumber }.map(name.index(after:))
    let before = name[(start ?? name.startIndex)..<clock.lowerBound]
    for words in [after, before] {
      let letters = words.lowercased().filter(\.isLetter)
      // Other short words in Latin letters may be somebody's own.
      guard ["am", "pm"].contains(letters) || letters.contains(where: { !$0.isASCII }) else {
        continue
      }
      if let isAfternoon = HalfDay.isAfternoon(words) { return isAfternoon }
    }
    return nil
  }
}
