import ArkivedCore
import Foundation

/// Creates activities from stays and journeys and passes them on, for all sources of places.
struct PlaceEntries {
  struct Visit {
    var start: PlaceTime
    var end: Instant?
    var point: GeoPoint?
    var name: String?
    var details: String?
    /// The identifier in its source; nil if only the start identifies it.
    var identity: String?
    /// Notes about it in addition to the details.
    var notes: String?
    /// True if only its day is known; in that case, the start is that day's start.
    var isWholeDay = false
    /// The text used instead of a statement that somebody was there.
    var text: String?
    var place: String
  }

  struct Way {
    var start: PlaceTime
    var end: Instant?
    var metres: Double?
    var mode: TravelMode?
    /// The name in the source.
    var name: String?
    var details: String?
    var notes: String?
    /// The lines of its parts, as stored.
    var lines: [[GeoPoint]] = []
    /// The place at which it is shown.
    var point: GeoPoint?
    var kind = ActivityKind.travel
    var measurements: [String: Double] = [:]
    /// The duration in minutes, if the source gives it separately from the start and the end.
    var minutes: Double?
    /// True if only its day is known; in that case, the start is that day's start.
    var isWholeDay = false
    var source = ActivitySource.locationImport
    var tags: [String] = []
    var identity: String?
    var place: String
  }

  /// The longest distance in metres, more than twice around the Earth.
  static let longestWay = 1e8

  let context: ImportContext
  let provider: String
  let sink: any ImportSink
  /// The last day of a source that records continuously, and the last moment that it has of it.
  var lastDay: DayKey?
  var lastMoment: Instant?
  private var folder: URL?
  /// The number of entries passed on.
  private(set) var count = 0
  /// The names that identify entries, with the content of each entry at the same time.
  private var identities: [String: [String: Int]] = [:]

  init(context: ImportContext, provider: String, sink: any ImportSink) {
    self.context = context
    self.provider = provider
    self.sink = sink
  }

  mutating func take(_ visit: Visit) throws {
    let name = visit.name.flatMap(Self.line)
    let area = name == nil ? visit.point.flatMap { context.placeNames?.area(of: $0) } : nil
    var activity = Activity(
      id: context.identities.next(), dayKey: visit.start.day,
      startAt: visit.isWholeDay ? nil : visit.start.instant,
      endAt: visit.isWholeDay ? nil : visit.end, timeZone: visit.start.zone.identifier,
      kind: .travel,
      text: visit.text.flatMap(Self.line) ?? area?.text
        ?? Self.text(ofVisitTo: name, at: visit.point),
      description: visit.details.flatMap(Self.line), notes: visit.notes.flatMap(Self.words),
      source: .locationImport,
      locationLabel: name ?? area?.label, lat: visit.point?.lat, lon: visit.point?.lon,
      createdAt: context.now, updatedAt: context.now)
    activity.externalRefs = [
      reference(visit.identity ?? "stay/\(visit.start.instant)", of: activity, line: "")
    ]
    try hand(on: activity, visit.place, folder: nil)
  }

