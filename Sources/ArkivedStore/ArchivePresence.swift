import Foundation
import Synchronization

/// Notices when an open archive's files are moved away, replaced or removed.
///
/// SQLite would go on with files that nobody finds any more, so that what it acknowledges is lost, or
/// mix the log of one file with the pages of another (https://sqlite.org/howtocorrupt.html, 2.4 and
/// 4.2). Two looks at a name take some microseconds.
final class ArchivePresence: Sendable {
  private let file: URL
  private let state: Mutex<State>

  private struct State {
    var database: FileIdentity?
    /// The write-ahead log, from the first write on: who has the archive open keeps it there.
    var log: FileIdentity?
  }

  /// - Parameters:
  ///   - file: the database.
  ///   - found: what its name stood for when the archive was looked at.
  init(of file: URL, _ found: FileIdentity) {
    self.file = file
    state = Mutex(State(database: found))
  }

  /// - Throws: `ArchiveError.displaced`.
  func check() throws {
    let (database, log) = state.withLock { ($0.database, $0.log) }
    let present = FileIdentity(of: file.path)
    guard database == present, present?.size != 0,
      log == nil || log == FileIdentity(of: file.path + "-wal")
    else { throw ArchiveError.displaced(path: file.path) }
  }

  /// To be called after a write, by which the log came to be.
  func rememberLog() {
    state.withLock { state in
      if state.log == nil { state.log = FileIdentity(of: file.path + "-wal") }
    }
  }
}
