import Foundation

extension QuickAddReader {
  // MARK: Times

  func readTimes(
    _ draft: inout Draft, _ grammar: TimeGrammar, _ words: [String]
  ) throws(QuickAddError) {
    let line = draft.line
    let taken = draft.taken
    let findings = times.scan(line, grammar).filter { !$0.tokens.contains(where: taken.contains) }
    var chooser = QuickAddTimes(line: line, grammar: grammar, cuts: draft.cuts, words: words)
    let clocks = findings.filter {
      $0.reading.hasClock && !$0.isPart && !$0.reading.isOpen && !chooser.isTalk($0)
    }
    chooser.hasOneClock = clocks.count == 1
    chooser.hasHour = findings.contains {
      $0.reading.hasClock && !$0.isPart && ($0.reading.isOpen || !chooser.isTalk($0))
    }
    chooser.hasHour = chooser.hasHour || chooser.hasBeginning
    // The duration may come last, after the time, so it is removed before the ends are examined.
    let inFindings = Set(findings.flatMap { Array($0.tokens) })
    let duration = chooser.duration { inFindings.contains($0) }
    if let duration, let range = range(of: duration.tokens, grammar) {
      draft.cuts.remove(range)
      draft.taken.formUnion(duration.tokens)
      draft.reading.durationMinutes = duration.minutes
      draft.note(.duration, range, QuickAddReader.label(minutes: duration.minutes))
      chooser = chooser.with(cuts: draft.cuts)
    }
    let today = draft.reading.dayKey
    var day = QuickAddTimes.best(
      chooser.named(findings.filter(chooser.isDay)).map(chooser.choice)
    ).map { chooser.ahead($0, today: today) }
    // Removing a part from one end may leave another time there.
    if let day { chooser = cutting(day, chooser) }
    var time: QuickAddTimes.Choice?
    if day.map({ !$0.finding.reading.hasClock || $0.finding.reading.grain == .partOfDay }) ?? true {
      time = QuickAddTimes.best(
        findings.filter { $0.range != day?.finding.range && chooser.isTime($0) }
          .map(chooser.choice))
      if let time, day == nil {
        chooser = cutting(time, chooser)
        day = QuickAddTimes.best(
          findings.filter {
            $0.range != time.finding.range && chooser.isDay($0)
              && (!$0.reading.hasClock || $0.reading.grain == .partOfDay)
          }.map(chooser.choice)
        ).map { chooser.ahead($0, today: today) }
      }
    }
    // Of several times, the first is the beginning; none is taken out of what they tell.
    let first = chooser.firstPoint(of: clocks, day: day, time: time)
    if let first {
      time = chooser.choice(first)
      chooser.isFirstOfSpans = !first.reading.isPoint
    }
    try check(findings, chooser)
    for choice in [day, time].compactMap({ $0 }) {
      if !chooser.isNeeded(choice.finding), choice.finding.tokens != first?.tokens {
        draft.cuts.remove(choice.range)
      }
      draft.taken.formUnion(choice.finding.tokens)
    }
    // Words of other times are neither measurements nor places.
    draft.taken.formUnion(inFindings)
    settle(&draft, day: day, time: time, chooser)
    if let first { settleFinish(&draft, after: first, clocks, isToday: day == nil) }
    guard day == nil, time == nil || draft.reading.start != nil else { return }
    let spans = findings.filter(chooser.isSpanOfDays)
      .map { chooser.ahead(chooser.choice($0), today: today).finding }
    if time == nil, let span = spans.first(where: { $0.match?.start?.day ?? today > today }),
      let first = span.match?.start?.day
    {
      // The words are kept, because only the first day is that of the entry.
      draft.reading.dayKey = first
      return draft.note(.day, span.range, QuickAddReader.label(day: first))
    }
    if let year = findings.first(where: {
      chooser.isYear($0, before: times.zone.dayKey(at: times.now))
    }), let start = year.match?.start {
      // The words are kept, because they only give the year.
      return move(&draft, to: start.day, year.range)
    }
    for finding in findings {
      if let first = chooser.firstDay(finding, today: today) {
        return move(&draft, to: first, finding.range)
      }
    }
  }

