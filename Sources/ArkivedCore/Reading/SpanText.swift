import Foundation

/// Formats spans of time for people.
package enum SpanText {
  /// Returns a span as text: “8–14 March 2026”, “28 February – 3 March 2026”, “March 2026”, “2026”,
  /// “since 3 May 2020”.
  package static func days(_ span: ClosedRange<DayKey>) -> String { text(span, in: .english) }

  /// Returns a span as text in the current language.
  package static func shownDays(_ span: ClosedRange<DayKey>) -> String {
    text(span, in: .current)
  }

  private static func text(_ span: ClosedRange<DayKey>, in language: Language) -> String {
    let (first, last) = (span.lowerBound, span.upperBound)
    let month = { (day: DayKey) in language.months[day.month - 1] }
    let dayName = { (day: DayKey) in "\(day.day)\(language.dayMark)" }
    let full = { (day: DayKey) in "\(dayName(day)) \(month(day)) \(day.year)" }
    if first == .earliest, last == .latest { return said("at any time", in: language) }
    if first == .earliest { return said("until \(full(last))", in: language) }
    if last == .latest { return said("since \(full(first))", in: language) }
    if first == last { return full(first) }
    if first.day == 1, last.advanced(by: 1).day == 1 {
      if first.year == last.year, first.month == last.month {
        return "\(month(first)) \(first.year)"
      }
      if first.month == 1, last.month == 12 {
        return first.year == last.year ? "\(first.year)" : "\(first.year)–\(last.year)"
      }
      return first.year == last.year
        ? "\(month(first))–\(month(last)) \(first.year)"
        : "\(month(first)) \(first.year) – \(month(last)) \(last.year)"
    }
    if first.year == last.year, first.month == last.month {
      return "\(dayName(first))–\(dayName(last)) \(month(first)) \(first.year)"
    }
    if first.year == last.year {
      return "\(dayName(first)) \(month(first)) – \(full(last))"
    }
    return "\(full(first)) – \(full(last))"
  }
}
