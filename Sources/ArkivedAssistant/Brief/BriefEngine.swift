package import ArkivedCore
package import ArkivedStore
import Foundation

/// An engine that composes briefs.
package struct BriefEngine: Sendable {
  let archive: Archive
  let zone: Zone
  let retriever: any Retriever
  let summarizer: any Summarizer

  static let pastLimit = 5
  static let noteLimit = 5
  static let decisionLimit = 10
  private static let questionLimit = 6

  /// Creates an engine.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - retriever: finds passages about the subject.
  ///   - summarizer: summarises notes.
  package init(
    archive: Archive, zone: Zone, retriever: any Retriever,
    summarizer: any Summarizer = ExtractiveSummarizer()
  ) {
    self.archive = archive
    self.zone = zone
    self.retriever = retriever
    self.summarizer = summarizer
  }

  /// Returns the brief for a meeting.
  ///
  /// - Parameters:
  ///   - entry: the meeting.
  ///   - now: the reference time; the archive's clock if nil.
  /// - Returns: the brief.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func brief(of entry: MeetingEntry, now: Instant? = nil) throws -> Brief {
    let begin = ContinuousClock.now
    let now = now ?? archive.clock.now
    let today = zone.dayKey(at: now)
    var brief = Brief(meeting: entry)
    let owner = try archive.owner()
    let others = entry.invited.filter {
      $0.personID != owner.id || $0.personID == nil
    }
    let people = others.filter(\.isPresent).compactMap(\.personID)
    let start = entry.activity.startAt ?? entry.activity.zone.start(of: entry.activity.dayKey)
    // Includes only information from before the meeting began, or from before now if it is in the
    // future.
    let cut = Cut(moment: min(start, now), day: min(entry.activity.dayKey, today))
    let past = try archive.pastMeetings(
      with: people, before: entry, by: cut.moment, limit: Self.pastLimit, owner: owner)
    let days = Dictionary(
      past.map { ($0.entry.id, $0.entry.activity.dayKey) }, uniquingKeysWith: { first, _ in first })
    let notes = Dictionary(
      grouping: try archive.notes(ofMeetings: past.map(\.entry.id)).filter { note in
        cut.holds(
          note.dayKey ?? note.meetingID.flatMap { days[$0] } ?? cut.day, createdAt: note.createdAt)
      }, by: \.meetingID)
    let names = Dictionary(
      others.compactMap { one in one.personID.map { ($0, one.name) } },
      uniquingKeysWith: { first, _ in first })
    brief.past = past.map { meeting in
      Brief.Past(
        entry: meeting.entry, why: why(meeting, names, entry, today),
        lines: lines(of: meeting.entry, notes[meeting.entry.id] ?? [], about: entry.title))
    }
    brief.promises = try promises(with: people, by: cut, owner)
    let known = try archive.people(others.compactMap(\.personID), today: today, owner: owner)
    let entries = try lastEntries(naming: others.compactMap(\.personID), by: cut)
    brief.attendees = try others.map { one in
      guard let id = one.personID, let summary = known[id] else {
        return Brief.Attendee(attendance: one, summary: nil, lines: [])
      }
      return try attendee(one, summary, entries[id] ?? [], today, cut, owner)
    }
    brief.decisions = past.flatMap { meeting in
      decisions(of: meeting.entry, notes[meeting.entry.id] ?? [])
    }.prefix(Self.decisionLimit).map(\.self)
    brief.notes = try near(
      entry, with: others, by: cut, besides: Set(notes.values.joined().map(\.id)))
    func began(_ past: Archive.PastMeeting) -> Instant {
      let activity = past.entry.activity
      return activity.startAt ?? activity.zone.start(of: activity.dayKey)
    }
    func latest(_ isWanted: (Archive.PastMeeting) -> Bool) -> Archive.PastMeeting? {
      past.filter(isWanted).max { began($0) < began($1) }
    }
    if let last = latest(\.isOfSeries) ?? latest({ $0.shared.count == people.count }) {
      brief.changes = try changes(since: last.entry, to: entry, people, names, entries, owner)
    }
    brief.questions = Array(questions(brief, today).prefix(Self.questionLimit))
    let took = begin.duration(to: .now).components
    brief.milliseconds = Double(took.seconds) * 1000 + Double(took.attoseconds) / 1e15
    return brief
  }

  /// The point in time up to which a brief looks.
  struct Cut {
    var moment: Instant
    var day: DayKey

    /// Returns true if a text existed by then: written before, or about an earlier day.
    func holds(_ day: DayKey, createdAt: Instant) -> Bool {
      createdAt <= moment || day < self.day
    }
  }

  /// Returns the open promises by or to the attendees.
  private func promises(
    with people: [UUID], by cut: Cut, _ owner: Owner
  ) throws -> [StoredPromise] {
    guard !people.isEmpty else { return [] }
    var filter = PromiseFilter()
    filter.people = people
    return try archive.promises(filter, owner: owner).filter { promise in
      // A promise by somebody else to a whole group concerns nobody in particular.
      (promise.isMine || promise.isToNamed || promise.ownerIDs.contains(where: people.contains))
        && cut.holds(promise.noteDay, createdAt: promise.noteCreatedAt)
    }
  }

  // MARK: People

  /// Returns the latest entries that mention each person, latest first.
  private func lastEntries(naming people: [UUID], by cut: Cut) throws -> [UUID: [Activity]] {
    var found: [UUID: [Activity]] = [:]
    for id in people where found[id] == nil {
      found[id] = try archive.lastEntries(naming: id, before: cut.moment, on: cut.day, limit: 3)
    }
    return found
  }

  private func attendee(
    _ attendance: Attendance, _ summary: PersonSummary, _ entries: [Activity], _ today: DayKey,
    _ cut: Cut, _ owner: Owner
  ) throws -> Brief.Attendee {
    let source = Brief.Source(.person, summary.id, title: summary.person.displayName)
    var lines: [Brief.Line] = []
    if let about = summary.person.relationshipSummary, !about.isEmpty {
      lines.append(Brief.Line(String(about.prefix(300)), source))
    }
    switch try archive.meetings(
      of: summary.id, before: cut.moment, on: cut.day, owner: owner)
    {
    case (0, _): lines.append(Brief.Line(said("You haven’t had a meeting together yet."), source))
    case (let count, let last?):
      let when = ago(last, today)
      lines.append(
        Brief.Line(
          count == 1
            ? said("Met once, \(when).")
            : said("Met \(AmountText.grouped(count)) times, most recently \(when)."),
          source))
    default: break
    }
    for activity in entries.prefix(2) {
      lines.append(
        Brief.Line(
          "\(activity.dayKey.shownName): \(activity.text.prefix(160))",
          Brief.Source(
            .activity, activity.id, day: activity.dayKey, title: String(activity.text.prefix(80))),
          why: said("mentions \(summary.person.displayName)")))
    }
    return Brief.Attendee(attendance: attendance, summary: summary, lines: lines)
  }

  // MARK: Questions

  private func questions(_ brief: Brief, _ today: DayKey) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    for promise in brief.promises {
      let source = Brief.Source(
        .note, promise.noteID, day: promise.noteDay, title: promise.noteTitle,
        line: promise.promise.line)
      let due =
        promise.promise.due.map { day in
          day < today
            ? said(" (was due \(day.shownName))") : said(" (due \(day.shownName))")
        } ?? ""
      let text = promise.promise.text
      lines.append(
        Brief.Line(
          promise.owner.map { said("\($0): “\(text)”\(due). How is it going?") }
            ?? said("You promised “\(text)”\(due). Is it done?"), source))
    }
    for decision in brief.decisions.prefix(2) {
      lines.append(Brief.Line(said("What came of “\(decision.text)”?"), decision.source))
    }
    return lines
  }

  // MARK: Words

  /// Describes the time since a day: "today", "3 days ago", "2 months ago (14 January 2026)"; months
  /// and years are whole ones by the calendar.
  func ago(_ day: DayKey, _ today: DayKey) -> String {
    let days = day.distance(to: today)
    switch days {
    case ..<0: return said("on \(day.shownName)")
    case 0: return said("today")
    case 1: return said("yesterday")
    case ..<14: return said("\(days) days ago")
    default: break
    }
    var months = 12 * (today.year - day.year) + today.month - day.month
    if day.adding(months: months) > today { months -= 1 }
    switch months {
    case ..<2: return said("\(days / 7) weeks ago (\(day.shownName))")
    case ..<24: return said("\(months) months ago (\(day.shownName))")
    default: return said("\(months / 12) years ago (\(day.shownName))")
    }
  }
}
