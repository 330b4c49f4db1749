import ArkivedCore
import Foundation

/// The form of a meeting.
struct MeetingForm: Sendable {
  var texts: FormTexts

  static let lines = [
    "title", "day", "length", "start", "end", "timeZone", "location", "tags", "status",
  ]
  static let paragraphs = ["attendees", "purpose", "description"]

  init(day: DayKey) { texts = FormTexts(["day": day.description, "status": "confirmed"]) }

  init(_ fields: FormFields) {
    texts = FormTexts(fields, lines: Self.lines, paragraphs: Self.paragraphs)
  }

  init(_ entry: MeetingEntry) {
    let activity = entry.activity
    func clock(_ instant: Instant?) -> String {
      entry.meeting.isAllDay
        ? "" : instant.map { activity.zone.wallTime(at: $0).clockText } ?? ""
    }
    texts = FormTexts(
      [
        "title": activity.text, "day": activity.dayKey.description,
        "length": entry.meeting.isAllDay ? "allDay" : "", "start": clock(activity.startAt),
        "end": clock(activity.endAt), "timeZone": activity.timeZone,
        "location": activity.locationLabel ?? "", "tags": activity.tags.joined(separator: ", "),
        "status": entry.meeting.status.rawValue,
        "attendees": entry.meeting.attendances.map(AttendeeLine.write).joined(separator: "\n"),
        "purpose": entry.meeting.purpose ?? "", "description": activity.description ?? "",
      ], version: EntityTag.text(entry.updatedAt))
  }

  /// Returns the typed attendees, which may not be linked yet.
  ///
  /// - Parameter known: the attendees so far; the line of one of them isn’t split, even if the name
  ///   contains a semicolon.
  /// - Returns: the attendees in order.
  func attendees(known: [Attendance] = []) -> [Attendance] {
    let whole = Set(known.map(AttendeeLine.write))
    return texts["attendees"].split(whereSeparator: \.isNewline).flatMap { line -> [Substring] in
      whole.contains(String(line)) ? [line] : line.split(separator: ";")
    }.compactMap { AttendeeLine.read(String($0)) }
  }

  /// Applies the typed values to a meeting; unchanged fields keep their full precision.
  ///
  /// - Parameters:
  ///   - entry: the meeting to change.
  ///   - typed: the attendees, linked to people if known.
  /// - Throws: `FieldError` with the name of the form's field.
  func apply(to entry: inout MeetingEntry, attendees typed: [Attendance]) throws(FieldError) {
    let shown = MeetingForm(entry).texts
    if !texts.isUntouched("title", shown) { entry.activity.text = texts["title"] }
    guard texts.optional("title") != nil else {
      throw FieldError("title", "is empty. Enter a name")
    }
    try applyTimes(to: &entry, shown)
    if !texts.isUntouched("location", shown) {
      entry.activity.locationLabel = texts.optional("location")
    }
    if !texts.isUntouched("tags", shown) {
      entry.activity.tags = Tag.names(texts.list("tags", known: entry.activity.tags))
    }
    let status = texts["status"]
    if !status.isEmpty { entry.meeting.status = MeetingStatus(rawValue: status) }
    entry.meeting.purpose = texts.text("purpose", unless: shown, entry.meeting.purpose)
    entry.activity.description = texts.text(
      "description", unless: shown, entry.activity.description)
    if texts["attendees"] != shown["attendees"] {
      // Existing attendees keep their roles and replies.
      let known = entry.meeting.attendances
      for one in typed { try MeetingArguments.check(one, known, at: "attendees") }
      var left = known
      let attendees = typed.map { one in
        left.takeFirst(like: one) ?? known.first(like: one) ?? one
      }
      entry.setAttendees(attendees)
    }
    do throws(FieldError) { try MeetingArguments.validate(entry) } catch {
      throw FieldError(Self.input(of: error.field), error.problem)
    }
  }

  private func applyTimes(
    to entry: inout MeetingEntry, _ shown: FormTexts
  ) throws(FieldError) {
    // In the former zone.
    let daysToEnd = entry.activity.daysToEnd
    if !texts["timeZone"].isEmpty, texts["timeZone"] != shown["timeZone"] {
      guard let zone = Zone(texts["timeZone"]) else {
        throw FieldError(
          "timeZone",
          "is \(FieldError.shown(texts["timeZone"])), but must be a time zone such as Europe/Rome")
      }
      entry.setZone(zone)
    }
    guard let day = try texts.day("day") else { throw FieldError("day", "is missing") }
    let isAllDay = texts["length"] == "allDay"
    let wasAllDay = entry.meeting.isAllDay
    entry.meeting.isAllDay = isAllDay
    if isAllDay {
      guard !wasAllDay || day != entry.activity.dayKey else { return }
      if wasAllDay {
        try changeTimes(&entry, day: day, start: nil, end: nil)
      } else {
        entry.activity.dayKey = day
        MeetingArguments.setWholeDay(&entry)
      }
      return
    }
    if wasAllDay { (entry.activity.startAt, entry.activity.endAt) = (nil, nil) }
    let isMoved = texts["timeZone"] != shown["timeZone"] && !texts["timeZone"].isEmpty
    try changeTimes(
      &entry, day: day,
      start: texts["start"] == shown["start"] && !isMoved ? nil : texts["start"],
      end: texts["end"] == shown["end"] && !isMoved ? nil : texts["end"], isInNewZone: isMoved,
      daysToEnd: wasAllDay ? 0 : daysToEnd)
  }

