import ArkivedCore
import Foundation

/// Time expressions from which nothing can be computed.
///
/// Ignoring them would answer a different question.
extension AskReader {
  /// Returns the reason that a question's times can't be used; nil if they can.
  func timeProblem(of text: String) -> String? {
    fiscalYear(in: text) ?? leftOutTime(in: text) ?? noSuchTime(in: text) ?? monthAsName(in: text)
      ?? contradiction(in: text) ?? noQuestionOfEntries(in: text)
  }

  /// Returns the problem of questions that neither entries nor recorded values can answer: trends,
  /// missing fields, arithmetic with the question's own numbers.
  private func noQuestionOfEntries(in text: String) -> String? {
    if text.firstMatch(
      of:
        /^(?:did|has|have|is|was) (?:my|our) .*\b(?:go(?:ne|ing)? (?:up|down)|(?:in|de)creased?|improved?|improving)(?=\s*(?:$|[?.!]|in\b|since\b|over\b|during\b|last\b|this\b|from\b|after\b))/
        .ignoresCase()) != nil,
      text.firstMatch(of: /\bthan\b/.ignoresCase()) == nil
    {
      return said("I can’t tell whether something rose or fell. Compare two periods instead.")
    }
    if timeline.tags["tag"] == nil,
      text.firstMatch(of: /\b(?:without|with no) (?:a |any )?tags?\b/.ignoresCase()) != nil
    {
      return said("I can’t look for entries without a tag.")
    }
    if text.firstMatch(of: /^(?:how (?:much|many)(?: \w+)?|what) (?:is|are) \d/.ignoresCase())
      != nil
    {
      return said("I calculate with your entries, not with numbers from a question.")
    }
    return nil
  }

  /// Detects “FY 2019/20”: a fiscal year, whose first day is unknown.
  private func fiscalYear(in text: String) -> String? {
    guard
      let match = text.firstMatch(
        of:
          /\b(?:FY ?['’]?\d{2,4}(?:[\/–-]\d{2,4})?|(?i:(?:fiscal|financial|tax) year(?: \d{4}(?:[\/–-]\d{2,4})?)?))/
      )
    else { return nil }
    return said("I don’t know when “\(match.0)” starts. Give its first and last day instead.")
  }

  private static let leavingOut =
    "\\b(not|never|except|excluding|apart from|aside from|other than|outside|besides|all but)"
    + "( of| for)?( in| on| during| at| from)?( the)?\\s*$"

  /// Detects excluded times: “not in 2025”, “except on mondays”.
  private func leftOutTime(in text: String) -> String? {
    let weekday =
      "(mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|weekdays|january|february|march|april"
      + "|may|june|july|august|september|october|november|december|spring|summer|autumn|winter"
    if let range = text.range(
      of: AskReader.leavingOut.replacing("\\s*$", with: "\\s+") + "(\(weekday))\\b",
      options: [.regularExpression, .caseInsensitive])
    {
      return AskReader.cannotLeaveOut(String(text[range]))
    }
    for match in times.matches(in: text) {
      let before = String(text[..<match.range.lowerBound].suffix(60))
      // The words before a time may be part of the match.
      let own = match.text.lowercased()
      if before.range(of: AskReader.leavingOut, options: [.regularExpression, .caseInsensitive])
        != nil || own.hasPrefix("except ")
        // "Not before March" is a span of its own.
        || own.prefixMatch(of: /not (?!before|until|till?\b|after|later|earlier)/) != nil
      {
        return AskReader.cannotLeaveOut(match.text)
      }
    }
    return nil
  }

  private static func cannotLeaveOut(_ words: String) -> String {
    said("I can’t exclude a time (“\(words)”). Ask about the times you mean.")
  }

  /// Detects times that don't exist: “31/02/2025”, “week 99”, “in 9999”.
  private func noSuchTime(in text: String) -> String? {
    func problem(_ words: Substring) -> String { said("“\(words)” isn’t a valid date.") }
    for match in text.matches(of: /\b(\d{1,2})[\/.](\d{1,2})[\/.](\d{4})\b/) {
      guard let first = Int(match.1), let second = Int(match.2), let year = Int(match.3) else {
        continue
      }
      let isDay = DayKey(year: year, month: second, day: first) != nil
      // Only dates with slashes may have the month first.
      let isMonthFirst =
        match.0.contains("/") && DayKey(year: year, month: first, day: second) != nil
      if !isDay, !isMonthFirst { return problem(match.0) }
    }
    for match in text.matches(of: /\b(\d{4})-(\d{2})-(\d{2})\b/)
    where DayKey(String(match.0)) == nil {
      return problem(match.0)
    }
    for match in text.lowercased().matches(
      of: /\b(week|day) (\d{1,4}) of ((?:19|20)\d\d)\b/)
    {
      let limit = Self.length(of: Int(match.3) ?? 0, inWeeks: match.1 == "week")
      if !(1...limit).contains(Int(match.2) ?? 0) { return problem(match.0) }
    }
    for match in text.lowercased().matches(
      of: /\b(in|year|since|before|after|until) (the year )?([2-9]\d{3})\b/)
    {
      guard let year = Int(match.3), year > today.year + 200 else { continue }
      let tail = text.lowercased()[match.range.upperBound...].split(separator: " ").first ?? ""
      if UnitTable.standard.unit(named: String(tail)) == nil {
        return said("The year \(year) is far in the future. Nothing is recorded for it.")
      }
    }
    return nil
  }

  /// Returns the number of days in a year, or of weeks: usually 52, sometimes 53.
  private static func length(of year: Int, inWeeks: Bool) -> Int {
    // 4 January and 28 December are always in the first and last week.
    guard let first = DayKey(year: year, month: 1, day: 4),
      let last = DayKey(year: year, month: 12, day: 28)
    else { return inWeeks ? 53 : 366 }
    return inWeeks
      ? first.startOfWeek().distance(to: last.startOfWeek()) / 7 + 1 : first.distance(to: last) + 7
  }

  /// Detects “did I see May” if May isn't a known name: a month after such a verb isn't a time.
  private func monthAsName(in text: String) -> String? {
    guard
      let match = text.firstMatch(
        of:
          /\b(?:see|saw|seen|met|meet|call|called|visit|visited|phone|phoned) (April|May|June|August)\b(?! \d)/
      )
    else { return nil }
    let name = String(match.1)
    return words.contains(name.lowercased())
      ? nil : said("I don’t know anyone called \(name).")
  }
}
