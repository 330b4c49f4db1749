import ArkivedCore
import Foundation

/// The recordings next to Strava's `activities.csv`, each of which belongs to one activity.
struct StravaRecordings {
  /// The size limit of an unpacked recording.
  private static let sizeLimit: Int64 = 512 << 20

  let file: ImportFile
  let context: ImportContext
  let sink: any ImportSink

  /// Returns the entry of a recording, or nil if it is missing or can't be read.
  ///
  /// - Parameters:
  ///   - path: its path in the archive.
  ///   - start: the start of its activity.
  ///   - place: the position of its row.
  /// - Returns: the entry, whose line, place, zone and measurements can be used.
  func activity(_ path: String, start: Instant, at place: String) -> ImportedRecord? {
    let parts = path.split(separator: "/")
    guard parts.count == 2, parts[0] == "activities", !parts[1].hasPrefix(".") else { return nil }
    let url = file.url.deletingLastPathComponent().appendingPathComponent(path)
    let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type]
    guard type as? FileAttributeType == .typeRegular else { return nil }
    do {
      return try read(url, path, start)
    } catch {
      let reason =
        (error as? ImportRefusal)?.message ?? (error as? ZipFailure).map { "\($0)" }
        ?? error.localizedDescription
      sink.diagnose(
        Diagnostic(
          .note, place: place,
          message: "the recording \(path) can’t be read, so there is no route: \(reason)"))
      return nil
    }
  }

  private func read(_ url: URL, _ path: String, _ start: Instant) throws -> ImportedRecord? {
    var plain = ImportFile(url: url, name: file.folder + path)
    var head = try ZipMembers.head(of: plain, count: 4_096)
    if GzipFile.isGzip(head) {
      let target = try context.scratchFolder().appendingPathComponent(UUID().uuidString)
      try GzipFile.unpack(url, to: target, limit: Self.sizeLimit)
      plain = ImportFile(url: target, name: plain.name)
      head = try ZipMembers.head(of: plain, count: 4_096)
    }
    let capture = WorkoutSink()
    // The loss of points is reported; that a recording without them yields no entry isn't.
    defer {
      capture.diagnostics.filter { $0.severity == .skipped }.forEach { sink.diagnose($0) }
    }
    if GPXImporter().recognises(head: head, fileName: path) {
      try readTrack(plain, start, into: capture)
    } else {
      let importers: [any Importer] = [FITImporter(), TCXImporter()]
      guard let importer = importers.first(where: { $0.recognises(head: head, fileName: path) })
      else { return nil }
      try importer.read(plain, context: context, into: capture)
    }
    // Of several sports in one file, the longest is the activity.
    return capture.records.max { Self.weight($0) < Self.weight($1) }
  }

  /// Reads a GPX file as one activity, also past midnight, and without its halts.
  private func readTrack(_ plain: ImportFile, _ start: Instant, into sink: WorkoutSink) throws {
    var activity = RecordedActivity(start: start, place: plain.name)
    activity.track = try GPXReader(plain, context: context, sink: sink).readRecording()
    if let first = activity.track.points.first(where: { $0.time != nil }), let time = first.time {
      activity.start = Instant(milliseconds: time)
      activity.offset = first.offset.map { Int($0) * 60 }
    }
    guard !activity.track.points.isEmpty else { return }
    var activities = RecordedActivities(
      context: context, provider: StravaImporter.provider, sink: sink)
    try activities.take(activity)
  }

  private static func weight(_ record: ImportedRecord) -> Double {
    guard case .activity(let activity) = record.value, !activity.attachments.isEmpty else {
      return 0
    }
    return activity.measurements["km"] ?? 0.001
  }
}
