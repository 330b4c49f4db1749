public import Foundation

/// What was done towards something on one day.
public struct DayTotal: Hashable, Sendable {
  /// The day.
  public var day: DayKey
  /// In the goal's unit.
  public var total: Double
  /// How many actions.
  public var actions: Int

  /// Makes a day's total.
  public init(day: DayKey, total: Double, actions: Int) {
    self.day = day
    self.total = total
    self.actions = actions
  }
}

/// How far a goal has come, worked out from what counts towards it.
public struct GoalProgress: Hashable, Sendable {
  /// How the total stands to where it would be if every day gave the same.
  public struct Pace: Hashable, Sendable {
    /// Where a goal stands to its pace.
    public struct Standing: OpenString {
      /// The text as it is stored.
      public let rawValue: String
      /// Makes the value of a text, known or not.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// The first day lies ahead.
      public static let notStarted: Standing = "notStarted"
      /// More was done than an even pace asks.
      public static let ahead: Standing = "ahead"
      /// As much was done as an even pace asks.
      public static let onPace: Standing = "onPace"
      /// Less was done than an even pace asks.
      public static let behind: Standing = "behind"
      /// The target is reached.
      public static let complete: Standing = "complete"
      /// The last day is past and the target was not reached.
      public static let missed: Standing = "missed"
    }

    /// What the total would be today; nil without a target, a start and a target date.
    public var expected: Double?
    /// The total less the expected.
    public var difference: Double?
    /// How much of the time is gone, 0 to 1.
    public var timeGone: Double?
    /// What a day gave on the average, since the first day.
    public var perDay: Double?
    /// What a day has to give from now on to arrive in time.
    public var neededPerDay: Double?
    /// When the present rate reaches the target; nil when there is none or nothing moves.
    public var projectedDate: DayKey?
    /// Where the goal stands; nil where nothing can be said.
    public var standing: Standing?
  }

  /// Days or weeks in a row in which something was done.
  public struct Streak: Hashable, Sendable {
    /// The present run; 0 where it broke off.
    public var current: Int
    /// The longest run.
    public var longest: Int
  }

  /// What a week gave; its day is the Monday.
  public typealias Week = DayTotal

  /// The goal's identity.
  public var goalID: UUID
  /// The goal's unit.
  public var unit: String?
  /// The goal's target.
  public var target: Double?
  /// What was done until now, in the unit.
  public var total: Double
  /// What actions of later days will give.
  public var planned: Double
  /// Actions that count.
  public var actions: Int
  /// Matches that wait to be reviewed.
  public var waiting: Int
  /// The first day with an action that counts.
  public var firstDay: DayKey?
  /// The last day with an action that counts.
  public var lastDay: DayKey?
  /// Per cent of the target; may pass 100. Exact, for drawings; `wholePercent` and `percentText` are told.
  public var percent: Double?
  /// Never below 0.
  public var remaining: Double?
  /// Whether the target is reached.
  public var isComplete: Bool
  /// More than 110 per cent.
  public var isOverachieved: Bool
  /// The day on which the target was reached.
  public var reachedOn: DayKey?
  /// How the total stands to an even pace.
  public var pace: Pace
  /// Days in a row.
  public var dayStreak: Streak
  /// Weeks in a row.
  public var weekStreak: Streak
  /// Every week from the first to the present or last one, those without anything too.
  public var weeks: [Week]

