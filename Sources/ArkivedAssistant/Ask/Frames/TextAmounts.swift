import ArkivedCore
import Foundation

/// Amounts stated in a sentence: "swam 1.5 km in 40 minutes", "half an hour of piano".
///
/// The amounts are derived, for entries without explicit measurements.
package enum TextAmounts {
  /// Returns the amounts in a sentence by unit; several amounts in one unit are added up.
  package static func read(_ words: [Word], text: String = "") -> [String: Double] {
    var result = money(in: text)
    var index = 0
    while index < words.count {
      guard let (amount, unit, next) = amount(words, index) else {
        index += 1
        continue
      }
      let after = next < words.count ? words[next].lower : ""
      // "twenty minutes late", but "for twenty minutes late in the evening"
      let isTime =
        ["late", "early"].contains(after) && next + 1 < words.count
        && ["in", "at", "on", "that"].contains(words[next + 1].lower)
      if isTime || !["ago", "later", "earlier", "early", "late", "old"].contains(after) {
        result[unit] = unit == "bpm" ? amount : (result[unit] ?? 0) + amount
      }
      index = next
    }
    if result["minutes"] == nil, let bare = bareMinutes(words) { result["minutes"] = bare }
    return result
  }

  /// Returns the minutes of "spent 20 talking to Ines", which has no unit.
  private static func bareMinutes(_ words: [Word]) -> Double? {
    let spend = Lemma.key("spend")
    for index in words.indices.dropLast(2)
    where words[index].key == spend && words[index + 1].lower.allSatisfy(\.isNumber) {
      let deed = words[index + 2].lower
      guard deed.hasSuffix("ing"), deed.utf8.count > 5, words[index + 2].sign == nil else {
        continue
      }
      return Quantities.number(words[index + 1].lower)
    }
    return nil
  }

  /// The symbols and words for money, with the names of their units.
  package static let currencies: [String: String] = [
    "€": "€", "£": "£", "$": "$", "euro": "€", "euros": "€", "eur": "€", "dollars": "$",
    "dollar": "$", "quid": "£", "gbp": "£", "usd": "$", "francs": "francs", "kr": "kr",
    "crowns": "crowns", "¥": "¥", "yen": "¥", "jpy": "¥", "zł": "zł", "zl": "zł", "pln": "zł",
    "zloty": "zł", "złoty": "zł", "₹": "₹", "inr": "₹", "rupee": "₹", "rupees": "₹",
  ]

  /// The currencies that a word may mean, beside the one of that name.
  private static let meanings: [String: Set<String>] = [
    "francs": ["CHF"], "crowns": ["CZK", "DKK", "NOK", "SEK", "kr"],
    "kr": ["DKK", "NOK", "SEK"],
  ]

  /// The currency codes that have no symbol here.
  private static let codes: Set<String> = [
    "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "HUF", "KRW", "MXN", "NOK", "NZD", "SEK",
    "TRY", "ZAR",
  ]

  /// Returns the currency that a unit's name means: "EUR" and "euros" are "€"; nil if it isn't a
  /// currency.
  package static func currency(of unit: String) -> String? {
    if currencies.values.contains(unit) { return unit }
    let code = unit.uppercased()
    return currencies[unit.lowercased()] ?? (codes.contains(code) ? code : nil)
  }

  /// Returns true if a unit is a currency that a question means by a name.
  static func isCurrency(_ unit: String, meantBy name: String) -> Bool {
    guard let currency = currency(of: unit) else { return false }
    return currency == name || meanings[name]?.contains(currency) ?? false
  }

  /// Returns the currency that a word of a question names; nil for other words.
  ///
  /// A code is one only in capitals: "try" is a verb.
  static func namedCurrency(_ word: String) -> String? {
    currencies[word.lowercased()] ?? (codes.contains(word) ? word : nil)
  }

  /// Parses amounts of money: "€12.50", "12 euros".
  private static func money(in text: String) -> [String: Double] {
    var result: [String: Double] = [:]
    guard text.contains(where: { $0.isNumber }) || text.contains("euro") else { return [:] }
    let parts = text.lowercased().split { $0.isWhitespace || "()".contains($0) }.map(String.init)
    for (index, part) in parts.enumerated() {
      let bare = part.trimmingCharacters(in: CharacterSet(charactersIn: ",;:!?."))
      if let sign = bare.first, let unit = currencies[String(sign)],
        let amount = Quantities.figure(String(bare.dropFirst()))
      {
        result[unit, default: 0] += amount
      } else if let sign = bare.last, let unit = currencies[String(sign)],
        let amount = Quantities.figure(String(bare.dropLast()))
      {
        result[unit, default: 0] += amount
      } else if let unit = currencies[bare], index > 0,
        let amount = Quantities.number(parts[index - 1])
      {
        result[unit, default: 0] += amount
      }
    }
    return result
  }

  /// Things that are always counted; others are counted if a question asks for them.
  private static let counted: Set<String> = [
    "pages", "steps", "chapters", "words", "reps", "sets", "laps", "lengths", "floors", "push-ups",
    "pull-ups", "sit-ups", "squats", "pomodoros", "flashcards",
  ]

  private static func unit(_ word: String) -> String? {
    guard let unit = UnitTable.standard.unit(named: word), word != "in", word != "stone" else {
      return nil
    }
    return unit.dimension != .count || counted.contains(unit.name) ? unit.name : nil
  }

  private static func amount(_ words: [Word], _ index: Int) -> (Double, String, Int)? {
    func lower(_ place: Int) -> String { words.indices.contains(place) ? words[place].lower : "" }
    let first = lower(index)
    // "5km", "1h30", "45min"
    if first.first?.isNumber == true, !first.contains("-"),
      let letter = first.firstIndex(where: \.isLetter)
    {
      guard let number = Double(first[..<letter]) else { return nil }
      let rest = first[letter...]
      if rest == "k" { return (number, "km", index + 1) }
      let behind = rest.dropFirst().prefix { $0.isNumber }
      if rest.first == "h", let minutes = Double(behind), minutes < 60,
        ["", "m", "min"].contains(String(rest.dropFirst(1 + behind.count)))
      {
        return (number * 60 + minutes, "minutes", index + 1)
      }
      if rest == "bpm" { return (number, "bpm", index + 1) }
      return unit(String(rest)).map { hours(number, $0, words, index + 1) }
    }
    // "a quarter of an hour", "three quarters of an hour"
    for (lead, minutes) in [("a", 15.0), ("three", 45.0)]
    where first == lead && lower(index + 1).hasPrefix("quarter") && lower(index + 2) == "of"
      && lower(index + 4) == "hour"
    {
      return (minutes, "minutes", index + 5)
    }
    if first == "half", ["an", "a"].contains(lower(index + 1)), let unit = unit(lower(index + 2)) {
      return (unit == "hours" ? 30 : 0.5, unit == "hours" ? "minutes" : unit, index + 3)
    }
    var number = Quantities.number(first)
    var next = index + 1
    if number == nil, ["a", "an"].contains(first),
      ["hour", "mile", "kilometre", "minute"].contains(lower(next))
    {
      number = 1
    }
    if first.contains("-"), let dash = first.firstIndex(of: "-"),
      let value = Quantities.number(String(first[..<dash])),
      let unit = unit(String(first[first.index(after: dash)...]))
    {
      // "a 90-minute walk"
      return hours(value, unit, words, next)
    }
    if ["rate", "pulse"].contains(lower(index - 1)), let number, (30...230).contains(number) {
      return (number, "bpm", index + 1)
    }
    guard var amount = number else { return nil }
    if ["and"].contains(lower(next)), lower(next + 1) == "a", lower(next + 2) == "half" {
      amount += 0.5
      next += 3
    }
    if ["more", "full", "whole", "long", "good", "slow", "easy"].contains(lower(next)) {
      next += 1
    }
    guard next < words.count, words[next].sign == nil || words[next].sign == "-",
      let unit = unit(lower(next))
    else { return nil }
    var result = hours(amount, unit, words, next + 1)
    if lower(result.2) == "and", lower(result.2 + 1) == "a",
      ["half", "quarter"].contains(lower(result.2 + 2))
    {
      result.0 += (unit == "hours" ? 60 : 1) * (lower(result.2 + 2) == "half" ? 0.5 : 0.25)
      result.2 += 3
    }
    return result
  }

  /// Converts hours to minutes, including any minutes that follow.
  private static func hours(
    _ amount: Double, _ unit: String, _ words: [Word], _ next: Int
  ) -> (Double, String, Int) {
    guard unit == "hours" else { return (amount, unit, next) }
    var minutes = amount * 60
    var end = next
    let place = next < words.count && words[next].lower == "and" ? next + 1 : next
    // "7h 59m", "7 h 30 m": after hours, m means minutes.
    if place < words.count {
      let word = words[place].lower
      let figures = word.prefix { $0.isASCII && $0.isNumber }
      if let more = Double(figures), more < 60 {
        if ["m", "min", "mins"].contains(String(word.dropFirst(figures.count))) {
          return (minutes + more, "minutes", place + 1)
        }
        if figures.count == word.count, place + 1 < words.count, words[place + 1].lower == "m" {
          return (minutes + more, "minutes", place + 2)
        }
      }
    }
    // "1 h 40"
    if place == next, place < words.count, words[place - 1].lower == "h",
      let more = Double(words[place].lower), more < 60,
      place + 1 >= words.count || self.unit(words[place + 1].lower) == nil
    {
      return (minutes + more, "minutes", place + 1)
    }
    if place + 1 < words.count, let more = Quantities.number(words[place].lower), more < 60,
      self.unit(words[place + 1].lower) == "minutes"
    {
      minutes += more
      end = place + 2
    }
    return (minutes, "minutes", end)
  }
}
