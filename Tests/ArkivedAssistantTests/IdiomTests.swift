import ArkivedCore
import ArkivedTestSupport
import Testing

@testable import ArkivedAssistant

@Suite("Turns of phrase ask what they mean")
struct IdiomTests {
  private static let lines: [(day: String, text: String, tag: String)] = [
    ("2014-08-23", "Gareth and I got married in the orangery at Ashton Court", "wedding"),
    ("2022-09-24", "Married Paulo on the pier in Kinsale", "wedding"),
    ("2022-09-24", "Danced until two", "life"),
    ("2023-01-03", "Date with Paulo at the ice rink", "date"),
    ("2023-01-10", "Cooked risotto with Paulo", "cooking"),
    ("2023-02-02", "Went on a date with Paulo to the cinema", "date"),
    ("2023-03-01", "Swam 1200 metres", "exercise"),
    ("2023-03-02", "Swam 800 metres", "exercise"),
    ("2023-03-03", "Swam 2000 metres", "exercise"),
    ("2023-04-01", "Cycled 15 km, average heart rate 121", "exercise"),
    ("2023-04-02", "Went for a bike ride, 20 km, average heart rate 137", "exercise"),
    ("2023-04-03", "Talked to Tobias about the sport on the radio", "chat"),
    ("2023-05-01", "Mended the gutter", "home"), ("2023-05-08", "Fixed the gutter", "home"),
    ("2023-05-10", "Repaired the doorbell with Wout", "home"),
    ("2023-05-11", "Had tea with Wout", "home"),
    (
      "2023-06-01", "Bought plums, green tea and face wash at the corner shop for €18", "groceries"
    ),
    ("2023-06-08", "Ordered milk and shampoo online and paid 20 euros", "groceries"),
    ("2023-06-15", "Did the shopping: oranges and razors", "groceries"),
    ("2023-07-01", "Visited the Belvedere in Vienna and drew it in my notebook", "travel"),
    ("2023-07-02", "Visited the moss temple in Kyoto and drew it in my notebook", "travel"),
    ("2023-08-01", "Talked to my sister Orla for 20 minutes", "chat"),
    ("2023-08-08", "Talked to my sister Orla for 30 minutes about the cat", "chat"),
    ("2023-08-09", "Talked to my brother Fintan for 90 minutes", "chat"),
    ("2023-09-14", "my birthday, hazelnut cake and candles", "birthday"),
    ("2023-09-20", "rang Tobias, birthday", "birthday"),
    ("2023-10-01", "Mum walks without her stick", "family"),
    ("2023-10-02", "A walk with Mum, her stick and a flask", "family"),
    ("2023-10-03", "Saw Mum and Wout", "family"), ("2023-10-04", "Tea with Mum", "family"),
    ("2024-02-01", "choir", "choir"), ("2024-02-08", "choir practice with Maria", "choir"),
    ("2024-04-01", "choir: the evening hymn", "choir"),
    ("2024-05-01", "Climbed at the hall, 45 minutes", "sport"),
    ("2024-05-08", "Went climbing with Wout", "sport"),
    ("2024-05-15", "Climbed at the hall for an hour", "sport"),
    ("2024-05-22", "Went climbing for 90 minutes", "sport"),
    ("2024-05-29", "Climbed Cave Hill with Wout in the fog", "travel"),
    ("2024-06-01", "Went to a concert by a brass band in the abbey", "culture"),
    ("2024-06-08", "Went to a concert by a string trio in the abbey", "culture"),
    ("2024-06-15", "Heard a brass band in the abbey", "culture"),
    ("2024-07-01", "call with Dana, 20 minutes", "call"),
    ("2024-07-08", "a parcel for Dana, 60 minutes", "call"),
    ("2024-07-15", "call with Dana, 35 minutes", "call"),
  ]

  private let life: SmallLife

  init() throws { life = try SmallLife(IdiomTests.lines) }

  private func ask(_ question: String) throws -> TimelineAnswer { try life.ask(question) }

