import ArkivedCore
import Foundation

/// Imports tables whose rows are the points of journeys: latitude, longitude and a time, as
/// location loggers write them.
///
/// They become stays and journeys, like any location history.
package struct TablePoints: MappedImporter {
  package let format = "points"
  package let keepsPlaces = true
  package let keepsZones = true
  package let recordsOffsets = true
  package let table: TableImporter

  package init(_ table: TableImporter = TableImporter()) { self.table = table }

  // MARK: Recognising

  package func recognises(head: [UInt8], fileName: String) -> Bool {
    table.reading(head: head, fileName: fileName)?.arePoints ?? false
  }

  package func recognises(_ file: ImportFile, head: [UInt8]) -> Bool {
    table.reading(file, head: head)?.arePoints ?? false
  }

  package func surroundings(of file: ImportFile) -> [String]? { table.surroundings(of: file) }

  package var settings: String { table.settings }

  /// The largest median gap between rows that are points, in milliseconds.
  private static let density: Int64 = 120_000
  private static let leastRows = 20

  /// Returns true if rows are points: they contain only a place and a time, or follow each other
  /// closely with the same other values.
  static func are(_ rows: [[String]], by mapping: TableMapping) -> Bool {
    guard let lat = mapping.indices(.lat).first, let lon = mapping.indices(.lon).first,
      let time = (mapping.indices(.start) + mapping.indices(.date)).first
    else { return false }
    func cell(_ row: [String], _ index: Int) -> String {
      index < row.count ? row[index].trimmingCharacters(in: .whitespaces) : ""
    }
    let points = rows.filter { !cell($0, lat).isEmpty && !cell($0, lon).isEmpty }
    if !points.isEmpty, areOfLogger(mapping) { return true }
    guard !points.isEmpty, points.count * 2 >= rows.count else { return false }
    let clock = mapping.indices(.time).first
    guard
      points.contains(where: { row in
        TableMoment.hasClock(cell(row, time)) || clock.map { !cell(row, $0).isEmpty } ?? false
      })
    else { return false }
    let told = mapping.columns.contains { [.mood, .energy, .duration, .end].contains($0.field) }
    let words = [.text, .description, .notes, .place, .people].flatMap { mapping.indices($0) }
    let texts = Set(
      points.map { row in words.map { cell(row, $0) }.joined(separator: "\n") }
        .filter { $0.contains { !$0.isWhitespace } })
    if texts.isEmpty { return !told }
    guard points.count >= leastRows, texts.count <= max(3, points.count / 20) else { return false }
    let times = TableMoment.times(of: points, by: mapping)
    let gaps = zip(times, times.dropFirst()).map { abs($1 - $0) }.sorted()
    return !gaps.isEmpty && gaps[gaps.count / 2] <= density
  }

  /// Returns true for the columns of GPSLogger, which contain only positions and times, regardless
  /// of the words in them.
  private static func areOfLogger(_ mapping: TableMapping) -> Bool {
    let names = mapping.columns.prefix(7).map { $0.name.lowercased() }
    return names == ["time", "lat", "lon", "elevation", "accuracy", "bearing", "speed"]
  }

  // MARK: Reading

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let reading = try table.reading(file)
    if reading.origin == .guessed { table.tellGuess(reading.mapping, file, sink) }
    let (survey, decimal) = try table.survey(file, reading.mapping, sink)
    let first = FirstProblem(sink)
    var points = PointRows(
      file: file, context: context, mapping: reading.mapping, survey: survey, decimal: decimal,
      into: first)
    var rows = try CSVTable(file, skipsPreamble: true, numbersRepeats: true)
    try rows.forEach(into: first) { try points.take($0) }
    try points.finish()
    guard points.count > 0 else {
      throw TableImporter.nothing(in: file, reading, first.problem)
    }
  }
}

/// Reads the rows of a file as points.
private struct PointRows {
  let file: ImportFile
  let context: ImportContext
  let mapping: TableMapping
  let survey: TableSurvey
  let decimal: Character
  let sink: any ImportSink
  private let positions: TablePosition
  private var days: PointDays
  private let accuracy: Int?
  /// The column that gives the mode of travel, and the column of words written at a place.
  private let activity: Int?
  private let annotation: Int?
  private(set) var count = 0
  private var placeless = 0

