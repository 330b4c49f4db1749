import ArkivedCore
import ArkivedStore
import Foundation
import HTTPTypes
import Hummingbird

/// The page that changes an activity.
struct ActivityPageController: Sendable {
  let archive: Archive
  let zone: Zone
  let pages: Pages

  func addRoutes(to router: Router<WebContext>) {
    router.get("/activities/:id/edit", use: edit)
    router.post("/activities/:id", use: save)
    router.post("/activities/:id/delete", use: delete)
  }

  @Sendable func edit(_ request: Request, context: WebContext) async throws -> Response {
    let (activity, versions) = try await load(try ActivityController.id(context))
    return try page(ActivityForm(activity), activity, versions)
  }

  @Sendable func save(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let form = ActivityForm(try await request.form(limit: context.maxUploadSize))
    do {
      let saved = try await offServer {
        try archive.updateActivity(id, version: form.expectedVersion) { try form.apply(to: &$0) }
      }
      let change = saved.change.map { "?change=\($0.id.uuidString)" } ?? ""
      return .seeOther(
        "/day/\(saved.value.dayKey)\(change)#activity-\(saved.value.id.uuidString)")
    } catch let error as FieldError {
      let (activity, versions) = try await load(id)
      var wrong = form
      wrong.error = error
      return try page(wrong, activity, versions, status: .unprocessableContent)
    } catch ArchiveError.conflict {
      let (activity, versions) = try await load(id)
      var late = form
      late.version = EntityTag.text(activity.updatedAt)
      return try page(
        late, activity, versions, status: .preconditionFailed,
        notices: [
          Notice(
            tone: .warning,
            sentence: "This entry was changed elsewhere since you opened it. Below is what you "
              + "typed; saving again replaces the other version, which stays in the history.")
        ])
    }
  }

  @Sendable func delete(_ request: Request, context: WebContext) async throws -> Response {
    let id = try ActivityController.id(context)
    let fields = try await request.form(limit: context.maxUploadSize)
    let version = Int64((fields["version"] ?? "").filter { $0 != "\"" })
      .map(Instant.init(milliseconds:))
    let saved = try await offServer { try archive.deleteActivities([id], version: version) }
    let day = saved.value.first?.dayKey ?? zone.dayKey(at: archive.clock.now)
    let change = saved.change.map { "?change=\($0.id.uuidString)" } ?? ""
    return .seeOther("/day/\(day)\(change)")
  }

  private func load(_ id: UUID) async throws -> (Activity, [HistoryRecord]) {
    try await offServer {
      guard let activity = try archive.activity(id) else {
        throw ArchiveError.notFound("activity \(id.uuidString); it may have been deleted")
      }
      return (activity, try archive.history(of: id))
    }
  }

  private func page(
    _ form: ActivityForm, _ activity: Activity, _ versions: [HistoryRecord],
    status: HTTPResponse.Status = .ok, notices: [Notice] = []
  ) throws -> Response {
    let entries = EntryContext(homeZone: zone)
    var context = form.context
    context["id"] = activity.id.uuidString
    context["href"] = EntryContext.href(activity.dayKey, activity.id)
    context["dayName"] = EntryContext.dayName(activity.dayKey)
    context["year"] = "\(activity.dayKey.year)"
    if activity.timeZone != zone.identifier {
      context["zoneText"] = EntryContext.city(activity.timeZone)
    }
    var facts = [("Source", EntryContext.label(activity.source))]
    if let typed = activity.typedText, typed != activity.text { facts.append(("Typed as", typed)) }
    facts.append(("Added", entries.moment(activity.createdAt)))
    for ref in activity.externalRefs where ref.provider != "content" {
      facts.append(("From", "\(ref.provider), read \(entries.moment(ref.fetchedAt))"))
    }
    context["facts"] = facts.map { ["factName": $0.0, "factText": $0.1] }
    context["hasHistory"] = !versions.isEmpty
    context["history"] = entries.history(versions)
    return try pages.page(
      "activity-edit", title: "Change: \(activity.text.prefix(60))", section: .today,
      notices: notices, context, status: status)
  }
}

/// What stands in the form of an activity.
struct ActivityForm: Sendable {
  var text: String
  var day: String
  var start: String
  var end: String
  var kind: String
  var measurements: String
  var place: String
  var people: String
  var tags: String
  var notes: String
  var isPinned: Bool
  var version: String
  var error: FieldError?
  /// The times as the form showed them; unchanged ones are left as exact as they are.
  private var shownStart: String
  private var shownEnd: String

