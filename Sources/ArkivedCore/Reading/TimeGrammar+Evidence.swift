import Foundation

/// Distinguishes months from verbs and seasons from nouns by the surrounding words.
extension TimeGrammar {
  private static let firmMonths: Set<String> = [
    "january", "february", "july", "september", "october", "november", "december",
  ]

  /// Returns true if the bare name of a month at a position means the month.
  func isEvidentMonth(_ index: Int, _ next: Int, _ lead: Lead) -> Bool {
    let name = word(index)
    if isWhole(index, next) { return true }
    if TimeGrammar.firmMonths.contains(name) { return true }
    if name == "august", TimeWords.augustCompounds.contains(word(next)) { return false }
    if TimeWords.seasonCompounds.contains(word(next)), lead.word.isEmpty {
      return false
    }
    if lead.isTemporal {
      if name == "may" || name == "march" {
        if lead.hasArticle || lead.word == "all" || TimeWords.bareVerbs.contains(word(next)),
          !isCapitalised(index)
        {
          return false
        }
        return !(lead.hasArticle && lead.word != "of")
      }
      let canBePerson = name == "jan" || name == "april" || name == "june" || name == "august"
      return
        !(canBePerson && isPersonal(next) && word(next) != "and"
        && isCapitalised(index) && !["in", "during", "of"].contains(lead.word))
    }
    if isBesideMonth(index, next) { return true }
    switch name {
    case "april", "june", "august":
      if name == "august", !isCapitalised(index) { return false }
      return !isPerson(index, next)
    case "march":
      // A capitalised word in the middle of a sentence is not a verb.
      guard isCapitalised(index), let before = token(index - 1), before.kind == .word else {
        return false
      }
      return !before.isCapitalised && !isCapitalised(next) && !before.isPossessive
        && !["the", "a", "to", "we", "they", "i", "you", "who", "and"].contains(before.text)
        && !TimeWords.bareVerbs.contains(word(next)) && !TimeWords.possessives.contains(before.text)
    default:
      return false
    }
  }

  /// Returns true for a month next to another: "march and april", "may vs june".
  private func isBesideMonth(_ index: Int, _ next: Int) -> Bool {
    func isJoint(_ index: Int) -> Bool {
      isWord(index, "and", "or", "vs", "versus", "than", "with") || isSign(index, ",")
    }
    func isMonth(_ index: Int) -> Bool {
      guard TimeWords.months[word(index)] != nil else { return false }
      return isPlain(index) || TimeWords.timePrepositions.contains(word(index - 1))
        || ["compare", "last", "this", "next"].contains(word(index - 1))
    }
    func isPlain(_ index: Int) -> Bool {
      TimeGrammar.firmMonths.contains(word(index)) || ["april", "june"].contains(word(index))
    }
    if isWord(index - 1, "compare"), isJoint(next), TimeWords.months[word(next + 1)] != nil {
      return true
    }
    if isPerson(index, next), isWord(index - 1, "with") { return false }
    return isJoint(index - 1) && isMonth(index - 2)
      || isJoint(next) && TimeGrammar.firmMonths.contains(word(next + 1))
  }

  /// Returns true if a name at a position is a person's: "with April", "June called", "April
  /// Smith".
  private func isPerson(_ index: Int, _ next: Int) -> Bool {
    if TimeWords.beforePerson.contains(word(index - 1)) { return true }
    guard let token = token(index), token.isCapitalised else { return false }
    if token.isPossessive { return true }
    if isPersonal(next) { return true }
    if isSign(index - 1, "@") { return true }
    return isCapitalised(next) && TimeWords.weekdays[word(next)] == nil && word(next) != "i"
  }

  /// Returns true if the verb after a name is one that people do: "June sent", "April waved".
  private func isPersonal(_ index: Int) -> Bool {
    let word = word(index)
    if TimeWords.afterPerson.contains(word) { return true }
    return word.count > 4 && word.hasSuffix("ed") && !TimeWords.monthVerbs.contains(word)
  }

  /// Returns true if the name of a season at a position means the season.
  func isEvidentSeason(_ index: Int, _ next: Int, _ lead: Lead) -> Bool {
    let name = word(index)
    if isWhole(index, next) { return true }
    if TimeWords.seasonCompounds.contains(word(next)) { return false }
    if isWord(index - 1, "and", "or", "to"), TimeWords.seasons[word(index - 2)] != nil,
      TimeWords.timePrepositions.contains(word(index - 3)) || isWord(index - 3, "the")
    {
      return true
    }
    if isWord(next, "of") { return false }
    guard lead.isTemporal else { return false }
    let canBePerson = name == "summer" || name == "autumn"
    if canBePerson, isCapitalised(index), !lead.hasArticle,
      !["in", "during", "of", "since", "throughout"].contains(lead.word)
    {
      return false
    }
    if name == "fall" || name == "spring" {
      if lead.word == "from", isWord(next, "to", "until", "till", "through") || isSign(next, "-") {
        return TimeWords.seasons[word(next + 1)] != nil || TimeWords.months[word(next + 1)] != nil
      }
      return ["in", "during", "since", "throughout", "of", "between", "all"].contains(lead.word)
    }
    return true
  }

