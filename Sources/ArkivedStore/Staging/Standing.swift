package import ArkivedCore
package import Foundation
import GRDB

/// The relation of an existing entity to a change.
package enum Standing: Hashable, Sendable {
  /// No row has the ID.
  case absent
  /// The entity is visible to everyone.
  case shown
  /// This change created it, and is not published yet.
  case own
  /// It belongs to another hidden change: an import that was interrupted or undone.
  case hidden
}

extension EntityType {
  /// The table that contains the rows of an entity, including hidden ones; reading uses the view
  /// with the entity's name.
  var rowsTable: String { EntityType.rowsTables[self] ?? rawValue }

  /// The entities whose rows record which change created and last touched them.
  static let rowsTables: [EntityType: String] = [
    .day: "day_rows", .activity: "activity_rows", .person: "person_rows", .tag: "tag_rows",
    .metric: "metric_rows", .goal: "goal_rows", .personalValue: "value_rows",
    .term: "term_rows", .lifeTime: "lifetime_rows", .contribution: "contribution_rows",
    .alignment: "alignment_rows", .assignment: "assignment_rows", .meeting: "meeting_rows",
    .note: "note_rows", .thread: "thread_rows", .message: "message_rows",
  ]

  /// The column of `external_refs` that refers to an entity.
  static let referenceOwner: [EntityType: String] = [
    .activity: "activity_pk", .day: "day_pk", .person: "person_pk",
  ]
}

/// SQL conditions for visible rows.
enum Visibility {
  /// Returns the condition that a row of the change in this column is hidden.
  static func isHidden(_ column: String = "changed_pk") -> String {
    "\(column) IN (SELECT change_pk FROM hidden_changes)"
  }

  /// The condition that the owner of a row of `attachments` is visible to everyone.
  static let attachmentIsShown = """
    (activity_pk IN (SELECT pk FROM activities WHERE pk = attachments.activity_pk)
      OR day_pk IN (SELECT pk FROM days WHERE pk = attachments.day_pk)
      OR note_pk IN (SELECT pk FROM notes WHERE pk = attachments.note_pk))
    """
}

extension ChangeScope {
  package func standing(of type: EntityType, _ id: UUID) throws -> Standing {
    guard let table = EntityType.rowsTables[type] else { return .absent }
    return try standing(
      Row.fetchOne(
        db,
        cached: """
          SELECT changed_pk, \(Visibility.isHidden()) AS is_hidden FROM \(table) WHERE id = ?
          """, arguments: [id.uuidString]))
  }

  /// Returns the relation to this change of a row with `changed_pk` and `is_hidden`.
  func standing(_ row: Row?) throws -> Standing {
    guard let row else { return .absent }
    guard row["is_hidden"] as Bool else { return .shown }
    return row["changed_pk"] as Int64 == changeKey ? .own : .hidden
  }

