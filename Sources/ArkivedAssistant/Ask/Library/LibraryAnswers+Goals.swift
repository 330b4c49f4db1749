import ArkivedCore
import ArkivedStore
import Foundation

/// Answers about goals and their progress.
extension LibraryAnswers {
  /// The maximum number of goals to describe individually.
  private static let toldGoals = 8

  func goals(_ query: LibraryQuery) throws -> Answer? {
    let all = try archive.goals()
    let named = grounded(query, all)
    let asksForAll = query.concept.isEmpty && named.isEmpty
    guard !asksForAll else { return try unnamed(query, all) }
    guard !named.isEmpty else {
      // “How many goals did I score?” doesn’t ask about this source.
      guard query.isNamed, query.fold != .list || query.isOwn else { return nil }
      return refusal(said("I couldn’t find a goal called “\(query.conceptText)”."))
    }
    let chosen = foremost(named)
    guard query.fold != .list, chosen.count == 1, let goal = chosen.first else {
      return try list(query.fold == .list ? named : chosen, query)
    }
    return try single(goal, query)
  }

  // MARK: Identifying the goal

  /// Returns the goals that a question refers to: by the whole title, by number, or by words that
  /// all occur in the title.
  private func grounded(_ query: LibraryQuery, _ all: [Goal]) -> [Goal] {
    let typed = " \(plain(question)) "
    let titled = all.filter { typed.contains(" \(plain($0.title)) ") }
    if let longest = titled.map(\.title.count).max() {
      return titled.filter { $0.title.count == longest }
    }
    guard !query.concept.isEmpty else { return [] }
    let numbers = query.concept.compactMap(number)
    let matching = all.filter { goal in
      query.concept.allSatisfy { word in
        if let number = number(word) {
          return goal.measurementTarget == number || holds([word], in: goal.title)
        }
        return holds([word], in: goal.title + " " + (goal.measurementUnit ?? ""))
      }
    }
    // Without the noun, “did I finish the book?” and “how far have I cycled?” ask about entries.
    let isStrict =
      query.fold == .progress
      ? query.marks.isDisjoint(with: [.with, .track, .near, .left, .behind]) : true
    return query.isNamed || !isStrict || !numbers.isEmpty ? matching : []
  }

  /// Returns a text in lower case, with words separated by single spaces.
  private func plain(_ text: String) -> String {
    NameFolding.loose(text).split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }

  /// Parses a number: “5,000” and “5.000” as 5000.
  private func number(_ word: String) -> Double? {
    guard word.first?.isNumber == true, word.allSatisfy({ $0.isNumber || ",.".contains($0) }) else {
      return nil
    }
    let groups = word.split(omittingEmptySubsequences: false) { ",.".contains($0) }
    let isGrouped = groups.count > 1 && groups.dropFirst().allSatisfy { $0.count == 3 }
    return Double(isGrouped ? groups.joined() : word.replacing(",", with: "."))
  }

  private func isCurrent(_ goal: Goal) -> Bool {
    goal.targetDate.map { $0 >= today } ?? true && goal.startDate.map { $0 <= today } ?? true
  }

  /// Returns the current goals; otherwise the next to start, otherwise the one that ended last.
  private func foremost(_ goals: [Goal]) -> [Goal] {
    let current = goals.filter(isCurrent)
    if !current.isEmpty { return current }
    let coming = goals.filter { $0.startDate.map { $0 > today } ?? false }
    if let next = coming.min(by: { ($0.startDate ?? .latest) < ($1.startDate ?? .latest) }) {
      return [next]
    }
    return goals.max { ($0.targetDate ?? .earliest) < ($1.targetDate ?? .earliest) }.map { [$0] }
      ?? []
  }

  // MARK: One goal

  private func single(_ goal: Goal, _ query: LibraryQuery) throws -> Answer {
    let progress = try self.progress(of: [goal])[goal.id]
    let title = quoted(goal.title)
    let state = standing(goal, progress)
    let isReached = progress?.isComplete == true
    let day = progress?.reachedOn
    let amount = progress.map { PaceText(goal: goal, progress: $0, today: today).amountText } ?? ""
    var sentence: String
    var kind = "list"
    var values: [JSON] = progress.map { [JSON($0.total)] } ?? []
    switch query.fold {
    case .reached:
      let isInside = day.map { day in query.days.map { $0.contains(day) } ?? true } ?? true
      if progress?.target == nil {
        sentence = said("\(title) has no target: \(state).")
      } else if isReached, let day {
        sentence =
          isInside
          ? said("Yes: you reached \(title) on \(day.toldLongName), with \(amount).")
          : said("No: you reached \(title) on \(day.toldLongName), with \(amount).")
        values = [JSON(day)]
      } else {
        sentence =
          isReached
          ? said("Yes: you reached \(title), with \(amount).")
          : said("No: \(title) is at \(state).")
      }
    case .reachedOn:
      if let day {
        (kind, values) = ("when", [JSON(day)])
        sentence = said("You reached \(title) on \(day.toldLongName), with \(amount).")
      } else {
        sentence = said("You haven’t reached \(title) yet: \(state).")
      }
    case .due:
      if let end = goal.targetDate {
        (kind, values) = ("when", [JSON(end)])
        sentence = said("\(title) runs until \(end.toldLongName): \(state).")
      } else {
        sentence = said("\(title) has no last day: \(state).")
      }
    default:
      let pace = progress.map { PaceText(goal: goal, progress: $0, today: today) }
      sentence = "\(title): \(([state] + (pace?.outlook ?? [])).joined(separator: ", "))."
      if query.marks.contains(.near) || query.marks.contains(.left), let progress, let pace,
        let remaining = progress.remaining, remaining > 0
      {
        sentence = said("\(pace.amount(remaining)) to go.") + " " + sentence
      }
    }
    // Actions of later days are plans, which prove nothing and are in no total.
    let actions = try archive.contributions(
      toGoal: goal.id, days: DayKey.earliest...GoalProgress.lastDay(countingOn: today),
      limit: max(0, limit - (offset > 0 ? 0 : 1)), offset: max(0, offset - 1))
    let page =
      (offset > 0 ? [] : [hit(goal)]).prefix(max(0, limit))
      + actions.map { JournalEntry.activity($0.action).hit(because: SearchHit.Reason()) }
    return answer(
      sentence, kind, page: Array(page), count: 1 + (progress?.actions ?? 0), values: values,
      unit: kind == "when" ? nil : progress?.unit)
  }

