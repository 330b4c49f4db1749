package import ArkivedCore
package import Foundation
import GRDB

/// Versions of entries, for changes that require a certain one.
extension Archive {
  /// Returns the time of an activity's last change; nil if the activity doesn't exist.
  package func version(ofActivity id: UUID) throws -> Instant? {
    try read { db in try Archive.version(.activity, "id", id.uuidString, db) }
  }

  /// Returns the time of the last change of a day's own entry; nil if there is none.
  package func version(ofDay dayKey: DayKey) throws -> Instant? {
    try read { db in try Archive.version(.day, "day_key", dayKey.description, db) }
  }

  /// Restores an old version: it becomes the current one, and the current one is added to the
  /// history.
  ///
  /// Links by a name that the current one has and the old one hasn't get the old name.
  ///
  /// - Parameters:
  ///   - old: the old version.
  ///   - author: who makes the change.
  ///   - check: receives the time of the current version's last change, nil if there is none, and
  ///     throws to leave everything unchanged.
  /// - Returns: the change.
  /// - Throws: `ArchiveError.conflict`, and what `check` throws.
  package func restore(
    _ old: HistoryRecord, by author: Author = .owner, if check: (Instant?) throws -> Void
  ) throws -> Change {
    do {
      return try write(
        by: author, "restore", "Restored an earlier version of the \(old.sourceTable.singular)"
      ) { scope in
        if EntityType.rowsTables[old.sourceTable] != nil {
          try check(
            try Archive.version(old.sourceTable, "id", old.sourceID.uuidString, scope.db))
        }
        let before = try scope.linkNamed(old.sourceTable, old.sourceID)
        try scope.bringBack(old)
        if let before { try scope.followNames(from: before) }
      }.change
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw Self.conflict(old)
    }
  }

  /// Returns true if two versions differ in any byte.
  ///
  /// Swift's `==` takes the composed and the decomposed form of a character for the same.
  static func differ(_ one: JSON, _ other: JSON) -> Bool { one.bytes() != other.bytes() }

  private static func version(
    _ type: EntityType, _ column: String, _ value: String, _ db: Database
  ) throws -> Instant? {
    try Int64.fetchOne(
      db, sql: "SELECT updated_at FROM \(type.rawValue) WHERE \(column) = ?", arguments: [value]
    ).map(Instant.init(milliseconds:))
  }
}
