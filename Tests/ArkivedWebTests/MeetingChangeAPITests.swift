import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("What a change of a meeting over HTTP leaves alone")
struct MeetingChangeAPITests: MeetingTesting {
  private func path(_ entry: MeetingEntry) -> String { "/api/v1/meetings/\(entry.id.uuidString)" }

  @Test func attendeesKeepTheirReplies() async throws {
    let web = try WebTest()
    var entry = try meeting(web.test, with: ["Priya Nair", "Mei Ito"])
    entry = try web.test.archive.updateMeeting(entry.id) { entry in
      entry.meeting.attendances[0].reply = .accepted
      entry.meeting.attendances[0].role = .chair
    }.value
    let path = path(entry)
    try await web.run { client in
      let lines = try await client.ask(.patch, path, ["attendees": ["Priya Nair", "Sam Roe"]])
      let people = lines.json["updated"]?["attendees"]?.array ?? []
      #expect(people.map { $0["reply"] } == ["accepted", "needsAction"], "\(lines.text)")
      #expect(people.first?["role"] == "chair")
      let objects = try await client.ask(
        .patch, path, ["attendees": [["name": "Priya Nair", "reply": "declined"]]])
      let one = objects.json["updated"]?["attendees"]?.array?.first
      #expect(one?["reply"] == "declined" && one?["role"] == "chair", "\(objects.text)")
    }
  }

