import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// The answers to questions by queries: the neural reader interprets them, `QueryExecutor` computes
/// them.
struct TaughtAnswers {
  let archive: Archive
  let zone: Zone
  let timelines: ArchiveTimelines
  let now: Instant
  /// The language of questions in addition to English.
  let typed: Language

  /// The confidence below which the interpretation is a guess, which the answer says.
  private static let leastConfidence = 0.45
  private static let lengthLimit = 2_000

  /// Answers a question.
  ///
  /// - Parameters:
  ///   - text: the question.
  ///   - isSecond: true if another reader has already failed. Then only an interpretation that uses
  ///     the whole question counts, or else the entry nearest in meaning.
  ///   - progress: called while the timeline is being rebuilt, with the number of entries read and
  ///     the maximum total.
  /// - Returns: nil if the program contains no weights or, for a second reader, has nothing to add.
  /// - Throws: an error if the archive or its indexes can't be read.
  func answer(
    _ text: String, isSecond: Bool = false, progress: (Int, Int) -> Void
  ) throws -> (computed: TimelineAnswer, rows: [Int64])? {
    guard let network = ReaderNetwork.shared else { return nil }
    let lexicon = ReaderLexicon.shared
    let timeline = try timelines.timeline(progress: progress)
    let table = timeline.table
    let language = lexicon.language(of: text) ?? typed
    let times = TimeReader(now: now, zone: zone, language: language)
    let tokens = QuestionTokens(
      QuestionTokens.plain(String(text.prefix(Self.lengthLimit)), in: language), timeline: table,
      times: times, lexicon: lexicon)
    let assembler = QueryAssembler(
      network: network, lexicon: lexicon, timeline: table, today: zone.dayKey(at: now))
    guard let reading = assembler.read(tokens), !reading.candidates.isEmpty else {
      return isSecond ? nil : (none(said("I didn’t understand that question.")), [])
    }
    let wording = QuestionWording.of(language)
    let singles = SingleEntryAnswers(timeline: table, today: zone.dayKey(at: now))
    let maker = ConceptClauses(timeline: table, lexicon: lexicon, wording: wording)
    let texts = NearestTexts(archive: archive, indexes: timelines.indexes)
    if reading.isForeign {
      if let own = try singles.closest(text, reading, texts, maker) { return own }
      if isSecond { return nil }
      return (none(said("Your archive can’t answer that. It only knows what you recorded.")), [])
    }
    let search = HybridSearch(archive: archive, zone: zone, indexes: timelines.indexes)
    let selector = QuerySelector(
      table, today: zone.dayKey(at: now), records: ArchiveRecords(archive: archive, zone: zone),
      grounder: RankedGrounder(
        search: search, archive: archive, lexicon: lexicon, wording: wording,
        context: reading.words),
      check: { try Task.checkCancellation() })
    let executor = QueryExecutor(selector: selector, check: { try Task.checkCancellation() })
    var refused: QueryOutcome?
    for candidate in reading.candidates.prefix(Self.candidateLimit) {
      let outcome = try outcome(of: candidate, executor, reading)
      if outcome.itemCount > 0, !outcome.rows.isEmpty {
        if let answer = try told(candidate, outcome, reading, selector) {
          guard isSecond else { return answer }
          if answer.computed.ignored.isEmpty { return answer }
          // The first interpretation that finds something decides.
          break
        }
      }
      refused = refused ?? outcome
    }
    let covering = try singles.covering(reading, maker)
    if let covering, covering.computed.kind != "none",
      !isSecond || covering.computed.ignored.isEmpty
    {
      return covering
    }
    let closest = try singles.closest(text, reading, texts, maker)
    if isSecond { return closest }
    if let closest { return closest }
    if let covering, covering.computed.kind == "none" { return covering }
    return (none(refusal(refused, reading)), [])
  }

  /// The maximum number of interpretations to compute.
  private static let candidateLimit = 10

