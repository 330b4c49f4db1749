import ArkivedCore

// Measures that are readings instead of amounts that add up, such as body weight.
extension RecapWork {
  /// Returns true if amounts are readings of one thing, such as a body weight.
  func isLevel(
    _ measure: RecapMeasure, _ told: [MeasuredAmount]
  ) -> Bool {
    AmountLevel.isLevel(told.map(\.amount), unit: measure.unit)
  }

  /// Describes a level: "Health went from 67.7 kg to 66.2 kg over 13 readings".
  func level(
    _ measure: RecapMeasure, _ told: [MeasuredAmount],
    _ earlier: [MeasuredAmount]
  ) -> Recap.Statement {
    let label = RecapText.capitalised(measure.label)
    let first = told.first?.amount ?? 0
    let last = told.last?.amount ?? 0
    let now = RecapText.amount(last, measure.unit)
    let sentence: String
    if told.count > 1 {
      let readings = RecapText.number(told.count)
      let start = RecapText.amount(first, measure.unit)
      sentence =
        first == last
        ? said("\(label) stayed at \(now) over \(readings) readings.")
        : said("\(label) went from \(start) to \(now) over \(readings) readings.")
    } else if let before = earlier.last {
      let day = lastName(before.day)
      let old = RecapText.amount(before.amount, measure.unit)
      sentence =
        before.amount == last
        ? said("\(label) stood at \(now), as on \(day).")
        : said("\(label) stood at \(now), after \(old) on \(day).")
    } else {
      sentence = said("\(label) stood at \(now).")
    }
    let compared = told.count > 1 ? [] : earlier.suffix(1).map { before.entries[$0.position] }
    return .init(
      sentence, entries: told.map { ledger.entries[$0.position] } + compared,
      figures: [.init(measure.label, last, unit: measure.unit)])
  }
}

/// Readings, whose sum says nothing.
enum AmountLevel {
  /// Returns true if amounts are readings of one thing: a mass that hardly varies, or a temperature,
  /// share, speed or other quotient.
  ///
  /// Distances add up, however similar they are.
  static func isLevel(_ amounts: [Double], unit: String) -> Bool {
    let unit = unit.lowercased()
    if MetricRule.isReading(unit) { return true }
    guard UnitTable.standard.unit(named: unit)?.dimension == .mass else { return false }
    guard let least = amounts.min(), let most = amounts.max() else { return false }
    // Two kilograms of tomatoes are a harvest; similar amounts of at least thirty are a weight.
    return least >= 30 && most < least * 1.4
  }

  /// Returns true if the name or the unit of a metric shows that its values are readings.
  static func isLevel(_ metric: String, unit: String?) -> Bool {
    ["mood", "energy"].contains(metric) || isLevel([], unit: unit ?? "")
      || !AskReader.levelWords.isDisjoint(with: AskReader.metricWords(metric))
  }
}
