/// Finds the positions in a line at which bare numbers are hours: "worked 9 to 5", "up 6.30",
/// "lunch with Olivia, 12-1".
struct HourStarts {
  let grammar: TimeGrammar
  /// The lower-case words of the line, one per token.
  let words: [String]
  private let lexicon = LineLexicon.shared

  /// The maximum number of words in a line; the numbers in anything longer stay numbers.
  private static let lineLimit = 200

  /// The positions.
  var positions: Set<Int> {
    guard words.count <= Self.lineLimit else { return [] }
    var found = Set(
      grammar.tokens.indices.filter {
        isTold($0) && !isPrice($0) || isDotted($0) || isSpan($0) || isDay($0)
          || isHalf($0) || isDate($0) || isMilitary($0) || isBetween($0) || isQuarter($0)
          || isActivity($0)
      })
    let spans = grammar.tokens.indices.filter { isSeparateSpan($0) }
    let isMatch =
      lexicon.isAmong(words, .score)
      || grammar.tokens.indices.contains {
        grammar.isWord($0, "ko") && grammar.number($0 + 1) != nil
      }
    // Two spans in one line are sets of a match, or pages.
    if spans.count == 1, !isMatch { found.formUnion(spans) }
    return found
  }

  /// The positions of hours with an "h" that are times and not lengths: "Tuesday 15h".
  var marks: Set<Int> {
    words.count <= Self.lineLimit ? Set(grammar.tokens.indices.filter { isHourMark($0) }) : []
  }

  /// Returns true after words such as "worked" and "woke at".
  private func isTold(_ index: Int) -> Bool {
    lexicon.ends(words, at: index, .hours)
      || index > 0 && words[index - 1].count > 7 && lexicon.hasPart(words[index - 1], .hours)
      || grammar.isWord(index - 1, "since", "until", "till", "til")
      || index > 0 && words[index - 1] == "ab"
      || grammar.isWord(index - 1, "at") && lexicon.ends(words, at: index - 1, .atHour)
      // For example, "9-5 work".
      || index == 0 && words.count > 3 && grammar.number(2) != nil && lexicon.has(words[3], .hours)
  }

  /// Returns true for a number with two decimals that could as well be a price: "lunch 8.50".
  private func isPrice(_ index: Int) -> Bool {
    hasMinutes(index) && !grammar.isSign(index + 3, "-")
      && !grammar.isWord(index + 3, "to", "until", "till", "til")
  }

  /// Returns true for spans that can hardly be anything else: "7 till 10 with Dave", "8-8.45".
  private func isSpan(_ index: Int) -> Bool {
    guard let middle = hour(index), middle < words.count, !lexicon.isAmong(words, .score),
      !grammar.isAttached(index) || grammar.token(index - 1)?.kind == .word,
      let next = hour(middle + 1), !grammar.isCounted(next)
    else { return false }
    let hasMinutes = hasMinutes(index) || hasMinutes(middle + 1)
    let isJoined =
      grammar.isWord(middle, "until", "till", "til") || words[middle] == "bis"
      || (hasMinutes
        || (isBeforeDay(next) || isDayName(index - 1)) && isSpanOfHours(index, middle + 1))
        && (grammar.isSign(middle, "-") || grammar.isWord(middle, "to"))
    // For example, "13.30-21.30".
    if self.hasMinutes(index), self.hasMinutes(middle + 1), grammar.isSign(middle, "-") {
      return true
    }
    return isJoined
      && (grammar.followsHour(next) || isDayName(index - 1) && grammar.beginsDeed(next)
        || next < words.count && PlaceReader.leads.contains(words[next]))
  }

  private func isDayName(_ index: Int) -> Bool {
    TimeWords.weekdays[grammar.word(index)] != nil
      || grammar.isWord(index, "today", "tomorrow", "yesterday")
  }

  /// Returns true for an hour with an "h" right after a day or a date, such as "Tuesday 15h".
  private func isHourMark(_ index: Int) -> Bool {
    guard let hour = grammar.number(index), (6..<24).contains(hour), grammar.isWord(index + 1, "h"),
      grammar.isAttached(index + 1), !grammar.isAttached(index + 2),
      // "today 7h 30m" is a length, and "today 7h" hardly a time.
      grammar.number(index + 2) == nil || !grammar.isWord(index + 3, "m", "min", "mins"),
      hour > 12 || !grammar.isWord(index - 1, "today", "tomorrow", "yesterday")
    else { return false }
    let isDate =
      grammar.isSign(index - 1, ".") && grammar.isAttached(index - 1)
      && grammar.token(index - 2)?.kind == .number && grammar.isSign(index - 3, ".")
    return isDayName(index - 1) || isDate || TimeWords.months[grammar.word(index - 1)] != nil
  }

