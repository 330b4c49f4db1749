import ArkivedCore
import Foundation

extension AskReader {
  /// Turns the remaining words of the question into terms that entries have to match.
  func readTerms(
    _ line: inout TokenLine, _ marks: [String: Mark], _ question: inout AskQuestion
  ) {
    // "to work" after a verb of motion is the commute.
    for (index, word) in line.words.enumerated() where !line.isTaken[index] {
      let before = line.lower(index - 1)
      let moves = line.words.contains {
        [
          "cycl", "bik", "rid", "pedal", "walk", "run", "driv", "go", "travel", "commut", "get",
          "miles", "km",
        ].contains($0.key)
      }
      let isWay =
        word.lower == "work" && before == "to"
        || word.lower == "office" && before == "the" && line.lower(index - 2) == "to"
          && timeline.tags["commute"] != nil
      if isWay, moves {
        line.words[index].key = "commut"
      }
    }
    var hole: String?
    if case .thing(let key) = question.hole, !key.isEmpty { hole = key }
    if let mark = question.lightVerbs.first(where: { $0.hasPrefix("@") }) {
      hole = String(mark.dropFirst())
    }
    for (index, word) in line.words.enumerated() where !line.isTaken[index] {
      let lower = word.lower
      guard !lower.hasPrefix("zq") else { continue }
      let isHole = word.key == hole
      if !isHole {
        // Entries contain "come over"; "come" alone is too general.
        let comesOver = word.key == "com" && ["over", "round"].contains(line.lower(index + 1))
        if QuestionWords.light.contains(word.key), !word.isQuoted, !comesOver {
          question.lightVerbs.insert(word.key)
          continue
        }
        let isLong = lower == "long" && line.lower(index - 1) == "longest"
        let isDate =
          ["date", "dates"].contains(lower) && timeline.tags["date"] != nil
          && isEvent(index, line, question)
        if !isLong, !isDate,
          QuestionWords.fillers.contains(lower) && !word.isQuoted || lower.count == 1
        {
          continue
        }
        if StopWords.contains(lower), !word.isQuoted { continue }
        // "came round" is a single verb.
        if ["round", "around"].contains(lower), line.key(index - 1) == "com" { continue }
      }
      if lower == "home", line.words.contains(where: { $0.key == "bring" }) { continue }
      if lower == "else" {
        question.excludesClauseEntries = true
        continue
      }
      let preposition = self.preposition(before: index, line)
      var term = AskQuestion.Term(
        text: word.text, key: timeline.names.key(of: word.text, word.key), preposition: preposition)
      term.isVerb =
        !isHole && preposition == nil
        && (["i", "we", "to", "he", "she", "they"].contains(line.lower(index - 1))
          || index == 1 && line.lower(0) == "who" && question.hole == .person
          || line.lower(index - 1).hasPrefix("zqperson") && !line.words[index - 1].isPossessive
          || ["first", "last", "most"].contains(line.lower(index - 1)) && line.has("did|do")
            && !["his", "her", "their", "my", "our", "the"].contains(line.lower(index - 2))
          || FrameReader.isVerb(word, hasSubject: false))
      term.isCapitalised = word.isCapitalised && index > 0
      term.isHole = isHole
      term.isQuoted = word.isQuoted
      var before = index - 1
      while before > 0,
        [
          "a", "an", "the", "my", "in", "at", "some", "go", "went", "to", "play", "do", "did",
          "for", "i", "we",
        ]
        .contains(line.lower(before))
      {
        before -= 1
      }
      term.isAlternative = line.lower(before) == "or" && !question.terms.isEmpty
      // "practise or play the accordion": either verb, with the accordion.
      if term.isAlternative, question.terms.contains(where: \.isVerb), before + 1 < index,
        ["play", "do", "go"].contains(line.lower(before + 1))
      {
        term.isAlternative = false
      }
      // "how many kilometres did I run and cycle"
      if term.isVerb || FrameReader.isVerb(word, hasSubject: false), line.lower(before) == "and",
        question.kind == .sum || question.kind == .count, question.joins.isEmpty,
        question.terms.last?.isVerb == true, !line.has("both")
      {
        term.isAlternative = true
      }
      if !question.terms.contains(where: { $0.key == term.key && $0.isExcluded == term.isExcluded })
      {
        question.terms.append(term)
      }
    }
    // Numbers in texts don't express the days' own figures.
    switch question.measure {
    case .metric, .mood, .energy:
      let numbers = question.terms.filter { Quantities.number($0.key) != nil && !$0.isExcluded }
      question.ignored += numbers.map { Language.current.quoted($0.text) }
      question.terms.removeAll { numbers.contains($0) }
    default: break
    }
    // "When did I begin to learn Italian?" asks for the first time.
    if question.kind == .when, question.terms.count > 1,
      let begin = question.terms.firstIndex(where: {
        $0.isVerb && ["begin", "start"].contains($0.key)
      }), question.clause == nil
    {
      question.ignored.append(said("“\(question.terms[begin].text)” (read as the first time)"))
      question.terms.remove(at: begin)
      question.kind = .first
      question.hole = .entry
    }
    // A book that was read is a book that was finished.
    let book = Lemma.key("book"), finish = Lemma.key("finish")
    if question.terms.contains(where: { $0.key == book && !$0.isHole }),
      [.count, .average, .yesNo, .list].contains(question.kind)
        && line.has("many|more|fewer|number|average")
        || question.kind == .count,
      timeline.frequency(of: finish) > 0,
      !question.terms.contains(where: {
        ["finish", "begin", "start", "buy", "borrow"].contains($0.key)
      })
    {
      question.terms.append(.init(text: "finished", key: finish, isVerb: true))
      question.terms.removeAll { $0.key == "read" }
    }
    if line.has("else") { question.excludesClauseEntries = true }
    // "who wrote X", "who ate X": the author or doer.
    if line.has("wrote", "author", "writer"), question.hole == .person {
      question.lightVerbs.insert("by")
      question.terms.removeAll { ["writ", "author", "writer"].contains($0.key) }
    }
    if line.find("by", free: true) != nil { question.lightVerbs.insert("byRole") }
  }

