/// Reading a time of day.
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
      // "9-16h" is too long for a length, and so is "duty 14-22h".
      let before = self.token(index - 2)?.value ?? 0
      if isSign(index - 1, "-"), isAttached(index - 1), isAttached(index), (13..<24).contains(hour),
        (6..<12).contains(before) || hourStarts.contains(index - 2) && (6..<hour).contains(before)
      {
        (point.isSettled, point.isDigital) = (true, true)
        return (point, next + 1)
      }
      let isEnd = isSign(index - 1, "-") && isWord(index - 2, "h")
      guard isLed || isSpan || isEnd || hourMarks.contains(index), hour < 24 else { return nil }
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
      && endsNumber(index + 1)
      && (followsHour(index + 1) || (index == 0 || isDayName(index - 1)) && beginsDeed(index + 1))
    // For example, "parked up 2140".
    let isAwaited = hourStarts.contains(index) && endsNumber(index + 1) && followsHour(index + 1)
    guard hours || isZoned || isEarly || isAwaited else { return nil }
    let point = ClockPoint(
      hour: token.value / 100, minute: token.value % 100, isSettled: true, isDigital: true)
    return (point, hours ? index + 2 : index + 1)
  }

  /// Returns true for a weekday or a day near today, such as "Tue" in "Tue 0745".
  private func isDayName(_ index: Int) -> Bool {
    TimeWords.weekdays[word(index)] != nil || isWord(index, "today", "tomorrow", "yesterday")
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
        !isAttached(index + 1) || token(index + 1)?.kind == .symbol
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
}
