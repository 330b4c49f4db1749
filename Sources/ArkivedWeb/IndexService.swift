import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ServiceLifecycle
import Synchronization

/// Keeps the indexes of search in line with the archive while the server runs: what any program
/// writes is found by its meaning within a second or so.
final class IndexService: Service {
  private let archive: Archive
  private let indexes: SearchIndexes
  private let status: IndexStatus
  private let timelines: ArchiveTimelines
  private let news: ArchiveNews
  /// A job works on a thread of its own, which knows nothing of tasks and their ends.
  private let isStopped = Flag()

  /// How often is asked whether something was written, while something is or nothing tells.
  private static let pause = Duration.seconds(1)
  /// How often at rest.
  private static let restPause = Duration.seconds(30)
  /// How long to leave alone what went wrong, or what an import is about to change anyway.
  private static let longPause = Duration.seconds(15)
  /// How long at most to leave alone an address for embeddings that does not answer.
  private static let longestPause = Duration.seconds(300)
  /// How often an import is waited for: one that was killed stays until the next.
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
    /// Grows while it goes wrong again and again.
    var patience = Self.longPause
    while !Task.isCancelled {
      var pause = Self.pause
      do {
        if try watch.hasNews() { isDue = true }
        // The owner may have chosen another model.
        let chosen = indexes.choice
        if chosen != choice { (choice, isDue) = (chosen, true) }
        if isDue {
          // What an import is about to change anyway is left alone for a while.
          if try archive.hasBrokenImports(), waits < Self.waitLimit {
            waits += 1
            pause = Self.longPause
          } else {
            let stop = isStopped
            // Whatever is wrong with it, whoever asks does without; the indexes of search go on.
            try? await onOwnThread(givesWay: true) { [timelines] in
              try timelines.keep(isCancelled: { stop.isOn })
            }
            let summary = try await job.run()
            tell(summary)
            waits = 0
            isDue = summary.isBusy || summary.isUnanswered
            if isDue { pause = summary.isBusy ? Self.longPause : patience }
            // Words wait as long, so it is never very long.
            patience =
              summary.isUnanswered ? min(patience * 2, Self.longestPause) : Self.longPause
          }
        }
      } catch {
        // Search goes on without; there may be room on the disk later.
        tell(error)
        pause = patience
        patience = min(patience * 2, .seconds(3600))
      }
      if pause == Self.pause {
        heard = await news.wait(after: heard, pausing: pause, atMost: Self.restPause)
      } else {
        // What went wrong is left alone, whatever is written meanwhile.
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

/// What is off until somebody turns it on, on whatever thread.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isOn: Bool { value.load(ordering: .relaxed) }
  func turnOn() { value.store(true, ordering: .relaxed) }
}