  private func changeTimes(
    _ entry: inout MeetingEntry, day: DayKey, start: String?, end: String?,
    isInNewZone: Bool = false, daysToEnd: Int? = nil
  ) throws(FieldError) {
    do throws(FieldError) {
      try ActivityTimes.change(
        &entry.activity, day: day, start: start, end: end, isInNewZone: isInNewZone,
        daysToEnd: daysToEnd)
    } catch {
      throw FieldError(Self.input(of: error.field), error.problem)
    }
  }

  /// Returns the input of a meeting's field.
  private static func input(of field: String) -> String {
    switch field {
    case "startAt", "startDate": "start"
    case "endAt", "endDate": "end"
    case "dayKey": "day"
    default: field.hasPrefix("attendees") ? "attendees" : field
    }
  }

  static let rows: [[FormField]] = [
    [FormField("title", "What is it about?", noun: "The title", isRequired: true)],
    [
      FormField("day", "Day", .day, isRequired: true),
      FormField("start", "From", hint: "For example, 14:30", isOptional: true),
      FormField("end", "To", isOptional: true),
    ],
    [
      FormField(
        "attendees", "Attendees", .paragraphs,
        hint: "One per line: a name, an email address, or Priya Nair <priya@example.org>",
        noun: "Attendees", isOptional: true)
    ],
    [FormField("location", "Place", isOptional: true)],
    [FormField("purpose", "What’s it for?", .markdown, noun: "The purpose", isOptional: true)],
  ]

  static let laterRows: [[FormField]] = [
    [
      FormField(
        "length", "Length", .choice([("", "As entered in “From” and “To”"), ("allDay", "All day")])),
      FormField(
        "status", "Status",
        .choice([
          ("confirmed", "Confirmed"), ("tentative", "Tentative"), ("cancelled", "Cancelled"),
        ])),
    ],
    [
      FormField("tags", "Tags", hint: "Separated by commas", isOptional: true),
      FormField("timeZone", "Time zone", hint: "For example, Europe/Rome", isOptional: true),
    ],
    [FormField("description", "Description", .paragraphs, isOptional: true)],
  ]

  func context() -> [String: Any] {
    var context = texts.context(Self.rows + Self.laterRows)
    context["rows"] = texts.context(Self.rows)["rows"]
    context["laterFields"] = ["rows": texts.context(Self.laterRows)["rows"] ?? []]
    context["isLaterOpen"] = Self.laterRows.joined().contains { $0.name == texts.error?.field }
    return context
  }
}

/// The texts the owner writes on a meeting's page: purpose, outcomes, summary.
struct MeetingTextForm: Sendable {
  var texts: FormTexts

  static let names = ["purpose", "outcomes", "summary"]

  init(_ fields: FormFields) { texts = FormTexts(fields, lines: [], paragraphs: Self.names) }

  init(_ entry: MeetingEntry) {
    texts = FormTexts(
      [
        "purpose": entry.meeting.purpose ?? "", "outcomes": entry.meeting.outcomes ?? "",
        "summary": entry.meeting.summary ?? "",
      ], version: EntityTag.text(entry.updatedAt))
  }

  func apply(to entry: inout MeetingEntry) throws(FieldError) {
    let shown = MeetingTextForm(entry).texts
    entry.meeting.purpose = texts.text("purpose", unless: shown, entry.meeting.purpose)
    entry.meeting.outcomes = texts.text("outcomes", unless: shown, entry.meeting.outcomes)
    entry.meeting.summary = texts.text("summary", unless: shown, entry.meeting.summary)
    try MeetingArguments.validate(entry)
  }

  static let rows: [[FormField]] = [
    [FormField("purpose", "Purpose", .markdown, hint: "What it’s for", isOptional: true)],
    [
      FormField(
        "outcomes", "Outcomes", .markdown, hint: "What was decided, one decision per line",
        isOptional: true)
    ],
    [FormField("summary", "Summary", .markdown, isOptional: true)],
  ]

  func context() -> [String: Any] { texts.context(Self.rows) }
}
