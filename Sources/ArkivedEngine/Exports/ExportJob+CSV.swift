package import ArkivedCore
import ArkivedStore
package import Foundation

/// Export as a folder of tables for spreadsheets.
extension ExportJob {
  /// Writes `activities.csv`, `days.csv`, `measurements.csv`, `metrics.csv`, `meetings.csv`,
  /// `notes.csv`, `people.csv` and `goals.csv`.
  ///
  /// Times are local to the place of the event.
  ///
  /// - Parameters:
  ///   - span: the days.
  ///   - folder: the folder.
  ///   - isExact: true to write text unchanged, even if a spreadsheet would read it as a formula;
  ///     otherwise an apostrophe is put in front of such text.
  /// - Returns: a summary of the export.
  /// - Throws: an error if it can't be written.
  package func writeCSV(
    of span: DayFilter = DayFilter(), to folder: URL, isExact: Bool = false
  ) throws -> Summary {
    try claim(folder)
    let tables = Tables(folder: folder, text: SpreadsheetText(isExact: isExact))
    var summary = Summary()
    try tables.write("activities", Tables.activities) { activity in
      try tables.write("days", Tables.days) { note in
        try tables.write("measurements", Tables.measurements) { measurement in
          try tables.write("metrics", Tables.metrics) { metric in
            try forEachDay(of: span) { day in
              if let entry = day.entry {
                try note(Tables.row(entry))
                summary.entries += 1
              }
              for one in day.activities {
                try activity(Tables.row(one))
                for row in Tables.measurementRows(one) { try measurement(row) }
                summary.entries += 1
              }
              for one in day.metrics { try metric(Tables.row(one)) }
            }
          }
        }
      }
    }
    try tables.write("meetings", Tables.meetings) { row in
      try forEachMeeting(of: span) { try row(Tables.row($0)) }
    }
    try tables.write("notes", Tables.notes) { row in
      try forEachNote(of: span) { try row(Tables.row($0)) }
    }
    try tables.write("people", Tables.people) { row in
      for person in try archive.people() { try row(Tables.row(person)) }
    }
    try tables.write("goals", Tables.goals) { row in
      for goal in try archive.goals() { try row(Tables.row(goal)) }
    }
    summary.files = 8
    try stamp(folder)
    return summary
  }

  private func forEachMeeting(of span: DayFilter, _ body: (MeetingEntry) throws -> Void) throws {
    var filter = MeetingFilter()
    filter.from = span.from
    filter.to = span.to
    filter.order = .oldest
    filter.limit = partSize
    try forEachPart(
      { offset in
        filter.offset = offset
        return try archive.meetings(filter).map { ($0.id, $0) }
      }, body)
  }
}

/// The columns and cells of the tables.
private struct Tables {
  typealias Cell = SpreadsheetText.Cell

  let folder: URL
  let text: SpreadsheetText

  func write(
    _ name: String, _ head: [String], _ body: (_ row: ([Cell]) throws -> Void) throws -> Void
  ) throws {
    try ExportJob.writeText(to: folder.appendingPathComponent("\(name).csv")) { put in
      try withoutActuallyEscaping(put) { put in
        try put(text.row(head.map { .plain($0) }))
        try body { try put(text.row($0)) }
      }
    }
  }

  static let activities = [
    "id", "day", "start", "end", "timeZone", "kind", "text", "tags", "people", "minutes",
    "measurements", "location", "lat", "lon", "description", "notes", "weather", "source",
    "isPinned",
  ]

  static func row(_ activity: Activity) -> [Cell] {
    [
      .plain(activity.id.uuidString), .plain(activity.dayKey.description),
      // An activity without a time begins on its day, so every row can be sorted and read back.
      .plain(wall(activity.clockStart, activity.zone) ?? activity.dayKey.description),
      .plain(wall(activity.endAt, activity.zone)), .text(activity.timeZone),
      .text(activity.kind.rawValue), .text(activity.text),
      .text(activity.tags.joined(separator: ", ")), .text(names(activity.people)),
      .plain(activity.duration.map(AmountText.plain)),
      .text(MeasureText.write(activity.measurements)), .text(activity.locationLabel),
      .amount(activity.lat), .amount(activity.lon), .text(activity.description),
      .text(activity.notes), .text(activity.weather?.text), .text(activity.source.rawValue),
      .plain(activity.isPinned ? "true" : "false"),
    ]
  }

