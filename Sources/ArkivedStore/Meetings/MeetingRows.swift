import ArkivedCore
import GRDB

/// Reads meetings together with their entries.
enum MeetingRows {
  /// The condition of the views for a row of a meeting or an entry: no import hides it.
  static let isSeen = "changed_pk NOT IN (SELECT change_pk FROM hidden_changes)"

  /// Fetches meetings.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - condition: about the meeting `it` and its `activity`.
  ///   - arguments: the statement's arguments.
  ///   - order: the SQL after ORDER BY.
  ///   - limit: the maximum number of meetings.
  ///   - offset: how many results to skip.
  ///   - join: the SQL between both tables.
  /// - Returns: the meetings.
  /// - Throws: `DatabaseError` if the archive can't be read.
  static func fetch(
    _ db: Database, where condition: String, arguments: StatementArguments,
    order: String = "it.pk", limit: Int = .max, offset: Int = 0, join: String = "JOIN"
  ) throws -> [MeetingEntry] {
    let rows = try Row.fetchAll(
      db,
      cached: """
        \(Meeting.selection(from: "meetings", join: join)) WHERE \(condition) ORDER BY \(order)
        LIMIT ? OFFSET ?
        """, arguments: arguments + [max(0, limit), max(0, offset)])
    guard !rows.isEmpty else { return [] }
    var activities: [Int64: Activity] = [:]
    for slice in rows.map({ $0["activity_pk"] as Int64 }).slices() {
      for record in try ActivityRecord.fetch(
        db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(slice)])
      { activities[record.pk] = record.activity }
    }
    return try rows.compactMap { row in
      try activities[row["activity_pk"]].map {
        MeetingEntry(meeting: try Meeting.read(row), activity: $0)
      }
    }
  }
}
