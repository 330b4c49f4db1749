import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation

/// The data of a meeting's page for its template.
struct MeetingDetail: Sendable {
  let entry: MeetingEntry
  let notes: [Note]
  let noteTotal: Int
  let promises: [StoredPromise]
  let versions: [OldVersion]
  let link: SyncLink?
  /// The names of templates for its notes, and their names in addresses.
  private let templates: [(label: String, name: String)]
  let zone: Zone
  let today: DayKey

  static let noteLimit = 20

  init(_ entry: MeetingEntry, archive: Archive, zone: Zone, today: DayKey) throws {
    self.entry = entry
    self.zone = zone
    self.today = today
    var filter = NoteFilter()
    (filter.meeting, filter.limit) = (entry.id, Self.noteLimit)
    notes = try archive.notes(filter)
    noteTotal = try archive.countNotes(filter)
    var asked = PromiseFilter()
    (asked.meeting, asked.includesDone, asked.limit) = (entry.id, true, 200)
    promises = try archive.promises(asked)
    let limit = EntryContext.historyLimit
    versions = Array(
      (try archive.oldVersions(of: entry.id, limit: limit)
        + archive.oldVersions(of: entry.activity.id, limit: limit))
        .sorted { $0.archivedAt > $1.archivedAt }.prefix(limit))
    templates =
      NoteTemplate.allCases.map { ($0.label, $0.rawValue) }
      + (try archive.writingSettings().templates.filter { $0.use == .note }.prefix(8).map {
        (ClippedText.of($0.name, limit: 40), $0.id.uuidString)
      })
    link = try entry.meeting.linkID.flatMap { id in
      try archive.syncLinks().first { $0.id == id }
    }
  }

  /// Returns a meeting as a row of a list.
  ///
  /// - Parameters:
  ///   - entry: the meeting.
  ///   - homeZone: the home time zone.
  ///   - now: the time used to mark a meeting in progress, or nil to mark none.
  /// - Returns: the data for the template.
  static func row(
    _ entry: MeetingEntry, homeZone: Zone, now: Instant? = nil
  ) -> [String: Any] {
    let state = MeetingWords.state(entry)
    let others = entry.present.filter { !$0.isOrganizer || $0.personID != nil }
    let place = entry.activity.locationLabel ?? ""
    let time = MeetingWords.time(entry)
    return [
      "meetingID": entry.id.uuidString, "meetingHref": MeetingWords.href(meeting: entry.id),
      "meetingTitle": MeetingWords.title(entry), "time": time, "hasTime": !time.isEmpty,
      "isOff": !entry.meeting.counts, "isNow": now.map { entry.goesOn(at: $0) } ?? false,
      "hasState": state != nil, "state": state ?? "",
      "hasPlace": !place.isEmpty, "place": ClippedText.of(place, limit: 80),
      "isAway": entry.activity.timeZone != homeZone.identifier && !entry.meeting.isAllDay,
      "zone": EntryContext.city(entry.activity.timeZone), "hasPeople": !others.isEmpty,
      "people": MeetingWords.people(others.prefix(4).map { ($0.name, $0.personID) }),
      "hasMorePeople": others.count > 4, "morePeople": "+\(others.count - 4)",
    ]
  }

  static func ownFields(_ entry: MeetingEntry) -> [[String: Any]] {
    entry.ownFields.map { field in
      [
        // words: Title | Time | Location | Description | Tags | Organiser | Status | Attendees
        "ownName": saidWhole(
          EntryContext.capitalised(field.name == "organizer" ? "organiser" : field.name)),
        "ownValue": field.eventValue.isEmpty
          ? said("nothing") : ClippedText.of(field.eventValue, limit: 400),
      ]
    }
  }

