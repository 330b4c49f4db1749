import ArkivedImport
import Foundation
import Synchronization

/// A private folder that is created when first needed.
final class ScratchFolder: Sendable {
  private struct State {
    var url: URL?
    var isOver = false
  }

  private let state: Mutex<State>
  /// The folder that contains it.
  private let outer: ScratchFolder?
  /// The preferred parent folder; otherwise it is created among the system's temporary files.
  private let home: URL?

  /// Creates a scratch folder.
  ///
  /// - Parameter outer: the parent folder, so a process that may write there may write here; nil
  ///   for the system's temporary files.
  init(in outer: ScratchFolder? = nil) {
    self.outer = outer
    home = nil
    state = Mutex(State())
  }

  /// Creates a scratch folder.
  ///
  /// - Parameter home: the parent folder if possible, such as on the archive's disk. It is among
  ///   the temporary files if this is nil, or if the user set a location for those (`TMPDIR`).
  init(on home: URL?) {
    outer = nil
    self.home = ProcessInfo.processInfo.environment["TMPDIR"] == nil ? home : nil
    state = Mutex(State())
  }

  /// Refers to an existing folder, which its owner removes.
  init(at url: URL) {
    outer = nil
    home = nil
    state = Mutex(State(url: url))
  }

  /// The location; nil before the folder is created.
  var url: URL? { state.withLock { $0.url } }

  /// Returns the folder, creating it if necessary.
  ///
  /// - Throws: `RecordChannel.Closed` if the run has ended without its reader.
  func make() throws -> URL {
    try state.withLock { state in
      guard !state.isOver else { throw RecordChannel.Closed() }
      if let url = state.url { return url }
      let url =
        try outer.map { try Self.make(in: $0) } ?? home.flatMap { try? ScratchFolders.make(in: $0) }
        ?? ScratchFolders.make()
      state.url = url
      return url
    }
  }

  private static func make(in outer: ScratchFolder) throws -> URL {
    let url = try outer.make().appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    return url
  }

  func remove() {
    state.withLock { state in
      state.isOver = true
      if let url = state.url { ScratchFolders.remove(url) }
    }
  }
}
