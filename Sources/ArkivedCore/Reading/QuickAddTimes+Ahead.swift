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
    // A date with its year means no other year.
    guard start.day <= today, !hasFullDate(finding) else { return nil }
    let told = finding.tokens.map { grammar.word($0) }
    let isWeekday = told.contains { TimeWords.weekdays[$0] != nil }
    let hasMonth = told.contains { TimeWords.months[$0] != nil }
    // In "fri 1930-0800", four digits are hours.
    let hasHours = finding.reading.hasClock && isWeekday && !hasMonth
    guard !told.contains(where: { Self.settled.contains($0) }),
      hasHours || !finding.tokens.contains(where: { grammar.token($0)?.digits == 4 })
    else { return nil }
    // "Sat" is a day here, not a verb.
    let tense = LineTense(
      words: words.indices.filter { !finding.tokens.contains($0) }.map { words[$0] })
    let feast = Self.feast(told)
    if feast == nil, isWeekday {
      if !hasMonth, told.contains(where: { ["st", "nd", "rd", "th"].contains($0) }) {
        return tense.isPast ? nil : Self.shift(toSameDateAs: start.day, after: today)
      }
      // "Rehearsal Friday 7pm" and "Friday haircut 10am" are appointments if nothing says that they
      // are over, but a line that begins with its day and hour is a record: "Friday 7pm rehearsal".
      let isFirst = isAtStart(finding) && (finding.reading.hasClock || start.day == today)
      // Sums are those of the day before: "Fri tips £48, shut at 6pm".
      let isOfYesterday = start.day.advanced(by: 1) == today && grammar.hasMoney
      let isAppointment = hasHour && !isFirst && !tense.isPast && !isOfYesterday
      // For example, "hike on Sat if it stays dry".
      let isOpen =
        (grammar.isWord(finding.tokens.upperBound, "if", "unless") || isReminder) && !tense.isPast
      guard finding.reading.hasClock || !isDate(finding),
        tense.isAhead || isAppointment || isOpen || isTask(finding)
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

  /// Returns the number of days to the next day with the same weekday and day of the month, as in
  /// "Sat 12th", if it is nearer than the last one.
  private static func shift(toSameDateAs day: DayKey, after today: DayKey) -> Int? {
    let back = day.distance(to: today)
    guard back > 0,
      let wait = (1...nearDays).first(where: {
        let next = today.advanced(by: $0)
        return next.weekday == day.weekday && next.day == day.day
      }), wait < back
    else { return nil }
    return back + wait
  }

  /// True if the line asks to bring something along: "sunday arvo picnic, bring plates".
  private var isReminder: Bool {
    words.indices.contains {
      $0 > 0 && words[$0 - 1] == "," && ["bring", "remember", "pack"].contains(words[$0])
    } || ["mitbringen", "einpacken"].contains(words.last ?? "")
  }

  /// Returns true if the day is that of something to do: "lent Tom 50 quid, pay back friday".
  private func isTask(_ finding: TimeReader.Finding) -> Bool {
    let first = finding.tokens.lowerBound
    let start =
      (grammar.tokens.indices.last {
        $0 < first && grammar.token($0)?.kind == .symbol && !grammar.isAttached($0 + 1)
      } ?? -1) + 1
    let isVerb =
      start < first
      && (lexicon.has(words[start], .task)
        // For example, "Paket abholen Mittwoch".
        || words[first - 1].hasSuffix("en") && lexicon.has(words[first - 1], .task))
    return isVerb && !LineTense(words: Array(words[start..<first])).isPast
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

  /// Returns the days that may be meant: a feast only describes what was done if the line also says
  /// that it was yesterday, today or tomorrow, as in "xmas night out tonight".
  func named(_ days: [TimeReader.Finding]) -> [TimeReader.Finding] {
    guard
      days.contains(where: {
        grammar.isWord($0.tokens.lowerBound, "yesterday", "today", "tomorrow", "tonight")
      })
    else { return days }
    return days.filter { day in
      grammar.isWord(day.tokens.lowerBound, "on")
        || Self.feast(day.tokens.map { grammar.word($0) }) == nil
    }
  }

  /// Returns the day to come on which something begins: "new job starting Monday", "ab Freitag
  /// Urlaub", "holiday from 12 June".
  func firstDay(_ finding: TimeReader.Finding, today: DayKey) -> DayKey? {
    let first = finding.tokens.lowerBound
    let isStart =
      grammar.isWord(first, "starting", "beginning") && finding.reading.isOpen
      || first > 0 && !finding.reading.isOpen
        && (words[first - 1] == "ab" || grammar.isWord(first - 1, "from", "starting"))
    guard isStart, finding.reading.hasDate, !finding.reading.hasClock,
      finding.reading.grain == .day, let start = finding.match?.start,
      !LineTense(words: words).isPast
    else { return nil }
    if start.day > today { return start.day }
    let told = finding.tokens.map { grammar.word($0) }
    if told.contains(where: { TimeWords.weekdays[$0] != nil }),
      !finding.tokens.contains(where: { grammar.token($0)?.kind == .number })
    {
      // "Off sick from Monday" may have begun.
      return grammar.isWord(first - 1, "from") ? nil : start.day.advanced(by: 7)
    }
    // "Photos from Christmas" are over.
    guard let shift = shift(finding, today),
      finding.tokens.contains(where: { grammar.token($0)?.kind == .number })
    else { return nil }
    let day = start.day.advanced(by: shift)
    return day > today ? day : nil
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
    let isDate =
      hasFullDate(finding) || finding.tokens.contains { TimeWords.months[grammar.word($0)] != nil }
    return (grammar.isWord(first, "at", "on") || isDate)
      && (grammar.isWord(first - 1, "is", "was", "were", "be")
        || first > 0 && ["war", "ist", "sind", "waren"].contains(words[first - 1]))
  }
}
