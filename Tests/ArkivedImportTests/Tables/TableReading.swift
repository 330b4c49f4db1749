import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Reads tables as if in Berlin, where days come before months.
enum TableReading {
  static func context(home: String = "Europe/Berlin") throws -> ImportContext {
    ImportContext(
      now: try #require(Instant("2026-03-01T12:00:00Z")),
      homeZone: try #require(Zone(home)), identities: RandomIdentities())
  }

  static func read(
    _ text: String, name: String = "table.csv", map: String? = nil,
    by importer: (any Importer)? = nil, home: String = "Europe/Berlin"
  ) throws -> PlaceSink {
    let folder = try TemporaryFolder()
    let file = ImportFile(url: try folder.file(name, text), name: name)
    let sink = PlaceSink(folders: [folder])
    try (importer ?? TableImporter(map: map)).read(
      file, context: context(home: home), into: sink)
    return sink
  }

  /// Returns true if a file is recognised.
  ///
  /// - Throws: The refusal, if it is recognised as something that can't be read.
  static func recognises(
    _ text: String, name: String = "table.csv", map: String? = nil,
    by importer: (any Importer)? = nil
  ) throws -> Bool {
    let folder = try TemporaryFolder()
    let file = ImportFile(url: try folder.file(name, text), name: name)
    let head = Array(Array(text.utf8).prefix(4_096))
    return try (importer ?? TableImporter(map: map)).recognises(file, head: head)
  }

  /// Returns the field of each column, as the forecast shows it.
  static func fields(_ text: String) throws -> [String: String] {
    let folder = try TemporaryFolder()
    let file = ImportFile(url: try folder.file("table.csv", text), name: "table.csv")
    let columns = try TableImporter().reading(file).mapping.columns
    return Dictionary(columns.map { ($0.name, $0.words) }) { first, _ in first }
  }
}
