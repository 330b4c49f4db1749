import ArkivedCore
import Foundation
import Testing

@Suite("Progress, pace, streaks, terms and a life")
struct GoalProgressTests {
  private static let epoch = Instant(milliseconds: 0)

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  private func goal(
    _ target: Double?, from start: String? = nil, to end: String? = nil
  ) -> Goal {
    Goal(
      id: UUID(), title: "goal", measurementUnit: "km", measurementTarget: target,
      startDate: start.flatMap(DayKey.init), targetDate: end.flatMap(DayKey.init),
      createdAt: Self.epoch, updatedAt: Self.epoch)
  }

  private func progress(
    _ goal: Goal, _ days: [(String, Double)], today: String
  ) throws -> GoalProgress {
    GoalProgress(
      of: goal,
      days: try days.map { DayTotal(day: try day($0.0), total: $0.1, actions: 1) },
      today: try day(today))
  }

  @Test(arguments: [
    // target, total, per cent, remaining, complete, overachieved
    (100.0, [40.0], 40.0, 60.0, false, false),
    (100, [100], 100, 0, true, false),
    (100, [110], 110, 0, true, false),
    (100, [60, 60], 120, 0, true, true),
    (1, [0.7, 0.1, 0.2], 100, 0, true, false),
    (100, [], 0, 100, false, false),
  ])
  func totals(
    target: Double, amounts: [Double], percent: Double, remaining: Double, isComplete: Bool,
    isOver: Bool
  ) throws {
    let days = amounts.enumerated().map { ("2026-03-0\($0.offset + 1)", $0.element) }
    let progress = try progress(goal(target), days, today: "2026-03-14")
    #expect(abs(try #require(progress.percent) - percent) < 1e-9)
    #expect(progress.remaining == remaining)
    #expect(progress.isComplete == isComplete && progress.isOverachieved == isOver)
  }

  @Test func withoutATargetThereIsOnlyATotal() throws {
    let progress = try progress(goal(nil), [("2026-03-01", 5)], today: "2026-03-14")
    #expect(progress.total == 5 && progress.percent == nil && progress.remaining == nil)
    #expect(!progress.isComplete && progress.pace.expected == nil)
    #expect(progress.amountText == "5 km")
  }

  @Test(arguments: [
    // from, to, today, total, expected, standing
    ("2026-01-01", "2026-01-11", "2026-01-06", 50.0, 50.0, "onPace"),
    ("2026-01-01", "2026-01-11", "2026-01-06", 60, 50, "ahead"),
    ("2026-01-01", "2026-01-11", "2026-01-06", 40, 50, "behind"),
    ("2026-01-01", "2026-01-11", "2025-12-30", 0, 0, "notStarted"),
    ("2026-01-01", "2026-01-11", "2026-01-12", 99, 100, "missed"),
    ("2026-01-01", "2026-01-11", "2026-01-12", 100, 100, "complete"),
    ("2026-01-01", "2026-01-11", "2026-01-03", 100, 20, "complete"),
  ])
  func pace(
    from start: String, to end: String, today: String, total: Double, expected: Double,
    standing: String
  ) throws {
    let progress = try progress(
      goal(100, from: start, to: end), total > 0 ? [(start, total)] : [], today: today)
    #expect(abs(try #require(progress.pace.expected) - expected) < 1e-9)
    #expect(progress.pace.standing?.rawValue == standing)
  }

  @Test func thePresentRateTellsWhenTheTargetIsReached() throws {
    let half = goal(100, from: "2026-01-01", to: "2026-04-10")
    // 20 in ten days: 2 a day, 80 are left, 40 days.
    let progress = try progress(half, [("2026-01-02", 20)], today: "2026-01-10")
    #expect(progress.pace.perDay == 2)
    #expect(progress.pace.projectedDate == (try day("2026-02-19")))
    let none = try self.progress(half, [], today: "2026-01-10")
    #expect(none.pace.projectedDate == nil)
    let reached = try self.progress(
      half, [("2026-01-02", 60), ("2026-01-05", 60)], today: "2026-01-10")
    #expect(reached.reachedOn == (try day("2026-01-05")))
    #expect(reached.pace.projectedDate == reached.reachedOn)
    let tiny = try self.progress(goal(1e12), [("2026-01-02", 1e-9)], today: "2026-01-10")
    #expect(tiny.pace.projectedDate == nil)
  }

