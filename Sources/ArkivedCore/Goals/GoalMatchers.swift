/// Tells which of many goals an action counts towards, in time that hardly grows with their number.
package struct GoalMatchers: Sendable {
  package let matchers: [GoalMatcher]
  /// Goals by the name of a measurement that can count for them.
  private var byUnit: [String: [Int]] = [:]
  private let byLength: [Int]
  private let byOccasion: [Int]

  package init(_ goals: [Goal], units: UnitTable = .standard) {
    matchers = goals.map { GoalMatcher($0, units: units) }
    byLength = matchers.indices.filter { [matchers] in matchers[$0].canTime }
    byOccasion = matchers.indices.filter { [matchers] in matchers[$0].countsOccasions }
  }

  /// Whether an action without measurements and length can count for any goal.
  package var countOccasions: Bool { !byOccasion.isEmpty }
  /// Whether an action's length can count for any goal.
  package var countLengths: Bool { !byLength.isEmpty }

  /// The goals whose days and units an action fits, in order; their words are not looked at.
  package mutating func candidates(
    day: DayKey, units: [String], hasLength: Bool
  ) -> [Int] {
    var found: Set<Int> = []
    for unit in units {
      if let known = byUnit[unit] {
        found.formUnion(known)
      } else {
        let goals = matchers.indices.filter { matchers[$0].canMeasure(unit) }
        byUnit[unit] = goals
        found.formUnion(goals)
      }
    }
    if hasLength { found.formUnion(byLength) }
    found.formUnion(byOccasion)
    return found.filter { matchers[$0].goal.accepts(day) }.sorted()
  }

  /// The goals that an action fits, with what it gives to each.
  package mutating func matches(_ action: ActionFacts) -> [(goal: Goal, match: GoalMatch)] {
    candidates(
      day: action.day, units: action.measurements.map(\.unit),
      hasLength: action.duration != nil
    ).compactMap { index in
      matchers[index].match(action).map { (matchers[index].goal, $0) }
    }
  }
}
