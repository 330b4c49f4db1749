import ArkivedCore
import GRDB

/// Merging changes of other devices, and reading everything for a snapshot.
extension Archive {
  /// Captures the changes made here, then merges other devices' segments, either all or none.
  ///
  /// - Parameters:
  ///   - segments: each device's segments in the order of its log, beginning after the last one
  ///     that was merged.
  ///   - publishes: false to keep this device's changes only in the states.
  /// - Returns: the number of entities written and of conflicts.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func mergeReplica(
    _ segments: [ReplicaSegment], publishes: Bool = true
  ) throws -> ReplicaOutcome {
    try captureReplica(publishes: publishes)
    return try transact { db in
      guard var capture = try Self.replicaCapture(db, now: clock.now, publishes: publishes) else {
        return ReplicaOutcome()
      }
      _ = try capture.run()
      // Changes made here so far were made without knowledge of what is read now.
      try capture.seal()
      let log = ReplicaLog(db: db)
      var merge = ReplicaMerge(db, self, capture)
      for segment in segments {
        for change in segment.changes {
          try merge.join(
            change.state, change.key, by: segment.device, having: segment.seen, isSegment: true)
        }
        try log.set(
          ReplicaPlace(sequence: segment.sequence, link: segment.link), of: segment.device)
      }
      try merge.show()
      return ReplicaOutcome(written: merge.written, conflicts: merge.conflicts)
    }
  }

  /// Merges a snapshot of another device.
  ///
  /// - Parameters:
  ///   - writer: the device that wrote it.
  ///   - places: the last segment that the device had read in each log; its own log is under its
  ///     name.
  ///   - publishes: false to keep this device's changes only in the states.
  ///   - changes: calls its argument with each change in the snapshot.
  /// - Returns: the number of entities written and of conflicts.
  /// - Throws: an error if the snapshot can't be read or the archive can't be written.
  package func mergeReplicaSnapshot(
    by writer: String, places: [String: ReplicaPlace], publishes: Bool = true,
    _ changes: ((ReplicaChange) throws -> Void) throws -> Void
  ) throws -> ReplicaOutcome {
    try captureReplica(publishes: publishes)
    return try fill { db in
      guard var capture = try Self.replicaCapture(db, now: clock.now, publishes: publishes),
        let own = try ReplicaTables(db: db).value("device")?.string
      else { return ReplicaOutcome() }
      _ = try capture.run()
      try capture.seal()
      let log = ReplicaLog(db: db)
      var merge = ReplicaMerge(db, self, capture, isWhole: true)
      let seen = places.mapValues(\.sequence)
      try changes { change in
        try merge.join(change.state, change.key, by: writer, having: seen, isSegment: false)
      }
      let known = try log.places()
      for (device, place) in places where device != own {
        if place.sequence > known[device]?.sequence ?? 0 { try log.set(place, of: device) }
      }
      try merge.mergeReturningTexts()
      try merge.show()
      return ReplicaOutcome(written: merge.written, conflicts: merge.conflicts)
    }
  }

  /// Reads everything that this device knows, in one transaction.
  ///
  /// - Returns: the positions in all logs; this device's own log is under its name.
  package func readReplica(
    _ body: (ReplicaChange) throws -> Void
  ) throws -> [String: ReplicaPlace] {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT type, id, state FROM replica_states WHERE type <> '\(ReplicaTables.memories)'
          ORDER BY type, id
          """)
      while let row = try rows.next() {
        try body(
          ReplicaChange(
            key: ReplicaKey(type: row[0], id: row[1]),
            state: try ReplicaState(JSON(parsing: row[2] as String))))
      }
      var places = try ReplicaLog(db: db).places()
      let own = try ReplicaTables(db: db).value("device")?.string ?? ""
      places[own] = places.removeValue(forKey: "") ?? .start
      return places
    }
  }
}
