import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of notes: the list, one note, and the editor with its preview.
struct FreeNotePageController: Sendable {
  let shared: MeetingSidePages

  static let pageSize = 40
  /// The maximum length of a note that is previewed while it is typed.
  static let previewLimit = 200_000
  /// The largest text, in bytes, whose page is opened with a preview.
  private static let shortNote = 10_000

  func addRoutes(to router: Router<WebContext>) {
    router.get("/notes", use: list)
    router.get("/notes/new", use: new)
    router.post("/notes", use: create)
    router.post("/notes/preview", use: preview)
    router.get("/notes/:id", use: show)
    router.get("/notes/:id/edit", use: edit)
    router.post("/notes/:id", use: save)
    router.post("/notes/:id/promises", use: mark)
    router.post("/notes/:id/delete", use: delete)
  }

  private var archive: Archive { shared.archive }

  // MARK: The list

  @Sendable func list(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let offset = MeetingSidePages.offset(fields)
    let tag = fields.text("tag").map { String($0.prefix(200)) }
    let meeting = fields.text("meeting").flatMap(UUID.init(uuidString:))
    let isFree = fields.text("show") == "free"
    var asked = NoteFilter()
    (asked.tag, asked.meeting, asked.isFree) = (tag, meeting, isFree)
    (asked.limit, asked.offset) = (Self.pageSize, offset)
    let filter = asked
    let today = shared.today
    let (newest, rows, total, notices, of) = try await offServer {
      let notes = try archive.notes(filter)
      var meetings: [UUID: MeetingEntry] = [:]
      for id in Set(notes.compactMap(\.meetingID)) { meetings[id] = try archive.meeting(id) }
      let rows = notes.map { note in
        NoteRow(note: note, today: today, meeting: note.meetingID.flatMap { meetings[$0] })
      }
      return (
        try archive.newestChange(), rows, try archive.countNotes(filter),
        try shared.notices(fields, back: "/notes"), try meeting.flatMap { try archive.meeting($0) }
      )
    }
    func address(_ show: String?, _ offset: Int) -> String {
      MeetingSidePages.address(
        "/notes",
        [
          ("show", show), ("tag", tag), ("meeting", meeting?.uuidString),
          ("offset", offset > 0 ? "\(offset)" : nil),
        ])
    }
    let isFiltered = tag != nil || meeting != nil || isFree
    let show = isFree ? "free" : nil
    let page: [String: Any] = [
      "notes": rows.map(\.context), "hasNotes": !rows.isEmpty,
      "isEmpty": rows.isEmpty && !isFiltered && offset == 0, "isFiltered": isFiltered,
      "totalLine": GoalWords.count(total, "note"), "hasTag": tag != nil,
      "shownTag": ClippedText.of(tag ?? "", limit: 60), "hasMeeting": of != nil,
      "meetingTitle": of.map { MeetingWords.title($0, limit: 80) } ?? "",
      "filters": [
        ["href": "/notes", "label": said("All"), "isCurrent": !isFree] as [String: Any],
        ["href": "/notes?show=free", "label": said("Without a meeting"), "isCurrent": isFree],
      ], "hasMore": offset + rows.count < total && !rows.isEmpty,
      "moreHref": address(show, offset + Self.pageSize), "hasEarlier": offset > 0,
      "earlierHref": address(show, max(0, offset - Self.pageSize)),
    ]
    return try shared.page(
      "notes", title: said("Notes"), tab: .notes, known: .some(newest), notices: notices, page)
  }

