import ArkivedCore

/// Building the queries for one operation and one target.
extension QueryAssembler {
  /// The maximum number of entries searched for the names that they mention.
  private static let evidence = 5_000

  func queries(
    _ fold: Query.Fold, _ target: String, group: Query.Group?, order: Query.Order?, measure: String,
    event: String, isAlone: Bool, ofDays: Bool, _ parts: Parts
  ) -> [ReadQuery] {
    var conditions = parts.conditions
    if let days = days(of: parts, fold) { conditions.append(.days(days)) }
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
      var (isMetric, hasMean) = (false, false)
      switch measured {
      case .unit(let unit):
        hasMean = AmountLevel.isLevel([], unit: unit)
        if fold.needsMeasure || fold == .compare || fold == .trend { query.unit = unit }
        if fold == .sum, hasMean { query.fold = .mean }
      case .metric(let name):
        (isMetric, hasMean) = (true, true)
        // Readings such as a mood or a weight have no sum; the days with one may be counted.
        let isLevel = AmountLevel.isLevel(name, unit: timeline.metrics[name])
        if fold == .sum || fold == .count && !(isLevel && ofDays) {
          query.fold = isLevel ? .mean : .sum
        }
      case .none: break
      }
      if fold == .compare, case .none = measured {
      } else if fold == .compare {
        query.by = hasMean ? .mean : .sum
      }
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
        query.fold = hasMean ? .mean : .sum
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
      if parts.ranksAmounts {
        // Only single amounts have a rank; the second in time would be something else.
        guard query.group == nil, [.highest, .lowest].contains(query.fold) else { return nil }
        query.rank = parts.rank ?? 2
      }
      if fold == .trend { query.group = group ?? .month }
      var telling = ReadQuery.Telling.plain
      if target == "clock" {
        telling =
          switch fold {
          case .mean: .usualClock
          case .lowest: .earliestClock
          case .highest: .latestClock
          default: .clock
          }
        if query.group != .hour {
          query.fold = .list
          (query.target, query.unit, query.group) = (nil, nil, nil)
        } else {
          telling = .plain
        }
      }
      if let rate = parts.rate, query.against == nil,
        query.group == nil || query.group == rate, query.order == nil,
        [.count, .sum, .mean].contains(query.fold), !hasMean
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

  /// Returns the days that a question is about.
  ///
  /// They end today unless it looks ahead or compares with a time to come, because plans don't count
  /// as something that happened.
  private func days(of parts: Parts, _ fold: Query.Fold) -> ClosedRange<DayKey>? {
    guard !parts.looksAhead, ![.list, .first, .nth].contains(fold),
      !parts.sides.joined().contains(where: isAhead)
    else { return parts.days }
    let asked = parts.days ?? DayKey.earliest...today
    return asked.lowerBound > today ? asked : asked.clamped(to: DayKey.earliest...today)
  }

  private func isAhead(_ predicate: Query.Predicate) -> Bool {
    if case .days(let days) = predicate { days.lowerBound > today } else { false }
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
