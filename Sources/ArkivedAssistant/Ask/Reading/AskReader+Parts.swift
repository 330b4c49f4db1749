import ArkivedCore
import Foundation

extension AskReader {
  // MARK: Times and people

  func readMarks(
    _ line: inout TokenLine, _ marks: [String: Mark], _ question: inout AskQuestion
  ) {
    var matches: [TimeMatch] = []
    var places: [Int] = []
    for (index, word) in line.words.enumerated() {
      switch marks[word.lower] {
      case .time(let match):
        line.isTaken[index] = true
        matches.append(match)
        places.append(index)
      case .person(var person):
        line.isTaken[index] = true
        person.role = role(of: index, line)
        if index > 0, line.words[index].isPossessive { person.role = "owner" }
        // "with Carla or Hanna": any of them.
        let isEither =
          (line.lower(index - 1) == "or" && line.lower(index - 2).hasPrefix("zqperson")
            || line.lower(index - 1).hasPrefix("zqperson")
              && (line.find("or zqperson~", from: index).map { $0.lowerBound == index + 1 } ?? false))
          && !line.has("who", "whom", "which", "whose", "most", "least", "more", "less", "than")
        if isEither, let last = question.people.indices.last {
          question.people[last].words += " or \(person.words)"
          question.people[last].names += person.names
          question.people[last].isEither = true
        } else {
          question.people.append(person)
        }
      case .months(let months, let text):
        line.isTaken[index] = true
        question.months = months
        let told = text.trimmingCharacters(in: .whitespaces)
        question.uncertain.append(said("whether “\(told)” means a single year"))
      case nil: break
      }
    }
    // "pages read: 2023, 2024, 2025": one figure for each.
    let isRow =
      places.count > 1 && matches.allSatisfy { $0.grain == .year }
      && zip(places, places.dropFirst()).allSatisfy { $1 == $0 + 1 && line.words[$1].sign == "," }
    if isRow, question.group == nil { question.group = .year }
    let spans = matches.map { (text: $0.text, days: AskReader.days(of: $0)) }
    guard let first = spans.first else { return }
    var days = first.days
    for match in spans.dropFirst() {
      let other = match.days
      if days.upperBound.advanced(by: 1) == other.lowerBound {
        // "July and August 2023"
        days = days.lowerBound...other.upperBound
      } else if other.overlaps(days) {
        days = max(days.lowerBound, other.lowerBound)...min(days.upperBound, other.upperBound)
      } else if places.count == 2, places[1] - places[0] == 1 {
        // "in 2024 in 2023"
        question.problem =
          said("“\(matches[0].text.capitalisedFirst)” and “\(match.text)” contradict each other.")
      } else {
        question.ignored.append(match.text)
      }
    }
    question.days = days
    question.isNight =
      spans.count == 1 && first.text.lowercased().hasSuffix(" night")
      && days.lowerBound == days.upperBound
    if matches.count == 1 { readHours(of: matches[0], &question) }
    if days.lowerBound > today {
      question.problem =
        said(
          """
          \(SpanText.shownDays(days).capitalisedFirst) is in the future. I can only answer questions about the past.
          """
        )
    }
  }

  /// Returns the days of a time; the Christmas holidays are three days.
  static func days(of match: TimeMatch) -> ClosedRange<DayKey> {
    let days = match.grain < .week ? match.days : match.widenedDays()
    let text = match.text.lowercased()
    if text.contains("christmas"), !text.contains("eve"), !text.contains("day"),
      days.lowerBound == days.upperBound
    {
      return days.lowerBound.advanced(by: -1)...days.upperBound.advanced(by: 1)
    }
    return days
  }

  /// Parses the limit of an amount; refuses a second one, because only one can be applied.
  func readLimit(_ line: inout TokenLine, _ question: inout AskQuestion) {
    readThreshold(&line, &question)
    guard question.threshold != nil else { return }
    var (rest, other) = (line, question)
    other.threshold = nil
    readThreshold(&rest, &other)
    if let second = other.threshold { limit(second, &question) }
  }

  /// Sets the limit of an amount; refuses it if there is another one.
  func limit(_ threshold: AskQuestion.Threshold, _ question: inout AskQuestion) {
    if question.threshold != nil {
      question.problem = said(
        "I can only use one limit at a time. For a range, ask for “between … and …”.")
    }
    question.threshold = threshold
  }

  private func role(of index: Int, _ line: TokenLine) -> String {
    let before = line.lower(index - 1)
    if before.hasPrefix("zqperson") || ["and", "or", "nor"].contains(before), index > 1 {
      if line.lower(index + 1) == "and" { return "with" }
      return "with"
    }
    if FrameReader.prepositions.contains(before) { return before }
    if line.lower(index + 1) == "and", ["i", "me", "we"].contains(line.lower(index + 2)) {
      return "with"
    }
    // "was Pickle vaccinated": somebody else did it.
    if before == "was", line.words.indices.contains(index + 1),
      line.words[(index + 1)...].prefix(2).contains(where: {
        $0.lower.hasSuffix("ed") && FrameReader.isVerb($0, hasSubject: false)
      })
    {
      return ""
    }
    if ["did", "does", "has", "do", "have", "had", "was", "when", "that", "time", "many"].contains(
      before)
      || index == 0
    {
      return "subject"
    }
    if index + 1 < line.words.count, FrameReader.isVerb(line.words[index + 1], hasSubject: false) {
      return "subject"
    }
    return ""
  }

  // MARK: Negation

