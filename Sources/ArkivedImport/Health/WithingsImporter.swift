import ArkivedCore
import Foundation

/// Imports the tables of Withings' (once Nokia's) "Download your data": `weight.csv`, `bp.csv`,
/// `sleep.csv`, `activities.csv` and the daily sums, `aggregates_steps.csv` and the like.
///
/// Source of the format: descriptions of the tables. Their column names are in English, regardless
/// of the account's language.
package struct WithingsImporter: Importer {
  package let format = "withings"
  static let provider = "withings"

  package init() {}

  private enum Kind { case weight, pressure, sleep, activities, steps, distance, unread }

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    Self.kind(CSVTable.columns(ofHead: head), fileName) != nil
  }

  private static func kind(_ columns: Set<String>, _ name: String) -> Kind? {
    let last = name.split(separator: "/").last?.lowercased() ?? ""
    if columns.contains("date"), columns.contains(where: { $0.hasPrefix("weight (") }),
      columns.contains(where: { $0.hasPrefix("fat mass (") })
    {
      return .weight
    }
    if columns.isSuperset(of: ["date", "systolic", "diastolic"]), columns.contains("heart rate") {
      return .pressure
    }
    if columns.isSuperset(of: ["from", "to"]) {
      if columns.contains(where: { $0.hasPrefix("deep (") }) { return .sleep }
      if columns.isSuperset(of: ["activity type", "data"]) { return .activities }
    }
    if last.hasPrefix("raw_"), columns == ["start", "duration", "value"] { return .unread }
    if last == "signal.csv", columns.isSuperset(of: ["date", "type", "frequency", "duration"]) {
      return .unread
    }
    if last == "height.csv", columns.count == 2, columns.contains("date"),
      columns.contains(where: { $0.hasPrefix("height (") })
    {
      return .unread
    }
    guard columns.isSuperset(of: ["date", "value"]), columns.count == 2 else { return nil }
    if last.hasPrefix("aggregates_steps") { return .steps }
    if last.hasPrefix("aggregates_distance") { return .distance }
    return last.hasPrefix("aggregates_") ? .unread : nil
  }

  /// The beginnings of the columns that are read or say nothing about the entry itself.
  private static let known: [Kind: [String]] = [
    .weight: ["date", "weight (", "fat mass ("],
    .pressure: ["date", "heart rate", "systolic", "diastolic"],
    .sleep: ["from", "to", "light (", "deep (", "rem (", "awake ("],
    .activities: ["from", "to", "timezone", "activity type", "data", "modified"],
    .steps: ["date", "value"], .distance: ["date", "value"],
  ]

  package func surroundings(of file: ImportFile) -> [String]? { [] }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    var table = try CSVTable(file)
    try table.refuseEmpty()
    let columns = table.header.map { $0.lowercased() }
    guard let kind = Self.kind(Set(columns), file.name) else {
      throw ImportRefusal(place: "\(file.name):1", message: "not a Withings table")
    }
    guard kind != .unread else {
      return UnreadTable.tell(file, of: "Withings", context, into: sink)
    }
    func column(_ beginning: String) -> String? { columns.first { $0.hasPrefix(beginning) } }
    var entries = ServiceEntries(
      context: context, provider: Self.provider, service: "Withings", sink: sink)
    let header = table.header
    let known = Self.known[kind] ?? []
    try table.forEach(into: sink) { row in
      let place = "\(file.name):\(row.line)"
      entries.leaveRest(of: row, header) { name in known.contains { name.hasPrefix($0) } }
      switch kind {
      case .weight, .pressure, .steps, .distance:
        guard let day = Self.day(row.value("date")) else {
          return entries.skip("\(place) field “Date”", "it isn’t a valid date")
        }
        switch kind {
        case .weight:
          try Self.takeWeight(row, day, column("weight ("), column("fat mass ("), place, &entries)
        case .pressure:
          entries.number(
            "bloodPressureSystolic", Self.number(row.value("systolic")), on: day, at: place)
          entries.number(
            "bloodPressureDiastolic", Self.number(row.value("diastolic")), on: day, at: place)
          entries.number("heartRate", Self.number(row.value("heart rate")), on: day, at: place)
        case .steps:
          entries.number("steps", Self.number(row.value("value")), on: day, at: place)
        default:
          let metres = Self.number(row.value("value"))
          entries.number("walkingDistance", metres.map { $0 / 1_000 }, on: day, at: place)
        }
      case .sleep: try Self.takeNight(row, place, column, &entries)
      case .activities: try Self.takeActivity(row, place, &entries)
      case .unread: break
      }
    }
    try entries.finish(file)
  }

  private static func number(_ text: String?) -> Double? {
    text.flatMap { Double($0.replacing(",", with: ".")) }.flatMap { $0.isFinite ? $0 : nil }
  }

  private static func day(_ text: String?) -> DayKey? {
    text.flatMap { DayKey(String($0.prefix(10))) }
  }

  private static func takeWeight(
    _ row: CSVTable.Row, _ day: DayKey, _ weight: String?, _ fat: String?, _ place: String,
    _ entries: inout ServiceEntries
  ) throws {
    guard let weight, let amount = number(row.value(weight)) else { return }
    // The unit is in the column's name: "Weight (kg)".
    let unit = weight.split { "()".contains($0) }.last.map(String.init) ?? "kg"
    let kilos = UnitTable.standard.convert(amount, from: unit, to: "kg")
    guard let kilos else {
      return entries.skip(place, "the unit \(FieldError.shown(unit)) is unknown")
    }
    let time = ServiceValue.utc(row.value("date"))
    // The fat is a share of the weight, so it is as wrong as the weight.
    guard entries.number("weight", kilos, on: day, time: time, at: place) else { return }
    if let fat, let mass = number(row.value(fat)), mass > 0, amount > 0 {
      entries.number("bodyFat", mass / amount * 100, on: day, time: time, at: place)
    }
  }

  private static func takeNight(
    _ row: CSVTable.Row, _ place: String, _ column: (String) -> String?,
    _ entries: inout ServiceEntries
  ) throws {
    guard let start = entries.time(row.value("from")), let end = entries.time(row.value("to"))
    else {
      return entries.skip("\(place) field “from”", "it isn’t a valid time")
    }
    func seconds(_ beginning: String) -> Int? {
      column(beginning).flatMap { number(row.value($0)) }
        .flatMap { (0...1e9).contains($0) ? Int($0) : nil }
    }
    try entries.take(
      ServiceEntries.Night(
        id: "\(start.instant)", start: start.instant, end: end.instant, zone: end.zone,
        deep: seconds("deep ("), light: seconds("light ("), rem: seconds("rem ("),
        awake: seconds("awake (")), at: place)
  }

  private static func takeActivity(
    _ row: CSVTable.Row, _ place: String, _ entries: inout ServiceEntries
  ) throws {
    let from = row.value("from")
    guard let start = entries.time(from)?.instant, let end = entries.time(row.value("to"))?.instant
    else { return entries.skip("\(place) field “from”", "it isn’t a valid time") }
    var workout = RecordedActivity(start: start, place: place)
    workout.end = end
    workout.offset = from.flatMap(FeatureTime.offset)
    workout.zone = row.value("timezone").flatMap { Zone($0) }
    workout.sport = row.value("activity type") ?? ""
    let data = row.value("data").flatMap { try? JSON(parsing: Array($0.utf8)) }
    func number(_ name: String) -> Double? { ServiceValue.number(data?[name]) }
    workout.seconds = number("effduration") ?? Double(start.seconds(to: end))
    workout.metres = (number("distance") ?? number("manual_distance")).flatMap { $0 > 0 ? $0 : nil }
    workout.kilocalories = number("calories") ?? number("manual_calories")
    workout.heartMean = number("hr_average")
    workout.heartMost = number("hr_max")
    workout.steps = number("steps")
    try entries.take(workout, id: "activity/\(start)")
  }
}
