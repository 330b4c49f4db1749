import ArkivedCore
import Foundation
import GRDB
import GRDBSQLite

/// A scan of actions for those that count toward goals.
///
/// Days and units decide first, from indexes and columns; texts are read only if they matter.
struct MatchScan {
  /// An action, identified by its row.
  struct Action {
    var key: Int64
    var updatedAt: Int64
  }

  private let db: Database
  private let keys: [Int64]
  private let matchers: [GoalMatcher]
  private let days: ClosedRange<DayKey>?

  /// Creates a scan.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - goals: row numbers and matchers.
  ///   - days: only actions of these days.
  init(
    _ db: Database, goals: [(key: Int64, matcher: GoalMatcher)], days: ClosedRange<DayKey>? = nil
  ) {
    self.db = db
    keys = goals.map(\.key)
    matchers = goals.map(\.matcher)
    self.days = days
  }

  /// Passes on every action that matches a goal, with the goals it matches.
  ///
  /// - Returns: the number of actions examined.
  @discardableResult
  func run(
    _ body: (_ action: Action, _ matches: [(goal: Int64, match: GoalMatch)]) throws -> Void
  ) throws -> Int {
    guard matchers.contains(where: { !$0.isIdle }) else { return 0 }
    var goals = GoalMatchers(matchers)
    let statement = try db.cachedStatement(sql: Self.textQuery).sqliteStatement
    defer { sqlite3_reset(statement) }
    var analysed = 0
    var pending = Pending()
    func finish() throws {
      guard pending.key >= 0 else { return }
      analysed += 1
      guard let day = DayKey(pending.day) else { return }
      var candidates = goals.candidates(
        day: day, units: pending.measurements.map(\.unit), hasLength: pending.duration != nil)
      guard !candidates.isEmpty else { return }
      var facts = ActionFacts(
        day: day, measurements: pending.measurements, duration: pending.duration, texts: [])
      if candidates.contains(where: { goals.matchers[$0.index].readsTexts }) {
        let texts = try texts(of: pending.key, statement)
        candidates = goals.candidates(candidates, fitting: texts)
        if candidates.contains(where: { goals.matchers[$0.index].readsTexts }) {
          facts.read(texts)
        }
      }
      let matches = candidates.compactMap { candidate in
        goals.match(facts, with: candidate).map { (goal: keys[candidate.index], match: $0) }
      }
      guard !matches.isEmpty else { return }
      try body(Action(key: pending.key, updatedAt: pending.updatedAt), matches)
    }
    let (sql, arguments) = try query(goals)
    try db.forEachRow(sql, arguments) { row in
      let key = sqlite3_column_int64(row, 0)
      if key != pending.key {
        try finish()
        pending = Pending(row, key: key)
      }
      pending.addMeasurement(row)
    }
    try finish()
    return analysed
  }

  /// An action whose rows are being read.
  private struct Pending {
    var key: Int64 = -1
    var day = ""
    var updatedAt: Int64 = 0
    var duration: Double?
    var measurements: [(unit: String, amount: Double)] = []

    init() {}

    init(_ row: OpaquePointer, key: Int64) {
      self.key = key
      day = sqlite3_column_text(row, 1).map { String(cString: $0) } ?? ""
      updatedAt = sqlite3_column_int64(row, 2)
      if sqlite3_column_type(row, 3) != SQLITE_NULL, !Self.fillsDays(row, on: day) {
        duration = sqlite3_column_double(row, 3)
      }
    }

    /// Returns true for an action of whole days without an entered duration, as `ActionFacts` does.
    private static func fillsDays(_ row: OpaquePointer, on day: String) -> Bool {
      guard sqlite3_column_type(row, 6) != SQLITE_NULL, let day = DayKey(day),
        let zone = sqlite3_column_text(row, 8)
      else { return false }
      return Activity.fillsDays(
        from: Instant(milliseconds: sqlite3_column_int64(row, 6)),
        to: Instant(milliseconds: sqlite3_column_int64(row, 7)), on: day,
        in: Zone(String(cString: zone)) ?? .utc)
    }

