import Foundation

/// Days counted in weeks from another day, and years named by two numbers.
extension TimeGrammar {
  /// Words before "a week" that make it a duration or a rate: "twice a week today", "for a week".
  private static let counting: Set<String> = [
    "once", "twice", "thrice", "time", "times", "day", "days", "hour", "hours", "minute", "minutes",
    "half", "whole", "quite", "nearly", "almost", "spent", "took", "stayed", "for", "per", "of",
    "every", "each", "another", "such", "within", "in", "about", "over",
  ]

  /// Reads "Tuesday week", "tomorrow fortnight", "a week tomorrow", "two weeks on Friday", "a week
  /// last Monday".
  func weekAway(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    longest(namedDayWeek(index, lead), lengthThenDay(index, lead))
  }

  /// Reads "Tuesday week": a week after the coming Tuesday.
  private func namedDayWeek(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    let days: Int
    switch word(index + 1) {
    case "week": days = 7
    case "fortnight": days = 14
    default: return nil
    }
    // "the Tuesday week", "every Friday week" and "Friday week 12" don't qualify.
    guard !lead.hasArticle, !isWord(index - 1, "the", "my", "our", "a", "every", "each", "all"),
      !isSign(index + 1, "-"),
      number(index + 2) == nil && (isEnd(index + 2) || followsHour(index + 2))
        || clockFollows(index + 2)
    else { return nil }
    let day: DayKey?
    switch word(index) {
    case "today": day = today
    case "tomorrow": day = today.advanced(by: 1)
    default: day = TimeWords.weekdays[word(index)].flatMap { coming($0, from: today) }
    }
    return day.map { (DateValue(.fixed(DaySpan(day: $0.advanced(by: days))), .day), index + 2) }
  }

  /// Reads "a week tomorrow", "two weeks on Friday", "a week last Monday", "a week yesterday".
  private func lengthThenDay(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard !lead.hasArticle, !TimeGrammar.counting.contains(word(index - 1)), lead.word != "for",
      // Most texts contain none of these words, and parsing a length costs more than this check.
      isWord(index, "a", "one", "two", "three") || number(index) != nil,
      (index + 1..<index + 7).contains(where: {
        isWord($0, "week", "weeks", "fortnight", "month", "months", "year", "years")
      }), number(index - 1) == nil,
      let (length, next) = length(index), length.seconds == 0, length.grain >= .week,
      length.grain != .weekend
    else { return nil }
    func answer(_ day: DayKey, _ next: Int) -> Parsed<DateValue>? {
      guard isEnd(next) || followsHour(next) || isWord(next, "i", "we", "did", "was", "is", "so")
      else {
        return nil
      }
      return (DateValue(.fixed(DaySpan(day: day)), .day), next)
    }
    switch word(next) {
    case "tomorrow": return answer(length.moved(today.advanced(by: 1), by: 1), next + 1)
    case "today": return answer(length.moved(today, by: 1), next + 1)
    case "yesterday": return answer(length.moved(today.advanced(by: -1), by: -1), next + 1)
    case "on", "from", "next":
      guard let weekday = TimeWords.weekdays[word(next + 1)],
        let day = coming(weekday, from: today.advanced(by: 1))
      else { return nil }
      return answer(length.moved(day, by: 1), next + 2)
    case "last", "ago":
      // For example, "a week ago last Monday", "a week last Monday".
      let name = isWord(next, "ago") ? skipping("last", "on", at: next + 1) : next + 1
      guard name > next, let weekday = TimeWords.weekdays[word(name)],
        let day = coming(weekday, from: today.advanced(by: -7))
      else { return nil }
      return answer(length.moved(day, by: -1), name + 1)
    default: return nil
    }
  }

  private func coming(_ weekday: Weekday, from day: DayKey) -> DayKey? {
    (0..<7).lazy.map { day.advanced(by: $0) }.first { $0.weekday == weekday }
  }

  /// Reads "2018/19" or "2018/2019" as both years; a school year starts in September.
  ///
  /// "2011/12" may be a month.
  func twoYears(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    var start = index
    var isSchool = false
    if isWord(index, "school", "academic"), isWord(index + 1, "year") {
      (start, isSchool) = (skipping("of", at: index + 2), true)
    }
    guard let year = number(start), token(start)?.digits == 4, (1900...2199).contains(year),
      isSign(start + 1, "/"), isAttached(start + 1), isAttached(start + 2),
      let second = token(start + 2), second.kind == .number, !isLabelled(start)
    else { return nil }
    let short = (year + 1) % 100
    guard
      second.digits == 4 && second.value == year + 1
        || second.digits == 2 && second.value == short && (short > 12 || isSchool),
      endsNumber(start + 3), !isCounted(start + 3),
      let first = DayKey(year: year, month: isSchool ? 9 : 1, day: 1)
    else { return nil }
    let span = DaySpan(first, first.adding(months: isSchool ? 12 : 24))
    guard var value = DateValue(fixed: span, .year) else { return nil }
    value.isWeak = !(isSchool || lead.isTemporal || isWhole(index, start + 3))
    return (value, start + 3)
  }

  /// Reads "this time last year": the day a year ago.
  func thisTime(_ index: Int) -> Parsed<DateValue>? {
    guard isWord(index, "this", "same"), isWord(index + 1, "time"), isWord(index + 2, "last"),
      let unit = unit(index + 3), [.week, .month, .year].contains(unit),
      let length = TimeLength(1, unit)
    else { return nil }
    return (DateValue(.fixed(DaySpan(day: length.moved(today, by: -1))), .day), index + 4)
  }

  /// Reads "the three weeks up to 21 June" or "the year leading up to Easter", including that day.
  func lengthUpTo(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard lead.hasArticle, (index + 1..<index + 8).contains(where: { isWord($0, "up") }) else {
      return nil
    }
    let length: TimeLength
    var next: Int
    if let (found, end) = self.length(index) {
      (length, next) = (found, end)
    } else if let unit = unit(index), let found = TimeLength(1, unit) {
      (length, next) = (found, index + 1)
    } else {
      return nil
    }
    next = skipping("leading", at: next)
    guard length.seconds == 0, !length.isEmpty, length.grain != .weekend, isWord(next, "up"),
      isWord(next + 1, "to", "until"),
      let (anchor, end) = evidentDate(next + 2, Lead(word: "before", depth: lead.depth + 1)),
      let span = anchor.resolved(today: today)
    else { return nil }
    let whole = DaySpan(
      length.moved(span.last, by: -1).advanced(by: 1), span.last.advanced(by: 1))
    return DateValue(fixed: whole, length.grain).map { ($0, end) }
  }
}
