import ArkivedCore
import Foundation
import Testing

@Suite("When nudges are due")
struct NudgeRuleTests {
  private let zone: Zone
  private let meeting = UUID()
  private let goals = [UUID(), UUID()]

  init() throws { zone = try #require(Zone("Europe/Berlin")) }

  /// An instant by clocks in Berlin.
  private func at(_ text: String) throws -> Instant {
    zone.instant(of: try #require(ISODateTime(text)).wall)
  }

  private func utc(_ text: String) throws -> Instant { try #require(Instant(text)) }

  private func time(_ text: String) throws -> ClockTime { try #require(ClockTime(text)) }

  /// All are on, and nothing is quiet.
  private func everything() -> NudgeSettings {
    var settings = NudgeSettings()
    for kind in NudgeKind.allCases { settings.set(kind, at: NudgeSettings.usual(kind)) }
    settings.quiet = nil
    settings.mostADay = 20
    return settings
  }

  private func only(_ kind: NudgeKind) -> NudgeSettings {
    var settings = everything()
    for other in NudgeKind.allCases where other != kind { settings.set(other, at: nil) }
    return settings
  }

  /// Facts by which all of them have something to tell.
  private func full(_ start: Instant) -> NudgeFacts {
    var facts = NudgeFacts()
    facts.meetings = [.init(id: meeting, startAt: start)]
    facts.behind = goals
    facts.isBackupOverdue = true
    facts.pastDays = [.earliest]
    return facts
  }

  @Test(arguments: [
    ("21:00", "21:00"), ("9pm", "21:00"), ("9:30 pm", "21:30"), ("12am", "00:00"),
    ("12:15pm", "12:15"), ("7:05", "07:05"), ("00:00", "00:00"),
  ])
  func clockTimesAreReadAsTheyAreWritten(text: String, time: String) {
    #expect(ClockTime(text)?.description == time)
  }

  @Test(arguments: ["", "21", "24:00", "21:60", "13pm", "+5:00", "9:5", "noon", "1:2:3", "0am"])
  func whatIsNoTimeIsRefused(text: String) {
    #expect(ClockTime(text) == nil)
  }

  @Test func whatIsNeverGivenIsSaid() throws {
    var settings = NudgeSettings()
    settings.set(.evening, at: .at(21))
    settings.set(.goal, at: .at(18))
    settings.set(.backup, at: .at(23))
    settings.set(.onThisDay, at: .at(2))
    #expect(
      settings.advice == [
        "23:00 is within the quiet hours, so this is never sent: An overdue backup.",
        "02:00 is within the quiet hours, so this is never sent: A look back at past years.",
      ])
    // It agrees with the rules.
    let now = try at("2026-03-14T12:00")
    for quiet in [nil, "22:00-07:00", "18:00-23:59", "00:00-06:00", "01:00-05:59", "21:01-21:00"] {
      settings.quiet = quiet.flatMap { QuietHours($0) }
      let rules = NudgeRules(settings, zone: zone)
      let never = NudgeKind.allCases.filter {
        settings.isOn($0) && rules.next(of: $0, after: now, meetings: []) == nil
      }
      #expect(settings.advice.count == never.count, "\(quiet ?? "none") \(never)")
    }
  }

  private static let quietCases: [(String, String, String?)] = [
    ("22:00-07:00", "2026-03-14T20:59:00Z", nil),
    ("22:00-07:00", "2026-03-14T21:00:00Z", "2026-03-15T06:00:00Z"),
    ("22:00-07:00", "2026-03-15T02:00:00Z", "2026-03-15T06:00:00Z"),
    ("22:00-07:00", "2026-03-15T06:00:00Z", nil),
    ("12:00-14:00", "2026-03-14T12:00:00Z", "2026-03-14T13:00:00Z"),
    ("12:00-14:00", "2026-03-14T13:00:00Z", nil),
    // Clocks are set forward at 01:00 UTC on 29 March, and back at 01:00 UTC on 25 October.
    ("22:00-07:00", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"),
    ("22:00-07:00", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
    ("01:00-02:30", "2026-03-29T01:10:00Z", "2026-03-29T01:30:00Z"),
    ("01:00-02:30", "2026-10-25T00:29:00Z", "2026-10-25T00:30:00Z"),
    // 02:10 for the second time: the hours are over.
    ("01:00-02:30", "2026-10-25T01:10:00Z", nil),
  ]

  @Test(arguments: quietCases)
  func quietHoursKeepToTheClockOnTheWall(quiet: String, now: String, end: String?) throws {
    let hours = try #require(QuietHours(quiet))
    #expect(hours.end(around: try utc(now), zone: zone)?.description == end)
    #expect(hours.description == quiet)
  }

  private static let timeCases: [(NudgeKind, String, Int)] = [
    // Given in time, or late until it makes no sense any more.
    (NudgeKind.evening, "2026-03-14T20:59", 0), (.evening, "2026-03-14T21:00", 1),
    (.evening, "2026-03-14T23:59", 1), (.evening, "2026-03-15T00:00", 0),
    (.onThisDay, "2026-03-14T07:59", 0), (.onThisDay, "2026-03-14T08:00", 1),
    (.onThisDay, "2026-03-14T11:59", 1), (.onThisDay, "2026-03-14T12:00", 0),
    (.goal, "2026-03-14T17:59", 0), (.goal, "2026-03-14T18:00", 2),
    (.goal, "2026-03-14T23:59", 2), (.backup, "2026-03-14T11:59", 0),
    (.backup, "2026-03-14T12:00", 1), (.backup, "2026-03-15T11:59", 0),
    (.meeting, "2026-03-14T13:49", 0), (.meeting, "2026-03-14T13:50", 1),
    (.meeting, "2026-03-14T13:59", 1), (.meeting, "2026-03-14T14:00", 0),
  ]

  @Test(arguments: timeCases)
  func eachHasItsTime(kind: NudgeKind, now: String, count: Int) throws {
    let rules = NudgeRules(only(kind), zone: zone)
    let facts = full(try at("2026-03-14T14:00"))
    let due = rules.due(at: try at(now), facts, NudgeMemory())
    #expect(due.map(\.kind) == Array(repeating: kind, count: count), "\(due)")
  }

  @Test func nothingIsDueWhereNothingIsChosenOrThereIsNothingToTell() throws {
    let now = try at("2026-03-14T21:00")
    let facts = full(try at("2026-03-14T21:05"))
    let silent = NudgeRules(NudgeSettings(), zone: zone)
    #expect(silent.due(at: now, facts, NudgeMemory()).isEmpty)
    #expect(silent.next(after: now, meetings: facts.meetings) == nil)
    #expect(silent.open(at: now, NudgeMemory()).isEmpty)
    var written = NudgeFacts()
    written.hasNote = true
    #expect(NudgeRules(everything(), zone: zone).due(at: now, written, NudgeMemory()).isEmpty)
  }

  @Test func eachIsGivenOnceAndAMovedMeetingAgain() throws {
    var memory = NudgeMemory()
    let rules = NudgeRules(everything(), zone: zone)
    let now = try at("2026-03-14T21:00")
    let facts = full(try at("2026-03-14T21:05"))
    let due = rules.due(at: now, facts, memory)
    #expect(due.map(\.kind) == [.meeting, .evening, .goal, .goal, .backup])
    memory.note(due, at: now)
    #expect(rules.due(at: now, facts, memory).isEmpty)
    #expect(rules.due(at: try at("2026-03-14T21:04"), facts, memory).isEmpty)
    // Read back from where it is kept, it is the same.
    let kept = NudgeMemory(try JSON(parsing: memory.json.text()))
    #expect(kept == memory && rules.due(at: now, facts, kept).isEmpty)
    let moved = full(try at("2026-03-14T21:10"))
    #expect(rules.due(at: now, moved, memory).map(\.kind) == [.meeting])
  }

  @Test func aGoalAndABackupAreSpokenOfOnceAWeekAtMost() throws {
    var settings = only(.goal)
    settings.set(.backup, at: .at(18))
    let rules = NudgeRules(settings, zone: zone)
    var facts = NudgeFacts()
    facts.behind = [goals[0]]
    facts.isBackupOverdue = true
    var memory = NudgeMemory()
    var days: [Int] = []
    let first = try at("2026-03-20T18:00")
    for day in 0..<16 {
      // Over the night in which clocks are set forward.
      let now = zone.instant(
        of: WallTime(day: zone.dayKey(at: first).advanced(by: day), hour: 18))
      let due = rules.due(at: now, facts, memory)
      #expect(due.isEmpty || due.map(\.kind) == [.goal, .backup])
      if !due.isEmpty { days.append(day) }
      memory.note(due, at: now)
      if day == 1 {
        facts.behind = goals
        #expect(rules.due(at: now, facts, memory).map(\.subject) == [goals[1]])
        facts.behind = [goals[0]]
      }
    }
    #expect(days == [0, 7, 14])
  }

  @Test func aDayHasNoMoreThanItMayHave() throws {
    var settings = everything()
    settings.mostADay = 2
    let rules = NudgeRules(settings, zone: zone)
    var memory = NudgeMemory()
    let now = try at("2026-03-14T21:00")
    let facts = full(try at("2026-03-14T21:05"))
    let due = rules.due(at: now, facts, memory)
    #expect(due.map(\.kind) == [.meeting, .evening])
    memory.note(due, at: now)
    #expect(rules.open(at: now, memory).isEmpty)
    let later = full(try at("2026-03-14T22:05"))
    #expect(rules.due(at: try at("2026-03-14T22:00"), later, memory).isEmpty)
    #expect(rules.due(at: try at("2026-03-15T08:00"), facts, memory).map(\.kind) == [.onThisDay])
  }

  @Test func aMeetingAfterMidnightIsSpokenOfThoughTheDayBeforeHadAllItMayHave() throws {
    var settings = everything()
    settings.mostADay = 1
    let rules = NudgeRules(settings, zone: zone)
    var memory = NudgeMemory()
    let evening = try at("2026-03-14T21:00")
    memory.note([Nudge(.evening, day: zone.dayKey(at: evening))], at: evening)
    let facts = full(try at("2026-03-15T00:05"))
    let late = try at("2026-03-14T23:56")
    #expect(rules.due(at: late, facts, memory).isEmpty)
    let midnight = try at("2026-03-15T00:00")
    #expect(rules.next(after: late, meetings: facts.meetings) == midnight)
    #expect(rules.due(at: midnight, facts, memory).map(\.kind) == [.meeting])
  }

  @Test func quietHoursHoldBackWhatStillMakesSenseAfterThem() throws {
    var settings = everything()
    settings.quiet = QuietHours(from: .at(22), to: .at(7))
    settings.onThisDay = try time("06:00")
    settings.evening = try time("23:00")
    let rules = NudgeRules(settings, zone: zone)
    let facts = full(try at("2026-03-15T07:05"))
    for now in ["2026-03-14T23:00", "2026-03-15T06:00", "2026-03-15T06:59"] {
      #expect(rules.due(at: try at(now), facts, NudgeMemory()).isEmpty, "\(now)")
    }
    let morning = try at("2026-03-15T07:00")
    let early = rules.next(after: try at("2026-03-15T06:56"), meetings: facts.meetings)
    #expect(early == morning)
    let due = rules.due(at: morning, facts, NudgeMemory())
    #expect(due.map(\.kind) == [.meeting, .onThisDay])
    #expect(settings.advice.count == 1 && settings.advice[0].contains("23:00"))
    let noon = try at("2026-03-14T12:00")
    #expect(rules.next(of: .evening, after: noon, meetings: []) == nil)
    #expect(rules.next(of: .onThisDay, after: noon, meetings: []) == morning)
  }

  @Test func timesThatClocksSkipOrRepeatAreGivenOnce() throws {
    var settings = only(.onThisDay)
    settings.onThisDay = try time("02:30")
    let rules = NudgeRules(settings, zone: zone)
    let spring = try #require(DayKey(year: 2026, month: 3, day: 29))
    let autumn = try #require(DayKey(year: 2026, month: 10, day: 25))
    let skipped = try utc("2026-03-29T01:30:00Z")
    #expect(rules.opening(of: .onThisDay, on: spring)?.lowerBound == skipped)
    let first = try utc("2026-10-25T00:30:00Z")
    #expect(rules.opening(of: .onThisDay, on: autumn)?.lowerBound == first)
    var memory = NudgeMemory()
    let facts = full(first)
    memory.note(rules.due(at: first, facts, memory), at: first)
    #expect(memory.given.count == 1)
    #expect(rules.due(at: try utc("2026-10-25T01:30:00Z"), facts, memory).isEmpty)
  }

  @Test func theNextLookIsTheNextMomentAtWhichSomethingMayBeDue() throws {
    let rules = NudgeRules(everything(), zone: zone)
    let meetings = [NudgeFacts.Meeting(id: meeting, startAt: try at("2026-03-14T10:00"))]
    let moments = [
      ("2026-03-14T07:00", "2026-03-14T08:00"), ("2026-03-14T08:00", "2026-03-14T09:50"),
      ("2026-03-14T09:50", "2026-03-14T12:00"), ("2026-03-14T12:00", "2026-03-14T18:00"),
      ("2026-03-14T18:00", "2026-03-14T21:00"), ("2026-03-14T21:00", "2026-03-15T00:00"),
      ("2026-03-15T00:00", "2026-03-15T08:00"),
    ]
    for (now, next) in moments {
      let (found, expected) = (rules.next(after: try at(now), meetings: meetings), try at(next))
      #expect(found == expected, "\(now)")
    }
    // Meetings that nobody knows of yet are looked for twice a day.
    let alone = NudgeRules(only(.meeting), zone: zone)
    let now = try at("2026-03-14T12:00")
    #expect(alone.next(after: now, meetings: []) == now.adding(seconds: 43_200))
  }

  @Test func aLineStandsAsLongAsItIsTrue() throws {
    let rules = NudgeRules(everything(), zone: zone)
    let now = try at("2026-03-14T21:00")
    let facts = full(try at("2026-03-14T21:05"))
    var given = NudgeMemory.Given(Nudge(.evening, day: zone.dayKey(at: now)), at: now)
    #expect(rules.isStanding(given, at: now, facts))
    #expect(!rules.isStanding(given, at: try at("2026-03-15T00:00"), facts))
    given.snoozedUntil = try at("2026-03-14T22:00")
    #expect(!rules.isStanding(given, at: try at("2026-03-14T21:59"), facts))
    #expect(rules.isStanding(given, at: try at("2026-03-14T22:00"), facts))
    var written = facts
    written.hasNote = true
    #expect(!rules.isStanding(given, at: try at("2026-03-14T22:00"), written))
    given.isDismissed = true
    #expect(!rules.isStanding(given, at: try at("2026-03-14T22:00"), facts))
    let brief = NudgeMemory.Given(
      Nudge(.meeting, meeting, day: zone.dayKey(at: now), startAt: try at("2026-03-14T21:05")),
      at: now)
    #expect(rules.isStanding(brief, at: try at("2026-03-14T21:04"), facts))
    #expect(!rules.isStanding(brief, at: try at("2026-03-14T21:05"), facts))
    #expect(!rules.isStanding(brief, at: now, NudgeFacts()))
  }

  @Test func whatIsRememberedStaysShortAndAWrongClockHoldsNothingBack() throws {
    let now = try at("2026-03-14T21:00")
    let day = zone.dayKey(at: now)
    var memory = NudgeMemory()
    memory.note(
      [Nudge(.goal, goals[0], day: day.advanced(by: 400))], at: now.adding(seconds: 34_560_000))
    memory.note([Nudge(.goal, goals[0], day: day)], at: now)
    #expect(memory.given.map(\.nudge.day) == [day])
    memory.note([], at: now.adding(seconds: 9 * 86_400))
    #expect(memory.given.isEmpty)
    #expect(NudgeMemory(["nonsense"]).given.isEmpty && NudgeMemory(.null).given.isEmpty)
  }

  @Test(arguments: [
    (601, "in eleven minutes"), (600, "in ten minutes"), (61, "in two minutes"),
    (60, "in one minute"), (1, "in one minute"), (0, "now"), (3_600, "in 60 minutes"),
  ])
  func timeToAMeetingIsToldInWords(seconds: Int, words: String) throws {
    let now = try at("2026-03-14T21:00")
    #expect(Nudge.soon(now.adding(seconds: seconds), now) == words)
  }

  @Test func settingsSurviveTheirJSONAndRefuseWhatCannotBe() throws {
    var settings = everything()
    settings.channels = [.desktop, .web]
    settings.showsText = true
    settings.quiet = QuietHours("23:30–06:15")
    #expect(NudgeSettings(try JSON(parsing: settings.json.text())) == settings)
    #expect(NudgeSettings(.null) == NudgeSettings() && !NudgeSettings().isOn)
    func take(_ object: JSONObject) throws -> NudgeSettings {
      var taken = settings
      var fields = FieldReader(object)
      try taken.take(&fields)
      return taken
    }
    let off = try take(["evening": .null, "meeting": .null, "quiet": .null, "goal": "7pm"])
    #expect(off.evening == nil && off.meeting == nil && off.quiet == nil)
    #expect(off.goal?.description == "19:00" && off.backup == settings.backup)
    let wrong: [(JSONObject, String)] = [
      (["evening": "11:59"], "evening"), (["evening": "late"], "evening"),
      (["meeting": 0], "meeting"), (["meeting": 121], "meeting"), (["goal": 7], "goal"),
      (["quiet": "22:00"], "quiet"), (["quiet": "22:00-22:00"], "quiet"),
      (["channels": ["pager"]], "channels"), (["mostADay": 0], "mostADay"),
      (["showsText": "yes"], "showsText"),
    ]
    for (object, field) in wrong {
      let error = #expect(throws: FieldError.self) { try take(object) }
      #expect(error?.field == field)
    }
  }
}
