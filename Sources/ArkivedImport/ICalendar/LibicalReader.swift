import ArkivedCore
import CLibraries
import Foundation
import Synchronization

/// The only interface to libical, which turns a component's text into values.
///
/// libical keeps its error number, its ring of temporary strings and its built-in zones in
/// process-wide state, so all calls run under one lock, and everything it returns is copied into
/// values before the lock is released. Its recurrence iterator isn't used: a single step can run
/// for minutes and can't be stopped; see `RecurrenceExpansion`.
enum LibicalReader {
  private static let lock = Mutex<Bool>(false)

  /// Reads an event or a journal entry.
  ///
  /// Lines that libical rejects are cleaned and retried, and listed in the result if that doesn't
  /// help.
  static func fields(of component: CalendarComponent) -> EventFields {
    var fields = read(component)
    // If libical couldn't store the value and there are several rules, the rule it belongs to is
    // unknown.
    let rules = component.lines.filter { $0.property == .recurrenceRule }
    if let rule = rules.first,
      let (_, interval) = CalendarText.withoutLongInterval(component.bytes(of: rule))
    {
      if rules.count == 1, fields.rules.count == 1 {
        fields.rules[0].interval = interval
      } else {
        fields.rules = []
        fields.unreadable.append((.recurrenceRule, rule.number))
      }
    }
    return fields
  }

  private static func read(_ component: CalendarComponent) -> EventFields {
    lock.withLock { isPrepared in
      prepare(&isPrepared)
      // A property without a value says nothing, and libical refuses it.
      let usable = component.lines.filter {
        eventProperties.contains($0.property)
          && !CalendarText.value(component.bytes(of: $0)).isEmpty
      }
      var fields = EventFields()
      var lines: [ArraySlice<UInt8>] = []
      for line in usable { lines += parts(of: line, in: component) }
      if let result = parse(lines) { return result }
      var cleaned: [ArraySlice<UInt8>] = []
      for line in usable {
        // After this many errors, the component doesn't need to be examined further.
        if fields.unreadable.count >= 1_000, lists.contains(line.property) { continue }
        let parts = parts(of: line, in: component).map { CalendarText.cleaned($0)[...] }
        if parse(parts) == nil {
          fields.unreadable.append((line.property, line.number))
        } else {
          cleaned += parts
        }
      }
      guard var result = parse(cleaned) else { return fields }
      result.unreadable = fields.unreadable
      return result
    }
  }

  /// Reads the observances of a VTIMEZONE; returns nil if none is usable.
  static func observances(of component: CalendarComponent) -> [ZoneObservance]? {
    lock.withLock { isPrepared in
      prepare(&isPrepared)
      let names: Set<CalendarProperty> = [
        .begin, .finish, .start, .recurrenceRule, .recurrenceDate, .offsetFrom, .offsetTo, .zoneID,
      ]
      let lines = component.lines.filter { names.contains($0.property) }.prefix(5_000)
      guard
        let root = parsed(
          "VTIMEZONE", lines.map { CalendarText.cleaned(component.bytes(of: $0))[...] })
      else { return nil }
      defer { icalcomponent_free(root) }
      var result: [ZoneObservance] = []
      var child = icalcomponent_get_first_component(root, ICAL_ANY_COMPONENT)
      while let observance = child {
        if let value = ZoneObservance(observance) { result.append(value) }
        child = icalcomponent_get_next_component(root, ICAL_ANY_COMPONENT)
      }
      return result.isEmpty ? nil : result
    }
  }

  private static let eventProperties: Set<CalendarProperty> = [
    .attendee, .categories, .description, .end, .start, .duration, .excludedDate, .geo, .location,
    .organizer, .recurrenceDate, .recurrenceID, .recurrenceRule, .summary, .due, .completed,
  ]

  /// The properties that an event may have several times.
  private static let lists: Set<CalendarProperty> = [
    .attendee, .categories, .excludedDate, .recurrenceDate,
  ]

  /// Splits a line whose list is longer than libical reads (it drops anything after the 500th
  /// value).
  private static func parts(
    of line: CalendarComponent.Line, in component: CalendarComponent
  ) -> [ArraySlice<UInt8>] {
    let bytes = component.bytes(of: line)
    if line.property == .recurrenceRule, let rule = CalendarText.withoutLongInterval(bytes)?.line {
      return [rule[...]]
    }
    guard bytes.count > 1_000, lists.contains(line.property), line.property != .attendee else {
      return [bytes]
    }
    return CalendarText.split(bytes, every: 400).map { $0[...] }
  }

