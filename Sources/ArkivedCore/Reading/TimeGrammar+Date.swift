import Foundation

/// The words before a date that let a weak word count as one.
struct Lead: Hashable, Sendable {
  var word = ""
  /// True if "the" is between the preposition and the date.
  var hasArticle = false
  var depth = 0

  /// Returns the lead within a larger expression that already is a time.
  static func within(_ depth: Int) -> Lead { Lead(word: "of", depth: depth) }

  var isTemporal: Bool { TimeWords.timePrepositions.contains(word) }
}

extension TimeGrammar {
  /// Reads a date at a position, choosing the longest of all forms.
  func date(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard lead.depth <= TimeGrammar.depthLimit, let token = token(index), token.kind != .opaque
    else { return nil }
    return memo.date(at: index, lead) { readDate(index, token, lead).map(withWeekday) }
  }

  private func readDate(_ index: Int, _ token: TimeToken, _ lead: Lead) -> Parsed<DateValue>? {
    if isWord(index, "the"), !lead.hasArticle {
      var inner = lead
      inner.hasArticle = true
      return date(index + 1, inner)
    }
    if token.kind == .number {
      // A few digits before other digits or the end can't be a date, and lists of them can be long.
      if token.digits < 4, !isAttached(index + 1), self.token(index + 1)?.kind != .word,
        !isSign(index + 1, "-")
      {
        return nil
      }
      return longest(
        numericDate(index, lead), named(index, lead), ago(index, lead), anchored(index, lead),
        nth(index, lead), year(index, lead), decade(index, lead), century(index),
        dayOfMonth(index, lead), lengthFrom(index, lead), twoYears(index, lead),
        weekAway(index, lead), lengthUpTo(index, lead))
    }
    if token.kind == .symbol {
      return token.text == "'" ? longest(decade(index, lead), year(index, lead)) : nil
    }
    return longest(
      weekThenDay(index, lead), relativeDay(index), weekday(index, lead), named(index, lead),
      modified(index, lead),
      ago(index, lead), anchored(index, lead), nth(index, lead), portion(index, lead),
      weekOf(index, lead), beforeLast(index), year(index, lead), decade(index, lead),
      century(index), dayOfMonth(index, lead), sideOfToday(index, lead), lengthFrom(index, lead),
      weekAway(index, lead), twoYears(index, lead), thisTime(index), lengthUpTo(index, lead))
  }

  /// Reads a date if its words are clearly a date.
  func evidentDate(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let found = date(index, lead), !found.value.isWeak else { return nil }
    return found
  }

  // MARK: Words for days near today

  private func relativeDay(_ index: Int) -> Parsed<DateValue>? {
    func day(_ offset: Int, _ next: Int, part: PartOfDay? = nil) -> Parsed<DateValue> {
      let day = DaySpan(day: today.advanced(by: offset))
      return (DateValue(.fixed(day), part == nil ? .day : .partOfDay, part: part), next)
    }
    if isWord(index, "this", "same"), isWord(index + 1, "day", "date"),
      let (year, next) = yearQualifier(index + 2)
    {
      // For example, "on this day in 2015", "the same day last year".
      let shifted = today.adding(months: 12 * (year - today.year))
      return (DateValue(.fixed(DaySpan(day: shifted)), .day), next)
    }
    switch word(index) {
    case "today": return day(0, index + 1)
    case "yesterday": return day(-1, index + 1)
    case "tomorrow": return day(1, index + 1)
    case "tonight", "tonite": return day(0, index + 1, part: .night)
    case "yesternight": return day(-1, index + 1, part: .night)
    case "day":
      if isWord(index + 1, "before"), isWord(index + 2, "yesterday") { return day(-2, index + 3) }
      if isWord(index + 1, "after"), isWord(index + 2, "tomorrow") { return day(2, index + 3) }
      return nil
    default: return nil
    }
  }

