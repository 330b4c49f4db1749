import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

/// Whatever is typed is a query: it finds something or nothing, and never fails.
@Suite("Odd queries")
struct OddQueryTests {
  private static let noModel = EmbeddingModelFolder(URL(fileURLWithPath: "/nonexistent/model"))

  /// Texts in many scripts, and for each a word that must find it.
  private static let scripts: [(text: String, query: String)] = [
    ("Ζεστό ψωμί στην αυλή", "ψωμί"), ("Утром бежал вдоль реки", "реки"),
    ("שתיתי תה עם נועה", "תה"), ("شربت الشاي مع سلمى", "الشاي"),
    ("今日は京都で寺を見た", "京都"), ("和妈妈在公园散步", "公园"),
    ("오늘 시장에서 사과를 샀다", "시장에서"), ("วันนี้กินข้าวกับแม่", "ข้าว"),
    ("आज नदी के किनारे चला", "नदी"), ("Đi bộ quanh hồ", "ho"),
    ("Őszi séta a Duna-parton", "oszi"), ("ran 5 km 🏃‍♀️ in the rain", "rain"),
    ("Straße gefegt", "straße"), ("Großmutter am Straßenschluss", "strassenschluss"),
    ("Fussball im Regen", "Fußball"), ("cafe\u{301} noisette", "café"),
  ]

  private static let odd: [String] = [
    "", " ", "\n\t", "🙂", "👩‍👩‍👧‍👦🇦🇹", "…—„“«»", "()[]{}", "\"", "\"\"", "\"rain", "rain\"", "'",
    "*", "**", "* *", "rain*", "*rain", "*rain*", "-", "--", "-rain", "- rain", "-\"rain", "NOT",
    "AND", "rain AND", "OR OR OR", "NEAR(rain, 2)", "rain NEAR", "title:rain", "{title body}: rain",
    "^rain", "rain + ^", "tag:", "tag:\"", "-tag:", "tag:,", "from:", "to:rain", "from:9999-99-99",
    "person:", "person:\"\"", "kind:", "kind:nonsense", "source:", "is:", "is:pinned is:", "mode:",
    "tag:work tag:", "a:b:c", ":", "::", "\\", "\\\"", "%", "_", "';--", "rain\u{0}fall",
    "\u{1}\u{2}\u{7F}", "\u{FEFF}rain", "\u{202E}niar", "a\u{300}\u{300}\u{300}\u{300}\u{300}",
    "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "１２３", "½", "١٢٣", "0x1F", "-1", "1e309", "ﬁ",
    "what did I do?", "?", "what?", "who who who", "did did", "since", "between and",
    "from yesterday to tomorrow until never", String(repeating: "\"", count: 999),
    String(repeating: "(", count: 5_000), String(repeating: "*", count: 5_000),
    String(repeating: "a", count: 100_000), String(repeating: "a\u{301}", count: 20_000),
    String(repeating: "tag:x ", count: 2_000), String(repeating: "-x ", count: 2_000),
    String(repeating: "\"x y\" ", count: 2_000), String(repeating: "x* ", count: 2_000),
    (0..<10_000).map { "word\($0)" }.joined(separator: " "),
    String(repeating: "rain ", count: 10_000), String(repeating: "the and of ", count: 4_000),
  ]

  private func archive() throws -> TestArchive {
    let test = try TestArchive()
    for (number, script) in Self.scripts.enumerated() {
      try test.add(script.text, on: String(format: "2026-01-%02d", number + 1))
    }
    return test
  }

  private func indexes(_ test: TestArchive, _ isIndexed: Bool) async throws -> SearchIndexes {
    let indexes = SearchIndexes(test.archive, model: Self.noModel)
    if isIndexed { _ = try await IndexJob(test.archive, indexes).run() }
    #expect((try indexes.currentWords() != nil) == isIndexed)
    return indexes
  }

  @Test("A word is found in every script", arguments: [true, false])
  func everyScript(isIndexed: Bool) async throws {
    let test = try archive()
    let search = HybridSearch(
      archive: test.archive, zone: test.zone, indexes: try await indexes(test, isIndexed))
    for (text, query) in Self.scripts {
      let hits = try search.search(SearchRequest(query: query)).hits
      #expect(hits.contains { $0.title == text }, "\(query)")
    }
  }

  @Test(
    "A letter in two parts, as some programs write it, is that letter", arguments: [true, false])
  func lettersInParts(isIndexed: Bool) async throws {
    let test = try TestArchive()
    let words = ["йогурт", "ψωμί", "がっこう", "한국어"]
    for word in words {
      try test.add(word.decomposedStringWithCanonicalMapping + " 1", on: "2026-02-10")
      try test.add(word + " 2", on: "2026-02-11")
    }
    let search = HybridSearch(
      archive: test.archive, zone: test.zone, indexes: try await indexes(test, isIndexed))
    for word in words {
      for query in [word, word.decomposedStringWithCanonicalMapping] {
        #expect(try search.search(SearchRequest(query: query)).hits.count == 2, "\(word)")
      }
    }
  }

