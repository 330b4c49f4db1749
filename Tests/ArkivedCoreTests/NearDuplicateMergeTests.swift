import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("One entry taking over another about the same event")
struct NearDuplicateMergeTests {
  private static let five = "2026-03-14T05:00:00Z"
  private static let nine = "2026-03-14T09:00:00Z"
  private static let ten = "2026-03-14T10:00:00Z"

  private func entry(
    _ start: String?, _ end: String? = nil, _ period: DayPeriod? = nil
  ) throws -> Activity {
    Activity(
      id: UUID(), dayKey: try #require(DayKey("2026-03-14")),
      startAt: start.flatMap { Instant($0) }, endAt: end.flatMap { Instant($0) }, timeZone: "UTC",
      text: "swam", dayPeriod: period, createdAt: TestArchive.now, updatedAt: TestArchive.now)
  }

  @Test func aPartOfTheDayIsNotTakenForAClockTime() throws {
    var untimed = try entry(nil)
    untimed.take(over: try entry(Self.five, nil, .morning))
    #expect(untimed.dayPeriod == .morning && untimed.startAt == Instant(Self.five))
    var morning = try entry(Self.five, nil, .morning)
    morning.take(over: try entry(nil, Self.ten))
    #expect(morning.dayPeriod == .morning && morning.endAt == nil)
    var until = try entry(nil, Self.ten)
    until.take(over: try entry(Self.five, nil, .morning))
    #expect(until.startAt == nil && until.dayPeriod == nil)
    until.take(over: try entry(Self.nine))
    #expect(until.startAt == Instant(Self.nine) && until.endAt == Instant(Self.ten))
  }

  @Test func aClockTimeSaysMoreThanAPartOfTheDay() throws {
    var morning = try entry(Self.five, nil, .morning)
    morning.take(over: try entry(Self.nine, Self.ten))
    #expect(morning.dayPeriod == nil)
    #expect(morning.startAt == Instant(Self.nine) && morning.endAt == Instant(Self.ten))
    var timed = try entry(Self.nine)
    timed.take(over: try entry(Self.five, nil, .morning))
    #expect(timed.dayPeriod == nil && timed.startAt == Instant(Self.nine))
  }
}
