import ArkivedCore
import Foundation

/// Rankings: "most", "top 3", "the second most".
extension AskReader {
  static let small = [
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10,
  ]

  func readTop(_ line: inout TokenLine, _ question: inout AskQuestion) {
    let counted =
      "the|my|which|what|my one|two|three|four|five|six|seven|eight|nine|ten|2|3|4|5|10 *"
    guard
      let range = line.find("top *")
        ?? (line.has("most") || line.has("least") && !line.has("at least")
          ? line.find(counted).map { $0.lowerBound..<$0.lowerBound + 2 } : nil)
    else { return }
    let word = line.lower(range.upperBound - 1)
    guard let number = Int(word) ?? AskReader.small[word], (1...10_000).contains(number) else {
      return
    }
    question.top = number
    question.kind = .most
    line.take(range)
    setHole(of: range.upperBound, &line, &question)
  }

  /// Parses "most", "most often", "least", "favourite".
  func readMost(_ line: inout TokenLine, _ question: inout AskQuestion) -> Bool {
    let limit = line.find("at most").map { line.lower($0.upperBound) } ?? ""
    let isLimit =
      limit.contains(where: \.isNumber) || Quantities.number(limit) != nil
      || ["a", "an", "half"].contains(limit)
    if line.has("most recent", "most recently", "at least") || isLimit {
      return question.kind == .most
    }
    // "which shop do I buy them at most?"
    let asksPlace =
      line.begins("at|in|from which|what shop|store|supermarket|market|shops|stores")
      || line.begins("which|what shop|store|supermarket|market") && line.has("=spend")
      || line.begins("which", "what", "at|in|from which|what")
        && (line.has("at|in most")
          || line.has("shop|store|supermarket|market|shops|stores")
            && line.has("from|to|at|in most|least|the"))
    let least =
      line.take("least often|frequently?", "fewest", "least", "rarest", "quietest", "rarely|seldom")
      != nil
    let most =
      !least
      && line.take(
        "the? most often|frequently|frequent|common|usual|popular?", "the? most", "busiest",
        "favorite|favourite", "mostly|mainly",
        line.begins("where", "who", "whom", "what", "which", "with whom") && question.measure == nil
          ? "usually|normally|typically" : "mostly") != nil
    line.take("visited|used|frequented")
    // "what are the most common …s" asks for several.
    if most, question.top == nil, timeline.isOfTextsOnly, line.begins("which|what are"),
      line.has("most common|frequent|usual")
    {
      question.top = 5
    }
    guard least || most || question.kind == .most else { return false }
    if question.people.count > 1, line.has("who|whom|which|person"),
      line.has("of|among|amongst|between|from zqperson~", "of|among my|the * zqperson~")
        || line.has("out of")
    {
      question.candidatePeople = question.people.filter { !$0.isExcluded }
      question.candidates = question.candidatePeople.flatMap(\.names)
      question.people.removeAll { !$0.isExcluded }
      line.take("friends|colleagues|people")
    }
    line.take("going by visits")
    if question.measure == nil, line.take("time|hours|minutes on|with|in?") != nil {
      question.lightVerbs.insert("weigh")
    }
    line.take("often")
    question.kind = .most
    question.isLeast = least
    if question.top == nil,
      question.measure == nil || line.has("which|what|who|whom|where")
        || line.begins("weekday", "month with|of|when|i|we", "year with|of|when|i|we")
    {
      takeAsking(&line, &question)
    }
    if asksPlace, question.hole != .place, question.hole != .person {
      if case .thing(let key) = question.hole { question.lightVerbs.insert("@" + key) }
      question.hole = .place
    }
    // "most pages in one sitting", "which day had the most steps"
    if question.measure != nil, question.hole == .thing(Lemma.key("book")) { return true }
    if question.measure != nil, question.hole != .person, question.hole != .place {
      question.kind = .longest
      if line.take("in one|a sitting|go|day|session", "sitting") == nil { line.take("in one go") }
      if question.hole == .day { question.isOfDay = true }
    }
    if question.hole == .entry || question.hole == .thing(""), case .most = question.kind {
      let periods: [(String, AskQuestion.Hole)] = [
        ("day|date", .day), ("week", .period(.week)), ("year", .period(.year)),
        ("season", .period(.season)),
      ]
      for (word, hole) in periods {
        guard let range = line.find(word, free: true) else { continue }
        line.take(range)
        question.hole = hole
        return true
      }
      if let range = line.find("month", free: true) {
        line.take(range)
        question.hole = .period(.month)
      } else if let range = line.find("weekday", free: true) {
        line.take(range)
        question.hole = .period(.weekday)
      } else {
        // "What did Jonas cook most?", "What's my favourite film?"
        setHole(of: 0, &line, &question)
      }
    }
    return true
  }
}
