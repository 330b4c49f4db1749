import Foundation

/// Reads times with only one end: "since 6am", "ab 18 Uhr", "until noon".
extension QuickAddTimes {
  /// The beginning or the end of something whose other end the line doesn't give.
  struct OpenTime {
    var seconds: Int
    /// The part of the day, if the line gives no clock time.
    var period: DayPeriod?
    var tokens: Range<Int>
    var range: Range<String.Index>
  }

  /// Returns the first beginning or end that is given without the other.
  ///
  /// - Parameters:
  ///   - isEnd: true to look for an end.
  ///   - now: the time of typing.
  ///   - isToday: true if the activity was on the day of typing.
  ///   - isNight: true if it began in the evening or at night.
  /// - Returns: the time, or nil.
  func openTime(
    isEnd: Bool, now: WallTime, isToday: Bool, isNight: Bool = false
  ) -> OpenTime? {
    grammar.tokens.indices.lazy.compactMap { index -> OpenTime? in
      let isLead =
        isEnd
        ? grammar.isWord(index, "until", "till", "til")
        : grammar.isWord(index, "since", "from") || words[index] == "ab"
      guard isLead, !lexicon.ends(words, at: index, .change), grammar.number(index - 1) == nil
      else { return nil }
      let start = grammar.skipping("about", "around", "roughly", "circa", at: index + 1)
      if !isEnd, let found = period(index, grammar.skipping("this", "the", at: start)) {
        return found
      }
      guard let (span, next) = grammar.clockSpan(start, lead: "at"), span.end == nil,
        next > start, !grammar.isSign(next, "-"),
        !grammar.isWord(next, "to", "and", "or"), TimeWords.months[grammar.word(next)] == nil,
        !grammar.isWord(next, "until", "till", "til") || grammar.token(next + 1)?.kind == .word,
        let first = grammar.token(index), let last = grammar.token(next - 1)
      else { return nil }
      let range = first.range.lowerBound..<last.range.upperBound
      let seconds = seconds(
        of: span.start, told: String(line[range]), isEnd: isEnd,
        reached: isToday ? now.secondOfDay : nil)
      guard (0..<86_400).contains(seconds) else { return nil }
      // "Last night till 3" is after midnight.
      let isLate = isNight && !span.start.isSettled && seconds % 43_200 < 6 * 3600
      return OpenTime(
        seconds: isLate ? seconds % 43_200 : seconds, tokens: index..<next, range: range)
    }.first
  }

  /// Returns the seconds of the day of an hour that could be in either half.
  ///
  /// - Parameters:
  ///   - point: the hour.
  ///   - told: the words of the time.
  ///   - isEnd: true if something ended then; work and school end later than they begin.
  ///   - reached: the second of the day up to which it can be over, or nil for another day.
  /// - Returns: the seconds.
  private func seconds(
    of point: ClockPoint, told: String, isEnd: Bool, reached: Int?
  ) -> Int {
    let isSpoken = !told.contains(where: \.isNumber)
    let isWritten =
      point.isDigital && !isSpoken || told.lowercased().split { !$0.isLetter }.contains("uhr")
    let usual = isWritten ? point.literalSeconds : point.seconds()
    guard !point.isSettled, !isWritten else { return usual }
    guard let reached else {
      let isLate =
        (lexicon.isAmong(words, .late) || isEnd && lexicon.isAmong(words, .evening))
        && usual % 43_200 < 6 * 3600
      return isLate ? usual % 43_200 : usual
    }
    let (morning, evening) = (usual % 43_200, usual % 43_200 + 43_200)
    let isEarly =
      lexicon.isAmong(deeds, isEnd ? .rising : .early) || lexicon.isAmong(words, .late)
      || lexicon.isAmong(words, .night)
    if isEarly, morning <= reached { return morning }
    // What lasts since an hour has begun.
    let isSince = told.lowercased().hasPrefix("since") || told.lowercased().hasPrefix("seit")
    if isSince, usual > reached, morning <= reached { return morning }
    return evening <= reached ? evening : usual
  }

  /// True if something begins at an hour without an end: "drinks Thursday from 5", but not "since 5".
  var hasBeginning: Bool {
    openTime(isEnd: false, now: grammar.now, isToday: false).map {
      $0.period == nil && !grammar.isWord($0.tokens.lowerBound, "since")
    } ?? false
  }

  /// The words without an "up" that is not getting up, as in "school pick up".
  private var deeds: [String] {
    words.indices.filter { words[$0] != "up" || isUp($0) }.map { words[$0] }
  }

  /// Reads "all evening", "the whole night", "den ganzen Abend".
  func wholePeriod() -> OpenTime? {
    grammar.tokens.indices.lazy.compactMap { index in
      lexicon.has(words[index], .whole) ? period(index, index + 1) : nil
    }.first
  }

  /// Reads the part of the day with which a line begins: "evening walk", "Morning run by the canal".
  func leadingPeriod() -> OpenTime? {
    guard words.count > 1, ["morning", "afternoon", "evening"].contains(words[0]),
      grammar.token(1)?.kind == .word, grammar.token(1)?.hasSpaceBefore ?? false,
      !["all", "everyone", "everybody", "class", "classes", "prayer", "dress"].contains(words[1])
    else { return nil }
    return period(0, 0)
  }

  private func period(_ index: Int, _ place: Int) -> OpenTime? {
    guard place < words.count, let first = grammar.token(index), let last = grammar.token(place),
      let part = TimeWords.parts[grammar.word(place)]
        ?? lexicon.periods[words[place]].flatMap({ TimeWords.parts[$0] })
    else { return nil }
    let period = part.isNight ? DayPeriod.night : DayPeriod(hour: part.start / 3600)
    return OpenTime(
      seconds: part.start, period: period, tokens: index..<place + 1,
      range: first.range.lowerBound..<last.range.upperBound)
  }

  /// Returns true if an hour from seven to eleven was in the evening, because that hour has just
  /// passed: "football at 8" typed at half past ten.
  ///
  /// Hours in digits are on a 24-hour clock in German.
  func isOfEvening(_ finding: TimeReader.Finding, now: WallTime, isGerman: Bool) -> Bool {
    guard finding.reading.hasClock, !finding.isPart, let start = finding.match?.start,
      (isGerman ? 7...11 : 5...11).contains(start.hour), start.day == now.day,
      !isFirstOfSpans,
      !lexicon.isAmong(deeds, .early)
    else { return false }
    let end = finding.reading.isPoint ? start : finding.match?.end ?? start
    let passed = now.secondOfDay - start.secondOfDay - 43_200
    guard end.day == now.day, end.hour < 12, (0...5 * 3600).contains(passed) else { return false }
    let told = line[finding.range].lowercased()
    let letters = told.split { !$0.isLetter }
    guard !told.contains(":") || !isGerman && !finding.reading.isPoint,
      !told.contains("0\(start.hour)"),
      !letters.contains(where: { ["am", "a", "morning", "morgens", "uhr", "früh"].contains($0) })
    else { return false }
    return !isGerman || !told.contains(where: \.isNumber)
  }

  /// Returns true if an hour from one to five is after midnight: "um 2 im Bett".
  func isLateBed(_ finding: TimeReader.Finding) -> Bool {
    guard finding.reading.isPoint, let start = finding.match?.start, (13...17).contains(start.hour),
      isOfBed
    else { return false }
    let told = line[finding.range].lowercased()
    return !told.contains("1\(start.hour % 10)")
      && !told.split { !$0.isLetter }.contains { QuickAddTimes.settling.contains($0) }
  }
}
