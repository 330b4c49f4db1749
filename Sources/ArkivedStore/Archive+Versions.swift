package import ArkivedCore
package import Foundation
import GRDB

/// Versions of entries, for changes that ask for a certain one.
extension Archive {
  /// When an activity was last changed; nil when there is none.
  package func version(ofActivity id: UUID) throws -> Instant? {
    try read { db in try Archive.version(.activity, "id", id.uuidString, db) }
  }

  /// When a day's own entry was last changed; nil when nothing was written.
  package func version(ofDay dayKey: DayKey) throws -> Instant? {
    try read { db in try Archive.version(.day, "day_key", dayKey.description, db) }
  }

  /// Brings an old version back: it becomes the present one, and the present one goes to history.
  ///
  /// - Parameter check: is told when the present one was last changed, nil when there is none, and
  ///   throws to leave everything as it is.
  package func restore(
    _ old: HistoryRecord, by author: Author = .owner, if check: (Instant?) throws -> Void
  ) throws -> Change {
    try write(
      by: author, "restore", "Restored an earlier version of the \(old.sourceTable.singular)"
    ) { scope in
      if EntityType.rowsTables[old.sourceTable] != nil {
        try check(
          try Archive.version(old.sourceTable, "id", old.sourceID.uuidString, scope.db))
      }
      try scope.bringBack(old)
    }.change
  }

  private static func version(
    _ type: EntityType, _ column: String, _ value: String, _ db: Database
  ) throws -> Instant? {
    try Int64.fetchOne(
      db, sql: "SELECT updated_at FROM \(type.rawValue) WHERE \(column) = ?", arguments: [value]
    ).map(Instant.init(milliseconds:))
  }
}
