package import ArkivedCore
import Foundation
import GRDB

/// Summaries of days and months, for calendars.
extension Archive {
  /// Returns the days of a span that have any content, in order.
  package func daySummaries(in span: ClosedRange<DayKey>) throws -> [DaySummary] {
    try read { db in
      let bounds: StatementArguments = [span.lowerBound.description, span.upperBound.description]
      var found: [String: DaySummary] = [:]
      func each(_ sql: String, _ take: (inout DaySummary, Row) -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: sql, arguments: bounds)
        while let row = try rows.next() {
          let key: String = row[0]
          guard let day = DayKey(key) else { continue }
          take(&found[key, default: DaySummary(day)], row)
        }
      }
      try each(
        """
        SELECT day_key, count(*) FROM activities WHERE day_key BETWEEN ? AND ? GROUP BY day_key
        """
      ) { $0.entryCount = $1[1] }
      try each(
        """
        SELECT day_key, mood, energy, substr(title, 1, 200), note <> '' FROM days
        WHERE day_key BETWEEN ? AND ?
        """
      ) { summary, row in
        (summary.mood, summary.energy) = (row[1], row[2])
        (summary.title, summary.hasNote) = (row[3], row[4])
      }
      try each(
        """
        SELECT day_key, count(*) FROM activities
        WHERE pk IN (SELECT pk FROM activity_rows WHERE is_pinned = 1)
          AND day_key BETWEEN ? AND ? GROUP BY day_key
        """
      ) { $0.pinCount = $1[1] }
      for (table, owner) in [("activities", "activity_pk"), ("days", "day_pk")] {
        try each(
          """
          SELECT it.day_key, count(*) FROM \(table) AS it
          CROSS JOIN attachments ON attachments.\(owner) = it.pk AND attachments.type = 'photo'
          WHERE it.day_key BETWEEN ? AND ? GROUP BY it.day_key
          """
        ) { $0.photoCount += $1[1] }
      }
      try each(
        """
        SELECT it.day_key, count(*) FROM activities AS it
        CROSS JOIN meetings ON meetings.activity_pk = it.pk
        WHERE it.day_key BETWEEN ? AND ? AND meetings.status <> 'cancelled'
          AND meetings.is_event_deleted = 0 GROUP BY it.day_key
        """
      ) { $0.meetingCount = $1[1] }
      return found.values.sorted { $0.dayKey < $1.dayKey }
    }
  }

  /// Returns the first pictures of each day of a span whose thumbnails can be shown among many
  /// others: those of its note first, then those of its entries in order.
  ///
  /// - Parameters:
  ///   - span: the days.
  ///   - limit: the maximum number per day.
  ///   - types: the media types that can be shown.
  ///   - bytes: larger files are skipped.
  /// - Returns: the pictures by day.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func pictures(
    in span: ClosedRange<DayKey>, limit: Int, types: [String], bytes: Int
  ) throws -> [DayKey: [Attachment]] {
    try read { db in
      var found: [DayKey: [Attachment]] = [:]
      let known = types.map { _ in "?" }.joined(separator: ", ")
      var arguments: StatementArguments = [bytes]
      arguments += StatementArguments(types)
      arguments += [span.lowerBound.description, span.upperBound.description]
      for (table, owner, order) in [
        ("days", "day_pk", ""),
        ("activities", "activity_pk", "it.start_at IS NULL, it.start_at, it.pk,"),
      ] {
        let rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT it.day_key AS shown_on, attachments.* FROM \(table) AS it
            CROSS JOIN attachments ON attachments.\(owner) = it.pk AND attachments.type = 'photo'
            WHERE (attachments.relative_path IS NOT NULL OR attachments.external_url LIKE 'file:%')
              AND attachments.byte_count <= ?
              AND attachments.media_type IN (\(known)) AND it.day_key BETWEEN ? AND ?
            ORDER BY it.day_key, \(order) attachments.position
            """, arguments: arguments)
        while let row = try rows.next() {
          let day = try row.day("shown_on")
          guard found[day, default: []].count < limit else { continue }
          found[day, default: []].append(try AttachmentRecord.read(row))
        }
      }
      return found
    }
  }

  /// Returns the months of a span that have any content, in order.
  package func monthSummaries(in span: ClosedRange<DayKey>) throws -> [MonthSummary] {
    try read { db in
      let bounds: StatementArguments = [span.lowerBound.description, span.upperBound.description]
      var found: [String: MonthSummary] = [:]
      func each(_ sql: String, _ take: (inout MonthSummary, Row) -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: sql, arguments: bounds)
        while let row = try rows.next() {
          let key: String = row[0]
          let parts = key.split(separator: "-").compactMap { Int($0) }
          guard parts.count == 2 else { continue }
          take(&found[key, default: MonthSummary(year: parts[0], month: parts[1])], row)
        }
      }
      try each(
        """
        SELECT substr(day_key, 1, 7), count(*) FROM activities WHERE day_key BETWEEN ? AND ?
        GROUP BY 1
        """
      ) { $0.entryCount = $1[1] }
      try each(
        """
        SELECT substr(day_key, 1, 7), avg(mood), count(mood), avg(energy), count(energy)
        FROM days WHERE day_key BETWEEN ? AND ? GROUP BY 1
        """
      ) { summary, row in
        (summary.mood, summary.moodDays) = (row[1], row[2])
        (summary.energy, summary.energyDays) = (row[3], row[4])
      }
      return found.values.sorted { ($0.year, $0.month) < ($1.year, $1.month) }
    }
  }

  /// Returns the first and last day that has an activity or its own text; nil in an empty archive.
  package func writtenSpan() throws -> ClosedRange<DayKey>? {
    try read { db in
      let days = try ["activities", "days"].flatMap { table in
        try ["min", "max"].compactMap { edge in
          try String.fetchOne(db, sql: "SELECT \(edge)(day_key) FROM \(table)")
        }
      }.compactMap { DayKey($0) }
      guard let first = days.min(), let last = days.max() else { return nil }
      return first...last
    }
  }
}
