import ArkivedCore
import Foundation

extension RecapWork {
  /// Something unusual that fills part of the span: a journey, a course, an illness.
  struct Topic {
    var subject: RecapSubject
    var positions: [Int]
    var weight: Double
  }

  /// Returns the topics of the span in chronological order.
  func topics() -> [Topic] {
    guard span.unit == "year" || !before.entries.isEmpty else { return [] }
    let length = Double(elapsed?.count ?? 1)
    let least = span.unit == "week" ? 3 : span.unit == "month" ? 4 : 6
    let past = Double(max(1, before.byDay.count))
    var candidates = ledger.bySubject.compactMap { subject, positions -> Topic? in
      guard positions.count >= least else { return nil }
      if case .person = subject { return nil }
      // A topic fills days instead of coming up now and then.
      let first = ledger.days[positions[0]]
      let days = first.distance(to: ledger.days[positions[positions.count - 1]]) + 1
      guard days * 2 <= positions.count * (span.unit == "year" ? 7 : 5) else { return nil }
      let count = Double(positions.count)
      // Compared with previous spans, and within a year with its own other months.
      let expected: Double
      if span.unit == "year" {
        guard !ledger.fills(months: 3, at: positions) else { return nil }
        expected = Double(before.bySubject[subject]?.count ?? 0)
      } else {
        expected = Double(before.bySubject[subject]?.count ?? 0) / past * length
      }
      let lift = count / (expected + 0.5)
      guard lift >= (span.unit == "year" ? 2 : 3) else { return nil }
      return Topic(subject: subject, positions: positions, weight: sqrt(count) * rarity(subject))
    }
    candidates.sort { ($0.weight, $1.subject) > ($1.weight, $0.subject) }
    var covered: Set<Int> = []
    var picked: [Topic] = []
    for topic in candidates where picked.count < (span.unit == "year" ? 6 : 2) {
      let overlap = topic.positions.count { covered.contains($0) }
      guard overlap * 3 < topic.positions.count else { continue }
      picked.append(topic)
      covered.formUnion(topic.positions)
    }
    return picked.sorted { $0.positions[0] < $1.positions[0] }
  }

  /// Describes a topic in a sentence; `index` varies the wording of adjacent ones.
  func told(_ topic: Topic, index: Int) -> Recap.Statement {
    let entries = topic.positions.map { ledger.entries[$0] }
    let days = RecapLedger.days(entries)
    let quotes = RecapText.list(
      outstanding(entries, limit: 2).map { RecapText.quoted($0, to: 70) })
    let when: String
    if let first = days.first, let last = days.last, first < last {
      when =
        days.count == 2
        ? said("on \(dayName(first)) and \(dayName(last))")
        : rangeName(first, last)
    } else {
      when = said("on \(dayName(days[0]))")
    }
    let name = topic.subject.told
    let count = RecapText.entries(entries.count)
    let sentence =
      switch index % 3 {
      case 0: said("\(when): \(name), in \(count), including \(quotes).")
      case 1: said("\(name) came up in \(count) \(when), such as \(quotes).")
      default: said("\(when): \(count) with \(name), including \(quotes).")
      }
    return .init(
      RecapText.capitalised(sentence), entries: entries,
      figures: [.init(name, Double(entries.count))])
  }

  /// Returns individual entries that stand out, on different days and about different things.
  func highlights(besides topics: [Topic]) -> [Recap.Statement] {
    let limit = span.unit == "year" ? 6 : 4
    guard ledger.entries.count > 4 else { return everything() }
    let covered = Set(topics.flatMap(\.positions))
    var scored = scores().enumerated().lazy.filter { !covered.contains($0.offset) }
      .map { (index: $0.offset, score: $0.element) }
      .sorted { ($0.score, $1.index) > ($1.score, $0.index) }
    // Ordinary entries aren't highlights.
    let usual = scored.isEmpty ? 0 : scored[scored.count / 2].score
    scored.removeAll { $0.score < usual * 1.15 }
    var days: Set<DayKey> = []
    var things: Set<RecapSubject> = []
    var texts: Set<String> = []
    var picked: [Int] = []
    for (index, _) in scored.prefix(limit * 24) where picked.count < limit {
      let entry = ledger.entries[index]
      // On different days, or in different months of a year.
      let place = span.unit == "year" ? entry.day.startOfMonth : entry.day
      guard !days.contains(place) else { continue }
      guard let rarest = subjects(of: entry).max(by: { rarity($0) < rarity($1) }),
        !things.contains(rarest),
        texts.insert(RecapText.shortened(entry.text, to: 60)).inserted
      else { continue }
      days.insert(place)
      things.insert(rarest)
      picked.append(index)
    }
    guard !picked.isEmpty else { return [] }
    let entries = picked.sorted().map { ledger.entries[$0] }
    let list = RecapText.list(
      entries.map { said("\(RecapText.quoted($0)) on \(dayName($0.day))") })
    return [
      .init(
        topics.isEmpty ? said("Highlights: \(list).") : said("Also: \(list)."),
        entries: entries)
    ]
  }

  /// Describes all entries in full if there are few.
  private func everything() -> [Recap.Statement] {
    let quotes = ledger.entries.map {
      said("\(RecapText.quoted($0, to: 140)) on \(dayName($0.day))")
    }
    guard !quotes.isEmpty else { return [] }
    let list = RecapText.list(quotes)
    return [
      .init(
        said(quotes.count, one: "Entry: \(list).", other: "Entries: \(list)."),
        entries: ledger.entries)
    ]
  }

  // MARK: Unusual days

  /// Describes the days of a month or year that differ most from the others.
  func unusualDays() -> [Recap.Statement] {
    guard span.unit == "year", ledger.byDay.count >= 30 else { return [] }
    let usual = Usual.median(ledger.byDay.values.map { Double($0.count) }) ?? 0
    var rarities: [DayKey: [Double]] = [:]
    for (subject, positions) in ledger.bySubject {
      let rarity = rarity(subject)
      for day in ledger.days(at: positions) { rarities[day, default: []].append(rarity) }
    }
    let scored = ledger.byDay.map { day, range -> (day: DayKey, score: Double) in
      // The rare things of the day, without duplicates, and how unusual its number of entries is.
      let rare = (rarities[day] ?? []).sorted(by: >).prefix(3).reduce(0, +)
      return (day, rare + abs(Double(range.count) - usual) / max(usual, 1))
    }.sorted { ($0.score, $1.day) > ($1.score, $0.day) }
    var picked: [DayKey] = []
    for (day, _) in scored where picked.count < 3 {
      // One day of a journey suffices.
      if picked.allSatisfy({ abs($0.distance(to: day)) > 21 }) { picked.append(day) }
    }
    var cited: [TimelineEntry] = []
    let told = picked.sorted().map { day -> String in
      let shown = outstanding(ledger.entries(on: day), limit: 2)
      cited += shown
      let list = RecapText.list(shown.map { RecapText.quoted($0, to: 70) })
      return "\(day.weekday.shownName), \(dayAndMonth(day)) (\(list))"
    }
    guard told.count > 1 else { return [] }
    let count = RecapText.capitalised(RecapText.number(told.count))
    return [
      .init(
        said("\(count) days stood out: \(RecapText.list(told))."), entries: cited)
    ]
  }
}
