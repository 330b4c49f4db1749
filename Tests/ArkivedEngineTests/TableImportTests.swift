import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Tables of Daylio, Toggl and Loop in the archive")
struct TableImportTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(_ name: String, _ content: String) throws -> ImportRun {
    try run(name, Data(content.utf8))
  }

  private func run(_ name: String, _ content: Data) throws -> ImportRun {
    try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone)
        .run(try test.folder.file(name, content)).first)
  }

  private func day(_ day: String) throws -> Day { try test.day(day) }

  private func clocks(_ activity: Activity) -> [String] {
    [activity.startAt, activity.endAt].compactMap { $0 }
      .map { test.zone.wallTime(at: $0).description }
  }

  // MARK: Daylio

  /// The columns and the forms of time of the app's exports since 2020.
  private let daylio = """
    full_date,date,weekday,time,mood,activities,note_title,note
    2026-03-10,March 10,Tuesday,6:50 pm,good,"run | friends","A long run","With ""Sam""<br>and <b>cake</b>"
    2026-03-10,March 10,Tuesday,14:58,rad,"","",""
    2026-03-09,March 9,Monday,9:00\u{202F}p.m.,wistful,"read","","One line"

    """

  @Test func daylioEntriesBecomeActivitiesAndDaysGetTheirMood() throws {
    let run = try run("daylio_export.csv", daylio)
    #expect(run.format == "daylio" && run.created == ["activity": 3, "day": 1])
    #expect(run.warnings.map(\.message).contains { $0.contains("“wistful” is (1 entry)") })
    let tenth = try day("2026-03-10")
    #expect(tenth.entry?.mood == 5)
    let entries = tenth.activities
    #expect(entries.map(\.text) == ["Felt rad", "A long run"])
    #expect(entries.map(clocks) == [["2026-03-10T14:58:00"], ["2026-03-10T18:50:00"]])
    #expect(entries[1].notes == "With \"Sam\"\nand **cake**")
    #expect(entries[1].tags.sorted() == ["friends", "run"])
    #expect(entries[1].description == "Mood: good" && entries[1].source == .daylioImport)
    let ninth = try day("2026-03-09")
    #expect(ninth.entry == nil && ninth.activities.map(\.text) == ["One line"])
    #expect(ninth.activities.map(clocks) == [["2026-03-09T21:00:00"]])
  }

  @Test func dayliosScalesAreAmountsAndColumnsOfNobodyAreTold() throws {
    // The columns of the app's exports in 2026, and one of a later day.
    let text = """
      full_date,date,weekday,time,mood,activities,scales,note_title,note,aura
      2026-03-10,10. März,Dienstag,18:50,good,"run","Sleep quality:\u{A0}7 | Pain:\u{A0}2,5 | Air:\u{A0}humid | Dizzy","","",blue

      """
    let run = try run("daylio_export.csv", text)
    #expect(run.warnings.map(\.message) == ["skipped columns: “aura”"])
    let entry = try #require(try day("2026-03-10").activities.first)
    #expect(entry.measurements == ["Sleep quality": 7, "Pain": 2.5])
    #expect(entry.description == "Mood: good, Air: humid, Dizzy")
  }

  @Test func dayliosTimesAreThoseOfPhonesInManyLanguages() throws {
    let times = ["下午6:50", "오후 6:50", "6:50 م", "6:50 PTG", "18.50"]
    let rows = times.enumerated().map { index, time in
      "2026-03-1\(index),1\(index) Mar,Day,\(time),good,run,\"\",\"\"\n"
    }
    let run = try run(
      "daylio_export.csv",
      "full_date,date,weekday,time,mood,activities,note_title,note\n" + rows.joined())
    #expect(run.warnings.isEmpty, "\(run.warnings)")
    for index in times.indices {
      let entry = try #require(try day("2026-03-1\(index)").activities.first)
      #expect(clocks(entry) == ["2026-03-1\(index)T18:50:00"], "\(times[index])")
    }
  }

  @Test func aNameThatIsTooLongForATagLosesNoEntry() throws {
    let long = String(repeating: "x", count: 201)
    let mood = try run(
      "daylio_export.csv",
      "full_date,date,weekday,time,mood,activities,note_title,note\n"
        + "2026-03-10,March 10,Tuesday,18:50,good,\"run | \(long)\",\"A run\",\"\"\n")
    let work = try run(
      "toggl.csv",
      "User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,"
        + "End time,Duration,Tags\n"
        + "Ada,a@example.org,,\(long),,Plan,No,2026-03-09,09:00:00,2026-03-09,10:00:00,"
        + "01:00:00,green\n")
    for run in [mood, work] {
      #expect(run.created["activity"] == 1 && run.skipped == 0)
      #expect(run.warnings.map(\.message).filter { $0.hasPrefix("skipped the tag") }.count == 1)
    }
    #expect(try day("2026-03-10").activities.map(\.tags) == [["run"]])
    let plan = try #require(try day("2026-03-09").activities.first)
    #expect(plan.tags == ["green"] && plan.description == "Project: \(long)")
    _ = try test.folder.file(
      "loop/Habits.csv",
      "Position,Name,Question,Description,NumRepetitions,Interval,Color\n"
        + "001,\(long),,,1,1,#FF8F00\n")
    _ = try test.folder.file("loop/001 x/Checkmarks.csv", "2026-03-08,2\n")
    _ = try ImportJob(archive: test.archive, homeZone: test.zone)
      .run(test.folder.url.appending(path: "loop"))
    #expect(try day("2026-03-08").activities.map(\.text) == [long])
    #expect(try day("2026-03-08").activities.map(\.tags) == [[]])
    let card = try run(
      "card.vcf",
      "BEGIN:VCARD\nVERSION:3.0\nUID:1\nFN:Ann Lee\nNOTE:met in Rome\n"
        + "CATEGORIES:friends,\(long)\nEND:VCARD\n")
    #expect(card.skipped == 0)
    #expect(try test.archive.notes(NoteFilter()).map(\.tags) == [["friends"]])
  }

  @Test func togglsAmountsHaveTheirCurrency() throws {
    for (column, told) in [("Amount (EUR)", "Amount: 150.00 EUR"), ("Amount ()", "Amount: 150.00")]
    {
      let test = try TestArchive()
      let file = try test.folder.file(
        "toggl.csv",
        """
        User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags,\(column)
        Ann,a@x.org,,House,,paint,No,2026-03-10,09:00:00,2026-03-10,10:00:00,01:00:00,,150.00

        """)
      let run = try ImportJob(archive: test.archive, homeZone: test.zone).run(file)
      #expect(run.flatMap(\.warnings) == [])
      #expect(try test.day("2026-03-10").activities.first?.description == told)
    }
  }

  @Test func theSameFileTwiceChangesNothingAndAnEditedRowItsEntry() throws {
    _ = try run("a.csv", daylio)
    test.clock.advance(seconds: 60)
    let second = try run("a.csv", daylio)
    #expect(second.created.isEmpty && second.updated == 0 && second.unchanged == 4)
    let third = try run("a.csv", daylio.replacingOccurrences(of: "One line", with: "Two lines"))
    #expect(third.created.isEmpty && third.updated == 1)
    #expect(try day("2026-03-09").activities.map(\.text) == ["Two lines"])
  }

  @Test func aDayKeepsTheNoteAndTheMoodThatItHas() throws {
    var entry = DayEntry(
      id: test.archive.identities.next(), dayKey: try #require(DayKey("2026-03-10")),
      note: "Mine", createdAt: test.clock.now, updatedAt: test.clock.now)
    let note = entry
    _ = try test.archive.write(by: .owner, "note", "A note") { try $0.insert(note) }
    let run = try run("a.csv", daylio)
    #expect(run.updated == 1)
    entry = try #require(try day("2026-03-10").entry)
    #expect(entry.note == "Mine" && entry.mood == 5)
    let worse = daylio.replacingOccurrences(of: "rad,\"\"", with: "awful,\"\"")
    _ = try self.run("a.csv", worse)
    #expect(try day("2026-03-10").entry?.mood == 5)
    let change = try test.archive.importRun(matching: run.id.uuidString).changeID
    _ = try test.archive.undo(change)
    entry = try #require(try day("2026-03-10").entry)
    #expect(entry.note == "Mine" && entry.mood == nil)
    // What was undone may come again; what the owner cleared may not.
    _ = try self.run("a.csv", daylio)
    #expect(try day("2026-03-10").entry?.mood == 5)
    _ = try test.archive.updateDay(entry.dayKey) { $0.mood = nil }
    _ = try self.run("a.csv", worse)
    #expect(try day("2026-03-10").entry?.mood == nil)
  }

  @Test func theOldestFormOfDayliosDatesIsRead() throws {
    let run = try run(
      "old.csv",
      """
      year,date,weekday,time,mood,activities,note
      2018,18 May,Friday,11:54 pm,good,"clean | cook",""
      2018,Mai 17,Donnerstag,10:00,good,"",""
      """)
    #expect(run.created == ["activity": 1, "day": 1] && run.skipped == 1)
    #expect(run.warnings.first?.place == "old.csv:3 field “full_date”")
    #expect(try day("2018-05-18").activities.map(\.text) == ["clean, cook"])
  }

  // MARK: Toggl

  private let toggl = """
    User,Email,Client,Project,Task,Description,Billable,Start date,Start time,End date,End time,Duration,Tags
    Ada,ada@example.org,Brick & Co,Website,,Pricing page,Yes,2026-03-10,09:15:00,2026-03-10,10:45:00,01:30:00,"deep, writing"
    Ada,ada@example.org,,Website,Review,,No,2026-03-10,23:30:00,2026-03-11,00:15:00,00:45:00,

    """

  @Test func togglsTimeBecomesActivitiesWithTheirLength() throws {
    // Toggl writes a byte order mark.
    let run = try run("toggl.csv", Data([0xEF, 0xBB, 0xBF]) + Data(toggl.utf8))
    #expect(run.format == "toggl" && run.created == ["activity": 2])
    #expect(run.warnings.isEmpty)
    let entries = try day("2026-03-10").activities
    #expect(entries.map(\.text) == ["Pricing page", "Review"])
    #expect(
      entries.map(clocks) == [
        ["2026-03-10T09:15:00", "2026-03-10T10:45:00"],
        ["2026-03-10T23:30:00", "2026-03-11T00:15:00"],
      ])
    #expect(entries[0].tags.sorted() == ["Website", "deep", "writing"])
    #expect(entries[0].description == "Client: Brick & Co, Billable")
    #expect(entries.allSatisfy { $0.kind == .work && $0.source == .togglImport })
    let mended = toggl.replacingOccurrences(of: "Pricing page", with: "Prices")
    let again = try self.run("toggl.csv", mended)
    #expect(again.created.isEmpty && again.updated == 1 && again.unchanged == 1)
  }

  @Test func togglsNewerReportsCallTheEndAStop() throws {
    let header = "Description,Duration,Member,Project,Start date,Start time,Stop date,Stop time\n"
    let run = try run(
      "toggl.csv",
      header + "Deploy,26:00:00,Ada,Site,2026-03-10,09:00:00,2026-03-11,11:00:00\n"
        + "Review,,Ada,Site,2026-03-12,23:30:00,2026-03-13,00:15:00\n")
    #expect(run.format == "toggl" && run.warnings.isEmpty, "\(run.warnings)")
    #expect(
      try day("2026-03-10").activities.map(clocks) == [
        ["2026-03-10T09:00:00", "2026-03-11T11:00:00"]
      ])
    #expect(
      try day("2026-03-12").activities.map(clocks) == [
        ["2026-03-12T23:30:00", "2026-03-13T00:15:00"]
      ])
    // A report of few columns is like any table.
    let short = try self.run(
      "short.csv",
      "Description,Tags,Start date,Start time,Stop date,Stop time\n"
        + "Watch,,2026-03-08,09:00:00,2026-03-09,11:00:00\n")
    #expect(short.format == "csv")
    let watch = try #require(try day("2026-03-08").activities.first)
    #expect(clocks(watch) == ["2026-03-08T09:00:00", "2026-03-09T11:00:00"])
    #expect(watch.description == nil)
  }

  @Test func theOtherDatesOfATableTellTheOrderOfOne() throws {
    let header = "Description;Start date;Start time;Duration;Project\r\n"
    let told = try run(
      "a.csv", header + "a;03/04/2026;9:00 AM;0:30:00;\r\nb;03/25/2026;1:00 PM;0:30:00;\r\n")
    #expect(told.created == ["activity": 2] && told.warnings.isEmpty)
    #expect(try day("2026-03-04").activities.map(\.text) == ["a"])
    #expect(
      try day("2026-03-25").activities.map(clocks) == [
        ["2026-03-25T13:00:00", "2026-03-25T13:30:00"]
      ])
    let open = try run("b.csv", header + "c;01/02/2025;09:00;0:30:00;\r\n")
    #expect(open.warnings.map(\.message).contains { $0.contains("were read with the") })
  }

  @Test func badRowsAreLeftOutByTheirLine() throws {
    let run = try run(
      "bad.csv",
      """
      Description,Start date,Start time,Duration,Project
      "two
      lines",2026-03-10,09:00,0:10,
      none,2026-02-30,09:00,0:10,
      late,2026-03-10,25:00,0:10,
      short,2026-03-10,10:00,,
      "open,2026-03-10,11:00,0:10,
      lost,2026-03-10,12:00,0:10,
      """)
    #expect(run.created == ["activity": 2])
    #expect(
      run.warnings.map(\.place) == [
        "bad.csv:4 field “Start date”", "bad.csv:5 field “Start time”", "bad.csv:6", "bad.csv:7",
      ])
    #expect(try day("2026-03-10").activities.map(\.text) == ["two\nlines", "short"])
  }

  @Test func otherTablesAreNotTaken() throws {
    for content in ["a,b\n1,2\n", "date,time\n2026-03-10,09:00\n", "Start date\n", ""] {
      #expect(throws: ImportRefusal.self) { try run("other.csv", content) }
    }
  }

  @Test func aTableCutAnywhereNeverStopsTheProgram() throws {
    let bytes = Data(daylio.utf8)
    for end in stride(from: 60, to: bytes.count, by: 7) {
      let test = try TestArchive()
      let url = try test.folder.file("cut.csv", bytes.prefix(end))
      let run = try? ImportJob(archive: test.archive, homeZone: test.zone).run(url).first
      #expect((run?.created["activity"] ?? 0) <= 3)
    }
  }

  // MARK: Loop

  /// As the exporter of version 2.2 writes it.
  private func loop(in folder: String, run amount: String = "5200") throws -> URL {
    _ = try test.folder.file(
      "\(folder)/Habits.csv",
      """
      Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?
      001,Wake up early,YES_NO,Did you wake up early?,,1,1,#FF8F00,,,,false
      002,Run,NUMERICAL,How far?,,1,1,#FF8F00,km,AT_LEAST,5.0,false
      """)
    _ = try test.folder.file(
      "\(folder)/001 Wake up early/Checkmarks.csv",
      "Date,Value,Notes\n2026-03-10,YES_MANUAL,\"at 6, with tea\"\n2026-03-09,YES_AUTO,\n"
        + "2026-03-08,2,\n2026-03-07,NO,\n2026-03-32,YES_MANUAL,\n2026-03-06,MAYBE,\n")
    _ = try test.folder.file(
      "\(folder)/002 Run/Checkmarks.csv", "Date,Value,Notes\n2026-03-10,\(amount),\n2026-03-09,0,\n"
    )
    _ = try test.folder.file("\(folder)/Checkmarks.csv", "Date,Wake up early,Run,\n")
    _ = try test.folder.file("\(folder)/002 Run/Scores.csv", "Date,Score\n")
    return test.folder.url.appending(path: folder)
  }

  @Test func habitsThatWereKeptBecomeActivities() throws {
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    let run = try #require(try job.run(try loop(in: "loop")).first)
    #expect(run.format == "loop" && run.created == ["activity": 3])
    #expect(
      run.warnings.map(\.place) == [
        "001 Wake up early/Checkmarks.csv:6 field “Date”",
        "001 Wake up early/Checkmarks.csv:7 field “Value”",
      ])
    let tenth = try day("2026-03-10").activities.sorted { $0.text < $1.text }
    #expect(tenth.map(\.text) == ["Run", "Wake up early"])
    #expect(tenth[0].measurements == ["km": 5.2] && tenth[0].startAt == nil)
    #expect(tenth[1].notes == "at 6, with tea" && tenth[1].tags == ["Wake up early"])
    #expect(try day("2026-03-08").activities.count == 1)
    let again = try #require(try job.run(try loop(in: "loop", run: "6000")).first)
    #expect(again.created.isEmpty && again.updated == 1 && again.unchanged == 2)
  }

  /// As versions 1.7 to 2.1 write it: no row names the columns of the marks, and the list does not say
  /// which habits count.
  @Test func marksWithoutNamesOfTheirColumnsAreAllRead() throws {
    _ = try test.folder.file(
      "old/Habits.csv",
      "Position,Name,Question,Description,NumRepetitions,Interval,Color\n"
        + "001,Wake up early,Up at 6?,,1,1,#FF8F00\n002,Run,,,1,1,#FF8F00\n")
    _ = try test.folder.file(
      "old/001 Wake up early/Checkmarks.csv", "2026-03-10,2\n2026-03-09,1\n2026-03-08,2\n")
    _ = try test.folder.file("old/002 Run/Checkmarks.csv", "2026-03-10,5200\n2026-03-09,0\n")
    let run = try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone)
        .run(test.folder.url.appending(path: "old")).first)
    #expect(run.format == "loop" && run.created == ["activity": 3] && run.warnings.isEmpty)
    let tenth = try day("2026-03-10").activities.sorted { $0.text < $1.text }
    #expect(tenth.map(\.text) == ["Run", "Wake up early"])
    #expect(tenth[0].measurements == ["Run": 5.2] && tenth[1].measurements.isEmpty)
    #expect(tenth[1].description == "Up at 6?")
    #expect(try day("2026-03-08").activities.map(\.text) == ["Wake up early"])
  }

  @Test func aNoteOnADayWithoutTheHabitIsKept() throws {
    let folder = try loop(in: "loop")
    _ = try test.folder.file(
      "loop/001 Wake up early/Checkmarks.csv",
      "Date,Value,Notes\n2026-03-10,NO,ill\n2026-03-09,SKIP,travelling\n2026-03-08,NO,\n")
    let run = try ImportJob(archive: test.archive, homeZone: test.zone).run(folder)
    #expect(run.map(\.created) == [["activity": 3]])
    let ill = try #require(try day("2026-03-10").activities.first { $0.notes == "ill" })
    #expect(ill.text == "Wake up early: not done" && ill.tags.isEmpty && ill.measurements.isEmpty)
    #expect(try day("2026-03-09").activities.map(\.notes) == ["travelling"])
  }

  @Test func theZipOfHabitsGivesTheSame() throws {
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    let folder = try loop(in: "loop")
    let zip = test.folder.url.appending(path: "Loop Habits CSV 2026-03-14.zip")
    let packing = Process()
    packing.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    packing.arguments = ["-m", "zipfile", "-c", zip.path, folder.path + "/"]
    try packing.run()
    packing.waitUntilExit()
    try #require(packing.terminationStatus == 0)
    #expect(try job.run(zip).first?.created == ["activity": 3])
    let again = try #require(try job.run(folder).first)
    #expect(again.created.isEmpty && again.unchanged == 3)
  }
}
