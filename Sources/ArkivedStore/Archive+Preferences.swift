package import ArkivedCore
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
    try transact { db in
      var preferences = try Self.preferences(db)
      try edit(&preferences)
      try StoredSetting.set(Self.preferencesName, to: preferences.json, at: clock.now, db)
      return preferences
    }
  }

  private static func preferences(_ db: Database) throws -> Preferences {
    guard let json = try StoredSetting.value(preferencesName, db) else { return Preferences() }
    return Preferences(json)
  }
}
