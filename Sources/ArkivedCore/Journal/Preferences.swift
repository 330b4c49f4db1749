/// The owner's display settings, and whether new entries may record their location.
///
/// They affect no stored entry and no answer.
package struct Preferences: Hashable, Sendable {
  package enum Theme: String, CaseIterable, Sendable { case auto, light, dark }
  package enum Contrast: String, CaseIterable, Sendable { case auto, more }
  package enum Density: String, CaseIterable, Sendable { case comfortable, compact }
  package enum Clock: String, CaseIterable, Sendable { case hours24, hours12 }
  package enum DateOrder: String, CaseIterable, Sendable { case dayMonth, monthDay }

  package var theme: Theme = .auto
  package var contrast: Contrast = .auto
  /// The size of text and spacing, in per cent of the browser's default.
  package var zoom = 100
  package var density: Density = .comfortable
  /// The first day of the week in calendars; questions and recaps always use Monday.
  package var firstWeekday: Weekday = .monday
  package var clock: Clock = .hours24
  package var dateOrder: DateOrder = .dayMonth
  /// The language of pages; programs receive English, and answers in the language of the question.
  package var language: Speech = .automatic
  /// True if the owner allows new entries to record the device's coordinates.
  package var recordsPlace = false

  package static let zooms = [80, 90, 100, 110, 125, 150, 175, 200]

  package init() {}

  /// Reads the form that `json` writes.
  ///
  /// Missing or unknown values keep their defaults, so settings from another version do no harm.
  package init(_ json: JSON) {
    func text<Value: RawRepresentable<String>>(_ key: String) -> Value? {
      json[key]?.string.flatMap(Value.init(rawValue:))
    }
    theme = text("theme") ?? theme
    contrast = text("contrast") ?? contrast
    density = text("density") ?? density
    clock = text("clock") ?? clock
    dateOrder = text("dateOrder") ?? dateOrder
    language = text("language") ?? language
    recordsPlace = json["recordsPlace"]?.bool ?? recordsPlace
    if let zoom = json["zoom"]?.int, Self.zooms.contains(zoom) { self.zoom = zoom }
    if let name = json["firstWeekday"]?.string, let day = Self.weekday(named: name) {
      firstWeekday = day
    }
  }

  package var json: JSON {
    [
      "theme": .string(theme.rawValue), "contrast": .string(contrast.rawValue),
      "zoom": JSON(zoom), "density": .string(density.rawValue),
      "firstWeekday": .string(firstWeekday.name.lowercased()), "clock": .string(clock.rawValue),
      "dateOrder": .string(dateOrder.rawValue), "language": .string(language.rawValue),
      "recordsPlace": .bool(recordsPlace),
    ]
  }

  /// Applies the given settings.
  ///
  /// - Throws: `FieldError` for an unknown value.
  package mutating func take(_ fields: inout FieldReader) throws(FieldError) {
    theme = try Self.choice("theme", &fields) ?? theme
    contrast = try Self.choice("contrast", &fields) ?? contrast
    density = try Self.choice("density", &fields) ?? density
    clock = try Self.choice("clock", &fields) ?? clock
    dateOrder = try Self.choice("dateOrder", &fields) ?? dateOrder
    language = try Self.choice("language", &fields) ?? language
    recordsPlace = try fields.bool("recordsPlace") ?? recordsPlace
    if let zoom = try fields.int("zoom") {
      guard Self.zooms.contains(zoom) else {
        let known = Self.zooms.map { "\($0)" }.joined(separator: ", ")
        throw FieldError("zoom", "is \(zoom), but must be one of \(known)")
      }
      self.zoom = zoom
    }
    if let name = try fields.string("firstWeekday") {
      guard let day = Self.weekday(named: name) else {
        throw FieldError(
          "firstWeekday", "is \(FieldError.shown(name)), but must be a weekday such as monday")
      }
      firstWeekday = day
    }
  }

  private static func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ fields: inout FieldReader
  ) throws(FieldError) -> Value? {
    guard let text = try fields.string(key) else { return nil }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw FieldError(key, "is \(FieldError.shown(text)), but must be one of \(known)")
    }
    return value
  }

  private static func weekday(named name: String) -> Weekday? {
    Weekday.allCases.first { $0.name.lowercased() == name.lowercased() }
  }
}

/// The format of days and times on a page.
///
/// It is set for the duration of a request and applies to everything that writes the page's
/// sentences; otherwise the defaults apply.
package enum ShownDates {
  @TaskLocal package static var preferences = Preferences()
}

extension WallTime {
  /// The time as "09:05", or "9:05 am" if the owner prefers it.
  ///
  /// Form fields and JSON use `clockText`.
  package var shownClock: String {
    guard ShownDates.preferences.clock == .hours12 else { return clockText }
    let half = hour % 12 == 0 ? 12 : hour % 12
    return "\(half):" + (minute < 10 ? "0" : "") + "\(minute) \(hour < 12 ? "am" : "pm")"
  }
}

extension DayKey {
  private static var tellsMonthFirst: Bool {
    Language.current.mayTellMonthFirst && ShownDates.preferences.dateOrder == .monthDay
  }

  /// The date with the day and the month in the order that the owner prefers, such as "16
  /// November".
  package var shownDayAndMonth: String {
    let month = MonthName.shown[month - 1]
    return Self.tellsMonthFirst ? "\(month) \(day)" : "\(day)\(Language.current.dayMark) \(month)"
  }

  /// The date in the order that the owner prefers, such as "16 November 2026".
  package var shownName: String {
    shownDayAndMonth + (Self.tellsMonthFirst ? ", " : " ") + "\(year)"
  }

  /// The date as "16 November 2026" regardless of the preferred order, and in German with a full
  /// stop after the day.
  package var shownPlainName: String {
    "\(day)\(Language.current.dayMark) \(MonthName.shown[month - 1]) \(year)"
  }

  /// The date with its weekday, such as "Monday 16 November".
  package var shownWeekdayName: String { Self.weekdayMark(weekday) + shownDayAndMonth }

  /// The date as "Monday 16 November 2026".
  package var shownLongName: String { Self.weekdayMark(weekday) + shownName }

  private static func weekdayMark(_ weekday: Weekday) -> String {
    let isPlain = Language.current == .english && !tellsMonthFirst
    return weekday.shownName + (isPlain ? " " : ", ")
  }
}
