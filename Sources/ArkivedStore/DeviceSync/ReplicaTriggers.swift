import ArkivedCore
import GRDB

/// Triggers that note every changed entity, whoever changes it: the owner, an import, undo or a merge.
///
/// They exist only while the archive is synced, so that other archives don't pay for them.
enum ReplicaTriggers {
  private static let prefix = "replica_notes_"

  private static let isSeen = "changed_pk NOT IN (SELECT change_pk FROM hidden_changes)"

  /// Tables whose rows belong to an entity.
  private static let parts: [(table: String, column: String, type: EntityType)] = [
    ("measurements", "activity_pk", .activity), ("activity_tags", "activity_pk", .activity),
    ("mentions", "activity_pk", .activity), ("mentions", "day_pk", .day),
    ("attachments", "activity_pk", .activity), ("attachments", "day_pk", .day),
    ("attachments", "note_pk", .note), ("external_refs", "activity_pk", .activity),
    ("external_refs", "day_pk", .day), ("external_refs", "person_pk", .person),
    ("person_names", "person_pk", .person), ("attendance_rows", "meeting_pk", .meeting),
    ("note_tags", "note_pk", .note), ("note_mentions", "note_pk", .note),
  ]

  /// Returns true if the triggers are those that this version would install.
  static func areInstalled(_ db: Database) throws -> Bool {
    let present = try String.fetchAll(
      db,
      sql: "SELECT sql FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '\(prefix)*'")
    return Set(present) == expected
  }

  private static let expected = Set(statements.map(\.sql))

  static func install(_ db: Database) throws {
    try remove(db)
    for statement in statements { try db.execute(sql: statement.sql) }
  }

  private static let statements: [(name: String, sql: String)] = {
    var statements: [(name: String, sql: String)] = []
    for type in ReplicaFields.types { statements += notes(type) }
    for part in parts { statements += notes(part.table, part.column, part.type) }
    // An import and its undo show or hide all of their rows at once.
    for (event, row) in [("INSERT", "NEW"), ("DELETE", "OLD")] {
      statements.append(
        trigger("hidden_\(event)", "\(event) ON hidden_changes") {
          note("'change'", "CAST(\(row).change_pk AS TEXT)")
        })
    }
    let names = ReplicaFields.settings.map { "'\($0)'" }.joined(separator: ", ")
    for (event, row) in [("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")] {
      statements.append(
        trigger("settings_\(event)", "\(event) ON settings WHEN \(row).name IN (\(names))") {
          note("'\(ReplicaFields.settingsType)'", "\(row).name")
        })
    }
    return statements
  }()

  static func remove(_ db: Database) throws {
    let names = try String.fetchAll(
      db,
      sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '\(prefix)*'")
    for name in names { try db.execute(sql: "DROP TRIGGER \(name)") }
  }

  private static func notes(_ type: EntityType) -> [(name: String, sql: String)] {
    let table = type.rowsTable
    func note(_ row: String) -> String { self.note("'\(type.rawValue)'", "\(row).id") }
    // Matches found by the rules are found by every device itself.
    func counts(_ row: String) -> String {
      "\(row).\(isSeen)"
        + (type == .contribution ? " AND \(row).match_method <> 'auto_inferred'" : "")
    }
    return [
      trigger("\(table)_new", "INSERT ON \(table) WHEN \(counts("NEW"))") { note("NEW") },
      trigger("\(table)_gone", "DELETE ON \(table) WHEN \(counts("OLD"))") { note("OLD") },
      trigger(
        "\(table)_changed", "UPDATE ON \(table) WHEN (\(counts("NEW"))) OR (\(counts("OLD")))"
      ) { note("NEW") + " " + note("OLD") },
    ]
  }

  private static func notes(
    _ table: String, _ column: String, _ type: EntityType
  ) -> [(name: String, sql: String)] {
    [("INSERT", ["NEW"]), ("DELETE", ["OLD"]), ("UPDATE", ["NEW", "OLD"])].map { event, rows in
      trigger("\(table)_\(column)_\(event)", "\(event) ON \(table)") {
        rows.map { row in
          note(
            "'\(type.rawValue)'", "id",
            from: "\(type.rowsTable) AS it WHERE pk = \(row).\(column) AND \(isSeen)")
        }.joined(separator: " ")
      }
    }
  }

  /// Returns the statement that notes an entity unless it is noted already.
  ///
  /// It has no conflict clause, because that of the statement that fires the trigger overrides it.
  private static func note(_ type: String, _ id: String, from rows: String? = nil) -> String {
    let isNoted = "SELECT 1 FROM replica_dirty AS noted WHERE noted.type = \(type) AND noted.id = "
    guard let rows else {
      return "INSERT INTO replica_dirty SELECT \(type), \(id) WHERE NOT EXISTS (\(isNoted)\(id));"
    }
    return "INSERT INTO replica_dirty SELECT \(type), it.\(id) FROM \(rows) "
      + "AND NOT EXISTS (\(isNoted)it.\(id));"
  }

  private static func trigger(
    _ name: String, _ event: String, _ body: () -> String
  ) -> (name: String, sql: String) {
    let name = prefix + name
    return (name, "CREATE TRIGGER \(name) AFTER \(event) BEGIN \(body()) END")
  }
}
