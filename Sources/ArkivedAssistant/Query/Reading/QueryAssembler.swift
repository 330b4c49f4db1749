import ArkivedCore
import ArkivedStore
import Foundation

/// A query that a question may mean.
struct ReadQuery {
  /// How a value is told that queries have no target for.
  enum Telling { case plain, clock, usualClock, earliestClock }

  var query: Query
  var telling = Telling.plain
  /// What of the question was left out, in the asker's words.
  var dropped: [String] = []
}

/// What a question was read as.
struct TaughtReading {
  /// The likeliest first; those after it are tried where nothing fits.
  var candidates: [ReadQuery]
  /// The probability of the best choice of fold and target less that of the next.
  var margin: Double
  /// The days that the question names.
  var days: ClosedRange<DayKey>?
  var people: [String]
  var words: [String]
}

/// Makes typed queries of what the network says of a question's tokens.
struct QueryAssembler {
  let network: ReaderNetwork
  let lexicon: ReaderLexicon
  let timeline: TableTimeline

  /// Words of one role that follow each other.
  private struct Phrase {
    var role: ReaderNetwork.Role
    var words: [String]
    var text: String { words.joined(separator: " ") }
  }

  private struct Parts {
    var conditions: [Query.Predicate] = []
    var kinds: [Query.Predicate] = []
    var sides: [[Query.Predicate]] = [[], []]
    var events: [Query.Predicate] = []
    var measure: String?
    var words: [String] = []
    var people: [String] = []
    var days: ClosedRange<DayKey>?
    var rank: Int?
  }

  /// Reads a question; nil where it has no words.
  func read(_ question: QuestionTokens) -> TaughtReading? {
    guard !question.tokens.isEmpty else { return nil }
    let told = network.read(question.tokens.map(\.sign))
    let parts = parts(question, told)
    var scored: [(score: Float, fold: Query.Fold, target: String)] = []
    for fold in told.heads["fold"]?.prefix(3) ?? [] {
      guard let kind = Query.Fold(rawValue: fold.value) else { continue }
      for target in told.heads["target"]?.prefix(3) ?? [] {
        scored.append((fold.score + target.score, kind, target.value))
      }
    }
    scored.sort { $0.score > $1.score }
    func choice(_ head: String) -> String { told.heads[head]?.first?.value ?? "none" }
    var candidates: [ReadQuery] = []
    var scores: [Double] = []
    for (score, fold, target) in scored {
      let made = variants(parts).flatMap { variant in
        queries(
          fold, target, group: Query.Group(rawValue: choice("group")),
          order: Query.Order(rawValue: choice("order")), measure: choice("measure"),
          event: choice("event"), isAlone: choice("company") == "alone",
          ofDays: choice("days") == "days", variant.parts
        ).map { read in
          var read = read
          read.dropped = variant.dropped
          return read
        }
      }
      guard !made.isEmpty else { continue }
      scores.append(Double(exp(score)))
      // A second reading is only tried where it is nearly as likely.
      if scores.count == 1 || (scores[0] - (scores.last ?? 0)) < 0.2 && scores.count < 3 {
        candidates += made
      }
    }
    guard let best = scores.first else { return nil }
    return TaughtReading(
      candidates: candidates, margin: best - (scores.count > 1 ? scores[1] : 0), days: parts.days,
      people: parts.people, words: parts.words)
  }

  // MARK: Parts

  private func parts(_ question: QuestionTokens, _ told: ReaderNetwork.Reading) -> Parts {
    var parts = Parts()
    var phrases: [Phrase] = []
    var isOpen = false
    for (token, scores) in zip(question.tokens, told.roles) {
      let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
      let role = network.roles[best]
      if case .word = token.content {
        if let rank = lexicon.rank(token.text) { parts.rank = rank }
        guard role != .talk else {
          isOpen = false
          continue
        }
        if isOpen, let last = phrases.indices.last, phrases[last].role == role {
          phrases[last].words.append(token.text)
        } else {
          phrases.append(Phrase(role: role, words: [token.text]))
        }
        isOpen = true
        continue
      }
      if role == .event || role == .secondEvent {
        if isOpen, let last = phrases.indices.last, phrases[last].role == role {
          phrases[last].words.append(token.text)
        } else {
          phrases.append(Phrase(role: role, words: [token.text]))
        }
        isOpen = true
        continue
      }
      isOpen = false
      add(token, role, &parts)
    }
    for phrase in phrases { add(phrase, &parts) }
    return parts
  }