  /// Interprets "in which month over all the years" as months of the calendar; if ambiguous, the
  /// answer says so.
  func settleMonths(_ question: inout AskQuestion) {
    guard question.hole == .period(.month) else { return }
    let text = question.text.lowercased()
    let isAll =
      text.range(
        of: "\\b(all|over|across|any|every|each) (of )?(the |my )?years?\\b",
        options: .regularExpression)
      != nil
    if isAll {
      question.hole = .period(.calendarMonth)
    } else if question.days == nil, text.contains(" do i ") || text.contains(" do we ") {
      question.ignored.append(said("the same month in other years"))
    }
  }

  /// Returns true if "date" means a meeting of two people: "my last date", "dates by month".
  private func isEvent(_ index: Int, _ line: TokenLine, _ question: AskQuestion) -> Bool {
    let before = line.lower(index - 1)
    if [
      "on", "a", "my", "our", "last", "first", "many", "every", "each", "most", "fewest", "more",
    ]
    .contains(before) || AskReader.small[before] != nil {
      return true
    }
    if before == "the" { return question.kind == .since || question.kind == .gap }
    return index == 0 && ["by", "per", "with", "in", "each", "zqtimea"].contains(line.lower(1))
  }

  private func preposition(before index: Int, _ line: TokenLine) -> String? {
    var place = index - 1
    while place >= 0, ["the", "a", "an", "my", "our", "some", "any"].contains(line.lower(place)) {
      place -= 1
    }
    guard place >= 0, FrameReader.prepositions.contains(line.lower(place)) else { return nil }
    return line.lower(place)
  }
}
