import ArkivedCore
import ArkivedStore
import Foundation

/// The column next to the day: its month, and today also upcoming meetings, promises and the goals
/// of the term.
struct HomeColumn: Sendable {
  private let day: DayKey
  private let today: DayKey
  private let now: Instant
  private let zone: Zone
  private let firstWeekday: Weekday
  private let month: [DaySummary]
  private var next: MeetingEntry?
  private var promises: [StoredPromise] = []
  private var term: Term?
  private var goals: [(goal: Goal, progress: GoalProgress)] = []

  /// The number of days within which a promise counts as due soon.
  private static let soon = 7
  private static let promiseLimit = 4
  private static let goalLimit = 5

  init(
    _ archive: Archive, day: DayKey, today: DayKey, zone: Zone, firstWeekday: Weekday
  ) throws {
    self.day = day
    self.today = today
    self.firstWeekday = firstWeekday
    now = archive.clock.now
    self.zone = zone
    month = try archive.daySummaries(in: CalendarSpan.month(day).days(firstWeekday: firstWeekday))
    guard day == today else { return }
    let owner = try archive.owner()
    next = try archive.nextMeeting(at: now, owner: owner)
    promises = try Self.promises(archive, today, owner)
    try readGoals(archive)
  }

  /// Returns the owner's open promises that are due soon or have been overdue for a short time.
  private static func promises(
    _ archive: Archive, _ today: DayKey, _ owner: Owner
  ) throws -> [StoredPromise] {
    var filter = PromiseFilter()
    (filter.owner, filter.limit) = (.me, promiseLimit)
    // Whose promises the others are doesn't have to be found out.
    filter.due = today.advanced(by: -MeetingWords.agedDays)...today.advanced(by: soon)
    return try archive.promises(filter, owner: owner)
  }

  /// Reads the goals committed to for the term, or without a term those that are open.
  private mutating func readGoals(_ archive: Archive) throws {
    let all = try archive.goals()
    guard !all.isEmpty else { return }
    term = try archive.activeTerm(today: today)
    var chosen: [Goal] = []
    if let term {
      let byID = Dictionary(all.map { ($0.id, $0) }) { first, _ in first }
      chosen = try archive.assignments().filter { $0.termID == term.id }
        .compactMap { byID[$0.goalID] }
    }
    if chosen.isEmpty {
      term = nil
      chosen = all.filter { !GoalOverview.isPast($0, today) && ($0.startDate ?? today) <= today }
        .sorted { ($0.targetDate ?? .latest, $0.title) < ($1.targetDate ?? .latest, $1.title) }
    }
    let shown = Array(chosen.prefix(Self.goalLimit))
    let progress = try archive.progress(of: shown, today: today)
    goals = shown.compactMap { goal in progress[goal.id].map { (goal, $0) } }
  }

  func add(to context: inout [String: Any]) {
    addMonth(to: &context)
    context["isHome"] = day == today
    context["hasNextMeeting"] = next != nil
    if let next {
      context["nextMeetingHref"] = MeetingWords.href(meeting: next.id)
      context["nextMeetingTitle"] = MeetingWords.title(next, limit: 80)
      let when = [
        MeetingWords.soon(next, now: now, home: zone)
          ?? GoalWords.day(next.activity.dayKey, today: today),
        MeetingWords.time(next, home: zone),
      ]
      context["nextMeetingWhen"] = when.filter { !$0.isEmpty }.joined(separator: " · ")
    }
    context["hasDuePromises"] = !promises.isEmpty
    context["duePromises"] = promises.map {
      MeetingWords.promise($0, today: today, back: "/", showsNote: false)
    }
    context["hasHomeGoals"] = !goals.isEmpty
    context["homeGoalsHref"] = term.map { "/terms/\($0.id.uuidString)" } ?? "/goals"
    context["homeGoalsTitle"] =
      term.map { ClippedText.of($0.shownTitle, limit: 60) } ?? said("Goals")
    context["homeGoals"] = goals.map { goal, progress in
      let standing = GoalStanding(goal: goal, progress: progress, today: today)
      return [
        "goalHref": "/goals/\(goal.id.uuidString)",
        "goalTitle": ClippedText.of(goal.title, limit: 80), "ringHTML": standing.ring,
        "tone": standing.tone,
        "goalLine": [standing.amountLine, standing.paceLine].compactMap { $0 }
          .joined(separator: " · "),
      ]
    }
  }

  private func addMonth(to context: inout [String: Any]) {
    let page = CalendarPage(
      span: .month(day), shown: .entries, today: today, firstWeekday: firstWeekday, written: nil,
      content: .days(month), pictures: [:])
    let shown = page.context
    context["monthTitle"] = page.title
    context["monthHref"] = "/calendar?of=month&day=\(day)"
    context["weekdays"] = shown["weekdays"]
    let weeks = shown["weeks"] as? [[String: Any]] ?? []
    context["weeks"] = weeks.map { week -> [String: Any] in
      let cells = week["cells"] as? [[String: Any]] ?? []
      return [
        "cells": cells.map { cell -> [String: Any] in
          var cell = cell
          cell["isOpen"] = cell["dayKey"] as? String == day.description
          return cell
        }
      ]
    }
  }
}
