import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// An archive into which exports come, each after a preview that must say what the import does.
struct PreviewedArchive {
  let test: TestArchive

  init() throws { test = try TestArchive() }

  func job(readsAgain: Bool = true, importers: [any Importer] = ImportJob.formats) -> ImportJob {
    ImportJob(
      archive: test.archive, homeZone: test.zone, importers: importers, readsAgain: readsAgain)
  }

  /// Returns what an export of the archive contains.
  func export() throws -> [String] {
    Array(try ExportJob(archive: test.archive).lines().dropFirst())
  }

  @discardableResult
  func bring(_ path: URL, _ importers: [any Importer] = ImportJob.formats) throws -> ImportRun {
    test.clock.advance(seconds: 60)
    let before = try export()
    let foreseen = try #require(try job(importers: importers).forecast(path).runs.first)
    #expect(try export() == before, "a preview changes nothing")
    let run = try #require(try job(importers: importers).run(path).first)
    expect(run, is: foreseen)
    return run
  }

  func expect(_ run: ImportRun, is foreseen: ImportForecast) {
    #expect(run.created == foreseen.created)
    #expect(run.updated == foreseen.updated && run.unchanged == foreseen.unchanged)
    #expect(run.skipped == foreseen.skipped)
    #expect(run.warnings.map(\.message).sorted() == foreseen.warnings.map(\.message).sorted())
  }

  /// Imports the same once more, which must change nothing.
  func bringAgain(_ path: URL, _ importers: [any Importer] = ImportJob.formats) throws {
    let before = try export()
    let run = try bring(path, importers)
    #expect(run.created.isEmpty && run.updated == 0, "\(run)")
    #expect(try export() == before)
  }

  func undo(_ run: ImportRun) throws -> UUID {
    let change = try test.archive.importRun(matching: run.id.uuidString).changeID
    return try test.archive.undo(change).change.id
  }

  func entries(_ day: String = "2026-03-10") throws -> [Activity] { try test.day(day).activities }

  func texts(_ day: String = "2026-03-10") throws -> [String] {
    try entries(day).map(\.text).sorted()
  }

  func identity(_ text: String, _ day: String = "2026-03-10") throws -> UUID? {
    try entries(day).first { $0.text == text }?.id
  }