  /// Reads "the week before last", "the year after next".
  private func beforeLast(_ index: Int) -> Parsed<DateValue>? {
    let turn: Int
    if isWord(index + 1, "before"), isWord(index + 2, "last") {
      turn = -2
    } else if isWord(index + 1, "after"), isWord(index + 2, "next") {
      turn = 2
    } else {
      return nil
    }
    if let unit = unit(index), let value = calendarUnit(unit, turn: turn) {
      return (value, index + 3)
    }
    if let part = TimeWords.parts[word(index)], turn < 0 {
      let day = DaySpan(day: today.advanced(by: turn))
      return (DateValue(.fixed(day), .partOfDay, part: part), index + 3)
    }
    guard
      let (value, next) = longest(
        nameOf(weekday: index), month(index, .within(1)), season(index, .within(1)),
        holiday(index, .within(1))), next == index + 1, case .recurring(let recurring) = value.form
    else { return nil }
    let span =
      turn < 0
      ? recurring.over(before: today).flatMap { recurring.over(before: $0.first) }
      : recurring.first(after: today).flatMap { recurring.first(after: $0.first) }
    return DateValue(fixed: span, value.grain).map { ($0, index + 3) }
  }

  private func nameOf(weekday index: Int) -> Parsed<DateValue>? {
    guard let weekday = TimeWords.weekdays[word(index)] else { return nil }
    return (DateValue(.recurring(.weekly(weekday, firstWeekday: firstWeekday)), .day), index + 1)
  }

  /// Returns a whole unit of the calendar: the current one (0), the last (-1), the next (1), and so
  /// on.
  func calendarUnit(_ unit: TimeWords.Unit, turn: Int) -> DateValue? {
    switch unit {
    case .week:
      let first = today.startOfWeek(firstWeekday: firstWeekday).advanced(by: 7 * turn)
      return DateValue(fixed: DaySpan(first, first.advanced(by: 7)), .week)
    case .fortnight:
      let first = today.startOfWeek(firstWeekday: firstWeekday).advanced(by: 14 * turn)
      return DateValue(fixed: DaySpan(first, first.advanced(by: 14)), .week)
    case .weekend:
      // On a Sunday, as on every other day of the week, "this weekend" belongs to the current week.
      let saturday = today.startOfWeek().advanced(by: 5 + 7 * turn)
      return DateValue(fixed: DaySpan(saturday, saturday.advanced(by: 2)), .weekend)
    case .month:
      return DateValue(fixed: DaySpan.months(today.year, today.month + turn), .month)
    case .quarter:
      let month = (today.month - 1) / 3 * 3 + 1
      return DateValue(fixed: DaySpan.months(today.year, month + 3 * turn, count: 3), .quarter)
    case .halfYear:
      let month = today.month <= 6 ? 1 : 7
      return DateValue(fixed: DaySpan.months(today.year, month + 6 * turn, count: 6), .quarter)
    case .season:
      // Months 12, 1 and 2 are winter, counted from last December in January and February.
      let month = today.month / 3 * 3
      return DateValue(fixed: DaySpan.months(today.year, month + 3 * turn, count: 3), .season)
    case .year: return DateValue(fixed: DaySpan.year(today.year + turn), .year)
    case .decade:
      return DateValue(fixed: decadeSpan((today.year / 10 + turn) * 10), .decade)
    case .century:
      let first = (today.year - 1) / 100 * 100 + 1 + 100 * turn
      return DateValue(fixed: centurySpan(first), .century)
    case .second, .minute, .hour, .day, .weekday: return nil
    }
  }

  func decadeSpan(_ year: Int) -> DaySpan? {
    guard (1...9980).contains(year) else { return nil }
    return DaySpan(
      DayKey(year: year, month: 1, day: 1), DayKey(year: year + 10, month: 1, day: 1))
  }

  func centurySpan(_ year: Int) -> DaySpan? {
    guard (1...9800).contains(year) else { return nil }
    return DaySpan(
      DayKey(year: year, month: 1, day: 1), DayKey(year: year + 100, month: 1, day: 1))
  }

  // MARK: Weekdays

