import ArkivedCore
import Foundation

/// Answers questions about single sentences: finds the entry that contains everything in the
/// question, and returns what else it says.
struct SentenceAnswers {
  let work: AnswerWork
  let times: TimeReader

  private static let lexicon = ReaderLexicon.shared
  /// The maximum number of days whose entries are all compared.
  private static let compared = 45
  /// The maximum number of entries compared for a longer period.
  private static let limit = 300
  /// The maximum number of entries whose values one answer combines.
  private static let joined = 4

  private var timeline: any Timeline { work.timeline }

  /// A word of the question with the words that express it in entries.
  private struct Clause {
    var keys: Set<String>
    /// The keys of words with a related meaning.
    var near: Set<String>
    /// The keys of things that imply the word, if it is a verb.
    var implied: Set<String>
    var weight: Double
    var isLight: Bool
    /// The days of journeys to the place that the word names.
    var days: Set<DayKey>?
  }

  /// An entry with the share of the question that it covers.
  private struct Hit {
    var entry: TimelineEntry
    var told: ToldText
    var score: Double
    var isWhole: Bool
  }

  /// Returns the answer, and true if its entries cover the whole question; nil if the question
  /// isn't about single sentences, or if no entry covers enough of it.
  func answer(_ text: String) -> (answer: TimelineAnswer, isSure: Bool)? {
    let found = times.matches(in: text)
    var rest = text
    for match in found.reversed() { rest.replaceSubrange(match.range, with: " ") }
    guard let question = SentenceQuestion(WordCutter.words(of: rest, joinsPhrases: false)) else {
      return nil
    }
    var days: ClosedRange<DayKey>?
    for own in found.map({ AskReader.days(of: $0) }) {
      guard let known = days else {
        days = own
        continue
      }
      guard known.overlaps(own) else { return nil }
      days = max(known.lowerBound, own.lowerBound)...min(known.upperBound, own.upperBound)
    }
    let isShort = days.map { $0.lowerBound.distance(to: $0.upperBound) < Self.compared } ?? false
    let isOneDay = days.map { $0.lowerBound == $0.upperBound } ?? false
    let clauses = question.content.map { clause($0, question) }
    guard isOneDay || clauses.contains(where: { !$0.isLight }) else { return nil }
    let hits = hits(question, clauses, days, isShort: isShort)
    return answer(question, hits, days, isOneDay: isOneDay)
  }

  // MARK: Entries

  private func clause(_ word: Word, _ question: SentenceQuestion) -> Clause {
    let key = word.key
    var clause = Clause(
      keys: [key], near: [], implied: [], weight: word.isCapitalised ? 1.5 : 1, isLight: false)
    if word.isCapitalised {
      if question.asksAll {
        clause.days = Journeys(timeline: timeline, today: work.today).days(at: key)
      }
      return clause
    }
    clause.keys.formUnion(Synonyms.of(key))
    clause.keys.formUnion(Self.lexicon.same(key))
    clause.near = Synonyms.near(key).union(Self.lexicon.near(key))
    if FrameWords.eating.contains(key) {
      clause.keys.formUnion(FrameWords.eating.union(["prepar", "entertain"]))
    }
    if word == question.verb { clause.implied = Self.lexicon.implied(byVerb: key) }
    let meanings = timeline.names.meanings?.near(word.lower, least: 0.62, spread: 0.3, limit: 6)
    clause.near.formUnion((meanings ?? []).map { Lemma.key($0.word) })
    clause.isLight = QuestionWords.light.contains(key) || Self.lexicon.isLight(key)
    // "bake" and "talk" are more specific than "do" and "have".
    if clause.isLight { clause.weight = QuestionWords.light.contains(key) ? 0.2 : 0.5 }
    return clause
  }

  private func hits(
    _ question: SentenceQuestion, _ clauses: [Clause], _ days: ClosedRange<DayKey>?, isShort: Bool
  ) -> [Hit] {
    var condition = IndexCondition(days: days ?? DayKey.earliest...work.today)
    var journey: Set<DayKey>?
    if let goal = question.journey.first {
      journey = Journeys(timeline: timeline, today: work.today).days(at: goal.key)
    }
    if !isShort {
      for clause in clauses where !clause.isLight {
        let known = clause.keys.union(clause.near).filter { timeline.frequency(of: $0) > 0 }
        guard !known.isEmpty else { return [] }
        condition.all.append(
          known.sorted().map { .word($0) } + (clause.days.map { [.day($0)] } ?? []))
      }
      if let goal = question.journey.first {
        condition.all.append([.word(goal.key)] + (journey.map { [.day($0)] } ?? []))
      }
      guard !condition.all.isEmpty else { return [] }
    }
    let entries = timeline.entries(.activity, where: condition)
    guard entries.count <= Self.limit else { return [] }
    let whole = clauses.reduce(0) { $0 + $1.weight } + (question.journey.isEmpty ? 0 : 1.5)
    return entries.compactMap { entry in
      let keys = entry.keys
      var score = whole == 0 ? 0.01 : 0.0
      var isWhole = true
      for clause in clauses {
        if !clause.keys.isDisjoint(with: keys) {
          score += clause.weight
        } else if !clause.near.isDisjoint(with: keys) {
          score += clause.weight * 0.7
        } else if !clause.implied.isDisjoint(with: keys), !saysOtherVerb(entry) {
          score += clause.weight * 0.8
        } else if clause.days?.contains(entry.day) ?? false {
          score += clause.weight
        } else if !clause.isLight {
          isWhole = false
        }
      }
      if let goal = question.journey.first {
        if keys.contains(goal.key) || journey?.contains(entry.day) ?? false {
          score += 1.5
        } else {
          isWhole = false
        }
      }
      if isGoing(question), Journeys.length(of: entry) != nil { score += 0.3 }
      guard score > 0 || isWhole else { return nil }
      return Hit(
        entry: entry, told: ToldText(entry.text, times: times),
        score: whole == 0 ? score : score / whole, isWhole: isWhole)
    }
  }

