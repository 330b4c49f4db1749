import ArkivedCore
import Foundation

extension RecapWork {
  /// A subject of the span that did not occur in the previous spans.
  struct Arrival {
    var subject: RecapSubject
    var entries: [TimelineEntry]
    /// The last earlier day with it; nil if there is none.
    var last: DayKey?
  }

  /// The maximum number of subjects to look up in the past.
  private static let lookupLimit = 120

  /// Returns the subjects that occur for the first time, or recur after a long gap.
  func arrivals() -> [Arrival] {
    guard hasPast else { return [] }
    let start = span.days.lowerBound
    return ranked { before.bySubject[$0] == nil }.prefix(RecapWork.lookupLimit).compactMap {
      subject, positions in
      let entries = positions.map { ledger.entries[$0] }
      guard let example = entries.first else { return nil }
      let last = history.last(subject, like: example, before: start)
      if let last, last.distance(to: example.day) < span.notableGap { return nil }
      return Arrival(subject: subject, entries: entries, last: last)
    }
  }

  func firsts() -> [Recap.Statement] {
    let arrivals = arrivals()
    let limit = span.unit == "year" ? 8 : 5
    return new(distinct(arrivals.filter { $0.last == nil }) { $0.entries }, limit: limit)
      + back(distinct(arrivals.filter { $0.last != nil }) { $0.entries }, limit: limit)
  }

  /// Skips items that nearly the same entries support, because a place and its own tag are the same
  /// thing.
  func distinct<Item>(_ items: [Item], _ entries: (Item) -> [TimelineEntry]) -> [Item] {
    var told: Set<TimelineEntry.ID> = []
    return items.filter { item in
      let ids = entries(item).map(\.id)
      let known = ids.count { told.contains($0) }
      guard ids.isEmpty || ids.count == 1 || known * 10 < ids.count * 7 else { return false }
      told.formUnion(ids)
      return true
    }
  }

  private func new(_ arrivals: [Arrival], limit: Int) -> [Recap.Statement] {
    guard !arrivals.isEmpty else { return [] }
    let shown = arrivals.prefix(limit)
    let told = shown.enumerated().map { index, arrival in
      let name = arrival.subject.told
      let count = arrival.entries.count
      if span.unit == "day" { return name }
      if count == 1 { return "\(name) (\(dayName(arrival.entries[0].day)))" }
      return "\(name) (\(index == 0 ? RecapText.entries(count) : RecapText.number(count)))"
    }
    let list = RecapText.list(told, more: arrivals.count - shown.count, rest: .more)
    return [
      .init(
        said("For the first time: \(list)."), entries: arrivals.flatMap(\.entries),
        figures: [.init("new", Double(arrivals.count))])
    ]
  }

  private func back(_ arrivals: [Arrival], limit: Int) -> [Recap.Statement] {
    // Longest gap first.
    let sorted = arrivals.sorted {
      ($0.last ?? .earliest, $0.subject) < ($1.last ?? .earliest, $1.subject)
    }.prefix(limit)
    let items = sorted.compactMap { arrival -> (Arrival, since: String, Recap.Figure)? in
      guard let last = arrival.last, let entry = arrival.entries.first else { return nil }
      let gap = Double(last.distance(to: entry.day))
      return (
        arrival, sinceName(last), .init("days since \(arrival.subject.told)", gap, unit: "days")
      )
    }
    guard items.count > 2 else {
      return items.map { arrival, since, figure in
        let name = arrival.subject.told
        let day = dayName(arrival.entries[0].day)
        return .init(
          span.unit == "day"
            ? said("For the first time since \(since): \(name).")
            : said("For the first time since \(since): \(name), on \(day)."),
          entries: arrival.entries, figures: [figure])
      }
    }
    let list = RecapText.list(items.map { said("\($0.0.subject.told) (since \($0.since))") })
    return [
      .init(
        said("For the first time in a long while: \(list)."),
        entries: items.flatMap(\.0.entries), figures: items.map(\.2))
    ]
  }
}
