import ArkivedImport
import Foundation
import Synchronization

/// A private folder that is made when it is needed.
final class ScratchFolder: Sendable {
  private struct State {
    var url: URL?
    var isOver = false
  }

  private let state: Mutex<State>
  /// In which it is made.
  private let outer: ScratchFolder?
  /// Where it is made if that can be; else among the system's temporary files.
  private let home: URL?

  /// - Parameter outer: the folder in which it is to be, so that who may write there may write here;
  ///   among the system's temporary files when nil.
  init(in outer: ScratchFolder? = nil) {
    self.outer = outer
    home = nil
    state = Mutex(State())
  }

  /// - Parameter home: where it is made if that can be, such as on the archive's disk; among the
  ///   temporary files when nil, and where their owner named a place for these (`TMPDIR`).
  init(on home: URL?) {
    outer = nil
    self.home = ProcessInfo.processInfo.environment["TMPDIR"] == nil ? home : nil
    state = Mutex(State())
  }

  /// A folder that is there, and is somebody else's to remove.
  init(at url: URL) {
    outer = nil
    home = nil
    state = Mutex(State(url: url))
  }

  /// Where it is; nil before it is made.
  var url: URL? { state.withLock { $0.url } }

  /// - Throws: `RecordChannel.Closed` when the run has ended without its reader.
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
