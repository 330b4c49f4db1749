import Foundation

/// A time of day as worded.
struct ClockPoint: Sendable {
  var hour: Int
  /// The minute; negative for "a quarter to".
  var minute = 0
  var second = 0
  var hasMeridiem = false
  /// True if "am", "noon", an hour beyond 12 or a leading zero determines the half of the day.
  var isSettled = false
  /// True if it is written with a colon, which implies a 24-hour clock.
  var isDigital = false
  /// True for an hour in digits or words and nothing else.
  var isBare = false

  /// Returns the seconds of the day.
  ///
  /// Without am or pm, an hour given as on a clock face is in the afternoon from one to six, and in
  /// the morning or at noon from seven to twelve, unless a part of the day says otherwise.
  func seconds(in part: PartOfDay? = nil) -> Int {
    var hour = hour
    if !isSettled {
      if let part, hour > 0 {
        hour = part.hour(hour)
      } else if !isDigital, (1...6).contains(hour) {
        hour += 12
      }
    }
    if minute < 0, hour == 0 { hour = isSettled ? 24 : 12 }
    return hour * 3600 + minute * 60 + second
  }

  /// The seconds of the day, with the hour as written.
  var literalSeconds: Int { hour * 3600 + minute * 60 + second }
}

/// A time or a span of time, on a day that is named separately.
struct ClockSpan: Sendable {
  enum Opening: Sendable { case none, after, before }

  var start: ClockPoint
  var end: ClockPoint?
  var opening: Opening = .none
  /// The offset in seconds east of UTC, if the time zone is given as an offset.
  var offset: Int?
  var zone: Zone?

  private static let halfDay = 43_200

  /// Returns the start and end in seconds from the day's midnight; the end may be on the next day.
  ///
  /// The result is nil if the end is before the start and more than twelve hours after it across
  /// midnight, or fifteen for a night shift.
  func seconds(in part: PartOfDay?) -> (start: Int, end: Int)? {
    guard let end else {
      let start = start.seconds(in: part)
      return (start, start + 60)
    }
    let half = ClockSpan.halfDay
    let from = part == nil ? startSeconds(before: end) : start.seconds(in: part)
    var to = end.seconds(in: part)
    if part == nil, !end.isSettled {
      to = end.literalSeconds
      if !end.isDigital {
        // A bare or spoken end is the first such hour after the start.
        while to <= from { to += half }
      } else if to < from, to + 2 * half - from > half, (1...6).contains(end.hour) {
        to += half
      }
    }
    if to < from { to += 2 * half }
    let isShift = from >= 16 * 3600 && to - from <= 15 * 3600
    guard to - from <= half || to <= 2 * half || isShift else { return nil }
    return (from, to)
  }

  private func startSeconds(before end: ClockPoint) -> Int {
    if end.hasMeridiem, !start.isSettled, (1...12).contains(start.hour) {
      // In "9-10am" and "11-1pm", the start shares the end's half of the day if possible.
      let morning = start.hour % 12 * 3600 + start.minute * 60
      let afternoon = morning + ClockSpan.halfDay
      let to = end.seconds()
      return to >= ClockSpan.halfDay && afternoon < to ? afternoon : morning
    }
    // "6 to 14" and "9 to 10:30" both use a 24-hour clock.
    if start.isBare, end.isBare, end.hour > 12 { return start.literalSeconds }
    return start.isBare && end.isDigital ? start.literalSeconds : start.seconds()
  }
}

extension TimeGrammar {
  /// Reads one time of day; a bare hour is read only if `allowsBare` is true.
  func clockPoint(_ index: Int, allowsBare: Bool = false) -> Parsed<ClockPoint>? {
    longest(
      namedClock(index), dialClock(index), digitClock(index, allowsBare: allowsBare),
      militaryClock(index), wordClock(index, allowsBare: allowsBare))
  }

