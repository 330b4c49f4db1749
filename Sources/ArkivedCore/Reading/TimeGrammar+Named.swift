import Foundation

extension TimeGrammar {
  // MARK: Months, seasons, quarters, holidays

  /// A part of a year by its name, with its year where one is given.
  func named(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    longest(
      yearly(index, lead), yearFirst(index, lead), bridgingWinter(index))
  }

  private func yearly(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard
      let (value, next) = longest(
        dayAndMonth(index, lead), monthAndDay(index), month(index, lead), season(index, lead),
        quarter(index), holiday(index, lead))
    else { return nil }
    guard case .recurring(let recurring) = value.form,
      let (year, end) = yearQualifier(next)
    else { return (value, next) }
    guard let span = recurring.span(year) else { return (DateValue(.impossible, value.grain), end) }
    return (DateValue(.fixed(span), value.grain), end)
  }

  /// "2019 Q3", "last year's Christmas".
  private func yearFirst(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard
      let (year, next) = relativeYear(index)
        ?? plainYear(index).map({ ($0.value.first.year, $0.next) })
    else { return nil }
    let isPossessive = token(next - 1)?.isPossessive ?? false
    let after = skippingComma(next)
    let isLed = isWord(after, "in", "on", "at", "during") && plainYear(index) == nil
    let name = isLed ? skipping("the", at: after + 1) : after
    let found =
      isPossessive || isLed
      ? longest(
        month(name, .within(1)), season(name, .within(1)), holiday(name, .within(1)),
        dayAndMonth(name, .within(1)), monthAndDay(name))
      : quarter(skippingSign("/", "-", at: after))
    guard let (value, end) = found, case .recurring(let recurring) = value.form,
      let span = recurring.span(year)
    else { return nil }
    return (DateValue(.fixed(span), value.grain), end)
  }

  private func skippingSign(_ signs: String..., at index: Int) -> Int {
    signs.contains { isSign(index, $0) } ? index + 1 : index
  }

  /// "winter 2018/19", named by both its years.
  private func bridgingWinter(_ index: Int) -> Parsed<DateValue>? {
    guard isWord(index, "winter"), let year = number(index + 1), (1000...2999).contains(year),
      isSign(index + 2, "/") || isSign(index + 2, "-"), isAttached(index + 2),
      let second = token(index + 3), second.kind == .number,
      second.value == (year + 1) % (second.digits == 2 ? 100 : 10_000)
    else { return nil }
    return DateValue(fixed: DaySpan.months(year, 12, count: 3), .season).map { ($0, index + 4) }
  }

  func month(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    if isWord(index, "month"), isWord(index + 1, "of") {
      return month(index + 2, .within(lead.depth))
    }
    guard let month = TimeWords.months[word(index)] else { return nil }
    let next = afterName(index)
    var value = DateValue(.recurring(.yearly { DaySpan.months($0, month) }), .month)
    if yearQualifier(next) == nil {
      value.isWeak = !isEvidentMonth(index, next, lead)
    }
    return (value, next)
  }

  /// Behind a month's name and the full stop of its abbreviation.
  private func afterName(_ index: Int) -> Int {
    let isShort = word(index).count <= 4 && !["may", "june", "july"].contains(word(index))
    // The stop counts only where more of the date follows; else it ends the sentence.
    let isStop = isShort && isSign(index + 1, ".") && isAttached(index + 1)
    return isStop && number(index + 2) != nil ? index + 2 : index + 1
  }

  func season(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let month = TimeWords.seasons[word(index)] else { return nil }
    var value = DateValue(.recurring(.yearly { DaySpan.months($0, month, count: 3) }), .season)
    if yearQualifier(index + 1) == nil {
      value.isWeak = !isEvidentSeason(index, index + 1, lead)
    }
    return (value, index + 1)
  }

  /// "Q3", "third quarter", "H1", "first half" with a year.
  func quarter(_ index: Int) -> Parsed<DateValue>? {
    var nth: Int?
    var isHalf = false
    var next = index + 2
    if isWord(index, "q", "h"), isAttached(index + 1), let token = token(index + 1),
      token.kind == .number, endsNumber(index + 2)
    {
      nth = token.value
      isHalf = isWord(index, "h")
      // "H1" alone is a heading.
      if isHalf, yearQualifier(next) == nil { return nil }
    } else if let (value, end) = ordinal(index), isWord(end, "quarter", "half") {
      nth = value
      isHalf = isWord(end, "half")
      next = end + 1
      guard yearQualifier(next) != nil else { return nil }
    }
    guard let nth, (1...(isHalf ? 2 : 4)).contains(nth) else { return nil }
    let length = isHalf ? 6 : 3
    let after = isSign(next, "/") && isAttached(next) ? next + 1 : next
    let pattern = Recurring.yearly { DaySpan.months($0, (nth - 1) * length + 1, count: length) }
    return (DateValue(.recurring(pattern), .quarter), after)
  }

