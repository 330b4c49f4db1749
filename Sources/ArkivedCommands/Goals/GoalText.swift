import ArkivedCore
import ArkivedStore
import Foundation

/// The appearance of goals, values and terms at the terminal.
struct GoalText {
  let output: Output
  let today: DayKey

  init(_ context: Context) {
    output = context.output
    today = context.today
  }

  func id(_ id: UUID) -> String { output.faint(String(id.uuidString.prefix(8))) }

  /// Formats a goal: `Run 120 km · 43.5 of 120 km · 36% · 3.2 km behind · until 31 March
  /// 3F2A91B0`.
  func line(_ goal: Goal, _ progress: GoalProgress) -> String {
    let pace = PaceText(goal: goal, progress: progress, today: today)
    var parts = pace.parts
    if let until = until(goal, progress) { parts.append(until) }
    return output.bold(EntryText.oneLine(goal.title)) + " · " + parts.joined(separator: " · ")
      + "  " + id(goal.id)
  }

  private func until(_ goal: Goal, _ progress: GoalProgress) -> String? {
    guard progress.target != nil, !progress.isComplete, let end = goal.targetDate, end >= today
    else { return nil }
    return said("until \(end.dateText(today))")
  }

  /// Formats a title, its bar, and its progress.
  func block(_ goal: Goal, _ progress: GoalProgress, indent: String = "") -> [String] {
    let pace = PaceText(goal: goal, progress: progress, today: today)
    var lines = [
      indent + output.bold(EntryText.oneLine(goal.title)) + "  " + id(goal.id)
    ]
    let standing = [pace.standing].compactMap { $0 } + pace.outlook
    if let percent = progress.percent {
      let mark =
        progress.isComplete
        ? nil
        : progress.pace.expected.flatMap { expected in
          progress.target.map { expected / $0 }
        }
      let width = max(10, min(40, output.columns - indent.count - 40))
      let bar = Bar.line(percent / 100, mark: mark, width: width)
      lines.append("\(indent)\(bar) \(PercentText.of(percent)) · \(pace.amountText)")
      if !standing.isEmpty { lines.append(indent + standing.joined(separator: " · ")) }
    } else {
      lines.append(indent + (pace.parts + pace.outlook).joined(separator: " · "))
    }
    return lines
  }

  /// Formats all the details of a goal.
  func lines(_ goal: Goal) -> [String] {
    var lines: [String] = []
    var facts: [String] = []
    if goal.goalType != .goal { facts.append(goal.goalType.rawValue) }
    switch (goal.startDate, goal.targetDate) {
    case (let start?, let end?): facts.append("\(start) – \(end)")
    case (let start?, nil): facts.append(said("from \(start)"))
    case (nil, let end?):
      facts.append(goal.goalType == .milestone ? said("on \(end)") : said("until \(end)"))
    case (nil, nil): break
    }
    if let weeks = goal.expectedTermLength {
      facts.append(said(weeks, one: "\(weeks) week", other: "\(weeks) weeks"))
    }
    if !facts.isEmpty { lines.append(facts.joined(separator: " · ")) }
    if let relevant = goal.howGoalIsRelevant { lines.append(said("Why: \(relevant)")) }
    if goal.measurementUnit != nil, let words = GoalHints.words(goal.howGoalIsActionable) {
      lines.append(said("Actionable: \(words)"))
    }
    if let counts = GoalText.counts(goal) { lines.append(counts) }
    for text in [goal.description, goal.notes].compactMap({ $0 }) { lines += ["", text] }
    return lines
  }

  /// Describes the actions that count.
  static func counts(_ goal: Goal) -> String? {
    guard let own = goal.measurementUnit else {
      return goal.howGoalIsActionable.map { said("Actionable: \($0)") }
    }
    guard case .hints(let hints) = GoalHints.read(goal.howGoalIsActionable) else {
      return said("Counts: every action measured in \(own)")
    }
    let units = hints.units.isEmpty ? [own] : hints.units
    let or = said(" or ")
    let words = hints.keywords.map(Language.current.quoted).joined(separator: or)
    let measured = units.joined(separator: or)
    return words.isEmpty
      ? said("Counts: actions measured in \(measured)")
      : said("Counts: actions measured in \(measured) that contain \(words)")
  }

  func line(_ value: PersonalValue) -> String {
    var parts = [said("priority \(value.priority)")]
    if value.incentiveType != .general, value.incentiveType.isValue {
      parts.insert(saidWhole(value.incentiveType.words), at: 0)
    }
    if value.lifeDomain != PersonalValue.defaultDomain { parts.append(value.lifeDomain) }
    return output.bold(EntryText.oneLine(value.title)) + " · " + parts.joined(separator: " · ")
      + "  " + id(value.id)
  }

  func line(_ term: Term) -> String {
    output.bold(EntryText.oneLine(term.shownTitle))
      + " · \(term.startDate) – \(term.targetDate) · \(standing(term))  \(id(term.id))"
  }

  /// Describes the state of a term: “active, 58 days left”.
  func standing(_ term: Term) -> String {
    let status = term.status(on: today)
    switch status {
    case .active:
      let days = term.daysRemaining(on: today)
      return days == 0
        ? said("active, last day")
        : said(days, one: "active, \(days) day left", other: "active, \(days) days left")
    case .upcoming:
      let days = today.distance(to: term.startDate)
      return said(days, one: "starts in \(days) day", other: "starts in \(days) days")
    default: return saidWhole(status.rawValue)  // words: active | upcoming | complete
    }
  }

  static func days(_ count: Int) -> String {
    said(count, one: "\(count) day", other: "\(count) days")
  }

  /// Describes the reason for a match.
  static func why(_ contribution: ActionGoalContribution) -> String {
    let reasons = contribution.matchedOn.compactMap { reason -> String? in
      let parts = reason.split(separator: ":", maxSplits: 1).map(String.init)
      let rest = parts.count > 1 ? parts[1] : ""
      return switch parts.first {
      case "dates": nil
      case "unit": said("measured in \(rest)")
      case "keyword": said("contains “\(rest)”")
      case "tag": said("tagged “\(rest)”")
      case "duration": said("by its duration")
      case "meaning": said("similar in meaning")
      case "part": said("“\(rest)” looks like the goal’s unit")
      default: reason
      }
    }
    let method =
      switch contribution.matchMethod {
      case .manual: said("linked manually")
      case .userConfirmed: said("confirmed")
      case .userRejected: said("rejected")
      default:
        said("\(PercentText.of((contribution.confidence * 100).rounded())) sure")
          + (contribution.counts ? "" : said(", waiting for review"))
      }
    return ([method] + reasons).joined(separator: ", ")
  }
}

extension GoalProgress {
  /// The JSON without the weeks.
  var shortJSON: JSON {
    guard var object = json.object else { return json }
    object["weeks"] = nil
    return .object(object)
  }
}

extension Goal {
  func json(with progress: GoalProgress?) -> JSON {
    guard var object = json.object else { return json }
    object["progress"] = progress?.shortJSON ?? .null
    return .object(object)
  }
}
