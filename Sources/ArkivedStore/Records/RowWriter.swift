import GRDB
import GRDBSQLite

/// A prepared INSERT whose values are bound one after the other by SQLite's own calls.
///
/// GRDB passes arguments through existentials and arrays, which costs more than SQLite's part of a
/// row, and imports write millions of rows. Everything else goes through GRDB.
struct RowWriter {
  private let statement: Statement
  private let handle: SQLiteStatement
  private var position: Int32 = 0

  /// The destructor that makes SQLite copy a value when it is bound.
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  /// The statements that an import runs for every entry, cached to avoid a lookup by text.
  enum Slot: Int, CaseIterable {
    case activity, newActivity, measurement, tagLink, mention, knownReference
  }

  /// Prepares the statement.
  ///
  /// - Parameters:
  ///   - scope: the change.
  ///   - slot: the transaction's cache slot for the statement; the text belongs to the slot.
  ///   - sql: the statement.
  /// - Throws: an error if the statement isn't valid.
  init(_ scope: ChangeScope, _ slot: Slot, _ sql: @autoclosure () -> String) throws {
    if let statement = scope.keys.statements[slot.rawValue] {
      self.init(statement)
    } else {
      let statement = try scope.db.cachedStatement(sql: sql())
      scope.keys.statements[slot.rawValue] = statement
      self.init(statement)
    }
  }

  init(_ db: Database, _ sql: String) throws {
    self.init(try db.cachedStatement(sql: sql))
  }

  private init(_ statement: Statement) {
    self.statement = statement
    handle = statement.sqliteStatement
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  mutating func bind(_ text: String) {
    position += 1
    var text = text
    let index = position
    text.withUTF8 { bytes in
      _ = sqlite3_bind_text(
        handle, index, bytes.baseAddress ?? UnsafePointer(bitPattern: 1),
        Int32(clamping: bytes.count),
        Self.transient)
    }
  }

  mutating func bind(_ text: String?) {
    guard let text else { return bindNull() }
    bind(text)
  }

  mutating func bind(_ number: Int64) {
    position += 1
    sqlite3_bind_int64(handle, position, number)
  }

  mutating func bind(_ number: Int64?) {
    guard let number else { return bindNull() }
    bind(number)
  }

  mutating func bind(_ number: Double?) {
    guard let number else { return bindNull() }
    position += 1
    sqlite3_bind_double(handle, position, number)
  }

  private mutating func bindNull() { position += 1 }

  /// Writes the row or runs a query.
  ///
  /// - Returns: true if there was a result row.
  /// - Throws: `DatabaseError` if SQLite rejects the row or the query.
  @discardableResult
  consuming func run() throws -> Bool {
    let code = sqlite3_step(handle)
    sqlite3_reset(handle)
    guard code == SQLITE_DONE || code == SQLITE_ROW else {
      let connection = sqlite3_db_handle(handle)
      throw DatabaseError(
        resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
        message: String(cString: sqlite3_errmsg(connection)), sql: statement.sql)
    }
    return code == SQLITE_ROW
  }
}