  func holiday(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard Holidays.firstWords.contains(word(index)) else { return nil }
    var words: [String] = []
    var found: (rule: Holidays.Rule, next: Int, name: String)?
    var next = index
    while words.count < Holidays.longestName, !word(next).isEmpty {
      words.append(word(next))
      next += 1
      if let rule = Holidays.rule(words) { found = (rule, next, words.joined(separator: " ")) }
      next = skippingSign(".", at: next)
    }
    guard let (rule, end, name) = found, !Holidays.compounds.contains(word(end)) else { return nil }
    if TimeWords.recurrence.contains(word(index - 1)) { return nil }
    var grain = Grain.day
    if case .easterWeekend = rule { grain = .weekend }
    var value = DateValue(.recurring(.yearly { Holidays.span(rule, year: $0) }), grain)
    if Holidays.weak.contains(name), !(token(end - 1)?.isPossessive ?? false) {
      value.isWeak =
        !(lead.isTemporal || ["at", "over", "last", "next", "this", "to"].contains(lead.word)
        || isWhole(index, end)) || isWord(end, "resolution", "resolutions")
    }
    return (value, end)
  }

  // MARK: Day and month

  /// "3 march", "3rd of march", "the first of may".
  func dayAndMonth(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard !isLabelled(index) else { return nil }
    let day: Int
    var next: Int
    if let (value, end) = ordinal(index) {
      (day, next) = (value, end)
      next = skipping("day", at: next)
    } else if let value = number(index), (token(index)?.digits ?? 9) <= 2 {
      (day, next) = (value, index + 1)
      if isSign(next, "."), isAttached(next) { next += 1 }
    } else {
      return nil
    }
    let hasOf = isWord(next, "of")
    next = skipping("of", at: next)
    guard (1...39).contains(day), let month = TimeWords.months[word(next)] else { return nil }
    if isWord(next, "may", "march"), !isCapitalised(next), !hasOf,
      TimeWords.bareVerbs.contains(word(next + 1))
    {
      return nil
    }
    return (dayOfYear(month: month, day: day), afterName(next))
  }

  /// "march 3", "march the 3rd".
  private func monthAndDay(_ index: Int) -> Parsed<DateValue>? {
    guard let month = TimeWords.months[word(index)] else { return nil }
    let start = skipping("the", at: afterName(index))
    let day: Int
    let next: Int
    if let (value, end) = ordinal(start) {
      (day, next) = (value, end)
      if number(start) == nil, isWord(end, "time", "week", "weekend", "quarter", "half") {
        return nil
      }
    } else if let value = number(start), (token(start)?.digits ?? 9) <= 2,
      start == afterName(index), endsDay(start + 1)
    {
      (day, next) = (value, start + 1)
    } else {
      return nil
    }
    guard (1...39).contains(day) else { return nil }
    return (dayOfYear(month: month, day: day), next)
  }

  /// Whether a number behind a month can be its day: no clock, no amount, no abbreviation.
  private func endsDay(_ next: Int) -> Bool {
    guard endsNumber(next), !isCounted(next) else { return false }
    if isWord(next, "am", "pm", "o'clock") { return false }
    if isSign(next, ":"), isAttached(next), isAttached(next + 1), number(next + 1) != nil {
      return false
    }
    return true
  }

  private func dayOfYear(month: Int, day: Int) -> DateValue {
    let longest = DayKey.length(ofMonth: month, year: 2000)
    guard day <= longest else { return DateValue(.impossible, .day) }
    return DateValue(
      .recurring(.yearly { DaySpan(day: DayKey(year: $0, month: month, day: day)) }), .day)
  }

  // MARK: The year beside a name

  /// A year behind a name: "2019", "'19", "of 2019", "last year", "two years ago".
  func yearQualifier(_ index: Int) -> Parsed<Int>? {
    if isSign(index, "'"), let short = token(index + 1), short.digits == 2, isAttached(index + 1),
      endsNumber(index + 2)
    {
      return (fullYear(short.value), index + 2)
    }
    let afterComma = skippingComma(index)
    let start = skipping("of", "in", at: afterComma)
    if let (span, next) = plainYear(skipping("year", at: skipping("the", at: start))) {
      return (span.first.year, next)
    }
    return relativeYear(skipping("the", at: start))
  }

  /// Two digits of a year: at most ten years ahead, else of the last century.
  func fullYear(_ short: Int) -> Int {
    let century = today.year / 100 * 100
    return century + short > today.year + 10 ? century - 100 + short : century + short
  }

  /// "last year", "this year", "two years ago", "the year before last".
  private func relativeYear(_ index: Int) -> Parsed<Int>? {
    if isWord(index + 1, "year") {
      switch word(index) {
      case "last", "previous": return (today.year - 1, index + 2)
      case "this", "current": return (today.year, index + 2)
      case "next", "coming": return (today.year + 1, index + 2)
      default: break
      }
    }
    if isWord(index, "year"), isWord(index + 1, "before"), isWord(index + 2, "last") {
      return (today.year - 2, index + 3)
    }
    guard let (amount, next) = quantity(index), isWord(next, "year", "years"),
      isWord(next + 1, "ago"), amount < 2000
    else { return nil }
    return (today.year - Int(amount.rounded()), next + 2)
  }

