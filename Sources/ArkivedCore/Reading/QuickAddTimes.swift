/// Chooses which of a line's times say when the activity happened.
struct QuickAddTimes {
  /// The position of a time in its line.
  enum Position: Int { case prefix, edge, middle }

  struct Choice {
    var finding: TimeReader.Finding
    var position: Position
    /// The range, including the colon or comma that separates it from the rest.
    var range: Range<String.Index>
  }

  let line: String
  let grammar: TimeGrammar
  let cuts: QuickAddText
  /// The lower-case words of the line, one per token.
  let words: [String]
  /// True if the line contains exactly one time of day, which may then occur anywhere.
  var hasOneClock = false
  /// True if the line contains a time of day.
  var hasHour = false
  /// True if the time is the first of several spans, whose order determines the half of the day.
  var isFirstOfSpans = false
  let lexicon = LineLexicon.shared
  /// The positions of quotation marks.
  private let quotes: [String.Index]

  init(line: String, grammar: TimeGrammar, cuts: QuickAddText, words: [String]) {
    self.line = line
    self.grammar = grammar
    self.cuts = cuts
    self.words = words
    quotes = Self.quotes(in: line.prefix(TimeTokenizer.characterLimit))
  }

  /// Returns the positions of quotation marks, including the single ones in "said 'see you at 4'
  /// and left", but not apostrophes.
  private static func quotes(in line: Substring) -> [String.Index] {
    var (openings, closings): ([String.Index], [String.Index]) = ([], [])
    var double: [String.Index] = []
    var before: Character = " "
    for place in line.indices {
      let sign = line[place]
      if "\"“”„«»".contains(sign) { double.append(place) }
      if "'‘’".contains(sign) {
        let rest = line[line.index(after: place)...].prefix(6)
        let next = rest.first ?? " "
        if before.isWhitespace, sign != "’", next.isLetter {
          let word = rest.prefix { $0.isLetter }.lowercased()
          if !shortened.contains(word) { openings.append(place) }
        } else if !before.isWhitespace, before != "s", next.isWhitespace || next.isPunctuation {
          // "The kids' rooms" contains a plural possessive.
          closings.append(place)
        }
      }
      before = sign
    }
    guard let first = openings.first, let last = closings.last, first < last else { return double }
    return (double + openings.filter { $0 < last } + closings.filter { $0 > first }).sorted()
  }

  /// Words that begin with an apostrophe instead of their first letters.
  private static let shortened: Set<String> = ["til", "till", "cause", "em", "bout", "n", "twas"]

  /// Returns a copy with other parts of the line removed.
  func with(cuts: QuickAddText) -> QuickAddTimes {
    var result = QuickAddTimes(line: line, grammar: grammar, cuts: cuts, words: words)
    result.hasOneClock = hasOneClock
    result.hasHour = hasHour
    return result
  }

  func position(_ finding: TimeReader.Finding) -> Position {
    if cuts.isStart(finding.range.lowerBound, of: line) {
      let next = finding.tokens.upperBound
      // "yesterday :) had fun" and "9:00 -> walk" contain punctuation that counts as words.
      let isFree =
        grammar.isAttached(next) || !grammar.isAttached(next + 1)
        || !grammar.word(next + 1).isEmpty && !grammar.isSign(next + 2, ":")
      let isDash =
        grammar.isSign(next, "-")
        && (!grammar.isAttached(next) || !grammar.word(next + 1).isEmpty)
      let isColon = grammar.isSign(next, ":") || grammar.isSign(next, ",")
      return isFree && (isColon || isDash) ? .prefix : .edge
    }
    let end = finding.range.upperBound
    return cuts.isEnd(end, of: line) || isBeforeRemark(end) ? .edge : .middle
  }

  /// Returns true if only a bracketed remark or asterisks follow: "9:30 (work)", "9:30*".
  private func isBeforeRemark(_ place: String.Index) -> Bool {
    var rest = line[place...].drop { $0.isWhitespace }
    while let last = rest.last, last.isWhitespace || "*.!".contains(last) { rest.removeLast() }
    guard let first = rest.first else { return true }
    let pairs: [Character: Character] = ["(": ")", "[": "]"]
    guard let closing = pairs[first], let end = rest.firstIndex(of: closing) else { return false }
    return rest.index(after: end) == rest.endIndex
  }

