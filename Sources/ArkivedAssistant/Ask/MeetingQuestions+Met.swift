import ArkivedCore
import ArkivedStore
import Foundation

/// Answers about the first or last meeting with somebody, based on meetings.
extension MeetingQuestions {
  /// Returns the person named in a question about meeting somebody, and true if it asks for the
  /// first time.
  static func met(_ text: String) -> (isFirst: Bool, name: String)? {
    if let match = text.wholeMatch(
      of:
        /when (?:(?:did|have) (?:i|we) (last|first) (?:meet|met|have a meeting with)|was (?:my|our) (last|first) meeting with) (?:with )?(.+?)/
        .ignoresCase())
    {
      let which = match.1 ?? match.2
      return (which?.lowercased() == "first", String(match.3))
    }
    guard
      let match = text.wholeMatch(
        of:
          /when (?:did (.+?) and (?:i|me) (last|first) meet|was the (last|first) time (?:that )?(?:i|we) met (?:with )?(.+?))/
          .ignoresCase())
    else { return nil }
    let which = match.2 ?? match.3
    return (which?.lowercased() == "first", String(match.1 ?? match.4 ?? ""))
  }

  private struct Met {
    var person: Person
    var entry: MeetingEntry
  }

  /// Answers with the first or last meeting with somebody.
  ///
  /// Unless it asks for meetings, the answer says if the journal mentions them beyond it.
  ///
  /// - Returns: nil if no such meeting is found, so the journal's entries can be used.
  func met(
    _ wanted: (isFirst: Bool, name: String), _ now: Instant, isOfMeetings: Bool = false
  ) throws -> Answer? {
    let people: [Person]
    do {
      people = try known(wanted.name).map { [$0] } ?? []
    } catch let namesakes as Namesakes {
      people = namesakes.people
    }
    var found: [Met] = []
    var unmet: [Person] = []
    for person in people {
      if let entry = try held(with: person.id, isFirst: wanted.isFirst, by: now) {
        found.append(Met(person: person, entry: entry))
      } else {
        unmet.append(person)
      }
    }
    guard let first = found.first else { return nil }
    let which = wanted.isFirst ? "first" : "last"
    guard people.count > 1 else {
      let name = first.person.displayName
      let when = moment(first.entry)
      let title = first.entry.title.prefix(120)
      var beyond: String?
      if !isOfMeetings {
        beyond = try mention(of: first.person, beyond: first.entry, wanted.isFirst, now)
      }
      let sentence =
        wanted.isFirst
        ? said("You first met \(name) on \(when): “\(title)”.")
        : said("You last met \(name) on \(when): “\(title)”.")
      return answer(
        sentence + (beyond.map { " " + $0 } ?? ""), kind: which, [hit(first.entry)], 1,
        values: [JSON(first.entry.activity.dayKey)], people: [first.person.displayName])
    }
    // They are listed separately, because only the asker knows which one they mean.
    let each = found.map { one in
      let name = one.person.tellingName
      let when = moment(one.entry)
      let title = one.entry.title.prefix(80)
      return wanted.isFirst
        ? said("\(name) first on \(when), “\(title)”")
        : said("\(name) last on \(when), “\(title)”")
    }
    let none = unmet.map { said("\($0.tellingName) never") }
    let list = (each + none).joined(separator: "; ")
    return answer(
      said("“\(wanted.name)” could be one of \(people.count) people. Your meetings: \(list)."),
      kind: "list", found.map { hit($0.entry) }, found.count,
      values: found.map { JSON($0.entry.activity.dayKey) },
      people: (found.map(\.person) + unmet).map(\.displayName))
  }

  /// Returns a sentence about the journal's entries with somebody before their first meeting or
  /// after the last; nil if there are none.
  private func mention(
    of person: Person, beyond met: MeetingEntry, _ isFirst: Bool, _ now: Instant
  ) throws -> String? {
    let day = met.activity.dayKey
    let today = zone.dayKey(at: now)
    guard isFirst || day < today else { return nil }
    var request = SearchRequest(query: "", personGroups: [[person.id]], limit: Self.mentionLimit)
    request.homeZone = zone
    request.to = .day(isFirst ? day.advanced(by: -1) : today)
    var filter = MeetingFilter()
    (filter.people, filter.to, filter.limit) = ([person.id], isFirst ? day : today, .max)
    if !isFirst {
      request.from = .day(day.advanced(by: 1))
      filter.from = day
    }
    // A meeting that was declined doesn't count as met either.
    let meetings = Set(try archive.meetings(filter).map(\.activity.id))
    let found = try archive.entries(archive.list(request, order: isFirst ? .oldest : .newest))
    for case .activity(let activity) in found where !meetings.contains(activity.id) {
      let name = person.displayName
      let shown = activity.dayKey.toldLongName
      return isFirst
        ? said("Your journal mentions \(name) earlier, first on \(shown).")
        : said("Your journal mentions \(name) later, most recently on \(shown).")
    }
    return nil
  }

  /// The maximum number of entries to examine for a mention.
  private static let mentionLimit = 50

  /// Returns the first or last meeting with somebody that has begun and that the owner had not
  /// declined.
  private func held(
    with person: UUID, isFirst: Bool, by now: Instant
  ) throws -> MeetingEntry? {
    var filter = MeetingFilter()
    filter.people = [person]
    filter.includesDropped = false
    // It may already be tomorrow in another time zone.
    filter.to = zone.dayKey(at: now).advanced(by: 1)
    filter.order = isFirst ? .oldest : .newest
    func start(_ entry: MeetingEntry) -> Instant {
      entry.activity.startAt ?? entry.activity.zone.start(of: entry.activity.dayKey)
    }
    while true {
      let page = try archive.meetings(filter)
      let hasDeclined = page.contains { one in
        one.meeting.attendances.contains { $0.reply == .declined }
      }
      let own = hasDeclined ? try archive.ownPerson() : nil
      let held = page.filter { start($0) <= now && !$0.isDeclined(by: own) }
      // If two are on the same day, the one with the later local time is chosen, regardless of
      // where they were.
      let wanted =
        isFirst
        ? held.min { start($0) < start($1) } : held.max { start($0) < start($1) }
      if let wanted { return wanted }
      guard page.count == filter.limit else { return nil }
      filter.offset += filter.limit
    }
  }

  /// Formats a meeting's time: "Saturday, 14 March 2026 at 09:30"; only the day for all-day
  /// meetings.
  private func moment(_ entry: MeetingEntry) -> String {
    guard !entry.meeting.isAllDay, let start = entry.activity.startAt else {
      return entry.activity.dayKey.toldLongName
    }
    let clock = entry.activity.zone.toldClock(start, home: zone)
    return said("\(entry.activity.dayKey.toldLongName) at \(clock)")
  }
}
