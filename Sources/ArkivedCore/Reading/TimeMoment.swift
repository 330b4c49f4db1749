import Foundation

/// A date with a time of day, either of which may be missing, or two exact wall times.
struct TimeMoment: Sendable {
  var date: DateValue?
  var part: PartOfDay?
  var clock: ClockSpan?
  /// True if the part is a night named by a day: "friday night", but not "friday at 2 at night".
  var isNamedNight = false
  /// Exact ends that need no date, as for "two hours ago" or an ISO instant.
  var exact: ClosedRange<WallTime>?

  var grain: Grain {
    if exact != nil || clock != nil { return .minute }
    if part != nil { return .partOfDay }
    return date?.grain ?? .day
  }

  /// True if it is a point in time; as the end of a span, it is the end itself.
  var isPoint: Bool { exact != nil || clock != nil && clock?.end == nil }
}

/// A resolved expression.
struct TimeReading: Sendable {
  var start: WallTime?
  var end: WallTime?
  var grain: Grain
  /// True for a nonexistent date; nothing else may be read from its words.
  var isImpossible = false
  /// True for ends that contradict each other; nothing else may be read from their words either.
  var isContradictory = false
  /// True if a day or a longer period is named, and not just assumed to be today.
  var hasDate = false
  /// True if a time of day is named.
  var hasClock = false
  /// True for a point in time, whose end is only the end of its minute.
  var isPoint = false
  /// True if the words leave an end open, as "since" and "until" do.
  var isOpen = false

  static func impossible(_ grain: Grain = .day) -> TimeReading {
    TimeReading(grain: grain, isImpossible: true)
  }

  static let contradiction = TimeReading(grain: .day, isContradictory: true)
}

extension TimeGrammar {
  // MARK: Combining date, part of the day and clock

  /// Reads a moment with its parts in any order: "yesterday at 7am", "3pm on monday", "friday
  /// evening".
  func moment(_ index: Int, _ lead: Lead) -> Parsed<TimeMoment>? {
    guard lead.depth <= TimeGrammar.depthLimit else { return nil }
    return memo.moment(at: index, lead) { readMoment(index, lead) }
  }

  private func readMoment(_ index: Int, _ lead: Lead) -> Parsed<TimeMoment>? {
    var best = exactMoment(index, lead)
    if let (date, next) = date(index, lead), !date.isWeak {
      var moment = TimeMoment(date: date)
      moment.part = date.part
      moment.isNamedNight = date.part?.isNight ?? false
      let whole = extended(moment, next)
      if whole.next > (best?.next ?? -1) { best = whole }
    }
    if let (span, next) = clockSpan(index, lead: lead.word) ?? hourBeforePart(index) {
      let whole = extended(TimeMoment(clock: span), next)
      if whole.next > (best?.next ?? -1) { best = whole }
    }
    if let (point, next) = offsetClock(index) {
      let whole = extended(TimeMoment(clock: ClockSpan(start: point)), next)
      if whole.next > (best?.next ?? -1) { best = whole }
    }
    if let (part, next) = halfInThe(index) {
      let whole = extended(TimeMoment(part: part), next)
      if whole.next > (best?.next ?? -1) { best = whole }
    }
    let afterHalf = skipping("on", at: index + 1)
    if isWord(index, "early", "late"), !isWord(afterHalf, "early", "late"),
      var (inner, next) = moment(afterHalf, lead), next > afterHalf,
      inner.clock == nil, inner.date?.isDay ?? false, let part = inner.part
    {
      // For example, "late last night", "early yesterday morning".
      inner.part = part.half(early: isWord(index, "early"))
      next = max(next, afterHalf + 1)
      if next > (best?.next ?? -1) { best = (inner, next) }
    }
    if let whole = partFirst(index, lead), whole.next > (best?.next ?? -1) { best = whole }
    return best
  }

  /// Reads "ten minutes before noon" or "two hours after midnight".
  private func offsetClock(_ index: Int) -> Parsed<ClockPoint>? {
    guard let (length, next) = length(index), length.seconds > 0, length.days == 0,
      length.months == 0, isWord(next, "before", "after", "past"),
      let (point, end) = clockPoint(next + 1)
    else { return nil }
    let isBefore = isWord(next, "before")
    let anchor = point.seconds() + (isBefore && point.hour == 0 ? 86_400 : 0)
    let seconds = anchor + (isBefore ? -length.seconds : length.seconds)
    guard (0..<86_400).contains(seconds) else { return nil }
    return (
      ClockPoint(
        hour: seconds / 3600, minute: seconds / 60 % 60, second: seconds % 60, isSettled: true),
      end
    )
  }

