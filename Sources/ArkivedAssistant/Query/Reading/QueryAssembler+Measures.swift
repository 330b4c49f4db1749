import ArkivedCore

/// Finding what a question measures, among the units and metrics of the archive.
extension QueryAssembler {
  /// The meaning of a measure in this archive.
  enum Measure { case none, unit(String), metric(String) }

  func measure(_ kind: String, _ phrase: String?) -> Measure {
    switch kind {
    case "time":
      // "Hours of sleep" names a metric that is a duration.
      if let name = phrase.flatMap(lexicon.metric), let metric = metric(called: name) {
        return .metric(metric)
      }
      return .unit("min")
    case "money":
      var known = timeline.units.filter { TextAmounts.currency(of: $0.key) != nil }
      let words = (phrase ?? "").split { !$0.isLetter && !$0.isCurrencySymbol }.map(String.init)
      let named = words.lazy.compactMap { TextAmounts.namedCurrency($0) }.first
      if let named { known = known.filter { TextAmounts.isCurrency($0.key, meantBy: named) } }
      return .unit(known.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? named ?? "€")
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
  func takeMetric(_ parts: inout Parts) {
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
  func metric(called phrase: String) -> String? {
    let words = Set(WordCutter.words(of: phrase).map(\.key))
    if ["mood", "energy"].contains(phrase) { return phrase }
    let shares = timeline.metrics.keys.sorted().map { metric in
      let keys = Set(WordCutter.words(of: MetricText.name(metric)).map(\.key))
      return (metric, Double(keys.intersection(words).count) / Double(max(1, keys.count)))
    }
    return shares.max { $0.1 < $1.1 }.flatMap { $0.1 > 0.5 ? $0.0 : nil }
  }
}