  private func namedClock(_ index: Int) -> Parsed<ClockPoint>? {
    let hour: Int
    if number(index) == 12, isWord(index + 1, "noon", "midnight") { return namedClock(index + 1) }
    // For example, "the midnight oil", "the noon of life".
    if isWord(index - 1, "the", "a", "my", "our") || isWord(index + 1, "oil", "snack", "mass") {
      return nil
    }
    switch word(index) {
    case "noon", "midday": hour = 12
    case "midnight": hour = 0
    default: return nil
    }
    return (ClockPoint(hour: hour, isSettled: true), index + 1)
  }

  /// Reads "half past seven", "a quarter to nine", "ten past three", "five minutes to noon".
  private func dialClock(_ index: Int) -> Parsed<ClockPoint>? {
    let start = skipping("a", at: index)
    let minutes: Int
    var next = start + 1
    if isWord(start, "half") {
      minutes = 30
    } else if isWord(start, "quarter") {
      minutes = 15
    } else if start == index, let (value, end) = cardinal(index), (1..<60).contains(value) {
      minutes = value
      next = skipping("minutes", "minute", "min", at: end)
      // "10 to 3pm" is a span.
      let isSpan = number(index) != nil && !isWord(next, "past")
      if next == end, ![5, 10, 20, 25].contains(value) || isSpan { return nil }
    } else {
      return nil
    }
    if isWord(start, "half"), let hour = TimeWords.numbers[word(next)] ?? number(next),
      (1...12).contains(hour),
      isWord(index - 1, "at", "around", "from", "until", "till", "by", "since", "after", "before")
        && followsHour(next + 1) || hourStarts.contains(index)
    {
      // This is "at half seven", British for half past seven.
      return (ClockPoint(hour: hour, minute: 30), next + 1)
    }
    let isPast = isWord(next, "past") || (isWord(next, "after") && minutes != 30)
    let isTo = isWord(next, "to") && minutes != 30
    guard isPast || isTo else { return nil }
    guard
      let (point, end) = wordClock(next + 1, allowsBare: true) ?? namedClock(next + 1)
        ?? digitClock(next + 1, allowsBare: true), point.minute == 0, !isCounted(end)
    else { return nil }
    var result = point
    result.isBare = false
    result.minute = isTo ? -minutes : minutes
    return (result, end)
  }

