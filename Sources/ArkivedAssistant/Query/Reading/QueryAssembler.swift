import ArkivedCore
import ArkivedStore
import Foundation

/// A query that a question may mean.
struct ReadQuery {
  /// The presentation of a value for which queries have no target.
  enum Telling: Equatable {
    case plain, clock, usualClock, earliestClock
    /// The frequency or amount per week or month.
    case rate(Query.Group)
  }

  var query: Query
  var telling = Telling.plain
  /// The ignored parts of the question, in the asker's words.
  var dropped: [String] = []
}

/// The interpretations of a question.
struct TaughtReading {
  /// The candidates, most likely first; the next ones are tried if nothing matches.
  var candidates: [ReadQuery]
  /// The network's calibrated probability that its whole interpretation is correct.
  var confidence = 1.0
  /// The days that the question refers to.
  var days: ClosedRange<DayKey>?
  var people: [String]
  /// Its phrases, in the asker's words.
  var words: [String]
  /// The value requested from the entry that answers it.
  var target: Query.Target?
  var unit: String?
  /// True if it asks about the world or gives an order, instead of asking about this archive.
  var isForeign = false
  /// The words that have no role for either the network or the lexicon.
  var unread: [String] = []
}

/// Builds typed queries from the network's output for a question's tokens.
struct QueryAssembler {
  let network: ReaderNetwork
  let lexicon: ReaderLexicon
  let timeline: TableTimeline
  let today: DayKey

