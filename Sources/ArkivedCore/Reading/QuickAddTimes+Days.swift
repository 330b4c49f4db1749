/// Finds the day in a line, and the first of several times.
extension QuickAddTimes {
  /// Returns true for a weekday at the start of the line that can only be the day: "wed day off" and
  /// "Saturday lunch with Ann 1pm", but not "Monday meeting".
  func isLeadingWeekday(_ finding: TimeReader.Finding) -> Bool {
    let first = finding.tokens.lowerBound
    guard finding.tokens.count == 1, TimeWords.weekdays[grammar.word(first)] != nil else {
      return false
    }
    let isShort = words[first].count < 6
    return !grammar.isCapitalised(finding.tokens.upperBound) && (isShort || hasHour)
      || isShort && words[first] != grammar.word(first)
  }

  /// Returns true for words that in the middle of a sentence can only tell its day: "am Freitag im
  /// Büro", "a week on Friday we", and the German "letzten Sonntag", "gestern Abend" and "Freitag".
  ///
  /// In English, a near day or a part of one is followed by a name: "dinner last night Dishoom".
  func isAdverbial(_ finding: TimeReader.Finding) -> Bool {
    let first = finding.tokens.lowerBound
    let next = finding.tokens.upperBound
    let token = grammar.token(first)
    let isForeign =
      words[first].contains(" ") || token?.kind == .word && token?.text != words[first]
    let isWeekday = TimeWords.weekdays[grammar.word(first)] != nil
    if isForeign, !finding.reading.hasClock || finding.isPart {
      let lead = words[first].prefix { $0.isLetter }
      if words[first].contains(" "),
        ["am", "an", "zu"].contains(lead)
          || Self.foreignLeads.contains(where: { lead.hasPrefix($0) })
      {
        return lead != "am" || isOwnDay(finding)
      }
      if isWeekday, TimeWords.weekdays[words[first]] == nil { return isOwnDay(finding) }
      if isPlainDay(finding) { return true }
    }
    if finding.tokens.contains(where: { grammar.isWord($0, "week", "weeks", "fortnight") }),
      finding.tokens.contains(where: { TimeWords.weekdays[grammar.word($0)] != nil })
    {
      return grammar.isWord(first, "a", "one", "two", "three") || isWeekday
    }
    // A date and its weekday, such as "1 March sunday", or the place of an appointment.
    guard !isForeign, grammar.isCapitalised(next), !lexicon.isAmong(words, .media),
      !(grammar.token(next)?.isPossessive ?? false)
    else { return false }
    if isPlainDay(finding) { return hasHour || !isWeekday }
    return finding.tokens.count > 1 && !isFeast(finding)
      && grammar.isWord(first, "last", "this", "next", "yesterday", "tomorrow", "on")
  }

  /// Returns true for a German day that isn't a family name, as in "Frau Freitag", nor the day of
  /// something to come after what was done: "Rad zur Inspektion gebracht, Dienstag fertig".
  private func isOwnDay(_ finding: TimeReader.Finding) -> Bool {
    let first = finding.tokens.lowerBound
    if first > 0, lexicon.has(words[first - 1], .address) { return false }
    let ends = grammar.tokens.indices.filter {
      grammar.token($0)?.kind == .symbol && !grammar.isAttached($0 + 1)
    }
    let start = (ends.last { $0 < first } ?? -1) + 1
    let end = ends.first { $0 >= finding.tokens.upperBound } ?? words.count
    return !LineTense(words: words).isPast
      || LineTense(words: Array(words[start..<end])).isPast
  }

  /// The beginnings of German phrases for a day.
  private static let foreignLeads = [
    "heut", "gestern", "vorgestern", "morgen", "übermorgen", "letzt", "vorig", "vergangen",
    "nächst", "kommend", "diese",
  ]

  /// Returns true for a time of day that can be nothing else by its form or its place: "7pm", "half
  /// past four", and an hour that is a clause of its own.
  func isClock(_ finding: TimeReader.Finding) -> Bool {
    let next = finding.tokens.upperBound
    guard !grammar.isSign(next, "(") else { return false }
    let words = line[finding.range].lowercased()
    let last =
      words.split { !$0.isLetter && $0 != "." }.last { !["onwards", "onward"].contains($0) } ?? ""
    let isClause =
      grammar.isSign(finding.tokens.lowerBound - 1, ",")
      && (grammar.isSign(next, ",") || grammar.isSign(next, "."))
    // For example, "halb acht" and "3.40 in the afternoon".
    let isSpoken =
      ["halb", "viertel", "dreiviertel"].contains(words.prefix { $0.isLetter })
      || !finding.isPart && finding.tokens.contains { TimeWords.parts[grammar.word($0)] != nil }
    if isSpoken { return true }
    return words.contains(":") || words.contains("uhr") || isClause
      || finding.tokens.contains(where: grammar.hourStarts.contains)
      || finding.tokens.contains { grammar.isWord($0, "past", "o'clock", "oclock") }
      || ["am", "pm", "a.m", "p.m", "a.m.", "p.m.", "h", "ish"].contains(last)
  }

  /// Returns the first of several times of day, which is the beginning, if another or none was
  /// chosen: "train 6:52, back 20:07", "9-12 office, 14-17 garden".
  ///
  /// In "at 8:30 and 20:00", it is unclear which of the two applies.
  func firstPoint(
    of clocks: [TimeReader.Finding], day: Choice?, time: Choice?
  ) -> TimeReader.Finding? {
    guard clocks.count > 1, let first = clocks.first,
      !first.reading.hasDate, !first.reading.isContradictory, first.match?.start != nil,
      day.map({ !$0.finding.reading.hasClock }) ?? true,
      time.map({
        $0.finding.reading.isPoint == first.reading.isPoint && $0.position != .prefix
      }) ?? first.reading.isPoint,
      // In "meeting 10-11 moved to 14-15", the first no longer counts.
      first.reading.isPoint || !(time.map { isNeeded($0.finding) } ?? false),
      time?.finding.tokens != first.tokens, isClock(first) || isTime(first), !isMove(first)
    else { return nil }
    let next = first.tokens.upperBound
    if grammar.isWord(next, "and", "or"), isHour(next + 1) { return nil }
    return first.reading.isPoint ? first : inOrder(first, before: clocks[1])
  }

  /// Returns a span whose hours are in the morning if the next one would otherwise come before it:
  /// "two shifts, 6.20-9.50, 14.00-17.30".
  private func inOrder(
    _ first: TimeReader.Finding, before next: TimeReader.Finding
  ) -> TimeReader.Finding {
    let hour = first.tokens.lazy.compactMap { grammar.number($0) }.first ?? 24
    guard let start = first.match?.start, let end = first.match?.end,
      let later = next.match?.start, start.hour > 12, hour < 12, start.day == later.day,
      later < start, !line[first.range].lowercased().contains("p")
    else { return first }
    var result = first
    result.match?.start = start.adding(seconds: -43_200)
    result.match?.end = end.adding(seconds: -43_200)
    return result
  }
}