  /// Reads "3pm", "15:30", "3.30 pm", "15h30", "7 o'clock", and a bare "7" if allowed.
  private func digitClock(_ index: Int, allowsBare: Bool) -> Parsed<ClockPoint>? {
    guard let hour = number(index), let token = token(index), token.digits <= 2, hour <= 24
    else { return nil }
    var point = ClockPoint(hour: hour)
    var next = index + 1
    var isDotted = false
    var separator = ""
    if let sign = self.token(next), isAttached(next), isAttached(next + 1),
      let minutes = self.token(next + 1), minutes.kind == .number, minutes.digits == 2,
      minutes.value < 60, [":", ".", "h"].contains(sign.text)
    {
      separator = sign.text
      // "1h30" is a duration; "at 1h30" and "15h30" are times.
      if separator == "h", word(index - 1) == "for" || token.digits == 1 && word(index - 1) != "at"
      {
        return nil
      }
      isDotted = separator == "."
      point.minute = minutes.value
      point.isDigital = !isDotted
      next += 2
      if separator == ":", isSign(next, ":"), isAttached(next), isAttached(next + 1),
        let seconds = self.token(next + 1), seconds.digits == 2, seconds.value < 60
      {
        // "3:45:10", with one digit first, is a result; "03:45:10" is a time.
        guard token.digits == 2 else { return nil }
        point.second = seconds.value
        next += 2
        if isSign(next, "."), isAttached(next), isAttached(next + 1),
          self.token(next + 1)?.kind == .number
        {
          next += 2
        }
      }
    }
    if let (isAfternoon, end) = meridiem(next) {
      guard (1...12).contains(hour) else {
        return point.isDigital && hour < 24 ? settled(point, end) : nil
      }
      point.hour = hour % 12 + (isAfternoon ? 12 : 0)
      return settled(point, end)
    }
    if isWord(next, "o'clock", "oclock"), (1...12).contains(hour), point.minute == 0 {
      return (point, next + 1)
    }
    if isWord(next, "h"), isAttached(next), separator.isEmpty {
      // "at 15h", "Tuesday 15h" and "19h-20:30" are times, "ran 2h" is not.
      let isLed = allowsBare && isWord(index - 1, "at", "from", "to")
      let isSpan =
        isSign(next + 1, "-") && self.token(next + 2)?.kind == .number
        && (isSign(next + 3, ":") || isWord(next + 3, "h"))
      let isEnd = isSign(index - 1, "-") && isWord(index - 2, "h")
      guard isLed || isSpan || isEnd || hourStarts.contains(index), hour < 24 else { return nil }
      return settled(point, next + 1)
    }
    if isWord(next, "ish"), isAttached(next), (1...12).contains(hour),
      allowsBare || followsHour(next + 1) || index == 0 && beginsDeed(next + 1)
    {
      return (point, next + 1)
    }
    if point.isDigital, hour < 24, isWord(next, "z"), isAttached(next) {
      point.isSettled = true
      return (point, next)
    }
    // In "10:00 call", the colon makes it a time, even if something countable follows.
    guard endsNumber(next), point.isDigital ? !isMeasured(next) : !isCounted(next) else {
      return nil
    }
    guard hour < 24 || point.minute == 0 else { return nil }
    point.isSettled = hour > 12 || (token.digits == 2 && hour < 10) || hour == 0
    if separator.isEmpty || isDotted {
      guard allowsBare || isDotted && hourStarts.contains(index), hour < 24 else { return nil }
      point.isBare = separator.isEmpty
    }
    return (point, next)
  }

  /// Reads "0900Z", "1530 hours", "1500 UTC" and "0415"; other digits need a word that makes them a
  /// time.
  private func militaryClock(_ index: Int) -> Parsed<ClockPoint>? {
    guard number(index) != nil, let token = token(index), token.digits == 4, token.value < 2400,
      token.value % 100 < 60
    else { return nil }
    let hours = isWord(index + 1, "hours", "hrs") && isWord(index - 1, "at", "from", "to", "until")
    let isZoned =
      isWord(index + 1, "z") && isAttached(index + 1)
      || isWord(index + 1, "utc", "gmt", "zulu") && !isAttached(index + 1)
    // "0415 start": nothing else begins with a zero.
    let isEarly =
      token.text.hasPrefix("0") && token.value > 0 && !isAttached(index) && !isLabelled(index)
      && endsNumber(index + 1) && followsHour(index + 1)
    guard hours || isZoned || isEarly else { return nil }
    let point = ClockPoint(
      hour: token.value / 100, minute: token.value % 100, isSettled: true, isDigital: true)
    return (point, hours ? index + 2 : index + 1)
  }

  /// Reads "0530-0625", but not years such as "1914-1918".
  private func militaryRange(_ index: Int) -> Parsed<ClockSpan>? {
    func point(_ index: Int) -> ClockPoint? {
      guard let token = token(index), token.kind == .number, token.digits == 4,
        token.value < 2400, token.value % 100 < 60, endsNumber(index + 1)
      else { return nil }
      return ClockPoint(
        hour: token.value / 100, minute: token.value % 100, isSettled: true, isDigital: true)
    }
    guard isSign(index + 1, "-"), isAttached(index + 1), isAttached(index + 2),
      !isAttached(index) || token(index - 1)?.kind == .word, !isLabelled(index),
      let from = point(index), let to = point(index + 2), followsHour(index + 3),
      // Both are hours only if one of them can't be a year.
      [from, to].contains(where: { !(18...20).contains($0.hour) })
    else { return nil }
    return (ClockSpan(start: from, end: to), index + 3)
  }

  private func settled(_ point: ClockPoint, _ next: Int) -> Parsed<ClockPoint> {
    var point = point
    point.isSettled = true
    point.hasMeridiem = true
    return (point, next)
  }