  private static func prepare(_ isPrepared: inout Bool) {
    guard !isPrepared else { return }
    // Some builds of libical stop the process at bad input unless told not to.
    icalerror_set_errors_are_fatal(0)
    isPrepared = true
  }

  /// Returns a component with the given lines, which the caller has to free, or nil if libical
  /// can't create one.
  private static func parsed(_ name: String, _ lines: [ArraySlice<UInt8>]) -> OpaquePointer? {
    var text = Array("BEGIN:\(name)\r\n".utf8)
    text.reserveCapacity(lines.reduce(64) { $0 + $1.count + 2 })
    for line in lines {
      // libical searches the rest of a line for its end at every 80 bytes, so long lines are folded
      // again.
      var rest = line
      while rest.count > foldedLength {
        text.append(contentsOf: rest.prefix(foldedLength))
        text.append(contentsOf: [0x0D, 0x0A, 0x20])
        rest = rest.dropFirst(foldedLength)
      }
      text.append(contentsOf: rest)
      text.append(contentsOf: [0x0D, 0x0A])
    }
    text.append(contentsOf: Array("END:\(name)\r\n".utf8))
    text.append(0)
    return text.withUnsafeBytes { bytes in
      icalparser_parse_string(bytes.assumingMemoryBound(to: CChar.self).baseAddress)
    }
  }

  private static let foldedLength = 400

  /// Parses the lines; returns nil if libical rejects one of them.
  private static func parse(_ lines: [ArraySlice<UInt8>]) -> EventFields? {
    var fields = EventFields()
    var start = 0
    // libical's time grows with the square of the lines that it refuses, so it never gets many at
    // once.
    while start < lines.count {
      let end = min(start + 500, lines.count)
      guard read(Array(lines[start..<end]), into: &fields) else { return nil }
      start = end
    }
    return fields
  }

  private static func read(_ lines: [ArraySlice<UInt8>], into fields: inout EventFields) -> Bool {
    guard let component = parsed("VEVENT", lines) else { return false }
    defer { icalcomponent_free(component) }
    var next = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY)
    while let property = next {
      guard read(property, into: &fields) else { return false }
      next = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)
    }
    return true
  }

  private static func read(_ property: OpaquePointer, into fields: inout EventFields) -> Bool {
    switch icalproperty_isa(property) {
    case ICAL_XLICERROR_PROPERTY: return false
    case ICAL_SUMMARY_PROPERTY: fields.summary = fields.summary ?? property.textValue
    case ICAL_DESCRIPTION_PROPERTY: fields.description = fields.description ?? property.textValue
    case ICAL_LOCATION_PROPERTY: fields.location = fields.location ?? property.textValue
    case ICAL_CATEGORIES_PROPERTY:
      if let text = property.textValue { fields.categories.append(text) }
    case ICAL_DTSTART_PROPERTY:
      guard let time = property.timeValue else { return false }
      fields.start = fields.start ?? time
    case ICAL_DTEND_PROPERTY:
      guard let time = property.timeValue else { return false }
      fields.end = .at(time)
    case ICAL_DURATION_PROPERTY:
      guard let value = icalproperty_get_value(property),
        icalvalue_isa(value) == ICAL_DURATION_VALUE
      else { return false }
      fields.end = fields.end ?? .after(CalendarDuration(icalvalue_get_duration(value)))
    case ICAL_DUE_PROPERTY:
      guard let time = property.timeValue else { return false }
      fields.due = fields.due ?? time
    case ICAL_COMPLETED_PROPERTY:
      guard let time = property.timeValue else { return false }
      fields.completed = fields.completed ?? time
    case ICAL_RECURRENCEID_PROPERTY:
      guard let time = property.timeValue else { return false }
      fields.recurrenceID = fields.recurrenceID ?? time
      fields.appliesToFuture = property.hasParameter(ICAL_RANGE_PARAMETER)
    case ICAL_EXDATE_PROPERTY:
      guard let time = property.timeValue else { return false }
      fields.excludedDates.append(time)
    case ICAL_RDATE_PROPERTY:
      guard let date = property.recurrenceDateValue else { return false }
      fields.recurrenceDates.append(date)
    case ICAL_RRULE_PROPERTY:
      guard let rule = property.ruleValue else { return false }
      fields.rules.append(rule)
    case ICAL_GEO_PROPERTY:
      guard let value = icalproperty_get_value(property), icalvalue_isa(value) == ICAL_GEO_VALUE
      else { return false }
      let place = icalvalue_get_geo(value)
      (fields.latitude, fields.longitude) = (place.lat, place.lon)
    case ICAL_ATTENDEE_PROPERTY, ICAL_ORGANIZER_PROPERTY:
      if let attendee = property.attendeeValue { fields.attendees.append(attendee) }
    default: break
    }
    return true
  }
}

