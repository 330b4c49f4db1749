import ArkivedCore
import Foundation

/// The contents of an activity's form.
struct ActivityForm: Sendable {
  var text: String
  var day: String
  var start: String
  var end: String
  var kind: String
  var measurements: String
  var place: String
  /// The weather as typed; nil if the form doesn't have this field, so the entry's weather is kept.
  var weather: String?
  /// True if the coordinates should be removed.
  var dropsCoordinates = false
  var people: String
  var tags: String
  var notes: String
  var isPinned: Bool
  var version: String
  var error: FieldError?
  /// The times as the form showed them; unchanged ones keep their precision.
  private var shownStart: String
  private var shownEnd: String

  init(_ activity: Activity) {
    text = activity.text
    day = activity.dayKey.description
    start = activity.clockStart.map { activity.zone.wallTime(at: $0).clockText } ?? ""
    end = activity.endAt.map { activity.zone.wallTime(at: $0).clockText } ?? ""
    kind = activity.kind.rawValue
    measurements = MeasureText.write(activity.measurements, in: .current)
    place = activity.locationLabel ?? ""
    weather = activity.weather?.typedText ?? ""
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
    text = fields.paragraphs("text")
    day = line("day")
    start = line("start")
    end = line("end")
    kind = line("kind")
    measurements = line("measurements")
    place = line("place")
    weather = fields["weather"].map { _ in line("weather") }
    dropsCoordinates = fields["dropCoordinates"] == "true"
    people = line("people")
    tags = line("tags")
    notes = fields.paragraphs("notes")
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
  /// - Parameters:
  ///   - activity: the entry to change.
  ///   - units: the known units, including those of goals.
  /// - Throws: `FieldError` with the name of the form's field.
  func apply(
    to activity: inout Activity, units: UnitTable = .standard
  ) throws(FieldError) {
    let shown = ActivityForm(activity)
    guard !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
      throw FieldError("text", "is empty. Enter what you did")
    }
    func same(_ typed: String, _ shown: String) -> Bool {
      typed == shown.replacingOccurrences(of: "\r\n", with: "\n")
    }
    if !same(text, shown.text) { activity.text = text }
    guard let newDay = DayKey(day) else {
      throw FieldError("day", "is \(FieldError.shown(day)), but must be a day such as 2026-03-14")
    }
    let daysToEnd = activity.daysToEnd
    try ActivityTimes.change(
      &activity, day: newDay, start: start == shown.start ? nil : start,
      end: end == shown.end ? nil : end, daysToEnd: daysToEnd)
    if !kind.isEmpty { activity.kind = ActivityKind(rawValue: kind) }
    // An unchanged field keeps its exact value.
    if measurements != shown.measurements {
      activity.measurements = try MeasureText.read(
        measurements, in: .current, units: units, keeping: activity.measurements)
    }
    if place != shown.place { activity.locationLabel = place.isEmpty ? nil : place }
    if let weather, weather != shown.weather { activity.weather = try Weather.typed(weather) }
    if dropsCoordinates { activity.coordinates = nil }
    if people != shown.people {
      let old = activity.people
      activity.people = NameList.names(in: people, known: old.map(\.name))
        .map { name in old.first { $0.name == name } ?? Mention(name: name) }
    }
    if tags != shown.tags {
      activity.tags = Tag.names(NameList.names(in: tags, known: activity.tags))
    }
    if !same(notes, shown.notes) { activity.notes = notes.isEmpty ? nil : notes }
    activity.isPinned = isPinned
    try activity.validate()
  }

  /// Returns the form input of an entity's field.
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
      "version": version, "text": FormValue(text), "day": FormValue(day),
      "start": FormValue(start), "end": FormValue(end),
      "kindChoices": kinds.map { value in
        [
          "value": FormValue(value), "label": saidWhole(EntryContext.capitalised(value)),
          "isSelected": value == kind,
        ] as [String: Any]
      }, "measurementsText": FormValue(measurements), "place": FormValue(place),
      "weatherText": FormValue(weather ?? ""), "dropsCoordinates": dropsCoordinates,
      "peopleText": FormValue(people), "tagsText": FormValue(tags),
      "notesText": FormValue(notes), "isPinned": isPinned, "hasErrors": error != nil,
    ]
    let (textSize, notesSize) = (text.utf8.count, notes.utf8.count)
    let isLong = textSize + notesSize > NoteForm.longNote
    if isLong { context["sizeText"] = EntryContext.size(textSize + notesSize) }
    // Only the field with the long text is tall, and at least one of them is.
    context["textIsLong"] = isLong && textSize >= min(NoteForm.longNote, notesSize)
    context["notesAreLong"] = isLong && notesSize >= min(NoteForm.longNote, textSize)
    if let error {
      let input = ActivityForm.input(of: error.field)
      let message = saidAgain(error.description + ".")
      context["\(input)Error"] = message
      context["errors"] = [["field": input, "message": message]]
    }
    return context
  }
}
