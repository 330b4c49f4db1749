import Synchronization

/// Remembers what an importer has told of a whole run, so that a run over thousands of files says it
/// once, and what it found out that all of them need.
package final class RunNotes: Sendable {
  private let told = Mutex<Set<String>>([])
  private let findings = Mutex<[String: any Sendable]>([:])

  package init() {}

  /// Whether a subject is asked for the first time in this run.
  package func isFirst(_ subject: String) -> Bool {
    told.withLock { $0.insert(subject).inserted }
  }

  /// What was found out under a name; it is made when it is asked for the first time.
  func found<Value: Sendable>(_ name: String, or make: () -> Value) -> Value {
    if let value = findings.withLock({ $0[name] as? Value }) { return value }
    let value = make()
    findings.withLock { $0[name] = value }
    return value
  }
}
