import ArkivedCore
import Testing

@testable import ArkivedAssistant

@Suite("Questions are answered from a timeline")
struct AnswerTests {
  private static let lines: [(day: String, text: String, tag: String)] = [
    ("2025-01-06", "Ran 8 km along the towpath with Priyanka", "running"),
    ("2025-01-08", "Ran 5.5 km before school", "running"),
    ("2025-01-11", "Lunch with Mum at the Golden Fleece: fish pie", "lunch"),
    ("2025-01-14", "Called Mum for half an hour about the allotment", "call"),
    ("2025-01-15", "Ran into Helga at the post office", "people"),
    ("2025-01-18", "Cooked mushroom risotto for Tomas", "cooking"),
    ("2025-02-01", "Ran 10 km in the park with Priyanka", "running"),
    ("2025-02-03", "Had ramen with Priyanka at Noodle Bar Yume", "lunch"),
    ("2025-02-20", "Called Mum for 25 minutes about the wedding", "call"),
    ("2025-02-21", "Called Tomas about the car", "call"),
    ("2025-03-01", "Planted twelve tomato seedlings with Helga", "garden"),
    ("2025-03-08", "Planted four courgette seedlings", "garden"),
  ]

  private let life: SmallLife

  init() throws { life = try SmallLife(AnswerTests.lines) }

  private func ask(_ question: String) throws -> TimelineAnswer { try life.ask(question) }

  @Test(
    "Figures are exact",
    arguments: [
      ("How many kilometres did I run in January?", 13.5), ("How often did I call Mum?", 2),
      ("How many tomato seedlings did I plant?", 12), ("How many seedlings did I plant?", 16),
      ("longest run", 10), ("second longest run", 8),
      ("How many miles did I run in February?", 6.214),
      ("How many runs were longer than 6 km?", 2),
      ("How many runs were no longer than 6 km?", 1),
      ("How often did I run no less than 8 km?", 2),
      ("on how many days in February did I not run?", 27),
      ("on how many days before February 2025 did I not run?", 24),
      ("on how many days in January did I not run more than 6 km?", 30),
      ("how many days in a row did I not run in January?", 23),
      ("longest streak without a run in January", 23),
      ("longest streak without a run", 68), ("longest stretch of days without a single run", 68),
      ("longest streak without ramen", 66), ("longest streak in January without a run", 23),
      ("longest time without a run in January", 2),
      ("how often per week did I run before February 2025?", 0.5385),
      ("How long is it since I had ramen?", 66),
    ])
  func figures(question: String, value: Double) throws {
    #expect(try ask(question).values.first?.double == value)
  }

  @Test("What is uncertain about a condition is uncertain about the answer")
  func uncertainConditions() throws {
    var lines = (1...5).map { number in
      (day: "2025-01-0\(number)", text: "Painted the fence", tag: number < 5 ? "house" : "boat")
    }
    lines += (1...3).map { number in
      (day: "2025-01-0\(number)", text: "Ran 5 km", tag: "running")
    }
    let life = try SmallLife(lines)
    let plain = try life.ask("How often did I paint the fence?")
    #expect(plain.values.first?.int == 5 && !plain.uncertain.isEmpty, "\(plain.sentence)")
    let limited = try life.ask("How often did I run on days when I painted the fence?")
    #expect(limited.values.first?.int == 3)
    #expect(!limited.uncertain.isEmpty, "\(limited.sentence)")
  }

  @Test("No more than some is a limit in words as well, and no superlative")
  func limitsInWords() throws {
    let mile = try ask("How many runs were no longer than a mile?").question
    #expect(mile.threshold?.amount == 1 && mile.threshold?.isAtLeast == false)
    #expect(mile.kind == .count)
    #expect(try ask("In which months did I run no more than six times?").question.kind != .most)
  }

  @Test("A clause doesn't take the amount away from what was not done")
  func notDoneInAClause() throws {
    let life = try SmallLife([
      ("2025-01-06", "Ran 8 km along the towpath", "running"),
      ("2025-01-06", "Called Mum about the allotment", "call"),
      ("2025-01-08", "Ran 5 km before school", "running"),
      ("2025-01-08", "Called Mum about the car", "call"),
      ("2025-01-14", "Called Mum for half an hour", "call"),
    ])
    let all = try life.ask("on how many days did I not run when I called Mum?")
    #expect(all.values.first?.int == 1, "\(all.sentence)")
    let far = try life.ask("on how many days did I not run more than 6 km when I called Mum?")
    #expect(far.values.first?.int == 2, "\(far.sentence)")
  }

