import ArkivedCore

/// The time of a journal's entry as its header gives it: local time without a zone.
struct JrnlMoment: Hashable {
  var day: DayKey
  /// Seconds since midnight; nil if only a day is given.
  var second: Int?
  /// Seconds east of UTC if the header names them; jrnl writes none.
  var offset: Int?

  /// Minutes since 1970-01-01T00:00, counted as if this were UTC, the precision of jrnl's exports.
  var minute: Int { day.daysSinceEpoch * 1440 + (second ?? 0) / 60 }

  /// `2016-05-07T09:30`.
  var minuteText: String {
    "\(day)T\(WallTime(day: day, secondOfDay: second ?? 0).clockText)"
  }
}

/// The order of a date's numbers if it doesn't start with a four-digit year.
enum JrnlDateOrder: Int, CaseIterable {
  case yearFirst, dayFirst, monthFirst

  /// The name used in messages, as in "day before month".
  var name: String {
    switch self {
    case .yearFirst: "the year first"
    case .dayFirst: "the day before the month"
    case .monthFirst: "the month before the day"
    }
  }
}

/// A date-time as written in an entry's header, before the meaning of its numbers is known.
///
/// jrnl writes its headers with a `strftime` format of the owner's choice (`timeformat`), by
/// default `%Y-%m-%d %H:%M`, since version 3 `%F %r`, always with English names. This reads the
/// output of any such format that contains a whole date.
struct JrnlStamp {
  enum Date: Hashable {
    case known(year: Int, month: Int, day: Int)
    /// Two numbers before a year of three or four digits.
    case yearLast(Int, Int, year: Int)
    /// Three numbers of one or two digits.
    case short(Int, Int, Int)
  }

  /// The date; nil if there is only a time, as in a folder journal whose path gives the day.
  let date: Date?
  /// Seconds since midnight.
  let second: Int?
  let offset: Int?
  /// True if there is a fraction of a second, as in logs but not in jrnl.
  let hasFraction: Bool
  /// True if the year has two digits.
  let hasShortYear: Bool
  /// The character after the first number of the date.
  let separator: Unicode.Scalar
  /// The sequence of numbers, names and separators, equal for two stamps of one format.
  let shape: String

  /// The maximum length of a header's date-time, in Unicode scalars.
  static let lengthLimit = 64

  init?(_ text: some StringProtocol) {
    var scanner = JrnlStampScanner(text)
    guard scanner.tokenise(), scanner.readTime(), scanner.readRest() else { return nil }
    date = scanner.date
    second = scanner.second
    offset = scanner.offset
    hasFraction = scanner.hasFraction
    hasShortYear = scanner.hasShortYear
    separator = scanner.separator
    shape = scanner.shape
    guard date != nil || second != nil else { return nil }
    guard JrnlDateOrder.allCases.contains(where: { day($0) != nil }) || date == nil else {
      return nil
    }
  }

  /// Returns the day for an order, or nil if the day doesn't exist.
  func day(_ order: JrnlDateOrder) -> DayKey? {
    switch (date, order) {
    case (nil, _): nil
    case (.known(let year, let month, let day)?, _): DayKey(year: year, month: month, day: day)
    case (.yearLast(let day, let month, let year)?, .dayFirst),
      (.yearLast(let month, let day, let year)?, .monthFirst):
      DayKey(year: year, month: month, day: day)
    case (.yearLast?, .yearFirst): nil
    case (.short(let year, let month, let day)?, .yearFirst),
      (.short(let day, let month, let year)?, .dayFirst),
      (.short(let month, let day, let year)?, .monthFirst):
      DayKey(year: Self.century(year), month: month, day: day)
    }
  }

  /// True if the day depends on the order.
  var isOpen: Bool {
    switch date {
    case .yearLast?, .short?: true
    case .known?, nil: false
    }
  }

  /// Returns the century of a two-digit year as POSIX's `strptime` reads `%y`: 69 is 1969 and 68 is
  /// 2068.
  static func century(_ year: Int) -> Int { year < 69 ? 2000 + year : 1900 + year }
}
