package import ArkivedCore
import ArkivedSearch
package import ArkivedStore
import Foundation

/// Answers plain questions from the archive: computed, complete and cited, without a language model.
package struct AskEngine: Sendable {
  package let archive: Archive
  package let zone: Zone

  package init(archive: Archive, zone: Zone) {
    self.archive = archive
    self.zone = zone
  }

  /// Answers a question.
  ///
  /// - Parameters:
  ///   - now: the moment that “last month” is seen from; the archive's clock when nil.
  ///   - citationLimit: how many citations to load; `citationCount` counts all.
  package func answer(
    _ text: String, now: Instant? = nil, citationLimit: Int = 200, citationOffset: Int = 0
  ) throws -> Answer {
    let reader = QuestionReader(
      now: now ?? archive.clock.now, zone: zone, people: try archive.personReader(for: text))
    let question = reader.read(text)
    var request = SearchRequest(query: "", limit: citationLimit, offset: citationOffset)
    request.homeZone = zone
    request.narrow(to: question, zone: zone)
    var computation = Computation(
      archive: archive, question: question, request: request, ignored: question.ignored)
    return try computation.answer()
  }
}

/// The work on one question.
private struct Computation {
  let archive: Archive
  let question: Question
  let request: SearchRequest
  var ignored: [String]

  private var words: WordQuery { WordQuery(terms: question.words.map { .init(text: $0) }) }

  private var asksNothing: Bool { question.words.isEmpty && !request.hasFilters }

  mutating func answer() throws -> Answer {
    guard !asksNothing else {
      return none(
        "I found no time, person, tag or word in the question that I could look for. "
          + "Ask for example: what did I do last week?")
    }
    if question.kind == .sum, let measure = question.measure {
      return try sum(measure)
    }
    // What was done is counted by activities; notes only tell of it, unless nothing else does.
    var types: [HitType] = question.kind == .list ? [.activity, .day] : [.activity]
    var tally = try self.tally(types)
    if tally.entries == 0, question.kind != .list {
      types = [.day]
      tally = try self.tally(types)
    }
    guard tally.entries > 0 else { return try nothingFound() }
    switch question.kind {
    case .count: return try count(tally, types)
    case .first, .last: return try edge(tally, types)
    default: return try list(tally, types)
    }
  }

  // MARK: Kinds of answer

  private func list(_ tally: Archive.Tally, _ types: [HitType]) throws -> Answer {
    let hits = try citations(types, .oldest)
    let shown = hits.prefix(3).map { "“\($0.title.prefix(80))”" }
    let more = tally.entries - shown.count
    let sentence =
      "\(entries(tally.entries, types))\(circumstances): \(shown.joined(separator: ", "))"
      + (more > 0 ? " and \(more) more." : ".")
    return finish(
      sentence, .list,
      values: hits.map { .init(label: $0.dayKey.description, value: .string($0.title)) }, hits,
      count: tally.entries)
  }

  private func count(_ tally: Archive.Tally, _ types: [HitType]) throws -> Answer {
    let hits = try citations(types, .oldest)
    let number = question.countsDays ? tally.days : tally.entries
    let sentence: String
    if question.countsDays {
      sentence =
        "On \(number) \(number == 1 ? "day" : "days")\(circumstances), in "
        + "\(entries(tally.entries, types))."
    } else {
      sentence =
        "\(entries(tally.entries, types))\(circumstances), on "
        + "\(tally.days) \(tally.days == 1 ? "day" : "days")."
    }
    return finish(
      sentence, .count,
      values: [.init(label: question.countsDays ? "days" : "times", value: JSON(number))],
      unit: question.countsDays ? "days" : "times", hits, count: tally.entries)
  }

  private mutating func edge(_ tally: Archive.Tally, _ types: [HitType]) throws -> Answer {
    let isFirst = question.kind == .first
    let hits = try citations(types, isFirst ? .oldest : .newest)
    guard let hit = hits.first else { return try nothingFound() }
    let ordinal = isFirst ? "first" : "last"
    let others =
      tally.entries > 1 ? " It is the \(ordinal) of \(entries(tally.entries, types))." : ""
    return finish(
      "\(hit.dayKey.longName): “\(hit.title.prefix(160))”\(circumstances).\(others)",
      question.kind,
      values: [.init(label: ordinal, value: JSON(hit.dayKey))], hits, count: tally.entries)
  }

