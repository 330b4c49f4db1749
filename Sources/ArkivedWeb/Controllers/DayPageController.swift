import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The pages of days: `/`, `/day/{dayKey}`, and the note's editor.
struct DayPageController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages
  let repeated: RepeatedRequests
  let voice: VoiceDesk
  /// Returns the current system zone if the archive follows the system's.
  let systemZone: @Sendable () -> Zone?
  let changelog: ChangelogPage

  func addRoutes(to router: Router<WebContext>) {
    router.get("/", use: today)
    router.get("/day", use: jump)
    router.get("/day/kept", use: keptDays)
    router.get("/day/:dayKey", use: show)
    router.post("/day/:dayKey/activities", use: add)
    router.get("/day/:dayKey/note/edit", use: editNote)
    router.post("/day/:dayKey/note", use: saveNote)
    router.post("/day/:dayKey/note/line", use: addToNote)
    router.post("/changes/:id/undo", use: undo)
    router.post("/history/:id/restore", use: restore)
  }

  private var currentDay: DayKey { zone.dayKey(at: archive.clock.now) }

  @Sendable func today(_ request: Request, context: WebContext) async throws -> Response {
    try await page(currentDay, fields: request.fields)
  }

  @Sendable func jump(_ request: Request, context: WebContext) async throws -> Response {
    guard let text = request.fields.text("date") else { return .seeOther("/") }
    guard let day = DayKey(text) else {
      throw WebFailure(
        .badRequest, "Invalid day",
        "\(FieldError.shown(text)) isn’t a valid day. Write it like 2026-03-14.")
    }
    return .seeOther("/day/\(day)")
  }

  /// The number of days that a phone stores for reading while it can’t reach the computer.
  private static let keptDays = 90

  /// Lists these days, the latest first, each with a mark that changes whenever its entries do and
  /// whenever something was deleted permanently.
  @Sendable func keptDays(_ request: Request, context: WebContext) async throws -> Response {
    let (archive, today) = (archive, currentDay)
    let first = today.advanced(by: 1 - Self.keptDays)
    let (marks, purge) = try await offServer {
      (try archive.dayMarks(from: first, to: today), try archive.lastPurge())
    }
    // A day also shows texts of other days, such as those of past years and links to it, so all of
    // them are read again after something was deleted permanently.
    let since = purge.map { "\($0) " } ?? ""
    let days = (0..<Self.keptDays).map { back -> JSON in
      let day = today.advanced(by: -back)
      return ["day": .string(day.description), "mark": .string(since + (marks[day] ?? ""))]
    }
    return Response(json: ["days": .array(days), "purge": JSON(purge)])
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try DayController.dayKey(context), fields: request.fields)
  }

  /// Returns the part of a day's entries with which the day's page begins.
  private func start(_ dayKey: DayKey, _ fields: FormFields) throws -> DayPart.Start {
    if let text = fields.text("from") {
      if text == "start" { return .beginning }
      guard let place = TimelinePlace(text) else {
        throw WebFailure(
          .badRequest, "Invalid position",
          "\(FieldError.shown(text)) isn’t a position in a day’s entries.", field: "from")
      }
      return .place(place)
    }
    if let id = (fields.text("at") ?? fields.text("added")).flatMap(UUID.init(uuidString:)) {
      return .entry(id)
    }
    return dayKey == currentDay ? .around(archive.clock.now) : .beginning
  }

  private func page(
    _ dayKey: DayKey, fields: FormFields = FormFields([]), line: String? = nil,
    lineError: String? = nil
  ) async throws -> Response {
    let today = currentDay
    let start = try start(dayKey, fields)
    let recordsPlace = try await offServer { try archive.preferences().recordsPlace }
    let (change, part, meetings, colours, notices, past, waiting, canWrite) = try await offServer {
      // The page learns of later changes through its events.
      (
        try archive.newestChange(),
        try archive.dayPart(dayKey, from: start, limit: DayContext.pageSize),
        try meetingIDs(on: dayKey), try archive.tagColours(),
        try Notice.about(fields, archive: archive, zone: zone),
        try PastYears(archive, of: dayKey),
        try dayKey == today ? archive.countPendingActs() : 0, voice.isReady
      )
    }
    var context = DayContext(
      part: part, today: today, zone: zone, meetings: meetings, tagColours: colours,
      voice: canWrite ? voice : nil
    ).context
    if let question = MapPage.question(of: part, today: today) {
      context["mapHTML"] = MapPage.html(question, label: dayKey.shownPlainName, isPart: true)
      context["mapHref"] = MapPage.address(question)
    }
    context["recordsPlace"] = recordsPlace && dayKey == today
    context["hasWaiting"] = waiting > 0
    context["waitingLine"] =
      said(
        waiting, one: "One change is waiting for your approval.",
        other: "\(waiting) changes are waiting for your approval.")
    if dayKey == today {
      try await addNudges(to: &context)
      try await addSyncTrouble(to: &context)
    }
    context["isFirstRun"] = try await offServer {
      try dayKey == today && part.total == 0 && archive.isEmpty()
    }
    if context["isFirstRun"] as? Bool == true {
      WelcomeController.greet(&context, zone: zone, followsSystem: systemZone() != nil)
    }
    context["suggestsBackup"] = try await offServer {
      try dayKey == today && WelcomeController.suggestsBackup(archive)
    }
    past.add(to: &context)
    let firstWeekday = ShownDates.preferences.firstWeekday
    let home = try await offServer {
      try HomeColumn(
        archive, day: dayKey, today: today, zone: zone, firstWeekday: firstWeekday)
    }
    home.add(to: &context)
    try await offServer {
      try DayStart(archive, of: dayKey, today: today)
    }.add(to: &context)
    try await offServer {
      try BacklinkContext(.day(dayKey), archive: archive)
    }.add(to: &context)
    context["idempotencyKey"] = archive.identities.next().uuidString
    if let line { context["line"] = FormValue(line) }
    if let lineError { context["lineError"] = lineError }
    let news = dayKey == today && !Visitor.isDevice ? try await offServer { self.news } : []
    var response = try pages.page(
      "day", title: EntryContext.dayLabel(dayKey), section: .today,
      known: .upTo(change), notices: notices + (dayKey == today ? journey : []) + news, context,
      status: lineError == nil ? .ok : .unprocessableContent)
    // Voice notes are recorded only here, and can be heard before they are saved.
    response.headers[.name("Content-Security-Policy")] =
      SecurityHeadersMiddleware.policy.replacing("media-src 'self'", with: "media-src 'self' blob:")
    response.headers[.name("Permissions-Policy")] =
      "geolocation=(\(recordsPlace ? "self" : "")), camera=(), microphone=(self)"
    return response
  }

  /// The notice about a new zone, if the computer has moved to one since the server started.
  private var journey: [Notice] {
    let now = archive.clock.now
    guard let there = systemZone(), there.offset(at: now) != zone.offset(at: now) else { return [] }
    let (place, home) = (
      EntryContext.city(there.identifier), EntryContext.city(zone.identifier)
    )
    return [
      Notice(
        tone: .warning,
        sentence: said(
          """
          This computer’s time zone is now \(place). Arkived keeps using \(home) until you restart \
          it.
          """
        ), link: ("/settings#zone", said("Time zone")))
    ]
  }

  /// Adds a line if changes don't get through to the owner's other devices.
  private func addSyncTrouble(to context: inout [String: Any]) async throws {
    let archive = archive
    let trouble = try await offServer { try DeviceSyncStatus.lastTrouble(archive) }
    context["hasSyncTrouble"] = trouble != nil && !Visitor.isDevice
    context["syncTrouble"] = ClippedText.of(trouble?.sentence(in: zone) ?? "", limit: 300)
  }

  /// The notice about a newer version than the one whose news was seen last.
  private var news: [Notice] {
    guard let seen = UpdateNews.lastSeen(before: changelog.version, of: archive) else { return [] }
    var notice = Notice(
      tone: .info,
      sentence: said("Arkived was updated from \(seen) to \(changelog.version)."))
    notice.link = (NewsPageController.address, said("What’s new"))
    notice.dismissal = "\(NewsPageController.address)/seen"
    return [notice]
  }

  /// Adds the current reminders, each with a way to dismiss it.
  private func addNudges(to context: inout [String: Any]) async throws {
    let desk = NudgeDesk(archive: archive, zone: zone)
    let lines = try await offServer { try desk.standing() }
    context["hasNudges"] = !lines.isEmpty
    context["nudges"] = lines.map { line in
      [
        "nudgeID": line.words.id, "nudgeText": ClippedText.of(line.words.text, limit: 300),
        "nudgeHref": line.words.href,
      ]
    }
  }

  /// Returns the meetings of a day, by the entries that represent them.
  private func meetingIDs(on day: DayKey) throws -> [UUID: UUID] {
    var filter = MeetingFilter()
    (filter.from, filter.to, filter.limit) = (day, day, 500)
    return Dictionary(
      try archive.meetings(filter).map { ($0.activity.id, $0.id) }
    ) { first, _ in first }
  }

  @Sendable func add(_ request: Request, context: WebContext) async throws -> Response {
    let dayKey = try DayController.dayKey(context)
    let form = try await request.form(limit: context.maxUploadSize)
    let line = form["line"] ?? ""
    let key = form.text("idempotencyKey").flatMap { $0.utf8.count <= 200 ? $0 : nil }
    // A line added while the server was unavailable states its time.
    let written = form.text("writtenAt").flatMap { Instant($0) }
    do {
      let place = try await self.place(form)
      var request: RequestKey?
      if let key {
        request = try await repeated.key(
          ofForm: key, "day \(dayKey)", Data((line + (place.map { "\n\($0.text)" } ?? "")).utf8))
      }
      let answer = try await repeated.answer(request, keeps: true) { [request] in
        let entry = EntryLine(archive: archive, zone: zone)
        var activity = entry.activity(
          from: try entry.understand(line, onPage: dayKey, written: written))
        activity.coordinates = place
        guard let request else { return Self.added(try archive.add(activity)) }
        return try archive.add(activity, once: request, answer: Self.added)
      }
      return Response(answer)
    } catch let error as QuickAddError {
      return try await page(dayKey, line: line.isEmpty ? nil : line, lineError: error.description)
    } catch let error as FieldError {
      return try await page(
        dayKey, line: line.isEmpty ? nil : line, lineError: saidAgain(error.description + "."))
    }
  }

  /// Returns the device's location if the form includes it and the owner permits recording it.
  private func place(_ form: FormFields) async throws -> PlaceCoordinates? {
    guard let text = form.text("here") else { return nil }
    // Permission may have been withdrawn since the line was typed; the line is then saved without
    // the place.
    guard try await offServer({ try archive.preferences().recordsPlace }) else { return nil }
    return try PlaceCoordinates.read(text, field: "here")
  }

  private static func added(_ saved: Saved<Activity>) -> KeptAnswer {
    let activity = saved.value
    let change = saved.change.map { "&change=\($0.id.uuidString)" } ?? ""
    return KeptAnswer(
      status: 303,
      location: "/day/\(activity.dayKey)?added=\(activity.id.uuidString)\(change)"
        + "#activity-\(activity.id.uuidString)")
  }

  // MARK: The note

  @Sendable func editNote(_ request: Request, context: WebContext) async throws -> Response {
    let dayKey = try DayController.dayKey(context)
    let fields = request.fields
    let (change, entry, versions, notices) = try await offServer {
      let change = try archive.newestChange()
      let entry = try archive.dayEntry(dayKey)
      let versions = try archive.oldVersions(ofDay: dayKey, limit: EntryContext.historyLimit)
      let notices = try Notice.about(fields, archive: archive, zone: zone)
      return (change, entry, versions, notices)
    }
    return try notePage(
      NoteForm(dayKey, entry), versions: versions, of: entry?.id, refs: entry?.externalRefs ?? [],
      files: entry?.attachments ?? [], known: .upTo(change), notices: notices)
  }

  @Sendable func saveNote(_ request: Request, context: WebContext) async throws -> Response {
    let dayKey = try DayController.dayKey(context)
    let fields = try await request.form(limit: context.maxFormSize)
    var form = NoteForm(dayKey, fields)
    do {
      let mood = try NoteForm.level("mood", form.mood)
      let energy = try NoteForm.level("energy", form.energy)
      let typed = form
      let saved = try await offServer {
        try archive.updateDay(dayKey, version: typed.expectedVersion) { entry in
          entry.title = typed.title.isEmpty ? nil : typed.title
          entry.note = typed.note
          entry.mood = mood
          entry.energy = energy
          try typed.applyWeather(to: &entry)
        }
      }
      let change = saved.change.map { "?change=\($0.id.uuidString)" } ?? ""
      return .seeOther("/day/\(dayKey)\(change)#note")
    } catch ArchiveError.conflict {
      let (change, entry) = try await offServer {
        (try archive.newestChange(), try archive.dayEntry(dayKey))
      }
      form.conflict = entry
      form.version = EntityTag.text(entry?.updatedAt)
      return try notePage(form, known: .upTo(change), status: .conflict)
    } catch let error as FieldError {
      form.errors[error.field] = saidAgain(error.description + ".")
      return try notePage(form, status: .unprocessableContent)
    }
  }

  /// Appends the line of the quick-add row to the day's note, as `arkived note` does.
  @Sendable func addToNote(_ request: Request, context: WebContext) async throws -> Response {
    let dayKey = try DayController.dayKey(context)
    let form = try await request.form(limit: context.maxUploadSize)
    let line = form["line"] ?? ""
    let key = form.text("idempotencyKey").flatMap { $0.utf8.count <= 200 ? $0 : nil }
    do {
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty else { throw QuickAddError.empty }
      var request: RequestKey?
      if let key {
        request = try await repeated.key(ofForm: key, "note \(dayKey)", Data(line.utf8))
      }
      return Response(
        try await repeated.answer(request, keeps: true) { [request] in
          try archive.add(text, toNoteOf: dayKey, once: request) { saved in
            let change = saved.change.map { "?change=\($0.id.uuidString)&draft=line" } ?? ""
            return KeptAnswer(status: 303, location: "/day/\(dayKey)\(change)#note")
          }
        })
    } catch let error as QuickAddError {
      return try await page(dayKey, line: line.isEmpty ? nil : line, lineError: error.description)
    } catch let error as FieldError {
      return try await page(
        dayKey, line: line.isEmpty ? nil : line, lineError: saidAgain(error.description + "."))
    }
  }

  private func notePage(
    _ form: NoteForm, versions: [OldVersion] = [], of id: UUID? = nil, refs: [ExternalRef] = [],
    files: [Attachment] = [],
    known: ChangeFeed.Known? = nil, notices: [Notice] = [], status: HTTPResponse.Status = .ok
  ) throws -> Response {
    var context = form.context(EntryContext(homeZone: zone))
    let begun = notices.first?.undo
    context["cancelQuery"] = begun.map { "?begun=note&change=\($0.id.uuidString)" } ?? ""
    context["hasHistory"] = !versions.isEmpty
    var history = EntryContext(homeZone: zone).history(versions)
    // An earlier note of the day can be read, but not be restored beside the present one.
    for (index, version) in versions.enumerated() where id != nil && version.sourceID != id {
      history[index]["restoreAction"] = nil
    }
    context["history"] = history
    context["attachAction"] = "/day/\(form.dayKey)/attachments"
    context.merge(
      EntryFiles(attachments: files).listed(
        EntryContext(homeZone: zone), back: "/day/\(form.dayKey)/note/edit")
    ) { $1 }
    if let ref = refs.first {
      context["origin"] = ImportOrigin.line(of: ref, EntryContext(homeZone: zone))
    }
    return try pages.page(
      "note-edit", title: said("Day note for \(EntryContext.dayLabel(form.dayKey))"),
      section: .today, known: known, notices: notices, context, status: status)
  }

  // MARK: Undo

  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let back = try await back(request, context)
    let undone = try await offServer { try archive.undo(id) }
    return try await goBack(to: back, after: undone.change)
  }

  @Sendable func restore(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let back = try await back(request, context)
    let change = try await offServer {
      try archive.restore(try archive.historyRecord(matching: id.uuidString))
    }
    return try await goBack(to: back, after: change)
  }

  /// Returns the page to which a form asks to return.
  private func back(_ request: Request, _ context: WebContext) async throws -> String? {
    guard request.headers[.contentType] != nil else { return nil }
    return LocalPath.read(try await request.form(limit: context.maxUploadSize)["back"])
  }

  /// Redirects to the requested page, or else to the day that a change affected.
  private func goBack(to back: String?, after change: Change) async throws -> Response {
    if let back { return .seeOther(GoalSidePages.location(back, change)) }
    let day = try await offServer { try archive.firstDay(ofChange: change.id) }
    return .seeOther("/day/\(day ?? currentDay)?change=\(change.id.uuidString)")
  }
}
