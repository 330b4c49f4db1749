import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Which meetings count")
struct MeetingCountTests {
  private let test: TestArchive
  private let kim: UUID
  private let priya: UUID
  private let jonas: UUID

  init() throws {
    test = try TestArchive()
    func person(_ test: TestArchive, _ name: String, aliases: [String] = []) throws -> UUID {
      try test.archive.create(
        Person(
          id: test.archive.identities.next(), name: name, aliases: aliases,
          createdAt: test.clock.now, updatedAt: test.clock.now)
      ).value.id
    }
    kim = try person(test, "Kim Self", aliases: ["me"])
    priya = try person(test, "Priya Nair")
    jonas = try person(test, "Jonas Weber")
  }

  private func meeting(
    _ title: String, on day: String, with attendances: [Attendance], series: String? = nil,
    status: MeetingStatus = .confirmed
  ) throws -> MeetingEntry {
    let activity = try test.activity(title, on: day, from: "10:00")
    let id = test.archive.identities.next()
    return try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: activity.id, eventIdentifier: id.uuidString,
          seriesIdentifier: series, status: status, attendances: attendances,
          createdAt: activity.createdAt, updatedAt: activity.updatedAt), activity: activity)
    ).value
  }

  private func own(_ reply: AttendanceReply = .accepted) -> Attendance {
    Attendance(name: "Kim Self", personID: kim, reply: reply)
  }

  private func with(_ person: UUID, _ reply: AttendanceReply = .accepted) -> Attendance {
    Attendance(name: person == priya ? "Priya Nair" : "Jonas Weber", personID: person, reply: reply)
  }

  @Test func whoDeclinedWasNotThereAndASeriesNeedsNobody() throws {
    _ = try meeting("both", on: "2026-03-02", with: [own(), with(priya), with(jonas)])
    _ = try meeting("no Priya", on: "2026-03-03", with: [own(), with(priya, .declined)])
    _ = try meeting("away", on: "2026-03-04", with: [own(.declined), with(priya)])
    _ = try meeting("off", on: "2026-03-05", with: [own(), with(priya)], status: .cancelled)
    _ = try meeting("alone", on: "2026-03-06", with: [], series: "s1")
    let next = try meeting(
      "next", on: "2026-03-20", with: [own(), with(priya), with(jonas)], series: "s1")
    let past = try test.archive.pastMeetings(
      with: [priya, jonas], before: next, by: test.clock.now, limit: 10)
    #expect(Set(past.map(\.entry.title)) == ["both", "alone"])
    let both = try #require(past.first { $0.entry.title == "both" })
    #expect(Set(both.shared) == [priya, jonas] && !both.isOfSeries)
    let alone = try #require(past.first { $0.entry.title == "alone" })
    #expect(alone.shared.isEmpty && alone.isOfSeries)

    let today = try #require(DayKey("2026-03-14"))
    #expect(try test.archive.person(priya, today: today)?.meetingCount == 1)
    let all = try test.archive.people(order: .meetings, today: today)
    #expect(all.first { $0.id == priya }?.meetingCount == 1)
    #expect(all.first { $0.id == priya }?.lastMet == DayKey("2026-03-02"))
  }

  @Test func whoIsOnlyInformedWasNotThere() throws {
    _ = try meeting("both", on: "2026-03-02", with: [own(), with(priya)])
    var informed = with(priya)
    informed.role = .informed
    _ = try meeting("told", on: "2026-03-09", with: [own(), with(jonas), informed])
    let next = try meeting("next", on: "2026-03-20", with: [own(), with(priya)])
    let past = try test.archive.pastMeetings(
      with: [priya], before: next, by: test.clock.now, limit: 10)
    #expect(past.map(\.entry.title) == ["both"])
    let today = try #require(DayKey("2026-03-14"))
    let met = try test.archive.meetings(of: priya, before: test.clock.now, on: today)
    #expect(met.count == 1 && met.last == DayKey("2026-03-02"))
    let alone = try test.archive.person(priya, today: today)
    let all = try test.archive.people(order: .meetings, today: today)
    for person in [alone, all.first { $0.id == priya }] {
      #expect(person?.meetingCount == 1 && person?.lastMet == DayKey("2026-03-02"))
    }
    var filter = MeetingFilter()
    (filter.people, filter.to) = ([priya], today)
    #expect(try test.archive.meetings(filter).map(\.title) == ["both"])
    #expect(try test.archive.countMeetings(filter) == 1)
    (filter.people, filter.anyOf) = ([], [[priya], [jonas]])
    #expect(try test.archive.meetings(filter).isEmpty)
  }

  @Test func whoDeclinedUnderOneAddressAndAcceptedUnderAnotherGoes() throws {
    let work = try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: "K. Self", createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value.id
    func second(_ reply: AttendanceReply) -> Attendance {
      Attendance(name: "K. Self", personID: work, reply: reply)
    }
    _ = try meeting(
      "held", on: "2026-03-02", with: [own(.declined), second(.accepted), with(priya)])
    _ = try meeting(
      "away", on: "2026-03-03", with: [own(.declined), second(.waiting), with(priya)])
    let next = try meeting(
      "next", on: "2026-03-20", with: [own(.accepted), second(.declined), with(priya)])
    _ = try meeting(
      "off", on: "2026-03-19", with: [own(.declined), second(.declined), with(priya)])
    _ = try test.archive.merge(work, into: kim)
    let today = try #require(DayKey("2026-03-14"))
    let summary = try #require(try test.archive.person(priya, today: today))
    #expect(summary.meetingCount == 1 && summary.lastMet == DayKey("2026-03-02"))
    #expect(try test.archive.nextMeeting(at: test.clock.now)?.id == next.id)
    #expect(try test.archive.missedMeetings().count == 2)
    var filter = MeetingFilter()
    (filter.isAttended, filter.order) = (true, .oldest)
    let attended = try test.archive.meetings(filter)
    #expect(attended.map(\.title) == ["held", "next"])
    #expect(attended.allSatisfy { !$0.isDeclined(by: kim) })
    filter.isAttended = false
    let all = try test.archive.meetings(filter)
    #expect(all.filter { $0.isDeclined(by: kim) }.map(\.title) == ["away", "off"])
    #expect(!all.contains { $0.isDeclined(by: nil) })
  }

  @Test func whoGoesUnderOneOfTwoMergedNamesStillGoesWhenTheListIsEdited() throws {
    let work = try test.archive.create(
      Person(
        id: test.archive.identities.next(), name: "K. Self", createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value.id
    let next = try meeting(
      "next", on: "2026-03-20",
      with: [
        own(.declined), Attendance(name: "K. Self", personID: work, reply: .accepted), with(priya),
      ])
    _ = try test.archive.merge(work, into: kim)
    let saved = try test.archive.updateMeeting(next.id) { entry in
      entry.setAttendees(entry.meeting.attendances + [with(jonas)])
    }.value
    #expect(saved.meeting.attendances.map(\.personID) == [kim, priya, jonas])
    #expect(!saved.isDeclined(by: kim))
    #expect(try test.archive.nextMeeting(at: test.clock.now)?.id == next.id)
  }

  @Test func aMeetingThatHoldsAPersonTwiceCountsOnce() throws {
    _ = try meeting("both", on: "2026-03-02", with: [own(), with(priya), with(jonas)])
    let next = try meeting("next", on: "2026-03-20", with: [own(), with(priya)])
    _ = try test.archive.merge(jonas, into: priya)
    let past = try test.archive.pastMeetings(
      with: [priya], before: next, by: test.clock.now, limit: 10)
    #expect(past.map(\.entry.title) == ["both"])
    #expect(past[0].entry.meeting.attendances.count == 3 && past[0].entry.invited.count == 2)
    let today = try #require(DayKey("2026-03-14"))
    #expect(try test.archive.person(priya, today: today)?.meetingCount == 1)
    let all = try test.archive.people(order: .meetings, today: today)
    #expect(all.first { $0.id == priya }?.meetingCount == 1)
    // It is the last one with exactly these people, which is always included.
    _ = try meeting("crowd", on: "2026-03-10", with: [own(), with(priya), Attendance(name: "Zoe")])
    let last = try test.archive.pastMeetings(
      with: [priya], before: next, by: test.clock.now, limit: 1)
    #expect(last.map(\.entry.title) == ["both"])
  }
}
