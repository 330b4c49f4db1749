import ArkivedCore
import Foundation
import GRDB
import Synchronization

/// Filling the archive with everything that other devices have: one transaction that may take
/// minutes.
///
/// Reads go on meanwhile. Other writes wait as long as for any other program, and then fail with a
/// sentence that says why.
extension Archive {
  static let fillingSentence =
    "Everything from your other devices is being added right now. Nothing was changed. Try again "
    + "when it’s done."

  /// Runs one transaction that may take minutes.
  ///
  /// - Throws: what `body` throws.
  func fill<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try transact { db in
      connection.isFilling.store(true, ordering: .sequentiallyConsistent)
      defer { connection.isFilling.store(false, ordering: .sequentiallyConsistent) }
      return try body(db)
    }
  }

  /// Waits for such a transaction of this process, which SQLite's limit doesn't apply to.
  ///
  /// - Parameter seconds: the longest time to wait.
  /// - Throws: `DatabaseError` with `SQLITE_BUSY`, as SQLite does for another process.
  func waitWhileFilling(seconds: Double = Archive.busySeconds) throws {
    guard connection.isFilling.load(ordering: .sequentiallyConsistent) else { return }
    let deadline = Deadline(seconds: seconds)
    while connection.isFilling.load(ordering: .sequentiallyConsistent) {
      guard !deadline.hasPassed else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
      usleep(20_000)
    }
  }

  /// Runs a write, and says so if it failed because the archive is being filled.
  ///
  /// - Throws: `ArchiveError.busy`, or what `body` throws.
  func explainingFill<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      guard (try? isBeingFilled()) == true else { throw error }
      throw ArchiveError.busy(Self.fillingSentence)
    }
  }

  /// Returns true while this or another process fills the archive.
  private func isBeingFilled() throws -> Bool {
    if connection.isFilling.load(ordering: .sequentiallyConsistent) { return true }
    return try read { db in
      // Both are stored before the first fill begins, and only until it ends.
      let tables = ReplicaTables(db: db)
      return try tables.value(Self.joiningNote) != nil && tables.value("device") != nil
    }
  }
}
