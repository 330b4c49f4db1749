import ArkivedCore
import Foundation

/// Builds the entries of an import run.
struct HealthEntries {
  let context: ImportContext
  /// The time of the export, used as the entries' modification date.
  var exportedAt: Instant?
  /// The zone in which all times are read; nil to use the zone in which each time is written.
  var clock: Zone?

  /// The provider name of everything from Apple Health.
  static let provider = "health"
  /// The source recorded for the days' numbers.
  static let source = "Apple Health"

  /// Returns an activity with a start and an end.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - written: the start as it is written.
  ///   - end: the end as it is written.
  ///   - zone: the time zone; nil if it is unknown.
  ///   - day: the day of the entry; nil for the day of its start.
  ///   - name: the name that identifies it along with its start.
  /// - Returns: the activity.
  func activity(
    _ text: String, from written: HealthMoment, to end: HealthMoment?, zone: Zone?,
    on day: DayKey? = nil, knownAs name: String
  ) -> Activity {
    let start = clock.map(written.inZone) ?? written
    let place = zone ?? start.zone(home: context.homeZone)
    let version = exportedAt ?? context.now
    let moment = zone.map(start.inZone) ?? start
    var activity = Activity(
      id: context.identities.next(), dayKey: day ?? DayKey(clamping: moment.day),
      startAt: start.instant, endAt: end?.instant, timeZone: place.identifier, kind: .health,
      text: text, source: .healthImport, createdAt: version, updatedAt: version)
    activity.externalRefs = [
      ExternalRef(provider: Self.provider, externalID: name, fetchedAt: context.now)
    ]
    return activity
  }

  func record(_ activity: Activity, _ place: String) -> ImportedRecord {
    ImportedRecord(
      .activity(activity), hasOwnVersion: exportedAt != nil, place: place, linksPeople: false)
  }

  /// Records an activity and stores its route as an attached file, as for other routes.
  ///
  /// - Throws: Any error from writing the file.
  func record(
    _ activity: Activity, way: [[GeoPoint]], _ place: String
  ) throws -> ImportedRecord {
    guard !way.isEmpty else { return self.record(activity, place) }
    let folder = try context.scratchFolder()
    let file = "way-\(UUID().uuidString).geojson"
    try Data(PathLine.geoJSON(way).utf8).write(to: folder.appendingPathComponent(file))
    var activity = activity
    activity.attachments = [
      Attachment(
        id: context.identities.next(), type: .file, relativePath: file,
        mediaType: WayFile.mediaType, originalName: WayFile.name,
        createdAt: activity.createdAt, updatedAt: activity.updatedAt)
    ]
    var made = self.record(activity, place)
    made.attachmentsFolder = folder
    return made
  }

  func record(_ figure: HealthDays.Figure, _ place: String) -> ImportedRecord {
    let version = exportedAt ?? context.now
    let metric = DayMetric(
      id: context.identities.next(), dayKey: figure.day, metric: figure.metric.name,
      unit: figure.metric.unit, value: figure.value, minimum: figure.minimum,
      maximum: figure.maximum, source: Self.source, createdAt: version, updatedAt: version)
    return ImportedRecord(
      .metric(metric), hasOwnVersion: exportedAt != nil, place: place, linksPeople: false)
  }
}

/// Text for durations.
enum HealthText {
  /// Returns a duration such as "7 h 12 min" or "45 min".
  static func length(_ seconds: Int) -> String {
    let minutes = (seconds + 30) / 60
    let (hours, rest) = (minutes / 60, minutes % 60)
    if hours == 0 { return "\(rest) min" }
    return rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
  }

  static func amount(_ amount: Double, _ unit: String) -> String {
    "\(AmountText.plain(HealthDays.rounded(amount, unit))) \(unit)"
  }
}