  // MARK: Several goals

  private func unnamed(_ query: LibraryQuery, _ all: [Goal]) throws -> Answer? {
    // “How am I doing?” asks for all; “what am I doing tomorrow?” doesn't.
    let isGeneral =
      query.fold == .progress && query.asksHow && query.days == nil
      && query.marks.contains(.progress)
    guard query.isNamed || isGeneral && !all.isEmpty else { return nil }
    guard !all.isEmpty else { return refusal(said("There are no goals in your archive yet.")) }
    switch query.fold {
    case .reached, .reachedOn:
      let progress = try self.progress(of: all)
      let reached = all.filter { goal in
        guard let progress = progress[goal.id], progress.isComplete else { return false }
        guard let days = query.days else { return true }
        return progress.reachedOn.map(days.contains) ?? false
      }.sorted {
        (progress[$0.id]?.reachedOn ?? .earliest) > (progress[$1.id]?.reachedOn ?? .earliest)
      }
      guard !reached.isEmpty else {
        return refusal(
          query.days.map(Self.noneReached(in:)) ?? said("No goal has been reached yet."))
      }
      return tell(
        reached, progress, query,
        said(
          reached.count, one: "1 goal reached", other: "\(reached.count) goals reached"))
    case .progress where query.marks.contains(.behind):
      let progress = try self.progress(of: all)
      let behind = all.filter { progress[$0.id]?.pace.standing == .behind }
      guard !behind.isEmpty else { return refusal(said("No goal is behind pace.")) }
      return tell(
        behind, progress, query,
        said(
          behind.count, one: "1 goal is behind pace",
          other: "\(behind.count) goals are behind pace"))
    default: return try list(all, query)
    }
  }

  /// Lists goals with their progress, current ones first.
  private func list(_ goals: [Goal], _ query: LibraryQuery) throws -> Answer {
    let current = goals.filter(isCurrent)
    let shown = current.isEmpty || !query.concept.isEmpty ? goals : current
    let earlier = goals.count - shown.count
    let head =
      shown.count == current.count
      ? said(shown.count, one: "1 current goal", other: "\(shown.count) current goals")
      : said(shown.count, one: "1 goal", other: "\(shown.count) goals")
    return tell(
      shown.sorted { isCurrent($0) && !isCurrent($1) }, try progress(of: shown), query, head,
      rest: earlier == 0
        ? ""
        : " "
          + said(earlier, one: "1 other isn’t current.", other: "\(earlier) others aren’t current.")
    )
  }

  private func tell(
    _ goals: [Goal], _ progress: [UUID: GoalProgress], _ query: LibraryQuery, _ head: String,
    rest: String = ""
  ) -> Answer {
    let lines = goals.prefix(Self.toldGoals).map { goal in
      "\(quoted(goal.title, 60)), \(standing(goal, progress[goal.id]))"
    }
    let more = goals.count - lines.count
    let ending = more > 0 ? said(" and \(more) more") : ""
    return answer(
      "\(head): \(lines.joined(separator: "; "))\(ending).\(rest)",
      query.isCount ? "count" : "list", proof: goals.map(hit),
      values: query.isCount ? [JSON(goals.count)] : goals.map { .string($0.title) },
      days: query.days)
  }

  // MARK: Parts

  /// Says that no goal was reached in a span of days.
  private static func noneReached(in days: ClosedRange<DayKey>) -> String {
    let (first, last) = (days.lowerBound, days.upperBound)
    if first == .earliest {
      return last == .latest
        ? said("No goal has been reached yet.")
        : said("No goal had been reached by \(last.shownPlainName).")
    }
    if last == .latest { return said("No goal has been reached since \(first.shownPlainName).") }
    return first == last
      ? said("No goal was reached on \(first.shownPlainName).")
      : said("No goal was reached from \(first.shownPlainName) to \(last.shownPlainName).")
  }

  private func progress(of goals: [Goal]) throws -> [UUID: GoalProgress] {
    try archive.progress(of: goals, today: today)
  }

  private func standing(_ goal: Goal, _ progress: GoalProgress?) -> String {
    let parts = progress.map { PaceText(goal: goal, progress: $0, today: today).parts } ?? []
    return parts.isEmpty ? said("nothing counted yet") : parts.joined(separator: ", ")
  }

  func hit(_ goal: Goal) -> SearchHit {
    SearchHit(
      type: .goal, id: goal.id,
      dayKey: goal.targetDate ?? goal.startDate ?? zone.dayKey(at: goal.logTime),
      title: goal.title, snippet: Snippet(text: goal.title), score: 0, why: SearchHit.Reason())
  }
}
