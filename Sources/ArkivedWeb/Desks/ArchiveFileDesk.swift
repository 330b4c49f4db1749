import Foundation

/// A desk with one job at a time that reads another archive or a backup.
protocol ArchiveFileDesk: Sendable {
  associatedtype Job: ArchiveFileJob
  var slot: ArchiveFileSlot<Job> { get }
}

extension ArchiveFileDesk {
  /// The current job, or the last one since the server started.
  var current: Job? { slot.current }

  /// Asks the current work to stop; nothing is changed.
  func cancel(_ id: UUID) { slot.cancel(id) }

  /// Discards a waiting preview, or the outcome of finished work.
  func dismiss(_ id: UUID) { slot.dismiss(id) }
}
