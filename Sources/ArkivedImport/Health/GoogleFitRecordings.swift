import ArkivedCore
import Foundation

/// The recordings of Google Fit, one TCX file for each session that has positions.
///
/// Takeout writes sessions and recordings into neighbouring folders, whose names are in the
/// language of the account, under names that begin with the same start:
/// `2020-05-03T08_15_04.113+02_00_WALKING.json` and
/// `2020-05-03T08_15_04.113+02_00_PT30M_Walking.tcx`.
struct GoogleFitRecordings {
  let file: ImportFile
  let context: ImportContext

  /// Returns the start in a name, up to the offset; nil for files with other names.
  static func start(in name: String) -> Substring? {
    let last = name.split(separator: "/").last ?? ""
    guard DayKey(String(last.prefix(10))) != nil, last.dropFirst(10).first == "T" else {
      return nil
    }
    let clock = last.dropFirst(11).prefix { ("0"..."9").contains($0) || "_.+-".contains($0) }
    var start = last[..<clock.endIndex]
    while let mark = start.last, mark == "_" || mark == "." { start = start.dropLast() }
    return start
  }

  /// Returns seconds east of UTC in a name; nil if it gives UTC or none.
  static func offset(in name: String) -> Int? {
    guard let clock = start(in: name)?.dropFirst(11),
      let sign = clock.firstIndex(where: { $0 == "+" || $0 == "-" })
    else { return nil }
    let offset = ServiceValue.offset(String(clock[sign...].prefix(6)))
    return offset == 0 ? nil : offset
  }

  /// Returns true if a file is a recording next to a folder of sessions or days.
  static func areBeside(_ name: String, _ folders: Set<String>) -> Bool {
    let parts = name.split(separator: "/")
    guard parts.count >= 2, name.lowercased().hasSuffix(".tcx"), start(in: name) != nil else {
      return false
    }
    let home = parts.dropLast(2).map { $0 + "/" }.joined()
    return folders.contains { folder in
      folder.hasPrefix(home) && folder.split(separator: "/").count == parts.count - 1
    }
  }

  /// Returns the recording of the session in this file; nil if there is none.
  func ofSession() -> ImportedRecord? {
    guard let start = Self.start(in: file.name) else { return nil }
    let recording = recordings().first { Self.start(in: $0.name) == start }
    return recording.flatMap { records(of: $0, into: nil).first }
  }

  /// Passes on the recordings without a session, if this file is the first one of the export.
  ///
  /// - Throws: Any error that the sink throws.
  func takeRest(into sink: any ImportSink) throws {
    let home = Self.home(of: file.name)
    let first = context.files.map(\.name)
      .filter { Self.home(of: $0) == home && !$0.hasSuffix(".tcx") }.min()
    guard first == nil || first == file.name else { return }
    let all = recordings()
    guard !all.isEmpty else { return }
    let sessions = Set(neighbours(".json").compactMap { Self.start(in: $0.name) })
    for recording in all {
      guard let start = Self.start(in: recording.name), !sessions.contains(start) else { continue }
      for record in records(of: recording, into: sink) { try sink.take(record) }
    }
  }

  private func records(of recording: ImportFile, into sink: (any ImportSink)?) -> [ImportedRecord] {
    let capture = WorkoutSink()
    do {
      try TCXImporter().read(recording, context: context, into: capture)
    } catch {
      let reason = (error as? ImportRefusal)?.message ?? error.localizedDescription
      capture.diagnose(Diagnostic(.skipped, place: recording.name, message: reason))
    }
    capture.diagnostics.forEach { sink?.diagnose($0) }
    return capture.records
  }

  private func recordings() -> [ImportFile] {
    neighbours(".tcx").filter { Self.start(in: $0.name) != nil }
  }

  /// Returns the folder of the export, with a trailing `/`.
  private static func home(of name: String) -> String {
    name.split(separator: "/").dropLast(2).map { $0 + "/" }.joined()
  }

  /// Returns the files in the folders next to this file's folder, listed once per run.
  private func neighbours(_ ending: String) -> [ImportFile] {
    let home = Self.home(of: file.name)
    let folder = file.url.deletingLastPathComponent().deletingLastPathComponent()
    // A file that was selected alone has no known neighbours.
    guard file.name.split(separator: "/").count > 1 else { return [] }
    let names = context.notes.found("google fit \(ending) \(folder.path)") {
      let files = FileManager.default
      let folders = (try? files.contentsOfDirectory(atPath: folder.path)) ?? []
      return folders.sorted().flatMap { inner -> [String] in
        let names =
          (try? files.contentsOfDirectory(atPath: folder.appendingPathComponent(inner).path)) ?? []
        return names.filter { $0.lowercased().hasSuffix(ending) }.sorted().map { "\(inner)/\($0)" }
      }
    }
    return names.map {
      ImportFile(url: folder.appendingPathComponent($0), name: home + $0)
    }
  }
}
