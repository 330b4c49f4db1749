package import ArkivedCore
import Foundation
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
    try writer.write { db in
      let others = try Self.tableProfiles(db).filter { other in
        other["name"]?.string.map { NameFolding.key($0) } != name
      }
      try db.execute(
        sql: """
          INSERT INTO settings (name, value, updated_at) VALUES (?, ?, ?)
          ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at
          """,
        arguments: [
          Self.tableProfilesName, JSON.array([profile] + others.prefix(99)).text(),
          clock.now.milliseconds,
        ])
    }
  }

  private static func tableProfiles(_ db: Database) throws -> [JSON] {
    let text = try String.fetchOne(
      db, cached: "SELECT value FROM settings WHERE name = ?", arguments: [tableProfilesName])
    guard let text, let json = try? JSON(parsing: text) else { return [] }
    return json.array ?? []
  }
}
