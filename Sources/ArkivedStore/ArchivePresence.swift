import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

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

  /// - Parameter file: the database of an archive that was just opened.
  init(of file: URL) {
    self.file = file
    state = Mutex(State(database: FileIdentity(of: file.path)))
  }

  /// - Throws: `ArchiveError.displaced`.
  func check() throws {
    let (database, log) = state.withLock { ($0.database, $0.log) }
    guard database == FileIdentity(of: file.path),
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

/// Which file a name stands for.
private struct FileIdentity: Equatable, Sendable {
  var device: UInt64
  var number: UInt64

  /// nil where there is none.
  init?(of path: String) {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: about.st_dev)
    number = UInt64(truncatingIfNeeded: about.st_ino)
  }
}
