package import ArkivedCore
import GRDB

extension Archive {
  /// Returns a text for each day, which changes whenever one of the day's entries, notes, meetings
  /// or measured values does, the name of a person or tag in it, or a long entry that continues
  /// into it.
  ///
  /// - Parameters:
  ///   - first: the first day.
  ///   - last: the last day.
  /// - Returns: the texts of days that have any content.
  /// - Throws: an error if the archive can't be read.
  package func dayMarks(from first: DayKey, to last: DayKey) throws -> [DayKey: String] {
    try read { db in
      // Rows that an import has only prepared don't count until they can be seen.
      let isIn = "day_key BETWEEN ?1 AND ?2 AND NOT \(Visibility.isHidden("own.changed_pk"))"
      let tables = [EntityType.activity, .day, .metric].map { type in
        "SELECT day_key, changed_pk, 0 AS other_pk FROM \(type.rowsTable) AS own WHERE \(isIn)"
      }
      // A tag may be merged into one of the same change, so the rows count too.
      let belongings = [
        "meeting_rows AS other ON other.activity_pk = own.pk",
        "mentions ON activity_pk = own.pk JOIN person_rows AS other ON other.pk = person_pk",
        "activity_tags ON activity_pk = own.pk JOIN tag_rows AS other ON other.pk = tag_pk",
      ].map { join in
        """
        SELECT day_key, other.changed_pk, other.pk FROM activity_rows AS own JOIN \(join)
        WHERE \(isIn)
        """
      }
      let named = """
        SELECT day_key, other.changed_pk, other.pk
        FROM day_rows AS own JOIN mentions ON day_pk = own.pk
        JOIN person_rows AS other ON other.pk = person_pk WHERE \(isIn)
        """
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT day_key, count(*), max(changed_pk), sum(changed_pk), sum(other_pk)
          FROM (\((tables + belongings + [named]).joined(separator: " UNION ALL ")))
          GROUP BY day_key
          """, arguments: [first.description, last.description])
      var marks = Dictionary(
        rows.compactMap { row in
          DayKey(row[0] as String).map { day in
            (day, "\(row[1] as Int).\(row[2] as Int64).\(row[3] as Int64).\(row[4] as Int64)")
          }
        }
      ) { $1 }
      try Self.addLongEntries(from: first, to: last, &marks, db)
      return marks
    }
  }

  /// Adds the entries that continue into later days to the marks of these.
  private static func addLongEntries(
    from first: DayKey, to last: DayKey, _ marks: inout [DayKey: String], _ db: Database
  ) throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT pk, day_key, end_at, changed_pk FROM activity_rows
        WHERE end_at - start_at > 86400000 AND end_at > ? AND day_key < ?
          AND NOT \(Visibility.isHidden()) ORDER BY pk
        """,
      arguments: [
        Zone.utc.start(of: first).adding(seconds: -86_400).milliseconds, last.description,
      ])
    for row in rows {
      guard let own = DayKey(row["day_key"] as String) else { continue }
      // Whatever its zone, it has ended a day after it has ended in UTC.
      let end = Zone.utc.dayKey(at: Instant(milliseconds: row["end_at"])).advanced(by: 1)
      let begin = max(own.advanced(by: 1), first)
      let (key, change): (Int64, Int64) = (row["pk"], row["changed_pk"])
      for shift in 0..<max(0, begin.distance(to: min(end, last)) + 1) {
        marks[begin.advanced(by: shift), default: ""] += " \(key).\(change)"
      }
    }
  }
}
