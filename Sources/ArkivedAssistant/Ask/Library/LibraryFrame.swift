import ArkivedCore

/// A pattern for questions to a source: the roles that their words must have, the roles that they
/// may have, and whether remaining words may name the subject.
struct LibraryFrame: Sendable {
  enum Need: Hashable, Sendable { case none, optional, needed }

  var source: LibraryQuery.Source
  var fold: LibraryQuery.Fold
  var asks: Set<QuestionLine.Ask>
  /// Sets of roles; at least one role from each set is required.
  var needs: [Set<QuestionRole>]
  var allows: Set<QuestionRole> = []
  var bars: Set<QuestionRole> = []
  /// The requirement for words that remain.
  var concept = Need.none
  var time = Need.none
  /// The nouns for the source itself.
  var nouns: Set<QuestionRole> = []
  /// True if a weekday never means a past day.
  var looksAhead = false
  /// True if the words after “with” name a person.
  var takesPerson = false

  private static let base: Set<QuestionRole> = [
    .little, .self, .own, .speaker, .auxiliary, .past, .ahead, .question, .show, .when, .howMany,
    .howMuch, .how, .on, .with, .about, .within,
  ]

  /// Returns the question as interpreted by this frame; nil if it doesn't fit.
  func query(
    of line: QuestionLine, time: TimeMatch?, days: ClosedRange<DayKey>?, _ lexicon: QuestionLexicon
  ) -> LibraryQuery? {
    let words = line.words
    guard asks.contains(line.ask), needs.allSatisfy({ need in words.contains { $0.fits(need) } }),
      !words.contains(where: { $0.fits(bars) })
    else { return nil }
    switch self.time {
    case .none: guard time == nil else { return nil }
    case .needed:
      // “Sum up my week”: in other frames, a day or a week isn’t a time.
      guard days != nil || allows.contains(.week) && words.contains(where: { $0.unit != nil })
      else { return nil }
    case .optional: break
    }
    var query = LibraryQuery(source: source, fold: fold, days: days)
    query.isNamed = words.contains { $0.fits(nouns) }
    query.isYesNo = line.ask == .yesNo
    query.isCount = line.ask == .howMany
    query.asksHow = line.ask == .how
    query.isOfSpeaker = words.contains { $0.fits([.speaker]) }
    if let noun = words.firstIndex(where: { $0.fits(nouns) }) {
      query.isOwn = words[max(0, noun - 2)..<noun].contains { $0.fits([.own]) }
    }
    let needed = needs.reduce(into: Set<QuestionRole>()) { $0.formUnion($1) }
    let structural = Self.base.union(needed).union(allows)
    var isNaming = false
    var isPerson = false
    var person: [String] = []
    for (index, word) in words.enumerated() {
      if takesPerson, word.fits([.with]) {
        (isPerson, isNaming) = (true, false)
      } else if index > 0, word.fits(allows.contains(.called) ? [.about, .called] : [.about]) {
        // After “about”, words have their literal meaning, regardless of their role in questions.
        (isPerson, isNaming) = (false, true)
        query.marks.insert(.about)
      } else if isPerson {
        if !word.fits(needed.union([.little, .own])) { person.append(word.text) }
      } else if isNaming {
        if !word.fits(needed.union(nouns).union([.little, .own, .self])) {
          query.concept.append(word.text)
        }
      } else if !word.fits(structural) {
        query.concept.append(word.text)
      }
      query.marks.formUnion(word.roles.intersection(structural.subtracting(Self.base)))
      if word.fits([.with]) { query.marks.insert(.with) }
    }
    if !person.isEmpty { query.person = person.joined(separator: " ") }
    switch concept {
    case .none: guard query.concept.isEmpty else { return nil }
    case .needed: guard !query.concept.isEmpty || query.days != nil else { return nil }
    case .optional: break
    }
    if let index = words.firstIndex(where: { $0.fits([.sentences]) }), index > 0 {
      query.sentences = lexicon.number(words[index - 1].text.lowercased())
    }
    if let index = words.firstIndex(where: { $0.fits(nouns) }), index + 1 < words.count {
      query.number = Int(words[index + 1].text)
    }
    if self.time == .needed, query.days == nil {
      query.marks.formUnion(words.compactMap(\.unit))
    }
    return query
  }

  // MARK: The frames

  /// All frames, in the order they are tried.
  static let all: [LibraryFrame] = goals + values + terms + notes + meetings + recaps

  private static let goals: [LibraryFrame] = [
    LibraryFrame(
      source: .goals, fold: .reachedOn, asks: [.when], needs: [[.reach]],
      allows: [.goal, .called], concept: .optional, time: .optional, nouns: [.goal]),
    LibraryFrame(
      source: .goals, fold: .due, asks: [.when, .howMany], needs: [[.due, .end, .left], [.goal]],
      allows: [.called, .day, .week], concept: .optional, nouns: [.goal]),
    LibraryFrame(
      source: .goals, fold: .reached, asks: [.yesNo, .what, .howMany], needs: [[.reach]],
      allows: [.goal, .called, .any, .open], concept: .optional, time: .optional, nouns: [.goal]),
    LibraryFrame(
      source: .goals, fold: .progress, asks: [.yesNo, .what, .how, .howMany],
      needs: [[.progress, .track, .near, .left, .behind]],
      allows: [.goal, .called, .like, .any, .open, .current], bars: [.past, .term],
      concept: .optional, time: .optional, nouns: [.goal]),
    LibraryFrame(
      source: .goals, fold: .list, asks: [.yesNo, .what, .howMany, .order], needs: [[.goal]],
      allows: [.any, .open, .current, .called], bars: [.past, .start, .end, .due, .reach],
      concept: .optional, time: .optional, nouns: [.goal]),
  ]

