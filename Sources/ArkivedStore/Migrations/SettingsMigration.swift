import GRDB

/// The owner's settings of the archive itself.
enum SettingsMigration: Migration {
  static let identifier = "011-settings"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TABLE settings (
          name TEXT PRIMARY KEY CHECK (length(name) > 0),
          value TEXT NOT NULL CHECK (json_valid(value)),
          updated_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """)
  }
}