  /// Removes a hidden row whose ID or key is needed.
  ///
  /// Anything from an import that was undone is added to the history first.
  package func makeWay(for type: EntityType, _ id: UUID) throws {
    guard let table = EntityType.rowsTables[type],
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT \(table).pk, hidden_changes.state FROM \(table)
          JOIN hidden_changes ON hidden_changes.change_pk = changed_pk WHERE id = ?
          """, arguments: [id.uuidString])
    else { return }
    try makeWay(for: type, key: row["pk"], state: row["state"])
  }

  func makeWay(for type: EntityType, key: Int64, state: String) throws {
    if state == HiddenState.undone.rawValue {
      try orphanRelations(of: type, key: key)
      if type == .activity { try orphanNotes(ofActivity: key) }
      try keepHidden(type, key: key)
    }
    try HiddenRows.remove(type, keys: [key], db)
  }

  /// Removes a hidden measurement with the same day, name and source.
  func makeWay(forMetric metric: DayMetric) throws {
    let row = try Row.fetchOne(
      db,
      cached: """
        SELECT metric_rows.pk, state FROM metric_rows
        JOIN hidden_changes ON hidden_changes.change_pk = changed_pk
        WHERE day_key = ? AND metric = ? AND source = ?
        """, arguments: [metric.dayKey.description, metric.metric, metric.source])
    if let row { try makeWay(for: .metric, key: row["pk"], state: row["state"]) }
  }

  /// Removes a hidden tag with this ID, unless it is the same tag, which is then adopted.
  package func makeWay(for tag: Tag) throws {
    let folded = try String.fetchOne(
      db, cached: "SELECT folded FROM tag_rows WHERE id = ?", arguments: [tag.id.uuidString])
    if folded != NameFolding.key(tag.name) { try makeWay(for: .tag, tag.id) }
  }

  /// Gives a hidden person of the same identity this content; entries stay linked with them.
  ///
  /// - Returns: true if there was one.
  func adoptHiddenPerson(as person: Person) throws -> Bool {
    let key = try Int64.fetchOne(
      db, cached: "SELECT pk FROM person_rows WHERE id = ? AND \(Visibility.isHidden())",
      arguments: [person.id.uuidString])
    guard let key else { return false }
    try db.execute(
      sql: """
        UPDATE person_rows SET name = ?, relationship_summary = ?, change_pk = ?3, changed_pk = ?3,
          created_at = ?4, updated_at = ?5 WHERE pk = ?6
        """,
      arguments: [
        person.name, person.relationshipSummary, changeKey, person.createdAt.milliseconds,
        person.updatedAt.milliseconds, key,
      ])
    try db.execute(sql: "DELETE FROM person_names WHERE person_pk = ?", arguments: [key])
    try insertNames(of: person, key: key)
    try replaceReferences(person.externalRefs, owner: "person_pk", key: key)
    return true
  }

  /// Removes a hidden entry of a day.
  ///
  /// A running import gets its entry back as a deferred one, which is decided when the import is
  /// published.
  func makeWay(forDay dayKey: DayKey) throws {
    guard
      let row = try Row.fetchOne(
        db,
        cached: """
          SELECT day_rows.pk, changed_pk, state FROM day_rows
          JOIN hidden_changes ON hidden_changes.change_pk = changed_pk WHERE day_key = ?
          """, arguments: [dayKey.description])
    else { return }
    let state: String = row["state"]
    if state == HiddenState.staged.rawValue,
      let record = try DayRecord.fetch(
        db, from: "day_rows", where: "pk = ?", arguments: [row["pk"]]
      ).first
    {
      let pending = PendingRecord(
        type: "day", entity: record.entry.json, place: record.entry.dayKey.description,
        displacedRow: record.pk)
      try stash(pending, forChange: row["changed_pk"])
    }
    try makeWay(for: .day, key: row["pk"], state: state)
  }

  /// Stores a hidden row's record in the history without a change, because undoing this one must
  /// not make a hidden row visible.
  private func keepHidden(_ type: EntityType, _ id: UUID, _ record: JSON) throws {
    try keep(
      HistoryRecord(
        id: identities.next(), sourceTable: type, sourceID: id, record: record, reason: .delete,
        archivedAt: change.at, archivedBy: change.author), changeKey: nil)
  }

  /// Stores a hidden row's content in the history, as something deleted.
  func keepHidden(_ type: EntityType, key: Int64) throws {
    let table = type.rowsTable
    let condition = "pk = ?"
    switch type {
    case .activity:
      for record in try ActivityRecord.fetch(db, from: table, where: condition, arguments: [key]) {
        try keepHidden(.activity, record.activity.id, record.activity.record)
      }
    case .day:
      for record in try DayRecord.fetch(db, from: table, where: condition, arguments: [key]) {
        try keepHidden(.day, record.entry.id, record.entry.json)
      }
    case .metric:
      let rows = try Row.fetchAll(
        db, sql: "SELECT * FROM \(table) WHERE \(condition)", arguments: [key])
      for metric in try rows.map(MetricRecord.read) {
        try keepHidden(.metric, metric.id, metric.json)
      }
    default:
      guard let stored = StoredEntities.type(type) else { return }
      func keepAll<Entity: StoredEntity>(_ entity: Entity.Type) throws {
        for entity in try entity.fetch(
          db, from: table, where: "it.pk = ?", arguments: [key])
        { try keepHidden(type, entity.id, entity.json) }
      }
      try keepAll(stored)
    }
  }
}

/// A reason a change is hidden.
enum HiddenState: String {
  case staged
  case undone
}

// MARK: Tags and people

extension ChangeScope {
  /// The SQL condition for people that are visible or that this change created; its argument is the
  /// change's key.
  var isMine: String { "(NOT \(Visibility.isHidden()) OR changed_pk = ?)" }

  /// Returns the row of a person that is visible or that this change created.
  func personKey(_ id: UUID) throws -> Int64? {
    if let known = keys.people[id] { return known }
    let key = try Int64.fetchOne(
      db, cached: "SELECT pk FROM person_rows WHERE id = ? AND \(isMine)",
      arguments: [id.uuidString, changeKey])
    keys.people[id] = .some(key)
    return key
  }

  func isHidden(change key: Int64) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM hidden_changes WHERE change_pk = ?)"),
      arguments: [key]) ?? false
  }

  /// Returns the row of a tag with this folded name.
  ///
  /// A hidden one becomes this change's own, because a tag has no content but its name.
  func knownTagKey(_ folded: String) throws -> Int64? {
    guard
      let row = try Row.fetchOne(
        db,
        cached: """
          SELECT pk, changed_pk, \(Visibility.isHidden()) AS is_hidden FROM tag_rows
          WHERE folded = ?
          """, arguments: [folded])
    else { return nil }
    let key: Int64 = row["pk"]
    if try standing(row) == .hidden {
      try db.execute(
        sql: "UPDATE tag_rows SET change_pk = ?1, changed_pk = ?1, color_hex = NULL WHERE pk = ?2",
        arguments: [changeKey, key])
    }
    return key
  }

  /// Gives a hidden tag of the same name this ID and content.
  ///
  /// - Returns: true if there was one.
  func adoptHiddenTag(as tag: Tag) throws -> Bool {
    let folded = NameFolding.key(tag.name)
    let hidden = try Int64.fetchOne(
      db.cachedStatement(
        sql: "SELECT pk FROM tag_rows WHERE folded = ? AND \(Visibility.isHidden())"),
      arguments: [folded])
    guard let hidden else { return false }
    try db.execute(
      sql: """
        UPDATE tag_rows SET id = ?, name = ?, color_hex = ?, change_pk = ?4, changed_pk = ?4,
          created_at = ?5, updated_at = ?6 WHERE pk = ?7
        """,
      arguments: [
        tag.id.uuidString, tag.name, tag.colorHex, changeKey, tag.createdAt.milliseconds,
        tag.updatedAt.milliseconds, hidden,
      ])
    return true
  }

  /// Merges a hidden tag into a tag that takes its name.
  func absorbHiddenTag(_ folded: String, into id: UUID) throws {
    let hidden = try Int64.fetchOne(
      db,
      sql: """
        SELECT pk FROM tag_rows WHERE folded = ? AND id <> ? AND \(Visibility.isHidden())
        """, arguments: [folded, id.uuidString])
    guard let hidden else { return }
    let own = try Int64.fetchOne(
      db, sql: "SELECT pk FROM tag_rows WHERE id = ?", arguments: [id.uuidString])
    if let own { for kind in TagLinks.allCases { try kind.move(hidden, to: own, db) } }
    try HiddenRows.remove(.tag, keys: [hidden], db)
  }

  /// Removes an address from a hidden person, because it belongs to the first visible person who
  /// has it.
  func makeWay(forAddress address: String) throws {
    try db.cachedStatement(
      sql: """
        DELETE FROM person_names WHERE folded = ? AND role IN ('email', 'address')
          AND person_pk IN (SELECT pk FROM person_rows
            WHERE \(Visibility.isHidden()) AND changed_pk <> ?)
        """
    ).execute(arguments: [NameFolding.key(address), changeKey])
  }
}
