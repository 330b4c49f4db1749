import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Days in short, settings, and meetings that did not take place")
struct SummaryTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private var archive: Archive { test.archive }

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  private func meeting(
    _ title: String, on day: String = "2026-03-12", _ status: MeetingStatus = .confirmed,
    with attendees: [Attendance] = []
  ) throws -> MeetingEntry {
    let activity = try test.activity(title, on: day, from: "10:00")
    let id = archive.identities.next()
    var entry = MeetingEntry(
      meeting: Meeting(
        id: id, activityID: activity.id, eventIdentifier: id.uuidString,
        createdAt: activity.createdAt, updatedAt: activity.updatedAt),
      activity: activity)
    entry.meeting.status = status
    entry.setAttendees(attendees)
    return try archive.create(entry).value
  }

  @Test func aDayIsToldByWhatItHolds() throws {
    try test.add("run", on: "2026-03-12")
    var pinned = try test.activity("castle", on: "2026-03-12")
    pinned.isPinned = true
    try archive.add(pinned)
    _ = try meeting("pricing")
    _ = try meeting("called off", .cancelled)
    _ = try archive.updateDay(try day("2026-03-13")) {
      ($0.title, $0.note, $0.mood, $0.energy) = ("Rain", "All day.", 4, 2)
    }
    try test.add("outside", on: "2026-04-01")
    let days = try archive.daySummaries(in: try day("2026-03-01")...day("2026-03-31"))
    var first = DaySummary(try day("2026-03-12"))
    (first.entryCount, first.pinCount, first.meetingCount) = (4, 1, 1)
    var second = DaySummary(try day("2026-03-13"))
    (second.title, second.hasNote, second.mood, second.energy) = ("Rain", true, 4, 2)
    #expect(days == [first, second])
    #expect(try archive.writtenSpan()?.description == "2026-03-12...2026-04-01")
  }

  @Test func monthsAreSumsOfTheirDays() throws {
    for (day, mood) in [("2025-12-31", 5), ("2026-03-12", 2), ("2026-03-13", 3)] {
      try test.add("walk", on: day)
      _ = try archive.updateDay(try self.day(day)) { $0.mood = mood }
    }
    let months = try archive.monthSummaries(in: try day("2026-01-01")...day("2026-12-31"))
    #expect(months.map(\.month) == [3] && months.first?.entryCount == 2)
    #expect(months.first?.mood == 2.5 && months.first?.moodDays == 2)
    #expect(months.first?.energy == nil && months.first?.energyDays == 0)
  }

  @Test func anImportThatNobodySeesYetIsNotCounted() throws {
    let empty = try day("2026-03-01")...day("2026-03-31")
    #expect(try archive.daySummaries(in: empty).isEmpty)
    #expect(try archive.writtenSpan() == nil)
  }

  @Test func settingsStayAndAnotherConnectionSeesThem() throws {
    #expect(try archive.preferences() == Preferences())
    try archive.updatePreferences { ($0.theme, $0.zoom) = (.dark, 125) }
    try archive.updatePreferences { $0.clock = .hours12 }
    let other = try test.another().preferences()
    #expect(other.theme == .dark && other.zoom == 125 && other.clock == .hours12)
  }

  @Test func cancelledDroppedAndDeclinedMeetingsAreMissed() throws {
    try archive.create(
      Person(
        id: archive.identities.next(), name: "Kim Self", email: "kim@example.org",
        aliases: ["me"], createdAt: test.clock.now, updatedAt: test.clock.now))
    func both(_ reply: AttendanceReply) -> [Attendance] {
      [
        Attendance(name: "Kim Self", address: "kim@example.org", reply: reply),
        Attendance(name: "Jonas", address: "jonas@example.org"),
      ]
    }
    _ = try meeting("held", with: both(.accepted))
    #expect(try archive.missedMeetings().isEmpty)
    _ = try meeting("cancelled", .cancelled, with: both(.accepted))
    _ = try meeting("declined", with: both(.declined))
    let dropped = try meeting("dropped", with: both(.accepted))
    _ = try archive.updateMeeting(dropped.id) { $0.meeting.isEventDeleted = true }
    #expect(try archive.missedMeetings().count == 3)
  }
}
