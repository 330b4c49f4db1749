import ArkivedCore
import Foundation
import GRDB

/// Recording values that are replaced in a conflict.
extension ReplicaMerge {
  private struct Conflict {
    var key: ReplicaKey
    var field: String
    var kept: JSON
    var gaveWay: JSON
    var keptBy: ReplicaStamp
    var givenBy: ReplicaStamp

    var id: UUID {
      let text = "\(key.type)/\(key.id)/\(field)/\(givenBy.json.text())/\(gaveWay.text())"
      return UUID(hashing: text)
    }
  }

  /// Records the conflicts between a change and this device’s state: values whose writers didn’t
  /// know of each other.
  mutating func noteConflicts(
    between before: ReplicaState, _ change: ReplicaState, merged: ReplicaState, _ key: ReplicaKey,
    by writer: String, having seen: [String: Int]
  ) throws {
    func isUnknown(_ stamp: ReplicaStamp) -> Bool {
      stamp.device != writer && (seen[stamp.device] ?? 0) < stamp.sequence
    }
    for (field, register) in change.registers {
      guard !["createdAt", "updatedAt", ReplicaFields.mergedInto].contains(field),
        ReplicaPairs.of(field: field) == nil, let old = before.registers[field],
        isUnknown(old.stamp),
        !ReplicaFields.isSame(old.value, register.value, ignoringPosition: true)
      else { continue }
      try noteEarlier(of: old, register, in: field, merged, key, isOldShown: true)
    }
    for (field, versions) in change.texts {
      let outcome = TextVersions(merged.texts[field] ?? [:]).merged
      guard let last = versions.keys.max() else { continue }
      for stamp in outcome.givenWay {
        try note(
          Conflict(
            key: key, field: field, kept: JSON(outcome.text),
            gaveWay: JSON(merged.texts[field]?[stamp]?.text), keptBy: last, givenBy: stamp),
          merged, isShown: false)
      }
    }
    if let dead = change.dead, let touched = before.touched, isUnknown(touched),
      before.isAlive
    {
      // The deletion keeps the version in the history; if an edit is later than the deletion, both
      // are recorded.
      try noteDeletion(dead, touched, merged, key, isShown: true)
    } else if let touched = change.touched, let dead = before.dead, isUnknown(dead),
      !before.isAlive
    {
      try noteDeletion(dead, touched, merged, key, isShown: merged.isAlive)
    }
  }

  /// Notes that one device deleted an entity that another one changed.
  private mutating func noteDeletion(
    _ dead: ReplicaStamp, _ touched: ReplicaStamp, _ merged: ReplicaState, _ key: ReplicaKey,
    isShown: Bool
  ) throws {
    try note(
      Conflict(
        key: key, field: "deleted", kept: .bool(!merged.isAlive), gaveWay: .bool(merged.isAlive),
        keptBy: max(dead, touched), givenBy: min(dead, touched)), merged, isShown: isShown)
  }

  /// Notes the earlier of two values of a field.
  ///
  /// If `isOldShown` is true, the old value stands in the archive.
  private mutating func noteEarlier(
    of old: ReplicaState.Register, _ new: ReplicaState.Register, in field: String,
    _ merged: ReplicaState, _ key: ReplicaKey, isOldShown: Bool
  ) throws {
    let kept = old.later(new)
    let lost = kept == old ? new : old
    try note(
      Conflict(
        key: key, field: field, kept: kept.value, gaveWay: lost.value, keptBy: kept.stamp,
        givenBy: lost.stamp), merged, isShown: isOldShown && lost == old)
  }

  /// Notes that a part of a long text was replaced in a merge.
  mutating func noteText(
    _ text: String, of stamp: ReplicaStamp, replacedBy merged: String,
    of later: ReplicaStamp, in field: String, _ state: ReplicaState, _ key: ReplicaKey
  ) throws {
    try note(
      Conflict(
        key: key, field: field, kept: .string(merged), gaveWay: .string(text), keptBy: later,
        givenBy: stamp), state, isShown: false)
  }

  /// Records the differences between two entities that became one, so nothing is lost.
  mutating func noteDifferences(
    between one: ReplicaState, _ other: ReplicaState, merged: ReplicaState, _ key: ReplicaKey
  ) throws {
    guard one.isAlive, other.isAlive else { return }
    for (field, register) in other.registers.sorted(by: { $0.key < $1.key }) {
      guard !["name", "createdAt", "updatedAt", ReplicaFields.mergedInto].contains(field),
        let old = one.registers[field], old.value != .null, register.value != .null,
        !ReplicaFields.isSame(old.value, register.value, ignoringPosition: true)
      else { continue }
      try noteEarlier(of: old, register, in: field, merged, key, isOldShown: false)
    }
  }

  /// Adds templates that gave way to the history, because devices share all of them as one value.
  private mutating func keepTemplates(_ conflict: Conflict) throws {
    guard conflict.key.type == ReplicaFields.settingsType,
      conflict.key.id == Archive.writingName, conflict.field == "value/templates"
    else { return }
    let kept = conflict.kept.array ?? []
    for (position, template) in (conflict.gaveWay.array ?? []).enumerated() {
      guard !kept.contains(template), var record = template.object,
        let source = record["id"]?.string.flatMap({ UUID(uuidString: $0) })
      else { continue }
      let isThere = kept.contains { $0["id"] == record["id"] }
      if !isThere { record["position"] = JSON(position) }
      let scope = try opened()
      let id = UUID(hashing: "\(conflict.id.uuidString)/\(source.uuidString)")
      guard try !scope.hasHistory(id) else { continue }
      try scope.keep(
        HistoryRecord(
          id: id, sourceTable: .template, sourceID: source, record: .object(record),
          reason: isThere ? HistoryRecord.Reason(rawValue: "conflict") : .delete,
          archivedAt: scope.now, archivedBy: Self.author), changeKey: nil)
    }
  }

  /// Records a replaced version, and adds it to the history if this device never showed it.
  private mutating func note(
    _ conflict: Conflict, _ merged: ReplicaState, isShown: Bool
  ) throws {
    try db.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO replica_conflicts
          (id, at, type, source_id, field, kept, gave_way, kept_by, given_by)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      conflict.id.uuidString, capture.now.milliseconds, conflict.key.type, conflict.key.id,
      conflict.field, conflict.kept.text(), conflict.gaveWay.text(), conflict.keptBy.device,
      conflict.givenBy.device,
    ])
    guard db.changesCount > 0 else { return }
    conflicts += 1
    try keepTemplates(conflict)
    // The current value in the archive goes to the history when it is replaced.
    guard !isShown || open.contains(conflict.key), let source = UUID(uuidString: conflict.key.id)
    else { return }
    var values = merged.values
    if conflict.field != "deleted" {
      values[conflict.field] = conflict.gaveWay
      if conflict.gaveWay == .null { values.removeValue(forKey: conflict.field) }
    }
    let record = try records.record(of: records.settled(values, conflict.key), conflict.key)
    let scope = try opened()
    guard try !scope.hasHistory(conflict.id) else { return }
    try scope.keep(
      HistoryRecord(
        id: conflict.id, sourceTable: EntityType(rawValue: conflict.key.type), sourceID: source,
        record: .object(record), reason: HistoryRecord.Reason(rawValue: "conflict"),
        archivedAt: scope.now, archivedBy: Self.author), changeKey: nil)
  }
}
