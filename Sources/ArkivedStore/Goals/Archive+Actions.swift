package import ArkivedCore
package import Foundation
import GRDB

/// A filter for listing actions.
package struct ActionFilter: Hashable, Sendable {
  /// A string that occurs in the text or the description, ignoring case.
  package var searchText: String?
  /// True for actions with measurements, false for those without; nil for those with measurements
  /// or linked with a goal, or for all if one of the next two properties is set.
  package var hasMeasurements: Bool?
  /// True for actions with a duration, in minutes or by start and end, false for those without; nil
  /// for either.
  package var hasDuration: Bool?
  /// True for actions that count toward a goal, false for others; nil for either.
  package var isLinked: Bool?
  package var from: DayKey?
  package var to: DayKey?
  package var limit: Int
  package var offset: Int

  package init(
    searchText: String? = nil, hasMeasurements: Bool? = nil, hasDuration: Bool? = nil,
    isLinked: Bool? = nil, from: DayKey? = nil, to: DayKey? = nil, limit: Int = 50, offset: Int = 0
  ) {
    self.searchText = searchText
    self.hasMeasurements = hasMeasurements
    self.hasDuration = hasDuration
    self.isLinked = isLinked
    self.from = from
    self.to = to
    self.limit = limit
    self.offset = offset
  }
}

