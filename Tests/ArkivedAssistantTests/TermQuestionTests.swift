import ArkivedAssistant
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Questions about terms")
struct TermQuestionTests {
  private func archive() throws -> TestArchive {
    let test = try TestArchive()
    for (number, start) in [(1, "2025-10-20"), (2, "2026-01-05")] {
      try test.archive.create(
        Term(
          id: test.archive.identities.next(), termNumber: number,
          startDate: try #require(DayKey(start)), createdAt: test.clock.now,
          updatedAt: test.clock.now))
    }
    try test.add("ran by the river", on: "2025-11-10", measurements: ["km": 5])
    try test.add("ran by the river", on: "2026-02-10", measurements: ["km": 7])
    try test.add("ran by the river", on: "2026-02-11", measurements: ["km": 8])
    return test
  }

  @Test(arguments: [
    ("how many km did I run in my last term?", 5.0),
    ("how many km did I run in this term?", 15),
    ("how many km did I run since term 1?", 20),
    ("how many km did I run before term 2?", 5),
  ])
  func aTermIsATime(question: String, km: Double) throws {
    let test = try archive()
    let answer = try AskEngine(archive: test.archive, zone: test.zone).answer(question)
    #expect(answer.kind == "sum")
    #expect(answer.values.compactMap(\.double) == [km])
  }

  @Test func aTermThatIsNotThereIsSaid() throws {
    let test = try archive()
    let answer = try AskEngine(archive: test.archive, zone: test.zone)
      .answer("what did I do in my next term?")
    #expect(answer.kind == "none" && answer.citationCount == 0)
    #expect(answer.sentence == "I couldn’t find a term called “in my next term”.")
  }

  @Test func whenReadsTermsToo() throws {
    let test = try archive()
    let reader = TimeReader(now: test.clock.now, zone: test.zone)
    let today = test.zone.dayKey(at: test.clock.now)
    let terms = try test.archive.terms()
    let matches = reader.matches(
      in: "in my last term and yesterday", terms: terms, today: today)
    #expect(matches.map(\.text) == ["in my last term", "yesterday"])
    #expect(matches.first?.start?.day.description == "2025-10-20")
    #expect(matches.first?.end?.day.description == "2025-12-30")
    #expect(reader.matches(in: "a terminal", terms: terms, today: today).isEmpty)
  }
}
