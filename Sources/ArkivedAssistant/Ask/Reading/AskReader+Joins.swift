import ArkivedCore
import Foundation

extension AskReader {
  /// Parses and removes "on the day we saw the castle", "on choir days", "the day after I came
  /// home" and "when I was ill".
  func readJoins(_ text: inout String, _ question: inout AskQuestion) {
    let patterns: [(String, Int)] = [
      (#"\b(?:on |in )?the day after (.+)$"#, 1),
      (#"\b(?:on |in )?the day before (.+)$"#, -1),
      (#"\bon (?:the )?days after (?!\w+ing\b)(.+)$"#, 1),
      (#"\bon (?:the )?days before (?!\w+ing\b)(.+)$"#, -1),
      (#"\b(?:on |in )?the (?:same )?days? of (?:the |our |a )?(.+)$"#, 0),
      (
        #"\bon (?:the |those |all )?(?:same )?days?(?: when| that| on which| where| after which)? "#
          + #"((?:i|we|my|our|the|he|she|they|zq|[A-Z])[^?]*)\??\s*$"#, 0
      ),
      (
        #"\b(?:on )?the days?(?: when| that| on which)? ((?:i|we) [^?]*)\??\s*$"#, 0
      ),
    ]
    for (pattern, shift) in patterns {
      guard let (range, clause) = capture(pattern, in: text) else { continue }
      let bare = clause.trimmingCharacters(in: CharacterSet(charactersIn: " ?.!"))
      // "the day after tomorrow", "the day before yesterday"
      if ["tomorrow", "yesterday", "christmas", "easter", "that"].contains(bare.lowercased()) {
        continue
      }
      if pattern.contains("days? of"), times.matches(in: "on " + bare).first != nil,
        bare.split(separator: " ").count <= 2
      {
        continue
      }
      // "first day of 2024", "the day of the week"
      if bare.lowercased().hasPrefix("week") || bare.first?.isNumber == true { continue }
      let (told, rank) = ranked(bare)
      let inner = read(told, AskQuestion(text: told), depth: 1)
      question.joins.append(.init(question: [inner], shift: shift, text: bare, rank: rank))
      text.replaceSubrange(range, with: " ")
      return
    }
    // "When did I cycle to work and go to pottery on the same day?"
    if let (range, other) = capture(#"\band (?:also )?([a-z].+?) on the same day\b"#, in: text) {
      let bare = "I " + other
      question.joins.append(
        .init(question: [read(bare, AskQuestion(text: bare), depth: 1)], text: bare))
      text.replaceSubrange(range, with: " ")
      return
    }
    if readBound(&text, &question) { return }
    if let (range, noun) = capture(#"\bon how many ((?!of|other)[a-z]+) days\b"#, in: text) {
      let inner = read(noun, AskQuestion(text: noun), depth: 1)
      question.joins.append(.init(question: [inner], shift: 0, text: noun))
      text.replaceSubrange(range, with: "on how many days")
      text = text.replacingOccurrences(of: " also ", with: " ")
      return
    }
    if let (range, noun) = capture(
      #"\bon (?:a |which |what |the |my |our )?((?!which|what|many|most|more|fewer|less|least|fewest|the|those|these|any|all|how|that|monday|tuesday|wednesday|thursday|friday|saturday|sunday|some|other|same|few|first|last|each|every|christmas|boxing|year's|valentine's|patrick's|mother's|father's|rest|work)[a-zA-Z']+) days?\b"#,
      in: text)
    {
      let asks =
        text[range].lowercased().hasPrefix("on which")
        || text[range].lowercased().hasPrefix("on what")
      let inner = read(noun, AskQuestion(text: noun), depth: 1)
      question.joins.append(.init(question: [inner], shift: 0, text: noun))
      text.replaceSubrange(range, with: asks ? "when " : " ")
      return
    }
    if let (range, clause) = capture(
      #"(?<![:,]) (?:when|while|whenever) ((?:i|we|he|she|there|my|[A-Z]\w+) .+)$"#, in: text)
    {
      question.clause = clause.trimmingCharacters(in: CharacterSet(charactersIn: " ?.!"))
      text.replaceSubrange(range, with: " ")
      let bare = question.clause ?? ""
      question.clauseParts = [read(bare, AskQuestion(text: bare), depth: 1)]
      question.days = question.clauseParts[0].days
    }
  }

  /// Returns the event, and its position among several: "my second wedding".
  private func ranked(_ text: String) -> (String, Int?) {
    guard let (range, word) = capture(#"^(?:my |our )?(second|third|fourth|fifth) "#, in: text)
    else { return (text, nil) }
    let ranks = ["second": 2, "third": 3, "fourth": 4, "fifth": 5]
    return (text.replacingCharacters(in: range, with: "my "), ranks[word.lowercased()])
  }

  /// Parses "since moving to Kinsale", "before I met Paulo": a period that begins or ends with an
  /// event.
  private func readBound(_ text: inout String, _ question: inout AskQuestion) -> Bool {
    guard
      capture(
        #"(how long|days since|how many (?:days|weeks|months)|since (?:i|we) (?:was |were )?last)\b"#,
        in: text)
        == nil,
      let (range, word) = capture(
        #"\b(since|after|before|until) (?:(?:i|we) (?!was |were |had |did )\w+|(?!noon|midnight|morning|evening|lunch|dinner|breakfast|work)\w{3,}ing)\b [^,?]+"#,
        in: text)
    else { return false }
    let clause = String(text[range].dropFirst(word.count)).trimmingCharacters(in: .whitespaces)
    // If it is a time itself, it is parsed as one.
    guard times.matches(in: String(text[range])).isEmpty else { return false }
    let inner = read(clause, AskQuestion(text: clause), depth: 1)
    guard !inner.terms.isEmpty || !inner.people.isEmpty, inner.days == nil else { return false }
    question.bound = .init(word: word.lowercased(), text: clause, question: [inner])
    // "in the week before I moved"
    if let (lead, unit) = capture(
      #"\b(?:in |during |for )?the (week|fortnight|month|year) $"#,
      in: String(text[..<range.lowerBound])), ["before", "after"].contains(word.lowercased())
    {
      let days = ["week": 7, "fortnight": 14, "month": 30, "year": 365]
      question.bound?.window = days[unit.lowercased()]
      let length = text[..<range.lowerBound].count
      let head = String(text[..<range.lowerBound])
      text = head.replacingCharacters(in: lead, with: "") + text.dropFirst(length)
      if let again = text.range(of: word + " " + clause) {
        text.replaceSubrange(again, with: " ")
      }
      return true
    }
    text.replaceSubrange(range, with: " ")
    return true
  }

  /// Parses "on how many days did I both run and read" as the intersection of both activities'
  /// days.
  func readBoth(_ text: inout String, _ question: inout AskQuestion) {
    guard text.lowercased().contains("days"),
      let (range, first) = capture(#"\bboth (.+?) and .+?(?= zq\w+\s*\??$|\?|$)"#, in: text)
    else { return }
    let whole = String(text[range])
    guard let link = whole.range(of: " and ", options: .backwards) else { return }
    let second = "I " + whole[link.upperBound...]
    question.joins.append(
      .init(question: [read(second, AskQuestion(text: second), depth: 1)], text: second))
    text.replaceSubrange(range, with: first)
  }

  /// Removes a time of day without a day, as in "in the evening", from the text.
  func readHours(_ text: inout String, _ question: inout AskQuestion) {
    if readClock(&text, &question) { return }
    let parts: [(String, Range<Int>)] = [
      ("late in the evening", 1260..<1440), ("early in the morning", 0..<480),
      ("(?:in|during) the mornings?", 0..<720), ("(?:in|during) the afternoons?", 720..<1080),
      ("(?:in|during) the evenings?", 1020..<1440), ("at night", 1260..<1440),
    ]
    for (pattern, minutes) in parts {
      guard timeline.tags[String(pattern.split(separator: " ").last ?? "")] == nil,
        let (range, _) = capture("(\\b\(pattern)\\b(?! of\\b))", in: text),
        !text[range].lowercased().contains("morning") || timeline.tags["morning"] == nil
      else { continue }
      question.minutes = minutes
      text.replaceSubrange(range, with: " ")
      return
    }
  }

  /// Returns the range of a pattern in a text, and the contents of its first group.
  func capture(_ pattern: String, in text: String) -> (Range<String.Index>, String)? {
    guard
      let expression = try? NSRegularExpression(pattern: pattern, options: .caseInsensitive),
      let match = expression.firstMatch(
        in: text, range: NSRange(text.startIndex..., in: text)),
      let whole = Range(match.range, in: text), match.numberOfRanges > 1,
      let group = Range(match.range(at: 1), in: text)
    else { return nil }
    return (whole, String(text[group]))
  }

  static func weekday(_ word: String) -> Weekday? {
    Weekday.allCases.first { day in
      let name = day.name.lowercased()
      return word == name || word == name + "s"
    }
  }
}
