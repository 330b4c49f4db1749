import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@Suite("The ranking of search")
struct RankingTests {
  private static let noModel = EmbeddingModelFolder(URL(fileURLWithPath: "/nonexistent/model"))
  private static let model = EmbeddingModelFolder(
    environment: ProcessInfo.processInfo.environment)

  static var hasModel: Bool {
    if case .model = model.open() { true } else { false }
  }

  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func search(_ model: EmbeddingModelFolder = model) async throws -> HybridSearch {
    let indexes = SearchIndexes(test.archive, model: model)
    _ = try await IndexJob(test.archive, indexes).run()
    return HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
  }

  private func titles(
    _ query: String, _ search: HybridSearch, _ mode: SearchRequest.Mode = .hybrid
  ) throws -> [String] {
    try search.search(SearchRequest(query: query, mode: mode)).hits.map(\.title)
  }

  /// Entries of other days that have nothing to do with the others.
  private func addOthers() throws {
    let texts = [
      "paid the electricity bill", "watched a football match", "bought bread and apples",
      "cleaned the windows", "a long call with the bank", "swam forty lengths",
      "planted tomatoes", "read a novel about whales", "fixed the bike's brakes", "ironed shirts",
    ]
    for (number, text) in texts.enumerated() { try test.add(text, on: "2026-01-\(10 + number)") }
  }

  @Test("Function words of a sentence don't decide")
  func functionWords() async throws {
    try test.add("what did I do that for, and where was it that we were", on: "2026-02-01")
    try test.add("the kettle broke", on: "2026-02-02")
    try addOthers()
    let search = try await search(Self.noModel)
    #expect(try titles("where was it that the kettle broke", search).first == "the kettle broke")
    #expect(try titles("the kettle", search) == ["the kettle broke"])
  }

  @Test(
    "An entry with all the words stands before those of near meaning",
    .enabled(if: hasModel, "the embedding model is not there; ./setup fetches it"))
  func exactFirst() async throws {
    try test.add("molar", on: "2026-02-01")
    try test.add(
      "a long day of errands with the post office, the shoe repair and late in the evening a molar",
      on: "2026-02-02")
    try test.add("the dentist pulled a tooth of mine", on: "2026-02-03")
    try addOthers()
    let found = try titles("molar", try await search())
    #expect(Set(found.prefix(2)).allSatisfy { $0.contains("molar") } && found.count >= 2)
  }

  /// Lists in which a few words are related to others.
  private func related(in folder: TemporaryFolder) throws -> RelatedWords {
    _ = try folder.file(
      "english-related.tsv", "#! Arkived related words 1,\nbrolly\t9 umbrella\nmislaid\t9 lost\n")
    _ = try folder.file("german-related.tsv", "#! Arkived related words 1,\nauto\t9 wagen\n")
    return try #require(RelatedWords(in: folder.url))
  }

  @Test("An entry is found in other words, without a model too")
  func otherWords() async throws {
    try test.add("the wind took my umbrella", on: "2026-02-01")
    try test.add("lost a glove and an umbrella on the tram", on: "2026-02-02")
    try test.add("lost at chess", on: "2026-02-03")
    try addOthers()
    let search = try await search(Self.noModel)
    try RelatedWords.$used.withValue(try related(in: TemporaryFolder())) {
      let found = try titles("mislaid brolly", search)
      #expect(found.first == "lost a glove and an umbrella on the tram")
      #expect(try titles("brolly", search).count == 2)
      // Words that are meant literally, and those that the archive has, stay what they are.
      #expect(try titles("\"brolly\"", search).isEmpty)
      #expect(try titles("brolly", search, .words).isEmpty)
      #expect(try titles("lost at chess", search) == ["lost at chess"])
    }
  }

