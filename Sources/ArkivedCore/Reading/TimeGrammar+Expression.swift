import Foundation

/// Complete expressions: spans, open ends, and moments with their prepositions.
extension TimeGrammar {
  /// Reads the time expression at a position, or returns nil.
  func expression(_ index: Int) -> Parsed<TimeReading>? {
    guard let token = token(index),
      token.kind == .word || token.kind == .number || token.text == "'"
    else { return nil }
    guard let found = longest(span(index), open(index), lone(index)) else {
      return fromForLength(index)
    }
    return longest(found, lengthened(found.value, found.next), fromForLength(index))
  }

  /// Reads "from 9 am for an hour".
  private func fromForLength(_ index: Int) -> Parsed<TimeReading>? {
    guard isWord(index, "from", "starting", "beginning"), let (first, next) = lone(index + 1) else {
      return nil
    }
    return lengthened(first, next)
  }

  private static let leads: Set<String> = [
    "on", "in", "at", "during", "over", "around", "throughout", "within", "circa", "for",
  ]
  /// Words that belong to the sentence but indicate that a time follows.
  private static let silentLeads: Set<String> = ["compare", "than", "versus", "vs", "all"]

  /// Reads a moment with or without a preposition.
  private func lone(_ index: Int) -> Parsed<TimeReading>? {
    let word = word(index)
    if TimeWords.recurrence.contains(self.word(index - 1)) { return nil }
    if TimeGrammar.leads.contains(word) {
      if word == "for", !isLastSpan(index + 1) { return nil }
      if word == "over", self.number(index + 1) != nil { return nil }
      guard let (moment, next) = moment(index + 1, Lead(word: word)) else { return nil }
      return resolved(moment).map { ($0, next) }
    }
    if word == "from", let (moment, next) = moment(index + 1, Lead()), moment.clock?.end != nil {
      return resolved(moment).map { ($0, next) }
    }
    let before = self.word(index - 1)
    let lead = TimeGrammar.silentLeads.contains(before) ? before : ""
    guard let (moment, next) = moment(index, Lead(word: lead)) else { return nil }
    return resolved(moment).map { ($0, next) }
  }

  /// Returns true for "(for) the last 10 days".
  private func isLastSpan(_ index: Int) -> Bool {
    isWord(skipping("the", at: index), "last", "past", "next")
  }

  // MARK: Spans

  /// Reads "from May to July", "between 3 March and Easter", "3–5 March 2020", "2019–2021".
  private func span(_ index: Int) -> Parsed<TimeReading>? {
    var start = index
    var lead = ""
    if isWord(index, "from", "between", "since") || isWord(index, "in", "on", "during") {
      lead = word(index)
      start += 1
    } else if isWord(index, "ever"), isWord(index + 1, "since") {
      lead = "since"
      start += 2
    }
    let inner = ["from", "between", "since"].contains(lead) ? lead : lead == "in" ? "in" : ""
    return longest(
      isoInterval(start), monthDays(start, lead: inner), dayDays(start, lead: inner),
      years(start, lead: inner),
      moments(start, lead: inner))
  }

  /// Returns the position after the words that join the two ends of a span.
  private func joint(_ index: Int, lead: String) -> Int? {
    if lead == "between" { return isWord(index, "and") ? index + 1 : nil }
    if isSign(index, "-") || isWord(index, "to", "until", "till", "til", "through", "thru") {
      return index + 1
    }
    if isSign(index, "/"), isAttached(index), isAttached(index + 1), token(index + 1)?.digits == 4 {
      return index + 1
    }
    if isSign(index, "."), isSign(index + 1, "."), isAttached(index), isAttached(index + 1),
      isAttached(index + 2)
    {
      return index + 2
    }
    return isWord(index, "up") && isWord(index + 1, "to", "until") ? index + 2 : nil
  }

  private func moments(_ index: Int, lead: String) -> Parsed<TimeReading>? {
    guard let (first, middle) = moment(index, Lead(word: lead.isEmpty ? "from" : lead)),
      let start = joint(middle, lead: lead)
    else { return nil }
    let isDash = isSign(middle, "-")
    guard let (second, next) = moment(start, Lead(word: "to")) else { return nil }
    // A bare month or season is an end only next to an end of the same kind.
    guard isJoinable(first, second, isDash: isDash, hasLead: !lead.isEmpty) else { return nil }
    return joined(first, second).map { ($0, next) }
  }

