import ArkivedCore
import Foundation

/// Builds the entries and daily numbers of services that store health data.
struct ServiceEntries {
  /// Seconds of a night by stage.
  struct Night {
    var id: String
    var start: Instant
    var end: Instant
    var zone: Zone
    /// The day of waking; nil to use the day on which it ends.
    var day: DayKey?
    var asleep: Int?
    var deep: Int?
    var light: Int?
    var rem: Int?
    var awake: Int?
    /// True if it isn't the night's main sleep, so it doesn't count in the day's numbers.
    var isNap = false
  }

  let context: ImportContext
  /// The provider of references, such as "garmin".
  let provider: String
  /// The service's name as shown to people, which becomes the source of numbers.
  let service: String
  let sink: any ImportSink
  private(set) var count = 0

  init(context: ImportContext, provider: String, service: String, sink: any ImportSink) {
    (self.context, self.provider, self.service, self.sink) = (context, provider, service, sink)
  }

  /// The numbers that services provide, each with its unit and its plausible values.
  ///
  /// They have the same names as Apple Health's numbers.
  private static let metrics: [String: (unit: String, range: ClosedRange<Double>)] = [
    "steps": ("count", 0...500_000), "walkingDistance": ("km", 0...1_000),
    "climbedStairs": ("count", 0...10_000), "activeEnergy": ("kcal", 0...30_000),
    "restingEnergy": ("kcal", 0...20_000), "activeMinutes": ("min", 0...1_440),
    "heartRate": ("bpm", 20...300), "restingHeartRate": ("bpm", 20...200),
    "heartRateVariability": ("ms", 0...500), "respiratoryRate": ("/min", 1...80),
    "oxygenSaturation": ("%", 30...100), "weight": ("kg", 1...700), "bodyFat": ("%", 0...100),
    "bodyMassIndex": ("count", 3...200), "bloodPressureSystolic": ("mmHg", 30...350),
    "bloodPressureDiastolic": ("mmHg", 10...250), "bodyTemperature": ("°C", 25...46),
    "sleepMinutes": ("min", 0...1_440), "deepSleepMinutes": ("min", 0...1_440),
    "coreSleepMinutes": ("min", 0...1_440), "remSleepMinutes": ("min", 0...1_440),
    "nightAwakeMinutes": ("min", 0...1_440),
  ]

  /// Parses a time with its offset, as the services write it; without an offset, it is a time at
  /// home.
  func time(_ text: String?) -> PlaceTime? {
    text.flatMap { PlaceTime($0, home: context.zones) }
  }

  func skip(_ place: String, _ reason: String) {
    sink.diagnose(Diagnostic(.skipped, place: place, message: "skipped: \(reason)"))
  }

  /// How several numbers for a day are combined into one.
  private enum Rule { case added, level, latest }

  private static func rule(of name: String) -> Rule {
    // Active minutes are a service's own total of a day; a day may have several sleeps.
    if name.hasSuffix("Minutes"), name != "activeMinutes" { return .added }
    let levels: Set<String> = [
      "heartRate", "bloodPressureSystolic", "bloodPressureDiastolic", "bodyTemperature",
      "oxygenSaturation", "respiratoryRate", "heartRateVariability",
    ]
    return levels.contains(name) ? .level : .latest
  }

  /// The numbers of a day so far.
  private struct Gathered {
    var sum = 0.0
    var count = 0
    var low = Double.infinity
    var high = -Double.infinity
    var last = 0.0
    var lastOrder = -Double.infinity
    var place = ""
  }

  private struct Key: Hashable {
    var day: DayKey
    var name: String
  }

  private var numbers: [Key: Gathered] = [:]
  /// The nights whose numbers were added.
  private var nights: Set<String> = []

