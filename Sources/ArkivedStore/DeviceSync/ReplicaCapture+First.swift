import ArkivedCore
import Foundation
import GRDB

/// The first capture: what was there before sync was switched on.
///
/// Its stamps are the times at which things were last changed, so an old copy doesn't replace what
/// other devices changed later. If this device was in the group before, what it has changed since
/// then is later than what it knew when it left.
extension ReplicaCapture {
  /// Returns the state of an entity of which nothing is recorded yet; nil if there is nothing to
  /// record.
  ///
  /// - Parameters:
  ///   - key: the entity.
  ///   - present: its fields; nil if it isn't in the archive.
  ///   - raw: its fields with the IDs under which they are stored.
  /// - Returns: the state, or nil.
  /// - Throws: an error if the archive can't be read.
  mutating func first(
    _ key: ReplicaKey, _ present: ReplicaFields.Values?, raw: ReplicaFields.Values
  ) throws -> ReplicaState? {
    let memory = try tables.memory(of: key)
    guard let present else { return try deletion(key, memory) }
    func time(_ field: String) -> Instant? { present[field]?.string.flatMap { Instant($0) } }
    let own = time("updatedAt")
    let edited = firstTime((own ?? time("createdAt"))?.milliseconds)
    guard let memory else {
      let stamp = firstStamp(at: edited)
      return state(of: present, raw, key) { _ in stamp }
    }
    let isUnchanged = memory.updatedAt.map { $0 == own } ?? false
    let known = firstStamp(at: memory.isDead ? min(edited, memory.latest) : memory.latest)
    guard !isUnchanged else {
      return state(of: present, raw, key) { memory.version(of: $0, present) ?? known }
    }
    let stamp = firstStamp(at: max(edited, memory.latest + 1))
    let before = try records.oldVersion(of: key, from: memory.updatedAt)
    var changed = state(of: present, raw, key) { field in
      guard let before, ReplicaFields.isSame(before[field], present[field]) else { return stamp }
      return memory.version(of: field, present) ?? known
    }
    changed.touched = stamp
    for field in (before ?? [:]).keys where present[field] == nil {
      if ReplicaFields.isText(field, of: key.type) {
        changed.texts[field] = [stamp: ReplicaState.TextVersion(stamp: stamp, parents: [])]
      } else {
        changed.registers[field] = ReplicaState.Register(value: .null, stamp: stamp)
      }
    }
    return changed
  }

  private func state(
    of present: ReplicaFields.Values, _ raw: ReplicaFields.Values, _ key: ReplicaKey,
    stamp: (String) -> ReplicaStamp
  ) -> ReplicaState {
    var state = ReplicaState()
    for field in present.keys {
      let value = raw[field] ?? present[field] ?? .null
      let stamp = stamp(field)
      if ReplicaFields.isText(field, of: key.type) {
        state.texts[field] = [
          stamp: ReplicaState.TextVersion(stamp: stamp, parents: [], text: value.string)
        ]
      } else {
        state.registers[field] = ReplicaState.Register(value: value, stamp: stamp)
      }
    }
    state.touched = state.registers.values.map(\.stamp).max() ?? stamp("")
    return state
  }

  /// Returns the deletion of something that was deleted on purpose before sync was switched on, or
  /// that is gone since this device left the others.
  private mutating func deletion(
    _ key: ReplicaKey, _ memory: ReplicaMemory?
  ) throws -> ReplicaState? {
    var change = ReplicaState()
    guard memory?.isPurged != true else {
      change.isPurged = true
      return change
    }
    let deleted = try Int64.fetchOne(
      db, cached: "SELECT max(deleted_at) FROM tombstones WHERE source_id = ?",
      arguments: [key.id])
    let wasThere = memory?.updatedAt != nil
    guard deleted != nil || wasThere else { return nil }
    change.isUnwanted = deleted != nil
    let time = firstTime(deleted)
    guard let memory, wasThere || memory.isDead else {
      // It was deleted after the version that it replaced, even if the clock was wrong.
      let last = try lastOwnVersion(of: key).map { $0.milliseconds + 1 }
      change.dead = firstStamp(at: max(time, last ?? 0))
      try noteMerge(of: key, in: &change, after: ReplicaState())
      return change
    }
    change.dead = firstStamp(at: wasThere ? max(time, memory.latest + 1) : memory.latest)
    try noteMerge(of: key, in: &change, after: ReplicaState())
    return change
  }

  /// Returns the time of change of the last version of an entity that the owner replaced or deleted
  /// here.
  private func lastOwnVersion(of key: ReplicaKey) throws -> Instant? {
    try String.fetchOne(
      db,
      cached: """
        SELECT record ->> '$.updatedAt' FROM history WHERE source_id = ? AND archived_by <> ?
        ORDER BY pk DESC LIMIT 1
        """, arguments: [key.id, ReplicaMerge.author.rawValue]
    ).flatMap { Instant($0) }
  }
}
