package import ArkivedCore
import Foundation

/// Answers plain questions from a timeline: read, selected, computed and cited, without a language
/// model.
package struct TimelineEngine: Sendable {
  package let timeline: any Timeline
  package let zone: Zone
  private let frames: FrameCache

  /// - Parameter frames: keeps what was read of the timeline's sentences for further questions.
  package init(timeline: any Timeline, zone: Zone, frames: FrameCache = FrameCache()) {
    self.timeline = timeline
    self.zone = zone
    self.frames = frames
  }

  /// Answers a question as seen from a moment.
  ///
  /// - Parameters:
  ///   - parts: the keys of those parts of the question that are left out.
  ///   - problem: why the question cannot be answered, where that is known already.
  package func answer(
    _ text: String, now: Instant, without parts: Set<String> = [], problem: String? = nil
  ) -> TimelineAnswer {
    let reader = AskReader(timeline: timeline, now: now, zone: zone)
    let today = zone.dayKey(at: now)
    let selector = Selector(timeline: timeline, today: today, frames: frames)
    let work = AnswerWork(
      timeline: timeline, today: today, frames: frames, selector: selector,
      question: selector.bounded(selector.settled(reader.read(text).without(parts))))
    if let problem { return work.none(problem) }
    return work.answer()
  }
}

/// The work on one question.
struct AnswerWork {
  let timeline: any Timeline
  let today: DayKey
  let frames: FrameCache
  let selector: Selector
  let question: AskQuestion
  /// Whether it is one side of a comparison, which tells less of what it does not find.
  var isSide = false

  func answer() -> TimelineAnswer {
    if let problem = question.problem { return none(problem) }
    if question.kind == .compare { return compare() }
    let asksNothing =
      question.terms.isEmpty && question.people.isEmpty && question.days == nil
      && question.joins.isEmpty && question.measure == nil && question.weekdays.isEmpty
      && question.hole != .tag && question.threshold == nil && question.clause == nil
      && question.dayValue == nil
      && !(question.kind == .most && question.hole != .entry && question.hole != .thing(""))
    if asksNothing {
      return none(
        "I found no time, person, tag or word in the question that I could look for. "
          + "Ask for example: what did I do last week?")
    }
    if let answer = identity() { return answer }
    if let problem = unmeasurable ?? unwritten { return none(problem) }
    if let answer = dayFigure() { return answer }
    // "days without coffee": the days on which there was none.
    var asksPeriod = false
    if case .period = question.hole, question.kind == .list { asksPeriod = true }
    if question.countsDays || question.kind == .when || asksPeriod,
      question.terms.count + question.people.count > 0,
      question.terms.allSatisfy(\.isExcluded), question.people.allSatisfy(\.isExcluded)
    {
      let done = question.withoutNegation
      let selection = selector.select(done, allowsNotes: false)
      return selection.entries.isEmpty
        ? with(done).nothing(selection) : with(done).complement(selection)
    }
    if question.kind == .list, question.days == nil, question.joins.isEmpty,
      question.weekdays.isEmpty, question.threshold == nil, question.clause == nil,
      question.terms.count + question.people.count > 0, question.terms.allSatisfy(\.isExcluded),
      question.people.allSatisfy(\.isExcluded)
    {
      return none("That only leaves something out; say what or when you mean as well.")
    }
    let selection = selector.select(question)
    if let empty = selection.emptyJoin {
      return none("I found no day on which this was so: \(empty).")
    }
    if question.isComplement { return complement(selection) }
    guard !selection.entries.isEmpty || question.threshold != nil else {
      return nothing(selection)
    }
    if let unheard = unheard(selection) ?? undone(selection) { return unheard }
    if let trips = tripAnswer(selection) { return trips }
    let limited = thresholded(selection)
    guard !limited.entries.isEmpty else { return nothing(limited) }
    switch question.kind {
    case .count: return count(limited)
    case .sum: return sum(limited)
    case .average: return average(limited)
    case .first, .last: return edge(limited)
    case .since: return since(limited)
    case .clock: return clock(limited)
    case .longest: return longest(limited)
    case .gap, .streak: return run(limited)
    case .most: return most(limited)
    case .when: return when(limited)
    case .where: return places(limited)
    case .who: return who(limited)
    case .yesNo: return yes(limited)
    case .list, .none, .compare: return list(limited)
    }
  }

