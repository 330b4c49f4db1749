import ArkivedEngine
import ArkivedStore
import Foundation
import HTTPTypes

/// Syncs each link at most once at a time.
actor CalendarTurns {
  private struct Turn {
    var number: Int
    var task: Task<SyncReport, any Error>
  }

  private var running: [UUID: Turn] = [:]
  private var count = 0

  func isRunning(_ link: UUID) -> Bool { running[link] != nil }

  /// Syncs a link.
  ///
  /// - Throws: `WebFailure` 409 while another request syncs it.
  func sync(
    _ link: SyncLink, _ job: SyncJob, window: CalendarSync.Window? = nil, readsAll: Bool = false
  ) async throws -> SyncReport {
    guard running[link.id] == nil else {
      throw WebFailure(
        .conflict, "Sync in progress", "This is already being synced. Wait until it’s done.")
    }
    let task = begin(link, job, window: window, readsAll: readsAll)
    let number = count
    let result = await task.result
    // The answer says that it is done, so the next request may begin another one.
    end(link.id, number)
    return try result.get()
  }

  /// Starts a sync, or joins the running one; it continues even if nobody waits for it.
  func begin(
    _ link: SyncLink, _ job: SyncJob, window: CalendarSync.Window? = nil, readsAll: Bool = false
  ) -> Task<SyncReport, any Error> {
    if let turn = running[link.id] { return turn.task }
    let task = Task { try await job.bringInLine(link, window: window, readsAll: readsAll) }
    count += 1
    let number = count
    running[link.id] = Turn(number: number, task: task)
    Task {
      _ = await task.result
      end(link.id, number)
    }
    return task
  }

  /// Ends a turn, but not one that began after it.
  private func end(_ link: UUID, _ number: Int) {
    if running[link]?.number == number { running[link] = nil }
  }

  /// Starts a sync and waits a moment for it.
  ///
  /// - Returns: false if it continues.
  func beginAndWait(_ link: SyncLink, _ job: SyncJob) async throws -> Bool {
    _ = begin(link, job)
    for _ in 0..<40 where isRunning(link.id) {
      try await Task.sleep(for: .milliseconds(100))
    }
    return !isRunning(link.id)
  }
}