/// Activities in relation to goals.
extension Archive {
  /// Returns actions, the latest first.
  package func actions(_ filter: ActionFilter) throws -> [Activity] {
    try read { db in
      let (condition, arguments) = Archive.condition(filter)
      // Few candidates are looked up and sorted; among many, the latest are soon found by day.
      let few = try ActionCandidates(filter).flatMap { try $0.areFew(db) ? $0 : nil }
      let day = few == nil ? "it.day_key" : "+it.day_key"
      let keys = try Int64.fetchAll(
        db,
        sql: """
          SELECT it.pk FROM activities AS it WHERE \(few.map { "\($0.condition) AND " } ?? "")
            \(condition.replacing("it.day_key", with: day))
          ORDER BY \(day) DESC, it.start_at DESC, it.created_at DESC, it.pk DESC
          LIMIT \(max(0, filter.limit)) OFFSET \(max(0, filter.offset))
          """, arguments: arguments)
      let records = try ActivityRecord.fetch(
        db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(keys)])
      let byKey = Dictionary(uniqueKeysWithValues: records.map { ($0.pk, $0.activity) })
      return keys.compactMap { byKey[$0] }
    }
  }

  package func countActions(_ filter: ActionFilter) throws -> Int {
    try read { db in
      let (condition, arguments) = Archive.condition(filter)
      guard let candidates = ActionCandidates(filter) else {
        return try Int.fetchOne(
          db, sql: "SELECT count(*) FROM activities AS it WHERE \(condition)",
          arguments: arguments) ?? 0
      }
      if let count = try candidates.count(db) { return count }
      return try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM activities AS it WHERE \(candidates.condition)
            AND \(condition.replacing("it.day_key", with: "+it.day_key"))
          """, arguments: arguments) ?? 0
    }
  }

  /// Adds an action and links it with goals by hand, as one change.
  ///
  /// - Parameters:
  ///   - action: the action.
  ///   - goals: the goals, each once.
  ///   - amount: the amount of each link; see `link`.
  /// - Returns: the action as saved.
  /// - Throws: `FieldError` if an amount is neither given nor measured, `ArchiveError.notFound` if a
  ///   goal no longer exists; then nothing is written.
  package func add(
    _ action: Activity, linkedWith goals: [UUID], amount: Double? = nil
  ) throws -> Saved<Activity> {
    let (value, change) = try write(
      by: .owner, "add", "Added “\(action.text.prefix(120))”"
    ) { scope in
      var action = action
      action.people = try action.people.map { try scope.resolve($0, allowsFirstName: true) }
      try scope.insert(action)
      for goal in goals { try scope.link(new: action.id, goal: goal, amount: amount) }
      return action
    }
    return Saved(value: value, change: change)
  }

  private static func condition(_ filter: ActionFilter) -> (String, StatementArguments) {
    var conditions = ["it.day_key BETWEEN ? AND ?"]
    var arguments: StatementArguments = [
      (filter.from ?? .earliest).description, (filter.to ?? .latest).description,
    ]
    let measured = "EXISTS (SELECT 1 FROM measurements WHERE activity_pk = it.pk)"
    let linked = """
      EXISTS (SELECT 1 FROM action_goal_contributions AS link WHERE link.activity_pk = it.pk
        AND link.confidence >= 0.7 AND link.match_method <> 'user_rejected')
      """
    let timed = """
      (it.duration_minutes IS NOT NULL OR it.start_at IS NOT NULL AND it.end_at IS NOT NULL)
      """
    let asked = [
      (measured, filter.hasMeasurements), (timed, filter.hasDuration), (linked, filter.isLinked),
    ].compactMap { condition, wanted in wanted.map { $0 ? condition : "NOT \(condition)" } }
    conditions += asked.isEmpty ? ["(\(measured) OR \(linked))"] : asked
    if let text = filter.searchText, !text.isEmpty {
      let (condition, values) = TextPiece.condition(text, in: ["it.text", "it.description"])
      conditions.append(condition)
      arguments += values
    }
    return (conditions.joined(separator: " AND "), arguments)
  }

  /// Returns the review of a term, without the actions that are planned for later days.
  package func review(of term: Term, today: DayKey, sample: Int = 20) throws -> TermReview {
    let days = term.days
    let last = min(days.upperBound, GoalProgress.lastDay(countingOn: today))
    let goals = try goals()
    let linked = ActionFilter(isLinked: true, from: days.lowerBound, to: last)
    let unlinked = ActionFilter(
      hasMeasurements: true, isLinked: false, from: days.lowerBound, to: last, limit: sample)
    return TermReview(
      term, goals: goals, assignments: try assignments(), values: try values(),
      alignments: try alignments(), progress: try progress(of: goals, today: today),
      totals: try dayTotals(days: days), linked: try countActions(linked),
      unlinked: try countActions(unlinked), unlinkedSample: try actions(unlinked), today: today)
  }
}

/// The entries that may be actions, for lists of a whole life.
///
/// They have measurements, count toward a goal, or both; most entries of a life do neither.
private struct ActionCandidates {
  private let isMeasured: Bool
  private let isLinked: Bool
  /// True if all candidates are in the list.
  private let isExact: Bool

  /// The number of candidates up to which all are sorted.
  private static let fewCandidates = 20_000
  private static let counts = "confidence >= 0.7 AND match_method <> 'user_rejected'"

  /// Creates the candidates; nil if a filter has days, which contain fewer entries, or also lists
  /// entries that are neither.
  init?(_ filter: ActionFilter) {
    guard filter.from == nil, filter.to == nil else { return nil }
    let isUsual =
      filter.hasMeasurements == nil && filter.isLinked == nil && filter.hasDuration == nil
    isMeasured = isUsual || filter.hasMeasurements == true
    // Either part contains all entries that have both.
    isLinked = isUsual || filter.isLinked == true && !isMeasured
    guard isMeasured || isLinked else { return nil }
    isExact = isUsual && filter.searchText?.isEmpty ?? true
  }

  private var keys: [String] {
    (isMeasured ? ["SELECT activity_pk FROM measurements"] : [])
      + (isLinked ? ["SELECT activity_pk FROM contribution_rows WHERE \(Self.counts)"] : [])
  }

  /// The SQL condition for an entry `it`.
  var condition: String { "it.pk IN (\(keys.joined(separator: " UNION ALL ")))" }

  func areFew(_ db: Database) throws -> Bool {
    let count = try Int.fetchOne(
      db,
      sql: """
        SELECT count(*) FROM (\(keys.joined(separator: " UNION ALL "))
          LIMIT \(Self.fewCandidates + 1))
        """)
    return count ?? 0 <= Self.fewCandidates
  }

  /// Returns the number of candidates, counted without reading entries; nil if that isn't the
  /// number of actions, because some aren't listed or are of an import that nobody sees.
  func count(_ db: Database) throws -> Int? {
    guard isExact,
      try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM hidden_changes)") == true
    else { return nil }
    return try Int.fetchOne(
      db,
      sql: """
        SELECT (SELECT count(DISTINCT activity_pk) FROM measurements)
          + (SELECT count(DISTINCT activity_pk) FROM contribution_rows AS link
            WHERE \(Self.counts) AND NOT EXISTS
              (SELECT 1 FROM measurements WHERE activity_pk = link.activity_pk))
        """)
  }
}
