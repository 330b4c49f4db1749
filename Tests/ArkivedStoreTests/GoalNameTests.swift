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

  @Test func aTermIsFoundUnderTheTitleThatIsShown() throws {
    _ = try term(3, "Build", from: "2026-01-05")
    _ = try term(13, nil, from: "2026-04-01")
    try ShownDates.speaking(.german) { () throws in
      #expect(try archive.term(named: "Abschnitt 13", today: today).termNumber == 13)
      for text in ["abschnitt 3", "Abschnitt 3: Build", "term 3", "3"] {
        #expect(try archive.term(named: text, today: today).termNumber == 3)
      }
      #expect(throws: ArchiveError.notFound("No term named “Abschnitt 1”.")) {
        try archive.term(named: "Abschnitt 1", today: today)
      }
    }
  }

  @Test func aYearInAThemeAndTheBeginningOfAnIDAreNames() throws {
    let term = try term(7, "Spring 2026", from: "2026-01-05")
    #expect(try archive.term(named: "2026", today: today).id == term.id)
    let digits = String(term.id.uuidString.prefix(8))
    #expect(try archive.term(named: digits, today: today).id == term.id)
  }

  @Test func allFacesMeanTheSameLastTerm() throws {
    // A short term within a long one began later and ended earlier.
    let long = try archive.create(
      Term(
        id: archive.identities.next(), termNumber: 1,
        startDate: try #require(DayKey("2025-06-01")), targetDate: DayKey("2026-02-28"),
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    _ = try term(2, nil, from: "2025-09-01")
    _ = try term(3, nil, from: "2026-03-01")
    let next = try term(4, nil, from: "2026-06-01")
    let terms = try archive.terms()
    let reader = TimeReader(now: test.clock.now, zone: test.zone)
    for (word, phrase, wanted) in [
      ("last", "in my last term", 1), ("current", "in this term", 3),
      ("next", "in my next term", 4),
    ] {
      #expect(try archive.term(named: word, today: today).termNumber == wanted)
      let meant = reader.termTimes(in: phrase, terms: terms, today: today)
        .map(\.term?.termNumber)
      #expect(meant == [wanted], "\(phrase)")
    }
    #expect(terms.lastEnded(before: long.startDate) == nil)
    #expect(terms.next(after: next.startDate) == nil)
  }
}
