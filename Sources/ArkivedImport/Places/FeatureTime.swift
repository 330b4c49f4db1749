import ArkivedCore
import Foundation

/// The time of a map feature: an instant, a span, or a day.
struct FeatureTime {
  /// A time as a file writes it.
  struct Written {
    /// The name of its field.
    var field: String
    var text: String
  }

  var start: PlaceTime
  /// Seconds east of UTC that the file gives with the start.
  var offset: Int?
  var end: Instant?
  /// True if only the day is known.
  var isWholeDay = false
  /// The last day of a span of days, if it differs from the first.
  var lastDay: DayKey?

  /// Reads an instant or a day: ISO 8601 with or without an offset, a date, or seconds or
  /// milliseconds since 1970.
  ///
  /// - Returns: nil for anything that isn't a time, and for years and months, which don't determine
  ///   a day.
  init?(_ text: String, home: HomeZones) {
    let words = text.trimmingCharacters(in: .whitespacesAndNewlines)
    // Most are complete times, and a file may contain millions.
    if words.utf8.count > 15, let time = PlaceTime(words, home: home) {
      start = time
      offset = Self.offset(words)
      return
    }
    let date = words.last == "Z" && words.utf8.count == 11 ? String(words.dropLast()) : words
    if date.utf8.count == 10, let day = DayKey(date) {
      start = PlaceTime(home.instant(of: WallTime(day: day, secondOfDay: 0)), in: home)
      start.day = day
      isWholeDay = true
      return
    }
    if let number = Double(words) {
      guard let moment = Self.moment(number) else { return nil }
      start = PlaceTime(moment, in: home)
      return
    }
    guard let time = PlaceTime(words, home: home) else { return nil }
    start = time
    offset = Self.offset(words)
  }

  /// Reads the two ends of a span; either may be missing.
  ///
  /// - Parameters:
  ///   - begin: the beginning as written.
  ///   - finish: the end as written.
  ///   - home: the home time zones.
  ///   - bad: takes what can't be read.
  init?(
    from begin: Written?, to finish: Written?, home: HomeZones, bad: (Written, String) -> Void
  ) {
    func read(_ written: Written?) -> FeatureTime? {
      guard let written else { return nil }
      let time = FeatureTime(written.text, home: home)
      if time == nil {
        bad(
          written,
          "\(FieldError.shown(written.text)) isn’t a valid date or time (such as 2024-05-03T10:00:00Z)"
        )
      }
      return time
    }
    let (first, last) = (read(begin), read(finish))
    guard let time = first ?? last else { return nil }
    self = time
    guard first != nil, let last else { return }
    if time.isWholeDay || last.isWholeDay {
      if last.start.day > time.start.day { lastDay = last.start.day }
    } else if last.start.instant >= time.start.instant {
      end = last.start.instant
    } else if let finish {
      bad(finish, "the end is before the start, so only the start was imported")
    }
  }

  /// Returns the instant for a number of seconds, milliseconds, microseconds or nanoseconds since
  /// 1970; its size determines the unit.
  static func moment(_ number: Double) -> Instant? {
    guard number.isFinite, number >= 1e8 else { return nil }
    let milliseconds =
      switch number {
      case ..<1e11: number * 1_000
      case ..<1e14: number
      case ..<1e17: number / 1_000
      default: number / 1e6
      }
    guard milliseconds < 1e15 else { return nil }
    return PlaceTime.instant(Int64(milliseconds.rounded()))
  }

  /// Returns the seconds east of UTC that a text gives; nil for UTC, which gives the time but not
  /// the place.
  static func offset(_ text: String) -> Int? {
    let offset = ISODateTime(text)?.offsetSeconds ?? 0
    return offset == 0 || abs(offset) > 14 * 3_600 ? nil : offset
  }
}
