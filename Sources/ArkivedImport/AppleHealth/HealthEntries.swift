import ArkivedCore
import Foundation

/// What the entries of a run are made with.
struct HealthEntries {
  let context: ImportContext
  /// When the phone wrote the export; entries count as last changed then.
  var exportedAt: Instant?
  /// By whose clock all is read; nil for that by which it is written.
  var clock: Zone?

  /// The provider under which everything of Apple Health is known.
  static let provider = "health"
  /// What the days' numbers name as their source.
  static let source = "Apple Health"

  /// An activity that begins and ends.
  ///
  /// - Parameters:
  ///   - day: the day it stands on; that of its start when nil.
  ///   - name: what it is known by beside its start.
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

  /// An activity with the line of the way it led, kept as a file beside it as other ways are.
  ///
  /// - Throws: what writing the file throws.
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

/// Lengths of time in words.
enum HealthText {
  /// "7 h 12 min", "45 min".
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