  /// Reads "early in the morning" or "late at night".
  private func halfInThe(_ index: Int) -> Parsed<PartOfDay>? {
    guard isWord(index, "early", "late") else { return nil }
    let start: Int
    if isWord(index + 1, "in"), isWord(index + 2, "the") {
      start = index + 3
    } else if isWord(index + 1, "at"), isWord(index + 2, "night") {
      start = index + 2
    } else {
      return nil
    }
    guard let part = TimeWords.parts[word(start)], !isWord(start + 1, "of") else { return nil }
    return (part.half(early: isWord(index, "early")), start + 1)
  }

  /// Reads "7 in the evening" or "2 at night"; the part of the day shows that the number is an
  /// hour.
  private func hourBeforePart(_ index: Int) -> Parsed<ClockSpan>? {
    guard
      number(index) != nil || TimeWords.numbers[word(index)] != nil
        || isWord(index, "half", "quarter", "a"),
      let (point, next) = clockPoint(index, allowsBare: true), !isLabelled(index),
      isWord(next, "in") && isWord(next + 1, "the") && partOfDay(next + 2) != nil
        || isWord(next, "at") && isWord(next + 1, "night")
        || isWord(next, "this", "yesterday", "tomorrow") && partOfDay(next + 1) != nil
        || isWord(next, "last") && isWord(next + 1, "night") || isWord(next, "tonight")
    else { return nil }
    return (ClockSpan(start: point), next)
  }

  /// Reads "the evening of 3 march", "the morning after …", "in the morning", "at night".
  private func partFirst(_ index: Int, _ lead: Lead) -> Parsed<TimeMoment>? {
    var start = index
    var hasArticle = lead.hasArticle
    if isWord(start, "the") { (start, hasArticle) = (start + 1, true) }
    guard let (part, next) = partOfDay(start) else {
      guard ["at", "around", "before", "after", "by", "until", "since"].contains(lead.word),
        let part = TimeWords.barePartsOfDay[word(start)]
      else { return nil }
      return extended(TimeMoment(part: part), start + 1)
    }
    if let (date, end) = evidentDate(skipping("of", "on", at: next), Lead(word: "on", depth: 1)),
      isWord(next, "of", "on"), date.isDay, date.part == nil
    {
      return extended(TimeMoment(date: date, part: part), end)
    }
    if isWord(start, "mid"), !isWord(index - 1, "a", "my", "our", "the", "his", "her") {
      return extended(TimeMoment(part: part), next)
    }
    let isDaily =
      ["at", "around", "by", "until"].contains(lead.word) && isWord(start, "night", "lunchtime")
    guard ["in", "during"].contains(lead.word) && hasArticle || isDaily, !isWord(next, "of") else {
      return nil
    }
    return extended(TimeMoment(part: part), next)
  }

  /// Reads "morning", "early evening", "late night".
  func partOfDay(_ index: Int) -> Parsed<PartOfDay>? {
    if isWord(index, "early", "small"), isWord(index + 1, "hours") {
      return (.earlyHours, index + 2)
    }
    if isWord(index, "mid") {
      let start = isSign(index + 1, "-") ? index + 2 : index + 1
      return isWord(start, "morning", "afternoon")
        ? TimeWords.parts[word(start)].map { ($0.middle, start + 1) } : nil
    }
    // For example, "Thursday pm", "tomorrow eve with Sam".
    if isWord(index, "am", "pm", "eve"),
      isEnd(index + 1) || isWord(index + 1, "with", "for", "at", "in", "and"),
      TimeWords.weekdays[word(index - 1)] != nil
        || isWord(index - 1, "yesterday", "today", "tomorrow")
    {
      let part: PartOfDay =
        isWord(index, "am") ? .morning : isWord(index, "pm") ? .afternoon : .evening
      return (part, index + 1)
    }
    let isEarly = isWord(index, "early")
    let isHalf = isEarly || isWord(index, "late")
    guard let part = TimeWords.parts[word(isHalf ? index + 1 : index)] else { return nil }
    return isHalf ? (part.half(early: isEarly), index + 2) : (part, index + 1)
  }

  /// Adds the parts that follow, each at most once.
  private func extended(_ moment: TimeMoment, _ next: Int) -> Parsed<TimeMoment> {
    var moment = moment
    var next = next
    for _ in 0..<3 {
      guard let end = attach(&moment, next) else { break }
      next = end
    }
    return (moment, next)
  }

