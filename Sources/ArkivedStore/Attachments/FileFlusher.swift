import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Stores files of an import and flushes them on a thread of its own, so that the import does not wait
/// for the disk three times for each. What names them has to wait for `finish`.
package final class FileFlusher: Sendable {
  private struct State {
    var folders: Set<URL> = []
    var failure: POSIXFailure?
  }

  private let thread = DispatchQueue(label: "file flusher")
  private let state = Mutex(State())

  package init() {}

  /// Writes a file that has not this content yet.
  ///
  /// - Throws: `POSIXFailure`.
  func keep(_ content: Data, at target: URL) throws {
    let folder = target.deletingLastPathComponent()
    if !state.withLock({ $0.folders.contains(folder) }) {
      try DurableFile.makeFolder(folder)
      _ = state.withLock { $0.folders.insert(folder) }
    }
    let isNew = (try? Data(contentsOf: target, options: .mappedIfSafe)) != content
    if isNew {
      try DurableFile.write(to: target, isFlushed: false) { append in try append(content) }
    }
    thread.async { [self] in flush(target, isNew: isNew) }
  }

  private func flush(_ file: URL, isNew: Bool) {
    do {
      try DurableFile.synchronise(file)
    } catch {
      // What the disk did not take may look whole until the next start, and is not to be trusted.
      if isNew { try? FileManager.default.removeItem(at: file) }
      let failure = error as? POSIXFailure ?? POSIXFailure(path: file.path, code: EIO)
      state.withLock { $0.failure = $0.failure ?? failure }
    }
  }

  /// Returns when everything that was stored survives a power loss.
  ///
  /// - Throws: `POSIXFailure` where something could not be flushed.
  package func finish() throws {
    thread.sync {}
    let (folders, failure) = state.withLock { ($0.folders, $0.failure) }
    if let failure { throw failure }
    for folder in folders { try DurableFile.synchronise(folder) }
    state.withLock { $0.folders = [] }
  }
}
