import Foundation

/// A date with a time of day, either of which may be missing, or two exact wall times.
struct TimeMoment: Sendable {
  var date: DateValue?
  var part: PartOfDay?
  var clock: ClockSpan?
  /// Exact ends that need no date: "two hours ago", an ISO instant.
  var exact: ClosedRange<WallTime>?

  var grain: Grain {
    if exact != nil || clock != nil { return .minute }
    if part != nil { return .partOfDay }
    return date?.grain ?? .day
  }

  /// Whether it is a point of a clock, which as an end of a span is the end itself.
  var isPoint: Bool { exact != nil || clock != nil && clock?.end == nil }
}

/// A resolved expression.
struct TimeReading: Sendable {
  var start: WallTime?
  var end: WallTime?
  var grain: Grain
  /// A date that is in no calendar stood here; nothing else is to be read from its words.
  var isImpossible = false
  /// Ends that contradict each other; likewise nothing is to be read.
  var isContradictory = false
  /// Whether a day or more is named, and not taken to be today.
  var hasDate = false
  /// Whether a time of day is named.
  var hasClock = false
  /// Whether it is a point of a clock: the end is only the minute's.
  var isPoint = false
  /// Whether the words leave an end open, as "since" and "until" do.
  var isOpen = false

  static func impossible(_ grain: Grain = .day) -> TimeReading {
    TimeReading(grain: grain, isImpossible: true)
  }

  static let contradiction = TimeReading(grain: .day, isContradictory: true)
}

extension TimeGrammar {
  // MARK: Putting date, part and clock together

  /// A moment in any order of its parts: "yesterday at 7am", "3pm on monday", "friday evening".
  func moment(_ index: Int, _ lead: Lead) -> Parsed<TimeMoment>? {
    guard lead.depth <= TimeGrammar.depthLimit else { return nil }
    var best = exactMoment(index, lead)
    if let (date, next) = date(index, lead), !date.isWeak {
      var moment = TimeMoment(date: date)
      moment.part = date.part
      let whole = extended(moment, next)
      if whole.next > (best?.next ?? -1) { best = whole }
    }
    if let (span, next) = clockSpan(index, lead: lead.word) ?? hourBeforePart(index) {
      let whole = extended(TimeMoment(clock: span), next)
      if whole.next > (best?.next ?? -1) { best = whole }
    }
    if isWord(index, "early", "late"), var (inner, next) = moment(index + 1, lead),
      next > index + 1,
      inner.clock == nil, inner.date?.isDay ?? false, let part = inner.part
    {
      // "late last night", "early yesterday morning"
      inner.part = part.half(early: isWord(index, "early"))
      next = max(next, index + 2)
      if next > (best?.next ?? -1) { best = (inner, next) }
    }
    if let whole = partFirst(index, lead), whole.next > (best?.next ?? -1) { best = whole }
    return best
  }

  /// "7 in the evening", "2 at night": the part of the day shows that it is an hour.
  private func hourBeforePart(_ index: Int) -> Parsed<ClockSpan>? {
    guard let (point, next) = clockPoint(index, allowsBare: true), !isLabelled(index),
      isWord(next, "in") && isWord(next + 1, "the") && partOfDay(next + 2) != nil
        || isWord(next, "at") && isWord(next + 1, "night")
    else { return nil }
    return (ClockSpan(start: point), next)
  }

  /// "the evening of 3 march", "the morning after …", "in the morning", "at night".
  private func partFirst(_ index: Int, _ lead: Lead) -> Parsed<TimeMoment>? {
    var start = index
    var hasArticle = lead.hasArticle
    if isWord(start, "the") { (start, hasArticle) = (start + 1, true) }
    guard let (part, next) = partOfDay(start) else { return nil }
    if let (date, end) = evidentDate(skipping("of", "on", at: next), Lead(word: "on", depth: 1)),
      isWord(next, "of", "on"), date.isDay, date.part == nil
    {
      return extended(TimeMoment(date: date, part: part), end)
    }
    let isDaily = lead.word == "at" && isWord(start, "night", "lunchtime")
    guard ["in", "during"].contains(lead.word) && hasArticle || isDaily, !isWord(next, "of") else {
      return nil
    }
    return extended(TimeMoment(part: part), next)
  }

