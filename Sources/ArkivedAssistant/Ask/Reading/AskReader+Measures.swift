import ArkivedCore
import Foundation

/// Amounts that a question asks for.
extension AskReader {
  func readMeasures(
    _ line: inout TokenLine, _ question: inout AskQuestion, isComparing: Bool = false
  ) {
    readLimit(&line, &question)
    if let range = line.find("mood|energy|happiness", free: true) {
      let isMood = line.lower(range.lowerBound) != "energy"
      line.take(range)
      question.measure = isMood ? .mood : .energy
      var next = range.upperBound
      while [
        "was", "of", "is", "at", "rated", "a", "last", "first", "hit", "reach", "reached", "down",
        "to", "up",
      ]
      .contains(line.lower(next)) {
        if ["hit", "reach", "reached", "down", "to", "up"].contains(line.lower(next)) {
          line.take(next..<next + 1)
        }
        next += 1
      }
      if let number = Double(line.lower(next)), (1...5).contains(number) {
        // "mood 4 or 5"
        if ["or", "to"].contains(line.lower(next + 1)), let other = Double(line.lower(next + 2)),
          (1...5).contains(other)
        {
          if abs(other - number) > 1, line.lower(next + 1) == "or" {
            question.problem = said("I can only look for one of these values at a time.")
          }
          limit(
            .init(
              isAtLeast: true, isStrict: false, amount: min(number, other),
              unit: isMood ? "mood" : "energy", upTo: max(number, other)), &question)
          line.take(next..<next + 3)
          return
        }
        question.dayValue = (isMood, number)
        question.measure = nil
        line.take(next..<next + 1)
      } else {
        let isUp = ["above", "over", "more", "least", "higher", "better"]
        let isDown = ["below", "under", "less", "lower", "worse", "most"]
        while isUp.contains(line.lower(next)) || isDown.contains(line.lower(next))
          || ["at", "than", "was"].contains(line.lower(next))
        {
          next += 1
        }
        if let number = Double(line.lower(next)),
          let word = line.words[range.upperBound..<next].map(\.lower).first(where: {
            isUp.contains($0) || isDown.contains($0)
          })
        {
          limit(
            .init(
              isAtLeast: isUp.contains(word), isStrict: !["least", "most"].contains(word),
              amount: number, unit: isMood ? "mood" : "energy"), &question)
          line.take(range.upperBound..<next + 1)
        }
      }
      return
    }
    if readMetric(&line, &question) { return }
    if timeline.units["km"] != nil, line.has("top", "most", "least", "lowest", "highest", "fewest"),
      line.take("distance|mileage") != nil
    {
      question.measure = .unit("km")
      return
    }
    if timeline.units["bpm"] != nil, line.take("heart rate", "pulse", "bpm") != nil {
      question.measure = .unit("bpm")
      return
    }
    if readMoney(&line, &question) { return }
    // The most expensive isn't the longest.
    if line.has("expensive|dearest|cheapest|priciest|costliest")
      || line.has("how much did|have|do i|we =spend|=pay on|for")
    {
      question.problem = said("No entry contains an amount of money.")
      return
    }
    for (index, word) in line.words.enumerated() where !line.isTaken[index] {
      guard let unit = AskReader.unit(word.lower, timeline.units) else { continue }
      // "where did I sell jars" doesn't ask for an amount of jars.
      let isOwn = UnitTable.standard.unit(named: word.lower) == nil
      if isOwn, !asksAmount(before: index, line) { continue }
      // A single letter is a unit only after a number or "many"; "in miles" names the unit of the
      // answer.
      if word.lower.count == 1, Double(line.lower(index - 1)) == nil,
        line.lower(index - 1) != "many"
      {
        continue
      }
      if unit.dimension == .count, line.begins("who", "which", "what", "when", "did") {
        if !isComparing, !line.has("most", "average", "highest", "fewest", "total") { continue }
      }
      line.isTaken[index] = true
      if isOwn {
        question.lightVerbs.insert(AskQuestion.ownUnitMark + word.key)
      }
      line.take("in")
      if unit.dimension == .mass { line.take("=weigh|weight") }
      question.measure =
        unit.dimension == .time ? .duration(unit.name) : .unit(unit.name)
      return
    }
    if line.find("=weigh|weight") != nil,
      timeline.units.keys.contains(where: { UnitTable.standard.unit(named: $0)?.dimension == .mass }
      ),
      isComparing || !line.begins("which", "when", "did", "where", "who", "on"),
      // The number of weighings isn't a weight.
      !line.has("how many times|days", "how often|frequently|regularly", "number of times")
    {
      question.isAverageWanted = !line.has("most", "highest", "lowest", "first", "last")
      question.measure = .unit(
        timeline.units.keys.first { UnitTable.standard.unit(named: $0)?.dimension == .mass } ?? "kg"
      )
      line.take("=weigh", "weight")
    }
  }

