package import ArkivedCore
import Foundation

/// An engine that answers plain questions from a timeline without a language model: it parses,
/// selects, computes and cites.
package struct TimelineEngine: Sendable {
  package let timeline: any Timeline
  package let zone: Zone
  private let frames: FrameCache

  /// Creates an engine for a timeline.
  ///
  /// - Parameters:
  ///   - timeline: the entries.
  ///   - zone: the time zone.
  ///   - frames: a cache of parsed sentences that is shared between questions.
  package init(timeline: any Timeline, zone: Zone, frames: FrameCache = FrameCache()) {
    self.timeline = timeline
    self.zone = zone
    self.frames = frames
  }

  /// Answers a question relative to a moment.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - now: the current time.
  ///   - parts: the keys of the parts of the question to ignore.
  ///   - problem: the reason that the question can't be answered, if already known.
  ///   - language: a language for questions in addition to English.
  /// - Returns: the answer.
  package func answer(
    _ text: String, now: Instant, without parts: Set<String> = [], problem: String? = nil,
    typed language: Language = .current
  ) -> TimelineAnswer {
    answer(
      WordedQuestion(text, timeline: timeline, language: language), now: now, without: parts,
      problem: problem)
  }

  /// Answers a question after it has been translated into English if necessary.
  func answer(
    _ asked: WordedQuestion, now: Instant, without parts: Set<String>, problem: String?
  ) -> TimelineAnswer {
    let reader = AskReader(timeline: timeline, now: now, zone: zone, kept: asked.kept)
    let text = DateFigures.spelt(asked.text)
    let today = zone.dayKey(at: now)
    let selector = Selector(timeline: timeline, today: today, frames: frames)
    let work = AnswerWork(
      timeline: timeline, today: today, frames: frames, selector: selector,
      question: selector.bounded(
        selector.settled(asked.told(in: reader.read(text)).without(parts))))
    if let problem { return work.none(problem) }
    let answer = work.answer()
    // Tags and places are more reliable than sentences, and the grammar uses them.
    guard parts.isEmpty, timeline.isOfTextsOnly,
      let sentence = SentenceAnswers(work: work, times: reader.times).answer(text),
      sentence.isSure || answer.kind == "none"
    else { return answer }
    return sentence.answer
  }
}