  static let days = ["id", "day", "title", "note", "mood", "energy", "people", "weather"]

  static func row(_ entry: DayEntry) -> [Cell] {
    [
      .plain(entry.id.uuidString), .plain(entry.dayKey.description), .text(entry.title),
      .text(entry.note), .count(entry.mood), .count(entry.energy), .text(names(entry.people)),
      .text(entry.weather?.text),
    ]
  }

  static let measurements = ["activityId", "day", "text", "amount", "unit"]

  static func measurementRows(_ activity: Activity) -> [[Cell]] {
    activity.measurements.sorted { $0.key < $1.key }.map { unit, amount in
      [
        .plain(activity.id.uuidString), .plain(activity.dayKey.description),
        .text(activity.text), .amount(amount), .text(unit),
      ]
    }
  }

  static let metrics = ["day", "metric", "value", "unit", "minimum", "maximum", "source"]

  static func row(_ metric: DayMetric) -> [Cell] {
    [
      .plain(metric.dayKey.description), .text(metric.metric), .amount(metric.value),
      .text(metric.unit), .amount(metric.minimum), .amount(metric.maximum), .text(metric.source),
    ]
  }

  static let meetings = [
    "id", "day", "start", "end", "timeZone", "title", "location", "organizer", "attendees",
    "status", "purpose", "outcomes", "summary", "tags",
  ]

  static func row(_ entry: MeetingEntry) -> [Cell] {
    let (meeting, activity) = (entry.meeting, entry.activity)
    return [
      .plain(meeting.id.uuidString), .plain(activity.dayKey.description),
      .plain(wall(activity.startAt, activity.zone)), .plain(wall(activity.endAt, activity.zone)),
      .text(activity.timeZone), .text(entry.title), .text(activity.locationLabel),
      .text(meeting.organizer), .text(meeting.attendances.map(\.name).joined(separator: ", ")),
      .text(meeting.isEventDeleted ? "dropped" : meeting.status.rawValue), .text(meeting.purpose),
      .text(meeting.outcomes), .text(meeting.summary),
      .text(activity.tags.joined(separator: ", ")),
    ]
  }

  static let notes = ["id", "day", "meetingId", "title", "text", "tags", "people"]

  static func row(_ note: Note) -> [Cell] {
    [
      .plain(note.id.uuidString), .plain(note.dayKey?.description),
      .plain(note.meetingID?.uuidString), .text(note.title), .text(note.text),
      .text(note.tags.joined(separator: ", ")), .text(names(note.people)),
    ]
  }

  static let people = ["id", "name", "email", "furtherAddresses", "aliases", "about"]

  static func row(_ person: Person) -> [Cell] {
    [
      .plain(person.id.uuidString), .text(person.name), .text(person.email),
      .text(person.furtherAddresses.joined(separator: ", ")),
      .text(person.aliases.joined(separator: ", ")), .text(person.relationshipSummary),
    ]
  }

  static let goals = [
    "id", "title", "type", "unit", "target", "startDate", "targetDate", "description", "notes",
    "relevance", "actionability",
  ]

  static func row(_ goal: Goal) -> [Cell] {
    [
      .plain(goal.id.uuidString), .text(goal.title), .text(goal.goalType.rawValue),
      .text(goal.measurementUnit), .amount(goal.measurementTarget),
      .plain(goal.startDate?.description), .plain(goal.targetDate?.description),
      .text(goal.description), .text(goal.notes), .text(goal.howGoalIsRelevant),
      .text(goal.howGoalIsActionable),
    ]
  }

  private static func names(_ people: [Mention]) -> String {
    people.map(\.name).joined(separator: ", ")
  }

  private static func wall(_ instant: Instant?, _ zone: Zone) -> String? {
    instant.map { zone.wallTime(at: $0).description }
  }
}
