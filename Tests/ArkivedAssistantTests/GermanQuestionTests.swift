import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("German questions are read as the English ones that ask the same")
struct GermanQuestionTests {
  private static let zone = Zone.utc
  private static let now = "2026-03-14T09:00:00Z"

  private struct Line {
    var day: String
    var text: String
    var tags: [String] = []
    var place: String?
  }

  private static func timeline(_ lines: [Line]) -> MemoryTimeline {
    let text = lines.map { line in
      var json: JSONObject = [
        "type": "activity", "startAt": .string(line.day + "T12:00:00Z"), "timeZone": "UTC",
        "text": .string(line.text), "tags": .array(line.tags.map { .string($0) }),
      ]
      if let place = line.place { json["place"] = .string(place) }
      return JSON.object(json).text()
    }
    return MemoryTimeline(jsonLines: text.joined(separator: "\n"), zone: zone)
  }

  private static let english = timeline([
    Line(day: "2025-03-03", text: "ran 5 km along the canal", tags: ["running"]),
    Line(day: "2025-03-05", text: "ran 7 km with Jonas", tags: ["running"]),
    Line(day: "2025-05-03", text: "checkup at the dentist", tags: ["dentist"]),
    Line(day: "2025-06-02", text: "read 40 pages of a novel", tags: ["reading"]),
    Line(day: "2026-02-10", text: "lunch with Jonas: soup", tags: ["lunch"]),
    Line(day: "2026-02-12", text: "cooked dumplings with Jonas", tags: ["cooking"]),
    Line(day: "2026-03-13", text: "played chess with Jonas", tags: ["games"]),
  ])

  private static let german = timeline([
    Line(day: "2025-03-03", text: "Lauf 5 km am Kanal", tags: ["laufen"]),
    Line(day: "2025-03-05", text: "Lauf 7 km", tags: ["laufen"]),
    Line(day: "2025-05-03", text: "Zahnarzt, nichts gefunden"),
    Line(day: "2026-02-10", text: "Kaffee mit Alex"),
    Line(day: "2026-03-01", text: "Im Kino mit Alex"),
  ])

  private func worded(_ question: String, _ timeline: MemoryTimeline = english) -> String {
    ShownDates.speaking(.german) { WordedQuestion(question, timeline: timeline).text }
  }

  private func ask(
    _ question: String, _ language: Language, _ timeline: MemoryTimeline = english
  ) throws -> TimelineAnswer {
    let now = try #require(Instant(Self.now))
    return ShownDates.speaking(language) {
      TimelineEngine(timeline: timeline, zone: Self.zone).answer(question, now: now)
    }
  }

  @Test func notASingleOneIsNone() {
    let plain = worded("An welchen Tagen habe ich keinen Kaffee getrunken?")
    #expect(worded("An welchen Tagen habe ich keinen einzigen Kaffee getrunken?") == plain)
    #expect(plain.contains("not drink coffee"), "\(plain)")
  }

  @Test(
    "A question has the order and the words of an English one",
    arguments: [
      ("Wie oft bin ich 2024 gelaufen?", "how often did I run in 2024"),
      ("Wie oft bin ich nach 2024 gelaufen?", "how often did I run after 2024"),
      ("Wie oft bin ich vor 2024 gelaufen?", "how often did I run before 2024"),
      ("wieviele kilometer bin ich im maerz gelaufen", "how many kilometers did I run in March"),
      ("Wie lange habe ich diese Woche geschlafen?", "how long did I sleep this week"),
      ("Wie viel Geld habe ich im März ausgegeben?", "how much money did I spend in March"),
      ("Wie viele Euro habe ich im März ausgegeben?", "how many euros did I spend in March"),
      ("Wo war ich am 3. Mai?", "where was I on 3 May"),
      ("Wer war beim Treffen am Dienstag dabei?", "who was at the meeting on Tuesday"),
      ("Was habe ich Jonas versprochen?", "what did I promise Jonas"),
      ("Was schuldet mir Jonas?", "what does Jonas owe me"),
      ("An welchem Tag war meine Stimmung am besten?", "on which day was my mood best"),
      ("Mit wem war ich am häufigsten essen?", "with whom did I eat most often"),
      ("Was habe ich letzten Monat mit Jonas gemacht?", "what did I do with Jonas last month"),
      ("zuletzt beim Zahnarzt?", "last time at the dentist"),
      ("Wie oft habe ich mit Jonas Schach gespielt?", "how often did I play chess with Jonas"),
      (
        "An wie vielen Tagen im Oktober 2024 habe ich nicht gelesen?",
        "on how many days in October 2024 did I not read"
      ),
      (
        "Habe ich diesen Monat mehr Seiten gelesen als letzten Monat?",
        "did I read more pages this month than last month"
      ),
      (
        "Wie war meine Stimmung an Tagen, an denen ich krank war?",
        "how was my mood on days I was ill"
      ),
      ("Wie lange ist es her, dass ich in Rom war?", "how long is it since I was in Rome"),
      (
        "Wie oft bin ich mehr als 10.000 Schritte gegangen?",
        "how often did I take more than 10000 steps"
      ),
      ("Radtouren über 7,5 km", "rides over 7.5 km"),
      ("Welcher Tag hatte die meisten Schritte?", "which day had the most steps"),
      (
        "Wie viele Seiten zwischen dem 3. und dem 7. Oktober 2024?",
        "how many pages between 3 October 2024 and 7 October 2024"
      ),
    ])
  func words(question: String, english: String) {
    #expect(worded(question) == english)
  }

