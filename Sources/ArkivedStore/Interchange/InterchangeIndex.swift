package import ArkivedCore
package import Foundation
import GRDB

/// An index on disk of more rows than can be held in memory while they are compared or written.
///
/// It is temporary: it is never flushed, and the creator of its folder removes it.
package final class InterchangeIndex {
  /// A row of a table in the other program's database.
  package struct Entry: Hashable, Sendable {
    /// Its position among the rows that were added.
    package var number: Int64
    package var key: String
    /// The address of the row; nil if it was deleted there.
    package var address: ForeignWriter.Address?
  }

  /// The relation of an ID to its row.
  package enum Role: Int, Sendable {
    /// The ID was made from the row.
    case made
    /// The row has the ID of the entity it was written from.
    case written
    /// The ID of the old version in the row.
    case version
  }

  /// A list that is read after everything has been added.
  package enum Queue: Int, Sendable {
    /// The results of exporting rows.
    case sent
    /// The old versions written to Ten Week's archive.
    case witnesses
  }

  private let queue: DatabaseQueue

  /// Creates an index.
  ///
  /// - Parameter folder: private; the index is a file in it.
  /// - Throws: an error if the file can't be created.
  package init(in folder: URL) throws {
    var configuration = Configuration()
    configuration.label = "index"
    // A single transaction from beginning to end, which is never committed.
    configuration.allowsUnsafeTransactions = true
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA journal_mode = OFF;
          PRAGMA synchronous = OFF;
          PRAGMA locking_mode = EXCLUSIVE;
          PRAGMA cache_size = -16384;
          """)
    }
    queue = try DatabaseQueue(
      path: folder.appendingPathComponent("index-\(UUID().uuidString).db").path,
      configuration: configuration)
    try queue.writeWithoutTransaction { db in
      try db.execute(
        sql: """
          BEGIN;
          CREATE TABLE entries (
            number INTEGER PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL,
            -- The number of the row, or the columns of its key; null for one that is gone there.
            place INTEGER, place_columns TEXT,
            session INTEGER, first BLOB, has_base INTEGER NOT NULL DEFAULT 0,
            UNIQUE (name, key)
          ) STRICT;
          CREATE TABLE identities (
            role INTEGER NOT NULL, id BLOB NOT NULL, entry INTEGER NOT NULL, PRIMARY KEY (role, id)
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE exchanges (
            number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, spelling TEXT NOT NULL,
            thread BLOB NOT NULL, question BLOB, answer BLOB
          ) STRICT;
          CREATE TABLE threads (id BLOB PRIMARY KEY, session INTEGER NOT NULL) STRICT, WITHOUT ROWID;
          CREATE TABLE sessions (number INTEGER PRIMARY KEY, thread BLOB NOT NULL) STRICT;
          CREATE TABLE fates (
            key TEXT PRIMARY KEY, changed_at INTEGER, deleted_at INTEGER
          ) STRICT, WITHOUT ROWID;
          CREATE TABLE queues (number INTEGER PRIMARY KEY, queue INTEGER NOT NULL, line TEXT NOT NULL)
            STRICT;
          CREATE INDEX queues_by_queue ON queues (queue, number);
          """)
    }
  }

  /// Runs statements, also from within others.
  func on<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try queue.unsafeReentrantWrite(body)
  }

  // MARK: Entries

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - key: the row's key.
  ///   - address: nil for a row that was deleted there.
  /// - Returns: its number; nil if the key was already added.
  /// - Throws: an error if the index can't be written.
  @discardableResult
  package func add(
    _ table: String, _ key: String, at address: ForeignWriter.Address? = nil
  ) throws -> Int64? {
    var place: Int64?
    var columns: String?
    switch address {
    case .number(let number)?: place = number
    case .key(let key)?:
      columns = InterchangeRow(table: table, key: "", columns: key).json.text()
    case nil: break
    }
    return try on { db in
      try db.cachedStatement(
        sql: """
          INSERT OR IGNORE INTO entries (name, key, place, place_columns) VALUES (?, ?, ?, ?)
          """
      ).execute(arguments: [table, key, place, columns])
      return db.changesCount == 1 ? db.lastInsertedRowID : nil
    }
  }

  /// Returns the row of a key; nil if it was not added.
  package func entry(_ table: String, _ key: String) throws -> Entry? {
    try on { db in
      try Row.fetchOne(
        db, cached: "SELECT * FROM entries WHERE name = ? AND key = ?", arguments: [table, key]
      ).map(Self.entry)
    }
  }

  /// Returns the number of rows of a table that are there.
  package func count(_ table: String) throws -> Int {
    try on { db in
      try Int.fetchOne(
        db,
        cached: "SELECT count(*) FROM entries WHERE name = ? AND \(Self.isThere)",
        arguments: [table]) ?? 0
    }
  }

  /// Returns the next rows of a table, by key.
  package func entries(
    _ table: String, after key: String?, limit: Int
  ) throws -> [Entry] {
    try on { db in
      try Row.fetchAll(
        db,
        cached: """
          SELECT * FROM entries WHERE name = ?1 AND (?2 IS NULL OR key > ?2) AND \(Self.isThere)
          ORDER BY key LIMIT ?3
          """, arguments: [table, key, limit]
      ).map(Self.entry)
    }
  }

  static let isThere = "(place IS NOT NULL OR place_columns IS NOT NULL)"

  static func entry(_ row: Row) throws -> Entry {
    let table: String = row["name"]
    let address: ForeignWriter.Address? =
      if let number = row["place"] as Int64? {
        .number(number)
      } else {
        try (row["place_columns"] as String?).flatMap {
          InterchangeRow(table: table, key: "", json: try JSON(parsing: $0))
        }.map { .key($0.columns) }
      }
    return Entry(number: row["number"], key: row["key"], address: address)
  }

  // MARK: Identifiers

  /// Records that an ID refers to a row.
  ///
  /// Only the first row that it refers to counts.
  package func note(_ id: UUID, _ role: Role, of entry: Int64) throws {
    try on { db in
      try db.cachedStatement(
        sql: "INSERT OR IGNORE INTO identities (role, id, entry) VALUES (?, ?, ?)"
      ).execute(arguments: [role.rawValue, id, entry])
    }
  }

  /// Returns the number of the row that an ID refers to.
  package func number(_ id: UUID, _ role: Role) throws -> Int64? {
    try on { db in
      try Int64.fetchOne(
        db, cached: "SELECT entry FROM identities WHERE role = ? AND id = ?",
        arguments: [role.rawValue, id])
    }
  }

  /// Returns the key of a row.
  package func key(of number: Int64) throws -> String? {
    try on { db in
      try String.fetchOne(
        db, cached: "SELECT key FROM entries WHERE number = ?", arguments: [number])
    }
  }

  // MARK: Queues

  package func append(_ line: JSON, to queue: Queue) throws {
    try on { db in
      try db.cachedStatement(sql: "INSERT INTO queues (queue, line) VALUES (?, ?)")
        .execute(arguments: [queue.rawValue, line.text()])
    }
  }

  /// Returns the next lines of a queue with their numbers, in the order they were added.
  package func lines(
    _ queue: Queue, after number: Int64, limit: Int
  ) throws -> [(number: Int64, line: JSON)] {
    try on { db in
      try Row.fetchAll(
        db,
        cached: """
          SELECT number, line FROM queues WHERE queue = ? AND number > ? ORDER BY number LIMIT ?
          """, arguments: [queue.rawValue, number, limit]
      ).map { (number: $0["number"], line: try JSON(parsing: $0["line"])) }
    }
  }
}
