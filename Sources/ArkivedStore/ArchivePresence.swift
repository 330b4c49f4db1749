import Foundation
import Synchronization

/// A check that an open archive's files were not moved away, replaced or removed.
///
/// Otherwise SQLite would continue with files that nobody can find and acknowledged writes would be
/// lost, or it would mix the log of one file with the pages of another
/// (https://sqlite.org/howtocorrupt.html, 2.4 and 4.2). Checking two names takes a few
/// microseconds.
final class ArchivePresence: Sendable {
  private let file: URL
  /// The path of the log, which is beside the file itself if the database is a link.
  private let logPath: String
  private let state: Mutex<State>

  private struct State {
    var database: FileIdentity?
    /// The write-ahead log after the first write; an open archive keeps it in place.
    var log: FileIdentity?
  }

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - file: the database.
  ///   - found: the identity of the file when the archive was examined.
  init(of file: URL, _ found: FileIdentity) {
    self.file = file
    logPath = ArchiveFolder(url: file.deletingLastPathComponent()).log.path
    state = Mutex(State(database: found))
  }

  /// Throws if the files were displaced.
  ///
  /// - Throws: `ArchiveError.displaced`.
  func check() throws {
    let (database, log) = state.withLock { ($0.database, $0.log) }
    let present = FileIdentity(of: file.path)
    guard database == present, present?.size != 0,
      log == nil || log == FileIdentity(of: logPath)
    else { throw ArchiveError.displaced(path: file.path) }
  }

  /// Records the log's identity; call it after a write, which creates the log.
  func rememberLog() {
    state.withLock { state in
      if state.log == nil { state.log = FileIdentity(of: logPath) }
    }
  }
}
