import Foundation

/// A day of the proleptic Gregorian calendar, from 0001-01-01 to 9999-12-31, without a time zone.
///
/// Its text form is ISO 8601's `YYYY-MM-DD`. Conversions between day counts and civil dates follow
/// Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms" (`days_from_civil`).
public struct DayKey: Hashable, Comparable, Sendable, Strideable, LosslessStringConvertible {
  /// Days since 1970-01-01; negative before it.
  public let daysSinceEpoch: Int

  /// 0001-01-01.
  public static let earliest = DayKey(unchecked: -719_162)
  /// 9999-12-31.
  public static let latest = DayKey(unchecked: 2_932_896)

  private init(unchecked days: Int) { daysSinceEpoch = days }

  /// Creates the day `daysSinceEpoch` days after 1970-01-01, limited to the years 1 to 9999.
  package init(clamping daysSinceEpoch: Int) {
    self.init(
      unchecked: min(
        max(daysSinceEpoch, DayKey.earliest.daysSinceEpoch), DayKey.latest.daysSinceEpoch))
  }

  /// Creates a day from a civil date, or returns nil if it doesn't exist (month 13, February 30,
  /// year 0).
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= DayKey.length(ofMonth: month, year: year)
    else { return nil }
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(unchecked: era * 146_097 + dayOfEra - 719_468)
  }

  /// Parses exactly `YYYY-MM-DD` in ASCII digits.
  public init?(_ text: String) {
    self.init(ascii: Array(text.utf8))
  }

  /// Parses exactly the bytes of `YYYY-MM-DD`.
  init?(ascii bytes: some RandomAccessCollection<UInt8>) {
    let bytes = Array(bytes)
    guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10) else {
      return nil
    }
    self.init(year: year, month: month, day: day)
  }

  /// Year, month 1–12 and day 1–31.
  package var civil: (year: Int, month: Int, day: Int) {
    let shifted = daysSinceEpoch + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    )
  }

  /// The year.
  public var year: Int { civil.year }
  /// The month, 1 to 12.
  public var month: Int { civil.month }
  /// The day of the month, 1 to 31.
  public var day: Int { civil.day }

  /// The day of the week.
  public var weekday: Weekday {
    let index = (daysSinceEpoch + 3) % 7
    return Weekday.allCases[index >= 0 ? index : index + 7]
  }

  /// The text form, such as 2026-03-14.
  public var description: String {
    let (year, month, day) = civil
    return String(unsafeUninitializedCapacity: 10) { bytes in
      func write(_ value: Int, _ range: Range<Int>) {
        var rest = value
        for index in range.reversed() {
          bytes[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
          rest /= 10
        }
      }
      write(year, 0..<4)
      write(month, 5..<7)
      write(day, 8..<10)
      bytes[4] = 0x2D
      bytes[7] = 0x2D
      return 10
    }
  }

  /// Returns true if one day is before another.
  public static func < (left: DayKey, right: DayKey) -> Bool {
    left.daysSinceEpoch < right.daysSinceEpoch
  }

  /// Returns the number of days to another day, negative if it is earlier.
  public func distance(to other: DayKey) -> Int { other.daysSinceEpoch - daysSinceEpoch }

  /// Returns the day some whole days later, limited to the years 1 to 9999.
  public func advanced(by days: Int) -> DayKey {
    let (sum, overflow) = daysSinceEpoch.addingReportingOverflow(days)
    return DayKey(clamping: overflow ? (days < 0 ? .min : .max) : sum)
  }

  /// Returns the day some whole months later; a day that the target month lacks becomes its last
  /// day.
  public func adding(months: Int) -> DayKey {
    let (year, month, day) = civil
    let (index, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
    guard !overflow, (12..<10_000 * 12).contains(index) else {
      return months < 0 ? .earliest : .latest
    }
    let targetYear = index / 12
    let targetMonth = index % 12 + 1
    let length = DayKey.length(ofMonth: targetMonth, year: targetYear)
    return DayKey(year: targetYear, month: targetMonth, day: min(day, length)) ?? self
  }

  /// The first day of the month.
  public var startOfMonth: DayKey { advanced(by: 1 - day) }
  /// The first day of the year.
  public var startOfYear: DayKey { DayKey(year: year, month: 1, day: 1) ?? self }

  /// Returns the first day of this day's week.
  package func startOfWeek(firstWeekday: Weekday = .monday) -> DayKey {
    advanced(by: -((weekday.rawValue - firstWeekday.rawValue + 7) % 7))
  }

  package static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// The days of the week, numbered as in ISO 8601: Monday is 1.
public enum Weekday: Int, CaseIterable, Sendable {
  /// Monday, 1.
  case monday = 1
  /// Tuesday.
  case tuesday
  /// Wednesday.
  case wednesday
  /// Thursday.
  case thursday
  /// Friday.
  case friday
  /// Saturday.
  case saturday
  /// Sunday.
  case sunday

  /// The English name, capitalised.
  public var name: String {
    switch self {
    case .monday: "Monday"
    case .tuesday: "Tuesday"
    case .wednesday: "Wednesday"
    case .thursday: "Thursday"
    case .friday: "Friday"
    case .saturday: "Saturday"
    case .sunday: "Sunday"
    }
  }
}

/// English month names.
package enum MonthName {
  package static let full = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}

extension DayKey {
  /// The date as pages and answers show it: "Monday, 16 November 2026".
  package var longName: String {
    "\(weekday.name), \(day) \(MonthName.full[month - 1]) \(year)"
  }

  /// The date as "16 November 2026".
  package var plainName: String { "\(day) \(MonthName.full[month - 1]) \(year)" }
}
