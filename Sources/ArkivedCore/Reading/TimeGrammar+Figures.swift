import Foundation

extension TimeGrammar {
  // MARK: Numeric dates

  /// Reads 2026-03-14, 2026-03, 2026-W11, 14.3.2026, 3/4/2026 or 14-Mar-2026.
  func numericDate(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard number(index) != nil, let token = token(index) else { return nil }
    if token.digits <= 2, let full = fullDate(index) { return full }
    guard !isLabelled(index) else { return nil }
    switch token.digits {
    case 1...2: return longest(dayMonth(index, lead), monthYear(index, lead))
    case 4: return isoDate(index)
    case 8: return basicDate(index, lead)
    default: return nil
    }
  }

  private func figure(_ index: Int, _ digits: ClosedRange<Int>) -> Int? {
    guard isAttached(index), let token = token(index), token.kind == .number,
      digits.contains(token.digits)
    else { return nil }
    return token.value
  }

  private func isoDate(_ index: Int) -> Parsed<DateValue>? {
    guard let year = token(index)?.value else { return nil }
    let sign = ["-", "/", "."].first { isSign(index + 1, $0) } ?? ""
    guard !sign.isEmpty, isAttached(index + 1) else { return nil }
    if isWord(index + 2, "w"), isAttached(index + 2), let week = figure(index + 3, 2...2) {
      return isoWeek(year, week, index + 4)
    }
    if sign == "-", let day = figure(index + 2, 3...3), (1...366).contains(day),
      (1900...2199).contains(year), endsNumber(index + 3), !isSign(index + 3, "-"),
      let first = DayKey(year: year, month: 1, day: 1)
    {
      let date = first.advanced(by: day - 1)
      return date.year == year ? checked(date, index + 3) : nil
    }
    guard let month = figure(index + 2, 1...2) else { return nil }
    if isSign(index + 3, sign), isAttached(index + 3), let day = figure(index + 4, 1...2) {
      guard sign != "." || (1900...2199).contains(year), (1...12).contains(month) || sign == "-",
        token(index + 2)?.digits == 2 || (1900...2199).contains(year) && (1...12).contains(month)
      else { return nil }
      guard !isWord(index + 5, "t") || !isAttached(index + 5) else {
        return checked(DayKey(year: year, month: month, day: day), index + 5)
      }
      guard endsNumber(index + 5) || isSpanSlash(index + 5) || isSign(index + 6, ".") else {
        return nil
      }
      guard (1...12).contains(month) || sign == "-" else { return nil }
      return checked(DayKey(year: year, month: month, day: day), index + 5)
    }
    guard sign == "-", token(index + 2)?.digits == 2, (1...12).contains(month),
      (1000...2999).contains(year),
      endsNumber(index + 3), !(isSign(index + 3, "-") && isAttached(index + 3))
    else { return nil }
    return DateValue(fixed: DaySpan.months(year, month), .month).map { ($0, index + 3) }
  }

  /// Reads 2026-03-14/2026-03-20, an ISO 8601 interval of two days.
  func isoInterval(_ index: Int) -> Parsed<TimeReading>? {
    guard token(index)?.digits == 4, isSpanSlash(index + 5), let (first, slash) = isoDate(index),
      slash == index + 5, let year = figure(index + 6, 4...4), isSign(index + 7, "-"),
      let month = figure(index + 8, 2...2), isSign(index + 9, "-"),
      let day = figure(index + 10, 2...2), endsNumber(index + 11),
      let from = first.resolved(today: today),
      let last = DayKey(year: year, month: month, day: day), from.first <= last
    else { return nil }
    let reading = TimeReading(
      start: WallTime(day: from.first, secondOfDay: 0),
      end: WallTime(day: last.advanced(by: 1), secondOfDay: 0), grain: .day, hasDate: true)
    return (reading, index + 11)
  }

  /// Returns true for the slash between the dates of 2026-03-14/2026-03-20.
  private func isSpanSlash(_ index: Int) -> Bool {
    isSign(index, "/") && isAttached(index) && isAttached(index + 1)
      && token(index + 1)?.digits == 4
  }

  /// Returns an ISO 8601 week; the first is the one that contains the year's first Thursday.
  private func isoWeek(_ year: Int, _ week: Int, _ next: Int) -> Parsed<DateValue>? {
    guard let span = TimeGrammar.weekSpan(year, week) else { return nil }
    if isSign(next, "-"), let day = figure(next + 1, 1...1), (1...7).contains(day) {
      return (DateValue(.fixed(DaySpan(day: span.first.advanced(by: day - 1))), .day), next + 2)
    }
    guard endsNumber(next) else { return nil }
    return (DateValue(.fixed(span), .week), next)
  }

