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

  func addRoutes(to router: Router<WebContext>) {
    router.get("/", use: today)
    router.get("/day", use: jump)
    router.get("/day/:dayKey", use: show)
    router.post("/day/:dayKey/activities", use: add)
    router.get("/day/:dayKey/note/edit", use: editNote)
    router.post("/day/:dayKey/note", use: saveNote)
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
        .badRequest, "No such day",
        "\(FieldError.shown(text)) is no day of the calendar; write it like 2026-03-14.")
    }
    return .seeOther("/day/\(day)")
  }

  @Sendable func show(_ request: Request, context: WebContext) async throws -> Response {
    try await page(try DayController.dayKey(context), fields: request.fields)
  }

  private func page(
    _ dayKey: DayKey, fields: FormFields = FormFields([]), line: String? = nil,
    lineError: String? = nil
  ) async throws -> Response {
    let today = currentDay
    let (day, notices) = try await offServer {
      (
        try archive.day(dayKey),
        try Notice.about(fields, archive: archive, zone: zone)
      )
    }
    var context = DayContext(day: day, today: today, zone: zone).context
    context["idempotencyKey"] = archive.identities.next().uuidString
    if let line { context["line"] = line }
    if let lineError { context["lineError"] = lineError }
    return try pages.page(
      "day", title: EntryContext.dayLabel(dayKey), section: .today,
      notices: notices, context,
      status: lineError == nil ? .ok : .unprocessableContent)
  }

  @Sendable func add(_ request: Request, context: WebContext) async throws -> Response {
    let dayKey = try DayController.dayKey(context)
    let form = try await request.form(limit: context.maxUploadSize)
    let line = form["line"] ?? ""
    let key = form.text("idempotencyKey")
    do {
      let saved = try await offServer {
        let entry = EntryLine(archive: archive, zone: zone)
        let activity = entry.activity(from: try entry.understand(line, onPage: dayKey))
        guard let key, key.utf8.count <= 200 else { return try archive.add(activity) }
        return try archive.add(
          activity, idempotencyKey: key,
          requestHash: ActivityController.hash(["line": .string(line), "day": JSON(dayKey)]))
      }
      let activity = saved.value
      let change = saved.change.map { "&change=\($0.id.uuidString)" } ?? ""
      return .seeOther(
        "/day/\(activity.dayKey)?added=\(activity.id.uuidString)\(change)"
          + "#activity-\(activity.id.uuidString)")
    } catch let error as QuickAddError {
      return try await page(dayKey, line: line.isEmpty ? nil : line, lineError: error.description)
    } catch let error as FieldError {
      return try await page(
        dayKey, line: line.isEmpty ? nil : line, lineError: error.description + ".")
    }
  }

  // MARK: The note

  @Sendable func editNote(_ request: Request, context: WebContext) async throws -> Response {
    let dayKey = try DayController.dayKey(context)
    let (day, versions) = try await offServer {
      let day = try archive.day(dayKey)
      return (day, try day.entry.map { try archive.history(of: $0.id) } ?? [])
    }
    return try notePage(NoteForm(day), versions: versions)
  }

  @Sendable func saveNote(_ request: Request, context: WebContext) async throws -> Response {
    let dayKey = try DayController.dayKey(context)
    let fields = try await request.form(limit: context.maxUploadSize)
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
        }
      }
      let change = saved.change.map { "?change=\($0.id.uuidString)" } ?? ""
      return .seeOther("/day/\(dayKey)\(change)#note")
    } catch ArchiveError.conflict {
      let day = try await offServer { try archive.day(dayKey) }
      form.conflict = day.entry
      form.version = EntityTag.text(day.entry?.updatedAt)
      return try notePage(form, versions: [], status: .conflict)
    } catch let error as FieldError {
      form.errors[error.field] = error.description + "."
      return try notePage(form, versions: [], status: .unprocessableContent)
    }
  }

  private func notePage(
    _ form: NoteForm, versions: [HistoryRecord], status: HTTPResponse.Status = .ok
  ) throws -> Response {
    var context = form.context(EntryContext(homeZone: zone))
    context["hasHistory"] = !versions.isEmpty
    context["history"] = EntryContext(homeZone: zone).history(versions)
    return try pages.page(
      "note-edit", title: "Note of \(EntryContext.dayLabel(form.dayKey))", section: .today,
      context, status: status)
  }

  // MARK: Taking back

  @Sendable func undo(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let undone = try await offServer { try archive.undo(id) }
    return try await backToDay(of: undone.change)
  }

  @Sendable func restore(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let change = try await offServer {
      try archive.restore(try archive.historyRecord(matching: id.uuidString))
    }
    return try await backToDay(of: change)
  }

  /// The day on which a change had its effect.
  private func backToDay(of change: Change) async throws -> Response {
    let day = try await offServer { try archive.day(ofChange: change.id) }
    return .seeOther("/day/\(day ?? currentDay)?change=\(change.id.uuidString)")
  }
}
