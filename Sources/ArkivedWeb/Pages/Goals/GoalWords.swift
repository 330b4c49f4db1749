import ArkivedCore
import Foundation

/// Formats amounts, days and shares for the pages of goals.
enum GoalWords {
  /// Returns a short amount that is never rounded to nothing: "43.5", "1,250", "12.3 million",
  /// "0.001".
  static func amount(_ amount: Double) -> String {
    guard amount.isFinite else { return "–" }
    if amount < 0 { return "−" + self.amount(-amount) }
    switch amount {
    case 0: return "0"
    case ..<0.001: return said("under 0.001")
    case ..<1: return AmountText.shown(amount)
    case ..<10: return AmountText.shown((amount * 100).rounded() / 100)
    case ..<1_000: return AmountText.shown((amount * 10).rounded() / 10)
    case ..<1e7: return DayContext.grouped(amount)
    case ..<1e9: return said("\(tenth(amount / 1e6)) million")
    case ..<1e12: return said("\(tenth(amount / 1e9)) billion")
    case ..<1e15: return said("\(tenth(amount / 1e12)) trillion")
    default: return said("over 1,000 trillion")
    }
  }

  private static func tenth(_ amount: Double) -> String {
    AmountText.shown((amount * 10).rounded() / 10)
  }

  /// Returns an amount with its unit: "5 km", "1 page"; without a unit, "3 times".
  static func amount(_ amount: Double, _ unit: String?) -> String {
    let number = self.amount(amount)
    guard let unit else { return amount == 1 ? said("once") : said("\(number) times") }
    let known = UnitTable.standard.unit(named: unit)
    let name = amount == 1 && known?.name == unit ? known?.singular ?? unit : unit
    return "\(number) \(saidWhole(ClippedText.of(name, limit: 40)))"
  }

  /// Returns an amount with its target: "43.5 of 120 km".
  static func amount(_ total: Double, of target: Double, _ unit: String?) -> String {
    let whole = amount(target, unit)
    let total = AmountText.unreached(total, target, in: { amount($0) }) { AmountText.shown($0) }
    return said("\(total) of \(whole)")
  }

  /// Returns a computed amount, without decimals from 100 on.
  static func rough(_ amount: Double, _ unit: String?) -> String {
    guard unit != nil else {
      // Nothing is done 3.27 times.
      let times = abs(amount) < 10 ? (amount * 10).rounded() / 10 : amount.rounded()
      return self.amount(times == 0 ? amount : times, nil)
    }
    return self.amount(abs(amount) < 100 ? amount : amount.rounded(), unit)
  }

  /// Returns the distance from a pace: "3.2 km", or whole times if the goal counts occasions.
  static func distance(_ amount: Double, _ unit: String?) -> String {
    let amount = abs(amount)
    guard unit == nil || unit == "times" else {
      return rough(amount < 1 ? amount : (amount * 10).rounded() / 10, unit)
    }
    return count(Int(min(max(1, amount.rounded()), 1e15)), "time")
  }

  /// Returns a date such as "4 May", with the year if it is not the current one.
  static func day(_ day: DayKey, today: DayKey) -> String {
    let name = "\(day.day)\(Language.current.dayMark) \(MonthName.shown[day.month - 1])"
    return day.year == today.year ? name : "\(name) \(day.year)"
  }

  /// Returns a date with the month abbreviated to three letters: "4 May", "4 May 2027".
  static func shortDay(_ day: DayKey, today: DayKey) -> String {
    let name = "\(day.day)\(Language.current.dayMark) \(MonthName.short(day.month))"
    return day.year == today.year ? name : "\(name) \(day.year)"
  }

  /// Returns a span as text: "1 January – 31 March", "from 1 January", "by 31 March".
  static func span(_ start: DayKey?, _ end: DayKey?, today: DayKey) -> String? {
    switch (start, end) {
    case (let start?, let end?):
      let from =
        start.year == end.year
        ? "\(start.day)\(Language.current.dayMark) \(MonthName.shown[start.month - 1])"
        : day(start, today: today)
      let to =
        start.year == end.year && end.year != today.year
        ? end.shownPlainName : day(end, today: today)
      return "\(from) – \(to)"
    case (let start?, nil): return said("from \(day(start, today: today))")
    case (nil, let end?): return said("by \(day(end, today: today))")
    case (nil, nil): return nil
    }
  }

