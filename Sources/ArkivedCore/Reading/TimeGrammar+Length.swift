import Foundation

/// A length of time in units of the calendar.
struct TimeLength: Sendable {
  var months = 0
  var days = 0
  var seconds = 0
  var grain: Grain = .day

  /// Creates a length, or returns nil if it is too long for any calendar.
  init?(_ amount: Double, _ unit: TimeWords.Unit) {
    guard amount >= 0, amount < 100_000 else { return nil }
    func whole(_ factor: Double) -> Int { Int((amount * factor).rounded()) }
    switch unit {
    case .second: (seconds, grain) = (whole(1), .minute)
    case .minute: (seconds, grain) = (whole(60), .minute)
    case .hour: (seconds, grain) = (whole(3600), .minute)
    case .day, .weekday: (days, grain) = (whole(1), .day)
    case .week: (days, grain) = (whole(7), .week)
    case .fortnight: (days, grain) = (whole(14), .week)
    case .weekend: (days, grain) = (whole(7), .weekend)
    case .month:
      months = Int(amount)
      days = Int(((amount - amount.rounded(.down)) * 30).rounded())
      grain = .month
    case .quarter, .season: (months, grain) = (whole(3), .quarter)
    case .halfYear: (months, grain) = (whole(6), .month)
    case .year: (months, grain) = (whole(12), .year)
    case .decade: (months, grain) = (whole(120), .decade)
    case .century: (months, grain) = (whole(1200), .century)
    }
  }

  mutating func add(_ other: TimeLength) {
    months += other.months
    days += other.days
    seconds += other.seconds
    grain = min(grain, other.grain)
  }

  var isEmpty: Bool { months == 0 && days == 0 && seconds == 0 }

  func moved(_ day: DayKey, by sign: Int) -> DayKey {
    day.adding(months: sign * months).advanced(by: sign * days)
  }
}

extension TimeGrammar {
  /// Reads a length of time: "3 days", "a year and a half", "2 hours and 10 minutes".
  func length(_ index: Int) -> Parsed<TimeLength>? {
    memo.length(at: index) { readLength(index) }
  }

  private func readLength(_ index: Int) -> Parsed<TimeLength>? {
    guard let (first, second) = lengthPart(index) else { return nil }
    var length = first
    var next = second
    if isWord(next, "and"), isWord(next + 1, "a"), isWord(next + 2, "half"),
      !isWord(next + 3, "day", "hour", "week"), let unit = unit(next - 1),
      let half = TimeLength(0.5, unit)
    {
      length.add(half)
      length.grain = first.grain
      return (length, next + 3)
    }
    if first.seconds > 0, first.seconds % 3600 == 0, isWord(next, "and"), isWord(next + 1, "a"),
      isWord(next + 2, "quarter"), !isWord(next + 3, "of") || !isWord(next + 4, "a", "an", "the"),
      let quarter = TimeLength(15, .minute)
    {
      length.add(quarter)
      length.grain = first.grain
      return (length, next + 3)
    }
    for _ in 0..<3 {
      let after = skipping("and", at: skippingComma(next))
      guard let (more, end) = lengthPart(after), more.grain < length.grain || more.seconds > 0,
        number(after) != nil || after > next
      else { break }
      length.add(more)
      next = end
    }
    return (length, next)
  }

  private func lengthPart(_ index: Int) -> Parsed<TimeLength>? {
    if let part = partOfHour(index) { return part }
    guard let (amount, next) = quantity(index) else { return nil }
    let after = isSign(next, "-") && isAttached(next) && isAttached(next + 1) ? next + 1 : next
    let letters: [String: TimeWords.Unit] = ["d": .day, "w": .week, "y": .year]
    if let unit = letters[word(next)], isAttached(next), isWord(next + 1, "ago"),
      let length = TimeLength(amount, unit)
    {
      return (length, next + 1)
    }
    guard let unit = unit(after), let length = TimeLength(amount, unit) else { return nil }
    return (length, after + 1)
  }

  /// Reads a unit of time; single letters such as "h" count only right after a number.
  func unit(_ index: Int) -> TimeWords.Unit? { TimeWords.units[word(index)] }

  /// Reads "a quarter of an hour" or "three quarters of an hour".
  private func partOfHour(_ index: Int) -> Parsed<TimeLength>? {
    let start = skipping("a", at: index)
    let quarters: Int
    var next: Int
    if isWord(start, "quarter") {
      (quarters, next) = (1, start + 1)
    } else if isWord(index, "three"), isWord(index + 1, "quarters") {
      (quarters, next) = (3, index + 2)
    } else {
      return nil
    }
    next = skipping("of", at: next)
    guard isWord(next, "an"), isWord(next + 1, "hour"),
      let length = TimeLength(Double(quarters * 15), .minute)
    else { return nil }
    return (length, next + 2)
  }

  /// Returns the wall time some hours or minutes from now, counted in real time.
  func shifted(_ length: TimeLength, by sign: Int) -> WallTime {
    let day = length.moved(now.day, by: sign)
    guard day == now.day else {
      return WallTime(day: day, secondOfDay: now.secondOfDay).adding(seconds: sign * length.seconds)
    }
    return zone.wallTime(at: instant.adding(seconds: sign * length.seconds))
  }

  // MARK: Durations with a start or an end

  /// Reads "ten days starting 1 June", "(for) three days from 5 May", "two weeks from Monday".
  func lengthFrom(_ index: Int, _ lead: Lead) -> Parsed<DateValue>? {
    guard let (length, next) = length(index), length.seconds == 0, !length.isEmpty,
      isWord(next, "from", "starting", "beginning")
    else { return nil }
    let start = skipping("on", "from", at: next + 1)
    guard let (anchor, end) = evidentDate(start, Lead(word: "from", depth: lead.depth + 1)),
      anchor.isDay, anchor.part == nil, let span = anchor.resolved(today: today)
    else { return nil }
    let last = length.moved(span.first, by: 1)
    if isWord(next, "from"), !isWord(index - 1, "for"), !lead.hasArticle, lead.word != "for" {
      // "Two weeks from Monday" means the resulting day.
      return (DateValue(.fixed(DaySpan(day: last)), .day), end)
    }
    return DateValue(fixed: DaySpan(span.first, last), .day).map { ($0, end) }
  }

  /// Extends a reading by a length that follows it: "at 3 pm for two hours", "from 5 May for three
  /// days".
  func lengthened(_ reading: TimeReading, _ next: Int) -> Parsed<TimeReading>? {
    guard joinsLengths, isWord(next, "for"), let start = reading.start, let end = reading.end,
      !reading.isOpen, let (length, last) = length(next + 1), !isWord(last, "of", "ago"),
      !length.isEmpty
    else { return nil }
    var result = reading
    if length.seconds > 0, length.days == 0, length.months == 0, reading.isPoint {
      result.end = start.adding(seconds: length.seconds)
    } else if length.seconds == 0, !reading.hasClock,
      end == WallTime(day: start.day.advanced(by: 1), secondOfDay: 0)
    {
      result.end = WallTime(day: length.moved(start.day, by: 1), secondOfDay: 0)
    } else {
      return nil
    }
    guard start < (result.end ?? start) else { return nil }
    result.isPoint = false
    return (result, last)
  }
}