  private func attach(_ moment: inout TimeMoment, _ index: Int) -> Int? {
    if let date = moment.date, !date.isDay { return nil }
    let start = skippingComma(index)
    if moment.part == nil, moment.clock?.end == nil || moment.clock != nil {
      if let (part, end) = halfInThe(start), moment.date != nil {
        moment.part = part
        return end
      }
      var place = start
      if isWord(place, "in", "during", "on"), isWord(place + 1, "the") {
        place += 2
      } else if isWord(place, "at"), isWord(place + 1, "night", "lunchtime") {
        place += 1
      } else if isWord(place, "in") {
        place = tokens.count
      }
      if let (part, end) = partOfDay(place), moment.date != nil || place > start,
        !(isWord(end, "of") && moment.date != nil)
      {
        moment.part = part
        moment.isNamedNight = part.isNight && place == start
        if isWord(end, "of"), let (date, last) = evidentDate(end + 1, Lead(word: "on", depth: 1)),
          date.isDay, date.part == nil
        {
          // For example, "at 10:30 on the night of 5 May".
          moment.date = date
          return last
        }
        return end
      }
    }
    if moment.clock == nil {
      let hasAt = isWord(start, "at", "around", "about", "from", "between") || isSign(start, "@")
      let isRange = isWord(start, "from", "between")
      let place = hasAt && !isRange ? start + 1 : start
      let lead = hasAt ? (isWord(start, "around", "about") ? "around" : "at") : ""
      let isHour = hasAt && !isRange && (moment.part != nil || moment.date != nil)
      if let (span, end) = clockSpan(place, lead: lead, hasDate: true)
        ?? (isHour ? hourOfDay(place, isNamed: moment.part != nil) : nil)
      {
        moment.clock = span
        return end
      }
    }
    if moment.date == nil {
      let hasOn = isWord(start, "on")
      let place = hasOn ? start + 1 : start
      if let (date, end) = evidentDate(place, Lead(word: hasOn ? "on" : "", depth: 1)), date.isDay,
        moment.part == nil || date.part == nil
      {
        // "from 9 to 10 next month" is not on a single day, and only a day accepts a clock time.
        moment.date = date
        if let part = date.part { moment.part = part }
        return end
      }
    }
    return nil
  }

  /// Reads the hour of a day before the activity: "this afternoon at 4 coffee", "yesterday at 7 ran
  /// 5 km", but not "yesterday at 12 Main Street".
  private func hourOfDay(_ index: Int, isNamed: Bool) -> Parsed<ClockSpan>? {
    guard let (point, next) = clockPoint(index, allowsBare: true), point.isBare,
      (1...12).contains(point.hour), !isLabelled(index), beginsDeed(next),
      isNamed || !isCapitalised(next)
    else { return nil }
    return (ClockSpan(start: point), next)
  }

  // MARK: Resolving

  /// Returns true if a time is in the second half of a night: "last night at 2" is today.
  private func isBehindMidnight(_ seconds: Int, of moment: TimeMoment, on day: DayKey) -> Bool {
    guard moment.isNamedNight, seconds < 6 * 3600, day < today else { return false }
    return WallTime(day: day.advanced(by: 1), secondOfDay: seconds) <= now
  }

  /// Returns the span of a moment whose date is settled.
  func resolved(_ moment: TimeMoment, on span: DaySpan? = nil) -> TimeReading? {
    if let exact = moment.exact {
      return TimeReading(
        start: exact.lowerBound, end: exact.upperBound, grain: .minute, hasDate: true,
        hasClock: true, isPoint: exact.upperBound == exact.lowerBound.adding(seconds: 60))
    }
    if case .impossible? = moment.date?.form { return .impossible(moment.grain) }
    guard let days = span ?? (moment.date.map { $0.resolved(today: today) } ?? DaySpan(day: today))
    else { return .impossible(moment.grain) }
    var day = days.first
    if let clock = moment.clock {
      guard let (start, end) = clock.seconds(in: moment.part) else {
        var reading = TimeReading.contradiction
        reading.hasClock = true
        return reading
      }
      if isBehindMidnight(start, of: moment, on: day) { day = day.advanced(by: 1) }
      var from = WallTime(day: day, secondOfDay: start)
      var to = WallTime(day: day, secondOfDay: end)
      if let offset = clock.offset {
        (from, to) = (local(from, offset: offset), local(to, offset: offset))
      } else if let other = clock.zone {
        (from, to) = (
          zone.wallTime(at: other.instant(of: from)), zone.wallTime(at: other.instant(of: to))
        )
      }
      switch clock.opening {
      case .none: break
      case .after: to = WallTime(day: days.end, secondOfDay: 0)
      case .before: (from, to) = (WallTime(day: day, secondOfDay: 0), from)
      }
      guard from < to else { return .contradiction }
      return TimeReading(
        start: from, end: to, grain: .minute, hasDate: moment.date != nil, hasClock: true,
        isPoint: clock.end == nil && clock.opening == .none, isOpen: clock.opening != .none)
    }
    if let part = moment.part {
      return TimeReading(
        start: WallTime(day: day, secondOfDay: part.start),
        end: WallTime(day: day, secondOfDay: part.end), grain: .partOfDay,
        hasDate: moment.date != nil, hasClock: true)
    }
    return TimeReading(
      start: WallTime(day: day, secondOfDay: 0), end: WallTime(day: days.end, secondOfDay: 0),
      grain: moment.grain, hasDate: true)
  }
}
