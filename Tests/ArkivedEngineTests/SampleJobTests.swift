import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Testing

@Suite("Filling in the sample life")
struct SampleJobTests {
  @Test func theSampleEndsNowAndCanBeFoundAndAsked() throws {
    let test = try TestArchive()
    test.clock.set(try #require(Instant("2026-03-14T11:30:00Z")))
    let last = try #require(DayKey("2026-03-14"))
    let run = try SampleJob(archive: test.archive)
      .run(from: last.adding(months: -2), through: last)
    #expect(run.skipped == 0 && (run.created["activity"] ?? 0) > 200)
    let today = try test.archive.day(last)
    #expect(today.entry == nil && today.metrics.isEmpty)
    #expect(today.activities.allSatisfy { ($0.startAt ?? .latest) <= test.clock.now })
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }

  @Test func theSampleHasATermUnderWayWithGoalsThatAreWorkedOn() throws {
    let test = try TestArchive()
    let last = try #require(DayKey("2026-03-14"))
    let run = try SampleJob(archive: test.archive)
      .run(from: last.adding(months: -3), through: last)
    #expect(run.skipped == 0 && run.warnings.isEmpty)
    let term = try #require(try test.archive.activeTerm(today: last))
    let review = try test.archive.review(of: term, today: last)
    #expect(review.committed.count == 4 && !review.values.isEmpty)
    #expect(review.committed.contains { $0.progress.total > 0 })
    #expect(try test.archive.lifeTime() != nil)
    #expect(try test.archive.inferContributions().added == 0)
  }

  @Test(arguments: ["2026-03-14T11:30:00Z", "2026-03-15T01:30:00Z"])
  func theFortnightAheadIsInTheCalendarWhereBerlinIsADayAheadToo(now: String) throws {
    let test = try TestArchive()
    test.clock.set(try #require(Instant(now)))
    // The second is the evening of the 14th in New York.
    let last = try #require(DayKey("2026-03-14"))
    _ = try SampleJob(archive: test.archive).run(from: last.adding(months: -1), through: last)
    var ahead = MeetingFilter()
    ahead.from = last.advanced(by: 2)
    #expect(try test.archive.countMeetings(ahead) > 5)
    #expect(try test.archive.nextMeeting(at: test.clock.now) != nil)
  }

  @Test func anArchiveThatHoldsSomethingIsLeftAlone() throws {
    let test = try TestArchive()
    try test.add("mine")
    #expect(throws: ArchiveError.self) {
      try SampleJob(archive: test.archive).run(through: DayKey(clamping: 20_000))
    }
    #expect(try test.archive.counts().activities == 1)
  }
}