  @Test(arguments: [
    // today, days on which the rest can be done
    ("2025-12-02", 100.0), ("2025-12-31", 100), ("2026-01-01", 99), ("2026-01-11", 89),
    ("2026-04-10", 1),
  ])
  func whatIsNeededADayIsSpreadOverTheGoalsDays(today: String, days: Double) throws {
    let progress = try progress(goal(100, from: "2026-01-01", to: "2026-04-10"), [], today: today)
    #expect(progress.pace.neededPerDay == 100 / days)
  }

  @Test func streaksCountDaysAndWeeksInARow() throws {
    let days = ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-12", "2026-03-13"]
      .map { ($0, 1.0) }
    let progress = try progress(goal(100), days, today: "2026-03-14")
    #expect(progress.dayStreak.current == 2 && progress.dayStreak.longest == 3)
    #expect(progress.weekStreak.current == 2 && progress.weekStreak.longest == 2)
    let later = try self.progress(goal(100), days, today: "2026-03-16")
    #expect(later.dayStreak.current == 0 && later.weekStreak.current == 2)
  }

  @Test func weeksWithoutAnythingAreWeeksToo() throws {
    let progress = try progress(
      goal(100, from: "2026-03-04", to: "2026-12-31"),
      [("2026-03-04", 3), ("2026-03-08", 4), ("2026-03-16", 5)], today: "2026-03-25")
    #expect(
      progress.weeks.map(\.day.description) == [
        "2026-03-02", "2026-03-09", "2026-03-16", "2026-03-23",
      ])
    #expect(progress.weeks.map(\.total) == [7, 0, 5, 0])
  }

  @Test func whatIsWrittenDownForLaterIsAPlan() throws {
    let progress = try progress(
      goal(10), [("2026-03-14", 4), ("2026-03-15", 1), ("2026-04-01", 20)], today: "2026-03-14")
    #expect(progress.total == 5 && progress.planned == 20)
    #expect(!progress.isComplete && progress.reachedOn == nil)
  }

  @Test func aPlanForCenturiesListsTheWeeksInWhichSomethingWasDone() throws {
    let progress = try progress(
      goal(10, from: "0001-01-01", to: "9999-12-31"), [("2026-03-02", 4), ("2026-03-03", 1)],
      today: "2026-03-14")
    #expect(progress.weeks.map(\.total) == [5])
  }

  @Test(arguments: [
    (99.6, 99, "99%"), (99.999, 99, "99%"), (100, 100, "100%"), (109.7, 109, "109%"),
    (1250.2, 1250, "1,250%"), (0, 0, "0%"), (0.3, 0, "under 1%"),
    (28.999999999999996, 29, "29%"),
  ])
  func aPercentageIsCutOff(percent: Double, whole: Int, text: String) {
    #expect(PercentText.whole(percent) == whole && PercentText.of(percent) == text)
  }

  @Test func germanPutsASpaceBeforeThePercentSign() {
    ShownDates.speaking(.german) {
      #expect(PercentText.of(1250.2) == "1.250 %" && PercentText.of(0.3) == "unter 1 %")
    }
  }

  @Test func whatIsNotReachedIsNeverToldAsAll() throws {
    let progress = try progress(goal(1000), [("2026-03-01", 996)], today: "2026-03-14")
    #expect(progress.wholePercent == 99 && progress.percentText == "99%")
    #expect(progress.json["percent"] == 99 && progress.shortJSON["percent"] == 99)
  }

  @Test(arguments: [
    (119.98, "119.98 of 120 km"), (119.99995, "119.999 of 120 km"), (119.4, "119.4 of 120 km"),
    (120, "120 of 120 km"), (120.01, "120 of 120 km"),
  ])
  func anAmountBelowTheTargetNeverLooksLikeIt(total: Double, text: String) throws {
    let goal = goal(120)
    let progress = try progress(goal, [("2026-03-01", total)], today: "2026-03-14")
    #expect(progress.amountText == text)
    #expect(
      PaceText(goal: goal, progress: progress, today: try day("2026-03-14")).amountText == text)
  }

  @Test func amountsThatBurstStayNumbers() throws {
    let progress = try progress(
      goal(100), [("2026-03-01", 1e308), ("2026-03-02", 1e308)], today: "2026-03-14")
    #expect(progress.total.isFinite && progress.isComplete)
    #expect(progress.json["total"]?.double != nil && progress.json["percent"]?.double != nil)
    #expect(progress.weeks.allSatisfy { $0.total.isFinite })
    #expect(AmountText.plain(1e308) == "1e+308")
  }

  @Test(arguments: [
    ("2025-12-31", "upcoming", 71, 0.0), ("2026-01-01", "active", 70, 0),
    ("2026-02-05", "active", 35, 0.5), ("2026-03-12", "active", 0, 1),
    ("2026-03-13", "complete", 0, 1),
  ])
  func aTermIsSeventyDaysLong(
    today: String, status: String, remaining: Int, gone: Double
  ) throws {
    let term = Term(
      id: UUID(), termNumber: 1, startDate: try day("2026-01-01"), createdAt: Self.epoch,
      updatedAt: Self.epoch)
    #expect(term.targetDate == (try day("2026-03-12")))
    let today = try day(today)
    #expect(term.status(on: today).rawValue == status)
    #expect(term.daysRemaining(on: today) == remaining)
    #expect(abs(term.shareGone(on: today) - gone) < 1e-9)
  }

  @Test func anAgeGrowsOnBirthdays() throws {
    func life(_ birth: String) throws -> LifeTime {
      LifeTime(id: UUID(), birthDate: try day(birth), createdAt: Self.epoch, updatedAt: Self.epoch)
    }
    let plain = try life("1985-06-01")
    // 15,340 days are less than 42 years of 365.25 days.
    #expect(plain.age(on: try day("2027-06-01")) == 42)
    #expect(plain.age(on: try day("2027-05-31")) < 42)
    #expect(plain.age(on: try day("1986-06-01")) == 1)
    #expect(plain.age(on: try day("1985-06-01")) == 0)
    let leap = try life("2000-02-29")
    #expect(leap.age(on: try day("2001-02-28")) == 1)
    #expect(leap.age(on: try day("2004-02-28")) < 4)
    #expect(leap.age(on: try day("2004-02-29")) == 4)
  }

  @Test func aYearOfLifeBeginsWithTheWeekOfItsBirthday() throws {
    let life = LifeTime(
      id: UUID(), birthDate: try day("1985-06-01"), createdAt: Self.epoch, updatedAt: Self.epoch)
    for year in 0..<79 {
      let weeks = life.weeks(ofYear: year)
      #expect((52...53).contains(weeks.count))
      #expect(weeks.upperBound == life.weeks(ofYear: year + 1).lowerBound)
      let days = life.birthDate.distance(to: life.birthDate.adding(months: 12 * year))
      #expect(weeks.lowerBound == days / 7, "\(year)")
    }
    #expect(life.weeks(ofYear: 70).lowerBound == 3_652)
  }

  @Test func aLifeHasWeeksLivedAndWeeksToCome() throws {
    let life = LifeTime(
      id: UUID(), birthDate: try day("1990-05-17"), createdAt: Self.epoch, updatedAt: Self.epoch)
    // 79 years of 365.25 days are 28,854.75 days, 4,122 weeks.
    #expect(life.expectedEnd == life.birthDate.advanced(by: 28_855))
    #expect(life.weeksExpected == 4_122)
    let today = try day("2026-03-14")
    #expect(life.weeksLived(on: today) == 1_869)
    #expect(life.weeksRemaining(on: today) == 4_122 - 1_869)
    #expect(life.weeksLived(on: try day("1980-01-01")) == 0)
    #expect(life.weeksRemaining(on: try day("2099-01-01")) == 0)
  }

  @Test(arguments: [
    ("2001-03-01", "2031-02-28", "29.9"), ("2001-03-01", "2031-03-01", "30"),
    ("2000-02-29", "2026-02-27", "25.9"), ("2000-02-29", "2026-02-28", "26"),
    ("1985-06-01", "2026-03-14", "40.7"), ("2026-03-14", "2026-03-14", "0"),
    ("2030-01-01", "2026-03-14", "0"), ("1850-05-05", "1950-05-05", "100"),
  ])
  func aYearOfLifeEndsOnTheBirthday(birth: String, today: String, age: String) throws {
    let life = LifeTime(
      id: UUID(), birthDate: try day(birth), createdAt: Self.epoch, updatedAt: Self.epoch)
    #expect(life.ageText(on: try day(today)) == age)
  }

  @Test(arguments: [
    ("general", 40), ("life_area", 40), ("major", 10), ("highest_order", 1), ("incentive", 50),
    ("something_new", 50),
  ])
  func valuesHaveDefaultPriorities(type: String, priority: Int) {
    let value = PersonalValue(
      id: UUID(), title: "v", incentiveType: IncentiveType(rawValue: type), createdAt: Self.epoch,
      updatedAt: Self.epoch)
    #expect(value.priority == priority && value.lifeDomain == "General")
  }
}

