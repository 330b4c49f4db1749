import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Entries of one moment, and those that were named otherwise before")
struct FormerNameTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(
    _ path: URL, _ importers: [any Importer] = ImportJob.formats, in zone: Zone? = nil
  ) throws -> ImportRun {
    test.clock.advance(seconds: 60)
    return try #require(
      try ImportJob(
        archive: test.archive, homeZone: zone ?? test.zone, importers: importers, readsAgain: true
      ).run(path).first)
  }

  private func texts(_ day: String = "2026-03-10") throws -> [String] {
    try test.day(day).activities.map(\.text).sorted()
  }

  /// Gives what came in the names that imports gave before.
  private func rename(_ name: (String) -> String) throws {
    for var activity in try test.day("2026-03-10").activities {
      for index in activity.externalRefs.indices {
        activity.externalRefs[index].externalID = name(activity.externalRefs[index].externalID)
      }
      activity.updatedAt = test.clock.now
      let renamed = activity
      _ = try test.archive.write(by: .importer, "import", "Imported before") {
        try $0.update(renamed, reason: .import)
      }
    }
  }

  // MARK: Lines of vaults

  private func vault(_ name: String, _ line: String) throws -> ImportRun {
    _ = try test.folder.file("\(name)/.obsidian/app.json", "{}")
    let page = try test.folder.file("\(name)/2026-03-10.md", "A day\n- 09:30 \(line)\n")
    return try run(
      page.deletingLastPathComponent(), [MarkdownFolderImporter(takesTimedLines: true)])
  }

  @Test func linesOfTheSameMinuteInTwoVaultsStandBesideEachOther() throws {
    _ = try vault("Home", "coffee")
    for number in 1...2 {
      #expect(try vault("Work", "standup").created == (number == 1 ? ["activity": 1] : [:]))
      let home = try vault("Home", "coffee")
      #expect(home.created.isEmpty && home.updated == 0)
      #expect(try texts() == ["coffee", "standup"])
    }
    #expect(try vault("Work", "standup with Bo").updated == 1)
    // Packed once more or renamed, a vault brings nothing twice.
    #expect(try vault("Work 2", "standup with Bo").created.isEmpty)
    #expect(try texts() == ["coffee", "standup with Bo"])
  }

  @Test func linesThatCameInBeforeVaultsWereToldAreKnown() throws {
    _ = try vault("Home", "coffee")
    try rename { String($0.prefix { $0 != "@" }) }
    #expect(try vault("Home", "coffee").created.isEmpty)
    #expect(try vault("Work", "standup").created == ["activity": 1])
    let edited = try vault("Home", "coffee with Sam")
    #expect(edited.created.isEmpty && edited.updated == 1)
    #expect(try texts() == ["coffee with Sam", "standup"])
  }

  @Test func aLineThatItsOwnerDeletedStaysAwayUnderItsNewName() throws {
    _ = try vault("Home", "coffee")
    try rename { String($0.prefix { $0 != "@" }) }
    _ = try test.archive.deleteActivities(
      try test.day("2026-03-10").activities.map(\.id))
    #expect(try vault("Home", "coffee").created.isEmpty)
    #expect(try texts().isEmpty)
  }

  // MARK: Rows of tables

  private func table(_ rows: String) throws -> URL {
    try test.folder.file("times.csv", "start,title\n\(rows)")
  }

  private let rows = "2026-03-10T09:00:00Z,tea\n2026-03-10T13:00:00Z,walk\n"

  @Test(arguments: [false, true])
  func rowsOfAMomentAreTheSameWhereverHomeIs(cameBefore: Bool) throws {
    _ = try run(try table(rows))
    if cameBefore {
      // At home it was 10:00 and 14:00.
      try rename {
        $0.replacingOccurrences(of: "/at/2026-03-10T09:00:00Z", with: "/2026-03-10T10:00:00")
          .replacingOccurrences(of: "/at/2026-03-10T13:00:00Z", with: "/2026-03-10T14:00:00")
      }
    }
    // There it was 10:00 at what is the second row’s 14:00 at home.
    let there = try #require(Zone("America/Halifax"))
    let away = try run(try table(rows + "2026-03-10T17:00:00Z,supper\n"), in: there)
    #expect(away.created == ["activity": 1] && away.updated == 0 && away.unchanged == 2)
    let edited = try run(try table(rows.replacing("walk", with: "long walk")), in: there)
    #expect(edited.created.isEmpty && edited.updated == 1)
    let back = try run(try table(rows.replacing("walk", with: "long walk")))
    #expect(back.created.isEmpty && back.updated == 0)
    #expect(try texts() == ["long walk", "supper", "tea"])
    let zones = try test.day("2026-03-10").activities.map(\.timeZone)
    #expect(zones.count { $0 == test.zone.identifier } == 2)
  }

  // MARK: Numbers among equals

  private func toggl(_ words: [String]) throws -> ImportRun {
    let rows = words.map { "Ada,,\($0),2026-03-10,07:30:00,00:30:00" }
    let head = "User,Project,Description,Start date,Start time,Duration"
    return try run(
      try test.folder.file("toggl.csv", ([head] + rows).joined(separator: "\n") + "\n"))
  }

  @Test func aRowThatIsGoneFromItsSourcePushesNoOthersTogether() throws {
    #expect(try toggl(["letters", "calls"]).created == ["activity": 2])
    let gone = try toggl(["calls"])
    #expect(gone.created.isEmpty && gone.updated == 0 && gone.unchanged == 1)
    let turned = try toggl(["calls", "letters"])
    #expect(turned.created.isEmpty && turned.updated == 0 && turned.unchanged == 2)
    let edited = try toggl(["calls", "long letters"])
    #expect(edited.created.isEmpty && edited.updated == 1 && edited.skipped == 0)
    #expect(try toggl(["calls", "long letters"]).updated == 0)
    #expect(try toggl(["calls", "long letters", "post"]).created == ["activity": 1])
    #expect(try texts() == ["calls", "long letters", "post"])
  }
}
