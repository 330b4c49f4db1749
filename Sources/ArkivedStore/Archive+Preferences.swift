package import ArkivedCore
import Foundation
import GRDB

/// The owner's settings of the archive itself.
extension Archive {
  private static let preferencesName = "preferences"

  /// Returns the display settings; the defaults if nothing was set.
  package func preferences() throws -> Preferences {
    try read { db in try Self.preferences(db) }
  }

  /// Changes the display settings.
  ///
  /// They are not part of the archive's content, so undo leaves them alone.
  ///
  /// - Parameter edit: receives the current settings and changes them.
  /// - Returns: the new settings.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  @discardableResult
  package func updatePreferences(
    _ edit: (inout Preferences) throws -> Void
  ) throws -> Preferences {
    try writer.write { db in
      var preferences = try Self.preferences(db)
      try edit(&preferences)
      try db.execute(
        sql: """
          INSERT INTO settings (name, value, updated_at) VALUES (?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
          """,
        arguments: [Self.preferencesName, preferences.json.text(), clock.now.milliseconds])
      return preferences
    }
  }

  private static func preferences(_ db: Database) throws -> Preferences {
    let text = try String.fetchOne(
      db, cached: "SELECT value FROM settings WHERE name = ?", arguments: [preferencesName])
    guard let text, let json = try? JSON(parsing: text) else { return Preferences() }
    return Preferences(json)
  }
}
