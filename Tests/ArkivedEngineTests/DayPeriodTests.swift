import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Entries of "this morning" and the like, which have no clock time.
@Suite("Parts of a day without a clock time")
struct DayPeriodTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func add(_ line: String, language: Language = .english) throws -> Activity {
    let entry = EntryLine(archive: test.archive, zone: test.zone, language: language)
    return try test.archive.add(entry.activity(from: try entry.understand(line))).value
  }

  @Test(arguments: [
    ("ran 5k this morning", DayPeriod.morning), ("this afternoon: napped", .afternoon),
    ("cinema with Ann in the evening", .evening), ("headache during the night", .night),
  ])
  func aLineKeepsThePart(line: String, period: DayPeriod) throws {
    let entry = try #require(try test.archive.activity(try add(line).id))
    #expect(entry.dayPeriod == period && entry.clockStart == nil)
    #expect(entry.timeText == period.rawValue && entry.shownTimeText == period.rawValue)
  }

  @Test func aClockTimeIsNoPart() throws {
    #expect(try add("breakfast at 6:00").timeText == "06:00")
    #expect(try add("this morning at 7: run").timeText == "07:00")
  }

  @Test func itIsListedWhereThePartBegins() throws {
    _ = try add("lunch 12:30")
    _ = try add("ran 5k this morning")
    _ = try test.add("early tea", from: "05:00")
    #expect(try test.day("2026-03-14").activities.map(\.text) == ["early tea", "ran 5k", "lunch"])
  }

  @Test func itSurvivesAnExportAndMovingToAnotherDay() throws {
    var entry = try add("ran 5k this morning")
    let lines = try ExportJob(archive: test.archive).lines()
    let other = try TestArchive()
    let file = try other.folder.file("life.jsonl", lines.joined(separator: "\n") + "\n")
    _ = try ImportJob(archive: other.archive, homeZone: other.zone).run(file)
    #expect(try other.day("2026-03-14").activities.first?.dayPeriod == .morning)
    try ActivityTimes.change(&entry, day: DayKey("2026-03-12"), start: nil, end: nil)
    #expect(entry.dayPeriod == .morning && entry.dayKey == DayKey("2026-03-12"))
  }

  @Test func aTypedTimeTakesItsPlace() throws {
    var entry = try add("ran 5k this morning")
    try ActivityTimes.change(&entry, day: nil, start: "06:00", end: nil)
    #expect(entry.dayPeriod == nil && entry.timeText == "06:00")
    var other = try add("walked this afternoon")
    other.endAt = other.startAt?.adding(seconds: 60)
    #expect(other.dayPeriod == nil)
  }

  @Test func anEndAloneIsShown() throws {
    #expect(try add("fasting until noon").timeText == "until 12:00")
  }
}