  /// Reads "seven o'clock", "seven am", and "seven thirty" after "at".
  private func wordClock(_ index: Int, allowsBare: Bool) -> Parsed<ClockPoint>? {
    guard let hour = TimeWords.numbers[word(index)], (1...12).contains(hour), word(index) != "dozen"
    else { return nil }
    let next = index + 1
    if isWord(next, "o'clock", "oclock") { return (ClockPoint(hour: hour), next + 1) }
    if let (isAfternoon, end) = meridiem(next) {
      return settled(ClockPoint(hour: hour % 12 + (isAfternoon ? 12 : 0)), end)
    }
    if let (minutes, end) = cardinal(next), number(next) == nil, (10..<60).contains(minutes) {
      if let (isAfternoon, last) = meridiem(end) {
        return settled(
          ClockPoint(hour: hour % 12 + (isAfternoon ? 12 : 0), minute: minutes), last)
      }
      return allowsBare && !isCounted(end) ? (ClockPoint(hour: hour, minute: minutes), end) : nil
    }
    guard allowsBare else { return nil }
    guard !isCounted(next) else { return nil }
    return (ClockPoint(hour: hour, isBare: true), next)
  }

  /// Reads "am" or "p.m."; the result is true after noon.
  func meridiem(_ index: Int) -> Parsed<Bool>? {
    switch word(index) {
    case "am": return (false, index + 1)
    case "pm": return (true, index + 1)
    case "a", "p":
      // For example, "7:15a".
      if isAttached(index), token(index - 1)?.kind == .number, !isSign(index + 1, "."),
        !isAttached(index + 1)
      {
        return (word(index) == "p", index + 1)
      }
      guard isSign(index + 1, "."), isAttached(index + 1), isWord(index + 2, "m"),
        isAttached(index + 2)
      else { return nil }
      let next = isSign(index + 3, ".") && isAttached(index + 3) ? index + 4 : index + 3
      return (word(index) == "p", next)
    default: return nil
    }
  }

  /// Reads a time or a span of time; `lead` is the preposition before it, or "" for none.
  func clockSpan(_ index: Int, lead: String = "", hasDate: Bool = false) -> Parsed<ClockSpan>? {
    guard
      let (span, next) = longest(
        clockRange(index, lead: lead, hasDate: hasDate), militaryRange(index),
        singleClock(index, lead: lead, hasDate: hasDate))
    else { return nil }
    return zoned(span, next)
  }

  private func singleClock(_ index: Int, lead: String, hasDate: Bool) -> Parsed<ClockSpan>? {
    let openings: [String: ClockSpan.Opening] = [
      "after": .after, "since": .after, "before": .before, "until": .before, "till": .before,
      "by": .before, "from": .after,
    ]
    if hasDate, joinsOpenings, let opening = openings[word(index)],
      let (point, next) = clockPoint(index + 1, allowsBare: true),
      !point.isBare || followsHour(next)
    {
      return (ClockSpan(start: point, opening: opening), next)
    }
    let allowsBare =
      ["at", "until", "till", "around", "@"].contains(lead)
      || ["by", "since", "before", "after"].contains(lead) && dayFollows(index + 1)
    guard let (point, next) = clockPoint(index, allowsBare: allowsBare) else { return nil }
    // This is one half of a span whose other half was rejected.
    if isSign(next, "-"), isAttached(next), token(next + 1)?.kind == .number, isAttached(next + 1) {
      return nil
    }
    if isAttached(index), isSign(index - 1, "-"), token(index - 2)?.kind == .number { return nil }
    if point.isBare
      || !point.isDigital && !point.isSettled && point.minute > 0 && isSign(index + 1, ".")
    {
      let isHad = point.hour <= 12 && lead == "at" && TimeWords.had.contains(word(next))
      // In "dentist tomorrow 8.40 room 12", the day before it makes it a time.
      let isDotted = point.minute > 0 && hourStarts.contains(index) && token(next)?.kind == .word
      let isAwaited = hourStarts.contains(index) && beginsDeed(next) || isDotted
      guard isHad || isAwaited || followsHour(next), !isLabelled(index) else { return nil }
    }
    if point.isDigital, isResult(index) { return nil }
    return (ClockSpan(start: point), next)
  }

