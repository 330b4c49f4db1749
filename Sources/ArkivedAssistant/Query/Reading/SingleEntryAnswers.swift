import ArkivedCore
import ArkivedSearch
import Foundation

/// The answers to questions about a single entry: quoted with its date, and with the value that the
/// question asks for.
struct SingleEntryAnswers {
  let timeline: TableTimeline
  let today: DayKey

  /// The minimum coverage of the question by an entry that answers it.
  private static let leastCoverage = 0.65
  /// The minimum coverage for an amount, because an entry that covers only a part has no total.
  private static let wholeCoverage = 0.95

  /// Answers with the entry that covers most of the question; with an answer of the kind `none`
  /// that mentions the nearest entry if none covers enough; nil if no entry shares a word with it,
  /// or if the question asks for several.
  func covering(
    _ reading: TaughtReading, _ maker: ConceptClauses
  ) throws -> (computed: TimelineAnswer, rows: [Int64])? {
    guard let first = reading.candidates.first, !reading.words.isEmpty else { return nil }
    let query = first.query
    guard [.list, .first, .last, .nth, .highest, .lowest, .sum].contains(query.fold),
      query.group == nil, reading.target != .yesNo
    else { return nil }
    let hits = BestEntry(maker: maker).find(
      reading.words + reading.unread, people: reading.people, days: days(reading))
    guard let best = hits.first else { return nil }
    let least = query.fold == .sum ? Self.wholeCoverage : Self.leastCoverage
    guard best.coverage >= least, best.isDecisive else { return (refusal(reading, [best]), []) }
    var answer = Self.empty(reading)
    let values = Self.values(reading)
    let quote = placed(best)
    guard let (kind, value, told) = value(reading, best, values) else { return nil }
    answer.kind = kind
    answer.values = [value]
    answer.unit = reading.target == .amount ? reading.unit : nil
    answer.sentence = told.map { said("\($0): \(quote).") } ?? "\(quote)."
    answer.ignored = best.missing
    if !best.missing.isEmpty {
      let missing = RecapText.list(best.missing.map { said("“\($0)”") })
      answer.sentence += " " + said("It doesn’t mention \(missing).")
      answer.stated = Set(best.missing)
    }
    return (answer, [best.entry.id])
  }

  /// Returns the days that an entry may be on; nil if it may be on any.
  ///
  /// They are those of the most likely interpretation, because a plan isn't the last time.
  private func days(_ reading: TaughtReading) -> ClosedRange<DayKey>? {
    guard let span = reading.candidates.first?.query.source.span,
      span != DayKey.earliest...DayKey.latest
    else { return reading.days }
    guard let asked = reading.days else { return span }
    return asked.overlaps(span) ? asked.clamped(to: span) : asked
  }

  private static func empty(_ reading: TaughtReading) -> TimelineAnswer {
    var answer = TimelineAnswer(sentence: "", kind: "none", question: AskQuestion(text: ""))
    (answer.days, answer.people, answer.words) = (reading.days, reading.people, reading.words)
    return answer
  }

  /// Reports that no entry was found, and which ones are nearest.
  private func refusal(_ reading: TaughtReading, _ hits: [BestEntry.Hit]) -> TimelineAnswer {
    var answer = Self.empty(reading)
    let (asked, nearest) = (Self.asked(reading), hits.map(placed).joined(separator: "; "))
    answer.sentence =
      switch (asked.isEmpty, hits.count > 1) {
      case (true, false): said("I couldn’t find an answer. The closest entry is \(nearest).")
      case (true, true): said("I couldn’t find an answer. The closest entries are \(nearest).")
      case (false, false):
        said("I couldn’t find an entry about “\(asked)”. The closest is \(nearest).")
      case (false, true):
        said("I couldn’t find an entry about “\(asked)”. The closest are \(nearest).")
      }
    return answer
  }

  static func asked(_ reading: TaughtReading) -> String {
    (reading.words + reading.unread + reading.people).joined(separator: " ")
  }

  private func quoted(_ hit: BestEntry.Hit) -> String {
    let line = hit.text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return said("“\(line)”")
  }

  /// Quotes an entry with its date.
  private func placed(_ hit: BestEntry.Hit) -> String {
    "\(quoted(hit)) (\(hit.entry.day.shownPlainName))"
  }

