package import ArkivedCore
package import ArkivedSearch
package import ArkivedStore
package import Foundation

/// A job that matches actions with goals again, and proposes actions that may count because of a
/// similar meaning.
package struct MatchJob: Sendable {
  package let archive: Archive
  package let zone: Zone
  package let indexes: SearchIndexes

  /// The similarity to a goal below which actions are not proposed.
  private static let leastSimilarity = 0.36
  /// The largest number of actions proposed for one goal, because the owner reviews the list by
  /// hand.
  private static let proposalLimit = 40

  package init(archive: Archive, zone: Zone, indexes: SearchIndexes? = nil) {
    self.archive = archive
    self.zone = zone
    self.indexes = indexes ?? SearchIndexes(archive)
  }

  /// The result of a run.
  package struct Outcome: Sendable {
    package var report: InferenceReport
    /// The number of actions added to the review list because of their meaning.
    package var proposed: Int

    package var json: JSON {
      guard var object = report.json.object else { return report.json }
      object["proposed"] = JSON(proposed)
      return .object(object)
    }
  }

  /// Matches goals with actions.
  ///
  /// - Parameters:
  ///   - goals: the goals to match; nil for all.
  ///   - days: the days whose actions are matched.
  ///   - proposes: true to consider similar meaning, where search by meaning is available.
  /// - Returns: a summary of the matches.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or written.
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

  /// Adds actions to the review list that have the meaning and the unit of a goal but use other
  /// words.
  private func propose(for goal: Goal, days: ClosedRange<DayKey>?) throws -> Int {
    let matcher = GoalMatcher(goal)
    // A goal without words already accepts everything in its unit, and a goal that has been reached
    // is done.
    guard matcher.readsTexts || goal.measurementUnit == nil else { return 0 }
    let today = zone.dayKey(at: archive.clock.now)
    let from = max(goal.startDate ?? .earliest, days?.lowerBound ?? .earliest)
    let to = min(goal.targetDate ?? today, days?.upperBound ?? today)
    guard from <= to else { return 0 }
    var request = SearchRequest(
      query: Self.query(goal), from: .day(from), to: .day(to), limit: Self.proposalLimit * 3,
      mode: .meaning)
    // Notes about the goal must not take the places of actions.
    request.types = [.activity]
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

  /// Returns a goal's topic: its words without amounts, each once, and its search terms.
  private static func query(_ goal: Goal) -> String {
    var parts = [goal.title]
    if case .hints(let hints) = GoalHints.read(goal.howGoalIsActionable) { parts += hints.keywords }
    // The unit would make all actions that contain it similar.
    var seen: Set<String> = Set([goal.measurementUnit].compactMap { $0.map(NameFolding.loose) })
    // Quotation marks, dashes and asterisks have no special meaning in a title.
    return parts.flatMap { $0.split(whereSeparator: \.isWhitespace) }
      .map { word -> String in
        let letters = word.filter { !"\"“”„«»*".contains($0) }
        return String(letters.drop { $0 == "-" })
      }
      .filter { !$0.isEmpty && !$0.contains(where: \.isNumber) }
      .filter { seen.insert(NameFolding.loose($0)).inserted }
      .joined(separator: " ")
  }
}