  private func outcome(
    of candidate: ReadQuery, _ executor: QueryExecutor, _ reading: TaughtReading
  ) throws -> QueryOutcome {
    let query = candidate.query
    if query.group == .thing, query.order != nil {
      return try things(query, executor, reading)
    }
    var outcome = try executor.outcome(of: query)
    if outcome.itemCount > 0, outcome.rows.isEmpty, query.target?.naming != nil,
      [.list, .first, .last, .nth].contains(query.fold)
    {
      // If no column has the place or the name, the entry's own words may.
      var whole = query
      whole.target = .entry
      outcome = try executor.outcome(of: whole)
      name(&outcome, query.target, reading)
    } else if query.fold == .list, query.target == .thing || query.target == .name {
      name(&outcome, query.target, reading)
    }
    if outcome.measured == 0, let unit = query.unit {
      for other in Self.measures(beside: unit) {
        var asked = query
        asked.unit = other
        let found = try executor.outcome(of: asked)
        if !found.rows.isEmpty, found.measured != 0 { return found }
      }
    }
    if query.target == .person || query.group == .person {
      // People named in the question aren't the answer.
      outcome.rows.removeAll { row in row.key.map(reading.people.contains) ?? false }
      if query.group == .person, query.order != nil {
        outcome.rows = Array(outcome.rows.prefix(max(1, query.limit - reading.people.count)))
      }
    }
    return outcome
  }

  /// Returns units of other dimensions that a measure may mean: the longest ride may be in
  /// kilometres or in hours.
  private static func measures(beside unit: String) -> [String] {
    switch UnitTable.standard.unit(named: unit)?.dimension {
    case .time: ["km", "day", "m"]
    case .length: ["min"]
    default: []
    }
  }

  /// Reports the search that found nothing.
  private func refusal(_ outcome: QueryOutcome?, _ reading: TaughtReading) -> String {
    if let outcome, let caveat = outcome.caveats.first, outcome.itemCount == 0 { return caveat }
    if let measured = outcome?.measured, measured == 0, let caveat = outcome?.caveats.last {
      return caveat
    }
    let words = SingleEntryAnswers.asked(reading)
    return words.isEmpty
      ? said("Nothing in the archive matches this question.")
      : said("I couldn’t find an entry about “\(words)”.")
  }

  /// Counts or sums the things that entries mention, and answers with the first in order.
  func things(
    _ query: Query, _ executor: QueryExecutor, _ reading: TaughtReading
  ) throws -> QueryOutcome {
    var list = query
    (list.fold, list.group, list.order, list.target) = (.list, nil, nil, nil)
    list.limit = list.citations
    var outcome = try executor.outcome(of: list)
    // Beside other times, the length of whole days isn't time that somebody spent.
    let hasOtherTimes = outcome.cited.contains {
      !$0.hasOnlyDays(in: query.unit) && $0.amount(in: query.unit) != nil
    }
    var tallies: [String: (name: String, sum: Double, items: [QueryItem])] = [:]
    for values in [
      SingleEntryAnswers.values(reading), EntryValues(people: reading.people, lexicon: .shared),
    ]
    where tallies.isEmpty {
      for item in outcome.cited {
        guard case .entry(let entry) = item else { continue }
        let amount = query.fold == .sum ? item.amount(in: query.unit) : 1
        let isLength = query.fold == .sum && hasOtherTimes && item.hasOnlyDays(in: query.unit)
        guard let amount, !isLength else { continue }
        let things = values.things(entry)
        for thing in Set(things.isEmpty && values.members.isEmpty ? [entry.text] : things) {
          tallies[thing.lowercased(), default: (thing, 0, [])].sum += amount
          tallies[thing.lowercased()]?.items.append(item)
        }
      }
    }
    let sorted = tallies.sorted { left, right in
      let isBefore =
        query.order == .least ? left.value.sum < right.value.sum : left.value.sum > right.value.sum
      return left.value.sum == right.value.sum ? left.key < right.key : isBefore
    }
    outcome = QueryOutcome(query: query, itemCount: outcome.itemCount)
    outcome.unit = query.fold == .sum ? query.unit : nil
    outcome.rows = sorted.prefix(query.limit).map { _, tally in
      QueryOutcome.Row(key: tally.name, value: .number(tally.sum), count: tally.items.count)
    }
    outcome.rowCount = outcome.rows.count
    outcome.cited = sorted.first?.value.items ?? []
    outcome.citationCount = outcome.cited.count
    outcome.groundings = executor.selector.groundings
    return outcome
  }