  /// Returns true if "sat", "sun", "wed" or "mon" is the weekday.
  func isEvidentWeekday(_ index: Int, _ next: Int, _ lead: Lead) -> Bool {
    let name = word(index)
    guard TimeWords.weakWeekdays.contains(name) else {
      // "tue", "thu" and "fri" have no other meaning.
      return true
    }
    if isWhole(index, next) || isSign(next, ":") && index == 0 { return true }
    if isBesideWeekday(index, next) { return true }
    if lead.hasArticle { return false }
    if TimeWords.parts[word(next)] != nil,
      !["we", "i", "he", "she", "they", "who", "and"].contains(word(index - 1))
    {
      return true
    }
    let afterKickOff = skipping("ko", "kickoff", at: next)
    if name != "sun" || isCapitalised(index), clockFollows(afterKickOff) || hoursFollow(next) {
      return true
    }
    if name == "weds", isEnd(next) { return true }
    // For example, "overtime worked mon - tired", but not "got wed".
    if name != "wed", name != "sun" || isCapitalised(index), word(index - 1).count > 3,
      word(index - 1).hasSuffix("ed"), isEnd(next),
      !isAttached(next)
    {
      return true
    }
    // For example, "Sat tips £60", which nobody sat, but not "Sat phone £80" and "Sun cream £9".
    if index == 0, name == "sat", isCapitalised(index), word(next).count > 3, !isCapitalised(next),
      !TimeGrammar.afterVerb.contains(word(next)), hasMoney,
      !isWord(next, "phone", "dish", "exam", "exams")
    {
      return true
    }
    if isWord(next, "am", "pm", "eve"), isEnd(next + 1) || isWord(next + 1, "with") { return true }
    if !TimeGrammar.afterVerb.contains(word(next)) {
      // For example, "flu jab 10am sat".
      if isBehindClock(index), name != "sun" || isEnd(next) { return true }
      // For example, "long run Sun 18 miles".
      if isCapitalised(index), !(token(index)?.isUppercased ?? false), !isCapitalised(next),
        name != "sun" || token(next)?.kind != .word, lead.word.isEmpty,
        let before = token(index - 1), before.kind == .word,
        !before.isCapitalised, !["the", "a", "my", "our"].contains(before.text),
        !TimeWords.beforePerson.contains(before.text), !before.isPossessive
      {
        return true
      }
      // For example, "wed day off".
      if index == 0, name != "sat", name != "sun", lead.word.isEmpty, !isCapitalised(next),
        token(next)?.kind == .word
      {
        return true
      }
    }
    guard lead.word == "on" || lead.isTemporal && lead.word != "in" && lead.word != "of" else {
      return false
    }
    return followsName(next) || isCapitalised(index)
  }

  /// True if the text has a sum of money.
  var hasMoney: Bool {
    tokens.contains { $0.kind == .symbol && ["£", "€", "$"].contains($0.text) }
  }

  /// Returns true for a weekday joined to another: "Mon–Wed", "Sat to Sun".
  private func isBesideWeekday(_ index: Int, _ next: Int) -> Bool {
    func isJoint(_ index: Int) -> Bool { isSign(index, "-") || isWord(index, "to", "till") }
    return isJoint(next) && TimeWords.weekdays[word(next + 1)] != nil && isCapitalised(index)
      || isJoint(index - 1) && TimeWords.weekdays[word(index - 2)] != nil && isCapitalised(index)
  }

  /// Returns true if a time of day that can be nothing else follows: "at 9am", "9:30".
  func clockFollows(_ index: Int) -> Bool {
    guard let (point, _) = clockPoint(skipping("at", at: index)) else { return false }
    return !point.isBare
  }

  /// Returns true if two hours follow, as in "sat 10-12", but not "sat 2-3 minutes".
  private func hoursFollow(_ index: Int) -> Bool {
    guard let first = number(index), first <= 24, isSign(index + 1, "-"), isAttached(index + 1),
      isAttached(index + 2), let last = token(index + 2), last.kind == .number, last.digits <= 2,
      last.value <= 24, endsNumber(index + 3)
    else { return false }
    return !isCounted(index + 3)
  }

  /// Words after "sat" and "wed" that show that these are verbs.
  private static let afterVerb: Set<String> = [
    "in", "on", "at", "by", "with", "down", "up", "out", "outside", "inside", "through", "around",
    "for", "under", "over", "near", "next", "beside", "behind", "here", "there", "back", "still",
    "her", "him", "them", "my", "the", "a", "an", "to", "and", "or", "was", "is", "again",
    "together", "alone", "reading", "talking", "watching", "waiting", "chatting", "quietly",
    "dieu", "ami", "amour",
  ]

  /// Returns true if a time such as "10am", "12:20" or "12.20" is right before a position.
  private func isBehindClock(_ index: Int) -> Bool {
    guard token(index)?.hasSpaceBefore ?? false else { return false }
    if isWord(index - 1, "am", "pm") { return token(index - 2)?.kind == .number }
    guard let minutes = token(index - 1), minutes.digits == 2, minutes.value < 60,
      isSign(index - 2, ":") || isSign(index - 2, "."), isAttached(index - 2),
      isAttached(index - 1), let hour = token(index - 3), hour.kind == .number
    else { return false }
    return hour.digits <= 2 && (0..<24).contains(hour.value)
  }

  /// Returns true if a phrase such as "last sun" or "this may" is not a date after all.
  func isWeakModified(_ index: Int, _ next: Int, _ modifier: String) -> Bool {
    let name = word(index)
    if name == "may" || name == "march", modifier == "this" {
      return !(isCapitalised(index) || isEnd(next)) || TimeWords.bareVerbs.contains(word(next))
    }
    if TimeWords.weakWeekdays.contains(name) {
      return !(isCapitalised(index) || followsName(next) || TimeWords.parts[word(next)] != nil)
    }
    if name == "fall" || name == "spring" {
      return TimeWords.possessives.contains(word(index - 2))
        || TimeWords.seasonCompounds.contains(word(next))
    }
    return false
  }
}
