import ArkivedCore
import Foundation
import GRDB
import GRDBSQLite

/// The amount per day of each goal, as stored in `goal_days`.
///
/// A day's amounts are added in no guaranteed order, so a sum can differ from another of the same
/// amounts in its last digits. Displayed amounts are rounded to 1e-9, which hides this.
enum GoalSums {
  /// Returns those goals whose days are not currently stored.
  ///
  /// - Parameters:
  ///   - goals: nil for all.
  ///   - db: the database.
  /// - Returns: the goals.
  /// - Throws: `DatabaseError` if the archive can't be read.
  static func unsettled(among goals: [UUID]?, _ db: Database) throws -> [UUID] {
    let found = try String.fetchAll(
      db,
      cached: "SELECT id FROM goals WHERE pk NOT IN (SELECT goal_pk FROM goal_sums) ORDER BY pk"
    ).compactMap(UUID.init(uuidString:))
    guard let goals else { return found }
    let wanted = Set(goals)
    return found.filter(wanted.contains)
  }

  /// Returns the stored days of goals; empty for goals that are not settled.
  static func kept(
    ofGoals goals: [UUID]?, _ days: ClosedRange<DayKey>?, _ db: Database
  ) throws -> [UUID: [DayTotal]] {
    try read(
      """
      SELECT goal.pk, goal.id, one.day_key, one.total, one.actions
      FROM goals AS goal JOIN goal_sums ON goal_sums.goal_pk = goal.pk
      CROSS JOIN goal_days AS one ON one.goal_pk = goal.pk
      WHERE one.day_key BETWEEN ? AND ?
        \(goals == nil ? "" : "AND goal.id IN (\(KeyList.sql))")
      ORDER BY goal.pk, one.day_key
      """, goals, days, db)
  }

  /// Returns the same days, added up from the matches themselves.
  static func addedUp(
    ofGoals goals: [UUID]?, _ days: ClosedRange<DayKey>?, _ db: Database
  ) throws -> [UUID: [DayTotal]] {
    try read(
      """
      SELECT goal.pk, goal.id, action.day_key, sum(it.contribution), count(*)
      FROM action_goal_contributions AS it
      JOIN goal_rows AS goal ON goal.pk = it.goal_pk
      JOIN activity_rows AS action ON action.pk = it.activity_pk
      WHERE \(Archive.counts) AND action.day_key BETWEEN ? AND ?
        \(goals == nil ? "" : "AND goal.id IN (\(KeyList.sql))")
      GROUP BY goal.pk, action.day_key ORDER BY goal.pk, action.day_key
      """, goals, days, db)
  }

  private static func read(
    _ sql: String, _ goals: [UUID]?, _ days: ClosedRange<DayKey>?, _ db: Database
  ) throws -> [UUID: [DayTotal]] {
    var totals: [UUID: [DayTotal]] = [:]
    // A life may have a hundred thousand of these days; they are read goal by goal.
    var (key, id): (Int64, UUID?) = (0, nil)
    var found: [DayTotal] = []
    let arguments =
      [(days?.lowerBound ?? .earliest).description, (days?.upperBound ?? .latest).description]
      + (goals.map { [JSON($0.map(\.uuidString)).text()] } ?? [])
    try db.forEachRow(sql, StatementArguments(arguments)) { row in
      if sqlite3_column_int64(row, 0) != key || id == nil {
        if let id { totals[id] = found }
        key = sqlite3_column_int64(row, 0)
        id = sqlite3_column_text(row, 1).flatMap { UUID(uuidString: String(cString: $0)) }
        found = []
      }
      guard let text = sqlite3_column_text(row, 2), let day = DayKey(String(cString: text))
      else { return }
      found.append(
        DayTotal(
          day: day, total: sqlite3_column_double(row, 3),
          actions: Int(sqlite3_column_int64(row, 4))))
    }
    if let id { totals[id] = found }
    return totals
  }

