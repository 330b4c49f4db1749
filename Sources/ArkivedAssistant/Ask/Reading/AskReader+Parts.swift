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
        question.people.append(person)
      case .months(let months, let text):
        line.isTaken[index] = true
        question.months = months
        question.ignored.append("that “\(text.trimmingCharacters(in: .whitespaces))” may mean one year's")
      case nil: break
      }
    }
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
        question.problem = "\(matches[0].text.capitalisedFirst) and \(match.text) exclude each other."
      } else {
        question.ignored.append(match.text)
      }
    }
    question.days = days
    if days.lowerBound > today {
      question.problem =
        "\(SpanText.days(days).capitalisedFirst) lies in the future; the archive holds what was."
    }
  }

  /// The days of a time; the holidays about Christmas are three days.
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
    if line.take(
      "without anybody|anyone|company|others", "by myself", "on my own", "alone", "with nobody",
      "with no one") != nil
    {
      question.hasNobody = true
    }
    if line.has("left out", "excluded", "not counted", "aside") {
      // "commuting left out": what stands before it.
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
      "ignoring", "if you leave out", "except", "apart from", "but not", "except for?", "excluding", "besides",
      "without", "not", "leaving out", "minus", "no",
    ]
    for negator in negators {
      guard let range = line.find(negator, free: true) else { continue }
      // "longest I went without" is a gap.
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

  func readWeekdays(_ line: inout TokenLine, _ question: inout AskQuestion) {
    for (index, word) in line.words.enumerated() where !line.isTaken[index] {
      if let day = AskReader.weekday(word.lower) {
        question.weekdays.insert(day)
        line.isTaken[index] = true
      } else if word.lower == "weekends"
        || word.lower == "weekend" && line.lower(index - 1) == "the"
      {
        question.weekdays.formUnion([.saturday, .sunday])
        line.isTaken[index] = true
      } else if word.lower == "weekdays" {
        question.weekdays.formUnion([.monday, .tuesday, .wednesday, .thursday, .friday])
        line.isTaken[index] = true
      }
    }
  }

  // MARK: Measures

  func readMeasures(
    _ line: inout TokenLine, _ question: inout AskQuestion, isComparing: Bool = false
  ) {
    readThreshold(&line, &question)
    if let range = line.find("mood|energy|happiness", free: true) {
      let isMood = line.lower(range.lowerBound) != "energy"
      line.take(range)
      question.measure = isMood ? .mood : .energy
      var next = range.upperBound
      while ["was", "of", "is", "at", "rated", "a", "last", "first", "hit", "reach", "reached", "down", "to", "up"]
        .contains(line.lower(next))
      {
        if ["hit", "reach", "reached", "down", "to", "up"].contains(line.lower(next)) {
          line.take(next..<next + 1)
        }
        next += 1
      }
      if let number = Double(line.lower(next)), (1...5).contains(number) {
        question.dayValue = (isMood, number)
        question.measure = nil
        line.take(next..<next + 1)
      } else {
        let isUp = ["above", "over", "more", "least", "higher", "better"]
        let isDown = ["below", "under", "less", "lower", "worse"]
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
          question.threshold = .init(
            isAtLeast: isUp.contains(word), isStrict: word != "least", amount: number,
            unit: isMood ? "mood" : "energy")
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
    for (index, word) in line.words.enumerated() where !line.isTaken[index] {
      guard let unit = AskReader.unit(word.lower, timeline.units) else { continue }
      // "in miles" tells the unit of the answer.
      if word.lower.count == 1, Double(line.lower(index - 1)) == nil,
        line.lower(index - 1) != "many"
      {
        continue
      }
      if unit.dimension == .count, line.begins("who", "which", "what", "when", "did") {
        if !isComparing, !line.has("most", "average", "highest", "fewest", "total") { continue }
      }
      line.isTaken[index] = true
      line.take("in")
      if unit.dimension == .mass { line.take("=weigh|weight") }
      question.measure =
        unit.dimension == .time ? .duration(unit.name) : .unit(unit.name)
      return
    }
    if line.find("=weigh|weight") != nil,
      timeline.units.keys.contains(where: { UnitTable.standard.unit(named: $0)?.dimension == .mass }
      ),
      !line.begins("which", "when", "did", "where", "who", "on")
    {
      question.isAverageWanted = !line.has("most", "highest", "lowest", "first", "last")
      question.measure = .unit(
        timeline.units.keys.first { UnitTable.standard.unit(named: $0)?.dimension == .mass } ?? "kg"
      )
      line.take("=weigh", "weight")
    }
  }

  /// "How much did I spend on shoes?", where entries tell of money.
  private func readMoney(_ line: inout TokenLine, _ question: inout AskQuestion) -> Bool {
    let known = timeline.units.filter { TextAmounts.currencies.values.contains($0.key) }
    guard let unit = known.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
      line.take("how much money") != nil
        || line.has("expensive|dearest|cheapest|priciest|costliest|cheaper|dearer")
        || line.take("what|much does|did|do i|we pay|spend") != nil
        || line.has("=spend on", "=spend more|less on", "=pay for")
          && !line.has("time", "hours", "days", "minutes")
        || line.has("more|less money")
        || line.has("how much did|have|do i|we spend|spent|pay|paid")
          && line.take("how much") != nil
        || line.has("how much did * cost", "how much did * * cost", "how much did * * * cost")
        || line.take("how many euros|dollars|pounds|quid|francs") != nil
        || line.take("euros|dollars|money|expenses|spending") != nil
    else { return false }
    line.take("=spend", "=pay")
    line.take("=cost")
    question.measure = .unit(unit)
    return true
  }

  /// The unit that a word names, if entries can have it.
  static func unit(_ word: String, _ used: [String: Int]) -> MeasureUnit? {
    guard let unit = UnitTable.standard.unit(named: word), !["g", "in", "l"].contains(word) else {
      return nil
    }
    if unit.dimension == .time { return unit.name == "seconds" ? nil : unit }
    // "flights" are stairs only where stairs are counted often.
    if unit.dimension == .count, Lemma.key(word) != Lemma.key(unit.name), used[unit.name] ?? 0 < 20 {
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

  private func readMetric(_ line: inout TokenLine, _ question: inout AskQuestion) -> Bool {
    guard !line.begins("where", "who", "with", "list") else { return false }
    for (name, _) in timeline.metrics.sorted(by: { $0.key < $1.key }) {
      let parts = AskReader.metricWords(name)
      guard !parts.isEmpty else { continue }
      let keys = parts.map { Lemma.key($0) }
      for count in stride(from: keys.count, through: max(1, keys.count - 1), by: -1) {
        let wanted = Array(keys.suffix(count))
        if wanted.count == 1, keys.count > 1 { continue }
        for begin in line.words.indices
        where begin + count <= line.words.count
          && Array(line.words[begin..<begin + count].map(\.key)) == wanted
          && !line.isTaken[begin]
        {
          line.take(begin..<begin + count)
          for index in line.words.indices
          where keys.contains(line.words[index].key)
            || ["walk", "take", "pulse", "night", "hour", "minut", "count"].contains(
              line.words[index].key)
              && !(line.lower(index - 1) == "a")
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

  /// "restingHeartRate" as words, without the unit.
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

  private func readThreshold(_ line: inout TokenLine, _ question: inout AskQuestion) {
    let patterns: [(String, Bool, Bool)] = [
      ("more|longer|further|greater|higher than", true, true), ("over|above|exceeding", true, true),
      ("at least", true, false), ("less|fewer|shorter than", false, true),
      ("under|below", false, true), ("at most", false, false), ("no more than", false, false),
    ]
    for (pattern, isAtLeast, isStrict) in patterns {
      guard let range = line.find(pattern, free: true) else { continue }
      var next = range.upperBound
      let digits = line.lower(next).replacing(",", with: "")
      if let range = line.find("half an hour|mile|kilometre"), range.lowerBound == next
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
      guard var amount = Double(digits) ?? Quantities.number(digits) else { continue }
      // "six and a half hours"
      if line.lower(next + 1) == "and", line.lower(next + 2) == "a", line.lower(next + 3) == "half" {
        amount += 0.5
        line.take(next + 1..<next + 4)
        next += 3
      }
      let name = line.lower(next + 1)
      let isMetric = timeline.metrics.keys.contains { AskReader.metricWords($0).contains(name) }
      if isMetric { line.take("=walk", "=take", "=make") }
      guard isMetric || AskReader.unit(name, timeline.units) != nil else { continue }
      question.threshold = .init(
        isAtLeast: isAtLeast, isStrict: isStrict, amount: amount, unit: name)
      line.take(range.lowerBound..<next + 2)
      line.take("in one go|sitting|day", "in a day|row", "in one")
      return
    }
  }
}

extension String {
  var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
