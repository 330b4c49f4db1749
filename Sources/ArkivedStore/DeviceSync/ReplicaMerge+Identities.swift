import ArkivedCore
import Foundation
import GRDB

/// Merging two IDs that belong to the same entity.
extension ReplicaMerge {
  /// Merges two IDs into one: the smaller one is kept.
  ///
  /// If `tells` is true, the other devices are informed.
  mutating func unite(_ one: ReplicaKey, _ other: ReplicaKey, tells: Bool) throws {
    let (one, other) = (try tables.canonical(one), try tables.canonical(other))
    guard one != other else { return }
    let (winner, loser) = one.id < other.id ? (one, other) : (other, one)
    let storedWinner = try tables.load(winner)
    let storedLoser = try tables.load(loser)
    var state = storedWinner?.state ?? ReplicaState()
    let lost = storedLoser?.state ?? ReplicaState()
    let wasPurged = state.isPurged
    // The links of an existing row move with it. If one row doesn't exist, entries may mention it
    // without a link.
    let type = EntityType(rawValue: winner.type)
    var isOneGone = false
    if ReplicaFields.isNamed(winner.type), storedWinner != nil || storedLoser != nil {
      let isWinnerThere = try records.isThere(type, winner.id)
      let isLoserThere = try records.isThere(type, loser.id)
      isOneGone = !isWinnerThere || !isLoserThere
    }
    let before = state
    state.merge(lost)
    if !state.isPurged { try noteDifferences(between: before, lost, merged: state, winner) }
    // What a snapshot contains is shown in its turn, after everything that it refers to.
    let isMarked = turn < 0 && !state.isPurged
    try tables.save(state, shown: storedWinner?.shown, waits: isMarked, winner)
    var gone = ReplicaState()
    gone.alias = winner.id
    try tables.save(gone, loser)
    if tells { try capture.send(gone, loser) }
    open.remove(loser)
    done.remove(winner)
    if !isMarked { open.insert(winner) }
    try moveRow(loser, to: winner)
    try renameInPairs(loser)
    if isOneGone { reopen(whatNames: winner) }
    if state.isPurged, !wasPurged || !lost.isPurged { try purge(winner) }
  }

  /// Brings back one of the tags or people that several devices merged into each other at the same
  /// time, because otherwise all of them would be gone.
  mutating func bringBackOne(ofThoseMergedWith key: ReplicaKey) throws {
    var passed: [ReplicaKey] = []
    var next = key
    while !passed.contains(next) {
      guard let state = try tables.load(next)?.state, !state.isPurged, !state.isAlive,
        let kept = state.registers[ReplicaFields.mergedInto]?.value.string
      else { return }
      passed.append(next)
      next = try tables.canonical(ReplicaKey(type: next.type, id: kept))
    }
    // Every device chooses the same one.
    guard next == key, let chosen = passed.min(), let stored = try tables.load(chosen) else {
      return
    }
    let stamp = capture.stamp(at: capture.now.milliseconds, after: stored.state)
    var change = ReplicaState()
    change.touched = stamp
    change.registers[ReplicaFields.mergedInto] = ReplicaState.Register(value: .null, stamp: stamp)
    var state = stored.state
    state.merge(change)
    try tables.save(state, shown: stored.shown, waits: isWhole || stored.waits, chosen)
    try capture.send(change, chosen)
    if !isWhole { open.insert(chosen) }
  }

  /// Keeps only one of two rows that represent the same entity.
  private mutating func moveRow(_ loser: ReplicaKey, to winner: ReplicaKey) throws {
    let type = EntityType(rawValue: loser.type)
    guard EntityType.rowsTables[type] != nil, let gone = UUID(uuidString: loser.id),
      let kept = UUID(uuidString: winner.id), try records.isThere(type, loser.id)
    else { return }
    var scope = try opened()
    scope.leavesTombstones = false
    if try records.isThere(type, winner.id) {
      switch type {
      case .tag: try scope.deleteTag(gone, mergedInto: kept)
      case .person: try scope.deletePerson(gone, mergedInto: kept)
      default: try remove(loser, gone, scope)
      }
    } else {
      try scope.makeWay(for: type, kept)
      try db.execute(
        sql: "UPDATE \(type.rowsTable) SET id = ? WHERE id = ?",
        arguments: [winner.id, loser.id])
    }
    try db.execute(
      sql: "UPDATE history SET source_id = ? WHERE source_id = ?",
      arguments: [winner.id, loser.id])
    scope.keys.forget()
  }
}
