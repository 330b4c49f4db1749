import ArkivedCore
import Foundation
import Testing

@Suite("Attendees: lines, and what follows a calendar")
struct MeetingRuleTests {
  @Test(arguments: ["a@", "@", "@@", "a@b@c", "Priya <a@>", "Priya <priya>", "a@b@"])
  func aClearMistakeIsTold(line: String) throws {
    let attendance = try #require(AttendeeLine.read(line))
    #expect(AttendeeLine.mistake(in: attendance)?.contains("name@example.org") == true)
  }

  @Test(arguments: [
    "Priya Nair", "@Priya", "priya@example.org", "Priya <priya@example.org>", "Team @ Acme",
    "priya@localhost",
  ])
  func namesAndAddressesAreNone(line: String) throws {
    #expect(AttendeeLine.mistake(in: try #require(AttendeeLine.read(line))) == nil)
  }

  private let jonas = UUID()

  private func entry(_ attendees: [Attendance], invited: [String]) throws -> MeetingEntry {
    let day = try #require(DayKey("2026-03-16"))
    let moment = Instant(milliseconds: 0)
    let activity = Activity(
      id: UUID(), dayKey: day, timeZone: "UTC", text: "Review", createdAt: moment,
      updatedAt: moment)
    var entry = MeetingEntry(
      meeting: Meeting(
        id: UUID(), activityID: activity.id, eventIdentifier: "review", attendances: attendees,
        createdAt: moment, updatedAt: moment), activity: activity)
    entry.meeting.event = CalendarEvent(entry)
    entry.meeting.event?.invited = invited
    return entry
  }

  @Test func whomTheOwnerAddedStaysThoughTheCalendarNamedAndDroppedThem() throws {
    let priya = Attendance(name: "Priya", address: "priya@example.org")
    let added = Attendance(name: "Jonas Weber", personID: jonas, reply: .accepted)
    let invited = Attendance(name: "Jonas Weber", address: "jonas@example.org", personID: jonas)
    let start = try entry([priya, added], invited: [priya.key])
    let event = try #require(start.meeting.event)
    let both = start.following(event, attendances: [priya, invited])
    // As the calendar has them now, and once.
    #expect(both.meeting.attendances == [priya, invited])
    #expect(both.meeting.event?.addedBefore == [invited.key])
    let kept = try CalendarEvent.roundTrip(try #require(both.meeting.event))
    #expect(kept == both.meeting.event)
    let dropped = both.following(event, attendances: [priya])
    #expect(dropped.meeting.attendances.map(\.name) == ["Priya", "Jonas Weber"])
    #expect(dropped.following(event, attendances: [priya]) == dropped)
    // Whom the calendar alone had named goes with it.
    let all = try entry([priya, invited], invited: [priya.key, invited.key])
    #expect(all.following(event, attendances: [priya]).meeting.attendances == [priya])
  }

  @Test func whomTheOwnerTookOutAgainIsNotAdded() throws {
    let priya = Attendance(name: "Priya", address: "priya@example.org")
    let invited = Attendance(name: "Jonas Weber", address: "jonas@example.org", personID: jonas)
    var both = try entry([priya, invited], invited: [priya.key, invited.key])
    both.meeting.event?.addedBefore = [invited.key]
    both.setAttendees([priya])
    let event = try #require(both.meeting.event)
    let followed = both.following(event, attendances: [priya, invited])
    #expect(followed.meeting.attendances == [priya])
    #expect(followed.meeting.event?.addedBefore == [])
  }

  @Test func whoDeclinedIsNotEnteredWhenTheListIsEdited() throws {
    var mei = Attendance(name: "Mei Lin", address: "mei@example.org", reply: .declined)
    let priya = Attendance(name: "Priya", address: "priya@example.org")
    var start = try entry([priya, mei], invited: [priya.key, mei.key])
    start.activity.people = [Mention(name: "Priya")]
    start.setAttendees(start.meeting.attendances + [Attendance(name: "Zoe")])
    #expect(start.activity.people.map(\.name) == ["Priya", "Zoe"])
    // Whom the owner mentions stays mentioned, also if they declined.
    start.activity.people.append(Mention(name: "Mei Lin"))
    start.setAttendees([priya, mei])
    #expect(start.activity.people.map(\.name) == ["Priya", "Mei Lin"])
    // Who takes part after all is entered once, and leaves the entry by declining.
    mei.reply = .accepted
    start.setAttendees([priya, mei])
    #expect(start.activity.people.map(\.name) == ["Priya", "Mei Lin"])
    mei.reply = .declined
    start.setAttendees([priya, mei])
    #expect(start.activity.people.map(\.name) == ["Priya"])
  }

  @Test func ofAFirstNameOnlyWhoHasNoAddressIsProposed() throws {
    func person(_ name: String, _ email: String? = nil) -> Person {
      Person(
        id: UUID(), name: name, email: email, createdAt: Instant(milliseconds: 0),
        updatedAt: Instant(milliseconds: 0))
    }
    let known = person("Priya", "priya@example.org")
    let unknown = person("Priya")
    func proposals(_ people: [Person]) -> [String] {
      PersonLikeness.proposals(among: people) { $0.email == nil ? 0 : 1 }.map(\.reason)
    }
    #expect(proposals([known, unknown]) == ["Both are called Priya."])
    #expect(proposals([known, person("Priya", "nair@example.com")]).isEmpty)
    #expect(proposals([known, unknown, person("Priya")]).isEmpty)
    #expect(proposals([person("P. Nair", "a@example.org"), person("Nair")]).isEmpty)
  }
}

extension CalendarEvent {
  fileprivate static func roundTrip(_ event: CalendarEvent) throws -> CalendarEvent {
    var fields = FieldReader(try #require(event.json.object))
    return try CalendarEvent(&fields)
  }
}
