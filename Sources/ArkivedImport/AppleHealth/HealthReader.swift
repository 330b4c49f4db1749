import ArkivedCore
import Foundation

/// Converts the elements of Apple Health's `export.xml` into entries and daily numbers as they
/// arrive.
///
/// Workouts and categories are passed on at once. Results combined from many records (the numbers
/// of days, nights, mindfulness) are passed on by `finish`.
final class HealthReader: XMLEvents {
  /// The element below the root that is being read.
  enum Open {
    case none, other
    case record(HealthRecord)
    case workout(HealthWorkout)
  }

  /// Elements that repeat others' data or describe the phone's owner.
  private static let silent: Set = ["Me", "Correlation", "ExportDate"]

  let name: String
  let sink: any ImportSink
  let routes: (String) -> HealthRoute?
  var entries: HealthEntries
  /// The stream that knows the current line.
  weak var stream: XMLStream?

  var types = HealthTypes()
  var sources = HealthNames()
  var days = HealthDays()
  var sleep = HealthSleep()
  var repeats = HealthRepeats()
  var mindful: [MindfulSession] = []
  /// The number of repeated records.
  var repeated = 0
  /// The number of usable records in the file.
  var count = 0
  /// The last valid second; later dates are in the future.
  let lastSecond: Int
  private var open = Open.none
  private var depth = 0
  private var strange: [String: Int] = [:]

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - name: the prefix of every place.
  ///   - context: the information about the import.
  ///   - sink: receives the records.
  ///   - routes: finds a workout's route by the path that its element gives.
  init(
    name: String, context: ImportContext, sink: any ImportSink,
    routes: @escaping (String) -> HealthRoute?
  ) {
    self.name = name
    self.sink = sink
    self.routes = routes
    entries = HealthEntries(context: context)
    // A day's margin allows for clocks and zones.
    lastSecond = Int(context.now.milliseconds / 1000) + 86_400
  }

  // MARK: Elements

  func begin(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) throws {
    depth += 1
    switch depth {
    case 1: return
    case 2: try beginEntry(name, attributes)
    default: part(name, attributes)
    }
  }

  private func beginEntry(
    _ name: UnsafePointer<CChar>, _ attributes: XMLAttributes
  ) throws {
    if strcmp(name, "Record") == 0 {
      if let record = record(attributes) { open = .record(record) } else { open = .other }
      return
    }
    open = .other
    switch String(cString: name) {
    case "Workout": open = .workout(HealthWorkout(attributes))
    case "ActivitySummary": takeSummary(attributes)
    case "ExportDate":
      guard let text = attributes["value"], let written = HealthMoment(text) else { break }
      entries.exportedAt = min(written.instant, entries.context.now)
      settleClock(of: written, text)
    case let name where !Self.silent.contains(name):
      if strange.count < 100 || strange[name] != nil { strange[name, default: 0] += 1 }
    default: break
    }
  }

  /// Decides which clock is used to read the export.
  ///
  /// The phone writes all data in the zone where it exports, so an export made while travelling has
  /// different days from one made at home. If earlier exports were made at home, this one is read
  /// in the home zone too.
  private func settleClock(of written: HealthMoment, _ text: String) {
    let home = entries.context.homeZone
    guard home.offset(at: written.instant) != written.offset else { return }
    guard !entries.context.cameInAtHome else {
      entries.clock = home
      return note(
        "the phone’s time zone wasn’t \(home.identifier) (\(FieldError.shown(text))). Earlier imports use "
          + "the time at home, so this one does too")
    }
    note(
      "the phone’s time zone wasn’t \(home.identifier) (\(FieldError.shown(text))). All days follow the "
        + "phone’s clock, so data from earlier exports may have shifted. If you were travelling, undo this "
        + "import and export again at home")
  }

  private func part(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes) {
    switch open {
    case .none, .other: return
    case .record(var record):
      guard strcmp(name, "MetadataEntry") == 0, attributes["key"] == "HKTimeZone" else { return }
      record.zone = attributes["value"].flatMap { Zone($0) }
      open = .record(record)
    case .workout(var workout):
      // Releasing it here lets it be changed in place.
      open = .other
      workout.begin(String(cString: name), attributes, isOwn: depth == 3, routes: routes)
      open = .workout(workout)
    }
  }

  func end(_ name: UnsafePointer<CChar>) throws {
    depth -= 1
    guard depth == 1 else { return }
    defer { open = .none }
    switch open {
    case .none, .other: break
    case .record(let record): try take(record)
    case .workout(let workout): try take(workout)
    }
  }

  func lost(line: Int, byte: Int, reason: String) {
    open = .none
    depth = 0
    skip("\(name):\(line) (byte \(byte))", reason)
  }

  // MARK: Reports

  var place: String { "\(name):\(stream?.line ?? 1)" }

  func skip(_ place: String, _ reason: String) {
    sink.diagnose(Diagnostic(.skipped, place: place, message: "skipped: \(reason)"))
  }

  func skip(field: String, _ reason: String) { skip("\(place) field “\(field)”", reason) }

  func note(_ message: String) {
    sink.diagnose(Diagnostic(.note, place: name, message: message))
  }

  /// Passes on the combined results and reports the skipped elements.
  func finish() throws {
    try takeMindfulness()
    try takeSleep()
    let entries = entries
    let name = name
    try days.forEach { figure in
      count += 1
      try sink.take(entries.record(figure, "\(name) \(figure.day) \(figure.metric.name)"))
    }
    if repeated > 0 {
      note("\(repeated) records appear more than once with the same values and are counted once")
    }
    if sleep.left > 0 {
      note("\(sleep.left) sleep records have no duration or are longer than a day; skipped")
    }
    if days.overflow > 0 {
      note("skipped records beyond the limit for days and types: \(days.overflow)")
    }
    for (element, count) in strange.sorted(by: { $0.key < $1.key }) {
      note("\(count) × \(FieldError.shown(element)): not supported by Arkived; skipped")
    }
  }

  // MARK: Workouts and summaries

  private func take(_ workout: HealthWorkout) throws {
    let activity: Activity
    do throws(FieldError) {
      activity = try workout.activity(entries)
    } catch {
      return skip(field: error.field, error.problem)
    }
    count += 1
    try sink.take(entries.record(activity, way: workout.way, place))
  }

  /// Takes Apple's own sums of a day, which account for several devices.
  private func takeSummary(_ attributes: XMLAttributes) {
    guard let text = attributes["dateComponents"], let day = DayKey(text) else {
      return skip(
        field: "dateComponents",
        """
        \(FieldError.shown(attributes["dateComponents"] ?? "")) isn’t a valid day (such as \
        2016-11-14)
        """
      )
    }
    let energyUnit = HealthUnit.plain(attributes["activeEnergyBurnedUnit"] ?? "kcal", of: "")
    let sums: [(StaticString, String, String)] = [
      ("activeEnergyBurned", "activeEnergy", energyUnit),
      ("appleExerciseTime", "exerciseRingMinutes", "min"),
      ("appleStandHours", "standRingHours", "h"),
    ]
    for (key, metric, unit) in sums {
      // Without a watch, the summaries contain only zeros.
      guard let value = HealthNumber.read(attributes[key]), value > 0 else { continue }
      let number = days.metric(metric, unit: unit, rule: .counted)
      guard let change = HealthUnit.conversion(from: unit, to: days.metrics[number].unit) else {
        continue
      }
      days.tell(metric: number, day: day, value: value * change.factor)
    }
  }
}