  /// Returns true if a day follows an hour: "by 5 on Friday", "since 9 yesterday".
  private func dayFollows(_ index: Int) -> Bool {
    let start = skipping("on", at: index)
    if isWord(start, "yesterday", "today", "tomorrow") { return true }
    return start > index && TimeWords.weekdays[word(start)] != nil
  }

  /// Returns true if the words before 12:30 make it a score, a verse or a race's result.
  private func isResult(_ index: Int) -> Bool {
    let before = word(index - 1)
    return TimeWords.scoreLabels.contains(before) || TimeWords.beforeResult.contains(before)
      || before == "was" && TimeWords.scoreLabels.contains(word(index - 2))
      || isWord(index - 1, "us", "them", "him", "her", "by")
        && TimeWords.scoreLabels.contains(word(index - 2))
      || isSign(index - 1, "#")
  }

  /// Returns true if an hour without any other clue may end here.
  func followsHour(_ next: Int) -> Bool {
    TimeWords.afterDate.contains(word(next)) || followsName(next)
  }

  /// Returns true if a word that is rarely a time, such as "sun" or "sat", may end here.
  func followsName(_ next: Int) -> Bool {
    if isEnd(next) { return true }
    let word = word(next)
    if TimeWords.afterHour.contains(word) { return true }
    return TimeWords.weekdays[word] != nil && !TimeWords.weakWeekdays.contains(word)
      || token(next)?.kind == .opaque
  }

  /// Reads "12:30-13:15", "9 to 10:30", "between 3 and 5 pm", "from 9 to 5".
  private func clockRange(_ index: Int, lead: String, hasDate: Bool) -> Parsed<ClockSpan>? {
    var lead = lead
    var start = index
    if isWord(index, "from", "between") {
      lead = word(index)
      start = index + 1
    }
    // "on a scale from 1 to 10" contains no hours.
    guard let (from, middle) = clockPoint(start, allowsBare: true), !isWord(start - 2, "scale"),
      from.isDigital || !isLabelled(start)
    else { return nil }
    let isJoined =
      lead == "between"
      ? isWord(middle, "and")
      : isSign(middle, "-") || isWord(middle, "to", "until", "till", "til", "through")
    guard isJoined, !isAttached(start) || !isSign(start - 1, "-"),
      let (to, next) = clockPoint(
        skipping("nearly", "almost", "about", "around", at: middle + 1), allowsBare: true)
    else { return nil }
    if from.isBare || to.isBare {
      let isStrong =
        !from.isBare && (from.isSettled || from.isDigital) || to.isSettled && !to.isBare
        || to.isDigital && from.isBare || !from.isBare && !from.isDigital
        || !to.isBare && isWord(next - 1, "ish")
        || isWord(next, "in") && isWord(next + 1, "the") && partOfDay(next + 2) != nil
      let isAwaited = hourStarts.contains(start)
      guard isStrong || lead == "from" || hasDate || isAwaited else { return nil }
      if to.isBare {
        let isPlain = ["from", "between"].contains(lead) && (hasDate || index == 0)
        let isTold = isPlain || isAwaited || from.isDigital || from.isSettled && !from.isBare
        guard followsHour(next) || isTold && beginsDeed(next) else { return nil }
      }
    }
    if from.isDigital || to.isDigital, isResult(start) { return nil }
    return (ClockSpan(start: from, end: midnightAsEnd(to)), next)
  }

  private func midnightAsEnd(_ point: ClockPoint) -> ClockPoint {
    var point = point
    if point.hour == 0, point.minute == 0, point.isSettled { point.hour = 24 }
    return point
  }
}
