import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Every example that the product shows must be answered by the archive that it is shown for.
@Suite("The example questions")
struct ExamplePromptTests {
  private func check(_ test: TestArchive) throws {
    let examples = try ExamplePrompts(for: test.archive, zone: test.zone)
    #expect(examples.groups.count == 5 && examples.all.count >= 20, "\(examples.all)")
    #expect(examples.all.contains { $0.contains("goal") })
    let engine = AskEngine(archive: test.archive, zone: test.zone)
    for question in examples.all {
      let answer = try engine.answer(question)
      let isProven = answer.citationCount > 0 || answer.values.contains { $0.double != nil }
      #expect(answer.kind != "none" && isProven, "\(question) → \(answer.sentence)")
    }
  }

  @Test func aMonthAndAYearAreNamedAsGermanDoes() throws {
    let test = try TestArchive()
    try test.add("rowed on the lake", on: "2026-03-12")
    let german = try ShownDates.speaking(.german) {
      try ExamplePrompts(for: test.archive, zone: test.zone).all
    }
    for question in [
      "Wie viele Einträge habe ich im März 2026 geschrieben?",
      "Wie viele Einträge habe ich im Jahr 2026 geschrieben?", "Was habe ich im März 2026 gemacht?",
      "Was habe ich im Jahr 2026 gemacht?",
    ] {
      #expect(german.contains(question), "\(german)")
    }
  }

  @Test func theSampleLifeAnswersThem() throws {
    let test = try TestArchive()
    let today = test.zone.dayKey(at: test.clock.now)
    _ = try SampleJob(archive: test.archive).run(from: today.adding(months: -4), through: today)
    try check(test)
  }

  @Test func fiftyEntriesAnswerThem() throws {
    let test = try TestArchive()
    let today = test.zone.dayKey(at: test.clock.now)
    let lines: [(String, String, [String], [String: Double])] = [
      ("rowed on the lake", "rowing", ["Odile Marchand"], ["km": 4]),
      ("baked rye bread", "kitchen", [], [:]),
      ("tea with Bastian", "friends", ["Bastian Voss"], [:]),
      ("sorted photographs", "home", [], [:]),
      ("tuned the piano", "music", ["Odile Marchand"], [:]),
    ]
    for index in 0..<50 {
      let (text, tag, people, amounts) = lines[index % lines.count]
      try test.add(
        text, on: today.advanced(by: -index).description, tags: [tag], people: people,
        measurements: amounts)
    }
    let now = test.clock.now
    try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: "Row 200 km", measurementUnit: "km",
        measurementTarget: 200, startDate: DayKey("2026-01-01"), targetDate: DayKey("2026-12-31"),
        createdAt: now, updatedAt: now))
    try check(test)
  }
}
