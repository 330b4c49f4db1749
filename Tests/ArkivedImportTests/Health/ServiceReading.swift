import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Reads files of exports that consist of several, as if at noon of 16 November 2026 in Rome.
enum ServiceReading {
  /// Reads one of some files, which lie in a folder as an export has them.
  ///
  /// - Parameters:
  ///   - importer: the importer.
  ///   - files: the files with their paths.
  ///   - name: the path of the file to read; the first one if nil.
  /// - Returns: what the importer handed on.
  /// - Throws: what the importer throws.
  static func read(
    _ importer: any Importer, _ files: [(String, String)], _ name: String? = nil
  ) throws -> PlaceSink {
    let folder = try TemporaryFolder()
    let scratch = try TemporaryFolder()
    for (path, text) in files { _ = try folder.file(path, Data(text.utf8)) }
    let sink = PlaceSink(folders: [folder, scratch])
    let all = files.map { path, _ in
      ImportFile(url: folder.url.appendingPathComponent(path), name: path)
    }
    let context = ImportContext(
      now: try #require(Instant("2026-11-16T11:00:00Z")),
      homeZone: try #require(Zone("Europe/Rome")), identities: RandomIdentities(), files: all,
      scratchFolder: { scratch.url })
    let file = try #require(all.first { name == nil || $0.name == name })
    try importer.read(file, context: context, into: sink)
    return sink
  }

  /// Requires of each activity that it is on the day on which it began, by its own zone.
  static func expectOwnDays(_ sink: PlaceSink) {
    for activity in sink.activities where !activity.tags.contains("sleep") {
      guard let start = activity.startAt else { continue }
      #expect(activity.dayKey == activity.zone.dayKey(at: start), "\(activity.text)")
    }
  }
}
