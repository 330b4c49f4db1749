import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The days of a calendar that are followed")
struct CalendarWindowTests {
  /// An archive on 14 March 2026 with one linked calendar file.
  private struct Linked {
    let test: TestArchive

    init(_ event: String, back: Int? = nil, ahead: Int? = nil) throws {
      test = try TestArchive()
      let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(event)\nEND:VEVENT\nEND:VCALENDAR\n"
      let file = try test.folder.file("work.ics", text)
      _ = try SyncJob(archive: test.archive, homeZone: test.zone)
        .linkCalendar(.file(file), back: back, ahead: ahead)
    }

    func sync(day: String? = nil) async throws -> SyncReport {
      let link = try #require(try test.archive.syncLinks().first)
      var window: CalendarSync.Window?
      if let day {
        window = CalendarSync.Window(of: link)
        window?.day = DayKey(day)
      }
      return try await SyncJob(archive: test.archive, homeZone: test.zone)
        .bringInLine(link, window: window)
    }

    func days() throws -> [String] {
      var filter = MeetingFilter()
      filter.order = .oldest
      filter.limit = 100_000
      return try test.archive.meetings(filter).map(\.activity.dayKey.description)
    }
  }

  private static let daily = "UID:d\nDTSTART:18990101T080000Z\nRRULE:FREQ=DAILY\nSUMMARY:Walk"

  @Test func aFirstSyncTakesNoMoreDaysThanItsOwnerSaid() async throws {
    let linked = try Linked(Self.daily, back: 3, ahead: 2)
    let report = try await linked.sync()
    // A hundred and twenty-seven years of days are more than are taken of one series.
    #expect(report.pulled == ["new": 6] && report.warnings.isEmpty)
    #expect(try linked.days().first == "2026-03-11" && linked.days().last == "2026-03-16")
    linked.test.clock.advance(seconds: 2 * 86_400)
    #expect(try await linked.sync().pulled == ["new": 2])
    #expect(try linked.days().count == 8)
  }

  @Test func withoutAWordFromItsOwnerAFirstSyncTakesAll() async throws {
    let linked = try Linked(Self.daily.replacing("1899", with: "2020"), ahead: 0)
    #expect(try await linked.sync().pulled == ["new": 2_265])
    #expect(try linked.days().first == "2020-01-01")
  }

  @Test func aSeriesWithNothingInTheseDaysIsTakenWhenItsTimeComes() async throws {
    for start in ["20100324", "20260324"] {
      let linked = try Linked(
        "UID:y\nDTSTART;VALUE=DATE:\(start)\nRRULE:FREQ=YEARLY\nSUMMARY:Birthday", back: 3, ahead: 2
      )
      #expect(try await linked.sync().isQuiet)
      linked.test.clock.advance(seconds: 9 * 86_400)
      #expect(try await linked.sync().pulled == ["new": 1], "\(start)")
      #expect(try linked.days() == ["2026-03-24"])
      #expect(try await linked.sync().isQuiet)
    }
  }

  @Test func aSeriesThatIsOverIsNotLookedThroughAgain() async throws {
    let over = try Linked(
      "UID:o\nDTSTART:20260302T080000Z\nRRULE:FREQ=DAILY;COUNT=3\nSUMMARY:Course")
    let on = try Linked("UID:o\nDTSTART:20260302T080000Z\nRRULE:FREQ=DAILY;COUNT=900\nSUMMARY:Walk")
    for (linked, isOpen) in [(over, false), (on, true)] {
      _ = try await linked.sync()
      let link = try #require(try linked.test.archive.syncLinks().first)
      let open = try linked.test.archive.openCalendarResources(
        of: link.id, followingTo: try #require(DayKey("2028-01-01")))
      #expect(!open.isEmpty == isOpen)
    }
    #expect(try over.days().count == 3)
  }

  @Test func aPostponedEventThatIsRemovedIsNoticedWhateverItsDay() async throws {
    let linked = try Linked("UID:a\nDTSTART:20260316T080000Z\nSUMMARY:Talk", back: 3, ahead: 2)
    func write(_ event: String) throws {
      let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n\(event)\nEND:VEVENT\nEND:VCALENDAR\n"
      _ = try linked.test.folder.file("work.ics", text)
    }
    #expect(try await linked.sync().pulled == ["new": 1])
    try write("UID:a\nDTSTART:20260501T080000Z\nSUMMARY:Talk")
    #expect(try await linked.sync().pulled == ["changed": 1])
    #expect(try linked.days() == ["2026-05-01"])
    try write("UID:b\nDTSTART:20260101T080000Z\nSUMMARY:Other")
    #expect(try await linked.sync().pulled == ["deleted": 1])
  }

  @Test func aSingleDayLeavesTheDaysBeforeItToTheirTime() async throws {
    let linked = try Linked(
      "UID:w\nDTSTART:20260302T080000Z\nRRULE:FREQ=WEEKLY\nSUMMARY:Standup", back: 3, ahead: 2)
    #expect(try await linked.sync().pulled == ["new": 1])
    #expect(try await linked.sync(day: "2026-04-06").pulled == ["new": 1])
    #expect(try linked.days() == ["2026-03-16", "2026-04-06"])
    linked.test.clock.advance(seconds: 7 * 86_400)
    #expect(try await linked.sync().pulled == ["new": 1])
    #expect(try linked.days() == ["2026-03-16", "2026-03-23", "2026-04-06"])
  }

  @Test func whatASingleDayFetchedIsTakenByTheNextSync() async throws {
    let linked = try Linked("UID:a\nDTSTART:20260314T080000Z\nSUMMARY:Now", back: 3, ahead: 2)
    #expect(try await linked.sync().pulled == ["new": 1])
    _ = try linked.test.folder.file(
      "work.ics",
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:b\nDTSTART:20260313T080000Z\nSUMMARY:Other\n"
        + "END:VEVENT\nEND:VCALENDAR\n")
    #expect(try await linked.sync(day: "2026-03-16").isQuiet)
    #expect(try await linked.sync().pulled == ["new": 1, "deleted": 1])
    #expect(try await linked.sync().isQuiet)
  }

  @Test func afterASingleDayAFirstSyncStillTakesAll() async throws {
    let linked = try Linked("UID:o\nDTSTART:19000101T080000Z\nSUMMARY:Old")
    #expect(try await linked.sync(day: "2026-03-14").isQuiet)
    #expect(try await linked.sync().pulled == ["new": 1])
    #expect(try linked.days() == ["1900-01-01"])
  }
}
