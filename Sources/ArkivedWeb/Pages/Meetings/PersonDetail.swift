import ArkivedCore
import ArkivedStore
import Foundation

/// The data of a person's page for its template.
struct PersonDetail: Sendable {
  let summary: PersonSummary
  let ahead: [MeetingEntry]
  let past: [MeetingEntry]
  let entries: [Activity]
  let notes: [Note]
  let promises: [StoredPromise]
  let versions: [OldVersion]
  let zone: Zone
  let today: DayKey
  /// The name by which search finds only this person: an address, or the ID without one, if the
  /// name is also that of somebody else.
  private let searchName: String

  private static let listLimit = 12
  private static let topicLimit = 12

  init(
    _ summary: PersonSummary, archive: Archive, owner: Owner, zone: Zone, today: DayKey
  ) throws {
    self.summary = summary
    self.zone = zone
    self.today = today
    var filter = MeetingFilter()
    (filter.people, filter.limit) = ([summary.id], Self.listLimit)
    filter.now = archive.clock.now
    filter.to = today.advanced(by: -1)
    past = try archive.meetings(filter)
    (filter.to, filter.from, filter.order) = (nil, today, .oldest)
    ahead = try archive.meetings(filter)
    entries = try archive.lastEntries(
      naming: summary.id, before: zone.start(of: today.advanced(by: 1)),
      on: today.advanced(by: 1), limit: 60)
    var wanted = NoteFilter()
    (wanted.person, wanted.limit) = (summary.id, Self.listLimit)
    notes = try archive.notes(wanted)
    var asked = PromiseFilter()
    asked.limit = 100
    // The owner's own page asks for the owner's promises directly, because a search by person would
    // examine everyone's.
    if owner.id == summary.id {
      asked.owner = .me
    } else {
      asked.people = [summary.id]
    }
    promises = try archive.promises(asked, owner: owner)
    versions = try archive.oldVersions(of: summary.id, limit: EntryContext.historyLimit)
    let person = summary.person
    searchName =
      try archive.people(named: person.displayName).count < 2
      ? person.displayName
      : person.email ?? person.furtherAddresses.first ?? person.id.uuidString
  }

  var context: [String: Any] {
    let person = summary.person
    let href = MeetingWords.href(person: summary.id)
    let about = person.relationshipSummary ?? ""
    let theirs = promises.filter { $0.ownerIDs.contains(summary.id) }
    let mine = promises.filter(\.isMine)
    func rows(_ promises: [StoredPromise]) -> [[String: Any]] {
      promises.map { MeetingWords.promise($0, today: today, back: href) }
    }
    let topics = topics
    return [
      "personName": ClippedText.of(person.displayName, limit: 300), "personHref": href,
      "isLongTitle": person.displayName.count > 80, "version": EntityTag.text(person.updatedAt),
      "hasAbout": !about.isEmpty, "about": ClippedText.of(about, limit: 4_000), "facts": facts,
      "hasFacts": !facts.isEmpty, "hasTopics": !topics.isEmpty, "topics": topics,
      "hasMine": !mine.isEmpty, "mine": rows(mine), "hasTheirs": !theirs.isEmpty,
      "theirs": rows(theirs), "hasAhead": !ahead.isEmpty,
      "ahead": ahead.map(meeting), "hasPast": !past.isEmpty, "past": past.map(meeting),
      "allMeetingsHref": "/meetings?show=past&person=\(summary.id.uuidString)",
      "hasMorePast": summary.meetingCount > past.count,
      "allMeetings": GoalWords.count(summary.meetingCount, "meeting"),
      "newMeetingHref": "/meetings/new?person=\(summary.id.uuidString)",
      "hasEntries": !entries.isEmpty, "entries": entries.prefix(Self.listLimit).map(entry),
      "hasMoreEntries": summary.entryCount > Self.listLimit && !entries.isEmpty,
      "allEntriesHref": "/search?person=\(URLText.escaped(searchName))",
      "allEntries": GoalWords.count(summary.entryCount, "entry", "entries"),
      "hasNotes": !notes.isEmpty, "notes": notes.map { NoteRow(note: $0, today: today).context },
    ]
  }

