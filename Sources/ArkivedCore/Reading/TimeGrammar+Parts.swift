import Foundation

extension TimeGrammar {
  // MARK: Parts of longer spans

  /// Reads "the second week of March", "the last Friday of 2019", "the first three days in May".
  func nth(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let (nth, afterNth) = position(index) else { return nil }
    var count = 1
    var next = afterNth
    if let (amount, end) = cardinal(next), (2...400).contains(amount) {
      (count, next) = (amount, end)
    } else if isWord(next, "few") {
      (count, next) = (3, next + 1)
    } else if isWord(next, "couple"), isWord(next + 1, "of") {
      (count, next) = (2, next + 2)
    } else if isWord(next, "days", "weeks", "months", "years"), abs(nth) == 1 {
      // "the last days of May" means several of them.
      count = 3
    }
    let weekday = TimeWords.weekdays[word(next)]
    let unit = isWord(next, "half") ? .halfYear : self.unit(next)
    guard weekday != nil && count == 1 || unit != nil else { return nil }
    next += 1
    guard isWord(next, "of", "in", "after", "before") else { return nil }
    let isAfter = isWord(next, "after")
    let isBefore = isWord(next, "before")
    let inner = runningUnit(next + 1) ?? evidentDate(next + 1, .within(lead.depth + 1))
    guard let (container, end) = inner else { return nil }
    if isAfter || isBefore {
      guard let span = container.resolved(today: today), nth > 0 || isBefore && nth == -1 else {
        return nil
      }
      guard let weekday else {
        let turn = max(nth, 1) * (isAfter ? 1 : -1)
        return unit.flatMap { block(turn, count, $0, beside: span) }.map { ($0, end) }
      }
      let nth = max(nth, 1)
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
    // Parts such as "the last year of March" and "the fifth week of May 3" don't exist.
    guard let value = cutting(container, grain, cut), value.resolved(today: today) != nil else {
      return nil
    }
    return (value, end)
  }

  /// Reads "the first week after Easter" or "the last weekend before Christmas": the nth unit on
  /// one side of a date.
  func block(
    _ turn: Int, _ count: Int, _ unit: TimeWords.Unit, beside anchor: DaySpan
  ) -> DateValue? {
    let nth = abs(turn)
    guard nth <= 60, count <= 400 else { return nil }
    if unit == .weekend {
      guard count == 1 else { return nil }
      let near =
        turn > 0
        ? Recurring.weekend.first(after: anchor.last) : Recurring.weekend.over(before: anchor.first)
      let shift = 7 * (nth - 1) * turn.signum()
      return near.flatMap {
        DateValue(
          fixed: DaySpan($0.first.advanced(by: shift), $0.end.advanced(by: shift)), .weekend)
      }
    }
    guard let near = TimeLength(Double(nth - 1), unit), near.seconds == 0,
      let far = TimeLength(Double(nth - 1 + count), unit), !far.isEmpty
    else { return nil }
    let span =
      turn > 0
      ? DaySpan(near.moved(anchor.end, by: 1), far.moved(anchor.end, by: 1))
      : DaySpan(far.moved(anchor.first, by: -1), near.moved(anchor.first, by: -1))
    return DateValue(fixed: span, far.grain)
  }

  /// Reads "second", "last" or "second to last"; negative numbers count from the end.
  private func position(_ index: Int) -> Parsed<Int>? {
    if isWord(index, "last", "final") { return (-1, index + 1) }
    if isWord(index, "penultimate") { return (-2, index + 1) }
    if isWord(index, "next") {
      let start = skippingSign("-", at: index + 1)
      let after = skippingSign("-", at: start + 1)
      if isWord(start, "to"), isWord(after, "last") { return (-2, after + 1) }
    }
    guard let (nth, next) = ordinal(index), nth <= 400 else { return nil }
    if isWord(next, "last"), nth > 1 { return (-nth, next + 1) }
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

  /// Reads "early March", "mid-2019", "the end of last year".
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
    if let found = wideningPortion(index, lead) { return found }
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
    inner.hasArticle = lead.hasArticle && spokenDecade(next) != nil
    guard let (container, end) = runningUnit(next) ?? evidentDate(next, inner),
      container.grain >= .week
    else { return nil }
    let grain = container.grain
    let cut: @Sendable (DaySpan) -> DaySpan? = { SpanPart.third($0, third, grain) }
    return cutting(container, SpanPart.finer(grain), cut).map { ($0, end) }
  }

  /// Reads "early to mid 90s", "mid- to late June", "midsummer".
  private func wideningPortion(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    let thirds = ["early": 0, "mid": 1, "late": 2]
    guard let first = thirds[word(index)] else { return nil }
    var next = skippingSign("-", at: index + 1)
    guard isWord(next, "to") else { return nil }
    next += 1
    next = skippingSign("-", at: next)
    guard let last = thirds[word(next)], last > first else { return nil }
    next = skipping("in", at: skippingSign("-", at: next + 1))
    var inner = Lead.within(lead.depth + 1)
    inner.hasArticle = lead.hasArticle && spokenDecade(next) != nil
    guard let (container, end) = evidentDate(next, inner), container.grain >= .week else {
      return nil
    }
    let grain = container.grain
    return cutting(container, SpanPart.finer(grain)) { span in
      DaySpan(
        SpanPart.third(span, first, grain)?.first, SpanPart.third(span, last, grain)?.end)
    }.map { ($0, end) }
  }

  /// Reads "the year" in "the end of the year" as the current one.
  private func runningUnit(_ index: Int, allowsDay: Bool = false) -> Parsed<DateValue>? {
    guard isWord(index, "the"), let unit = unit(index + 1),
      !isWord(index + 2, "of", "before", "after")
    else { return nil }
    if allowsDay, isWord(index + 1, "day") {
      return (DateValue(.fixed(DaySpan(day: today)), .day), index + 2)
    }
    return calendarUnit(unit, turn: 0).map { ($0, index + 2) }
  }

  /// Reads "earlier this year" and "later today": up to today, and from today on.
  func sideOfToday(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard isWord(index, "earlier", "later") else { return nil }
    let inside =
      isWord(index + 1, "in")
      ? runningUnit(index + 2, allowsDay: true)
      : isWord(index + 1, "this", "today", "tonight")
        ? evidentDate(index + 1, .within(lead.depth + 1)) : nil
    guard let (value, end) = inside, case .fixed(let span) = value.form, span.first <= today,
      today < span.end
    else { return nil }
    // "Earlier this evening" means this evening.
    if value.part != nil { return (value, end) }
    let cut =
      isWord(index, "earlier")
      ? DaySpan(span.first, today.advanced(by: 1)) : DaySpan(today, span.end)
    return DateValue(fixed: cut, value.grain).map { ($0, end) }
  }

  /// Reads "the week of 3 march", "week 11 of 2026", "the weekend of 3 march".
  func weekOf(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    let start = skipping("calendar", "iso", at: index)
    guard isWord(start, "week", "wk", "weekend", "cw", "kw", "w") else { return nil }
    if let week = number(start + 1) ?? attachedNumber(start), (1...53).contains(week),
      !isWord(start, "weekend")
    {
      let slash = start + 2
      if isSign(slash, "/"), isAttached(slash), isAttached(slash + 1),
        let year = token(slash + 1), year.digits == 4
      {
        return DateValue(fixed: TimeGrammar.weekSpan(year.value, week), .week)
          .map { ($0, slash + 2) }
      }
      guard let (year, end) = yearQualifier(start + 2) else {
        let isNamed = isWord(start, "cw", "kw") || isWord(start - 1, "calendar")
        guard isNamed || lead.word == "in" && isWord(start, "week", "wk"), !lead.hasArticle,
          followsHour(start + 2)
        else { return nil }
        let recurring = Recurring.yearly { TimeGrammar.weekSpan($0, week) }
        return (DateValue(.recurring(recurring), .week), start + 2)
      }
      return DateValue(fixed: TimeGrammar.weekSpan(year, week), .week).map { ($0, end) }
    }
    if start == index, isWord(start, "weekend"), lead.hasArticle,
      !isWord(start + 1, "of", "before", "after")
    {
      return (DateValue(.recurring(.weekend), .weekend), start + 1)
    }
    let isWeekend = isWord(start, "weekend")
    guard isWord(start + 1, "of", "beginning", "starting", "commencing", "from", "ending"),
      let (span, end) = dayOrDays(start + 2, lead)
    else { return nil }
    if isWord(start + 1, "ending"), !isWeekend {
      return (
        DateValue(.fixed(DaySpan(span.last.advanced(by: -6), span.end) ?? span), .week), end
      )
    }
    let first = span.first.startOfWeek(firstWeekday: isWeekend ? .monday : firstWeekday)
    let value =
      isWeekend
      ? DateValue(fixed: DaySpan(first.advanced(by: 5), first.advanced(by: 7)), .weekend)
      : DateValue(fixed: DaySpan(first, first.advanced(by: 7)), .week)
    return value.map { ($0, end) }
  }

  /// Reads a day, or days such as "19–20 July".
  private func dayOrDays(_ index: Int, _ lead: Lead) -> Parsed<DaySpan>? {
    if let (days, end) = monthDays(index, lead: "") ?? dayDays(index, lead: ""),
      let start = days.start, let last = days.end
    {
      return DaySpan(start.day, last.day).map { ($0, end) }
    }
    let start = skipping("on", at: index)
    guard let (anchor, end) = evidentDate(start, .within(lead.depth + 1)), anchor.isDay,
      let span = anchor.resolved(today: today)
    else { return nil }
    return (span, end)
  }

  private func attachedNumber(_ index: Int) -> Int? {
    guard isAttached(index + 1), let token = token(index + 1), token.kind == .number else {
      return nil
    }
    return token.value
  }
}
