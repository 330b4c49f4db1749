import ArkivedCore
import ArkivedTestSupport
import Testing

@testable import ArkivedAssistant

@Suite("Readings that rest on little are told or refused")
struct WeakReadingTests {
  private static let lines: [(day: String, text: String, tag: String)] = [
    ("2023-03-04", "Went to the market", "errand"),
    ("2023-03-11", "Stopped at the market with Paulo", "errand"),
    ("2023-03-18", "Bought eggs at the market", "errand"),
    ("2023-03-25", "Walked over to the market", "errand"),
    ("2023-04-01", "A market day in Split", "travel"),
    ("2023-04-08", "Had fish tacos for dinner with Paulo", "meal"),
    ("2023-04-09", "Had fish pie for lunch", "meal"),
    ("2023-04-10", "Opened a good wine with Zofia", "meal"),
    ("2023-05-01", "Cooked vegetable soup for Zofia", "home"),
    ("2023-05-02", "Made a quiche for Paulo", "home"),
    ("2023-05-03", "Made a list for Paulo", "home"),
    ("2023-05-04", "Made risotto for Paulo", "home"),
    ("2023-06-01", "Took Luca for his dental check-up", "health"),
    ("2023-06-02", "Took Luca for another dental check-up", "health"),
    ("2023-06-10", "Spent 60 minutes at the pottery wheel", "hobby"),
    ("2023-06-17", "Spent 45 minutes at the pottery wheel", "hobby"),
    ("2023-06-24", "Did some pottery for 90 minutes", "hobby"),
    ("2023-06-30", "Played with Pickle", "pet"),
    ("2023-06-30", "Went swimming with Pickle", "pet"),
    ("2023-07-01", "Took Pickle for a grooming", "pet"),
    ("2023-07-02", "Took Pickle for a grooming", "pet"),
    ("2023-07-03", "Took Pickle for a walk", "pet"),
    ("2023-07-08", "Zofia gave me an umbrella", "gift"),
    ("2023-07-09", "Borrowed an umbrella from Paulo", "gift"),
    ("2023-08-01", "Went to the theatre with Zofia to see Uncle Vanya at the Gate", "culture"),
    ("2023-08-08", "Went to the theatre with Paulo to see Uncle Vanya at the Gate", "culture"),
    ("2023-08-15", "An evening at the Gate with Luca", "culture"),
    ("2023-09-01", "Rowed for 30 minutes", "exercise"),
    ("2023-09-02", "Rowed with Paulo for 50 minutes", "exercise"),
    ("2024-04-10", "Had tomato soup for lunch", "meal"),
    ("2024-08-11", "Headaches all day", "health"),
  ]

  private let life: SmallLife

  init() throws { life = try SmallLife(WeakReadingTests.lines) }

  private func ask(_ question: String) throws -> TimelineAnswer { try life.ask(question) }

  @Test("Days without something that was never recorded aren't counted")
  func daysWithoutTheUnknown() throws {
    let never = try ask("On which days did I not visit the cathedral?")
    #expect(never.kind == "none", "\(never.sentence)")
    // Something that was recorded at another time was missing on each of these days.
    let elsewhere = try ask("How many days in May 2023 did I not row?")
    #expect(elsewhere.values == [31], "\(elsewhere.sentence)")
  }

  @Test(
    "What is said around a question changes nothing",
    arguments: [
      "oh and how often did I row?", "I'm trying to remember, how often did I row",
      "how often did I row back in 2023?", "how often did I row, finally?",
      "how often did I have to row", "hmm, I can't remember: how often did I row?",
    ])
  func talk(question: String) throws {
    let answer = try ask(question)
    #expect(answer.values == [2], "\(question): \(answer.sentence)")
  }

  @Test("Rowing is no row of days, and its mean is not that of everything")
  func rows() throws {
    #expect(try ask("how long do I row on average?").values == [40])
    #expect(try ask("how long does rowing usually last").values == [40])
  }

  @Test("A day some years ago, said exactly, is that day")
  func exactDay() throws {
    #expect(
      try ask("what was I doing exactly one year ago?").citations.map(\.text) == [
        "Had tomato soup for lunch"
      ])
    #expect(try ask("what did I do a year ago today?").citations.count == 1)
  }

  @Test(
    "Another word of the same key is no answer",
    arguments: ["how often did I win", "how often did I go fishing?", "when was I at my biggest?"])
  func otherWord(question: String) throws {
    let answer = try ask(question)
    #expect(answer.kind == "none" && answer.citations.isEmpty, "\(question): \(answer.sentence)")
  }

  @Test(
    "An answer that others would change is signed",
    arguments: [
      ("how many check-ups has Luca had?", "dental"),
      ("how often did I go to the market", "market day"),
      ("my longest session at the pottery wheel?", "wheel"),
      ("who went to the theatre with me?", "Gate"),
      ("who gave me an umbrella?", "verb"),
    ])
  func signs(question: String, sign: String) throws {
    let answer = try ask(question)
    #expect(answer.ignored.contains { $0.contains(sign) }, "\(question): \(answer.sentence)")
  }

  @Test("What was made counts as cooked where it is food")
  func cooked() throws {
    #expect(try ask("how often did I cook for Paulo").values == [2])
    #expect(try ask("who have I cooked for most often?").values.first == "Paulo")
  }

  @Test("Whom the question names is not its answer, and a work is nobody")
  func names() throws {
    let need = try ask("what does Pickle need most often?").values.compactMap(\.string)
    #expect(need.count == 1 && need.allSatisfy { $0.hasSuffix("grooming") }, "\(need)")
    let people = try ask("who went to the theatre with me?").values
    #expect(Set(people.compactMap(\.string)) == ["Zofia", "Paulo"])
    #expect(try ask("who gave me an umbrella?").values == ["Zofia"])
  }

  @Test("A word that sounds alike is put right")
  func spelling() throws {
    #expect(try ask("how many headakes did I have").values == [1])
  }
}
