import ArkivedCore
import Foundation

/// A whole trip or stay, from its first day to its last.
struct Trip {
  var days: ClosedRange<DayKey>
  var entries: [TimelineEntry]

  var length: Int { days.lowerBound.distance(to: days.upperBound) + 1 }
}

extension AnswerWork {
  private static let nouns: Set<String> = ["trip", "journey", "vacation", "travel"]

  /// Returns true if a key is a word for trips.
  static func isTrip(_ key: String) -> Bool { nouns.contains(key) || key == "holiday" }

  /// Returns the days of the stays if the question names only places of stays.
  func stayDays(_ selection: Selection) -> Set<DayKey>? {
    let concepts = selection.concepts.filter { !$0.term.isExcluded && !$0.term.isHole }
    guard !concepts.isEmpty, !selection.isFromNotes, selection.dropped.isEmpty,
      question.joins.isEmpty, question.clause == nil, question.threshold == nil,
      question.minutes == nil, question.weekdays.isEmpty
    else { return nil }
    var days: Set<DayKey> = []
    for concept in concepts {
      guard !concept.term.isVerb, !concept.isJourney else { return nil }
      var stay: Set<DayKey>?
      for case .day(let own) in concept.atoms { stay = own }
      guard let stay else { return nil }
      days.formUnion(stay)
    }
    let span = selector.span(of: question)
    return days.filter { span.contains($0) }
  }

  /// Answers "How often have I been to Rome?" by counting stays instead of entries.
  func stayCount(_ selection: Selection) -> TimelineAnswer? {
    guard question.measure == nil, question.group == nil, question.per == nil,
      question.countsPeriod == nil, !question.lightVerbs.contains("distinct"),
      !question.lightVerbs.contains(where: { $0.hasPrefix("#") }), let days = stayDays(selection),
      !days.isEmpty
    else { return nil }
    if question.countsDays {
      return question.people.isEmpty
        ? finish(
          said(days.count, one: "1 day", other: "\(days.count) days") + circumstances(selection)
            + said(", from the first to the last day of each stay."), "count",
          values: [JSON(days.count)],
          labels: ["days"], unit: "days", selection) : nil
    }
    let runs = AnswerWork.runs(of: days.sorted(), gap: 1)
    let told = runs.filter { run in selection.entries.contains { run.contains($0.day) } }
    guard !told.isEmpty else { return nil }
    let shown = told.prefix(6).map { SpanText.shownDays($0) }.joined(separator: "; ")
    return finish(
      text(Double(told.count), "times") + "\(circumstances(selection)): \(shown).",
      "count", values: [JSON(told.count)], labels: ["times"], unit: "times", selection)
  }

  /// Groups sorted days into spans without gaps longer than `gap`.
  static func runs(of days: [DayKey], gap: Int) -> [ClosedRange<DayKey>] {
    var runs: [ClosedRange<DayKey>] = []
    for day in days {
      if let last = runs.last, last.upperBound.distance(to: day) <= gap {
        runs[runs.count - 1] = last.lowerBound...max(last.upperBound, day)
      } else {
        runs.append(day...day)
      }
    }
    return runs
  }

  /// Returns the trips that a question asks for if trips are tagged; nil if the question also asks
  /// for something else.
  private func trips(_ selection: Selection) -> [Trip]? {
    let concepts = selection.concepts.filter { !$0.term.isExcluded }
    guard !selection.isFromNotes, question.joins.isEmpty, question.clause == nil,
      question.threshold == nil, question.weekdays.isEmpty,
      let noun = concepts.first(where: { AnswerWork.nouns.contains($0.term.key) }),
      let tag = ConceptResolver.tags(noun.atoms).first(where: { Lemma.key($0) == "trip" }),
      concepts.allSatisfy({ concept in
        concept.term.key == noun.term.key
          || concept.atoms.contains { if case .day = $0 { true } else { false } }
      })
    else { return nil }
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [[.tag(tag)]]
    let entries = timeline.entries(.activity, where: condition)
    let wanted = Set(selection.entries.map(\.day))
    let span = selector.span(of: question)
    var trips: [Trip] = []
    for entry in entries {
      if let last = trips.indices.last, trips[last].days.upperBound.distance(to: entry.day) <= 3 {
        trips[last].entries.append(entry)
        trips[last].days = trips[last].days.lowerBound...entry.day
      } else {
        trips.append(Trip(days: entry.day...entry.day, entries: [entry]))
      }
    }
    return trips.filter { trip in
      span.contains(trip.days.lowerBound) && trip.entries.contains { wanted.contains($0.day) }
    }
  }

