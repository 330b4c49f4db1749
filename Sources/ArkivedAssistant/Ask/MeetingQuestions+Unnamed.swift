import ArkivedCore
import ArkivedStore
import Foundation

/// Questions about meetings that mention nobody, for the case that no entry contains the word: a
/// meeting is not necessarily called one.
extension MeetingQuestions {
  /// Answers a question about meetings that mentions nobody.
  ///
  /// - Returns: nil if the question is of a different kind, or the archive has no meetings.
  func unnamed(_ text: String, now: Instant, limit: Int, offset: Int) throws -> Answer? {
    var rest = text.trimmingCharacters(in: CharacterSet(charactersIn: " ?!.\n\t"))
    guard rest.count < 300, rest.lowercased().contains("meeting") else { return nil }
    let times = TimeReader(now: now, zone: zone).matches(in: rest)
    guard times.count < 2 else { return nil }
    if let time = times.first { rest.removeSubrange(time.range) }
    rest = rest.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let edge = rest.wholeMatch(
      of: /when (?:was|did i have) my (last|first) meeting/.ignoresCase())
    {
      guard times.isEmpty else { return nil }
      return try single(edge.1.lowercased(), now)
    }
    let isAsked =
      rest.wholeMatch(
        of:
          /(?:which|what|how many) meetings(?: (?:did|have|had) (?:i|we)(?: have| had)?)?(?: (?:in|on|for|during|since|so far))*/
          .ignoresCase()) != nil
      || rest.wholeMatch(
        of: /(?:did|have) (?:i|we) (?:have|had) (?:a|any) meetings?(?: (?:in|on|for|during))?/
          .ignoresCase()) != nil
    guard isAsked, try archive.countMeetings(MeetingFilter()) > 0 else { return nil }
    return try past(
      times.first, isCount: rest.lowercased().hasPrefix("how many"), now, limit, offset)
  }

  /// Answers with the first or last of all meetings.
  private func single(_ which: String, _ now: Instant) throws -> Answer? {
    var filter = MeetingFilter()
    (filter.includesDropped, filter.isAttended) = (false, true)
    // It may already be tomorrow in another time zone.
    filter.to = zone.dayKey(at: now).advanced(by: 1)
    filter.order = which == "last" ? .newest : .oldest
    filter.limit = 200
    let begun = try archive.meetings(filter).filter { entry in
      entry.activity.startAt.map { $0 <= now } ?? false
    }
    func start(_ entry: MeetingEntry) -> Instant { entry.activity.startAt ?? now }
    let found =
      which == "last"
      ? begun.max { start($0) < start($1) } : begun.min { start($0) < start($1) }
    guard let entry = found else { return nil }
    let when = told(entry)
    return answer(
      which == "first"
        ? said("Your first meeting was on \(when).") : said("Your last meeting was on \(when)."),
      kind: which, [hit(entry)], 1, values: [JSON(entry.activity.dayKey)])
  }

  /// Answers with the meetings of a period up to today.
  private func past(
    _ time: TimeMatch?, isCount: Bool, _ now: Instant, _ limit: Int, _ offset: Int
  ) throws -> Answer? {
    var filter = MeetingFilter()
    (filter.includesDropped, filter.isAttended) = (false, true)
    let today = zone.dayKey(at: now)
    filter.to = today
    if let days = time?.days {
      guard days.lowerBound <= today else { return nil }
      (filter.from, filter.to) = (days.lowerBound, min(days.upperBound, today))
    }
    filter.order = .newest
    let count = try archive.countMeetings(filter)
    guard count > 0 else { return nil }
    filter.limit = max(0, limit)
    filter.offset = max(0, offset)
    let found = try archive.meetings(filter)
    let when = time.map { " (\(SpanText.shownDays($0.days)))" } ?? said(" so far")
    let planned = try stillPlanned(filter, in: time?.days, after: today, isMore: true)
    let shown = try firstMeetings(of: filter, count: count)
    var result = answer(
      said(count, one: "1 meeting", other: "\(count) meetings") + "\(when): "
        + shown + planned,
      kind: isCount ? "count" : "list", found.map(hit), count,
      values: isCount ? [JSON(count)] : found.map { JSON($0.title) })
    result.computed.days = time?.days
    return result
  }
}
