import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The immediate actions on a day's page: mood and energy, and the menu of an entry.
///
/// Each is one change, and the following page offers to undo it.
struct DayActionController: Sendable {
  let archive: Archive
  let zone: Zone

  func addRoutes(to router: Router<WebContext>) {
    router.post("/day/:dayKey/levels", use: setLevels)
    router.post("/activities/:id/pin", use: pin)
    router.post("/activities/:id/duplicate", use: duplicate)
    router.post("/activities/:id/move", use: move)
  }

  /// Sets mood or energy as given; an empty value clears it.
  @Sendable func setLevels(_ request: Request, context: WebContext) async throws -> Response {
    let dayKey = try DayController.dayKey(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let named = try ["mood", "energy"].filter { fields[$0] != nil }.map { name in
      (name, try NoteForm.level(name, fields[name] ?? ""))
    }
    guard !named.isEmpty else {
      throw FieldError("mood", "is missing. Send mood or energy, 1 to 5 or empty")
    }
    // The archive keeps English, whatever language the page is in.
    let words = ShownDates.speaking(.english) { NoteForm.levelWords }
    let told = named.map { name, level in level.map { "\(name) \(words[$0])" } ?? "no \(name)" }
    let summary =
      "\(dayKey.plainName): \(told.joined(separator: ", "))"
    let saved = try await offServer {
      try archive.updateDay(dayKey, summary: summary) { entry in
        for (name, level) in named {
          if name == "mood" { entry.mood = level } else { entry.energy = level }
        }
      }
    }
    return .seeOther(GoalSidePages.location("/day/\(dayKey)", saved.change) + "#feel")
  }

  @Sendable func pin(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let pinned = try Self.flag("pinned", fields) ?? true
    let saved = try await offServer {
      let name = try name(of: id)
      return try archive.updateActivity(
        id, summary: pinned ? "Pinned \(name)" : "Unpinned \(name)"
      ) { $0.isPinned = pinned }
    }
    return Self.back(to: saved.value, saved.change)
  }

  /// Adds a copy of an entry, on the entry's own day or on the given one.
  @Sendable func duplicate(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let day = try fields.text("day").map(Self.day)
    let saved = try await offServer { try archive.duplicateActivity(id, on: day) }
    return Self.back(to: saved.value, saved.change)
  }

  /// Moves an entry to another day or time, gives it another end with `until`, or with `untimed`
  /// removes its time.
  ///
  /// A time that is unchanged on the page isn't set again.
  @Sendable func move(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    guard let text = fields.text("day") else {
      throw FieldError("day", "is missing. Give a day such as 2026-03-14")
    }
    let day = try Self.day(text)
    let time = fields.text("time")
    let until = fields["until"]
    // The menu shows the clock time of the end. A dragged edge is on the day of the start.
    let isDragged = fields["time"] == nil
    let isUntimed = try Self.flag("untimed", fields) ?? false
    let saved = try await offServer {
      guard var planned = try archive.activity(id) else { throw Self.gone(id) }
      if isUntimed {
        return try archive.updateActivity(
          id, version: GoalSidePages.version(fields),
          summary: "Removed the time from \(try name(of: id))"
        ) { ActivityTimes.clear(&$0, on: day) }
      }
      let shown = planned.clockStart.map { planned.zone.wallTime(at: $0).clockText }
      let wanted = time == shown ? nil : time
      let end = until == EntryMenu.end(of: planned) ? nil : until
      let isMoved = wanted != nil || day != planned.dayKey
      try Self.move(&planned, to: day, at: wanted, until: end, isDragged: isDragged)
      return try archive.updateActivity(
        id, version: GoalSidePages.version(fields),
        summary: isMoved || end == nil ? Self.moved(planned) : Self.resized(planned)
      ) { try Self.move(&$0, to: day, at: wanted, until: end, isDragged: isDragged) }
    }
    return Self.back(to: saved.value, saved.change)
  }

  private static func move(
    _ activity: inout Activity, to day: DayKey, at time: String?, until end: String?,
    isDragged: Bool
  ) throws(FieldError) {
    let daysToEnd = isDragged || activity.isAllDay ? 0 : activity.daysToEnd
    try ActivityTimes.move(&activity, to: day, at: time)
    guard let end else { return }
    // Its edge is pulled away from the start that the page has for a part of the day.
    if isDragged { activity.dayPeriod = nil }
    guard activity.clockStart != nil || end.isEmpty else {
      throw FieldError("until", "needs a start time. Enter both")
    }
    try ActivityTimes.change(
      &activity, day: nil, start: nil, end: end, daysToEnd: daysToEnd)
    // The end says how long it took.
    if !end.isEmpty { activity.durationMinutes = nil }
  }

  private static func resized(_ activity: Activity) -> String {
    "Changed the time of “\(ClippedText.of(activity.text, limit: 100))” to "
      + (activity.timeText ?? activity.dayKey.plainName)
  }

  private static func moved(_ activity: Activity) -> String {
    let time = activity.isAllDay ? nil : activity.timeText
    return "Moved “\(ClippedText.of(activity.text, limit: 100))” to "
      + [activity.dayKey.plainName, time].compactMap { $0 }.joined(separator: ", ")
  }

  private func name(of id: UUID) throws -> String {
    guard let activity = try archive.activity(id) else { throw Self.gone(id) }
    return "“\(ClippedText.of(activity.text, limit: 120))”"
  }

  private static func gone(_ id: UUID) -> ArchiveError {
    .notFound("No entry with the ID \(id.uuidString). It may have been deleted.")
  }

  static func back(to activity: Activity, _ change: Change?) -> Response {
    let id = activity.id.uuidString
    return .seeOther(
      GoalSidePages.location("/day/\(activity.dayKey)?at=\(id)", change) + "#activity-\(id)")
  }

  private static func day(_ text: String) throws(FieldError) -> DayKey {
    guard let day = DayKey(text) else {
      throw FieldError("day", "is \(FieldError.shown(text)), but must be a day such as 2026-03-14")
    }
    return day
  }

  private static func flag(_ name: String, _ fields: FormFields) throws(FieldError) -> Bool? {
    guard let text = fields.text(name) else { return nil }
    guard ["true", "false"].contains(text) else {
      throw FieldError(name, "is \(FieldError.shown(text)), but must be true or false")
    }
    return text == "true"
  }
}
