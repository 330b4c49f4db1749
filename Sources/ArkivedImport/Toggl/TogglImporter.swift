import ArkivedCore
import Foundation

/// Imports the time entries of Toggl Track: the CSV of its detailed report, and the CSV of its data
/// export.
///
/// Each entry becomes an activity. The columns are those that Toggl's help lists for both (`User,
/// Email, Client, Project, Task, Description, Billable, Start date, Start time, End date, End time,
/// Duration, Tags`) in any order; all may be missing but the date, the time, a duration or end, and
/// one of the first four. Newer reports call the end `Stop date` and `Stop time`.
/// Times have no zone and are read in the home zone.
package struct TogglImporter: Importer {
  package let format = "toggl"

  package init() {}

  private static let columns: Set<String> = [
    "user", "email", "client", "project", "task", "description", "billable", "start date",
    "start time", "end date", "end time", "stop date", "stop time", "duration", "tags", "member",
  ]

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let columns = CSVTable.columns(ofHead: head)
    return columns.isSuperset(of: ["start date", "start time"])
      && !columns.isDisjoint(with: ["duration", "end time"])
      // Calendars of Outlook and Google have the same columns of time.
      && !columns.isDisjoint(with: ["user", "email", "member", "client", "project"])
      && columns.isDisjoint(with: ["subject", "all day event"])
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  /// If nothing else determines the order of dates, the locale does.
  package var settings: String { "\(DateOrder.inProcess)" }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var survey = TogglSurvey()
    var table = try CSVTable(file)
    try table.refuseEmpty()
    try table.forEach(into: SilentSink()) { survey.take($0) }
    let order = survey.order ?? .inProcess
    if survey.isOpen, survey.order == nil {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "the file doesn’t show whether its dates start with the day or the month. They "
            + "were read with the \(order == .dayFirst ? "day" : "month") first. If that’s wrong, "
            + "undo this import and export again with dates as YYYY-MM-DD"))
    }
    if survey.users.count > 1 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message:
            "the file contains time entries from \(survey.users.count) people, and all of them were "
            + "imported. To import only yours, undo this import and filter the report by your name")
      )
    }
    var entries = TogglEntries(file: file, context: context, order: order)
    var again = try CSVTable(file)
    again.tellUnread(into: sink) { Self.columns.contains($0) || $0.hasPrefix("amount") }
    try again.forEach(into: sink) { try entries.take($0, into: sink) }
  }
}

/// The facts about all rows that are needed before the first can be read.
private struct TogglSurvey {
  private(set) var users: Set<String> = []
  /// The order of days and months, if a date shows it.
  private(set) var order: DateOrder?
  /// True if some date would be another day in the other order.
  private(set) var isOpen = false

  mutating func take(_ row: CSVTable.Row) {
    if let user = row.value("email") ?? row.value("user") ?? row.value("member") {
      users.insert(user)
    }
    for column in ["start date", "end date", "stop date"] {
      guard let date = row.value(column) else { continue }
      order = order ?? TableTimes.order(toldBy: date)
      isOpen = isOpen || TableTimes.isOpen(date)
    }
  }
}

/// Converts rows to activities.
private struct TogglEntries {
  let file: ImportFile
  let context: ImportContext
  let order: DateOrder
  private var identity = TableIdentity()

  init(file: ImportFile, context: ImportContext, order: DateOrder) {
    self.file = file
    self.context = context
    self.order = order
  }