    mutating func addMeasurement(_ row: OpaquePointer) {
      guard let unit = sqlite3_column_text(row, 4) else { return }
      measurements.append((String(cString: unit), sqlite3_column_double(row, 5)))
    }
  }

  /// Returns an action's text, its description and its tags, in this order.
  private func texts(of key: Int64, _ statement: SQLiteStatement) throws -> [String] {
    sqlite3_reset(statement)
    sqlite3_bind_int64(statement, 1, key)
    switch sqlite3_step(statement) {
    case SQLITE_ROW: break
    case SQLITE_DONE: return []
    default: throw DatabaseError(stepping: statement)
    }
    func text(_ column: Int32) -> String {
      sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }
    let tags = text(2)
    return [text(0), text(1)]
      + (tags.isEmpty ? [] : tags.split(separator: "\u{1F}").map(String.init))
  }

  private static let textQuery = """
    SELECT text, description,
      (SELECT group_concat(name, char(31)) FROM activity_tags JOIN tag_rows ON pk = tag_pk
        WHERE activity_pk = activity_rows.pk)
    FROM activity_rows WHERE pk = ?
    """

  /// The number of days up to which a span is read day by day rather than unit by unit.
  private static let daysByDay = 400
  /// A length in milliseconds that all actions of whole days exceed, even where clocks are changed.
  private static let nearlyADay = 22 * 3_600_000

  private func query(_ goals: GoalMatchers) throws -> (String, StatementArguments) {
    let (from, to) = try span()
    var conditions = ["day_key BETWEEN ? AND ?"]
    if !goals.countOccasions {
      var kinds: [String] = []
      let units = try DistinctUnits.all(db).filter { unit in
        matchers.contains { $0.canMeasure(unit) }
      }
      if !units.isEmpty {
        let list = JSON(units).text().replacing("'", with: "''")
        kinds.append(
          """
          action.pk IN (SELECT activity_pk FROM measurements
            WHERE unit IN (SELECT value FROM json_each('\(list)')))
          """)
      }
      if goals.countLengths {
        kinds.append(
          "duration_minutes IS NOT NULL OR (start_at IS NOT NULL AND end_at IS NOT NULL)")
      }
      conditions.append("(\(kinds.isEmpty ? "0" : kinds.joined(separator: " OR ")))")
    }
    let isShort = from.distance(to: to) <= Self.daysByDay
    return (
      """
      SELECT action.pk, day_key, updated_at,
        coalesce(duration_minutes, (end_at - start_at) / 60000.0), unit, amount,
        iif(duration_minutes IS NULL AND end_at - start_at > \(Self.nearlyADay), start_at, NULL),
        end_at, time_zone
      FROM activity_rows AS action \(isShort ? "INDEXED BY activities_of_day" : "NOT INDEXED")
      LEFT JOIN measurements ON activity_pk = action.pk
      WHERE \(conditions.joined(separator: " AND "))
      ORDER BY \(isShort ? "day_key, start_at, created_at, changed_pk, action.pk, unit" : "action.pk, unit")
      """, [from.description, to.description]
    )
  }

  /// Returns the range of days that the goals accept.
  private func span() throws -> (DayKey, DayKey) {
    let active = matchers.filter { !$0.isIdle }.map(\.goal)
    let starts = active.map { $0.startDate ?? .earliest }
    let ends = active.map { $0.targetDate ?? .latest }
    let from = max(starts.min() ?? .earliest, days?.lowerBound ?? .earliest)
    let to = min(ends.max() ?? .latest, days?.upperBound ?? .latest)
    return (from, to)
  }
}

/// The names of measurements that are in use.
enum DistinctUnits {
  /// Returns all names by jumping from one to the next in the index, so the cost depends on the
  /// number of names, not of measurements.
  static func all(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      cached: """
        WITH RECURSIVE names (unit) AS (
          SELECT min(unit) FROM measurements
          UNION ALL
          SELECT (SELECT min(unit) FROM measurements WHERE unit > names.unit) FROM names
          WHERE names.unit IS NOT NULL)
        SELECT unit FROM names WHERE unit IS NOT NULL
        """)
  }
}
