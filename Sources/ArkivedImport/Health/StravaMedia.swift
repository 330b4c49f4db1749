import ArkivedCore
import Foundation

/// The photos and videos next to Strava's `activities.csv`, with the captions in `media.csv`.
struct StravaMedia {
  private let home: URL
  private let name: String
  private let files: JournalFiles
  private let sink: any ImportSink
  private let captions: [String: String]
  private var used: Set<String> = []

  init(file: ImportFile, context: ImportContext, sink: any ImportSink) {
    home = file.url.deletingLastPathComponent()
    name = file.name
    files = JournalFiles(folder: home, file: file.url, context)
    self.sink = sink
    captions = Self.captions(in: home)
  }

  /// Returns the captions by path: the second and the first column of `media.csv`, whose names are
  /// in the language of the account.
  private static func captions(in home: URL) -> [String: String] {
    let url = home.appendingPathComponent("media.csv")
    guard var table = try? CSVTable(ImportFile(url: url, name: "media.csv")) else { return [:] }
    var captions: [String: String] = [:]
    try? table.forEach(into: SilentSink()) { row in
      if let path = row.value(at: 0), let caption = row.value(at: 1) { captions[path] = caption }
    }
    return captions
  }

  /// Returns the files of an activity; missing ones are reported.
  mutating func attachments(
    _ paths: [String], start: Instant, at place: String
  ) -> (folder: URL, files: [Attachment]) {
    used.formUnion(paths)
    let found = paths.map { path in
      (path, files.attachment(path, caption: captions[path], createdAt: start))
    }
    JournalFiles.tellMissing(found.filter { $0.1 == nil }.map(\.0), at: place, into: sink)
    return (files.folder, found.compactMap(\.1))
  }

  /// Reports the recordings that are missing, and the files that belong to no activity.
  ///
  /// - Parameter recordings: the paths of the recordings in the table.
  func tellRest(besides recordings: Set<String>) {
    let missing = recordings.filter { path in
      path.hasPrefix("activities/") && !path.contains("..")
        && !FileManager.default.fileExists(atPath: home.appendingPathComponent(path).path)
    }
    if let first = missing.min() {
      sink.diagnose(
        Diagnostic(
          .note, place: name,
          message: "recordings are missing, so their activities have no route: "
            + "\(missing.count), such as \(FieldError.shown(first))", mayPass: true))
    }
    tell("media", used, "aren’t part of an activity")
    tell("activities", recordings, "have no row in activities.csv")
    tell("routes", [], "are planned routes without times")
  }

  private func tell(_ folder: String, _ used: Set<String>, _ reason: String) {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: home.appendingPathComponent(folder).path)
    let rest = (names ?? []).filter { !$0.hasPrefix(".") && !used.contains("\(folder)/\($0)") }
    guard let first = rest.min() else { return }
    sink.diagnose(
      Diagnostic(
        .note, place: name,
        message: "skipped files in “\(folder)” that \(reason): \(rest.count), such as "
          + FieldError.shown(first)))
  }
}
