import ArkivedCore

extension RecapWork {
  /// The offsets in years at which the past is examined: all recent ones, then round ones.
  private static let years = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80]

  /// Describes the same days in past years.
  func past() -> [Recap.Statement] {
    guard span.unit != "year", let first = history.first else { return [] }
    let found = (span.unit == "month" ? [1, 2, 3, 5, 10, 20] : RecapWork.years).compactMap {
      years -> (score: Double, statement: Recap.Statement)? in
      guard let range = sameDays(years), range.upperBound >= first else { return nil }
      return memory(of: range, years: years)
    }
    // The nearest year and the most significant ones, latest first.
    let nearest = found.first.map { [$0] } ?? []
    let rest = found.dropFirst().sorted { $0.score > $1.score }.prefix(span.unit == "day" ? 2 : 1)
    let picked =
      nearest
      + found.dropFirst().filter { item in
        rest.contains { $0.statement.sentence == item.statement.sentence }
      }
    return picked.map(\.statement)
  }

  /// Returns the same days a number of years earlier; nil on 29 February if that year has none.
  private func sameDays(_ years: Int) -> ClosedRange<DayKey>? {
    let start = span.days.lowerBound
    let civil = start.civil
    guard civil.year > years else { return nil }
    switch span {
    case .day:
      return DayKey(year: civil.year - years, month: civil.month, day: civil.day).map { $0...$0 }
    case .week:
      let moved = start.adding(months: -12 * years)
      return moved...moved.advanced(by: 6)
    case .month: return RecapSpan.month(start.adding(months: -12 * years)).days
    case .year: return nil
    }
  }

  private func memory(
    of range: ClosedRange<DayKey>, years: Int
  ) -> (score: Double, statement: Recap.Statement)? {
    let ago = RecapText.capitalised(
      said(years, one: "a year ago", other: "\(RecapText.number(years)) years ago"))
    let entries = history.entries(.activity, in: range)
    if case .day = span {
      let notes = history.entries(.day, in: range)
      let best = entries.max { score($0) < score($1) }
      let day = range.lowerBound.toldLongName
      if let note = notes.first {
        let opening = RecapText.opening(of: note.text, limit: 140)
        if !opening.isEmpty {
          let sentence = said("\(ago), on \(day): \(RecapText.quoted(opening, to: 170)).")
          return ((best.map(score) ?? 0) + 1, .init(sentence, entries: [note]))
        }
      }
      guard let best else { return nil }
      let quote = RecapText.quoted(best)
      let more = entries.count - 1
      let sentence =
        more > 0
        ? said(
          more, one: "\(ago), on \(day): \(quote), and one more.",
          other: "\(ago), on \(day): \(quote), and \(RecapText.number(more)) more.")
        : said("\(ago), on \(day): \(quote).")
      return (
        score(best),
        .init(sentence, entries: [best] + entries.filter { $0.id != best.id })
      )
    }
    guard !entries.isEmpty else { return nil }
    let shown = outstanding(entries, limit: 2)
    let quotes = shown.map {
      "\(RecapText.quoted($0)) (\(dayAndMonth($0.day)))"
    }
    let label =
      span.unit == "month" ? span.earlier(by: 12 * years)?.title ?? "" : SpanText.shownDays(range)
    let list = RecapText.list(quotes)
    let sentence =
      span.unit == "month"
      ? said("\(ago), in \(label): \(list).") : said("\(ago), \(label): \(list).")
    return (shown.map(score).max() ?? 0, .init(sentence, entries: shown))
  }
}
