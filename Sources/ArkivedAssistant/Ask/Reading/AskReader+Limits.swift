import ArkivedCore
import Foundation

/// Limits on what a question asks for.
extension AskReader {
  /// Parses "between 5 and 10 km", "exactly 8 km", "runs of 8 km".
  private func readSpan(_ line: inout TokenLine, _ question: inout AskQuestion) -> Bool {
    if let range = line.find("between", free: true) {
      var index = range.lowerBound + 1
      let low = number(index, line)
      index += 1
      if limitUnit(line.lower(index)) != nil { index += 1 }
      if line.lower(index) == "and", let low, let high = number(index + 1, line), low <= high,
        let unit = limitUnit(line.lower(index + 2))
      {
        limit(&line, range.lowerBound..<index + 3, &question, low, high, unit)
        return true
      }
    }
    for index in line.words.indices
    where ["of", "exactly", "precisely"].contains(line.lower(index)) && !line.isTaken[index] {
      guard let amount = Quantities.figure(line.lower(index + 1)),
        let unit = limitUnit(line.lower(index + 2)),
        !["or", "and"].contains(line.lower(index + 3))
      else { continue }
      limit(&line, index..<index + 3, &question, amount, amount, unit)
      return true
    }
    return false
  }

  private func limit(
    _ line: inout TokenLine, _ range: Range<Int>, _ question: inout AskQuestion, _ low: Double,
    _ high: Double, _ unit: String
  ) {
    question.threshold = .init(
      isAtLeast: true, isStrict: false, amount: low, unit: unit, upTo: high)
    line.take(range)
  }

  private func number(_ index: Int, _ line: TokenLine) -> Double? {
    Quantities.number(line.lower(index))
  }

  /// Returns the unit of a limit that a word names: for entries, for values recorded for days, or
  /// for money.
  private func limitUnit(_ word: String) -> String? {
    let isMetric = timeline.metrics.keys.contains { AskReader.metricWords($0).contains(word) }
    if isMetric || AskReader.unit(word, timeline.units) != nil { return word }
    guard let currency = TextAmounts.currency(of: word) else { return nil }
    return timeline.units.keys.sorted().first { TextAmounts.currency(of: $0) == currency }
  }

  // MARK: Limits that no answer applies

  /// Removes limits on how often something happened, and words such as "hardly", and reports them
  /// as unused: "at most twice", "fewer than three runs".
  func withoutUnusedLimits(_ text: String, _ question: inout AskQuestion) -> String {
    let quotes = AskReader.quotes(in: text)
    let counts =
      /\b((?:(?:no|not) )?(?:more|fewer|less|greater) than|at (?:least|most)|up to|only|just|exactly) (once|twice|thrice|(?:\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)(?: times?)?)\b(?![.,:\/-]\d)/
      .ignoresCase()
    var unused: [Range<String.Index>] = text.matches(of: counts).filter { match in
      let limit = match.1.lowercased()
      let count = match.2.lowercased().split(separator: " ")
      // What was found happened at least once.
      if limit == "at least", ["once", "one", "1"].contains(count.first ?? "") { return false }
      if count.count > 1 || ["once", "twice", "thrice"].contains(count.first ?? "") { return true }
      return !["up to", "only", "just", "exactly"].contains(limit)
        && isCountedThing(text[match.range.upperBound...], in: text)
    }.map(\.range)
    let weak = /\b(hardly|barely|scarcely)(?: (?:any(?:one|body|thing)?|ever))?\b/.ignoresCase()
    unused += text.matches(of: weak).filter { match in
      // Entries may use the word themselves.
      let key = Lemma.key(match.1.lowercased())
      return key.count + 1 < match.1.count || timeline.frequency(of: key) == 0
    }.map(\.range)
    unused = unused.filter { range in !quotes.contains { $0.overlaps(range) } }
      .sorted { $0.lowerBound < $1.lowerBound }
    question.ignored += unused.map { Language.current.quoted(String(text[$0])) }
    var result = text
    for range in unused.reversed() { result.replaceSubrange(range, with: "") }
    return result
  }