  /// Consecutive words with the same role.
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
    /// Places and names that may limit the days if no entry contains both them and the rest.
    var bounds: [Query.Predicate] = []
    var unread: [String] = []
    var doubtful: [String] = []
    var isAhead = false
    var asksTotal = false
    /// The relation of the event to the time, if the network didn't determine it.
    var relation: String?
    /// The requested days relative to the event: 1 for the day after it.
    var offsets: ClosedRange<Int>?
    /// True if days are counted or listed: those with a metric's values, or without something.
    var countsDays = false
    /// The requested number of results: "my top three".
    var limit: Int?
    /// The mood value that a day must have.
    var rating: Double?
    /// True if it asks who or what a person is.
    var isIdentity = false
    /// The period of a requested frequency or amount.
    var rate: Query.Group?
    /// True if a verb named the metric.
    var takesMetric = false
  }

  /// Parses a question; nil if it has no words.
  func read(_ question: QuestionTokens) -> TaughtReading? {
    guard !question.tokens.isEmpty, !leavesOutTime(question.tokens) else { return nil }
    let told = network.read(question.tokens.map(\.sign))
    var parts = parts(question, told)
    if ["time", "unit", "none"].contains(told.heads["measure"]?.first?.value ?? ""),
      told.heads["fold"]?.first.map({ Query.Fold(rawValue: $0.value) != .count }) ?? false
    {
      takeMetric(&parts)
    }
    var scored: [(score: Float, fold: Query.Fold, target: String)] = []
    func group(_ fold: Query.Fold) -> Query.Group? {
      guard fold == .run else { return Query.Group(rawValue: choice("group")) }
      // "Weeks in a row" is recognised by this word alone.
      return question.tokens.lazy.compactMap { lexicon.unitOfTime($0.text) }.first
        .flatMap(Query.Group.init(rawValue:))
    }
    let isForeign =
      told.heads["fold"]?.first.map { Query.Fold(rawValue: $0.value) == nil } ?? false
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
          fold, target, group: group(fold),
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
      // A second interpretation is tried only if it is nearly as likely.
      if scores.count == 1 || (scores[0] - (scores.last ?? 0)) < 0.2 && scores.count < 3 {
        candidates += made
      }
    }
    let measured = measure(choice("measure"), parts.measure)
    var reading = TaughtReading(
      candidates: candidates, days: parts.days,
      people: parts.people, words: parts.words,
      target: scored.first.flatMap { Query.Target(rawValue: $0.target) })
    if case .unit(let unit) = measured { reading.unit = unit }
    reading.confidence = told.probability
    (reading.isForeign, reading.unread) = (isForeign, parts.unread)
    return reading
  }

  /// Returns true if a time is excluded, as in "not in 2025", which queries can't express.
  private func leavesOutTime(_ tokens: [QuestionTokens.Token]) -> Bool {
    tokens.indices.contains { place in
      guard case .days = tokens[place].content else { return false }
      let before = tokens[..<place].last { !lexicon.isEmpty($0.text) }
      return before.map { lexicon.isNegation($0.text) } ?? false
    }
  }

  // MARK: Parts

  private func parts(_ question: QuestionTokens, _ told: ReaderNetwork.Reading) -> Parts {
    var parts = Parts()
    var phrases: [Phrase] = []
    var isOpen = false
    let words = question.tokens.map(\.text)
    let isNegated = words.contains(where: lexicon.isNegation)
    // A word after "since" limits the time, unless the network is sure that nothing does.
    var relation: (place: Int, name: String)?
    let isEdge = ["last", "first", "span", "gap", "run"].contains(
      told.heads["fold"]?.first?.value ?? "")
    if !isEdge,
      told.heads["event"]?.first.map({ $0.value == "none" && $0.score < Self.sure }) ?? false
    {
      relation =
        words.indices.lazy.compactMap { index in
          lexicon.relation(words[index]).map { (index, $0) }
        }.first
    }
    for (place, (token, scores)) in zip(question.tokens, told.roles).enumerated() {
      let best = scores.indices.max { scores[$0] < scores[$1] } ?? 0
      var role = network.roles[best]
      // Only an explicit word excludes something.
      if role == .excluded, !isNegated { role = .concept }
      if role == .concept, let relation, place > relation.place, case .word = token.content {
        role = .event
        parts.relation = relation.name
      }
      if case .word = token.content {
        if let rank = lexicon.rank(token.text) { parts.rank = rank }
        if let number = Quantities.number(token.text), number == number.rounded() {
          if (2...20).contains(number) { parts.limit = Int(number) }
          if (1...5).contains(number), token.text.first?.isNumber == true { parts.rating = number }
        }
        guard role != .talk else {
          isOpen = false
          if token.text.count > 2, !lexicon.isTalk(token.text), lexicon.metric(token.text) == nil {
            parts.unread.append(token.text)
            // If the network is unsure, a word is content if entries contain it.
            if scores[best] < Self.sure, timeline.frequency(of: Lemma.key(token.text)) > 0 {
              parts.doubtful.append(token.text)
            }
          }
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
    if parts.conditions.contains(where: { if case .not(.person) = $0 { true } else { false } }),
      words.contains(where: lexicon.isSomebody)
    {
      parts.conditions.append(.not(.alone))
    }
    parts.isAhead =
      parts.days == nil
      && question.tokens.contains { token in
        if case .word = token.content { lexicon.isAhead(token.text) } else { false }
      }
    if parts.isAhead { parts.days = today...DayKey.latest }
    parts.asksTotal = lexicon.asksTotal(question.text)
    parts.rate = lexicon.rate(in: question.text).flatMap(Query.Group.init(rawValue:))
    share(&parts)
    parts.offsets = offsets(words)
    let phrase = phrases.first
    parts.isIdentity =
      phrases.count == 1 && parts.people.isEmpty && parts.days == nil
      && words.indices.contains { index in
        words[index] == phrase?.words.first && index > 0 && lexicon.isCopula(words[index - 1])
      }
    return parts
  }

  /// Returns the offset in days for "The day after", "two days before", "in the week after"; nil if
  /// no word states one.
  private func offsets(_ words: [String]) -> ClosedRange<Int>? {
    for place in words.indices.dropFirst() {
      guard let length = lexicon.daysBeside(words[place - 1]),
        let side = lexicon.side(words[place])
      else { continue }
      let count = place > 1 ? Quantities.number(words[place - 2]).flatMap(Int.init(exactly:)) : nil
      guard (1...10_000).contains(count ?? 1) else { return nil }
      let days = (count ?? 1) * length
      // The week after it includes any day of that week.
      let first = count == nil && length > 1 ? 1 : days
      return side == "before" ? (-days)...(-first) : first...days
    }
    return nil
  }

  /// Applies a condition stated on one side of a comparison to both, if the sides differ in their
  /// days or people: "more films with Mira or with Tom".
  private func share(_ parts: inout Parts) {
    func isConcept(_ predicate: Query.Predicate) -> Bool {
      if case .concept = predicate { true } else { false }
    }
    guard parts.sides.allSatisfy({ !$0.isEmpty }) else { return }
    let concepts = parts.sides.map { $0.filter(isConcept) }
    let others = parts.sides.map { $0.filter { !isConcept($0) } }
    guard concepts.contains(where: \.isEmpty), others.allSatisfy({ !$0.isEmpty }) else { return }
    parts.conditions += concepts.joined()
    parts.sides = others
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
        // "Since May … until August" is a single span.
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
    case .amount(let unit, let bounds):
      if UnitTable.standard.unit(named: unit) == nil, TextAmounts.currency(of: unit) == nil,
        let metric = metric(called: unit)
      {
        predicate = .metric(metric, bounds)
        parts.countsDays = true
      } else {
        predicate = .amount(unit: unit, bounds)
      }
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
    let content = phrase.words.filter { word in
      // Words that only frame questions are content only if entries contain them too.
      !lexicon.isEmpty(word)
        && (!lexicon.isTalk(word) || timeline.frequency(of: Lemma.key(word)) > 0
          || timeline.names.tagsByKey[Lemma.key(word)] != nil)
    }
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

  /// The logarithm of the probability above which the network is sure that a word is padding.
  private static let sure = log(Float(0.9))

  /// The maximum number of entries searched for the names that they mention.
  private static let evidence = 5_000

  /// The meaning of a measure in this archive.
  private enum Measure { case none, unit(String), metric(String) }

  private func measure(_ kind: String, _ phrase: String?) -> Measure {
    switch kind {
    case "time":
      // "Hours of sleep" names a metric that is a duration.
      if let name = phrase.flatMap(lexicon.metric), let metric = metric(called: name) {
        return .metric(metric)
      }
      return .unit("min")
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
      if let metric = metric(called: phrase) ?? named.flatMap(metric(called:)) {
        return .metric(metric)
      }
      if let unit = UnitTable.standard.unit(named: phrase.lowercased()) { return .unit(unit.name) }
      return .unit(phrase.lowercased())
    default: return .none
    }
  }

  /// Treats a verb as the measure if a metric of the archive measures it: "slept", "weighed".
  private func takeMetric(_ parts: inout Parts) {
    if let measure = parts.measure {
      // "Hours" are the unit of the metric.
      guard let unit = UnitTable.standard.unit(named: measure.lowercased()), unit.dimension == .time
      else { return }
    }
    for (index, condition) in parts.conditions.enumerated() {
      guard case .concept(let concept) = condition, let name = lexicon.metric(concept.phrase),
        concept.phrase.split(separator: " ").count == 1, metric(called: name) != nil
      else { continue }
      parts.measure = name
      parts.conditions.remove(at: index)
      parts.takesMetric = true
      return
    }
  }

  /// Returns the archive's metric whose name best matches a phrase: "screen time" is screenMinutes.
  private func metric(called phrase: String) -> String? {
    let words = Set(WordCutter.words(of: phrase).map(\.key))
    if ["mood", "energy"].contains(phrase) { return phrase }
    let shares = timeline.metrics.keys.sorted().map { metric in
      let keys = Set(WordCutter.words(of: MetricText.name(metric)).map(\.key))
      return (metric, Double(keys.intersection(words).count) / Double(max(1, keys.count)))
    }
    return shares.max { $0.1 < $1.1 }.flatMap { $0.1 > 0.5 ? $0.0 : nil }
  }

  private func queries(
    _ fold: Query.Fold, _ target: String, group: Query.Group?, order: Query.Order?, measure: String,
    event: String, isAlone: Bool, ofDays: Bool, _ parts: Parts
  ) -> [ReadQuery] {
    var conditions = parts.conditions
    if let days = parts.days { conditions.append(.days(days)) }
    if isAlone { conditions.append(.alone) }
    var (fold, target) = (fold, target)
    let event = parts.relation ?? event
    var measure = measure
    if fold == .span, parts.asksTotal { (fold, measure) = (.sum, "time") }
    if parts.isIdentity, target == "person" { target = "entry" }
    // The longest time without something is the gap between two occurrences.
    if fold == .gap {
      conditions = conditions.map { if case .not(let held) = $0 { held } else { $0 } }
    }
    let isWithout =
      conditions.contains { if case .not(.concept) = $0 { true } else { false } }
      && !conditions.contains { if case .concept = $0 { true } else { false } }
      && parts.kinds.isEmpty
    let ofDays = ofDays || parts.countsDays || isWithout && [.count, .run].contains(fold)
    let measured = self.measure(parts.takesMetric ? "unit" : measure, parts.measure)
    if case .none = measured {
      if fold == .mean, parts.rate != nil { fold = .count }
      if fold == .sum { fold = .count }
      if fold.needsMeasure, target != "clock" { return [] }
    }
    if fold == .compare || fold == .share, parts.sides.contains(where: \.isEmpty) { return [] }
    if case .metric(let name) = measured, let rating = parts.rating,
      ["mood", "energy"].contains(name), [.mean, .list, .count, .sum, .last, .first].contains(fold)
    {
      let bounds = Query.Bounds(least: rating, most: rating)
      var query = Query(
        .days(.all(conditions + [name == "mood" ? .mood(bounds) : .energy(bounds)])),
        [.mean, .sum].contains(fold) ? target == "day" || target == "entry" ? .list : .count : fold)
      if query.fold == .list { query.target = .day }
      (query.citations, query.limit) = (Self.evidence, 200)
      return [ReadQuery(query: query)]
    }
    func source(_ side: [Query.Predicate], kinds: Bool) -> Query.Source {
      let all = Query.Predicate.all(conditions + side + (kinds ? parts.kinds : []))
      if case .metric(let name) = measured {
        return bounded(.metric(name, all), event, parts)
      }
      var source = ofDays ? Query.Source.days(all) : .entries(all)
      for place in parts.bounds {
        source = .onDays(source, of: .entries(place), offsets: 0...0)
      }
      return bounded(source, event, parts)
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
      if query.group != nil, fold == .highest || fold == .lowest {
        // The month with the most kilometres is the one with the largest sum.
        query.fold = isMetric ? .mean : .sum
        query.order = fold == .highest ? .most : .least
      }
      if query.group != nil {
        query.order = query.order ?? order
        // People named in the question may rank first but aren't the answer.
        if query.order != nil {
          let wanted = parts.limit ?? 1
          query.limit = query.group == .person ? wanted + parts.people.count : wanted
        }
      } else if query.fold == .list, target == "thing", group == .thing {
        query.order = order
      }
      if query.target == .yesNo, [.first, .last, .nth].contains(query.fold) { query.fold = .list }
      if parts.isAhead, query.fold == .last { query.fold = .first }
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
      if let rate = parts.rate, query.against == nil,
        query.group == nil || query.group == rate, query.order == nil,
        [.count, .sum, .mean].contains(query.fold), !isMetric
      {
        if query.fold == .mean { query.fold = query.unit == nil ? .count : .sum }
        query.group = nil
        telling = .rate(rate)
      }
      query.citations = Self.evidence
      if query.limit == Query.usualLimit { query.limit = 200 }
      return ReadQuery(query: query, telling: telling)
    }
    return [made(kinds: true)].compactMap(\.self)
  }

  /// Returns the original parts, then reduced ones: with places as limits on days, without implied
  /// verbs, without the requested noun.
  private func variants(_ parts: Parts) -> [(parts: Parts, dropped: [String])] {
    func phrase(_ predicate: Query.Predicate) -> String? {
      if case .concept(let concept) = predicate { concept.phrase } else { nil }
    }
    func isConcept(_ predicate: Query.Predicate) -> Bool {
      switch predicate {
      case .concept, .text, .tag: true
      default: false
      }
    }
    func keys(_ predicate: Query.Predicate) -> [String] {
      phrase(predicate).map { WordCutter.words(of: $0).map(\.key) } ?? []
    }
    func isLight(_ predicate: Query.Predicate) -> Bool {
      // "Driving lessons" are one thing, though both words are common.
      let keys = keys(predicate)
      return keys.count == 1 && keys.allSatisfy(lexicon.isLight)
    }
    func isTold(_ predicate: Query.Predicate) -> Bool {
      let keys = keys(predicate)
      return !keys.isEmpty && keys.allSatisfy(lexicon.isTold)
    }
    func isPlace(_ predicate: Query.Predicate) -> Bool {
      guard let phrase = phrase(predicate) else { return false }
      if timeline.names.place(called: phrase) != nil { return true }
      let words = WordCutter.words(of: phrase)
      return !words.isEmpty && words.allSatisfy { $0.isCapitalised }
    }
    var parts = parts
    // If nothing else remains, a word that the network classified as padding is the subject.
    if !(parts.conditions + parts.kinds + parts.sides.joined() + parts.events).contains(
      where: isConcept), parts.measure == nil
    {
      parts.conditions += parts.unread.map { .concept(Query.Concept(phrase: $0)) }
      parts.words += parts.unread
      parts.unread = []
    }
    // Every entry with a person means a meeting with them.
    if !parts.people.isEmpty {
      parts.conditions.removeAll { predicate in
        phrase(predicate).map {
          $0.split(separator: " ").allSatisfy { lexicon.isContact(String($0)) }
        }
          ?? false
      }
    }
    let all = parts.conditions + parts.kinds + parts.sides.joined()
    // Playing something needs no verb, but places and names aren't things that are played.
    if all.contains(where: { isConcept($0) && !isTold($0) && !isPlace($0) }) {
      parts.conditions.removeAll(where: isTold)
    }
    var result: [(parts: Parts, dropped: [String])] = []
    if !parts.doubtful.isEmpty {
      var more = parts
      more.conditions += parts.doubtful.map { .concept(Query.Concept(phrase: $0)) }
      result.append((more, []))
    }
    result.append((parts, parts.doubtful))
    let places = parts.conditions.filter(isPlace)
    if !places.isEmpty,
      (parts.conditions + parts.kinds).contains(where: { isConcept($0) && !isPlace($0) })
    {
      var rest = parts
      rest.conditions.removeAll(where: isPlace)
      rest.bounds = places
      result.append((rest, []))
    }
    let light = parts.conditions.filter(isLight)
    let heavy = parts.conditions.filter { isConcept($0) && !isLight($0) }
    if !light.isEmpty, !(heavy + parts.kinds).isEmpty {
      var rest = parts
      rest.conditions.removeAll(where: isLight)
      result.append((rest, light.compactMap(phrase)))
    }
    // Entries need not contain the requested noun if they contain something else.
    if !parts.kinds.isEmpty, !parts.conditions.isEmpty || parts.days != nil || !parts.events.isEmpty
    {
      var rest = parts
      rest.kinds = []
      result.append((rest, parts.kinds.compactMap(phrase)))
    }
    return result
  }

  /// Returns a source limited by the bounds from events.
  private func bounded(
    _ source: Query.Source, _ relation: String, _ parts: Parts
  ) -> Query.Source {
    let events = parts.events
    guard let event = events.first else { return source }
    let everything = Query.Source.entries()
    let one = Query.Source.entries(event)
    if let offsets = parts.offsets { return .onDays(source, of: one, offsets: offsets) }
    switch relation {
    case "before": return .between(source, start: everything, end: one)
    case "after", "since": return .between(source, start: one, end: everything)
    case "between" where events.count > 1:
      return .between(source, start: one, end: .entries(events[1]))
    default: return .onDays(source, of: one, offsets: 0...0)
    }
  }
}
