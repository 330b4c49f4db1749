import Foundation
import GRDB
import Synchronization

/// Moves what a stage wrote from the log into the database on a thread of its own, so that the
/// import does not wait for the disk. Nobody is kept from writing meanwhile.
final class LogFlusher: Sendable {
  private let connection: DatabaseQueue
  private let thread = DispatchQueue(label: "log flusher")
  private let state = Mutex(State())

  private struct State {
    var isBusy = false
    var logPages = 0
  }

  /// - Parameter folder: the archive's folder.
  init(in folder: URL) throws {
    connection = try Archive.stageConnection(in: folder)
  }

  /// How many pages the log held when it was last flushed; none where the next transaction begins
  /// it anew. Its file does not tell, since it never shrinks.
  var logPages: Int { state.withLock { $0.logPages } }

  /// Begins to flush, unless that is going on already.
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

  /// Flushes all that is committed, and returns when it is done; the log can begin anew then.
  func finish() {
    let log = thread.sync { flush() }
    state.withLock { $0.logPages = log.map { $0.isFlushed ? 0 : $0.pages } ?? 0 }
  }

  /// Returns when nothing is being flushed.
  func wait() { thread.sync {} }

  /// What cannot be flushed now stays in the log, which is as safe.
  ///
  /// - Returns: how long the log is, and whether all of it was flushed.
  private func flush() -> (pages: Int, isFlushed: Bool)? {
    try? connection.writeWithoutTransaction { db in
      try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)").map { row in
        (pages: row[1], isFlushed: row[1] as Int == row[2])
      }
    }
  }
}
