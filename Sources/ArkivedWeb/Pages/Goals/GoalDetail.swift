import ArkivedCore
import ArkivedStore
import Foundation

/// The data of a goal's page for its template.
struct GoalDetail: Sendable {
  let goal: Goal
  let newest: UUID?
  let progress: GoalProgress
  let days: [DayTotal]
  let links: [LinkedAction]
  let values: [PersonalValue]
  let alignments: [GoalValueAlignment]
  let terms: [Term]
  let assignments: [TermGoalAssignment]
  let versions: [OldVersion]
  let notices: [Notice]
  let today: DayKey
  let offset: Int
  let limit: Int
  /// The submitted values it serves, if there is an error in them.
  let typed: Alignment.Typed?

  /// The largest number of values to choose from on the page.
  static let valueLimit = 200

  init(
    _ goal: Goal, archive: Archive, today: DayKey, offset: Int, limit: Int, notices: [Notice],
    typed: Alignment.Typed? = nil
  ) throws {
    self.goal = goal
    newest = try archive.newestChange()
    days = try archive.dayTotals(ofGoals: [goal.id])[goal.id] ?? []
    progress = GoalProgress(
      of: goal, days: days, waiting: try archive.waitingCounts(ofGoals: [goal.id])[goal.id] ?? 0,
      today: today)
    links = try archive.contributions(toGoal: goal.id, limit: limit, offset: offset)
    values = try archive.values()
    alignments = try archive.alignments().filter { $0.goalID == goal.id }
    terms = try archive.terms()
    assignments = try archive.assignments().filter { $0.goalID == goal.id }
    versions = try archive.oldVersions(of: goal.id, limit: EntryContext.historyLimit)
    self.notices = notices
    self.today = today
    self.offset = offset
    self.limit = limit
    self.typed = typed
  }

  private var href: String { "/goals/\(goal.id.uuidString)" }

  var context: [String: Any] {
    let standing = GoalStanding(goal: goal, progress: progress, today: today)
    let waiting = GoalWords.waiting(progress.waiting)
    let percent = progress.percentText ?? ""
    let span = GoalWords.span(goal.startDate, goal.targetDate, today: today) ?? said("No dates set")
    let warnings = warnings
    var context: [String: Any] = [
      "goalTitle": ClippedText.of(goal.title, limit: 400), "goalHref": href,
      "version": EntityTag.text(goal.updatedAt), "ringHTML": standing.ring, "tone": standing.tone,
      "hasType": goal.goalType != .goal,
      "typeLabel": GoalWords.type(goal.goalType),
      "hasAmount": standing.amountLine != nil, "amountLine": standing.amountLine ?? "",
      "hasPercent": progress.percent != nil,
      "percentLine": percent,
      "hasPaceLine": standing.paceLine != nil, "paceLine": standing.paceLine ?? "",
      "spanLine": span,
      "hasWaiting": progress.waiting > 0,
      "waitingBanner": waiting,
      "waitingHref": "/goals/review?goal=\(goal.id.uuidString)",
      "facts": facts(standing), "warnings": warnings, "hasWarnings": !warnings.isEmpty,
      "hasChart": false, "hasBars": false, "isLongTitle": goal.title.count > 80,
    ]
    for (name, text) in [
      ("description", goal.description), ("relevance", goal.howGoalIsRelevant),
      ("notesText", goal.notes),
    ] {
      let shown = text.map { ClippedText.of($0, limit: 4_000) } ?? ""
      context["has\(EntryContext.capitalised(name))"] = !shown.isEmpty
      context[name] = shown
    }
    if let chart = GoalChart(goal, progress, days: days, today: today) {
      context["hasChart"] = true
      context["chartHTML"] = chart.html
      context["chartFirst"] = chart.firstLabel
      context["chartLast"] = chart.lastLabel
      context["hasPaceKey"] = chart.hasPace
      context["hasProjection"] = chart.hasProjection
      context["weeks"] = chart.table
      context["unit"] = goal.measurementUnit.map { ClippedText.of($0, limit: 40) } ?? "times"
    }
    if let bars = WeekBars(progress, today: today) {
      context["hasBars"] = true
      context["barsHTML"] = bars.html
      context["barsFirst"] = bars.firstLabel
      context["barsLast"] = bars.lastLabel
    }
    addActions(to: &context)
    addValues(to: &context)
    addTerms(to: &context)
    return context
  }

  private var warnings: [[String: String]] {
    GoalMatcher(goal).warnings.map { warning in
      // On the page, the field has a different name.
      let words = saidAgain(warning)
        .replacingOccurrences(of: "howGoalIsActionable", with: said("What counts"))
        .replacingOccurrences(of: "measurementUnit", with: said("a unit"))
      return ["warning": ClippedText.of("\(EntryContext.capitalised(words)).", limit: 400)]
    }
  }