  /// Returns true if a day or a part of it follows: "6-7 tonight", "5 to 7 in the evening".
  private func isBeforeDay(_ index: Int) -> Bool {
    grammar.isWord(index, "tonight", "today", "yesterday", "tomorrow", "this")
      || grammar.isWord(index, "in") && grammar.isWord(index + 1, "the")
        && TimeWords.parts[grammar.word(index + 2)] != nil
  }

  /// Returns true if two numbers can be hours rather than the result of a match.
  private func isSpanOfHours(_ first: Int, _ last: Int) -> Bool {
    guard let from = grammar.number(first), let to = grammar.number(last), from > 0, to > 0 else {
      return false
    }
    return (to - from + 24) % (max(from, to) > 12 ? 24 : 12) <= 9
  }

  /// Returns true for "half seven" at the start of the line or after a day.
  private func isHalf(_ index: Int) -> Bool {
    guard grammar.isWord(index, "half"), index == 0 || isDayName(index - 1),
      let hour = TimeWords.numbers[grammar.word(index + 1)] ?? grammar.number(index + 1)
    else { return false }
    let next = index + 2
    return (1...12).contains(hour) && !grammar.isWord(next, "of")
      && (grammar.beginsDeed(next) || index > 0 && grammar.isEnd(next))
  }

  /// Returns true for the date of an appointment: "haircut 3/10 at 2pm", but not "8/10 at 2pm" for
  /// anything else.
  private func isDate(_ index: Int) -> Bool {
    guard grammar.isSign(index + 1, "/"), grammar.token(index)?.kind == .number else {
      return false
    }
    let next = grammar.skipping("at", at: index + 3)
    return LineTense(words: words).isAhead
      && (grammar.clockSpan(next, lead: "at") != nil || grammar.isEnd(next))
  }

  /// Returns true for the day of the month in "on the 3rd went out".
  private func isDay(_ index: Int) -> Bool {
    guard grammar.isWord(index - 2, "on"), grammar.isWord(index - 1, "the"),
      grammar.isWord(index + 1, "st", "nd", "rd", "th"), index + 2 < words.count
    else { return false }
    return LineTense(words: [words[index + 2]]).isPast
  }

  /// Returns true for two hours after an activity: "gardening 10-1, sunny", but not "reading 3-5" or
  /// "leading 2-1".
  private func isActivity(_ index: Int) -> Bool {
    guard index > 0, words[index - 1].count > 5, words[index - 1].hasSuffix("ing"),
      let middle = hour(index), middle < words.count,
      grammar.isSign(middle, "-") || grammar.isWord(middle, "to"),
      let next = hour(middle + 1), isSpanOfHours(index, middle + 1), grammar.isEnd(next)
    else { return false }
    return !lexicon.isAmong(words, .media) && !lexicon.isAmong(words, .score)
      && !["counting", "leading", "losing", "winning", "trailing"].contains(words[index - 1])
  }

  /// Returns true for "between 8 and 12 tomorrow".
  private func isBetween(_ index: Int) -> Bool {
    guard grammar.isWord(index - 1, "between"), let middle = hour(index),
      grammar.isWord(middle, "and"), let next = hour(middle + 1)
    else { return false }
    return isBeforeDay(next) || isDayName(next)
  }

  /// Returns true for a quarter of an hour with a dot at the end of a clause, if the line names a
  /// day and is neither about money nor about a result: "dinner on friday with Kate 7.30".
  private func isQuarter(_ index: Int) -> Bool {
    guard hasMinutes(index), words[index + 1] == ".",
      ["15", "30", "45"].contains(words[index + 2])
        || LineTense(words: words).isAhead && (grammar.token(index + 2)?.value ?? 1) % 5 == 0,
      grammar.token(index)?.hasSpaceBefore ?? false,
      grammar.token(index - 1)?.kind == .word && grammar.isEnd(index + 3) || isLateClause(index),
      !lexicon.isAmong(words, .paying), !lexicon.isAmong(words, .score),
      !lexicon.isAmong(words, .moving) || words.contains(where: Self.lessons.contains)
    else { return false }
    return grammar.tokens.indices.contains {
      TimeWords.weekdays[grammar.word($0)] != nil || TimeWords.months[grammar.word($0)] != nil
        || grammar.isWord($0, "tomorrow", "tonight")
    }
  }