  func with(_ question: AskQuestion) -> AnswerWork {
    AnswerWork(
      timeline: timeline, today: today, frames: frames, selector: selector, question: question,
      isSide: isSide)
  }

  // MARK: Parts of answers

  /// “ with Alex Moreau, about #lunch and “sushi” (2024)”: how the question was read.
  func circumstances(_ selection: Selection) -> String {
    var parts: [String] = []
    let named = question.people.filter { !$0.isExcluded }.map { person in
      person.names.joined(separator: " or ")
    }
    if !named.isEmpty { parts.append("with \(named.joined(separator: " and "))") }
    let concepts = selection.concepts.filter { !$0.term.isExcluded }.map(\.reading)
    if !concepts.isEmpty { parts.append("for \(concepts.joined(separator: " and "))") }
    let excluded =
      selection.concepts.filter(\.term.isExcluded).map(\.reading)
      + question.people.filter(\.isExcluded).map(\.words)
    if !excluded.isEmpty { parts.append("without \(excluded.joined(separator: " and "))") }
    if question.hasNobody { parts.append("with nobody") }
    if question.hasSomebody { parts.append("with somebody") }
    if !question.joins.isEmpty {
      parts.append("on days with “\(question.joins.map(\.text).joined(separator: "” and “"))”")
    } else if let clause = question.clause {
      parts.append("when “\(clause)”")
    }
    if !question.weekdays.isEmpty {
      parts.append(
        "on \(question.weekdays.sorted { $0.rawValue < $1.rawValue }.map { $0.name + "s" }.joined(separator: ", "))"
      )
    }
    if let limit = question.threshold {
      parts.append(
        (limit.isAtLeast
          ? limit.isStrict ? "over" : "at least" : limit.isStrict ? "under" : "at most")
          + " \(AmountText.plain(limit.amount)) \(limit.unit)")
    }
    if let minutes = question.minutes {
      let end = minutes.upperBound == 1440 ? "midnight" : "\(minutes.upperBound / 60):00"
      parts.append("between \(minutes.lowerBound / 60):00 and \(end)")
    }
    if let days = question.days { parts.append("(\(SpanText.days(days)))") }
    if selection.isFromNotes { parts.append("in day notes") }
    for correction in question.corrections {
      parts.append("[“\(correction.from)” read as “\(correction.to)”]")
    }
    return parts.isEmpty ? "" : " " + parts.joined(separator: " ")
  }

  func finish(
    _ sentence: String, _ kind: String, values: [JSON], labels: [String] = [], unit: String? = nil,
    _ selection: Selection, citations: [TimelineEntry]? = nil
  ) -> TimelineAnswer {
    let ignored = question.ignored + selection.dropped + selection.doubts + unasked + unnamed
    let rest = ignored.isEmpty ? "" : " Not used: \(ignored.joined(separator: ", "))."
    var answer = TimelineAnswer(
      sentence: sentence + rest, kind: kind, values: values, labels: labels, unit: unit,
      question: question)
    answer.reading = circumstances(selection)
    answer.days = question.days
    answer.people = question.people.filter { !$0.isExcluded }.flatMap { $0.names }
    answer.ignored = ignored
    for concept in selection.concepts where !concept.term.isExcluded {
      for atom in concept.atoms {
        if case .tag(let tag) = atom { answer.tags.append(tag) }
      }
      if concept.reading.hasPrefix("“") { answer.words.append(concept.term.text) }
    }
    answer.citations = citations ?? selection.entries
    return answer
  }

  func none(_ sentence: String) -> TimelineAnswer {
    TimelineAnswer(
      sentence: sentence, kind: "none", question: question, days: question.days,
      ignored: question.ignored)
  }