extension OpaquePointer {
  /// The value of a property as unescaped text.
  fileprivate var textValue: String? {
    guard let value = icalproperty_get_value(self) else { return nil }
    if icalvalue_isa(value) == ICAL_TEXT_VALUE {
      return icalvalue_get_text(value).map { String(cString: $0) }
    }
    return plainValue
  }

  /// The value of a property as written.
  var plainValue: String? {
    guard let text = icalproperty_get_value_as_string_r(self) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  fileprivate func hasParameter(_ kind: icalparameter_kind) -> Bool {
    icalproperty_get_first_parameter(self, kind) != nil
  }

  private var zoneID: String? {
    guard let parameter = icalproperty_get_first_parameter(self, ICAL_TZID_PARAMETER),
      let text = icalparameter_get_tzid(parameter)
    else { return nil }
    return String(cString: text)
  }

  fileprivate var timeValue: CalendarTime? {
    guard let value = icalproperty_get_value(self) else { return nil }
    let kind = icalvalue_isa(value)
    guard kind == ICAL_DATE_VALUE || kind == ICAL_DATETIME_VALUE || kind == ICAL_DATETIMEDATE_VALUE
    else { return nil }
    return CalendarTime(icalvalue_get_datetime(value), zoneID: zoneID)
  }

  fileprivate var recurrenceDateValue: CalendarRecurrenceDate? {
    if let start = timeValue { return CalendarRecurrenceDate(start: start) }
    guard let value = icalproperty_get_value(self) else { return nil }
    let kind = icalvalue_isa(value)
    guard kind == ICAL_PERIOD_VALUE || kind == ICAL_DATETIMEPERIOD_VALUE else { return nil }
    let parts = icalvalue_get_datetimeperiod(value)
    if let start = CalendarTime(parts.time, zoneID: zoneID) {
      return CalendarRecurrenceDate(start: start)
    }
    guard let start = CalendarTime(parts.period.start, zoneID: zoneID) else { return nil }
    if let end = CalendarTime(parts.period.end, zoneID: zoneID) {
      return CalendarRecurrenceDate(start: start, end: .at(end))
    }
    return CalendarRecurrenceDate(
      start: start, end: .after(CalendarDuration(parts.period.duration)))
  }

  fileprivate var ruleValue: RecurrenceRule? {
    guard let value = icalproperty_get_value(self), icalvalue_isa(value) == ICAL_RECUR_VALUE
    else { return nil }
    return RecurrenceRule(icalvalue_get_recur(value))
  }
}

extension CalendarTime {
  /// Creates a time; returns nil for libical's null time and for a day or a time that doesn't
  /// exist.
  fileprivate init?(_ time: icaltimetype, zoneID: String?) {
    guard icaltime_is_null_time(time) == 0,
      let day = DayKey(year: Int(time.year), month: Int(time.month), day: Int(time.day))
    else { return nil }
    guard time.is_date == 0 else {
      self.init(wall: WallTime(day: day, secondOfDay: 0), isDate: true, isUTC: false)
      return
    }
    let (hour, minute, second) = (Int(time.hour), Int(time.minute), Int(time.second))
    let isMidnightAfter = hour == 24 && minute == 0 && second == 0
    guard (0..<24).contains(hour) || isMidnightAfter, (0..<60).contains(minute),
      (0...60).contains(second)
    else { return nil }
    let isUTC = icaltime_is_utc(time) != 0
    self.init(
      wall: WallTime(day: day, hour: hour, minute: minute, second: min(second, 59)),
      isDate: false, isUTC: isUTC, zoneID: isUTC ? nil : zoneID)
  }
}

extension CalendarDuration {
  fileprivate init(_ duration: icaldurationtype) {
    let sign = duration.is_neg == 0 ? 1 : -1
    // Each part has 32 bits, so none of these can overflow.
    days = sign * (Int(duration.weeks) * 7 + Int(duration.days))
    seconds =
      sign * (Int(duration.hours) * 3600 + Int(duration.minutes) * 60 + Int(duration.seconds))
  }
}

extension RecurrenceRule {
  fileprivate init?(_ rule: icalrecurrencetype) {
    guard let frequency = Frequency(rawValue: Int(rule.freq.rawValue)) else { return nil }
    self.init(frequency: frequency)
    interval = max(1, Int(rule.interval))
    count = rule.count > 0 ? Int(rule.count) : nil
    until = CalendarTime(rule.until, zoneID: nil)
    weekStart = Self.weekday(rule.week_start.rawValue) ?? .monday
    seconds = Self.list(rule.by_second)
    minutes = Self.list(rule.by_minute)
    hours = Self.list(rule.by_hour)
    monthDays = Self.list(rule.by_month_day)
    yearDays = Self.list(rule.by_year_day)
    weekNumbers = Self.list(rule.by_week_no)
    months = Self.list(rule.by_month)
    positions = Self.list(rule.by_set_pos)
    days = Self.list(rule.by_day).compactMap { value in
      let day = icalrecurrencetype_day_day_of_week(Int16(value))
      guard let weekday = Self.weekday(day.rawValue) else { return nil }
      return Day(weekday: weekday, place: Int(icalrecurrencetype_day_position(Int16(value))))
    }
    isForeign = months.contains { $0 > 12 }
    if let scale = rule.rscale { isForeign = isForeign || strcasecmp(scale, "GREGORIAN") != 0 }
  }

