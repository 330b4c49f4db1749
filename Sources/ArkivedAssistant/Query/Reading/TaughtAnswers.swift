import ArkivedCore
import ArkivedSearch
import ArkivedStore
import Foundation

/// Answers questions by queries: the taught reader reads them, `QueryExecutor` computes.
struct TaughtAnswers {
  let archive: Archive
  let zone: Zone
  let timelines: ArchiveTimelines
  let now: Instant
  /// In which questions may be asked beside English.
  let typed: Language

  /// Below it the reading is a guess, and the answer says so.
  private static let leastMargin = 0.1
  private static let lengthLimit = 2_000

  /// Answers a question.
  ///
  /// - Returns: nil where the program carries no weights.
  func answer(
    _ text: String, progress: (Int, Int) -> Void
  ) throws -> (computed: TimelineAnswer, rows: [Int64])? {
    guard let network = ReaderNetwork.shared else { return nil }
    let lexicon = ReaderLexicon.shared
    let timeline = try timelines.timeline(progress: progress)
    let table = timeline.table
    let language = lexicon.language(of: text) ?? typed
    let times = TimeReader(now: now, zone: zone, language: language)
    let tokens = QuestionTokens(
      String(text.prefix(Self.lengthLimit)), timeline: table, times: times, lexicon: lexicon)
    let assembler = QueryAssembler(network: network, lexicon: lexicon, timeline: table)
    guard let reading = assembler.read(tokens), !reading.candidates.isEmpty else {
      return (none(said("I couldn’t read that question.")), [])
    }
    let search = HybridSearch(archive: archive, zone: zone)
    let selector = QuerySelector(
      table, today: zone.dayKey(at: now), records: ArchiveRecords(archive: archive, zone: zone),
      grounder: RankedGrounder(
        search: search, archive: archive, lexicon: lexicon, wording: QuestionWording.of(language)),
      check: { try Task.checkCancellation() })
    var first: (ReadQuery, QueryOutcome)?
    for candidate in reading.candidates.prefix(8) {
      let executor = QueryExecutor(selector: selector, check: { try Task.checkCancellation() })
      var outcome = try executor.outcome(of: candidate.query)
      if outcome.itemCount > 0, outcome.rows.isEmpty, candidate.query.target?.naming != nil,
        [.list, .first, .last, .nth].contains(candidate.query.fold)
      {
        // Where no column has the place or the name, the entry's own words tell it.
        var whole = candidate.query
        whole.target = .entry
        outcome = try executor.outcome(of: whole)
        name(&outcome, candidate.query.target)
      } else if candidate.query.fold == .list, candidate.query.target == .thing {
        name(&outcome, .thing)
      }
      if candidate.query.target == .person || candidate.query.group == .person {
        // Who is named in the question is not asked for.
        outcome.rows.removeAll { row in row.key.map(reading.people.contains) ?? false }
        if candidate.query.group == .person, candidate.query.order != nil {
          outcome.rows = Array(outcome.rows.prefix(1))
        }
      }
      first = first ?? (candidate, outcome)
      if outcome.itemCount > 0, !outcome.rows.isEmpty {
        return told(candidate, outcome, reading)
      }
    }
    guard let first else { return (none(said("I couldn’t read that question.")), []) }
    return told(first.0, first.1, reading)
  }

  /// Puts what entries name in their text in the place of the whole text, where a place or a thing is
  /// asked for.
  private func name(_ outcome: inout QueryOutcome, _ target: Query.Target?) {
    guard target == .place || target == .thing, !outcome.cited.isEmpty else { return }
    var rows: [QueryOutcome.Row] = []
    var places: [String: Int] = [:]
    for item in outcome.cited {
      guard case .entry(let entry) = item else { return }
      let people = entry.people.map { (name: $0, words: $0.split(separator: " ").map(String.init)) }
      let frame = FrameReader(people: people).read(entry.words)
      let words: [Word]
      if target == .place {
        // Where something was is at a place, in a town, or to where one went.
        let role = ["at", "in", "to", "on", "near"].lazy.compactMap { preposition in
          frame.roles.first { $0.preposition == preposition }
        }.first
        words = role?.words ?? []
      } else {
        words = frame.object
      }
      let text = words.isEmpty ? entry.text : words.map(\.text).joined(separator: " ")
      let key = text.lowercased()
      if let place = places[key] {
        rows[place].count += 1
      } else {
        places[key] = rows.count
        rows.append(QueryOutcome.Row(value: .text(text), days: entry.day...entry.day, count: 1))
      }
    }
    (outcome.rows, outcome.rowCount) = (rows, rows.count)
  }

  private func none(_ sentence: String) -> TimelineAnswer {
    TimelineAnswer(sentence: sentence, kind: "none", question: AskQuestion(text: ""))
  }

  private func told(
    _ read: ReadQuery, _ outcome: QueryOutcome, _ reading: TaughtReading
  ) -> (TimelineAnswer, [Int64]) {
    let query = read.query
    let isNothing = outcome.groundings.contains { $0.manner == .nothing } && outcome.itemCount == 0
    var sentence = QueryRealizer(outcome).text
    var answer = none(sentence)
    answer.days = reading.days
    answer.people = reading.people
    answer.words = reading.words
    let rows = outcome.cited.compactMap { item -> Int64? in
      if case .entry(let entry) = item { entry.id } else { nil }
    }
    if outcome.itemCount == 0 || outcome.rows.isEmpty, isNothing || query.fold != .count {
      return (answer, [])
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
    if query.fold == .compare, outcome.rows.count == 3 {
      answer.values.removeLast()
      answer.labels = ["first", "second"]
    }
    if read.telling != .plain {
      let minutes = outcome.cited.compactMap(\.startMinute)
      guard !minutes.isEmpty else { return (none(said("No entry tells its time of day.")), []) }
      let clocks: [Int] =
        switch read.telling {
        case .usualClock: [minutes.reduce(0, +) / minutes.count]
        case .earliestClock: [minutes.min() ?? 0]
        default: minutes
        }
      let shown = clocks.map { WallTime(day: zone.dayKey(at: now), secondOfDay: $0 * 60).clockText }
      answer.kind = "clock"
      answer.values = shown.map { .string($0) }
      sentence = shown.prefix(10).joined(separator: ", ") + "."
      answer.sentence = sentence
    }
    if outcome.groundings.contains(where: { $0.manner == .meaning }) {
      answer.ignored += outcome.caveats.prefix(1)
    }
    answer.ignored += read.dropped + outcome.groundings.flatMap(\.dropped)
    if reading.margin < Self.leastMargin {
      answer.ignored.append(said("the question may mean something else"))
    }
    return (answer, rows)
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
  /// The language of a question by its small words; nil where they say nothing.
  func language(of text: String) -> Language? {
    let words = text.lowercased().split { !$0.isLetter }.map(String.init)
    let counts = ["german", "english"].map { code in words.count { says($0, code) } }
    return counts[0] == counts[1] ? nil : counts[0] > counts[1] ? .german : .english
  }
}
