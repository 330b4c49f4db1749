import ArgumentParser
import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedCommands

@Suite("Goals in words, bars and days")
struct GoalWordsTests {
  private let today = DayKey(year: 2026, month: 3, day: 14) ?? .earliest

  private func context(_ now: String = "2026-03-14T20:00:00Z") throws -> Context {
    try Context(
      try GlobalOptions.parse([]),
      environment: ["ARKIVED_NOW": now, "ARKIVED_TIME_ZONE": "Europe/Berlin"])
  }

  private func goal(
    _ unit: String? = "km", _ target: Double? = 120, from start: String? = nil,
    to end: String? = nil
  ) -> Goal {
    Goal(
      id: UUID(), title: "Run", measurementUnit: unit, measurementTarget: target,
      startDate: start.flatMap(DayKey.init), targetDate: end.flatMap(DayKey.init),
      createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
  }

  private func pace(_ goal: Goal, _ days: (String, Double)...) -> PaceText {
    let totals = days.compactMap { day, total in
      DayKey(day).map { DayTotal(day: $0, total: total, actions: 1) }
    }
    return PaceText(
      goal: goal, progress: GoalProgress(of: goal, days: totals, today: today), today: today)
  }

  @Test(arguments: [
    (0.0, nil, "░░░░░░░░░░"), (0.001, nil, "█░░░░░░░░░"), (0.5, nil, "█████░░░░░"),
    (0.999, nil, "█████████░"), (1, nil, "██████████"), (7, nil, "██████████"),
    (-1, nil, "░░░░░░░░░░"), (.nan, nil, "░░░░░░░░░░"), (.infinity, nil, "░░░░░░░░░░"),
    (0.5, 0.8, "█████░░░│░"), (0.8, 0.5, "█████│██░░"), (0.2, 1, "██░░░░░░░│"),
    (0.2, 0, "│█░░░░░░░░"), (0.2, .nan, "██░░░░░░░░"),
  ])
  func aBarShowsAShareAndWhatIsExpected(share: Double, mark: Double?, bar: String) {
    #expect(Bar.line(share, mark: mark, width: 10) == bar)
  }

  @Test func aColumnIsAsLongAsItsAmount() {
    #expect(Bar.column(5, of: 10, width: 10) == "█████")
    #expect(Bar.column(0.01, of: 10, width: 10) == "█")
    #expect(Bar.column(0, of: 10, width: 10) == "" && Bar.column(5, of: 0, width: 10) == "")
  }

  @Test(arguments: [
    ("Run 120 km", 120.0, "km"), ("Run 120km by spring", 120, "km"),
    ("Read 12 books", 12, "books"), ("Cycle 1,500 kilometres", 1500, "km"),
    ("Practise 2.5 hours", 2.5, "hours"), ("100 push-ups", 100, "push-ups"),
    ("Write 50000 words in november", 50_000, "words"),
  ])
  func aTargetIsReadFromATitle(title: String, amount: Double, unit: String) {
    #expect(TitleTarget.read(title) == TitleTarget(amount: amount, unit: unit))
  }

  @Test(arguments: [
    "Be kind", "Run 5 km a day", "Read 20 pages per week", "Run 10 km in 50 minutes",
    "10 km under 50 minutes", "Sleep 8 hours every night", "Top 5", "2026", "Run 0 km",
    "Walk 5 km/day", "Meditate 20 minutes daily", "", "Lose the 7 dwarfs",
  ])
  func whatIsNoSumIsNoTarget(title: String) {
    #expect(TitleTarget.read(title) == nil)
  }

  @Test func aPlanLooksAhead() throws {
    // Saturday, 14 March 2026.
    let context = try context()
    func last(_ text: String, from anchor: String = "2026-03-14") throws -> String {
      let anchor = try #require(DayKey(anchor))
      return try context.lastDay(text, from: anchor, option: "--to").description
    }
    #expect(try last("31 march") == "2026-03-31" && last("1 june") == "2026-06-01")
    #expect(try last("friday") == "2026-03-20" && last("saturday") == "2026-03-14")
    #expect(try last("christmas") == "2026-12-25" && last("february") == "2027-02-28")
    #expect(try last("31 march", from: "2026-04-10") == "2027-03-31")
    #expect(try last("in ten weeks") == "2026-05-23" && last("tomorrow") == "2026-03-15")
    // What is told exactly stays, wherever it lies.
    #expect(try last("2025-03-31") == "2025-03-31" && last("31 march 2025") == "2025-03-31")
    #expect(try last("yesterday") == "2026-03-13" && last("last friday") == "2026-03-13")
    #expect(try last("3 days ago") == "2026-03-11")
  }

  @Test(
    "Yesterday stays yesterday while the clocks change",
    arguments: [
      // Half past midnight on a day of 25 hours, and half past eleven before one of 23.
      ("2026-10-24T22:30:00Z", "2026-10-24"), ("2026-03-28T22:30:00Z", "2026-03-27"),
    ])
  func aPlanWhileTheClocksChange(now: String, yesterday: String) throws {
    let context = try context(now)
    #expect(
      try context.lastDay("yesterday", from: context.today, option: "--to").description == yesterday
    )
    #expect(try context.firstDay("yesterday", option: "--from").description == yesterday)
  }

