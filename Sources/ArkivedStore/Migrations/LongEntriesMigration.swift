import GRDB

/// An index of entries that continue over several days, which finds them on each of these days
/// without reading the days before.
enum LongEntriesMigration: Migration {
  static let identifier = "009-long-entries"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE INDEX long_activities ON activity_rows (end_at)
          WHERE end_at - start_at > 86400000;
        """)
  }
}
