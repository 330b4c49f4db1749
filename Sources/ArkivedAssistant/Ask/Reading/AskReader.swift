package import ArkivedCore
import Foundation

/// A parser for plain questions.
///
/// It uses the archive's names (people, tags, units, metrics), but no entries.
package struct AskReader: Sendable {
  let timeline: any Timeline
  let times: TimeReader
  let persons: PersonReader
  let today: DayKey
  let words: Set<String>
  /// Words that aren't misspelt English, in lower case.
  let kept: Set<String>

  package init(timeline: any Timeline, now: Instant, zone: Zone, kept: Set<String> = []) {
    self.timeline = timeline
    self.kept = kept
    times = TimeReader(now: now, zone: zone)
    today = zone.dayKey(at: now)
    persons = timeline.names.persons
    words = timeline.names.personWords
  }

  /// The maximum length of a question.
  package static let lengthLimit = 2_000

  package func read(_ line: String) -> AskQuestion {
    var text = line.trimmingCharacters(in: .whitespacesAndNewlines)
    var question = AskQuestion(text: text)
    guard text.count <= AskReader.lengthLimit else {
      question.problem =
        said(
          """
          The question is too long. Use at most \(AskReader.lengthLimit) characters.
          """)
      return question
    }
    text = plain(text)
    question.text = text
    if let problem = refusal(of: text) ?? timeProblem(of: text) {
      question.problem = problem
      return question
    }
    return read(corrected(text, &question), question, depth: 0)
  }

  func read(_ text: String, _ start: AskQuestion, depth: Int) -> AskQuestion {
    var question = start
    question.text = text
    var rest = text
    if depth == 0 {
      rest = plainComparison(withoutUnusedLimits(reworded(rest, &question), &question))
      readJoins(&rest, &question)
      question.problem = question.problem ?? question.problemOfCondition
    }
    var marks: [String: Mark] = [:]
    readHours(&rest, &question)
    rest = marked(rest, &question, &marks)
    readBoth(&rest, &question)
    var line = TokenLine(WordCutter.words(of: rest))
    if depth == 0, let pair = alternatives(line, marks) {
      return compared(line, pair, marks, question)
    }
    readMarks(&line, marks, &question)
    readNegation(&line, marks, &question)
    readMeasures(&line, &question)
    readKind(&line, &question)
    readWeekdays(&line, &question)
    readTerms(&line, marks, &question)
    tellUnused(line, &question)
    settleMonths(&question)
    settleNight(&question)
    return question
  }

  // MARK: Marks for times and people

  /// The meaning of a word that replaces a time or a name.
  enum Mark {
    case time(TimeMatch)
    case person(AskQuestion.NamedPerson)
    /// Months of any year, with their original text.
    case months(Set<Int>, String)
  }

  /// Replaces each time and name in the text with one word, so that they can be parsed as words.
  private func marked(
    _ text: String, _ question: inout AskQuestion, _ marks: inout [String: Mark]
  ) -> String {
    var hidden = text
    for word in AskReader.degrees {
      while let range = hidden.range(
        of: "\\b\(word)\\b", options: [.regularExpression, .caseInsensitive])
      {
        hidden.replaceSubrange(
          range,
          // "at most 2" isn't a time of day.
          with: String(
            repeating: hidden[..<range.lowerBound].lowercased().hasSuffix("at ") ? "x" : " ",
            count: hidden.utf8[range].count))
      }
    }
    var result = text
    let quotes = AskReader.quotes(in: hidden)
    let matches = times.matches(in: hidden).filter { match in
      let lower = match.text.lowercased()
      return !quotes.contains { $0.overlaps(match.range) }
        && ![
          "a day", "a week", "a month", "a year", "in a day", "in one day", "in a week",
          "in a month", "in a year", "one day",
        ].contains(lower)
    }
    for (position, match) in matches.enumerated().reversed() {
      let start = hidden.utf8.distance(from: hidden.startIndex, to: match.range.lowerBound)
      let end = hidden.utf8.distance(from: hidden.startIndex, to: match.range.upperBound)
      let range =
        result.utf8.index(
          result.startIndex, offsetBy: start)..<result.utf8.index(result.startIndex, offsetBy: end)
      let name = "zqtime" + AskReader.letter(position)
      marks[name] = .time(match)
      result.replaceSubrange(range, with: name)
    }
    checkOrder(matches, hidden, &question)
    result = years(in: result, &marks)
    for (position, match) in persons.mentions(in: result, anyCase: true).enumerated().reversed() {
      guard !result[match.range].lowercased().hasPrefix("zq"),
        !AskReader.quotes(in: result).contains(where: { $0.overlaps(match.range) })
      else { continue }
      // "in Sofia" means the town.
      let lead = result[..<match.range.lowerBound].split(separator: " ").last?.lowercased() ?? ""
      let tail = result[match.range.upperBound...]
      if ["in", "near", "around"].contains(lead), !tail.hasPrefix("'s"), !tail.hasPrefix("’s") {
        continue
      }
      if isGoal(match.range, result), isTown(String(result[match.range])) { continue }
      let words = String(result[match.range])
      let name = "zqperson" + AskReader.letter(position)
      marks[name] = .person(
        .init(words: words, names: match.candidates.map(\.name), role: ""))
      result.replaceSubrange(match.range, with: name)
    }
    return relations(in: firstNames(in: result, &marks), &marks)
  }

  /// Replaces years that occur alone: "longest ride 2024".
  private func years(in text: String, _ marks: inout [String: Mark]) -> String {
    var result = text
    for position in 0..<4 {
      guard
        let range = result.range(
          of: "\\b(19|20)\\d\\d\\b(?![-,.:/]\\d)", options: .regularExpression),
        let year = Int(result[range]), let first = DayKey(year: year, month: 1, day: 1)
      else { return result }
      let tail =
        result[range.upperBound...].split(separator: " ").first.map { $0.lowercased() } ?? ""
      if UnitTable.standard.unit(named: tail) != nil { return result }
      let name = "zqtime" + AskReader.letter(20 + position)
      marks[name] = .time(
        TimeMatch(
          range: range, text: String(result[range]), start: WallTime(day: first, secondOfDay: 0),
          end: WallTime(day: first.adding(months: 12), secondOfDay: 0), grain: .year))
      result.replaceSubrange(range, with: name)
    }
    return result
  }

  /// Detects "from December 2023 to January 2023", which has no days.
  private func checkOrder(
    _ matches: [TimeMatch], _ text: String, _ question: inout AskQuestion
  ) {
    guard matches.count == 2, let first = matches[0].start, let second = matches[1].start,
      first > second
    else { return }
    let between = text[matches[0].range.upperBound..<matches[1].range.lowerBound]
      .trimmingCharacters(in: .whitespaces).lowercased()
    let lead = text[..<matches[0].range.lowerBound].split(separator: " ").last?.lowercased()
    let begins = matches[0].text.lowercased()
    if ["to", "until", "till"].contains(between)
      || between == "and" && (lead == "between" || begins.hasPrefix("between"))
      || matches[1].text.lowercased().hasPrefix("to ")
        && (lead == "from" || begins.hasPrefix("from"))
    {
      question.problem = said(
        "The end time is before the start time: \(matches[0].text) … \(matches[1].text).")
    }
  }

  static func letter(_ position: Int) -> String {
    String(UnicodeScalar(UInt8(97 + min(position, 25))))
  }

  /// Patterns for words that don't change the time next to them.
  private static let degrees = [
    "most", "least", "longest", "shortest", "average", "more", "mean",
    "first(?! (?:week|weekend|half|quarter|month|third|\\w+ (?:days|weeks|months)))",
  ]

  /// Replaces capitalised first names without a word that introduces a person: "Leyla or Clara".
  private func firstNames(in text: String, _ marks: inout [String: Mark]) -> String {
    var result = text
    let words = WordCutter.words(of: text, joinsPhrases: false)
    for (index, word) in words.enumerated() where word.isCapitalised && !word.isQuoted {
      let next = index + 1 < words.count ? words[index + 1] : nil
      if let next, next.isCapitalised, next.sign == nil, next.lower != "i" { continue }
      if index > 0, ["in", "at", "on", "near"].contains(words[index - 1].lower), !word.isPossessive
      {
        continue
      }
      guard index > 0 || next?.lower == "and", word.lower.count > 2,
        !StopWords.contains(word.lower),
        let range = result.range(
          of: "\\b\(NSRegularExpression.escapedPattern(for: word.text))\\b",
          options: .regularExpression),
        !isGoal(range, result) || !isTown(word.text)
      else { continue }
      let candidates = persons.candidates(named: word.text).map(\.name)
      guard !candidates.isEmpty else { continue }
      let name = "zqperson" + AskReader.letter(25 - min(index, 12))
      guard marks[name] == nil else { continue }
      marks[name] = .person(.init(words: word.text, names: candidates, role: ""))
      result.replaceSubrange(range, with: name)
    }
    return result
  }

  /// Replaces "my boss" if the archive says who that is.
  private func relations(in text: String, _ marks: inout [String: Mark]) -> String {
    // "my sister Orla" means Orla.
    var result = text.replacingOccurrences(
      of: "\\bmy (\(TextPeople.relations.sorted().joined(separator: "|"))) (?=zqperson)", with: "",
      options: .regularExpression)
    var start = result.startIndex
    for position in 0..<6 {
      guard
        let range = result.range(
          of: "\\b([Mm]y [a-z]+|(the|our) (kids|children|dog|cat|horse))\\b(?! zqperson)",
          options: .regularExpression, range: start..<result.endIndex)
      else { break }
      guard let (names, words) = relation(String(result[range])) else {
        start = range.upperBound
        continue
      }
      let mark = "zqperson" + AskReader.letter(10 + position)
      marks[mark] = .person(.init(words: words, names: names, role: ""))
      result.replaceSubrange(range, with: mark)
      start = result.startIndex
    }
    return result
  }

  /// Returns the people that "my sister" or "the children" refers to.
  private func relation(_ text: String) -> ([String], String)? {
    let word = text.split(separator: " ").last ?? ""
    let isPlural = ["kids", "children"].contains(word)
    let keys = isPlural ? ["son", "daughter", "child", "kid"] : [Lemma.key(String(word))]
    guard isPlural || !QuestionWords.fillers.contains(String(word)),
      timeline.tags[String(word)] == nil
    else { return nil }
    var found: [String] = []
    for person in timeline.people {
      guard let summary = person.summary else { continue }
      let head = summary.split(whereSeparator: { ",.;".contains($0) }).first ?? ""
      let said = Set(WordCutter.words(of: String(head)).prefix(3).map(\.key))
      if !said.isDisjoint(with: keys), !summary.lowercased().hasPrefix("first ") {
        found.append(person.name)
      }
    }
    guard
      isPlural || TextPeople.relations.contains(String(word)) || word == "friend"
        || TextPeople.animals.contains(String(word)),
      !found.isEmpty, found.count <= (isPlural ? 8 : 3)
    else { return nil }
    return (found, text)
  }
}
