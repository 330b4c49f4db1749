import Foundation
import GRDB
import GRDBSQLite

/// A time limit for queries.
///
/// SQLite checks it after a number of steps, and gives up with `SQLITE_INTERRUPT` when the time is
/// up.
final class Patience {
  private let end: ContinuousClock.Instant

  /// The number of steps of SQLite's virtual machine between two checks of the clock: a few
  /// microseconds.
  private static let steps: Int32 = 4_000

  init(seconds: Double) {
    end = ContinuousClock.now.advanced(by: .seconds(min(seconds, 1e6)))
  }

  /// Runs statements until the time is up.
  ///
  /// - Returns: nil if it ran out of time.
  static func within<Value>(
    _ seconds: Double?, _ db: Database, _ body: () throws -> Value
  ) throws -> Value? {
    guard let seconds, let connection = db.sqliteConnection else { return try body() }
    let patience = Patience(seconds: seconds)
    return try withExtendedLifetime(patience) {
      sqlite3_progress_handler(
        connection, steps,
        { context in
          guard let context else { return 0 }
          let patience = Unmanaged<Patience>.fromOpaque(context).takeUnretainedValue()
          return ContinuousClock.now > patience.end ? 1 : 0
        }, Unmanaged.passUnretained(patience).toOpaque())
      defer { sqlite3_progress_handler(connection, 0, nil, nil) }
      do {
        return try body()
      } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
        // An interruption for another reason, such as a server's shutdown, stays an error.
        guard ContinuousClock.now > patience.end else { throw error }
        return nil
      }
    }
  }
}
