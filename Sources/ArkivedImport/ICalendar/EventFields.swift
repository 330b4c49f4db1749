import ArkivedCore
import Foundation

/// A DATE or DATE-TIME as a calendar writes it (RFC 5545 §3.3.4, §3.3.5).
struct CalendarTime: Hashable {
  var wall: WallTime
  /// True for a whole day; `wall` is then its midnight.
  var isDate: Bool
  var isUTC: Bool
  /// The TZID parameter; nil for UTC, dates and floating times.
  var zoneID: String?

  /// Returns the form `YYYYMMDD`, or `YYYYMMDDTHHMMSS`, with `Z` if requested.
  static func basicForm(_ wall: WallTime, isDate: Bool = false, isUTC: Bool = false) -> String {
    let text = isDate ? wall.day.description : wall.description
    return String(text.filter { $0 != "-" && $0 != ":" }) + (isUTC ? "Z" : "")
  }
}

/// A DURATION (RFC 5545 §3.3.6): days follow the calendar, seconds the clock.
struct CalendarDuration: Hashable {
  /// Days, including seven for each week; negative, like `seconds`, for a negative duration.
  var days: Int
  var seconds: Int

  var isNegative: Bool { days < 0 || seconds < 0 }
}

/// The end that an event states.
enum CalendarEnd: Hashable {
  case at(CalendarTime)
  case after(CalendarDuration)
}

/// An RDATE: a start, with its own end if it is a period.
struct CalendarRecurrenceDate: Hashable {
  var start: CalendarTime
  var end: CalendarEnd?
}

/// An ATTENDEE or the ORGANIZER.
struct CalendarAttendee: Hashable {
  /// The calendar address: `mailto:somebody@example.org`.
  var address: String
  var name: String?
  var role = AttendanceRole.required
  var reply = AttendanceReply.waiting
  var isOrganizer = false
  /// True for a room or equipment.
  var isThing: Bool

  var hasDeclined: Bool { reply == .declined }
}

/// The values of a component's properties.
struct EventFields {
  var start: CalendarTime?
  var end: CalendarEnd?
  /// The time at which a task is due.
  var due: CalendarTime?
  /// The time at which a task was finished.
  var completed: CalendarTime?
  var recurrenceID: CalendarTime?
  var appliesToFuture = false
  var rules: [RecurrenceRule] = []
  var recurrenceDates: [CalendarRecurrenceDate] = []
  var excludedDates: [CalendarTime] = []
  var summary: String?
  var description: String?
  var location: String?
  var latitude: Double?
  var longitude: Double?
  var categories: [String] = []
  var attendees: [CalendarAttendee] = []
  /// The numbers of the lines that couldn't be read, with their property.
  var unreadable: [(property: CalendarProperty, number: Int)] = []

  var isRecurring: Bool { !rules.isEmpty || !recurrenceDates.isEmpty }
}

/// A recurrence rule (RFC 5545 §3.3.10).
struct RecurrenceRule: Hashable {
  enum Frequency: Int { case secondly, minutely, hourly, daily, weekly, monthly, yearly }

  /// A weekday, with its position in the month or year if one is given: −1 is the last.
  struct Day: Hashable {
    var weekday: Weekday
    var place: Int
  }

  var frequency: Frequency
  /// At least 1.
  var interval = 1
  var count: Int?
  var until: CalendarTime?
  var weekStart = Weekday.monday
  var seconds: [Int] = []
  var minutes: [Int] = []
  var hours: [Int] = []
  var days: [Day] = []
  var monthDays: [Int] = []
  var yearDays: [Int] = []
  var weekNumbers: [Int] = []
  var months: [Int] = []
  var positions: [Int] = []
  /// True if it asks for a calendar other than the Gregorian one (RFC 7529).
  var isForeign = false
}
