import ArkivedCore
import Foundation

extension RecapWork {
  /// Returns the rarity of a subject, from 0 for one that always occurs.
  ///
  /// Tags and places are weighted by all their entries, people by those in the loaded spans.
  func rarity(_ subject: RecapSubject) -> Double {
    switch subject {
    case .tag(let tag): return spread(tagTotals[tag] ?? 1, of: tagTop)
    case .place(let place): return spread(placeTotals[place] ?? 1, of: placeTop)
    case .person:
      let count = (ledger.bySubject[subject]?.count ?? 0) + (before.bySubject[subject]?.count ?? 0)
      return spread(max(1, count), of: max(1, ledger.entries.count + before.entries.count))
    }
  }

  private func spread(_ count: Int, of most: Int) -> Double {
    log(Double(max(most, 1) + 1) / Double(max(count, 1)))
  }

  func subjects(of entry: TimelineEntry) -> [RecapSubject] {
    var result = entry.tags.map { RecapSubject.tag($0) } + entry.people.map { .person($0) }
    if let place = entry.place, !place.isEmpty { result.append(.place(place)) }
    return result
  }

  /// Returns a score for how much an entry stands out, from its columns alone.
  func score(_ entry: TimelineEntry) -> Double {
    var best = 0.0
    var sum = 0.0
    for subject in Set(subjects(of: entry)) {
      let value = rarity(subject)
      best = max(best, value)
      sum += value
    }
    return RecapWork.score(
      rarest: best, sum: sum, minutes: entry.durationMinutes ?? 0,
      isMeasured: !entry.measurements.isEmpty)
  }

  /// Returns the scores of all the span's entries by position, as in ``score(_:)``.
  func scores() -> [Double] {
    var best = [Double](repeating: 0, count: ledger.entries.count)
    var sum = best
    for (subject, positions) in ledger.bySubject {
      let rarity = rarity(subject)
      for position in positions {
        best[position] = max(best[position], rarity)
        sum[position] += rarity
      }
    }
    let measured = Set(ledger.byUnit.values.joined())
    return best.indices.map { position in
      RecapWork.score(
        rarest: best[position], sum: sum[position], minutes: ledger.minutes[position],
        isMeasured: measured.contains(position))
    }
  }

  // A single rare thing counts most; company, duration and a measure add to it.
  private static func score(
    rarest: Double, sum: Double, minutes: Double, isMeasured: Bool
  ) -> Double {
    rarest + 0.1 * sum + 0.2 * min(max(minutes, 0) / 60, 4) + (isMeasured ? 0.2 : 0)
  }

  /// Returns the entries that stand out most, without duplicate texts, in chronological order.
  func outstanding(_ entries: some Sequence<TimelineEntry>, limit: Int) -> [TimelineEntry] {
    var best = entries.enumerated().map {
      (offset: $0.offset, entry: $0.element, score: score($0.element))
    }
    guard best.count > limit else { return best.map(\.entry) }
    best.sort { ($0.score, $1.offset) > ($1.score, $0.offset) }
    var texts: Set<String> = []
    var picked: [(offset: Int, entry: TimelineEntry)] = []
    for candidate in best.prefix(limit * 8) where picked.count < limit {
      if texts.insert(RecapText.shortened(candidate.entry.text, to: 60)).inserted {
        picked.append((candidate.offset, candidate.entry))
      }
    }
    return picked.sorted { $0.offset < $1.offset }.map(\.entry)
  }

  /// Returns a day's name in a sentence about this span: "Tuesday", "Tuesday, 28 May", "28 May".
  func dayName(_ day: DayKey) -> String {
    switch span {
    case .week: day.weekday.shownName
    case .day, .month, .year: dayAndMonth(day)
    }
  }

  /// Returns a range's name: "from 13 to 18 July", "from 28 March to 1 April", in a week "from
  /// Monday to Friday".
  func rangeName(_ first: DayKey, _ last: DayKey) -> String {
    if span.unit == "week" { return said("from \(dayName(first)) to \(dayName(last))") }
    let mark = Language.current.dayMark
    let end = dayAndMonth(last)
    // Separate from weekdays, because some languages need a different word before a number.
    if first.startOfMonth == last.startOfMonth {
      return said("from \(first.day)\(mark) to \(end)")
    }
    return said("from \(first.day)\(mark) \(MonthName.shown[first.month - 1]) to \(end)")
  }

  func dayAndMonth(_ day: DayKey) -> String { day.toldDayAndMonth }

  /// Returns the name of a day before the span, with its year if that differs: "3 March", "3 March
  /// 2023".
  func lastName(_ day: DayKey) -> String {
    day.year == span.days.lowerBound.year ? dayAndMonth(day) : day.shownPlainName
  }

  /// Returns the name of a day before the span after "since": "3 March", "3 March 2023", or "March
  /// 2016" if it is long ago.
  func sinceName(_ day: DayKey) -> String {
    let start = span.days.lowerBound
    if day.year == start.year { return dayAndMonth(day) }
    if day.distance(to: start) < 365 { return day.shownPlainName }
    return "\(MonthName.shown[day.month - 1]) \(day.year)"
  }
}
