import ArkivedCore
import Foundation

/// Imports the account export of Garmin Connect ("Export Your Data"): its summaries of activities,
/// nights, days and weights.
///
/// Source of the format: descriptions of files in the folder `DI_CONNECT`. Distances are in
/// centimetres, durations in milliseconds; `beginTimestamp` is UTC and `startTimeLocal` is the
/// local time. The recordings next to them aren't read, because their names don't say which activity
/// they belong to, and each activity would become two entries. The calories of activities are left
/// out, because their unit isn't documented.
package struct GarminExportImporter: Importer {
  package let format = "garmin"
  package let keepsPlaces = true
  static let provider = "garmin"

  package init() {}

  private enum Kind { case activities, sleep, days, weights }

  /// The fields of an activity that are read or say nothing about it.
  private static let activityFields: Set<String> = [
    "activityId", "name", "description", "activityType", "sportType", "beginTimestamp",
    "startTimeGmt", "startTimeLocal", "elapsedDuration", "duration", "movingDuration", "distance",
    "avgHr", "maxHr", "elevationGain", "steps", "lapCount", "uuidMsb", "uuidLsb", "userProfileId",
    "timeZoneId", "eventTypeId", "rule", "deviceId", "manufacturer", "avgSpeed", "maxSpeed",
    "elevationLoss", "minElevation", "maxElevation", "startLongitude", "startLatitude",
    "endLongitude", "endLatitude", "locationName", "pr", "favorite", "parent", "purposeful",
    "splits", "splitSummaries", "summarizedExerciseSets", "summarizedDiveInfo", "decoDive",
    "autoCalcCalories", "elevationCorrected", "atpActivity", "qualifyingDive", "parentId",
  ]
  private static let nightFields: Set<String> = [
    "sleepStartTimestampGMT", "sleepEndTimestampGMT", "calendarDate", "deepSleepSeconds",
    "lightSleepSeconds", "remSleepSeconds", "awakeSleepSeconds", "unmeasurableSeconds", "retro",
    "sleepWindowConfirmationType",
  ]
  private static let dayFields: Set<String> = [
    "calendarDate", "totalSteps", "totalDistanceMeters", "activeKilocalories", "bmrKilocalories",
    "currentDayRestingHeartRate", "restingHeartRate", "floorsAscendedInMeters",
    "moderateIntensityMinutes", "vigorousIntensityMinutes", "totalKilocalories", "userProfilePK",
    "uuid", "version", "source", "durationInMilliseconds", "wellnessStartTimeGmt",
    "wellnessEndTimeGmt", "wellnessStartTimeLocal", "wellnessEndTimeLocal", "dailyStepGoal",
    "dailyTotalFromEpochData", "includesWellnessData", "includesActivityData",
    "includesCalorieConsumedData", "includesSingleMeasurement", "includesContinuousMeasurement",
    "wellnessKilocalories", "wellnessActiveKilocalories", "wellnessDistanceMeters",
    "wellnessTotalKilocalories", "remainingKilocalories", "netCalorieGoal",
    "netRemainingKilocalories",
    "userFloorsAscendedGoal", "userIntensityMinutesGoal", "floorsDescendedInMeters",
  ]

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    Self.kind(JSONHead(head), fileName) != nil
  }

  private static func kind(_ head: JSONHead, _ name: String) -> Kind? {
    guard head.isList else { return nil }
    if head.keys.contains("summarizedActivitiesExport") { return .activities }
    if head.has(["sleepStartTimestampGMT", "calendarDate"]) { return .sleep }
    let last = name.split(separator: "/").last?.lowercased() ?? ""
    if last.hasPrefix("udsfile"),
      !head.keys.isDisjoint(with: ["calendarDate", "uuid", "userProfilePK"])
    {
      return .days
    }
    if last.contains("userbiometrics"),
      head.keys.contains("metaData") || head.keys.contains("weight")
    {
      return .weights
    }
    return nil
  }

  /// The recordings themselves, which are in archives next to the summaries, `UploadedFiles_….zip`,
  /// or in the folders that these unpack to.
  package func accompanies(_ name: String, filesIn folders: Set<String>) -> Bool {
    name.split(separator: "/").contains {
      $0.hasPrefix("UploadedFiles_") || $0 == "DI-Connect-Uploaded-Files"
    }
  }

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var entries = ServiceEntries(
      context: context, provider: Self.provider, service: "Garmin", sink: sink)
    switch Self.kind(JSONHead(try ZipMembers.head(of: file, count: 4_096)), file.name) {
    case .activities: try readActivities(file, &entries, sink)
    case .sleep:
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        try Self.takeNight(json, place, &entries)
      }
    case .days:
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        try Self.takeDay(json, place, &entries)
      }
    case .weights:
      try JournalJSON.forEach(in: file, into: sink) { json, place in
        try Self.takeWeight(json, place, &entries)
      }
    case nil:
      throw ImportRefusal(place: file.name, message: "not a Garmin Connect export")
    }
    try entries.finish(file)
  }

  /// Reads the activities, whose list is inside an object that is itself in a list.
  private func readActivities(
    _ file: ImportFile, _ entries: inout ServiceEntries, _ sink: any ImportSink
  ) throws {
    let parents = try Self.parents(in: file)
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    var number = 0
    do {
      try Self.forEachActivity(in: &stream) { stream in
        number += 1
        sink.reach(stream.offset)
        let place = "\(file.name) entry \(number)"
        guard let bytes = try stream.bytes() else {
          return entries.skip(place, "it is longer than 64 MiB")
        }
        guard let json = try? JSON(parsing: bytes), json.object != nil else {
          return entries.skip(place, "it isn’t a valid JSON object")
        }
        try Self.takeActivity(json, parents, place, &entries)
      }
    } catch let error as JSONStreamError {
      let message = "\(error.message); the file is damaged or cut off. Export it again"
      let place = "\(file.name) byte \(error.offset)"
      guard entries.count > 0 else { throw ImportRefusal(place: place, message: message) }
      sink.diagnose(Diagnostic(.skipped, place: place, message: message, isCut: true))
    }
  }

  /// Calls a closure at the beginning of every activity.
  private static func forEachActivity(
    in stream: inout JSONStream, _ body: (inout JSONStream) throws -> Void
  ) throws {
    try stream.elements { stream in
      guard try stream.kind() == .object else { return try stream.skip() }
      try stream.members { key, stream in
        guard key == "summarizedActivitiesExport", try stream.kind() == .array else {
          return try stream.skip()
        }
        try stream.elements(body)
      }
    }
  }

  /// Returns the IDs of activities whose parts are activities of their own in a file, such as the
  /// three sports of a triathlon.
  private static func parents(in file: ImportFile) throws -> Set<String> {
    var parents: Set<String> = []
    var stream = try JSONStream(file.url)
    defer { stream.close() }
    do {
      try forEachActivity(in: &stream) { stream in
        guard let bytes = try stream.bytes(), let json = try? JSON(parsing: bytes),
          let parent = ServiceValue.id(json["parentId"])
        else { return }
        parents.insert(parent)
      }
    } catch is JSONStreamError {
      // It is reported when the activities themselves are read.
    }
    return parents
  }

  /// Reads an activity.
  ///
  /// Whatever adds up is left to the parts of an activity that has any.
  private static func takeActivity(
    _ json: JSON, _ parents: Set<String>, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    guard let id = ServiceValue.id(json["activityId"]) else {
      return entries.skip(place, "it has no activityId")
    }
    let local = ServiceValue.instant(milliseconds: json["startTimeLocal"])
    guard
      let start = ServiceValue.instant(milliseconds: json["beginTimestamp"])
        ?? ServiceValue.instant(milliseconds: json["startTimeGmt"])
    else { return entries.skip("\(place) field “beginTimestamp”", "it isn’t a valid time") }
    var workout = RecordedActivity(start: start, place: place)
    workout.sport =
      json["activityType"]?.string ?? json["activityType"]?["typeKey"]?.string
      ?? json["sportType"]?.string ?? ""
    workout.name = JournalEntry.words(json["name"])
    workout.notes = JournalEntry.words(json["description"])
    workout.offset = local.flatMap { local in
      let offset = start.seconds(to: local)
      return abs(offset) <= 50_400 && offset % 900 == 0 ? offset : nil
    }
    let elapsed =
      ServiceValue.number(json["elapsedDuration"]) ?? ServiceValue.number(json["duration"])
    if let elapsed, (0...3e10).contains(elapsed) {
      workout.end = start.adding(seconds: Int(elapsed / 1_000))
    }
    // The moving time leaves out the breaks between sets and lengths, in which the timer runs.
    workout.seconds = ["duration", "elapsedDuration", "movingDuration"].lazy
      .compactMap { ServiceValue.number(json[$0]) }.first { $0 > 0 }.map { $0 / 1_000 }
    workout.metres = ServiceValue.number(json["distance"]).flatMap { $0 > 0 ? $0 / 100 : nil }
    workout.heartMean = ServiceValue.number(json["avgHr"])
    workout.heartMost = ServiceValue.number(json["maxHr"])
    workout.ascent = ServiceValue.number(json["elevationGain"]).map { $0 / 100 }
    workout.steps = ServiceValue.number(json["steps"])
    workout.laps = Int(min(max(ServiceValue.number(json["lapCount"]) ?? 0, 0), 10_000))
    if parents.contains(id) {
      (workout.end, workout.seconds, workout.metres) = (nil, nil, nil)
      (workout.ascent, workout.steps, workout.laps) = (nil, nil, 0)
    }
    entries.leaveRest(of: json, besides: activityFields)
    try entries.take(workout, id: "activity/\(id)")
  }

  private static func takeNight(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    let stages = ["deepSleepSeconds", "lightSleepSeconds", "remSleepSeconds"]
    let isMeasured = stages.contains { ServiceValue.seconds(json[$0]) ?? 0 > 0 }
    // A night in which the watch wasn't worn has times, but nothing was measured. One that was
    // entered by hand has no stages.
    let confirmation = json["sleepWindowConfirmationType"]?.string
    guard isMeasured || confirmation?.contains("MANUAL") == true else { return }
    func stage(_ name: String) -> Int? { isMeasured ? ServiceValue.seconds(json[name]) : nil }
    entries.leaveRest(of: json, besides: nightFields)
    guard let start = ServiceValue.utc(json["sleepStartTimestampGMT"]?.string),
      let end = ServiceValue.utc(json["sleepEndTimestampGMT"]?.string)
    else { return entries.skip("\(place) field “sleepStartTimestampGMT”", "it isn’t a valid time") }
    let day = json["calendarDate"]?.string.flatMap { DayKey(String($0.prefix(10))) }
    try entries.take(
      ServiceEntries.Night(
        id: "\(day.map(String.init(describing:)) ?? "\(end)")", start: start, end: end,
        zone: entries.context.homeZone, day: day, deep: stage(stages[0]),
        light: stage(stages[1]), rem: stage(stages[2]), awake: stage("awakeSleepSeconds")),
      at: place)
  }

  private static func takeDay(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    let written = json["calendarDate"]?.string ?? json["calendarDate"]?["date"]?.string
    guard let written,
      let day = DayKey(String(written.prefix(10)))
        ?? TableTimes.day(Self.withoutClock(written), order: .monthFirst)
    else { return entries.skip("\(place) field “calendarDate”", "it isn’t a valid date") }
    func number(_ names: String...) -> Double? {
      names.lazy.compactMap { ServiceValue.number(json[$0]) }.first
    }
    entries.number("steps", number("totalSteps"), on: day, at: place)
    entries.number(
      "walkingDistance", number("totalDistanceMeters").map { $0 / 1_000 }, on: day, at: place)
    entries.number("activeEnergy", number("activeKilocalories"), on: day, at: place)
    entries.number("restingEnergy", number("bmrKilocalories"), on: day, at: place)
    // Garmin counts ten feet as a floor.
    entries.number(
      "climbedStairs", number("floorsAscendedInMeters").map { ($0 / 3.048).rounded() }, on: day,
      at: place)
    let minutes = [number("moderateIntensityMinutes"), number("vigorousIntensityMinutes")]
      .compactMap { $0 }
    entries.number(
      "activeMinutes", minutes.isEmpty ? nil : minutes.reduce(0, +), on: day, at: place)
    entries.leaveRest(of: json, besides: dayFields)
    entries.number(
      "restingHeartRate", number("currentDayRestingHeartRate", "restingHeartRate"), on: day,
      at: place)
  }

  /// Returns `Jan 5, 2020 12:00:00 AM` without the time.
  private static func withoutClock(_ text: String) -> String {
    text.split(separator: " ").prefix(3).joined(separator: " ")
  }

  private static func takeWeight(
    _ json: JSON, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    let measured = json["weight"]?.object == nil ? json["weight"] : json["weight"]?["weight"]
    guard let grams = ServiceValue.number(measured) else { return }
    guard
      let day = (json["metaData"]?["calendarDate"]?.string ?? json["calendarDate"]?.string)
        .flatMap({ DayKey(String($0.prefix(10))) })
    else { return entries.skip("\(place) field “calendarDate”", "it isn’t a valid date") }
    entries.number("weight", grams / 1_000, on: day, at: place)
  }
}
