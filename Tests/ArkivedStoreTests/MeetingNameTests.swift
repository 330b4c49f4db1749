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

  /// “Edda” and “2025” consist of digits that an ID may begin with.
  @Test func aNameIsMeantBeforeTheBeginningOfAnID() throws {
    let (archive, now) = (test.archive, test.clock.now)
    func id(_ digits: String) throws -> UUID {
      try #require(UUID(uuidString: "\(digits)-0000-4000-8000-000000000000"))
    }
    for (digits, name) in [("EDDA0000", "Jonas"), ("11110000", "Edda")] {
      _ = try archive.create(
        Person(id: try id(digits), name: name, createdAt: now, updatedAt: now))
    }
    #expect(try archive.person(named: "edda").name == "Edda")
    #expect(try archive.person(named: "EDDA0000").name == "Jonas")
    for (digits, title) in [("20250000", "Bulbs"), ("22220000", "2025")] {
      _ = try archive.create(
        Note(id: try id(digits), title: title, text: "Soil", createdAt: now, updatedAt: now))
    }
    #expect(try archive.note(named: "2025").title == "2025")
    #expect(try archive.note(named: "20250").title == "Bulbs")
    for (digits, title) in [("CAFE0000", "Review"), ("33330000", "Cafe")] {
      let activity = try test.activity(title, on: "2026-03-16", from: "10:00")
      _ = try archive.create(
        MeetingEntry(
          meeting: Meeting(
            id: try id(digits), activityID: activity.id, eventIdentifier: digits, createdAt: now,
            updatedAt: now),
          activity: activity))
    }
    #expect(try archive.meeting(named: "cafe", now: now).title == "Cafe")
    #expect(try archive.meeting(named: "cafe0", now: now).title == "Review")
  }

  @Test func theLatestIsTheOneOfTheLastDay() throws {
    try meeting("Dinner", on: "2026-03-03", from: "19:00")
    try meeting("Dinner", on: "2026-03-12")
    try meeting("Dinner", on: "2026-03-05")
    #expect(try day() == "2026-03-12")
  }
}
