import ArkivedCore
import Foundation

/// The parts of an entry that determine the things it mentions: its text, the people named there,
/// and its tags.
private struct TextSaying: Hashable {
  let table: ObjectIdentifier
  let text: Int
  let named: [String]
  let isAlone: Bool
  let tags: [Int]

  init(_ entry: TimelineEntry, _ named: [String]) {
    table = ObjectIdentifier(entry.table)
    text = entry.textNumber
    self.named = named
    isAlone = entry.hasNobody
    tags = entry.table.tags.values(entry.ordinal)
  }
}

/// Answers that rank things by how often they occur.
extension AnswerWork {
  /// Returns the things in an entry that the question asks for.
  private func named(by entry: TimelineEntry, _ role: String?) -> [String] {
    switch question.hole {
    case .person:
      role == "by"
        ? author(of: entry).map { [$0] } ?? []
        : people(of: entry, role: role).filter {
          question.candidates.isEmpty || question.candidates.contains($0)
        }
    case .place: place(of: entry).flatMap(answering).map { [$0] } ?? []
    case .tag: entry.tags
    // The subject of the question isn't the answer: "what does Pickle need most".
    case .thing(let key): besideAsked(thing(of: entry, kind: key), entry)
    case .entry: [entry.text]
    case .period, .day: []
    }
  }

  /// True if entries are weighted by their amounts, because the question asks for that.
  private var isWeighedByAmount: Bool {
    switch question.hole {
    case .person, .place, .thing: true
    default: false
    }
  }

  /// True if the question asks for days or spans of days.
  private var isOfDay: Bool {
    switch question.hole {
    case .period, .day: true
    default: false
    }
  }

  /// Returns the key under which a name is counted: "a run" and "running" are one activity.
  private func foldedName(_ name: String) -> String {
    if case .thing(let key) = question.hole, FrameWords.activities.contains(key),
      !name.contains(" ")
    {
      return Lemma.key(name)
    }
    return NameFolding.loose(name)
  }

  private func dayName(_ day: DayKey) -> String {
    guard case .period(let period) = question.hole else { return day.description }
    return periodName(key(of: day, period), period)
  }

  /// Keeps only the entries that state who did it, or that contain the question's verb, if there
  /// are any: "who rings me most" excludes the people I ring, "what do I cook most" excludes
  /// cooking shows.
  private func doers(_ selection: Selection, _ role: String?) -> (Selection, String?) {
    var result = selection
    if question.hole == .person, role == "subject", question.terms.contains(where: \.isVerb) {
      var sayings = Sayings<Bool>()
      let fitting = selection.entries.filter { entry in
        sayings.of(entry) { !frames.frame(of: $0, timeline).subjects.isEmpty }
      }
      guard !fitting.isEmpty, fitting.count < selection.entries.count else { return (result, nil) }
      result.entries = fitting
      return (
        result,
        Doubts.further(selection.entries.count - fitting.count, said("with people in another role"))
      )
    }
    if question.hole == .thing("") { result.entries = acting(selection.entries, "") }
    return (result, nil)
  }

  /// True if "the most" refers to the time spent talking to somebody, because all entries state it.
  private func isWeighedByTime(_ selection: Selection) -> Bool {
    question.hole == .person && !question.isLeast && weighed == nil && question.top == nil
      && question.terms.contains { $0.isVerb && ["talk", "speak", "chat"].contains($0.key) }
      && question.text.range(
        of:
          #"\b(?:talk|speak|chat|talked|spoke|spoken|chatted)(?: to| with)? the most\b(?! (?:often|times|frequently))"#,
        options: [.regularExpression, .caseInsensitive]) != nil
      && !selection.entries.isEmpty && selection.entries.allSatisfy { $0.durationMinutes != nil }
  }