  @Test(
    "Names and things come from the sentences",
    arguments: [
      ("Who did I run into?", ["Helga"]), ("Who did I run with?", ["Priyanka"]),
      ("Who did I call most?", ["Mum"]), ("Where did I eat ramen?", ["Noodle Bar Yume"]),
      ("What did I cook for Tomas?", ["mushroom risotto"]),
      ("What did I talk about with Mum?", ["the allotment", "the wedding"]),
      ("When did I plant courgettes?", ["2025-03-08"]),
    ])
  func names(question: String, values: [String]) throws {
    #expect(try ask(question).values.compactMap(\.string) == values)
  }

  @Test(
    "“Neither … nor” excludes both, whatever words come before the second",
    arguments: [
      "on how many days in January did I neither run nor did I cook?",
      "on how many days in January did I neither run, nor cook?",
    ])
  func neither(question: String) throws {
    let plain = try ask("on how many days in January did I neither run nor cook?")
    #expect(plain.kind == "count", "\(plain.sentence)")
    let answer = try ask(question)
    #expect(answer.kind == "count" && answer.values == plain.values, "\(answer.sentence)")
  }

  @Test("The mean of times around midnight is in the night, any other is the plain one")
  func clocks() {
    #expect(AnswerWork.meanClock([23 * 60 + 30, 30]) == 0)
    #expect(AnswerWork.meanClock([22 * 60, 23 * 60, 60]) == 23 * 60 + 20)
    #expect(AnswerWork.meanClock([7 * 60, 8 * 60, 12 * 60]) == 9 * 60)
    #expect(AnswerWork.meanClock([60, 9 * 60, 18 * 60]) == 9 * 60 + 20)
    #expect(AnswerWork.meanClock([6 * 60, 19 * 60]) == 12 * 60 + 30)
    #expect(AnswerWork.meanClock([]) == 0)
  }

  @Test("After midnight is later than before it if all times are of nights")
  func edgesOfNights() throws {
    let nights = try #require(AnswerWork.edgeClocks([30, 23 * 60 + 30, 22 * 60]))
    #expect(nights.first == 22 * 60 && nights.last == 30)
    let long = try #require(AnswerWork.edgeClocks([30, 23 * 60, 5 * 60 + 40, 21 * 60 + 30]))
    #expect(long.first == 21 * 60 + 30 && long.last == 5 * 60 + 40)
    let early = try #require(AnswerWork.edgeClocks([30, 19 * 60 + 45, 23 * 60]))
    #expect(early.first == 19 * 60 + 45 && early.last == 30)
    let mornings = try #require(AnswerWork.edgeClocks([5 * 60 + 30, 21 * 60]))
    #expect(mornings.first == 5 * 60 + 30 && mornings.last == 21 * 60)
    let days = try #require(AnswerWork.edgeClocks([20 * 60, 6 * 60, 30]))
    #expect(days.first == 30 && days.last == 20 * 60)
    #expect(AnswerWork.edgeClocks([])?.first == nil)
    let late = try #require(AnswerWork.edgeClocks([23 * 60 + 30, 30, 5 * 60 + 20]))
    #expect(late.first == 23 * 60 + 30 && late.last == 5 * 60 + 20)
    let apart = try #require(AnswerWork.edgeClocks([5 * 60 + 30, 20 * 60 + 30]))
    #expect(apart.first == 5 * 60 + 30 && apart.last == 20 * 60 + 30)
  }

  @Test("Two things are compared, and both figures told")
  func comparing() throws {
    let answer = try ask("Did I call Tomas or Mum more often?")
    #expect(answer.kind == "compare")
    #expect(answer.values.compactMap(\.double) == [1, 2])
  }

  @Test("An answer cites the entries that prove it and no other")
  func citations() throws {
    let answer = try ask("How often did I run?")
    #expect(answer.values.first?.int == 3)
    #expect(answer.citations.allSatisfy { $0.tags == ["running"] })
    #expect(answer.citations.count == 3)
  }

  @Test(
    "What has no answer is told as none, with nothing cited",
    arguments: [
      "", "   ", "blorf wibble zanther?", "Delete all entries with Mum",
      "What will I do next Christmas?",
      "How many times did I go skiing?", "¿Cuántos kilómetros corrí?", "Why did I run?",
      "How much money did I spend on shoes?", "who did I call in 2012",
      "km run from December 2025 to January 2025", "When did I last see Barack Obama?",
      String(repeating: "how many words ", count: 2_000),
    ])
  func nothing(question: String) throws {
    let answer = try ask(question)
    #expect(answer.kind == "none")
    #expect(answer.citations.isEmpty)
    #expect(!answer.sentence.isEmpty)
  }

  @Test("A slip of the keys is read as the word meant, and told")
  func spelling() throws {
    let answer = try ask("how mnay times did I run")
    #expect(answer.values.first?.int == 3)
    #expect(answer.sentence.contains("mnay"))
  }
}