  /// Returns the value in an entry that answers the question, with its kind and wording.
  private func value(
    _ reading: TaughtReading, _ hit: BestEntry.Hit, _ values: EntryValues
  ) -> (kind: String, value: JSON, told: String?)? {
    let (entry, whole) = (hit.entry, JSON.string(hit.text))
    switch reading.target {
    case .person:
      let persons = values.persons(entry)
      return persons.isEmpty
        ? ("who", whole, nil) : ("who", .string(RecapText.list(persons)), RecapText.list(persons))
    case .place:
      let place = values.place(entry)
      return ("where", place.map { .string($0) } ?? whole, place)
    case .day: return ("when", JSON(entry.day), entry.day.shownPlainName)
    case .amount:
      guard let unit = reading.unit, let amount = values.amount(entry, unit: unit) else {
        // The question may ask for a figure in another unit; without a figure, it isn't an answer.
        return reading.unit == nil && hit.text.contains(where: \.isNumber)
          ? ("list", whole, nil) : nil
      }
      return ("sum", JSON(InsightText.rounded(amount)), RecapText.amount(amount, unit))
    case .name:
      return values.name(entry).map { ("list", .string($0), $0) }
    default: return ("list", whole, nil)
    }
  }

  static func values(_ reading: TaughtReading) -> EntryValues {
    let lexicon = ReaderLexicon.shared
    var values = EntryValues(people: reading.people, lexicon: lexicon)
    for word in reading.words.flatMap({ WordCutter.words(of: $0) }) where !word.isCapitalised {
      values.verbs.formUnion(lexicon.same(word.key).union([word.key]))
      values.members.formUnion(lexicon.members(word.key))
      values.members.formUnion(lexicon.things(ofVerb: word.lower))
    }
    return values
  }

  // MARK: By meaning

  /// The number of nearest entries that are compared.
  private static let compared = 20
  /// The weight of the covered share of the question's words, in standard deviations of closeness.
  private static let coverageWeight = 2.0
  /// The rank that the best entry is compared with, and the minimum distance to it, in standard
  /// deviations.
  ///
  /// These three were chosen on three lives (`Documentation/Decisions`, 030).
  private static let (usualRank, leastMargin) = (6, 1.0)
  /// The maximum distance from the best at which further entries are quoted as well.
  private static let beside = 0.75
  /// The maximum number of entries that an answer quotes.
  private static let quoteCount = 3
  /// The minimum closeness of an entry that a refusal mentions.
  private static let leastCloseness = 4.0
  /// The minimum closeness and coverage of an entry that makes a question of the world one of this
  /// archive.
  private static let (ownCloseness, ownCoverage) = (5.0, 0.5)

  private struct Nearest {
    var entry: TimelineEntry
    /// The similarity to the question, in standard deviations.
    var closeness: Double
    /// The covered share of the question's words.
    var coverage: Double
    /// The closeness and the coverage.
    var score: Double
  }

  /// Answers with the entry nearest in meaning to the question, and marks the answer as uncertain.
  ///
  /// - Parameters:
  ///   - text: the question.
  ///   - reading: the interpretation of the question.
  ///   - texts: finds the entries nearest in meaning.
  ///   - maker: creates the clauses for the question's words.
  /// - Returns: an answer of the kind `none`, which may mention the nearest entries, if none stands
  ///   out from the others or the question asks for several; nil if nothing is near, or nothing is
  ///   near enough to a question that seems to be about the world.
  /// - Throws: an error if the archive or its indexes can't be read.
  func closest(
    _ text: String, _ reading: TaughtReading, _ texts: NearestTexts, _ maker: ConceptClauses
  ) throws -> (computed: TimelineAnswer, rows: [Int64])? {
    let nearest = try nearest(text, reading, texts, BestEntry(maker: maker))
    guard let lead = nearest.first else { return nil }
    if reading.isForeign, lead.closeness < Self.ownCloseness || lead.coverage < Self.ownCoverage {
      return nil
    }
    var answer = Self.empty(reading)
    let values = Self.values(reading)
    // Among entries that are about equally near, the one with the requested value is the answer.
    let fitting = nearest.prefix { lead.score - $0.score <= Self.beside }.filter { near in
      switch reading.target {
      case .person: !values.persons(near.entry).isEmpty
      case .amount: reading.unit.map { values.amount(near.entry, unit: $0) != nil } ?? true
      default: true
      }
    }
    let margin = lead.score - (nearest[checked: Self.usualRank - 1]?.score ?? 0)
    let isFigure = asksForFigure(reading, text)
    guard isFigure || asksForOne(reading), margin >= Self.leastMargin,
      let best = fitting.first ?? (reading.target == .amount && !isFigure ? nil : lead),
      !isFigure || states(best, text, reading, values, maker),
      let (kind, value, told) = value(reading, hit(best), values)
        ?? (isFigure ? ("list", .string(hit(best).text), nil) : nil)
    else {
      guard lead.closeness >= Self.leastCloseness else { return nil }
      let told = nearest.prefix { lead.score - $0.score <= Self.beside }.prefix(Self.quoteCount)
      return (refusal(reading, told.map(hit)), [])
    }
    let others = fitting.dropFirst().prefix(Self.quoteCount - 1)
    let quote = kind == "when" ? quoted(hit(best)) : placed(hit(best))
    answer.kind = kind
    answer.values = [value]
    answer.unit = reading.target == .amount ? reading.unit : nil
    answer.sentence =
      told.map { said("Perhaps \($0): \(quote).") } ?? said("Perhaps this is it: \(quote).")
    if !others.isEmpty {
      let quotes = others.map { placed(hit($0)) }.joined(separator: "; ")
      answer.sentence += " " + said("Also similar: \(quotes).")
    }
    answer.uncertain = [said("whether this entry answers the question")]
    answer.ignored = answer.uncertain
    return (answer, [best.entry.id] + others.map(\.entry.id))
  }