  /// Takes a number for a day; an implausible number is reported.
  ///
  /// - Parameters:
  ///   - name: the number's name.
  ///   - value: the value, or nil.
  ///   - day: the day.
  ///   - time: the time of the measurement, which determines the last one of a day; nil for the
  ///     order of the
  ///     file.
  ///   - low: the lowest value of the day.
  ///   - high: the highest value of the day.
  ///   - place: its position in its file.
  /// - Returns: true if it was taken.
  @discardableResult
  mutating func number(
    _ name: String, _ value: Double?, on day: DayKey, time: Instant? = nil, low: Double? = nil,
    high: Double? = nil, at place: String
  ) -> Bool {
    guard let value, let (_, range) = Self.metrics[name] else { return false }
    guard value.isFinite, range.contains(value) else {
      skip(place, "\(FieldError.shown("\(value)")) isn’t a plausible \(name)")
      return false
    }
    if let problem = context.problem(withRecordedDay: day, at: place) {
      sink.diagnose(problem)
      return false
    }
    for extreme in [low, high].compactMap({ $0 }) where !range.contains(extreme) {
      skip(place, "\(FieldError.shown("\(extreme)")) isn’t a plausible \(name)")
    }
    func plausible(_ extreme: Double?) -> Double {
      extreme.flatMap { range.contains($0) ? $0 : nil } ?? value
    }
    let key = Key(day: day, name: name)
    var gathered = numbers[key] ?? Gathered()
    gathered.sum += value
    gathered.count += 1
    gathered.low = min(gathered.low, plausible(low))
    gathered.high = max(gathered.high, plausible(high))
    let order = time.map { Double($0.milliseconds) } ?? Double(gathered.count)
    if order >= gathered.lastOrder {
      (gathered.last, gathered.lastOrder, gathered.place) = (value, order, place)
    }
    numbers[key] = gathered
    return true
  }

  // MARK: Values that aren't imported

  /// The maximum number of names in a report.
  private static let nameLimit = 20
  private var left: [String: Int] = [:]

  /// Counts values that aren't imported; `finish` reports each name once per file.
  mutating func leave(_ name: String, count: Int = 1) { left[name, default: 0] += count }

  /// Counts the members of an object that aren't imported.
  ///
  /// - Parameters:
  ///   - json: the object.
  ///   - known: the members that are read or say nothing about the entry itself.
  mutating func leaveRest(of json: JSON, besides known: Set<String>) {
    for (name, value) in json.object?.members ?? [] where !known.contains(name) {
      switch value {
      case .null, .bool(false), .string(""), .integer(0), .number(0): continue
      case .array(let list) where list.isEmpty: continue
      case .object(let object) where object.isEmpty: continue
      default: leave(name)
      }
    }
  }

  /// Counts the cells of a row that aren't imported.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - header: the names of the columns.
  ///   - isKnown: returns true if a column is read, or says nothing about the entry itself; the name
  ///     is in lower case.
  mutating func leaveRest(
    of row: CSVTable.Row, _ header: [String], isKnown: (String) -> Bool
  ) {
    for (index, name) in header.enumerated() where !name.isEmpty && !isKnown(name.lowercased()) {
      if let value = row.value(at: index), TableAmount.number(value) != 0 { leave(name) }
    }
  }

