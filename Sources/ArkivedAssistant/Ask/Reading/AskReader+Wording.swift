import ArkivedCore
import Foundation

/// Alternative wordings, rewritten into the patterns' own words before anything else is parsed.
extension AskReader {
  private static let numbers = "two|three|four|five|six|seven|eight|nine|ten|[2-9]|10"

  /// Rewordings that don't depend on the archive.
  private static let wordings = Rewording([
    // "tagged sport", "of kind work": only the word itself.
    (
      #"\b(?:(?:that )?(?:are|were|is|was) )?(?:tagged|labelled|labeled)(?: with| as)?\b"#, "with"
    ),
    (#"\b(?:that have|having|with|under) the (?:tag|label)\b"#, "with"),
    (#"\bof (?:the )?(?:kind|type|category)\b"#, "with"),
    (#"\b(?:entries|activities) (?:that )?(?:mention|mentioning|say|saying)\b"#, "entries with"),
    // "over an hour"
    (
      #"\b(than|over|under|least|most|above|below|exceeding) an hour and a half\b"#, "$1 90 minutes"
    ),
    (#"\b(than|over|under|least|most|above|below|exceeding) half an hour\b"#, "$1 30 minutes"),
    (#"\b(than|over|under|least|most|above|below|exceeding) (?:an|one) hour\b"#, "$1 60 minutes"),
    (
      #"\b(?:that |which )?(?:lasted|lasting|took|taking) (?=over |under |more |less |at |longer |shorter )"#,
      ""
    ),
    // "how long did my longest hike take"
    (
      #"\bhow (?:long|far|big|much) (?:was|is|did|were) (?:the|my|our) (longest|shortest|furthest|farthest|most expensive|cheapest|dearest)\b(.*?)(?: take| last| cost| go)?(?=\s*\??\s*$)"#,
      "$1$2"
    ),
    // "three people I most often talk to", "three most frequent errands"
    (
      "^(?:name |list |give me |tell me |show me )?(\(numbers)) (?=.*\\b(?:most|least)\\b)",
      "the $1 "
    ),
    (#"\bleast (?:common|commonly|frequent|usual|popular)\b"#, "least often"),
    ("\\b(\(numbers)) (?:most recent|latest|newest)\\b", "last $1"),
    (#"\bhow many (?:weeks|months|years) ago\b"#, "how many days ago"),
    (#"\bhow (?:many days|long) (?:is|was) it since\b"#, "how long since"),
    (#"\bhow (?:many days|long) (?:have|has) passed since\b"#, "how long since"),
    (#"\bper (?:sitting|session|go|entry|occasion)\b"#, "on average"),
    (#"\b(?:mean|average)\b(.*) on average\b"#, "average$1"),
    (#"\baverage weekly\b(.*)"#, "average$1 per week"),
    (#"\baverage monthly\b(.*)"#, "average$1 per month"),
    (#"\baverage (?:spend|spending) (?:per|on)\b"#, "average money on"),
    (#"\bwhat did (.+?) cost (?:me|us)(?= |\?|$)"#, "how much did I spend on $1"),
    (
      #"\bhow (?:many days|long) (?:are there |is there |lie |lies |pass |passes )?between (?!.*\band\b)(.*?) (?:on average|usually|typically|normally)\b"#,
      "average days between $1"
    ),
    (
      #"\bhow many (?!different|more|other|many|consecutive|whole|full|work)(\w+) days (?:did|have) (?:i|we) (?:have|had|take|taken)\b"#,
      "how many days was there $1"
    ),
    (#"\bmore (?:often )?than (?:anyone|anybody|anything|any other \w+)(?: else)?\b"#, "most"),
    (#"\b(?:commonest|most usual)\b"#, "most common"),
    (#"\b(?:what (?:was|is) )?the total cost of\b"#, "how much did I spend on"),
    (#"\b(?:comes|come|came) up (?=most|least|more)"#, ""),
    (
      #"^in ((?:19|20)\d\d),? (.*\b(?:january|february|march|april|may|june|july|august|september|october|november|december)) or (?:in )?(january|february|march|april|may|june|july|august|september|october|november|december)\b(?! \d)"#,
      "$2 $1 or $3 $1"
    ),
    (#"\bhow (?:late|early) (?:did|do|have) (?=i |we )"#, "what time did "),
  ])

  /// Returns the question in words that the patterns recognise; changes to its meaning are
  /// reported.
  func reworded(_ text: String, _ question: inout AskQuestion) -> String {
    var result = AskReader.wordings.applied(to: text)
    // "eat out" doesn't mean every meal.
    if capture(
      #"\b(?:eat|eaten|ate|eating|dine|dined|meals?|dinners?|lunch|lunched) (out)\b"#, in: result)
      != nil
    {
      question.ignored.append(Language.current.quoted("out"))
    }
    // Notes are used only if activities don't provide an answer, never by themselves.
    if capture(
      #"\b(day notes?|(?:write|wrote|written|keep|kept) (?:a |any |my |the )?(?:notes?|diary|journal))\b"#,
      in: result) != nil
    {
      question.ignored.append(said("“day notes” (they aren’t searched on their own)"))
    }
    if timeline.metrics.keys.contains(where: { $0.lowercased().contains("sleep") }) {
      result = result.replacingOccurrences(
        of: #"\b(shortest|longest|best|worst) nights?\b(?!'|’)"#, with: "$1 sleep",
        options: [.regularExpression, .caseInsensitive])
    }
    if timeline.tags["friends"] == nil, timeline.frequency(of: Lemma.key("friends")) == 0 {
      result = result.replacingOccurrences(
        of: #"\b(?:which|who) of my friends\b(?! zq| [A-Z])"#, with: "who",
        options: [.regularExpression])
      result = result.replacingOccurrences(of: "Which of my friends", with: "Who")
    }
    if capture(#"\b(put on|gain(?:ed)?|lost|lose|shed) (?:any |some |much )?weight\b"#, in: result)
      != nil
    {
      question.uncertain.append(said("whether it rose or fell"))
    }
    // "2011/12" may be a season, or a month.
    for match in result.matches(of: /\b((?:19|20)\d\d)\/(\d\d)\b(?![\/\d])/) {
      if let year = Int(match.1), Int(match.2) == (year + 1) % 100 {
        question.ignored.append(
          said("“\(match.0)” as one season or one month (both years are included)"))
      }
    }
    // Entries don't say how many things somebody owns.
    if capture(#"^(how many \w+(?: \w+)? do (?:i|we) (?:have|own))\s*\??$"#, in: result) != nil {
      question.ignored.append(said("“have” (entries were counted, not what you own)"))
    }
    // An absence from work is dated by its cause.
    if let (range, _) = capture(
      #"\boff (?:work|school|sick) ((?:because of|because|as|with|due to) (?:(?:i|we)(?:[’']d| had| was| were)? )?(?:been |having |had )?)"#,
      in: result)
    {
      result.replaceSubrange(range, with: "")
      question.ignored.append(said("“off work” (judged by the reason given)"))
    }
    result = highestNumber(result, &question)
    result = cities(result, &question)
    return hourEdge(result, &question)
  }

  /// Rewrites "the highest number of meetings in one day" as the count of the period with the most.
  private func highestNumber(_ text: String, _ question: inout AskQuestion) -> String {
    let forms = [
      #"((?:what (?:was|is|were) )?(?:the |my )?(?:highest|largest|biggest|greatest|maximum) number of (.+?) (?:i had |i've had |i have had |ever )?(?:in|on) (?:one|a|a single|any) (day|week|month|year))\b"#,
      #"(how many (.+?) (?:did|have) i (?:have |had |ever |do |done )*at (?:the )?most (?:in|on) (?:one|a|a single) (day|week|month|year))\b"#,
    ]
    for form in forms {
      guard let expression = try? NSRegularExpression(pattern: form, options: .caseInsensitive),
        let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
        let whole = Range(match.range, in: text), let noun = Range(match.range(at: 2), in: text),
        let period = Range(match.range(at: 3), in: text)
      else { continue }
      let word = WordCutter.words(of: String(text[noun])).first?.lower ?? ""
      let isMeasured =
        AskReader.unit(word, timeline.units) != nil
        || timeline.metrics.keys.contains { AskReader.metricWords($0).contains(word) }
      if !isMeasured { question.lightVerbs.insert("figure") }
      return text.replacingCharacters(
        in: whole,
        with: isMeasured
          ? "most \(text[noun]) in a \(text[period])"
          : "which \(text[period]) had the most \(text[noun])")
    }
    return text
  }

  /// Rewrites "which cities did I visit" as destinations of journeys if the archive has them;
  /// otherwise as any place, which the answer says.
  private func cities(_ text: String, _ question: inout AskQuestion) -> String {
    guard let (_, noun) = capture(#"\b(cities|towns|countries)\b"#, in: text) else { return text }
    let isHow = capture(#"\b(how many (?:different )?(?:cities|towns))\b"#, in: text) != nil
    question.uncertain.append(said("whether each is really one of the \(noun.lowercased())"))
    guard timeline.tags["trip"] == nil else { return text }
    var result = text.replacingOccurrences(
      of: #"\b(have|did) (i|we) (?:been to|been in|been|visit|visited|seen|see|gone to|go to)\b"#,
      with: "$1 $2 travel to", options: [.regularExpression, .caseInsensitive])
    if isHow {
      result = result.replacingOccurrences(
        of: #"\bhow many (?:different )?(cities|towns)\b"#, with: "how many different $1",
        options: [.regularExpression, .caseInsensitive])
    }
    return result
  }

  /// Rewrites "the earliest I had a meeting", "the latest run of the day" as a clock time.
  private func hourEdge(_ text: String, _ question: inout AskQuestion) -> String {
    let forms = [
      #"((?:what (?:was|is|'s) |what's )?(?:the )?(earliest|latest) (?:(?:that )?(?:i|we)(?:'ve| have)?(?: ever)?))\b"#,
      #"((?:what (?:was|is) |what's )?(?:the |my )?(earliest|latest) )\w+(?: \w+)? (?:of|in) the day\b"#,
    ]
    for form in forms {
      guard let expression = try? NSRegularExpression(pattern: form, options: .caseInsensitive),
        let match = expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)),
        let whole = Range(match.range(at: 1), in: text),
        let edge = Range(match.range(at: 2), in: text)
      else { continue }
      let isFirst = text[edge].lowercased() == "earliest"
      question.lightVerbs.insert(isFirst ? "clock:first" : "clock:last")
      question.ignored.append(
        isFirst
          ? said("the day of the first entry (if that’s what you meant)")
          : said("the day of the last entry (if that’s what you meant)"))
      return text.replacingCharacters(in: whole, with: "what time did I ")
        .replacingOccurrences(
          of: #" (?:of|in) the day\b"#, with: "", options: [.regularExpression, .caseInsensitive])
    }
    return text
  }

  /// Returns true if a question consists of a plural compound and a time: "choir practices in
  /// March".
  private func isCompound(_ line: TokenLine, _ question: AskQuestion) -> Bool {
    guard line.words.count > 2, !line.isTaken[0], !line.isTaken[1],
      !FrameReader.isVerb(line.words[0], hasSubject: false), line.words[1].sign == nil,
      ![line.words[0], line.words[1]].contains(where: { word in
        QuestionWords.fillers.contains(word.lower) || QuestionWords.light.contains(word.key)
          || word.isCapitalised && word.text != line.words[0].text || word.isQuoted
      })
    else { return false }
    let head = line.words[1]
    return head.lower.hasSuffix("s") && head.key != head.lower && !head.lower.hasSuffix("ss")
      && !FrameReader.prepositions.contains(line.lower(0))
      && line.words[2...].allSatisfy { $0.lower.hasPrefix("zq") || $0.lower == "in" }
  }

  /// Reports the parts of a question that were ignored: bounds given by events, and verbs that
  /// accompany nothing but a name.
  func tellUnused(_ line: TokenLine, _ question: inout AskQuestion) {
    if question.kind == .list, question.hole == .entry, let first = line.words.first,
      !line.isTaken[0], first.lower.hasSuffix("s"), first.key != first.lower,
      question.terms.first?.key == first.key, line.words.count > 1
    {
      question.lightVerbs.insert("nominal")
    }
    if question.kind == .list, question.hole == .entry, isCompound(line, question) {
      question.lightVerbs.insert("nominal")
    }
    for (index, word) in line.words.enumerated()
    where ["before", "after", "until"].contains(word.lower) && !line.isTaken[index] {
      let next = line.words[index...].prefix(3).filter { !$0.lower.hasPrefix("zq") }
        .map(\.text).joined(separator: " ")
      question.ignored.append(Language.current.quoted(next))
    }
    for (index, word) in line.words.enumerated()
    where !line.isTaken[index] && ["become", "became"].contains(word.lower) {
      question.ignored.append(Language.current.quoted(word.text))
    }
    guard question.terms.isEmpty, !question.people.isEmpty,
      [.when, .first, .last, .since, .count, .most].contains(question.kind), question.measure == nil
    else { return }
    for (index, word) in line.words.enumerated()
    where !line.isTaken[index]
      && ["get", "got", "take", "took", "begin", "start", "happen"].contains(
        word.lower)
    {
      question.ignored.append(Language.current.quoted(word.text))
    }
  }
}