  @Test("Letters in two parts are also found where an earlier version indexed them")
  func lettersInPartsOfEarlierVersions() async throws {
    let test = try TestArchive()
    let words = ["йогурт", "がっこう", "한국어"]
    for word in words { try test.add(word, on: "2026-02-10") }
    try test.add("plain", on: "2026-02-10")
    try await test.archive.writer.write { db in
      for word in words {
        let parts = word.decomposedStringWithCanonicalMapping.unicodeScalars
          .map { Segmentation.isUnspaced($0) ? "\u{1F}\($0)\u{1F}" : "\($0)" }.joined()
        try db.execute(
          sql: "UPDATE search_words SET title = ? WHERE title = ?",
          arguments: [parts, Segmentation.spaced(word)])
      }
    }
    let search = HybridSearch(
      archive: test.archive, zone: test.zone,
      indexes: SearchIndexes(test.archive, model: Self.noModel))
    _ = try await indexes(test, true)
    for word in words {
      #expect(try search.search(SearchRequest(query: word)).hits.count == 1, "\(word)")
    }
    // They are looked through once.
    let titles = try test.archive.read { db in
      try String.fetchAll(db, sql: "SELECT title FROM search_words").map { Array($0.utf8) }
    }
    for word in words { #expect(titles.contains(Array(Segmentation.spaced(word).utf8))) }
    let changes: (Database) throws -> Int? = {
      try Int.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'search_changes'")
    }
    let before = try test.archive.read(changes)
    try test.archive.renewSearchWords()
    #expect(try test.archive.read(changes) == before && before != nil)
  }

  @Test("Nothing that is typed is an error, in any mode", arguments: [true, false])
  func nothingIsAnError(isIndexed: Bool) async throws {
    let test = try archive()
    let search = HybridSearch(
      archive: test.archive, zone: test.zone, indexes: try await indexes(test, isIndexed))
    for query in Self.odd {
      for mode in [SearchRequest.Mode.hybrid, .words, .meaning] {
        #expect(throws: Never.self, "\(query.prefix(40))") {
          let outcome = try search.search(SearchRequest(query: query, mode: mode))
          #expect(outcome.hits.count <= Self.scripts.count)
        }
      }
      #expect(throws: Never.self, "\(query.prefix(40))") {
        _ = try search.completions(of: String(query.prefix(500)), at: nil)
      }
    }
  }

  @Test("Ten thousand words around one that is there still find it", arguments: [true, false])
  func manyWords(isIndexed: Bool) async throws {
    let test = try archive()
    let search = HybridSearch(
      archive: test.archive, zone: test.zone, indexes: try await indexes(test, isIndexed))
    let words = (0..<5_000).map { "word\($0)" }
    let outcome = try search.search(
      SearchRequest(query: (["rain"] + words + words).joined(separator: " ")))
    #expect(outcome.hits.first?.title.contains("rain") == true)
    #expect(outcome.isRelaxed)
  }

  @Test("A corrected word is marked as it is written there", arguments: [true, false])
  func correctedWordsAreMarked(isIndexed: Bool) async throws {
    let test = try TestArchive()
    let day = try #require(DayKey("2026-02-10"))
    let filler = String(repeating: "Rain and tea. ", count: 100)
    _ = try test.archive.updateDay(day) { $0.note = filler + "We ran a marathon. " + filler }
    let search = HybridSearch(
      archive: test.archive, zone: test.zone, indexes: try await indexes(test, isIndexed))
    let hit = try #require(try search.search(SearchRequest(query: "marathn")).hits.first)
    #expect(hit.snippet.pieces.filter(\.isHighlighted).map(\.text) == ["marathon"])
  }

  @Test("The beginning of many words finds all of them", arguments: [true, false])
  func manyWordsWithOneBeginning(isIndexed: Bool) async throws {
    let test = try TestArchive()
    let letters = "bcdfghklmp"
    for first in letters {
      for second in letters { try test.add("quo\(first)a\(second)a at noon", on: "2026-02-10") }
    }
    try test.add("noon alone", on: "2026-02-11")
    let search = HybridSearch(
      archive: test.archive, zone: test.zone, indexes: try await indexes(test, isIndexed))
    func count(_ query: String) throws -> Int {
      try search.search(SearchRequest(query: query, limit: 500)).hits.count
    }
    #expect(try count("quo*") == 100)
    #expect(try count("noon -quo*") == 1)
  }

  @Test("A beginning after other words stands right after them", arguments: [true, false])
  func beginningsAfterWords(isIndexed: Bool) async throws {
    let test = try TestArchive()
    try test.add("tea and an e-mail from home", on: "2026-02-10")
    try test.add("tea with mail, plan E", on: "2026-02-11")
    try test.add("tea, plan e alone", on: "2026-02-12")
    let search = HybridSearch(
      archive: test.archive, zone: test.zone, indexes: try await indexes(test, isIndexed))
    func titles(_ query: String) throws -> [String] {
      try search.search(SearchRequest(query: query)).hits.map(\.title).sorted()
    }
    #expect(try titles("e-mai*") == ["tea and an e-mail from home"])
    #expect(
      try titles("tea -e-mai*") == ["tea with mail, plan E", "tea, plan e alone"])
  }

  @Test("Deleting the indexes while a server uses them loses no answer")
  func deletedWhileRunning() async throws {
    let test = try archive()
    let indexes = try await indexes(test, true)
    let search = HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
    #expect(try search.search(SearchRequest(query: "rain")).hits.count == 1)
    try FileManager.default.removeItem(at: try #require(indexes.folder))
    #expect(try search.search(SearchRequest(query: "rain")).hits.count == 1)
    try test.add("more rain", on: "2026-02-01")
    #expect(try search.search(SearchRequest(query: "rain")).hits.count == 2)
    // One that starts now has no file, and one that keeps the indexes makes them anew.
    let later = SearchIndexes(test.archive, model: Self.noModel)
    let anew = HybridSearch(archive: test.archive, zone: test.zone, indexes: later)
    #expect(try anew.search(SearchRequest(query: "rain")).hits.count == 2)
    _ = try await IndexJob(test.archive, later).run()
    #expect(try later.currentWords() != nil)
    #expect(try anew.search(SearchRequest(query: "rain")).hits.count == 2)
  }
}