  /// Sets the day that words of the text give, and moves the times to it.
  private func move(_ draft: inout Draft, to day: DayKey, _ range: Range<String.Index>) {
    let shift = draft.reading.dayKey.distance(to: day) * 86_400
    draft.reading.dayKey = day
    draft.reading.start = draft.reading.start?.adding(seconds: shift)
    draft.reading.end = draft.reading.end?.adding(seconds: shift)
    draft.note(.day, range, QuickAddReader.label(day: day))
  }

  /// Sets the end of something whose beginning is the first of several times: "started 7pm, finished
  /// 5.50am".
  ///
  /// If it went over midnight and is over, it began the day before.
  private func settleFinish(
    _ draft: inout Draft, after first: TimeReader.Finding, _ clocks: [TimeReader.Finding],
    isToday: Bool
  ) {
    let line = draft.line
    let lexicon = LineLexicon.shared
    func isBehind(_ finding: TimeReader.Finding, _ role: LineLexicon.Role) -> Bool {
      let words = line[..<finding.range.lowerBound].lowercased()
        .split { !$0.isLetter }.map(String.init)
      let isLed = words.last == "at" || words.last == "um"
      return lexicon.ends(words, at: isLed ? words.count - 1 : words.count, role)
    }
    guard var start = draft.reading.start, draft.reading.end == nil,
      draft.reading.durationMinutes == nil, isBehind(first, .begun),
      let finish = clocks.first(where: {
        $0.tokens.lowerBound > first.tokens.lowerBound && $0.reading.isPoint && isBehind($0, .over)
      }), var end = finish.match?.start
    else { return }
    end = WallTime(day: start.day, secondOfDay: end.secondOfDay)
    if end <= start { end = end.adding(seconds: 86_400) }
    let now = times.zone.wallTime(at: times.now)
    if isToday, start > now, end.adding(seconds: -86_400) <= now {
      (start, end) = (start.adding(seconds: -86_400), end.adding(seconds: -86_400))
      guess(start.day, finish.range, &draft)
    }
    (draft.reading.start, draft.reading.end) = (start, end)
    draft.note(.time, finish.range, QuickAddReader.label(start: start, end: end))
  }

  func cutting(_ choice: QuickAddTimes.Choice, _ chooser: QuickAddTimes) -> QuickAddTimes {
    var cuts = chooser.cuts
    cuts.remove(choice.range)
    return chooser.with(cuts: cuts)
  }

  func check(
    _ findings: [TimeReader.Finding], _ chooser: QuickAddTimes
  ) throws(QuickAddError) {
    for finding in findings where !chooser.isTalk(finding) {
      if finding.reading.isContradictory, finding.reading.hasClock {
        let ends = chooser.ends(finding)
        throw .endBeforeStart(start: ends.start, end: ends.end)
      }
      let isOn = chooser.grammar.isWord(finding.tokens.lowerBound, "on")
      if finding.reading.isImpossible, isOn || chooser.position(finding) == .prefix {
        var words = String(chooser.line[finding.range])
        if ["on ", "am "].contains(words.prefix(3).lowercased()) {
          words = String(words.dropFirst(2)).trimmingCharacters(in: .whitespaces)
        }
        throw .noSuchDate(words)
      }
    }
  }

