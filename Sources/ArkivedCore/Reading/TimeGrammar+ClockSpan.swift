/// Reading a span between two times of day, and a single time where a span may stand.
extension TimeGrammar {
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

  /// Reads "0530-0625" and "0530-0625L" for local time, but not years such as "1914-1918".
  private func militaryRange(_ index: Int) -> Parsed<ClockSpan>? {
    let isLocal =
      isWord(index + 3, "l") && isAttached(index + 3)
      && (!isAttached(index + 4) || isEnd(index + 4))
    let end = isLocal ? index + 4 : index + 3
    func point(_ index: Int, isLocal: Bool = false) -> ClockPoint? {
      guard let token = token(index), token.kind == .number, token.digits == 4,
        token.value < 2400, token.value % 100 < 60, isLocal || endsNumber(index + 1)
      else { return nil }
      return ClockPoint(
        hour: token.value / 100, minute: token.value % 100, isSettled: true, isDigital: true)
    }
    guard isSign(index + 1, "-"), isAttached(index + 1), isAttached(index + 2),
      !isAttached(index) || token(index - 1)?.kind == .word, !isLabelled(index),
      let from = point(index), let to = point(index + 2, isLocal: isLocal),
      // No year begins with a zero.
      followsHour(end) || token(index)?.text.hasPrefix("0") ?? false
        || token(index + 2)?.text.hasPrefix("0") ?? false,
      // Both are hours only if one of them can't be a year.
      [from, to].contains(where: { !(18...20).contains($0.hour) })
    else { return nil }
    return (ClockSpan(start: from, end: to), end)
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
      from.isDigital || hourStarts.contains(start) || !isLabelled(start)
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
