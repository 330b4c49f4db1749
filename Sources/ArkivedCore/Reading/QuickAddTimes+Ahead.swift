import Foundation

/// Decides whether the name of a day means the last or the next such day.
extension QuickAddTimes {
  /// The number of days up to which a date without a year may be in the future.
  private static let nearDays = 92

  /// Returns a choice whose day is in the future if the line says so, such as an appointment on
  /// Friday.
  func ahead(_ choice: Choice, today: DayKey) -> Choice {
    guard let match = choice.finding.match, let start = match.start,
      let shift = shift(choice.finding, today), shift != 0
    else { return choice }
    var choice = choice
    choice.finding.match?.start = start.adding(seconds: shift * 86_400)
    choice.finding.match?.end = match.end?.adding(seconds: shift * 86_400)
    return choice
  }

  /// Returns the number of days to shift a day.
  private func shift(_ finding: TimeReader.Finding, _ today: DayKey) -> Int? {
    guard let match = finding.match, let start = match.start else { return nil }
    if finding.reading.grain == .weekend, start.day > today, LineTense(words: words).isPast {
      // For example, "hiked this weekend" on a Monday.
      return -7
    }
    guard start.day <= today else { return nil }
    let told = finding.tokens.map { grammar.word($0) }
    guard !told.contains(where: { Self.settled.contains($0) }),
      !finding.tokens.contains(where: { grammar.token($0)?.digits == 4 })
    else { return nil }
    // "Sat" is a day here, not a verb.
    let tense = LineTense(
      words: words.indices.filter { !finding.tokens.contains($0) }.map { words[$0] })
    let feast = Self.feast(told)
    if feast == nil, told.contains(where: { TimeWords.weekdays[$0] != nil }) {
      // "Rehearsal Friday 7pm" and "Friday haircut 10am" are appointments if nothing says that they
      // are over, but a line that begins with its day and hour is a record: "Friday 7pm rehearsal".
      let isFirst = isAtStart(finding) && (finding.reading.hasClock || start.day == today)
      let isAppointment = hasHour && !isFirst && !tense.isPast
      guard finding.reading.hasClock || !isDate(finding), tense.isAhead || isAppointment
      else { return nil }
      // Today's own name means today until its hour is over.
      let isOver = start.day < today || finding.reading.hasClock && start < grammar.now
      return isOver ? 7 : nil
    }
    // "15 Nov mum's birthday, flowers ordered" is still to come.
    guard !tense.isPast || lexicon.isAmong(words, .ahead),
      let next = next(start.day, told, feast, isDate: isDate(finding))
    else { return nil }
    // A date in the near future is more likely than the same date almost a year ago, and for a day
    // of the month, the nearer one is more likely.
    let wait = today.distance(to: next)
    let isNear = wait < start.day.distance(to: today) && wait <= Self.nearDays
    return wait > 0 && isNear ? start.day.distance(to: next) : nil
  }

  /// Returns the next day with the same date or feast, or nil if the words name neither.
  private func next(
    _ day: DayKey, _ told: [String], _ feast: Holidays.Rule?, isDate: Bool
  ) -> DayKey? {
    if let feast { return Holidays.span(feast, year: day.year + 1)?.first }
    let hasMonth = isDate || told.contains { TimeWords.months[$0] != nil }
    guard hasMonth || told.contains(where: { ["st", "nd", "rd", "th"].contains($0) }) else {
      return nil
    }
    let next = day.adding(months: hasMonth ? 12 : 1)
    return next.day == day.day ? next : nil
  }

  private static func feast(_ told: [String]) -> Holidays.Rule? {
    for first in told.indices {
      for count in (1...Holidays.longestName).reversed() where first + count <= told.count {
        if let rule = Holidays.rule(Array(told[first..<(first + count)])) { return rule }
      }
    }
    return nil
  }

  /// Returns true if a finding's numbers are a day and a month: "3.4.", "3/4".
  private func isDate(_ finding: TimeReader.Finding) -> Bool {
    finding.tokens.contains { index in
      guard grammar.token(index)?.kind == .number, grammar.token(index + 2)?.kind == .number,
        grammar.isAttached(index + 1), let sign = grammar.token(index + 1)?.text
      else { return false }
      // "9.30" is an hour.
      return sign == "/" || sign == "." && grammar.isSign(index + 3, ".")
    }
  }

  /// Returns true if words name several days by their dates, such as "12–19 September".
  func isSpanOfDays(_ finding: TimeReader.Finding) -> Bool {
    guard finding.reading.hasDate, !finding.reading.isOpen, !finding.reading.hasClock,
      finding.reading.grain == .day, let match = finding.match, match.singleDay == nil,
      let start = match.start, let end = match.end, !isTalk(finding)
    else { return false }
    return (2...62).contains(start.day.distance(to: end.day))
      && finding.tokens.contains { grammar.token($0)?.kind == .number }
  }

  private static let settled: Set<String> = [
    "last", "this", "next", "ago", "past", "week", "weeks", "before", "after", "following",
    "yesterday", "today", "tomorrow", "tonight", "coming", "previous", "month", "year",
  ]

  /// Returns true if the words of a time stay in the text, because the sentence needs them: "moved
  /// to Friday", "is on Thursday", "Heiligabend war ruhig".
  func isNeeded(_ finding: TimeReader.Finding) -> Bool {
    let first = finding.tokens.lowerBound
    return lexicon.ends(words, at: first, .moved) || isPredicate(finding)
      || isFeastTold(finding)
  }

  /// Returns true for the time in "the party is on Saturday" and "he was there at 10:20".
  func isPredicate(_ finding: TimeReader.Finding) -> Bool {
    let first = finding.tokens.lowerBound
    let isDate = finding.tokens.contains { TimeWords.months[grammar.word($0)] != nil }
    return (grammar.isWord(first, "at", "on") || isDate)
      && (grammar.isWord(first - 1, "is", "was", "were", "be")
        || first > 0 && ["war", "ist", "sind", "waren"].contains(words[first - 1]))
  }
}
