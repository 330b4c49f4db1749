import ArkivedCore
import Foundation

extension RecapWork {
  func daySections() -> [Recap.Section] {
    [
      section("overview", shape()), section("course", course()), section("people", dayPeople()),
      section("places", dayPlaces()), section("measures", dayMeasures()),
      section("health", metrics()), section("mood", mood()), section("note", note()),
      section("firsts", firsts()), section("streaks", streaks()), section("ahead", planned()),
      section("past", past()),
    ]
  }

  /// Describes the number of entries and the hours they span, compared with the same weekday.
  private func shape() -> [Recap.Statement] {
    let entries = ledger.entries
    guard !entries.isEmpty else {
      return [.init(said("A day note, but no entries."), entries: notes)]
    }
    var sentence = RecapText.capitalised(RecapText.entries(entries.count))
    if isSoFar { sentence = said("\(sentence) so far") }
    let usual = isSoFar ? nil : usualOfWeekday()
    if let usual {
      sentence += ", " + usual.comparison(of: Double(entries.count), unit: nil, .many)
    }
    // A night that began the evening before says nothing about the hours of this day.
    let minutes = entries.filter(\.hasClock).compactMap(\.dayMinute).filter { $0 >= 0 }
    if let first = minutes.min(), let last = minutes.max(), entries.count > 1, first < last {
      let (start, end) = (RecapText.clock(first), RecapText.clock(last))
      sentence += said(", the first at \(start) and the last at \(end)")
    } else if entries.count == 1, let only = minutes.first {
      sentence += said(", at \(RecapText.clock(only))")
    }
    return [
      .init(
        sentence + ".", entries: entries,
        figures: [.init("entries", Double(entries.count), usual: usual)])
    ]
  }

  private func usualOfWeekday() -> Usual? {
    let weekday = span.days.lowerBound.weekday
    let same = peers.filter { $0.lowerBound.weekday == weekday && before.count(in: $0) > 0 }
    if same.count >= 4, let value = Usual.median(same.map { Double(before.count(in: $0)) }) {
      return Usual(
        value: value, basis: "median of \(same.count) \(weekday.name)s before",
        measure: .weekday(weekday))
    }
    let all = peers.map { Double(before.count(in: $0)) }.filter { $0 > 0 }
    guard all.count >= 5, let value = Usual.median(all) else { return nil }
    return Usual(value: value, basis: "median of \(all.count) days before")
  }

  private enum Part: Int, CaseIterable {
    case night, morning, afternoon, evening
    /// After the midnight that ends the day by the calendar.
    case late
    case untimed

    init(_ minute: Int?) {
      switch minute {
      case nil: self = .untimed
      case .some(..<240): self = .night
      case .some(..<720): self = .morning
      case .some(..<1080): self = .afternoon
      case .some(..<1440): self = .evening
      case .some: self = .late
      }
    }
  }

  /// Describes the parts of the day, each with its highlights.
  private func course() -> [Recap.Statement] {
    let parts = Dictionary(grouping: ledger.entries) { Part($0.fillsDay ? nil : $0.dayMinute) }
    let isOne = parts.count == 1
    return Part.allCases.compactMap { part in
      guard let entries = parts[part] else { return nil }
      let quoted = outstanding(entries, limit: ledger.entries.count > 16 ? 3 : 5)
      let hidden = entries.count - quoted.count
      let list = RecapText.list(
        quoted.map { RecapText.quoted($0) }, more: hidden, rest: .more)
      let isSingle = entries.count == 1
      let sentence: String
      switch part {
      case .night, .late: sentence = said("After midnight: \(list).")
      case .morning:
        sentence =
          isSingle ? said("In the morning: \(list).") : said("In the morning: \(list).")
      case .afternoon:
        sentence =
          isSingle
          ? said("In the afternoon: \(list).") : said("In the afternoon: \(list).")
      case .evening:
        sentence =
          isSingle ? said("In the evening: \(list).") : said("In the evening: \(list).")
      case .untimed where isOne: sentence = said("Recorded: \(list).")
      case .untimed:
        sentence =
          isSingle
          ? said("Without a time: \(list).") : said("Without a time: \(list).")
      }
      return .init(
        sentence,
        entries: quoted
          + (hidden > 0
            ? entries.filter { entry in
              !quoted.contains { $0.id == entry.id }
            } : []))
    }
  }

  private func dayPeople() -> [Recap.Statement] {
    let named = ranked { if case .person = $0 { true } else { false } }
    guard !named.isEmpty else { return [] }
    let cited = positions(of: named.map(\.subject))
    if named.count == 1 {
      let count = named[0].positions.count
      let name = named[0].subject.told
      return [
        statement(
          count == 1
            ? said("\(name) was the only person mentioned.")
            : said("\(name) was the only person mentioned, \(RecapText.inEntries(count))."), cited)
      ]
    }
    let shown = named.prefix(named.count <= 5 ? 5 : 4)
    let list = RecapText.list(shown.map(\.subject.told), more: named.count - shown.count)
    return [
      statement(
        said("People: \(list)."), cited, figures: [.init("people", Double(named.count))])
    ]
  }