@Suite("What a goal may be")
struct GoalValidationTests {
  /// The field that is refused; nil where all is well.
  private func refused(_ fields: JSONObject) -> String? {
    var reader = FieldReader(fields)
    let defaults = EntryDefaults(
      now: Instant(milliseconds: 0), homeZone: .utc, identities: RandomIdentities())
    do {
      _ = try Goal(&reader, defaults: defaults)
      return nil
    } catch { return error.field }
  }

  @Test(
    arguments: [
      (["title": "Run"], nil),
      (["title": "  "], "title"),
      ([:], "title"),
      (["title": "Run", "measurementTarget": 0, "measurementUnit": "km"], "measurementTarget"),
      (["title": "Run", "measurementTarget": -1, "measurementUnit": "km"], "measurementTarget"),
      (["title": "Run", "measurementTarget": 1e308, "measurementUnit": "km"], "measurementTarget"),
      (["title": "Run", "measurementTarget": "120", "measurementUnit": "km"], "measurementTarget"),
      (["title": "Run", "measurementTarget": 5], "measurementUnit"),
      (["title": "Run", "measurementUnit": "km"], nil),
      (["title": "Run", "startDate": "2026-02-01", "targetDate": "2026-01-01"], "targetDate"),
      (["title": "Run", "startDate": "2026-01-01", "targetDate": "2026-01-01"], "targetDate"),
      (["title": "Run", "startDate": "2026-02-30"], "startDate"),
      (["title": "Run", "startDate": "2026-01-01T08:00:00Z"], nil),
      (["title": "Run", "goalType": "Milestone"], "targetDate"),
      (["title": "Run", "goalType": "Milestone", "targetDate": "2026-01-01"], nil),
      (
        [
          "title": "Run", "goalType": "Milestone", "targetDate": "2026-02-01",
          "startDate": "2026-01-01",
        ], "startDate"
      ),
      (["title": "Run", "goalType": "SmartGoal"], "measurementUnit"),
      (
        [
          "title": "Run", "goalType": "SmartGoal", "measurementUnit": "km", "measurementTarget": 5,
          "startDate": "2026-01-01", "targetDate": "2026-02-01", "howGoalIsRelevant": "health",
          "howGoalIsActionable": ["units": ["km"], "keywords": ["run"]],
        ], nil
      ),
      (
        [
          "title": "Run", "goalType": "SmartGoal", "measurementUnit": "km", "measurementTarget": 5,
          "startDate": "2026-01-01", "targetDate": "2026-02-01", "howGoalIsRelevant": " ",
          "howGoalIsActionable": "run",
        ], "howGoalIsRelevant"
      ),
      (["title": "Run", "expectedTermLength": 0], "expectedTermLength"),
      (["title": "Run", "goalType": "Quest"], nil),
      (["title": "a\u{0}b"], "title"),
    ] as [(JSONObject, String?)])
  func aGoalIsRefusedWithTheFieldNamed(fields: JSONObject, field: String?) {
    #expect(refused(fields) == field)
  }

