import ArkivedCore
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Searching for goals")
struct GoalSearchTests {
  private func archive() throws -> TestArchive {
    let test = try TestArchive()
    let now = test.clock.now
    let day = try #require(DayKey("2026-03-01"))
    try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: "Run 120 km", measurementUnit: "km",
        measurementTarget: 120, startDate: day, targetDate: day.advanced(by: 70),
        howGoalIsRelevant: "I want to see the estuary\non my own feet", createdAt: now,
        updatedAt: now))
    try test.archive.create(
      Term(
        id: test.archive.identities.next(), termNumber: 3, startDate: day, theme: "Running water",
        createdAt: now, updatedAt: now))
    for index in 0..<7 { try test.add("ran number \(index)", measurements: ["km": 1]) }
    return test
  }

  private func hits(
    _ query: String, _ test: TestArchive, offset: Int = 0, limit: Int = 20,
    mode: SearchRequest.Mode = .words, tags: [String] = []
  ) throws -> [SearchHit] {
    try HybridSearch(archive: test.archive, zone: test.zone).search(
      SearchRequest(query: query, tags: tags, limit: limit, offset: offset, mode: mode)
    ).hits
  }

  @Test func aGoalStandsBeforeTheEntriesThatHoldItsWords() throws {
    let test = try archive()
    let found = try hits("run", test)
    #expect(found.map(\.type).prefix(2) == ["goal", "term"])
    #expect(found.count == 9)
    #expect(found[0].title == "Run 120 km" && found[0].snippet.highlights == [0..<3])
    #expect(zip(found, found.dropFirst()).allSatisfy { $0.score >= $1.score })
    #expect(
      try hits("estuary", test).map(\.snippet.text) == [
        "Run 120 km · I want to see the estuary"
      ])
  }

  @Test("A term is named in the language at hand, and found by either name")
  func termsInGerman() throws {
    let test = try archive()
    for query in ["Abschnitt 3", "term 3"] {
      let found = try ShownDates.speaking(.german) { try hits(query, test) }
      #expect(found.first?.title == "Abschnitt 3: Running water", "\(query)")
    }
    #expect(try hits("term 3", test).first?.title == "Term 3: Running water")
  }

  @Test func pagesHoldEveryHitOnce() throws {
    let test = try archive()
    var seen: [UUID] = []
    for offset in stride(from: 0, to: 12, by: 3) {
      seen += try hits("run", test, offset: offset, limit: 3).map(\.id)
    }
    #expect(seen.count == 9 && Set(seen).count == 9)
  }

  @Test func filtersOfEntriesLeaveGoalsOut() throws {
    let test = try archive()
    #expect(try hits("run", test, tags: ["sport"]).isEmpty)
    #expect(try hits("run -km", test).allSatisfy { $0.type != .goal })
    #expect(try hits("ru*", test).allSatisfy { $0.type == .activity })
    #expect(try hits("\"own feet\"", test).map(\.type) == ["goal"])
  }

  @Test func instantsLimitGoalsByWholeDays() throws {
    let test = try archive()
    // The goal counts on its target day, 10 May, and the term on 1 March.
    func days(_ from: String?, _ to: String?) throws -> [String] {
      let request = SearchRequest(
        query: "run", from: from.flatMap { TimeBound($0) }, to: to.flatMap { TimeBound($0) },
        mode: .words)
      return try HybridSearch(archive: test.archive, zone: test.zone).search(request).hits
        .filter { $0.type != .activity }.map(\.dayKey.description).sorted()
    }
    #expect(try days("2026-05-10", "2026-05-10") == ["2026-05-10"])
    // In Berlin, 1 March begins at 23:00 in UTC, 10 May at 22:00.
    #expect(try days("2026-02-28T23:00:00Z", "2026-05-09T22:00:00Z") == ["2026-03-01"])
    #expect(try days("2026-02-28T23:00:01Z", "2026-05-10T22:00:00Z") == ["2026-05-10"])
  }
}
