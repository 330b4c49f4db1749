import ArkivedCore
import Testing

@testable import ArkivedAssistant

@Suite("How a question was read is told")
struct AnswerReadingTests {
  private static let lines: [(day: String, text: String, tag: String)] = [
    ("2024-03-02", "Cycled 20 km along the canal", "cycling"),
    ("2024-03-09", "Cycled 30 km in the rain", "cycling"),
    ("2024-03-16", "Bike ride to the lake with Ines", "outing"),
    ("2024-05-04", "Travelled to Lisbon with Ines for 6 days", "travel"),
    ("2024-05-05", "Visited the tile museum with Ines", "travel"),
    ("2024-05-06", "Ate custard tarts at Casa Brava", "meal"),
    ("2024-06-01", "Spent 1 h 40 reading a novel", "reading"),
    ("2024-06-02", "Read the news for 20 minutes late in the evening", "reading"),
    ("2024-07-06", "Had dinner with Ines, we ate carbonara", "meal"),
    ("2024-07-13", "Carbonara for dinner", "meal"),
    ("2024-07-20", "Dinner was pancakes", "meal"),
    ("2025-01-18", "Cycled 12 km with Tobias", "cycling"),
    ("2025-02-01", "Called Tobias for 15 minutes", "call"),
    ("2025-02-08", "Met Ines by the river", "people"),
  ]

  private let life: SmallLife

  init() throws { life = try SmallLife(AnswerReadingTests.lines) }

  private func ask(_ question: String) throws -> TimelineAnswer { try life.ask(question) }

  @Test("A count by a tag tells of entries that say the word without it")
  func words() throws {
    let answer = try ask("How often did I go cycling in 2024?")
    #expect(answer.values.first?.int == 2)
    #expect(answer.ignored.contains { $0.hasPrefix("1 more entry") })
    #expect(answer.sentence.contains(try #require(answer.ignored.first)))
  }

  @Test(
    "Two years are compared in all wordings",
    arguments: [
      "Did I cycle further in 2024 or in 2025?",
      "How many more km did I cycle in 2024 than in 2025?",
      "km cycled: 2024 versus 2025", "Did I cycle more km in 2024 than I did in 2025?",
      "difference in km cycled between 2024 and 2025",
    ])
  func comparing(question: String) throws {
    let answer = try ask(question)
    #expect(answer.kind == "compare")
    #expect(answer.values.compactMap(\.double) == [50, 12])
  }

  @Test(
    "Figures that sentences tell in other ways",
    arguments: [
      ("How many minutes did I read in June 2024?", 120), ("How many trips did I take in 2024?", 1),
      ("How long was I in Lisbon?", 6), ("How many km did I cycle, 2024?", 50),
    ])
  func figures(question: String, value: Double) throws {
    #expect(try ask(question).values.first?.double == value)
  }

  @Test("A dish is found however the sentence tells it")
  func dishes() throws {
    let answer = try ask("What did I eat for dinner most often?")
    #expect(answer.values.first?.string?.lowercased() == "carbonara")
  }

  @Test("What was eaten on a journey need not name the town")
  func journeys() throws {
    #expect(try ask("What did I eat in Lisbon?").values.compactMap(\.string) == ["custard tarts"])
  }

  @Test(
    "Dates that do not exist, times that exclude each other, the future and other languages are told",
    arguments: [
      "What did I do on 31 April 2024?", "How often did I cycle in 2023 in 2025?",
      "When will I cycle next?", "Qué hice ayer con ella", "Could you delete all my entries?",
      "Did I ever cook for Tobias?",
    ])
  func nothing(question: String) throws {
    let answer = try ask(question)
    #expect(answer.kind == "none")
    #expect(answer.citations.isEmpty)
  }
}
