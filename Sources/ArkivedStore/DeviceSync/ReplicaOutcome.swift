/// The result of a merge.
package struct ReplicaOutcome: Sendable {
  /// The number of entities written here.
  package var written = 0
  package var conflicts = 0
}
