package import ArkivedCore
package import ArkivedSearch
package import ArkivedStore
package import Foundation

/// Finds anew what counts towards goals, and proposes what may count since it means the same.
package struct MatchJob: Sendable {
  package let archive: Archive
  package let zone: Zone
  package let indexes: SearchIndexes

  /// Actions whose meaning is less near to a goal's than this are not proposed.
  private static let leastSimilarity = 0.36
  /// So many actions are proposed for one goal at most: a list that is worked through by hand.
  private static let proposalLimit = 40

  package init(archive: Archive, zone: Zone, indexes: SearchIndexes? = nil) {
    self.archive = archive
    self.zone = zone
    self.indexes = indexes ?? SearchIndexes(archive)
  }

  /// What a run did.
  package struct Outcome: Sendable {
    package var report: InferenceReport
    /// Actions that were put on the review list since they mean the same.
    package var proposed: Int

    package var json: JSON {
      guard var object = report.json.object else { return report.json }
      object["proposed"] = JSON(proposed)
      return .object(object)
    }
  }

  /// - Parameters:
  ///   - goals: only these; nil for all.
  ///   - days: only actions of these days.
  ///   - proposes: whether likeness of meaning is looked at, where search by meaning is there.
  package func run(
    goals: [UUID]? = nil, days: ClosedRange<DayKey>? = nil, proposes: Bool = true
  ) throws -> Outcome {
    let report = try archive.inferContributions(goals: goals, days: days)
    var proposed = 0
    if proposes {
      let wanted = goals.map(Set.init)
      for goal in try archive.goals() where wanted?.contains(goal.id) ?? true {
        proposed += try propose(for: goal, days: days)
      }
    }
    return Outcome(report: report, proposed: proposed)
  }

  /// Puts actions on the review list that mean what a goal means and measure what it measures, but
  /// say it in other words.
  private func propose(for goal: Goal, days: ClosedRange<DayKey>?) throws -> Int {
    let matcher = GoalMatcher(goal)
    // A goal without words takes everything in its unit by itself; one that is reached is done.
    guard matcher.readsTexts || goal.measurementUnit == nil else { return 0 }
    let today = zone.dayKey(at: archive.clock.now)
    let from = max(goal.startDate ?? .earliest, days?.lowerBound ?? .earliest)
    let to = min(goal.targetDate ?? today, days?.upperBound ?? today)
    guard from <= to else { return 0 }
    let request = SearchRequest(
      query: Self.query(goal), from: .day(from), to: .day(to), limit: Self.proposalLimit * 3,
      mode: .meaning)
    let hits = try HybridSearch(archive: archive, zone: zone, indexes: indexes).search(request).hits
      .filter { $0.type == .activity && ($0.why.similarity ?? 0) >= Self.leastSimilarity }
    let similarity = Dictionary(
      hits.map { ($0.id, $0.why.similarity ?? 0) }, uniquingKeysWith: max)
    var matches: [(action: UUID, match: GoalMatch)] = []
    for action in try archive.activities(hits.map(\.id)) where goal.accepts(action.dayKey) {
      let facts = ActionFacts(action)
      let measured = matcher.measured(facts)
      guard matcher.match(facts) == nil,
        let amount = measured?.amount
          ?? (goal.measurementUnit == nil || matcher.countsOccasions ? 1 : nil)
      else { continue }
      matches.append(
        (
          action.id,
          GoalMatch(
            contribution: amount,
            confidence: min(GoalMatch.proposalLimit, similarity[action.id] ?? 0),
            matchedOn: [GoalMatch.meaning] + [measured?.source].compactMap { $0 })
        ))
    }
    return try archive.propose(Array(matches.prefix(Self.proposalLimit)), forGoal: goal.id)
  }

  /// What a goal is about: its words without amounts, each once, and the words that are looked for.
  private static func query(_ goal: Goal) -> String {
    var parts = [goal.title]
    if case .hints(let hints) = GoalHints.read(goal.howGoalIsActionable) { parts += hints.keywords }
    // The unit would make everything alike that is told with it.
    var seen: Set<String> = Set([goal.measurementUnit].compactMap { $0.map(NameFolding.loose) })
    return parts.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
      .filter { !$0.contains(where: \.isNumber) && seen.insert(NameFolding.loose($0)).inserted }
      .joined(separator: " ")
  }
}
