import Foundation
import GRDB
import GRDBSQLite

/// How long a query may take. SQLite asks every so many steps, and gives up with
/// `SQLITE_INTERRUPT` when the time is over.
final class Patience {
  private let end: ContinuousClock.Instant

  /// Steps of SQLite's machine between two looks at the clock: some microseconds.
  private static let steps: Int32 = 4_000

  init(seconds: Double) {
    end = ContinuousClock.now.advanced(by: .seconds(min(seconds, 1e6)))
  }

  /// Runs statements until the time is over.
  ///
  /// - Returns: nil when it was.
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
        // Another's interruption, such as that of a server that ends, stays an error.
        guard ContinuousClock.now > patience.end else { throw error }
        return nil
      }
    }
  }
}
