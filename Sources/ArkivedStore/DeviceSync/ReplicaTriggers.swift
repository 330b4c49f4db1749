import ArkivedCore
import GRDB

/// Triggers that note what is changed, whoever changes it: the owner, an import, undo, a merge.
///
/// They are there only while the archive is kept on several devices, so that others don't pay for them.
enum ReplicaTriggers {
  private static let prefix = "replica_notes_"

  private static let isSeen = "changed_pk NOT IN (SELECT change_pk FROM hidden_changes)"

  /// What hangs on an entity, in tables of their own.
  private static let parts: [(table: String, column: String, type: EntityType)] = [
    ("measurements", "activity_pk", .activity), ("activity_tags", "activity_pk", .activity),
    ("mentions", "activity_pk", .activity), ("mentions", "day_pk", .day),
    ("attachments", "activity_pk", .activity), ("attachments", "day_pk", .day),
    ("attachments", "note_pk", .note), ("external_refs", "activity_pk", .activity),
    ("external_refs", "day_pk", .day), ("external_refs", "person_pk", .person),
    ("person_names", "person_pk", .person), ("attendance_rows", "meeting_pk", .meeting),
    ("note_tags", "note_pk", .note), ("note_mentions", "note_pk", .note),
  ]

  static func install(_ db: Database) throws {
    try remove(db)
    for type in ReplicaFields.types { try install(type, db) }
    for part in parts { try install(part.table, part.column, part.type, db) }
    // What an import brought, or what was taken back with it, comes to light or goes as a whole.
    for (event, row) in [("INSERT", "NEW"), ("DELETE", "OLD")] {
      try create("hidden_\(event)", "\(event) ON hidden_changes", db) {
        note("'change'", "CAST(\(row).change_pk AS TEXT)")
      }
    }
    let names = ReplicaFields.settings.map { "'\($0)'" }.joined(separator: ", ")
    for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
      try create("settings_\(event)", "\(event) ON settings WHEN \(row).name IN (\(names))", db) {
        note("'\(ReplicaFields.settingsType)'", "\(row).name")
      }
    }
  }

  static func remove(_ db: Database) throws {
    let names = try String.fetchAll(
      db,
      sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '\(prefix)*'")
    for name in names { try db.execute(sql: "DROP TRIGGER \(name)") }
  }

  private static func install(_ type: EntityType, _ db: Database) throws {
    let table = type.rowsTable
    func note(_ row: String) -> String { self.note("'\(type.rawValue)'", "\(row).id") }
    // What the rules found is found by every device itself.
    func counts(_ row: String) -> String {
      "\(row).\(isSeen)"
        + (type == .contribution ? " AND \(row).match_method <> 'auto_inferred'" : "")
    }
    try create("\(table)_new", "INSERT ON \(table) WHEN \(counts("NEW"))", db) { note("NEW") }
    try create("\(table)_gone", "DELETE ON \(table) WHEN \(counts("OLD"))", db) { note("OLD") }
    try create(
      "\(table)_changed", "UPDATE ON \(table) WHEN (\(counts("NEW"))) OR (\(counts("OLD")))", db
    ) {
      note("NEW") + " " + note("OLD")
    }
  }

  private static func install(
    _ table: String, _ column: String, _ type: EntityType, _ db: Database
  ) throws {
    for (event, rows) in [("INSERT", ["NEW"]), ("DELETE", ["OLD"]), ("UPDATE", ["NEW", "OLD"])] {
      try create("\(table)_\(column)_\(event)", "\(event) ON \(table)", db) {
        rows.map { row in
          note(
            "'\(type.rawValue)'", "id",
            from: "\(type.rowsTable) AS it WHERE pk = \(row).\(column) AND \(isSeen)")
        }.joined(separator: " ")
      }
    }
  }

  /// Notes a thing unless it is noted. What to do about a conflict can’t be said here: a statement that
  /// fires a trigger imposes its own way on it.
  private static func note(_ type: String, _ id: String, from rows: String? = nil) -> String {
    let isNoted = "SELECT 1 FROM replica_dirty AS noted WHERE noted.type = \(type) AND noted.id = "
    guard let rows else {
      return "INSERT INTO replica_dirty SELECT \(type), \(id) WHERE NOT EXISTS (\(isNoted)\(id));"
    }
    return "INSERT INTO replica_dirty SELECT \(type), it.\(id) FROM \(rows) "
      + "AND NOT EXISTS (\(isNoted)it.\(id));"
  }

  private static func create(
    _ name: String, _ event: String, _ db: Database, _ body: () -> String
  ) throws {
    try db.execute(sql: "CREATE TRIGGER \(prefix)\(name) AFTER \(event) BEGIN \(body()) END")
  }
}