  /// Reads "monday", "monday last week", "monday, 16 november", "the monday before christmas".
  private func weekday(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let weekday = TimeWords.weekdays[word(index)],
      !TimeWords.recurrence.contains(word(index - 1)) || isWord(index - 1, "all"),
      !isWord(index - 1, "a", "an"),
      lead.word == "on" || !TimeWords.weekdayCompounds.contains(word(index + 1))
    else { return nil }
    // "at Friday's" is a place.
    if token(index)?.isPossessive ?? false, lead.word == "at" || isWord(index - 1, "at") {
      return nil
    }
    let isFull = word(index).count > 5
    var next = index + 1
    if !isFull, isSign(next, "."), isAttached(next), number(next + 1) != nil { next += 1 }

    let afterComma = skipping("the", at: skippingComma(next))
    if let (value, end) = longest(
      numericDate(afterComma, .within(lead.depth + 1)),
      named(afterComma, .within(lead.depth + 1))), value.grain == .day
    {
      return (matching(weekday, value), end)
    }
    if let (day, end) = ordinal(afterComma), number(afterComma) != nil, (1...31).contains(day),
      !isWord(end, "of")
    {
      // For example, "Friday the 13th".
      let recurring = Recurring.monthly(day: day)
      let onWeekday = Recurring(turn: recurring.turn) { turn in
        recurring.span(turn).flatMap { $0.first.weekday == weekday ? $0 : nil }
      }
      let isTimed = followsHour(end) || clockFollows(end)
      if isTimed || isNear(onWeekday) && (hasHours(end) || isBeforeEvent(index, end)) {
        return (DateValue(.recurring(onWeekday), .day), end)
      }
    }
    if isWord(next, "before", "after", "following"),
      let (anchor, end) = evidentDate(next + 1, Lead(word: "before", depth: lead.depth + 1)),
      let span = anchor.resolved(today: today)
    {
      let recurring = Recurring.weekly(weekday, firstWeekday: firstWeekday)
      let found =
        isWord(next, "before")
        ? recurring.over(before: span.first) : recurring.first(after: span.last)
      guard let found else { return nil }
      return (DateValue(.fixed(found), .day), end)
    }
    if let (part, end) = partOfDay(next), let (value, last) = weekDate(end, lead.depth + 1),
      let span = value.resolved(today: today)
    {
      // For example, "Sunday evening last week".
      return (DateValue(.fixed(day(weekday, inWeekOf: span)), .partOfDay, part: part), last)
    }
    let ofWeek = skipping("of", "in", at: skippingComma(next))
    if let (value, end) = weekDate(ofWeek, lead.depth + 1),
      let span = value.resolved(today: today)
    {
      return (DateValue(.fixed(day(weekday, inWeekOf: span)), .day), end)
    }
    var value = DateValue(
      .recurring(.weekly(weekday, firstWeekday: firstWeekday)), .day)
    // For example, "the Friday feeling".
    let isAdjective = lead.word.isEmpty && isWord(index - 1, "the") && !isWhole(index - 1, next)
    value.isWeak = isAdjective && !isEnd(next) || !isFull && !isEvidentWeekday(index, next, lead)
    return (value, next)
  }

  /// Returns true if a date is at most three months away, so that a weekday with a number that
  /// belong together by chance are rarely read as a date.
  private func isNear(_ recurring: Recurring) -> Bool {
    guard let last = recurring.begun(by: today) else { return false }
    let wait = recurring.first(after: today).map { today.distance(to: $0.first) }
    return min(last.first.distance(to: today), wait ?? .max) <= 92
  }

  /// Returns true if two hours follow a date, as in "Tue 8th 10-11.30".
  private func hasHours(_ index: Int) -> Bool {
    clockSpan(index, hasDate: true)?.value.end != nil
  }

  /// Returns true if the name of an event follows "Sun 29th", and not something that is numbered:
  /// "Saturday 18th Birthday".
  private func isBeforeEvent(_ index: Int, _ end: Int) -> Bool {
    guard isCapitalised(index), isCapitalised(end), token(end)?.hasSpaceBefore ?? false else {
      return false
    }
    return !TimeGrammar.numbered.contains(word(end))
  }

  private static let numbered: Set<String> = [
    "birthday", "anniversary", "street", "st", "avenue", "ave", "road", "place", "floor",
    "symphony",
    "century", "amendment", "edition", "round", "division", "army", "test", "xi", "team", "attempt",
    "lesson", "class", "grade", "year", "day", "week", "night", "battalion", "regiment", "congress",
    "district", "arrondissement", "annual",
  ]

  /// Reads a complete expression for a week: "last week", "two weeks ago", "the week of 3 march".
  private func weekDate(_ index: Int, _ depth: Int) -> Parsed<DateValue>? {
    guard depth <= TimeGrammar.depthLimit else { return nil }
    let start = skipping("the", at: index)
    guard
      isWord(start, "last", "this", "next", "week", "past", "previous")
        || cardinal(start) != nil || isWord(start, "a")
    else { return nil }
    guard
      let found = longest(
        modified(start, Lead(word: "of", depth: depth)), ago(start, .within(depth)),
        beforeLast(start), weekOf(start, .within(depth))), found.value.grain == .week
    else { return nil }
    return found
  }

