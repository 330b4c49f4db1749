public import Foundation

/// The amount done toward something on one day.
public struct DayTotal: Hashable, Sendable {
  /// The day.
  public var day: DayKey
  /// In the goal's unit.
  public var total: Double
  /// The number of actions.
  public var actions: Int

  /// Creates a day's total.
  public init(day: DayKey, total: Double, actions: Int) {
    self.day = day
    self.total = total
    self.actions = actions
  }
}

/// The progress of a goal, computed from the actions that count toward it.
public struct GoalProgress: Hashable, Sendable {
  /// A comparison of the total with an even pace over the whole period.
  public struct Pace: Hashable, Sendable {
    /// A goal's position relative to its pace.
    public struct Standing: OpenString {
      /// The text as stored.
      public let rawValue: String
      /// Creates a value from a text, known or not.
      public init(rawValue: String) { self.rawValue = rawValue }

      /// The first day is in the future.
      public static let notStarted: Standing = "notStarted"
      /// More was done than an even pace requires.
      public static let ahead: Standing = "ahead"
      /// As much was done as an even pace requires.
      public static let onPace: Standing = "onPace"
      /// Less was done than an even pace requires.
      public static let behind: Standing = "behind"
      /// The target is reached.
      public static let complete: Standing = "complete"
      /// The last day has passed and the target was not reached.
      public static let missed: Standing = "missed"
    }

    /// The total that an even pace would give today, or nil without a target, a start and a target
    /// date.
    public var expected: Double?
    /// The total minus the expected total.
    public var difference: Double?
    /// The share of the time that has passed, from 0 to 1.
    public var timeGone: Double?
    /// The average amount per day since the first day.
    public var perDay: Double?
    /// The amount needed per day to reach the target in time.
    public var neededPerDay: Double?
    /// The day on which the current rate reaches the target, or nil without a target or progress.
    public var projectedDate: DayKey?
    /// The goal's position relative to its pace, or nil if there isn't enough information.
    public var standing: Standing?
  }

  /// Consecutive days or weeks in which something was done.
  public struct Streak: Hashable, Sendable {
    /// The length of the current streak; 0 if it is broken.
    public var current: Int
    /// The length of the longest streak.
    public var longest: Int
  }

  /// The total of a week; its day is the Monday.
  public typealias Week = DayTotal

  /// The goal's ID.
  public var goalID: UUID
  /// The goal's unit.
  public var unit: String?
  /// The goal's target.
  public var target: Double?
  /// The amount done so far, in the unit.
  public var total: Double
  /// The amount that actions on later days will contribute.
  public var planned: Double
  /// The number of actions that count.
  public var actions: Int
  /// The number of matches that are waiting for review.
  public var waiting: Int
  /// The first day with an action that counts.
  public var firstDay: DayKey?
  /// The last day with an action that counts.
  public var lastDay: DayKey?
  /// The percentage of the target, which may exceed 100.
  ///
  /// This is exact, for drawing; `wholePercent` and `percentText` are for display.
  public var percent: Double?
  /// The amount still missing; never negative.
  public var remaining: Double?
  /// True if the target is reached.
  public var isComplete: Bool
  /// True above 110 per cent of the target.
  public var isOverachieved: Bool
  /// The day on which the target was reached.
  public var reachedOn: DayKey?
  /// The comparison with an even pace.
  public var pace: Pace
  /// The streak in days.
  public var dayStreak: Streak
  /// The streak in weeks.
  public var weekStreak: Streak
  /// Every week from the first to the current or last one, including empty weeks.
  public var weeks: [Week]

  /// Creates the progress of a goal.
  ///
  /// - Parameters:
  ///   - goal: the goal.
  ///   - all: the total of each day that has any, in order.
  ///   - waiting: the number of matches that are waiting for review.
  ///   - today: the current day.
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

  /// Returns the last day whose actions count; later actions are plans.
  ///
  /// That day is tomorrow, which may already have begun where the owner is.
  package static func lastDay(countingOn today: DayKey) -> DayKey { today.advanced(by: 1) }

  /// Returns a sum without binary rounding errors: 0.7 + 0.1 + 0.2 gives 1.
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
      // Today no longer counts as remaining, because the current rate already includes it.
      // Days before the first one don't count.
      let before = max(today, goal.startDate?.advanced(by: -1) ?? today)
      pace.neededPerDay = (target - total) / Double(max(1, before.distance(to: end)))
    }
    if let start, today < start {
      pace.standing = .notStarted
    } else if let end = goal.targetDate, today > end {
      pace.standing = .missed
    } else if let difference = pace.difference {
      // A difference within a tenth of the expected amount is not worth mentioning.
      let slack = (pace.expected ?? 0) / 10
      pace.standing = difference > slack ? .ahead : difference < -slack ? .behind : .onPace
    }
    if pace.standing != .missed, let perDay = pace.perDay, perDay > 0 {
      let days = ((target - total) / perDay).rounded(.up)
      if days < 365_250 { pace.projectedDate = today.advanced(by: Int(days)) }
    }
    return pace
  }

  /// Returns the current streak, which may have ended one step ago, and the longest one.
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

  /// The number of weeks in a hundred years.
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
    // A plan over centuries lists only the weeks in which something was done.
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

  /// The progress as in `json` but without the weeks, for lists.
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
  /// The amount as text: "43.5 of 120 km", or "12 pages" without a target.
  public var amountText: String { AmountText.progress(total, of: target, unit) }
}

extension AmountText {
  /// Returns the amount as text: "43.5 of 120 km", or "12 pages" without a target.
  static func progress(_ total: Double, of target: Double?, _ unit: String?) -> String {
    let unit = unit.map { " \($0)" } ?? ""
    guard let target else { return "\(short(total))\(unit)" }
    let amount = unreached(total, target, in: short) { plain($0) }
    return "\(amount) of \(short(target))\(unit)"
  }

  /// Returns a total in a format, with more decimal places if it would look like a target that it
  /// hasn't reached: "119.98" of 120 instead of "120".
  ///
  /// - Parameters:
  ///   - total: the total.
  ///   - target: the target.
  ///   - format: the usual format, which may round.
  ///   - exactly: a format with up to three decimal places.
  /// - Returns: the text.
  package static func unreached(
    _ total: Double, _ target: Double, in format: (Double) -> String,
    exactly: (Double) -> String
  ) -> String {
    let text = format(total)
    guard total < target, text == format(target) else { return text }
    return exactly((total * 1_000).rounded(.down) / 1_000)
  }

  /// Formats an amount as `plain` does, but with at most one decimal place, or two below 10.
  package static func short(_ amount: Double) -> String {
    let scale = abs(amount) < 10 ? 100.0 : 10.0
    guard amount.isFinite, abs(amount) < 1e12 else { return plain(amount) }
    return plain((amount * scale).rounded() / scale)
  }
}
