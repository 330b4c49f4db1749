import ArkivedAssistant
import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Plain sentences that tell to do something")
struct ImperativeTests {
  /// Today is Saturday, 14 March 2026.
  private let reader = ImperativeReader(
    now: TestArchive.now, zone: Zone(TestArchive.zoneName) ?? .utc)
  private let today = DayKey("2026-03-14")
  private let yesterday = DayKey("2026-03-13")

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  @Test func whatIsAddedIsTheLineAfterTheVerb() {
    #expect(
      reader.read("add lunch with Sam yesterday at noon")
        == .add(line: "lunch with Sam yesterday at noon"))
    #expect(reader.read("Please log ran 5 km!") == .add(line: "ran 5 km"))
    #expect(reader.read("can you add dentist on friday?") == .add(line: "dentist on friday"))
    #expect(reader.read("add an entry: tea with Mum") == .add(line: "tea with Mum"))
    #expect(reader.read("log that I walked home") == .add(line: "I walked home"))
    #expect(reader.read("write down called the bank") == .add(line: "called the bank"))
  }

  @Test func notesGoToTheDayThatIsNamed() throws {
    #expect(
      try reader.read("note that the boiler hums again")
        == .note("the boiler hums again", day: day("2026-03-14")))
    #expect(
      try reader.read("add a note for yesterday: slept badly")
        == .note("slept badly", day: day("2026-03-13")))
  }

  @Test func tagsAreTakenWithAndWithoutTheirMark() {
    #expect(reader.read("tag that as work") == .tag(.spokenOf, add: ["work"], remove: []))
    #expect(
      reader.read("tag lunch with Sam as friends and food")
        == .tag(.described("lunch with Sam"), add: ["friends", "food"], remove: []))
    #expect(
      reader.read("tag the dentist entry #health #teeth")
        == .tag(.described("the dentist entry"), add: ["health", "teeth"], remove: []))
    #expect(reader.read("mark that as work") == .tag(.spokenOf, add: ["work"], remove: []))
    #expect(reader.read("add #work to it") == .tag(.spokenOf, add: ["work"], remove: []))
    #expect(
      reader.read("remove the tag work from that")
        == .tag(.spokenOf, add: [], remove: ["work"]))
  }

  @Test func theWordsForAnEntryMayContainTheWordBeforeThem() {
    #expect(
      reader.read("add the tag work to lunch with Sam on friday")
        == .tag(.described("lunch with Sam on friday"), add: ["work"], remove: []))
    #expect(
      reader.read("put #holiday and #train on the trip to Rome")
        == .tag(.described("the trip to Rome"), add: ["holiday", "train"], remove: []))
    #expect(
      reader.read("remove the tag work from the lunch from yesterday")
        == .tag(.described("the lunch from yesterday"), add: [], remove: ["work"]))
    #expect(
      reader.read("add the tag back to school to it")
        == .tag(.spokenOf, add: ["back to school"], remove: []))
    #expect(
      reader.read("add #health call to the dentist") == .add(line: "#health call to the dentist"))
  }

  @Test func aTitleIsTakenWholeAndGoesToItsDay() throws {
    #expect(
      try reader.read("set today's title to Back to work")
        == .title("Back to work", day: day("2026-03-14")))
    #expect(
      try reader.read("set the title of yesterday to A day off")
        == .title("A day off", day: day("2026-03-13")))
    #expect(
      try reader.read("change the title of the day to Quiet")
        == .title("Quiet", day: day("2026-03-14")))
    #expect(
      reader.read("change the title of the dentist entry to Checkup")
        == .rename(.described("the dentist entry"), text: "Checkup"))
    #expect(
      reader.read("change the title of yesterday's dentist entry to Checkup")
        == .rename(.described("yesterday's dentist entry"), text: "Checkup"))
    #expect(reader.read("change the title of it to Checkup") == .rename(.spokenOf, text: "Checkup"))
  }

  @Test func movingNeedsATime() {
    #expect(reader.read("move it to friday") == .move(.spokenOf, to: "friday"))
    #expect(
      reader.read("move the dentist entry to monday at 3pm")
        == .move(.described("the dentist entry"), to: "monday at 3pm"))
    #expect(reader.read("reschedule that for tomorrow") == .move(.spokenOf, to: "tomorrow"))
    #expect(reader.read("move to Lisbon") == nil)
  }

  @Test func deletingPinningAndFeelingAreRead() throws {
    #expect(reader.read("delete the dentist entry") == .delete(.described("the dentist entry")))
    #expect(reader.read("delete that") == .delete(.spokenOf))
    #expect(reader.read("undo that") == .undo && reader.read("undo") == .undo)
    #expect(reader.read("pin it") == .pin(.spokenOf, isPinned: true))
    #expect(reader.read("unpin that entry") == .pin(.spokenOf, isPinned: false))
    #expect(
      try reader.read("set mood to 4")
        == .mood(4, day: day("2026-03-14")))
    #expect(
      try reader.read("set my energy for yesterday to two")
        == .energy(2, day: day("2026-03-13")))
    for sentence in [
      "set my mood for yesterday to 4 and energy to two",
      "set my energy to 2 and my mood to 4 yesterday",
    ] {
      #expect(
        try reader.read(sentence) == .feelings(mood: 4, energy: 2, day: day("2026-03-13")),
        "\(sentence)")
    }
    #expect(
      try reader.read("set my mood and energy to 3")
        == .feelings(mood: 3, energy: 3, day: day("2026-03-14")))
    #expect(reader.read("rename it to Lunch") == .rename(.spokenOf, text: "Lunch"))
    #expect(reader.read("change it to friday") == .move(.spokenOf, to: "friday"))
  }

  @Test func whatTouchesManyIsToldApart() {
    #expect(
      reader.read("delete all entries with Jonas")
        == .many(verb: "delete", words: "all entries with Jonas"))
    #expect(reader.read("delete everything") == .many(verb: "delete", words: "everything"))
  }

  @Test(arguments: [
    "when did I add the fence?", "pin number of my card", "tag with most entries", "move to Lisbon",
    "add up my kilometres", "log of my runs", "notes about the boiler", "what did I delete",
    "delete", "did you tag that as work", "set of tennis", "that", "add", "record high temperature",
    "add how many times I ran", "remove?", "delete the dentist entry?",
  ]) func questionsAndScrapsAreNoOrders(_ text: String) {
    #expect(reader.read(text) == nil, "\(text)")
  }

  /// The sentences of the question sets that do tell to do something; they are there to see that a
  /// question's answer changes nothing.
  private static let orders: Set<String> = [
    "Add lunch with Sam tomorrow at noon", "Delete all entries with Jonas",
    "Delete all entries with Kenji", "Delete all my dates with Steffen",
    "Delete my trips to Lisbon",
    "delete everything", "set my mood for yesterday to 5", "tag all choir entries as private",
  ]

  @Test func noQuestionOfTheQuestionSetsBecomesAnAct() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Benchmarks/Ask")
    var read = 0
    var acts: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil) where file.pathExtension == "jsonl"
    {
      for line in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline) {
        guard line.contains("\"question\""), let json = try? JSON(parsing: String(line)),
          let question = json["question"]?.string
        else { continue }
        read += 1
        if reader.read(question) != nil { acts.insert(question) }
      }
    }
    #expect(read > 2_000)
    #expect(acts == Self.orders)
  }
}