  var context: [String: Any] {
    let meeting = entry.meeting
    let activity = entry.activity
    let href = MeetingWords.href(meeting: entry.id)
    let state = MeetingWords.state(entry)
    let own = Self.ownFields(entry)
    var context: [String: Any] = [
      "meetingTitle": MeetingWords.title(entry, limit: 400), "meetingHref": href,
      "isLongTitle": entry.title.count > 80, "version": EntityTag.text(entry.updatedAt),
      "dayHref": EntryContext.href(activity.dayKey, activity.id, isLarge: true),
      "dayKey": activity.dayKey.description, "dayLabel": EntryContext.dayLabel(activity.dayKey),
      "hasTime": !MeetingWords.time(entry).isEmpty, "time": MeetingWords.time(entry),
      "isAway": activity.timeZone != zone.identifier && !meeting.isAllDay,
      "zone": EntryContext.city(activity.timeZone), "hasState": state != nil,
      "state": state ?? "", "isCancelled": meeting.status == .cancelled,
      "isDropped": meeting.isEventDeleted, "hasOwn": !own.isEmpty, "own": own,
      "attendees": entry.invited.prefix(100).map(attendee),
      "hasAttendees": !entry.invited.isEmpty,
      "attendeeCount": "\(entry.invited.count)", "hasTags": !activity.tags.isEmpty,
      "tags": activity.tags.prefix(30).map {
        ["tag": ClippedText.of($0, limit: 60), "tagHref": "/search?tag=\(URLText.escaped($0))"]
      }, "facts": facts, "hasFacts": !facts.isEmpty,
      "attachAction": "\(href)/attachments",
      "newNoteHref": "/notes/new?meeting=\(entry.id.uuidString)",
      "templates": templates.map { label, name in
        [
          "templateLabel": label,
          "templateHref": "/notes/new?meeting=\(entry.id.uuidString)&template=\(name)",
        ]
      }, "hasNotes": !notes.isEmpty, "notes": notes.map { note($0, back: href) },
      "hasMoreNotes": noteTotal > notes.count,
      "moreNotesHref": "/notes?meeting=\(entry.id.uuidString)",
      "moreNotes": GoalWords.count(noteTotal, "note"), "hasPromises": !promises.isEmpty,
      "promises": promises.map {
        MeetingWords.promise($0, today: today, back: href, showsNote: false)
      },
    ]
    for (name, text) in [
      ("purpose", meeting.purpose), ("outcomes", meeting.outcomes), ("summary", meeting.summary),
    ] {
      context["has\(EntryContext.capitalised(name))"] = text?.isEmpty == false
      context["\(name)HTML"] = Markdown.html(
        text.map { ClippedText.of($0, limit: 20_000) } ?? "", limit: 100_000)
    }
    let files = EntryFiles(attachments: activity.attachments)
    context.merge(files.listed(EntryContext(homeZone: zone), back: href)) { $1 }
    context["hasTexts"] = [meeting.purpose, meeting.outcomes, meeting.summary].contains {
      $0?.isEmpty == false
    }
    let description = activity.description ?? ""
    context["hasDescription"] = !description.isEmpty
    context["description"] = ClippedText.of(description, limit: 4_000)
    return context
  }

  private var facts: [[String: Any]] {
    var facts: [[String: Any]] = []
    func add(_ name: String, _ text: String?) {
      guard let text, !text.isEmpty else { return }
      facts.append(["factName": name, "factText": ClippedText.of(text, limit: 400)])
    }
    add(said("Place"), entry.activity.locationLabel)
    if !entry.meeting.attendances.contains(where: \.isOrganizer) {
      add(said("Organiser"), entry.meeting.organizer)
    }
    add(said("Calendar"), link?.name)
    return facts
  }

  private func attendee(_ attendance: Attendance) -> [String: Any] {
    let words = [MeetingWords.role(attendance), MeetingWords.reply(attendance)].compactMap { $0 }
    return [
      "personName": ClippedText.of(attendance.name, limit: 80),
      "isKnown": attendance.personID != nil,
      "personHref": attendance.personID.map { MeetingWords.href(person: $0) } ?? "",
      "hasPart": !words.isEmpty, "part": words.joined(separator: ", "),
      "isAbsent": !attendance.isPresent,
    ]
  }

  private func note(_ note: Note, back: String) -> [String: Any] {
    let files = EntryFiles(attachments: note.attachments)
    var context = NoteCard(note, today: today, back: back).context
    context.merge(files.among(EntryContext(homeZone: zone))) { $1 }
    context["noteAttachAction"] =
      "\(MeetingWords.href(note: note.id))/attachments?back=\(back)"
    return context
  }
}

/// A note as a card, with its text.
struct NoteCard {
  let note: Note
  let today: DayKey
  let back: String

  init(_ note: Note, today: DayKey, back: String) {
    self.note = note
    self.today = today
    self.back = back
  }

  var context: [String: Any] {
    let form = "promises-\(note.id.uuidString)"
    let shown = NoteHTML(note, form: form, under: 3)
    let href = MeetingWords.href(note: note.id)
    return [
      "noteID": note.id.uuidString, "noteHref": href,
      "noteTitle": ClippedText.of(note.headline, limit: 160), "hasTitle": note.title != nil,
      "noteHTML": shown.html, "isCut": shown.isCut, "noteEditHref": "\(href)/edit",
      "noteForm": form, "noteAction": "\(href)/promises", "noteBack": back,
    ]
  }
}
