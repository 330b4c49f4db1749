package import ArkivedCore
package import Foundation
import GRDB

/// A version of an entity, with who made it and how it ended.
package struct AuthoredVersion: Sendable {
  package var record: JSON
  /// True if an import made it.
  package var isImported: Bool
  /// True if an import made it but kept text that the owner wrote.
  package var isMarkedOwn: Bool
  /// True if it was replaced by an edit, and not by an import or an undo.
  package var isReplacedByHand: Bool
}

extension ChangeScope {
  /// Returns the versions of an entity before the current one, newest first.
  package func earlierVersions(of id: UUID, limit: Int = 100) throws -> [AuthoredVersion] {
    try Row.fetchAll(
      db,
      cached: """
        SELECT history.record AS record, maker.author AS maker, other.author AS other,
          other.action AS action,
          EXISTS (SELECT 1 FROM own_words
            WHERE own_words.source_id = history.source_id AND own_words.change_pk = maker.pk
          ) AS is_own
        FROM history LEFT JOIN change_rows AS maker ON maker.pk = history.touched_pk
        LEFT JOIN change_rows AS other ON other.pk = history.change_pk
        WHERE history.source_id = ? ORDER BY history.pk DESC LIMIT ?
        """, arguments: [id.uuidString, limit]
    ).map { row in
      let (maker, other) = (row["maker"] as String?, row["other"] as String?)
      let isTurn = ["undo", "redo"].contains(row["action"] as String?)
      return AuthoredVersion(
        record: try JSON(parsing: row["record"] as String),
        isImported: maker == Author.importer.rawValue, isMarkedOwn: row["is_own"],
        isReplacedByHand: other != nil && other != Author.importer.rawValue && !isTurn)
    }
  }

  /// Returns the current version of an entity.
  ///
  /// - Parameters:
  ///   - record: its content.
  ///   - type: its type.
  ///   - id: its ID.
  /// - Returns: the version.
  /// - Throws: `DatabaseError` if the archive can't be read.
  package func currentVersion(
    _ record: JSON, of type: EntityType, _ id: UUID
  ) throws -> AuthoredVersion {
    let key = try lastChangeKey(type, id)
    let author = try key.flatMap { key in
      try String.fetchOne(
        db, cached: "SELECT author FROM change_rows WHERE pk = ?", arguments: [key])
    }
    return AuthoredVersion(
      record: record, isImported: author == Author.importer.rawValue,
      isMarkedOwn: try key.map { try isMarkedOwn(id, by: $0) } ?? false, isReplacedByHand: false)
  }
}
