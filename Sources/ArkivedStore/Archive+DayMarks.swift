package import ArkivedCore
import GRDB

extension Archive {
  /// Returns a text for each day, which changes whenever one of the day's entries, notes or
  /// measured values does.
  ///
  /// - Parameters:
  ///   - first: the first day.
  ///   - last: the last day.
  /// - Returns: the texts of days that have any content.
  /// - Throws: an error if the archive can't be read.
  package func dayMarks(from first: DayKey, to last: DayKey) throws -> [DayKey: String] {
    let tables = [EntityType.activity, .day, .metric].map { type in
      "SELECT day_key, changed_pk FROM \(type.rowsTable) WHERE day_key BETWEEN ?1 AND ?2"
    }
    return try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT day_key, count(*), max(changed_pk), sum(changed_pk)
          FROM (\(tables.joined(separator: " UNION ALL "))) GROUP BY day_key
          """, arguments: [first.description, last.description])
      return Dictionary(
        rows.compactMap { row in
          DayKey(row[0] as String).map { day in
            (day, "\(row[1] as Int).\(row[2] as Int64).\(row[3] as Int64)")
          }
        }
      ) { $1 }
    }
  }
}