  private mutating func sum(_ measure: String) throws -> Answer {
    let tally = try tally([.activity])
    var total = 0.0
    var measured = 0
    if measure == "minutes" || measure == "hours" {
      total = measure == "hours" ? tally.minutes / 60 : tally.minutes
      measured = tally.timed
    } else {
      for (name, amount) in tally.amounts.sorted(by: { $0.key < $1.key }) {
        if name == measure {
          total += amount.sum
          measured += amount.entries
        } else if let converted = UnitTable.standard.convert(amount.sum, from: name, to: measure) {
          total += converted
          measured += amount.entries
        }
      }
    }
    if measured == 0, let metric = try metricSum(measure) { return metric }
    guard measured > 0 else {
      guard tally.entries > 0 else { return try nothingFound() }
      return none(
        "\(entries(tally.entries, [.activity]))\(circumstances), and none of them says an amount in "
          + "\(measure).")
    }
    let rounded = (total * 100).rounded() / 100
    let hits = try citations([.activity], .oldest)
    let shown =
      measure == "minutes" && total >= 120
      ? "\(AmountText.plain((total / 6).rounded() / 10)) hours (\(AmountText.plain(rounded)) minutes)"
      : "\(AmountText.plain(rounded)) \(measure)"
    let unmeasured = tally.entries - measured
    let caveat =
      unmeasured > 0
      ? " \(unmeasured) further \(unmeasured == 1 ? "entry says" : "entries say") no amount." : ""
    return finish(
      "\(shown)\(circumstances), from \(entries(measured, [.activity])).\(caveat)", .sum,
      values: [.init(label: "sum", value: JSON(rounded))], unit: measure, hits,
      count: tally.entries)
  }

  /// What devices counted per day, where no entry measures it: steps.
  private func metricSum(_ measure: String) throws -> Answer? {
    guard question.words.isEmpty, question.people.isEmpty, question.tags.isEmpty else {
      return nil
    }
    let days = self.days
    let (sum, count) = try archive.metricSum(
      measure, from: days?.lowerBound, to: days?.upperBound)
    guard count > 0 else { return nil }
    return finish(
      "\(AmountText.plain(sum)) \(measure)\(circumstances), by the daily numbers of \(count) "
        + "\(count == 1 ? "day" : "days").", .sum,
      values: [.init(label: "sum", value: JSON(sum))], unit: measure, [], count: 0)
  }

  /// No entry: says so, and which of the words the archive does not hold at all.
  private mutating func nothingFound() throws -> Answer {
    var missing: [String] = []
    for word in question.words {
      let alone = try archive.tally(
        SearchRequest(query: ""), words: WordQuery(terms: [.init(text: word)]),
        expand: WordForms.english.forms(of:))
      if alone.entries == 0, !missing.contains(word) { missing.append(word) }
    }
    var sentence = "I found no entry\(circumstances)."
    ignored += missing.filter { !ignored.contains($0) }
    if !missing.isEmpty {
      sentence += " Nowhere in the archive: \(missing.joined(separator: ", "))."
    } else if question.time != nil {
      var anyTime = request
      anyTime.from = nil
      anyTime.to = nil
      let elsewhere = try archive.tally(anyTime, words: words, expand: WordForms.english.forms(of:))
      if elsewhere.entries > 0, let last = elsewhere.last {
        sentence +=
          " At other times there are \(elsewhere.entries), the latest on \(last.plainName)."
      }
    }
    return none(sentence)
  }

  // MARK: Parts

  private func tally(_ types: [HitType]) throws -> Archive.Tally {
    try archive.tally(request, words: words, expand: WordForms.english.forms(of:), types: types)
  }

  private func citations(
    _ types: [HitType], _ order: Archive.ResultOrder
  ) throws -> [SearchHit] {
    try archive.search(
      request, words: words, expand: WordForms.english.forms(of:), types: types, order: order)
  }

  private var days: ClosedRange<DayKey>? {
    question.time.map { $0.grain < .week ? $0.days : $0.widenedDays() }
  }

  private func entries(_ count: Int, _ types: [HitType]) -> String {
    let noun =
      types == [.day]
      ? (count == 1 ? "day note" : "day notes")
      : types == [.activity]
        ? (count == 1 ? "activity" : "activities") : (count == 1 ? "entry" : "entries")
    return "\(count) \(noun)"
  }

  /// “ with Alex Moreau or Alex Kim, with “run”, in March 2026”: how the question was read.
  private var circumstances: String {
    var parts: [String] = []
    for person in question.people {
      parts.append("with \(person.candidates.map(\.name).joined(separator: " or "))")
    }
    parts += question.tags.map { "tagged #\($0)" }
    parts += question.kinds.map { "of the kind \($0)" }
    if !question.words.isEmpty {
      parts.append("with the words \(question.words.map { "“\($0)”" }.joined(separator: " and "))")
    }
    if let days { parts.append("(\(SpanText.days(days)))") }
    return parts.isEmpty ? "" : " " + parts.joined(separator: " ")
  }

  private func finish(
    _ sentence: String, _ kind: Question.Kind, values: [Answer.Value], unit: String? = nil,
    _ hits: [SearchHit], count: Int
  ) -> Answer {
    let untold = ignored.filter { !sentence.contains($0) }
    let rest = untold.isEmpty ? "" : " Not used: \(untold.joined(separator: ", "))."
    return Answer(
      sentence: sentence + rest, kind: kind, values: values, unit: unit, question: question,
      days: days,
      ignored: ignored, citations: hits, citationCount: count)
  }

  private func none(_ sentence: String) -> Answer {
    finish(sentence, .none, values: [], [], count: 0)
  }
}