  private var facts: [[String: Any]] {
    let person = summary.person
    var facts: [[String: Any]] = []
    func add(_ name: String, _ text: String?) {
      guard let text, !text.isEmpty else { return }
      facts.append(["factName": name, "factText": ClippedText.of(text, limit: 600)])
    }
    if person.name != nil || !person.aliases.isEmpty { add(said("Address"), person.email) }
    add(said("Other addresses"), person.furtherAddresses.joined(separator: ", "))
    add(said("Also known as"), person.aliases.joined(separator: ", "))
    if summary.meetingCount > 0 {
      let times =
        summary.meetingCount == 1
        ? said("once") : GoalWords.count(summary.meetingCount, "time")
      add(said("Met"), times)
    }
    add(said("First met"), summary.firstMet.map { GoalWords.day($0, today: today) })
    add(said("Last met"), summary.lastMet.map { GoalWords.day($0, today: today) })
    add(said("How often"), rhythm)
    if summary.firstSeen != summary.firstMet {
      add(said("First seen"), summary.firstSeen.map { GoalWords.day($0, today: today) })
    }
    if summary.lastSeen != summary.lastMet {
      add(said("Last seen"), summary.lastSeen.map { GoalWords.day($0, today: today) })
    }
    return facts
  }

  /// The frequency over the whole time of their meetings, "about 2 weeks apart"; nil if all were on
  /// one day, which says nothing about it.
  private var rhythm: String? {
    guard summary.meetingCount > 2, let first = summary.firstMet, let last = summary.lastMet,
      first < last
    else { return nil }
    let days = Double(first.distance(to: last)) / Double(summary.meetingCount - 1)
    switch days {
    case ..<1.5: return said("almost every day")
    case ..<10: return Self.every(days, "day")
    case ..<45: return Self.every(days / 7, "week")
    case ..<700: return Self.every(days / 30.4, "month")
    default: return nil
    }
  }

  private static func every(_ count: Double, _ unit: String) -> String {
    said("about \(GoalWords.count(Int(count.rounded()), unit)) apart")
  }

  /// The tags of their shared entries, the most frequent first.
  private var topics: [[String: Any]] {
    var counts: [String: Int] = [:]
    for tag in past.flatMap(\.activity.tags) + entries.flatMap(\.tags) + notes.flatMap(\.tags) {
      counts[tag, default: 0] += 1
    }
    return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.topicLimit).map {
      [
        "topic": ClippedText.of($0.key, limit: 60),
        "topicHref": "/search?tag=\(URLText.escaped($0.key))"
          + "&person=\(URLText.escaped(searchName))", "topicCount": "\($0.value)",
      ]
    }
  }

  private func meeting(_ entry: MeetingEntry) -> [String: Any] {
    var row = MeetingDetail.row(entry, homeZone: zone)
    row["day"] = GoalWords.day(entry.activity.dayKey, today: today)
    row["dayKey"] = entry.activity.dayKey.description
    return row
  }

  private func entry(_ activity: Activity) -> [String: Any] {
    [
      "entryDay": GoalWords.day(activity.dayKey, today: today),
      "entryDayISO": activity.dayKey.description,
      "entryHref": EntryContext.href(activity.dayKey, activity.id, isLarge: true),
      "entryText": ClippedText.of(activity.text, limit: 200),
    ]
  }
}

/// A note as a row of a list.
struct NoteRow {
  let note: Note
  let today: DayKey
  var meeting: MeetingEntry?

  var context: [String: Any] {
    let lines = note.text.prefix(2_000)
    let plain = MarkdownText.plain(String(lines)).split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    let rest = note.title == nil ? plain.dropFirst() : plain[...]
    return [
      "noteID": note.id.uuidString, "noteHref": MeetingWords.href(note: note.id),
      "noteTitle": ClippedText.of(note.headline, limit: 160), "hasPreview": !rest.isEmpty,
      "preview": ClippedText.of(rest.joined(separator: " · "), limit: 200),
      "hasNoteDay": note.dayKey != nil,
      "noteDay": note.dayKey.map { GoalWords.day($0, today: today) } ?? "",
      "noteDayHref": note.dayKey.map { "/day/\($0)" } ?? "", "hasMeeting": meeting != nil,
      "meetingTitle": meeting.map { MeetingWords.title($0, limit: 80) } ?? "",
      "meetingHref": meeting.map { MeetingWords.href(meeting: $0.id) } ?? "",
      "hasTags": !note.tags.isEmpty,
      "tags": note.tags.prefix(8).map {
        ["tag": ClippedText.of($0, limit: 60), "tagHref": "/notes?tag=\(URLText.escaped($0))"]
      },
    ]
  }
}
