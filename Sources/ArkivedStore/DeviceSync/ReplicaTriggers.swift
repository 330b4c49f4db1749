import ArkivedCore
import GRDB

/// Triggers that record every changed entity, regardless of what changes it: the owner, an import,
/// undo or a merge.
///
/// They exist only while the archive is synced, so other archives have no overhead. Every
/// connection parses them, so each is short: their common part is defined once, in a view that
/// receives their records.
enum ReplicaTriggers {
  private static let prefix = "replica_note"
  private static let view = "replica_notes"

  /// Tables whose rows belong to an entity, with the columns that refer to it.
  private static let parts: [(table: String, owners: [(column: String, type: EntityType)])] = [
    ("measurements", [("activity_pk", .activity)]),
    ("activity_tags", [("activity_pk", .activity)]),
    ("mentions", [("activity_pk", .activity), ("day_pk", .day)]),
    ("attachments", [("activity_pk", .activity), ("day_pk", .day), ("note_pk", .note)]),
    ("external_refs", [("activity_pk", .activity), ("day_pk", .day), ("person_pk", .person)]),
    ("person_names", [("person_pk", .person)]),
    ("attendance_rows", [("meeting_pk", .meeting)]),
    ("note_tags", [("note_pk", .note)]), ("note_mentions", [("note_pk", .note)]),
  ]

  private static let events: [(name: String, rows: [String])] = [
    ("INSERT", ["NEW"]), ("DELETE", ["OLD"]), ("UPDATE", ["NEW", "OLD"]),
  ]

  /// Returns true if the installed triggers are those of this version.
  static func areInstalled(_ db: Database) throws -> Bool {
    let present = try String.fetchAll(
      db, sql: "SELECT sql FROM sqlite_schema WHERE name GLOB '\(prefix)*'")
    return Set(present) == expected
  }

  private static let expected = Set(statements)

  static func install(_ db: Database) throws {
    try remove(db)
    for statement in statements { try db.execute(sql: statement) }
  }

  private static let statements: [String] = {
    var statements = [
      "CREATE VIEW \(view) AS SELECT type, id, 0 AS changed_pk FROM replica_dirty WHERE 0",
      // Rows of hidden changes don't count. There is no conflict clause, because that of the
      // statement that fires the trigger overrides it.
      """
      CREATE TRIGGER \(prefix) INSTEAD OF INSERT ON \(view)
      WHEN NEW.changed_pk NOT IN (SELECT change_pk FROM hidden_changes)
        AND NOT EXISTS (SELECT 1 FROM replica_dirty WHERE type = NEW.type AND id = NEW.id)
      BEGIN INSERT INTO replica_dirty VALUES (NEW.type, NEW.id); END
      """,
    ]
    for type in ReplicaFields.types { statements += notes(type) }
    for part in parts { statements += notes(part.table, part.owners) }
    // An import and its undo show or hide all of their rows together.
    for (event, row) in [("INSERT", "NEW"), ("DELETE", "OLD")] {
      statements.append(
        trigger(
          "hidden_\(event)", "\(event) ON hidden_changes",
          ["VALUES ('change', CAST(\(row).change_pk AS TEXT), -1)"]))
    }
    let names = ReplicaFields.settings.map { "'\($0)'" }.joined(separator: ", ")
    for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
      statements.append(
        trigger(
          "settings_\(event)", "\(event) ON settings WHEN \(row).name IN (\(names))",
          ["VALUES ('\(ReplicaFields.settingsType)', \(row).name, -1)"]))
    }
    return statements
  }()

  static func remove(_ db: Database) throws {
    try db.execute(sql: "DROP VIEW IF EXISTS \(view)")
    let names = try String.fetchAll(
      db,
      sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '\(prefix)*'")
    for name in names { try db.execute(sql: "DROP TRIGGER \(name)") }
  }

  private static func notes(_ type: EntityType) -> [String] {
    let table = type.rowsTable
    return events.map { event, rows in
      // Every device finds matches by rules itself.
      let counts = rows.map { "\($0).match_method <> 'auto_inferred'" }.joined(separator: " OR ")
      return trigger(
        "\(table)_\(event)",
        "\(event) ON \(table)" + (type == .contribution ? " WHEN \(counts)" : ""),
        [
          "VALUES "
            + rows.map { "('\(type.rawValue)', \($0).id, \($0).changed_pk)" }.joined(
              separator: ", ")
        ])
    }
  }

  private static func notes(
    _ table: String, _ owners: [(column: String, type: EntityType)]
  ) -> [String] {
    events.map { event, rows in
      let notes = owners.map { column, type in
        let keys = rows.map { "\($0).\(column)" }.joined(separator: ", ")
        return
          "SELECT '\(type.rawValue)', id, changed_pk FROM \(type.rowsTable) WHERE pk IN (\(keys))"
      }
      return trigger("\(table)_\(event)", "\(event) ON \(table)", notes)
    }
  }

  private static func trigger(_ name: String, _ event: String, _ notes: [String]) -> String {
    let body = notes.map { "INSERT INTO \(view) \($0);" }.joined(separator: " ")
    return "CREATE TRIGGER \(prefix)_\(name) AFTER \(event) BEGIN \(body) END"
  }
}