  /// Returns true if the question asks for something in a single entry, and not for a total, a
  /// comparison or a confirmation.
  private func asksForOne(_ reading: TaughtReading) -> Bool {
    guard let query = reading.candidates.first?.query else { return false }
    return [.list, .first, .nth].contains(query.fold) && query.group == nil
      && reading.target != .yesNo
  }

  /// Returns true if the question asks for a figure that one entry may state, such as a price, a
  /// number of things or a duration, and not for a total of several.
  private func asksForFigure(_ reading: TaughtReading, _ text: String) -> Bool {
    guard let query = reading.candidates.first?.query else { return false }
    return [.count, .sum, .span].contains(query.fold) && query.group == nil
      && reading.target != .yesNo && !ReaderLexicon.shared.asksTotal(text)
  }

  /// The minimum coverage of a question by an entry with a matching figure, and by one whose only
  /// figure may be the answer.
  private static let (figureCoverage, loneFigureCoverage) = (0.4, 0.5)

  /// Returns true if an entry states the figure that a question asks for: an amount in its unit, a
  /// number next to one of its words, or the only number in the entry.
  private func states(
    _ near: Nearest, _ text: String, _ reading: TaughtReading, _ values: EntryValues,
    _ maker: ConceptClauses
  ) -> Bool {
    guard near.coverage >= Self.figureCoverage else { return false }
    if let unit = reading.unit, values.amount(near.entry, unit: unit) != nil { return true }
    let words = near.entry.words
    let figures = words.indices.filter { index in
      let word = words[index]
      return word.text.contains(where: \.isNumber) || Quantities.number(word.lower) != nil
    }
    let clauses = maker.clauses(of: text)
    return figures.contains { index in
      guard let next = words[checked: index + 1], !next.isAfterBreak else { return false }
      return clauses.contains { $0.stands(in: near.entry, keys: [next.key]) }
    } || figures.count == 1 && near.coverage >= Self.loneFigureCoverage
  }

  /// The maximum length of a quotation.
  private static let quoteLimit = 240

  private func hit(_ near: Nearest) -> BestEntry.Hit {
    let text = near.entry.text
    return BestEntry.Hit(
      entry: near.entry,
      text: text.count > Self.quoteLimit ? text.prefix(Self.quoteLimit - 1) + "…" : text,
      coverage: 1, missing: [], isDecisive: true)
  }

  private func nearest(
    _ text: String, _ reading: TaughtReading, _ texts: NearestTexts, _ best: BestEntry
  ) throws -> [Nearest] {
    let wordings = [text, Self.asked(reading)].filter { !$0.isEmpty }
    let matches = try texts.find(wordings, days: days(reading), limit: Self.compared)
    return matches.compactMap { match -> Nearest? in
      guard let entry = timeline.entry(ofRow: match.document) else { return nil }
      let coverage = best.coverage(
        of: entry, reading.words + reading.unread, people: reading.people)
      return Nearest(
        entry: entry, closeness: match.closeness, coverage: coverage,
        score: match.closeness + Self.coverageWeight * coverage)
    }.sorted { $0.score > $1.score }
  }
}
