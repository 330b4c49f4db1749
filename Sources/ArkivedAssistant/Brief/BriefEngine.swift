package import ArkivedCore
package import ArkivedSearch
package import ArkivedStore
import Foundation

/// Writes briefs.
package struct BriefEngine: Sendable {
  private let archive: Archive
  private let zone: Zone
  private let retriever: any Retriever
  private let summarizer: any Summarizer

  static let pastLimit = 5
  static let noteLimit = 5
  static let decisionLimit = 10
  private static let questionLimit = 6

  /// - Parameters:
  ///   - retriever: finds what was written about the subject.
  ///   - summarizer: says what notes come to.
  package init(
    archive: Archive, zone: Zone, retriever: any Retriever,
    summarizer: any Summarizer = ExtractiveSummarizer()
  ) {
    self.archive = archive
    self.zone = zone
    self.retriever = retriever
    self.summarizer = summarizer
  }

  /// The brief of a meeting.
  ///
  /// - Parameter now: the moment it is seen from; the archive's clock when nil.
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
    // What was known when it began; of a meeting that is still to come, what is known by now.
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

  /// Up to when a brief looks.
  private struct Cut {
    var moment: Instant
    var day: DayKey

    /// Whether a text was there by then: written before, or about an earlier day.
    func holds(_ day: DayKey, createdAt: Instant) -> Bool {
      createdAt <= moment || day < self.day
    }
  }

  /// Open promises by or to those who come.
  private func promises(
    with people: [UUID], by cut: Cut, _ owner: Owner
  ) throws -> [StoredPromise] {
    guard !people.isEmpty else { return [] }
    var filter = PromiseFilter()
    filter.people = people
    return try archive.promises(filter, owner: owner).filter { promise in
      // What somebody else told a whole round concerns nobody in particular.
      (promise.isMine || promise.isToNamed || promise.ownerIDs.contains(where: people.contains))
        && cut.holds(promise.noteDay, createdAt: promise.noteCreatedAt)
    }
  }

  // MARK: People

  /// The last entries that name each of some people, the last ones first.
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
    case (0, _): lines.append(Brief.Line(said("You have not met in a meeting before."), source))
    case (let count, let last?):
      let when = ago(last, today)
      lines.append(
        Brief.Line(
          count == 1
            ? said("Met once, last \(when).") : said("Met \(count) times, last \(when)."), source))
    default: break
    }
    for activity in entries.prefix(2) {
      lines.append(
        Brief.Line(
          "\(activity.dayKey): \(activity.text.prefix(160))",
          Brief.Source(
            .activity, activity.id, day: activity.dayKey, title: String(activity.text.prefix(80))),
          why: said("names \(summary.person.displayName)")))
    }
    return Brief.Attendee(attendance: attendance, summary: summary, lines: lines)
  }

  // MARK: The past

  private func why(
    _ past: Archive.PastMeeting, _ names: [UUID: String], _ entry: MeetingEntry, _ today: DayKey
  ) -> String {
    var parts: [String] = []
    if past.isOfSeries { parts.append(said("the same series")) }
    let shared = past.shared.compactMap { names[$0] }
    if !shared.isEmpty {
      let list = shared.prefix(4).joined(separator: ", ")
      let more = shared.count - 4
      parts.append(more > 0 ? said("with \(list) and \(more) more") : said("with \(list)"))
    }
    parts.append(ago(past.entry.activity.dayKey, today))
    return parts.joined(separator: ", ")
  }

  /// What a meeting came to: its outcomes and summary, and the sentences of its notes that say most.
  private func lines(
    of entry: MeetingEntry, _ notes: [Note], about subject: String
  ) -> [Brief.Line] {
    let source = Brief.Source(
      .meeting, entry.id, day: entry.activity.dayKey, title: entry.title)
    var lines: [Brief.Line] = []
    for text in [entry.meeting.outcomes, entry.meeting.summary].compactMap({ $0 })
    where !text.isEmpty {
      lines.append(Brief.Line(String(MarkdownText.plain(text).prefix(400)), source))
    }
    for note in notes {
      for (line, text) in summarizer.summary(of: note, about: subject, limit: 3) {
        lines.append(Brief.Line(text, self.source(note, line)))
      }
    }
    return Array(lines.prefix(6))
  }

  private func decisions(of entry: MeetingEntry, _ notes: [Note]) -> [Brief.Line] {
    let outcomes = entry.meeting.outcomes.map { DecisionReader.decisions(in: $0) } ?? []
    return outcomes.map { decision in
      Brief.Line(
        decision.text,
        Brief.Source(.meeting, entry.id, day: entry.activity.dayKey, title: entry.title),
        why: said("decided on \(entry.activity.dayKey)"))
    }
      + notes.flatMap { note in
        DecisionReader.decisions(in: note.text).map { decision in
          Brief.Line(
            decision.text, source(note, decision.line),
            why: said("decided on \(entry.activity.dayKey) in \(entry.title)"))
        }
      }
  }

  private func source(_ note: Note, _ line: Int? = nil) -> Brief.Source {
    Brief.Source(
      .note, note.id, day: note.dayKey, title: note.headline, line: line)
  }

  // MARK: The subject

  private func near(
    _ entry: MeetingEntry, with others: [Attendance], by cut: Cut, besides known: Set<UUID>
  ) throws -> [Brief.Line] {
    let subject = [entry.title, entry.meeting.purpose].compactMap { $0 }.joined(separator: " ")
    let namesakes = try Namesakes(in: subject, of: others, archive)
    let hits = try retriever.passages(
      about: subject, before: cut.day, limit: Self.noteLimit * (namesakes.isEmpty ? 3 : 12))
    return try hits.filter { hit in
      guard hit.id != entry.activity.id, !known.contains(hit.id), hit.title != entry.title,
        try !namesakes.areMeant(in: hit)
      else {
        return false
      }
      guard hit.dayKey >= cut.day else { return true }
      if hit.type == .note {
        return try archive.note(hit.id).map { cut.holds(hit.dayKey, createdAt: $0.createdAt) }
          ?? false
      }
      return hit.startAt.map { $0 < cut.moment } ?? false
    }.prefix(Self.noteLimit).compactMap { hit in
      guard let kind = Brief.Source.Kind(hit.type) else { return nil }
      var reasons: [String] = []
      if !hit.why.words.isEmpty {
        reasons.append(said("says \(hit.why.words.joined(separator: ", "))"))
      }
      if hit.why.similarity != nil { reasons.append(said("means something like it")) }
      return Brief.Line(
        "\(hit.dayKey): \(hit.excerpt)",
        Brief.Source(kind, hit.id, day: hit.dayKey, title: hit.title),
        why: reasons.isEmpty ? said("near the subject") : reasons.joined(separator: "; "))
    }
  }

  /// Those who are called like somebody who comes, and don't come themselves.
  private struct Namesakes {
    private let archive: Archive
    private let present: Set<UUID>
    private let people: [Person]

    var isEmpty: Bool { people.isEmpty }

    /// - Parameter subject: what the meeting is about; only names that it tells can be mistaken.
    init(in subject: String, of others: [Attendance], _ archive: Archive) throws {
      self.archive = archive
      let present = Set(others.compactMap(\.personID))
      self.present = present
      let names = Set(others.filter { $0.personID != nil }.flatMap { Self.words($0.name) })
      let told = Set(Self.words(subject)).intersection(names)
      var found: [UUID: Person] = [:]
      for word in told.sorted() {
        for person in try archive.people(called: word) where !present.contains(person.id) {
          found[person.id] = person
        }
      }
      people = found.values.sorted { $0.id.uuidString < $1.id.uuidString }
    }

    /// Whether an entry is about one of them and about nobody who comes.
    func areMeant(in hit: SearchHit) throws -> Bool {
      guard !people.isEmpty else { return false }
      var ids: Set<UUID> = []
      var mentions: [Mention] = []
      switch hit.type {
      case .activity:
        mentions = try archive.activities([hit.id]).flatMap(\.people)
        if let meeting = try archive.meeting(ofActivity: hit.id) {
          ids.formUnion(meeting.meeting.attendances.compactMap(\.personID))
        }
      case .day:
        mentions = try archive.day(hit.dayKey).entry?.people ?? []
      case .note:
        let note = try archive.note(hit.id)
        mentions = note?.people ?? []
        if let id = note?.meetingID, let meeting = try archive.meeting(id) {
          ids.formUnion(meeting.meeting.attendances.compactMap(\.personID))
        }
      default: break
      }
      ids.formUnion(mentions.compactMap(\.personID))
      guard ids.isDisjoint(with: present) else { return false }
      if people.contains(where: { ids.contains($0.id) }) { return true }
      // One who is named in full, without a link.
      let words = Self.words(
        ([hit.title, hit.snippet.text] + mentions.map(\.name)).joined(separator: " · "))
      return people.contains { person in
        let name = Self.words(person.displayName)
        return name.count > 1 && words.firstRange(of: name) != nil
      }
    }

    private static func words(_ text: String) -> [String] {
      NameFolding.key(text).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
  }

  // MARK: Since the last time

  private func changes(
    since last: MeetingEntry, to entry: MeetingEntry, _ people: [UUID], _ names: [UUID: String],
    _ entries: [UUID: [Activity]], _ owner: Owner
  ) throws -> [Brief.Line] {
    let source = Brief.Source(
      .meeting, last.id, day: last.activity.dayKey, title: last.title)
    var lines: [Brief.Line] = []
    let before = Set(last.present.compactMap(\.personID))
    let now = Set(entry.present.compactMap(\.personID))
    for attendance in entry.present {
      if let id = attendance.personID, !before.contains(id) {
        lines.append(Brief.Line(said("\(attendance.name) was not there the last time."), source))
      }
    }
    for attendance in last.present {
      if let id = attendance.personID, !now.contains(id) {
        lines.append(
          Brief.Line(
            said("\(attendance.name) was there the last time and is not invited now."), source))
      }
    }
    if last.activity.locationLabel != entry.activity.locationLabel,
      let place = entry.activity.locationLabel
    {
      let sentence =
        last.activity.locationLabel.map { said("It is at \(place); the last time at \($0).") }
        ?? said("It is at \(place).")
      lines.append(Brief.Line(sentence, source))
    }
    var filter = PromiseFilter()
    filter.people = people
    filter.includesDone = true
    filter.meeting = last.id
    for promise in try archive.promises(filter, owner: owner) where promise.promise.isDone {
      lines.append(
        Brief.Line(
          said("Done since: \(promise.promise.text)"),
          Brief.Source(
            .note, promise.noteID, day: promise.noteDay, title: promise.noteTitle,
            line: promise.promise.line)))
    }
    for id in people {
      for activity in entries[id] ?? [] where isAfter(activity, last) {
        lines.append(
          Brief.Line(
            "\(activity.dayKey): \(activity.text.prefix(160))",
            Brief.Source(
              .activity, activity.id, day: activity.dayKey,
              title: String(activity.text.prefix(80))),
            why: names[id].map { said("names \($0)") }))
      }
    }
    return Array(lines.prefix(10))
  }

  /// Whether an entry came after a meeting; of what tells only its day, on a later one.
  private func isAfter(_ activity: Activity, _ last: MeetingEntry) -> Bool {
    guard let start = activity.startAt, let end = last.activity.endAt ?? last.activity.startAt
    else { return activity.dayKey > last.activity.dayKey }
    return start >= end
  }

  // MARK: Questions

  private func questions(_ brief: Brief, _ today: DayKey) -> [Brief.Line] {
    var lines: [Brief.Line] = []
    for promise in brief.promises {
      let source = Brief.Source(
        .note, promise.noteID, day: promise.noteDay, title: promise.noteTitle,
        line: promise.promise.line)
      let due =
        promise.promise.due.map { $0 < today ? said(" (was due \($0))") : said(" (due \($0))") }
        ?? ""
      let text = promise.promise.text
      lines.append(
        Brief.Line(
          promise.owner.map { said("\($0): “\(text)”\(due): how does it stand?") }
            ?? said("You promised “\(text)”\(due): is it done?"), source))
    }
    for decision in brief.decisions.prefix(2) {
      lines.append(Brief.Line(said("What came of “\(decision.text)”?"), decision.source))
    }
    return lines
  }

  // MARK: Words

  /// "today", "3 days ago", "2 months ago (2026-01-14)".
  private func ago(_ day: DayKey, _ today: DayKey) -> String {
    let days = day.distance(to: today)
    switch days {
    case ..<0: return said("on \(day)")
    case 0: return said("today")
    case 1: return said("yesterday")
    case ..<14: return said("\(days) days ago")
    case ..<60: return said("\(days / 7) weeks ago (\(day))")
    case ..<730: return said("\(days / 30) months ago (\(day))")
    default: return said("\(days / 365) years ago (\(day))")
    }
  }
}

extension Brief.Source.Kind {
  fileprivate init?(_ type: HitType) {
    switch type {
    case .note: self = .note
    case .activity: self = .activity
    case .day: self = .day
    default: return nil
    }
  }
}

/// Finds passages by the archive's own search.
package struct SearchRetriever: Retriever {
  private let search: HybridSearch

  package init(_ search: HybridSearch) { self.search = search }

  package func passages(
    about subject: String, before day: DayKey, limit: Int
  ) throws -> [SearchHit] {
    // A title is words: it sets no filters.
    let words = subject.split { !$0.isLetter && !$0.isNumber && $0 != "'" && $0 != "’" }
    guard !words.isEmpty else { return [] }
    let request = SearchRequest(
      query: words.joined(separator: " "), to: .day(day), limit: limit)
    return try search.search(request).hits
  }
}
