import Foundation

/// Decides which half of the day an hour is in, and which night.
extension QuickAddTimes {
  /// Returns true if the activity places an ambiguous hour in the morning: "woke up at 5", "um 6
  /// aufgestanden", "breakfast at 6".
  static func isEarly(
    _ finding: TimeReader.Finding, _ line: String, _ grammar: TimeGrammar
  ) -> Bool {
    guard finding.reading.isPoint, finding.reading.hasClock else { return false }
    let words = line[finding.range].lowercased()
    let hour = Int(words.drop { !$0.isNumber }.prefix { $0.isNumber }) ?? 0
    guard !words.contains(where: { ":,".contains($0) }), hour <= 12,
      !words.split(whereSeparator: { !$0.isLetter }).contains(where: { settling.contains($0) })
    else { return false }
    let told = grammar.tokens.filter { $0.kind == .word }.map(\.text)
    guard !told.contains(where: { resting.contains($0) }) else { return false }
    let isUp = told.indices.contains { index in
      told[index] == "up" && (index == 0 || ["got", "get", "was", "i"].contains(told[index - 1]))
    }
    // For example, "Monday. up 6.30", but not "picked him up at 5".
    let before = finding.tokens.lowerBound - 1
    let isFirst = grammar.isWord(before, "up") && grammar.token(before - 1)?.kind == .symbol
    return isUp || isFirst || told.contains { waking.contains($0) }
  }

  /// Returns true if the activity places the hours in the evening: "dinner at 7", "Kino um 8".
  func isOfEveningDeed(_ finding: TimeReader.Finding, start: WallTime, end: WallTime?) -> Bool {
    guard finding.reading.hasClock, !finding.isPart, (5...11).contains(start.hour),
      end.map({ $0.day == start.day && $0.hour < 12 }) ?? true
    else { return false }
    let told = line[finding.range].lowercased()
    let letters = told.split { !$0.isLetter }
    guard !told.contains("0\(start.hour)"),
      !letters.contains(where: { ["am", "a", "morning", "morgens", "früh"].contains($0) })
        || letters.contains("um")
    else { return false }
    func isEnd(_ index: Int) -> Bool {
      grammar.token(index)?.kind == .symbol && !grammar.isAttached(index + 1)
        && !finding.tokens.contains(index)
    }
    // Only words in the same part of the line count.
    let first = grammar.tokens.indices.last { $0 < finding.tokens.lowerBound && isEnd($0) }
    let last = grammar.tokens.indices.first { $0 >= finding.tokens.upperBound && isEnd($0) }
    let part = Array(words[(first.map { $0 + 1 } ?? 0)..<(last ?? words.count)])
    return (lexicon.isAmong(part, .evening) || part.contains { lexicon.hasPart($0, .evening) })
      && !part.contains { Self.waking.contains($0) }
  }

  /// Returns true if a match that kicks off at an hour from five to eight does so in the evening: "KO
  /// 7:45".
  func isOfKickOff(_ finding: TimeReader.Finding, start: WallTime) -> Bool {
    let first = finding.tokens.lowerBound
    let before = grammar.isWord(first - 1, "at") ? first - 2 : first - 1
    guard finding.reading.isPoint, !finding.isPart, (5...8).contains(start.hour),
      grammar.isWord(before, "ko", "kickoff")
        || grammar.isWord(before, "off") && grammar.isWord(before - 1, "kick")
    else { return false }
    let told = line[finding.range].lowercased()
    return !told.contains("0\(start.hour)")
      && !told.split { !$0.isLetter }.contains { ["am", "a"].contains($0) }
  }