  /// Returns true if the words before a unit ask for an amount in it: "how many jars", "the most
  /// jars".
  private func asksAmount(before index: Int, _ line: TokenLine) -> Bool {
    let (last, other) = (line.lower(index - 1), line.lower(index - 2))
    let asking: Set<String> = [
      "many", "most", "least", "more", "fewest", "fewer", "less", "average", "total",
    ]
    return asking.contains(last) || asking.contains(other) || (other, last) == ("number", "of")
  }

  /// Parses "How much did I spend on shoes?" if entries mention money.
  func readMoney(_ line: inout TokenLine, _ question: inout AskQuestion) -> Bool {
    if line.has("about|of money|spending|expenses") { return false }
    let known = timeline.units.filter { TextAmounts.currency(of: $0.key) != nil }
    let named = namedCurrency(line)
    guard let unit = currency(named, known),
      line.take("how much money") != nil
        || line.has("expensive|dearest|cheapest|priciest|costliest|cheaper|dearer")
        || line.take("what|much does|did|do|have|had i|we pay|spend|paid|spent") != nil
        || line.has(
          "=spend on", "=spend more|less on", "=spend the? most|least on?", "most|least =spend",
          "=pay for")
          && !line.has("time", "hours", "days", "minutes", "longer")
        || line.has("more|less money")
        || line.has("average|mean|total|biggest|highest|usual|typical")
          && line.take("bill|bills") != nil
        || line.has("how much did|have|do? i|we spend|spent|pay|paid")
          && line.take("how much") != nil
        || line.has("how much did * cost", "how much did * * cost", "how much did * * * cost")
        || line.take("how many \(Self.currencyWords)") != nil
        || line.take("euros|dollars|money|expenses|spending|eur|usd|gbp|chf") != nil
    else { return false }
    line.take("how many|much \(Self.currencyWords)")
    if unit != "€" || !line.has("in euros") { line.take("money|expenses|spending") }
    line.take("in? euros|dollars|francs|quid|eur|usd|gbp|chf")
    line.take("=spend", "=pay")
    line.take("=cost")
    question.measure = .unit(unit)
    question.isAnyCurrency = named == nil
    return true
  }

  private static let currencyWords =
    (TextAmounts.currencies.keys.filter { $0.allSatisfy(\.isLetter) && $0 != "crowns" }
    + ["pounds", "chf"])
    .sorted().joined(separator: "|")

  /// Returns the currency that a question asks for; nil if it names none.
  private func namedCurrency(_ line: TokenLine) -> String? {
    // Pounds are otherwise a weight.
    if line.has("how many|much pounds") { return "£" }
    return line.words.indices.lazy.compactMap { index -> String? in
      let word = line.words[index]
      // "The dollar store" is the name of a shop.
      let isName =
        ["euro", "dollar", "rupee"].contains(word.lower)
        && !["in", "many", "much"].contains(line.lower(index - 1))
      return word.isQuoted || isName ? nil : TextAmounts.namedCurrency(word.text)
    }.first
  }

  /// Returns the unit for money: the one that was named, otherwise the most common one.
  private func currency(_ named: String?, _ known: [String: Int]) -> String? {
    func most(_ units: [String: Int]) -> String? {
      units.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    }
    guard !known.isEmpty, let named else { return most(known) }
    return most(known.filter { TextAmounts.isCurrency($0.key, meantBy: named) }) ?? named
  }

  /// Returns the unit that a word names if entries can have it.
  static func unit(_ word: String, _ used: [String: Int]) -> MeasureUnit? {
    if let own = ownUnit(word, used) { return own }
    guard let unit = UnitTable.standard.unit(named: word), !["g", "in", "l"].contains(word) else {
      return nil
    }
    if unit.dimension == .time { return unit.name == "seconds" ? nil : unit }
    // "flights" means stairs only if the owner often counts stairs.
    if unit.dimension == .count, Lemma.key(word) != Lemma.key(unit.name), used[unit.name] ?? 0 < 20
    {
      return nil
    }
    for name in used.keys {
      if UnitTable.standard.isSame(name, unit.name) { return unit }
      if unit.dimension != .count,
        UnitTable.standard.unit(named: name)?.dimension == unit.dimension
      {
        return unit
      }
    }
    return nil
  }