  /// Replaces whole texts with the things or places that they name if the question asks for those.
  private func name(
    _ outcome: inout QueryOutcome, _ target: Query.Target?, _ reading: TaughtReading
  ) {
    guard !outcome.cited.isEmpty else { return }
    // The object of the verb names a thing that was done or had; whole entries describe a day.
    guard target == .place || !reading.words.isEmpty else { return }
    var values = SingleEntryAnswers.values(reading)
    func named(_ entry: TimelineEntry) -> [String] {
      switch target {
      case .place: values.place(entry).map { [$0] } ?? []
      case .name: values.name(entry).map { [$0] } ?? []
      default: values.things(entry)
      }
    }
    func rows() -> [QueryOutcome.Row] {
      var rows: [QueryOutcome.Row] = []
      var places: [String: Int] = [:]
      for item in outcome.cited {
        guard case .entry(let entry) = item else { continue }
        let names = named(entry)
        // Entries that name nothing are ignored if others do.
        let isWhole = names.isEmpty && target == .thing && values.members.isEmpty
        for text in isWhole ? [entry.text] : names {
          let key = text.lowercased()
          if let place = places[key] {
            rows[place].count += 1
          } else {
            places[key] = rows.count
            rows.append(
              QueryOutcome.Row(value: .text(text), days: entry.day...entry.day, count: 1))
          }
        }
      }
      return rows
    }
    var found = rows()
    if found.isEmpty, !values.members.isEmpty {
      values.members = []
      found = rows()
    }
    // If no entry names the place, the entries themselves are shown.
    guard !found.isEmpty || target == .name else { return }
    (outcome.rows, outcome.rowCount) = (found, found.count)
  }

  private func none(_ sentence: String) -> TimelineAnswer {
    TimelineAnswer(sentence: sentence, kind: "none", question: AskQuestion(text: ""))
  }

  /// Phrases the result of an interpretation.
  ///
  /// - Parameters:
  ///   - read: the interpretation.
  ///   - outcome: its result, which cites only some items if there are very many.
  ///   - reading: the whole question.
  ///   - selector: selects the other items.
  /// - Returns: the answer with the rows that prove it; nil if the items don't have what was asked for.
  /// - Throws: an error if the items can't be read.
  func told(
    _ read: ReadQuery, _ outcome: QueryOutcome, _ reading: TaughtReading, _ selector: QuerySelector
  ) throws -> (computed: TimelineAnswer, rows: [Int64])? {
    let query = read.query
    var sentence = QueryRealizer(outcome).text
    var answer = none(sentence)
    answer.days = reading.days
    answer.people = reading.people
    answer.words = reading.words
    let rows = outcome.cited.compactMap { item -> Int64? in
      if case .entry(let entry) = item { entry.id } else { nil }
    }
    answer.kind = kind(query)
    answer.unit =
      query.fold == .span || query.fold == .gap || query.fold == .run ? "days" : outcome.unit
    answer.values = outcome.rows.map { row in
      switch row.value {
      case .number(let number): JSON(InsightText.rounded(number))
      case .text(let text): .string(text)
      case .day(let day): JSON(day)
      case .flag(let isSo): .bool(isSo)
      }
    }
    if query.group != nil || [.highest, .lowest].contains(query.fold) {
      answer.labels = outcome.rows.map { $0.key ?? "" }
    }
    if query.group != nil, query.order != nil {
      // The answer is the thing itself; the amount accompanies it.
      let realizer = QueryRealizer(outcome)
      answer.values = outcome.rows.map { row in
        .string(query.group == .thing ? row.key ?? "" : realizer.name(of: row))
      }
    }
    if query.fold == .compare, outcome.rows.count == 3 {
      answer.values.removeLast()
      answer.labels = ["first", "second"]
    }
    if case .rate(let unit) = read.telling {
      guard let told = try rate(outcome, unit, reading, selector) else { return nil }
      answer.kind = "average"
      answer.values = [JSON(InsightText.rounded(told.value))]
      answer.sentence = told.sentence
      sentence = told.sentence
    } else if read.telling != .plain {
      var minutes = outcome.cited.compactMap(\.startMinute)
      if read.telling != .clock {
        minutes = []
        try selector.items(query.source).each { item in
          if let minute = item.startMinute { minutes.append(minute) }
        }
      }
      guard !minutes.isEmpty else { return nil }
      let clocks: [Int] =
        switch read.telling {
        case .usualClock: [AnswerWork.meanClock(minutes)]
        case .earliestClock: [AnswerWork.edgeClocks(minutes)?.first ?? 0]
        case .latestClock: [AnswerWork.edgeClocks(minutes)?.last ?? 0]
        default: minutes
        }
      let times = clocks.map { WallTime(day: zone.dayKey(at: now), secondOfDay: $0 * 60) }
      answer.kind = "clock"
      answer.values = times.map { .string($0.clockText) }
      sentence = RecapText.list(times.prefix(10).map(\.shownClock)) + "."
      answer.sentence = sentence
    }
    if outcome.groundings.contains(where: { $0.manner == .meaning }),
      let caveat = outcome.caveats.first
    {
      answer.ignored.append(caveat)
      // A caveat is a sentence of its own, which a rate and clock times don't have yet.
      if !answer.sentence.contains(caveat) { answer.sentence += " " + caveat }
      answer.stated.insert(caveat)
    }
    answer.ignored += read.dropped + outcome.groundings.flatMap(\.dropped)
    answer.ignored += outcome.groundings.filter { $0.manner == .nothing }.map(\.phrase)
    answer.uncertain = outcome.groundings.flatMap(\.guesses).map { guess in
      said("whether “\(guess.word)” means “\(guess.meant)”")
    }
    if reading.confidence < Self.leastConfidence {
      answer.uncertain.append(said("whether you meant something else"))
    }
    answer.ignored += answer.uncertain
    return (answer, rows)
  }

