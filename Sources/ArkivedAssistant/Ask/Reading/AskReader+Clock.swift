import ArkivedCore
import Foundation

/// Times of day to which a question is limited: "before 7:30 am", "between 6 and 8 pm".
extension AskReader {
  /// Removes a clock time without a day, so it isn't taken for a range of days.
  ///
  /// - Returns: true if there was one.
  func readClock(_ text: inout String, _ question: inout AskQuestion) -> Bool {
    if let match = text.firstMatch(
      of:
        /\b(?:between|from) (\d{1,2}(?::\d{2})?)( ?[ap]\.?m\.?)? (?:and|to|until|till) (\d{1,2}(?::\d{2})?)( ?[ap]\.?m\.?)?(?![\w:])/
        .ignoresCase()),
      match.2 != nil || match.4 != nil || match.1.contains(":") && match.3.contains(":"),
      let span = Self.hours(
        from: match.1, match.2 ?? match.4, to: match.3, match.4, isShared: match.2 == nil)
    {
      limit(&text, match.range, to: span, &question)
      return true
    }
    let sides = text.matches(
      of:
        /\b(before|earlier than|after|later than) (\d{1,2}(?::\d{2})? ?[ap]\.?m\.?|\d{1,2}:\d{2}|noon|midnight)(?![\w:])/
        .ignoresCase())
    guard let side = sides.first else { return readMoment(&text, &question) }
    if sides.count > 1 {
      question.problem = said(
        "I can only handle one time of day per question. Ask about each one separately.")
      return true
    }
    guard let minute = Self.minute(side.2, half: nil) else { return false }
    let isBefore = ["before", "earlier than"].contains(side.1.lowercased())
    // "After midnight" means the night; "before midnight" means the whole day.
    let isMidnight = side.2.lowercased() == "midnight"
    guard !(isBefore && minute == 0), isBefore || minute < 1440 else { return false }
    question.isOpenEnded = !isBefore && !isMidnight
    limit(
      &text, side.range,
      to: isBefore ? 0..<minute : minute..<(isMidnight ? 360 : 1440), &question)
    return true
  }

  /// Parses "at 10 pm", "around 7:30": entries that begin at about that time, or are in progress.
  private func readMoment(_ text: inout String, _ question: inout AskQuestion) -> Bool {
    guard
      let match = text.firstMatch(
        of:
          /\b(?:at|around|about) (\d{1,2}(?::\d{2})? ?[ap]\.?m\.?|\d{1,2}:\d{2}|noon)(?![\w:])/
          .ignoresCase()),
      let minute = Self.minute(match.1, half: nil)
    else { return false }
    limit(&text, match.range, to: Self.about(minute), &question)
    question.isMoment = true
    return true
  }

  private static func about(_ minute: Int) -> Range<Int> {
    max(0, minute - AskQuestion.aroundMoment)..<min(1440, minute + AskQuestion.aroundMoment)
  }

  /// Records the hours of a time within a day: “yesterday evening” isn't all of yesterday.
  func readHours(of match: TimeMatch, _ question: inout AskQuestion) {
    guard question.minutes == nil, match.grain < .day, let start = match.start, let end = match.end
    else { return }
    var first = start.secondOfDay / 60
    // Times after midnight belong to the next day.
    let last = end.day > start.day ? 1440 : end.secondOfDay / 60
    if last - first <= 1 {
      question.minutes = Self.about(first)
      question.isMoment = true
      return
    }
    // An evening begins at the same hour as one without a day.
    if match.grain == .partOfDay, first == 1080 { first = 1020 }
    guard first < last, last - first < 1440 else { return }
    question.minutes = first..<last
  }

  /// Records the hours and removes their words.
  ///
  /// “What did I do after 3 pm” means today.
  private func limit(
    _ text: inout String, _ range: Range<String.Index>, to minutes: Range<Int>,
    _ question: inout AskQuestion
  ) {
    question.minutes = minutes
    let rest = text.replacingCharacters(in: range, with: " ")
    let isToday =
      rest.firstMatch(of: /^\s*what (?:did|have|was|were|am|are) (?:i|we)\b/.ignoresCase()) != nil
      && rest.firstMatch(
        of: /\b(?:ever|usually|normally|always|often|mostly|most|last|first)\b/.ignoresCase())
        == nil
      && question.joins.isEmpty && question.bound == nil && times.matches(in: rest).isEmpty
    text = isToday ? text.replacingCharacters(in: range, with: " today ") : rest
  }

  /// Returns the minutes between two clock times on one day.
  private static func hours(
    from first: Substring, _ firstHalf: Substring?, to last: Substring, _ lastHalf: Substring?,
    isShared: Bool
  ) -> Range<Int>? {
    guard var start = minute(first, half: firstHalf), let end = minute(last, half: lastHalf) else {
      return nil
    }
    // "between 11 and 1 pm"
    if start >= end, isShared, start >= 720 { start -= 720 }
    return start < end ? start..<end : nil
  }

  /// Parses "7:30 pm" or "noon" as minutes since midnight; `half` contains "am" or "pm" if it is a
  /// separate word.
  private static func minute(_ clock: Substring, half: Substring?) -> Int? {
    let lower = clock.lowercased()
    if lower == "noon" { return 720 }
    if lower == "midnight" { return 0 }
    let parts = lower.split { !$0.isNumber }
    guard var hour = parts.first.flatMap({ Int($0) }) else { return nil }
    let minute = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    guard (0...24).contains(hour), (0..<60).contains(minute) else { return nil }
    let mark = (half ?? clock).lowercased()
    if mark.contains("p"), hour < 12 { hour += 12 }
    if mark.contains("a"), hour == 12 { hour = 0 }
    return min(hour * 60 + minute, 1440)
  }
}