  /// Returns a number of things: "1 action", "12 actions".
  static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    Phrase(counting: count, one: one, many: many ?? one + "s").text()
  }

  /// Returns "1 match waits" or "3 matches wait".
  static func waiting(_ count: Int) -> String {
    let number = AmountText.grouped(count)
    return said(count, one: "\(number) match to review", other: "\(number) matches to review")
  }

  /// Returns "due 4 May" or "was due 4 May".
  static func due(_ day: DayKey, isLate: Bool, today: DayKey) -> String {
    let name = self.day(day, today: today)
    return isLate ? said("was due \(name)") : said("due \(name)")
  }

  /// Returns the name of a kind of goal.
  static func type(_ type: GoalType) -> String {
    switch type {
    case .goal: said("Goal")
    case .smartGoal: said("SMART goal")
    case .milestone: said("Milestone")
    default: ClippedText.of(type.rawValue, limit: 40)
    }
  }

  /// Returns the reason an action was matched.
  static func why(_ contribution: ActionGoalContribution) -> String {
    switch contribution.matchMethod {
    case .manual: return said("linked by you")
    case .userConfirmed: return said("confirmed by you")
    case .userRejected: return said("rejected by you")
    default: break
    }
    let reasons = contribution.matchedOn.compactMap { source -> String? in
      let halves = source.split(separator: ":", maxSplits: 1).map(String.init)
      let value = halves.count > 1 ? ClippedText.of(halves[1], limit: 40) : ""
      switch halves.first {
      case "unit": return said("amount in \(value)")
      case "keyword": return said("contains “\(value)”")
      case "tag": return said("tagged “\(value)”")
      case "duration": return said("by duration")
      case "part": return said("“\(value)” may be the unit")
      case "meaning": return said("similar in meaning")
      default: return nil
      }
    }
    return reasons.isEmpty ? said("within the goal’s dates") : reasons.joined(separator: ", ")
  }

  /// Returns the confidence of a match in a word.
  static func certainty(_ contribution: ActionGoalContribution) -> String {
    switch contribution.confidence {
    case 1...: said("certain")
    case 0.9...: said("90% sure")
    default: said("\(Int((contribution.confidence * 100).rounded()))% sure")
    }
  }
}

/// The progress of a goal in words.
struct GoalStanding {
  let goal: Goal
  let progress: GoalProgress
  let today: DayKey

  /// The amount: "43.5 of 120 km", "12 pages"; nil if there is nothing to count.
  var amountLine: String? {
    if let target = goal.measurementTarget {
      return GoalWords.amount(progress.total, of: target, goal.measurementUnit)
    }
    if goal.measurementUnit == nil, progress.actions == 0 { return nil }
    return goal.measurementUnit == nil
      ? GoalWords.count(progress.actions, "action")
      : said("\(GoalWords.amount(progress.total, goal.measurementUnit)) so far")
  }

  var isPast: Bool { goal.targetDate.map { $0 < today } ?? false }

  /// The pace: "3.2 km behind", "on pace", "reached on 4 May"; nil if unknown.
  var paceLine: String? {
    let unit = goal.measurementUnit
    switch progress.pace.standing {
    case .complete:
      let over = progress.isOverachieved ? said(", and exceeded") : ""
      return progress.reachedOn.map {
        said("reached on \(GoalWords.day($0, today: today))\(over)")
      } ?? said("reached\(over)")
    case .missed:
      return said("ended \(GoalWords.amount(progress.remaining ?? 0, unit)) short")
    case .notStarted:
      return goal.startDate.map { said("starts \(GoalWords.day($0, today: today))") }
    case .ahead, .behind:
      guard let difference = progress.pace.difference else { return nil }
      let distance = GoalWords.distance(difference, unit)
      return difference > 0 ? said("\(distance) ahead") : said("\(distance) behind")
    case .onPace: return said("on pace")
    default:
      guard let day = goal.targetDate else { return nil }
      let days = today.distance(to: day)
      if days < 0 { return said("was due \(GoalWords.day(day, today: today))") }
      return days == 0 ? said("due today") : said("\(GoalWords.count(days, "day")) left")
    }
  }