  func readNegation(
    _ line: inout TokenLine, _ marks: [String: Mark], _ question: inout AskQuestion
  ) {
    // "weigh myself" doesn't mean company.
    if let range = line.find(
      "=weigh|=hurt|=injure|=cut|=burn|=treat|=enjoy|=measure|=teach myself")
    {
      line.take(range.upperBound - 1..<range.upperBound)
    }
    readOnlyNamed(&line, &question)
    if line.take(
      "without anybody|anyone|company|others", "by myself", "on my own", "alone", "with nobody",
      "with no one", "myself") != nil
    {
      question.hasNobody = true
    }
    if line.take(
      "with somebody|someone|anybody|anyone|others|company else?", "with other people",
      "in company") != nil
    {
      question.hasSomebody = true
    }
    if line.has("we"), question.people.isEmpty, line.has("together"),
      !line.has("all|taken|put|added|everything together")
    {
      question.hasSomebody = true
      question.ignored.append(said("“together” (read as entries that name somebody)"))
    }
    if line.has("left out", "excluded", "not counted", "aside") {
      // "commuting left out": the excluded noun comes first.
      if let range = line.find("left out") ?? line.find("excluded|aside")
        ?? line.find("not counted")
      {
        let noun = range.lowerBound - 1
        if noun >= 0 { exclude(noun..<noun + 1, &line, marks, &question) }
        line.take(range)
      }
    }
    let isDoing =
      line.find("did|do|have|had|was i|we not") ?? line.find("i|we did|do not")
      ?? line.find("didn't|haven't|wasn't|didnt|don't i?") ?? line.find(
        "i|we didn't|haven't|wasn't")
      ?? line.find("i|we never")
    if let range = isDoing {
      line.take(range)
      question.isComplement = true
      return
    }
    let negators = [
      "not counting", "other than", "leave out", "leaving aside", "not including", "excepting",
      "ignoring", "if you leave out", "except", "apart from", "but not", "except for?", "excluding",
      "besides",
      "without", "not", "leaving out", "minus", "no",
    ]
    for negator in negators {
      guard let range = line.find(negator, free: true) else { continue }
      // "longest I went without" asks for a gap.
      if negator == "without", line.has("longest") || line.has("how long") { return }
      line.take(range)
      var end = range.upperBound
      while end < line.words.count, !(end > range.upperBound && line.words[end].isAfterBreak),
        !["was", "did", "were", "in", "on", "during", "have", "has", "i", "we"].contains(
          line.lower(end)),
        !line.lower(end).hasPrefix("zqtime"), end - range.upperBound < 5
      {
        end += 1
      }
      exclude(range.upperBound..<end, &line, marks, &question)
      return
    }
  }

  /// Parses "with only Priya", "alone with Priya": nobody else was present.
  private func readOnlyNamed(_ line: inout TokenLine, _ question: inout AskQuestion) {
    let count = "one|two|three|four|five|six|2|3|4|5|6"
    let crowd = "\(count) other? person|people|persons|others|friends|colleagues"
    if line.has("exactly|only|just|than|least \(crowd)", "at most \(crowd)") {
      question.problem = said(
        "I can’t filter by how many people took part. Name them, or ask who was there.")
      return
    }
    if let range = line.find("with only|just zqperson~") {
      line.take(range.lowerBound + 1..<range.lowerBound + 2)
      question.hasOnlyNamed = true
    } else if let range = line.find("only|just|alone with zqperson~") {
      line.take(range.lowerBound..<range.lowerBound + 1)
      question.hasOnlyNamed = true
    } else if let range = line.find("zqperson~ alone|only") {
      line.take(range.upperBound - 1..<range.upperBound)
      question.hasOnlyNamed = true
    }
  }

  private func exclude(
    _ range: Range<Int>, _ line: inout TokenLine, _ marks: [String: Mark],
    _ question: inout AskQuestion
  ) {
    for index in range {
      if case .person(let person) = marks[line.lower(index)] {
        for position in question.people.indices
        where question.people[position].words == person.words {
          question.people[position].isExcluded = true
        }
      } else if !QuestionWords.fillers.contains(line.lower(index)), !line.isTaken[index] {
        let word = line.words[index]
        question.terms.append(
          .init(
            text: word.text,
            key: word.lower == "work" && line.lower(index - 1) == "to" ? "commut" : word.key,
            preposition: FrameReader.prepositions.contains(line.lower(index - 1))
              ? line.lower(index - 1) : nil, isExcluded: true))
      }
      line.isTaken[index] = true
    }
  }

  // MARK: Weekdays

  /// Returns true if a word directly modifies the thing: "a weekend ride".
  private func isBefore(noun index: Int, _ line: TokenLine) -> Bool {
    guard line.words.indices.contains(index) else { return false }
    let next = line.lower(index)
    return !next.hasPrefix("zq") && !AskReader.auxiliaries.contains(next)
      && !FrameReader.prepositions.contains(next) && !StopWords.contains(next)
      && line.words[index].sign == nil
  }

  func readWeekdays(_ line: inout TokenLine, _ question: inout AskQuestion) {
    for (index, word) in line.words.enumerated() where !line.isTaken[index] {
      if let day = AskReader.weekday(word.lower) {
        question.weekdays.insert(day)
        line.isTaken[index] = true
      } else if word.lower == "weekends"
        || word.lower == "weekend" && line.lower(index - 1) == "the"
        || word.lower == "weekend" && isBefore(noun: index + 1, line)
      {
        question.weekdays.formUnion([.saturday, .sunday])
        line.isTaken[index] = true
      } else if word.lower == "weekdays",
        !["which", "what"].contains(line.lower(index - 1))
          || word.lower == "weekday" && line.lower(index - 1) == "a"
      {
        question.weekdays.formUnion([.monday, .tuesday, .wednesday, .thursday, .friday])
        line.isTaken[index] = true
      }
    }
  }

}

extension String {
  var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
