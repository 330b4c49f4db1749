import ArkivedCore
import Foundation

extension AskReader {
  /// Takes out "on the day we saw the castle", "on choir days", "the day after I came home" and
  /// "when I was ill".
  func readJoins(_ text: inout String, _ question: inout AskQuestion) {
    let patterns: [(String, Int)] = [
      (#"\b(?:on |in )?the day after (.+)$"#, 1),
      (#"\b(?:on |in )?the day before (.+)$"#, -1),
      (#"\b(?:on |in )?the (?:same )?days? of (?:the |my |our |a )?(.+)$"#, 0),
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
      let inner = read(bare, AskQuestion(text: bare), depth: 1)
      question.joins.append(.init(question: [inner], shift: shift, text: bare))
      text.replaceSubrange(range, with: " ")
      return
    }
    if let (range, noun) = capture(
      #"\bon (?:a |which |what |the |my |our )?((?!which|what|many|most|the|those|these|any|all|how|that|monday|tuesday|wednesday|thursday|friday|saturday|sunday|some|other|same|few|first|last|each|every)[a-zA-Z]+) days?\b"#,
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
      #" (?:when|while|whenever) ((?:i|we|he|she|there|my|[A-Z]\w+) .+)$"#, in: text)
    {
      question.clause = clause.trimmingCharacters(in: CharacterSet(charactersIn: " ?.!"))
      text.replaceSubrange(range, with: " ")
      let bare = question.clause ?? ""
      question.clauseParts = [read(bare, AskQuestion(text: bare), depth: 1)]
      question.days = question.clauseParts[0].days
    }
  }

  /// The range of a pattern in a text, and what its first group holds.
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

  // MARK: Two things compared

  struct Alternatives {
    var first: Range<Int>
    var second: Range<Int>
    /// The word between them.
    var link: Int
  }

  /// The two things that a question sets beside each other.
  func alternatives(_ line: TokenLine, _ marks: [String: Mark]) -> Alternatives? {
    let compares =
      line.has(
        "compare", "compared", "versus", "vs", "against", "more", "better", "longer", "further",
        "oftener", "fewer", "higher", "lower", "less", "comparison", "worse", "earlier", "later")
      && !line.has("more than *", "less than *", "fewer than *", "longer than *")
      || line.has("more * than", "more * * than", "more * * * than")
      || line.has("more * * * * than", "more * * * * * than", "more often")
    guard compares else { return nil }
    func type(_ index: Int) -> String {
      switch marks[line.lower(index)] {
      case .time: "time"
      case .person: "person"
      case nil: Self.weekday(line.lower(index)) != nil ? "weekday" : "word"
      }
    }
    for (index, word) in line.words.enumerated()
    where ["or", "versus", "vs", "against", "than", "and"].contains(word.lower)
      || ["with", "to"].contains(word.lower) && line.has("compare", "compared")
    {
      var next = index + 1
      while ["in", "on", "to", "the", "at", "with", "a"].contains(line.lower(next)) { next += 1 }
      guard next < line.words.count, index > 0 else { continue }
      let right = type(next)
      if right != "word" {
        // The nearest of the same type before it.
        if let left = (0..<index).last(where: { type($0) == right }) {
          return Alternatives(first: left..<left + 1, second: next..<next + 1, link: index)
        }
        if word.lower != "than", word.lower != "and" { continue }
      }
      guard
        ["or", "versus", "vs", "against", "than"].contains(word.lower)
          || word.lower == "with" && index > 1 && line.has("compare", "compared"), right == "word",
        !["me", "i", "usual", "ever", "before"].contains(line.lower(next)),
        type(index - 1) == "word"
      else { continue }
      let stops: Set<String> = [
        "more", "most", "with", "at", "in", "on", "by", "which", "what", "have", "did", "do",
        "to", "for", "from", "often", "was", "the", "a", "i", "we", "played", "go", "went", "than",
      ]
      var end = next
      while end < line.words.count, end - next < 3, !stops.contains(line.lower(end)),
        !(end > next && line.words[end].isAfterBreak), type(end) == "word"
      {
        end += 1
      }
      var begin = index
      while begin > 0, index - begin < 3, !stops.contains(line.lower(begin - 1)),
        type(begin - 1) == "word", begin == index || !line.words[begin].isAfterBreak,
        !ConceptResolver.soft.contains(line.key(begin - 1))
          || begin == index
      {
        begin -= 1
      }
      guard end > next, begin < index else { continue }
      if word.lower == "or",
        line.words.contains(where: { type(line.words.firstIndex(of: $0) ?? 0) == "person" }),
        line.find("or", from: index + 1) != nil
      {
        continue
      }
      return Alternatives(first: begin..<index, second: next..<end, link: index)
    }
    return nil
  }

  /// Reads the question once for each of two things.
  func compared(
    _ line: TokenLine, _ pair: Alternatives, _ marks: [String: Mark], _ start: AskQuestion
  ) -> AskQuestion {
    var question = start
    question.kind = .compare
    let marks = sharedYear(line, pair, marks)
    for (own, other) in [(pair.first, pair.second), (pair.second, pair.first)] {
      var part = TokenLine([])
      for (index, word) in line.words.enumerated() {
        if other.contains(index) || index == pair.link { continue }
        if index > pair.link, index < pair.second.lowerBound, own == pair.first { continue }
        if [
          "compare", "compared", "better", "more", "versus", "vs", "against", "than", "comparison",
          "lower", "higher", "worse", "longer", "further", "fewer", "less", "rather",
        ]
        .contains(word.lower) {
          continue
        }
        part.words.append(word)
        part.isTaken.append(false)
      }
      var inner = start
      readMarks(&part, marks, &inner)
      readNegation(&part, marks, &inner)
      readMeasures(&part, &inner, isComparing: true)
      readKind(&part, &inner)
      readWeekdays(&part, &inner)
      readTerms(&part, marks, &inner)
      let label = line.words[own].map { word in
        switch marks[word.lower] {
        case .time(let match): match.text
        case .person(let person): person.words
        case nil: word.text
        }
      }.joined(separator: " ")
      // What is compared is told by the entries themselves.
      inner.hole = .entry
      if line.has("better", "longer", "higher", "lower", "worse") { inner.isAverageWanted = true }
      if inner.measure == nil, line.has("further|farther") { inner.measure = .unit("km") }
      if inner.measure == nil, line.has("more|less time", "longer") {
        inner.measure = .duration("minutes")
      }
      if line.begins("who"), !line.has("did|do|have i|we") {
        for position in inner.people.indices
        where inner.people[position].role.isEmpty
          || inner.people[position].role == "with"
        {
          inner.people[position].role = "subject"
        }
      }
      question.alternatives.append((label, inner))
    }
    return question
  }

  /// "spring or autumn 2024": both of that year.
  private func sharedYear(
    _ line: TokenLine, _ pair: Alternatives, _ marks: [String: Mark]
  ) -> [String: Mark] {
    let names = [line.lower(pair.first.lowerBound), line.lower(pair.second.lowerBound)]
    guard case .time(let first) = marks[names[0]], case .time(let second) = marks[names[1]] else {
      return marks
    }
    var result = marks
    let year = second.text.range(of: "\\b(19|20)\\d\\d\\b", options: .regularExpression)
    if let year, !first.text.contains(where: \.isNumber),
      !["this", "last", "next"].contains(where: { first.text.lowercased().contains($0) }),
      let again = times.matches(in: "\(first.text) \(second.text[year])").first
    {
      result[names[0]] = .time(again)
    }
    return result
  }

  static func weekday(_ word: String) -> Weekday? {
    Weekday.allCases.first { day in
      let name = day.name.lowercased()
      return word == name || word == name + "s"
    }
  }
}