  /// Returns true if the words after a number are things that are counted as entries, and not a
  /// unit, a period or people.
  private func isCountedThing(_ rest: Substring, in text: String) -> Bool {
    let word = rest.drop { $0 == " " }.prefix { $0.isLetter || $0 == "-" }.lowercased()
    let others: Set<String> = [
      "people", "persons", "person", "other", "others", "friends", "colleagues", "nights", "night",
      "days", "day", "weeks", "week", "months", "month", "years", "year", "percent",
    ]
    guard rest.first == " ", !word.isEmpty, !others.contains(word), !StopWords.contains(word),
      limitUnit(word) == nil, UnitTable.standard.unit(named: word) == nil,
      TextAmounts.currency(of: word) == nil
    else { return false }
    return text.firstMatch(of: /\b(?:mood|energy|happiness)\b/.ignoresCase()) == nil
  }

  func readThreshold(_ line: inout TokenLine, _ question: inout AskQuestion) {
    if readSpan(&line, &question) { return }
    let patterns: [(String, Bool, Bool)] = [
      ("more|longer|further|greater|higher than", true, true), ("over|above|exceeding", true, true),
      ("at least", true, false), ("less|fewer|shorter than", false, true),
      ("under|below", false, true), ("at most", false, false), ("no more than", false, false),
    ]
    for (pattern, isAtLeast, isStrict) in patterns {
      guard let range = line.find(pattern, free: true) else { continue }
      var next = range.upperBound
      let digits = line.lower(next).replacing(",", with: "")
      if let range = line.find("half an hour|mile|kilometre"),
        range.lowerBound == next
          || line.find("an|one hour")?.lowerBound == next
      {
        let isHalf = line.lower(next) == "half"
        let end = isHalf ? next + 3 : next + 2
        question.threshold = .init(
          isAtLeast: isAtLeast, isStrict: isStrict, amount: isHalf ? 0.5 : 1,
          unit: line.lower(end - 1) == "hour" ? "hours" : line.lower(end - 1))
        line.take(range.lowerBound..<end)
        line.take(pattern)
        return
      }
      // "a mile"; "over a week" isn't the amount of an entry.
      let isOne =
        ["a", "an"].contains(digits)
        && UnitTable.standard.unit(named: line.lower(next + 1))?.dimension == .length
      guard var amount = Double(digits) ?? Quantities.number(digits) ?? (isOne ? 1 : nil) else {
        continue
      }
      // "six and a half hours"
      if line.lower(next + 1) == "and", line.lower(next + 2) == "a", line.lower(next + 3) == "half"
      {
        amount += 0.5
        line.take(next + 1..<next + 4)
        next += 3
      }
      let name = line.lower(next + 1)
      let isMetric = timeline.metrics.keys.contains { AskReader.metricWords($0).contains(name) }
      if isMetric { line.take("=walk", "=take", "=make") }
      guard let unit = limitUnit(name) else { continue }
      if TextAmounts.currency(of: unit) != nil { line.take("=cost", "=spend", "=pay") }
      // "5 hours and 30 minutes"
      let rest = line.lower(next + 2) == "and" ? next + 3 : next + 2
      if ["hour", "hours"].contains(name),
        ["minute", "minutes", "min"].contains(line.lower(rest + 1)),
        let minutes = Quantities.number(line.lower(rest))
      {
        amount += minutes / 60
        line.take(next + 2..<rest + 2)
      }
      question.threshold = .init(
        isAtLeast: isAtLeast, isStrict: isStrict, amount: amount, unit: unit)
      line.take(range.lowerBound..<next + 2)
      line.take("in one go|sitting|day", "in a day", "in one")
      return
    }
  }
}
