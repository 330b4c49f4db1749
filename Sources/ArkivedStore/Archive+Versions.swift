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
      return try write(by: author, "restore", Self.restored(old)) { scope in
        try scope.restore(old, if: check)
      }.change
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw Self.conflict(old)
    }
  }

  /// Restores an old version and stores the answer in the same transaction.
  ///
  /// - Throws: `RequestKeyTaken`, and what the other `restore` throws.
  package func restore(
    _ old: HistoryRecord, by author: Author = .owner, once request: RequestKey?,
    answer: (Change) throws -> KeptAnswer, if check: (Instant?) throws -> Void
  ) throws -> KeptAnswer {
    do {
      return try write(by: author, "restore", Self.restored(old), once: request) { scope in
        try scope.restore(old, if: check)
        return try answer(scope.change)
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw Self.conflict(old)
    }
  }

  private static func restored(_ old: HistoryRecord) -> String {
    "Restored an earlier version of the \(old.sourceTable.singular)"
  }

  /// Returns true if two versions differ in any byte.
  ///
  /// Swift's `==` takes the composed and the decomposed form of a character for the same.
  static func differ(_ one: JSON, _ other: JSON) -> Bool { one.bytes() != other.bytes() }

  fileprivate static func version(
    _ type: EntityType, _ column: String, _ value: String, _ db: Database
  ) throws -> Instant? {
    try Int64.fetchOne(
      db, sql: "SELECT updated_at FROM \(type.rawValue) WHERE \(column) = ?", arguments: [value]
    ).map(Instant.init(milliseconds:))
  }
}

extension ChangeScope {
  /// Makes an old version the current one if the current one passes a check.
  fileprivate func restore(_ old: HistoryRecord, if check: (Instant?) throws -> Void) throws {
    if EntityType.rowsTables[old.sourceTable] != nil {
      try check(try Archive.version(old.sourceTable, "id", old.sourceID.uuidString, db))
    }
    let before = try linkNamed(old.sourceTable, old.sourceID)
    try bringBack(try withWhatItBelongsTo(old))
    if let before { try followNames(from: before) }
  }

  /// Returns a version that can be restored even if what it belonged to was deleted.
  ///
  /// The entry of a deleted meeting is restored with it. A note whose meeting is gone stands alone,
  /// on the meeting's day.
  private func withWhatItBelongsTo(_ old: HistoryRecord) throws -> HistoryRecord {
    switch old.sourceTable {
    case .meeting:
      if let id = Self.identity("activityId", in: old), try lastChangeKey(.activity, id) == nil,
        let entry = try lastVersion(.activity, id)
      {
        try bringBack(entry)
      }
      return old
    case .note:
      guard let id = Self.identity("meetingId", in: old), try lastChangeKey(.meeting, id) == nil,
        var record = old.record.object
      else { return old }
      record["meetingId"] = .null
      if record["dayKey"]?.string == nil,
        let entry = try lastVersion(.meeting, id).flatMap({ Self.identity("activityId", in: $0) }),
        let day = try lastVersion(.activity, entry)?.record["dayKey"]
      {
        record["dayKey"] = day
      }
      var alone = old
      alone.record = .object(record)
      return alone
    default: return old
    }
  }

  private static func identity(_ field: String, in version: HistoryRecord) -> UUID? {
    version.record[field]?.string.flatMap { UUID(uuidString: $0) }
  }

  /// Returns the last version of an entity in the history; nil if there is none.
  private func lastVersion(_ type: EntityType, _ id: UUID) throws -> HistoryRecord? {
    try Row.fetchOne(
      db,
      cached: """
        SELECT * FROM history WHERE source_id = ? AND source_table = ?
        ORDER BY archived_at DESC, pk DESC LIMIT 1
        """, arguments: [id.uuidString, type.rawValue]
    ).map { try Archive.historyRecord($0) }
  }
}
