import ArkivedCore

/// Selection of days by their own values and by their entries.
extension QuerySelector {
  /// Returns a test for a condition on days; nil for conditions on entries.
  func holdsOnDay(_ condition: Query.Predicate) -> ((Int) -> Bool)? {
    func value(_ name: String, _ bounds: Query.Bounds) -> (Int) -> Bool {
      let values = self.values(of: name)
      return { values[$0].map(bounds.contains) ?? false }
    }
    switch condition {
    case .days(let days):
      let numbers = days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch
      return { numbers.contains($0) }
    case .weekday(let weekdays):
      return { weekdays.contains(DayKey(clamping: $0).weekday) }
    case .month(let months): return { months.contains(DayKey(clamping: $0).month) }
    case .season(let seasons):
      return { seasons.contains(Query.Season(month: DayKey(clamping: $0).month)) }
    case .mood(let bounds): return value("mood", bounds)
    case .energy(let bounds): return value("energy", bounds)
    case .metric(let name, let bounds): return value(name, bounds)
    default: return nil
    }
  }

  /// Returns the daily values of a metric, of mood or of energy.
  func values(of name: String) -> [Int: Double] {
    if let known = figures[name] { return known }
    var values: [Int: Double] = [:]
    let own = timeline.metrics.keys.first { $0.lowercased() == name.lowercased() } ?? name
    if let span = timeline.span {
      for (day, figure) in timeline.days(in: span) {
        let value: Double? =
          switch name.lowercased() {
          case "mood": figure.mood.map(Double.init)
          case "energy": figure.energy.map(Double.init)
          default: figure.metrics[own]
          }
        if let value, value.isFinite { values[day.daysSinceEpoch] = value }
      }
    }
    if values.isEmpty { doubt(said("The archive has no values for “\(name)”.")) }
    figures[name] = values
    return values
  }

  func days(_ predicate: Query.Predicate) throws -> OrdinalSet {
    guard let known = timeline.span else { return OrdinalSet(0..<0) }
    let all = known.lowerBound...max(known.upperBound, max(today, known.lowerBound))
    guard all.overlaps(predicate.span) else { return OrdinalSet(0..<0) }
    let span = all.clamped(to: predicate.span)
    let bounds = span.lowerBound.daysSinceEpoch..<span.upperBound.daysSinceEpoch + 1
    let lived = scan(bounds) { $0 <= today.daysSinceEpoch }
    return try set(predicate, withPlannedDays(lived, in: span), until: lived) { condition in
      if let holds = holdsOnDay(condition) { return scan(bounds, holds) }
      var days = OrdinalSet(bounds)
      for part in timeline.parts {
        for type in [TimelineEntry.Kind.activity, .day] {
          let table = part.contents.table(type)
          var found = table.ordinals(
            where: IndexCondition(days: span), outdated: part.outdated(type))
          found.formIntersection(try entries(condition, table, span))
          found.each { days.insert(Int(table.days[$0])) }
        }
      }
      return days
    }
  }

  /// Returns the days until today with the later days on which something is planned.
  private func withPlannedDays(_ lived: OrdinalSet, in span: ClosedRange<DayKey>) -> OrdinalSet {
    guard span.upperBound > today else { return lived }
    var days = lived
    let ahead = max(span.lowerBound, today.advanced(by: 1))...span.upperBound
    for part in timeline.parts {
      for type in [TimelineEntry.Kind.activity, .day] {
        let table = part.contents.table(type)
        table.ordinals(where: IndexCondition(days: ahead), outdated: part.outdated(type))
          .each { days.insert(Int(table.days[$0])) }
      }
    }
    return days
  }
}