  private func dayPlaces() -> [Recap.Statement] {
    var names: [String] = []
    for entry in ledger.entries {
      if let place = entry.place, !place.isEmpty, !names.contains(place) { names.append(place) }
    }
    guard !names.isEmpty else { return [] }
    let cited = positions(of: names.map { .place($0) })
    let told = names.map { RecapSubject.place($0).told }
    if names.count == 1 {
      return [statement(said("The only place: \(told[0])."), cited)]
    }
    let shown = told.prefix(told.count <= 5 ? 5 : 4)
    let list = RecapText.list(Array(shown), more: told.count - shown.count)
    return [
      statement(
        said("Places: \(list)."), cited, figures: [.init("places", Double(names.count))])
    ]
  }

  /// Describes the day's measures, compared with other days that have the same measure.
  private func dayMeasures() -> [Recap.Statement] {
    let earlier = owners.amounts(in: before)
    return owners.amounts(in: ledger).sorted { $0.key < $1.key }.prefix(6).map {
      measure, told in
      let total = told.reduce(0) { $0 + $1.amount }
      let pairs = earlier[measure] ?? []
      if isLevel(measure, told + pairs) { return level(measure, told, pairs) }
      var perDay: [DayKey: Double] = [:]
      for told in pairs { perDay[told.day, default: 0] += told.amount }
      let usual =
        perDay.count >= 4
        ? Usual.median(Array(perDay.values)).map {
          Usual(value: $0, basis: "median of \(perDay.count) days with it in the 91 before")
        } : nil
      let amount = RecapText.amount(total, measure.unit)
      var sentence =
        measure.tag == nil
        ? said("Recorded: \(amount)")
        : said("\(RecapText.capitalised(measure.label)): \(amount)")
      if let usual, !isSoFar { sentence += ", " + usual.comparison(of: total, unit: measure.unit) }
      if let most = told.map(\.amount).max(), pairs.count >= 5,
        let record = record(most, measure, among: pairs.map(\.amount))
      {
        sentence += record.told(isOnly: told.count == 1)
      }
      return statement(
        sentence + ".", told.map(\.position),
        figures: [.init(measure.label, total, usual: usual, unit: measure.unit)])
    }
  }

  /// An amount that exceeds all earlier ones.
  enum Record {
    case soFar
    /// A record since a day, with the day in the form that follows "since".
    case since(String)

    /// Returns ", and the most in one entry since 3 May 2022", for the end of a sentence about a
    /// day's amount.
    func told(isOnly: Bool) -> String {
      switch (self, isOnly) {
      case (.soFar, true): said(", the most in a single entry so far")
      case (.soFar, false): said(", including the most in a single entry so far")
      case (.since(let day), true): said(", the most in a single entry since \(day)")
      case (.since(let day), false): said(", including the most in a single entry since \(day)")
      }
    }
  }

  /// Returns the record that an amount sets; nil if it was reached before.
  func record(_ amount: Double, _ measure: RecapMeasure, among earlier: [Double]) -> Record? {
    guard measure.tag != nil, hasPast, let top = earlier.max(), amount > top else { return nil }
    guard let last = history.last(reaching: amount, measure, before: span.days.lowerBound) else {
      return .soFar
    }
    return .since(sinceName(last))
  }

  private func note() -> [Recap.Statement] {
    notes.compactMap { note in
      let opening = RecapText.opening(of: note.text)
      guard !opening.isEmpty else { return nil }
      let isWhole = note.text.count <= opening.count + 2
      let quote = RecapText.quoted(opening, to: 260)
      return .init(
        isWhole ? said("The note says: \(quote).") : said("The note begins: \(quote)."),
        entries: [note])
    }
  }
}

extension RecapWork {
  /// Returns the subjects of the span, sorted by the number of their entries and then by rarity.
  func ranked(
    _ isWanted: (RecapSubject) -> Bool
  ) -> [(subject: RecapSubject, positions: [Int])] {
    ledger.bySubject.filter { isWanted($0.key) }.map { (subject: $0.key, positions: $0.value) }
      .sorted {
        let left = ($0.positions.count, before.bySubject[$1.subject]?.count ?? 0)
        let right = ($1.positions.count, before.bySubject[$0.subject]?.count ?? 0)
        return left == right ? $0.subject < $1.subject : left > right
      }
  }

  /// Returns the positions of some subjects, without duplicates and in chronological order.
  func positions(of subjects: some Sequence<RecapSubject>) -> [Int] {
    var positions: Set<Int> = []
    for subject in subjects { positions.formUnion(ledger.bySubject[subject] ?? []) }
    return positions.sorted()
  }

  /// Returns a statement based on entries of the span; only those it cites are loaded.
  func statement(
    _ sentence: String, _ positions: [Int], figures: [Recap.Figure] = []
  ) -> Recap.Statement {
    var statement = Recap.Statement(
      sentence, entries: positions.prefix(Recap.citationLimit).map { ledger.entries[$0] },
      figures: figures)
    statement.citationCount = positions.count
    return statement
  }
}
