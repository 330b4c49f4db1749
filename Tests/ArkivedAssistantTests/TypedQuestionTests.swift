import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Testing

@testable import ArkivedAssistant

@Suite("Questions as people type them")
struct TypedQuestionTests {
  private static let lines: [(day: String, text: String, tag: String)] = [
    ("2018-04-27", "Our son Luca was born in Bristol", "life"),
    ("2021-08-21", "Pickle the dog came to live with us", "life"),
    ("2022-09-24", "Married Paulo on the pier in Kinsale", "wedding"),
    ("2023-02-18", "Moved to Kinsale with Paulo and Luca", "move"),
    ("2023-02-14", "Ran 5 km", "exercise"),
    ("2023-03-01", "Tennis with Zofia, 60 minutes", "exercise"),
    ("2023-03-08", "Played tennis with Paulo for 90 minutes", "exercise"),
    ("2023-03-09", "Ran 12 km", "exercise"),
    ("2023-04-02", "Travelled to Kyoto with Paulo for 6 days", "travel"),
    ("2023-04-03", "Visited Nijo castle in Kyoto with Paulo", "travel"),
    ("2023-04-04", "Visited the moss temple in Kyoto with Paulo", "travel"),
    ("2023-04-05", "Ate ramen at Menya Sora in Kyoto", "travel"),
    ("2023-04-06", "Bought a wooden bird in Kyoto for 12 euros", "travel"),
    ("2024-05-04", "Travelled to Kyoto with Zofia for 3 days", "travel"),
    (
      "2024-06-01", "Bought apples, oat milk and soap at the corner shop and paid 30 euros",
      "groceries"
    ),
    ("2024-06-08", "Bought pears and soap at SuperValu for 50 euros", "groceries"),
    ("2024-06-15", "Bought apples at the corner shop for 10 euros", "groceries"),
    ("2024-07-01", "Went for my flu jab at the health centre", "health"),
    ("2024-07-09", "Took my son Luca for his flu jab", "health"),
    ("2024-07-20", "Worked in the garden for 60 minutes", "hobby"),
    ("2024-07-21", "Talked to Zofia about the garden wall for 30 minutes", "chat"),
    ("2024-08-01", "Took Pickle for a nail trim", "pet"),
    ("2024-08-11", "Took the dog to the vet for a nail trim", "pet"),
    ("2024-09-01", "Cooked goulash by myself", "cooking"),
    ("2024-09-02", "Cooked goulash with Paulo", "cooking"),
    ("2024-09-03", "Baked brownies with Paulo", "cooking"),
    ("2024-09-04", "Paulo cooked goulash", "cooking"),
    ("2024-10-01", "Watched a comedy for 40 minutes", "tv"),
    ("2024-10-02", "Watched a comedy with Paulo for 80 minutes", "tv"),
    ("2024-11-05", "Finished \"The Last Winter\" by J. T. Vasari", "reading"),
    ("2025-01-07", "Finished \"The Salt Road\" by Oona Pell", "reading"),
  ]

  private let life: SmallLife

  init() throws { life = try SmallLife(TypedQuestionTests.lines) }

  private func ask(_ question: String) throws -> TimelineAnswer { try life.ask(question) }

  @Test(
    "Different wordings get one figure",
    arguments: [
      ("how often have I been to Kyoto", 2), ("how many times was I in Kyoto?", 2),
      ("how many days did I spend in Kyoto in 2023", 6),
      ("how many sights did I visit in Kyoto", 2), ("number of different sights I saw in Kyoto", 2),
      ("how much was the wooden bird?", 12), ("what did the wooden bird cost", 12),
      ("how much TV did I watch in October 2024", 120),
      ("how often did I cook goulash with somebody", 2),
      ("how many flu jabs have I had", 1),
      ("how many minutes did I spend gardening", 60),
      ("what was the most expensive souvenir", 12),
    ] as [(String, Double)])
  func figures(question: String, value: Double) throws {
    #expect(try ask(question).values.first?.double == value, "\(question)")
  }

  @Test(
    "Different wordings name the same",
    arguments: [
      ("at which shop did I spend the least?", ["the corner shop"]),
      ("which shop did I spend most at", ["SuperValu"]),
      ("where did I spend the most on groceries", ["SuperValu"]),
      ("what did I buy on 1 June 2024", ["apples", "oat milk", "soap"]),
      ("which toiletries did I buy?", ["soap"]),
      ("who came to Kyoto with me in 2024", ["Zofia"]),
      ("did anyone come to Kyoto with me in 2024?", ["Zofia"]),
      ("who have I played tennis with", ["Zofia", "Paulo"]),
      ("who wrote \"The Last Winter\"?", ["J. T. Vasari"]),
      ("in which city did I eat ramen", ["Kyoto"]),
      ("what did Paulo and I cook together", ["goulash"]),
      ("what was Pickle taken to the vet for in 2024", ["nail trim"]),
    ])
  func names(question: String, names: [String]) throws {
    let answer = try ask(question)
    #expect(
      Set(answer.values.compactMap(\.string)) == Set(names), "\(question): \(answer.sentence)")
  }

  @Test(
    "Days are those of the event asked for",
    arguments: [
      ("when did I finish \"The Last Winter\"", ["2024-11-05"]),
      ("when did I last have a flu jab?", ["2024-07-01"]), ("when was my flu jab", ["2024-07-01"]),
      ("when did I come back from Kyoto in 2023", ["2023-04-07"]),
      ("when did I last cook goulash with Paulo", ["2024-09-02"]),
    ])
  func days(question: String, days: [String]) throws {
    let answer = try ask(question)
    #expect(answer.values.compactMap(\.string) == days, "\(question): \(answer.sentence)")
  }

  @Test(
    "What the archive cannot tell is refused",
    arguments: [
      "what is the population of Kyoto", "who painted the moss temple",
      "what should I cook tonight?",
      "runs in FY 2019/20", "who did I talk to longest on average", "who is my husband?",
    ])
  func refused(question: String) throws {
    let answer = try ask(question)
    #expect(answer.kind == "none" && answer.citations.isEmpty, "\(question): \(answer.sentence)")
  }

  @Test("What a reading leaves out is told")
  func signs() throws {
    #expect(
      try ask("how many flu jabs have I had").ignored.contains { $0.contains("somebody else") })
    #expect(try ask("how often did I cook in 2024").ignored.contains { $0.contains("baking") })
    #expect(try ask("runs in 2011/12").ignored.contains { $0.contains("2011/12") })
    #expect(try ask("what did I do in the week before I moved to Kinsale").citations.count == 1)
  }

  @Test("Kin and animals that texts name are known by both names")
  func kin() throws {
    let test = try TestArchive()
    for (day, text) in [
      ("2021-08-21", "Pickle the dog came to live with us"), ("2024-08-01", "Played with Pickle"),
      ("2024-08-02", "Took Pickle for a nail trim"),
      ("2024-08-11", "Took the dog to the vet for a nail trim"),
      ("2024-09-01", "Went swimming with my son Luca"), ("2024-09-02", "Lunch with Luca"),
    ] {
      try test.add(text, on: day)
    }
    let engine = AskEngine(archive: test.archive, zone: test.zone)
    #expect(try engine.answer("how often did Pickle have a nail trim").values == [2])
    #expect(try engine.answer("most recent nail trim for Pickle").values == ["2024-08-11"])
    #expect(try engine.answer("who is my son?").values == ["Luca"])
  }
}