  /// Returns the totals of goals up to a day, inclusive; goals without any are skipped.
  static func totals(
    ofGoals goals: [UUID], through last: DayKey, _ db: Database
  ) throws -> [UUID: Double] {
    var totals: [UUID: Double] = [:]
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT goal.id AS id, sum(one.total) AS total FROM goal_rows AS goal
        JOIN goal_sums ON goal_sums.goal_pk = goal.pk
        CROSS JOIN goal_days AS one ON one.goal_pk = goal.pk
        WHERE goal.id IN (\(KeyList.sql)) AND one.day_key <= ? GROUP BY goal.pk
        """, arguments: [JSON(goals.map(\.uuidString)).text(), last.description])
    for row in rows { totals[try row.identity("id")] = row["total"] }
    let unsettled = try unsettled(among: goals, db)
    guard !unsettled.isEmpty else { return totals }
    for (goal, days) in try addedUp(ofGoals: unsettled, DayKey.earliest...last, db) {
      totals[goal] = days.reduce(0) { $0 + $1.total }
    }
    return totals
  }

  /// The number of actions of a goal beyond which a page of them is sought by day.
  static let many = 20_000

  /// Returns the days that contain a page of a goal's actions, the latest first, and the number of
  /// actions after those days.
  ///
  /// - Parameters:
  ///   - goal: the goal.
  ///   - days: only actions of these days; nil for all.
  ///   - limit: the number of actions on the page.
  ///   - offset: how many actions come before the page.
  ///   - many: the number of actions up to which all are read instead.
  ///   - db: the database.
  /// - Returns: the days; nil if all actions have to be read, because there are few or because the
  ///   goal's days are not stored.
  /// - Throws: `DatabaseError` if the archive can't be read.
  static func part(
    ofGoal goal: UUID, _ days: ClosedRange<DayKey>?, limit: Int, offset: Int, many: Int,
    _ db: Database
  ) throws -> (days: ClosedRange<DayKey>, skipped: Int)? {
    guard (1...1_000).contains(limit), (0...1_000_000_000).contains(offset),
      let key = try Int64.fetchOne(
        db,
        cached: "SELECT pk FROM goals WHERE id = ? AND pk IN (SELECT goal_pk FROM goal_sums)",
        arguments: [goal.uuidString])
    else { return nil }
    let count = try Int.fetchOne(
      db,
      cached: "SELECT count(*) FROM (SELECT 1 FROM contribution_rows WHERE goal_pk = ? LIMIT ?)",
      arguments: [key, many + 1])
    guard count ?? 0 > many else { return nil }
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT day_key, actions FROM goal_days WHERE goal_pk = ? AND day_key BETWEEN ? AND ?
        ORDER BY day_key DESC
        """,
      arguments: [
        key, (days?.lowerBound ?? .earliest).description, (days?.upperBound ?? .latest).description,
      ])
    var (passed, skipped) = (0, 0)
    var found: ClosedRange<DayKey>?
    while passed < offset + limit, let row = try rows.next() {
      let (day, actions) = (try row.day("day_key"), row["actions"] as Int)
      if found == nil, passed + actions <= offset {
        skipped += actions
      } else {
        found = day...(found?.upperBound ?? day)
      }
      passed += actions
    }
    return found.map { (days: $0, skipped: skipped) }
  }

  /// Discards the sums of goals before many of their matches are written, each of which would
  /// recompute the sum of its day.
  static func forget(_ goals: some Sequence<Int64>, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM goal_sums WHERE goal_pk IN (\(KeyList.sql))",
      arguments: [KeyList.text(Array(goals))])
  }

  /// Adds up the days of a goal and stores them.
  static func settle(_ goal: Int64, _ db: Database) throws {
    try db.execute(
      sql: "DELETE FROM goal_sums WHERE goal_pk = ?; DELETE FROM goal_days WHERE goal_pk = ?",
      arguments: [goal, goal])
    try db.execute(
      sql: """
        INSERT INTO goal_days (goal_pk, day_key, total, actions)
        SELECT it.goal_pk, action.day_key, sum(it.contribution), count(*)
        FROM contribution_rows AS it CROSS JOIN activity_rows AS action
          ON action.pk = it.activity_pk
        WHERE it.goal_pk = ? AND \(Archive.counts) AND NOT \(Visibility.isHidden("action.changed_pk"))
          AND (it.match_method = 'auto_inferred' OR NOT \(Visibility.isHidden("it.changed_pk")))
        GROUP BY it.goal_pk, action.day_key
        """, arguments: [goal])
    try db.execute(
      sql: "INSERT INTO goal_sums (goal_pk) SELECT pk FROM goal_rows WHERE pk = ?",
      arguments: [goal])
  }
}

extension Archive {
  /// Adds up the days of goals whose sums are not currently stored, goal by goal, so no other
  /// writer waits for long.
  package func settleGoalSums() throws {
    func next() throws -> Int64? {
      try read { db in
        try Int64.fetchOne(
          db,
          sql: """
            SELECT pk FROM goal_rows WHERE pk NOT IN (SELECT goal_pk FROM goal_sums)
            ORDER BY pk LIMIT 1
            """)
      }
    }
    while let goal = try next() { try transact { db in try GoalSums.settle(goal, db) } }
  }

  /// Adds up the days of all goals again.
  package func rebuildGoalSums() throws {
    try transact { db in try db.execute(sql: "DELETE FROM goal_sums") }
    try settleGoalSums()
  }

  /// Checks if the stored days of goals agree with their matches; nil without a goal.
  func goalSums() throws -> Finding? {
    let (count, wrong) = try read { db -> (Int, [Goal]) in
      let goals = try Goal.fetch(db)
      let unsettled = Set(try GoalSums.unsettled(among: nil, db))
      let kept = try GoalSums.kept(ofGoals: nil, nil, db)
      let found = try GoalSums.addedUp(ofGoals: nil, nil, db)
      let wrong = goals.filter { goal in
        !unsettled.contains(goal.id) && !Self.isSame(kept[goal.id] ?? [], found[goal.id] ?? [])
      }
      return (goals.count, wrong)
    }
    guard count > 0 else { return nil }
    guard let first = wrong.first else {
      return Finding("goal totals", .good, "all goal totals are correct (\(count))")
    }
    return Finding(
      "goal totals", .problem,
      wrong.count == 1
        ? "1 goal has wrong totals: “\(first.title.prefix(80))”"
        : "\(wrong.count) goals have wrong totals, such as “\(first.title.prefix(80))”",
      remedy: "arkived doctor --mend recalculates them.")
  }

  private static func isSame(_ kept: [DayTotal], _ found: [DayTotal]) -> Bool {
    kept.count == found.count
      && zip(kept, found).allSatisfy { one, other in
        one.day == other.day && one.actions == other.actions
          && abs(one.total - other.total) <= 1e-9 * max(1, abs(one.total))
      }
  }
}
