import Foundation

/// Divides a span of days into weeks, months and thirds.
enum SpanPart {
  static func grain(_ unit: TimeWords.Unit) -> Grain {
    switch unit {
    case .second, .minute, .hour: .minute
    case .day, .weekday: .day
    case .week, .fortnight: .week
    case .weekend: .weekend
    case .month: .month
    case .quarter, .halfYear: .quarter
    case .season: .season
    case .year: .year
    case .decade: .decade
    case .century: .century
    }
  }

  static func finer(_ grain: Grain) -> Grain {
    switch grain {
    case .century: .decade
    case .decade: .year
    case .year, .season, .quarter: .month
    case .month: .week
    default: .day
    }
  }

  /// Returns `count` units from the nth on, counted from the end if `nth` is negative.
  ///
  /// A week belongs to the span that contains its fourth day, as in ISO 8601.
  static func part(
    of span: DaySpan, _ nth: Int, _ count: Int, _ unit: TimeWords.Unit, firstWeekday: Weekday
  ) -> DaySpan? {
    func piece(_ unit: @escaping (Int) -> DayKey, _ total: Int) -> DaySpan? {
      let first = nth > 0 ? nth - 1 : total + nth - (count - 1)
      guard first >= 0, first + count <= total else { return nil }
      return DaySpan(unit(first), unit(first + count))
    }
    switch unit {
    case .day: return piece({ span.first.advanced(by: $0) }, span.count)
    case .week:
      let first = span.first.advanced(by: 3).startOfWeek(firstWeekday: firstWeekday)
      let last = span.last.advanced(by: 3).startOfWeek(firstWeekday: firstWeekday)
      let start = first.advanced(by: 3) >= span.first ? first : first.advanced(by: 7)
      let isLastInside = last.advanced(by: 3) < span.end
      let total = start.distance(to: last) / 7 + (isLastInside ? 1 : 0)
      return piece({ start.advanced(by: 7 * $0) }, total)
    case .weekend:
      guard let first = Holidays.day(nth: 1, .saturday, in: span),
        let last = Holidays.day(nth: -1, .saturday, in: span)
      else { return nil }
      let total = first.distance(to: last) / 7 + 1
      guard let whole = piece({ first.advanced(by: 7 * $0) }, total) else { return nil }
      return DaySpan(whole.first, whole.end.advanced(by: -5))
    case .month, .quarter, .year, .halfYear, .decade:
      let months: Int
      switch unit {
      case .month: months = 1
      case .quarter: months = 3
      case .year: months = 12
      case .decade: months = 120
      default: return half(span, nth)
      }
      guard span.first.day == 1, span.end.day == 1 else { return nil }
      let length = (span.end.year - span.first.year) * 12 + span.end.month - span.first.month
      guard length % months == 0 else { return nil }
      return piece({ span.first.adding(months: months * $0) }, length / months)
    default: return nil
    }
  }

  private static func half(_ span: DaySpan, _ nth: Int) -> DaySpan? {
    guard (1...2).contains(abs(nth)) else { return nil }
    let isFirst = nth == 1 || nth == -2
    let months = (span.end.year - span.first.year) * 12 + span.end.month - span.first.month
    let middle =
      months > 1
      ? span.first.adding(months: months / 2)
      : span.first.advanced(by: months == 1 ? 15 : span.count / 2)
    return isFirst ? DaySpan(span.first, middle) : DaySpan(middle, span.end)
  }

  /// Returns the first, middle or last third.
  ///
  /// A month is divided after the 10th and the 20th, a decade after its fourth and its seventh
  /// year.
  static func third(_ span: DaySpan, _ third: Int, _ grain: Grain) -> DaySpan? {
    let cuts: [DayKey]
    switch grain {
    case .month:
      cuts = [span.first.advanced(by: 10), span.first.advanced(by: 20)]
    case .quarter, .season:
      cuts = [span.first.adding(months: 1), span.first.adding(months: 2)]
    case .year: cuts = [span.first.adding(months: 4), span.first.adding(months: 8)]
    case .decade: cuts = [span.first.adding(months: 48), span.first.adding(months: 84)]
    case .century: cuts = [span.first.adding(months: 400), span.first.adding(months: 800)]
    default:
      cuts = [
        span.first.advanced(by: span.count / 3), span.first.advanced(by: span.count * 2 / 3),
      ]
    }
    let edges = [span.first] + cuts + [span.end]
    return DaySpan(edges[third], edges[third + 1])
  }
}
