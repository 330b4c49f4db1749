import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ServiceLifecycle
import Synchronization

/// Keeps the search indexes up to date while the server runs, so anything a program writes can be
/// found by meaning within about a second.
final class IndexService: Service {
  private let archive: Archive
  private let indexes: SearchIndexes
  private let status: IndexStatus
  private let timelines: ArchiveTimelines
  private let news: ArchiveNews
  /// A job works on a separate thread that doesn't know about task cancellation.
  private let isStopped = Flag()

  /// The interval between checks for new writes during activity, or if the system doesn't report
  /// them.
  private static let pause = Duration.seconds(1)
  /// The interval between checks when idle.
  private static let restPause = Duration.seconds(30)
  /// The delay after a failure, or while an import is about to change the data anyway.
  private static let longPause = Duration.seconds(15)
  /// The longest delay while a server for embeddings doesn't respond.
  private static let longestPause = Duration.seconds(300)
  /// The maximum number of delays for an import, because one that was killed remains until the next
  /// one.
  private static let waitLimit = 40

  init(
    archive: Archive, indexes: SearchIndexes, status: IndexStatus, timelines: ArchiveTimelines,
    news: ArchiveNews
  ) {
    self.news = news
    self.timelines = timelines
    self.archive = archive
    self.indexes = indexes
    self.status = status
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskCancellationHandler {
        await self.keep()
      } onCancel: {
        self.isStopped.turnOn()
      }
    }
  }

  private func keep() async {
    var watch = try? ArchiveWatch(archive)
    while watch == nil, !Task.isCancelled {
      try? await Task.sleep(for: Self.longPause)
      watch = try? ArchiveWatch(archive)
    }
    guard let watch else { return }
    let job = IndexJob(
      archive, indexes, isCancelled: { self.isStopped.isOn },
      progress: { progress in self.status.change { $0.progress = progress } })
    var isDue = false
    var heard = 0
    var choice = indexes.choice
    var waits = 0
    /// The current delay, which grows with repeated failures.
    var patience = Self.longPause
    while !Task.isCancelled {
      var pause = Self.pause
      do {
        if try watch.hasNews() { isDue = true }
        // The owner may have chosen another model.
        let chosen = indexes.choice
        if chosen != choice { (choice, isDue) = (chosen, true) }
        if isDue {
          // Data that an import is about to change anyway is skipped for a while.
          if try archive.hasBrokenImports(), waits < Self.waitLimit {
            waits += 1
            pause = Self.longPause
          } else {
            let stop = isStopped
            // If it fails, readers work without it, and the search indexes continue.
            try? await onOwnThread(givesWay: true) { [timelines] in
              try timelines.keep(isCancelled: { stop.isOn })
            }
            let summary = try await job.run()
            tell(summary)
            waits = 0
            isDue = summary.isBusy || summary.isUnanswered
            if isDue { pause = summary.isBusy ? Self.longPause : patience }
            // Word search waits as long, so the delay is never very long.
            patience =
              summary.isUnanswered ? min(patience * 2, Self.longestPause) : Self.longPause
          }
        }
      } catch {
        // Search continues without it; there may be disk space later.
        tell(error)
        pause = patience
        patience = min(patience * 2, .seconds(3600))
      }
      if pause == Self.pause {
        heard = await news.wait(after: heard, pausing: pause, atMost: Self.restPause)
      } else {
        // Anything that failed is skipped for a while, even if there are new writes.
        try? await Task.sleep(for: pause)
      }
    }
  }

  private func tell(_ summary: IndexJob.Summary) {
    status.change {
      $0.progress = nil
      $0.absence = summary.absence
      $0.isBusyElsewhere = summary.isBusy
      $0.problem = nil
    }
  }

  private func tell(_ error: any Error) {
    var sentence = StorageTrouble(error)?.sentence
    if case ArchiveError.refused(let reason) = error { sentence = reason }
    status.change {
      $0.progress = nil
      $0.problem = sentence ?? "The search indexes couldn’t be updated. Arkived will try again."
    }
  }
}

/// A flag that can be set once from any thread.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isOn: Bool { value.load(ordering: .relaxed) }
  func turnOn() { value.store(true, ordering: .relaxed) }
}
