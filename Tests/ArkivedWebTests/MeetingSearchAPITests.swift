import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Searching meetings over HTTP")
struct MeetingSearchAPITests: MeetingTesting {
  @Test func aMeetingIsWithOthersWhoeverOrganisesIt() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let own = try archive.create(
      Person(
        id: archive.identities.next(), name: "Kim Self", aliases: ["me"],
        createdAt: web.test.clock.now, updatedAt: web.test.clock.now)
    ).value.id
    let alone = try meeting(web.test, "Tea alone")
    _ = try archive.updateMeeting(alone.id) { entry in
      entry.setAttendees([Attendance(name: "Kim Self", personID: own)])
    }
    let theirs = try meeting(web.test, "Tea with Priya", with: ["Priya Nair"])
    _ = try archive.updateMeeting(theirs.id) { entry in
      entry.meeting.attendances[0].isOrganizer = true
    }
    try await web.run { client in
      for query in ["", "&query=tea"] {
        let found = try await client.ask(.get, "/api/v1/meetings?withOthers=true\(query)")
        #expect(found.json["total"] == 1, "\(found.text)")
        #expect(found.json["meetings"]?.array?.first?["title"] == "Tea with Priya")
      }
      let all = try await client.ask(.get, "/api/v1/meetings?query=tea")
      #expect(all.json["total"] == 2, "\(all.text)")
    }
  }

  @Test func aMeetingIsFoundBehindHundredsOfOtherEntries() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let entry = try web.test.activity("castle")
    _ = try archive.write(by: .owner, "add", "Added many entries") { scope in
      for _ in 0..<600 {
        var one = entry
        one.id = archive.identities.next()
        try scope.insert(one)
      }
    }
    _ = try meeting(
      web.test, "Talk about the ruin that may have been a castle", on: "2025-02-01",
      with: ["Priya Nair"])
    let priya = try person(web.test, named: "Priya Nair")
    try await web.run { client in
      for query in ["", "&withOthers=true", "&person=\(priya.uuidString)"] {
        let found = try await client.ask(.get, "/api/v1/meetings?query=castle\(query)")
        #expect(found.json["total"] == 1, "\(query): \(found.text)")
        #expect(found.json["meetings"]?.array?.count == 1)
      }
      let next = try await client.ask(.get, "/api/v1/meetings?query=castle&offset=1")
      #expect(next.json["meetings"]?.array?.isEmpty == true && next.json["total"] == 1)
    }
  }

  @Test func eachOfHundredsOfMeetingsIsCountedAndHasAPage() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    let now = web.test.clock.now
    let entry = try web.test.activity("Castle round", on: "2026-03-14", from: "15:00", to: "15:30")
    _ = try archive.write(by: .owner, "add", "Added many meetings") { scope in
      for _ in 0..<520 {
        var one = entry
        one.id = archive.identities.next()
        try scope.insert(one)
        let id = archive.identities.next()
        try scope.insert(
          Meeting(
            id: id, activityID: one.id, eventIdentifier: id.uuidString, attendances: [],
            createdAt: now, updatedAt: now))
      }
    }
    try await web.run { client in
      let path = "/api/v1/meetings?query=castle&limit=500"
      let first = try await client.ask(.get, path)
      #expect(first.json["total"] == 520)
      #expect(first.json["meetings"]?.array?.count == 500)
      let next = try #require(first.json["next"]?.string)
      let rest = try await client.ask(.get, "\(path)&after=\(next)")
      #expect(rest.json["meetings"]?.array?.count == 20 && rest.json["next"] == .null)
    }
  }
}