  static func weekSpan(_ year: Int, _ week: Int) -> DaySpan? {
    guard (1...53).contains(week), let fourth = DayKey(year: year, month: 1, day: 4) else {
      return nil
    }
    let first = fourth.startOfWeek().advanced(by: 7 * (week - 1))
    guard first.advanced(by: 3).year == year else { return nil }
    return DaySpan(first, first.advanced(by: 7))
  }

  private func checked(_ day: DayKey?, _ next: Int) -> Parsed<DateValue> {
    guard let day else { return (DateValue(.impossible, .day), next) }
    return (DateValue(.fixed(DaySpan(day: day)), .day), next)
  }

  /// Reads 3/4/2026, 14.3.26 or 14-Mar-2026, three parts without a label that gives them another
  /// meaning.
  private func fullDate(_ index: Int) -> Parsed<DateValue>? {
    guard let first = token(index)?.value, let sign = token(index + 1), sign.kind == .symbol,
      ["/", ".", "-"].contains(sign.text), isAttached(index + 1), isAttached(index + 2),
      isSign(index + 3, sign.text), isAttached(index + 3), let year = figure(index + 4, 2...4),
      token(index + 4)?.digits != 3
    else { return nil }
    let isLong = token(index + 4)?.digits == 4
    // Version numbers and other numbers can have three parts too.
    if !isLong || sign.text == ".", isLabelled(index), !isWord(index - 1, "paid", "invoice") {
      return nil
    }
    let full = year < 100 ? fullYear(year) : year
    if sign.text != ".", let month = TimeWords.months[word(index + 2)] {
      return endsNumber(index + 5)
        ? checked(DayKey(year: full, month: month, day: first), index + 5) : nil
    }
    guard let second = figure(index + 2, 1...2), endsNumber(index + 5),
      !(isSign(index + 5, sign.text) && isAttached(index + 5)
        && token(index + 6)?.kind == .number && isAttached(index + 6))
    else { return nil }
    let isAmerican = sign.text != "." && dateOrder == .monthFirst
    guard let (month, day) = ordered(first, second, monthFirst: isAmerican) else { return nil }
    return checked(DayKey(year: full, month: month, day: day), index + 5)
  }

  /// Reads a day and a month without a year, such as 3/4; they are dates only after "on" and
  /// similar words.
  private func dayMonth(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let first = token(index)?.value, let sign = token(index + 1),
      ["/", "."].contains(sign.text), isAttached(index + 1),
      let second = figure(index + 2, 1...2)
    else { return nil }
    let isDotted = sign.text == "."
    guard !isDotted || isSign(index + 3, ".") && isAttached(index + 3),
      TimeGrammar.figureLeads.contains(lead.word) || isDotted && isWhole(index, index + 4)
        || !isDotted && hourStarts.contains(index),
      isDotted || endsNumber(index + 3), !isCounted(index + 3),
      let (month, day) = ordered(
        first, second, monthFirst: !isDotted && dateOrder == .monthFirst)
    else { return nil }
    return (dayOfYear(month: month, day: day), index + (isDotted ? 4 : 3))
  }

  private static let figureLeads: Set<String> = [
    "on", "since", "until", "till", "before", "after", "by", "from", "to", "between",
  ]

  /// Reads 03/2026, a month with its year.
  private func monthYear(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let token = token(index), (1...12).contains(token.value),
      token.digits == 2 || lead.isTemporal, isSign(index + 1, "/"), isAttached(index + 1),
      let year = figure(index + 2, 4...4), (1800...2199).contains(year), endsNumber(index + 3)
    else { return nil }
    return DateValue(fixed: DaySpan.months(year, token.value), .month).map { ($0, index + 3) }
  }

  /// Reads 20260314 after "on" and similar words; otherwise it is a number.
  private func basicDate(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let value = token(index)?.value, (1800...2199).contains(value / 10_000),
      TimeGrammar.figureLeads.contains(lead.word) || isWord(index + 1, "t") && isAttached(index + 1)
    else { return nil }
    let day = DayKey(year: value / 10_000, month: value / 100 % 100, day: value % 100)
    return day.map { (DateValue(.fixed(DaySpan(day: $0)), .day), index + 1) }
  }

  /// Returns the month and the day of two numbers, in the other order if only that one is possible.
  private func ordered(_ first: Int, _ second: Int, monthFirst: Bool) -> (month: Int, day: Int)? {
    let (month, day) = monthFirst ? (first, second) : (second, first)
    if (1...12).contains(month), (1...31).contains(day) { return (month, day) }
    if (1...12).contains(day), (1...31).contains(month) { return (day, month) }
    return nil
  }
}
