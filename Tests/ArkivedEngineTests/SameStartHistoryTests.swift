import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Rows with the same start as an entry that was deleted, changed or undone")
struct SameStartHistoryTests {
  private let shelf: PreviewedArchive
  private let runs: URL
  private let work: URL

  init() throws {
    let shelf = try PreviewedArchive()
    func table(_ name: String, _ rows: String) throws -> URL {
      try shelf.test.folder.file(name, "Date,Title,Km\n\(rows)\n")
    }
    self.shelf = shelf
    runs = try table("runs.csv", "2026-03-10 10:00,Run,5\n2026-03-10 11:00,Swim,1")
    work = try table("work.csv", "2026-03-10 10:00,Meeting with Ann,0")
  }

  @Test func whatItsOwnerDeletedStaysAway() throws {
    for file in [runs, work] { _ = try shelf.bring(file) }
    try shelf.delete("Meeting with Ann")
    for file in [work, runs, work] { try shelf.bringAgain(file) }
    #expect(try shelf.texts() == ["Run", "Swim"])
    try shelf.delete("Run")
    for file in [runs, work] { try shelf.bringAgain(file) }
    #expect(try shelf.texts() == ["Swim"])
    // Asked for, both come back.
    for file in [runs, work] {
      let job = ImportJob(
        archive: shelf.test.archive, homeZone: shelf.test.zone, overridesOwner: true)
      let foreseen = try #require(try job.forecast(file).runs.first)
      let run = try #require(try job.run(file).first)
      #expect(run.created == ["activity": 1])
      shelf.expect(run, is: foreseen)
    }
    #expect(try shelf.texts() == ["Meeting with Ann", "Run", "Swim"])
    for file in [runs, work] { try shelf.bringAgain(file) }
  }

  @Test func whatItsOwnerForgotStaysAwayToo() throws {
    for file in [runs, work] { _ = try shelf.bring(file) }
    let identity = try #require(try shelf.identity("Meeting with Ann"))
    _ = try shelf.test.archive.purge(.entities([identity]))
    for file in [work, runs] { try shelf.bringAgain(file) }
    #expect(try shelf.texts() == ["Run", "Swim"])
  }

  @Test func aRowWithTheStartOfADeletedEntryIsImported() throws {
    _ = try shelf.bring(runs)
    try shelf.delete("Run")
    let run = try shelf.bring(work)
    #expect(run.created == ["activity": 1] && !run.tellsBoth)
    for file in [work, runs] { try shelf.bringAgain(file) }
    #expect(try shelf.texts() == ["Meeting with Ann", "Swim"])
  }

  @Test func anEntryThatItsOwnerChangedStaysAndKeepsOtherRowsApart() throws {
    _ = try shelf.bring(runs)
    let identity = try #require(try shelf.identity("Run"))
    _ = try shelf.test.archive.updateActivity(identity) { $0.text = "Jogging in the park" }
    // The row that it was made from is edited, and another file has another one.
    let newer = try shelf.test.folder.file(
      "runs.csv", "Date,Title,Km\n2026-03-10 10:00,Long run,7\n2026-03-10 11:00,Swim,1\n")
    let edited = try shelf.bring(newer)
    #expect(edited.created.isEmpty && edited.updated == 0)
    #expect(edited.warnings.contains { $0.message.hasSuffix("your version was kept") })
    #expect(try shelf.bring(work).created == ["activity": 1])
    #expect(try shelf.texts() == ["Jogging in the park", "Meeting with Ann", "Swim"])
    for file in [newer, work] { try shelf.bringAgain(file) }
  }

  @Test func anImportThatWasUndoneComesAgainBesideAnother() throws {
    let first = try shelf.bring(runs)
    _ = try shelf.bring(work)
    let undone = try shelf.undo(first)
    #expect(try shelf.texts() == ["Meeting with Ann"])
    try shelf.bringAgain(work)
    _ = try shelf.test.archive.undo(undone)
    #expect(try shelf.texts() == ["Meeting with Ann", "Run", "Swim"])
    for file in [runs, work] { try shelf.bringAgain(file) }
  }

  @Test func theSameFileBringsAnUndoneImportAgain() throws {
    let first = try shelf.bring(runs)
    let second = try shelf.bring(work)
    _ = try shelf.undo(first)
    #expect(try shelf.bring(runs).created == ["activity": 2])
    _ = try shelf.undo(second)
    #expect(try shelf.texts() == ["Run", "Swim"])
    #expect(try shelf.bring(work).created == ["activity": 1])
    for file in [runs, work] { try shelf.bringAgain(file) }
    #expect(try shelf.texts() == ["Meeting with Ann", "Run", "Swim"])
  }

  @Test func anImportThatWasUndoneIsNotInTheWayOfAnother() throws {
    let first = try shelf.bring(runs)
    let undone = try shelf.undo(first)
    #expect(try shelf.bring(work).created == ["activity": 1])
    _ = try shelf.test.archive.undo(undone)
    #expect(try shelf.texts() == ["Meeting with Ann", "Run", "Swim"])
    for file in [runs, work] { try shelf.bringAgain(file) }
  }

  // MARK: Several files at once

  @Test func filesOfOneCommandAreForeseenOneAfterTheOther() throws {
    func table(_ name: String, _ first: String) throws -> URL {
      try shelf.test.folder.file(
        name, "Date,Title,Km\n2026-03-10 10:00,\(first)\n2026-03-10 11:00,Swim,1\n")
    }
    let files = [
      runs, try table("b.csv", "Meeting,0"), try table("c.csv", "Meeting with Ann,0"),
      try table("d.csv", "Run,7"), try table("e.csv", "Meeting with Ann,0"),
    ]
    let earlier = EarlierRuns(isShared: true)
    let before = try shelf.export()
    let foreseen = try files.map { try shelf.job().forecast($0, after: earlier).runs }
    #expect(try shelf.export() == before)
    for (file, forecast) in zip(files, foreseen) {
      shelf.test.clock.advance(seconds: 60)
      let run = try #require(try shelf.job().run(file).first)
      let told = try #require(forecast.first)
      #expect(run.created == told.created && run.updated == told.updated, "\(file)")
      #expect(run.unchanged == told.unchanged && run.skipped == told.skipped, "\(file)")
    }
    #expect(
      foreseen.map { $0.first?.created ?? [:] } == [
        ["activity": 2], ["activity": 1], [:], [:], [:],
      ])
    #expect(foreseen.map { $0.first?.updated } == [0, 0, 1, 1, 0])
    #expect(try shelf.texts() == ["Meeting with Ann", "Run", "Swim"])
  }
}
