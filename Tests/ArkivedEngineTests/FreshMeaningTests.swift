import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// The bilingual model, which `./setup --test` fetches beside the tests, with the English one of this machine.
private enum FreshModel {
  static let folder = EmbeddingModelFolder(
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent(".cache/models/\(EmbeddingModelFolder.name)"),
    older: EmbeddingModelFolder(environment: ProcessInfo.processInfo.environment).older)
}

@Suite(
  "Meaning of what has just come in",
  .enabled(
    if: FreshModel.folder.hasModel, "the embedding model is not here; ./setup fetches it"))
struct FreshMeaningTests {
  private func titles(
    _ query: String, _ test: TestArchive, _ indexes: SearchIndexes
  ) throws -> [String] {
    try HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
      .search(SearchRequest(query: query, mode: .meaning)).hits.map(\.title)
  }

  private func files(_ indexes: SearchIndexes) throws -> [String] {
    let folder = try #require(indexes.folder)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".vectors") }.sorted()
  }

  @Test("It is found straight away, in either language, without a run of the indexes")
  func atOnce() async throws {
    let test = try TestArchive()
    try test.add("Der Zahnarzt hat mir einen Backenzahn gezogen")
    try test.add("Bought a second-hand piano")
    let indexes = SearchIndexes(test.archive, model: FreshModel.folder)
    #expect(try titles("pulled tooth", test, indexes).isEmpty)
    #expect(try await IndexJob(test.archive, indexes).catchUp(within: .seconds(3600)) == nil)
    #expect(
      try titles("pulled tooth", test, indexes).first
        == "Der Zahnarzt hat mir einen Backenzahn gezogen")
    try test.add("Mit Oma einen Laib im Ofen gehabt")
    #expect(try await IndexJob(test.archive, indexes).catchUp(within: .seconds(3600)) == nil)
    #expect(
      try titles("baking bread with my grandmother", test, indexes).first
        == "Mit Oma einen Laib im Ofen gehabt")
  }

  @Test("A model that is downloaded while a program runs is used by it")
  func downloadedLater() async throws {
    let test = try TestArchive()
    let place = test.folder.url.appendingPathComponent("model")
    let tooth = try test.add("The dentist pulled one of my teeth")
    let indexes = SearchIndexes(test.archive, model: EmbeddingModelFolder(place))
    let before = indexes.choice
    #expect(try await IndexJob(test.archive, indexes).run().absence != nil)
    try FileManager.default.createSymbolicLink(
      at: place, withDestinationURL: FreshModel.folder.url)
    #expect(indexes.choice != before)
    #expect(try await IndexJob(test.archive, indexes).run().absence == nil)
    #expect(try titles("had a molar taken out", test, indexes) == [tooth.title])
  }

  @Test("What there is no time for is told, and the next searches go on with it")
  func budget() async throws {
    let test = try TestArchive()
    for number in 1...40 { try test.add("walked to lake number \(number)") }
    let indexes = SearchIndexes(test.archive, model: FreshModel.folder)
    let job = IndexJob(test.archive, indexes)
    let first = try await job.catchUp(within: .zero)
    #expect(first == IndexJob.Unread(count: 40, total: 40))
    // What is begun is used, and taken up again.
    #expect(try await job.catchUp(within: .seconds(3600)) == nil)
    #expect(try !titles("a walk to lake 7", test, indexes).isEmpty)
    #expect(try await job.run().embedded == 0)
  }

  @Test("Whoever writes the indexes is not waited for")
  func busy() async throws {
    let test = try TestArchive()
    try test.add("walked to the lake")
    let indexes = SearchIndexes(test.archive, model: FreshModel.folder)
    let folder = try #require(indexes.folder)
    try DurableFile.makeFolder(folder)
    let lock = try FileLock(at: folder.appendingPathComponent("index.lock"), waits: 0)
    defer { lock.release() }
    #expect(try await IndexJob(test.archive, indexes).catchUp(within: .seconds(3600)) == nil)
    #expect(try files(indexes).isEmpty)
  }

  @Test(
    "The vectors of an earlier model are used until the new ones are all there",
    .enabled(if: FreshModel.folder.hasOlder, "the model of earlier versions is not here"))
  func earlierModel() async throws {
    let test = try TestArchive()
    for number in 1...30 { try test.add("walked to lake number \(number)") }
    let tooth = try test.add("The dentist pulled one of my teeth")
    let before = SearchIndexes(
      test.archive,
      model: EmbeddingModelFolder(
        URL(fileURLWithPath: "/nonexistent/model"), older: FreshModel.folder.older))
    _ = try await IndexJob(test.archive, before).run()
    #expect(try files(before) == ["meaning-all-MiniLM-L6-v2.vectors"])
    let indexes = SearchIndexes(test.archive, model: FreshModel.folder)
    #expect(try titles("had a molar taken out", test, indexes).first == tooth.title)
    // Broken off before the first part: the earlier vectors still answer.
    await #expect(throws: CancellationError.self) {
      try await IndexJob(test.archive, indexes, isCancelled: { true }).run()
    }
    #expect(try files(indexes).contains("meaning-all-MiniLM-L6-v2.vectors"))
    #expect(try titles("had a molar taken out", test, indexes).first == tooth.title)
    _ = try await IndexJob(test.archive, indexes).run()
    #expect(try files(indexes) == ["meaning-multilingual-e5-small-1.vectors"])
    #expect(try titles("ein Zahn wurde gezogen", test, indexes).first == tooth.title)
  }
}
