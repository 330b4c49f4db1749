import ArkivedCore
import ArkivedStore
import Foundation

/// Upcoming meetings, entries of later days, and goals that are due.
extension LibraryAnswers {
  private static let told = 10
  /// The maximum number of items to load for a day or a span.
  private static let most = 2_000
  /// The number of days that “What's coming up?” covers.
  private static let usualDays = 14

  private struct Plan {
    var day: DayKey
    var start: Instant?
    /// The zone of the day and the start.
    var zone: Zone
    var title: String
    var hit: SearchHit
    var people: Set<UUID>
    var isMeeting: Bool
    /// False for the last day of a goal, which keeps nobody busy.
    var takesTime = true
  }

  func agenda(_ query: LibraryQuery) throws -> Answer? {
    let (person, concept) = try person(in: query)
    if person == nil, let name = query.person { return unknown(name) }
    let asksForMeetings = query.marks.contains(.meeting)
    let asksForTime = !query.marks.isDisjoint(with: [.free, .busy])
    func fits(_ plan: Plan) -> Bool {
      (person.map { plan.people.contains($0.id) } ?? true) && holds(concept, in: plan.title)
        && (!asksForMeetings || plan.isMeeting || !concept.isEmpty)
        && (!asksForTime || plan.takesTime)
    }
    guard query.fold != .next else { return try next(query, concept, person, where: fits) }
    let days = query.days ?? today...today.advanced(by: Self.usualDays - 1)
    guard days.upperBound >= today else { return nil }
    if days.lowerBound <= today,
      query.marks.isDisjoint(with: [.plan, .any, .free, .busy, .meeting])
    {
      return nil
    }
    // What is over isn't planned, so the answer names the days to come.
    let rest = max(days.lowerBound, today)...days.upperBound
    let plans = try ahead(rest).filter(fits)
    guard !plans.isEmpty || concept.isEmpty else {
      // No library source answers “What will I eat tomorrow?”.
      guard days.lowerBound > today, query.isNamed || query.isYesNo else { return nil }
      return refusal(said("I couldn’t find “\(concept.joined(separator: " "))” among your plans."))
    }
    return tell(plans, rest, query, person)
  }

  private func tell(
    _ plans: [Plan], _ days: ClosedRange<DayKey>, _ query: LibraryQuery, _ person: Person?
  ) -> Answer {
    let with = person.map { said(" with \($0.displayName)") } ?? ""
    let when =
      days.lowerBound == days.upperBound
      ? days.lowerBound.toldLongName : SpanText.shownDays(days)
    let asksIfFree = query.isYesNo && query.marks.contains(.free)
    guard !plans.isEmpty else {
      let sentence =
        !query.isYesNo
        ? said("Nothing planned\(with): \(when).")
        : asksIfFree
          ? said("Yes, nothing is planned\(with): \(when).")
          : said("No, nothing is planned\(with): \(when).")
      return answer(sentence, "none", person: person?.displayName, days: days)
    }
    var lines: [String] = []
    var last: DayKey?
    for plan in plans.prefix(Self.told) {
      let time = plan.start.map { "\(plan.zone.toldClock($0, home: zone)) " } ?? ""
      let day =
        plan.day == last || days.lowerBound == days.upperBound ? "" : "\(plan.day.toldLongName), "
      lines.append("\(day)\(time)\(quoted(plan.title, 80))")
      last = plan.day
    }
    let more = plans.count > Self.told ? said(" and \(plans.count - Self.told) more") : ""
    let sentence = "\(when)\(with): \(lines.joined(separator: "; "))\(more)."
    return answer(
      !query.isYesNo ? sentence : asksIfFree ? said("No: \(sentence)") : said("Yes: \(sentence)"),
      "list", proof: plans.map(\.hit), values: plans.map { .string($0.title) },
      person: person?.displayName, days: days)
  }