  // MARK: Dates in figures

  /// 2026-03-14, 2026-03, 2026-W11, 14.3.2026, 3/4/2026, 14-Mar-2026.
  func numericDate(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard number(index) != nil, let token = token(index), !isLabelled(index) else { return nil }
    return token.digits == 4 ? isoDate(index) : token.digits <= 2 ? dayMonthYear(index, lead) : nil
  }

  private func figure(_ index: Int, _ digits: ClosedRange<Int>) -> Int? {
    guard isAttached(index), let token = token(index), token.kind == .number,
      digits.contains(token.digits)
    else { return nil }
    return token.value
  }

  private func isoDate(_ index: Int) -> Parsed<DateValue>? {
    guard let year = token(index)?.value else { return nil }
    let sign = isSign(index + 1, "-") ? "-" : isSign(index + 1, "/") ? "/" : ""
    guard !sign.isEmpty, isAttached(index + 1) else { return nil }
    if isWord(index + 2, "w"), isAttached(index + 2), let week = figure(index + 3, 2...2) {
      return isoWeek(year, week, index + 4)
    }
    guard let month = figure(index + 2, 2...2) ?? (sign == "/" ? figure(index + 2, 1...1) : nil)
    else { return nil }
    if isSign(index + 3, sign), isAttached(index + 3),
      let day = figure(index + 4, sign == "/" ? 1...2 : 2...2)
    {
      guard !isWord(index + 5, "t") || !isAttached(index + 5) else {
        return checked(DayKey(year: year, month: month, day: day), index + 5)
      }
      guard endsNumber(index + 5) else { return nil }
      guard (1...12).contains(month) || sign == "-" else { return nil }
      return checked(DayKey(year: year, month: month, day: day), index + 5)
    }
    guard sign == "-", (1...12).contains(month), (1000...2999).contains(year),
      endsNumber(index + 3), !(isSign(index + 3, "-") && isAttached(index + 3))
    else { return nil }
    return DateValue(fixed: DaySpan.months(year, month), .month).map { ($0, index + 3) }
  }

  /// A week of ISO 8601: the first is the one with the year's first Thursday.
  private func isoWeek(_ year: Int, _ week: Int, _ next: Int) -> Parsed<DateValue>? {
    guard let span = weekSpan(year, week) else { return nil }
    if isSign(next, "-"), let day = figure(next + 1, 1...1), (1...7).contains(day) {
      return (DateValue(.fixed(DaySpan(day: span.first.advanced(by: day - 1))), .day), next + 2)
    }
    guard endsNumber(next) else { return nil }
    return (DateValue(.fixed(span), .week), next)
  }

  func weekSpan(_ year: Int, _ week: Int) -> DaySpan? {
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

  private func dayMonthYear(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let first = token(index)?.value, let sign = token(index + 1), sign.kind == .symbol,
      ["/", ".", "-"].contains(sign.text), isAttached(index + 1)
    else { return nil }
    if sign.text != ".", let month = TimeWords.months[word(index + 2)],
      isSign(index + 3, sign.text), isAttached(index + 2), isAttached(index + 3),
      let year = figure(index + 4, 2...4), endsNumber(index + 5)
    {
      let full = year < 100 ? fullYear(year) : year
      return checked(DayKey(year: full, month: month, day: first), index + 5)
    }
    guard let second = figure(index + 2, 1...2) else { return nil }
    let isAmerican = sign.text != "." && dateOrder == .monthFirst
    guard isSign(index + 3, sign.text), isAttached(index + 3),
      let year = figure(index + 4, 2...4), token(index + 4)?.digits != 3
    else {
      // 3/4 and 3.4 without a year are a date only behind "on" and its like.
      guard sign.text == "/" || sign.text == "." && isSign(index + 3, ".") && isAttached(index + 3),
        ["on", "since", "until", "before", "after", "by", "from", "to"].contains(lead.word)
          || sign.text == "." && isWhole(index, index + 4),
        sign.text == "." || endsNumber(index + 3), !isCounted(index + 3)
      else { return nil }
      guard let (month, day) = ordered(first, second, monthFirst: isAmerican) else { return nil }
      return (dayOfYear(month: month, day: day), index + (sign.text == "." ? 4 : 3))
    }
    guard endsNumber(index + 5), !(isSign(index + 5, sign.text) && isAttached(index + 5)) else {
      return nil
    }
    let full = year < 100 ? fullYear(year) : year
    guard let (month, day) = ordered(first, second, monthFirst: isAmerican) else { return nil }
    return checked(DayKey(year: full, month: month, day: day), index + 5)
  }

  /// Month and day of two numbers; the other order where only that one is possible.
  private func ordered(_ first: Int, _ second: Int, monthFirst: Bool) -> (month: Int, day: Int)? {
    let (month, day) = monthFirst ? (first, second) : (second, first)
    if (1...12).contains(month), (1...31).contains(day) { return (month, day) }
    if (1...12).contains(day), (1...31).contains(month) { return (day, month) }
    return nil
  }
}
