package import ArkivedCore
import Synchronization

/// The state of the search indexes for display, updated by the owner of the job.
package final class IndexStatus: Sendable {
  /// The state at a moment.
  package struct State: Sendable {
    /// The progress of the job; nil if there is nothing to do.
    package var progress: IndexProgress?
    /// The reason search by meaning is not available.
    package var absence: String?
    /// True if another program builds the indexes.
    package var isBusyElsewhere = false
    /// The last error; the job will be tried again.
    package var problem: String?

    package init() {}

    package var json: JSON {
      [
        "stage": progress.map { .string($0.stage.rawValue) } ?? .null,
        "done": JSON(progress?.done), "total": JSON(progress?.total),
        "secondsLeft": progress?.secondsLeft.map { JSON($0.rounded(.up)) } ?? .null,
        "absence": JSON(absence), "busyElsewhere": .bool(isBusyElsewhere),
        "problem": JSON(problem),
      ]
    }
  }

  private let state = Mutex(State())

  package init() {}

  package var now: State { state.withLock { $0 } }

  package func change(_ body: (inout sending State) -> Void) {
    state.withLock { body(&$0) }
  }
}
