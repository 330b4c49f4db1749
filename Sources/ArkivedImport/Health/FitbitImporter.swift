import ArkivedCore
import Foundation

/// Imports Fitbit's account export and Google Takeout's copy of it: JSON lists, one kind per file,
/// with the kind in the file name (`steps-2024-01-01.json`).
///
/// Source of the format: the export's own readme and files that people describe. Steps and heart
/// rates have times in UTC; nights, exercises and weights have local times. A day at the beginning
/// or end of a month is in two files, so all files of a kind are read together. Both exports, or two
/// copies of one, may be in a folder, so each reading counts once.
package struct FitbitImporter: Importer {
  package let format = "fitbit"
  static let provider = "fitbit"
  /// The source of its daily numbers.
  static let service = "Fitbit"

  package init() {}

  private enum Kind: String {
    case steps, heart = "heart_rate", resting = "resting_heart_rate"
    case very = "very_active_minutes", sleep, exercise, weight
  }

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    guard let kind = Self.kind(fileName) else { return Self.isUnread(head, fileName) }
    let keys = JSONHead(head)
    guard keys.isList else { return false }
    switch kind {
    case .steps, .heart, .resting, .very: return keys.has(["dateTime", "value"])
    case .sleep: return keys.has(["logId", "startTime"])
    case .exercise: return keys.has(["logId", "activityName"])
    case .weight: return keys.has(["logId", "weight"])
    }
  }

  /// Returns the kind that a file's name gives: `resting_heart_rate-2024-01-01.json`, `exercise-0.json`.
  private static func kind(_ name: String) -> Kind? {
    let last = name.split(separator: "/").last?.lowercased() ?? ""
    guard last.hasSuffix(".json"), let dash = last.firstIndex(of: "-"),
      last[last.index(after: dash)...].first?.isNumber ?? false
    else { return nil }
    return Kind(rawValue: String(last[..<dash]))
  }

  /// Returns true for the tables of an export, which aren't read.
  private static func isUnread(_ head: [UInt8], _ name: String) -> Bool {
    let parts = name.lowercased().split(separator: "/").map(String.init)
    guard let last = parts.last, last.hasSuffix(".csv"), !CSVTable.columns(ofHead: head).isEmpty
    else { return false }
    let folders: Set<String> = [
      "fitbit", "myfitbitdata", "heart rate variability", "oxygen saturation (spo2)",
      "physical activity_googledata", "health fitness data_googledata", "active zone minutes (azm)",
      "sleep score", "stress score", "daily readiness",
    ]
    let names = [
      "heart rate variability ", "daily heart rate variability ", "minute spo2 -", "daily spo2 -",
      "device temperature -", "computed temperature -", "sleep_score.", "stress score.",
    ]
    return !folders.isDisjoint(with: parts.dropLast()) || names.contains { last.hasPrefix($0) }
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    guard let kind = Self.kind(file.name) else {
      return UnreadTable.tell(file, of: "Fitbit", context, into: sink)
    }
    var entries = ServiceEntries(
      context: context, provider: Self.provider, service: Self.service, sink: sink)
    switch kind {
    case .steps, .heart, .very, .resting:
      // The first file of a kind imports all of them.
      guard context.notes.isFirst("fitbit \(kind.rawValue)") else { return }
      let alike = context.files.filter { Self.kind($0.name) == kind }
      try readDays(kind, alike.isEmpty ? [file] : alike, &entries, sink)
    case .sleep:
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        try Self.takeNight(json, place, &entries)
      }
      try entries.finish(file)
    case .exercise:
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        try Self.takeExercise(json, place, &entries)
      }
      try entries.finish(file)
    case .weight:
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        try Self.takeWeight(json, place, &entries)
      }
      try entries.finish(file)
    }
  }

  // MARK: Days

  private struct Sum {
    var total = 0.0
    var count = 0
    var low = Double.infinity
    var high = -Double.infinity
  }

  /// The seconds of each day that have been read, as bits.
  private struct ReadSeconds {
    private var days: [DayKey: [UInt64]] = [:]

    /// Returns true if this is the first reading of a second.
    mutating func insert(_ time: WallTime) -> Bool {
      let (word, bit) = (time.secondOfDay / 64, UInt64(1) << UInt64(time.secondOfDay % 64))
      guard days[time.day, default: Array(repeating: 0, count: 1_350)][word] & bit == 0 else {
        return false
      }
      days[time.day, default: Array(repeating: 0, count: 1_350)][word] |= bit
      return true
    }
  }

  private func readDays(
    _ kind: Kind, _ files: [ImportFile], _ entries: inout ServiceEntries, _ sink: any ImportSink
  ) throws {
    var days: [DayKey: Sum] = [:]
    var seconds = ReadSeconds()
    let home = entries.context.homeZone
    for file in files {
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        guard let wall = Self.wall(json["dateTime"]?.string) else {
          return entries.skip("\(place) field “dateTime”", "it isn’t a valid time")
        }
        let isUTC = kind == .steps || kind == .heart
        let day = isUTC ? home.dayKey(at: Zone.utc.instant(of: wall)) : wall.day
        let written =
          kind == .heart
          ? json["value"]?["bpm"] : kind == .resting ? json["value"]?["value"] : json["value"]
        // For a day without a resting heart rate, the value is zero.
        guard let value = ServiceValue.number(written), value > 0 || kind == .steps,
          seconds.insert(wall)
        else { return }
        var sum = days[day] ?? Sum()
        sum.total += value
        sum.count += 1
        sum.low = min(sum.low, value)
        sum.high = max(sum.high, value)
        days[day] = sum
      }
    }
    let first = files[0]
    for (day, sum) in days.sorted(by: { $0.key < $1.key }) {
      let mean = sum.total / Double(sum.count)
      switch kind {
      case .steps: entries.number("steps", sum.total, on: day, at: first.name)
      case .very: entries.number("activeMinutes", sum.total, on: day, at: first.name)
      case .heart:
        entries.number(
          "heartRate", mean, on: day, low: sum.low, high: sum.high, at: first.name)
      default: entries.number("restingHeartRate", mean, on: day, at: first.name)
      }
    }
    try entries.finish(first)
  }

  /// Parses `01/08/24 08:00:00` (month first) and `2024-01-08T23:10:30.000`.
  private static func wall(_ text: String?) -> WallTime? {
    guard let text else { return nil }
    if let wall = ServiceValue.wall(text) { return wall }
    let parts = text.split(separator: " ")
    guard let first = parts.first, let day = TableTimes.day(String(first), order: .monthFirst)
    else { return nil }
    let second = parts.count > 1 ? TableTimes.secondOfDay(String(parts[1])) : 0
    return second.map { WallTime(day: day, secondOfDay: $0) }
  }

  // MARK: Entries

  private static func takeNight(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    let zone = entries.context.homeZone
    guard let start = wall(json["startTime"]?.string), let end = wall(json["endTime"]?.string)
    else {
      return entries.skip("\(place) field “startTime”", "it isn’t a valid time")
    }
    let begin = zone.instant(of: start)
    func stage(_ name: String) -> Int? {
      ServiceValue.number(json["levels"]?["summary"]?[name]?["minutes"])
        .flatMap { (0...1e7).contains($0) ? Int($0) * 60 : nil }
    }
    let asleep = ServiceValue.number(json["minutesAsleep"])
      .flatMap { (0...1e7).contains($0) ? Int($0) * 60 : nil }
    let day = json["dateOfSleep"]?.string.flatMap { DayKey(String($0.prefix(10))) }
    try entries.take(
      ServiceEntries.Night(
        id: ServiceValue.id(json["logId"]) ?? "\(start)", start: begin,
        end: Self.end(of: json, from: begin, written: zone.instant(of: end)),
        zone: zone, day: day, asleep: asleep, deep: stage("deep"), light: stage("light"),
        rem: stage("rem"), awake: stage("wake"), isNap: json["mainSleep"]?.bool == false),
      at: place)
  }

  /// Returns the end of a night, which is written by the clock of its start, also if clocks change
  /// in it; only the duration shows the hour in between.
  private static func end(of json: JSON, from start: Instant, written: Instant) -> Instant {
    guard let length = ServiceValue.seconds(json["duration"]).map({ $0 / 1_000 }) else {
      return written
    }
    let gap = abs(length - start.seconds(to: written))
    return (3_540...3_660).contains(gap) ? start.adding(seconds: length) : written
  }

  private static func takeExercise(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    guard let wall = wall(json["startTime"]?.string), let id = ServiceValue.id(json["logId"]) else {
      return entries.skip("\(place) field “startTime”", "it isn’t a valid time")
    }
    let start = entries.context.homeZone.instant(of: wall)
    var workout = RecordedActivity(start: start, place: place)
    workout.sport = json["activityName"]?.string ?? ""
    workout.seconds = ServiceValue.number(json["activeDuration"] ?? json["duration"])
      .map { $0 / 1_000 }
    if let length = ServiceValue.number(json["duration"]), (0...1e10).contains(length) {
      workout.end = start.adding(seconds: Int(length / 1_000))
    }
    if let distance = ServiceValue.number(json["distance"]), distance > 0,
      let unit = json["distanceUnit"]?.string?.lowercased()
    {
      workout.metres = UnitTable.standard.convert(distance, from: unit, to: "m")
    }
    workout.kilocalories = ServiceValue.number(json["calories"])
    workout.heartMean = ServiceValue.number(json["averageHeartRate"])
    workout.steps = ServiceValue.number(json["steps"])
    try entries.take(workout, id: "exercise/\(id)")
  }

  /// Reads a weight, whose unit can be determined only from the body mass index.
  private static func takeWeight(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    guard let day = wall("\(json["date"]?.string ?? "") 00:00:00")?.day,
      let weight = ServiceValue.number(json["weight"])
    else { return entries.skip("\(place) field “date”", "it isn’t a valid date") }
    guard let index = ServiceValue.number(json["bmi"]), index > 5 else {
      return entries.skip(
        "\(place) field “weight”", "without a bmi, it isn’t clear whether it is in kg or lb")
    }
    let choices = [1, 0.453_592_37].map { weight * $0 }
      .filter { (1.35...2.25).contains(($0 / index).squareRoot()) }
    guard choices.count == 1 else {
      return entries.skip("\(place) field “weight”", "it isn’t clear whether it is in kg or lb")
    }
    entries.number("weight", choices[0], on: day, at: place)
    entries.number("bodyFat", ServiceValue.number(json["fat"]), on: day, at: place)
  }
}