  /// Returns true if the hours are probably at night although the line doesn't say so: "slept from
  /// 11 to 7".
  static func isNight(
    _ finding: TimeReader.Finding, _ line: String, _ grammar: TimeGrammar
  ) -> Bool {
    guard !finding.reading.isPoint, let start = finding.match?.start, let end = finding.match?.end,
      (8...12).contains(start.hour), start.day == end.day, end.hour - start.hour >= 4
    else { return false }
    let words = line[finding.range].lowercased()
    // "10:30-6:45" by day would still be going on.
    let isAhead = start.day == grammar.now.day && end > grammar.now
    guard !words.contains(","), isAhead || !words.contains(":"),
      !words.split(whereSeparator: { !$0.isLetter }).contains(where: {
        settling.contains($0) || $0 == "am"
      })
    else { return false }
    let told = grammar.tokens.filter { $0.kind == .word }.map(\.text)
    let lexicon = LineLexicon.shared
    return
      (lexicon.isAmong(told, .nightNoun)
      || told.contains { ["slept", "asleep", "geschlafen"].contains($0) })
      && !told.contains { resting.contains($0) }
  }

  /// Returns true if words for a part of the day mean the night: "at night", "heute Nacht", but not
  /// "last night", which usually means the evening.
  func isNight(_ finding: TimeReader.Finding) -> Bool {
    words[finding.tokens].contains { $0.hasSuffix("nacht") }
      || finding.tokens.contains { index in
        grammar.isWord(index, "night") && !grammar.isWord(index - 1, "last")
      }
  }

  /// Returns true if the line is about a night: "slept from 11pm to 6:45am", "bis 2 Uhr wach".
  ///
  /// - Parameter isMorning: true if the line is typed in the morning, when "night shift" also means
  ///   the last one.
  /// - Returns: true if it is.
  func isOfNight(isMorning: Bool) -> Bool {
    lexicon.isAmong(words, .night) || lexicon.isAmong(words, .late)
      || isMorning && (lexicon.isAmong(words, .nightNoun) || lexicon.isAmong(words, .shift))
  }

  /// Returns the words for an hour after midnight until which something lasted, if that hour has
  /// already passed today: "stayed up until 2am", "bis 2 Uhr wach".
  func untilLate(_ now: WallTime) -> TimeReader.Finding? {
    guard lexicon.isAmong(words, .late) else { return nil }
    return grammar.tokens.indices.lazy.compactMap { index -> TimeReader.Finding? in
      guard grammar.isWord(index, "until", "till", "til"),
        let (span, next) = grammar.clockSpan(index + 1, lead: "until"), span.end == nil,
        let first = grammar.token(index), let last = grammar.token(next - 1)
      else { return nil }
      let point = span.start
      let seconds = point.isSettled || point.isDigital ? point.seconds() : point.literalSeconds
      guard seconds < 6 * 3600,
        WallTime(day: now.day, secondOfDay: max(0, seconds)) <= now
      else { return nil }
      return TimeReader.Finding(
        tokens: index..<next, range: first.range.lowerBound..<last.range.upperBound,
        reading: TimeReading(grain: .minute, hasClock: true, isOpen: true), match: nil)
    }.first
  }

  /// True if the line is about going to bed.
  var isOfBed: Bool { lexicon.isAmong(words, .bed) }

  /// Returns true if an hour from eight to twelve is in the evening: "bed at 11", "um halb elf ins
  /// Bett".
  func isBedtime(_ finding: TimeReader.Finding) -> Bool {
    guard finding.reading.isPoint, let start = finding.match?.start, (8...12).contains(start.hour),
      isOfBed, !grammar.isWord(finding.tokens.lowerBound - 1, "up", "woke", "awake")
    else { return false }
    let told = line[finding.range].lowercased()
    return !told.contains("0\(start.hour)")
      && !told.split { !$0.isLetter }.contains { QuickAddTimes.settling.contains($0) || $0 == "am" }
  }

  /// Returns true if the hours of a shift that begins by six are in the morning: "shift 6-2", and
  /// other hours from five or six that have just passed: "ironing 6-7" at eight.
  func isEarlyShift(_ finding: TimeReader.Finding) -> Bool {
    guard grammar.hourStarts.contains(finding.tokens.lowerBound),
      let start = finding.match?.start, let end = finding.match?.end,
      (13...18).contains(start.hour)
    else { return false }
    let passed = grammar.now.secondOfDay - end.secondOfDay + 43_200
    let isOver =
      start.day == end.day && start.day == grammar.now.day && start > grammar.now
      && start.hour > 16 && (0..<7200).contains(passed) && !LineTense(words: words).isAhead
    guard start.day < end.day || isOver else { return false }
    let told = ends(finding)
    return (told.start + told.end).allSatisfy(\.isNumber)
  }