  init(
    file: ImportFile, context: ImportContext, mapping: TableMapping, survey: TableSurvey,
    decimal: Character, into sink: any ImportSink
  ) {
    (self.file, self.context, self.mapping, self.survey) = (file, context, mapping, survey)
    (self.decimal, self.sink) = (decimal, sink)
    positions = TablePosition(mapping)
    days = PointDays(file, context: context, provider: "points", into: sink)
    let names: Set<String> = ["accuracy", "acc", "horizontalaccuracy", "genauigkeit"]
    func column(_ name: String) -> Int? {
      mapping.columns.firstIndex { $0.name.lowercased() == name }
    }
    (activity, annotation) = (column("activity"), column("annotation"))
    accuracy = mapping.columns.firstIndex {
      names.contains(TableUnits.words(of: $0.name).filter { $0 != "m" }.joined())
    }
  }

  mutating func take(_ row: CSVTable.Row) throws {
    let place = "\(file.name):\(row.line)"
    func cell(_ field: TableField) -> String? {
      mapping.indices(field).lazy.compactMap { row.value(at: $0) }.first
    }
    func skip(_ field: TableField, _ message: String) {
      let name = mapping.column(field)?.name ?? field.rawValue
      sink.diagnose(
        Diagnostic(.skipped, place: "\(place) field “\(name)”", message: "skipped: \(message)"))
    }
    // A logger without a GPS fix writes only a time.
    guard let (lat, lon) = positions.written(in: row) else {
      placeless += 1
      return
    }
    guard let degrees = positions.degrees(in: row),
      let position = GeoPoint(lat: degrees.lat, lon: degrees.lon)
    else {
      return skip(
        .lat, "\(FieldError.shown(lat)), \(FieldError.shown(lon)) aren’t valid coordinates")
    }
    let field: TableField = mapping.column(.start) != nil && cell(.start) != nil ? .start : .date
    guard let text = cell(field), let moment = moment(text, in: field, cell(.time)) else {
      return skip(field, "\(FieldError.shown(cell(field) ?? "")) isn’t a valid time")
    }
    var point = TrackPoint(position, time: moment.milliseconds)
    if let metres = accuracy.flatMap({ row.value(at: $0) }).flatMap(number), metres > 0 {
      point.accuracy = UInt16(min(metres.rounded(), 60_000))
    }
    point.mode = activity.flatMap { row.value(at: $0) }.flatMap { TravelMode($0) }
    count += 1
    try days.take(point)
    guard let words = annotation.flatMap({ row.value(at: $0) }) else { return }
    try days.take(
      PlaceEntries.Visit(
        start: PlaceTime(moment, in: context.zones), point: position, name: words,
        identity: "note/\(moment)", place: place))
  }

  mutating func finish() throws {
    try days.finish()
    if days.entries.count == 0, count > 0 {
      sink.diagnose(
        Diagnostic(
          .note, place: file.name,
          message:
            "nothing to import: no stays of at least ten minutes and no trips of at least 300 m"))
    }
    guard placeless > 0 else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: file.name,
        message: placeless == 1
          ? "1 row has no latitude or longitude; skipped"
          : "\(placeless) rows have no latitude or longitude; skipped"))
  }

  private func number(_ text: String) -> Double? {
    survey.numbers.number(text, fallback: decimal)
  }

  private func moment(_ text: String, in field: TableField, _ clock: String?) -> Instant? {
    switch survey.moment(text, in: field) {
    case .instant(let instant, _): return instant
    case .local(let day, let second):
      let told = clock.flatMap { TableTimes.clock($0) }
      guard let second = second.flatMap({ $0 == 0 ? told ?? 0 : $0 }) ?? told else { return nil }
      return context.zones.instant(of: WallTime(day: day, secondOfDay: second))
    case nil: return nil
    }
  }
}
