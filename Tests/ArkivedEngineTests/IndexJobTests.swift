import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The indexes of search")
struct IndexJobTests {
  private static let noModel = EmbeddingModelFolder(URL(fileURLWithPath: "/nonexistent/model"))
  private static let model = EmbeddingModelFolder(
    environment: ProcessInfo.processInfo.environment)

  static var hasModel: Bool {
    if case .model = model.open() { true } else { false }
  }

  private func archive() throws -> TestArchive {
    let test = try TestArchive()
    try test.add("ran by the river", on: "2026-02-10", people: ["Alex Kim"])
    try test.add("tea and cake", on: "2026-02-11", tags: ["food"])
    try test.add("tea alone", on: "2026-02-12")
    try test.add("bought running shoes in the kitchen shop", on: "2026-01-12")
    try test.add("kitchen painted", on: "2026-01-13")
    try test.add("kitchen cleaned", on: "2026-01-14")
    return test
  }

  private func index(
    _ test: TestArchive, model: EmbeddingModelFolder = noModel
  ) async throws -> SearchIndexes {
    let indexes = SearchIndexes(test.archive, model: model)
    _ = try await IndexJob(test.archive, indexes).run()
    return indexes
  }

  private func outcome(
    _ query: String, _ test: TestArchive, _ indexes: SearchIndexes,
    mode: SearchRequest.Mode = .hybrid
  ) throws -> HybridSearch.Outcome {
    try HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
      .search(SearchRequest(query: query, mode: mode))
  }

  private func titles(
    _ query: String, _ test: TestArchive, _ indexes: SearchIndexes
  ) throws -> [String] { try outcome(query, test, indexes).hits.map(\.title) }

  @Test("What the index finds is what the full-text table finds")
  func theIndexFindsWhatTheTableFinds() async throws {
    let test = try archive()
    let bare = SearchIndexes(test.archive, model: Self.noModel)
    let queries = [
      "tea", "run", "\"tea and\"", "tea -cake", "kitch*", "river tea", "nowhere", "Alex", "*itch*",
    ]
    let before = try queries.map { Set(try titles($0, test, bare)) }
    let indexes = try await index(test)
    #expect(try indexes.currentWords() != nil)
    for (query, expected) in zip(queries, before) {
      #expect(Set(try titles(query, test, indexes)) == expected, "\(query)")
    }
  }

  @Test("Entries are found as they are now, though the index was built before")
  func changesAfterTheIndexCount() async throws {
    let test = try archive()
    let indexes = try await index(test)
    let new = try test.add("tea with the neighbours", on: "2026-02-13")
    #expect(try titles("neighbours", test, indexes) == ["tea with the neighbours"])
    #expect(try titles("tea", test, indexes).contains("tea with the neighbours"))

    _ = try test.archive.updateActivity(new.id) { $0.text = "coffee with the neighbours" }
    #expect(try titles("neighbours", test, indexes) == ["coffee with the neighbours"])
    #expect(try !titles("tea", test, indexes).contains { $0.contains("neighbours") })

    let old = try #require(try outcome("painted", test, indexes).hits.first)
    _ = try test.archive.deleteActivities([old.id])
    #expect(try titles("painted", test, indexes).isEmpty)
    #expect(try titles("kitchen", test, indexes).count == 2)
  }

  @Test("A filter goes for indexed entries too")
  func filtersApply() async throws {
    let test = try archive()
    let indexes = try await index(test)
    let search = HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
    let tagged = try search.search(SearchRequest(query: "tea", tags: ["food"]))
    #expect(tagged.hits.map(\.title) == ["tea and cake"])
    let day = try #require(DayKey("2026-02-12"))
    let later = try search.search(SearchRequest(query: "tea", from: .day(day)))
    #expect(later.hits.map(\.title) == ["tea alone"])
  }

  @Test("A rare kind, a person and a pin are found among many, as they are now")
  func rareKindsAreFound() async throws {
    let test = try archive()
    for number in 1...300 {
      try test.add("tea number \(number)", on: "2026-03-01", kind: .work)
    }
    let rare = try test.add("tea at the doctor’s", on: "2020-01-01", people: ["Ida"], kind: .health)
    let indexes = try await index(test)
    #expect(try titles("tea kind:work", test, indexes).allSatisfy { $0.hasPrefix("tea number") })
    #expect(try titles("tea kind:health", test, indexes) == ["tea at the doctor’s"])
    #expect(try titles("tea person:ida", test, indexes) == ["tea at the doctor’s"])
    #expect(try titles("tea source:healthImport", test, indexes).isEmpty)
    #expect(try titles("tea is:pinned", test, indexes).isEmpty)

    let late = try test.add("tea later on", on: "2026-03-02", kind: .work)
    _ = try test.archive.updateActivity(late.id) { $0.kind = .health }
    _ = try test.archive.updateActivity(rare.id) {
      $0.kind = .travel
      $0.isPinned = true
    }
    #expect(try titles("tea kind:health", test, indexes) == ["tea later on"])
    #expect(try titles("tea kind:travel", test, indexes) == ["tea at the doctor’s"])
    #expect(try titles("tea is:pinned", test, indexes) == ["tea at the doctor’s"])
    #expect(try indexes.currentWords() != nil)
  }