  func isAtStart(_ finding: TimeReader.Finding) -> Bool {
    cuts.isStart(finding.range.lowerBound, of: line)
  }

  func choice(_ finding: TimeReader.Finding) -> Choice {
    let position = position(finding)
    var range = finding.range
    if position == .prefix, let sign = grammar.token(finding.tokens.upperBound) {
      range = range.lowerBound..<sign.range.upperBound
    }
    return Choice(finding: finding, position: position, range: range)
  }

  /// Returns the best choice: a prefix rather than an edge, and an edge rather than the middle;
  /// among equals, the first.
  static func best(_ choices: [Choice]) -> Choice? {
    choices.min { $0.position.rawValue < $1.position.rawValue }
  }

  // MARK: Days

  /// Returns true if a time names the single day on which the activity happened.
  func isDay(_ finding: TimeReader.Finding) -> Bool {
    guard finding.reading.hasDate, !finding.reading.isOpen, let match = finding.match,
      let start = match.start, let end = match.end
    else { return false }
    let isNight = finding.reading.hasClock && start.day.distance(to: end.day) <= 1
    // A weekend begins on its Saturday.
    guard match.singleDay != nil || isNight || finding.reading.grain == .weekend else {
      return false
    }
    return isWhen(finding)
  }

  /// Returns true if words name a past year, or a part of a year with its number, in which the
  /// activity happened: "in 2019 moved to Rome", "oct 2023: new job", but not "read about 1945".
  func isYear(_ finding: TimeReader.Finding, before today: DayKey) -> Bool {
    guard finding.reading.hasDate, !finding.reading.isOpen, !finding.reading.hasClock,
      [.month, .quarter, .season, .year].contains(finding.reading.grain),
      let start = finding.match?.start, start.day <= today, start.day.year >= 1900,
      let end = finding.match?.end, start.day.distance(to: end.day) <= 366,
      finding.tokens.contains(where: {
        grammar.token($0)?.digits == 4 && grammar.endsNumber($0 + 1)
      })
    else { return false }
    let isBack = finding.tokens.lowerBound == 1 && grammar.isWord(0, "back")
    if isAtStart(finding) || isBack {
      let next = finding.tokens.upperBound
      return !QuickAddTimes.verbs.contains(grammar.word(next))
        || grammar.isWord(next, "in") && grammar.isCapitalised(next + 1)
    }
    return cuts.isEnd(finding.range.upperBound, of: line) && !isTalk(finding)
      && !lexicon.isAmong(words, .media)
  }

  /// Returns true if a weekday is in a language that writes compound nouns as one word: "Montag
  /// Homeoffice" is a day with an activity, "monday meeting" is a meeting.
  private func isForeignWeekday(_ finding: TimeReader.Finding) -> Bool {
    let index = finding.tokens.lowerBound
    return TimeWords.weekdays[grammar.word(index)] != nil
      && TimeWords.weekdays[words[index]] == nil && words[index].count > 2
      && grammar.isCapitalised(finding.tokens.upperBound)
  }

  /// Returns true if words at the start of the line name a feast on which the activity happened:
  /// "new year's day hike", "Heiligabend bei Oma", but not "Christmas shopping" and "Easter eggs".
  func isFeast(_ finding: TimeReader.Finding) -> Bool {
    let named = finding.tokens.map { grammar.word($0) }
    guard
      let count = (1...max(1, min(named.count, Holidays.longestName))).last(where: {
        Holidays.rule(Array(named.prefix($0))) != nil
      })
    else { return false }
    let next = finding.tokens.upperBound
    if next < words.count, lexicon.has(words[next], .feastThing) { return false }
    let isForeign = words[finding.tokens.lowerBound].lowercased() != named[0]
    return count > 1 || isForeign || QuickAddTimes.following.contains(grammar.word(next))
      || finding.tokens.count > count
  }

  /// Returns true if the line says how a feast was: "Heiligabend war ruhig".
  func isFeastTold(_ finding: TimeReader.Finding) -> Bool {
    isAtStart(finding) && grammar.isWord(finding.tokens.upperBound, "was") && isFeast(finding)
  }

