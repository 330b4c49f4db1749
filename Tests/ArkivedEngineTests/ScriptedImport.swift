import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// An importer that hands on its records and lets the test act in the midst of it.
struct ScriptedImporter: Importer {
  var format = "script"
  let records: @Sendable (ImportContext) throws -> [ImportedRecord]
  /// Runs after the first half of the records is on its way.
  var midway: @Sendable () -> Void = {}

  func recognises(head: [UInt8], fileName: String) -> Bool { fileName.hasSuffix(".\(format)") }

  func read(_ file: ImportFile, context: ImportContext, into sink: any ImportSink) throws {
    let all = try records(context)
    for record in all.prefix(all.count / 2) { try sink.take(record) }
    midway()
    for record in all.dropFirst(all.count / 2) { try sink.take(record) }
  }
}

/// Activities with references, so that the same import again knows them.
func scripted(
  _ count: Int, text: String = "entry", tags: [String] = ["new"]
) -> @Sendable (ImportContext) throws -> [ImportedRecord] {
  { context in
    (0..<count).map { index in
      ImportedRecord(
        .activity(
          Activity(
            id: context.identities.next(),
            dayKey: DayKey(clamping: 20_000 + index / 50), timeZone: "Europe/Berlin",
            text: "\(text) \(index)", tags: tags,
            externalRefs: [
              ExternalRef(provider: "script", externalID: "\(index)", fetchedAt: context.now)
            ], createdAt: context.now, updatedAt: context.now)), place: "a.script:\(index)")
    }
  }
}

/// Imports one scripted file.
@discardableResult
func run(
  _ test: TestArchive, _ importer: ScriptedImporter, watch: ImportWatch = ImportWatch()
) throws -> ImportRun {
  let file = try test.folder.file("a.script", "x")
  let job = ImportJob(
    archive: test.archive, homeZone: test.zone, importers: [importer], watch: watch)
  return try #require(try job.run(file).first)
}