  private func facts(_ standing: GoalStanding) -> [[String: String]] {
    let unit = goal.measurementUnit
    var facts: [(String, String)] = []
    if let expected = progress.pace.expected, !progress.isComplete, goal.targetDate != nil,
      progress.pace.standing != .notStarted, progress.pace.standing != .missed
    {
      facts.append((said("Expected by today"), GoalWords.rough(expected, unit)))
    }
    if let remaining = progress.remaining, remaining > 0 {
      facts.append((said("Remaining"), GoalWords.amount(remaining, unit)))
    }
    if let needed = progress.pace.neededPerDay, progress.total > 0 || progress.pace.perDay != nil {
      // In less than a week, the amount of a week would be more than what remains.
      let isSoon = goal.targetDate.map { today.distance(to: $0) < 7 } ?? false
      let rate =
        isSoon
        ? said("\(GoalWords.rough(needed, unit)) a day")
        : said("\(GoalWords.rough(needed * 7, unit)) a week")
      facts.append((said("Needed"), rate))
    }
    if let perDay = progress.pace.perDay, perDay > 0 {
      facts.append((said("So far"), said("\(GoalWords.rough(perDay * 7, unit)) a week")))
    }
    if let arrival = standing.arrivalLine {
      facts.append((said("At this rate"), arrival))
    }
    if progress.actions > 0 {
      facts.append((said("Actions"), DayContext.grouped(Double(progress.actions))))
    }
    if progress.dayStreak.longest > 1 {
      facts.append((said("Days in a row"), Self.streak(progress.dayStreak)))
    }
    if progress.weekStreak.longest > 1 {
      facts.append((said("Weeks in a row"), Self.streak(progress.weekStreak)))
    }
    if let last = progress.lastDay {
      facts.append((said("Last action"), GoalWords.day(last, today: today)))
    }
    if case .hints(let hints) = GoalHints.read(goal.howGoalIsActionable) {
      var parts: [String] = []
      if !hints.units.isEmpty {
        parts.append(said("measured in \(hints.units.joined(separator: ", "))"))
      }
      if !hints.keywords.isEmpty {
        let words = hints.keywords.map { "“\($0)”" }.joined(separator: said(" or "))
        parts.append(said("mentioning \(words)"))
      }
      facts.append(
        (
          said("What counts"),
          ClippedText.of(said("actions ") + parts.joined(separator: ", "), limit: 300)
        ))
    }
    if let words = GoalHints.words(goal.howGoalIsActionable) {
      facts.append((said("How to do it"), ClippedText.of(words, limit: 1_000)))
    }
    if let weeks = goal.expectedTermLength {
      facts.append((said("Planned for"), GoalWords.count(weeks, "week")))
    }
    return facts.map { ["factName": $0.0, "factText": $0.1] }
  }

  private static func streak(_ streak: GoalProgress.Streak) -> String {
    streak.current == streak.longest
      ? said("\(streak.current), the longest so far")
      : said("\(streak.current), longest \(streak.longest)")
  }

  private func addActions(to context: inout [String: Any]) {
    context["hasActions"] = !links.isEmpty
    context["actionCount"] = DayContext.grouped(Double(progress.actions))
    context["actions"] = links.map { link -> [String: Any] in
      [
        "actionHref": "/actions/\(link.action.id.uuidString)",
        "actionText": ClippedText.of(link.action.text, limit: 200),
        "actionDay": GoalWords.day(link.action.dayKey, today: today),
        "actionDayISO": link.action.dayKey.description,
        "actionGives": "+"
          + GoalWords.amount(link.contribution.contribution, goal.measurementUnit),
        "actionWhy": GoalWords.why(link.contribution),
        "actionCertainty": GoalWords.certainty(link.contribution),
        "isOwners": link.contribution.matchMethod.isOwners,
        "unlinkAction": "/actions/\(link.action.id.uuidString)/unlink",
        "unlinkGoal": goal.id.uuidString, "unlinkBack": href,
      ]
    }
    // The list also has the actions that are planned for later days.
    let listed = days.reduce(0) { $0 + $1.actions }
    context["hasMore"] = offset + links.count < listed && links.count == limit
    context["moreHref"] = "\(href)?offset=\(offset + limit)#actions"
    context["hasEarlier"] = offset > 0
    context["earlierHref"] = "\(href)?offset=\(max(0, offset - limit))#actions"
  }

  private func addValues(to context: inout [String: Any]) {
    let strengths = Dictionary(alignments.map { ($0.valueID, $0) }) { first, _ in first }
    let own = values.filter { strengths[$0.id] != nil }
    context["hasServes"] = !own.isEmpty
    context["serves"] = own.map { value in
      let strength = strengths[value.id]?.strength
      return [
        "valueHref": "/values/\(value.id.uuidString)",
        "valueTitle": ClippedText.of(value.title, limit: 80), "hasStrength": strength != nil,
        "strength": strength.map { said("\($0) of 10") } ?? "",
      ] as [String: Any]
    }
    let others = values.filter { strengths[$0.id] == nil && $0.incentiveType.isValue }
    let choices = own + others.prefix(max(0, Self.valueLimit - own.count))
    context["hasChoices"] = !choices.isEmpty
    context["listed"] = choices.map(\.id.uuidString).joined(separator: " ")
    context["choices"] = choices.map {
      Alignment.choice(
        $0.id, $0.title, isChosen: strengths[$0.id] != nil, strengths[$0.id]?.strength, typed)
    }
    context.merge(Alignment.context(typed)) { $1 }
    context["alignAction"] = "\(href)/values"
  }

  private func addTerms(to context: inout [String: Any]) {
    let committed = Set(assignments.map(\.termID))
    let own = terms.filter { committed.contains($0.id) }
    context["hasTerms"] = !own.isEmpty
    context["ownTerms"] = own.map { TermCard(term: $0, today: today).context }
    let open = terms.filter { !committed.contains($0.id) && $0.status(on: today) != .complete }
    context["hasOpenTerms"] = !open.isEmpty
    context["openTerms"] = open.prefix(3).map {
      [
        "commitAction": "/terms/\($0.id.uuidString)/goals",
        "commitLabel": said("Commit for \(ClippedText.of($0.title, limit: 60))"),
        "commitGoal": goal.id.uuidString, "commitBack": href,
      ]
    }
  }
}