  /// Returns the destination of each trip: the tag that most of its entries have besides the tags
  /// common to all trips.
  private func names(of trips: [Trip]) -> [String?] {
    var shared: [String: Int] = [:]
    for trip in trips {
      for tag in Set(trip.entries.flatMap(\.tags)) { shared[tag, default: 0] += 1 }
    }
    return trips.map { trip in
      var counts: [String: Int] = [:]
      for tag in trip.entries.flatMap(\.tags) where (shared[tag] ?? 0) * 2 < max(3, trips.count) {
        counts[tag, default: 0] += 1
      }
      return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
  }

  /// Answers questions about the number, names, lengths and longest of trips.
  func tripAnswer(_ selection: Selection) -> TimelineAnswer? {
    guard !question.countsDays, question.group == nil, question.per == nil, question.top == nil,
      [.count, .list, .longest, .average].contains(question.kind),
      let trips = trips(selection), !trips.isEmpty
    else { return nil }
    let cited = trips.flatMap(\.entries)
    let names = names(of: trips)
    let texts = zip(trips, names).map { trip, name in
      SpanText.shownDays(trip.days) + (name.map { " (\($0))" } ?? "")
    }
    let shown =
      texts.prefix(12).joined(separator: "; ")
      + (texts.count > 12 ? andMore(texts.count - 12) : "")
    switch (question.kind, question.measure) {
    case (.count, nil):
      return finish(
        said(trips.count, one: "1 trip", other: "\(trips.count) trips")
          + "\(circumstances(selection)): \(shown).",
        "count", values: [JSON(trips.count)], labels: ["trips"], unit: "times", selection,
        citations: cited)
    case (.list, nil):
      let values = zip(trips, names).map { $1 ?? SpanText.shownDays($0.days) }
      return finish(
        "\(shown)\(circumstances(selection)).", "list", values: values.map { .string($0) },
        labels: trips.map(\.days.lowerBound.description), selection, citations: cited)
    case (.average, .extent), (.average, .duration), (.average, nil):
      let mean = Double(trips.map(\.length).reduce(0, +)) / Double(trips.count)
      return finish(
        said("\(AmountText.shown((mean * 100).rounded() / 100)) days on average")
          + circumstances(selection)
          + said(
            trips.count, one: ", over \(trips.count) trip.", other: ", over \(trips.count) trips."),
        "average",
        values: [JSON((mean * 1000).rounded() / 1000)], unit: "days", selection, citations: cited)
    case (.longest, .extent), (.longest, .duration), (.longest, nil):
      let lengths = trips.map(\.length)
      guard let best = amountOfRank(in: lengths) else {
        return tooFew(differentAmounts(lengths).count, selection)
      }
      let same = trips.filter { $0.length == best }
      let told = zip(trips, texts).filter { $0.0.length == best }.map(\.1)
      return finish(
        said(best, one: "\(best) day", other: "\(best) days")
          + ": \(told.joined(separator: "; "))\(circumstances(selection))"
          + said(
            trips.count, one: ", out of \(trips.count) trip.",
            other: ", out of \(trips.count) trips."), "longest", values: [JSON(best)],
        labels: same.map(\.days.lowerBound.description), unit: "days", selection,
        citations: same.flatMap(\.entries))
    default: return nil
    }
  }

  /// Answers "Who is Hanna?" with the archive's data about them.
  private func portrait() -> TimelineAnswer? {
    guard question.terms.isEmpty, question.people.count == 1, question.days == nil,
      let person = question.people.first, !person.isExcluded,
      question.text.range(
        of: #"^who(?:['’]s| is| was) [^?]+$|^who(?:['’]s| is| was) [^?]+\?$"#,
        options: [.regularExpression, .caseInsensitive]) != nil,
      WordCutter.words(of: question.text, joinsPhrases: false).count
        <= WordCutter.words(of: person.words, joinsPhrases: false).count + 2
    else { return nil }
    var selection = Selection()
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [person.names.map { .person($0) }]
    selection.entries = timeline.entries(.activity, where: condition)
    let told = person.names.map { name in
      timeline.names.people[name]?.summary.map { "\(name): \($0)" } ?? name
    }
    return finish(
      "\(told.joined(separator: "; ")). "
        + said("Mentioned in \(entries(selection.entries.count, selection))."),
      "who", values: person.names.map { .string($0) }, selection)
  }

  /// Answers "Who is my piano teacher?" with the people that the archive describes that way, by the
  /// noun or by the activity.
  private func roleHolder() -> TimelineAnswer? {
    guard
      let match = question.text.lowercased().firstMatch(
        of: /^who(?:['’]s| is| was) (?:my|our) ([a-z]+ [a-z]+(?: [a-z]+)?)\s*\??$/)
    else { return nil }
    let wanted = WordCutter.words(of: String(match.1), joinsPhrases: false).map { word in
      word.lower.hasSuffix("er")
        ? Set([word.key, Lemma.key(String(word.lower.dropLast(2)))]) : [word.key]
    }
    let names = timeline.people.filter { person in
      let said = Set(WordCutter.words(of: person.summary ?? "").map(\.key))
      return wanted.allSatisfy { !$0.isDisjoint(with: said) }
    }.map(\.name)
    guard (1...3).contains(names.count) else { return nil }
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [names.map { .person($0) }]
    var selection = Selection()
    selection.entries = timeline.entries(.activity, where: condition)
    let told = names.map { name in
      timeline.names.people[name]?.summary.map { "\(name): \($0)" } ?? name
    }
    return finish(
      "\(told.joined(separator: "; ")). "
        + said("Mentioned in \(entries(selection.entries.count, selection))."),
      "who", values: names.map { .string($0) }, selection)
  }

  /// Answers "Who is my daughter?" and "what are my children's names?" with the people that the
  /// archive describes that way.
  func identity() -> TimelineAnswer? {
    if let portrait = portrait() ?? roleHolder() { return portrait }
    guard
      let match = question.text.lowercased().firstMatch(
        of:
          /^(?:who|what)(?:['’]s| is| are| was| were)? (?:is |are )?(?:the names? of )?my (\w+?)(?:['’]s?)?(?: called| names?)?\s*\??$/
      ),
      TextPeople.relations.contains(Lemma.singular(String(match.1)))
        || TextPeople.animals.contains(Lemma.singular(String(match.1)))
        || ["children", "kids", "parents", "siblings", "family"].contains(String(match.1))
    else { return nil }
    let people = question.people.filter { !$0.isExcluded }
    let names = people.flatMap(\.names)
    guard !names.isEmpty else {
      return none(said("I couldn’t find anyone recorded as your \(match.1)."))
    }
    var condition = IndexCondition(days: DayKey.earliest...today)
    condition.all = [names.map { .person($0) }]
    let kin = Set([String(match.1), "son", "daughter", "child", "kid"].map { Lemma.key($0) })
    var selection = Selection()
    selection.entries = timeline.entries(.activity, where: condition)
      .filter { $0.says(kin) }
    return finish(
      "\(enumeration(names)).", "who", values: names.map { .string($0) }, selection)
  }
}
