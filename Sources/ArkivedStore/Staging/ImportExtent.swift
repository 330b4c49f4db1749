import ArkivedCore
import GRDB

/// The extent of undoing or redoing an import.
///
/// It is determined before the archive is locked, and updated with little work afterwards.
struct ImportExtent {
  let key: Int64
  /// True if the import is currently visible and therefore to be hidden.
  let isShown: Bool
  /// The number of existing entries that the import created.
  private(set) var made = 0
  /// The number of those that nobody has changed since.
  private(set) var untouched = 0
  /// The rows of tags and people that stay or become visible, because entries that are then visible
  /// use them.
  private(set) var tags: Set<Int64> = []
  private(set) var people: Set<Int64> = []
  /// The rows that existed before the import and that it was the last to change.
  ///
  /// Their previous versions are restored, or they stay unchanged; they are never hidden with it.
  private(set) var older: [EntityType: [Int64]] = [:]
  /// The state of the archive when it was examined.
  private let mark: Mark

  private struct Mark {
    let newestChange: Int64
    let newestOldVersion: Int64
    let hidden: [Int64]

    init(_ db: Database) throws {
      newestChange = try Int64.fetchOne(db, sql: "SELECT max(pk) FROM change_rows") ?? 0
      newestOldVersion = try Int64.fetchOne(db, sql: "SELECT max(pk) FROM history") ?? 0
      hidden = try Int64.fetchAll(
        db, sql: "SELECT change_pk FROM hidden_changes ORDER BY change_pk")
    }
  }

  static let entries = [
    EntityType.activity, .day, .metric, .goal, .personalValue, .term,
  ]

  init(of key: Int64, _ db: Database) throws {
    self.key = key
    mark = try Mark(db)
    isShown = !mark.hidden.contains(key)
    for type in Self.entries {
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*) AS made, total(changed_pk = ?1) AS untouched FROM \(type.rowsTable)
          WHERE change_pk = ?1
          """, arguments: [key])
      made += row?["made"] ?? 0
      untouched += Int(row?["untouched"] ?? 0.0)
    }
    tags = try used(.tag, db)
    people = try used(.person, db)
    guard isShown else { return }
    for (type, table) in EntityType.rowsTables {
      let rows = try Int64.fetchAll(
        db,
        // For activities, an index shows which change was the last to touch them, so few rows are
        // read.
        sql: """
          WITH touched AS MATERIALIZED (SELECT pk FROM \(table) WHERE changed_pk = ?1)
          SELECT it.pk FROM touched CROSS JOIN \(table) AS it ON it.pk = touched.pk
          WHERE it.change_pk <> ?1
          """, arguments: [key])
      if !rows.isEmpty { older[type] = rows }
    }
  }

  /// Returns the extent updated with later writes; `scope` is the undo's own, whose writes count as
  /// well.
  func caughtUp(_ scope: ChangeScope) throws -> ImportExtent {
    let db = scope.db
    let now = try Mark(db)
    // Entities that are restored, or appear as a whole, leave no old versions that could
    // distinguish them.
    let isUnlisted = try Bool.fetchOne(
      db,
      sql: """
        SELECT EXISTS (SELECT 1 FROM change_rows WHERE pk > ?1 AND pk <> ?2
            AND action NOT IN ('add', 'edit', 'note', 'tag', 'pin', 'delete'))
          OR EXISTS (SELECT 1 FROM history
            WHERE pk > ?3 AND (change_pk IS NULL OR change_pk = ?4))
        """, arguments: [mark.newestChange, scope.changeKey, mark.newestOldVersion, key])
    guard now.hidden == mark.hidden, isUnlisted == false else {
      return try ImportExtent(of: key, db)
    }
    guard isShown else { return self }
    var extent = self
    let row = try Row.fetchOne(
      db,
      sql: """
        SELECT count(DISTINCT CASE WHEN touched_pk = ?1 THEN source_id END) AS touched,
          total(reason = 'delete') AS deleted FROM history
        WHERE pk > ?2 AND made_pk = ?1
          AND source_table IN (\(Self.entries.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
        """, arguments: [key, mark.newestOldVersion])
    extent.untouched -= row?["touched"] ?? 0
    extent.made -= Int(row?["deleted"] ?? 0.0)
    extent.tags.formUnion(try used(.tag, since: mark, db))
    extent.people.formUnion(try used(.person, since: mark, db))
    return extent
  }

  /// Returns SQL for the links from entries to tags or people.
  private static func links(
    _ type: EntityType
  ) -> [(table: String, named: String, column: String, owner: EntityType)] {
    type == .tag
      ? [
        ("activity_tags", "tag_pk", "activity_pk", .activity),
        ("note_tags", "tag_pk", "note_pk", .note),
      ]
      : [
        ("mentions", "person_pk", "activity_pk", .activity),
        ("mentions", "person_pk", "day_pk", .day),
        ("note_mentions", "person_pk", "note_pk", .note),
        ("attendance_rows", "person_pk", "meeting_pk", .meeting),
      ]
  }

  /// Returns the tags or people of the import that other entries use; for a hidden import, hidden
  /// ones of other changes that its entries use.
  private func used(_ type: EntityType, _ db: Database) throws -> Set<Int64> {
    let uses = Self.links(type).map { link in
      """
      EXISTS (SELECT 1 FROM \(link.table)
        JOIN \(isShown ? link.owner.rawValue : link.owner.rowsTable) AS owner
          ON owner.pk = \(link.column)
        WHERE \(link.named) = name.pk AND owner.changed_pk \(isShown ? "<>" : "=") ?1)
      """
    }
    let candidates =
      isShown
      ? "change_pk = ?1 AND changed_pk = ?1" : "changed_pk <> ?1 AND \(Visibility.isHidden())"
    return try Int64.fetchSet(
      db,
      sql: """
        SELECT pk FROM \(type.rowsTable) AS name
        WHERE \(candidates) AND (\(uses.joined(separator: " OR ")))
        """, arguments: [key])
  }

  /// Returns those of the import that are used by entries written since.
  private func used(_ type: EntityType, since mark: Mark, _ db: Database) throws -> Set<Int64> {
    var found: Set<Int64> = []
    for link in Self.links(type) {
      found.formUnion(
        try Int64.fetchSet(
          db,
          sql: """
            WITH owner AS (
              SELECT pk FROM \(link.owner.rowsTable) WHERE change_pk > ?2
              UNION SELECT written.pk FROM history
                JOIN \(link.owner.rowsTable) AS written ON written.id = source_id
                WHERE history.pk > ?3)
            SELECT name.pk FROM owner CROSS JOIN \(link.table) ON \(link.column) = owner.pk
              CROSS JOIN \(type.rowsTable) AS name ON name.pk = \(link.named)
            WHERE name.change_pk = ?1 AND name.changed_pk = ?1
            """, arguments: [key, mark.newestChange, mark.newestOldVersion]))
    }
    return found
  }
}
