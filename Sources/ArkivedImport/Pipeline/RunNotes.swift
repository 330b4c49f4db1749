import Synchronization

/// Remembers what an importer has told of a whole run, so that a run over thousands of files says it
/// once.
package final class RunNotes: Sendable {
  private let told = Mutex<Set<String>>([])

  package init() {}

  /// Whether a subject is asked for the first time in this run.
  package func isFirst(_ subject: String) -> Bool {
    told.withLock { $0.insert(subject).inserted }
  }
}