  func settle(
    _ draft: inout Draft, day: QuickAddTimes.Choice?, time: QuickAddTimes.Choice?,
    _ chooser: QuickAddTimes
  ) {
    let grammar = chooser.grammar
    let today = draft.reading.dayKey
    if let day, let start = day.finding.match?.start {
      draft.reading.dayKey = start.day
      draft.note(.day, day.finding.range, QuickAddReader.label(day: start.day))
      if day.finding.reading.hasClock, time == nil {
        draft.reading.start = start
        draft.reading.end = QuickAddReader.end(of: day.finding)
      }
    }
    if let time, let match = time.finding.match, let start = match.start {
      var shift = today.distance(to: draft.reading.dayKey) * 86_400
      if let part = day?.finding, part.reading.grain == .partOfDay,
        (part.match?.start?.hour ?? 0) >= 12, start.hour < 12,
        !match.text.lowercased().contains("am")
      {
        // For example, "Yesterday evening: dinner at 7".
        shift += 43_200
      }
      draft.reading.start = start.adding(seconds: shift)
      draft.reading.end = QuickAddReader.end(of: time.finding)?.adding(seconds: shift)
    }
    if let told = (time ?? day)?.finding, QuickAddTimes.isEarly(told, draft.line, grammar),
      let start = draft.reading.start, (13...18).contains(start.hour), day?.finding.isPart != true
    {
      draft.reading.start = start.adding(seconds: -43_200)
    }
    if let told = (time ?? day)?.finding, QuickAddTimes.isNight(told, draft.line, grammar) {
      // Twelve means midnight in this case.
      let half = draft.reading.start?.hour == 12 ? -43_200 : 43_200
      draft.reading.start = draft.reading.start?.adding(seconds: half)
      draft.reading.end = draft.reading.end?.adding(seconds: half)
    }
    if let told = (time ?? day)?.finding, day?.finding.isPart != true {
      let now = times.zone.wallTime(at: times.now)
      let isOfKickOff =
        draft.reading.start.map { chooser.isOfKickOff(told, start: $0) } ?? false
      if chooser.isBedtime(told) || chooser.isAfterNoon(told)
        || chooser.isOfEvening(told, now: now, isGerman: isGerman)
        || !isGerman
          && (draft.reading.start.map({ chooser.isOfAfternoon(told, start: $0, now: now) }) ?? false)
        || isOfKickOff
        || draft.reading.start.map({
          chooser.isOfEveningDeed(told, start: $0, end: draft.reading.end)
        }) ?? false
      {
        draft.reading.start = draft.reading.start?.adding(seconds: 43_200)
        draft.reading.end = draft.reading.end?.adding(seconds: 43_200)
      } else if chooser.isEarlyShift(told) || chooser.isLateBed(told)
        || chooser.isSleepless(told, isNight: day.map { chooser.isNight($0.finding) } ?? false)
      {
        draft.reading.start = draft.reading.start?.adding(seconds: -43_200)
        draft.reading.end = draft.reading.end?.adding(seconds: -43_200)
      }
    }
    settleNight(&draft, day: day, time: time, chooser)
    let isTimed = time != nil || day?.finding.reading.hasClock ?? false
    let isPoint = (time ?? day).map { $0.finding.reading.isPoint && !$0.finding.isPart } ?? false
    let begun = draft.reading.start
    settleOpenTimes(
      &draft, isTimed: isTimed, isPart: day?.finding.isPart ?? false, isPoint: isPoint && isTimed,
      chooser)
    guard isTimed, var start = draft.reading.start else { return }
    // In "tonight from 8", the part of the day only determines the half of the hour.
    let isPart = (time ?? day)?.finding.isPart ?? false && start == begun
    if isPart, draft.reading.end == nil, let told = (time ?? day)?.finding {
      draft.reading.period = chooser.isNight(told) ? .night : DayPeriod(hour: start.hour)
      if draft.reading.period == .night,
        start.adding(seconds: 3 * 3600) > times.zone.wallTime(at: times.now),
        LineTense(words: chooser.words).isPast
      {
        // The past night began before today.
        start = WallTime(day: start.day, secondOfDay: 0)
        draft.reading.start = start
      }
    }
    if draft.reading.end == nil, !isPart, let minutes = draft.reading.durationMinutes,
      minutes < 1_000_000
    {
      draft.reading.end = end(seconds: Int((minutes * 60).rounded()), after: start)
    }
    if let range = (time ?? day)?.finding.range {
      let period = draft.reading.period.map { QuickAddReader.label(period: $0, start) }
      draft.note(
        .time, range, period ?? QuickAddReader.label(start: start, end: draft.reading.end))
    }
  }

