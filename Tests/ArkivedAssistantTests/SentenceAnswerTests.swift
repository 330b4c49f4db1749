import ArkivedCore
import ArkivedSearch
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("Questions about what one sentence tells")
struct SentenceAnswerTests {
  private static let zone = Zone.utc
  private static let now = "2026-03-14T09:00:00Z"

  /// The entries, each with its day.
  private static let entries: [(String, String)] = [
    ("2025-05-02", "I travelled to Porto, Portugal for 6 days with Hedda, Matti"),
    (
      "2025-05-03",
      "During my trip to Porto, Portugal, I visited the Clerics Tower with Hedda, Matti."
    ),
    (
      "2025-05-04",
      "I ate grilled sardines at Casa Lina with Hedda, Matti when I was in Porto, Portugal."
    ),
    (
      "2025-05-05",
      "I ate custard tarts at Rua Doce with Hedda, Matti when I was in Porto, Portugal."
    ),
    ("2025-06-01", "I had lunch with Matti. I ate barley salad."),
    ("2025-06-01", "I spent 25 talking to Hedda, Runa on various topics in the morning."),
    ("2025-06-01", "I spent 40 minutes on a magazine today."),
    ("2025-06-02", "I bought some plums, lychees, zibbles, cider, and soap, hand cream online."),
    ("2025-06-02", "I did fencing."),
    ("2025-06-03", "Runa, Hedda and I went to the notary"),
    ("2025-06-04", "I stayed in and baked rye rolls, a seed loaf with poppy glaze at my place"),
    ("2025-06-05", "I moved to Lund because of a new post. I moved there with Hedda."),
    ("2025-06-06", "I took my parrot for a wing trim."),
    ("2025-06-07", "I prepared lentils for supper with myself"),
    ("2025-06-08", "I had supper with Runa. I ate noodles."),
    ("2025-06-09", "I had dumplings for supper with Runa, Matti"),
  ]

  private static let timeline: MemoryTimeline = {
    let lines = entries.enumerated().map { index, entry in
      JSON.object([
        "type": "activity", "startAt": .string("\(entry.0)T12:\(10 + index):00Z"),
        "timeZone": "UTC", "text": .string(entry.1),
      ]).text()
    }
    return MemoryTimeline(jsonLines: lines.joined(separator: "\n"), zone: zone)
  }()

  private func answer(_ question: String) throws -> TimelineAnswer {
    let now = try #require(Instant(Self.now))
    return TimelineEngine(timeline: Self.timeline, zone: Self.zone).answer(question, now: now)
  }

  @Test(
    "The value is what the sentence tells besides the question",
    arguments: [
      ("Where did we eat grilled sardines during our trip to Porto?", ["Casa Lina"]),
      ("Where did I have custard tarts during my trip to Porto, Portugal", ["Rua Doce"]),
      ("Who did I eat custard tarts with?", ["Hedda", "Matti"]),
      ("What did I eat for lunch on 2025/06/01?", ["barley salad"]),
      ("Who did I talk to on 2025/06/01?", ["Hedda", "Runa"]),
      ("What did I read on 2025/06/01?", ["a magazine"]),
      ("What fruits did I buy online on 2025/06/02?", ["plums", "lychees", "zibbles"]),
      ("What toiletries did I buy online on 2025/06/02?", ["soap", "hand cream"]),
      ("What exercise did I do on 2025/06/02?", ["fencing"]),
      ("What did I bake on 4 June 2025?", ["rye rolls", "a seed loaf with poppy glaze"]),
      ("Where did I move to on 2025/06/05?", ["Lund"]),
      ("What did I take my parrot for on 2025/06/06?", ["a wing trim"]),
      ("With whom did I have supper on 7 June 2025?", ["myself"]),
      ("Where did I go on 2025/05/02?", ["Porto, Portugal"]),
      ("List all the supper dishes that Runa had in June of 2025?", ["noodles", "dumplings"]),
      (
        "Which places in Porto did I visit with Hedda?",
        ["the Clerics Tower", "Casa Lina", "Rua Doce"]
      ),
    ])
  func value(question: String, values: [String]) throws {
    let told = try answer(question)
    #expect(told.values.compactMap(\.string) == values, "\(told.sentence)")
    #expect(told.ignored.isEmpty, "\(told.ignored)")
  }

  @Test("A bare number after “spent” is of minutes, and a journey's length is of days")
  func lengths() throws {
    let talk = try answer("How long did I talk to Hedda, Runa in the morning on 2025/06/01?")
    #expect(talk.values == [JSON(25)])
    #expect(talk.unit == "minutes")
    let stay = try answer("How long did I stay in Porto, Portugal?")
    #expect(stay.values == [JSON(6)])
    #expect(stay.unit == "days")
  }

  @Test("The day of a journey is its first")
  func days() throws {
    #expect(
      try answer("When did I go to Porto, Portugal with Hedda, Matti?").values == [
        JSON("2025-05-02")
      ])
    #expect(
      try answer("When did we eat custard tarts at Rua Doce during our trip to Porto?").values
        == [JSON("2025-05-05")])
    #expect(try answer("How many times did I travel to Porto?").values == [JSON(1)])
  }

  @Test("A reason is told in the entry's words")
  func reason() throws {
    #expect(try answer("Why did I move to Lund?").sentence.contains("Because of a new post"))
  }

  @Test("What a sentence doesn't tell isn't made up")
  func refusals() throws {
    #expect(try answer("Who did I bake with on 4 June 2025?").kind == "none")
    #expect(try answer("Where did I eat noodles on 2025/06/08?").kind == "none")
    #expect(try answer("When did I visit the Clerics Museum with Runa?").kind == "none")
  }
}
