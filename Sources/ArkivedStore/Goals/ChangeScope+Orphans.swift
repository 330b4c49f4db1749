import ArkivedCore
import Foundation
import GRDB

/// A relation of the owner's that has lost one end because the same entity is being imported again.
struct OrphanedRelation {
  var table: String
  /// The column of the end that was removed.
  var end: String
  var columns: [(name: String, value: DatabaseValue)]
}

/// Keeping the owner's links when an import is repeated.
///
/// An import that was undone stays hidden, including everything its owner had linked with its
/// entries. When it is imported again, new rows replace the hidden ones, and the owner's links are
/// transferred to them.
extension ChangeScope {
  private static func relations(of type: EntityType) -> [(type: EntityType, end: String)] {
    switch type {
    case .activity: [(.contribution, "activity_pk")]
    case .goal: [(.contribution, "goal_pk"), (.alignment, "goal_pk"), (.assignment, "goal_pk")]
    case .personalValue: [(.alignment, "value_pk")]
    case .term: [(.assignment, "term_pk")]
    default: []
    }
  }

  /// Remembers the owner's relations of a hidden row that is about to be removed.
  ///
  /// They are also added to the history, in case nothing replaces the row.
  func orphanRelations(of type: EntityType, key: Int64) throws {
    for relation in Self.relations(of: type) {
      let isOwners =
        relation.type == .contribution ? "AND match_method <> 'auto_inferred'" : ""
      let table = relation.type.rowsTable
      let rows = try Row.fetchAll(
        db, cached: "SELECT * FROM \(table) WHERE \(relation.end) = ? \(isOwners)",
        arguments: [key])
      guard !rows.isEmpty,
        let id = try String.fetchOne(
          db, sql: "SELECT id FROM \(type.rowsTable) WHERE pk = ?", arguments: [key])
      else { continue }
      for row in rows {
        try keepHidden(relation.type, key: row["pk"])
        keys.orphans[id, default: []].append(
          OrphanedRelation(
            table: table, end: relation.end,
            columns: row.map { (name: $0.0, value: $0.1) }.filter { $0.name != "pk" }))
      }
    }
  }

  /// Links the replacement of a hidden row in the same way as the row.
  ///
  /// - Returns: true if there was anything to link.
  @discardableResult
  func adoptOrphans(of id: UUID, key: Int64) throws -> Bool {
    guard let orphans = keys.orphans.removeValue(forKey: id.uuidString) else { return false }
    for orphan in orphans {
      let names = orphan.columns.map(\.name)
      let values = orphan.columns.map { $0.name == orphan.end ? key.databaseValue : $0.value }
      // The other end may have been removed as well, and imported again with its own link.
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO \(orphan.table) (\(names.joined(separator: ", ")))
          SELECT \(placeholders(names.count)) WHERE \(Self.otherEndIsThere(orphan))
          """, arguments: StatementArguments(values))
    }
    return true
  }

  /// Returns a condition for the other end's existence, because a broken foreign key would abort
  /// the whole import.
  private static func otherEndIsThere(_ orphan: OrphanedRelation) -> String {
    let ends = [
      "activity_pk": "activity_rows", "goal_pk": "goal_rows", "value_pk": "value_rows",
      "term_pk": "term_rows",
    ]
    let other = orphan.columns.first { ends[$0.name] != nil && $0.name != orphan.end }
    guard let other, let table = ends[other.name],
      let key = Int64.fromDatabaseValue(other.value)
    else { return "0" }
    return "EXISTS (SELECT 1 FROM \(table) WHERE pk = \(key))"
  }
}