  mutating func take(_ row: CSVTable.Row, into sink: any ImportSink) throws {
    let place = "\(file.name):\(row.line)"
    func skip(_ column: String, _ message: String) {
      sink.diagnose(
        Diagnostic(.skipped, place: "\(place) field “\(column)”", message: "skipped: \(message)"))
    }
    guard let date = row.value("start date"), let day = TableTimes.day(date, order: order) else {
      return skip(
        "Start date", "“\(row.value("start date") ?? "")” isn’t a valid date (such as 2023-05-21)")
    }
    guard let clock = row.value("start time"), let second = TableTimes.secondOfDay(clock) else {
      return skip(
        "Start time", "“\(row.value("start time") ?? "")” isn’t a valid time (such as 14:58:00)")
    }
    let zone = context.homeZone
    let wall = WallTime(day: day, secondOfDay: second)
    let start = zone.instant(of: wall)
    let end = self.end(of: row, from: start)
    if end == nil {
      sink.diagnose(
        Diagnostic(
          .note, place: place,
          message: "no duration or end could be read, so only the start was imported"))
    }
    let project = row.value("project")
    var activity = Activity(
      id: context.identities.next(), dayKey: day, startAt: start, endAt: end,
      timeZone: zone.identifier, kind: .work,
      text: row.value("description") ?? row.value("task") ?? project
        ?? "Time without a description",
      description: details(row), source: .togglImport,
      tags: ImportedTags.valid(tags(row, project), at: place, sink),
      createdAt: context.now, updatedAt: context.now)
    // The words may be corrected later, so the time and the project identify the entry.
    activity.externalRefs = [
      ExternalRef(
        provider: "toggl",
        externalID: identity.name("\(day)T\(Self.clock(clock, second))", row.value("email") ?? ""),
        fetchedAt: context.now, contentHash: TableIdentity.hash(content(of: activity)))
    ]
    try sink.take(ImportedRecord(.activity(activity), place: place, linksPeople: false))
  }

  /// Returns a clock time in 24-hour form, with seconds if there are any.
  private static func clock(_ text: String, _ second: Int) -> String {
    func pair(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(pair(second / 3600)):\(pair(second / 60 % 60))"
    return text.count { $0 == ":" } > 1 ? "\(clock):\(pair(second % 60))" : clock
  }

  /// Returns the end from the duration, because an end by the clock is wrong if clocks changed in
  /// between.
  private func end(of row: CSVTable.Row, from start: Instant) -> Instant? {
    if let length = row.value("duration").flatMap({ TableTimes.length($0) }) {
      return start.adding(seconds: length)
    }
    let (date, time) = (
      row.value("end date") ?? row.value("stop date"),
      row.value("end time") ?? row.value("stop time")
    )
    guard let day = date.flatMap({ TableTimes.day($0, order: order) }),
      let second = time.flatMap(TableTimes.secondOfDay)
    else { return nil }
    let end = context.homeZone.instant(of: WallTime(day: day, secondOfDay: second))
    return end < start ? nil : end
  }

  private func details(_ row: CSVTable.Row) -> String? {
    var parts: [String] = []
    if let client = row.value("client") { parts.append("Client: \(client)") }
    // The project is a tag unless its name is too long for one.
    if row.value("description") ?? row.value("task") != nil, let project = row.value("project"),
      (try? Tag.validate(name: project)) == nil
    {
      parts.append("Project: \(project)")
    }
    if row.value("description") != nil, let task = row.value("task") {
      parts.append("Task: \(task)")
    }
    if row.value("billable")?.lowercased() == "yes" { parts.append("Billable") }
    // The currency is in the column's name, `Amount (EUR)`, or `Amount ()` without one.
    for name in row.names(beginning: "amount") {
      guard let amount = row.value(name) else { continue }
      let currency = name.split { "()".contains($0) }.dropFirst().first ?? ""
      parts.append("Amount: \(amount)\(currency.isEmpty ? "" : " \(currency.uppercased())")")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private func tags(_ row: CSVTable.Row, _ project: String?) -> [String] {
    let tags = (row.value("tags") ?? "").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    var seen: Set<String> = []
    return ([project].compactMap { $0 } + tags).filter {
      !$0.isEmpty && seen.insert(NameFolding.key($0)).inserted
    }
  }

  /// Returns the table's contents, excluding the time in the current home zone, so changing the
  /// home zone doesn't move any entries.
  private func content(of activity: Activity) -> String {
    let length = activity.startAt.flatMap { start in
      activity.endAt.map { "\(start.seconds(to: $0))" }
    }
    return [
      activity.text, length ?? "", activity.description ?? "",
      activity.tags.joined(separator: "\n"),
    ].joined(separator: "\u{1F}")
  }
}
