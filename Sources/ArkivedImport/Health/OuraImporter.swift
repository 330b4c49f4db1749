import ArkivedCore
import Foundation

/// Imports Oura's data export: one JSON file whose members are lists of nights and days.
///
/// Source of the format: the fields of Oura's API, which the export contains, in its first version
/// (`summary_date`, seconds in `total`) and its second (`day`, `total_sleep_duration`).
package struct OuraImporter: Importer {
  package let format = "oura"
  static let provider = "oura"

  package init() {}

  private static let lists: Set<String> = [
    "sleep", "activity", "readiness", "daily_activity", "workout", "daily_spo2",
  ]

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let keys = JSONHead(head)
    guard !keys.isList else { return false }
    let text = HeadText.of(head)
    return !keys.keys.isDisjoint(with: Self.lists.union(["sleep_time", "daily_readiness"]))
      && (text.contains("\"summary_date\"") || text.contains("\"bedtime_start\"")
        || text.contains("\"average_hrv\"") || text.contains("\"contributors\"")
        || text.contains("\"class_5_min\""))
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var entries = ServiceEntries(
      context: context, provider: Self.provider, service: "Oura", sink: sink)
    for list in Self.lists.sorted() where try Self.has(list, file) {
      try JournalJSON.forEach(in: file, list: [list], into: sink) { json, place in
        let place = "\(place) of \(list)"
        switch list {
        case "sleep": try Self.takeNight(json, place, &entries)
        case "activity", "daily_activity": try Self.takeDay(json, place, &entries)
        case "workout": try Self.takeWorkout(json, place, &entries)
        case "daily_spo2":
          guard let day = Self.day(json) else { return }
          entries.number(
            "oxygenSaturation", ServiceValue.number(json["spo2_percentage"]?["average"]), on: day,
            at: place)
        default: break
        }
      }
    }
    try entries.finish(file)
  }

  /// Returns true if the document contains the given list.
  private static func has(_ list: String, _ file: ImportFile) throws -> Bool {
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    var isThere = false
    do {
      guard try stream.kind() == .object else {
        throw ImportRefusal(place: file.name, message: "not an Oura export")
      }
      try stream.members { key, stream in
        let kind = try stream.kind()
        if key == list, kind == .array { isThere = true }
        try stream.skip()
      }
    } catch is JSONStreamError {
      // Reading the list will report the damage.
    }
    return isThere
  }

  private static func day(_ json: JSON) -> DayKey? {
    (json["day"]?.string ?? json["summary_date"]?.string).flatMap { DayKey(String($0.prefix(10))) }
  }

  private static func takeNight(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    guard let start = json["bedtime_start"]?.string.flatMap({ Instant($0) }),
      let end = json["bedtime_end"]?.string.flatMap({ Instant($0) })
    else { return entries.skip("\(place) field “bedtime_start”", "it isn’t a valid time") }
    func seconds(_ names: String...) -> Int? {
      names.lazy.compactMap { ServiceValue.seconds(json[$0]) }.first
    }
    let type = json["type"]?.string
    guard type != "deleted" else { return }
    let isNap = type.map { !["long_sleep"].contains($0) } ?? (json["is_longest"]?.int == 0)
    // The first version dates a night by the evening, the second by the day of waking.
    let day = json["day"]?.string.flatMap { DayKey(String($0.prefix(10))) }
    let woke = entries.context.homeZone.dayKey(at: end)
    try entries.take(
      ServiceEntries.Night(
        id: json["id"]?.string ?? "\(start)", start: start, end: end,
        zone: entries.context.homeZone, day: day,
        asleep: seconds("total_sleep_duration", "total"),
        deep: seconds("deep_sleep_duration", "deep"),
        light: seconds("light_sleep_duration", "light"), rem: seconds("rem_sleep_duration", "rem"),
        awake: seconds("awake_time", "awake"), isNap: isNap), at: place)
    guard !isNap else { return }
    entries.number(
      "restingHeartRate",
      ServiceValue.number(json["lowest_heart_rate"] ?? json["hr_lowest"]), on: day ?? woke,
      at: place)
    entries.number(
      "heartRateVariability", ServiceValue.number(json["average_hrv"] ?? json["rmssd"]),
      on: day ?? woke, at: place)
    entries.number(
      "respiratoryRate", ServiceValue.number(json["average_breath"] ?? json["breath_average"]),
      on: day ?? woke, at: place)
  }

  private static func takeDay(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    guard let day = day(json) else {
      return entries.skip("\(place) field “day”", "it isn’t a valid date")
    }
    entries.number("steps", ServiceValue.number(json["steps"]), on: day, at: place)
    entries.number(
      "activeEnergy", ServiceValue.number(json["active_calories"] ?? json["cal_active"]), on: day,
      at: place)
    let metres = ServiceValue.number(
      json["equivalent_walking_distance"] ?? json["daily_movement"])
    entries.number("walkingDistance", metres.map { $0 / 1_000 }, on: day, at: place)
  }

  private static func takeWorkout(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    guard let start = json["start_datetime"]?.string.flatMap({ Instant($0) }) else {
      return entries.skip("\(place) field “start_datetime”", "it isn’t a valid time")
    }
    var workout = RecordedActivity(start: start, place: place)
    workout.end = json["end_datetime"]?.string.flatMap { Instant($0) }
    workout.sport = json["activity"]?.string ?? ""
    workout.name = JournalEntry.words(json["label"])
    workout.metres = ServiceValue.number(json["distance"]).flatMap { $0 > 0 ? $0 : nil }
    workout.kilocalories = ServiceValue.number(json["calories"])
    workout.seconds = workout.end.map { Double(start.seconds(to: $0)) }
    try entries.take(workout, id: "workout/\(json["id"]?.string ?? "\(start)")")
  }
}