  func most(_ selection: Selection) -> TimelineAnswer {
    if isWeighedByTime(selection) {
      var asked = question
      asked.lightVerbs.insert("weigh")
      return with(asked).most(selection)
    }
    var counts: [String: Double] = [:]
    var names: [String: String] = [:]
    var cited: [TimelineEntry] = []
    let role = personRole
    let isWeighed = isWeighedByAmount
    var (selection, further) = doers(selection, role)
    var lengths = 0
    if isWeighed, let weighed {
      let all = selection.entries.count
      selection.entries = withoutLengths(selection.entries, weighed)
      lengths = all - selection.entries.count
    }
    // Grouping entries by what they say first means that each text is examined only once.
    var sayings = Sayings<Int>()
    var periods: [DayKey: Int] = [:]
    var found: [(names: [String], count: Double)] = []
    var told: [TextSaying: [String]] = [:]
    var silences: String?
    for entry in selection.entries {
      let index: Int
      if isOfDay {
        let day = entry.day
        index = periods[day] ?? found.count
        if index == found.count {
          periods[day] = index
          found.append(([dayName(day)], 0))
        }
      } else {
        index = sayings.of(entry) { entry in
          guard case .thing = question.hole else {
            found.append((named(by: entry, role), 0))
            return found.count - 1
          }
          // Other people present don't change the things that the text names.
          let saying = TextSaying(entry, frames.named(in: entry, timeline))
          let names = told[saying] ?? named(by: entry, role)
          told[saying] = names
          found.append((names, 0))
          return found.count - 1
        }
      }
      guard !found[index].names.isEmpty else { continue }
      found[index].count += isWeighed ? weight(of: entry) : 1
      cited.append(entry)
    }
    var folded: [String: String] = [:]
    for (list, count) in found {
      for name in list {
        let key = folded[name] ?? foldedName(name)
        folded[name] = key
        if names[key] == nil { names[key] = name }
        counts[key, default: 0] += count
      }
    }
    if let weighed {
      let silent = lengths + selection.entries.count { $0.amount(in: weighed) == nil }
      if silent > 0 { silences = Doubts.further(silent, said("without an amount")) }
    }
    // A month without entries has the fewest.
    if case .period(let period) = question.hole, question.isLeast {
      let named = Set(counts.keys)
      let all = keys(in: spanOfRate(selection), period).map { periodName($0, period) }
      for name in all where !named.contains(NameFolding.loose(name)) {
        names[NameFolding.loose(name)] = name
        counts[NameFolding.loose(name)] = 0
      }
      let parts = Set(partPeriods(period).map { NameFolding.loose(periodName($0, period)) })
      let whole = counts.filter { !parts.contains($0.key) }
      if whole.count > 1 { counts = whole }
    }
    for name in question.candidates where counts[NameFolding.loose(name)] == nil {
      names[NameFolding.loose(name)] = name
      counts[NameFolding.loose(name)] = 0
    }
    guard !counts.isEmpty else { return nothing(selection) }
    if question.hole == .place, !question.terms.contains(where: { $0.key == Lemma.key("cinema") }) {
      let kept = Set(ofKind(names.values.sorted()).map { NameFolding.loose($0) })
      counts = counts.filter { kept.contains($0.key) }
    }
    // "choir" isn't a piece that a choir sang.
    if case .thing(let key) = question.hole,
      let best = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
      Lemma.key(best.key) == key
    {
      selection.doubts.append(
        said("“\(names[best.key] ?? best.key)” (already in the question)"))
    }
    if let silences { selection.doubts.append(silences) }
    if let further { selection.doubts.append(further) }
    if case .thing = question.hole, cited.count < selection.entries.count {
      selection.doubts.append(
        Doubts.further(selection.entries.count - cited.count, said("without matching details")))
    }
    return ranking(
      counts.map { (names[$0.key] ?? $0.key, $0.value) },
      weighed ?? "times", selection, citations: cited)
  }

  /// The unit that is summed instead of counting entries, as in "spent the most time with".
  var weighed: String? {
    if question.lightVerbs.contains("weigh") { return "minutes" }
    if case .unit(let name) = question.measure { return name }
    return nil
  }

  func weight(of entry: TimelineEntry) -> Double {
    weighed.map { amount(of: entry, in: $0) ?? 0 } ?? 1
  }

  func ranking(
    _ amounts: [(String, Double)], _ unit: String, _ selection: Selection,
    citations: [TimelineEntry]
  ) -> TimelineAnswer {
    let ranked = amounts.sorted {
      question.isLeast ? ($0.1, $0.0) < ($1.1, $1.0) : ($1.1, $0.0) < ($0.1, $1.0)
    }
    if let rank = question.rank {
      guard let chosen = ranked[checked: rank - 1] else {
        return tooFew(ranked.count, areAmounts: false, selection)
      }
      return finish(
        "\(chosen.0) (\(text(chosen.1, unit)))\(circumstances(selection))"
          + said(", after \(enumeration(ranked.prefix(rank - 1).map(\.0)))."), "most",
        values: [.string(chosen.0)], labels: [AmountText.plain(chosen.1)], unit: unit, selection,
        citations: citations)
    }
    let count = question.top ?? 1
    var top = Array(ranked.prefix(count))
    let tied = ranked.dropFirst(count).filter { $0.1 == top.last?.1 }.map(\.0)
    if question.top == nil { top += ranked.dropFirst(count).prefix { $0.1 == ranked[0].1 } }
    let shown = enumeration(
      top.prefix(6).map { "\($0.0) (\(text($0.1, unit)))" }, more: top.count - 6)
    let same =
      tied.isEmpty || question.top == nil
      ? "" : said(", tied with \(enumeration(tied.prefix(3)))")
    var selection = selection
    if !tied.isEmpty, question.top != nil {
      selection.doubts.append(
        said("\(enumeration(tied.prefix(3))) (tied with the last one shown)"))
    }
    return finish(
      "\(shown)\(same)\(circumstances(selection)), " + said("out of \(ranked.count)") + " "
        + "\(inEntries(citations.count, selection)).", "most",
      values: question.lightVerbs.contains("figure")
        ? top.prefix(1).map { JSON($0.1) } : top.map { .string($0.0) },
      labels: question.hole == .period(.year)
        ? top.map(\.0) : top.map { AmountText.plain($0.1) }, unit: unit,
      selection, citations: citations)
  }
}
