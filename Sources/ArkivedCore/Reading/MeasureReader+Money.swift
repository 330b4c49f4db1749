import Foundation

/// Sums of money in a line, such as "$18" and "CHF 12".
extension MeasureReader {
  /// Reads a sum of money, such as "$18", "42,50 €" or "120 dollars", but not "5 € cheaper by 2 €"
  /// and "$5-10", nor a sum that may be a thousand times as large, such as "$1.200".
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
    } else if words[index] == "fr", grammar.isSign(index + 1, "."), grammar.isAttached(index + 1),
      grammar.isSign(index + 3, "."), grammar.token(index + 4)?.digits == 2,
      let (amount, end) = amount(index + 2, isFactor: true)
    {
      // For example, "Fr. 17.80".
      (name, value, next) = ("CHF", amount, end)
    } else if let pence = grammar.number(index), (1..<100).contains(pence),
      grammar.isWord(index + 1, "p"), grammar.isAttached(index + 1),
      !grammar.isAttached(index + 2) || grammar.token(index + 2)?.kind == .symbol,
      !lexicon.isAmong(words, .media)
    {
      // For example, "50p parking".
      (name, value, next) = ("£", Double(pence) / 100, index + 2)
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
    let isBehind = grammar.token(index)?.kind == .number
    guard isBehind ? !isOpen(index, next - 1) : !isOpen(index + 1, next) && !goesOn(index + 1, next)
    else { return nil }
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
      start == 0 || !lexicon.has(words[start - 1], .notPaid) || isInvoiced(start),
      !grammar.isAttached(next) || grammar.token(next)?.kind == .symbol
    else { return nil }
    return (Measure(tokens: start..<next, unit: MeasureUnit(name, .count), amount: value), next)
  }

  /// Returns true if a number may be the end of a larger one, or have thousands: "12 500 €", "$1.200".
  ///
  /// - Parameters:
  ///   - index: the position of the number.
  ///   - next: the position after it.
  /// - Returns: true if so.
  private func isOpen(_ index: Int, _ next: Int) -> Bool {
    guard let token = grammar.token(index) else { return false }
    if token.digits == 3, token.hasSpaceBefore, grammar.number(index - 1) != nil,
      let before = grammar.token(index - 1), before.digits <= 3
    {
      return true
    }
    // In a language with decimal commas, the point was one.
    return token.text != "0" && index + 3 == next && words[index + 1] == "."
      && grammar.token(index + 2)?.digits == 3
  }

  /// Returns true if a number may go on after a space: "$12 500", but not "$5 300 kcal".
  private func goesOn(_ index: Int, _ next: Int) -> Bool {
    guard next == index + 1, let token = grammar.token(index), token.digits <= 3,
      let rest = grammar.token(next), rest.digits == 3, rest.hasSpaceBefore
    else { return false }
    return unit(next + 1, isAttached: grammar.isAttached(next + 1)) == nil
  }

  /// Returns true if decimals after a comma follow a number, so that a point in it marks thousands:
  /// "1.234,56".
  func hasDecimalComma(_ index: Int) -> Bool {
    grammar.isSign(index, ",") && grammar.isAttached(index) && grammar.isAttached(index + 1)
      && grammar.token(index + 1).map { $0.kind == .number && $0.digits < 3 } ?? false
  }

  /// Returns true if "über" is followed by the amount of a document: "Rechnung über 80 €".
  private func isInvoiced(_ start: Int) -> Bool {
    words[start - 1] == "über"
      && words[..<start].contains { word in
        ["rechnung", "angebot", "gutschein", "scheck", "überweisung", "mahnung", "quittung"]
          .contains { word.hasSuffix($0) }
      }
  }

  /// Returns true if the line has no other sum of money, so that the price of one is what was said.
  private func isAlone(_ next: Int) -> Bool {
    !grammar.tokens.indices.contains {
      $0 >= next && (lexicon.money[words[$0]] != nil) && grammar.token($0)?.kind == .symbol
    }
  }

  /// Names of currencies that are written before the sum as well.
  private static let codes: Set<String> = [
    "chf", "eur", "gbp", "usd", "sfr", "inr", "rs", "jpy", "pln", "sek", "nok", "dkk", "zar", "aud",
    "nzd", "cad", "sgd", "hkd", "czk", "huf", "aed", "thb", "krw", "brl", "mxn", "ils", "ron",
  ]

  /// Returns the currency of "480 pounds" in a line about paying; elsewhere they are a weight.
  private func pounds(_ index: Int) -> String? {
    guard ["pound", "pounds"].contains(words[index]), !grammar.isWord(index + 1, "of") else {
      return nil
    }
    let isWeight = lexicon.isAmong(words, .weight)
    // Where days come before months, what is weighed in pounds is a body or a baby.
    let isPrice =
      grammar.dateOrder == .dayFirst && grammar.isEnd(index + 1)
      && grammar.token(index - 2)?.kind == .word
      && !words.contains {
        ["baby", "born", "newborn", "stone", "ounces", "oz", "kg"].contains($0)
      }
    let isMoney =
      lexicon.isAmong(words, .paying)
      || (isPrice || grammar.isWord(index + 1, "on", "for")) && !isWeight
    return isMoney ? "£" : nil
  }
}
