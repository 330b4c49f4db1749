import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Finding meetings without times by their titles")
struct MeetingNameTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func meeting(_ title: String, on day: String, from start: String? = nil) throws {
    let activity = try test.activity(title, on: day, from: start)
    let id = test.archive.identities.next()
    _ = try test.archive.create(
      MeetingEntry(
        meeting: Meeting(
          id: id, activityID: activity.id, eventIdentifier: id.uuidString,
          createdAt: activity.createdAt, updatedAt: activity.updatedAt),
        activity: activity))
  }

  private func day(after days: Int = 0) throws -> String {
    let now = test.clock.now.adding(seconds: days * 86_400)
    return try test.archive.meeting(named: "dinner", now: now).activity.dayKey.description
  }

  @Test func aDayWithoutTimesIsAheadUntilItEnds() throws {
    // It is March 14.
    try meeting("Dinner", on: "2026-03-16")
    try meeting("Dinner", on: "2026-03-10", from: "19:00")
    #expect(try day() == "2026-03-16")
    #expect(try day(after: 2) == "2026-03-16")
    try meeting("Dinner", on: "2026-03-20", from: "19:00")
    #expect(try day() == "2026-03-16")
    #expect(try day(after: 3) == "2026-03-20")
  }

  @Test func theLatestIsTheOneOfTheLastDay() throws {
    try meeting("Dinner", on: "2026-03-03", from: "19:00")
    try meeting("Dinner", on: "2026-03-12")
    try meeting("Dinner", on: "2026-03-05")
    #expect(try day() == "2026-03-12")
  }
}
