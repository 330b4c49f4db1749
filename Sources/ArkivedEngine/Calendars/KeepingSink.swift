import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation
import Synchronization

/// A sink that stores what a source delivers, in transactions of many resources.
final class KeepingSink: CalendarSink {
  private struct State {
    var resources: [(name: String, version: String, content: Data)] = []
    var byteCount = 0
    var warnings: [ImportRun.Warning] = []
  }

  private let archive: Archive
  private let link: UUID
  private let isCancelled: @Sendable () -> Bool
  private let watch: @Sendable (CalendarSync.Progress) -> Void
  private let state = Mutex(State())

  private static let mostResources = 500
  private static let mostBytes = 8 << 20

  init(
    archive: Archive, link: UUID, isCancelled: @escaping @Sendable () -> Bool,
    watch: @escaping @Sendable (CalendarSync.Progress) -> Void
  ) {
    self.archive = archive
    self.link = link
    self.isCancelled = isCancelled
    self.watch = watch
  }

  var warnings: [ImportRun.Warning] { state.withLock { $0.warnings } }

  func take(_ resource: CalendarResource) async throws {
    let content: Data
    switch resource.content {
    case .bytes(let bytes): content = Data(bytes)
    // A file is read again from its own location.
    case .file: content = Data()
    }
    let isFull = state.withLock { state in
      state.resources.append((resource.name, resource.version, content))
      state.byteCount += content.count
      return state.resources.count >= Self.mostResources || state.byteCount >= Self.mostBytes
    }
    if isFull { try finish() }
  }

  func remove(_ name: String) async throws {
    try finish()
    try archive.dropCalendarResources([name], ofLink: link)
  }

  func progress(_ done: Int, of total: Int?) async throws {
    if isCancelled() { throw ImportCancelled() }
    watch(.init(step: .fetching, done: done, total: total))
  }

  func warn(_ place: String, _ message: String) async {
    state.withLock { state in
      guard state.warnings.count < ImportState.warningLimit else { return }
      state.warnings.append(.init(place: place, message: message))
    }
  }

  func finish() throws {
    let resources = state.withLock { state in
      defer { (state.resources, state.byteCount) = ([], 0) }
      return state.resources
    }
    if !resources.isEmpty { try archive.keep(resources, ofLink: link) }
  }
}