  // MARK: One note

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = request.fields
    let href = MeetingWords.href(note: id)
    let loaded = try await offServer {
      try archive.note(id).map { note in
        (
          note, try archive.newestChange(), try note.meetingID.flatMap { try archive.meeting($0) },
          try archive.oldVersions(of: id, limit: EntryContext.historyLimit),
          try shared.notices(fields, back: href), shared.voice.isReady,
          try archive.importRun(thatBrought: .note, id)
        )
      }
    }
    guard let (note, newest, meeting, versions, notices, canWriteDown, run) = loaded else {
      if let response = shared.shared.gone(fields, to: "/notes") { return response }
      throw ArchiveError.notFound("No note with the ID \(id.uuidString). It may have been deleted.")
    }
    var page = NoteRow(note: note, today: shared.today, meeting: meeting).context
    let parts = NoteParts(note.text)
    if parts.count > 1 {
      let index = min(max(fields.text("part").flatMap(Int.init) ?? 1, 1), parts.count) - 1
      page["noteHTML"] = Markdown.html(
        parts.markdown(index), limit: ReadingController.htmlLimit, under: 1)
      page["part"] = "\(index + 1)"
      page["partCount"] = "\(parts.count)"
      page["hasPrevious"] = index > 0
      page["previousHref"] = "\(href)?part=\(index)"
      page["hasNext"] = index + 1 < parts.count
      page["nextHref"] = "\(href)?part=\(index + 2)"
    } else {
      page["noteHTML"] =
        NoteHTML(
          note, form: "promises", isAlone: true, limit: NoteParts.partSize, under: 1
        ).html
    }
    page["hasParts"] = parts.count > 1
    page["hasText"] = !note.text.isEmpty
    page["heading"] = ClippedText.of(note.headline, limit: 300)
    page["isLongTitle"] = note.headline.count > 80
    page["version"] = EntityTag.text(note.updatedAt)
    page["hasPeople"] = !note.people.isEmpty
    page["people"] = MeetingWords.people(note.people.prefix(30).map { ($0.name, $0.personID) })
    page["changedLabel"] = shared.shared.entries.moment(note.updatedAt)
    page["changedISO"] = note.updatedAt.description
    page["hasOrigin"] = run != nil
    page["originLine"] = run.map { ImportOrigin.line(of: $0, shared.shared.entries) } ?? ""
    page["originHref"] = run.map { ImportOrigin.href(of: $0) } ?? ""
    page["history"] = shared.shared.history(versions, back: href)
    page["hasHistory"] = !versions.isEmpty
    page["attachAction"] = "\(href)/attachments"
    try await offServer {
      try BacklinkContext(.note(id), archive: archive)
    }.add(to: &page)
    let files = EntryFiles(
      attachments: note.attachments, voice: canWriteDown ? shared.voice : nil,
      isBare: note.text.isEmpty)
    page.merge(files.listed(EntryContext(homeZone: shared.zone))) { $1 }
    return try shared.page(
      "free-note", title: ClippedText.of(note.headline, limit: 60), tab: .notes,
      known: .some(newest), notices: notices, page)
  }

  /// Ticks or clears a checkbox if it is still the one that was shown.
  @Sendable func mark(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let token = fields.text("promise").flatMap(PromiseToken.init) else {
      throw WebFailure(
        .badRequest, "Promise missing",
        "The checkbox is missing from the form. Reload the page and try again.", field: "promise")
    }
    let back = LocalPath.read(fields["back"]) ?? MeetingWords.href(note: id)
    let saved = try await offServer {
      guard let note = try archive.note(id) else {
        var failure = WebFailure(
          ArchiveError.notFound("No note with the ID \(id.uuidString). It may have been deleted."))
        failure.way = Self.way(back: back, note: nil)
        throw failure
      }
      let promise = PromiseReader().promises(in: note.text, writtenOn: nil)
        .first { $0.line == token.line && PromiseToken.digest($0.text) == token.digest }
      do {
        // Nothing else may have changed between reading and writing.
        guard let promise else { throw Self.changed }
        return try archive.markPromise(
          token.isDone, note: id, line: token.line, expecting: promise.text)
      } catch let error as WebFailure where error.status == .conflict {
        var failure = Self.changed
        failure.way = Self.way(back: back, note: id)
        throw failure
      }
    }
    return .seeOther(GoalSidePages.location(back, saved.change))
  }

  private static let changed = WebFailure(
    .conflict, "Changed elsewhere",
    "This note has changed since you opened it, and the checkbox has moved. Nothing was saved. Check the note "
      + "and try again.")

  /// Returns the link on a page that couldn't tick a checkbox: to the meeting where it was ticked,
  /// or else to the note.
  private static func way(back: String, note: UUID?) -> WebFailure.Way {
    if back.hasPrefix("/meetings/") {
      return WebFailure.Way(href: back, label: said("Back to the meeting"))
    }
    guard let note else { return WebFailure.Way(href: "/notes", label: said("Go to notes")) }
    return WebFailure.Way(href: MeetingWords.href(note: note), label: said("Open note"))
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let saved = try await offServer {
      try archive.deleteNote(id, version: GoalSidePages.version(fields))
    }
    let list = saved.value.meetingID.map { MeetingWords.href(meeting: $0) } ?? "/notes"
    return .seeOther(GoalSidePages.location(list, saved.change))
  }

  // MARK: The editor

  @Sendable func new(_ request: Request, context: WebContext) async throws -> Response {
    let fields = request.fields
    let meeting = fields.text("meeting").flatMap(UUID.init(uuidString:))
    let name = fields.text("template") ?? ""
    let day = fields.text("day").flatMap(DayKey.init)
    let (entry, template, own) = try await offServer {
      let entry = try meeting.flatMap { try archive.meeting($0) }
      let writing = try archive.writingSettings()
      let own = Array(writing.templates.filter { $0.use == .note }.prefix(8))
      if let known = NoteTemplate(rawValue: name) { return (entry, known.text as String?, own) }
      // One that was deleted in the meantime leaves the note empty.
      let chosen = try? writing.template(named: name)
      let about = day ?? entry?.activity.dayKey ?? shared.today
      return (
        entry,
        try chosen.map {
          try archive.templateValues(of: about, in: shared.zone).filled($0.text)
        }, own
      )
    }
    let form = FreeNoteForm(day: day, meeting: entry?.id, template: template)
    return try formPage(form, nil, of: entry, templates: own)
  }

  @Sendable func create(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxFormSize)
    let form = FreeNoteForm(fields)
    let meeting = UUID(uuidString: form.texts["meeting"])
    let entry = try await offServer { try meeting.flatMap { try archive.meeting($0) } }
    if fields.text("preview") != nil { return try formPage(form, nil, of: entry, shows: true) }
    let now = archive.clock.now
    do {
      guard meeting == nil || entry != nil else {
        throw FieldError("note", "belongs to a meeting that no longer exists")
      }
      var note = Note(
        id: archive.identities.next(), text: "", meetingID: meeting, createdAt: now,
        updatedAt: now)
      try form.apply(to: &note)
      let made = note
      return try await shared.shared.once(fields, at: "notes") { key in
        try archive.create(made, once: key) { saved in
          GoalSidePages.redirect("\(MeetingWords.href(note: made.id))?saved=note", saved.change)
        }
      }
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = error
      return try formPage(wrong, nil, of: entry, status: .unprocessableContent)
    }
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let (newest, note, entry) = try await offServer {
      let note = try load(id)
      return (
        try archive.newestChange(), note, try note.meetingID.flatMap { try archive.meeting($0) }
      )
    }
    return try formPage(FreeNoteForm(note), note, of: entry, known: .some(newest))
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxFormSize)
    let form = FreeNoteForm(fields)
    func again(
      _ form: FreeNoteForm, _ status: HTTPResponse.Status, shows: Bool = false,
      isLate: Bool = false
    ) async throws -> Response {
      let (note, entry) = try await offServer {
        let note = try load(id)
        return (note, try note.meetingID.flatMap { try archive.meeting($0) })
      }
      var form = form
      var notices: [Notice] = []
      if isLate {
        form.texts.version = EntityTag.text(note.updatedAt)
        notices = [GoalSidePages.late(form.otherVersion(FreeNoteForm(note)))]
      }
      return try formPage(form, note, of: entry, status: status, notices: notices, shows: shows)
    }
    if fields.text("preview") != nil { return try await again(form, .ok, shows: true) }
    do {
      let saved = try await offServer {
        try archive.updateNote(id, version: MeetingPageController.version(form.texts)) {
          try form.apply(to: &$0)
        }
      }
      return .seeOther(
        GoalSidePages.location("\(MeetingWords.href(note: id))?saved=note", saved.change))
    } catch let error as FieldError {
      var wrong = form
      wrong.texts.error = error
      return try await again(wrong, .unprocessableContent)
    } catch ArchiveError.conflict {
      return try await again(form, .preconditionFailed, isLate: true)
    }
  }

  /// Returns a fragment: the rendered text of the form `note`.
  @Sendable func preview(_ request: Request, context: WebContext) async throws -> Response {
    let fields = try await request.form(limit: context.maxFormSize)
    return Response(html: preview(fields.paragraphs("note")))
  }

  private func preview(_ text: String) -> String {
    guard text.utf8.count <= Self.previewLimit else {
      return "<p class=\"quiet\">The note is too long to be shown while you type.</p>"
    }
    let now = archive.clock.now
    let note = Note(
      id: archive.identities.next(), text: text, createdAt: now, updatedAt: now)
    return NoteHTML(note, form: nil, limit: Self.previewLimit).html
  }

  private func load(_ id: UUID) throws -> Note {
    guard let note = try archive.note(id) else {
      throw ArchiveError.notFound("No note with the ID \(id.uuidString). It may have been deleted.")
    }
    return note
  }

  private func formPage(
    _ form: FreeNoteForm, _ note: Note?, of entry: MeetingEntry?, known: UUID?? = nil,
    status: HTTPResponse.Status = .ok, notices: [Notice] = [], shows: Bool = false,
    templates: [WritingTemplate] = []
  ) throws -> Response {
    let href = note.map { MeetingWords.href(note: $0.id) } ?? "/notes"
    var page = form.context()
    page["isNew"] = note == nil
    page["idempotencyKey"] = archive.identities.next().uuidString
    page["action"] = href
    page["cancelHref"] =
      note == nil ? entry.map { MeetingWords.href(meeting: $0.id) } ?? "/notes" : href
    page["draftKey"] = note?.id.uuidString ?? entry.map { "new-\($0.id.uuidString)" } ?? "new"
    page["hasMeeting"] = entry != nil
    page["meetingTitle"] = entry.map { MeetingWords.title($0, limit: 120) } ?? ""
    page["meetingHref"] = entry.map { MeetingWords.href(meeting: $0.id) } ?? ""
    page["hasNoteTemplates"] = !templates.isEmpty && form.texts["note"].isEmpty
    page["noteTemplates"] = templates.map { template in
      [
        "noteTemplateHref": MeetingSidePages.address(
          "/notes/new",
          [
            ("meeting", entry?.id.uuidString), ("day", form.texts["day"]),
            ("template", template.id.uuidString),
          ]), "noteTemplateName": ClippedText.of(template.name, limit: 40),
      ]
    }
    // The preview has its place from the beginning; below a longer text, it is out of sight.
    let text = form.texts["note"]
    let shows =
      shows || text.utf8.count <= Self.shortNote && !text.allSatisfy(\.isWhitespace)
    page["hasPreview"] = shows
    page["previewHTML"] = shows ? preview(form.texts["note"]) : ""
    let title =
      note.map { said("Edit: \(ClippedText.of($0.headline, limit: 60))") } ?? said("New note")
    return try shared.page(
      "free-note-edit", title: title, tab: .notes, known: known, notices: notices, page,
      status: status)
  }
}