  /// Returns true if the position of words in the line shows that they say when it happened, and
  /// not that the line is about some day.
  func isWhen(_ finding: TimeReader.Finding) -> Bool {
    let position = position(finding)
    if position == .prefix { return true }
    if isTalk(finding) { return false }
    let first = grammar.word(finding.tokens.lowerBound)
    let next = finding.tokens.upperBound
    switch position {
    case .prefix: return true
    case .edge:
      guard isAtStart(finding) else { return true }
      // "Yesterday ran 5 km" and "Heiligabend war ruhig", but not "Monday meeting" or "Last night
      // was fun".
      let isPlaced =
        grammar.isWord(next, "in")
        && (isAgo(finding) || ["yesterday", "today", "tomorrow"].contains(first))
      if QuickAddTimes.verbs.contains(grammar.word(next)), !isPlaced {
        return isFeastTold(finding)
          || first == "on" && grammar.isWord(next, "was", "were") && finding.tokens.count == 2
      }
      let hasFigure = finding.tokens.contains { grammar.token($0)?.kind == .number }
      return finding.reading.hasClock || hasFigure || QuickAddTimes.adverbs.contains(first)
        || isAgo(finding) || isFeast(finding) || isForeignWeekday(finding)
        || isLeadingWeekday(finding) || cuts.isEnd(finding.range.upperBound, of: line)
    case .middle:
      if isAdverbial(finding) { return true }
      guard
        QuickAddTimes.adverbs.contains(first) || finding.reading.hasClock || isAgo(finding)
          || isPlainDay(finding)
      else { return false }
      guard let token = grammar.token(next) else { return true }
      // For example, "recital is 4th December need shoes".
      if isPredicate(finding), isPlainDay(finding) { return true }
      // For example, "swim gala thurs i'm ready".
      if isPlainDay(finding), QuickAddTimes.subjects.contains(words[next]) { return true }
      // For example, "league game weds ko 7:15".
      if hasHour, isPlainDay(finding), lexicon.has(words[next], .atHour) { return true }
      // For example, "weekend off, sunday carvery with mum 1pm".
      if hasHour, isPlainDay(finding), grammar.isSign(finding.tokens.lowerBound - 1, ",") {
        return true
      }
      // For example, "8 km yesterday according to my watch".
      let isNear = ["yesterday", "today", "tomorrow"].contains(first)
      if finding.tokens.count == 1, isNear, !QuickAddTimes.verbs.contains(token.text) {
        return true
      }
      if finding.reading.hasClock, !finding.isPart,
        finding.reading.hasDate || isPlainClock(finding)
      {
        return true
      }
      // "The gig last Saturday went well".
      if LineTense(words: [words[next]]).isPast { return true }
      return token.kind != .word || QuickAddTimes.following.contains(token.text)
    }
  }

  /// Returns true for a date with its month, or a weekday with something else than a noun behind it:
  /// "gig 9 June at the Academy", "seminar Thursday, room 4", but not "had Sunday lunch".
  func isPlainDay(_ finding: TimeReader.Finding) -> Bool {
    if isFullDate(finding) { return true }
    if finding.tokens.contains(where: { TimeWords.months[grammar.word($0)] != nil }) {
      return finding.tokens.contains { grammar.token($0)?.kind == .number }
    }
    let first = finding.tokens.lowerBound
    // "Sheffield Wednesday" and "Blue Monday" are names.
    return finding.tokens.count == 1 && TimeWords.weekdays[grammar.word(first)] != nil
      && !(grammar.isCapitalised(first) && grammar.isCapitalised(first - 1))
  }

  /// Returns true for a date in figures with its year: "18/11/26", "3.4.2026".
  func hasFullDate(_ finding: TimeReader.Finding) -> Bool {
    finding.tokens.contains { index in
      guard let sign = grammar.token(index + 1)?.text, ["/", ".", "-"].contains(sign),
        grammar.isSign(index + 3, sign), finding.tokens.contains(index + 4)
      else { return false }
      return [index, index + 2, index + 4].allSatisfy { grammar.token($0)?.kind == .number }
        && (index + 1...index + 4).allSatisfy { grammar.isAttached($0) }
    }
  }