  /// Returns the weekday of a number; libical counts from 1, Sunday.
  private static func weekday(_ number: some BinaryInteger) -> Weekday? {
    guard (1...7).contains(Int(number)) else { return nil }
    return Weekday(rawValue: number == 1 ? 7 : Int(number) - 1)
  }

  /// Returns the values of a list that libical ends with a marker.
  private static func list<Fields>(_ fields: Fields) -> [Int] {
    withUnsafeBytes(of: fields) { bytes in
      bytes.bindMemory(to: Int16.self)
        .prefix { $0 != Int16(ICAL_RECURRENCE_ARRAY_MAX.rawValue) }.map { Int($0) }
    }
  }
}

extension ZoneObservance {
  fileprivate init?(_ component: OpaquePointer) {
    let kind = icalcomponent_isa(component)
    guard kind == ICAL_XSTANDARD_COMPONENT || kind == ICAL_XDAYLIGHT_COMPONENT else { return nil }
    var start: WallTime?
    var from: Int?
    var to: Int?
    var rules: [RecurrenceRule] = []
    var dates: [WallTime] = []
    var next = icalcomponent_get_first_property(component, ICAL_ANY_PROPERTY)
    while let property = next {
      switch icalproperty_isa(property) {
      case ICAL_DTSTART_PROPERTY: start = property.timeValue?.wall
      case ICAL_TZOFFSETFROM_PROPERTY: from = property.offsetValue
      case ICAL_TZOFFSETTO_PROPERTY: to = property.offsetValue
      case ICAL_RRULE_PROPERTY: if let rule = property.ruleValue { rules.append(rule) }
      case ICAL_RDATE_PROPERTY:
        if let date = property.recurrenceDateValue { dates.append(date.start.wall) }
      default: break
      }
      next = icalcomponent_get_next_property(component, ICAL_ANY_PROPERTY)
    }
    guard let start, let from, let to else { return nil }
    self.init(start: start, offsetFrom: from, offsetTo: to, rules: rules, dates: dates)
  }
}

extension OpaquePointer {
  /// The offset in seconds east of UTC, less than a day.
  fileprivate var offsetValue: Int? {
    guard let value = icalproperty_get_value(self), icalvalue_isa(value) == ICAL_UTCOFFSET_VALUE
    else { return nil }
    let offset = Int(icalvalue_get_utcoffset(value))
    return abs(offset) < 86_400 ? offset : nil
  }
}
