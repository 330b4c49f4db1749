import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Tables of any kind in the archive")
struct CSVMappingTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func job(map: String? = nil, profile: String? = nil) -> ImportJob {
    var wishes = ImportJob.Wishes()
    (wishes.map, wishes.profile) = (map, profile)
    return ImportJob(
      archive: test.archive, homeZone: test.zone, importers: ImportJob.importers(for: wishes))
  }

  private func run(
    _ name: String, _ content: String, map: String? = nil, profile: String? = nil
  ) throws -> ImportRun {
    try #require(
      try job(map: map, profile: profile).run(try test.folder.file(name, content)).first)
  }

  private func clocks(_ activity: Activity) -> [String] {
    [activity.startAt, activity.endAt].compactMap { $0 }
      .map { test.zone.wallTime(at: $0).clockText }
  }

  private let runs = """
    Date,Time,Title,Duration (min),Distance (km),Effort,Mood,Tags,Where,Shoes
    2026-03-10,07:30,Morning run,45,8.5,6,4,"sea, early",Beach,blue
    2026-03-11,,Walk,90,5,2,,,,
    2026-02-30,10:00,Never,1,1,1,1,,,

    """

  @Test func columnsAreGuessedFromTheirNamesAndValues() throws {
    let run = try run("runs.csv", runs)
    #expect(run.format == "csv" && run.created == ["activity": 2, "day": 1] && run.skipped == 1)
    #expect(run.warnings.contains { $0.place == "runs.csv:4 field “Date”" })
    let day = try test.day("2026-03-10")
    let morning = try #require(day.activities.first)
    #expect(morning.text == "Morning run" && clocks(morning) == ["07:30", "08:15"])
    #expect(morning.measurements == ["km": 8.5, "effort": 6])
    #expect(morning.tags == ["sea", "early"] && morning.locationLabel == "Beach")
    #expect(morning.description == "Shoes: blue" && morning.source == .csvImport)
    #expect(day.entry?.mood == 4)
    let walk = try #require(try test.day("2026-03-11").activities.first)
    #expect(walk.startAt == nil && walk.durationMinutes == 90)
  }

  @Test func theSameTableTwiceChangesNothingAndAnEditedRowItsEntry() throws {
    _ = try run("runs.csv", runs)
    test.clock.advance(seconds: 60)
    let again = try run("runs.csv", runs)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 3)
    let edited = try run("runs.csv", runs.replacingOccurrences(of: "8.5", with: "9"))
    #expect(edited.created.isEmpty && edited.updated == 1)
  }

  @Test func whatTheOwnerTellsGoesBeforeTheGuessAndIsKeptAsAProfile() throws {
    let first = try run(
      "a.csv", "When,Thing,Remark\n2026-03-10,Tea,Green\n",
      map: "text=Remark,ignore=Thing", profile: "drinks")
    #expect(first.created == ["activity": 1])
    #expect(try test.day("2026-03-10").activities.map(\.text) == ["Green"])
    // Another file with the same columns, in another order.
    _ = try run("b.csv", "Thing,Remark,When\nCoffee,Black,2026-03-11\n")
    #expect(try test.day("2026-03-11").activities.map(\.text) == ["Black"])
    #expect(throws: ImportRefusal.self) { try run("c.csv", "Day,x\n1,2\n", profile: "unknown") }
    #expect(throws: ImportRefusal.self) { try run("d.csv", runs, map: "text=Nothing") }
    #expect(throws: ImportRefusal.self) { try run("e.csv", runs, map: "colour=Title") }
  }

  @Test func decimalCommasAndTheOrderOfDatesAreToldByTheWholeTable() throws {
    let german = """
      Datum;Uhrzeit;Titel;Strecke (km);Gewicht (kg)
      03.04.2026;9:00;Lauf;1.234,5;70
      25.04.2026;09:30;Rad;12,25;71,5
      """
    #expect(try run("de.csv", german).created == ["activity": 2])
    let lauf = try #require(try test.day("2026-04-03").activities.first)
    #expect(lauf.measurements == ["km": 1234.5, "kg": 70])
    #expect(try test.day("2026-04-25").activities.first?.measurements["km"] == 12.25)
    let american = "Date,Title\n03/04/2026,a\n03/25/2026,b\n"
    #expect(try run("us.csv", american).warnings.count == 1)
    #expect(try test.day("2026-03-04").activities.map(\.text) == ["a"])
    let open = try run("open.csv", "Date,Title\n01/02/2025,c\n")
    #expect(open.warnings.map(\.message).contains { $0.contains("with the day or the month") })
  }

  @Test func startsEndsAndMomentsOfOtherZonesAreRead() throws {
    let table = """
      Start,End,Name
      2026-03-10T09:00:00Z,2026-03-10T10:30:00Z,zoned
      2026-03-10 22:30,2026-03-11 00:15,overnight
      1773140400,,counted
      2026-03-10 12:00,2026-03-10 11:00,backwards
      """
    let run = try run("times.csv", table)
    #expect(run.created == ["activity": 4])
    let entries = try test.day("2026-03-10").activities
    #expect(
      Dictionary(uniqueKeysWithValues: entries.map { ($0.text, clocks($0)) }) == [
        "zoned": ["10:00", "11:30"], "overnight": ["22:30", "00:15"], "counted": ["12:00"],
        "backwards": ["12:00"],
      ])
    #expect(run.warnings.map(\.message).contains { $0.contains("the end was skipped") })
  }

  @Test func whatHappenedFarAwayKeepsItsDay() throws {
    let table = """
      Start,Name
      2026-03-10T23:30:00-07:00,west
      2026-03-11 06:00:00 +0900,east
      2026-03-10 09:00:00 UTC,somewhere
      """
    #expect(try run("far.csv", table).created == ["activity": 3])
    let west = try #require(try test.day("2026-03-10").activities.first { $0.text == "west" })
    #expect(west.timeZone == "Etc/GMT+7" && west.startAt == Instant("2026-03-11T06:30:00Z"))
    let east = try #require(try test.day("2026-03-11").activities.first)
    #expect(east.text == "east" && east.timeZone == "Etc/GMT-9")
    let somewhere = try test.day("2026-03-10").activities.first { $0.text == "somewhere" }
    #expect(somewhere?.timeZone == test.zone.identifier)
  }

  @Test func aRowWithoutAStartStandsOnItsDay() throws {
    let table = """
      day,start,title
      2026-03-10,2026-03-10T09:00:00Z,timed
      2026-03-11,,all day
      """
    #expect(try run("days.csv", table).created == ["activity": 2])
    let entry = try #require(try test.day("2026-03-11").activities.first)
    #expect(entry.text == "all day" && entry.startAt == nil)
  }

  @Test func datesAreNoNumbersAndClocksBelongToTheirDates() throws {
    let table = """
      Beschreibung;Startdatum;Startzeit;Enddatum;Endzeit;Gekauft;Zahl
      Lauf;24.03.2026;23:30;25.03.2026;00:30;01.02.2026;1.234.567
      """
    #expect(try run("de.csv", table).created == ["activity": 1])
    let entry = try #require(try test.day("2026-03-24").activities.first)
    #expect(clocks(entry) == ["23:30", "00:30"])
    #expect(entry.measurements == ["zahl": 1_234_567])
    #expect(entry.description == "Gekauft: 01.02.2026")
  }

  @Test(arguments: [
    ("runs.csv", "Date,Time,Title\n2026-03-10,07:30,Run\n"),
    (
      "toggl.csv",
      "User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,"
        + "End time,Duration,Tags\nAda,a@b.example,,,,Run,No,2026-03-10,07:30:00,2026-03-10,"
        + "08:00:00,00:30:00,\n"
    ),
  ])
  func aJourneyMovesNoEntryThatCameInBefore(name: String, table: String) throws {
    let file = try test.folder.file(name, table)
    _ = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
    let there = try #require(Zone("America/New_York"))
    let run = try ImportJob(archive: test.archive, homeZone: there).run(file).first
    #expect(run?.created.isEmpty == true && run?.updated == 0 && run?.unchanged == 1)
    let entry = try #require(try test.day("2026-03-10").activities.first)
    #expect(entry.timeZone == test.zone.identifier && clocks(entry).first == "07:30")
  }

  @Test func aRowThatIsNoVersionOfAnEntryStandsBesideIt() throws {
    _ = try run("one.csv", "time,amount,text\n2026-03-10 09:00,5,Bakery\n")
    let edited = try run("one.csv", "time,amount,text\n2026-03-10 09:00,5,Bakery and tea\n")
    #expect(edited.updated == 1 && !edited.warnings.contains { $0.message.contains("became") })
    let other = try run("two.csv", "time,amount,text\n2026-03-10 09:00,700,Rent\n")
    #expect(other.created == ["activity": 1] && other.updated == 0)
    #expect(
      other.warnings.contains {
        $0.place == "two.csv:2" && $0.message.hasPrefix("“Rent” starts at the same time")
      })
    #expect(
      try test.day("2026-03-10").activities.map(\.text).sorted() == ["Bakery and tea", "Rent"])
  }

  @Test func numbersThatNameSomethingAreNoAmounts() throws {
    let table = """
      Date Read,Title,Book Id,ISBN13,orderID,Pages,Paid
      2026-03-10,The Waves,46114,9780156949606,77,297,8.5
      """
    #expect(try run("books.csv", table).created == ["activity": 1])
    let entry = try #require(try test.day("2026-03-10").activities.first)
    #expect(entry.measurements == ["pages": 297, "paid": 8.5])
    #expect(entry.description == "Book Id: 46114\nISBN13: 9780156949606\norderID: 77")
  }

  @Test func aTableThatTellsNoDayIsRefusedWithWhatToDo() throws {
    let file = try test.folder.file("words.csv", "Colour,Size\nred,big\n")
    let refusal = #expect(throws: ImportRefusal.self) { try job().run(file) }
    #expect(refusal?.message.contains("--map") == true)
    #expect(throws: ImportRefusal.self) { try run("none.csv", "2026-03-10,5\n2026-03-11,6\n") }
    #expect(throws: ImportRefusal.self) { try run("empty.csv", "") }
  }

  @Test(arguments: [
    ("Date,Title\n2026-03-10,Tea, with milk\n", "“with milk”"),
    ("Date,Title,\n2026-03-10,Tea,cup\n", "“cup”"),
  ])
  func cellsOfNoColumnAreTold(text: String, cell: String) throws {
    let test = try TestArchive()
    let file = try test.folder.file("table.csv", text)
    let runs = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
    #expect(try test.day("2026-03-10").activities.map(\.text) == ["Tea"])
    let told = runs.flatMap(\.warnings).filter { $0.message.hasPrefix(cell) }
    #expect(told.map(\.place) == ["table.csv:2"])
  }

  @Test func damagedTablesComeInAsFarAsTheyCanBeRead() throws {
    let bytes = Array(("\u{FEFF}" + runs).utf8)
    for end in stride(from: 0, through: bytes.count, by: 23) {
      let file = try test.folder.file("cut.csv", Data(bytes[..<end]))
      _ = try? job().run(file)
    }
    let latin = Data("Date,Title\n2026-03-12,Caf".utf8) + Data([0xE9, 0x0A])
    let file = try test.folder.file("latin.csv", latin)
    let run = try #require(try job().run(file).first)
    #expect(run.warnings.map(\.message).contains { $0.contains("Windows-1252") })
    #expect(try test.day("2026-03-12").activities.map(\.text) == ["Café"])
    // An ID that two rows share identifies neither.
    let ids = try self.run("ids.csv", "ID,Date,Title\n1,2026-03-13,a\n1,2026-03-13,b\n,,\n")
    #expect(ids.created == ["activity": 2] && ids.skipped == 0)
  }

  // MARK: What would happen

  @Test func aForecastTellsWhatAnImportDoesAndLeavesNothing() throws {
    _ = try run("runs.csv", runs)
    let walk = try #require(try test.day("2026-03-11").activities.first)
    _ = try test.archive.updateActivity(walk.id) { $0.notes = "mine" }
    let lines = try ExportJob(archive: test.archive).lines()
    let edited = runs.replacingOccurrences(of: "Walk,90", with: "Walk,95")
      .replacingOccurrences(of: "8.5", with: "9")
    let file = try test.folder.file(
      "runs.csv", edited + "2026-03-13,08:00,Swim,30,1,3,,,,\n2026-03-13,08:00,Swim,30,1,3,,,,\n")
    let (forecasts, notes) = try job().forecast(file)
    let forecast = try #require(forecasts.first)
    #expect(notes.isEmpty && forecast.created == ["activity": 2] && forecast.updated == 1)
    #expect(forecast.kept == 1 && forecast.unchanged == 2 && forecast.skipped == 1)
    #expect(forecast.firstDay?.description == "2026-03-10")
    #expect(forecast.lastDay?.description == "2026-03-13")
    #expect(Set(forecast.examples.map(\.standing)) == [.new, .changed, .kept])
    #expect(forecast.table?.mapping.columns.first?.words == "date")
    #expect(forecast.table?.examples.first?.first == "2026-03-10")
    #expect(try ExportJob(archive: test.archive).lines() == lines)
    #expect(try test.archive.importRuns().count == 1)
    // And the import does just that.
    let run = try #require(try job().run(file).first)
    #expect(run.created == forecast.created && run.updated == forecast.updated)
    #expect(run.unchanged == forecast.unchanged && run.skipped == forecast.skipped)
  }

  @Test func aForecastAfterAnUndoLeavesWhatWasUndoneAsItIs() throws {
    let run = try run("runs.csv", runs)
    let change = try test.archive.importRun(matching: run.id.uuidString).changeID
    let undone = try test.archive.undo(change)
    let file = try test.folder.file("runs.csv", runs)
    let forecast = try #require(try job().forecast(file).runs.first)
    #expect(forecast.created == ["activity": 2, "day": 1])
    _ = try test.archive.undo(undone.change.id)
    #expect(try test.day("2026-03-10").activities.count == 1)
  }

  // MARK: Mixed archives

  private let daylio = """
    full_date,date,weekday,time,mood,activities,note_title,note
    2026-03-08,March 8,Sunday,9:00,good,"read","",""
    """

  @Test func aZipArchiveOfMixedThingsIsWalkedThrough() throws {
    var inner = TestZip()
    inner.add("2026-03-06.md", Data("From an archive in an archive".utf8))
    var zip = TestZip()
    zip.add("mixed/daylio.csv", Data(daylio.utf8))
    zip.add("mixed/notes/2026-03-07.md", Data("A page".utf8))
    zip.add("mixed/runs.csv", Data(runs.utf8))
    zip.add("mixed/read.me", Data("?".utf8))
    zip.add("__MACOSX/._read.me", Data("?".utf8))
    zip.add("../outside.md", Data("no".utf8))
    zip.add("mixed/inner.zip", try inner.data())
    zip.addLink("mixed/2026-03-05.md", to: "/etc/passwd")
    let file = try test.folder.file("life.zip", try zip.data())
    let account = try job().run(file)
    #expect(Set(account.map(\.format)) == ["daylio", "markdown", "csv"])
    #expect(try test.day("2026-03-07").entry?.note == "A page")
    #expect(try test.day("2026-03-06").entry?.note == "From an archive in an archive")
    #expect(try test.day("2026-03-05").entry == nil)
    let told = account.flatMap(\.warnings)
    #expect(told.contains { $0.place == "life.zip/mixed/read.me" })
    #expect(told.contains { $0.message.contains("with unsafe names") })
    #expect(!told.contains { $0.place.contains("__MACOSX") })
    let again = try job().run(file)
    #expect(again.allSatisfy { $0.created.isEmpty && $0.updated == 0 })
  }

  @Test func archivesThatCannotBeWalkedAreRefusedWithTheReason() throws {
    var zip = TestZip([("2026-03-07.md", Data("secret".utf8))])
    zip.password = "x"
    let locked = try test.folder.file("locked.zip", try zip.data())
    let refusal = #expect(throws: ImportRefusal.self) { try job().run(locked) }
    #expect(refusal?.message.contains("encrypted") == true)
    // What grows a thousandfold is made to fill the disk.
    let bomb = TestZip([("2026-03-07.md", Data(count: 8 << 20))])
    let grown = try ZipFile(try test.folder.file("bomb.zip", try bomb.data()))
    let walk = ZipWalk(grown, named: "bomb.zip", smallSize: 1 << 20)
    let target = test.folder.url.appendingPathComponent("unpacked")
    #expect(throws: ImportRefusal.self) { try walk.unpack(into: target) }
    let other = TestZip([("a.bin", Data([0, 1, 2]))])
    let unknown = try test.folder.file("unknown.zip", try other.data())
    #expect(throws: ImportRefusal.self) { try job().run(unknown) }
  }
}
