import Foundation

/// Sums of money in a line, such as "$18" and "CHF 12".
extension MeasureReader {
  /// Reads a sum of money, such as "$18", "42,50 €" or "120 dollars", but not "5 € cheaper by 2 €"
  /// and "$5-10".
  func money(_ index: Int) -> TimeGrammar.Parsed<Measure>? {
    guard index < words.count else { return nil }
    let name: String
    let value: Double
    let next: Int
    var start = index
    if grammar.token(index)?.kind == .symbol, let unit = lexicon.money[words[index]],
      grammar.token(index + 1)?.kind == .number,
      let (amount, end) = amount(index + 1, isFactor: true)
    {
      (name, value, next) = (unit, amount, end)
      // For example, "US$ 5".
      if grammar.isAttached(index), grammar.token(index - 1)?.kind == .word { start -= 1 }
    } else if grammar.token(index)?.kind == .word, Self.codes.contains(words[index]),
      let unit = lexicon.money[words[index]], grammar.token(index + 1)?.kind == .number,
      let (amount, end) = amount(index + 1, isFactor: true)
    {
      // For example, "CHF 12".
      (name, value, next) = (unit, amount, end)
    } else if grammar.number(index) != nil, !isNegative(index),
      let (amount, end) = amount(index, isFactor: true), end < words.count,
      let unit = lexicon.money[words[end]] ?? pounds(end)
    {
      (name, value, next) = (unit, amount, end + 1)
    } else {
      return nil
    }
    let isSpan =
      grammar.isSign(next, "-") && grammar.isAttached(next) && grammar.isAttached(next + 1)
      && grammar.token(next + 1)?.kind == .number
    // "12 jars @ €8" and "€27 a night" are prices of one.
    let isOfOne =
      start > 0 && ["@", "à", "je", "jeweils"].contains(words[start - 1])
      || grammar.isWord(next, "each", "apiece", "pp", "pro")
      || grammar.isWord(next, "a")
        && grammar.isWord(next + 1, "night", "day", "week", "month", "hour", "piece")
    guard value.isFinite, !isRate(next), !isSpan, !isNegative(start), !isOfOne || isAlone(next),
      start == 0 || !lexicon.has(words[start - 1], .notPaid),
      !grammar.isAttached(next) || grammar.token(next)?.kind == .symbol
    else { return nil }
    return (Measure(tokens: start..<next, unit: MeasureUnit(name, .count), amount: value), next)
  }

  /// Returns true if the line has no other sum of money, so that the price of one is what was said.
  private func isAlone(_ next: Int) -> Bool {
    !grammar.tokens.indices.contains {
      $0 >= next && (lexicon.money[words[$0]] != nil) && grammar.token($0)?.kind == .symbol
    }
  }

  /// Names of currencies that are written before the sum as well.
  private static let codes: Set<String> = [
    "chf", "eur", "gbp", "usd", "sfr", "inr", "rs", "jpy", "pln", "sek", "nok", "dkk",
  ]

  /// Returns the currency of "480 pounds" in a line about paying; elsewhere they are a weight.
  private func pounds(_ index: Int) -> String? {
    guard ["pound", "pounds"].contains(words[index]), !grammar.isWord(index + 1, "of") else {
      return nil
    }
    let isWeight = lexicon.isAmong(words, .weight)
    let isMoney =
      lexicon.isAmong(words, .paying) || grammar.isWord(index + 1, "on", "for") && !isWeight
    return isMoney ? "£" : nil
  }
}
