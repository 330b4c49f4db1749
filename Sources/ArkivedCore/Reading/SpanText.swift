import Foundation

/// Writing spans of time for people.
package enum SpanText {
  /// “8–14 March 2026”, “28 February – 3 March 2026”, “March 2026”, “2026”, “since 3 May 2020”.
  package static func days(_ span: ClosedRange<DayKey>) -> String {
    let (first, last) = (span.lowerBound, span.upperBound)
    if first == .earliest, last == .latest { return "at any time" }
    if first == .earliest { return "until \(last.plainName)" }
    if last == .latest { return "since \(first.plainName)" }
    if first == last { return first.plainName }
    let month = { (day: DayKey) in MonthName.full[day.month - 1] }
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
      return "\(first.day)–\(last.day) \(month(first)) \(first.year)"
    }
    if first.year == last.year {
      return "\(first.day) \(month(first)) – \(last.day) \(month(last)) \(first.year)"
    }
    return "\(first.plainName) – \(last.plainName)"
  }
}
