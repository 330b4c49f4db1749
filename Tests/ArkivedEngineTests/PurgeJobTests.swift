import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Forgetting for ever, vectors included")
struct PurgeJobTests {
  /// 0.6 and 0.8 beside each other as binary16, and a hash that nothing else has.
  private static let vectorBytes = Data([0xCD, 0x38, 0x66, 0x3A])
  private static let hash: UInt64 = 0x7A71_786A_6B76_7770
  private static let hashBytes = withUnsafeBytes(of: hash.littleEndian) { Data($0) }
  private static let canary = "zqxjkvwpyu"

  private func vector(_ values: [Int: Float]) -> [Float] {
    (0..<384).map { values[$0] ?? 0 }
  }

  /// An archive with three entries and vectors for each; the last one is to be forgotten.
  private func indexed() throws -> (test: TestArchive, secret: Activity, file: URL) {
    let test = try TestArchive()
    try test.add("tea", on: "2026-03-10")
    try test.add("a walk", on: "2026-03-11")
    let secret = try test.add("saw \(Self.canary)", on: "2026-03-12")
    let home = try #require(test.archive.home)
    let folder = home.appendingPathComponent("index")
    try DurableFile.makeFolder(folder)
    let file = folder.appendingPathComponent("meaning-some-model.vectors")
    let (marks, documents) = try test.archive.withIndexSource { source in
      (source.marks, try source.documents().all)
    }
    let writer = try VectorIndexWriter(at: file.path, embedder: "some-model")
    for (number, document) in documents.sorted(by: { $0.day < $1.day }).enumerated() {
      let isSecret = number == 2
      try writer.append(
        VectorEntry(
          document: document.rowNumber, chunk: 0..<3,
          contentHash: isSecret ? Self.hash : UInt64(number + 1), day: document.day),
        vector: isSecret ? vector([0: 0.6, 1: 0.8]) : vector([number + 7: 1]))
    }
    try writer.commit()
    try test.archive.setSearchIndex(
      SearchIndexes.meaningName, file: file.lastPathComponent, marks: marks)
    return (test, secret, file)
  }

  /// Files of the archive in which any of it stands.
  private func traces(_ test: TestArchive) throws -> [String] {
    let root = test.folder.url
    return try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { name in
      guard let content = try? Data(contentsOf: root.appendingPathComponent(name)) else {
        return false
      }
      return [Self.vectorBytes, Self.hashBytes, Data("xjkvwpyu".utf8)].contains {
        content.range(of: $0) != nil
      }
    }
  }

  @Test func neitherTextNorVectorIsInAnyFileOfTheArchive() throws {
    let (test, secret, file) = try indexed()
    #expect(try traces(test).contains("archive/index/\(file.lastPathComponent)"))
    let done = try PurgeJob(archive: test.archive).run(.entities([secret.id]))
    #expect(done.areVectorsGone && done.purged.isLogEmpty)
    #expect(try traces(test) == [])
    #expect(try test.archive.forgottenVectors() == nil)
    // The others need not be read by the model again.
    let left = try VectorIndexWriter(at: file.path, embedder: "some-model")
    #expect(left.count == 2 && left.hasVector(forHash: 1) && left.hasVector(forHash: 2))
  }

  @Test func neitherAnOlderExportNorAnotherArchiveBringsItBack() throws {
    let test = try TestArchive()
    let secret = try test.add("saw \(Self.canary)")
    let moved = try test.add("\(Self.canary) moved away", on: "2026-03-12")
    let gone = try test.add("lost \(Self.canary)")
    let today = secret.dayKey
    for entry in [secret, moved] {
      _ = try test.archive.updateActivity(entry.id) {
        $0.dayKey = today
        $0.text = "quite another"
      }
    }
    _ = try test.archive.deleteActivities([gone.id])
    _ = try test.archive.write(by: .importer, "import", "Imported a row") { scope in
      try scope.keep(
        InterchangeRow(
          table: "actions", key: secret.id.uuidString,
          columns: [.init(name: "title", value: .text(Self.canary))]))
    }
    let elsewhere = try TemporaryFolder()
    let file = elsewhere.url.appendingPathComponent("out/life.jsonl")
    _ = try ExportJob(archive: test.archive).writeJSONLines(to: file)
    let other = try Archive(
      at: .folder(elsewhere.url.appendingPathComponent("other")), clock: test.clock)
    _ = try ImportJob(archive: other, homeZone: test.zone).run(file)
    let day = try #require(DayKey("2026-03-12"))
    _ = try test.archive.purge(.days(DayFilter(from: day, to: day)))
    _ = try test.archive.purge(.entities([secret.id, gone.id]))
    #expect(try traces(test) == [])
    test.clock.advance(seconds: 60)
    _ = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
    _ = try MergeJob(archive: test.archive, homeZone: test.zone)
      .prepare(try #require(other.home)).apply()
    for id in [secret.id, gone.id] {
      #expect(try test.archive.activity(id) == nil)
      #expect(try test.archive.history(of: id).isEmpty)
    }
    #expect(try test.archive.activity(moved.id)?.text == "quite another")
    #expect(try traces(test) == [])
  }

  @Test func vectorsThatCannotBeReadAreRemoved() throws {
    let (test, secret, file) = try indexed()
    var bytes = try Data(contentsOf: file)
    for place in bytes.indices.prefix(4_096) { bytes[place] ^= 0x5A }
    try bytes.write(to: file)
    let done = try PurgeJob(archive: test.archive).run(.entities([secret.id]))
    #expect(done.areVectorsGone)
    #expect(!FileManager.default.fileExists(atPath: file.path))
    #expect(try traces(test) == [])
    #expect(try test.archive.indexState(SearchIndexes.meaningName, limit: 10).file == nil)
  }

  @Test func vectorsOfTheNextModelGoWithoutThoseInUse() throws {
    let (test, secret, file) = try indexed()
    let next = file.deletingLastPathComponent().appendingPathComponent("meaning-next.vectors")
    do {
      let writer = try VectorIndexWriter(at: next.path, embedder: "next")
      try writer.append(
        VectorEntry(document: 8, chunk: 0..<3, contentHash: Self.hash, day: 1),
        vector: vector([0: 0.6, 1: 0.8]))
      try writer.commit()
    }
    try test.archive.setSearchIndex(
      SearchIndexes.nextMeaningName, file: SearchIndexes.begun(next.lastPathComponent),
      marks: try test.archive.withIndexSource { $0.marks })
    let done = try PurgeJob(archive: test.archive).run(.entities([secret.id]))
    #expect(done.areVectorsGone)
    #expect(!FileManager.default.fileExists(atPath: next.path))
    #expect(try traces(test) == [])
    let state = try test.archive.indexState(SearchIndexes.meaningName, limit: 10)
    #expect(state.file == file.lastPathComponent)
  }

  @Test func vectorsThatAreBeingWrittenGoLater() throws {
    let (test, secret, file) = try indexed()
    do {
      let busy = try VectorIndexWriter(at: file.path, embedder: "some-model")
      _ = try test.archive.purge(.entities([secret.id]))
      #expect(try !ForgottenVectors.remove(from: test.archive, waits: 0))
      #expect(busy.count == 3)
    }
    #expect(try test.archive.forgottenVectors() != nil)
    try PurgeJob(archive: test.archive).finish()
    #expect(try traces(test) == [])
    #expect(try test.archive.forgottenVectors() == nil)
  }
}
