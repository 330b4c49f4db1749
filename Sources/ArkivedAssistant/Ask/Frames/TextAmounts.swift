import ArkivedCore
import Foundation

/// Amounts that a sentence tells in its text: "swam 1.5 km in 40 minutes", "half an hour of piano".
///
/// Derived data, for entries that carry no measurement of their own.
package enum TextAmounts {
  /// Unit to amount; of several amounts in one unit the sum.
  package static func read(_ words: [Word], text: String = "") -> [String: Double] {
    var result = money(in: text)
    var index = 0
    while index < words.count {
      guard let (amount, unit, next) = amount(words, index) else {
        index += 1
        continue
      }
      let after = next < words.count ? words[next].lower : ""
      if !["ago", "later", "earlier", "early", "late", "old"].contains(after) {
        result[unit, default: 0] += amount
      }
      index = next
    }
    return result
  }

  /// The signs and words of money, each with the unit's name.
  package static let currencies: [String: String] = [
    "€": "€", "£": "£", "$": "$", "euro": "€", "euros": "€", "eur": "€", "dollars": "$",
    "dollar": "$", "quid": "£", "gbp": "£", "usd": "$", "francs": "francs", "kr": "kr",
    "crowns": "crowns", "yen": "yen",
  ]

  /// "€12.50", "12 euros".
  private static func money(in text: String) -> [String: Double] {
    var result: [String: Double] = [:]
    guard text.contains(where: { $0.isNumber }) || text.contains("euro") else { return [:] }
    let parts = text.lowercased().split { $0.isWhitespace || "()".contains($0) }.map(String.init)
    for (index, part) in parts.enumerated() {
      let bare = part.trimmingCharacters(in: CharacterSet(charactersIn: ",;:!?."))
      if let sign = bare.first, let unit = currencies[String(sign)],
        let amount = Double(bare.dropFirst().replacing(",", with: ""))
      {
        result[unit, default: 0] += amount
      } else if let sign = bare.last, let unit = currencies[String(sign)],
        let amount = Double(bare.dropLast().replacing(",", with: ""))
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

  /// Things that are counted in a fixed way; others are read where a question asks for them.
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
      if rest.first == "h", let minutes = Double(rest.dropFirst()), minutes < 60 {
        return (number * 60 + minutes, "minutes", index + 1)
      }
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

  /// Hours become minutes, with the minutes told behind them.
  private static func hours(
    _ amount: Double, _ unit: String, _ words: [Word], _ next: Int
  ) -> (Double, String, Int) {
    guard unit == "hours" else { return (amount, unit, next) }
    var minutes = amount * 60
    var end = next
    let place = next < words.count && words[next].lower == "and" ? next + 1 : next
    if place + 1 < words.count, let more = Quantities.number(words[place].lower), more < 60,
      self.unit(words[place + 1].lower) == "minutes"
    {
      minutes += more
      end = place + 2
    }
    return (minutes, "minutes", end)
  }
}

/// Names of people in the texts of an archive that keeps no people: capitalised words that stand
/// where somebody stands ("with Els", "called Mum") more often than where a place does.
package enum TextPeople {
  private static let before: Set<String> = [
    "with", "met", "called", "rang", "phoned", "visited", "told", "asked", "helped", "texted",
    "and", "beat", "from", "for", "to", "by", "saw", "joined", "invited", "emailed", "messaged",
    "thanked", "see", "call", "meet", "skyped", "facetimed",
  ]
  private static let strong: Set<String> = [
    "with", "met", "called", "rang", "phoned", "visited", "told", "asked", "helped", "texted",
    "joined", "invited", "beat",
  ]
  /// "Nijo castle" is nobody.
  private static let sights: Set<String> = [
    "castle", "park", "museum", "church", "bridge", "street", "station", "square", "market",
    "temple", "lake", "hall", "pool", "tower", "palace", "garden", "gardens", "island", "river",
  ]
  private static let places: Set<String> = ["in", "at", "near", "through", "around", "into", "via"]

  /// The names, each with the words it is written with.
  package static func names(in sentences: [[Word]]) -> [String] {
    var people: [String: Int] = [:]
    var sure: [String: Int] = [:]
    var elsewhere: [String: Int] = [:]
    for words in sentences {
      var index = 0
      while index < words.count {
        guard isName(words[index]),
          index > 0 || !FrameReader.isVerb(words[index], hasSubject: false)
        else {
          index += 1
          continue
        }
        var end = index + 1
        while end < words.count, end - index < 3, isName(words[end]), words[end].sign == nil,
          !words[end - 1].isPossessive
        {
          end += 1
        }
        let name = words[index..<end].map(\.text).joined(separator: " ")
        let lead = index > 0 ? words[index - 1].lower : ""
        let follows = end < words.count ? words[end] : nil
        let isSight = follows.map { $0.sign == nil && sights.contains($0.lower) } ?? false
        if isSight {
          elsewhere[name, default: 0] += 1
        } else if before.contains(lead), index > 0, words[index].sign == nil {
          people[name, default: 0] += 1
          if strong.contains(lead) { sure[name, default: 0] += 1 }
        } else if index == 0, let follows, follows.sign == nil,
          ["and", "came", "rang", "called"].contains(follows.lower)
            || FrameReader.isVerb(follows, hasSubject: false)
        {
          people[name, default: 0] += 1
        } else if places.contains(lead) || ["to", "the"].contains(lead) {
          elsewhere[name, default: 0] += 1
        }
        index = end
      }
    }
    return people.filter { name, count in
      ((sure[name] ?? 0) > 0 || count > 1) && count > (elsewhere[name] ?? 0) * 2
    }.keys.sorted()
  }

  private static func isName(_ word: Word) -> Bool {
    word.isCapitalised && !word.isQuoted && word.text.allSatisfy { $0.isLetter || $0 == "-" }
      && !StopWords.contains(word.lower) && AskReader.weekday(word.lower) == nil
      && !MonthName.full.contains(word.text) && word.text.count > 1
  }
}
