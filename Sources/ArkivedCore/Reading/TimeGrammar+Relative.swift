import Foundation

extension TimeGrammar {
  // MARK: Last, this, next

  /// "last month", "this friday", "next summer", "last 10 days", "the past year and a half".
  func modified(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    let start =
      isWord(index, "this", "these") && isWord(index + 1, "past", "last", "coming")
      ? index + 1 : index
    let turn: Int
    switch word(start) {
    case "last", "past", "previous": turn = -1
    case "this", "current": turn = 0
    case "next", "coming", "upcoming", "following":
      // "The following week" follows something that was told before.
      guard !isWord(start, "following") else { return nil }
      turn = 1
    default: return nil
    }
    if lead.hasArticle, turn == 0, isWord(start, "this") { return nil }
    let next = start + 1
    let isRolling =
      isWord(start, "past") || lead.hasArticle && isWord(start, "last") || start > index
    return longest(
      rolling(next, turn: turn, allowsSingle: isRolling),
      modifiedUnit(next, turn: turn, isRolling: isRolling),
      modifiedPart(next, turn: turn, lead), modifiedName(next, turn: turn, word(start)))
  }

  /// "(last) 10 days", "(past) year and a half": up to and including today.
  private func rolling(_ index: Int, turn: Int, allowsSingle: Bool) -> Parsed<DateValue>? {
    guard turn != 0 else { return nil }
    var found = isWord(index, "a", "an") ? nil : length(index)
    if found == nil, allowsSingle, let unit = unit(index), unit != .century {
      found = singleUnit(index)
    }
    guard let (length, next) = found, !length.isEmpty, length.seconds == 0 else { return nil }
    if isWord(next, "of"), !isWord(index, "couple") { return nil }
    let span: DaySpan?
    if length.grain == .weekend {
      let weekend = Recurring.weekend.begun(by: today)
      let edge = weekend?.first.advanced(by: turn < 0 ? 7 - length.days : length.days)
      span =
        turn < 0
        ? DaySpan(edge, weekend?.end) : DaySpan(today.advanced(by: 1), edge?.advanced(by: 2))
    } else if turn < 0 {
      span = DaySpan(length.moved(today, by: -1).advanced(by: 1), today.advanced(by: 1))
    } else {
      span = DaySpan(today.advanced(by: 1), length.moved(today, by: 1).advanced(by: 1))
    }
    // A span of days has the grain of a day: its ends are exact.
    return DateValue(fixed: span, length.grain).map { ($0, next) }
  }

  /// "(the past) year", "year and a half", "couple of weeks".
  private func singleUnit(_ index: Int) -> Parsed<TimeLength>? {
    guard let unit = unit(index), let length = TimeLength(1, unit) else { return nil }
    guard isWord(index + 1, "and"), isWord(index + 2, "a"), isWord(index + 3, "half"),
      var whole = Optional(length), let half = TimeLength(0.5, unit)
    else { return (length, index + 1) }
    whole.add(half)
    whole.grain = length.grain
    return (whole, index + 4)
  }

  private func modifiedUnit(_ index: Int, turn: Int, isRolling: Bool) -> Parsed<DateValue>? {
    if isWord(index, "half"), isWord(index + 1, "year") {
      return calendarUnit(.halfYear, turn: turn).map { ($0, index + 2) }
    }
    guard let unit = unit(index), !(isWord(index + 1, "of") && turn <= 0 && !isRolling) else {
      return nil
    }
    if isRolling, turn < 0, ![.weekend, .quarter, .century].contains(unit) { return nil }
    guard TimeWords.units[word(index) + "s"] != nil || word(index) == "century" else { return nil }
    return calendarUnit(unit, turn: turn).map { ($0, index + 1) }
  }

  /// "last night", "this morning".
  private func modifiedPart(_ index: Int, turn: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let part = TimeWords.parts[word(index)], turn <= 0, !lead.hasArticle else { return nil }
    let day: DayKey
    if turn == 0 {
      day = today
    } else {
      guard isWord(index, "night", "evening") else { return nil }
      day = today.advanced(by: -1)
    }
    return (DateValue(.fixed(DaySpan(day: day)), .partOfDay, part: part), index + 1)
  }

