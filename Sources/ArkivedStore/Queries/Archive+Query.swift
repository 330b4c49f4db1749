package import ArkivedCore
import CSQLite
import Foundation
import GRDB
import GRDBSQLite

/// An error that reports that an owner's query was not answered, with a message that suggests what
/// to do.
package struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Sendable {
    /// The text is not a valid query.
    case wrong
    /// The query is valid but asks for something unavailable.
    case refused
  }

  package var reason: Reason
  package var description: String

  init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}

extension Archive {
  /// Runs an SQL query over the views of `QueryView.all`.
  ///
  /// It runs on a separate, read-only connection, with one consistent view of the archive. Before
  /// that, it is compiled against a database that has nothing but the views, so it can't refer to
  /// anything else.
  ///
  /// - Parameters:
  ///   - text: one SELECT, WITH, VALUES or EXPLAIN in SQLite's SQL.
  ///   - values: the values for each `?` in order; a value that looks like a number is treated as
  ///     one.
  ///   - columns: receives the names of the columns, once.
  ///   - row: receives each row: texts, numbers and null; bytes as hexadecimal digits.
  /// - Throws: `QueryError`, and errors from the storage and the two closures.
  package func query(
    _ text: String, values: [String] = [], columns: ([String]) throws -> Void,
    row: ([JSON]) throws -> Void
  ) throws {
    guard let address = try readOnlyAddress() else {
      throw QueryError(.refused, "An archive in memory is empty. Choose a folder with --archive.")
    }
    let connection = try QueryConnection(address)
    defer { connection.close() }
    let statement = try connection.prepare(text, values)
    defer { sqlite3_finalize(statement) }
    let count = sqlite3_column_count(statement)
    try columns(
      (0..<count).map { sqlite3_column_name(statement, $0).map { String(cString: $0) } ?? "" })
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: try row((0..<count).map { QueryConnection.cell(statement, $0) })
      case SQLITE_DONE: return
      default: throw connection.failure(text)
      }
    }
  }
}

