import ArkivedCore
import GRDB

/// Values that the archive keeps under a name, as JSON.
enum StoredSetting {
  /// Returns the value with a name; nil if there is none, or if it can't be read.
  static func value(_ name: String, _ db: Database) throws -> JSON? {
    let text = try String.fetchOne(
      db, cached: "SELECT value FROM settings WHERE name = ?", arguments: [name])
    return text.flatMap { try? JSON(parsing: $0) }
  }

  /// Stores a value, replacing the one with its name.
  static func set(_ name: String, to value: JSON, at now: Instant, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO settings (name, value, updated_at) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
        """, arguments: [name, value.text(), now.milliseconds])
  }
}
