import ArkivedCore
import Testing

@Suite("Times that only the archive can tell")
struct TimeReferenceTests {
  private static let told: [(String, String, TimeReference.Relation, TimeReference.Subject)] = [
    ("How far did I run in my last term?", "in my last term", .during, .term(turn: -1)),
    ("since this term", "since this term", .since, .term(turn: 0)),
    ("progress of term 3", "term 3", .during, .numberedTerm(3)),
    ("before my second term", "before my second term", .before, .numberedTerm(2)),
    ("What did I eat when I was in Rome?", "when I was in Rome", .during, .stay("Rome")),
    ("while we lived in New York we ran", "while we lived in New York", .during, .stay("New York")),
    ("during the trip to Kyoto", "during the trip to Kyoto", .during, .event("trip to Kyoto")),
    ("after our wedding", "after our wedding", .after, .event("wedding")),
    ("since my visit with Ana", "since my visit with Ana", .since, .event("visit with Ana")),
  ]

  @Test("terms, stays and trips are told whole", arguments: told)
  func toldWhole(
    text: String, words: String, relation: TimeReference.Relation, subject: TimeReference.Subject
  ) throws {
    let reader = try TimeTable.reader()
    let found = try #require(reader.references(in: text).first)
    #expect(found.text == words && found.relation == relation && found.subject == subject)
    #expect(String(text[found.range]) == words)
    #expect(reader.matches(in: text).isEmpty)
  }

  @Test(
    "other words are no reference",
    arguments: [
      "in the long term", "when I was five", "when in Rome", "on the meeting", "the trip was long",
      "in March 2019", "during the summer", "term paper", "my last straw", "",
    ])
  func otherWords(text: String) throws {
    #expect(try TimeTable.reader().references(in: text).isEmpty)
  }

  @Test(
    "every text is looked through", arguments: ["when we were in ", "my term ", "\u{0}the ", "Ä"])
  func longTexts(piece: String) throws {
    let text = String(repeating: piece, count: 100_000 / piece.count)
    let found = try TimeTable.reader().references(in: text)
    #expect(found.allSatisfy { String(text[$0.range]) == $0.text })
  }

  @Test("the order of a slashed date is the locale's")
  func orderOfALocale() {
    #expect(DateOrder(locale: "en_US.UTF-8") == .monthFirst)
    for name in ["en_GB.UTF-8", "de_DE", "C.UTF-8", "", "POSIX", "en"] {
      #expect(DateOrder(locale: name) == .dayFirst)
    }
    #expect(DateOrder.inEnvironment(["LC_TIME": "en_GB", "LANG": "en_US.UTF-8"]) == .dayFirst)
    #expect(DateOrder.inEnvironment(["LC_ALL": "", "LANG": "en_US.UTF-8"]) == .monthFirst)
  }
}
