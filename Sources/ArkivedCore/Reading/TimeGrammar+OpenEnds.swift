import Foundation

/// Spans with only one end given: "since Easter", "until noon", "2017 onwards".
extension TimeGrammar {
  private enum Opening { case since, after, before, until, through, from }

  private func opening(_ index: Int) -> Parsed<Opening>? {
    switch word(index) {
    case "since": return (.since, index + 1)
    case "ever" where isWord(index + 1, "since"): return (.since, index + 2)
    case "after": return (.after, index + 1)
    case "later" where isWord(index + 1, "than"):
      return isWord(index - 1, "no", "not") ? nil : (.after, index + 2)
    case "before": return (.before, index + 1)
    case "until", "till", "til": return (.until, index + 1)
    case "earlier" where isWord(index + 1, "than"):
      return isWord(index - 1, "no", "not") ? nil : (.before, index + 2)
    case "prior" where isWord(index + 1, "to"): return (.before, index + 2)
    case "up" where isWord(index + 1, "until", "till", "to"):
      return isWord(index + 2, "and") && isWord(index + 3, "including")
        ? (.through, index + 4) : (.until, index + 2)
    case "by", "through", "thru": return (.through, index + 1)
    case "not" where joinsOpenings && isWord(index + 1, "before", "until", "till", "til"):
      return (.from, index + 2)
    case "not" where joinsOpenings && isWord(index + 1, "after"): return (.through, index + 2)
    // The German "ab 3. März"; in a typed line, it gives the day of the entry.
    case "ab", "~ab":
      guard joinsOpenings else { return nil }
      return (.from, skipping("on", at: index + 1))
    case "no", "not":
      guard isWord(index + 2, "than") else { return nil }
      if isWord(index + 1, "later") { return (.through, index + 3) }
      return isWord(index + 1, "earlier") ? (.from, index + 3) : nil
    case "starting", "beginning", "commencing":
      return (.from, skipping("in", "on", "from", "at", "with", at: index + 1))
    case "as" where isWord(index + 1, "of", "from"): return (.from, index + 2)
    case "on" where isWord(index + 1, "or") && isWord(index + 2, "after", "before"):
      return (isWord(index + 2, "after") ? .from : .through, index + 3)
    default: return nil
    }
  }

  /// Reads "since Easter", "after 2017", "before last Christmas", "until noon", "by friday", "from
  /// 2019 on".
  func open(_ index: Int) -> Parsed<TimeReading>? {
    if isWord(index, "from"), let (moment, next) = moment(index + 1, Lead(word: "from")),
      isWord(next, "on", "onwards", "onward", "forward"), let reading = resolved(moment)
    {
      return (TimeReading(start: reading.start, grain: reading.grain, isOpen: true), next + 1)
    }
    if let found = openBehind(index) { return found }
    guard let (opening, afterOpening) = opening(index) else { return nil }
    let start = skippingApproximation(afterOpening)
    let isThan = opening == .from || isWord(afterOpening - 1, "to", "than", "including")
    let word = isThan ? "before" : word(afterOpening - 1)
    guard let (moment, next) = openMoment(start, Lead(word: word)),
      // "ab 14 Uhr" is an hour of a day that is named elsewhere.
      moment.date != nil || !isWord(index, "ab"), let reading = resolved(moment),
      let from = reading.start, let to = reading.end
    else { return nil }
    var result = reading
    result.isOpen = true
    switch opening {
    case .since:
      let tomorrow = WallTime(day: today.advanced(by: 1), secondOfDay: 0)
      guard from < tomorrow else { return (.contradiction, next) }
      result.end = tomorrow
    case .after:
      (result.start, result.end) = (moment.isPoint ? from : to, nil)
    case .before, .until:
      // "Until Friday" includes Friday, but "until March" ends where March begins.
      let isIncluded = opening == .until && isDay(moment, from, to) || isEnd(start..<next)
      (result.start, result.end) = (nil, isIncluded ? to : from)
      if moment.isPoint, from.secondOfDay == 0, isWord(next - 1, "midnight") {
        // "Until midnight" lasts the whole day.
        result.end = from.adding(seconds: 86_400)
      }
    case .through:
      (result.start, result.end) = (nil, moment.isPoint ? from : to)
    case .from:
      result.end = nil
    }
    return closed(result, opening, next) ?? (result, next)
  }

