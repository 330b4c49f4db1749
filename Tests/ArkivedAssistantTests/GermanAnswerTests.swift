import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedAssistant

@Suite("What is computed speaks the language of the work at hand")
struct GermanAnswerTests {
  /// Today is Saturday, 14 March 2026, in Berlin.
  private let test: TestArchive
  private let tools: ToolBox

  init() throws {
    test = try TestArchive()
    tools = ToolBox(archive: test.archive, zone: test.zone)
    for day in ["03", "05", "05", "12"] {
      try test.add(
        "ran along the canal", on: "2026-03-\(day)", from: "07:00", to: "07:30", tags: ["sport"],
        kind: .health, measurements: ["km": 5.5])
    }
  }

  private func answer(_ question: String, _ language: Language) throws -> Answer {
    try ShownDates.speaking(language) {
      try AskEngine(archive: test.archive, zone: test.zone).answer(question)
    }
  }

  @Test func aNoteHasItsOwnGender() throws {
    for day in ["2026-03-01", "2026-03-02"] {
      _ = try test.archive.updateDay(try #require(DayKey(day))) { $0.note = "Paddled the canoe." }
    }
    let last = try answer("When did I last paddle the canoe?", .german).sentence
    #expect(last.contains("Es ist die letzte von 2 Tagesnotizen."), "\(last)")
    #expect(
      try answer("When did I last run?", .german).sentence
        .contains("Es ist der letzte von 4 Einträgen."))
  }

  @Test(
    "An answer is told in German, and what programs read of it is the same",
    arguments: [
      ("How many times did I run in March?", ["4 Einträge", "(März 2026)", "an 3 Tagen."]),
      ("How many km did I run this year?", ["22 km", "aus 4 Einträgen."]),
      ("When did I last run?", ["Donnerstag, 12. März 2026: „ran along the canal“"]),
      ("When did I swim?", ["Ich habe keinen Eintrag"]),
      ("What will I do tomorrow?", ["Nichts geplant: Sonntag, 15. März 2026"]),
      ("", ["Die Frage ist leer."]),
      ("what do I owe others?", ["Du hast keine offenen Zusagen.", "offenen Kästchen"]),
    ])
  func answers(question: String, parts: [String]) throws {
    let german = try answer(question, .german)
    let english = try answer(question, .english)
    for part in parts { #expect(german.sentence.contains(part), "\(german.sentence)") }
    #expect(german.kind == english.kind && german.values == english.values)
    #expect(german.unit == english.unit && german.citationCount == english.citationCount)
    #expect(german.computed.labels == english.computed.labels)
    #expect(german.sentence != english.sentence)
  }

  private func recap(_ span: RecapSpan, _ language: Language) throws -> Recap {
    let times = [("swim", "07:30"), ("soup", "12:15"), ("film", "20:00"), ("tea", "21:00")]
    let lines = times.map { text, time in
      let line: JSON = [
        "type": "activity", "dayKey": "2026-03-05", "startAt": .string("2026-03-05T\(time):00Z"),
        "timeZone": "UTC", "text": .string(text),
      ]
      return line.text()
    }
    let timeline = MemoryTimeline(jsonLines: lines.joined(separator: "\n"), zone: .utc)
    let now = try #require(Instant("2026-06-01T09:00:00Z"))
    return ShownDates.speaking(language) {
      RecapEngine(timeline: timeline, zone: .utc).recap(of: span, now: now)
    }
  }

  @Test("A day and a week are looked back on in German")
  func recaps() throws {
    let day = try #require(DayKey("2026-03-05"))
    let told = try recap(.day(day), .german)
    #expect(told.title == "Donnerstag, 5. März 2026")
    for part in [
      "Vier Einträge, der erste um 07:30, der letzte um 21:00.", "Am Vormittag: „swim“.",
      "Am Nachmittag: „soup“.", "Am Abend: „film“ und „tea“.",
    ] {
      #expect(told.text.contains(part), "\(told.text)")
    }
    let week = try recap(.week(day), .german)
    #expect(week.title == "2.–8. März 2026")
    #expect(week.text.contains("Das Archiv beginnt am 5. März 2026."))
    #expect(week.text.contains("Vier Einträge, alle am Donnerstag."), "\(week.text)")
    // The names by which programs know its parts stay.
    let english = try recap(.week(day), .english)
    #expect(week.sections.map(\.kind) == english.sections.map(\.kind))
    #expect(
      week.statements.flatMap(\.figures).map(\.label)
        == english.statements.flatMap(\.figures).map(\.label))
    #expect(english.text.contains("Four entries, all on Thursday."))
  }