  private func isJoinable(
    _ first: TimeMoment, _ second: TimeMoment, isDash: Bool, hasLead: Bool
  ) -> Bool {
    if first.date == nil, second.date == nil, first.exact == nil, second.exact == nil {
      // Two clock times are read as one span within a day.
      return false
    }
    if isDash, let one = first.date, let two = second.date { return one.grain == two.grain }
    if !hasLead, first.date != nil, second.date == nil, second.exact == nil {
      return first.clock != nil && second.clock != nil
    }
    return true
  }

  /// Reads "3–5 March 2020" or "from 3 to 5 march", with the month only at the end.
  func monthDays(_ index: Int, lead: String) -> Parsed<TimeReading>? {
    let start = skipping("the", at: index)
    guard let day = number(start), (1...31).contains(day), !isLabelled(start) else { return nil }
    if let found = listedDays(start, day, lead: lead) { return found }
    let middle = ordinal(start)?.next ?? start + 1
    let isPair =
      isWord(middle, "and", "or") && lead != "between"
      || isSign(middle, "/") && isAttached(middle) && isAttached(middle + 1)
    guard let after = isPair ? middle + 1 : joint(middle, lead: lead),
      let (last, next) = dayAndMonthBehind(skipping("the", at: after)),
      !isPair || last.resolved(today: today)?.first.day == day + 1,
      case let first = DateValue(shifted(last.form, toDay: day), .day)
    else { return nil }
    return joined(TimeMoment(date: first), TimeMoment(date: last)).map { ($0, next) }
  }

  /// Reads "the 9th, 10th and 11th of May": consecutive days form one span.
  private func listedDays(_ index: Int, _ day: Int, lead: String) -> Parsed<TimeReading>? {
    var next = ordinal(index)?.next ?? index + 1
    var count = 1
    while count < 31, isSign(next, ",") {
      let start = skipping("the", at: skipping("and", at: next + 1))
      guard number(start) == day + count else { return nil }
      next = ordinal(start)?.next ?? start + 1
      count += 1
    }
    guard count > 1, isWord(next, "and"),
      let (last, end) = dayAndMonthBehind(skipping("the", at: next + 1)),
      last.resolved(today: today)?.first.day == day + count
    else { return nil }
    let first = DateValue(shifted(last.form, toDay: day), .day)
    return joined(TimeMoment(date: first), TimeMoment(date: last)).map { ($0, end) }
  }

  private func dayAndMonthBehind(_ index: Int) -> Parsed<DateValue>? {
    guard let found = named(index, .within(1)), found.value.grain == .day,
      number(index) != nil || ordinal(index) != nil
    else { return nil }
    return found
  }

  private func shifted(_ form: DateValue.Form, toDay day: Int) -> DateValue.Form {
    @Sendable func sameMonth(_ span: DaySpan) -> DaySpan? {
      DaySpan(day: DayKey(year: span.first.year, month: span.first.month, day: day))
    }
    switch form {
    case .fixed(let span): return sameMonth(span).map { .fixed($0) } ?? .impossible
    case .recurring(let recurring):
      return .recurring(
        Recurring(
          turn: recurring.turn, span: { recurring.span($0).flatMap(sameMonth) },
          isYearly: recurring.isYearly))
    case .impossible: return .impossible
    }
  }

  /// Reads "March 3–5, 2020", with the month only at the beginning.
  func dayDays(_ index: Int, lead: String) -> Parsed<TimeReading>? {
    guard let month = TimeWords.months[word(index)], let (first, middle) = named(index, .within(1)),
      first.grain == .day, case .recurring(let turns) = first.form,
      let start = isWord(middle, "and") ? middle + 1 : joint(middle, lead: lead),
      let day = number(start), (1...31).contains(day),
      !isWord(middle, "and") || lead == "between"
        || turns.begun(by: today)?.first.day == day - 1
          && followsHour(ordinal(start)?.next ?? start + 1),
      TimeWords.months[word(start + 1)] == nil
    else { return nil }
    var next = start + 1
    if let (_, end) = ordinal(start) {
      next = end
    } else if !endsNumber(next) || isCounted(next) || isWord(next, "am", "pm")
      || isSign(next, ":") && isAttached(next)
    {
      return nil
    }
    var from = first
    var to = DateValue(
      .recurring(.yearly { DaySpan(day: DayKey(year: $0, month: month, day: day)) }), .day)
    if let (year, end) = yearQualifier(next),
      case .recurring(let one) = from.form, case .recurring(let two) = to.form
    {
      from.form = one.span(year).map { .fixed($0) } ?? .impossible
      to.form = two.span(year).map { .fixed($0) } ?? .impossible
      next = end
    }
    return joined(TimeMoment(date: from), TimeMoment(date: to)).map { ($0, next) }
  }

