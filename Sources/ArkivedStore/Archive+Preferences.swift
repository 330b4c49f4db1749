package import ArkivedCore
import Foundation
import GRDB

/// What the owner set up about the archive itself.
extension Archive {
  private static let preferencesName = "preferences"

  /// How things are shown; the usual way where nothing was set.
  package func preferences() throws -> Preferences {
    try read { db in try Self.preferences(db) }
  }

  /// Changes how things are shown. It is a setting and no change of the archive's content, so that
  /// undo leaves it alone.
  ///
  /// - Parameter edit: receives what is set now and changes it.
  /// - Returns: what is set then.
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
