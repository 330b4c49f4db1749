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