  private static let values: [LibraryFrame] = [
    LibraryFrame(
      source: .values, fold: .list, asks: [.what, .howMany, .order], needs: [[.value]],
      bars: [.past, .within], time: .optional, nouns: [.value])
  ]

  private static let terms: [LibraryFrame] = [
    LibraryFrame(
      source: .terms, fold: .end, asks: [.when, .how, .howMany, .what],
      needs: [[.term], [.end, .left, .due]],
      allows: [.current, .next, .previous, .day, .week, .theme, .like, .form, .number],
      nouns: [.term]),
    LibraryFrame(
      source: .terms, fold: .start, asks: [.when, .howMany, .what], needs: [[.term], [.start]],
      allows: [.current, .next, .previous, .day, .week, .number], nouns: [.term]),
    LibraryFrame(
      source: .terms, fold: .list, asks: [.what, .order], needs: [[.term]],
      allows: [.current, .next, .previous, .theme, .number], bars: [.past, .within, .act],
      nouns: [.term]),
  ]

  private static let notes: [LibraryFrame] = [
    LibraryFrame(
      source: .notes, fold: .list, asks: [.what, .yesNo, .order], needs: [[.note]],
      allows: [.say, .any, .called, .meeting], concept: .needed, time: .optional, nouns: [.note])
  ]

  private static let meetings: [LibraryFrame] = [
    LibraryFrame(
      source: .meetings, fold: .purpose, asks: [.what], needs: [[.purpose], [.meeting]],
      allows: [.previous, .next], concept: .optional, time: .optional, nouns: [.meeting],
      takesPerson: true),
    LibraryFrame(
      source: .meetings, fold: .outcome, asks: [.what], needs: [[.outcome], [.meeting]],
      allows: [.previous], concept: .optional, time: .optional, nouns: [.meeting],
      takesPerson: true),
    LibraryFrame(
      source: .decisions, fold: .list, asks: [.what, .order], needs: [[.decide]],
      allows: [.meeting, .any, .previous], concept: .optional, time: .optional, nouns: [.decide],
      takesPerson: true),
    LibraryFrame(
      source: .agenda, fold: .next, asks: [.when, .what],
      needs: [[.next], [.meeting, .meet, .plan]],
      allows: [.any], bars: [.past, .term, .goal, .note], concept: .optional, nouns: [.meeting],
      looksAhead: true, takesPerson: true),
    LibraryFrame(
      source: .agenda, fold: .list, asks: [.what, .yesNo, .order, .when, .how], needs: [],
      allows: [
        .plan, .any, .free, .busy, .meeting, .meet, .act, .like, .next, .left,
      ], bars: [.past, .goal, .note, .term, .value, .recap], concept: .optional, time: .needed,
      nouns: [.meeting], looksAhead: true, takesPerson: true),
    LibraryFrame(
      source: .agenda, fold: .list, asks: [.what, .yesNo, .order],
      needs: [[.plan], [.question, .show, .any]], allows: [.any, .next, .meeting],
      bars: [.past, .goal, .note, .term, .value, .recap], nouns: [.plan], looksAhead: true),
  ]

  private static let recaps: [LibraryFrame] = [
    LibraryFrame(
      source: .recap, fold: .summary, asks: [.what, .order, .yesNo, .how], needs: [[.recap]],
      allows: [.form, .sentences, .number, .day, .week, .month, .year, .previous, .current],
      bars: [.past], time: .needed, nouns: [.recap]),
    LibraryFrame(
      source: .recap, fold: .summary, asks: [.what, .order, .yesNo], needs: [[.tell]],
      allows: [.form, .sentences, .number, .day, .week, .month, .year, .previous, .current],
      time: .needed),
    LibraryFrame(
      source: .recap, fold: .summary, asks: [.how], needs: [[.like, .past]],
      allows: [.like, .day, .week, .month, .year, .previous, .current], bars: [.act],
      time: .needed),
    LibraryFrame(
      source: .recap, fold: .summary, asks: [.what], needs: [[.like]],
      allows: [.day, .week, .month, .year, .previous, .current], bars: [.act, .speaker],
      time: .needed),
  ]
}

extension QuestionLine.Word {
  /// Returns true if it has at least one of the given roles.
  func fits(_ wanted: Set<QuestionRole>) -> Bool { !roles.isDisjoint(with: wanted) }

  /// The calendar unit that the word names.
  var unit: QuestionRole? {
    let units: [QuestionRole] = [.day, .week, .month, .year]
    return units.first { roles.contains($0) }
  }
}
