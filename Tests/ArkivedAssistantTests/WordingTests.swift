import ArkivedCore
import Testing

@testable import ArkivedAssistant

@Suite("Longer wordings ask the same")
struct WordingTests {
  private static let lines: [(day: String, text: String, tag: String)] = [
    ("1990-03-02", "I was born in Sligo", "life"),
    ("2020-05-02", "Our daughter Bridie was born in Bristol", "life"),
    ("2024-01-10", "Flight Hamburg–Sofia", "travel"),
    ("2024-01-20", "Trains to Sofia, flight to Hamburg", "travel"),
    ("2024-02-03", "Moved to Kinsale with Paulo", "move"),
    ("2024-03-04", "Hiked 7 km", "exercise"),
    ("2024-03-09", "Hiked 9 km in the rain", "exercise"),
    ("2023-03-09", "Hiked 20 km", "exercise"),
    ("2024-04-01", "Ines rang in the morning and we talked for 20 minutes", "chat"),
    ("2024-04-02", "Rang Tobias, 50 minutes", "chat"),
    ("2024-04-03", "Rang Tobias, 10 minutes", "chat"),
    ("2024-05-04", "Travelled to Lisbon with Ines for 6 days", "travel"),
    ("2024-07-04", "Travelled to Vienna with Ines for 4 days", "travel"),
    ("2024-08-01", "Took Pickle to the vet for a nail trim", "pet"),
    ("2024-08-11", "Took Pickle to the vet for a nail trim", "pet"),
    ("2024-08-21", "Took the dog to the vet for a nail trim", "pet"),
    ("2024-09-02", "Cycled to work", "cycling"),
    ("2024-09-02", "Pottery with Zofia", "pottery"),
    ("2024-09-03", "Cycled to work", "cycling"),
  ]

  private let life: SmallLife

  init() throws { life = try SmallLife(WordingTests.lines) }

  private func ask(_ question: String) throws -> TimelineAnswer { try life.ask(question) }

  @Test(
    arguments: [
      "When did I last hike?", "Remind me when I last hiked.", "Can you tell me when I last hiked?",
      "Hi! When did I last hike?",
    ])
  func leads(question: String) throws {
    #expect(try ask(question).values == ["2024-03-09"])
  }

  @Test func somebodyElsesBirthIsNotMine() throws {
    #expect(try ask("When was I born?").values == ["1990-03-02"])
    #expect(try ask("Where was I born?").values == ["Sligo"])
    #expect(try ask("When was Bridie born?").values == ["2020-05-02"])
  }

  @Test func journeysAreToldInDays() throws {
    let longest = try ask("Which trip was the longest?")
    #expect(longest.values.first?.int == 6 && longest.unit == "days")
    #expect(try ask("How long were my trips on average?").values.first?.double == 5)
    #expect(try ask("On how many days did I travel in 2024?").values.first?.int == 10)
  }

  @Test func theSecondLongestTripIsNotTheLongest() throws {
    let life = try SmallLife([
      ("2024-05-04", "Castles by the river", "trip"), ("2024-05-05", "Rowed a boat", "trip"),
      ("2024-05-06", "Markets and a long lunch", "trip"), ("2024-07-01", "Up the hill", "trip"),
      ("2024-07-02", "Down again", "trip"), ("2024-09-01", "Saw the sea", "trip"),
    ])
    #expect(try life.ask("What was my longest trip?").values.first?.int == 3)
    let second = try life.ask("What was my second longest trip?")
    #expect(second.values.first?.int == 2, "\(second.sentence)")
    #expect(try life.ask("What was my fourth longest trip?").kind == "none")
  }

  @Test func aTimeThatAnEventBeginsIsReadAndTold() throws {
    let answer = try ask("How many kilometres did I hike since moving to Kinsale?")
    #expect(answer.values.first?.double == 16)
    #expect(answer.ignored.contains { $0.contains("3 February 2024") })
    #expect(try ask("How many kilometres did I hike before I moved to Kinsale?").values == [20])
    #expect(try ask("How often did I hike since moving to Mars?").kind == "none")
  }

  @Test func aFlightGoesOneWay() throws {
    #expect(try ask("How many times did I fly to Sofia?").values.first?.int == 1)
    #expect(try ask("Where did I fly in January 2024?").values == ["Sofia"])
  }

  @Test func whoRingsIsNotWhomIRing() throws {
    let answer = try ask("Who rings me most?")
    #expect(answer.values == ["Ines"])
  }

  @Test func aConditionThatLeavesOutFewIsTold() throws {
    let answer = try ask("How many times did Pickle have a nail trim?")
    #expect(answer.values.first?.int == 2)
    #expect(answer.ignored.contains { $0.hasPrefix("1 more entry") })
  }

  @Test func twoThingsOnOneDay() throws {
    #expect(
      try ask("When did I cycle and go to pottery on the same day?").values
        == ["2024-09-02"])
  }

  @Test(
    arguments: [
      "When is my next dentist appointment?", "What did I do between 20 June 2024 and 3 June 2024?",
      "What did I do after 10 May 2024 and before 2 May 2024?", "yes or no or maybe how",
    ])
  func whatCannotBeAnswered(question: String) throws {
    let answer = try ask(question)
    #expect(answer.kind == "none" && answer.citations.isEmpty)
  }

  @Test func whatFewerThanSomeHaveIsCompared() throws {
    #expect(try ask("Which days did I hike 9 km or more?").values == ["2023-03-09", "2024-03-09"])
    #expect(try ask("Which calls took more than three quarters of an hour?").citations.count == 1)
  }
}
