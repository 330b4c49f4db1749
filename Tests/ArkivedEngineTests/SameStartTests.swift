import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Rows of tables with the same start")
struct SameStartTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(_ path: URL) throws -> ImportRun {
    try #require(try ImportJob(archive: test.archive, homeZone: test.zone).run(path).first)
  }

  private func table(_ name: String, _ rows: [String]) throws -> ImportRun {
    try run(
      try test.folder.file(
        name, (["Date,Title,Km"] + rows.map { "2026-03-10 \($0)" }).joined(separator: "\n") + "\n"))
  }

  private func toggl(_ name: String, _ rows: [(project: String, words: String, length: String)])
    throws -> ImportRun
  {
    let head = "User,Project,Description,Start date,Start time,Duration"
    let lines = rows.map { "Ada,\($0.project),\($0.words),2026-03-10,09:00:00,\($0.length)" }
    return try run(
      try test.folder.file(name, ([head] + lines).joined(separator: "\n") + "\n"))
  }

  private func entries() throws -> [Activity] { try test.day("2026-03-10").activities }
  private func texts() throws -> [String] { try entries().map(\.text).sorted() }
  private func identity(of text: String) throws -> UUID? {
    try entries().first { $0.text == text }?.id
  }

  @Test func twoWorkspacesOfTogglAreBothKept() throws {
    _ = try toggl("a.csv", [("P", "One", "01:00:00")])
    let one = try identity(of: "One")
    let other = try toggl("b.csv", [("Q", "Call", "00:30:00")])
    #expect(other.created == ["activity": 1] && other.updated == 0)
    #expect(other.warnings.contains { $0.message.hasPrefix("“One” starts at the same time") })
    #expect(try texts() == ["Call", "One"])
    // Neither export changes anything again.
    for (name, row) in [("c.csv", ("P", "One", "01:00:00")), ("d.csv", ("Q", "Call", "00:30:00"))] {
      let again = try toggl(name, [row])
      #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 1)
    }
    let call = try identity(of: "Call")
    let edited = try toggl("b.csv", [("Q", "Call with Ann", "00:45:00")])
    #expect(edited.created.isEmpty && edited.updated == 1)
    #expect(try identity(of: "Call with Ann") == call)
    #expect(try identity(of: "One") == one)
  }

  @Test func aNewRowBeforeOthersLeavesThemWhatTheyAre() throws {
    _ = try toggl("a.csv", [("P", "One", "01:00:00")])
    let one = try identity(of: "One")
    let rows = [("P", "Zero", "00:10:00"), ("P", "One", "01:00:00")]
    let more = try toggl("b.csv", rows)
    #expect(more.created == ["activity": 1] && more.updated == 0 && more.skipped == 0)
    #expect(try texts() == ["One", "Zero"])
    #expect(try identity(of: "One") == one)
    let again = try toggl("c.csv", rows)
    #expect(again.created.isEmpty && again.updated == 0 && again.skipped == 0)
  }

  @Test func aNewRowOfTheSameLengthLeavesTheOthersWhatTheyAre() throws {
    _ = try toggl("a.csv", [("P", "One", "01:00:00")])
    let one = try identity(of: "One")
    let more = try toggl("b.csv", [("P", "Zero", "01:00:00"), ("P", "One", "01:00:00")])
    #expect(more.created == ["activity": 1] && more.updated == 0)
    #expect(try identity(of: "One") == one)
    #expect(try texts() == ["One", "Zero"])
  }

  @Test func aRowWithOtherWordsAndTheSameLengthIsEdited() throws {
    _ = try toggl("a.csv", [("P", "One", "01:00:00")])
    let edited = try toggl("a.csv", [("P", "Planning", "01:00:00")])
    #expect(edited.created.isEmpty && edited.updated == 1)
    #expect(try texts() == ["Planning"])
  }

  @Test func tablesWithTheSameColumnsAreBothKept() throws {
    let runs = ["10:00,Run,5", "11:00,Swim,1"]
    _ = try table("runs.csv", runs)
    let work = try table("work.csv", ["10:00,Meeting with Ann,0"])
    #expect(work.created == ["activity": 1] && work.updated == 0)
    #expect(try texts() == ["Meeting with Ann", "Run", "Swim"])
    #expect(try table("runs.csv", runs).updated == 0)
    #expect(try table("runs.csv", ["10:00,Long run,7"] + runs.dropFirst()).updated == 1)
    #expect(try texts() == ["Long run", "Meeting with Ann", "Swim"])
  }

  @Test func tablesInOneFolderAreBothKept() throws {
    _ = try test.folder.file("both/a.csv", "Date,Title,Km\n2026-03-10 10:00,Run,5\n")
    _ = try test.folder.file("both/b.csv", "Date,Title,Km\n2026-03-10 10:00,Meeting with Ann,0\n")
    let both = test.folder.url.appendingPathComponent("both")
    let first = try run(both)
    #expect(first.created == ["activity": 2] && first.skipped == 0)
    let again = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone, readsAgain: true).run(both).first)
    #expect(again.created.isEmpty && again.updated == 0 && again.skipped == 0)
  }

  @Test func rowsThatShareAnIDAreKeptBesideAnEntryUnderIt() throws {
    let head = "id,Date,Title\n7,2026-03-10 10:00,Run\n"
    _ = try run(try test.folder.file("a.csv", head))
    let identity = try identity(of: "Run")
    let more = head + "7,2026-03-10 18:00,Dinner\n"
    let second = try run(try test.folder.file("a.csv", more))
    #expect(second.created == ["activity": 1] && second.updated == 0 && second.skipped == 0)
    #expect(try self.identity(of: "Run") == identity)
    let again = try run(try test.folder.file("b.csv", more))
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
    let edited = try run(
      try test.folder.file("b.csv", more.replacing("Run", with: "Long run")))
    #expect(edited.created.isEmpty && edited.updated == 1)
    #expect(try texts() == ["Dinner", "Long run"])
  }

  @Test func anEntryThatItsOwnerChangedKeepsOtherRowsApart() throws {
    _ = try table("runs.csv", ["10:00,Run,5"])
    var run = try #require(try entries().first)
    (run.text, run.measurements) = ("Jogging", [:])
    let changed = run
    _ = try test.archive.write(by: .owner, "edit", "Edit") {
      try $0.update(changed, reason: .update)
    }
    let edited = try table("runs.csv", ["10:00,Long run,7"])
    #expect(edited.created.isEmpty && edited.updated == 0)
    #expect(try table("work.csv", ["10:00,Meeting with Ann,0"]).created == ["activity": 1])
    #expect(try texts() == ["Jogging", "Meeting with Ann"])
  }
}