  /// - Parameters:
  ///   - days: what each day gave, in order, days without anything left out.
  ///   - waiting: how many matches wait to be reviewed.
  public init(
    of goal: some Achievable & Persistable, days all: [DayTotal], waiting: Int = 0, today: DayKey
  ) {
    let last = Self.lastDay(countingOn: today)
    let days = all.filter { $0.day <= last }
    planned = Self.tidy(all.dropFirst(days.count).reduce(0) { $0 + $1.total })
    goalID = goal.id
    unit = goal.measurementUnit
    target = goal.measurementTarget
    let total = Self.tidy(days.reduce(0) { $0 + $1.total })
    self.total = total
    actions = days.reduce(0) { $0 + $1.actions }
    self.waiting = waiting
    firstDay = days.first?.day
    lastDay = days.last?.day
    if let target = goal.measurementTarget {
      let share = total / target
      percent = Self.tidy(min(share, 1e12) * 100)
      remaining = max(0, Self.tidy(target - total))
      isComplete = total >= target
      isOverachieved = Self.tidy(share * 100) > 110
      reachedOn = Self.reached(target, days)
    } else {
      isComplete = false
      isOverachieved = false
    }
    pace = Self.pace(
      of: goal, total: total, first: days.first?.day, reachedOn: reachedOn, today: today)
    let done = days.filter { $0.actions > 0 }.map(\.day)
    dayStreak = Self.streak(done.map(\.daysSinceEpoch), now: today.daysSinceEpoch)
    weekStreak = Self.streak(
      done.map(Self.weekNumber), now: Self.weekNumber(today))
    weeks = Self.weeks(days, of: goal, today: today)
  }

  /// The last day whose actions count; what is written down for later is a plan. A day ahead may be
  /// today where the owner is.
  package static func lastDay(countingOn today: DayKey) -> DayKey { today.advanced(by: 1) }

  /// Without what adding binary fractions leaves: 0.7 + 0.1 + 0.2 is 1.
  package static func tidy(_ sum: Double) -> Double {
    guard sum.isFinite else { return .greatestFiniteMagnitude }
    return abs(sum) < 1e6 ? (sum * 1e9).rounded() / 1e9 : sum
  }

  private static func reached(_ target: Double, _ days: [DayTotal]) -> DayKey? {
    var sum = 0.0
    for day in days {
      sum += day.total
      if tidy(sum) >= target { return day.day }
    }
    return nil
  }

  private static func pace(
    of goal: some Achievable, total: Double, first: DayKey?, reachedOn: DayKey?, today: DayKey
  ) -> Pace {
    var pace = Pace()
    let start = goal.startDate ?? first
    if let start, let end = goal.targetDate {
      pace.timeGone = TimeShare.gone(from: start, to: end, on: today)
    }
    if let start, today >= start {
      let last = min(today, goal.targetDate ?? today)
      pace.perDay = total / Double(max(1, start.distance(to: last) + 1))
    }
    guard let target = goal.measurementTarget else { return pace }
    if let gone = pace.timeGone {
      let expected = target * gone
      pace.expected = expected
      pace.difference = tidy(total - expected)
    }
    if total >= target {
      pace.projectedDate = reachedOn
      pace.standing = .complete
      return pace
    }
    if let end = goal.targetDate, today <= end {
      // Today is spent: the present rate counts it already.
      pace.neededPerDay = (target - total) / Double(max(1, today.distance(to: end)))
    }
    if let start, today < start {
      pace.standing = .notStarted
    } else if let end = goal.targetDate, today > end {
      pace.standing = .missed
    } else if let difference = pace.difference {
      // A tenth of what is expected either way is no difference worth a word.
      let slack = (pace.expected ?? 0) / 10
      pace.standing = difference > slack ? .ahead : difference < -slack ? .behind : .onPace
    }
    if pace.standing != .missed, let perDay = pace.perDay, perDay > 0 {
      let days = ((target - total) / perDay).rounded(.up)
      if days < 365_250 { pace.projectedDate = today.advanced(by: Int(days)) }
    }
    return pace
  }

  /// The present run, which may have ended one step ago, and the longest one.
  private static func streak(_ steps: [Int], now: Int) -> Streak {
    var longest = 0
    var run = 0
    var last: Int?
    for step in steps where step <= now && step != last {
      run = last.map { step == $0 + 1 } == true ? run + 1 : 1
      longest = max(longest, run)
      last = step
    }
    let isPresent = last.map { $0 >= now - 1 } ?? false
    return Streak(current: isPresent ? run : 0, longest: longest)
  }