  @Test func everyEntityIsReadAsItIsWritten() throws {
    let now = Instant(milliseconds: 1_773_518_400_000)
    let defaults = EntryDefaults(now: now, homeZone: .utc, identities: RandomIdentities())
    let start = try #require(DayKey("2026-01-01"))
    let entities: [any RecordedEntity] = [
      Goal(
        id: UUID(), title: "g", description: "d", notes: "n", goalType: "Quest",
        measurementUnit: "km", measurementTarget: 2.5, startDate: start,
        targetDate: start.advanced(by: 9), howGoalIsRelevant: "r", howGoalIsActionable: "{}",
        expectedTermLength: 10, createdAt: now, updatedAt: now),
      PersonalValue(
        id: UUID(), title: "v", incentiveType: .major, priority: 3, lifeDomain: "Health",
        alignmentGuidance: "a", createdAt: now, updatedAt: now),
      Term(
        id: UUID(), termNumber: 4, startDate: start, theme: "t", reflection: "r", createdAt: now,
        updatedAt: now),
      LifeTime(
        id: UUID(), birthDate: start, expectedYears: 80.5, createdAt: now, updatedAt: now),
      ActionGoalContribution(
        id: UUID(), actionID: UUID(), goalID: UUID(), contribution: 0.1, matchMethod: "by_hand",
        confidence: 0.65, matchedOn: ["unit:km"], createdAt: now, updatedAt: now),
      GoalValueAlignment(
        id: UUID(), goalID: UUID(), valueID: UUID(), strength: 7, notes: "n", createdAt: now,
        updatedAt: now),
      TermGoalAssignment(
        id: UUID(), termID: UUID(), goalID: UUID(), order: 2, createdAt: now, updatedAt: now),
      Meeting(
        id: UUID(), activityID: UUID(), eventIdentifier: "e/1", seriesIdentifier: "e",
        organizer: "o", purpose: "p", outcomes: "o", summary: "s", status: "postponed",
        isAllDay: true, isEventDeleted: true,
        attendances: [
          Attendance(
            name: "A", address: "a@example.org", personID: UUID(), role: .chair, reply: .declined,
            isOrganizer: true)
        ],
        event: CalendarEvent(
          title: "t", dayKey: start, startAt: now, endAt: now, timeZone: "UTC", location: "l",
          description: "d", organizer: "o", status: .tentative, tags: ["x"]),
        linkID: UUID(), resource: "r", createdAt: now, updatedAt: now),
      Note(
        id: UUID(), title: "t", text: "- [ ] x", meetingID: UUID(), dayKey: start, tags: ["x"],
        people: [Mention(name: "A", personID: UUID())], createdAt: now, updatedAt: now),
      ConversationThread(id: UUID(), title: "t", createdAt: now, updatedAt: now),
      ConversationMessage(
        id: UUID(), threadID: UUID(), role: .assistant, text: "t",
        details: .object(["kind": "count"]), createdAt: now, updatedAt: now),
    ]
    #expect(Set(entities.map { type(of: $0).typeName }).count == GoalSide.types.count)
    for entity in entities {
      var fields = FieldReader(try #require(entity.json.object))
      let type = try #require(GoalSide.type(named: Swift.type(of: entity).typeName))
      let read = try type.init(&fields, defaults: defaults)
      #expect(read.json == entity.json)
      #expect(fields.unknownKeys.isEmpty)
    }
  }

  @Test func aNewTypeBringsItsPriorityAlong() throws {
    let now = Instant(milliseconds: 0)
    var value = PersonalValue(id: UUID(), title: "v", createdAt: now, updatedAt: now)
    try value.change(["incentiveType": "major"], homeZone: .utc)
    #expect(value.priority == 10)
    try value.change(["priority": 5, "incentiveType": "highest_order"], homeZone: .utc)
    #expect(value.priority == 5)
    #expect(throws: FieldError.self) { try value.change(["priority": 0], homeZone: .utc) }
    #expect(throws: FieldError.self) { try value.change(["colour": "red"], homeZone: .utc) }
  }

  @Test func aNewStartMovesTheTermAlong() throws {
    let now = Instant(milliseconds: 0)
    var term = Term(
      id: UUID(), termNumber: 1, startDate: try #require(DayKey("2026-01-01")), createdAt: now,
      updatedAt: now)
    try term.change(["startDate": "2026-01-05"], homeZone: .utc)
    #expect(term.targetDate.description == "2026-03-16")
    #expect(throws: FieldError.self) {
      try term.change(["targetDate": "2026-01-05"], homeZone: .utc)
    }
    #expect(throws: FieldError.self) { try term.change(["termNumber": -1], homeZone: .utc) }
  }
}
