import ArkivedCore
import Foundation
import Testing

@Suite("A changed time and the duration")
struct ActivityTimesTests {
  private func run(minutes: Double? = 30) throws -> Activity {
    let start = try #require(Instant("2026-03-14T07:00:00Z"))
    return Activity(
      id: UUID(), dayKey: try #require(DayKey("2026-03-14")), startAt: start,
      endAt: start.adding(seconds: 1_800), timeZone: "UTC", text: "ran",
      durationMinutes: minutes, createdAt: start, updatedAt: start)
  }

  @Test func theDurationFollowsAChangedEnd() throws {
    var activity = try run()
    try ActivityTimes.change(&activity, day: nil, start: nil, end: "08:00")
    #expect(activity.duration == 60)
    activity = try run()
    try ActivityTimes.change(&activity, day: nil, start: "06:45", end: nil)
    #expect(activity.duration == 45)
  }

  @Test func aTimeInAFileIsEnglishAndOneOnAPageIsNot() throws {
    var activity = try run()
    (activity.startAt, activity.endAt) = (nil, activity.startAt)
    ShownDates.speaking(.german) {
      #expect(activity.timeText == "until 07:00")
      #expect(activity.shownTimeText == "bis 07:00")
    }
  }

  @Test func pausesAndMovesKeepIt() throws {
    var paused = try run(minutes: 25)
    try ActivityTimes.change(&paused, day: nil, start: nil, end: "08:00")
    #expect(paused.duration == 25)
    var moved = try run()
    try ActivityTimes.change(&moved, day: DayKey("2026-03-15"), start: nil, end: nil)
    #expect(moved.durationMinutes == 30)
    var open = try run()
    try ActivityTimes.change(&open, day: nil, start: nil, end: "")
    #expect(open.duration == 30)
  }

