package import ArkivedCore
package import Foundation
import GRDB

/// The effect of a change on one entity.
package struct EntityChange: Sendable, Identifiable {
  package enum Verb: String, Sendable { case added, changed, removed, restored }

  package var id: UUID
  package var type: EntityType
  package var verb: Verb
  /// The state before the change; nil if there was none, or if it is too long to compare.
  package var before: JSON?
  /// The state after the change; nil for the same reasons.
  package var after: JSON?
  /// True if a version was omitted because of its length.
  package var isLong = false
  /// The previous version, for reading and restoring.
  package var version: UUID?

  package var json: JSON {
    [
      "sourceTable": .string(type.rawValue), "sourceId": .string(id.uuidString),
      "verb": .string(verb.rawValue), "before": before ?? .null, "after": after ?? .null,
      "isLong": .bool(isLong), "versionId": JSON(version?.uuidString),
    ]
  }

  /// The number of characters up to which records are compared.
  package static let recordLimit = 200_000
}

/// Details of a change.
extension Archive {
  /// Returns the entities that a change created, changed or removed, each before and after.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - limit: the maximum number of entities.
  /// - Returns: nil if there is no such change.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func entities(ofChange id: UUID, limit: Int) throws -> [EntityChange]? {
    try read { db in
      let row = try Row.fetchOne(
        db, sql: "SELECT pk, action FROM changes WHERE id = ?", arguments: [id.uuidString])
      guard let row else { return nil }
      var detail = ChangeDetail(db: db, key: row["pk"], limit: max(0, limit))
      try detail.addVersions()
      try detail.addCreated()
      try detail.addCreatedAndGone()
      if ["undo", "redo"].contains(row["action"] as String) { try detail.addBroughtBack() }
      return detail.found
    }
  }

  /// Compares an old version with the current one.
  ///
  /// - Parameters:
  ///   - version: the old version.
  ///   - limit: the number of characters of a record beyond which the two are not compared.
  /// - Returns: `removed` if there is no current version.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func comparison(
    since version: HistoryRecord, limit: Int = EntityChange.recordLimit
  ) throws -> EntityChange {
    try read { db in
      var before = version.record
      if ChangeDetail.placed.contains(version.sourceTable), var object = before.object {
        for place in ChangeDetail.places { object[place] = nil }
        before = .object(object)
      }
      let after = try Archive.record(of: version.sourceTable, version.sourceID, db)
      let isLong = [before, after ?? .null].contains { $0.bytes().count > limit }
      return EntityChange(
        id: version.sourceID, type: version.sourceTable, verb: after == nil ? .removed : .changed,
        before: isLong ? nil : before, after: isLong ? nil : after, isLong: isLong,
        version: version.id)
    }
  }
}

/// Collects the effects of a change.
private struct ChangeDetail {
  let db: Database
  let key: Int64
  let limit: Int
  var found: [EntityChange] = []
  private var seen: Set<String> = []

  init(db: Database, key: Int64, limit: Int) {
    self.db = db
    self.key = key
    self.limit = limit
  }

  private var rest: Int { max(0, limit - found.count) }

