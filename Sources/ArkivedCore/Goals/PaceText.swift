import Foundation

/// The wording of a goal's progress.
package struct PaceText: Sendable {
  package let goal: Goal
  package let progress: GoalProgress
  package let today: DayKey

  package init(goal: Goal, progress: GoalProgress, today: DayKey) {
    self.goal = goal
    self.progress = progress
    self.today = today
  }

  /// The position relative to the pace: “3.2 km behind”, “reached on 2 March, 25% over”; nil if
  /// there is nothing to report.
  package var standing: String? {
    let pace = progress.pace
    switch pace.standing {
    case .complete:
      let over = progress.percent.map { $0 - 100 } ?? 0
      return (progress.reachedOn.map { said("reached on \(day($0))") } ?? said("reached"))
        + (progress.isOverachieved ? said(", \(PercentText.of(over)) over") : "")
    case .missed:
      return (goal.targetDate.map { said("ended on \(day($0))") } ?? said("ended"))
        + (progress.remaining.map { said(", \(amount($0)) short") } ?? "")
    case .notStarted:
      return goal.startDate.map { said("starts on \(day($0))") } ?? said("starts later")
    case .onPace: return said("on pace")
    case .ahead: return pace.difference.map { said("\(distance($0)) ahead") }
    case .behind: return pace.difference.map { said("\(distance(-$0)) behind") }
    default: return progress.target == nil ? time : nil
    }
  }

  /// The projected date, while the target is in the future: “done on 2 May at this rate”.
  package var projection: String? {
    guard !progress.isComplete, progress.pace.standing != .missed,
      let day = progress.pace.projectedDate
    else { return nil }
    return said("done on \(self.day(day)) at this rate")
  }

  /// The amount needed: “needs 4.2 km a week”.
  package var need: String? {
    guard let perDay = progress.pace.neededPerDay, perDay > 0,
      [.ahead, .behind, .onPace].contains(progress.pace.standing)
    else { return nil }
    guard let end = goal.targetDate, today.distance(to: end) >= 7 else {
      return said("needs \(amount(perDay)) a day")
    }
    return said("needs \(amount(perDay * 7)) a week")
  }

  /// The projected date and the amount needed: “done on 2 May at this rate”, “needs 4.2 km a week”.
  package var outlook: [String] {
    progress.pace.standing == .behind
      ? [projection, need].compactMap { $0 } : [projection].compactMap { $0 }
  }

  /// The time that has passed or remains, for a goal without a target.
  private var time: String? {
    if let start = goal.startDate, today < start { return said("starts on \(day(start))") }
    guard let end = goal.targetDate else { return nil }
    switch today.distance(to: end) {
    case 0: return said("due today")
    case 1: return said("due tomorrow")
    case let days where days > 1: return said("due in \(days) days")
    case -1: return said("was due yesterday")
    case let days: return said("was due \(-days) days ago")
    }
  }

  /// The amount: “43.5 of 120 km”, or “3 actions” if nothing is measured.
  package var amountText: String {
    if progress.unit == nil, progress.target == nil { return PaceText.actions(progress.actions) }
    guard let target = progress.target else { return amount(progress.total) }
    return Self.amount(progress.total, of: target, progress.unit)
  }

  /// Returns an amount with its target in the current language: “43.5 of 120 km”.
  package static func amount(_ total: Double, of target: Double, _ unit: String?) -> String {
    let unit = unit.map { " \($0)" } ?? ""
    let amount = AmountText.unreached(total, target, in: AmountText.told) { AmountText.shown($0) }
    return said("\(amount) of \(AmountText.told(target))\(unit)")
  }

  /// The amount and the position relative to the pace.
  ///
  /// The amount is omitted if nothing counts yet and there is something else to say.
  package var parts: [String] {
    let standing = [standing].compactMap { $0 }
    let isUncounted = progress.unit == nil && progress.actions == 0
    return isUncounted && !standing.isEmpty
      ? standing : [amountText, percentText].compactMap { $0 } + standing
  }

  /// The percentage, such as “36 %”, or nil without a target.
  package var percentText: String? { progress.percentText }

  /// Returns an amount such as “3.2 km”, in whole numbers if the goal counts occasions.
  private func distance(_ amount: Double) -> String {
    guard progress.unit == nil || progress.unit == "times" else {
      return self.amount(amount < 1 ? amount : (amount * 10).rounded() / 10)
    }
    let times = max(1, amount.rounded())
    return said(
      times == 1 ? 1 : 2, one: "\(AmountText.plain(times)) time",
      other: "\(AmountText.plain(times)) times")
  }

  /// Returns a date such as “31 March”, with the year if it is not the current one.
  private func day(_ day: DayKey) -> String { day.dateText(today) }

  package func amount(_ amount: Double) -> String {
    AmountText.told(amount) + (progress.unit.map { " \($0)" } ?? "")
  }

  package static func actions(_ count: Int) -> String {
    said(count, one: "\(count) action", other: "\(count) actions")
  }
}

extension AmountText {
  /// Formats an amount as `short` does, with the number format of the current language.
  package static func told(_ amount: Double) -> String { shown(Double(short(amount)) ?? amount) }
}

extension DayKey {
  /// Returns a date such as “2 March”, with the year if it differs from today's.
  package func dateText(_ today: DayKey) -> String {
    year == today.year ? shownDayAndMonth : shownName
  }
}
