import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("German words are found in their forms and compounds")
struct GermanSearchTests {
  private static let noModel = EmbeddingModelFolder(URL(fileURLWithPath: "/nonexistent/model"))

  private static let german = [
    "Heute die Schafe geschoren und ich bin müde", "Mit der Nachbarin zwei Häuser besichtigt",
    "Die Chorprobe fiel aus", "Therapie bei der neuen Praxis, eine Stunde lang",
    "Ich habe drei Gläser Marmelade eingekocht", "Der Kirchturm wird nicht mehr gestrichen",
    "Apfelkuchen gebacken",
  ]

  private func search(
    _ query: String, in texts: [String], recent: [String] = []
  ) async throws -> [String] {
    let test = try TestArchive()
    for (number, text) in texts.enumerated() {
      try test.add(text, on: String(format: "2026-01-%02d", number + 1))
    }
    let indexes = SearchIndexes(test.archive, model: Self.noModel)
    _ = try await IndexJob(test.archive, indexes).run()
    for text in recent { try test.add(text, on: "2026-02-01") }
    // Lists of related words would find other entries as well.
    let folder = try TemporaryFolder()
    for language in ["english", "german"] {
      _ = try folder.file("\(language)-related.tsv", "#! Arkived related words 1,\n")
    }
    let lists = try #require(RelatedWords(in: folder.url))
    return try RelatedWords.$used.withValue(lists) {
      try HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
        .search(SearchRequest(query: query)).hits.map(\.title)
    }
  }

  @Test(
    "By another form, by a part, and by a compound of the parts",
    arguments: [
      ("Schaf", "Heute die Schafe geschoren und ich bin müde"),
      ("Haus besichtigen", "Mit der Nachbarin zwei Häuser besichtigt"),
      ("Haus", "Mit der Nachbarin zwei Häuser besichtigt"),
      ("Glas", "Ich habe drei Gläser Marmelade eingekocht"),
      ("Kuchen", "Apfelkuchen gebacken"),
      ("Therapiestunde", "Therapie bei der neuen Praxis, eine Stunde lang"),
      ("Therapiestunden", "Therapie bei der neuen Praxis, eine Stunde lang"),
    ])
  func forms(query: String, entry: String) async throws {
    // The parts of the compounds are words of the archive.
    let texts = Self.german + ["Ein Apfel am Morgen", "Der Chor und die Kirche"]
    #expect(try await search(query, in: texts).first == entry)
  }

  @Test("The word itself stands before its compounds")
  func itselfFirst() async throws {
    let texts = Self.german + ["Die Probe ging gut", "Der Chor sang"]
    #expect(
      try await search("Probe", in: texts) == ["Die Probe ging gut", "Die Chorprobe fiel aus"])
  }

  @Test("What only looks alike, and English archives, are left as they are")
  func others() async throws {
    #expect(try await search("Turm", in: Self.german).isEmpty)
    let english = [
      "walked to the lake", "a walkman from 1984", "man overboard", "painted the lakehouse",
    ]
    #expect(try await search("lake", in: english) == ["walked to the lake"])
  }

  @Test("Ten thousand words are read in bounded time")
  func manyWords() async throws {
    let query = (0..<10_000).map { "wort\($0 % 10)aus\($0)" }.joined(separator: " ")
    #expect(try await search(query, in: Self.german).isEmpty)
    let words = (0..<10_000).map { String(UnicodeScalar(UInt8(97 + $0 % 26))) + "kirchturm" }
    #expect(
      try await !search(words.joined(separator: " "), in: Self.german).contains(
        "Apfelkuchen gebacken"))
  }
}