  /// Adds the entities that it replaced or removed.
  mutating func addVersions() throws {
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT pk, id, source_table, source_id, reason, \(Self.record) FROM history
        WHERE change_pk = ? ORDER BY pk LIMIT ?
        """, arguments: [key, limit])
    for row in rows where seen.insert(row["source_id"]).inserted {
      let type = EntityType(rawValue: row["source_table"])
      let id = try row.identity("source_id")
      let reason = HistoryRecord.Reason(rawValue: row["reason"])
      let isRemoved = reason == .delete
      let before = try Self.read(row)
      let after = isRemoved ? Version.none : try version(after: row["pk"], of: type, id)
      found.append(
        EntityChange(
          id: id, type: type,
          verb: isRemoved
            ? .removed
            : reason == .restore ? .restored : .changed,
          before: before.record, after: after.record, isLong: before.isLong || after.isLong,
          version: try row.identity("id")))
    }
  }

  /// Adds the entities that it created and that still exist.
  mutating func addCreated() throws {
    for (type, table) in EntityType.rowsTables.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      guard rest > 0 else { return }
      let isOwn = type == .contribution ? "AND match_method <> 'auto_inferred'" : ""
      let ids = try String.fetchAll(
        db, sql: "SELECT id FROM \(table) WHERE change_pk = ? \(isOwn) ORDER BY pk LIMIT ?",
        arguments: [key, rest])
      for id in ids where seen.insert(id).inserted {
        guard let id = UUID(uuidString: id) else { continue }
        let after = try version(after: 0, of: type, id)
        // Entities in a hidden import only appear in its number.
        if case .none = after { continue }
        found.append(
          EntityChange(
            id: id, type: type, verb: .added, after: after.record, isLong: after.isLong))
      }
    }
    for template in try WritingMarks.templates(madeBy: key, db)
    where rest > 0 && seen.insert(template.id.uuidString).inserted {
      let after = try version(after: 0, of: .template, template.id)
      found.append(
        EntityChange(
          id: template.id, type: .template, verb: .added, after: after.record,
          isLong: after.isLong))
    }
  }

  /// Adds the entities that it created and that were removed since.
  mutating func addCreatedAndGone() throws {
    try addGone("made_pk = ?1 AND change_pk <> ?1", .added)
  }

  /// Adds the entities that it restored from the change that it undid.
  mutating func addBroughtBack() throws {
    guard let before = try Archive.undone(by: key, db) else { return }
    try addGone("change_pk = \(before) AND ?1 AND reason = 'delete'", .restored)
  }

  private mutating func addGone(_ condition: String, _ verb: EntityChange.Verb) throws {
    guard rest > 0 else { return }
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT pk, id, source_table, source_id, \(Self.record) FROM history
        WHERE \(condition) ORDER BY pk LIMIT ?2
        """, arguments: [key, limit])
    for row in rows where rest > 0 && seen.insert(row["source_id"]).inserted {
      let after = try Self.read(row)
      found.append(
        EntityChange(
          id: try row.identity("source_id"), type: EntityType(rawValue: row["source_table"]),
          verb: verb, after: after.record, isLong: after.isLong))
    }
  }

  // MARK: Versions

  /// The fields of a tag or person that list the entries with it, and of a template that say where
  /// it was; they are stored in its record but are not compared as fields.
  static let places = ["links", "shared", "activityIds", "dayIds", "position"]
  /// The types of entities with such fields.
  static let placed: [EntityType] = [.tag, .person, .template]

  /// The SQL for a record, which reads only the part that is compared.
  private static let record = """
    CASE WHEN source_table IN (\(placed.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
      THEN json_remove(record, \(places.map { "'$.\($0)'" }.joined(separator: ", ")))
      WHEN length(record) > \(EntityChange.recordLimit) THEN NULL ELSE record END AS record
    """

  private static func read(_ row: Row) throws -> Version {
    guard let text = row["record"] as String? else { return .long }
    return .record(try JSON(parsing: text))
  }

  /// Returns the version that followed an old one: the next stored one, otherwise the current one.
  ///
  /// - Parameters:
  ///   - pk: the old one's row; 0 for the first one.
  ///   - type: the type of the entity.
  ///   - id: its ID.
  /// - Returns: the version.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  private func version(after pk: Int64, of type: EntityType, _ id: UUID) throws -> Version {
    let next = try Row.fetchOne(
      db,
      sql: "SELECT \(Self.record) FROM history WHERE source_id = ? AND pk > ? ORDER BY pk LIMIT 1",
      arguments: [id.uuidString, pk])
    if let next { return try Self.read(next) }
    guard let present = try Archive.record(of: type, id, db) else { return .none }
    return present.bytes().count > EntityChange.recordLimit ? .long : .record(present)
  }

  private enum Version {
    case none
    case long
    case record(JSON)

    var record: JSON? {
      if case .record(let record) = self { record } else { nil }
    }

    var isLong: Bool {
      if case .long = self { true } else { false }
    }
  }
}

extension Archive {
  /// Returns the current version of an entity in the form of the history; nil if it is not visible.
  static func record(of type: EntityType, _ id: UUID, _ db: Database) throws -> JSON? {
    switch type {
    case .activity: return try ActivityRecord.fetchOne(db, id: id)?.activity.record
    case .day: return try DayRecord.fetchOne(db, id: id)?.entry.json
    case .person: return try PersonRecord.fetchOne(db, id: id)?.person.json
    case .metric, .tag:
      let row = try Row.fetchOne(
        db, sql: "SELECT * FROM \(type.rawValue) WHERE id = ?", arguments: [id.uuidString])
      return try row.map {
        type == .tag ? try TagRecord.read($0).json : try MetricRecord.read($0).json
      }
    case .template, .prompts: return try writingSettings(db).record(of: type, id)
    default:
      guard let stored = StoredEntities.type(type) else { return nil }
      return try present(stored, id, db)
    }
  }

  private static func present<Entity: StoredEntity>(
    _ type: Entity.Type, _ id: UUID, _ db: Database
  ) throws -> JSON? {
    try Entity.fetchOne(db, id: id)?.json
  }
}
