import Foundation

extension TimeGrammar {
  // MARK: Last, this, next

  /// Reads "last month", "this friday", "next summer", "last 10 days", "the past year and a half".
  func modified(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    let start =
      isWord(index, "this", "these") && isWord(index + 1, "past", "last", "coming")
      ? index + 1 : index
    let turn: Int
    switch word(start) {
    case "last", "past", "previous": turn = -1
    case "this", "current": turn = 0
    case "next", "coming", "upcoming", "following":
      // "The following week" refers to something mentioned before.
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

  /// Reads "(last) 10 days" or "(past) year and a half", up to and including today.
  private func rolling(_ index: Int, turn: Int, allowsSingle: Bool) -> Parsed<DateValue>? {
    guard turn != 0 else { return nil }
    var found = isWord(index, "a", "an") ? nil : length(index)
    if found == nil, allowsSingle, let unit = unit(index), unit != .century {
      found = singleUnit(index)
    }
    if found == nil, turn < 0, let turns = lastTurns(index) { return turns }
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
    // A span counted in days has the grain of a day, because its ends are exact.
    return DateValue(fixed: span, length.grain).map { ($0, next) }
  }

  /// Reads "(the past) year", "year and a half", "couple of weeks".
  private func singleUnit(_ index: Int) -> Parsed<TimeLength>? {
    guard let unit = unit(index), let length = TimeLength(1, unit) else { return nil }
    guard isWord(index + 1, "and"), isWord(index + 2, "a"), isWord(index + 3, "half"),
      var whole = Optional(length), let half = TimeLength(0.5, unit)
    else {
      if isWord(index + 1, "and"), let (more, next) = self.length(index + 2),
        more.grain < length.grain, more.seconds == 0, var whole = Optional(length)
      {
        whole.add(more)
        return (whole, next)
      }
      return (length, index + 1)
    }
    whole.add(half)
    whole.grain = length.grain
    return (whole, index + 4)
  }

  private func modifiedUnit(_ index: Int, turn: Int, isRolling: Bool) -> Parsed<DateValue>? {
    if isWord(index, "half"), isWord(index + 1, "year") {
      return calendarUnit(.halfYear, turn: turn).map { ($0, index + 2) }
    }
    guard let unit = unit(index), !(isWord(index + 1, "of") && turn <= 0) else { return nil }
    if isRolling, turn < 0, ![.weekend, .quarter, .century].contains(unit) { return nil }
    guard TimeWords.units[word(index) + "s"] != nil || word(index) == "century" else { return nil }
    return calendarUnit(unit, turn: turn).map { ($0, index + 1) }
  }

  /// Reads "last night", "this morning".
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

  /// Reads "last monday", "this summer", "next christmas".
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

  /// Reads "two weeks ago", "three days earlier", "in 3 days", "3 weeks from now".
  ///
  /// Distances in hours and minutes are moments; see `momentAgo`.
  func ago(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    if let found = countedTurn(index) { return found }
    guard let (length, next) = length(index), length.seconds == 0, !length.isEmpty,
      let (sign, end) = direction(next, lead)
    else { return nil }
    let day = length.moved(today, by: sign)
    if sign < 0, let found = unitThen(day, end) { return found }
    if sign < 0, length.grain == .quarter, length.days == 0 {
      // A quarter is one of the calendar's four, not a length counted in days.
      return calendarUnit(.quarter, turn: -length.months / 3).map { ($0, end) }
    }
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

  /// Returns the direction of a length of time relative to now.
  func direction(_ next: Int, _ lead: Lead) -> Parsed<Int>? {
    if isWord(next, "ago", "earlier", "back") {
      // "Three days earlier he had been well" counts from a day in the story.
      if isWord(next, "earlier"), !isEnd(next + 1) { return nil }
      if isWord(next, "back"), !followsHour(next + 1) { return nil }
      return (-1, skipping("today", at: next + 1))
    }
    if isWord(next, "from"), isWord(next + 1, "now", "today") { return (1, next + 2) }
    if isWord(next, "hence") { return (1, next + 1) }
    if isWord(next, "time"), lead.word == "in", token(next - 1)?.isPossessive ?? false {
      return (1, next + 1)
    }
    if lead.word == "in", !lead.hasArticle, !isWord(next, "of"),
      !(token(next - 1)?.isPossessive ?? false)
    {
      return (1, next)
    }
    return nil
  }

  /// Reads "the day before Christmas", "two weeks after Easter", "the week before 3 march".
  func anchored(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    if isWord(index, "eve", "day"), isWord(index + 1, "of"), lead.hasArticle,
      let (anchor, end) = evidentDate(index + 2, Lead(word: "of", depth: lead.depth + 1)),
      anchor.isDay, anchor.part == nil, let span = anchor.resolved(today: today)
    {
      // For example, "the eve of Christmas", "the day of Epiphany".
      let day = isWord(index, "eve") ? span.first.advanced(by: -1) : span.first
      return (DateValue(.fixed(DaySpan(day: day)), .day), end)
    }
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
      let (anchor, end) = evidentDate(next + 1, Lead(word: "before", depth: lead.depth + 1)),
      let span = anchor.resolved(today: today)
    else { return nil }
    let isBefore = isWord(next, "before", "preceding")
    if length.grain == .weekend {
      // This is the nearest weekend on that side and not a part of the anchor.
      let turn = isCounted ? max(1, length.days / 7) : 1
      return block(isBefore ? -turn : turn, 1, .weekend, beside: span).map { ($0, end) }
    }
    if isCounted, lead.hasArticle || isWord(index - 1, "for") {
      // "The three days after Christmas" means all of them, "three days after" only the third.
      let whole =
        isBefore
        ? DaySpan(length.moved(span.first, by: -1), span.first)
        : DaySpan(span.end, length.moved(span.end, by: 1))
      return DateValue(fixed: whole, length.grain).map { ($0, end) }
    }
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

  /// Reads "two Mondays ago", "three summers ago", "two Christmases ago", "two Tuesdays from now".
  private func countedTurn(_ index: Int) -> Parsed<DateValue>? {
    guard (index + 2..<index + 7).contains(where: { isWord($0, "ago", "back", "from") }),
      let (amount, next) = quantity(index), (1...5000).contains(amount)
    else { return nil }
    let count = Int(amount)
    let isCounted = count <= 60
    let name = word(next)
    if isWord(next + 1, "ago"),
      let part = TimeWords.parts[name.hasSuffix("s") ? String(name.dropLast()) : name]
    {
      // For example, "three nights ago".
      let day = DaySpan(day: today.advanced(by: -count))
      return (DateValue(.fixed(day), .partOfDay, part: part), next + 2)
    }
    guard let (recurring, end, grain) = turns(next, isOne: count == 1) else { return nil }
    var span: DaySpan?
    if isWord(end, "ago", "back") {
      guard isCounted else { return nil }
      span = recurring.over(before: today)
      for _ in 1..<count { span = span.flatMap { recurring.over(before: $0.first) } }
      return DateValue(fixed: span, grain).map { ($0, end + 1) }
    }
    guard isWord(end, "from"), isWord(end + 1, "now", "today"), isCounted else { return nil }
    span = recurring.first(after: today)
    for _ in 1..<count { span = span.flatMap { recurring.first(after: $0.first) } }
    return DateValue(fixed: span, grain).map { ($0, end + 2) }
  }

  /// Reads "(the last) two summers", from the beginning of the first to the end of the latest.
  private func lastTurns(_ index: Int) -> Parsed<DateValue>? {
    guard let (count, next) = cardinal(index), (2...60).contains(count),
      let (recurring, end, grain) = turns(next, isOne: false), grain == .season,
      let latest = recurring.begun(by: today)
    else { return nil }
    var first: DaySpan? = latest
    for _ in 1..<count { first = first.flatMap { recurring.over(before: $0.first) } }
    return DateValue(fixed: DaySpan(first?.first, latest.end), grain).map { ($0, end) }
  }

  /// Reads the plural of something that recurs every week or year: "mondays", "summers",
  /// "christmases".
  private func turns(
    _ index: Int, isOne: Bool
  ) -> (recurring: Recurring, next: Int, grain: Grain)? {
    let name = word(index)
    let singulars =
      isOne
      ? [name]
      : [
        name.hasSuffix("s") ? String(name.dropLast()) : "",
        name.hasSuffix("es") ? String(name.dropLast(2)) : "",
      ]
    for singular in singulars where !singular.isEmpty {
      if let weekday = TimeWords.weekdays[singular] {
        return (.weekly(weekday, firstWeekday: firstWeekday), index + 1, .day)
      }
      if let month = TimeWords.seasons[singular] {
        return (.yearly { DaySpan.months($0, month, count: 3) }, index + 1, .season)
      }
      if let month = TimeWords.months[singular], singular.count > 3 {
        return (.yearly { DaySpan.months($0, month) }, index + 1, .month)
      }
      if let rule = Holidays.rule([singular]) {
        return (.yearly { Holidays.span(rule, year: $0) }, index + 1, .day)
      }
    }
    return nil
  }

  /// Reads "(ten years ago) this month" or "(a year ago) yesterday": the unit or the day around it.
  private func unitThen(_ day: DayKey, _ index: Int) -> Parsed<DateValue>? {
    if isWord(index, "yesterday", "tomorrow") {
      let near = day.advanced(by: isWord(index, "yesterday") ? -1 : 1)
      return (DateValue(.fixed(DaySpan(day: near)), .day), index + 1)
    }
    guard isWord(index, "this"), let unit = unit(index + 1) else { return nil }
    let span: DaySpan?
    switch unit {
    case .week:
      let first = day.startOfWeek(firstWeekday: firstWeekday)
      span = DaySpan(first, first.advanced(by: 7))
    case .month: span = DaySpan.months(day.year, day.month)
    default: return nil
    }
    return DateValue(fixed: span, SpanPart.grain(unit)).map { ($0, index + 2) }
  }
}