  /// Returns true for a date in figures, but not for a version number such as "10.4.11".
  private func isFullDate(_ finding: TimeReader.Finding) -> Bool {
    guard finding.reading.grain == .day, hasFullDate(finding), let day = finding.match?.start?.day
    else { return false }
    let isSure = finding.tokens.contains {
      grammar.isSign($0, "/") || grammar.token($0)?.digits == 4
    }
    return isSure || abs(day.distance(to: grammar.today)) <= 366
  }

  /// Returns true for a day such as "two days ago"; "a couple of months ago" and "a year ago" are
  /// only approximate.
  private func isAgo(_ finding: TimeReader.Finding) -> Bool {
    let end = finding.tokens.upperBound
    return grammar.isWord(end - 1, "ago")
      && grammar.isWord(end - 2, "day", "days", "week", "weeks", "fortnight")
      && !finding.tokens.contains { grammar.isWord($0, "couple", "few", "several", "hundred") }
  }

  /// Returns true if the line is about a time: "for tomorrow", "about last week", "the sunday
  /// paper", "yesterday's leftovers".
  func isTalk(_ finding: TimeReader.Finding) -> Bool {
    if grammar.token(finding.tokens.upperBound - 1)?.isPossessive ?? false { return true }
    if grammar.isWord(finding.tokens.lowerBound, "for", "by", "until", "till", "about") {
      return true
    }
    if isQuoted(finding.range) || isTitle(finding) { return true }
    let before = finding.tokens.lowerBound - 1
    // "the sunday paper", but "the day before yesterday".
    if grammar.isWord(before + 1, "the"), TimeWords.weekdays[grammar.word(before + 2)] != nil {
      return true
    }
    guard let token = grammar.token(before), token.kind == .word else { return false }
    // For example, "war von 6 bis 7 im Büro".
    if isSpan(finding), grammar.isWord(before, "was", "were") || words[before].hasPrefix("war") {
      return false
    }
    if isPredicate(finding) || lexicon.ends(words, at: before + 1, .moved) { return false }
    if lexicon.has(words[before], .open) { return true }
    return QuickAddTimes.talk.contains(token.text)
  }

  private func isSpan(_ finding: TimeReader.Finding) -> Bool {
    finding.reading.hasClock && !finding.reading.isPoint && !finding.isPart
      && !finding.reading.isOpen
  }

  /// Returns true if words are within quotation marks that don't enclose the whole line.
  private func isQuoted(_ range: Range<String.Index>) -> Bool {
    guard let first = quotes.first, first < range.lowerBound, let last = quotes.last,
      last >= range.upperBound
    else { return false }
    if quotes.count == 2, cuts.isStart(first, of: line),
      cuts.isEnd(line.index(after: last), of: line)
    {
      return false
    }
    return quotes.prefix { $0 < range.lowerBound }.count % 2 == 1
  }

  /// Returns true for words of a title: "watched The Day After Tomorrow", "saw Friday the 13th".
  private func isTitle(_ finding: TimeReader.Finding) -> Bool {
    let start = finding.tokens.lowerBound
    guard grammar.isCapitalised(start), !isAtStart(finding) else { return false }
    let isLooked = grammar.isWord(
      start - 1, "watched", "watching", "watch", "saw", "seen", "read", "reading", "heard")
    return isLooked
      || grammar.isWord(start, "the") && grammar.isCapitalised(finding.tokens.upperBound - 1)
  }

  private static let talk: Set<String> = [
    "for", "about", "until", "till", "til", "by", "of", "than", "to", "from", "the", "a", "an",
    "my", "our", "his", "her", "their", "your", "before", "after", "since", "like", "as", "and",
    "or", "not", "next", "every", "each", "between", "is", "was", "be", "s", "no",
  ]
  private static let adverbs: Set<String> = [
    "yesterday", "today", "tomorrow", "tonight", "tonite", "last", "this", "next", "on", "the",
    "early", "late", "at", "day",
  ]
  private static let verbs: Set<String> = [
    "was", "is", "were", "will", "would", "has", "had", "are", "be", "and", "or", "of", "in",
    "might", "may", "should", "seems", "felt", "feels",
  ]
  private static let following: Set<String> = [
    "with", "w", "at", "in", "for", "and", "from", "by", "near", "because", "after", "before",
    "while",
    "but", "then", "to", "on", "without", "until", "till", "til", "where", "when", "so", "as",
    "via", "i", "we", "along", "around", "round", "across", "through", "over", "under", "into",
    "onto", "up", "down", "past", "off", "out", "against", "behind", "between", "beside",
    "during", "towards", "since", "just", "if", "unless",
  ]

