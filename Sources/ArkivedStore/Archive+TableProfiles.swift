package import ArkivedCore
import GRDB

/// The owner's mappings of tables' columns, stored by name.
extension Archive {
  private static let tableProfilesName = "tableProfiles"

  /// Returns the profiles, most recently saved first.
  package func tableProfiles() throws -> [JSON] {
    try read { db in try Self.tableProfiles(db) }
  }

  /// Saves a profile, replacing one of the same name.
  ///
  /// It is a setting and not part of the archive's content, so undo leaves it alone.
  ///
  /// - Parameter profile: an object with its `name`.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func keepTableProfile(_ profile: JSON) throws {
    let name = profile["name"]?.string.map { NameFolding.key($0) }
    try transact { db in
      let others = try Self.tableProfiles(db).filter { other in
        other["name"]?.string.map { NameFolding.key($0) } != name
      }
      try StoredSetting.set(
        Self.tableProfilesName, to: JSON.array([profile] + others.prefix(99)), at: clock.now, db)
    }
  }

  private static func tableProfiles(_ db: Database) throws -> [JSON] {
    guard let json = try StoredSetting.value(tableProfilesName, db) else { return [] }
    return json.array ?? []
  }
}
