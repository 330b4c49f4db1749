import Foundation

extension TimeGrammar {
  // MARK: Months, seasons, quarters, holidays

  /// Reads the name of a part of a year, with its year if given.
  func named(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    longest(
      yearly(index, lead), yearFirst(index, lead), bridgingWinter(index))
  }

  private func yearly(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard
      let (value, next) = longest(
        dayAndMonth(index, lead), monthAndDay(index), month(index, lead), season(index, lead),
        quarter(index, lead), holiday(index, lead))
    else { return nil }
    guard case .recurring(let recurring) = value.form else { return (value, next) }
    guard let (year, end) = yearQualifier(next) else {
      guard lead.word != "between", let year = sharedYear(next), let span = recurring.span(year)
      else {
        return (value, next)
      }
      return (DateValue(.fixed(span), value.grain), next)
    }
    guard let span = recurring.span(year) else { return (DateValue(.impossible, value.grain), end) }
    return (DateValue(.fixed(span), value.grain), end)
  }

  /// Reads the year after the last of several names: "March and April 2020", "Q1, Q2 and Q3 2021".
  private func sharedYear(_ index: Int) -> Int? {
    var next = index
    for _ in 0..<5 {
      guard isWord(next, "and", "or") || isSign(next, ",") || isSign(next, "&") else { return nil }
      next = isSign(next, ",") ? skipping("and", "or", at: next + 1) : next + 1
      if TimeWords.months[word(next)] != nil || TimeWords.seasons[word(next)] != nil {
        next += 1
      } else if isWord(next, "q"), isAttached(next + 1), token(next + 1)?.digits == 1 {
        next += 2
      } else if Holidays.rule([word(next)]) != nil {
        next += 1
      } else {
        return nil
      }
      if let (year, _) = yearQualifier(next) { return year }
    }
    return nil
  }

  /// Reads "2019 Q3" or "last year's Christmas".
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

  func skippingSign(_ signs: String..., at index: Int) -> Int {
    signs.contains { isSign(index, $0) } ? index + 1 : index
  }

  /// Reads "winter 2018/19", named by both its years.
  private func bridgingWinter(_ index: Int) -> Parsed<DateValue>? {
    let start = skipping("of", at: index + 1)
    guard isWord(index, "winter"), let year = number(start), (1000...2999).contains(year),
      isSign(start + 1, "/") || isSign(start + 1, "-"), isAttached(start + 1),
      let second = token(start + 2), second.kind == .number,
      second.value == (year + 1) % (second.digits == 2 ? 100 : 10_000)
    else { return nil }
    return DateValue(fixed: DaySpan.months(year, 12, count: 3), .season).map { ($0, start + 3) }
  }