  @Test(
    "It is answered as its English counterpart",
    arguments: [
      ("Wie oft bin ich 2025 gelaufen?", "How often did I run in 2025?"),
      (
        "Wie viele Kilometer bin ich im März 2025 gelaufen?", "How many km did I run in March 2025?"
      ),
      ("Wann war ich zuletzt beim Zahnarzt?", "When was I last at the dentist?"),
      ("Was habe ich letzten Monat mit Jonas gemacht?", "What did I do with Jonas last month?"),
      ("Wann habe ich mit Jonas Schach gespielt?", "When did I play chess with Jonas?"),
      ("Wie viele Seiten habe ich 2025 gelesen?", "How many pages did I read in 2025?"),
      ("Was habe ich gestern gemacht?", "What did I do yesterday?"),
      ("Was werde ich morgen machen?", "What will I do tomorrow?"),
    ])
  func answers(question: String, counterpart: String) throws {
    let german = try ask(question, .german)
    let english = try ask(counterpart, .english)
    #expect(german.kind == english.kind && german.values == english.values, "\(german.sentence)")
    #expect(german.unit == english.unit && german.days == english.days)
    #expect(german.citations.map(\.id) == english.citations.map(\.id))
  }

  @Test("The parts of a question are told in its owner's words")
  func parts() throws {
    let answer = try ask("Wie oft war ich 2025 beim Zahnarzt?", .german)
    #expect(answer.question.parts.map(\.label).contains("Zahnarzt"))
    // A part that is taken away is named as it is shown.
    let key = try #require(answer.question.parts.first { $0.label == "Zahnarzt" }?.key)
    let now = try #require(Instant(Self.now))
    let wider = ShownDates.speaking(.german) {
      TimelineEngine(timeline: Self.english, zone: Self.zone).answer(
        "Wie oft war ich 2025 beim Zahnarzt?", now: now, without: [key])
    }
    #expect(wider.question.terms.isEmpty)
  }

  @Test(
    "A German diary is asked by its own words, whatever the form of the question's",
    arguments: [
      ("Wie oft bin ich 2025 gelaufen?", 2), ("Wann bin ich zuletzt gejoggt?", 2),
      ("Wann war ich zuletzt beim Zahnarzt?", 1), ("Wann war ich im Kino?", 1),
      ("Wann habe ich Kaffee getrunken?", 1),
    ])
  func germanDiary(question: String, count: Int) throws {
    let answer = try ask(question, .german, Self.german)
    #expect(answer.kind != "none", "\(answer.sentence)")
    #expect(answer.citations.count == count, "\(answer.sentence)")
  }

  @Test(
    "What is not understood whole is left as it was typed",
    arguments: [
      "Seit wann kenne ich Jonas?", "Wie oft habe ich vom Umzug erzählt?",
      "Wie oft bin ich nach Ostern gelaufen?", "Wie oft bin ich nach dem Sommer 2024 gelaufen?",
      "Während wessen Besuch war ich krank?", "2024 bin ich gelaufen", "Rief Jonas mich an?",
      "Wann wurde das Haus gebaut?", "Obwohl ich krank war, bin ich gelaufen",
      "Wie lange habe ich weder gelesen noch geschlafen, während ich krank war?",
    ])
  func left(question: String) throws {
    #expect(worded(question) == question)
  }

  @Test("No English question is taken for a German one")
  func englishQuestions() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Benchmarks/Ask")
    var read = 0
    var changed: Set<String> = []
    var german = 0
    var unread = 0
    for file in try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil) where file.pathExtension == "jsonl"
    {
      for line in try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isNewline) {
        guard line.contains("\"question\""), let json = try? JSON(parsing: String(line)),
          let question = json["question"]?.string
        else { continue }
        let isPut = worded(question) != question
        if file.lastPathComponent.hasPrefix("german") {
          german += 1
          if !isPut { unread += 1 }
        } else {
          read += 1
          if isPut { changed.insert(question) }
        }
      }
    }
    #expect(read > 2_000 && german > 190)
    // Those that are German.
    #expect(
      changed == [
        "Wie oft war ich letzten Monat Fallschirmspringen?", "Wie oft war ich 2023 im Chor?",
        "Wie oft war ich 2024 reiten?", "Wie oft war ich in Wien?",
      ])
    #expect(unread <= 12)
  }
}