  @Test("A misspelt word finds what was meant, and says so")
  func slipsAreCorrected() async throws {
    let test = try archive()
    let indexes = try await index(test)
    let outcome = try outcome("kitchn painted", test, indexes)
    #expect(outcome.hits.first?.title == "kitchen painted")
    #expect(outcome.suggestion == "kitchen painted")
  }

  @Test("A damaged, cut off or missing index is done without, then made again", arguments: 0..<3)
  func damageIsMended(kind: Int) async throws {
    let test = try archive()
    _ = try await index(test)
    let name = try #require(
      try test.archive.indexState(SearchIndexes.wordsName, limit: 10).file)
    let folder = try #require(SearchIndexes(test.archive, model: Self.noModel).folder)
    let file = folder.appendingPathComponent(name)
    var bytes = try Data(contentsOf: file)
    switch kind {
    case 0: try FileManager.default.removeItem(at: file)
    case 1: try bytes.prefix(bytes.count / 2).write(to: file)
    default:
      for place in bytes.indices.dropFirst(64) { bytes[place] ^= 0x5A }
      try bytes.write(to: file)
    }
    let indexes = SearchIndexes(test.archive, model: Self.noModel)
    #expect(try titles("painted", test, indexes) == ["kitchen painted"])
    let summary = try await IndexJob(test.archive, indexes).run()
    #expect(summary.words == 6)
    #expect(try indexes.currentWords() != nil)
    #expect(try titles("painted", test, indexes) == ["kitchen painted"])
  }

  @Test("Without the model words alone answer, and it is said once why")
  func withoutTheModel() async throws {
    let test = try archive()
    let indexes = SearchIndexes(test.archive, model: Self.noModel)
    let summary = try await IndexJob(test.archive, indexes).run()
    #expect(summary.absence?.contains("Search by meaning is off") == true)
    #expect(try outcome("tea", test, indexes, mode: .meaning).hits.isEmpty)
    #expect(try titles("tea", test, indexes).count == 2)
  }

  @Test("What was forgotten for ever is in no index, and the others are found")
  func whatWasForgottenIsInNoIndex() async throws {
    let test = try archive()
    let secret = try test.add("zqxjkvwpyu in the kitchen", on: "2026-01-20")
    let indexes = try await index(test)
    #expect(try titles("kitchen", test, indexes).count == 4)
    _ = try test.archive.purge(.entities([secret.id]))
    // Whoever has the index open from before finds it no more.
    #expect(try titles("kitchen", test, indexes).count == 3)
    #expect(try titles("zqxjkvwpyu", test, indexes) == [])
    let root = test.folder.url
    for name in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      let content = (try? Data(contentsOf: root.appendingPathComponent(name))) ?? Data()
      #expect(content.range(of: Data("xjkvwpyu".utf8)) == nil, "\(name)")
    }
    _ = try await IndexJob(test.archive, indexes).run()
    #expect(try indexes.currentWords() != nil)
    #expect(try titles("kitchen", test, indexes).count == 3)
  }

  @Test("An index job that is broken off is taken up again")
  func cancelling() async throws {
    let test = try archive()
    let indexes = SearchIndexes(test.archive, model: Self.noModel)
    await #expect(throws: CancellationError.self) {
      try await IndexJob(test.archive, indexes, isCancelled: { true }).run()
    }
    #expect(try titles("painted", test, indexes) == ["kitchen painted"])
    #expect(try await IndexJob(test.archive, indexes).run().words == 6)
  }

  @Test(
    "Texts are found by their meaning, with no word in common",
    .enabled(if: hasModel, "the embedding model is not there; ./setup fetches it"))
  func meaningFinds() async throws {
    let test = try TestArchive()
    try test.add("the dentist pulled a tooth", on: "2026-02-10")
    try test.add("watched a football match", on: "2026-02-11")
    try test.add("paid the electricity bill", on: "2026-02-12")
    let indexes = try await index(test, model: Self.model)
    let found = try outcome("molar extraction surgery", test, indexes)
    #expect(found.hits.first?.title == "the dentist pulled a tooth")
    #expect((found.hits.first?.why.similarity ?? 0) > 0.2)

    // What changes is known by its new meaning after the next run.
    let id = try #require(found.hits.first?.id)
    _ = try test.archive.updateActivity(id) { $0.text = "bought flowers" }
    #expect(try titles("molar extraction surgery", test, indexes).first != "bought flowers")
    let again = try await IndexJob(test.archive, indexes).run()
    #expect(again.embedded == 1 && again.chunks == 3)
    #expect(
      try outcome("roses", test, indexes, mode: .meaning).hits.first?.title == "bought flowers")
  }
}
