import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The names of goals and terms")
struct GoalNameTests {
  let test: TestArchive
  var archive: Archive { test.archive }
  let today = DayKey(year: 2026, month: 3, day: 14) ?? .earliest

  init() throws { test = try TestArchive() }

  private func term(_ number: Int, _ theme: String?, from start: String) throws -> Term {
    try archive.create(
      Term(
        id: archive.identities.next(), termNumber: number,
        startDate: try #require(DayKey(start)), theme: theme, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  @Test(arguments: ["3", "term 3", "Term3", "#3", " 3 ", "1", "term 1"])
  func aNumberNamesNoOtherTerm(text: String) throws {
    _ = try term(13, "Build", from: "2026-01-05")
    #expect(throws: ArchiveError.notFound("No term named “\(text)”.")) {
      try archive.term(named: text, today: today)
    }
    #expect(try archive.term(named: "term 13", today: today).termNumber == 13)
    #expect(try archive.term(named: "build", today: today).termNumber == 13)
  }

  @Test func aYearInAThemeAndTheBeginningOfAnIDAreNames() throws {
    let term = try term(7, "Spring 2026", from: "2026-01-05")
    #expect(try archive.term(named: "2026", today: today).id == term.id)
    let digits = String(term.id.uuidString.prefix(8))
    #expect(try archive.term(named: digits, today: today).id == term.id)
  }
}
