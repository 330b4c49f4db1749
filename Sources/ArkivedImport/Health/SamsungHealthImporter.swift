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
    setSport(of: &workout, record, entries)
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

  /// Samsung's predefined types of exercise, as the SDK of Samsung Health lists them.
  private static let sports: [String: String] = [
    "1001": "walking", "1002": "running", "2001": "baseball", "2002": "softball",
    "2003": "cricket", "3001": "golf", "3002": "billiards", "3003": "bowling", "4001": "hockey",
    "4002": "rugby", "4003": "basketball", "4004": "football", "4005": "handball",
    "4006": "american football", "5001": "volleyball", "5002": "beach volleyball",
    "6001": "squash", "6002": "tennis", "6003": "badminton", "6004": "table tennis",
    "6005": "racquetball", "7001": "t’ai chi", "7002": "boxing", "7003": "martial arts",
    "8001": "ballet", "8002": "dancing", "8003": "ballroom dancing", "9001": "pilates",
    "9002": "yoga", "10001": "stretching", "10002": "jump rope", "10003": "hula-hooping",
    "10004": "push-ups", "10005": "pull-ups", "10006": "sit-ups", "10007": "circuit training",
    "10008": "mountain climbers", "10009": "jumping jacks", "10010": "burpees",
    "10011": "bench press", "10012": "squats", "10013": "lunges", "10014": "leg presses",
    "10015": "leg extensions", "10016": "leg curls", "10017": "back extensions",
    "10018": "lat pull-downs", "10019": "deadlifts", "10020": "shoulder presses",
    "10021": "front raises", "10022": "lateral raises", "10023": "crunches", "10024": "leg raises",
    "10025": "plank", "10026": "arm curls", "10027": "arm extensions", "11001": "inline skating",
    "11002": "hang gliding", "11003": "pistol shooting", "11004": "archery",
    "11005": "horseback riding", "11007": "cycling", "11008": "flying disc",
    "11009": "roller skating", "12001": "aerobics", "13001": "hiking", "13002": "rock climbing",
    "13003": "backpacking", "13004": "mountain biking", "13005": "orienteering",
    "14001": "swimming", "14002": "aquarobics", "14003": "canoeing", "14004": "sailing",
    "14005": "scuba diving", "14006": "snorkelling", "14007": "kayaking", "14008": "kitesurfing",
    "14009": "rafting", "14010": "rowing", "14011": "windsurfing", "14012": "yachting",
    "14013": "water skiing", "15001": "step machine", "15002": "weight machine",
    "15003": "indoor cycling", "15004": "indoor rowing", "15005": "treadmill",
    "15006": "elliptical", "16001": "cross country skiing", "16002": "skiing",
    "16003": "ice dancing", "16004": "ice skating", "16006": "ice hockey", "16007": "snowboarding",
    "16008": "alpine skiing", "16009": "snowshoeing",
  ]

  /// Sets the sport; a number that isn't in the list is kept and reported.
  private static func setSport(
    of workout: inout RecordedActivity, _ record: Record, _ entries: ServiceEntries
  ) {
    let type = record.text("exercise_type") ?? ""
    if let sport = sports[type] {
      workout.sport = sport
    } else if Int(type) == nil {
      workout.sport = type
    } else if Int(type) == 0 {
      // An exercise with a type of its own: `com.company.exercise.name`.
      let custom = record.text("exercise_custom_type") ?? ""
      workout.sport = custom.split(separator: ".").last.map(String.init) ?? ""
    } else {
      workout.kind = "exercise type \(type)"
      guard entries.context.notes.isFirst("samsung exercise type \(type)") else { return }
      entries.sink.diagnose(
        Diagnostic(
          .note, place: "\(record.place) field “exercise_type”",
          message: "the exercise type \(type) is unknown, so its number was kept"))
    }
  }

  private static func takeSleep(_ record: Record, _ entries: inout ServiceEntries) throws {
    guard let start = record.time("start_time"), let end = record.time("end_time") else {
      return entries.skip("\(record.place) field “start_time”", "it isn’t a valid time")
    }
    guard let id = record.text("datauuid") else {
      return entries.skip("\(record.place) field “datauuid”", "the sleep record has no ID")
    }
    let asleep = record.number("sleep_duration")
      .flatMap { (1...1e7).contains($0) ? Int(($0 * 60).rounded()) : nil }
    try entries.take(
      ServiceEntries.Night(
        id: id, start: start, end: end,
        zone: PlaceTime(end, knownOffset: record.offset, home: entries.context.zones).zone,
        day: record.day(end), asleep: asleep), at: record.place)
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