  /// "last monday", "this summer", "next christmas".
  private func modifiedName(_ index: Int, turn: Int, _ word: String) -> Parsed<DateValue>? {
    var value: DateValue
    let next: Int
    if let weekday = TimeWords.weekdays[self.word(index)] {
      if isWeakModified(index, index + 1, word) { return nil }
      value = DateValue(.recurring(.weekly(weekday, firstWeekday: firstWeekday)), .day)
      next = index + 1
    } else if let (found, end) = longest(
      month(index, Lead(word: word, depth: 1)), season(index, Lead(word: word, depth: 1)),
      holiday(index, Lead(word: word, depth: 1)), dayAndMonth(index, Lead(word: word, depth: 1)))
    {
      if found.grain != .day, isWeakModified(index, end, word) { return nil }
      (value, next) = (found, end)
    } else {
      return nil
    }
    guard case .recurring(let recurring) = value.form else { return nil }
    let span: DaySpan?
    switch turn {
    case -1: span = recurring.over(before: today)
    case 0: span = recurring.current(at: today)
    default: span = recurring.first(after: today)
    }
    guard let span else { return nil }
    value.form = .fixed(span)
    value.isWeak = false
    return (value, next)
  }

  // MARK: Distances

  /// "two weeks ago", "three days earlier", "in 3 days", "3 weeks from now". Distances of hours
  /// and minutes are moments; see `momentAgo`.
  func ago(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    if let (count, next) = quantity(index), isWord(next + 1, "ago"),
      let weekday = TimeWords.weekdays[singular(word(next))], (1...5000).contains(count)
    {
      let recurring = Recurring.weekly(weekday, firstWeekday: firstWeekday)
      guard let recent = recurring.over(before: today) else { return nil }
      let day = recent.first.advanced(by: -7 * (Int(count) - 1))
      return (DateValue(.fixed(DaySpan(day: day)), .day), next + 2)
    }
    guard let (length, next) = length(index), length.seconds == 0, !length.isEmpty,
      let (sign, end) = direction(next, lead)
    else { return nil }
    let day = length.moved(today, by: sign)
    if length.grain == .weekend {
      let weekend = Recurring.weekend.begun(by: day)
      let running = Recurring.weekend.current(at: day)
      return DateValue(fixed: sign < 0 ? running ?? weekend : running, .weekend).map { ($0, end) }
    }
    return (DateValue(.fixed(DaySpan(day: day)), length.grain), end)
  }

  func singular(_ word: String) -> String {
    word.hasSuffix("days") ? String(word.dropLast()) : word
  }

  /// Which way a length of time points from now.
  func direction(_ next: Int, _ lead: Lead) -> Parsed<Int>? {
    if isWord(next, "ago", "earlier", "back") {
      if isWord(next, "back"), !isEnd(next + 1) { return nil }
      return (-1, skipping("today", at: next + 1))
    }
    if isWord(next, "from"), isWord(next + 1, "now", "today") { return (1, next + 2) }
    if isWord(next, "hence") { return (1, next + 1) }
    if isWord(next, "time"), lead.word == "in", token(next - 1)?.isPossessive ?? false {
      return (1, next + 1)
    }
    if lead.word == "in", !lead.hasArticle, !isWord(next, "of") { return (1, next) }
    return nil
  }

