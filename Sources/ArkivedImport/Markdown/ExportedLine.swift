package import ArkivedCore
import Foundation

/// The marks that Arkived's Markdown export adds to an entry's words, which an import removes again.
///
/// Clock times stand before the words. Anything else about the time is a mark in italics:
/// `*all day*`, `*morning*`, `*until 13:00*`, `*2026-03-08 23:50–07:10 (+1)*` if the entry began on
/// another day, `*09:00–10:00 in Asia/Tokyo*` if it happened in another time zone than most, and
/// `*no time*` before words that look like a time or a task.
package enum ExportedLine {
  /// The heading above the entries.
  package static let heading = "## Timeline"
  /// The beginning of the line of the export's mark that contains the usual time zone.
  package static let zoneName = "timeZone: "

  /// Returns the beginning of an entry's line: its time and a blank, or nothing.
  ///
  /// - Parameters:
  ///   - activity: the entry.
  ///   - words: its words as written in the line.
  ///   - usual: the time zone of times that don't name one; nil if they are all of the same zone.
  /// - Returns: the beginning.
  package static func beginning(
    of activity: Activity, before words: String, in usual: Zone?
  ) -> String {
    guard let mark = mark(of: activity) else {
      return isPlain("", words) ? "" : "*no time* "
    }
    let zone = activity.zone.identifier
    if let usual, zone != usual.identifier { return "*\(mark.text) in \(zone)* " }
    guard let clock = mark.clock, isPlain("\(clock) ", words) else { return "*\(mark.text)* " }
    return "\(clock) "
  }

  /// Returns true if an import would take the end of an entry's words for something that the export
  /// added: a tag, a link to a person, a kind or the target of a link.
  package static func hidesEnd(of words: String) -> Bool {
    guard let last = words.split(separator: " ").last else { return false }
    return last.hasPrefix("#") || last.hasPrefix("^") || last.hasSuffix("]]")
      || kind(in: last) != nil
  }

  /// Returns true if an import would take lines of a note for entries, unless the heading follows.
  package static func looksLikeEntries(_ note: String) -> Bool {
    let lines = note.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.contains(heading[...]) || !TimedLine.split(lines).timed.isEmpty
  }

  /// Returns the kind that a word such as `(work)` names.
  static func kind(in word: Substring) -> ActivityKind? {
    guard word.hasPrefix("("), word.hasSuffix(")") else { return nil }
    let name = word.dropFirst().dropLast()
    return ActivityKind.known.first { $0.rawValue == name }
  }

  /// Returns true if an import finds the same words after a beginning.
  private static func isPlain(_ beginning: String, _ words: String) -> Bool {
    let line = Substring("- \(beginning)\(words)")
    let found = TimedLine.split([line], takesAll: true).timed.first
    return found?.text == words.trimmingCharacters(in: .whitespaces)
      && (found?.start == nil) == beginning.isEmpty && found?.mark == nil
  }

  /// Returns the mark of an entry's time, and its clock times if they are those of its own day; nil
  /// without a time.
  private static func mark(of activity: Activity) -> (text: String, clock: String?)? {
    let zone = activity.zone
    if let period = activity.dayPeriod {
      // A part such as “late afternoon” begins in the course of it.
      let start = activity.startAt.map { zone.wallTime(at: $0) }
      let own = start.flatMap { start in
        start.day != activity.dayKey || start.secondOfDay == TimelineMark.start(of: period)
          ? nil : start.clockText
      }
      return (text: period.rawValue + (own.map { " \($0)" } ?? ""), clock: nil)
    }
    guard let startAt = activity.startAt else {
      guard let endAt = activity.endAt else { return nil }
      return (text: "until \(zone.wallTime(at: endAt).clockText)", clock: nil)
    }
    if activity.isAllDay {
      let days = activity.dayKey.distance(to: activity.lastDay)
      return (text: "all day" + further(days), clock: nil)
    }
    let start = zone.wallTime(at: startAt)
    var clock = start.clockText
    if let endAt = activity.endAt, endAt > startAt {
      let end = zone.wallTime(at: endAt)
      clock += "–\(end.clockText)" + further(start.day.distance(to: end.day))
    }
    guard start.day == activity.dayKey else { return (text: "\(start.day) \(clock)", clock: nil) }
    return (text: clock, clock: clock)
  }

  private static func further(_ days: Int) -> String { days > 0 ? " (+\(days))" : "" }
}

/// A mark at the beginning of an entry's line in Arkived's own export.
enum TimelineMark: Hashable {
  case untimed
  /// The day of the page, and a number of days after it.
  case allDay(further: Int)
  /// A part of the day, and its beginning in seconds since midnight.
  case period(DayPeriod, from: Int)
  /// The end, in seconds since midnight, if the start isn't known.
  case until(Int)
  case span(TimedLine.Span, on: DayKey?)

  /// The words of the mark in exports that wrote it as part of the entry's words.
  var formerWords: String {
    switch self {
    case .untimed, .span: ""
    case .allDay: "all day "
    case .period(let period, _): "\(period.rawValue) "
    case .until(let second):
      "until \(WallTime(day: DayKey(clamping: 0), secondOfDay: second).clockText) "
    }
  }

  /// Removes a mark from the beginning of a line's words and returns it, with the time zone that it
  /// names.
  static func removed(from words: inout Substring) -> (mark: TimelineMark, zone: Zone?)? {
    guard words.hasPrefix("*"), let end = words.dropFirst().firstIndex(of: "*"),
      words[end...].dropFirst().first == " "
    else { return nil }
    var text = words[..<end].dropFirst()
    var zone: Zone?
    if let name = text.range(of: " in ", options: .backwards),
      let found = Zone(String(text[name.upperBound...]))
    {
      zone = found
      text = text[..<name.lowerBound]
    }
    guard let mark = TimelineMark(text) else { return nil }
    words = words[end...].dropFirst().drop { $0 == " " }
    return (mark, zone)
  }

  private init?(_ text: Substring) {
    if text == "no time" {
      self = .untimed
    } else if let (period, second) = Self.partOfDay(text) {
      self = .period(period, from: second)
    } else if text.hasPrefix("all day") {
      var rest = text.dropFirst("all day".count)
      self = .allDay(further: TimedLine.further(&rest) ?? 0)
      guard rest.isEmpty else { return nil }
    } else if text.hasPrefix("until ") {
      guard let second = TableTimes.secondOfDay(String(text.dropFirst("until ".count))) else {
        return nil
      }
      self = .until(second)
    } else {
      var rest = text
      var day: DayKey?
      if let blank = rest.firstIndex(of: " "), let found = DayKey(String(rest[..<blank])) {
        (day, rest) = (found, rest[blank...].dropFirst())
      }
      guard let span = TimedLine.span(&rest, takesFurther: true), rest.isEmpty else { return nil }
      self = .span(span, on: day)
    }
  }

  /// Parses `morning` and `night 21:00`.
  private static func partOfDay(_ text: Substring) -> (DayPeriod, Int)? {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let period = words.first.flatMap({ DayPeriod(rawValue: String($0)) }) else { return nil }
    guard words.count == 2 else { return (period, start(of: period)) }
    return TableTimes.secondOfDay(String(words[1])).map { (period, $0) }
  }

  /// Returns the beginning of a part of the day without a clock time, in seconds since midnight: as
  /// in a typed line.
  static func start(of period: DayPeriod) -> Int {
    let hour =
      switch period {
      case .morning: 6
      case .afternoon: 12
      case .evening: 18
      case .night: 0
      }
    return hour * 3_600
  }
}
