package import ArkivedCore
package import Foundation

/// A timeline in memory, read from a JSON Lines export.
package struct MemoryTimeline: Timeline {
  let table: TableTimeline
  /// The IDs of entries, by row number.
  private let identities: [Int64: UUID]

  package var people: [TimelinePerson] { table.people }
  package var tags: [String: Int] { table.tags }
  package var places: [String: Int] { table.places }
  package var units: [String: Int] { table.units }
  package var metrics: [String: String] { table.metrics }
  package var names: TimelineNames { table.names }
  package var span: ClosedRange<DayKey>? { table.span }

  /// Reads an export; invalid lines are skipped.
  package init(jsonLines text: String, zone home: Zone) {
    var reading = Reading(home: home)
    for line in text.split(separator: "\n") {
      guard let row = try? JSON(parsing: String(line)) else { continue }
      switch row["type"]?.string ?? "activity" {
      case "person": reading.readPerson(row)
      case "activity": reading.readActivity(row)
      case "day": reading.readDay(row)
      case "metric": reading.readMetric(row)
      default: break
      }
    }
    identities = reading.identities
    let bytes = TimelineBytes(copying: reading.contents.finish())
    let parts = TimelineContents(bytes).map { [TableTimeline.Part(contents: $0)] } ?? []
    table = TableTimeline(parts, people: reading.people, figures: reading.figures)
  }

  /// Returns the ID of an entry in the export.
  package func identity(of entry: TimelineEntry) -> UUID? { identities[entry.id] }

  package func frequency(of key: String) -> Int { table.frequency(of: key) }

  package func entries(
    _ type: TimelineEntry.Kind, where condition: IndexCondition
  ) -> [TimelineEntry] {
    table.entries(type, where: condition)
  }

  package func count(_ type: TimelineEntry.Kind, where condition: IndexCondition) -> Int {
    table.count(type, where: condition)
  }

  package func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)] {
    table.days(in: days)
  }
}

/// Daily figures in memory.
private struct MemoryFigures: DayFigures {
  var metrics: [String: String] = [:]
  var values: [DayKey: TimelineDay] = [:]

  var span: ClosedRange<DayKey>? {
    guard let first = values.keys.min(), let last = values.keys.max() else { return nil }
    return first...last
  }

  func days(in days: ClosedRange<DayKey>) -> [(DayKey, TimelineDay)] {
    values.filter { days.contains($0.key) }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// The state while reading an export.
private struct Reading {
  let home: Zone
  var contents = TimelineContentsBuilder()
  var people: [TimelinePerson] = []
  var figures = MemoryFigures()
  var identities: [Int64: UUID] = [:]
  private var last: Int64 = 0

  init(home: Zone) { self.home = home }

  /// Returns a row number for an entry, in the same scheme as the documents in the archive's
  /// full-text table.
  private mutating func number(_ row: JSON, isActivity: Bool) -> Int64 {
    last += 8
    let number = last + (isActivity ? 0 : 1)
    identities[number] = row["id"]?.string.flatMap { UUID(uuidString: $0) } ?? UUID()
    return number
  }

  mutating func readPerson(_ row: JSON) {
    guard let name = row["name"]?.string else { return }
    people.append(
      .init(
        name: name, aliases: (row["aliases"]?.array ?? []).compactMap(\.string),
        summary: row["relationshipSummary"]?.string))
  }

  mutating func readActivity(_ row: JSON) {
    guard let text = row["text"]?.string else { return }
    let zone = row["timeZone"]?.string.flatMap { Zone($0) } ?? home
    let start = row["startAt"]?.string.flatMap { Instant($0) }
    let end = row["endAt"]?.string.flatMap { Instant($0) }
    let wall = start.map { zone.wallTime(at: $0) }
    guard let day = row["dayKey"]?.string.flatMap({ DayKey($0) }) ?? wall?.day else { return }
    var entry = IndexedEntry(
      rowNumber: number(row, isActivity: true), day: day,
      startMinute: wall.map { $0.minutes(since: day) },
      minutes: row["durationMinutes"]?.double, kind: row["kind"]?.string ?? "other", text: text,
      place: row["locationLabel"]?.string)
    entry.isPartOfDay = row["dayPeriod"]?.string != nil
    if entry.minutes == nil, let start, let end {
      entry.minutes = Double(start.seconds(to: end)) / 60
    }
    if let latitude = row["lat"]?.double, let longitude = row["lon"]?.double {
      entry.coordinates = Coordinates(latitude: latitude, longitude: longitude)
    }
    entry.tags = (row["tags"]?.array ?? []).compactMap(\.string)
    entry.people = (row["people"]?.array ?? []).compactMap(\.string)
    entry.measurements = (row["measurements"]?.object?.members ?? []).compactMap { unit, amount in
      amount.double.map { (unit, $0) }
    }
    let notes = ["description", "notes"].compactMap { row[$0]?.string }.filter { !$0.isEmpty }
    entry.notes = notes.isEmpty ? nil : notes.joined(separator: ".\n")
    contents.add(entry)
  }

  mutating func readDay(_ row: JSON) {
    guard let day = row["dayKey"]?.string.flatMap({ DayKey($0) }) else { return }
    let number = number(row, isActivity: false)
    var value = figures.values[day] ?? TimelineDay(metrics: [:])
    value.mood = row["mood"]?.int
    value.energy = row["energy"]?.int
    figures.values[day] = value
    let text = [row["title"]?.string, row["note"]?.string].compactMap(\.self)
      .filter { !$0.isEmpty }.joined(separator: ".\n")
    guard !text.isEmpty || value.mood != nil || value.energy != nil else { return }
    var entry = IndexedEntry(rowNumber: number, day: day, text: text, isActivity: false)
    entry.people = (row["people"]?.array ?? []).compactMap(\.string)
    contents.add(entry)
  }

  mutating func readMetric(_ row: JSON) {
    guard let day = row["dayKey"]?.string.flatMap({ DayKey($0) }),
      let name = row["metric"]?.string, let value = row["value"]?.double
    else { return }
    figures.values[day, default: TimelineDay(metrics: [:])].metrics[name] = value
    figures.metrics[name] = row["unit"]?.string ?? ""
  }
}