  /// Returns true for "the end of March", whose last day is included.
  private func isEnd(_ tokens: Range<Int>) -> Bool {
    tokens.prefix(2).contains { isWord($0, "end") }
  }

  /// Returns true if a moment is one whole day.
  private func isDay(_ moment: TimeMoment, _ from: WallTime, _ to: WallTime) -> Bool {
    moment.clock == nil && moment.part == nil && moment.exact == nil && from.secondOfDay == 0
      && to == WallTime(day: from.day.advanced(by: 1), secondOfDay: 0)
  }

  /// Reads the time that gives an end; in "until 10 yesterday", it is only the hour if the day is
  /// read separately.
  private func openMoment(_ index: Int, _ lead: Lead) -> Parsed<TimeMoment>? {
    guard let found = moment(index, lead) else { return nil }
    guard !joinsOpenings, found.value.clock != nil, found.value.date != nil,
      let (span, next) = clockSpan(index, lead: lead.word)
    else { return found }
    return (TimeMoment(clock: span), next)
  }

  /// Reads "after 2010 and before 2015": the second end closes the span the first left open.
  private func closed(_ first: TimeReading, _ opening: Opening, _ next: Int) -> Parsed<TimeReading>?
  {
    guard opening == .after || opening == .since, isWord(next, "and", "but"),
      isWord(next + 1, "before", "until", "till"), let (second, end) = open(next + 1),
      let from = first.start, let to = second.end
    else { return nil }
    guard from < to else { return nil }
    var result = first
    (result.end, result.isOpen, result.grain) = (to, false, min(first.grain, second.grain))
    return (result, end)
  }

  /// Reads "2017 onwards", "in 2015 or later", "2010 and earlier".
  func openBehind(_ index: Int) -> Parsed<TimeReading>? {
    let start = skipping("in", "on", at: index)
    // Most texts contain none of these words, and parsing a date costs more than this check.
    let hasSign = (start + 1..<start + 10).contains {
      isWord($0, "onwards", "onward", "later", "after", "earlier", "before")
    }
    guard hasSign, let (moment, next) = moment(start, Lead(word: "since")), moment.exact == nil,
      let reading = resolved(moment), !reading.isImpossible, !reading.isContradictory
    else { return nil }
    if isWord(next, "onwards", "onward") {
      // In a typed line, the hour is when it begins: "4th Dec 6 pm onwards".
      if !joinsOpenings, moment.clock != nil, reading.isPoint { return (reading, next + 1) }
      return (TimeReading(start: reading.start, grain: reading.grain, isOpen: true), next + 1)
    }
    guard isWord(next, "or", "and"), isEnd(next + 2) || followsHour(next + 2) else { return nil }
    switch word(next + 1) {
    case "later", "after", "onwards":
      return (TimeReading(start: reading.start, grain: reading.grain, isOpen: true), next + 2)
    case "earlier", "before":
      return (TimeReading(end: reading.end, grain: reading.grain, isOpen: true), next + 2)
    default: return nil
    }
  }

  /// Returns the position after "about", "around", "at least" and similar words.
  private func skippingApproximation(_ index: Int) -> Int {
    if isWord(index, "at"), isWord(index + 1, "least", "about", "around") { return index + 2 }
    if isWord(index, "sometime"), isWord(index + 1, "in") { return index + 2 }
    return skipping("about", "around", "roughly", "approximately", "circa", "exactly", at: index)
  }
}