  func month(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    if isWord(index, "month"), isWord(index + 1, "of"), !isWord(index + 2, "month") {
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

  /// Returns the position after a month's name and the full stop of its abbreviation.
  private func afterName(_ index: Int) -> Int {
    let isShort = word(index).count <= 4 && !["may", "june", "july"].contains(word(index))
    // The full stop belongs to the date only if more of the date follows; otherwise it ends the
    // sentence.
    let isStop = isShort && isSign(index + 1, ".") && isAttached(index + 1)
    return isStop && number(index + 2) != nil ? index + 2 : index + 1
  }

  func season(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    if isWord(index, "midsummer", "midwinter"), lead.isTemporal {
      let month = isWord(index, "midsummer") ? 7 : 1
      return (DateValue(.recurring(.yearly { DaySpan.months($0, month) }), .month), index + 1)
    }
    guard let month = TimeWords.seasons[word(index)] else { return nil }
    var value = DateValue(.recurring(.yearly { DaySpan.months($0, month, count: 3) }), .season)
    if yearQualifier(index + 1) == nil {
      value.isWeak = !isEvidentSeason(index, index + 1, lead)
    }
    return (value, index + 1)
  }

  /// Reads "Q3", "third quarter" or "H1", and "first half" with a year.
  func quarter(_ index: Int, _ lead: Lead = Lead()) -> Parsed<DateValue>? {
    var nth: Int?
    var isHalf = false
    var next = index + 2
    if isWord(index, "q", "h"), isAttached(index + 1), let token = token(index + 1),
      token.kind == .number, endsNumber(index + 2) || isSign(index + 2, "/")
    {
      nth = token.value
      isHalf = isWord(index, "h")
      // "H1" alone is a heading.
      if isHalf || isWord(next, "of"), yearQualifier(next) == nil { return nil }
    } else if let (value, end) = ordinal(index), isWord(end, "quarter", "half") {
      nth = value
      isHalf = isWord(end, "half")
      next = end + 1
      // "In the second quarter" alone may be that of the year, but a half may be of anything.
      guard
        yearQualifier(next) != nil
          || !isHalf && lead.word == "in" && lead.hasArticle && !isWord(next, "of", "final")
      else { return nil }
    } else if let token = token(index), token.digits == 1, isWord(index + 1, "q"),
      isAttached(index + 1), yearQualifier(index + 2) != nil
    {
      nth = token.value
    }
    guard let nth, (1...(isHalf ? 2 : 4)).contains(nth) else { return nil }
    let length = isHalf ? 6 : 3
    let after = isSign(next, "/") && isAttached(next) ? next + 1 : next
    if isSign(next, "/") || isSign(next, "-"), isAttached(next), isAttached(next + 1),
      let year = token(next + 1), year.digits == 4, (1000...2999).contains(year.value)
    {
      let span = DaySpan.months(year.value, (nth - 1) * length + 1, count: length)
      return DateValue(fixed: span, .quarter).map { ($0, next + 2) }
    }
    let pattern = Recurring.yearly { DaySpan.months($0, (nth - 1) * length + 1, count: length) }
    return (DateValue(.recurring(pattern), .quarter), after)
  }

  /// Reads "Easter", "on St Patrick's Day", "Eid al-Fitr", "Labor Day weekend".
  func holiday(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard Holidays.firstWords.contains(word(index)) else { return nil }
    var words: [String] = []
    var found: (rule: Holidays.Rule, next: Int, name: String)?
    var next = index
    while words.count < Holidays.longestName, !word(next).isEmpty {
      words.append(word(next))
      next += 1
      if let rule = Holidays.rule(words) { found = (rule, next, words.joined(separator: " ")) }
      next = isAttached(next) ? skippingSign(".", "-", at: next) : next
    }
    guard let (rule, end, name) = found, !Holidays.compounds.contains(word(end)) else { return nil }
    if TimeWords.recurrence.contains(word(index - 1)), word(index - 1) != "all" { return nil }
    if isWord(end, "weekend") {
      let weekend = Recurring.yearly { Holidays.span(rule, year: $0).flatMap(Holidays.weekend) }
      return (DateValue(.recurring(weekend), .weekend), end + 1)
    }
    if isWord(end, "week"), case .fixed = rule {
      let first = firstWeekday
      let week = Recurring.yearly { year in
        let day = Holidays.span(rule, year: year)?.first.startOfWeek(firstWeekday: first)
        return DaySpan(day, day?.advanced(by: 7))
      }
      return (DateValue(.recurring(week), .week), end + 1)
    }
    var grain = Grain.day
    if case .from = rule { grain = name == "easter weekend" ? .weekend : .week }
    if case .moving(_, let days) = rule, days > 1 { grain = .week }
    var value = DateValue(.recurring(.yearly { Holidays.span(rule, year: $0) }), grain)
    if Holidays.weak.contains(name), !(token(end - 1)?.isPossessive ?? false) {
      value.isWeak =
        !(lead.isTemporal || ["at", "over", "last", "next", "this", "to"].contains(lead.word)
        || isWhole(index, end) || yearQualifier(end) != nil)
        || isWord(end, "resolution", "resolutions")
    }
    return (value, end)
  }

  // MARK: Day and month

  /// Reads "3 march", "3rd of march", "the first of may".
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

  /// Reads "march 3" or "march the 3rd".
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

  /// Returns true if a number after a month can be its day, not a time, an amount or an
  /// abbreviation.
  private func endsDay(_ next: Int) -> Bool {
    guard endsNumber(next), !isCounted(next) else { return false }
    if isWord(next, "am", "pm", "o'clock") { return false }
    if isSign(next, ":"), isAttached(next), isAttached(next + 1), number(next + 1) != nil {
      return false
    }
    return true
  }

  func dayOfYear(month: Int, day: Int) -> DateValue {
    let longest = DayKey.length(ofMonth: month, year: 2000)
    guard day <= longest else { return DateValue(.impossible, .day) }
    return DateValue(
      .recurring(.yearly { DaySpan(day: DayKey(year: $0, month: month, day: day)) }), .day)
  }

  // MARK: Years next to a name

  /// Reads the year after a name: "2019", "'19", "of 2019", "last year", "two years ago".
  func yearQualifier(_ index: Int) -> Parsed<Int>? {
    if isSign(index, "'"), let short = token(index + 1), short.digits == 2, isAttached(index + 1),
      endsNumber(index + 2)
    {
      return (fullYear(short.value), index + 2)
    }
    let afterComma = skippingComma(index)
    let start = skipping("of", "in", at: afterComma)
    if start > index, isSign(start, "'"), let short = token(start + 1), short.digits == 2,
      isAttached(start + 1), endsNumber(start + 2)
    {
      return (fullYear(short.value), start + 2)
    }
    if let (span, next) = plainYear(skipping("year", at: skipping("the", at: start))) {
      return (span.first.year, next)
    }
    return relativeYear(skipping("the", at: start))
  }

  /// Returns the full year for two digits: at most ten years ahead, otherwise in the last century.
  func fullYear(_ short: Int) -> Int {
    let century = today.year / 100 * 100
    return century + short > today.year + 10 ? century - 100 + short : century + short
  }

  /// Reads "last year", "this year", "two years ago", "the year before last".
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
}