  /// "the day before Christmas", "two weeks after Easter", "the week before 3 march".
  func anchored(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    var length: TimeLength
    var next: Int
    var isCounted = false
    if let (found, end) = self.length(index) {
      (length, next) = (found, end)
      isCounted = true
    } else if lead.hasArticle, let unit = unit(index), let found = TimeLength(1, unit) {
      (length, next) = (found, index + 1)
    } else if lead.hasArticle, TimeWords.parts[word(index)] != nil,
      let found = TimeLength(1, .day)
    {
      (length, next) = (found, index + 1)
    } else {
      return nil
    }
    guard isWord(next, "before", "after", "following", "preceding"), length.seconds == 0,
      !isWord(next + 1, "last", "next"),
      let (anchor, end) = evidentDate(next + 1, Lead(word: "before", depth: lead.depth + 1)),
      let span = anchor.resolved(today: today)
    else { return nil }
    let isBefore = isWord(next, "before", "preceding")
    if !isCounted, length.grain > .day {
      let first = isBefore ? length.moved(span.first, by: -1) : span.end
      let last = isBefore ? span.first : length.moved(span.end, by: 1)
      return DateValue(fixed: DaySpan(first, last), length.grain).map { ($0, end) }
    }
    let day = isBefore ? length.moved(span.first, by: -1) : length.moved(span.last, by: 1)
    let part = TimeWords.parts[word(index)]
    return (
      DateValue(.fixed(DaySpan(day: day)), part == nil ? length.grain : .partOfDay, part: part), end
    )
  }

  // MARK: Parts of longer spans

  /// "the second week of March", "the last Friday of 2019", "the first three days in May".
  func nth(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let (nth, afterNth) = position(index) else { return nil }
    var count = 1
    var next = afterNth
    if let (amount, end) = cardinal(next), (2...400).contains(amount) {
      (count, next) = (amount, end)
    }
    let weekday = TimeWords.weekdays[word(next)]
    let unit = isWord(next, "half") ? .halfYear : self.unit(next)
    guard weekday != nil && count == 1 || unit != nil else { return nil }
    next += 1
    guard isWord(next, "of", "in", "after", "before") else { return nil }
    let isAfter = isWord(next, "after")
    let isBefore = isWord(next, "before")
    guard let (container, end) = evidentDate(next + 1, .within(lead.depth + 1)) else { return nil }
    if isAfter || isBefore {
      guard let weekday, let span = container.resolved(today: today), nth > 0 else { return nil }
      let recurring = Recurring.weekly(weekday, firstWeekday: firstWeekday)
      let near = isAfter ? recurring.first(after: span.last) : recurring.over(before: span.first)
      let shift = 7 * (nth - 1) * (isAfter ? 1 : -1)
      return (near?.first.advanced(by: shift)).map {
        (DateValue(.fixed(DaySpan(day: $0)), .day), end)
      }
    }
    guard container.grain >= .week else { return nil }
    let first = firstWeekday
    let cut: @Sendable (DaySpan) -> DaySpan? = { [count] span in
      if let weekday { return DaySpan(day: Holidays.day(nth: nth, weekday, in: span)) }
      return unit.flatMap { SpanPart.part(of: span, nth, count, $0, firstWeekday: first) }
    }
    let grain: Grain = weekday != nil ? .day : SpanPart.grain(unit ?? .day)
    // "The last year of March", "the fifth week of May 3": there is no such part.
    guard let value = cutting(container, grain, cut), value.resolved(today: today) != nil else {
      return nil
    }
    return (value, end)
  }

  /// "second", "last", "second to last": negative counts from the end.
  private func position(_ index: Int) -> Parsed<Int>? {
    if isWord(index, "last", "final") { return (-1, index + 1) }
    if isWord(index, "penultimate") { return (-2, index + 1) }
    guard let (nth, next) = ordinal(index), nth <= 400 else { return nil }
    let after = isSign(next, "-") ? next + 1 : next
    if isWord(after, "to"), isWord(isSign(after + 1, "-") ? after + 2 : after + 1, "last") {
      return (-nth, isSign(after + 1, "-") ? after + 3 : after + 2)
    }
    return (nth, next)
  }

  private func cutting(
    _ container: DateValue, _ grain: Grain, _ cut: @escaping @Sendable (DaySpan) -> DaySpan?
  ) -> DateValue? {
    switch container.form {
    case .fixed(let span): return DateValue(fixed: cut(span), grain)
    case .recurring(let recurring):
      return DateValue(
        .recurring(
          Recurring(
            turn: recurring.turn, span: { recurring.span($0).flatMap(cut) },
            isYearly: recurring.isYearly)), grain)
    case .impossible: return nil
    }
  }