  @Test func anEntryMovesToTheNightInWhichClocksAreSetForward() throws {
    var activity = try run(minutes: nil)
    let start = try #require(Instant("2026-03-14T01:40:00Z"))
    activity.timeZone = "Europe/Berlin"
    (activity.startAt, activity.endAt) = (start, start.adding(seconds: 2_400))
    // From 02:40 to 03:20; on that night, there is no 02:40.
    try ActivityTimes.move(&activity, to: try #require(DayKey("2026-03-29")), at: nil)
    #expect(activity.startAt == Instant("2026-03-29T01:40:00Z"))
    #expect(activity.duration == 40)
    try activity.validate()
  }

  @Test func aTypedStartThatClocksSkipLeavesTheEndBehindIt() throws {
    func skipped(start: String?, end: String?) throws -> Activity {
      var activity = try run(minutes: nil)
      activity.timeZone = "Europe/Berlin"
      activity.dayKey = try #require(DayKey("2026-03-29"))
      // From 03:05 to 03:20, right after clocks went from 2 to 3.
      activity.startAt = Instant("2026-03-29T01:05:00Z")
      activity.endAt = Instant("2026-03-29T01:20:00Z")
      try ActivityTimes.change(&activity, day: nil, start: start, end: end)
      try activity.validate()
      return activity
    }
    let both = try skipped(start: "02:40", end: "03:25")
    #expect(both.startAt == Instant("2026-03-29T01:40:00Z") && both.duration == 45)
    #expect(try skipped(start: "02:40", end: nil).duration == 40)
    // By the clock, these are still until the next morning.
    #expect(try skipped(start: "22:00", end: "03:25").duration == 325)
  }

  @Test func aMoveToAnotherTimeKeepsTheDurationWhereClocksChange() throws {
    for (day, start) in [
      ("2026-03-29", "2026-03-29T08:00:00Z"), ("2026-10-25", "2026-10-25T09:00:00Z"),
    ] {
      var activity = try run(minutes: nil)
      activity.timeZone = "Europe/Berlin"
      // From 01:00 to 04:00, between which clocks change on both days.
      let begun = try #require(Instant("2026-03-14T00:00:00Z"))
      (activity.startAt, activity.endAt) = (begun, begun.adding(seconds: 10_800))
      try ActivityTimes.move(&activity, to: try #require(DayKey(day)), at: "10:00")
      #expect(activity.startAt == Instant(start))
      #expect(activity.duration == 180)
    }
  }

  @Test func wholeDaysStayWholeWhereADayBeginsAfterMidnight() throws {
    let zone = try #require(Zone("America/Santiago"))
    let late = try #require(DayKey("2019-09-08"))
    #expect(zone.wallTime(at: zone.start(of: late)).hour == 1)
    func whole(_ day: DayKey, days: Int) throws -> Activity {
      var activity = try run(minutes: nil)
      activity.timeZone = zone.identifier
      activity.dayKey = day
      activity.startAt = zone.start(of: day)
      activity.endAt = zone.start(of: day.advanced(by: days))
      return activity
    }
    var after = try whole(late, days: 1)
    try ActivityTimes.change(&after, day: late.advanced(by: 2), start: nil, end: nil)
    #expect(after.isAllDay && after.lastDay == late.advanced(by: 2))
    var before = try whole(late.advanced(by: -2), days: 2)
    try ActivityTimes.move(&before, to: late.advanced(by: 5), at: nil)
    #expect(before.isAllDay && before.lastDay == late.advanced(by: 6))
    var back = try whole(late.advanced(by: 5), days: 2)
    try ActivityTimes.move(&back, to: late.advanced(by: -1), at: nil)
    #expect(back.isAllDay && back.lastDay == late)
  }

  @Test func anExactEndDoesNotMoveWithTheDay() throws {
    let zone = try #require(Zone("UTC"))
    var activity = try run(minutes: nil)
    try ActivityArguments.change(
      &activity, ["dayKey": "2026-03-15", "endAt": "2026-03-15T10:00:00Z"], homeZone: zone)
    #expect(activity.startAt == Instant("2026-03-15T07:00:00Z"))
    #expect(activity.endAt == Instant("2026-03-15T10:00:00Z"))
    // One of which only the end is known moves too.
    activity = try run(minutes: nil)
    activity.startAt = nil
    try ActivityArguments.change(&activity, ["dayKey": "2026-03-15"], homeZone: zone)
    #expect(activity.dayKey == DayKey("2026-03-15"))
    #expect(activity.endAt == Instant("2026-03-15T07:30:00Z"))
  }

  @Test func aNewStartStaysInTheNightThatBelongsToTheDayBefore() throws {
    // A day that begins at 4 a.m. goes on until then.
    func late() throws -> Activity {
      var activity = try run(minutes: nil)
      let start = try #require(Instant("2026-03-15T01:30:00Z"))
      (activity.startAt, activity.endAt) = (start, start.adding(seconds: 1_800))
      return activity
    }
    var activity = try late()
    try ActivityTimes.change(&activity, day: nil, start: "01:45", end: nil)
    #expect(activity.startAt == Instant("2026-03-15T01:45:00Z") && activity.duration == 15)
    try ActivityTimes.change(&activity, day: nil, start: "23:30", end: nil)
    #expect(activity.startAt == Instant("2026-03-14T23:30:00Z"))
    activity = try late()
    try ActivityTimes.change(&activity, day: nil, start: "01:00", end: "03:00")
    #expect(activity.startAt == Instant("2026-03-15T01:00:00Z") && activity.duration == 120)
    activity = try late()
    try ActivityTimes.change(&activity, day: DayKey("2026-03-20"), start: "01:00", end: nil)
    #expect(activity.startAt == Instant("2026-03-21T01:00:00Z"))
    activity = try late()
    try ActivityTimes.change(&activity, day: nil, start: "09:00", end: "10:00")
    #expect(activity.startAt == Instant("2026-03-14T09:00:00Z") && activity.duration == 60)
    activity = try late()
    try ActivityTimes.move(&activity, to: activity.dayKey, at: "02:00")
    #expect(activity.startAt == Instant("2026-03-15T02:00:00Z") && activity.duration == 30)
    #expect(activity.dayKey == DayKey("2026-03-14"))
  }

  @Test func anEntryOfWholeDaysKeepsThemInAnotherZone() throws {
    let home = try #require(Zone("Europe/Berlin"))
    let there = try #require(Zone("America/New_York"))
    var activity = try run(minutes: nil)
    let day = activity.dayKey
    activity.timeZone = home.identifier
    (activity.startAt, activity.endAt) = (home.start(of: day), home.start(of: day.advanced(by: 2)))
    try ActivityArguments.change(&activity, ["timeZone": "America/New_York"], homeZone: home)
    #expect(activity.isAllDay && activity.dayKey == day && activity.lastDay == day.advanced(by: 1))
    #expect(activity.startAt == there.start(of: day))
    var timed = try run()
    try ActivityArguments.change(&timed, ["timeZone": "America/New_York"], homeZone: home)
    #expect(timed.startAt == Instant("2026-03-14T07:00:00Z") && timed.duration == 30)
  }

  @Test func wholeDaysThatAreMovedStayWholeWhereClocksAreChangedAtMidnight() throws {
    // There, 4 November 2018 began at 1 o’clock.
    let zone = try #require(Zone("America/Sao_Paulo"))
    let days = try ["2018-11-02", "2018-11-03", "2018-11-04"].map { try #require(DayKey($0)) }
    for (from, to) in [(1, 0), (2, 0), (0, 1), (0, 2)] {
      var activity = try run(minutes: nil)
      (activity.timeZone, activity.dayKey) = (zone.identifier, days[from])
      activity.startAt = zone.start(of: days[from])
      activity.endAt = zone.start(of: days[from].advanced(by: 1))
      try ActivityTimes.change(&activity, day: days[to], start: nil, end: nil)
      #expect(activity.isAllDay && activity.dayKey == days[to] && activity.lastDay == days[to])
    }
  }

  @Test func anEndGivesAPartOfTheDayNoStart() throws {
    func morning() throws -> Activity {
      var activity = try run(minutes: nil)
      (activity.startAt, activity.endAt) = (Instant("2026-03-14T05:00:00Z"), nil)
      activity.dayPeriod = .morning
      return activity
    }
    var activity = try morning()
    try ActivityTimes.change(&activity, day: nil, start: nil, end: "")
    #expect(activity.dayPeriod == .morning && activity.timeText == "morning")
    try ActivityTimes.change(&activity, day: nil, start: nil, end: "11:00")
    #expect(activity.startAt == nil && activity.timeText == "until 11:00")
    activity = try morning()
    try ActivityArguments.change(&activity, ["endAt": "2026-03-14T11:00:00Z"], homeZone: .utc)
    #expect(activity.startAt == nil && activity.timeText == "until 11:00")
    activity = try morning()
    try ActivityTimes.change(&activity, day: nil, start: "06:00", end: "07:00")
    #expect(activity.timeText == "06:00–07:00")
  }

  @Test func aPartOfTheDayStaysOnItsDayInAnotherZone() throws {
    let home = try #require(Zone("Europe/Berlin"))
    var activity = try run(minutes: nil)
    activity.timeZone = home.identifier
    (activity.startAt, activity.endAt) = (Instant("2026-03-14T17:00:00Z"), nil)
    activity.dayPeriod = .evening
    try ActivityArguments.change(&activity, ["timeZone": "Asia/Tokyo"], homeZone: home)
    #expect(activity.dayKey == DayKey("2026-03-14") && activity.dayPeriod == .evening)
    // 18:00 by the clocks there.
    #expect(activity.startAt == Instant("2026-03-14T09:00:00Z"))
  }

  @Test func aNewEndStaysOnTheLastOfSeveralDays() throws {
    func long(_ end: String) throws -> Activity {
      var activity = try run(minutes: nil)
      activity.endAt = Instant(end)
      return activity
    }
    var fair = try long("2026-03-16T17:00:00Z")
    try ActivityTimes.change(&fair, day: nil, start: nil, end: "18:00")
    #expect(fair.endAt == Instant("2026-03-16T18:00:00Z"))
    try ActivityTimes.change(&fair, day: DayKey("2026-03-20"), start: "09:00", end: "16:30")
    #expect(fair.startAt == Instant("2026-03-20T09:00:00Z"))
    #expect(fair.endAt == Instant("2026-03-22T16:30:00Z"))
    // A party that ended in the night went on until the morning.
    var party = try long("2026-03-16T02:00:00Z")
    try ActivityTimes.change(&party, day: nil, start: nil, end: "08:00")
    #expect(party.endAt == Instant("2026-03-16T08:00:00Z"))
    var shift = try long("2026-03-15T07:00:00Z")
    try ActivityTimes.change(&shift, day: nil, start: nil, end: "08:00")
    #expect(shift.endAt == Instant("2026-03-15T08:00:00Z"))
    // From 9 to 9 o’clock, in a night in which clocks are set forward.
    var watch = try long("2026-03-29T07:00:00Z")
    (watch.timeZone, watch.startAt) = ("Europe/Berlin", Instant("2026-03-28T08:00:00Z"))
    watch.dayKey = try #require(DayKey("2026-03-28"))
    #expect(watch.daysToEnd == 1)
    try ActivityTimes.change(&watch, day: nil, start: nil, end: "10:00")
    #expect(watch.endAt == Instant("2026-03-29T08:00:00Z"))
    // An end of whole days is the midnight after them, and a night is short.
    var whole = try long("2026-03-16T00:00:00Z")
    whole.startAt = Instant("2026-03-14T00:00:00Z")
    try ActivityTimes.change(&whole, day: nil, start: "09:00", end: "17:00")
    #expect(whole.endAt == Instant("2026-03-14T17:00:00Z"))
    var night = try long("2026-03-15T01:00:00Z")
    try ActivityTimes.change(&night, day: nil, start: nil, end: "23:30")
    #expect(night.endAt == Instant("2026-03-14T23:30:00Z"))
  }

  @Test func aGivenDurationWins() throws {
    let zone = try #require(Zone("UTC"))
    var activity = try run()
    try ActivityArguments.change(
      &activity, ["endAt": "2026-03-14T08:00:00Z", "durationMinutes": 30], homeZone: zone)
    #expect(activity.duration == 30)
    activity = try run()
    try ActivityArguments.change(&activity, ["endAt": "2026-03-14T08:00:00Z"], homeZone: zone)
    #expect(activity.duration == 60)
  }
}