  /// Returns the position after "years" or "the years".
  private func behindYears(_ index: Int) -> Int? {
    if isWord(index, "years") { return index + 1 }
    return isWord(index, "the") && isWord(index + 1, "years") ? index + 2 : nil
  }

  /// Reads "2019–2021" or "2019 to 2021".
  private func years(_ index: Int, lead: String) -> Parsed<TimeReading>? {
    if let start = behindYears(index) {
      if behindYears(start) == nil, let found = years(start, lead: "in") { return found }
      if isWord(index, "the") { return nil }
    }
    let slash = !lead.isEmpty && isSign(index + 1, "/") && isAttached(index + 1) ? index + 2 : nil
    guard let first = yearFigure(index), let start = joint(index + 1, lead: lead) ?? slash,
      let second = yearFigure(start) ?? shortYear(start, after: first), !isLabelled(index),
      !isCounted(start + 1),
      endsNumber(start + 1), !(isSign(start + 1, "-") && isAttached(start + 1)),
      !lead.isEmpty || (1800...2200).contains(first) && (1800...2200).contains(second),
      let from = DaySpan.year(first), let to = DaySpan.year(second)
    else { return nil }
    return joined(
      TimeMoment(date: DateValue(.fixed(from), .year)),
      TimeMoment(date: DateValue(.fixed(to), .year))
    )
    .map { ($0, start + 1) }
  }

  /// Reads the "21" of "2019–21".
  private func shortYear(_ index: Int, after first: Int) -> Int? {
    guard isSign(index - 1, "-") || isSign(index - 1, "/"), isAttached(index - 1),
      isAttached(index), let token = token(index), token.digits == 2
    else { return nil }
    if isSign(index - 1, "/"), token.value != (first + 1) % 100 { return nil }
    guard token.value > 12 || isSign(index - 1, "/"), token.value > first % 100 else { return nil }
    return first / 100 * 100 + token.value
  }

  private func yearFigure(_ index: Int) -> Int? {
    guard let token = token(index), token.digits == 4, (1000...2999).contains(token.value),
      isSign(index - 1, "-") || number(index) != nil
    else { return nil }
    return token.value
  }

  /// Returns one reading of two ends.
  ///
  /// An end without a year, week or the like is determined by the other: the second end is the
  /// latest that has begun, unless the first is fixed, and the first is the latest before it. For
  /// example, "between May and April 2019" begins in May 2018. Two fixed ends in the wrong order
  /// contradict each other.
  private func joined(_ first: TimeMoment, _ second: TimeMoment) -> TimeReading? {
    var from: DaySpan?
    var to: DaySpan?
    switch (first.date?.form, second.date?.form) {
    case (.impossible, _), (_, .impossible): return .impossible()
    case (.recurring(let one), .recurring(let two)) where one.isYearly && two.isMonthly:
      from = one.begun(by: today)
      to = from.flatMap { two.first(after: $0.first.advanced(by: -1)) }
    case (.recurring(let one), .recurring(let two)):
      to = two.begun(by: today)
      from = to.flatMap { one.begun(by: $0.first) }
    case (.recurring(let one), .fixed(let span)):
      (from, to) = (one.begun(by: span.first), span)
    case (.fixed(let span), .recurring(let two)):
      (from, to) = (span, two.first(after: span.first.advanced(by: -1)))
    case (.recurring(let one), nil):
      from = one.begun(by: today)
      to = second.exact == nil ? from : nil
    case (.fixed(let span), nil):
      from = span
      to = second.exact == nil ? from : nil
    case (nil, let form?):
      to = DateValue(form, .day).resolved(today: today)
      from = first.exact == nil ? to : nil
    case (.fixed(let one), .fixed(let two)): (from, to) = (one, two)
    case (nil, nil): break
    }
    guard let start = resolved(first, on: from), let end = resolved(second, on: to) else {
      return nil
    }
    if start.isImpossible || end.isImpossible { return .impossible() }
    guard let begin = start.start, var finish = second.isPoint ? end.start : end.end else {
      return nil
    }
    if finish <= begin, second.date == nil, second.clock != nil {
      finish = finish.adding(seconds: 86_400)
    }
    guard begin < finish else { return .contradiction }
    return TimeReading(
      start: begin, end: finish, grain: min(start.grain, end.grain), hasDate: true,
      hasClock: start.hasClock || end.hasClock)
  }
}
