import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Indexes made by an address for embeddings")
struct AddressIndexTests {
  private static let noModel = EmbeddingModelFolder(URL(fileURLWithPath: "/nonexistent/model"))
  private static let patience = AddressEmbedder.Patience(
    batch: .seconds(600), search: .seconds(600), rest: .zero)
  /// For servers that never answer.
  private static let short = AddressEmbedder.Patience(
    batch: .milliseconds(200), search: .milliseconds(100), rest: .zero)

  private func archive() throws -> TestArchive {
    let test = try TestArchive()
    try test.add("the dentist pulled a tooth", on: "2026-02-10")
    try test.add("watched a football match", on: "2026-02-11")
    try test.add("paid the electricity bill", on: "2026-02-12")
    return test
  }

  private func indexes(
    _ test: TestArchive, patience: AddressEmbedder.Patience = patience
  ) -> SearchIndexes {
    SearchIndexes(test.archive, model: Self.noModel, patience: patience)
  }

  private func choose(
    _ server: EmbeddingServer, _ test: TestArchive, dimensions: Int? = nil
  ) async throws {
    let home = try #require(test.archive.home)
    try await AddressEmbedder.settings(
      for: try EmbeddingAddress(server.url), model: "small", dimensions: dimensions,
      allowsRemote: false, token: nil, patience: Self.patience
    ).save(in: home)
  }

  private func search(
    _ query: String, _ test: TestArchive, _ indexes: SearchIndexes,
    mode: SearchRequest.Mode = .hybrid
  ) throws -> HybridSearch.Outcome {
    try HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
      .search(SearchRequest(query: query, mode: mode))
  }