  /// Sets the beginning or the end if the line gives only one of them: "since about 4pm", "until
  /// noon".
  ///
  /// The words stay in the text.
  private func settleOpenTimes(
    _ draft: inout Draft, isTimed: Bool, isPart: Bool, isPoint: Bool, _ chooser: QuickAddTimes
  ) {
    let now = times.zone.wallTime(at: times.now)
    let day = draft.reading.dayKey
    if !isTimed, draft.reading.start == nil,
      let since = chooser.openTime(isEnd: false, now: now, isToday: day == now.day)
        ?? chooser.wholePeriod() ?? chooser.leadingPeriod()
    {
      let start = WallTime(day: day, secondOfDay: since.seconds)
      draft.reading.start = start
      draft.reading.period = since.period
      draft.taken.formUnion(since.tokens)
      if let minutes = draft.reading.durationMinutes, minutes < 1_000_000, since.period == nil {
        draft.reading.end = end(seconds: Int((minutes * 60).rounded()), after: start)
      }
      let period = since.period.map { QuickAddReader.label(period: $0, start) }
      draft.note(
        .time, since.range, period ?? QuickAddReader.label(start: start, end: draft.reading.end))
    }
    if isPart, draft.reading.end == nil, let part = draft.reading.start,
      let since = chooser.openTime(isEnd: false, now: now, isToday: false), since.period == nil,
      !chooser.grammar.isWord(since.tokens.lowerBound, "since")
    {
      // For example, "babysitting tonight from 8".
      let isLate = part.hour >= 12 && since.seconds < 43_200
      let seconds = isLate ? since.seconds + 43_200 : since.seconds
      if seconds >= part.secondOfDay, part.hour >= 12 || seconds < 43_200 {
        draft.reading.start = WallTime(day: part.day, secondOfDay: seconds)
        draft.taken.formUnion(since.tokens)
      }
    }
    let isNight = isPart && (draft.reading.start?.hour ?? 20) >= 18
    let isBegun = isPoint && draft.reading.durationMinutes == nil
    guard draft.reading.end == nil, !isTimed || isPart || isBegun, draft.reading.period == nil,
      let until = chooser.openTime(
        isEnd: true, now: now, isToday: day == now.day, isNight: isNight)
    else { return }
    // Hours after midnight belong to the night of the day before.
    let isLate = until.seconds < 6 * 3600 && (day < now.day || isPart)
    let last = WallTime(day: isLate ? day.advanced(by: 1) : day, secondOfDay: until.seconds)
    if let start = draft.reading.start, last <= start || isPart {
      guard isPart else { return }
      draft.reading.start = nil
    }
    draft.reading.end = last
    draft.taken.formUnion(until.tokens)
    draft.note(.time, until.range, said("until \(last.clockText)"))
  }

  /// Moves a night to the previous one: "slept from 11pm to 6:45am" typed in the morning began
  /// yesterday, and staying up until 2am belongs to the day before.
  func settleNight(
    _ draft: inout Draft, day: QuickAddTimes.Choice?, time: QuickAddTimes.Choice?,
    _ chooser: QuickAddTimes
  ) {
    let now = times.zone.wallTime(at: times.now)
    guard chooser.isOfNight(isMorning: now.hour < 12) || chooser.isOfBed else { return }
    if day == nil, let time, let start = draft.reading.start {
      let isOver =
        draft.reading.end.map { end in
          start.day < end.day && end.adding(seconds: -86_400) <= now
        } ?? (now.hour < 12 && (start.hour >= 18 || start.day > now.day) && chooser.isOfBed)
      guard start > now, isOver else { return }
      draft.reading.start = start.adding(seconds: -86_400)
      draft.reading.end = draft.reading.end?.adding(seconds: -86_400)
      guess(start.day.advanced(by: -1), time.finding.range, &draft)
    } else if time == nil, let until = chooser.untilLate(now) {
      guard let day else { return guess(now.day.advanced(by: -1), until.range, &draft) }
      // The line doesn't say when it began.
      if day.finding.isPart { (draft.reading.start, draft.reading.end) = (nil, nil) }
    }
  }

  /// Sets a day that the line does not name.
  func guess(_ day: DayKey, _ range: Range<String.Index>, _ draft: inout Draft) {
    draft.reading.dayKey = day
    draft.reading.isDayGuessed = true
    draft.note(.day, range, QuickAddReader.label(day: day))
  }

  /// Returns the end of something with a known duration, counted in elapsed time: eight hours of
  /// sleep are eight even in the night when clocks go forward.
  ///
  /// If the end would fall in the second occurrence of an hour that occurs twice, the duration is
  /// simply added to the clock time instead.
  func end(seconds: Int, after start: WallTime) -> WallTime {
    let instant = times.zone.instant(of: start).adding(seconds: seconds)
    let end = times.zone.wallTime(at: instant)
    return times.zone.instant(of: end) == instant ? end : start.adding(seconds: seconds)
  }

  static func end(of finding: TimeReader.Finding) -> WallTime? {
    finding.reading.isPoint || finding.reading.grain == .partOfDay ? nil : finding.match?.end
  }
}
