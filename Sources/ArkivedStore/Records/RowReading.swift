import ArkivedCore
import Foundation
import GRDB
import GRDBSQLite

extension Row {
  /// Returns the instant in a column of milliseconds.
  func instant(_ column: String) -> Instant { Instant(milliseconds: self[column]) }

  func instant(optional column: String) -> Instant? {
    (self[column] as Int64?).map(Instant.init(milliseconds:))
  }

  /// Returns the ID in a column; the schema's checks ensure that it is well-formed.
  func identity(_ column: String) throws -> UUID {
    let text: String = self[column]
    guard let id = UUID(uuidString: text) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "\(column) contains \(text), which isn’t a valid UUID"
      )
    }
    return id
  }

  func day(_ column: String) throws -> DayKey {
    let text: String = self[column]
    guard let day = DayKey(text) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "\(column) contains \(text), which isn’t a valid day")
    }
    return day
  }

  func weather(_ column: String) throws -> Weather? {
    guard let text = self[column] as String?, let object = try JSON(parsing: text).object else {
      return nil
    }
    var reader = FieldReader(object)
    return try Weather(&reader)
  }
}

extension Row {
  /// Runs a statement that is prepared once per connection.
  static func fetchAll(
    _ db: Database, cached sql: String, arguments: StatementArguments = []
  ) throws -> [Row] {
    try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// Returns the first row of a statement that is prepared once per connection.
  static func fetchOne(
    _ db: Database, cached sql: String, arguments: StatementArguments = []
  ) throws -> Row? {
    try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }
}

extension DatabaseValueConvertible where Self: StatementColumnConvertible {
  /// Returns the first column of a statement that is prepared once per connection.
  static func fetchAll(
    _ db: Database, cached sql: String, arguments: StatementArguments = []
  ) throws -> [Self] {
    try fetchAll(db.cachedStatement(sql: sql), arguments: arguments)
  }

  /// Returns the first value of a statement that is prepared once per connection.
  static func fetchOne(
    _ db: Database, cached sql: String, arguments: StatementArguments = []
  ) throws -> Self? {
    try fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
  }
}

extension Weather {
  var columnText: String { json.text() }
}

/// A list of row numbers as one bound value, so one prepared statement serves all lengths.
enum KeyList {
  /// The SQL for use inside `IN (…)`; its argument is `text`.
  static let sql = "SELECT value FROM json_each(?)"

  static func text(_ keys: [Int64]) -> String {
    "[" + keys.map(String.init).joined(separator: ",") + "]"
  }
}

/// Returns `?, ?, ?` for a list of values.
func placeholders(_ count: Int) -> String {
  Array(repeating: "?", count: count).joined(separator: ", ")
}

extension Sequence {
  /// Returns slices of at most `size` elements, below SQLite's limit on bound values.
  func slices(of size: Int = 900) -> [[Element]] {
    var slices: [[Element]] = []
    var slice: [Element] = []
    for element in self {
      slice.append(element)
      if slice.count == size {
        slices.append(slice)
        slice = []
      }
    }
    if !slice.isEmpty { slices.append(slice) }
    return slices
  }
}

extension Database {
  /// Passes on the rows of a query as SQLite returns them.
  ///
  /// With tens of thousands of rows, GRDB's rows would cost more than everything else.
  func forEachRow(
    _ sql: String, _ arguments: StatementArguments, _ body: (OpaquePointer) throws -> Void
  ) throws {
    let statement = try makeStatement(sql: sql)
    try statement.setArguments(arguments)
    let handle = statement.sqliteStatement
    defer { sqlite3_reset(handle) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: try body(handle)
      case SQLITE_DONE: return
      default: throw DatabaseError(stepping: handle)
      }
    }
  }
}

extension DatabaseError {
  /// Creates the error of a statement's failed step.
  init(stepping handle: OpaquePointer?) {
    let connection = sqlite3_db_handle(handle)
    self.init(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: String(cString: sqlite3_errmsg(connection)))
  }
}