  /// Returns true for an hour after noon that begins a part of the line: "Mittwoch Versammlung, 19.30
  /// Gasthof Krone".
  private func isLateClause(_ index: Int) -> Bool {
    (13..<24).contains(grammar.number(index) ?? 0) && grammar.isSign(index - 1, ",")
      && grammar.isCapitalised(index + 3) && !grammar.isAttached(index + 3)
  }

  private static let lessons: Set<String> = [
    "class", "classes", "lesson", "lessons", "course", "training", "practice", "kurs", "stunde",
    "unterricht",
  ]

  /// Returns true for four digits after a verb: "parked up 2140", but not a year: "closed 2019".
  private func isMilitary(_ index: Int) -> Bool {
    guard let token = grammar.token(index), token.digits == 4, token.value < 2400,
      token.value % 100 < 60, !(1900..<2100).contains(token.value)
    else { return false }
    return lexicon.ends(words, at: index, .atHour)
      && !grammar.isWord(index - 1, "done", "over", "closed")
  }

  /// Returns true for a time with a dot after a verb or a day or before a day: "up 6.30", "home at
  /// 11.30", "2 Sept 9.30", "jab 12.20 Saturday".
  private func isDotted(_ index: Int) -> Bool {
    guard hasMinutes(index) else { return false }
    if words[index + 1] == ".", TimeWords.weekdays[grammar.word(index + 3)] != nil,
      grammar.word(index + 3).count > 5
        || grammar.isEvidentWeekday(index + 3, index + 4, Lead())
    {
      return true
    }
    // For example, "physio at 9.15 knee better".
    if words[index + 1] == ".", grammar.isWord(index - 1, "at"), !lexicon.isAmong(words, .paying) {
      return true
    }
    var before = index - 1
    if grammar.isSign(before, ",") { before -= 1 }
    if grammar.isWord(before, "late", "early", "about", "around") { before -= 1 }
    guard before >= 0 else { return false }
    if lexicon.ends(words, at: before + 1, .atHour) || lexicon.ends(words, at: before + 1, .bed) {
      return true
    }
    let word = grammar.word(before)
    return before == index - 1
      && (TimeWords.months[word] != nil || TimeWords.weekdays[word] != nil
        || TimeWords.parts[word] != nil
        || ["today", "tonight", "tomorrow", "yesterday", "am", "pm"].contains(word))
  }

  private func hasMinutes(_ index: Int) -> Bool {
    guard let hour = grammar.number(index), hour < 24, grammar.isSign(index + 1, "."),
      grammar.isAttached(index + 1), grammar.isAttached(index + 2),
      let minutes = grammar.token(index + 2), minutes.digits == 2, minutes.value < 60
    else { return false }
    return grammar.endsNumber(index + 3) && !grammar.isCounted(index + 3)
  }

  /// Returns true for two hours that occur alone between punctuation marks: ", 3 to 4, she's
  /// better".
  private func isSeparateSpan(_ index: Int) -> Bool {
    let before = grammar.token(index - 1)
    let isFree =
      index == 0
      || before?.kind == .symbol
        && ![":", "-", "/", "$", "€", "£", "+"].contains(before?.text ?? "")
    guard isFree, grammar.token(index)?.hasSpaceBefore ?? false, let middle = hour(index),
      grammar.isSign(middle, "-")
        || grammar.isWord(middle, "to", "until", "till", "til")
    else { return false }
    // "3-1" is more likely a result than ten hours.
    guard let next = hour(middle + 1), isSpanOfHours(index, middle + 1) else { return false }
    return grammar.followsHour(next) && !grammar.isCounted(next)
  }

  private func hour(_ index: Int) -> Int? {
    guard let token = grammar.token(index), token.kind == .number, token.value <= 24,
      token.digits <= 2
    else { return nil }
    return hasMinutes(index) ? index + 3 : index + 1
  }
}
