import GRDB

/// The part of the day, for entries without a known clock time; see `Activity.dayPeriod`.
enum DayPeriodsMigration: Migration {
  static let identifier = "019-day-periods"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        ALTER TABLE activity_rows ADD COLUMN day_period TEXT
          CHECK (day_period IN ('morning', 'afternoon', 'evening', 'night'));
        """)
  }
}