  /// No entry: says so, and which of the words the archive does not hold at all.
  func nothing(_ selection: Selection) -> TimelineAnswer {
    var sentence = "I found no entry\(circumstances(selection))."
    let missing = question.terms.filter { term in
      timeline.frequency(of: term.key) == 0
        && timeline.names.tagsByKey[term.key] == nil
    }
    if question.kind == .yesNo { sentence = "No: " + sentence }
    if !missing.isEmpty {
      sentence += " Nowhere in the archive: \(missing.map(\.text).joined(separator: ", "))."
    } else if question.days != nil, !isSide {
      var anyTime = question
      anyTime.days = nil
      let elsewhere = selector.select(anyTime, allowsNotes: false)
      if elsewhere.dropped.isEmpty, let last = elsewhere.entries.last {
        sentence +=
          " At other times there are \(elsewhere.entries.count), the latest on \(last.day.plainName)."
      }
    }
    var answer = none(sentence)
    answer.ignored += missing.map(\.text).filter { !answer.ignored.contains($0) }
    return answer
  }

  func entries(_ count: Int, _ selection: Selection) -> String {
    let noun = selection.isFromNotes ? "day note" : "entry"
    return count == 1 ? "1 \(noun)" : "\(count) \(selection.isFromNotes ? "day notes" : "entries")"
  }

  /// The general words of a question that nothing was asked of although tags are called so.
  var unasked: [String] {
    WordCutter.words(of: question.text).filter { word in
      ["date", "visit", "event", "activit", "life", "work", "home", "diary", "meal"]
        .contains(word.key) && !question.terms.contains { $0.key == word.key }
        && timeline.tags[word.key] != nil && question.terms.isEmpty
    }.map(\.text)
  }

  /// Leaves only the entries whose amount passes the threshold.
  private func thresholded(_ selection: Selection) -> Selection {
    guard let threshold = question.threshold else { return selection }
    var result = selection
    let silent = selection.entries.count { amount(of: $0, in: threshold.unit) == nil }
    if !question.terms.isEmpty || !question.people.isEmpty { result = result.silent(silent) }
    result.entries = selection.entries.filter { entry in
      amount(of: entry, in: threshold.unit).map(threshold.holds) ?? false
    }
    return result
  }

  /// What an entry measures, in a unit.
  func amount(of entry: TimelineEntry, in unit: String) -> Double? {
    if unit == "days", let days = Journeys.length(of: entry) { return Double(days) }
    return entry.amount(in: unit)
  }

  /// What is asked for, where the archive has no word of it: "the capital of Greece".
  private func unheard(_ selection: Selection) -> TimelineAnswer? {
    guard !isSide, [.list, .who, .yesNo, .when, .where].contains(question.kind),
      !selection.dropped.isEmpty
    else {
      return nil
    }
    let missing = question.terms.filter { term in
      selection.dropped.contains(term.text) && !term.isExcluded
        && timeline.frequency(of: term.key) == 0 && timeline.names.tagsByKey[term.key] == nil
        && !Ontology.isKind(term.key) && !FrameNouns.places.contains(term.key)
        && !ConceptResolver.soft.contains(term.key)
        && Synonyms.near(term.key).allSatisfy {
          timeline.frequency(of: $0) == 0 && timeline.names.tagsByKey[$0] == nil
        }
    }
    guard !missing.isEmpty else { return nil }
    var answer = none(
      "Nowhere in the archive: \(missing.map(\.text).joined(separator: ", ")). Without it there "
        + "\(selection.entries.count == 1 ? "is 1 entry" : "are \(selection.entries.count) entries")"
        + "\(circumstances(selection)).")
    answer.ignored += missing.map(\.text)
    return answer
  }

