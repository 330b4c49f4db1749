import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// The bilingual model that `./setup --test` fetches beside the tests.
private let model = EmbeddingModelFolder(
  URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent(".cache/models/\(EmbeddingModelFolder.name)"))

@Suite(
  "Answers by meaning", .enabled(if: model.hasModel, "run ./setup --test to fetch the model"))
struct NearestAnswerTests {
  let test: TestArchive
  let engine: AskEngine

  /// What a life consists of besides, so that nearness stands out from chance.
  private static let everyday = [
    "watered the tomatoes", "read a chapter in the evening", "coffee with Mira at the station",
    "wrote the tax return", "rain all day, stayed in", "lasagne for the neighbours",
    "ran along the river, 6 km", "phone call with my aunt", "new tyres for the bicycle",
    "cinema, a long film about bees", "planted two rows of beans", "slept badly, headache",
    "meeting about the budget", "swam in the lake", "bought a lamp at the flea market",
    "train to Hamburg, delayed", "played chess with Tom", "choir practice", "baked bread",
    "painted the kitchen door",
  ]

  init() async throws {
    test = try TestArchive()
    try test.add("Into the clinic at six. Titanium joint today, Dr. Brandt", on: "2025-10-08")
    try test.add("threw the walking sticks in the cellar", on: "2025-11-30")
    for (index, text) in Self.everyday.enumerated() {
      try test.add(text, on: "2025-06-\(10 + index)")
    }
    for day in 10...19 { try test.add("fed the cat", on: "2025-08-\(day)") }
    let indexes = SearchIndexes(test.archive, model: model)
    try #require(try await IndexJob(test.archive, indexes).catchUp(within: .seconds(600)) == nil)
    engine = AskEngine(
      archive: test.archive, zone: test.zone,
      timelines: ArchiveTimelines(test.archive, indexes: indexes))
  }

  @Test("A question in other words is answered with the nearest entry, as uncertain")
  func otherWords() throws {
    let answer = try engine.answer("when did we watch a movie about insects?")
    #expect(answer.computed.kind == "when")
    #expect(answer.computed.values == [.string("2025-06-19")])
    #expect(answer.citations.map(\.title) == ["cinema, a long film about bees"])
    #expect(!answer.computed.ignored.isEmpty)
  }

  @Test("A German question finds an English entry")
  func otherLanguage() throws {
    let answer = try engine.answer("Wann habe ich die Krücken weggeworfen?")
    #expect(answer.computed.values == [.string("2025-11-30")])
  }

  @Test("A total isn't taken from the nearest entry, which the refusal names")
  func totals() throws {
    let answer = try engine.answer("how many hours did I toil at my greenhouse vegetables?")
    #expect(answer.computed.kind == "none")
    #expect(answer.citations.isEmpty)
  }

  @Test("Where several entries are equally near, none is taken for the answer")
  func severalNear() throws {
    let answer = try engine.answer("when did I give the kitten its meal?")
    #expect(answer.computed.kind == "none")
  }

  @Test("A few words about an entry aren't taken for a question about the world")
  func fewWords() throws {
    let answer = try engine.answer("titanium joint doctor?")
    #expect(answer.computed.sentence.contains("Dr. Brandt"), "\(answer.computed.sentence)")
  }
}