  /// True for "where did I go" and "when did I go to Porto", which a journey's first entry answers.
  private func isGoing(_ question: SentenceQuestion) -> Bool {
    question.verb.map { ["go", "travel", "fly"].contains($0.key) } ?? false
      && (question.content.contains(where: \.isCapitalised) || question.content.count == 1)
  }

  /// Returns true if a sentence has its own verb that is more specific than "spend" or "have".
  private func saysOtherVerb(_ entry: TimelineEntry) -> Bool {
    entry.words.contains { word in
      !word.isCapitalised && !QuestionWords.light.contains(word.key)
        && (FrameReader.isVerb(word, hasSubject: false)
          || word.lower.hasSuffix("ing") && word.lower.utf8.count > 5)
    }
  }

  // MARK: Values

  private func answer(
    _ question: SentenceQuestion, _ hits: [Hit], _ days: ClosedRange<DayKey>?, isOneDay: Bool
  ) -> (answer: TimelineAnswer, isSure: Bool)? {
    let filled = hits.compactMap {
      hit -> (hit: Hit, values: [String], amount: (Double, String)?)? in
      if question.unknown == .length {
        guard let length = hit.told.length() else { return nil }
        return (hit, [], length)
      }
      let own = values(question, hit)
      return own.isEmpty ? nil : (hit, own, nil)
    }
    guard let top = filled.map(\.hit.score).max(), top >= 0.5 || isOneDay && top > 0 else {
      return nil
    }
    var best =
      question.asksAll
      ? filled.filter(\.hit.isWhole) : filled.filter { $0.hit.score >= top - 0.001 }
    // Other people's actions aren't the owner's.
    if best.count > 1, question.content.allSatisfy({ !$0.isCapitalised }),
      question.unknown != .people
    {
      let own = best.filter { !$0.hit.told.isOfOthers(isKnown: isKnown) }
      if !own.isEmpty { best = own }
    }
    guard !best.isEmpty, question.asksAll || best.count <= Self.joined else { return nil }
    let isWhole = best.allSatisfy(\.hit.isWhole)
    guard isWhole || isOneDay else { return nil }
    let second = filled.map(\.hit.score).filter { $0 < top - 0.001 }.max() ?? 0
    let standsOut = best.count == 1 && top >= 0.7 && second < top - 0.2
    var asked = work.question
    (asked.ignored, asked.uncertain, asked.days) = ([], [], days)
    (asked.terms, asked.people, asked.joins, asked.clause) = ([], [], [], nil)
    (asked.problem, asked.threshold, asked.minutes, asked.corrections) = (nil, nil, nil, [])
    var selection = Selection()
    selection.entries = best.map(\.hit.entry)
    let told = work.with(asked)
    var found: [String] = []
    for value in best.flatMap(\.values) where !found.contains(value) { found.append(value) }
    let isSure =
      isWhole && (best.count == 1 || found.count == 1 || question.asksAll)
      || isOneDay && standsOut
    let answer: TimelineAnswer
    switch question.unknown {
    case _ where question.asksNumber:
      answer = told.finish(
        said("\(found.count) different") + told.circumstances(selection)
          + ": \(told.enumeration(found.prefix(8), more: found.count - 8)).",
        "count", values: [JSON(found.count)], labels: ["different"], unit: "times", selection)
    case .confirmation: answer = told.yes(selection)
    case .length:
      guard best.count == 1, let (amount, unit) = best[0].amount else { return nil }
      answer = told.finish(
        "\(told.text(amount, unit)) (\(best[0].hit.entry.day.shownPlainName)).", "sum",
        values: [JSON(amount)], unit: unit, selection)
    case .day:
      let days = selection.days
      answer = told.finish(
        days.map(\.toldLongName).joined(separator: "; ") + ".", "when",
        values: days.map { JSON($0) }, labels: days.map(\.description), selection)
    default:
      let kind: String =
        switch question.unknown {
        case .people: "who"
        case .place: "where"
        default: "list"
        }
      let when =
        Set(best.map(\.hit.entry.day)).count == 1 && days == nil
        ? " (\(best[0].hit.entry.day.shownPlainName))" : ""
      answer = told.finish(
        told.enumeration(found) + (when.isEmpty ? told.circumstances(selection) : when) + ".",
        kind, values: found.map { .string($0) }, selection)
    }
    return (answer, isSure)
  }

  private func values(_ question: SentenceQuestion, _ hit: Hit) -> [String] {
    switch question.unknown {
    case .people: return hit.told.people(question, isKnown: isKnown)
    case .place:
      return hit.told.place(question, isPerson: isKnown).map { [$0] } ?? []
    case .thing: return hit.told.things(question).things
    case .reason: return hit.told.reason().map { [$0] } ?? []
    case .day, .confirmation: return hit.isWhole ? [hit.entry.day.description] : []
    case .length: return []
    }
  }

  /// Returns true if the archive knows a person by a name.
  private func isKnown(_ name: String) -> Bool {
    let first = name.split(separator: " ").first.map(String.init) ?? name
    return timeline.names.people[name] != nil
      || timeline.names.personWords.contains(first.lowercased())
  }
}

extension Timeline {
  /// True if entries have neither tags nor places, so all information is in their sentences.
  var isOfTextsOnly: Bool { tags.isEmpty && places.isEmpty }
}
