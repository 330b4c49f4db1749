package import ArkivedCore
import Foundation

/// Reads a plain question into what it asks. It looks at the names of the archive (people, tags,
/// units, metrics) and at no entry.
package struct AskReader: Sendable {
  let timeline: any Timeline
  let times: TimeReader
  let persons: PersonReader
  let today: DayKey
  let words: Set<String>

  package init(timeline: any Timeline, now: Instant, zone: Zone) {
    self.timeline = timeline
    times = TimeReader(now: now, zone: zone)
    today = zone.dayKey(at: now)
    persons = PersonReader(
      people: timeline.people.map { KnownPerson(name: $0.name, aliases: $0.aliases) })
    var words: Set<String> = []
    for person in timeline.people {
      for name in [person.name] + person.aliases {
        for word in WordCutter.words(of: name) { words.insert(word.lower) }
      }
    }
    self.words = words
  }

  /// A longer question is not read.
  package static let lengthLimit = 2_000

  package func read(_ line: String) -> AskQuestion {
    let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
    var question = AskQuestion(text: text)
    guard text.count <= AskReader.lengthLimit else {
      question.problem =
        "The question is too long to be read; ask in a sentence of at most "
        + "\(AskReader.lengthLimit) characters."
      return question
    }
    if let problem = refusal(of: text) {
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
      rest = plainComparison(rest)
      readJoins(&rest, &question)
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
    return question
  }

  // MARK: Spelling

  private func corrected(_ text: String, _ question: inout AskQuestion) -> String {
    var result = text
    for (phrase, plain) in AskReader.phrases {
      if let range = result.range(of: phrase, options: .caseInsensitive) {
        result.replaceSubrange(range, with: plain)
      }
    }
    let cut = WordCutter.words(of: result, joinsPhrases: false)
    // Most questions hold known words alone, and need no list of all of them.
    let isSuspect = cut.contains { word in
      let lower = word.lower
      return lower.count >= 4 && timeline.frequency(of: word.key) == 0
        && !QuestionWords.fillers.contains(lower) && !StopWords.contains(lower)
        && !AskReader.questionVocabulary.contains(lower) && !words.contains(lower)
    }
    if isSuspect { correct(&result, cut, &question) }
    for (short, long) in AskReader.contractions {
      result = result.replacingOccurrences(
        of: "\\b\(short)\\b", with: long, options: [.regularExpression, .caseInsensitive])
    }
    for (typo, word) in AskReader.typos {
      result = result.replacingOccurrences(
        of: "\\b\(typo)\\b", with: word, options: [.regularExpression, .caseInsensitive])
    }
    if timeline.metrics.keys.contains(where: { $0.lowercased().contains("heartrate") }) {
      result = result.replacingOccurrences(
        of: "(resting )?(pulse|heart ?rate)", with: "resting heart rate",
        options: [.regularExpression, .caseInsensitive])
    }
    if timeline.metrics.keys.contains(where: { $0.lowercased().contains("weight") })
      || timeline.units["kg"] != nil
    {
      for (phrase, plain) in [
        ("how heavy (am|was) i", "what was my weight"), ("the heaviest i('ve| have|) ?(ever )?(been|was)", "my highest weight"),
        ("the lightest i('ve| have|) ?(ever )?(been|was)", "my lowest weight"),
      ] {
        result = result.replacingOccurrences(
          of: phrase, with: plain, options: [.regularExpression, .caseInsensitive])
      }
    }
    // “rather than me phoning her” says again what the sentence says.
    if let range = result.range(
      of: ",? (rather than|and not|instead of) (me|him|her|them|us|the other)\\b[^,?]*",
      options: .regularExpression)
    {
      result.removeSubrange(range)
    }
    for lead in ["name ", "give me ", "tell me "] where result.lowercased().hasPrefix(lead) {
      result.removeFirst(lead.count)
    }
    // “went too the garden”
    if let range = result.range(of: " too the ") { result.replaceSubrange(range, with: " to the ") }
    return result
  }

  private func correct(_ result: inout String, _ cut: [Word], _ question: inout AskQuestion) {
    var candidates = timeline.vocabulary()
    for word in AskReader.questionVocabulary { candidates[word, default: 0] += 50 }
    var names = Set(
      timeline.tags.keys.map { Lemma.key($0) } + AskReader.questionVocabulary.map { Lemma.key($0) })
    for metric in timeline.metrics.keys {
      names.formUnion(AskReader.metricWords(metric).map { Lemma.key($0) })
    }
    for place in timeline.places.keys { names.formUnion(WordCutter.words(of: place).map(\.key)) }
    let spelling = Spelling(
      isKnown: { word in
        candidates[word] != nil || QuestionWords.fillers.contains(word)
          || StopWords.contains(word) || words.contains(word)
          || timeline.frequency(of: Lemma.key(word)) > 0 || names.contains(Lemma.key(word))
          || UnitTable.standard.unit(named: word) != nil || AskReader.isCommon(word)
      }, candidates: candidates)
    for word in cut {
      let isName = word.isCapitalised && !result.hasPrefix(word.text)
      guard !isName, !word.isQuoted, let right = spelling.correction(of: word.text) else {
        continue
      }
      if let range = result.range(of: word.text) { result.replaceSubrange(range, with: right) }
      question.corrections.append((word.text, right))
    }
  }

  /// Everyday words that need no correction although the archive lacks them.
  static func isCommon(_ word: String) -> Bool {
    let key = Lemma.key(word)
    return !Synonyms.of(key).isEmpty || Ontology.isKind(key)
      || Ontology.knows(key)
      || QuestionWords.light.contains(key) || WordForms.english.forms(of: word).count > 1
  }

  /// Phrases that are one thing under another name.
  static let phrases: [(String, String)] = [
    ("movie theater", "cinema"), ("movie theatre", "cinema"), ("on the water", "sailing"),
    ("cell phone", "phone"), ("going by visits", ""), ("in one sitting", ""), ("in one go", ""),
    ("a ranking of ", ""), ("hours asleep", "hours of sleep"), ("was i asleep", "did I sleep"), (" by name", ""), ("the names of ", ""), ("the name of ", ""), ("set foot in", "go to"), ("whereabouts", "where"),
    ("all years together", "of all years"), ("on the plane", "on a flight"), (" v ", " versus "),
    ("all together", "in total"), ("late at night", "late in the evening"),
    ("in a single day", "in a day"), ("tv series", "series"),
  ]

  static let contractions: [(String, String)] = [
    ("I[’']ve", "I have"), ("we[’']ve", "we have"), ("I[’']m", "I am"), ("I[’']d", "I had"),
    ("what[’']ve", "what have"), ("where[’']ve", "where have"), ("who[’']ve", "who have"),
    ("who[’']s", "who is"), ("where[’']s", "where is"), ("when[’']s", "when is"),
    ("where[’']d", "where did"), ("what[’']d", "what did"), ("who[’']d", "who did"),
  ]

  /// Slips in words so short or so common that no list of near words finds them.
  static let typos: [(String, String)] = [
    ("hwo", "how"), ("waht", "what"), ("wat", "what"), ("wehn", "when"), ("teh", "the"),
    ("adn", "and"), ("whcih", "which"), ("wich", "which"), ("wiht", "with"), ("jne", "june"),
    ("jly", "july"), ("avg", "average"), ("thier", "their"), ("taht", "that"), ("hom", "home"),
    ("ot", "to"), ("fo", "of"),
  ]

  static let questionVocabulary: [String] = [
    "back", "away", "home", "cheapest", "expensive", "dearest", "salt", "went", "came", "left",
    "took", "gave", "made", "told", "said", "early", "late", "long", "short", "fast", "slow",
    "alone", "again", "never", "always", "everything", "anything", "nothing", "other", "after",
    "before", "around", "together", "married", "moved", "bought", "sold", "played", "watched",
    "learned", "learnt", "finished", "started", "visited", "travel", "travelled", "holiday",
    "cycle", "cycled", "bike", "ride", "walk", "swim", "pages", "books", "phone", "colleague",
    "what", "when", "where", "which", "whom", "many", "much", "often", "times", "most", "least",
    "longest", "shortest", "average", "first", "last", "between", "during", "month", "months",
    "week", "weeks", "year", "years", "yesterday", "today", "january", "february", "march", "april",
    "june", "july", "august", "september", "october", "november", "december", "monday", "tuesday",
    "wednesday", "thursday", "friday", "saturday", "sunday", "summer", "winter", "autumn", "spring",
    "kilometres", "kilometers", "miles", "hours", "minutes", "pages", "steps", "people", "total",
    "lunch", "dinner", "breakfast", "with", "without", "weekend", "compare", "did", "have", "how",
    "who", "long", "since", "tags", "tours", "rate", "weight", "mood", "energy", "places",
    "friends",
    "colleagues", "games", "favourite", "gap", "streak", "row", "lower", "higher", "better",
    "worse", "further", "longer", "shorter",
    "fewer", "busiest", "quietest", "earliest", "latest", "boss", "brother", "sister", "mother",
    "father", "husband", "wife", "partner", "neighbour", "friend", "colleague", "genre", "tall",
    "live", "lives", "born", "price", "cost", "money", "weather", "feel", "felt", "name", "named",
    "night", "evening", "morning", "difference", "compared", "comparison", "ahead", "weekdays",
    "weekends", "fewest", "spend", "spent", "versus", "earlier", "later", "busier",
  ]

  // MARK: What is no question to the archive

  private func refusal(of text: String) -> String? {
    let words = WordCutter.words(of: text, joinsPhrases: false)
    guard !words.isEmpty else { return "The question is empty." }
    let letters = text.unicodeScalars.filter { $0.properties.isAlphabetic }
    let foreign = letters.filter { $0.value > 0x24F }.count
    if foreign * 2 > letters.count || text.contains("¿") {
      return "I read English only."
    }
    let plain = text.lowercased()
    if let date = AskReader.impossibleDate(plain) {
      return "There is no \(date)."
    }
    if plain.range(
      of: "^(when|where|what|who|how (many|often|much)( \\w+)?) (will|shall|am i going to|are we going to)\\b|^will (i|we|he|she|they)\\b",
      options: .regularExpression) != nil
    {
      return "That lies in the future; the archive holds what was."
    }
    if ["what time is it", "what's the time", "what is the time"].contains(where: plain.hasPrefix) {
      return "That the archive does not hold; it holds what was."
    }
    if ["thanks", "thank", "cheers", "bye", "goodbye"].contains(words[0].lower), words.count < 8 {
      return "That is no question; ask for example: what did I do last week?"
    }
    // Words of which none is a question's and none is in the archive are another language's.
    if words.count >= 3,
      !words.contains(where: { word in
        let lower = word.lower
        return QuestionWords.fillers.contains(lower) && lower.count > 3 || StopWords.contains(lower)
          && ["the", "i", "my", "we", "with", "and", "of", "did", "have", "was", "is"].contains(lower)
          || timeline.frequency(of: word.key) > 0 && lower.count > 3
          || lower.contains { $0.isNumber } || self.words.contains(lower)
          || UnitTable.standard.unit(named: lower) != nil
          || AskReader.questionVocabulary.contains(lower)
      })
    {
      return "I read English only, or none of these words is in the archive."
    }
    if plain.range(
      of: "^(can|could|would|will) you (please )?(delete|remove|erase|add|create|change|rename|send|write|forget|drop|edit|update)\\b",
      options: .regularExpression) != nil
    {
      return "That is an order, and asking changes nothing. I only answer questions."
    }
    var index = 0
    if ["please", "kindly", "now", "ok", "okay"].contains(words[0].lower) { index = 1 }
    if ["name"].contains(words[0].lower) { return nil }
    guard words.indices.contains(index) else { return "The question is empty." }
    let first = words[index].lower
    if first == "how", words.indices.contains(index + 1),
      ["old", "tall", "come", "big", "heavy"].contains(words[index + 1].lower)
    {
      return
        "How \(words[index + 1].lower) I can't compute; ask how many, how long, how far or how often."
    }
    if first == "why" {
      return "Why something was so I can't compute; ask what, when, who or how many."
    }
    let orders: Set<String> = [
      "delete", "remove", "add", "create", "drop", "mark", "export", "write", "send", "remind",
      "update", "set", "change", "rename", "import", "restore", "insert", "erase", "forget", "make",
      "translate", "email", "merge", "undo", "edit", "schedule", "play", "open", "turn", "ignore",
    ]
    if orders.contains(first), words.count > index + 1,
      !words.contains(where: {
        ["did", "i", "my", "how", "what", "when", "often"].contains($0.lower)
      })
        || index == 1 || ["delete", "drop", "write", "erase", "remove", "add"].contains(first)
    {
      return "That is an order, and asking changes nothing. I only answer questions."
    }
    return nil
  }

  /// "31 April": a date that no year has.
  static func impossibleDate(_ text: String) -> String? {
    let months = MonthName.full.map { $0.lowercased() }
    let names = months.joined(separator: "|")
    let forms = [
      "\\b(\\d{1,2})(?:st|nd|rd|th)? (?:of )?(\(names))\\b", "\\b(\(names)) (\\d{1,2})(?:st|nd|rd|th)?\\b(?!:)",
    ]
    for form in forms {
      guard let expression = try? NSRegularExpression(pattern: form),
        let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
        let whole = Range(match.range, in: text), let first = Range(match.range(at: 1), in: text),
        let second = Range(match.range(at: 2), in: text)
      else { continue }
      let parts = [String(text[first]), String(text[second])]
      guard let day = parts.compactMap({ Int($0) }).first,
        let month = parts.lazy.compactMap({ months.firstIndex(of: $0) }).first
      else { continue }
      let most = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month]
      if day > most || day == 0 { return "\(day) \(MonthName.full[month])" }
      _ = whole
    }
    return nil
  }

  // MARK: Marks for times and people

  /// What a word that stands for a time or a name means.
  enum Mark {
    case time(TimeMatch)
    case person(AskQuestion.NamedPerson)
    /// Months of any year, as they were written.
    case months(Set<Int>, String)
  }

  /// The text with times and names replaced by one word each, so that they can be read as words.
  private func marked(
    _ text: String, _ question: inout AskQuestion, _ marks: inout [String: Mark]
  ) -> String {
    var hidden = text
    for word in AskReader.degrees {
      while let range = hidden.range(
        of: "\\b\(word)\\b", options: [.regularExpression, .caseInsensitive])
      {
        hidden.replaceSubrange(
          range, with: String(repeating: " ", count: hidden.utf8[range].count))
      }
    }
    var result = text
    let matches = times.matches(in: hidden).filter { match in
      let lower = match.text.lowercased()
      return ![
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
      guard !result[match.range].lowercased().hasPrefix("zq") else { continue }
      // "in Sofia" is the town.
      let lead = result[..<match.range.lowerBound].split(separator: " ").last?.lowercased() ?? ""
      let tail = result[match.range.upperBound...]
      if ["in", "near", "around"].contains(lead), !tail.hasPrefix("'s"), !tail.hasPrefix("’s") {
        continue
      }
      let words = String(result[match.range])
      let name = "zqperson" + AskReader.letter(position)
      marks[name] = .person(
        .init(words: words, names: match.candidates.map(\.name), role: ""))
      result.replaceSubrange(match.range, with: name)
    }
    return relations(in: firstNames(in: result, &marks), &marks)
  }

  /// Years that stand alone: "longest ride 2024".
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

  /// "from December 2023 to January 2023" has no days.
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
      question.problem = "The time ends before it begins: \(matches[0].text) … \(matches[1].text)."
    }
  }

  static func letter(_ position: Int) -> String {
    String(UnicodeScalar(UInt8(97 + min(position, 25))))
  }

  /// Words, as patterns, that say nothing of time beside a time.
  private static let degrees = [
    "most", "least", "longest", "shortest", "average", "more", "mean",
    "first(?! (?:week|weekend|half|quarter|month|third|\\w+ (?:days|weeks|months)))",
  ]

  /// Capitalised first names that stand without a word that speaks of somebody: "Leyla or Clara".
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
          options: .regularExpression)
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

  /// "my boss", where the archive says of somebody that they are it.
  private func relations(in text: String, _ marks: inout [String: Mark]) -> String {
    // "my sister Orla" is Orla.
    var result = text.replacingOccurrences(
      of: "\\bmy (\(TextPeople.relations.sorted().joined(separator: "|"))) (?=zqperson)", with: "",
      options: .regularExpression)
    for position in 0..<3 {
      guard
        let range = result.range(
          of: "\\b(my [a-z]+|(the|our) (kids|children))\\b(?! zqperson)", options: .regularExpression),
        let (names, words) = relation(String(result[range]))
      else { continue }
      let mark = "zqperson" + AskReader.letter(10 + position)
      marks[mark] = .person(.init(words: words, names: names, role: ""))
      result.replaceSubrange(range, with: mark)
    }
    return result
  }

  /// Whom "my sister" or "the children" are.
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
    guard isPlural || TextPeople.relations.contains(String(word)) || word == "friend",
      !found.isEmpty, found.count <= (isPlural ? 8 : 3)
    else { return nil }
    return (found, text)
  }
}
