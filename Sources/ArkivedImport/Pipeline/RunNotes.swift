import Synchronization

/// The shared memory of a run: the messages already reported, so a run over thousands of files
/// reports each once, and the results that all files need.
package final class RunNotes: Sendable {
  private let told = Mutex<Set<String>>([])
  private let findings = Mutex<[String: any Sendable]>([:])

  package init() {}

  /// Returns true if a subject occurs for the first time in this run.
  package func isFirst(_ subject: String) -> Bool {
    told.withLock { $0.insert(subject).inserted }
  }

  /// Returns the result stored under a name, which is computed on first use.
  func found<Value: Sendable>(_ name: String, or make: () -> Value) -> Value {
    if let value = findings.withLock({ $0[name] as? Value }) { return value }
    let value = make()
    findings.withLock { $0[name] = value }
    return value
  }
}