  @Test("A word of the language is no slip of another")
  func noSlip() async throws {
    try test.add("an island in the mist", on: "2026-02-01")
    try addOthers()
    let search = try await search(Self.noModel)
    try RelatedWords.$used.withValue(try related(in: TemporaryFolder())) {
      let suggestion = try search.search(SearchRequest(query: "mislaid")).suggestion
      #expect(suggestion == nil)
    }
  }

  @Test("The entry beside one that fits is lifted, by words alone too")
  func contextLendsByWords() async throws {
    // Both hold one of the two words; only one stands beside an entry about the other.
    try test.add("asked Jonas about the kayak", on: "2026-02-01", from: "10:00")
    try test.add("he keeps the paddle in his cellar", on: "2026-02-01", from: "10:05")
    try test.add("a paddle on the wall of a bar", on: "2026-02-05")
    try addOthers()
    let found = try titles("kayak paddle", try await search(Self.noModel))
    #expect(found.contains("a paddle on the wall of a bar"))
    let own = try #require(found.firstIndex(of: "he keeps the paddle in his cellar"))
    let other = try #require(found.firstIndex(of: "a paddle on the wall of a bar"))
    #expect(own < other)
  }

  @Test(
    "The answer beside a question is found, though it shares nothing with what is looked for",
    .enabled(if: hasModel, "the embedding model is not there; ./setup fetches it"))
  func contextBringsUpAnswers() async throws {
    try test.add(
      "What instrument did your sister learn at school?", on: "2026-02-01", from: "10:00")
    try test.add("She practised the cello every night", on: "2026-02-01", from: "10:01")
    try addOthers()
    let found = try titles("which instrument did the sister learn", try await search())
    #expect(
      found.prefix(2) == [
        "What instrument did your sister learn at school?", "She practised the cello every night",
      ])
  }

  @Test(
    "Where nothing fits, nothing is found",
    .enabled(if: hasModel, "the embedding model is not there; ./setup fetches it"))
  func nothingFits() async throws {
    try addOthers()
    let search = try await search()
    for query in ["quantum chromodynamics on the lattice", "xqzt blorf"] {
      #expect(try titles(query, search).isEmpty, "\(query)")
    }
  }

  @Test("A time that nothing fits is left out, and it is said")
  func timesThatNothingFits() async throws {
    try test.add("camped by the lake with the children", on: "2024-07-20")
    try addOthers()
    let search = try await search(Self.noModel)
    let outcome = try search.search(SearchRequest(query: "when did we camp in June?"))
    #expect(outcome.hits.map(\.title) == ["camped by the lake with the children"])
    #expect(outcome.reading.isEmpty && outcome.notes.contains { $0.contains("in June") })
    // What was asked for as a filter stays one.
    #expect(try titles("when did we camp? from:2025", search).isEmpty)
    // A further page of something that was found is no reason to look elsewhere.
    try test.add("camped in the garden", on: "2025-06-10")
    var second = SearchRequest(query: "when did we camp in June 2025?", limit: 5, offset: 5)
    #expect(try search.search(second).hits.isEmpty)
    second.offset = 0
    #expect(try search.search(second).hits.map(\.title) == ["camped in the garden"])
  }

  @Test(
    "A long note shows the passage that fits",
    .enabled(if: hasModel, "the embedding model is not there; ./setup fetches it"))
  func passagesOfLongNotes() async throws {
    let filler = (1...30).map {
      "In the morning number \($0) there was tea and some post to answer."
    }
    let passage = "The dentist pulled one of my teeth and it hurt for days."
    let text = (filler + [passage] + filler).joined(separator: "\n\n")
    try test.archive.create(
      Note(
        id: test.archive.identities.next(), title: "February", text: text,
        createdAt: test.clock.now, updatedAt: test.clock.now))
    try addOthers()
    let hit = try #require(
      try await search().search(SearchRequest(query: "had a molar taken out")).hits.first)
    #expect(hit.type == .note && hit.snippet.text.contains(passage))
    #expect(hit.snippet.text.count < 400)
  }
}