  /// "early March", "mid-2019", "the end of last year".
  func portion(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    let third: Int
    var next = index + 1
    switch word(index) {
    case "early": third = 0
    case "mid": third = 1
    case "late": third = 2
    case "beginning", "start": third = 0
    case "middle": third = 1
    case "end": third = 2
    default: return nil
    }
    if isWord(index, "beginning", "start", "middle", "end") {
      guard isWord(next, "of") else { return nil }
      next += 1
    } else if isSign(next, "-") {
      next += 1
    }
    next = skipping("in", at: next)
    if TimeWords.possessives.contains(word(index - 1)) { return nil }
    var inner = Lead.within(lead.depth + 1)
    inner.word = "of"
    guard let (container, end) = runningUnit(next) ?? evidentDate(next, inner),
      container.grain >= .week
    else { return nil }
    let grain = container.grain
    let cut: @Sendable (DaySpan) -> DaySpan? = { SpanPart.third($0, third, grain) }
    return cutting(container, SpanPart.finer(grain), cut).map { ($0, end) }
  }

  /// "the year" in "the end of the year": the running one.
  private func runningUnit(_ index: Int) -> Parsed<DateValue>? {
    guard isWord(index, "the"), let unit = unit(index + 1), !isWord(index + 2, "of", "before")
    else { return nil }
    return calendarUnit(unit, turn: 0).map { ($0, index + 2) }
  }

  /// "earlier this year", "later today": up to and from today.
  func sideOfToday(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard isWord(index, "earlier", "later"), isWord(index + 1, "this", "today"),
      let (value, end) = evidentDate(index + 1, .within(lead.depth + 1)), value.part == nil,
      case .fixed(let span) = value.form, span.first <= today, today < span.end
    else { return nil }
    let cut =
      isWord(index, "earlier")
      ? DaySpan(span.first, today.advanced(by: 1)) : DaySpan(today, span.end)
    return DateValue(fixed: cut, value.grain).map { ($0, end) }
  }

  /// "the week of 3 march", "week 11 of 2026", "the weekend of 3 march".
  func weekOf(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    let start = skipping("calendar", "iso", at: index)
    guard isWord(start, "week", "wk", "weekend", "cw", "w") else { return nil }
    if let week = number(start + 1) ?? attachedNumber(start), (1...53).contains(week),
      !isWord(start, "weekend")
    {
      guard let (year, end) = yearQualifier(start + 2) else {
        guard lead.word == "in", isWord(start, "week", "cw", "wk"), !lead.hasArticle,
          followsHour(start + 2)
        else { return nil }
        let recurring = Recurring.yearly { weekSpan($0, week) }
        return (DateValue(.recurring(recurring), .week), start + 2)
      }
      return DateValue(fixed: weekSpan(year, week), .week).map { ($0, end) }
    }
    if start == index, isWord(start, "weekend"), lead.hasArticle,
      !isWord(start + 1, "of", "before", "after")
    {
      return (DateValue(.recurring(.weekend), .weekend), start + 1)
    }
    let isWeekend = isWord(start, "weekend")
    guard isWord(start + 1, "of", "beginning", "starting", "commencing"),
      let (anchor, end) = evidentDate(start + 2, .within(lead.depth + 1)), anchor.isDay,
      let span = anchor.resolved(today: today)
    else { return nil }
    let first = span.first.startOfWeek(firstWeekday: isWeekend ? .monday : firstWeekday)
    let value =
      isWeekend
      ? DateValue(fixed: DaySpan(first.advanced(by: 5), first.advanced(by: 7)), .weekend)
      : DateValue(fixed: DaySpan(first, first.advanced(by: 7)), .week)
    return value.map { ($0, end) }
  }

  private func attachedNumber(_ index: Int) -> Int? {
    guard isAttached(index + 1), let token = token(index + 1), token.kind == .number else {
      return nil
    }
    return token.value
  }
}