  private func add(
    _ token: QuestionTokens.Token, _ role: ReaderNetwork.Role, _ parts: inout Parts
  ) {
    let predicate: Query.Predicate
    switch token.content {
    case .word: return
    case .days(let days):
      predicate = .days(days)
      if role != .firstSide, role != .secondSide {
        // "Since May … until August" are one span.
        if let known = parts.days, known.overlaps(days) {
          parts.days = known.clamped(to: days)
        } else if let known = parts.days {
          parts.days =
            min(known.lowerBound, days.lowerBound)...max(known.upperBound, days.upperBound)
        } else {
          parts.days = days
        }
        return
      }
    case .weekdays(let weekdays): predicate = .weekday(weekdays)
    case .hours(let from, let to): predicate = .hours(from: from, to: to)
    case .people(let names):
      predicate =
        names.count == 1
        ? .person(names[0], role: .any)
        : .any(names.map { .person($0, role: .any) })
      if role != .excluded { parts.people += names }
    case .amount(let unit, let bounds): predicate = .amount(unit: unit, bounds)
    case .quote(let text): predicate = .text(text)
    case .tag(let tag): predicate = .tag(tag)
    }
    switch role {
    case .firstSide: parts.sides[0].append(predicate)
    case .secondSide: parts.sides[1].append(predicate)
    case .excluded: parts.conditions.append(.not(predicate))
    default: parts.conditions.append(predicate)
    }
  }

  private func add(_ phrase: Phrase, _ parts: inout Parts) {
    if phrase.role == .measure {
      parts.measure = [parts.measure, phrase.text].compactMap(\.self).joined(separator: " ")
      return
    }
    let content = phrase.words.filter { !lexicon.isEmpty($0) }
    let isEvent = phrase.role == .event || phrase.role == .secondEvent
    guard !content.isEmpty else { return }
    let concept = Query.Predicate.concept(
      Query.Concept(
        phrase: content.joined(separator: " "),
        role: isEvent ? .event : phrase.role == .kind ? .thing : .any))
    switch phrase.role {
    case .talk, .measure: break
    case .kind: parts.kinds.append(concept)
    case .event, .secondEvent: parts.events.append(concept)
    case .excluded: parts.conditions.append(.not(concept))
    case .firstSide: parts.sides[0].append(concept)
    case .secondSide: parts.sides[1].append(concept)
    case .concept: parts.conditions.append(concept)
    }
    parts.words.append(phrase.text)
  }

  // MARK: Queries

  /// What a measure is in this archive.
  private enum Measure { case none, unit(String), metric(String) }

  private func measure(_ kind: String, _ phrase: String?) -> Measure {
    switch kind {
    case "time": return .unit("min")
    case "money":
      let known = timeline.units.filter { TextAmounts.currency(of: $0.key) != nil }
      return .unit(known.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "€")
    case "distance":
      if let phrase, let unit = UnitTable.standard.unit(named: phrase.lowercased()),
        unit.dimension == .length
      {
        return .unit(unit.name)
      }
      let lengths = timeline.units.filter {
        UnitTable.standard.unit(named: $0.key)?.dimension == .length
      }
      return .unit(lengths.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? "km")
    case "unit":
      guard let phrase else { return .none }
      let named = lexicon.metric(phrase)
      if let named, ["mood", "energy"].contains(named) { return .metric(named) }
      let words = Set([phrase, named ?? phrase].flatMap { WordCutter.words(of: $0).map(\.key) })
      let metrics = timeline.metrics.keys.sorted()
      if let metric = metrics.first(where: { metric in
        let keys = Set(WordCutter.words(of: metric).map(\.key))
        return !keys.isDisjoint(with: words)
      }) {
        return .metric(metric)
      }
      if let unit = UnitTable.standard.unit(named: phrase.lowercased()) { return .unit(unit.name) }
      return .unit(phrase.lowercased())
    default: return .none
    }
  }