@Suite("The ranking of search, on labelled conversations")
struct LabelledRankingTests {
  /// The folder of conversations, each with turns.jsonl and questions.jsonl; see Benchmarks/Search.
  static let folder = ProcessInfo.processInfo.environment["ARKIVED_CONVERSATIONS"].map {
    URL(fileURLWithPath: $0)
  }

  static var conversations: [String] {
    guard let folder else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
      .filter {
        FileManager.default.fileExists(
          atPath: folder.appendingPathComponent("\($0)/turns.jsonl").path)
      }
  }

  private func lines(_ conversation: String, _ name: String) throws -> [JSON] {
    let file = try #require(Self.folder).appendingPathComponent("\(conversation)/\(name).jsonl")
    return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
      try JSON(parsing: Data($0.utf8))
    }
  }

  /// FTS5's own ranking of the turns by any of a question's content words.
  private func plain(_ turns: [String], _ questions: [String]) throws -> [[Int]] {
    let queue = try DatabaseQueue()
    return try queue.write { db in
      try db.execute(
        sql: """
          CREATE VIRTUAL TABLE turns
          USING fts5 (text, tokenize = 'porter unicode61 remove_diacritics 2')
          """)
      for text in turns {
        try db.execute(sql: "INSERT INTO turns (text) VALUES (?)", arguments: [text])
      }
      return try questions.map { question in
        let words = question.split { !$0.isLetter && !$0.isNumber }.map(String.init)
        let content = words.filter { !StopWords.contains($0) }
        let match = (content.isEmpty ? words : content).map { "\"\($0)\"" }
          .joined(separator: " OR ")
        return try Int.fetchAll(
          db,
          sql: """
            SELECT rowid - 1 FROM turns WHERE turns MATCH ? ORDER BY bm25(turns), rowid LIMIT 10
            """, arguments: [match])
      }
    }
  }

  @Test(
    "finds no less evidence than plain FTS5, on each conversation, by words and by both",
    .enabled(
      if: folder != nil && RankingTests.hasModel,
      "ARKIVED_CONVERSATIONS names no folder, or the embedding model is not there"),
    arguments: conversations)
  func isNeverBelowPlainFullText(conversation: String) async throws {
    let test = try TestArchive()
    let turns = try lines(conversation, "turns")
    var ids: [UUID] = []
    for turn in turns {
      let time = try #require(turn["time"]?.string)
      ids.append(
        try test.add(
          try #require(turn["text"]?.string), on: String(time.prefix(10)),
          from: String(time.dropFirst(11).prefix(5))
        ).id)
    }
    let places = Dictionary(
      uniqueKeysWithValues: turns.enumerated().map { ($0.element["id"]?.string ?? "", $0.offset) })
    let questions = try lines(conversation, "questions")
    let texts = questions.map { $0["question"]?.string ?? "" }
    let evidence = questions.map { question in
      Set((question["evidence"]?.array ?? []).compactMap { $0.string.flatMap { places[$0] } })
    }
    func share(_ found: [[Int]]) -> Double {
      let shares = zip(evidence, found).map { wanted, found in
        Double(wanted.intersection(found).count) / Double(max(1, min(10, wanted.count)))
      }
      return shares.reduce(0, +) / Double(max(1, shares.count))
    }
    let indexes = SearchIndexes(test.archive)
    _ = try await IndexJob(test.archive, indexes).run()
    let search = HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
    let order = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($0.element, $0.offset) })
    func asked(_ mode: SearchRequest.Mode) throws -> Double {
      share(
        try texts.map { text in
          try search.search(SearchRequest(query: text, limit: 10, mode: mode)).hits.compactMap {
            order[$0.id]
          }
        })
    }
    let least = share(try plain(turns.map { $0["text"]?.string ?? "" }, texts))
    #expect(try asked(.words) >= least - 0.02)
    #expect(try asked(.hybrid) >= max(least + 0.05, 0.7))
  }
}