  mutating func take(_ way: Way) throws {
    var way = way
    if let metres = way.metres, !(0...Self.longestWay).contains(metres) {
      way.metres = nil
      sink.diagnose(
        Diagnostic(
          .skipped, place: way.place,
          message: "skipped an implausible distance: \(HealthText.amount(metres / 1_000, "km"))"))
    }
    var measurements = way.measurements
    if let metres = way.metres, metres >= 1 { measurements["km"] = metres.rounded() / 1_000 }
    var activity = Activity(
      id: context.identities.next(), dayKey: way.start.day,
      startAt: way.isWholeDay ? nil : way.start.instant, endAt: way.isWholeDay ? nil : way.end,
      timeZone: way.start.zone.identifier, kind: way.kind,
      text: way.name.flatMap(Self.line) ?? TravelMode.text(way.mode, metres: way.metres),
      description: way.details.flatMap(Self.line), notes: way.notes.flatMap(Self.words),
      source: way.source, lat: way.point?.lat, lon: way.point?.lon,
      measurements: measurements, durationMinutes: way.minutes, tags: way.tags,
      createdAt: context.now, updatedAt: context.now)
    // A straight line has two points, which are the only ones that show where it ends.
    let drawn = way.lines.filter { $0.count > 2 || $0.count == 2 && $0[0] != $0[1] }
    let line = drawn.isEmpty ? "" : PathLine.geoJSON(drawn)
    activity.externalRefs = [
      reference(way.identity ?? "way/\(way.start.instant)", of: activity, line: line)
    ]
    guard !line.isEmpty else { return try hand(on: activity, way.place, folder: nil) }
    let folder = try lineFolder()
    let file = "\(count).geojson"
    try Data(line.utf8).write(to: folder.appendingPathComponent(file))
    activity.attachments = [
      Attachment(
        id: context.identities.next(), type: .file, relativePath: file,
        mediaType: WayFile.mediaType, originalName: WayFile.name, createdAt: context.now,
        updatedAt: context.now)
    ]
    try hand(on: activity, way.place, folder: folder)
  }

  /// Returns the name that identifies an entry: its time, with a number if a different entry at the
  /// same time came before.
  mutating func identity(_ moment: String, of content: String) -> String {
    let count = identities[moment]?.count ?? 0
    let number = identities[moment]?[content] ?? count + 1
    if number > count { identities[moment, default: [:]][content] = number }
    return number == 1 ? moment : "\(moment)/\(number)"
  }

  /// Returns this reader's own folder inside the run's folder, which several files share.
  private mutating func lineFolder() throws -> URL {
    if let folder { return folder }
    let made = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    folder = made
    return made
  }

  private mutating func hand(on activity: Activity, _ place: String, folder: URL?) throws {
    do throws(FieldError) {
      try activity.validate()
    } catch {
      sink.diagnose(
        Diagnostic(
          .skipped, place: "\(place) field “\(error.field)”",
          message: "skipped: \(error.description)"))
      return
    }
    count += 1
    var record = ImportedRecord(
      .activity(activity), place: place, linksPeople: false, attachmentsFolder: folder)
    if activity.dayKey == lastDay { record.coveredUntil = lastMoment }
    try sink.take(record)
  }

  private func reference(_ identity: String, of activity: Activity, line: String) -> ExternalRef {
    let parts =
      [
        activity.text, activity.endAt?.description ?? "", activity.description ?? "",
        activity.notes ?? "", activity.locationLabel ?? "", activity.timeZone,
        activity.lat.map { "\($0)" } ?? "", activity.lon.map { "\($0)" } ?? "",
        MeasureText.write(activity.measurements), line,
      ] + (activity.durationMinutes.map { ["\($0)"] } ?? []) + activity.tags
    let content = parts.joined(separator: "\u{1F}")
    return ExternalRef(
      provider: provider, externalID: identity, fetchedAt: context.now,
      contentHash: TableIdentity.hash(content))
  }

  // MARK: Words

  private static func text(ofVisitTo name: String?, at point: GeoPoint?) -> String {
    switch name {
    case "Home": "At home"
    case "Work": "At work"
    case let name?: "At \(name)"
    case nil: point.map(StayText.at) ?? StayText.unknown
    }
  }

  /// Returns a name as one line, or nil if it is empty.
  static func line(_ text: String) -> String? {
    let words = text.unicodeScalars.prefix(2_000).map { scalar in
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : String(scalar)
    }.joined().split(separator: " ").joined(separator: " ")
    return words.isEmpty ? nil : String(words.prefix(300))
  }

  /// Returns a text of several lines without invalid characters.
  static func words(_ text: String) -> String? {
    let words = text.filter { $0 != "\0" }.trimmingCharacters(in: .whitespacesAndNewlines)
    return words.isEmpty ? nil : words
  }
}