  func count(_ selection: Selection) -> TimelineAnswer {
    if let stays = stayCount(selection) { return stays }
    let shownUnit: String
    let number: Int
    if question.measure == .people {
      let names = Set(selection.entries.flatMap(\.people))
        .subtracting(question.people.flatMap(\.names))
      return finish(
        "\(names.count) people\(circumstances(selection)), in "
          + "\(entries(selection.entries.count, selection)).", "count",
        values: [JSON(names.count)], labels: ["people"], unit: "people", selection)
    }
    if question.lightVerbs.contains("distinct"), let answer = distinct(selection) { return answer }
    if let group = question.group { return grouped(selection, group, nil) }
    if let quantity = quantity(selection) { return quantity }
    if let period = question.countsPeriod {
      number = Set(selection.entries.map { key(of: $0.day, period) }).count
      shownUnit = "\(period.rawValue)s"
      return finish(
        "In \(number) \(shownUnit)\(circumstances(selection)), in "
          + "\(entries(selection.entries.count, selection)).", "count", values: [JSON(number)],
        labels: [shownUnit], unit: shownUnit, selection)
    }
    if question.countsDays, Journeys.isAsked(selection) {
      number = Journeys.days(of: selection.entries, in: selector.span(of: question))
      shownUnit = "days"
    } else if question.countsDays {
      number = selection.days.count
      shownUnit = "days"
    } else {
      number = selection.entries.count
      shownUnit = "times"
    }
    let sentence =
      question.countsDays
      ? "On \(number) \(number == 1 ? "day" : "days")\(circumstances(selection)), in "
        + "\(entries(selection.entries.count, selection))."
      : "\(entries(number, selection))\(circumstances(selection)), on "
        + "\(selection.days.count) \(selection.days.count == 1 ? "day" : "days")."
    return finish(
      sentence, "count", values: [JSON(number)], labels: [shownUnit], unit: shownUnit, selection)
  }

  /// How many different things or places the entries name.
  private func distinct(_ selection: Selection) -> TimelineAnswer? {
    var names: [String: String] = [:]
    var cited: [TimelineEntry] = []
    var sayings = Sayings<Bool>()
    for entry in selection.entries {
      let namesSome = sayings.of(entry) { entry in
        var found: [String] = []
        if case .thing(let key) = question.hole { found = thing(of: entry, kind: key) }
        if question.hole == .place { found = [place(of: entry)].compactMap(\.self) }
        for name in found where names[NameFolding.loose(name)] == nil {
          names[NameFolding.loose(name)] = name
        }
        return !found.isEmpty
      }
      if namesSome { cited.append(entry) }
    }
    guard !names.isEmpty else { return nil }
    let silent = selection.entries.count - cited.count
    var selection = selection
    if silent > 0 { selection.doubts.append(Doubts.further(silent, "that name none")) }
    let shown = names.values.sorted().prefix(8).joined(separator: ", ")
    return finish(
      "\(names.count) different\(circumstances(selection)): \(shown)\(names.count > 8 ? " …" : "").",
      "count", values: [JSON(names.count)], labels: ["different"], unit: "times", selection,
      citations: cited)
  }

  /// "eight postcards": what sentences count themselves.
  private func quantity(_ selection: Selection) -> TimelineAnswer? {
    guard let mark = question.lightVerbs.first(where: { $0.hasPrefix("#") }) else { return nil }
    let key = String(mark.dropFirst())
    // Films under #film are entries, whatever their titles count.
    let isTag = selection.concepts.contains {
      $0.term.key == key && !ConceptResolver.tags($0.atoms).isEmpty
    }
    var sayings = Sayings<Double?>()
    let numbers = selection.entries.map { entry -> Double? in
      if let sentence = selection.sentences[entry.id] {
        return Quantities.amount(of: key, in: sentence)
      }
      return sayings.of(entry) { Quantities.amount(of: key, in: $0.words) }
    }
    if isTag, numbers.filter({ $0 != nil }).count * 2 < numbers.count { return nil }
    guard numbers.contains(where: { ($0 ?? 0) >= 2 }) else { return nil }
    let told = zip(selection.entries, numbers).filter { $0.1 != nil }
    let sum = numbers.compactMap(\.self).reduce(0, +)
    let noun = question.terms.first { $0.key == key }?.text ?? key
    if question.kind == .average {
      let mean = sum / Double(told.count)
      return finish(
        "\(AmountText.plain((mean * 100).rounded() / 100)) \(noun) on average\(circumstances(selection)), "
          + "by \(told.count) sentences that count them.", "average", values: [JSON(mean)],
        unit: noun, selection, citations: told.map(\.0))
    }
    return finish(
      "\(AmountText.plain(sum)) \(noun)\(circumstances(selection)), as \(told.count) "
        + "\(told.count == 1 ? "sentence counts" : "sentences count") them.", "sum",
      values: [JSON(sum)], labels: [noun], unit: noun, selection, citations: told.map(\.0))
  }

  func averageQuantity(_ selection: Selection) -> TimelineAnswer? { quantity(selection) }
}
