import Foundation

/// Reads plain questions: the time, people, tags, kinds and words in them, and the kind of answer
/// requested.
package struct QuestionReader: Sendable {
  private let times: TimeReader
  private let people: PersonReader

  package init(now: Instant, zone: Zone, people: PersonReader) {
    times = TimeReader(now: now, zone: zone)
    self.people = people
  }

  /// The maximum number of characters read; the rest of a longer question is ignored.
  package static let lengthLimit = 4_000

  /// Returns true if a line in a search field is a question and not just search words.
  ///
  /// Quoted and excluded words and parts of words are only known to a search for words.
  package static func isQuestion(_ line: String) -> Bool {
    let words = tokens(of: line.prefix(200)[...])
    guard words.count >= 3, let first = words.first?.lowercased() else { return false }
    let openings: Set<String> = [
      "what", "whats", "who", "whom", "when", "where", "how", "which", "did", "do", "have", "was",
      "were", "show", "list", "find",
    ]
    guard openings.contains(first), !line.contains("\"") else { return false }
    return WordQuery(line).terms.allSatisfy { term in
      // In “when was it -5 degrees”, it is a number.
      term.form == .word && (!term.isExcluded || term.text.first?.isNumber == true)
    }
  }

  package func read(_ line: String) -> Question {
    let text = String(line.prefix(QuestionReader.lengthLimit))
      .trimmingCharacters(in: .whitespacesAndNewlines)
    var question = Question(text: text)
    // A word such as “most” is not part of a time, but keeps “most in 2021” from being one.
    var rest = text
    for word in QuestionReader.degrees {
      while let range = rest.range(
        of: "\\b\(word)\\b", options: [.regularExpression, .caseInsensitive])
      {
        question.ignored.append(word)
        blank(range, in: &rest)
      }
    }
    let matches = times.matches(in: rest)
    // The first of several times limits the answer; the others are reported as unused.
    if let time = matches.first {
      question.time = time
      question.ignored += matches.dropFirst().map(\.text)
      for match in matches.reversed() { blank(match.range, in: &rest) }
    }
    for match in people.mentions(in: rest, anyCase: true).reversed() {
      question.people.insert(
        .init(words: String(rest[match.range]), candidates: match.candidates), at: 0)
      blank(match.range, in: &rest)
    }
    var words = QuestionReader.tokens(of: rest[...])
    readKind(&words, &question)
    readTags(&words, &question)
    question.words = words.filter { word in
      WordQuery.hasContent(word) && !QuestionReader.isFiller(word)
    }
    // “How often did I see Priya” asks for all entries with her, regardless of their words.
    let telling = question.words.filter { !QuestionReader.meetingWords.contains($0.lowercased()) }
    if !telling.isEmpty || !question.people.isEmpty { question.words = telling }
    return question
  }

  /// Replaces the used text with spaces, which keeps other ranges valid.
  private func blank(_ range: Range<String.Index>, in text: inout String) {
    let width = text.utf8[range].count
    text.replaceSubrange(range, with: String(repeating: " ", count: width))
  }

  // MARK: Parts

  /// Finds and removes the words that determine the kind of answer.
  private func readKind(_ words: inout [String], _ question: inout Question) {
    let lower = words.map { $0.lowercased() }
    func take(_ phrase: [String]) -> Int? {
      guard lower.count >= phrase.count else { return nil }
      for start in 0...(lower.count - phrase.count)
      where Array(lower[start..<start + phrase.count]) == phrase {
        return start
      }
      return nil
    }
    func remove(_ start: Int, _ count: Int) { words.removeSubrange(start..<start + count) }
    if let start = take(["how", "many"]) {
      let next = start + 2 < lower.count ? lower[start + 2] : ""
      if next == "times" {
        question.kind = .count
        remove(start, 3)
      } else if next == "days" {
        question.kind = .count
        question.countsDays = true
        remove(start, 3)
      } else if let unit = UnitTable.standard.unit(named: next) {
        question.kind = .sum
        question.measure = unit.name
        remove(start, 3)
      } else {
        question.kind = .count
        remove(start, 2)
      }
    } else if let start = take(["how", "often"]) {
      question.kind = .count
      remove(start, 2)
    } else if let start = take(["how", "far"]) {
      question.kind = .sum
      question.measure = "km"
      remove(start, 2)
    } else if let start = take(["how", "long"]) ?? take(["how", "much", "time"]) {
      question.kind = .sum
      question.measure = "minutes"
      remove(start, lower[start + 1] == "long" ? 2 : 3)
    } else if let start = take(["first", "time"]) ?? take(["last", "time"]) {
      question.kind = lower[start] == "first" ? .first : .last
      remove(start, 2)
    } else if lower.first == "when", let start = take(["first"]) ?? take(["last"]) {
      question.kind = lower[start] == "first" ? .first : .last
      remove(start, 1)
    } else if lower.first == "when" {
      // “When did I see the castle?” asks for the latest such day; the others are listed with it.
      question.kind = .last
    } else if let start = take(["how"]), start == 0 {
      question.ignored.append("how")
    }
    // Words that change the meaning of a question but are not supported must be reported.
    if ["who", "whom", "where", "why"].contains(words.first?.lowercased()) {
      question.ignored.append(words[0].lowercased())
    }
    for word in words where QuestionReader.unused.contains(word.lowercased()) {
      question.ignored.append(word.lowercased())
    }
    words.removeAll { QuestionReader.unused.contains($0.lowercased()) }
  }

  private static let degrees = ["most", "least", "longest", "shortest", "average"]

  /// Words for kinds of answers and conditions that are recognised but not supported.
  private static let unused: Set<String> = [
    "not", "never", "without", "except", "or", "mean", "compare", "compared", "versus", "than",
    "more", "fewer", "per", "often",
  ]

  /// Reads `#tag`, `tag:name`, `kind:work`, and “work activities”.
  private func readTags(_ words: inout [String], _ question: inout Question) {
    var rest: [String] = []
    let nouns: Set<String> = ["activities", "activity", "entries", "entry", "events", "event"]
    var index = 0
    while index < words.count {
      let word = words[index]
      let lower = word.lowercased()
      let next = index + 1 < words.count ? words[index + 1].lowercased() : ""
      if word.hasPrefix("#"), word.count > 1 {
        question.tags.append(String(word.dropFirst()))
      } else if lower.hasPrefix("tag:"), word.count > 4 {
        question.tags.append(String(word.dropFirst(4)))
      } else if lower == "tagged", !next.isEmpty {
        question.tags.append(words[index + 1].hasPrefix("#") ? String(next.dropFirst()) : next)
        index += 1
      } else if lower.hasPrefix("kind:"), word.count > 5 {
        question.kinds.append(ActivityKind(rawValue: String(lower.dropFirst(5))))
      } else if ActivityKind.known.contains(ActivityKind(rawValue: lower)), nouns.contains(next) {
        question.kinds.append(ActivityKind(rawValue: lower))
        index += 1
      } else {
        rest.append(word)
      }
      index += 1
    }
    words = rest
  }

  private static let meetingWords: Set<String> = ["see", "saw", "seen", "meet", "met"]

  /// Returns true for words that form the question and not its content.
  static func isFiller(_ word: String) -> Bool {
    let lower = word.lowercased()
    return StopWords.contains(lower) || questionWords.contains(lower)
  }

  private static let questionWords: Set<String> = [
    "what", "what's", "whats", "when", "where", "who", "whom", "which", "why", "whose", "did",
    "do", "does", "done", "doing", "have", "had", "has", "was", "were", "is", "are", "been", "be",
    "tell", "show", "list", "find", "give", "me", "all", "any", "anything", "something", "things",
    "thing", "stuff", "happened", "happen", "happening", "entries", "entry", "activities",
    "activity", "events", "event", "take", "took", "taken", "get", "got", "make", "made", "go",
    "went", "gone", "going", "ever", "please", "altogether", "total", "together", "spend", "spent",
    "during", "time", "times", "day", "days", "up", "there", "else", "about",
  ]

  /// Returns the words of a text: letters and digits with the punctuation allowed within words.
  private static func tokens(of text: Substring) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { word in
      let trimmed = word.drop { !($0.isLetter || $0.isNumber || $0 == "#") }
      guard let end = trimmed.lastIndex(where: { $0.isLetter || $0.isNumber }) else { return "" }
      let bare = String(trimmed[...end])
      return bare.hasSuffix("'s") || bare.hasSuffix("’s") ? String(bare.dropLast(2)) : bare
    }.filter { !$0.isEmpty }
  }
}
