import Foundation

/// Values on a scale, which don't add up: temperatures and rates.
extension MeasureReader {
  /// Reads a rate with a name of its own: "27.8 km/h", "5.4 mmol/l".
  func rate(
    _ index: Int, _ amount: Double, _ next: Int
  ) -> TimeGrammar.Parsed<Measure>? {
    guard grammar.isSign(next, "/"), grammar.isAttached(next), grammar.isAttached(next + 1),
      let unit = units.unit(named: "\(grammar.word(next - 1))/\(grammar.word(next + 1))")
    else { return nil }
    return (Measure(tokens: index..<next + 2, unit: unit, amount: amount), next + 2)
  }

  /// Returns true for a number with a unit that counts nothing, which labels nothing either: "cleaned
  /// the house 2.5 hrs".
  func isMeasured(_ index: Int) -> Bool {
    var next = index + 1
    if grammar.isSign(next, "."), grammar.isAttached(next), grammar.isAttached(next + 1),
      grammar.token(next + 1)?.kind == .number
    {
      next += 2
    }
    guard let (unit, _) = unit(next, isAttached: grammar.isAttached(next)) else { return false }
    return unit.dimension != .count
  }

  /// Reads a temperature, such as "7 °C", "34 Grad" or "41 degrees".
  ///
  /// Degrees without a scale stay degrees in English and are Celsius in German. Amounts are never
  /// negative, so those below zero stay words.
  func temperature(_ index: Int) -> TimeGrammar.Parsed<Measure>? {
    guard grammar.number(index) != nil, !isNegative(index),
      let (amount, afterAmount) = amount(index, isFactor: true), amount < 1000
    else { return nil }
    var next = afterAmount + 1
    let scale: String
    if grammar.isSign(afterAmount, "°") {
      guard !grammar.isAttached(next) || grammar.token(next)?.kind != .number else { return nil }
      scale = grammar.isWord(next, "c", "f") ? grammar.word(next) : ""
      if !scale.isEmpty { next += 1 }
    } else if grammar.isWord(afterAmount, "c"), grammar.isAttached(afterAmount),
      grammar.isCapitalised(afterAmount), !isLabelled(index)
    {
      // For example, "38.6C".
      scale = "c"
    } else if afterAmount < words.count, words[afterAmount] == "grad" {
      scale = "c"
    } else if grammar.isWord(afterAmount, "degrees", "celsius", "fahrenheit") {
      let named =
        grammar.isWord(afterAmount, "degrees") ? grammar.word(next) : grammar.word(afterAmount)
      scale =
        named.hasPrefix("c") && ["c", "celsius"].contains(named)
        ? "c" : ["f", "fahrenheit"].contains(named) ? "f" : ""
      if grammar.isWord(afterAmount, "degrees"), !scale.isEmpty { next += 1 }
    } else {
      return nil
    }
    guard !grammar.isWord(next, "of"), !lexicon.isAmong(words, .turning),
      let unit = units.unit(named: scale == "c" ? "°C" : scale == "f" ? "°F" : "degrees")
    else { return nil }
    return (Measure(tokens: index..<next, unit: unit, amount: amount), next)
  }
}
