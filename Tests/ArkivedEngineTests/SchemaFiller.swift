import Foundation
import GRDB

/// Puts rows into every table of any version of the schema, so that every column has a value somewhere.
///
/// What a column may hold follows from the schema itself: its type, its keys and its checks. Only where the
/// program reads a meaning into a value, `ColumnValues` names it. The values are the same in every run.
struct SchemaFiller {
  /// Where a table lies, and what its definition says of each column.
  private struct Table {
    var name: String
    var columns: [(name: String, type: String, definition: String)]
    /// The table that a column leads to.
    var parents: [String: String]
    var checks: [String]

    /// Columns of which a row has exactly one, such as the owners of a mention.
    var exclusive: [String] {
      let sums = checks.filter { $0.contains("IS NOT NULL) +") && $0.hasSuffix("= 1)") }
      return sums.flatMap { check in
        check.matches(of: /\((\w+) IS NOT NULL\)/).map { String($0.1) }
      }
    }
  }

  /// Returns the tables that hold what cannot be made anew, in the order in which they were made.
  static func tables(_ db: Database) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'grdb_migrations'
          AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'search\\_words%' ESCAPE '\\'
        ORDER BY rowid
        """)
  }

  /// Returns all rows of a table, ordered, of the named columns or of all.
  static func rows(
    of table: String, columns: [String]? = nil, _ db: Database
  ) throws -> [[DatabaseValue]] {
    let names = try (columns ?? db.columns(in: table).map(\.name)).map(\.quotedDatabaseIdentifier)
    let list = names.joined(separator: ", ")
    return try Row.fetchAll(
      db, sql: "SELECT \(list) FROM \(table.quotedDatabaseIdentifier) ORDER BY \(list)"
    ).map { Array($0.databaseValues) }
  }

  /// Fills all tables, and the words of search as the program does.
  ///
  /// - Throws: `DatabaseError` where the schema refuses a row; then `ColumnValues` lacks something.
  func fill(_ db: Database) throws {
    // Rows may name others that come later; at the end all of them are there.
    try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
    for name in try Self.tables(db) {
      let table = try read(name, db)
      for row in 0..<count(table) { try insert(row, into: table, db) }
    }
    try fillWords(db)
    try db.checkForeignKeys()
  }

  private func count(_ table: Table) -> Int {
    if let count = ColumnValues.counts[table.name] { return count }
    let isSole = table.columns.contains { $0.definition.contains("CHECK (\($0.name) = 1)") }
    return isSole ? 1 : max(2, table.exclusive.count)
  }

  private func insert(_ row: Int, into table: Table, _ db: Database) throws {
    let exclusive = table.exclusive
    let values = table.columns.map { column in
      if let owner = exclusive.firstIndex(of: column.name), owner != row % exclusive.count {
        return "NULL"
      }
      return value(of: column, in: table, row)
    }
    let names = table.columns.map(\.name.quotedDatabaseIdentifier).joined(separator: ", ")
    try db.execute(
      sql: "INSERT INTO \(table.name) (\(names)) VALUES (\(values.joined(separator: ", ")))")
  }

  // MARK: Values

  /// The value of a column in a row, as SQL.
  private func value(
    of column: (name: String, type: String, definition: String), in table: Table, _ row: Int
  ) -> String {
    let definition = column.definition
    if let values = ColumnValues.values["\(table.name).\(column.name)"]
      ?? ColumnValues.values[column.name]
    {
      return values[row % values.count]
    }
    if let parent = table.parents[column.name] {
      return "\(row % (ColumnValues.counts[parent].map { min($0, 2) } ?? 2) + 1)"
    }
    if definition.contains("= 36)") { return "'\(identity(table.name, row))'" }
    if definition.contains(" GLOB '[0-9][0-9][0-9][0-9]-") { return "'2026-01-1\(row)'" }
    if definition.contains("json_valid(") { return "'{}'" }
    if let range = definition.firstMatch(of: /BETWEEN (-?\d+) AND (-?\d+)/) {
      return "min(\(range.1) + \(row + 1), \(range.2))"
    }
    if let set = definition.firstMatch(of: /IN \(([^)]*)\)/) {
      let choices = set.1.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      return choices[(choices.count - 1 - row % choices.count)]
    }
    if column.name.hasSuffix("_at") || column.name == "at" || column.name == "log_time" {
      return "\(1_768_420_800_000 + row * 1_000)"
    }
    switch column.type {
    case "INTEGER": return "\(row + 1)"
    case "REAL": return "\(row + 1).25"
    case "BLOB": return "x'00FF0\(row + 1)'"
    default: return "'\(table.name) \(column.name) \(row + 1)'"
    }
  }

  /// An identity that no other row has.
  private func identity(_ table: String, _ row: Int) -> String {
    let number = table.utf8.reduce(UInt64(row + 1)) { ($0 &* 31 &+ UInt64($1)) & 0xFFFF_FFFF_FFFF }
    let digits = String(number, radix: 16, uppercase: true)
    return "20260114-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// The words of all entries, as the program had them in the index.
  private func fillWords(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO search_words (rowid, title, body, names, day_key)
          SELECT pk * 8, text, description || ' ' || notes, '', day_key FROM activities;
        INSERT INTO search_words (rowid, title, body, names, day_key)
          SELECT pk * 8 + 1, title, note, '', day_key FROM days;
        INSERT INTO search_words (rowid, title, body, names, day_key)
          SELECT pk * 8 + 2, caption, original_name, '', '2026-01-10' FROM attachments;
        """)
    guard try db.tableExists("note_rows") else { return }
    try db.execute(
      sql: """
        INSERT INTO search_words (rowid, title, body, names, day_key)
          SELECT pk * 8 + 3, title, plain_text, '', shown_day FROM note_rows
        """)
  }

  // MARK: The schema

  private func read(_ name: String, _ db: Database) throws -> Table {
    let sql = try String.fetchOne(
      db, sql: "SELECT sql FROM sqlite_schema WHERE name = ?", arguments: [name])
    let definitions = Self.definitions(in: sql ?? "")
    let columns = try db.columns(in: name).map { column in
      let own = definitions.first {
        $0.hasPrefix(column.name + " ") || $0.hasPrefix("\"\(column.name)\" ")
      }
      return (column.name, column.type, own ?? "")
    }
    var parents: [String: String] = [:]
    for key in try db.foreignKeys(on: name) {
      for pair in key.mapping { parents[pair.origin] = key.destinationTable }
    }
    return Table(
      name: name, columns: columns, parents: parents,
      checks: definitions.filter { $0.hasPrefix("CHECK") })
  }

  /// The parts of a table's definition between its commas, comments left out and spaces made one.
  private static func definitions(in sql: String) -> [String] {
    let plain = sql.replacing(/--[^\n]*/, with: "").replacing(/\s+/, with: " ")
    guard let open = plain.firstIndex(of: "(") else { return [] }
    var (parts, depth) = ([""], 0)
    for character in plain[plain.index(after: open)...] {
      if character == ")", depth == 0 { break }
      if character == "(" { depth += 1 }
      if character == ")" { depth -= 1 }
      if character == ",", depth == 0 {
        parts.append("")
      } else {
        parts[parts.count - 1].append(character)
      }
    }
    return parts.map {
      $0.trimmingCharacters(in: .whitespaces).replacing("( ", with: "(").replacing(" )", with: ")")
    }
  }
}