  /// The day on which the current rate reaches the target: "arrives 4 May".
  var arrivalLine: String? {
    guard !progress.isComplete, let day = progress.pace.projectedDate else { return nil }
    // After a few days, a rate is too uncertain to contradict that everything is on pace.
    if progress.pace.standing == .onPace, let end = goal.targetDate, day > end { return nil }
    return said("likely to be reached on \(GoalWords.day(day, today: today))")
  }

  /// The streak, such as "5 weeks in a row".
  var streakLine: String? {
    if progress.dayStreak.current > 2 {
      return said("\(GoalWords.count(progress.dayStreak.current, "day")) in a row")
    }
    guard progress.weekStreak.current > 1 else { return nil }
    return said("\(GoalWords.count(progress.weekStreak.current, "week")) in a row")
  }

  /// The tone that determines colours and icons: `ahead`, `onPace`, `behind`, `complete`, `missed`,
  /// `open`.
  var tone: String { progress.pace.standing?.rawValue ?? "open" }

  /// The ring on a card, which shows the progress with a mark for the amount expected today.
  var ring: String {
    var writer = HTMLWriter()
    let isDone = progress.isComplete
    var label = amountLine ?? goal.title
    var middle = "–"
    var share = 0.0
    if let percent = progress.percent {
      share = min(max(percent, 0), 100)
      let whole = PercentText.whole(percent)
      // There is space for three digits; the label and the line below have the full number.
      middle = whole >= 1_000 ? "999+" : whole == 0 && percent > 0 ? "<1%" : "\(whole)%"
      label = PercentText.of(percent)
      if let gone = progress.pace.timeGone, !isDone {
        label += said(", \(PercentText.of(gone * 100)) expected by today")
      }
    } else if goal.measurementUnit == nil, let day = goal.targetDate {
      let days = max(0, today.distance(to: day))
      middle = days < 1_000 ? said("\(days) d") : "999+"
      label = said("\(GoalWords.count(days, "day")) left")
    } else {
      middle = progress.actions < 1_000 ? "\(progress.actions)×" : "999+"
      label = GoalWords.count(progress.actions, "action")
    }
    writer.raw("<svg class=\"ring\" viewBox=\"0 0 44 44\" role=\"img\" aria-label=\"")
    writer.value(label)
    writer.raw("\"><circle class=\"ring-track\" cx=\"22\" cy=\"22\" r=\"18.5\"/>")
    if share > 0 {
      writer.raw(
        "<circle class=\"ring-value\(isDone ? " is-done" : "")\" cx=\"22\" cy=\"22\" r=\"18.5\" "
          + "pathLength=\"100\" stroke-dasharray=\"\(SVGNumber.of(share)) 100\" "
          + "transform=\"rotate(-90 22 22)\"/>")
    }
    if let gone = progress.pace.timeGone, !isDone, gone > 0, gone < 1, progress.percent != nil {
      writer.raw(
        "<line class=\"ring-mark\" x1=\"22\" y1=\"0\" x2=\"22\" y2=\"6\" "
          + "transform=\"rotate(\(SVGNumber.of(gone * 360)) 22 22)\"/>")
    }
    writer.raw("<text\(middle.count > 3 ? " class=\"is-long\"" : "") x=\"22\" y=\"22.4\">")
    writer.value(middle)
    writer.raw("</text></svg>")
    return writer.text
  }
}

/// Formats numbers for drawings.
enum SVGNumber {
  static func of(_ number: Double) -> String {
    guard number.isFinite else { return "0" }
    let rounded = (number * 100).rounded() / 100
    return rounded == rounded.rounded() ? String(Int(rounded)) : "\(rounded)"
  }
}
