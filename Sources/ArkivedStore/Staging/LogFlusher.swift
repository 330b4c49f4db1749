import Foundation
import GRDB
import Synchronization

/// Moves what a stage wrote from the log into the database on a thread of its own, so that the
/// import does not wait for the disk. Nobody is kept from writing meanwhile.
final class LogFlusher: Sendable {
  private let connection: DatabaseQueue
  private let log: String
  private let thread = DispatchQueue(label: "log flusher")
  private let isBusy = Mutex(false)

  /// - Parameter folder: the archive's folder.
  init(in folder: URL) throws {
    connection = try Archive.stageConnection(in: folder)
    log = folder.appendingPathComponent("archive.sqlite-wal").path
  }

  /// How many bytes the log takes up.
  var logSize: Int {
    var status = stat()
    return stat(log, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Begins to flush, unless that is going on already.
  func start() {
    let isFirst = isBusy.withLock { isBusy in
      defer { isBusy = true }
      return !isBusy
    }
    guard isFirst else { return }
    thread.async { [self] in
      flush()
      isBusy.withLock { $0 = false }
    }
  }

  /// Flushes all that is committed, and returns when it is done; the log can begin anew then.
  func finish() { thread.sync { flush() } }

  /// What cannot be flushed now stays in the log, which is as safe.
  private func flush() {
    try? connection.writeWithoutTransaction { db in
      _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
    }
  }
}
