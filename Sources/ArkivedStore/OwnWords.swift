package import ArkivedCore
package import Foundation
import GRDB

/// Text that the owner wrote or edited, and that imports leave alone.
///
/// It is marked in exports and backups as `editedHere`.
extension ChangeScope {
  /// Marks an entity's text from this change as the owner's own.
  ///
  /// Does nothing to an entity that the change did not write.
  package func markOwn(_ type: EntityType, _ id: UUID) throws {
    try markOwn(type, where: "id = ?", id.uuidString)
  }

  /// Marks a day's entry in the same way.
  package func markOwn(day: DayKey) throws {
    try markOwn(.day, where: "day_key = ?", day.description)
  }

  private func markOwn(_ type: EntityType, where condition: String, _ value: String) throws {
    guard let table = EntityType.rowsTables[type] else { return }
    try db.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO own_words (source_id, change_pk)
        SELECT id, changed_pk FROM \(table) WHERE \(condition) AND changed_pk = ?
        """
    ).execute(arguments: [value, changeKey])
  }

  /// Returns true if an entity's text was the owner's own when this change imported it.
  func isMarkedOwn(_ id: UUID, by key: Int64) throws -> Bool {
    try Bool.fetchOne(
      db,
      cached: "SELECT EXISTS (SELECT 1 FROM own_words WHERE source_id = ? AND change_pk = ?)",
      arguments: [id.uuidString, key]) ?? false
  }
}

/// The visible entities that an import leaves unchanged.
struct OwnWords {
  /// The field in the lines of exports.
  static let field = "editedHere"

  private let identities: Set<String>

  /// The types of entities that are marked if their last change was made by the owner or a program
  /// and not by an import.
  ///
  /// Activities are marked only if they were imported, because imports cannot reach others.
  private static let types: [EntityType] = [
    .day, .goal, .personalValue, .term, .lifeTime, .meeting, .note,
  ]

  init(_ db: Database) throws {
    var found = try String.fetchSet(
      db,
      sql: """
        SELECT it.id FROM activities AS it WHERE it.pk IN
          (SELECT activity_pk FROM external_refs JOIN activity_rows ON activity_rows.pk = activity_pk
            WHERE external_refs.change_pk IS NOT activity_rows.changed_pk)
        UNION SELECT it.id FROM activities AS it
          JOIN own_words ON source_id = it.id AND own_words.change_pk = it.changed_pk
        """)
    for type in Self.types {
      found.formUnion(
        try String.fetchSet(
          db,
          sql: """
            SELECT it.id FROM \(type.rawValue) AS it
              JOIN change_rows ON change_rows.pk = it.changed_pk AND change_rows.author <> ?
            UNION SELECT it.id FROM \(type.rawValue) AS it
              JOIN own_words ON source_id = it.id AND own_words.change_pk = it.changed_pk
            """, arguments: [Author.importer.rawValue]))
    }
    identities = found
  }

  /// Returns an entity in the form of exports.
  func marking(_ json: JSON) -> JSON {
    guard let id = json["id"]?.string, identities.contains(id), var object = json.object else {
      return json
    }
    object[Self.field] = .bool(true)
    return .object(object)
  }
}
