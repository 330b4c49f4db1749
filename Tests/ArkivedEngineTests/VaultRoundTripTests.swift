import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("A vault that Arkived wrote, read by another archive")
struct VaultRoundTripTests {
  private let test: TestArchive
  private let other: TestArchive

  init() throws {
    test = try TestArchive()
    other = try TestArchive()
  }

  private var vault: URL { test.folder.url.appendingPathComponent("vault") }

  /// Writes the vault and reads it into the other archive.
  @discardableResult
  private func bringOver() throws -> ImportRun {
    _ = try ExportJob(archive: test.archive).writeMarkdown(to: vault)
    return try readAgain()
  }

  private func readAgain() throws -> ImportRun {
    try #require(
      try ImportJob(
        archive: other.archive, homeZone: other.zone,
        importers: [MarkdownFolderImporter(takesTimedLines: true)]
      ).run(vault).first)
  }

  private func page(_ day: String) throws -> String {
    try String(contentsOf: vault.appendingPathComponent("2026/\(day).md"), encoding: .utf8)
  }

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  private func add(_ text: String, _ edit: (inout Activity) throws -> Void) throws {
    var activity = try test.activity(text, on: "2026-03-09")
    try edit(&activity)
    try test.archive.add(activity)
  }

  /// An instant in the home zone.
  private func instant(_ day: String, _ hour: Int, _ minute: Int = 0) throws -> Instant {
    test.zone.instant(of: WallTime(day: try self.day(day), hour: hour, minute: minute))
  }

  @Test func everyKindOfTimeComesBack() throws {
    for (text, last) in [("conference", "2026-03-12"), ("holiday", "2026-03-10")] {
      try add(text) {
        $0.startAt = try instant("2026-03-09", 0)
        $0.endAt = try instant(last, 0)
      }
    }
    try add("yoga") {
      $0.startAt = try instant("2026-03-09", 5)
      $0.dayPeriod = .morning
    }
    let parts: [(String, Int, DayPeriod)] = [("film", 21, .night), ("nap", 15, .afternoon)]
    for (text, hour, period) in parts {
      try add(text) {
        $0.startAt = try instant("2026-03-09", hour)
        $0.dayPeriod = period
      }
    }
    try add("packed") { $0.endAt = try instant("2026-03-09", 13) }
    try add("slept") {
      $0.startAt = try instant("2026-03-08", 23, 50)
      $0.endAt = try instant("2026-03-09", 7, 10)
    }
    try add("on the ferry") {
      $0.startAt = try instant("2026-03-09", 9)
      $0.endAt = try instant("2026-03-11", 17)
    }
    try add("-5 °C outside") { $0.startAt = try instant("2026-03-09", 8) }
    // Words that look like a time or a task.
    for text in ["12:30 train was late", "morning run", "[ ] milk", "*all day* in bed"] {
      try add(text) { _ in }
    }
    let run = try bringOver()
    #expect(run.skipped == 0)
    let (before, after) = (try test.day("2026-03-09"), try other.day("2026-03-09"))
    func times(_ day: Day) -> [String] {
      day.activities.map {
        "\($0.text) | \($0.startAt?.description ?? "") | \($0.endAt?.description ?? "") | "
          + "\($0.dayPeriod?.rawValue ?? "")"
      }.sorted()
    }
    #expect(times(after) == times(before))
    #expect(after.entry == nil)
    let again = try readAgain()
    #expect(again.created.isEmpty && again.updated == 0)
  }

  @Test func theWordsAreKeptWhateverTheyEndWith() throws {
    let texts = [
      "mended bug #42", "lunch with [[Alex Kim]]", "a meeting (work)", "raised x ^2", "#one",
    ]
    for text in texts { try test.add(text, on: "2026-03-09", tags: ["real"]) }
    try test.add("ran (work)", on: "2026-03-09", from: "09:00", people: ["Sam"], kind: .health)
    try bringOver()
    let after = try other.day("2026-03-09").activities
    #expect(after.map(\.text).sorted() == (texts + ["ran (work)"]).sorted())
    #expect(after.filter { $0.text != "ran (work)" }.allSatisfy { $0.tags == ["real"] })
    #expect(after.filter { $0.text != "ran (work)" }.allSatisfy { $0.people.isEmpty })
    let ran = try #require(after.first { $0.text == "ran (work)" })
    #expect(ran.kind == .health && ran.people.map(\.name) == ["Sam"])
  }

  @Test func aNoteKeepsLinesThatLookLikeEntries() throws {
    let note = "## Timeline\n- 1905 the house\n\n- 09:30 coffee, I think"
    for text in ["2026-03-09", "2026-03-10"] {
      _ = try test.archive.updateDay(day(text)) { $0.note = note }
    }
    try test.add("swam", on: "2026-03-10", from: "07:00")
    try bringOver()
    #expect(try other.day("2026-03-09").entry?.note == note)
    #expect(try other.day("2026-03-09").activities.isEmpty)
    #expect(try other.day("2026-03-10").entry?.note == note)
    #expect(try other.day("2026-03-10").activities.map(\.text) == ["swam"])
  }

  @Test(arguments: ["slow start\n\n- milk\n   \n10:00 bus, late", "one\n \t\n  two\n\n\nthree"])
  func theParagraphsOfAnEntrysNotesComeBack(notes: String) throws {
    try add("errands") { $0.notes = notes }
    try add("read") { _ in }
    try bringOver()
    let after = try other.day("2026-03-09")
    #expect(after.entry == nil)
    #expect(after.activities.map(\.text).sorted() == ["errands", "read"])
    #expect(after.activities.first { $0.text == "errands" }?.notes == notes)
    let again = try readAgain()
    #expect(again.created.isEmpty && again.updated == 0)
  }

  @Test func aBlankLineDoesNotChangeTheIndentation() throws {
    try test.add("walk", on: "2026-03-09", from: "09:00")
    try bringOver()
    let file = vault.appendingPathComponent("2026/2026-03-09.md")
    let changed = try page("2026-03-09")
      .replacing("09:00 walk", with: "09:00 walk\n    one\n  \n    two")
    try Data(changed.utf8).write(to: file)
    _ = try readAgain()
    let after = try other.day("2026-03-09")
    #expect(after.activities.map(\.notes) == ["one\n\ntwo"] && after.entry == nil)
  }

  @Test func paragraphsStayTogetherIfAnEditorRemovesBlanksAtTheEndsOfLines() throws {
    try add("errands") { $0.notes = "slow start\n\n\n10:00 bus, late" }
    try add("read") { _ in }
    _ = try ExportJob(archive: test.archive).writeMarkdown(to: vault)
    let lines = try page("2026-03-09").split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.allSatisfy(\.isWhitespace) ? "" : $0 }
    let file = vault.appendingPathComponent("2026/2026-03-09.md")
    try Data(lines.joined(separator: "\n").utf8).write(to: file)
    _ = try readAgain()
    let after = try other.day("2026-03-09")
    #expect(after.entry == nil)
    #expect(after.activities.map(\.text).sorted() == ["errands", "read"])
    let notes = after.activities.first { $0.text == "errands" }?.notes
    #expect(notes == "slow start\n\n\n10:00 bus, late")
  }

  @Test func filesBelongToWhatTheyBelongedTo() throws {
    let ids = test.archive.identities
    let now = test.clock.now
    func photo(_ name: String) throws -> ArkivedCore.Attachment {
      try test.archive.store(
        Data([0xFF, 0xD8, 0xFF, UInt8(name.count)]),
        as: ArkivedCore.Attachment(
          id: ids.next(), type: .photo, caption: name, mediaType: "image/jpeg",
          originalName: "\(name).jpg", createdAt: now, updatedAt: now))
    }
    try add("walked") {
      $0.notes = "by the sea"
      $0.attachments = [
        try photo("sea"),
        ArkivedCore.Attachment(
          id: ids.next(), type: .link, caption: "map", externalURL: "https://example.org/map",
          createdAt: now, updatedAt: now),
      ]
    }
    let home = try photo("at home")
    _ = try test.archive.updateDay(day("2026-03-09")) {
      $0.note = "Calm."
      $0.attachments = [home]
    }
    try bringOver()
    let after = try other.day("2026-03-09")
    #expect(after.entry?.note == "Calm.")
    #expect(after.entry?.attachments.map(\.caption) == ["at home"])
    let walk = try #require(after.activities.first)
    #expect(walk.text == "walked" && walk.notes == "by the sea")
    #expect(walk.attachments.map(\.caption) == ["sea", "map"])
    let file = try #require(walk.attachments.first.flatMap(other.archive.file(of:)))
    #expect(try Data(contentsOf: file) == Data([0xFF, 0xD8, 0xFF, 3]))
    // Whoever leaves the timeline in the note doesn't see the marks.
    let third = try TestArchive()
    _ = try ImportJob(archive: third.archive, homeZone: third.zone).run(vault)
    #expect(try third.day("2026-03-09").entry?.note.contains("<!--") == false)
  }

  @Test func aDayIsNotAscribedThePeopleOfItsEntries() throws {
    try test.add("lunch", on: "2026-03-09", from: "12:00", people: ["Sam"])
    try test.add("called", on: "2026-03-09", from: "18:00", people: ["Priya"])
    _ = try test.archive.updateDay(day("2026-03-09")) {
      $0.note = "Good to see Priya."
      $0.people = [Mention(name: "Priya"), Mention(name: "Alex Kim")]
    }
    try bringOver()
    let after = try other.day("2026-03-09")
    #expect(after.entry?.people.map(\.name).contains("Sam") == false)
    #expect(after.entry?.people.map(\.name).contains("Priya") == true)
    #expect(after.activities.map { $0.people.map(\.name) } == [["Sam"], ["Priya"]])
  }

  @Test func metricsComeBackWithTheirUnitsAndNotAsWords() throws {
    let metrics: [(String, String, Double)] = [
      ("restingHeartRate", "bpm", 52.0), ("weight", "kg", 72.5),
      ("sleepMinutes", "min", 430),
      ("steps", "count", 8_000), ("climbedStairs", "count", 12),
    ]
    for (name, unit, value) in metrics {
      let metric = DayMetric(
        id: test.archive.identities.next(), dayKey: try day("2026-03-09"), metric: name,
        unit: unit, value: value, source: "watch", createdAt: test.clock.now,
        updatedAt: test.clock.now)
      _ = try test.archive.write(by: .owner, "add", "A number") { try $0.insert(metric) }
    }
    try bringOver()
    let lines = try page("2026-03-09").split(separator: "\n")
    #expect(lines.contains("\"restingHeartRate (bpm)\": 52") && lines.contains("\"steps\": 8000"))
    #expect(lines.contains("\"sleepMinutes\": 430"))
    let after = try other.day("2026-03-09")
    #expect(after.entry == nil)
    func amounts(_ day: Day) -> [String: Double] {
      Dictionary(day.metrics.map { ($0.metric, $0.value) }) { $1 }
    }
    #expect(try amounts(after) == amounts(test.day("2026-03-09")))
    let units = Dictionary(after.metrics.map { ($0.metric, $0.unit) }) { $1 }
    #expect(units["restingHeartRate"] == "bpm" && units["weight"] == "kg")
  }

  @Test func aPageHasOneNumberOfSeveralDevices() throws {
    let metrics: [(String, String, Double, String)] = [
      ("steps", "count", 5_000, "a phone"), ("steps", "count", 9_500, "the watch"),
      ("restingHeartRate", "bpm", 58, "a phone"), ("restingHeartRate", "bpm", 52, "the watch"),
      ("weight", "kg", 80, "a scale"), ("weight", "kg", 82, "the watch"),
    ]
    for (name, unit, value, source) in metrics {
      let metric = DayMetric(
        id: test.archive.identities.next(), dayKey: try day("2026-03-09"), metric: name,
        unit: unit, value: value, source: source, createdAt: test.clock.now,
        updatedAt: test.clock.now)
      _ = try test.archive.write(by: .owner, "add", "A number") { try $0.insert(metric) }
    }
    try bringOver()
    let lines = try page("2026-03-09").split(separator: "\n")
    #expect(lines.contains("\"steps\": 9500"))
    #expect(lines.contains("\"restingHeartRate (bpm)\": 52"))
    #expect(lines.contains { $0.hasPrefix("\"weight") && $0.hasSuffix(": 81") })
  }

  @Test func timesOfAJourneyComeBackInTheirZone() throws {
    let tokyo = try #require(Zone("Asia/Tokyo"))
    func there(_ day: String, _ hour: Int, _ minute: Int = 0) throws -> Instant {
      tokyo.instant(of: WallTime(day: try self.day(day), hour: hour, minute: minute))
    }
    for day in ["2026-03-06", "2026-03-07", "2026-03-08", "2026-03-12"] {
      try test.add("at home", on: day, from: "20:00")
    }
    try test.add("landed", on: "2026-03-09", from: "01:15")
    try add("ramen") {
      $0.timeZone = tokyo.identifier
      $0.startAt = try there("2026-03-09", 12)
      $0.endAt = try there("2026-03-09", 13, 30)
    }
    try add("festival") {
      $0.timeZone = tokyo.identifier
      $0.startAt = try there("2026-03-09", 0)
      $0.endAt = try there("2026-03-11", 0)
    }
    try add("night train") {
      $0.timeZone = tokyo.identifier
      $0.startAt = try there("2026-03-08", 23, 50)
      $0.endAt = try there("2026-03-09", 7, 10)
    }
    try bringOver()
    let text = try page("2026-03-09")
    #expect(text.contains("- *12:00–13:30 in Asia/Tokyo* ramen"), "\(text)")
    #expect(text.contains("- 01:15 landed"))
    func times(_ archive: TestArchive) throws -> [String] {
      try archive.day("2026-03-09").activities.map {
        "\($0.text) | \($0.startAt?.description ?? "") | \($0.endAt?.description ?? "") | "
          + $0.timeZone
      }.sorted()
    }
    #expect(try times(other) == times(test))
    let again = try readAgain()
    #expect(again.created.isEmpty && again.updated == 0)

    // A computer in another zone reads the same instants.
    let third = try TestArchive()
    _ = try ImportJob(
      archive: third.archive, homeZone: tokyo,
      importers: [MarkdownFolderImporter(takesTimedLines: true)]
    ).run(vault)
    #expect(try times(third) == times(test))
  }

  @Test func theUsualZoneOfAFolderStays() throws {
    let tokyo = try #require(Zone("Asia/Tokyo"))
    try test.add("packed", on: "2026-03-08", from: "20:00")
    try bringOver()
    let before = try page("2026-03-08")
    for hour in 9..<12 {
      try add("visited a temple at \(hour)") {
        $0.timeZone = tokyo.identifier
        $0.startAt = tokyo.instant(of: WallTime(day: try day("2026-03-09"), hour: hour, minute: 0))
      }
    }
    // The other page isn't written again.
    _ = try ExportJob(archive: test.archive).writeMarkdown(
      of: DayFilter(from: day("2026-03-09"), to: day("2026-03-09")), to: vault)
    #expect(try page("2026-03-08") == before)
    #expect(try page("2026-03-09").contains("- *09:00 in Asia/Tokyo* visited"))
    _ = try readAgain()
    #expect(
      try other.day("2026-03-08").activities.map(\.startAt)
        == test.day("2026-03-08").activities.map(\.startAt))
    #expect(
      try other.day("2026-03-09").activities.map(\.startAt)
        == test.day("2026-03-09").activities.map(\.startAt))
  }
}