/// A connection for an owner's query, which can only read and has access only to the views.
private struct QueryConnection {
  private let handle: OpaquePointer?
  private let outline: ViewOutline

  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ address: ReadOnlyAddress) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      address.path, &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
    handle = opened
    do {
      outline = try ViewOutline()
    } catch {
      sqlite3_close_v2(opened)
      throw error
    }
    do {
      guard code == SQLITE_OK else { throw DatabaseError(of: opened) }
      sqlite3_busy_timeout(opened, Int32(Archive.busySeconds * 1_000))
      if address.isExclusive {
        sqlite3_keep_log_on_close(opened)
        try Self.execute("PRAGMA locking_mode = EXCLUSIVE", on: opened)
      }
      try Self.makeFunctions(on: opened)
      for view in QueryView.all { try Self.execute(view.definition, on: opened) }
      try Self.execute(Self.tableFunctions, on: opened)
    } catch {
      sqlite3_close_v2(opened)
      outline.close()
      throw error
    }
    sqlite3_set_authorizer(
      opened,
      { _, action, object, column, base, view in
        QueryGate.verdict(action, object, column, base, view)
      }, nil)
  }

  func close() {
    sqlite3_close_v2(handle)
    outline.close()
  }

  /// A query that uses the table-valued functions once.
  ///
  /// They register themselves on first use, which the authorizer would mistake for a write.
  static let tableFunctions = "SELECT 1 FROM json_each('[]'), json_tree('[]')"

  static func execute(_ sql: String, on handle: OpaquePointer?) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw DatabaseError(of: handle)
    }
  }

  /// Defines `local_time(milliseconds, zone)`: 2026-03-14T21:00:00 in local time there.
  static func makeFunctions(on handle: OpaquePointer?) throws {
    let code = sqlite3_create_function_v2(
      handle, QueryView.localTime, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
      { context, _, values in
        guard let values, sqlite3_value_type(values[0]) == SQLITE_INTEGER,
          let name = sqlite3_value_text(values[1]), let zone = Zone(String(cString: name)),
          // The years 1 to 9999.
          case let moment = sqlite3_value_int64(values[0]),
          (-62_135_596_800_000...253_402_300_799_999).contains(moment)
        else { return sqlite3_result_null(context) }
        let wall = zone.wallTime(at: Instant(milliseconds: moment))
        sqlite3_result_text(
          context, String(wall.description.prefix(19)), -1, QueryConnection.transient)
      }, nil, nil, nil)
    guard code == SQLITE_OK else { throw DatabaseError(of: handle) }
  }

  // MARK: The query

  /// The words that a query may begin with.
  private static let beginnings = ["select", "with", "values", "explain"]

  func prepare(_ text: String, _ values: [String]) throws -> OpaquePointer {
    guard !text.utf8.contains(0) else {
      throw QueryError(.wrong, "The query contains a NUL character, which SQL doesn’t allow.")
    }
    let word = QueryConnection.firstWord(of: text)
    guard !word.isEmpty else { throw QueryError(.wrong, "The query is empty.") }
    guard QueryConnection.beginnings.contains(word.lowercased()) else {
      throw QueryError(
        .refused,
        "A query starts with SELECT, WITH, VALUES or EXPLAIN, not with “\(word.prefix(40))”. "
          + "Queries can only read.")
    }
    let (found, rest) = try compiled(text)
    guard let statement = found else { throw QueryError(.wrong, "The query is empty.") }
    do {
      try outline.check(text)
      let (second, _) = try compiled(rest)
      guard second == nil else {
        sqlite3_finalize(second)
        throw QueryError(.wrong, "That’s more than one query. Run one at a time.")
      }
      try bind(values, to: statement)
    } catch {
      sqlite3_finalize(statement)
      throw error
    }
    return statement
  }

  /// Returns the first statement of a text, and the text after it.
  private func compiled(_ text: String) throws -> (statement: OpaquePointer?, rest: String) {
    var statement: OpaquePointer?
    let (code, rest) = text.withCString { start -> (Int32, String) in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v2(handle, start, -1, &statement, &tail)
      return (code, tail.map { String(cString: $0) } ?? "")
    }
    guard code == SQLITE_OK else { throw failure(text) }
    return (statement, rest)
  }

  private func bind(_ values: [String], to statement: OpaquePointer) throws {
    let wanted = Int(sqlite3_bind_parameter_count(statement))
    guard wanted == values.count else {
      throw QueryError(
        .wrong,
        "Placeholders in the query: \(wanted); values given: \(values.count). Put the query in "
          + "quotation marks and the values after it.")
    }
    for (offset, value) in values.enumerated() {
      let index = Int32(offset + 1)
      let code =
        if let number = Int64(value), String(number) == value {
          sqlite3_bind_int64(statement, index, number)
        } else if let number = Double(value), number.isFinite,
          value.allSatisfy({ "0123456789+-.eE".contains($0) })
        {
          sqlite3_bind_double(statement, index, number)
        } else {
          sqlite3_bind_text(statement, index, value, -1, QueryConnection.transient)
        }
      guard code == SQLITE_OK else { throw DatabaseError(of: handle) }
    }
  }

  /// Returns the first word of a statement, after spaces and comments.
  static func firstWord(of text: String) -> Substring {
    var rest = text[...]
    while true {
      rest = rest.drop { $0.isWhitespace }
      if rest.hasPrefix("--") {
        rest = rest.drop { !$0.isNewline }
      } else if rest.hasPrefix("/*") {
        guard let end = rest.firstRange(of: "*/") else { return "" }
        rest = rest[end.upperBound...]
      } else {
        let word = rest.prefix { $0.isLetter || $0 == "_" }
        return word.isEmpty ? rest.prefix(20) : word
      }
    }
  }

  static func cell(_ statement: OpaquePointer, _ index: Int32) -> JSON {
    // Must be called after reading the value, because it would convert a number to text.
    func size() -> Int { Int(sqlite3_column_bytes(statement, index)) }
    switch sqlite3_column_type(statement, index) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
    case SQLITE_FLOAT: return JSON(sqlite3_column_double(statement, index))
    case SQLITE_TEXT:
      guard let start = sqlite3_column_text(statement, index) else { return .string("") }
      return .string(
        String(decoding: UnsafeBufferPointer(start: start, count: size()), as: UTF8.self))
    case SQLITE_BLOB:
      guard let start = sqlite3_column_blob(statement, index) else { return .string("") }
      let digits = UnsafeRawBufferPointer(start: start, count: size()).map { byte in
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
      return .string(digits.joined())
    default: return .null
    }
  }

  // MARK: Failures

  /// Returns the error of a failed query.
  ///
  /// - Parameter text: the query, for the position in it.
  /// - Returns: the error.
  func failure(_ text: String) -> any Error {
    let error = DatabaseError(of: handle)
    // Functions and table-valued functions that the authorizer denies cause ordinary errors that
    // can only be recognised by their messages.
    if error.resultCode == .SQLITE_AUTH
      || ["not authorized", "vtable constructor failed"].contains(where: {
        error.message?.hasPrefix($0) == true
      })
    {
      do { try outline.check(text) } catch { return error }
      return QueryError.hidden
    }
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CORRUPT,
      .SQLITE_NOTADB, .SQLITE_CANTOPEN, .SQLITE_NOMEM:
      return error
    default:
      let offset = Int(sqlite3_error_offset(handle))
      let place =
        offset >= 0
        ? " at character \(String(decoding: text.utf8.prefix(offset), as: UTF8.self).count + 1)"
        : ""
      return QueryError(
        .wrong, "The query is invalid\(place): \(error.message ?? "no reason given").")
    }
  }
}

