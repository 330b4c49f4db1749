import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Goals in imports")
struct GoalTransferTests {
  private func lines(_ test: TestArchive) throws -> [String] {
    var lines: [String] = []
    _ = try ExportJob(archive: test.archive).writeJSONLines { lines.append($0) }
    return lines
  }

  private func run(_ file: URL, _ test: TestArchive) throws -> ImportRun {
    try #require(try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first)
  }

  private func goal(_ test: TestArchive, _ title: String = "Run 100 km") throws -> Goal {
    try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: title, measurementUnit: "km",
        measurementTarget: 100, createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  private func total(_ test: TestArchive) throws -> Double {
    let day = try #require(DayKey("2026-03-14"))
    let goals = try test.archive.goals()
    return try test.archive.progress(of: goals, today: day).values.reduce(0) { $0 + $1.total }
  }

  @Test func importedActionsCountAndStopCountingWhenTheImportIsTakenBack() throws {
    let test = try TestArchive()
    _ = try goal(test)
    try test.add("ran", measurements: ["km": 2])
    let file = try test.folder.file(
      "runs.jsonl",
      """
      {"type":"activity","dayKey":"2026-03-01","text":"ran","measurements":{"km":5}}
      {"type":"activity","dayKey":"2026-03-02","text":"ran","measurements":{"km":7}}
      """)
    let imported = try run(file, test)
    #expect(imported.created["activity"] == 2)
    #expect(try total(test) == 14)
    let second = try run(file, test)
    #expect(second.created.isEmpty && second.unchanged == 2)
    #expect(try total(test) == 14)
    let change = try test.archive.importRun(matching: imported.id.uuidString).changeID
    let undone = try test.archive.undo(change)
    #expect(try total(test) == 2)
    // A goal that is set meanwhile finds what is brought back later.
    _ = try goal(test, "Walk")
    #expect(try total(test) == 4)
    _ = try test.archive.undo(undone.change.id)
    #expect(try total(test) == 28)
    #expect(try test.archive.inferContributions().added == 0)
  }

  @Test func goalsOfAnImportComeAndGoWithIt() throws {
    let test = try TestArchive()
    try test.add("ran", measurements: ["km": 2])
    let file = try test.folder.file(
      "goals.jsonl",
      """
      {"type":"goal","id":"11111111-1111-4111-8111-111111111111","title":"Run","measurementUnit":"km","measurementTarget":10}
      {"type":"value","id":"22222222-2222-4222-8222-222222222222","title":"Health","incentiveType":"major"}
      {"type":"term","id":"33333333-3333-4333-8333-333333333333","termNumber":1,"startDate":"2026-03-01"}
      {"type":"alignment","goalId":"11111111-1111-4111-8111-111111111111","valueId":"22222222-2222-4222-8222-222222222222"}
      {"type":"assignment","goalId":"11111111-1111-4111-8111-111111111111","termId":"33333333-3333-4333-8333-333333333333","order":1}
      {"type":"alignment","goalId":"99999999-9999-4999-8999-999999999999","valueId":"22222222-2222-4222-8222-222222222222"}
      {"type":"goal","title":"Broken","measurementUnit":"km","measurementTarget":-1}
      """)
    let imported = try run(file, test)
    #expect(imported.created["goal"] == 1 && imported.created["alignment"] == 1)
    #expect(imported.skipped == 2)
    #expect(
      imported.warnings.map(\.place) == [
        "goals.jsonl:7 field “measurementTarget”", "goals.jsonl:6 field “goalId”",
      ])
    #expect(try total(test) == 2)
    #expect(try run(file, test).created.isEmpty)
    let change = try test.archive.importRun(matching: imported.id.uuidString).changeID
    _ = try test.archive.undo(change)
    #expect(try test.archive.goals().isEmpty && test.archive.terms().isEmpty)
    #expect(try test.archive.assignments().isEmpty)
    // What is hidden does not stand in the way of what the owner writes.
    try test.archive.create(
      Term(
        id: test.archive.identities.next(), termNumber: 1,
        startDate: try #require(DayKey("2026-04-01")), createdAt: test.clock.now,
        updatedAt: test.clock.now))
    #expect(try test.archive.terms().map(\.startDate.description) == ["2026-04-01"])
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func theOwnersLinksGoOverToWhatAnImportBringsAgain() throws {
    let test = try TestArchive()
    let own = try goal(test)
    let action = "44444444-4444-4444-8444-444444444444"
    let value = "22222222-2222-4222-8222-222222222222"
    let file = try test.folder.file(
      "life.jsonl",
      """
      {"type":"activity","id":"\(action)","dayKey":"2026-03-01","text":"ran","measurements":{"km":5}}
      {"type":"value","id":"\(value)","title":"Health"}
      """)
    let imported = try run(file, test)
    let actionID = try #require(UUID(uuidString: action))
    try test.archive.link(action: actionID, goal: own.id, amount: 2)
    let alignment = try test.archive.create(
      GoalValueAlignment(
        id: test.archive.identities.next(), goalID: own.id,
        valueID: try #require(UUID(uuidString: value)), strength: 3, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    #expect(try total(test) == 2)
    let change = try test.archive.importRun(matching: imported.id.uuidString).changeID
    _ = try test.archive.undo(change)
    #expect(try total(test) == 0)
    #expect(try test.archive.alignments().isEmpty)
    _ = try run(file, test)
    #expect(try total(test) == 2)
    let link = try #require(try test.archive.contributions(ofAction: actionID).first)
    #expect(link.contribution.matchMethod == .manual)
    #expect(try test.archive.alignments() == [alignment])
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func goalsWithoutIdentitiesComeOnce() throws {
    let test = try TestArchive()
    let file = try test.folder.file(
      "goals.jsonl",
      """
      {"type":"goal","title":"No id","measurementUnit":"km"}
      {"type":"value","title":"Kindness"}
      """)
    #expect(try run(file, test).created == ["goal": 1, "value": 1])
    #expect(try run(file, test).created.isEmpty)
    #expect(try test.archive.goals().count == 1)
  }

  @Test func theOwnersVersionIsKeptWhereItIsNewer() throws {
    let test = try TestArchive()
    let own = try goal(test)
    let old = try test.folder.file("old.jsonl", try lines(test).joined(separator: "\n"))
    test.clock.advance(seconds: 60)
    _ = try test.archive.update(Goal.self, own.id) { $0.title = "Run further" }
    _ = try run(old, test)
    #expect(try test.archive.goals().map(\.title) == ["Run further"])
  }

  @Test func aMatchOfAnOldExportDoesNotGoOverWhatTheActionSaysNow() throws {
    let test = try TestArchive()
    _ = try goal(test)
    let action = try test.add("ran", measurements: ["km": 5])
    let old = try test.folder.file("old.jsonl", try lines(test).joined(separator: "\n"))
    test.clock.advance(seconds: 60)
    _ = try test.archive.updateActivity(action.id) { $0.measurements = ["km": 9] }
    _ = try run(old, test)
    #expect(try total(test) == 9)
  }

  @Test func whatLinksTwoMayComeBeforeThem() throws {
    let test = try TestArchive()
    let (goal, value) = (
      "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
    )
    let (term, action) = (
      "33333333-3333-4333-8333-333333333333", "44444444-4444-4444-8444-444444444444"
    )
    let nobody = "99999999-9999-4999-8999-999999999999"
    let links = """
      {"type":"assignment","goalId":"\(goal)","termId":"\(term)","order":4}
      {"type":"alignment","goalId":"\(nobody)","valueId":"\(value)"}
      {"type":"contribution","actionId":"\(action)","goalId":"\(goal)","contribution":3,"matchMethod":"manual","confidence":1}
      {"type":"alignment","goalId":"\(goal)","valueId":"\(value)","strength":5}
      """
    // More than one transaction decides about lie between.
    let values = (0..<2_500).map { #"{"type":"value","title":"Value \#($0)"}"# }
    let ends = """
      {"type":"term","id":"\(term)","termNumber":1,"startDate":"2026-03-01"}
      {"type":"value","id":"\(value)","title":"Health","incentiveType":"major"}
      {"type":"goal","id":"\(goal)","title":"Run","measurementUnit":"km","measurementTarget":10}
      {"type":"activity","id":"\(action)","dayKey":"2026-03-01","text":"ran","measurements":{"km":5}}
      """
    let file = try test.folder.file(
      "links.jsonl", ([links] + values + [ends]).joined(separator: "\n"))
    let imported = try run(file, test)
    #expect(imported.created["alignment"] == 1 && imported.created["assignment"] == 1)
    #expect(imported.created["contribution"] == 1 && imported.created["value"] == 2_501)
    // What links what is nowhere is told of once.
    #expect(imported.skipped == 1)
    #expect(imported.warnings.map(\.place) == ["links.jsonl:2 field “goalId”"])
    #expect(try test.archive.assignments().map(\.order) == [4])
    #expect(try test.archive.alignments().map(\.strength) == [5])
    #expect(try total(test) == 3)
    let again = try run(file, test)
    #expect(again.created.isEmpty && again.skipped == 1)
  }
}
