import ArkivedCore
import ArkivedStore
import Foundation

/// Short recaps, composed of the statements of `ArchiveRecap`.
extension LibraryAnswers {
  /// The sections of a full recap that a short one includes, in its order.
  private static let sections: Set<String> = [
    "overview", "course", "highlights", "people", "places", "measures", "health", "mood", "note",
  ]
  private static let usualStatements = 6

  func recap(_ query: LibraryQuery, _ progress: (Int, Int) -> Void) throws -> Answer? {
    let spans = spans(query)
    guard let first = spans.first, let last = spans.last else {
      return refusal(
        said("I can sum up a day, a week, a month or a year. Ask for one of those."))
    }
    guard first.days.lowerBound <= today else { return nil }
    let count = query.sentences ?? max(Self.usualStatements, 2 * spans.count)
    var texts: [String] = []
    var proof: [SearchHit] = []
    var values: [JSON] = []
    var seen: Set<UUID> = []
    for (index, span) in spans.enumerated() {
      let cited = try ArchiveRecap(archive: archive, zone: zone, timelines: timelines)
        .recap(of: span, now: now, progress: progress)
      // The remainder goes to the first days.
      let share = count / spans.count + (index < count % spans.count ? 1 : 0)
      let statements = short(cited.recap, share)
      proof += statements.flatMap(\.citations).compactMap { hit($0, cited) }
        .filter { seen.insert($0.id).inserted }
      values += statements.map { .string($0.sentence) }
      let sentences = statements.map(\.sentence).joined(separator: " ")
      texts.append("\(cited.recap.title): \(sentences)")
    }
    return answer(
      texts.joined(separator: "\n"), proof.isEmpty ? "none" : "list", proof: proof,
      values: values, days: first.days.lowerBound...last.days.upperBound)
  }

  /// Returns the first statement of each section, then further ones, up to `count`.
  private func short(_ recap: Recap, _ count: Int) -> [Recap.Statement] {
    let parts = recap.sections.filter { Self.sections.contains($0.kind) }
    let firsts = parts.compactMap(\.statements.first)
    guard firsts.isEmpty else { return Array(firsts.prefix(max(1, count))) }
    return Array(recap.statements.prefix(max(1, count)))
  }

  /// The maximum number of days to summarise individually: a weekend, or any part of a week.
  private static let mostDays = 7

  /// Returns the requested calendar span, or its days if there are only a few; empty if neither
  /// applies.
  private func spans(_ query: LibraryQuery) -> [RecapSpan] {
    if let span = span(query) { return [span] }
    guard let days = query.days, days.lowerBound.advanced(by: Self.mostDays) > days.upperBound
    else { return [] }
    var spans: [RecapSpan] = []
    var day = days.lowerBound
    while day <= min(days.upperBound, max(today, days.lowerBound)) {
      spans.append(.day(day))
      day = day.advanced(by: 1)
    }
    return spans
  }

  /// Returns the calendar span that is asked for; nil if the days don't form one.
  private func span(_ query: LibraryQuery) -> RecapSpan? {
    guard let days = query.days else {
      if query.marks.contains(.day) { return .day(today) }
      if query.marks.contains(.week) { return .week(today) }
      return query.marks.contains(.month) ? .month(today) : .year(today)
    }
    guard let span = RecapSpan(holding: days) else { return nil }
    let isWhole =
      span.days.lowerBound == days.lowerBound
      && (span.days.upperBound == days.upperBound || days.upperBound >= today)
    return isWhole ? span : nil
  }

  private func hit(_ citation: Recap.Citation, _ cited: ArchiveRecap.Cited) -> SearchHit? {
    switch citation {
    case .entry(let entry):
      guard let known = cited.entries[entry.id] else { return nil }
      let text = RecapText.shortened(entry.text, to: 160)
      return SearchHit(
        type: known.type, id: known.id, dayKey: entry.day, title: text,
        snippet: Snippet(text: text), score: 0, why: SearchHit.Reason(),
        externalRefs: known.externalRefs)
    case .day(let day, let id, let value):
      return id.map {
        SearchHit(
          type: .day, id: $0, dayKey: day, title: value, snippet: Snippet(text: value), score: 0,
          why: SearchHit.Reason())
      }
    }
  }
}