  @Test(
    "Figures",
    arguments: [
      ("swims of a kilometre or more: how many", 2), ("Times I've had to mend the gutter?", 2),
      ("How many days in April 2023 did I leave the bike at home altogether?", 28),
      ("How many days in April 2023 did I do no sport at all?", 28),
      ("lowest heart rate I noted for a bike ride", 121),
      ("What was the longest time between two dates with Paulo?", 30),
      ("How many days has it been since my last date?", 798),
      ("How many days on end did I swim, at the most?", 3),
      ("choir practices in the first half of 2024?", 3), ("longest call with Dana", 35),
      ("What's the longest I stayed away from choir?", 53),
      ("longest spell in 2024 without choir or climbing", 53),
      ("what have I spent on groceries in 2023?", 38),
    ])
  func figures(question: String, value: Double) throws {
    let answer = try ask(question)
    #expect(answer.values.first?.double == value, "\(question): \(answer.sentence)")
  }

  @Test(
    "Names",
    arguments: [
      ("Who helped me repair the doorbell?", ["Wout"]),
      ("where did gareth and i get married?", ["the orangery at Ashton Court"]),
      ("Which places did I draw in my notebook?", ["the Belvedere", "the moss temple"]),
      ("Which toiletries did I buy in 2023?", ["face wash", "shampoo", "razors"]),
      ("In which months of 2024 was there no choir at all?", ["January", "March"]),
      ("On what day did Mum walk without her stick?", ["2023-10-01"]),
    ])
  func names(question: String, names: [String]) throws {
    let answer = try ask(question)
    #expect(
      answer.values.prefix(names.count).compactMap(\.string) == names,
      "\(question): \(answer.sentence)")
  }

  @Test("My sister and my brother are who they are called, also at the head of a question")
  func kin() throws {
    let answer = try ask("My sister or my brother: whom do I talk to more?")
    #expect(answer.kind == "compare")
    #expect(answer.values.compactMap(\.double) == [2, 1], "\(answer.sentence)")
  }

  @Test("The second of two weddings, and one's own birthday")
  func days() throws {
    #expect(
      try ask("what did I do on the day of my second wedding").citations.map(\.text)
        == ["Married Paulo on the pier in Kinsale", "Danced until two"])
    #expect(
      try ask("what did I do on my birthday in 2023?").citations.map(\.text)
        == ["my birthday, hazelnut cake and candles"])
  }

  @Test(
    "Orders, and what no entry holds",
    arguments: [
      "Order milk and oranges online for me", "What's the name of my cat?",
      "What is Orla's phone number?",
    ])
  func nothing(question: String) throws {
    let answer = try ask(question)
    #expect(answer.kind == "none" && answer.citations.isEmpty, "\(question): \(answer.sentence)")
  }

  @Test(
    "An answer that another reading would change says so",
    arguments: [
      ("how often did I go climbing in 2024", "tagged #sport"),
      ("how many concerts did I go to", "same place"),
      ("talks with Orla per week in 2023", "each week"),
      ("how many calls with Dana", "letters, parcels"),
    ])
  func signs(question: String, sign: String) throws {
    let answer = try ask(question)
    #expect(answer.ignored.contains { $0.contains(sign) }, "\(question): \(answer.sentence)")
  }

  @Test("A rate by the week is one figure, and by the month a table")
  func rates() throws {
    #expect(try ask("talks with Orla per week in 2023").values.count == 1)
    #expect(try ask("talks with Orla per month in 2023").values.count == 12)
  }

  @Test("A town that is somebody's name, too, is where one went")
  func towns() throws {
    let test = try TestArchive()
    try test.add("Flight Hamburg–Sofia", on: "2024-01-10", people: ["Alex Moreau"], kind: .travel)
    try test.add("the market in Sofia", on: "2024-01-11", kind: .travel)
    try test.add("Flight Sofia–Hamburg", on: "2024-01-12", people: ["Alex Moreau"], kind: .travel)
    try test.add("tea", on: "2024-02-01", people: ["Sofia Paasch"])
    let engine = AskEngine(archive: test.archive, zone: test.zone)
    #expect(try engine.answer("Who went to Sofia with me?").values == ["Alex Moreau"])
    #expect(try engine.answer("When did I have tea with Sofia?").values == ["2024-02-01"])
  }
}