  @Test func namesakesWithoutAddressesStayTwo() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let people = try (1...2).map { _ in
      try archive.create(
        Person(
          id: archive.identities.next(), name: "Sam Roe", createdAt: web.test.clock.now,
          updatedAt: web.test.clock.now)
      ).value.id
    }
    var entry = try meeting(web.test)
    entry = try archive.updateMeeting(entry.id) { entry in
      entry.setAttendees([
        Attendance(name: "Sam Roe", personID: people[0], reply: .accepted),
        Attendance(name: "Sam Roe", personID: people[1], reply: .tentative),
      ])
    }.value
    let (id, path) = (entry.id, path(entry))
    try await web.run { client in
      func attendees() throws -> [Attendance] {
        try #require(try archive.meeting(id)).meeting.attendances
      }
      let lines = try await client.ask(
        .patch, path, ["attendees": ["Sam Roe", "Sam Roe", "Mei Ito"]])
      #expect(lines.status == 200, "\(lines.text)")
      #expect(try attendees().prefix(2).map(\.personID) == people)
      #expect(try attendees().map(\.reply) == [.accepted, .tentative, .waiting])
      // The ID says which of them is meant.
      let second: JSON = [["name": "Sam Roe", "personId": .string(people[1].uuidString)]]
      let one = try await client.ask(.patch, path, ["attendees": second])
      #expect(one.status == 200, "\(one.text)")
      #expect(try attendees().map(\.personID) == [people[1]])
      #expect(try attendees().map(\.reply) == [.tentative])
    }
  }

  @Test func anIDMeansThatPersonAndNoNamesakeWithoutOne() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let people = try (1...2).map { _ in
      try archive.create(
        Person(
          id: archive.identities.next(), name: "Sam Roe", createdAt: web.test.clock.now,
          updatedAt: web.test.clock.now)
      ).value.id
    }
    let known = people[1]
    let entry = try meeting(web.test)
    let edited = try archive.updateMeeting(entry.id) { entry in
      entry.setAttendees([
        Attendance(name: "Sam Roe", reply: .declined),
        Attendance(name: "Sam Roe", personID: known, reply: .accepted),
      ])
    }.value
    #expect(edited.meeting.attendances.map(\.personID) == [nil, known])
    let path = path(entry)
    try await web.run { client in
      let one: JSON = [["name": "Sam Roe", "personId": .string(known.uuidString)]]
      let answer = try await client.ask(.patch, path, ["attendees": one])
      #expect(answer.status == 200, "\(answer.text)")
      let now = try #require(try archive.meeting(entry.id)).meeting.attendances
      #expect(now.map(\.personID) == [known] && now.map(\.reply) == [.accepted])
    }
  }

  @Test func namesakesWithoutAddressesStayTwoInTheForm() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let people = try (1...2).map { _ in
      try archive.create(
        Person(
          id: archive.identities.next(), name: "Sam Roe", createdAt: web.test.clock.now,
          updatedAt: web.test.clock.now)
      ).value.id
    }
    let entry = try meeting(web.test)
    _ = try archive.updateMeeting(entry.id) { entry in
      entry.setAttendees(people.map { Attendance(name: "Sam Roe", personID: $0) })
    }
    try await web.run { client in
      let cookie = try await client.signIn()
      let form = [
        "title": "Pricing", "day": "2026-03-14", "start": "15:00", "end": "15:30",
        "attendees": "Sam Roe\nSam Roe\nMei Ito",
      ]
      let saved = try await client.post(
        "/meetings/\(entry.id.uuidString)", form, cookie: cookie)
      #expect(saved.status == 303)
      let now = try #require(try archive.meeting(entry.id)).meeting.attendances
      #expect(now.map(\.name) == ["Sam Roe", "Sam Roe", "Mei Ito"])
      #expect(now.prefix(2).map(\.personID) == people)
    }
  }

  @Test func wholeDaysKeepTheirNumber() async throws {
    let web = try WebTest()
    let zone = web.test.zone
    var entry = try meeting(web.test, "Conference")
    entry = try web.test.archive.updateMeeting(entry.id) { entry in
      let day = entry.activity.dayKey
      entry.meeting.isAllDay = true
      entry.activity.startAt = zone.start(of: day)
      entry.activity.endAt = zone.start(of: day.advanced(by: 3))
    }.value
    let (path, old) = (path(entry), entry)
    try await web.run { client in
      let answer = try await client.ask(.patch, path, ["isAllDay": true, "title": "Fair"])
      #expect(answer.status == 200, "\(answer.text)")
      let now = try #require(try web.test.archive.meeting(old.id))
      #expect(now.activity.endAt == old.activity.endAt && now.title == "Fair")
    }
  }

  @Test func wholeDaysStayTheSameInAnotherZone() async throws {
    let web = try WebTest()
    let zone = web.test.zone
    var entry = try meeting(web.test, "Conference")
    entry = try web.test.archive.updateMeeting(entry.id) { entry in
      let day = entry.activity.dayKey
      entry.meeting.isAllDay = true
      entry.activity.startAt = zone.start(of: day)
      entry.activity.endAt = zone.start(of: day.advanced(by: 2))
    }.value
    let (path, old) = (path(entry), entry)
    let there = try #require(Zone("America/New_York"))
    try await web.run { client in
      let answer = try await client.ask(.patch, path, ["timeZone": "America/New_York"])
      #expect(answer.status == 200, "\(answer.text)")
      let now = try #require(try web.test.archive.meeting(old.id)).activity
      #expect(now.dayKey == old.activity.dayKey && now.timeZone == "America/New_York")
      #expect(now.startAt == there.start(of: now.dayKey))
      #expect(now.endAt == there.start(of: now.dayKey.advanced(by: 2)))
      #expect(now.lastDay == old.activity.lastDay)
    }
  }

  @Test func anotherFieldLeavesTheDayAlone() async throws {
    let web = try WebTest()
    let zone = web.test.zone
    var entry = try meeting(web.test, "Late shift")
    // The owner counts what begins after midnight to the day before.
    entry = try web.test.archive.updateMeeting(entry.id) { entry in
      let next = entry.activity.dayKey.advanced(by: 1)
      entry.activity.startAt = zone.start(of: next).adding(seconds: 1_800)
      entry.activity.endAt = zone.start(of: next).adding(seconds: 3_600)
    }.value
    let (path, old) = (path(entry), entry)
    try await web.run { client in
      let answer = try await client.ask(.patch, path, ["purpose": "Handover"])
      #expect(answer.json["updated"]?["dayKey"] == JSON(old.activity.dayKey), "\(answer.text)")
      let moved = try await client.ask(.patch, path, ["startDate": "2026-03-14T15:00:00Z"])
      #expect(moved.json["updated"]?["dayKey"] == "2026-03-14", "\(moved.text)")
    }
  }
}