  /// Words that begin a sentence after a day.
  private static let subjects: Set<String> = [
    "i'm", "i'll", "ive", "i've", "he", "he's", "hes", "she", "she's", "shes", "they", "you",
    "it's", "gonna",
  ]

  // MARK: Times of day

  /// Returns true if a time of day without a date is the time of the activity.
  func isTime(_ finding: TimeReader.Finding) -> Bool {
    guard finding.reading.hasClock, !finding.reading.hasDate, !finding.reading.isOpen else {
      return false
    }
    let position = position(finding)
    if position == .prefix { return true }
    if isTalk(finding) || isMove(finding) { return false }
    if finding.reading.isContradictory { return true }
    // In "at 8:30 and 20:00", it is unclear which of the two applies.
    let next = finding.tokens.upperBound
    if grammar.isWord(next, "and", "or"), isHour(next + 1) { return false }
    guard finding.match?.start != nil, finding.match?.end != nil else { return false }
    if finding.isPart {
      return position == .edge
        || grammar.isWord(finding.tokens.lowerBound, "in", "during")
        || grammar.isWord(finding.tokens.lowerBound - 1, "all")
        || grammar.isWord(finding.tokens.lowerBound, "this")
    }
    let hasLead = grammar.isWord(finding.tokens.lowerBound, "at", "around", "from", "between")
    return !finding.reading.isPoint || hasLead || position == .edge || isPlainClock(finding)
  }

  /// Returns true if a time is unambiguous anywhere in the line: "dinner 7pm with Ann", "Essen 19
  /// Uhr mit Anna", but not "train 9:04 (to Ulm)" or one of several times.
  private func isPlainClock(_ finding: TimeReader.Finding) -> Bool {
    hasOneClock && isClock(finding)
  }

  /// Returns true for the times in "moved from 9 to 10".
  func isMove(_ finding: TimeReader.Finding) -> Bool {
    grammar.isWord(finding.tokens.lowerBound, "from")
      && grammar.isWord(
        finding.tokens.lowerBound - 1, "moved", "shifted", "postponed", "rescheduled", "changed")
  }

  /// Returns true for the second hour in "at 9 or 10" and "at 8:30 and 20:00".
  func isHour(_ place: Int) -> Bool {
    let index = grammar.skipping("at", "around", at: place)
    if grammar.clockSpan(index) != nil { return true }
    guard let hour = grammar.number(index), hour <= 24 else { return false }
    return grammar.endsNumber(index + 1) && !grammar.isCounted(index + 1)
  }

  /// Returns the words of both ends of a range such as "13:15-12:30".
  func ends(_ finding: TimeReader.Finding) -> (start: String, end: String) {
    let tokens = finding.tokens
    let joint =
      tokens.dropFirst().first {
        grammar.isSign($0, "-")
          || grammar.isWord($0, "to", "until", "till", "til", "through", "and")
      } ?? tokens.lowerBound
    func words(_ range: Range<Int>) -> String {
      guard let first = grammar.token(range.lowerBound),
        let last = grammar.token(range.upperBound - 1), !range.isEmpty
      else { return "" }
      return String(line[first.range.lowerBound..<last.range.upperBound])
    }
    guard joint > tokens.lowerBound, joint + 1 < tokens.upperBound else {
      return (String(line[finding.range]), String(line[finding.range]))
    }
    let isLed = grammar.isWord(tokens.lowerBound, "from", "between", "at")
    let start = tokens.lowerBound + (isLed ? 1 : 0)
    return (words(start..<max(start + 1, joint)), words(joint + 1..<tokens.upperBound))
  }
}