  /// Reads a week followed by a day: "last week Tuesday", "two weeks ago on Friday".
  private func weekThenDay(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard (index + 2..<index + 9).contains(where: { TimeWords.weekdays[word($0)] != nil }),
      let (value, next) = weekDate(index, lead.depth + 1),
      let span = value.resolved(today: today)
    else { return nil }
    let start = skipping("on", at: skippingComma(next))
    guard let weekday = TimeWords.weekdays[word(start)],
      start > next && !isSign(next, ",") || !TimeWords.weakWeekdays.contains(word(start)),
      !isSign(next, ",") || isWord(start - 1, "on")
    else { return nil }
    return (DateValue(.fixed(day(weekday, inWeekOf: span)), .day), start + 1)
  }

  private func day(_ weekday: Weekday, inWeekOf span: DaySpan) -> DaySpan {
    let first = span.first.startOfWeek(firstWeekday: firstWeekday)
    return DaySpan(
      day: first.advanced(by: (weekday.rawValue - firstWeekday.rawValue + 7) % 7))
  }

  /// Reads a weekday after a day: "2026-05-01 Fri", "3 May (Sunday)", "yesterday, Friday".
  private func withWeekday(_ found: Parsed<DateValue>) -> Parsed<DateValue> {
    let start = isSign(found.next, "(") || isSign(found.next, ",") ? found.next + 1 : found.next
    guard found.value.grain == .day, found.value.part == nil, !found.value.isWeak,
      let weekday = TimeWords.weekdays[word(start)],
      isCapitalised(start) || start == found.next && word(start).count > 5,
      isSign(found.next, "(") == isSign(start + 1, ")")
    else { return found }
    let value = matching(weekday, found.value)
    guard value.resolved(today: today)?.first.weekday == weekday,
      TimeWords.weekdays[word(found.next - 1)] == nil
    else { return found }
    return (value, isSign(start + 1, ")") ? start + 2 : start + 1)
  }

  /// Matches a date with its weekday, which determines the year if none is given.
  private func matching(_ weekday: Weekday, _ value: DateValue) -> DateValue {
    guard case .recurring(let recurring) = value.form,
      let recent = recurring.begun(by: today), recent.first.weekday != weekday
    else { return value }
    for turn in stride(from: today.year + 1, through: today.year - 11, by: -1) {
      if let span = recurring.span(turn), span.first.weekday == weekday {
        var result = value
        result.form = .fixed(span)
        return result
      }
    }
    return value
  }

  /// Reads the month named by the last of several days: "the 3rd, 5th and 10th of May".
  private func listedMonth(_ index: Int) -> Parsed<DateValue>? {
    var next = index
    for _ in 0..<6 {
      guard isSign(next, ",") || isWord(next, "and", "or") || isSign(next, "&") else { return nil }
      next = isSign(next, ",") ? skipping("and", "or", at: next + 1) : next + 1
      next = skipping("the", at: next)
      guard let (_, end) = ordinal(next) else { return nil }
      if isWord(end, "of"), let found = month(end + 1, .within(1)) { return found }
      next = end
    }
    return nil
  }

  private static let dayLeads: Set<String> = [
    "on", "since", "until", "till", "by", "before", "after", "from", "to", "of", "between",
    "around",
  ]

  /// Reads "on the 3rd": a day of the current month or, if that day is still to come, of the
  /// previous month.
  private func dayOfMonth(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard lead.hasArticle, let (day, next) = ordinal(index), (1...31).contains(day) else {
      return nil
    }
    if isWord(next, "of"), isWord(next + 1, "the"), isWord(next + 2, "month"),
      !isWord(next + 3, "of")
    {
      return (DateValue(.recurring(.monthly(day: day)), .day), next + 3)
    }
    if let (month, end) = evidentDate(skipping("of", at: next), .within(lead.depth + 1)),
      month.grain == .month, isWord(next, "of"), let span = month.resolved(today: today)
    {
      let date = span.first.advanced(by: day - 1)
      return (DateValue(date < span.end ? .fixed(DaySpan(day: date)) : .impossible, .day), end)
    }
    if let (month, _) = listedMonth(next), let span = month.resolved(today: today) {
      let date = span.first.advanced(by: day - 1)
      return (DateValue(date < span.end ? .fixed(DaySpan(day: date)) : .impossible, .day), next)
    }
    guard
      TimeGrammar.dayLeads.contains(lead.word), number(index) != nil,
      followsHour(next) || hourStarts.contains(index)
    else { return nil }
    return (DateValue(.recurring(.monthly(day: day)), .day), next)
  }
}