  /// Answers with the frequency or amount per day, week, month or year in the requested days.
  private func rate(
    _ outcome: QueryOutcome, _ unit: Query.Group, _ reading: TaughtReading,
    _ selector: QuerySelector
  ) throws -> (value: Double, sentence: String)? {
    // A sum may be in another unit than the one that was asked for.
    let query = outcome.query
    guard let total = outcome.rows.first?.value.number, let first = outcome.cited.first?.day,
      var last = outcome.cited.last?.day
    else { return nil }
    if outcome.citationCount > outcome.cited.count {
      var work = QueryWork(
        query: query, items: try selector.items(query.source), timeline: selector.timeline,
        check: { try Task.checkCancellation() })
      work.skipsWholeDays = try work.hasOtherTimes()
      let amount = work.amount
      try work.each { item in
        if let day = item.day, !query.fold.needsMeasure || amount(item) != nil { last = day }
      }
    }
    let today = zone.dayKey(at: now)
    let days = reading.days.map { days in
      // "Before 2020" begins with the first occurrence.
      let start = days.lowerBound == .earliest ? first : days.lowerBound
      return start...max(start, min(days.upperBound, today))
    }
    let span = days ?? first...max(last, first)
    let count = Double(span.upperBound.daysSinceEpoch - span.lowerBound.daysSinceEpoch + 1)
    let length =
      switch unit {
      case .week: 7.0
      case .month: 365.25 / 12
      case .year: 365.25
      default: 1.0
      }
    let value = total / max(1, count / length)
    let figure = query.unit.map { RecapText.amount(value, $0) } ?? InsightText.number(value)
    let sentence =
      switch unit {
      case .week: said("\(figure) a week on average.")
      case .month: said("\(figure) a month on average.")
      case .year: said("\(figure) a year on average.")
      default: said("\(figure) a day on average.")
      }
    return (value, sentence)
  }

  private func kind(_ query: Query) -> String {
    if query.target == .yesNo { return "yesNo" }
    if query.group != nil, query.order != nil { return "most" }
    return switch query.fold {
    case .list:
      query.target == .person
        ? "who" : query.target == .place ? "where" : query.target == .day ? "when" : "list"
    case .count, .distinct: "count"
    case .sum: "sum"
    case .mean, .median: "average"
    case .highest, .lowest: "longest"
    case .first, .nth: "first"
    case .last: "last"
    case .span: "since"
    case .gap: "gap"
    case .run: "streak"
    case .trend: "list"
    case .compare, .share: "compare"
    }
  }
}

extension ReaderLexicon {
  /// Returns the language of a question by its function words; nil if they are ambiguous.
  func language(of text: String) -> Language? {
    let words = text.lowercased().split { !$0.isLetter }.map(String.init)
    let counts = ["german", "english"].map { code in words.count { says($0, code) } }
    return counts[0] == counts[1] ? nil : counts[0] > counts[1] ? .german : .english
  }
}
