import ArkivedCore
import Foundation

/// Imports Google Fit from Takeout: the days of `Daily activity metrics.csv` and the sessions of
/// `All Sessions`.
///
/// The table of each single day (`2020-05-03.csv`, one row per quarter of an hour) contains the
/// same data as the daily table and is ignored. Distances are in metres, and times in UTC; the local
/// offset is in the name of a session. A session gets the route of its recording in `Activities`
/// (`GoogleFitRecordings`).
package struct GoogleFitImporter: Importer {
  package let format = "googlefit"
  static let provider = "googlefit"

  package init() {}

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    if Self.isDaily(CSVTable.columns(ofHead: head)) { return true }
    let keys = JSONHead(head)
    return !keys.isList && keys.has(["fitnessActivity", "startTime", "endTime"])
  }

  /// The columns that are read.
  private static let known: Set<String> = [
    "date", "step count", "move minutes count", "distance (m)", "average heart rate (bpm)",
    "min heart rate (bpm)", "max heart rate (bpm)", "average weight (kg)",
  ]

  private static func isDaily(_ columns: Set<String>) -> Bool {
    columns.contains("date") && !columns.contains("start time")
      && columns.contains("move minutes count")
  }

  /// The tables of single days, next to the daily one, and the recordings of sessions.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    if GoogleFitRecordings.areBeside(name, folders) { return true }
    let last = name.split(separator: "/").last.map(String.init) ?? ""
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
    return folders.contains(folder) && last.hasSuffix(".csv")
      && DayKey(String(last.dropLast(4))) != nil
  }

  /// Returns nil, because recordings are in other folders.
  package func surroundings(of file: ImportFile) -> [String]? { nil }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var entries = ServiceEntries(
      context: context, provider: Self.provider, service: "Google Fit", sink: sink)
    let head = try ZipMembers.head(of: file, count: 4_096)
    if Self.isDaily(CSVTable.columns(ofHead: head)) {
      try readDays(file, &entries, sink)
    } else {
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        try Self.takeSession(json, place, file, &entries)
      }
    }
    try GoogleFitRecordings(file: file, context: context).takeRest(into: sink)
    try entries.finish(file)
  }

  private func readDays(
    _ file: ImportFile, _ entries: inout ServiceEntries, _ sink: any ImportSink
  ) throws {
    var table = try CSVTable(file)
    try table.refuseEmpty()
    let header = table.header
    try table.forEach(into: sink) { row in
      entries.leaveRest(of: row, header) { Self.known.contains($0) }
      let place = "\(file.name):\(row.line)"
      guard let day = row.value("date").flatMap({ DayKey($0) }) else {
        return entries.skip("\(place) field “Date”", "it isn’t a valid date")
      }
      func number(_ name: String) -> Double? {
        row.value(name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
      }
      entries.number("steps", number("step count"), on: day, at: place)
      entries.number("activeMinutes", number("move minutes count"), on: day, at: place)
      entries.number(
        "walkingDistance", number("distance (m)").map { $0 / 1_000 }, on: day, at: place)
      entries.number(
        "heartRate", number("average heart rate (bpm)"), on: day,
        low: number("min heart rate (bpm)"), high: number("max heart rate (bpm)"), at: place)
      entries.number("weight", number("average weight (kg)"), on: day, at: place)
    }
  }

  private static func takeSession(
    _ json: JSON, _ place: String, _ file: ImportFile, _ entries: inout ServiceEntries
  ) throws {
    let begin = json["startTime"]?.string
    guard let start = entries.time(begin)?.instant,
      let end = entries.time(json["endTime"]?.string)?.instant
    else { return entries.skip("\(place) field “startTime”", "it isn’t a valid time") }
    let offset =
      begin.flatMap(FeatureTime.offset) ?? GoogleFitRecordings.offset(in: file.name)
    let kind = json["fitnessActivity"]?.string ?? ""
    if kind.hasPrefix("sleep") {
      return try entries.take(
        ServiceEntries.Night(
          id: "\(start)", start: start, end: end,
          zone: PlaceTime(end, knownOffset: offset, home: entries.context.zones).zone), at: place)
    }
    var workout = RecordedActivity(start: start, place: place)
    workout.end = end
    workout.offset = offset
    workout.sport = kind
    workout.name = JournalEntry.words(json["name"])
    workout.seconds = json["duration"]?.string.flatMap { text in
      text.hasSuffix("s") ? Double(text.dropLast()) : nil
    }
    for sum in json["aggregate"]?.array ?? [] {
      let value = ServiceValue.number(sum["floatValue"]) ?? ServiceValue.number(sum["intValue"])
      switch sum["metricName"]?.string {
      case "com.google.distance.delta": workout.metres = value.flatMap { $0 > 0 ? $0 : nil }
      case "com.google.step_count.delta": workout.steps = value
      case "com.google.calories.expended": workout.kilocalories = value
      default: break
      }
    }
    let recording = GoogleFitRecordings(file: file, context: entries.context).ofSession()
    try entries.take(workout, id: "session/\(start)/\(kind.prefix(60))", recording: recording)
  }
}