  /// Weeks of a hundred years.
  private static let longestRun = 5_218

  private static func weekNumber(_ day: DayKey) -> Int {
    // 1970-01-05 was a Monday.
    let shifted = day.daysSinceEpoch - 4
    return shifted >= 0 ? shifted / 7 : (shifted - 6) / 7
  }

  private static func weeks(
    _ days: [DayTotal], of goal: some Achievable, today: DayKey
  ) -> [Week] {
    guard let start = [goal.startDate, days.first?.day].compactMap({ $0 }).min() else { return [] }
    let end = max(days.last?.day ?? start, min(today, goal.targetDate ?? today))
    guard start <= end else { return [] }
    // Who plans for centuries is shown the weeks in which something was done.
    guard start.distance(to: end) / 7 <= longestRun else {
      return Dictionary(grouping: days) { $0.day.startOfWeek() }.map { monday, days in
        Week(
          day: monday, total: tidy(days.reduce(0) { $0 + $1.total }),
          actions: days.reduce(0) { $0 + $1.actions })
      }.sorted { $0.day < $1.day }
    }
    var weeks: [Week] = []
    var next = days.startIndex
    var monday = start.startOfWeek()
    while monday <= end {
      var week = Week(day: monday, total: 0, actions: 0)
      let following = monday.advanced(by: 7)
      while next < days.endIndex, days[next].day < following {
        week.total += days[next].total
        week.actions += days[next].actions
        next += 1
      }
      week.total = tidy(week.total)
      weeks.append(week)
      guard following > monday else { break }
      monday = following
    }
    return weeks
  }

  package var json: JSON {
    guard var object = shortJSON.object else { return shortJSON }
    object["weeks"] = .array(
      weeks.map {
        ["week": JSON($0.day), "total": JSON($0.total), "actions": JSON($0.actions)]
      })
    return .object(object)
  }

  /// As `json` without the weeks, for lists.
  package var shortJSON: JSON {
    [
      "goalId": .string(goalID.uuidString), "unit": JSON(unit), "target": JSON(target),
      "total": JSON(total), "planned": JSON(planned), "actions": JSON(actions),
      "waiting": JSON(waiting),
      "percent": JSON(wholePercent), "remaining": JSON(remaining), "complete": .bool(isComplete),
      "overachieved": .bool(isOverachieved), "firstDay": JSON(firstDay),
      "lastDay": JSON(lastDay), "reachedOn": JSON(reachedOn),
      "pace": [
        "expected": JSON(pace.expected), "difference": JSON(pace.difference),
        "timeGone": JSON(pace.timeGone), "perDay": JSON(pace.perDay),
        "neededPerDay": JSON(pace.neededPerDay), "projectedDate": JSON(pace.projectedDate),
        "standing": JSON(pace.standing?.rawValue),
      ],
      "streaks": [
        "days": ["current": JSON(dayStreak.current), "longest": JSON(dayStreak.longest)],
        "weeks": ["current": JSON(weekStreak.current), "longest": JSON(weekStreak.longest)],
      ],
    ]
  }
}

extension GoalProgress {
  /// "43.5 of 120 km", or "12 pages" without a target.
  public var amountText: String { AmountText.progress(total, of: target, unit) }
}

extension AmountText {
  /// "43.5 of 120 km", or "12 pages" without a target.
  static func progress(_ total: Double, of target: Double?, _ unit: String?) -> String {
    let unit = unit.map { " \($0)" } ?? ""
    guard let target else { return "\(short(total))\(unit)" }
    return "\(short(total)) of \(short(target))\(unit)"
  }

  /// As `plain`, with at most one digit of a fraction, two below 10.
  package static func short(_ amount: Double) -> String {
    let scale = abs(amount) < 10 ? 100.0 : 10.0
    guard amount.isFinite, abs(amount) < 1e12 else { return plain(amount) }
    return plain((amount * scale).rounded() / scale)
  }
}
