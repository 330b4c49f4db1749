import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Reads location histories and the use of programs as if at noon of 16 November 2026 in Rome.
enum PlaceReading {
  static func read(
    _ importer: any Importer, _ content: Data, name: String = "file"
  ) throws -> PlaceSink {
    let folder = try TemporaryFolder()
    return try read(importer, try folder.file(name, content), in: folder)
  }

  static func read(
    _ importer: any Importer, _ text: String, name: String = "file"
  ) throws -> PlaceSink {
    try read(importer, Data(text.utf8), name: name)
  }

  static func read(
    _ importer: any Importer, _ url: URL, in folder: TemporaryFolder
  ) throws -> PlaceSink {
    let scratch = try TemporaryFolder()
    let sink = PlaceSink(folders: [folder, scratch])
    let context = ImportContext(
      now: try #require(Instant("2026-11-16T11:00:00Z")),
      homeZone: try #require(Zone("Europe/Rome")), identities: RandomIdentities(),
      scratchFolder: { scratch.url })
    try importer.read(
      ImportFile(url: url, name: url.lastPathComponent), context: context, into: sink)
    return sink
  }

  static func recognises(_ importer: any Importer, _ text: String, _ name: String = "x") -> Bool {
    importer.recognises(head: Array(Array(text.utf8).prefix(4_096)), fileName: name)
  }

  /// Reads every beginning of a file; what comes of it is less, and never a crash.
  ///
  /// - Parameters:
  ///   - importer: the importer.
  ///   - content: the content.
  ///   - step: the number of bytes between two beginnings.
  ///   - tells: whether it can be told from a beginning that it is one.
  /// - Throws: what the test requires.
  static func cut(
    _ importer: any Importer, _ content: Data, everyBytes step: Int, tells: Bool = true
  ) throws {
    let whole = try read(importer, content).records.count
    for end in stride(from: 0, to: content.count, by: step) {
      do {
        let sink = try read(importer, content.prefix(end))
        #expect(sink.records.count <= whole, "cut at byte \(end)")
        #expect(!tells || !sink.diagnostics.isEmpty, "cut at byte \(end)")
      } catch let refusal as ImportRefusal {
        #expect(!refusal.message.isEmpty)
      }
    }
  }
}

/// Keeps what an importer hands on.
final class PlaceSink: ImportSink {
  private(set) var records: [ImportedRecord] = []
  private(set) var diagnostics: [Diagnostic] = []
  private let folders: [TemporaryFolder]

  init(folders: [TemporaryFolder]) { self.folders = folders }

  func take(_ record: ImportedRecord) { records.append(record) }
  func diagnose(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  var activities: [Activity] {
    records.compactMap { record in
      if case .activity(let activity) = record.value { activity } else { nil }
    }
  }

  var metrics: [DayMetric] {
    records.compactMap { record in
      if case .metric(let metric) = record.value { metric } else { nil }
    }
  }

  var texts: [String] { activities.map(\.text) }
  var skipped: [Diagnostic] { diagnostics.filter { $0.severity == .skipped } }
  var identities: [String] { activities.flatMap(\.externalRefs).map(\.externalID) }

  /// "08:00–09:01", in the zone of each.
  var times: [String] {
    activities.map { activity in
      [activity.startAt, activity.endAt].compactMap { $0 }
        .map { activity.zone.wallTime(at: $0).clockText }.joined(separator: "–")
    }
  }

  /// The GeoJSON of the line that an activity keeps.
  func line(of index: Int) throws -> JSON {
    let activity = activities[index]
    let record = try #require(
      records.first { record in
        if case .activity(activity) = record.value { true } else { false }
      })
    let folder = try #require(record.attachmentsFolder)
    let path = try #require(activity.attachments.first?.relativePath)
    return try JSON(parsing: [UInt8](Data(contentsOf: folder.appendingPathComponent(path))))
  }
}

/// Points of a morning: an hour at one place, a quarter of an hour's walk around a corner, an hour
/// at another.
///
/// From 08:00 in Rome.
enum MorningWalk {
  struct Point {
    var minute: Int
    var lat: Double
    var lon: Double
    var isWalk: Bool
  }

  static func points(until end: Int = 135, lat: Double = 50.0506, lon: Double = 14.344) -> [Point] {
    var points = stride(from: 0, through: 60, by: 5).map {
      Point(minute: $0, lat: lat, lon: lon, isWalk: false)
    }
    for step in 1...15 {
      points.append(
        Point(
          minute: 60 + step, lat: lat + 0.001 * Double(min(step, 7)),
          lon: lon + 0.0015 * Double(max(0, step - 7)), isWalk: true))
    }
    points += stride(from: 80, through: end, by: 5).map {
      Point(minute: $0, lat: lat + 0.007, lon: lon + 0.012, isWalk: false)
    }
    return points
  }

  static func stamp(_ minute: Int) -> Instant {
    Instant(milliseconds: 1_714_716_000_000 + Int64(minute) * 60_000)
  }
}