  private func queries(
    _ fold: Query.Fold, _ target: String, group: Query.Group?, order: Query.Order?, measure: String,
    event: String, isAlone: Bool, ofDays: Bool, _ parts: Parts
  ) -> [ReadQuery] {
    var conditions = parts.conditions
    if let days = parts.days { conditions.append(.days(days)) }
    if isAlone { conditions.append(.alone) }
    var fold = fold
    let measured = self.measure(measure, parts.measure)
    if case .none = measured {
      if fold == .sum { fold = .count }
      if fold.needsMeasure, target != "clock" { return [] }
    }
    if fold == .compare || fold == .share, parts.sides.contains(where: \.isEmpty) { return [] }
    func source(_ side: [Query.Predicate], kinds: Bool) -> Query.Source {
      let all = Query.Predicate.all(conditions + side + (kinds ? parts.kinds : []))
      if case .metric(let name) = measured {
        return bounded(.metric(name, all), event, parts.events)
      }
      return bounded(ofDays ? .days(all) : .entries(all), event, parts.events)
    }
    func made(kinds: Bool) -> ReadQuery? {
      var side: [Query.Predicate] = []
      if fold == .compare || fold == .share {
        side = parts.sides[0]
      } else {
        side = parts.sides[0] + parts.sides[1]
      }
      if fold == .share { side += parts.sides[1] }
      var query = Query(source(side, kinds: kinds), fold)
      if fold == .compare { query.against = source(parts.sides[1], kinds: kinds) }
      if fold == .share { query.against = source(parts.sides[0], kinds: kinds) }
      var isMetric = false
      switch measured {
      case .unit(let unit):
        if fold.needsMeasure || fold == .compare || fold == .trend { query.unit = unit }
      case .metric: isMetric = true
      case .none: break
      }
      if fold == .compare, case .none = measured {
      } else if fold == .compare {
        query.by = isMetric ? .mean : .sum
      }
      if fold == .count, isMetric { query.fold = .sum }
      query.target = Query.Target(rawValue: target)
      if query.fold != .list, query.fold != .first, query.fold != .last, query.fold != .nth,
        query.fold != .highest, query.fold != .lowest, query.fold != .distinct
      {
        query.target = nil
      }
      if isMetric, query.target != .day { query.target = nil }
      if target == "amount", query.fold == .highest || query.fold == .lowest { query.target = nil }
      if query.fold.groups, let group { query.group = group }
      if query.group != nil {
        query.order = order
        // Who is named in the question may come first and is not asked for.
        if order != nil { query.limit = query.group == .person ? 1 + parts.people.count : 1 }
      } else if query.fold == .list, target == "thing", group == .thing {
        query.order = order
      }
      if query.fold == .nth { query.rank = parts.rank ?? 2 }
      if fold == .trend { query.group = group ?? .month }
      var telling = ReadQuery.Telling.plain
      if target == "clock" {
        telling = fold == .mean ? .usualClock : fold == .lowest ? .earliestClock : .clock
        if query.group != .hour {
          query.fold = .list
          (query.target, query.unit, query.group) = (nil, nil, nil)
        } else {
          telling = .plain
        }
      }
      query.citations = Query.largestLimit
      if query.limit == Query.usualLimit { query.limit = 200 }
      return ReadQuery(query: query, telling: telling)
    }
    return [made(kinds: true)].compactMap(\.self)
  }

  /// The parts as they are, then without what an entry need not say: verbs that the thing tells, and
  /// the noun that is asked for.
  private func variants(_ parts: Parts) -> [(parts: Parts, dropped: [String])] {
    func isLight(_ predicate: Query.Predicate) -> Bool {
      guard case .concept(let concept) = predicate else { return false }
      return WordCutter.words(of: concept.phrase).allSatisfy { RankedGrounder.isLight($0.key) }
    }
    func isConcept(_ predicate: Query.Predicate) -> Bool {
      switch predicate {
      case .concept, .text, .tag: true
      default: false
      }
    }
    func phrases(_ predicates: [Query.Predicate]) -> [String] {
      predicates.compactMap { if case .concept(let concept) = $0 { concept.phrase } else { nil } }
    }
    func isTold(_ predicate: Query.Predicate) -> Bool {
      guard case .concept(let concept) = predicate else { return false }
      return WordCutter.words(of: concept.phrase).allSatisfy { RankedGrounder.isTold($0.key) }
    }
    var parts = parts
    let sides = parts.sides.joined().contains(where: isConcept)
    if sides || (parts.conditions + parts.kinds).contains(where: { isConcept($0) && !isTold($0) }) {
      parts.conditions.removeAll(where: isTold)
    }
    var result: [(parts: Parts, dropped: [String])] = [(parts, [])]
    let light = parts.conditions.filter(isLight)
    let heavy = parts.conditions.filter { isConcept($0) && !isLight($0) }
    if !light.isEmpty, !(heavy + parts.kinds).isEmpty {
      var rest = parts
      rest.conditions.removeAll(where: isLight)
      result.append((rest, phrases(light)))
    }
    // The noun that is asked for need not stand in the entry, where something else does.
    if !parts.kinds.isEmpty, !parts.conditions.isEmpty || parts.days != nil || !parts.events.isEmpty
    {
      var rest = parts
      rest.kinds = []
      result.append((rest, parts.conditions.contains(where: isConcept) ? [] : phrases(parts.kinds)))
    }
    return result
  }

  /// A source within the bounds that events give.
  private func bounded(
    _ source: Query.Source, _ relation: String, _ events: [Query.Predicate]
  ) -> Query.Source {
    guard let event = events.first else { return source }
    let everything = Query.Source.entries()
    let one = Query.Source.entries(event)
    switch relation {
    case "before": return .between(source, start: everything, end: one)
    case "after", "since": return .between(source, start: one, end: everything)
    case "between" where events.count > 1:
      return .between(source, start: one, end: .entries(events[1]))
    default: return .onDays(source, of: one, offsets: 0...0)
    }
  }
}