/// A database in memory that has the documented views, without rows, and nothing else.
///
/// SQLite passes its authorizer a name that the query may have chosen itself: a read by a common
/// table expression called `activities` looks like one by the view of that name. A query that
/// compiles here can't name a table of the archive at all, however it is written.
private struct ViewOutline {
  private let handle: OpaquePointer?

  init() throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, nil)
    handle = opened
    do {
      guard code == SQLITE_OK else { throw DatabaseError(of: opened) }
      try QueryConnection.makeFunctions(on: opened)
      for view in QueryView.all { try QueryConnection.execute(view.outline, on: opened) }
      try QueryConnection.execute(QueryConnection.tableFunctions, on: opened)
    } catch {
      sqlite3_close_v2(opened)
      throw error
    }
    sqlite3_set_authorizer(
      opened, { _, action, object, column, _, _ in OutlineGate.verdict(action, object, column) },
      nil)
  }

  func close() { sqlite3_close_v2(handle) }

  /// Throws `QueryError` for a query that can be compiled for the archive but not for the views
  /// alone.
  func check(_ text: String) throws {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, text, -1, &statement, nil)
    sqlite3_finalize(statement)
    guard code != SQLITE_OK else { return }
    let message = DatabaseError(of: handle).message ?? ""
    let beginning = "no such table: "
    guard message.hasPrefix(beginning) else { throw QueryError.hidden }
    throw QueryError(
      .refused,
      "“\(message.dropFirst(beginning.count))” isn’t a view that queries can read. Run "
        + "arkived sql for the list.")
  }
}

extension QueryError {
  /// The error for reading an undocumented table or writing, if the name of the table is unknown.
  fileprivate static let hidden = QueryError(
    .refused, "Queries can only read, and only the documented views. Run arkived sql for the list.")
}

extension DatabaseError {
  /// Creates an error from the last failure of a connection.
  fileprivate init(of connection: OpaquePointer?) {
    self.init(
      resultCode: ResultCode(rawValue: sqlite3_extended_errcode(connection)),
      message: String(cString: sqlite3_errmsg(connection)))
  }
}

/// An authorizer of the names in a query: the views, and names that the query itself defines.
private enum OutlineGate {
  private static let names = QueryGate.tables.union(QueryView.all.map(\.name))

  static func verdict(
    _ action: Int32, _ object: UnsafePointer<CChar>?, _ column: UnsafePointer<CChar>?
  ) -> Int32 {
    func text(_ name: UnsafePointer<CChar>?) -> String { name.map { String(cString: $0) } ?? "" }
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_FUNCTION: return QueryGate.canCall(text(column)) ? SQLITE_OK : SQLITE_DENY
    case SQLITE_READ:
      // If rows are only counted, this is the name as written, which may be a table of the query's
      // own.
      let isAllowed =
        text(column).isEmpty
        ? !text(object).lowercased().hasPrefix("sqlite_")
        : names.contains(text(object).lowercased())
      return isAllowed ? SQLITE_OK : SQLITE_DENY
    default: return SQLITE_DENY
    }
  }
}

/// An authorizer of a query's actions: calling functions and reading the views.
private enum QueryGate {
  private static let functions: Set<String> = ["load_extension", "fts3_tokenizer"]
  static let tables: Set<String> = ["json_each", "json_tree"]
  /// The documented views, and those of the archive beneath them.
  private static let views = Set(QueryView.all.map(\.name)).union([
    "day_metrics", "persons", "action_goal_contributions", "goal_value_alignments",
    "term_goal_assignments",
  ])

  static func canCall(_ function: String) -> Bool { !functions.contains(function.lowercased()) }

  static func verdict(
    _ action: Int32, _ object: UnsafePointer<CChar>?, _ column: UnsafePointer<CChar>?,
    _ base: UnsafePointer<CChar>?, _ view: UnsafePointer<CChar>?
  ) -> Int32 {
    func text(_ name: UnsafePointer<CChar>?) -> String { name.map { String(cString: $0) } ?? "" }
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_FUNCTION: return canCall(text(column)) ? SQLITE_OK : SQLITE_DENY
    case SQLITE_READ:
      // Without a column, rows are only counted; without a database, it is the query's own table.
      let isAllowed =
        text(column).isEmpty || base == nil || text(base) == "temp"
        || views.contains(text(view).lowercased()) || tables.contains(text(object))
      return isAllowed ? SQLITE_OK : SQLITE_DENY
    default: return SQLITE_DENY
    }
  }
}