  /// Returns true if hours from one to six are those of a sleepless night: "awake from 3 until 5",
  /// "heute Nacht um 2".
  func isSleepless(_ finding: TimeReader.Finding, isNight: Bool) -> Bool {
    guard let start = finding.match?.start, (13...18).contains(start.hour) else { return false }
    let told = ends(finding)
    let isBare = !told.start.lowercased().contains { $0 == "p" } && !told.start.hasPrefix("1")
    return isBare
      && (isNight || !finding.reading.isPoint && words.contains { Self.waking.contains($0) })
  }

  /// Returns true if the hours of a span from one to six are in the afternoon; in "from 2 to 3:30",
  /// the first is as ambiguous as the second.
  func isAfterNoon(_ finding: TimeReader.Finding) -> Bool {
    guard !finding.reading.isPoint, let start = finding.match?.start, let end = finding.match?.end,
      (1...6).contains(start.hour), start.day == end.day, end.hour <= 8,
      !lexicon.isAmong(words, .night)
    else { return false }
    let told = ends(finding)
    return told.start.count == 1 && told.start.allSatisfy(\.isNumber)
      && told.end.contains(":") && !told.end.hasPrefix("0")
      && told.end.allSatisfy { $0.isNumber || $0 == ":" }
  }

  /// Returns true if a time from one to five in figures is in the afternoon, as on an English clock:
  /// "dentist Thursday 3:15", "vet next Wed 4.10".
  ///
  /// Lines that are about a night, waking up or a journey are read as written, and so is a time
  /// today that has passed while its afternoon hasn't come.
  func isOfAfternoon(_ finding: TimeReader.Finding, start: WallTime, now: WallTime) -> Bool {
    guard finding.reading.hasClock, !finding.isPart, (1...4).contains(start.hour) else {
      return false
    }
    let told = line[finding.range].lowercased()
    let letters = told.split { !$0.isLetter }
    let isSettled = letters.contains {
      ["am", "pm", "a", "p", "h", "night", "morning", "tonight", "uhr"].contains($0)
    }
    let isNight =
      lexicon.isAmong(words, .night) || lexicon.isAmong(words, .late)
      || lexicon.isAmong(words, .nightNoun) || lexicon.isAmong(words, .journey) || isOfBed
      || words.contains { Self.waking.contains($0) }
      || grammar.tokens.indices.contains { isUp($0) }
    guard !isSettled, !told.contains("0\(start.hour)"), !isNight else { return false }
    let later = start.adding(seconds: 43_200)
    return start.day != now.day || later <= now || start > now
      || LineTense(words: words).isAhead
  }

  /// Returns true for getting up, but not for "picked her up".
  func isUp(_ index: Int) -> Bool {
    guard grammar.isWord(index, "up"), !grammar.isSign(index - 1, "-") else { return false }
    guard let before = grammar.token(index - 1), before.kind == .word else { return true }
    return [
      "got", "get", "getting", "gets", "was", "were", "been", "i", "we", "im", "i'm", "still",
      "stayed", "woke", "wake", "both", "all", "and", "then", "kept",
    ].contains(before.text)
  }

  private static let waking: Set<String> = [
    "woke", "woken", "waking", "awake", "breakfast", "sunrise", "aufgestanden", "aufgewacht",
    "wach", "geweckt", "frühstück", "gefrühstückt", "sonnenaufgang",
  ]
  private static let resting: Set<String> = [
    "nap", "napped", "siesta", "mittagsschlaf", "nickerchen", "afternoon", "evening",
  ]
  static let settling: Set<Substring> = [
    "pm", "p", "uhr", "h", "afternoon", "evening", "night", "tonight", "noon", "nachmittags",
    "nachmittag", "abends", "abend", "ago", "vor",
  ]
}