  private func vectorFiles(_ test: TestArchive) throws -> Set<String> {
    let folder = try #require(test.archive.home?.appendingPathComponent("index"))
    return Set(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasPrefix("meaning-") && $0.hasSuffix(".vectors")
      })
  }

  @Test("Texts are found by their meaning, and only what is new is sent")
  func meaningFinds() async throws {
    let test = try archive()
    let server = try EmbeddingServer()
    try await choose(server, test)
    let indexes = indexes(test)
    let summary = try await IndexJob(test.archive, indexes).run()
    #expect(summary.embedded == 3 && summary.chunks == 3 && summary.absence == nil)
    #expect(summary.model == "small at \(server.url)")
    let found = try search("molar surgery", test, indexes)
    #expect(found.hits.first?.title == "the dentist pulled a tooth")
    #expect((found.hits.first?.why.similarity ?? 0) > 0.3 && found.notes.isEmpty)
    // What says something else is left out here too.
    #expect(
      try search("soccer", test, indexes, mode: .meaning).hits.map(\.title)
        == ["watched a football match"])

    let asked = server.requests.count
    #expect(try await IndexJob(test.archive, indexes).run().chunks == nil)
    #expect(server.requests.count == asked)
    try test.add("planted roses", on: "2026-02-13")
    #expect(try await IndexJob(test.archive, indexes).run().embedded == 1)
    #expect(server.requests.last?.texts == ["planted roses"])
  }

  @Test("Quoted words and exclusions are matched as they stand in a search by meaning")
  func literalWordsInMeaning() async throws {
    let test = try archive()
    let server = try EmbeddingServer()
    try await choose(server, test)
    let indexes = indexes(test)
    _ = try await IndexJob(test.archive, indexes).run()
    func titles(_ query: String) throws -> [String] {
      try search(query, test, indexes, mode: .meaning).hits.map(\.title)
    }
    #expect(try titles("soccer -stadium") == ["watched a football match"])
    #expect(try titles("soccer -match").isEmpty)
    #expect(try titles("soccer -foot*").isEmpty)
    #expect(try titles("soccer \"football match\"") == ["watched a football match"])
    #expect(try titles("soccer \"match football\"").isEmpty)
  }

  @Test("Another choice makes another file, and the one before goes once that is whole")
  func changing() async throws {
    let test = try archive()
    let server = try EmbeddingServer()
    let indexes = indexes(test)
    #expect(try await IndexJob(test.archive, indexes).run().absence != nil)
    try await choose(server, test)
    // The same indexes notice.
    #expect(try await IndexJob(test.archive, indexes).run().embedded == 3)
    let first = try vectorFiles(test)
    try await choose(server, test, dimensions: 100)
    #expect(try await IndexJob(test.archive, indexes).run().embedded == 3)
    let second = try vectorFiles(test)
    #expect(first.count == 1 && second.count == 1 && first != second)
    #expect(
      try search("molar surgery", test, indexes).hits.first?.title == "the dentist pulled a tooth")
    try EmbeddingSettings.remove(in: try #require(test.archive.home))
    let absence = try await IndexJob(test.archive, indexes).run().absence
    #expect(absence?.contains("arkived index --fetch") == true)
    // Related words may find it still; its meaning is known no longer.
    let found = try search("molar surgery", test, indexes).hits
    #expect(found.allSatisfy { $0.why.similarity == nil })
  }

  static let faults: [EmbeddingServer.Reply] = [
    .silence, .answer(status: 500, body: "no memory"), .answer(body: "<html>"), .bytes(""),
    .bytes("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{\"data\""),
    .vectors([[1, 2, 3]]),
  ]

  @Test("A server that fails leaves everything as it was, and search goes on", arguments: 0..<6)
  func failing(fault: Int) async throws {
    let test = try archive()
    let server = try EmbeddingServer()
    try await choose(server, test)
    _ = try await IndexJob(test.archive, indexes(test)).run()
    let whole = try test.archive.indexState(SearchIndexes.meaningName, limit: 10)
    let files = try vectorFiles(test)

    let bad = Self.faults[fault]
    server.reply { _ in bad }
    try test.add("planted roses", on: "2026-02-13")
    let old = try #require(
      try search("tooth", test, indexes(test, patience: Self.short)).hits.first)
    _ = try test.archive.updateActivity(old.id) { $0.text = "the dentist pulled two teeth" }
    let later = indexes(test, patience: Self.short)
    // Also when all is to be made anew.
    for rebuild in [false, true] {
      let summary = try await IndexJob(test.archive, later).run(rebuild: rebuild)
      #expect(summary.isUnanswered)
      #expect(summary.absence?.contains(server.url) == true, "\(summary)")
      #expect(summary.words != nil || !rebuild)
    }
    let now = try test.archive.indexState(SearchIndexes.meaningName, limit: 10)
    #expect(now.file == whole.file && now.outdated.count == 1 && now.delta?.changed.count == 2)
    #expect(try vectorFiles(test) == files)

    let found = try search("roses", test, later)
    #expect(found.hits.map(\.title) == ["planted roses"])
    #expect(found.notes.count == 1)
    #expect(found.notes.first?.hasPrefix("Searched by words only. ") == true)
    #expect(found.notes.first?.contains(server.url) == true)
    #expect(try search("\"roses\"", test, later).notes.isEmpty)

    server.reply { .vectors(for: $0) }
    let again = indexes(test)
    #expect(try await IndexJob(test.archive, again).run().embedded == 2)
    #expect(try search("molar", test, again).hits.first?.title == "the dentist pulled two teeth")
  }

  @Test("A server that fails in the midst of it is gone on with where it failed")
  func failingLater() async throws {
    let test = try TestArchive()
    for number in 0..<300 { try test.add("walk number \(number)", on: "2026-02-10") }
    let server = try EmbeddingServer()
    try await choose(server, test)
    server.reply {
      $0.texts.contains { $0.hasSuffix("number 290") }
        ? .answer(status: 500, body: "") : .vectors(for: $0)
    }
    let indexes = indexes(test)
    let summary = try await IndexJob(test.archive, indexes).run()
    #expect(summary.isUnanswered && summary.embedded == 256)
    #expect(try !search("walk", test, indexes, mode: .meaning).hits.isEmpty)
    server.reply { .vectors(for: $0) }
    let rest = try await IndexJob(test.archive, indexes).run()
    #expect(rest.embedded == 44 && rest.chunks == 300)
  }

  @Test("Settings that cannot be read are told of, and nobody is asked")
  func damagedSettings() async throws {
    let test = try archive()
    let home = try #require(test.archive.home)
    try Data("{".utf8).write(to: home.appendingPathComponent(EmbeddingSettings.fileName))
    let summary = try await IndexJob(test.archive, indexes(test)).run()
    #expect(summary.absence?.contains(EmbeddingSettings.fileName) == true)
    #expect(!summary.isUnanswered)
    #expect(try search("tooth", test, indexes(test)).hits.count == 1)
  }
}
