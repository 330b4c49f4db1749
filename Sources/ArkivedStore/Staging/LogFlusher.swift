import Foundation
import GRDB
import Synchronization

/// A thread that moves a stage's writes from the log into the database, so the import does not wait
/// for the disk.
///
/// Other writers are not blocked in the meantime.
final class LogFlusher: Sendable {
  private let connection: DatabaseQueue
  private let thread = DispatchQueue(label: "log flusher")
  private let state = Mutex(State())

  private struct State {
    var isBusy = false
    var logPages = 0
  }

  /// Creates a flusher.
  ///
  /// - Parameter folder: the archive's folder.
  /// - Throws: an error if the folder can't be opened.
  init(in folder: URL) throws {
    connection = try Archive.stageConnection(in: folder)
  }

  /// The number of pages in the log when it was last flushed; zero if the next transaction restarts
  /// it.
  ///
  /// The size of its file doesn't show this, because it never shrinks.
  var logPages: Int { state.withLock { $0.logPages } }

  /// Begins to flush, unless that is already in progress.
  func start() {
    let isFirst = state.withLock { state in
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard isFirst else { return }
    thread.async { [self] in
      let log = flush()
      state.withLock { $0 = State(isBusy: false, logPages: log?.pages ?? 0) }
    }
  }

  /// Flushes everything committed, and returns when it is done; the log can then be restarted.
  func finish() {
    let log = thread.sync { flush() }
    state.withLock { $0.logPages = log.map { $0.isFlushed ? 0 : $0.pages } ?? 0 }
  }

  /// Waits until nothing is being flushed.
  func wait() { thread.sync {} }

  /// Flushes the log.
  ///
  /// Anything that cannot be flushed at present stays in the log, which is just as safe.
  ///
  /// - Returns: the length of the log, and true if all of it was flushed.
  private func flush() -> (pages: Int, isFlushed: Bool)? {
    try? connection.writeWithoutTransaction { db in
      try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)").map { row in
        (pages: row[1], isFlushed: row[1] as Int == row[2])
      }
    }
  }
}
