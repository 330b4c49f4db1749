import ArkivedCore
import Foundation

/// Imports Samsung Health's "Download personal data": a folder of tables whose first line gives the
/// kind of records and whose second line gives the column names.
///
/// Source of the format: descriptions of the files in the folder. Columns of older kinds are
/// prefixed with the kind's name (`com.samsung.health.exercise.start_time`). Times are in UTC, and
/// `time_offset` gives the local time.
package struct SamsungHealthImporter: Importer {
  package let format = "samsunghealth"
  static let provider = "samsunghealth"

  package init() {}

  /// The kinds of records that are read, by the name in the first line.
  private enum Kind: String {
    case exercise = "com.samsung.shealth.exercise"
    case sleep = "com.samsung.shealth.sleep"
    case plainSleep = "com.samsung.health.sleep"
    case weight = "com.samsung.health.weight"
    case steps = "com.samsung.shealth.step_daily_trend"
    case pressure = "com.samsung.shealth.blood_pressure"
    case plainPressure = "com.samsung.health.blood_pressure"
  }

  package func recognises(head: [UInt8], fileName: String) -> Bool { Self.name(head) != nil }

  /// Returns the name of the kind in the first line.
  private static func name(_ head: [UInt8]) -> String? {
    let line = HeadText.of(head).prefix { !$0.isNewline }
    let cells = line.split(separator: ",", omittingEmptySubsequences: false)
    guard (2...4).contains(cells.count), cells[0].hasPrefix("com.samsung."),
      cells.dropFirst().allSatisfy({ $0.allSatisfy(\.isNumber) })
    else { return nil }
    return String(cells[0])
  }

  /// Everything else in the folder belongs to the same export.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    return (1...4).contains { up in
      parts.count > up && ["jsons", "files"].contains(parts[parts.count - 1 - up])
        && folders.contains(parts.dropLast(up + 1).map { $0 + "/" }.joined())
    }
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let name = Self.name(try ZipMembers.head(of: file, count: 4_096)) ?? ""
    guard let kind = Kind(rawValue: name) else {
      return sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message: "skipped: records of type \(FieldError.shown(name)) aren’t imported"))
    }
    var table = try CSVTable(file, skipsFirstLine: true)
    try table.refuseEmpty()
    var entries = ServiceEntries(
      context: context, provider: Self.provider, service: "Samsung Health", sink: sink)
    var days = DayCounts()
    try table.forEach(into: sink) { row in
      let record = Record(row: row, place: "\(file.name):\(row.line)", home: context.homeZone)
      switch kind {
      case .exercise: try Self.takeExercise(record, &entries)
      case .sleep, .plainSleep: try Self.takeSleep(record, &entries)
      case .weight: try Self.takeWeight(record, &entries)
      case .steps: Self.takeSteps(record, &days, entries)
      case .pressure, .plainPressure: try Self.takePressure(record, &entries)
      }
    }
    for (day, steps) in days.most.sorted(by: { $0.key < $1.key }) {
      entries.number("steps", steps, on: day, at: file.name)
    }
    try entries.finish(file)
  }

  /// The largest number for each day, because one of the rows contains the sum of all devices.
  private struct DayCounts {
    var most: [DayKey: Double] = [:]
  }

  /// A row whose columns are found with or without the kind's name as a prefix.
  private struct Record {
    let row: CSVTable.Row
    let place: String
    let home: Zone

    func text(_ name: String) -> String? {
      if let value = row.value(name) { return value }
      return row.names(ending: ".\(name)").lazy.compactMap { row.value($0) }.first
    }

    func number(_ name: String) -> Double? {
      text(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }

    var offset: Int? { ServiceValue.offset(text("time_offset")) }

    func time(_ name: String) -> Instant? {
      guard let text = text(name) else { return nil }
      if let milliseconds = Int64(text) { return JournalEntry.instant(milliseconds: milliseconds) }
      return ServiceValue.utc(text)
    }

    /// Returns the local day.
    func day(_ instant: Instant) -> DayKey {
      guard let offset else { return home.dayKey(at: instant) }
      return Zone.utc.dayKey(at: instant.adding(seconds: offset))
    }
  }

  // MARK: Records

  private static func takeExercise(_ record: Record, _ entries: inout ServiceEntries) throws {
    guard let start = record.time("start_time") else {
      return entries.skip("\(record.place) field “start_time”", "it isn’t a valid time")
    }
    guard let id = record.text("datauuid") else {
      return entries.skip("\(record.place) field “datauuid”", "the exercise has no ID")
    }
    var workout = RecordedActivity(start: start, place: record.place)
    let type = record.text("exercise_type") ?? ""
    workout.sport = sports[type] ?? (Int(type) == nil ? type : "")
    workout.name = record.text("title")
    workout.notes = record.text("comment")
    workout.offset = record.offset
    workout.end = record.time("end_time")
    workout.seconds = record.number("duration").map { $0 / 1_000 }
    if workout.end == nil, let seconds = workout.seconds, (0...1e7).contains(seconds) {
      workout.end = start.adding(seconds: Int(seconds))
    }
    workout.metres = record.number("distance").flatMap { $0 > 0 ? $0 : nil }
    workout.kilocalories = record.number("calorie") ?? record.number("total_calorie")
    workout.heartMean = record.number("mean_heart_rate")
    workout.heartMost = record.number("max_heart_rate")
    workout.ascent = record.number("altitude_gain")
    try entries.take(workout, id: "exercise/\(id)")
  }

  /// Samsung's numbers of common kinds of exercise.
  private static let sports: [String: String] = [
    "1001": "walking", "1002": "running", "2001": "baseball", "3001": "golf", "4003": "football",
    "4004": "basketball", "5001": "volleyball", "6001": "tennis", "6002": "badminton",
    "6003": "table tennis", "7002": "boxing", "8002": "dancing", "9001": "pilates",
    "9002": "yoga", "10001": "stretching", "10007": "strength training", "11001": "skating",
    "11007": "cycling", "13001": "hiking", "13002": "climbing", "13004": "cycling",
    "14001": "swimming", "15002": "strength training", "15003": "indoor cycling",
    "15004": "rowing", "15005": "treadmill running", "15006": "elliptical", "16001": "skiing",
    "16008": "snowboarding",
  ]

  private static func takeSleep(_ record: Record, _ entries: inout ServiceEntries) throws {
    guard let start = record.time("start_time"), let end = record.time("end_time") else {
      return entries.skip("\(record.place) field “start_time”", "it isn’t a valid time")
    }
    guard let id = record.text("datauuid") else {
      return entries.skip("\(record.place) field “datauuid”", "the sleep has no ID")
    }
    let asleep = record.number("sleep_duration")
      .flatMap { (1...1e7).contains($0) ? Int(($0 * 60).rounded()) : nil }
    try entries.take(
      ServiceEntries.Night(
        id: id, start: start, end: end, zone: entries.context.homeZone, day: record.day(end),
        asleep: asleep), at: record.place)
  }

  private static func takeWeight(_ record: Record, _ entries: inout ServiceEntries) throws {
    guard let time = record.time("start_time") ?? record.time("create_time") else {
      return entries.skip("\(record.place) field “start_time”", "it isn’t a valid time")
    }
    let day = record.day(time)
    entries.number(
      "weight", record.number("weight"), on: day, time: time, at: record.place)
    entries.number(
      "bodyFat", record.number("body_fat"), on: day, time: time, at: record.place)
  }

  private static func takePressure(_ record: Record, _ entries: inout ServiceEntries) throws {
    guard let time = record.time("start_time") else {
      return entries.skip("\(record.place) field “start_time”", "it isn’t a valid time")
    }
    let day = record.day(time)
    entries.number(
      "bloodPressureSystolic", record.number("systolic"), on: day, at: record.place)
    entries.number(
      "bloodPressureDiastolic", record.number("diastolic"), on: day, at: record.place)
  }

  private static func takeSteps(
    _ record: Record, _ days: inout DayCounts, _ entries: ServiceEntries
  ) {
    // The day is given as midnight UTC of its date.
    guard let time = record.time("day_time"), let count = record.number("count") else {
      return entries.skip("\(record.place) field “day_time”", "it isn’t a valid time")
    }
    let day = Zone.utc.dayKey(at: time)
    days.most[day] = max(days.most[day] ?? 0, count)
  }
}