  func delete(_ text: String) throws {
    _ = try test.archive.deleteActivities([try #require(try identity(text))])
  }
}

extension ImportRun {
  /// True if it says that a row is beside another entry with its start.
  var tellsBoth: Bool {
    warnings.contains { $0.message.hasSuffix("but is different, so both were kept") }
  }
}

@Suite("Rows of tables with the same start")
struct SameStartTests {
  private let shelf: PreviewedArchive

  init() throws { shelf = try PreviewedArchive() }

  /// Writes a table with a time, a title and an amount in each row.
  private func table(_ name: String, _ rows: String...) throws -> URL {
    try shelf.test.folder.file(
      name, (["Date,Title,Km"] + rows.map { "2026-03-10 \($0)" }).joined(separator: "\n") + "\n")
  }

  private var folder: URL { shelf.test.folder.url.appendingPathComponent("in") }

  // MARK: Different texts

  @Test func tablesWithTheSameColumnsAreBothKept() throws {
    let runs = try table("runs.csv", "10:00,Run,5", "11:00,Swim,1")
    _ = try shelf.bring(runs)
    let identity = try shelf.identity("Run")
    let before = try shelf.export()
    let work = try table("work.csv", "10:00,Meeting with Ann,0")
    let second = try shelf.bring(work)
    #expect(second.created == ["activity": 1] && second.updated == 0 && second.tellsBoth)
    #expect(try shelf.texts() == ["Meeting with Ann", "Run", "Swim"])
    #expect(try shelf.identity("Run") == identity)
    for file in [runs, work, runs] { try shelf.bringAgain(file) }
    _ = try shelf.undo(second)
    #expect(try shelf.export() == before)
  }

  @Test func tablesOfOneFolderAreBothKept() throws {
    _ = try table("in/a.csv", "10:00,Run,5", "11:00,Swim,1")
    _ = try table("in/b.csv", "10:00,Meeting with Ann,0", "11:00,Swim,1")
    let run = try shelf.bring(folder)
    #expect(run.created == ["activity": 3] && run.skipped == 1 && run.tellsBoth)
    try shelf.bringAgain(folder)
    for name in ["a.csv", "b.csv"] { try shelf.bringAgain(folder.appendingPathComponent(name)) }
    #expect(try shelf.texts() == ["Meeting with Ann", "Run", "Swim"])
    _ = try shelf.undo(run)
    #expect(try shelf.entries().isEmpty)
  }

  @Test func rowsOfOneFileAreAllKept() throws {
    let rows = try table("a.csv", "10:00,Run,5", "10:00,Meeting,0", "10:00,Meeting,0")
    #expect(try shelf.bring(rows).created == ["activity": 3])
    try shelf.bringAgain(rows)
    // Another file has two of them, and one more.
    let more = try table("b.csv", "10:00,Call,0", "10:00,Meeting,0", "10:00,Run,5")
    #expect(try shelf.bring(more).created == ["activity": 1])
    try shelf.bringAgain(rows)
    try shelf.bringAgain(more)
    #expect(try shelf.texts() == ["Call", "Meeting", "Meeting", "Run"])
  }

  @Test func personsWithTheSameRhythmStayApart() throws {
    func weights(_ name: String, _ kilograms: [Int]) throws -> URL {
      let lines = kilograms.enumerated().map { "2026-03-0\($0 + 1) 08:00,\($1)" }
      return try shelf.test.folder.file(
        name, (["Date,Weight (kg)"] + lines).joined(separator: "\n") + "\n")
    }
    // On the third day, both weigh the same.
    let ann = try weights("ann.csv", [64, 65, 66, 67, 68, 69])
    let bob = try weights("bob.csv", [62, 64, 66, 71, 72, 73])
    #expect(try shelf.bring(ann).created == ["activity": 6])
    let second = try shelf.bring(bob)
    #expect(second.created == ["activity": 5] && second.updated == 0 && second.unchanged == 1)
    try shelf.bringAgain(ann)
    try shelf.bringAgain(bob)
  }

  // MARK: Edited rows

  @Test func aNewerExportUpdatesItsRow() throws {
    _ = try shelf.bring(try table("a.csv", "10:00,Run,5", "11:00,Swim,1"))
    _ = try shelf.bring(try table("work.csv", "10:00,Meeting with Ann,0"))
    let identity = try shelf.identity("Run")
    let before = try shelf.export()
    let newer = try table("a.csv", "10:00,Long run,7", "11:00,Swim,1")
    let edited = try shelf.bring(newer)
    #expect(edited.created.isEmpty && edited.updated == 1 && !edited.tellsBoth)
    #expect(try shelf.identity("Long run") == identity)
    #expect(try shelf.texts() == ["Long run", "Meeting with Ann", "Swim"])
    try shelf.bringAgain(newer)
    _ = try shelf.undo(edited)
    #expect(try shelf.export() == before)
  }

  @Test(arguments: [
    // The text is the same, or all else, or one text continues the other.
    ("Run,5", "Run,7", true), ("Run,5", "Evening run,5", true), ("Run,5", "Meeting,5", false),
    ("Run,5", "Evening run,7", false), ("Call with Ann,0", "Call with Bob,0", false),
  ])
  func aSingleRowIsOnlyUpdatedWhereItIsClear(old: String, new: String, isEdited: Bool) throws {
    _ = try shelf.bring(try table("a.csv", "10:00,\(old)"))
    let newer = try table("b.csv", "10:00,\(new)")
    let run = try shelf.bring(newer)
    #expect(run.updated == (isEdited ? 1 : 0) && run.created.isEmpty == isEdited)
    #expect(run.tellsBoth != isEdited)
    try shelf.bringAgain(newer)
  }

  @Test func aTextMayChangeAsAWholeInANewerExport() throws {
    _ = try shelf.bring(try table("a.csv", "10:00,Run,5", "11:00,Swim,1"))
    let newer = try table("a.csv", "10:00,Jogging,5", "11:00,Swim,1")
    let run = try shelf.bring(newer)
    #expect(run.created.isEmpty && run.updated == 1)
    #expect(run.warnings.contains { $0.message.hasPrefix("this entry replaced “Run”") })
    try shelf.bringAgain(newer)
    // If more than the text is different, it may be something else.
    let other = try table("a.csv", "10:00,Reading,0", "11:00,Swim,1")
    #expect(try shelf.bring(other).created == ["activity": 1])
    #expect(try shelf.texts() == ["Jogging", "Reading", "Swim"])
  }

  @Test func rowsThatComeOrGoLeaveTheOthersWhatTheyAre() throws {
    _ = try shelf.bring(try table("a.csv", "10:00,Run,5", "10:00,Swim,1"))
    let (run, swim) = (try shelf.identity("Run"), try shelf.identity("Swim"))
    let more = try table("a.csv", "10:00,Breakfast,0", "10:00,Swim,1", "10:00,Run,5")
    let added = try shelf.bring(more)
    #expect(added.created == ["activity": 1] && added.updated == 0 && !added.tellsBoth)
    #expect(try shelf.identity("Run") == run && shelf.identity("Swim") == swim)
    try shelf.bringAgain(more)
    let fewer = try table("a.csv", "10:00,Swim,2", "10:00,Breakfast,0")
    #expect(try shelf.bring(fewer).updated == 1)
    #expect(try shelf.identity("Run") == run && shelf.identity("Swim") == swim)
    #expect(try shelf.texts() == ["Breakfast", "Run", "Swim"])
    try shelf.bringAgain(fewer)
  }

  @Test func anIDDecidesWhateverTheRowsSay() throws {
    func rows(_ text: String) throws -> URL {
      try shelf.test.folder.file(
        "ids.csv", "ID,Date,Title\n1,2026-03-10 10:00,\(text)\n2,2026-03-10 10:00,Meeting\n")
    }
    #expect(try shelf.bring(try rows("Run")).created == ["activity": 2])
    let identity = try shelf.identity("Run")
    #expect(try shelf.bring(try rows("Breakfast")).updated == 1)
    #expect(try shelf.identity("Breakfast") == identity)
  }

  @Test func aTableThatIsReadInAnotherWayDoublesNothing() throws {
    func importers(_ map: String) -> [any Importer] {
      var wishes = ImportJob.Wishes()
      wishes.map = map
      return ImportJob.importers(for: wishes)
    }
    for (day, time) in [("2026-03-10", " 10:00"), ("2026-03-11", "")] {
      let file = try shelf.test.folder.file(
        "gym\(day).csv", "Date,What,Remark\n\(day)\(time),Gym,Leg day\n")
      _ = try shelf.bring(file, importers("text=What,notes=Remark"))
      let identity = try shelf.identity("Gym", day)
      let again = try shelf.bring(file, importers("text=Remark,detail=What"))
      #expect(again.created.isEmpty && again.updated == 1, "\(day)")
      #expect(try shelf.texts(day) == ["Leg day"])
      #expect(try shelf.identity("Leg day", day) == identity)
      try shelf.bringAgain(file, importers("text=Remark,detail=What"))
    }
  }

  // MARK: Days

  @Test func theRowOfADayThatGrowsIsUpdated() throws {
    func habits(_ last: String) throws -> URL {
      try shelf.test.folder.file(
        "habits.csv",
        "Date,Meditate,Read,Run\n2026-03-08,0,1,0\n2026-03-09,1,0,1\n2026-03-10,\(last)\n")
    }
    _ = try shelf.bring(try habits("1,0,0"))
    let identity = try shelf.identity("Meditate")
    let newer = try habits("1,0,1")
    let grown = try shelf.bring(newer)
    #expect(grown.created.isEmpty && grown.updated == 1)
    #expect(try shelf.identity("Meditate, Run") == identity)
    try shelf.bringAgain(newer)
  }

  @Test func otherThingsOfADayStandBesideEachOther() throws {
    func days(_ name: String, _ rows: String...) throws -> URL {
      try shelf.test.folder.file(
        name, (["Date,Title"] + rows.map { "2026-03-10,\($0)" }).joined(separator: "\n") + "\n")
    }
    _ = try shelf.bring(try days("a.csv", "Tea", "Walk"))
    let more = try days("a.csv", "Walk to work", "Tea", "Walk", "Tea")
    let run = try shelf.bring(more)
    #expect(run.created == ["activity": 2] && run.updated == 0 && !run.tellsBoth)
    try shelf.bringAgain(more)
    let other = try days("b.csv", "Walk with Ann")
    #expect(try shelf.bring(other).created == ["activity": 1])
    #expect(try shelf.texts() == ["Tea", "Tea", "Walk", "Walk to work", "Walk with Ann"])
  }

  // MARK: Many rows

  @Test func thousandsOfEditedRowsAreForeseenAndImported() throws {
    func rows(_ amount: Int) throws -> URL {
      let lines = (0..<4_200).map { number in
        let (hour, minute) = (number / 60 % 24, number % 60)
        return "2026-03-0\(number / 1_440 + 1) \(hour < 10 ? "0" : "")\(hour):"
          + "\(minute < 10 ? "0" : "")\(minute),row \(number),\(amount)"
      }
      return try shelf.test.folder.file(
        "many.csv", (["Date,Title,Km"] + lines).joined(separator: "\n") + "\n")
    }
    #expect(try shelf.job().run(try rows(1)).first?.created == ["activity": 4_200])
    shelf.test.clock.advance(seconds: 60)
    let newer = try rows(2)
    let foreseen = try #require(try shelf.job().forecast(newer).runs.first)
    let edited = try #require(try shelf.job().run(newer).first)
    #expect(edited.created.isEmpty && edited.updated == 4_200)
    shelf.expect(edited, is: foreseen)
  }
}
