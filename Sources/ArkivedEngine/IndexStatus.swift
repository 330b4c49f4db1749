package import ArkivedCore
import Synchronization

/// What the indexes of search are at, for whoever shows it: kept by the one that runs the job.
package final class IndexStatus: Sendable {
  /// The state at a moment.
  package struct State: Sendable {
    /// How far the job is; nil while nothing is to be done.
    package var progress: IndexProgress?
    /// Why there is no search by meaning.
    package var absence: String?
    /// Whether another program makes the indexes.
    package var isBusyElsewhere = false
    /// What went wrong last; the job is tried again.
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