  init(_ activity: Activity) {
    text = activity.text
    day = activity.dayKey.description
    start = activity.startAt.map { activity.zone.wallTime(at: $0).clockText } ?? ""
    end = activity.endAt.map { activity.zone.wallTime(at: $0).clockText } ?? ""
    kind = activity.kind.rawValue
    measurements = MeasureText.write(activity.measurements)
    place = activity.locationLabel ?? ""
    people = activity.people.map(\.name).joined(separator: ", ")
    tags = activity.tags.joined(separator: ", ")
    notes = activity.notes ?? ""
    isPinned = activity.isPinned
    version = EntityTag.text(activity.updatedAt)
    shownStart = start
    shownEnd = end
  }

  init(_ fields: FormFields) {
    func line(_ name: String) -> String {
      (fields[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
    }
    text = (fields["text"] ?? "").replacingOccurrences(of: "\r\n", with: "\n")
    day = line("day")
    start = line("start")
    end = line("end")
    kind = line("kind")
    measurements = line("measurements")
    place = line("place")
    people = line("people")
    tags = line("tags")
    notes = (fields["notes"] ?? "").replacingOccurrences(of: "\r\n", with: "\n")
    isPinned = fields["pinned"] == "true"
    version = fields["version"] ?? ""
    shownStart = ""
    shownEnd = ""
  }

  var expectedVersion: Instant? {
    Int64(version.filter { $0 != "\"" }).map(Instant.init(milliseconds:))
  }

  /// Writes the form's values into an activity.
  ///
  /// - Throws: `FieldError` that names the form's field.
  func apply(to activity: inout Activity) throws(FieldError) {
    let shown = ActivityForm(activity)
    guard !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
      throw FieldError("text", "is empty; write what was done")
    }
    func same(_ typed: String, _ shown: String) -> Bool {
      typed == shown.replacingOccurrences(of: "\r\n", with: "\n")
    }
    if !same(text, shown.text) { activity.text = text }
    guard let newDay = DayKey(day) else {
      throw FieldError("day", "is \(FieldError.shown(day)); it must be a day such as 2026-03-14")
    }
    try ActivityTimes.change(
      &activity, day: newDay, start: start == shown.start ? nil : start,
      end: end == shown.end ? nil : end)
    if !kind.isEmpty { activity.kind = ActivityKind(rawValue: kind) }
    // A field that was not touched keeps its value as exact as it is.
    if measurements != shown.measurements {
      activity.measurements = try MeasureText.read(measurements)
    }
    if place != shown.place { activity.locationLabel = place.isEmpty ? nil : place }
    let names = ActivityForm.list(people)
    if people != shown.people {
      let old = activity.people
      activity.people = names.map { name in old.first { $0.name == name } ?? Mention(name: name) }
    }
    if tags != shown.tags {
      activity.tags = ActivityForm.list(tags).map {
        $0.hasPrefix("#") ? String($0.dropFirst()) : $0
      }
    }
    if !same(notes, shown.notes) { activity.notes = notes.isEmpty ? nil : notes }
    activity.isPinned = isPinned
    try activity.validate()
  }

  private static func list(_ text: String) -> [String] {
    text.split(whereSeparator: { $0 == "," || $0.isNewline })
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  /// The input a field of the entity stands in.
  private static func input(of field: String) -> String {
    switch field {
    case "startAt": "start"
    case "endAt", "durationMinutes": "end"
    case "dayKey": "day"
    case "locationLabel": "place"
    default: field.split(separator: ".").first.map(String.init) ?? field
    }
  }

  var context: [String: Any] {
    var kinds = ActivityKind.known.map(\.rawValue)
    if !kind.isEmpty, !kinds.contains(kind) { kinds.append(kind) }
    var context: [String: Any] = [
      "version": version, "text": text, "day": day, "start": start, "end": end,
      "kindChoices": kinds.map { value in
        [
          "value": value, "label": EntryContext.capitalised(value), "isSelected": value == kind,
        ] as [String: Any]
      }, "measurementsText": measurements, "place": place, "peopleText": people,
      "tagsText": tags, "notesText": notes, "isPinned": isPinned, "hasErrors": error != nil,
    ]
    if let error {
      let input = ActivityForm.input(of: error.field)
      context["\(input)Error"] = error.description + "."
      context["errors"] = [["field": input, "message": error.description + "."]]
    }
    return context
  }
}
