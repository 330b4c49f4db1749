/// Finds the goals an action counts toward, in time that hardly grows with the number of goals.
package struct GoalMatchers: Sendable {
  /// A goal whose days and units match an action, with the way the action is measured for it.
  package struct Candidate: Sendable {
    /// The goal's index among the matchers.
    package let index: Int
    fileprivate let measure: GoalMatcher.Measure?
  }

  /// The kinds of measurement an action has, regardless of the amounts.
  private struct Kind: Hashable {
    var units: [String]
    var hasLength: Bool
  }

  package let matchers: [GoalMatcher]
  private var candidatesByKind: [Kind: [Candidate]] = [:]
  private var keywords: KeywordIndex
  private static let mostKinds = 10_000

  package init(_ goals: [Goal], units: UnitTable = .standard) {
    self.init(goals.map { GoalMatcher($0, units: units) })
  }

  package init(_ matchers: [GoalMatcher]) {
    self.matchers = matchers
    keywords = KeywordIndex(matchers)
  }

  /// True if an action without measurements or length can count for any goal.
  package var countOccasions: Bool { matchers.contains { $0.countsOccasions } }
  /// True if an action's length can count for any goal.
  package var countLengths: Bool { matchers.contains { $0.canTime } }

  /// Returns the goals whose days and units match an action, in order, ignoring keywords.
  package mutating func candidates(
    day: DayKey, units: [String], hasLength: Bool
  ) -> [Candidate] {
    let kind = Kind(units: units, hasLength: hasLength)
    return candidates(of: kind).filter { matchers[$0.index].goal.accepts(day) }
  }

  private mutating func candidates(of kind: Kind) -> [Candidate] {
    if let known = candidatesByKind[kind] { return known }
    let found = matchers.indices.compactMap { index -> Candidate? in
      let matcher = matchers[index]
      guard !matcher.isIdle else { return nil }
      let measure = matcher.measure(named: kind.units, hasLength: kind.hasLength)
      guard measure != nil || matcher.countsOccasions else { return nil }
      return Candidate(index: index, measure: measure)
    }
    if candidatesByKind.count >= Self.mostKinds { candidatesByKind = [:] }
    candidatesByKind[kind] = found
    return found
  }

  /// Returns the candidates that an action's texts do not rule out.
  ///
  /// A goal is ruled out if it has keywords and none of them begins with a word of the texts.
  package mutating func candidates(
    _ candidates: [Candidate], fitting texts: [String]
  ) -> [Candidate] {
    let hits = keywords.hits(in: texts)
    return candidates.filter {
      !matchers[$0.index].readsTexts || keywords.mayStand($0.index, hits)
    }
  }

  /// Returns an action's contribution to a goal whose days and units match, or nil if its keywords
  /// do not match.
  package func match(_ action: ActionFacts, with candidate: Candidate) -> GoalMatch? {
    matchers[candidate.index].match(action, measure: candidate.measure)
  }

  /// Returns the goals that match an action, with its contribution to each.
  package mutating func matches(_ action: ActionFacts) -> [(goal: Goal, match: GoalMatch)] {
    candidates(
      day: action.day, units: action.measurements.map(\.unit),
      hasLength: action.duration != nil
    ).compactMap { candidate in
      match(action, with: candidate).map { (matchers[candidate.index].goal, $0) }
    }
  }
}
