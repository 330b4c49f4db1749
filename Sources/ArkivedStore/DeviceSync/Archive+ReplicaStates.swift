package import ArkivedCore
import GRDB

/// Synced data other than entities of the archive, such as devices.
extension Archive {
  /// Returns the states of entities that only the engine understands, such as devices.
  package func replicaStates(of type: String) throws -> [(id: String, state: ReplicaState)] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, state FROM replica_states WHERE type = ? ORDER BY id",
        arguments: [type]
      ).map { ($0[0], try ReplicaState(JSON(parsing: $0[1] as String))) }
    }
  }

  /// Sets fields of such a thing.
  package func setReplica(
    _ values: [String: JSON], of key: ReplicaKey, publishes: Bool = true
  ) throws {
    try transact { db in
      guard var capture = try Self.replicaCapture(db, now: clock.now, publishes: publishes) else {
        return
      }
      let tables = ReplicaTables(db: db)
      var state = try tables.load(key)?.state ?? ReplicaState()
      let known = state.values
      let changed = values.filter { !ReplicaFields.isSame(known[$0.key], $0.value) }
      guard !changed.isEmpty else { return }
      let stamp = capture.stamp(at: clock.now.milliseconds, after: state)
      var change = ReplicaState()
      change.touched = stamp
      for (name, value) in changed {
        change.registers[name] = ReplicaState.Register(value: value, stamp: stamp)
      }
      state.merge(change)
      try tables.save(state, key)
      try capture.send(change, key)
      try capture.keepClock()
    }
  }
}
