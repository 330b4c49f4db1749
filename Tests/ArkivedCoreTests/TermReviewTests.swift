import ArkivedCore
import Foundation
import Testing

@Suite("The review of a term")
struct TermReviewTests {
  private static let epoch = Instant(milliseconds: 0)

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  /// Returns the line of a goal committed to from 2 February to 13 April 2026.
  private func line(
    _ days: [(String, Double)], from start: String? = nil, to end: String? = nil, today: String
  ) throws -> TermReview.GoalLine {
    let goal = Goal(
      id: UUID(), title: "Run", measurementUnit: "km", measurementTarget: 100,
      startDate: start.flatMap(DayKey.init), targetDate: end.flatMap(DayKey.init),
      createdAt: Self.epoch, updatedAt: Self.epoch)
    let term = Term(
      id: UUID(), termNumber: 1, startDate: try day("2026-02-02"), createdAt: Self.epoch,
      updatedAt: Self.epoch)
    let totals = try days.map { DayTotal(day: try day($0.0), total: $0.1, actions: 1) }
    let today = try day(today)
    let review = TermReview(
      term, goals: [goal],
      assignments: [
        TermGoalAssignment(
          id: UUID(), termID: term.id, goalID: goal.id, order: 1, createdAt: Self.epoch,
          updatedAt: Self.epoch)
      ], values: [], alignments: [],
      progress: [goal.id: GoalProgress(of: goal, days: totals, today: today)],
      totals: [goal.id: totals], linked: totals.count, unlinked: 0, unlinkedSample: [],
      today: today)
    return try #require(review.committed.first)
  }

  @Test func whatIsPlannedForLaterIsNotDone() throws {
    let line = try line(
      [("2026-02-10", 0.1), ("2026-02-11", 0.2), ("2026-04-01", 20)], today: "2026-03-14")
    #expect(line.inTerm == 0.3 && line.actionsInTerm == 2)
    #expect(line.inTerm == line.progress.total)
    #expect(line.lastDay == (try day("2026-02-11")))
    #expect(line.isNeglected && line.quietDays == 31)
  }

  @Test(arguments: [
    // the goal's last day, today, days, neglected
    ("", "2026-03-14", 31, true),
    ("2026-02-20", "2026-03-14", 9, false),
    ("2026-03-01", "2026-03-14", 18, true),
    ("2026-12-31", "2026-09-01", 61, true),
    ("", "2026-02-20", 9, false),
  ])
  func aGoalIsNeglectedOnlyOnDaysThatCount(
    end: String, today: String, days: Int, isNeglected: Bool
  ) throws {
    let line = try line([("2026-02-11", 5)], to: end.isEmpty ? nil : end, today: today)
    #expect(line.quietDays == days && line.isNeglected == isNeglected)
  }
}