  private func tellLeft(_ file: ImportFile) {
    guard !left.isEmpty else { return }
    let names = left.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }
    let shown = names.prefix(Self.nameLimit).map { "\(FieldError.shown($0.key)) (\($0.value))" }
      .joined(separator: ", ")
    let rest = names.count - Self.nameLimit
    sink.diagnose(
      Diagnostic(
        .note, place: file.name,
        message: "not imported: \(shown)" + (rest > 0 ? " and \(rest) more fields" : "")))
  }

  /// Passes on the collected numbers, and reports if nothing in the file could be read.
  ///
  /// - Throws: Any error that the sink throws.
  mutating func finish(_ file: ImportFile) throws {
    let ordered = numbers.sorted { ($0.key.day, $0.key.name) < ($1.key.day, $1.key.name) }
    for (key, gathered) in ordered {
      guard let (unit, _) = Self.metrics[key.name] else { continue }
      let rule = Self.rule(of: key.name)
      let isLevel = rule == .level && gathered.low < gathered.high
      let value =
        switch rule {
        case .added: gathered.sum
        case .level: gathered.sum / Double(gathered.count)
        case .latest: gathered.last
        }
      let metric = DayMetric(
        id: context.identities.next(), dayKey: key.day, metric: key.name, unit: unit,
        value: HealthDays.rounded(value, unit),
        minimum: isLevel ? HealthDays.rounded(gathered.low, unit) : nil,
        maximum: isLevel ? HealthDays.rounded(gathered.high, unit) : nil, source: service,
        createdAt: context.now, updatedAt: context.now)
      count += 1
      try sink.take(ImportedRecord(.metric(metric), place: gathered.place, linksPeople: false))
    }
    numbers = [:]
    tellLeft(file)
    guard count == 0 else { return }
    sink.diagnose(
      Diagnostic(.note, place: file.name, message: "nothing to import: no entries with a date"))
  }

  /// Passes on a night as an entry for the day of waking, with the day's numbers.
  mutating func take(_ night: Night, at place: String) throws {
    let length = night.start.seconds(to: night.end)
    guard length > 0, length <= 36 * 3_600 else {
      return skip(place, "the sleep ends before it starts, or is longer than 36 hours")
    }
    let day = night.day ?? night.zone.dayKey(at: night.end)
    if let problem = context.problem(withRecordedDay: day, at: place) {
      return sink.diagnose(problem)
    }
    let night = checked(night, length: length, at: place)
    let parts = [night.deep, night.light, night.rem].compactMap { $0 }
    let asleep = night.asleep ?? (parts.isEmpty ? nil : parts.reduce(0, +))
    var activity = Activity(
      id: context.identities.next(), dayKey: day, startAt: night.start, endAt: night.end,
      timeZone: night.zone.identifier, kind: .health,
      text: "\(asleep == nil ? "In bed" : "Slept") \(HealthText.length(asleep ?? length))",
      source: .healthImport, durationMinutes: (Double(asleep ?? length) / 60).rounded(),
      tags: ["sleep"], createdAt: context.now, updatedAt: context.now)
    let stages: [(Int?, String)] = [
      (night.deep, "deep"), (night.light, "light"), (night.rem, "REM"), (night.awake, "awake"),
    ]
    let told = stages.compactMap { seconds, word in
      seconds.map { "\(word) \(HealthText.length($0))" }
    }
    if !told.isEmpty {
      let text = told.joined(separator: ", ")
      activity.description = text.prefix(1).uppercased() + text.dropFirst()
    }
    try take(activity, id: "sleep/\(night.id)", at: place)
    // A night that a file has twice counts once.
    guard !night.isNap, nights.insert("\(night.id) \(night.start)").inserted else { return }
    for (seconds, name) in [
      (asleep, "sleepMinutes"), (night.deep, "deepSleepMinutes"),
      (night.light, "coreSleepMinutes"), (night.rem, "remSleepMinutes"),
      (night.awake, "nightAwakeMinutes"),
    ] {
      number(name, seconds.map { (Double($0) / 60).rounded() }, on: day, at: place)
    }
  }

  /// Returns a night without times asleep and stages that are longer than the night, which are
  /// reported.
  private func checked(_ night: Night, length: Int, at place: String) -> Night {
    var night = night
    // Some services round each stage to a minute.
    let limit = length + 300
    func tell(_ what: String, _ seconds: Int) {
      sink.diagnose(
        Diagnostic(
          .skipped, place: place,
          message: "skipped the \(what), \(HealthText.length(seconds)), which is longer than the "
            + "night"))
    }
    let stages = [night.deep, night.light, night.rem, night.awake].compactMap { $0 }.reduce(0, +)
    if stages > limit {
      tell("sum of the sleep stages", stages)
      (night.deep, night.light, night.rem, night.awake) = (nil, nil, nil, nil)
    }
    if let asleep = night.asleep, asleep > limit {
      tell("time asleep", asleep)
      night.asleep = nil
    }
    return night
  }

  /// Passes on an entry under its identifier in the service.
  mutating func take(
    _ activity: Activity, id: String, at place: String, folder: URL? = nil
  ) throws {
    var activity = activity
    activity.externalRefs = [
      ExternalRef(provider: provider, externalID: id, fetchedAt: context.now)
    ]
    do throws(FieldError) {
      try activity.validate()
    } catch {
      return skip("\(place) field “\(error.field)”", error.description)
    }
    count += 1
    try sink.take(
      ImportedRecord(
        .activity(activity), place: place, linksPeople: false, attachmentsFolder: folder))
  }

  /// Passes on a workout under its identifier in the service.
  ///
  /// - Parameters:
  ///   - workout: the workout.
  ///   - id: its identifier.
  ///   - recording: the entry created from its recording, whose route is used.
  ///   - media: its photos and videos, and the folder in which their paths start.
  /// - Throws: Any error that the sink throws.
  mutating func take(
    _ workout: RecordedActivity, id: String, recording: ImportedRecord? = nil,
    media: (folder: URL, files: [Attachment])? = nil
  ) throws {
    let capture = WorkoutSink()
    var made = RecordedActivities(context: context, provider: provider, sink: capture)
    var described = workout
    if case .activity(let recorded)? = recording?.value, workout.metres == nil {
      described.metres = recorded.measurements["km"].map { $0 * 1_000 }
    }
    try made.take(described)
    for record in capture.records {
      guard case .activity(var activity) = record.value else { continue }
      if let problem = context.problem(withRecordedDay: activity.dayKey, at: workout.place) {
        sink.diagnose(problem)
        continue
      }
      if case .activity(let recorded) = recording?.value {
        activity.attachments = recorded.attachments
        (activity.lat, activity.lon) = (recorded.lat, recorded.lon)
        // Only the recording may know the offset of its clocks; the day is that of the start.
        if workout.offset == nil, workout.zone == nil, let start = activity.startAt,
          let zone = Zone(recorded.timeZone)
        {
          (activity.timeZone, activity.dayKey) = (zone.identifier, zone.dayKey(at: start))
        }
        for (unit, amount) in recorded.measurements where activity.measurements[unit] == nil {
          activity.measurements[unit] = amount
        }
      }
      var folder = recording?.attachmentsFolder ?? record.attachmentsFolder
      if let media, !media.files.isEmpty {
        if activity.attachments.isEmpty {
          (activity.attachments, folder) = (media.files, media.folder)
        } else {
          activity.attachments =
            Self.rooted(activity.attachments, folder) + Self.rooted(media.files, media.folder)
          folder = PhotoFile.root
        }
      }
      try take(activity, id: id, at: workout.place, folder: folder)
    }
    capture.diagnostics.forEach { sink.diagnose($0) }
  }

  /// Returns attachments with paths from the root, so files of different folders have one base.
  private static func rooted(_ attachments: [Attachment], _ folder: URL?) -> [Attachment] {
    guard let folder else { return attachments }
    let base = folder.resolvingSymlinksInPath().path.drop { $0 == "/" }
    return attachments.map { attachment in
      var attachment = attachment
      attachment.relativePath = attachment.relativePath.map { "\(base)/\($0)" }
      return attachment
    }
  }
}

/// A sink that stores the entries of another reader.
final class WorkoutSink: ImportSink {
  private(set) var records: [ImportedRecord] = []
  private(set) var diagnostics: [Diagnostic] = []

  func take(_ record: ImportedRecord) { records.append(record) }
  func diagnose(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
}