  /// Returns the unit that a word names only because of a goal, in any of its forms, or because of
  /// another language: "jar" and "jars", "Gläser".
  private static func ownUnit(_ word: String, _ used: [String: Int]) -> MeasureUnit? {
    guard UnitTable.standard.unit(named: word) == nil else { return nil }
    let own = used.keys.filter { UnitTable.standard.unit(named: $0) == nil }.sorted()
    let table = UnitTable.standard.teaching(own)
    return Language.all.lazy.compactMap { table.unit(named: table.typedName(word, in: $0)) }
      .first { unit in
        unit.dimension == .count && used.keys.contains { table.isSame($0, unit.name) }
      }
  }

  func readMetric(_ line: inout TokenLine, _ question: inout AskQuestion) -> Bool {
    guard !line.begins("where", "who", "with", "list") else { return false }
    let metrics = timeline.metrics.keys.sorted().map { name in
      (name: name, keys: AskReader.metricWords(name).map { Lemma.key($0) })
    }
    for metric in metrics where !metric.keys.isEmpty {
      let (name, keys) = longest(of: metrics, holding: metric, line)
      for count in stride(from: keys.count, through: max(1, keys.count - 1), by: -1) {
        let wanted = Array(keys.suffix(count))
        if wanted.count == 1, keys.count > 1 { continue }
        for begin in line.words.indices
        where begin + count <= line.words.count
          && Array(line.words[begin..<begin + count].map(\.key)) == wanted
          && !line.isTaken[begin] && !isOfPlace(begin, line)
        {
          line.take(begin..<begin + count)
          for index in line.words.indices
          where keys.contains(line.words[index].key)
            || ["walk", "take", "pulse", "night", "hour", "minut", "count"].contains(
              line.words[index].key)
              && !(line.lower(index - 1) == "a" && line.words[index].key != "night")
          {
            if ["hour", "minut"].contains(line.words[index].key) {
              question.lightVerbs.insert("unit:" + line.words[index].lower)
            }
            line.isTaken[index] = true
          }
          question.measure = .metric(name)
          return true
        }
      }
    }
    return false
  }

  /// Returns the metric with the most words among those whose words all occur in order: "resting
  /// heart rate" if both it and the heart rate are measured.
  private func longest(
    of metrics: [(name: String, keys: [String])], holding metric: (name: String, keys: [String]),
    _ line: TokenLine
  ) -> (name: String, keys: [String]) {
    let words = line.words.map(\.key)
    var best = metric
    for other in metrics
    where other.keys.count > best.keys.count && other.keys.firstRange(of: metric.keys) != nil {
      guard let place = words.firstRange(of: other.keys),
        place.allSatisfy({ !line.isTaken[$0] })
      else { continue }
      best = other
    }
    return best
  }

  /// Returns true for "how many lunches on the harbour steps": the word belongs to a place, and
  /// something else is counted.
  private func isOfPlace(_ index: Int, _ line: TokenLine) -> Bool {
    guard index > 1, line.has("how many|often"),
      line.lower(index - 1) != "many",
      !["most", "fewest", "average"].contains(line.lower(index - 1))
    else { return false }
    var start = index - 1
    while start > max(0, index - 3), line.lower(start) != "the" { start -= 1 }
    return line.lower(start) == "the"
      && ["on", "at", "from", "by", "near"].contains(line.lower(start - 1))
  }

  /// The words in the names of metrics whose daily values don't add up, whatever their unit.
  static let levelWords: Set = [
    "weight", "rate", "variability", "saturation", "vo2", "temperature", "glucose", "pressure",
    "index", "speed", "height", "length", "circumference", "noise", "loudness",
  ]

  /// Shifts nights to the day of waking, on which devices record them.
  func settleNight(_ question: inout AskQuestion) {
    guard question.isNight, let days = question.days else { return }
    var name = ""
    if case .metric(let metric) = question.measure { name = metric.lowercased() }
    guard name.contains("sleep") || name.contains("night") else { return }
    question.days = days.lowerBound.advanced(by: 1)...days.upperBound.advanced(by: 1)
    question.minutes = nil
  }

  /// Splits a metric's name into words without the unit: "restingHeartRate".
  static func metricWords(_ name: String) -> [String] {
    var words: [String] = []
    for character in name {
      if character.isUppercase || words.isEmpty { words.append("") }
      if character == "_" || character == "-" {
        words.append("")
      } else {
        words[words.count - 1].append(character.lowercased())
      }
    }
    return words.filter { !["minutes", "count", "total", "daily", "hours", ""].contains($0) }
  }
}
