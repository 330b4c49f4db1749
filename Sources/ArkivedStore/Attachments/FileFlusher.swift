import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A writer that stores an import's files and flushes many together on a separate thread, so the
/// import does not wait for the disk three times per file.
///
/// Anything that refers to them has to wait for `finish`.
package final class FileFlusher: Sendable {
  /// A file to flush, and a flag that shows if it is new.
  private struct Waiting {
    var file: URL
    var isNew: Bool
  }

  private struct State {
    /// The folders to flush, with their own names and the names in them.
    var folders: Set<URL> = []
    var waiting: [Waiting] = []
    var failure: POSIXFailure?
  }

  /// The number of files flushed together: the disk writes their content at once, and one entry in
  /// the file system's journal is enough for most of them.
  private static let batch = 64

  private let thread = DispatchQueue(label: "file flusher")
  private let state = Mutex(State())

  package init() {}

  /// Writes a file unless it already has this content.
  ///
  /// - Throws: `POSIXFailure` if the file can't be written, flushed or renamed.
  func keep(_ content: Data, at target: URL) throws {
    try makeShelf(of: target)
    let isNew = !Self.isThere(target) || (try? Self.content(of: target)) != content
    if isNew {
      try DurableFile.write(to: target, isFlushed: false) { append in try append(content) }
    }
    flush(target, isNew: isNew)
  }

  /// Renames a file on the same disk to its final name; if a file with this content already has it,
  /// the file is removed.
  ///
  /// - Throws: `POSIXFailure`; the file is then left in its place.
  func place(_ file: URL, at target: URL) throws {
    try makeShelf(of: target)
    let isNew =
      try !Self.isThere(target) || (try? Self.content(of: target)) != Self.content(of: file)
    if isNew {
      guard rename(file.path, target.path) == 0 else { throw POSIXFailure(path: target.path) }
    } else {
      unlink(file.path)
    }
    flush(target, isNew: isNew)
  }

  /// Creates the folder of all files, and flushes it, before the first file is stored.
  ///
  /// - Throws: `POSIXFailure` if the folder can't be created or flushed.
  func make(_ folder: URL) throws {
    guard !state.withLock({ $0.folders.contains(folder) }) else { return }
    try DurableFile.makeFolder(folder)
    _ = state.withLock { $0.folders.insert(folder) }
  }

  private func makeShelf(of target: URL) throws {
    let shelf = target.deletingLastPathComponent()
    guard !state.withLock({ $0.folders.contains(shelf) }) else { return }
    try make(shelf.deletingLastPathComponent())
    // `finish` flushes its name and the names in it.
    guard mkdir(shelf.path, 0o700) == 0 || errno == EEXIST else {
      throw POSIXFailure(path: shelf.path)
    }
    _ = state.withLock { $0.folders.insert(shelf) }
  }

  private static func isThere(_ url: URL) -> Bool {
    var status = stat()
    return lstat(url.path, &status) == 0
  }

  private static func content(of url: URL) throws -> Data {
    try Data(contentsOf: url, options: .mappedIfSafe)
  }

  // MARK: Flushing

  private func flush(_ file: URL, isNew: Bool) {
    let isFull = state.withLock { state in
      state.waiting.append(Waiting(file: file, isNew: isNew))
      return state.waiting.count.isMultiple(of: Self.batch)
    }
    if isFull { thread.async { [self] in flushWaiting() } }
  }

  private func flushWaiting() {
    let files = state.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for waiting in files where waiting.isNew { DurableFile.beginWriting(waiting.file) }
    for waiting in files { flush(waiting) }
  }

  private func flush(_ waiting: Waiting) {
    do {
      try DurableFile.synchronise(waiting.file)
    } catch {
      // Data that the disk did not accept may look intact until the next start, so it cannot be
      // trusted.
      if waiting.isNew { try? FileManager.default.removeItem(at: waiting.file) }
      let failure = error as? POSIXFailure ?? POSIXFailure(path: waiting.file.path, code: EIO)
      state.withLock { $0.failure = $0.failure ?? failure }
    }
  }

  /// Waits until everything stored survives a power failure.
  ///
  /// - Throws: `POSIXFailure` if something could not be flushed.
  package func finish() throws {
    thread.sync { flushWaiting() }
    let (folders, failure) = state.withLock { ($0.folders, $0.failure) }
    if let failure { throw failure }
    for folder in folders {
      try DurableFile.toleratingUnflushable { try DurableFile.synchronise(folder) }
    }
    state.withLock { $0.folders = [] }
  }
}
