import ArkivedCore
import CTexts
import Foundation

/// The reader's vocabulary in addition to the trained network: names of measures, comparisons,
/// weekdays; from `Resources/reader.txt`.
struct ReaderLexicon: Sendable {
  static let shared = ReaderLexicon(String(decoding: ctx_reader_words().buffer, as: UTF8.self))

  private let sections: [String: [String: String]]
  /// The keys of verbs that the thing itself implies, such as buying, seeing or eating.
  private let light: Set<String>
  /// The keys of verbs that entries can omit if they name the thing.
  private let told: Set<String>
  /// Groups of interchangeable keys, with the indices of each key's groups.
  private let same: Groups
  private let near: Groups
  private let areas: Groups
  private let kinds: [String: Set<String>]

  private struct Groups {
    var groups: [Set<String>] = []
    var places: [String: [Int]] = [:]

    mutating func add(_ keys: [String]) {
      for key in keys { places[key, default: []].append(groups.count) }
      groups.append(Set(keys))
    }

    func others(_ key: String) -> Set<String> {
      (places[key] ?? []).reduce(into: Set<String>()) { $0.formUnion(groups[$1]) }
        .subtracting([key])
    }
  }

  init(_ text: String) {
    var sections: [String: [String: String]] = [:]
    var (same, near, areas) = (Groups(), Groups(), Groups())
    var kinds: [String: Set<String>] = [:]
    func key(_ word: some StringProtocol) -> String {
      Lemma.key(word.trimmingCharacters(in: .whitespaces).replacing(" ", with: "_"))
    }
    var section = ""
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      if line.hasPrefix("[") {
        section = String(line.dropFirst().dropLast())
        continue
      }
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let words = parts[1].split(separator: ",")
      switch section {
      case "same": same.add(words.map(key))
      case "near": near.add(words.map(key))
      case "areas": areas.add(words.map(key))
      case "kinds":
        let names = parts[0].split(separator: "|").map(key)
        for name in names { kinds[name, default: []].formUnion(names + words.map(key)) }
      default: break
      }
      for word in words {
        sections[section, default: [:]][word.trimmingCharacters(in: .whitespaces)] =
          String(parts[0])
      }
    }
    self.sections = sections
    (self.same, self.near, self.areas, self.kinds) = (same, near, areas, kinds)
    light = Set((sections["light"] ?? [:]).keys.map(key))
    told = Set((sections["told"] ?? [:]).keys.map(key))
  }

  func isLight(_ key: String) -> Bool { light.contains(key) }
  func isTold(_ key: String) -> Bool { told.contains(key) }

  /// Returns true for words that only frame questions: "altogether", "eigentlich".
  func isTalk(_ word: String) -> Bool {
    let lower = word.lowercased()
    return sections["talk"]?[lower] != nil || isEmpty(lower) || sections["ranks"]?[lower] != nil
      || sections["small"]?[lower] != nil
  }

  func startsTime(_ word: String) -> Bool { sections["times"]?[word.lowercased()] != nil }

  /// Words for things that were planned but did not happen.
  var unhappened: [String] { (sections["unhappened"] ?? [:]).keys.sorted() }

  /// Returns the keys of words that always mean the same in entries.
  func same(_ key: String) -> Set<String> { same.others(key) }

  /// Returns the keys of words with a related meaning, for words that aren't found themselves.
  func near(_ key: String) -> Set<String> { near.others(key).union(same(key)) }

  /// Returns the keys of words whose tags cover the same things.
  func area(_ key: String) -> Set<String> { areas.others(key) }

  /// Returns the keys of a verb's typical objects, such as food for "eaten".
  func things(ofVerb word: String) -> Set<String> {
    sections["verbs"]?[word.lowercased()].map { members(Lemma.key($0)) } ?? []
  }

  /// Returns true for verbs of meeting, which every entry with a person implies.
  func isContact(_ word: String) -> Bool { has("contact", word) }

  func isNegation(_ word: String) -> Bool { has("negation", word) }
  /// Returns the unit in "weeks in a row": "week"; nil for days, which are the default.
  func unitOfTime(_ word: String) -> String? { sections["units"]?[word.lowercased()] }
  /// Returns the relation in time that a conjunction expresses: "since", "before", "after".
  func relation(_ word: String) -> String? { sections["relations"]?[word.lowercased()] }
  /// Returns the number of days that a word next to an event means: "day" in "the day after",
  /// "weeks" in "two weeks before".
  func daysBeside(_ word: String) -> Int? {
    sections["beside"]?[word.lowercased()].flatMap { Int($0) }
  }
  /// Returns the side of an event on which such days are.
  func side(_ word: String) -> String? { sections["sides"]?[word.lowercased()] }
  /// Returns true if a question about a duration asks for a total instead of the time from first to
  /// last.
  func asksTotal(_ text: String) -> Bool {
    let lower = " " + text.lowercased().filter { $0.isLetter || $0 == " " } + " "
    return (sections["totals"] ?? [:]).keys.contains { lower.contains(" \($0) ") }
  }
  func isCopula(_ word: String) -> Bool { has("copula", word) }
  /// Returns true if a word denies something: "alone", "cancelled", "didn't".
  func isDenying(_ word: String) -> Bool {
    has("denying", word) || word.hasSuffix("n't") || word.hasSuffix("n’t")
  }
  func isSomebody(_ word: String) -> Bool { has("somebody", word) }
  /// Returns true for prepositions that end the name of a thing.
  func endsThing(_ word: String) -> Bool { has("ends", word) }
  func joins(_ word: String) -> Bool { has("joins", word) }
  /// The prepositions for places, most likely first.
  var placePrepositions: [String] {
    (sections["places"] ?? [:]).sorted { $0.value < $1.value }.map(\.key)
  }
  func isAhead(_ word: String) -> Bool { has("ahead", word) }
  /// Returns true for words of the future tense and of plans.
  func isFuture(_ word: String) -> Bool { has("future", word) }

  /// Returns the role of the part of a sentence that begins with a word: "company" for "with",
  /// "place" for "at", "reason" for "because", "purpose" for "for", "other" for any other
  /// preposition or conjunction.
  func lead(_ word: String) -> String? { sections["leads"]?[word.lowercased()] }
  /// Returns the rank of a preposition among those of places, most likely first.
  func placeRank(_ word: String) -> Int? {
    sections["stays"]?[word.lowercased()].flatMap { Int($0) }
  }
  /// Returns the keys of things that imply a verb where an entry leaves it out.
  func implied(byVerb key: String) -> Set<String> {
    Set(
      (sections["implied"] ?? [:]).filter { Lemma.key($0.value) == key }.keys.map { Lemma.key($0) })
  }
  /// Returns true for titles, after which a full stop doesn't end the sentence.
  func isTitle(_ word: String) -> Bool { has("titles", word) }
  /// Returns true for words that end a thing's name: "online", "together".
  func closes(_ word: String) -> Bool { has("closes", word) }
  /// Returns true for "my" and "our", which turn a noun into a person or place.
  func isOwn(_ word: String) -> Bool { has("own", word) }
  /// Returns true for words that quantify the thing after them: "some".
  func isSome(_ word: String) -> Bool { has("some", word) }
  /// Returns true for words that ask for more than a single entry says: "most", "average".
  func isFold(_ word: String) -> Bool { has("fold", word) }
  /// Returns true for nouns for journeys, in questions about what happened on one.
  func isJourney(_ word: String) -> Bool { has("journeys", word) }

  private func has(_ section: String, _ word: String) -> Bool {
    sections[section]?[word.lowercased()] != nil
  }

  /// Returns the period of a requested frequency: "a week"; "per month" only if an average is
  /// requested.
  func rate(in text: String) -> String? {
    let words = words(of: text).map(\.1)
    let isMean = words.contains { sections["average"]?[$0] == "word" }
    let pairs =
      (zip(words, words.dropFirst()).map { "\($0) \($1)" })
      + zip(zip(words, words.dropFirst()), words.dropFirst(2)).map { "\($0.0) \($0.1) \($1)" }
    for phrase in pairs {
      if let unit = sections["per"]?[phrase] { return unit }
      if isMean, let unit = sections["average"]?[phrase], unit != "word" { return unit }
    }
    return nil
  }

  /// Returns the keys of a kind's members, including its names; empty if it isn't a kind.
  func members(_ key: String) -> Set<String> { kinds[key] ?? [] }

  /// Returns the metric that a phrase names, under its internal name.
  func metric(_ phrase: String) -> String? {
    let known = sections["metrics"] ?? [:]
    if let name = known[phrase.lowercased()] { return name }
    return phrase.lowercased().split(separator: " ").compactMap { known[String($0)] }.first
  }

  /// Returns the number of an ordinal: "second", "zweite".
  func rank(_ word: String) -> Int? { sections["ranks"]?[word.lowercased()].flatMap { Int($0) } }

  /// Returns true if a word is a function word of a language.
  func says(_ word: String, _ language: String) -> Bool {
    sections["small"]?[word]?.contains(language) ?? false
  }

  /// Returns true for words that add nothing to a thing's name: "do", "have", "the".
  func isEmpty(_ word: String) -> Bool { sections["empty"]?[word.lowercased()] != nil }

  /// Returns true if a text begins with a phrase that looks like the beginning of a time: "get up
  /// to".
  func isPhrase(_ text: String) -> Bool {
    let lower = text.lowercased()
    return (sections["phrases"] ?? [:]).keys.contains { lower.hasPrefix($0 + " ") }
  }

  /// Returns true for "A day" next to "how many", which isn't a time.
  func isRate(_ text: String) -> Bool { sections["rates"]?[text.lowercased()] != nil }

  /// Returns true if a time names its day: "today at 5".
  func namesDay(_ text: String) -> Bool {
    text.lowercased().split { !$0.isLetter }.contains { sections["today"]?[String($0)] != nil }
  }

  /// Returns recurring weekdays: "on mondays", "weekends".
  func weekdays(in text: String) -> [(range: Range<String.Index>, weekdays: Set<Weekday>)] {
    let words = words(of: text)
    return words.indices.compactMap { index in
      let phrases = [1, 2, 3].filter { $0 <= index + 1 }.map { length in
        (index - length + 1, words[(index - length + 1)...index].map(\.1).joined(separator: " "))
      }
      // The longest match wins: "on a saturday" is matched as well as "saturdays".
      guard
        let (start, told) = phrases.reversed().lazy.compactMap({ start, phrase in
          sections["weekdays"]?[phrase].map { (start, $0) }
        }).first
      else { return nil }
      let days = told.split(separator: " ").compactMap { name in
        Weekday.allCases.first { $0.name.lowercased() == name }
      }
      return (words[start].0.lowerBound..<words[index].0.upperBound, Set(days))
    }
  }

  private func words(of text: String) -> [(Range<String.Index>, String)] {
    text.matches(of: /[\p{L}\p{N}.,]*[\p{L}\p{N}]|[£€$]/).map {
      ($0.range, text[$0.range].lowercased())
    }
  }

  /// Returns amounts with their comparison: "more than 10 km", "unter 20 €".
  func amounts(in text: String) -> [(
    range: Range<String.Index>, unit: String, bounds: Query.Bounds
  )] {
    let words = self.words(of: text)
    return words.indices.compactMap { index in
      let one = sections["ones"]?[words[index].1] != nil ? (1.0, nil as String?) : nil
      guard let (number, glued) = Self.figure(words[index].1) ?? one else { return nil }
      var (start, end, unit) = (index, index, glued)
      if unit == nil, index > 0, ["£", "€", "$"].contains(words[index - 1].1) {
        (unit, start) = (words[index - 1].1, index - 1)
      } else if unit == nil, index + 1 < words.count,
        let known = UnitTable.standard.unit(named: words[index + 1].1)
      {
        (unit, end) = (known.name, index + 1)
      } else if unit == nil, index + 1 < words.count,
        let money = TextAmounts.currency(of: words[index + 1].1)
      {
        (unit, end) = (money, index + 1)
      }
      // The preceding words determine a unit without a comparison.
      var sign: String?
      for length in [4, 3, 2, 1] where start >= length && sign == nil {
        let phrase = words[start - length..<start].map(\.1).joined(separator: " ")
        if let found = sections["comparisons"]?[phrase] { (sign, start) = (found, start - length) }
      }
      // "10 km or more".
      if sign == nil, end + 2 < words.count,
        let found = sections["bounds"]?["\(words[end + 1].1) \(words[end + 2].1)"]
      {
        (sign, end) = (found, end + 2)
      }
      guard let sign else { return nil }
      if unit == nil, index + 1 < words.count, let metric = sections["metrics"]?[words[index + 1].1]
      {
        (unit, end) = (metric, index + 1)
      }
      guard let unit else { return nil }
      // "8 hours of sleep" refers to a metric.
      if end + 2 < words.count, isEmpty(words[end + 1].1),
        let metric = sections["metrics"]?[words[end + 2].1],
        let factor = UnitTable.standard.convert(1, from: unit, to: "min")
      {
        return (
          words[start].0.lowerBound..<words[end + 2].0.upperBound, metric,
          Self.bounds(sign, number * factor)
        )
      }
      return (
        words[start].0.lowerBound..<words[end].0.upperBound, unit, Self.bounds(sign, number)
      )
    }
  }

  private static func bounds(_ sign: String, _ number: Double) -> Query.Bounds {
    switch sign {
    case "above": Query.Bounds(least: number.nextUp, most: nil)
    case "least": Query.Bounds(least: number, most: nil)
    case "below": Query.Bounds(least: nil, most: number.nextDown)
    default: Query.Bounds(least: nil, most: number)
    }
  }

  /// Parses "10", "2.5", "10km".
  private static func figure(_ word: String) -> (Double, String?)? {
    let digits = word.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == ",") }
    guard let number = Quantities.figure(String(digits)) else { return nil }
    let rest = String(word.dropFirst(digits.count))
    if rest.isEmpty { return (number, nil) }
    return UnitTable.standard.unit(named: rest).map { (number, $0.name) }
  }
}
