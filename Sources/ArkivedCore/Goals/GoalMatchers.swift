/// Tells which of many goals an action counts towards, in time that hardly grows with their number.
package struct GoalMatchers: Sendable {
  /// A goal whose days and units an action fits, and how it is measured there.
  package struct Candidate: Sendable {
    /// The goal's place among the matchers.
    package let index: Int
    fileprivate let measure: GoalMatcher.Measure?
  }

  /// What actions measure, whatever the amounts.
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

  /// Whether an action without measurements and length can count for any goal.
  package var countOccasions: Bool { matchers.contains { $0.countsOccasions } }
  /// Whether an action's length can count for any goal.
  package var countLengths: Bool { matchers.contains { $0.canTime } }

  /// The goals whose days and units an action fits, in order; their words are not looked at.
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

  /// The candidates that an action's texts do not rule out: the others name keywords of which none
  /// begins with a word of the texts.
  package mutating func candidates(
    _ candidates: [Candidate], fitting texts: [String]
  ) -> [Candidate] {
    let hits = keywords.hits(in: texts)
    return candidates.filter {
      !matchers[$0.index].readsTexts || keywords.mayStand($0.index, hits)
    }
  }

  /// What an action gives to a goal whose days and units it fits; nil where its words do not.
  package func match(_ action: ActionFacts, with candidate: Candidate) -> GoalMatch? {
    matchers[candidate.index].match(action, measure: candidate.measure)
  }

  /// The goals that an action fits, with what it gives to each.
  package mutating func matches(_ action: ActionFacts) -> [(goal: Goal, match: GoalMatch)] {
    candidates(
      day: action.day, units: action.measurements.map(\.unit),
      hasLength: action.duration != nil
    ).compactMap { candidate in
      match(action, with: candidate).map { (matchers[candidate.index].goal, $0) }
    }
  }
}
