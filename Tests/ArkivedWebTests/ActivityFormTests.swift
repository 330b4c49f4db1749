import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedWeb

@Suite("The form of an entry")
struct ActivityFormTests {
  @Test func namesWithCommasStayWholeWhenOthersAreAdded() throws {
    let test = try TestArchive()
    let activity = try test.add(
      "dinner", tags: ["eat, drink", "home"], people: ["Kim, Alex", "Sam"])
    var form = ActivityForm(activity)
    #expect(form.people == "Kim, Alex, Sam" && form.tags == "eat, drink, home")
    form.people = "Ana, " + form.people
    form.tags = "eat, drink,\nfriends, eat"
    var changed = activity
    try form.apply(to: &changed)
    #expect(changed.people.map(\.name) == ["Ana", "Kim, Alex", "Sam"])
    #expect(changed.people.dropFirst().map(\.personID) == activity.people.map(\.personID))
    #expect(changed.tags == ["eat, drink", "friends", "eat"])
  }

  @Test func aMeetingOfSeveralDaysKeepsThemInAnotherZone() throws {
    let test = try TestArchive()
    var activity = try test.activity("fair", on: "2026-03-16", from: "09:00")
    activity.endAt = test.zone.instant(
      of: WallTime(day: activity.dayKey.advanced(by: 2), hour: 17))
    var entry = MeetingEntry.own(activity, id: test.archive.identities.next())
    var form = MeetingForm(entry)
    form.texts["timeZone"] = "America/New_York"
    try form.apply(to: &entry, attendees: [])
    #expect(entry.activity.timeText == "09:00–17:00 (+2)")
    #expect(entry.activity.startAt == Instant("2026-03-16T13:00:00Z"))
  }

  @Test func anAttendeeWithASemicolonStaysWhole() throws {
    let form = MeetingForm(FormFields("attendees=Kim%3B+Alex%0AAna%3B+Bo".utf8))
    let known = [Attendance(name: "Kim; Alex")]
    #expect(form.attendees(known: known).map(\.name) == ["Kim; Alex", "Ana", "Bo"])
    #expect(form.attendees().map(\.name) == ["Kim", "Alex", "Ana", "Bo"])
  }

  @Test func anEditedMeasurementLeavesTheOthersExact() throws {
    let test = try TestArchive()
    let activity = try test.add("walk", measurements: ["km": 5.12345, "g": 0.0001, "kcal": 300])
    var form = ActivityForm(activity)
    form.measurements = form.measurements.replacing("300 kcal", with: "310 kcal")
    var changed = activity
    try form.apply(to: &changed)
    #expect(changed.measurements == ["km": 5.12345, "g": 0.0001, "kcal": 310])
  }

  @Test func aFormIsReadWholeOrRefused() throws {
    func form(_ count: Int) -> [UInt8] {
      Array((0..<count).map { "id=\($0)" }.joined(separator: "&").utf8)
    }
    #expect(try FormFields(form: form(1_001)).all("id").last == "1000")
    #expect(try FormFields(form: form(FormFields.most)).names.count == FormFields.most)
    #expect(throws: WebFailure.self) { try FormFields(form: form(FormFields.most + 1)) }
  }

  /// The form shows only the clock time of the end.
  @Test func aNewEndStaysOnTheLastDayOfALongEntry() throws {
    let test = try TestArchive()
    var trip = try test.activity("trip", from: "08:00", to: "10:00")
    trip.endAt = trip.endAt?.adding(seconds: 2 * 86_400)
    let end = try #require(trip.endAt)
    var form = ActivityForm(trip)
    #expect(form.end == "10:00")
    form.end = "11:30"
    var changed = trip
    try form.apply(to: &changed)
    #expect(changed.startAt == trip.startAt && changed.endAt == end.adding(seconds: 5_400))
    form.day = "2026-03-17"
    var moved = trip
    try form.apply(to: &moved)
    #expect(moved.endAt == end.adding(seconds: 5_400 + 3 * 86_400))
    // A night isn't that long: the end may fall on either day.
    var night = try test.activity("night", from: "22:00")
    night.endAt = night.startAt?.adding(seconds: 3 * 3_600)
    form = ActivityForm(night)
    form.end = "23:30"
    try form.apply(to: &night)
    #expect(night.endAt == night.startAt?.adding(seconds: 5_400))

    var entry = MeetingEntry.own(trip, id: UUID())
    var meeting = MeetingForm(entry)
    meeting.texts["end"] = "11:30"
    try meeting.apply(to: &entry, attendees: [])
    #expect(entry.activity.endAt == end.adding(seconds: 5_400))
    // In another zone, it keeps its days and clock times.
    meeting.texts["timeZone"] = "Europe/London"
    try meeting.apply(to: &entry, attendees: [])
    #expect(entry.activity.startAt == trip.startAt?.adding(seconds: 3_600))
    #expect(entry.activity.endAt == end.adding(seconds: 5_400 + 3_600))
  }
}