  private func next(
    _ query: LibraryQuery, _ concept: [String], _ person: Person?, where fits: (Plan) -> Bool
  ) throws -> Answer? {
    // The next one is usually soon; the whole calendar is searched only if it isn't.
    // In another zone, it may still be yesterday.
    let first = today.advanced(by: -1)
    let found = try ahead(first...today.advanced(by: 30)).first { fits($0) && isToCome($0) }
    let plan = try found ?? ahead(first...DayKey.latest).first { fits($0) && isToCome($0) }
    guard let plan else {
      if query.concept.isEmpty, query.person == nil, !query.isNamed { return nil }
      let about = concept.isEmpty ? "" : said(" about “\(concept.joined(separator: " "))”")
      let with = person.map { said(" with \($0.displayName)") } ?? ""
      return refusal(said("I couldn’t find an upcoming meeting\(about)\(with)."))
    }
    let clock = plan.start.map { said(" at \(plan.zone.toldClock($0, home: zone))") } ?? ""
    let day = plan.day.toldLongName
    return answer(
      said("Next is \(quoted(plan.title, 120)) on \(day)\(clock)."), "when", proof: [plan.hit],
      values: [JSON(plan.day)], person: person?.displayName)
  }

  private func isToCome(_ plan: Plan) -> Bool { plan.start.map { $0 > now } ?? (plan.day > today) }

  /// Returns the plans in some days in chronological order, without meetings that were cancelled,
  /// declined or removed from their calendar, and without anything that is over.
  private func ahead(_ days: ClosedRange<DayKey>) throws -> [Plan] {
    var filter = MeetingFilter()
    (filter.from, filter.to) = (days.lowerBound, days.upperBound)
    (filter.order, filter.limit) = (.oldest, Self.most)
    let meetings = try archive.meetings(filter)
    let own = try archive.ownPerson()
    var plans: [Plan] = []
    for entry in meetings where entry.meeting.counts {
      let end = entry.activity.endAt ?? entry.activity.startAt
      guard !entry.isDeclined(by: own), entry.meeting.isAllDay || end.map({ $0 > now }) ?? true
      else { continue }
      // What began on an earlier day begins at no time of this one.
      let hasClock = !entry.meeting.isAllDay && entry.activity.dayKey >= days.lowerBound
      plans.append(
        Plan(
          day: max(entry.activity.dayKey, days.lowerBound),
          start: hasClock ? entry.activity.startAt : nil, zone: entry.activity.zone,
          title: entry.title, hit: people.hit(entry),
          people: Set(entry.present.compactMap(\.personID)), isMeeting: true))
    }
    let known = Set(meetings.map(\.activity.id))
    var request = SearchRequest(query: "", limit: Self.most)
    request.homeZone = zone
    (request.from, request.to) = (.day(days.lowerBound), .day(days.upperBound))
    for entry in try archive.entries(archive.list(request, order: .oldest)) {
      guard case .activity(let activity) = entry, !known.contains(activity.id),
        activity.dayKey > today || activity.startAt.map({ $0 > now }) ?? false
      else { continue }
      plans.append(
        Plan(
          day: activity.dayKey, start: activity.clockStart, zone: activity.zone,
          title: activity.text, hit: entry.hit(because: SearchHit.Reason()),
          people: Set(activity.people.compactMap(\.personID)), isMeeting: false))
    }
    for goal in try archive.goals() {
      guard let end = goal.targetDate, days.contains(end) else { continue }
      plans.append(
        Plan(
          day: end, start: nil, zone: zone, title: said("due: \(goal.title)"), hit: hit(goal),
          people: [], isMeeting: false, takesTime: false))
    }
    // In another zone, it may be another day.
    func key(_ plan: Plan) -> (DayKey, Int64) {
      (plan.start.map { zone.dayKey(at: $0) } ?? plan.day, plan.start?.milliseconds ?? .max)
    }
    return plans.sorted { key($0) < key($1) }
  }
}
