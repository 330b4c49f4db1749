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
    "sleep", "activity", "daily_activity", "workout", "daily_spo2", "session", "tag",
    "enhanced_tag",
  ]

  /// The fields that are read or say nothing about the entry itself.
  private static let known: [String: Set<String>] = [
    "sleep": [
      "id", "day", "summary_date", "bedtime_start", "bedtime_end", "type", "is_longest",
      "total_sleep_duration", "total", "deep_sleep_duration", "deep", "light_sleep_duration",
      "light", "rem_sleep_duration", "rem", "awake_time", "awake", "lowest_heart_rate", "hr_lowest",
      "average_hrv", "rmssd", "average_breath", "breath_average", "period", "period_id", "timezone",
      "low_battery_alert", "sleep_algorithm_version",
    ],
    "daily_activity": [
      "id", "day", "summary_date", "steps", "active_calories", "cal_active",
      "equivalent_walking_distance", "daily_movement", "timestamp", "day_start", "day_end",
      "timezone",
    ],
    "workout": [
      "id", "day", "start_datetime", "end_datetime", "activity", "label", "distance", "calories",
      "source",
    ],
    "daily_spo2": ["id", "day", "spo2_percentage"],
    "session": ["id", "day", "start_datetime", "end_datetime", "type"],
    "tag": ["id", "day", "text", "timestamp", "tags"],
    "enhanced_tag": [
      "id", "start_day", "end_day", "start_time", "end_time", "comment", "custom_name",
      "tag_type_code",
    ],
  ]

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    let keys = JSONHead(head)
    guard !keys.isList else { return false }
    let text = HeadText.of(head)
    return !keys.keys.isDisjoint(
      with: Self.lists.union(["sleep_time", "readiness", "daily_readiness"]))
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
    let lists = try Self.lists(of: file)
    for (list, count) in lists.sorted(by: { $0.key < $1.key }) {
      guard Self.lists.contains(list) else {
        if count > 0 { entries.leave(list, count: count) }
        continue
      }
      let known = Self.known[list == "activity" ? "daily_activity" : list] ?? []
      try JournalJSON.forEach(in: file, list: [list], into: sink) { json, place in
        let place = "\(place) of \(list)"
        entries.leaveRest(of: json, besides: known)
        switch list {
        case "sleep": try Self.takeNight(json, place, &entries)
        case "activity", "daily_activity": try Self.takeDay(json, place, &entries)
        case "workout", "session": try Self.takeWorkout(json, list, place, &entries)
        case "tag", "enhanced_tag": try Self.takeTag(json, place, &entries)
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

  /// Returns the document's lists and the number of their elements.
  private static func lists(of file: ImportFile) throws -> [String: Int] {
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    var lists: [String: Int] = [:]
    do {
      guard try stream.kind() == .object else {
        throw ImportRefusal(place: file.name, message: "not an Oura export")
      }
      try stream.members { key, stream in
        guard try stream.kind() == .array else { return try stream.skip() }
        lists[key] = 0
        try stream.elements { stream in
          lists[key, default: 0] += 1
          try stream.skip()
        }
      }
    } catch is JSONStreamError {
      // Reading the list will report the damage.
    }
    return lists
  }

  private static func day(_ json: JSON) -> DayKey? {
    (json["day"]?.string ?? json["summary_date"]?.string).flatMap { DayKey(String($0.prefix(10))) }
  }

  private static func takeNight(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    guard let start = entries.time(json["bedtime_start"]?.string),
      let end = entries.time(json["bedtime_end"]?.string)
    else { return entries.skip("\(place) field “bedtime_start”", "it isn’t a valid time") }
    func seconds(_ names: String...) -> Int? {
      names.lazy.compactMap { ServiceValue.seconds(json[$0]) }.first
    }
    let type = json["type"]?.string
    guard type != "deleted" else { return }
    let isNap = type.map { !["long_sleep"].contains($0) } ?? (json["is_longest"]?.int == 0)
    // The first version dates a night by the evening, the second by the day of waking.
    let day = json["day"]?.string.flatMap { DayKey(String($0.prefix(10))) }
    let woke = end.day
    try entries.take(
      ServiceEntries.Night(
        id: json["id"]?.string ?? "\(start.instant)", start: start.instant, end: end.instant,
        zone: end.zone, day: day,
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

  /// Takes what somebody noted: a text, or the tags of Oura's list (`tag_generic_coffee`).
  private static func takeTag(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    let codes =
      (json["tags"]?.array ?? []).compactMap(\.string)
      + [json["tag_type_code"]?.string]
      .compactMap { $0 }
    let names = codes.filter { $0 != "custom" }.map { code in
      ["tag_generic_", "tag_sleep_", "tag_"].first { code.hasPrefix($0) }
        .map { String(code.dropFirst($0.count)) } ?? code
    }.map { $0.replacing("_", with: " ") }
    let words = [json["text"], json["custom_name"], json["comment"]]
      .compactMap { JournalEntry.words($0) }
    guard let text = words.first ?? names.first else { return }
    let time = entries.time(json["timestamp"]?.string ?? json["start_time"]?.string)
    let written = json["day"]?.string ?? json["start_day"]?.string
    guard let day = written.flatMap({ DayKey(String($0.prefix(10))) }) ?? time?.day else {
      return entries.skip("\(place) field “day”", "it isn’t a valid date")
    }
    let isOfDay = time?.day == day
    let activity = Activity(
      id: entries.context.identities.next(), dayKey: day, startAt: isOfDay ? time?.instant : nil,
      timeZone: (time?.zone ?? entries.context.homeZone).identifier, kind: .health, text: text,
      notes: words.count > 1 ? words.dropFirst().joined(separator: "\n") : nil,
      source: .healthImport, tags: names.filter { (try? Tag.validate(name: $0)) != nil },
      createdAt: entries.context.now, updatedAt: entries.context.now)
    try entries.take(
      activity, id: "tag/\(json["id"]?.string ?? "\(day)/\(text.prefix(60))")", at: place)
  }

  private static func takeWorkout(
    _ json: JSON, _ list: String, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    let begin = json["start_datetime"]?.string
    guard let start = entries.time(begin)?.instant else {
      return entries.skip("\(place) field “start_datetime”", "it isn’t a valid time")
    }
    var workout = RecordedActivity(start: start, place: place)
    workout.offset = begin.flatMap(FeatureTime.offset)
    workout.end = entries.time(json["end_datetime"]?.string)?.instant
    workout.sport = (list == "session" ? json["type"] : json["activity"])?.string ?? ""
    workout.name = JournalEntry.words(json["label"])
    workout.metres = ServiceValue.number(json["distance"]).flatMap { $0 > 0 ? $0 : nil }
    workout.kilocalories = ServiceValue.number(json["calories"])
    workout.seconds = workout.end.map { Double(start.seconds(to: $0)) }
    try entries.take(workout, id: "\(list)/\(json["id"]?.string ?? "\(start)")")
  }
}