  @Test("What is usual is told in German, whatever it is measured by")
  func usual() {
    func told(_ measure: Usual.Measure) -> [String] {
      let usual = Usual(value: 48, basis: "", measure: measure)
      return ShownDates.speaking(.german) {
        [usual.comparison(of: 96, unit: "km"), usual.comparison(of: 48, unit: "km")]
      }
    }
    #expect(told(.always) == ["etwa doppelt so viel wie sonst (48)", "wie sonst"])
    #expect(
      told(.weekday(.tuesday)) == [
        "etwa doppelt so viel wie sonst an einem Dienstag (48)", "wie sonst an einem Dienstag",
      ])
    #expect(
      told(.year(2023, byThisDay: false)) == ["etwa doppelt so viel wie 2023 (48)", "wie 2023"])
    let usual = Usual(value: 54, basis: "")
    #expect(usual.level(57, unit: "bpm") == "57 bpm, above the usual 54")
    #expect(
      ShownDates.speaking(.german) { usual.level(57, unit: "bpm") }
        == "57 bpm, höher als sonst (54)")
    ShownDates.speaking(.german) {
      #expect(RecapText.plain(1234.5) == "1.235" && RecapText.plain(12.75) == "12,8")
      #expect(RecapText.amount(12.5, "€") == "12,50 €" && RecapText.amount(1, "pages") == "1 Seite")
      #expect(
        RecapText.list(["a", "b", "c"]) == "a, b und c" && RecapText.entries(1) == "ein Eintrag")
    }
    #expect(RecapText.amount(1234.5, "€") == "€1,234.50" && RecapText.plain(-1234) == "-1234")
  }

  @Test("Insights count in German")
  func insights() throws {
    let engine = InsightEngine(archive: test.archive, zone: test.zone)
    func report(_ topic: InsightTopic) throws -> InsightReport {
      try ShownDates.speaking(.german) {
        try engine.report(try InsightQuestion(topic, today: engine.today) { _ in nil })
      }
    }
    let time = try report(.time)
    #expect(time.title == "Wo deine Zeit bleibt")
    #expect(
      time.statements.first
        == "4 Einträge (die letzten 30 Tage), davon 4 mit Dauer, zusammen 2 Stunden.")
    #expect(time.sections.first?.table.rows.first?.values.first == .text("Gesundheit"))
    let habits = try report(.habits)
    #expect(habits.title == "Gewohnheiten und Serien")
    #expect(
      try report(.mood).statements.first?.hasPrefix("Für 0 Tage ist die Stimmung eingetragen")
        == true)
    #expect(try report(.compare).title == "März 2026 und Februar 2026")
  }

  @Test("Acts are told in German, and what tools answer stays English")
  func acts() throws {
    let engine = ActEngine(archive: test.archive, zone: test.zone, tools: tools)
    func act(_ text: String) throws -> ActOutcome {
      let outcome = try ShownDates.speaking(.german) {
        try engine.act(text, spokenOf: [], by: .assistant(thread: nil))
      }
      return try #require(outcome)
    }
    let added = try act("add lunch with Sam yesterday at noon #food")
    #expect(
      added.sentence.hasPrefix("„lunch with Sam“ hinzugefügt: Freitag, 13. März 2026"),
      "\(added.sentence)")
    #expect(
      try act("tag that as work").sentence.hasPrefix("Es wurde noch kein Eintrag genannt"))
    let waiting = try act("delete the lunch entry")
    #expect(waiting.sentence.hasSuffix(": wartet auf deine Freigabe."), "\(waiting.sentence)")
    let told = ShownDates.speaking(.german) {
      tools.call(
        ToolCall(id: "1", name: "summarizeDay", arguments: ["dayDate": "2026-03-12"]),
        by: .assistant(thread: nil))
    }
    #expect(told.result?["title"]?.string == "Thursday, 12 March 2026")
  }

  @Test("The assistant answers in German where no model speaks")
  func assistant() async throws {
    var preferences = Preferences()
    preferences.language = .german
    let assistant = Assistant(archive: test.archive, zone: test.zone, tools: tools)
    let reply = try await ShownDates.$preferences.withValue(preferences) {
      try await assistant.reply(
        to: "How many times did I run in March?", history: [], by: .assistant(thread: nil))
    }
    #expect(reply.text.contains("4 Einträge"))
    let english = try await assistant.reply(
      to: "How many times did I run in March?", history: [], by: .assistant(thread: nil))
    #expect(english.text.contains("4 entries"))
  }
}