  @Test func theFirstDayOfAPlanIsTheNearest() throws {
    let context = try context()
    func first(_ text: String) throws -> String {
      try context.firstDay(text, option: "--from").description
    }
    #expect(try first("1 january") == "2026-01-01" && first("1 april") == "2026-04-01")
    #expect(try first("monday") == "2026-03-16" && first("friday") == "2026-03-13")
    #expect(try first("today") == "2026-03-14" && first("yesterday") == "2026-03-13")
    #expect(try first("2020-02-29") == "2020-02-29")
    #expect(throws: CommandFailure.self) { try first("gibberish") }
  }

  @Test func paceIsToldInWords() {
    let plan = goal(from: "2026-01-01", to: "2026-03-31")
    #expect(pace(plan, ("2026-03-01", 80)).standing == "17.1 km behind")
    #expect(pace(plan, ("2026-03-01", 119)).standing == "21.9 km ahead")
    #expect(pace(plan, ("2026-03-01", 97)).standing == "on pace")
    #expect(pace(plan, ("2026-03-02", 120)).standing == "reached on 2 March")
    #expect(pace(plan, ("2026-03-02", 150)).standing == "reached on 2 March, 25% over")
    #expect(
      pace(goal(from: "2026-04-01", to: "2026-05-01")).standing == "starts on 1 April")
    #expect(
      pace(goal(from: "2025-01-01", to: "2025-12-31"), ("2025-05-05", 108)).standing
        == "ended on 31 December 2025, 12 km short")
    #expect(pace(plan, ("2026-03-01", 30)).need == "needs 37.1 km a week")
    #expect(pace(plan, ("2026-03-01", 30)).projection == "done on 19 October at this rate")
    #expect(pace(plan, ("2026-03-01", 90)).percentText == "75%")
    #expect(pace(plan, ("2026-03-01", 119.9)).percentText == "99%")
    #expect(pace(goal(), ("2026-03-01", 3)).standing == nil)
  }

  @Test func aGoalWithoutATargetTellsItsTime() {
    #expect(pace(goal(nil, nil, to: "2026-03-15")).parts == ["due tomorrow"])
    #expect(pace(goal(nil, nil, to: "2026-03-14")).parts == ["due today"])
    #expect(pace(goal(nil, nil, to: "2026-06-01")).parts == ["due in 79 days"])
    #expect(pace(goal(nil, nil, to: "2026-03-11")).parts == ["was due 3 days ago"])
    #expect(pace(goal(nil, nil), ("2026-03-01", 1)).parts == ["1 action"])
    #expect(pace(goal(nil, nil)).parts == ["0 actions"])
    #expect(pace(goal("km", nil), ("2026-03-01", 2.5)).parts == ["2.5 km"])
  }

  private func life(_ birth: String, _ years: Double = 79) throws -> LifeTime {
    LifeTime(
      id: UUID(), birthDate: try #require(DayKey(birth)), expectedYears: years,
      createdAt: Instant(milliseconds: 0), updatedAt: Instant(milliseconds: 0))
  }

  @Test func aLifeIsARowAYear() throws {
    let rows = LifeTimeText.grid(try life("1985-06-01"), today, width: 80)
    #expect(rows.count == 79)
    #expect(rows[0] == "  0 " + String(repeating: "█", count: 52))
    #expect(rows[40].hasPrefix(" 40 ███") && rows[40].hasSuffix("···"))
    #expect(rows.joined().count(where: { $0 == "█" }) == 2_128)
    #expect(rows.joined().count(where: { $0 == "·" }) == 4_122 - 2_128)
  }

  @Test func noLifeNeedsMoreThanNinetyRows() throws {
    for (birth, years) in [("1900-01-01", 79.0), ("2020-01-01", 150), ("2026-03-14", 0.1)] {
      let rows = LifeTimeText.grid(try life(birth, years), today, width: 40)
      #expect((1...90).contains(rows.count))
      #expect(rows.allSatisfy { $0.count <= 40 })
    }
    #expect(
      LifeTimeText.line(try life("1900-01-01"), today).contains("more than expected"))
  }

  @Test func recordsDifferFieldByField() {
    let first: JSON = ["a": 1, "b": "x", "updatedAt": "t1", "gone": true]
    let second: JSON = ["a": 2, "b": "x", "updatedAt": "t2", "new": "y\nz"]
    let lines = RecordDifference.changes(from: first, to: second).map(\.line)
    #expect(lines == ["a: 1 → 2", "new: (nothing) → y z", "gone: true → (nothing)"])
  }

  @Test func measurementsAreReadFromOptions() throws {
    #expect(try MeasureOption.read(["km=5", "minutes = 30"]) == ["km": 5, "minutes": 30])
    #expect(try MeasureOption.read(["kilometres=5"]) == ["km": 5])
    #expect(try MeasureOption.read(["5 km"]) == ["km": 5])
    for text in ["km=", "=5", "km=-1", "km=nan", "km=inf", "km=1e999", "km"] {
      #expect(throws: FieldError.self) { try MeasureOption.read([text]) }
    }
  }
}