/// The state while answering one question.
struct AnswerWork {
  let timeline: any Timeline
  let today: DayKey
  let frames: FrameCache
  let selector: Selector
  let question: AskQuestion
  /// True for one side of a comparison, whose answer says less about what wasn't found.
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
        said(
          """
          I couldn’t find anything to look for in the question: no time, person, tag or word. Try \
          asking: What did I do last week?
          """))
    }
    if let answer = identity() { return answer }
    if let problem = unmeasurable ?? unwritten { return none(problem) }
    if let answer = dayFigure() { return answer }
    // "days without coffee": the days without any.
    var asksPeriod = false
    if case .period = question.hole, question.kind == .list { asksPeriod = true }
    if question.countsDays || question.countsPeriod != nil || asksPeriod
      || [.when, .streak].contains(question.kind),
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
      return none(said("That only excludes something. Also say what you’re looking for, or when."))
    }
    let selection = selector.select(question)
    if let empty = selection.emptyJoin {
      return none(said("I couldn’t find a day when this was the case: \(empty)."))
    }
    // "did not run more than 5 km" leaves the days with shorter runs.
    if question.isComplement { return complement(thresholded(selection)) }
    guard !selection.entries.isEmpty || question.threshold != nil else {
      return lasting().map(places) ?? nothing(selection)
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
    case .list, .none, .compare: return total(limited) ?? list(limited)
    }
  }

  func with(_ question: AskQuestion) -> AnswerWork {
    AnswerWork(
      timeline: timeline, today: today, frames: frames, selector: selector, question: question,
      isSide: isSide)
  }

  // MARK: Parts of answers

  /// Describes the interpretation of the question: “ with Alex Moreau, about #lunch and “sushi”
  /// (2024)”.
  func circumstances(_ selection: Selection) -> String {
    var parts: [String] = []
    let named = question.people.filter { !$0.isExcluded }.map { person in
      person.names.joined(separator: said(" or "))
    }
    if !named.isEmpty {
      let all = enumeration(named)
      parts.append(
        question.hasOnlyNamed ? said("with only \(all)") : said("with \(all)"))
    }
    let concepts = selection.concepts.filter { !$0.term.isExcluded }.map(\.reading)
    if !concepts.isEmpty { parts.append(said("for \(enumeration(concepts))")) }
    let excluded =
      selection.concepts.filter(\.term.isExcluded).map(\.reading)
      + question.people.filter(\.isExcluded).map { question.shown($0.words) }
    if !excluded.isEmpty {
      parts.append(said("without \(enumeration(excluded))"))
    }
    if question.hasNobody { parts.append(said("with nobody")) }
    if question.hasSomebody { parts.append(said("with somebody")) }
    if !question.joins.isEmpty {
      let same = question.joins.filter { $0.shift == 0 }.map { joined($0.text) }
      if !same.isEmpty { parts.append(said("on days with \(enumeration(same))")) }
      for join in question.joins where join.shift != 0 {
        let text = joined(join.text)
        parts.append(
          join.shift > 0 ? said("on days after \(text)") : said("on days before \(text)"))
      }
    } else if let clause = question.clause {
      parts.append(said("when “\(question.shown(clause))”"))
    }
    if !question.weekdays.isEmpty { parts.append(weekdays) }
    if let limit = question.threshold {
      parts.append(limit.span ?? Self.side(limit))
    }
    if let minutes = question.minutes {
      parts.append(
        question.moment.map { said("around \(Self.hour($0))") } ?? Self.hours(minutes))
    }
    if let days = question.days { parts.append("(\(SpanText.shownDays(days)))") }
    if selection.isFromNotes { parts.append(said("in day notes")) }
    for correction in question.corrections {
      parts.append(said("[“\(correction.from)” read as “\(correction.to)”]"))
    }
    return parts.isEmpty ? "" : " " + parts.joined(separator: " ")
  }

  /// Returns what must have happened on a day, in quotes and without the "with" that the sentence
  /// has already.
  private func joined(_ text: String) -> String {
    let text = question.shown(text)
    return Language.current.quoted(text.hasPrefix("with ") ? String(text.dropFirst(5)) : text)
  }

  /// Describes a threshold: "over 10 km".
  private static func side(_ limit: AskQuestion.Threshold) -> String {
    let amount = "\(AmountText.shown(limit.amount)) \(saidWhole(limit.unit))"
    return limit.isAtLeast
      ? limit.isStrict ? said("over \(amount)") : said("at least \(amount)")
      : limit.isStrict ? said("under \(amount)") : said("at most \(amount)")
  }

  /// Describes a time of day: "between 7:30 and midnight".
  private static func hours(_ minutes: Range<Int>) -> String {
    let start = hour(minutes.lowerBound)
    return minutes.upperBound == 1440
      ? said("between \(start) and midnight")
      : said("between \(start) and \(hour(minutes.upperBound))")
  }

  /// Formats minutes since midnight in the clock format that the owner chose: "7:30", "7:30 am".
  private static func hour(_ minutes: Int) -> String {
    if ShownDates.preferences.clock == .hours12 {
      return WallTime(day: .earliest, secondOfDay: minutes * 60).shownClock
    }
    let rest = minutes % 60
    return "\(minutes / 60):\(rest < 10 ? "0" : "")\(rest)"
  }

  // words: Mondays | Tuesdays | Wednesdays | Thursdays | Fridays | Saturdays | Sundays
  /// The weekdays in words: "on Mondays and Fridays".
  private var weekdays: String {
    let days = question.weekdays.sorted { $0.rawValue < $1.rawValue }
    let list = enumeration(days.map { saidWhole($0.name + "s") })
    // In other languages, the word for such days already includes "on".
    return Language.current == .english ? "on \(list)" : list
  }

  func finish(
    _ sentence: String, _ kind: String, values: [JSON], labels: [String] = [], unit: String? = nil,
    _ selection: Selection, citations: [TimelineEntry]? = nil
  ) -> TimelineAnswer {
    let ignored = question.ignored + selection.dropped + selection.doubts + unasked + unnamed
    let uncertain = question.uncertain + selection.uncertain
    let rest =
      (ignored.isEmpty ? "" : " " + said("Not used: \(ignored.joined(separator: ", "))."))
      + (uncertain.isEmpty ? "" : " " + said("Not certain: \(uncertain.joined(separator: ", "))."))
    var answer = TimelineAnswer(
      sentence: sentence.capitalisedFirst + rest, kind: kind, values: values, labels: labels,
      unit: unit, question: question)
    answer.reading = circumstances(selection)
    answer.days = question.days
    answer.people = question.people.filter { !$0.isExcluded }.flatMap { $0.names }
    answer.ignored = ignored + uncertain
    answer.uncertain = uncertain
    for concept in selection.concepts where !concept.term.isExcluded {
      for atom in concept.atoms {
        if case .tag(let tag) = atom { answer.tags.append(tag) }
      }
      if concept.isWords { answer.words.append(concept.term.shown) }
    }
    answer.citations = citations ?? selection.entries
    return answer
  }

  func none(_ sentence: String) -> TimelineAnswer {
    TimelineAnswer(
      sentence: sentence, kind: "none", question: question, days: question.days,
      ignored: question.ignored + question.uncertain, uncertain: question.uncertain)
  }

  /// Answers that no entry matches, and lists the words that the archive doesn't contain.
  func nothing(_ selection: Selection) -> TimelineAnswer {
    var sentence = said("I couldn’t find an entry\(circumstances(selection)).")
    let missing = question.terms.filter { term in
      timeline.frequency(of: term.key) == 0
        && timeline.names.tagsByKey[term.key] == nil && term.also.isEmpty
    }
    if question.kind == .yesNo { sentence = said("No: \(sentence)") }
    if !missing.isEmpty {
      let list = missing.map(\.shown).joined(separator: ", ")
      sentence += " " + said("Not in the archive: \(list).")
    } else if question.days != nil, !isSide {
      var anyTime = question
      anyTime.days = nil
      let elsewhere = selector.select(anyTime, allowsNotes: false)
      if elsewhere.dropped.isEmpty, let last = elsewhere.entries.last {
        let count = elsewhere.entries.count
        let day = last.day.shownPlainName
        sentence += " " + said("I found \(count) at other times, the latest on \(day).")
      }
    }
    var answer = none(sentence)
    answer.ignored += missing.map(\.shown).filter { !answer.ignored.contains($0) }
    return answer
  }

  /// Describes a number of entries: "3 entries", "1 day note".
  func entries(_ count: Int, _ selection: Selection) -> String {
    selection.isFromNotes
      ? said(count, one: "1 day note", other: "\(count) day notes")
      : said(count, one: "1 entry", other: "\(count) entries")
  }

  /// Describes a number of entries after "in", which inflects it in some languages.
  func inEntries(_ count: Int, _ selection: Selection) -> String {
    selection.isFromNotes
      ? said(count, one: "in 1 day note", other: "in \(count) day notes")
      : said(count, one: "in 1 entry", other: "in \(count) entries")
  }

  /// Describes a number of entries after "from".
  func fromEntries(_ count: Int, _ selection: Selection) -> String {
    selection.isFromNotes
      ? said(count, one: "from 1 day note", other: "from \(count) day notes")
      : said(count, one: "from 1 entry", other: "from \(count) entries")
  }

  /// Describes a number of entries after "of".
  func ofEntries(_ count: Int, _ selection: Selection) -> String {
    selection.isFromNotes
      ? said(count, one: "of 1 day note", other: "of \(count) day notes")
      : said(count, one: "of 1 entry", other: "of \(count) entries")
  }

  /// The general words of a question that were ignored although tags have the same name.
  var unasked: [String] {
    WordCutter.words(of: question.text).filter { word in
      ["date", "visit", "event", "activit", "life", "work", "home", "diary", "meal"]
        .contains(word.key) && !question.terms.contains { $0.key == word.key }
        && timeline.tags[word.key] != nil && question.terms.isEmpty
    }.map { question.shown($0.text) }
  }

  /// Keeps only the entries whose amount passes the threshold.
  func thresholded(_ selection: Selection) -> Selection {
    guard let threshold = question.threshold else { return selection }
    var result = selection
    let silent = selection.entries.count { amount(of: $0, in: threshold.unit) == nil }
    if !question.terms.isEmpty || !question.people.isEmpty { result = result.silent(silent) }
    result.entries = selection.entries.filter { entry in
      amount(of: entry, in: threshold.unit).map(threshold.holds) ?? false
    }
    return result
  }

  /// Returns an entry's amount in a unit.
  func amount(of entry: TimelineEntry, in unit: String) -> Double? {
    if unit == "days", let days = Journeys.length(of: entry) { return Double(days) }
    return entry.amount(in: unit) ?? counted(entry, unit)
  }

  /// Returns the amount that an entry's text states in a unit defined by the owner; the entry may
  /// be older than the goal that introduced the unit.
  private func counted(_ entry: TimelineEntry, _ unit: String) -> Double? {
    guard question.measure == .unit(unit),
      let mark = question.lightVerbs.first(where: { $0.hasPrefix(AskQuestion.ownUnitMark) })
    else { return nil }
    return Quantities.amount(
      of: String(mark.dropFirst(AskQuestion.ownUnitMark.count)), in: entry.words)
  }

  /// Answers questions about things that the archive doesn't contain: "the capital of Greece".
  private func unheard(_ selection: Selection) -> TimelineAnswer? {
    guard !isSide, [.list, .who, .yesNo, .when, .where].contains(question.kind),
      !selection.dropped.isEmpty
    else {
      return nil
    }
    let missing = question.terms.filter { term in
      selection.dropped.contains(term.shown) && !term.isExcluded
        && timeline.frequency(of: term.key) == 0 && timeline.names.tagsByKey[term.key] == nil
        && term.also.isEmpty && !Ontology.isKind(term.key) && !FrameNouns.places.contains(term.key)
        && !ConceptResolver.soft.contains(term.key)
        && Synonyms.near(term.key).allSatisfy {
          timeline.frequency(of: $0) == 0 && timeline.names.tagsByKey[$0] == nil
        }
    }
    guard !missing.isEmpty else { return nil }
    let list = missing.map(\.shown).joined(separator: ", ")
    let left = selection.entries.count
    let rest = said(
      left, one: "Without it, there’s 1 entry", other: "Without it, there are \(left) entries")
    var answer = none(
      said("Not in the archive: \(list).") + " \(rest)\(circumstances(selection)).")
    answer.ignored += missing.map(\.shown)
    return answer
  }
}