  /// "morning", "early evening", "late night".
  func partOfDay(_ index: Int) -> Parsed<PartOfDay>? {
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
        return end
      }
    }
    if moment.clock == nil {
      let hasAt = isWord(start, "at", "around", "about", "from", "between") || isSign(start, "@")
      let isRange = isWord(start, "from", "between")
      let place = hasAt && !isRange ? start + 1 : start
      let lead = hasAt ? (isWord(start, "around", "about") ? "around" : "at") : ""
      if let (span, end) = clockSpan(place, lead: lead, hasDate: true) {
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
        // "from 9 to 10 next month" is no day; only a day takes a clock.
        moment.date = date
        if let part = date.part { moment.part = part }
        return end
      }
    }
    return nil
  }

  // MARK: Exact moments

  /// "2026-03-14T15:00Z", "two hours ago", "10 minutes from now", "now" as an end.
  private func exactMoment(_ index: Int, _ lead: Lead) -> Parsed<TimeMoment>? {
    if isWord(index, "now"),
      ["to", "until", "till", "before"].contains(lead.word)
        || isWhole(index, index + 1)
    {
      return exact(now, next: index + 1)
    }
    if let (length, next) = length(index), length.seconds > 0,
      let (sign, end) = direction(next, lead)
    {
      // "in 30 minutes" is how long something took, unless nothing else is said.
      if lead.word == "in", end == next, !isWhole(index - 1, end) { return nil }
      let moved = length.moved(now.day, by: sign)
      let wall = WallTime(day: moved, secondOfDay: now.secondOfDay).adding(
        seconds: sign * length.seconds)
      return exact(wall, next: end)
    }
    let modifier = skipping("the", at: index)
    if isWord(modifier, "last", "past", "next"), let (length, next) = rollingHours(modifier + 1) {
      let isPast = !isWord(modifier, "next")
      let other = WallTime(
        day: length.moved(now.day, by: isPast ? -1 : 1), secondOfDay: now.secondOfDay
      )
      .adding(seconds: (isPast ? -1 : 1) * length.seconds)
      return (TimeMoment(exact: min(now, other)...max(now, other)), next)
    }
    return isoInstant(index)
  }

  private func rollingHours(_ index: Int) -> Parsed<TimeLength>? {
    if isWord(index, "hour"), isWord(index - 2, "the") || isWord(index - 1, "past"),
      let hour = TimeLength(1, .hour)
    {
      return (hour, index + 1)
    }
    guard let (length, next) = length(index), length.seconds > 0, !isWord(index, "a", "an") else {
      return nil
    }
    return (length, next)
  }

  private func exact(_ wall: WallTime, next: Int) -> Parsed<TimeMoment> {
    let minute = WallTime(day: wall.day, secondOfDay: wall.secondOfDay / 60 * 60)
    return (TimeMoment(exact: minute...minute.adding(seconds: 60)), next)
  }

  /// A date-time of ISO 8601; with Z or an offset it is shown in the reader's zone.
  private func isoInstant(_ index: Int) -> Parsed<TimeMoment>? {
    guard token(index)?.digits == 4, let (date, next) = numericDate(index, Lead()),
      case .fixed(let day) = date.form, date.grain == .day, isWord(next, "t"), isAttached(next),
      let hour = token(next + 1), hour.digits == 2, hour.value < 24, isSign(next + 2, ":"),
      let minute = token(next + 3), minute.digits == 2, minute.value < 60
    else { return nil }
    var wall = WallTime(day: day.first, hour: hour.value, minute: minute.value)
    var end = next + 4
    if isSign(end, ":"), isAttached(end + 1), let second = token(end + 1), second.digits == 2,
      second.value < 60
    {
      wall = wall.adding(seconds: second.value)
      end += 2
      if isSign(end, ".") || isSign(end, ","), isAttached(end + 1), token(end + 1)?.kind == .number
      {
        end += 2
      }
    }
    var offset: Int?
    if isWord(end, "z"), isAttached(end) {
      offset = 0
      end += 1
    } else if isSign(end, "+") || isSign(end, "-"), isAttached(end), isAttached(end + 1),
      let hours = token(end + 1), hours.kind == .number, hours.value >= 0
    {
      let sign = isSign(end, "+") ? 1 : -1
      if hours.digits == 4 {
        offset = sign * (hours.value / 100 * 3600 + hours.value % 100 * 60)
        end += 2
      } else if hours.digits == 2, isSign(end + 2, ":"), let minutes = token(end + 3),
        minutes.digits == 2
      {
        offset = sign * (hours.value * 3600 + minutes.value * 60)
        end += 4
      } else if hours.digits == 2 {
        offset = sign * hours.value * 3600
        end += 2
      }
    }
    if let offset { wall = local(wall, offset: offset) }
    return (TimeMoment(exact: wall...wall.adding(seconds: 60)), end)
  }

  func local(_ wall: WallTime, offset: Int) -> WallTime {
    zone.wallTime(at: Instant(milliseconds: wall.milliseconds).adding(seconds: -offset))
  }

  // MARK: Resolving

  /// The span of a moment whose date has been settled.
  func resolved(_ moment: TimeMoment, on span: DaySpan? = nil) -> TimeReading? {
    if let exact = moment.exact {
      return TimeReading(
        start: exact.lowerBound, end: exact.upperBound, grain: .minute, hasDate: true,
        hasClock: true, isPoint: exact.upperBound == exact.lowerBound.adding(seconds: 60))
    }
    if case .impossible? = moment.date?.form { return .impossible(moment.grain) }
    guard let days = span ?? (moment.date.map { $0.resolved(today: today) } ?? DaySpan(day: today))
    else { return .impossible(moment.grain) }
    let day = days.first
    if let clock = moment.clock {
      guard let (start, end) = clock.seconds(in: moment.part) else {
        var reading = TimeReading.contradiction
        reading.hasClock = true
        return reading
      }
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
