import ArkivedCore
import Foundation

/// The state while composing one recap: the span's entries, the baseline, and today.
struct RecapWork: Sendable {
  let span: RecapSpan
  let today: DayKey
  /// The days that have begun; nil if the whole span is in the future.
  let elapsed: ClosedRange<DayKey>?
  let isSoFar: Bool
  let ledger: RecapLedger
  /// The previous spans, back to the first in the baseline.
  let before: RecapLedger
  /// The entries dated later than now.
  let ahead: [TimelineEntry]
  let notes: [TimelineEntry]
  let days: [(day: DayKey, value: TimelineDay)]
  let daysBefore: [(day: DayKey, value: TimelineDay)]
  /// Earlier spans of the same kind with entries, latest first, each cut to the number of days that
  /// have begun in this one; years are cut at the same date.
  let peers: [ClosedRange<DayKey>]
  let history: RecapHistory
  let owners: MeasureOwners
  let tagTotals: [String: Int]
  let placeTotals: [String: Int]
  /// The number of entries with the most frequent tag, and at the most frequent place.
  let tagTop: Int
  let placeTop: Int
  let metricUnits: [String: String]

  /// Reads what a recap needs.
  ///
  /// - Parameters:
  ///   - timeline: the timeline.
  ///   - span: the span.
  ///   - today: the current day.
  ///   - minute: the current minute of the day.
  ///   - planned: today's entries that begin later than now; nil to go by their local clocks.
  init(
    timeline: any Timeline, span: RecapSpan, today: DayKey, minute: Int,
    planned: Set<TimelineEntry.ID>? = nil
  ) {
    self.span = span
    self.today = today
    let all = span.days
    let archive = timeline.span
    history = RecapHistory(timeline: timeline, first: archive?.lowerBound)
    tagTotals = timeline.tags
    placeTotals = timeline.places
    tagTop = tagTotals.values.max() ?? 1
    placeTop = placeTotals.values.max() ?? 1
    metricUnits = timeline.metrics
    isSoFar = all.contains(today)
    let elapsed =
      today < all.lowerBound ? nil : all.lowerBound...min(today, all.upperBound)
    self.elapsed = elapsed

    let entries = timeline.entries(.activity, where: IndexCondition(days: all))
    let isAhead = { (entry: TimelineEntry) -> Bool in
      guard entry.day == today else { return entry.day > today }
      return planned?.contains(entry.id) ?? ((entry.dayMinute ?? 0) > minute)
    }
    ahead = entries.filter(isAhead)
    ledger = RecapLedger(ahead.isEmpty ? entries : entries.filter { !isAhead($0) })
    guard let elapsed else {
      notes = []
      days = []
      daysBefore = []
      peers = []
      before = RecapLedger([])
      owners = MeasureOwners([], totals: [:])
      return
    }
    notes = timeline.entries(.day, where: IndexCondition(days: elapsed))
    days = timeline.days(in: elapsed).map { (day: $0.0, value: $0.1) }

    let length = elapsed.lowerBound.distance(to: elapsed.upperBound)
    var spans: [ClosedRange<DayKey>] = []
    for count in 1...span.usualCount {
      guard let earlier = span.earlier(by: count)?.days, let first = archive?.lowerBound,
        earlier.upperBound >= first
      else { break }
      // The span that contains the archive's beginning isn't part of the baseline.
      let missing = earlier.lowerBound.distance(to: first)
      if missing * 10 > earlier.count { break }
      // Years are compared up to the same date, which leap days move to another day of the year.
      let cut =
        span.unit == "year"
        ? elapsed.upperBound.adding(months: -12 * count)
        : earlier.lowerBound.advanced(by: length)
      let end =
        elapsed.upperBound == all.upperBound ? earlier.upperBound : min(earlier.upperBound, cut)
      spans.append(earlier.lowerBound...end)
    }
    if let oldest = spans.last, all.lowerBound > oldest.lowerBound {
      let window = oldest.lowerBound...all.lowerBound.advanced(by: -1)
      before = RecapLedger(timeline.entries(.activity, where: IndexCondition(days: window)))
      daysBefore = timeline.days(in: window).map { (day: $0.0, value: $0.1) }
    } else {
      before = RecapLedger([])
      daysBefore = []
    }
    let told = before
    let toldDays = Set(daysBefore.map(\.day))
    peers = spans.filter { range in
      told.count(in: range) > 0
        || (span.unit == "day" && toldDays.contains(range.lowerBound))
    }
    owners = MeasureOwners([ledger, before], totals: tagTotals)
  }

  /// True if the archive reaches far enough back for anything to count as new.
  var hasPast: Bool {
    guard let first = history.first else { return false }
    return first.distance(to: span.days.lowerBound) >= 60
  }

  func recap() -> Recap {
    Recap(
      span: span, title: isSoFar ? said("\(span.title), so far") : span.title, isSoFar: isSoFar,
      sections: sections().filter { !$0.statements.isEmpty }, series: series())
  }

  private func sections() -> [Recap.Section] {
    guard elapsed != nil else {
      return [section("overview", future()), section("ahead", planned())]
    }
    if ledger.entries.isEmpty, notes.isEmpty {
      return [
        section("overview", nothing()), section("health", metrics()), section("mood", mood()),
        section("ahead", planned()), section("past", past()),
      ]
    }
    if case .day = span { return daySections() }
    return spanSections()
  }

  func section(_ kind: String, _ statements: [Recap.Statement]) -> Recap.Section {
    Recap.Section(kind: kind, statements: statements)
  }

  private func nothing() -> [Recap.Statement] {
    [
      .init(
        isSoFar
          ? said("Nothing recorded yet for \(span.name).")
          : said("Nothing recorded for \(span.name)."), citing: [],
        figures: [.init("entries", 0)])
    ]
  }

  private func future() -> [Recap.Statement] {
    let name = RecapText.capitalised(span.name)
    return [
      .init(
        ahead.isEmpty
          ? said("\(name) is still in the future. Nothing is recorded yet.")
          : said("\(name) is still in the future."), citing: [])
    ]
  }

  /// Describes the entries dated later than now.
  func planned() -> [Recap.Statement] {
    guard !ahead.isEmpty else { return [] }
    let quotes = ahead.prefix(3).map { entry in
      let quote = RecapText.quoted(entry)
      let minute = entry.hasClock ? entry.startMinute : nil
      let timed = minute.map { said("at \(RecapText.clock($0)) \(quote)") } ?? quote
      return span.unit == "day" ? timed : said("on \(dayName(entry.day)) \(timed)")
    }
    let list = quotes.joined(separator: "; ")
    let more = ahead.count - quotes.count
    return [
      .init(
        more > 0
          ? said(
            more, one: "Still to come: \(list), and one more.",
            other: "Still to come: \(list), and \(RecapText.number(more)) more.")
          : said("Still to come: \(list)."), entries: ahead,
        figures: [.init("ahead", Double(ahead.count))])
    ]
  }
}
