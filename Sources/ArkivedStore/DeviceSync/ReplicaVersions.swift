import ArkivedCore
import Foundation
import GRDB

/// Old versions that other devices had and this one never showed; they are added to the history.
struct ReplicaVersions {
  private enum Version {
    /// A version that a device replaced before it sent anything.
    case sent(id: UUID, entity: ReplicaKey, value: JSON)
    /// A version that was sent together with a change that replaced it.
    case passed(ReplicaState, entity: ReplicaKey)
  }

  private var versions: [Version] = []

  var isEmpty: Bool { versions.isEmpty }

  /// Adds a version in the form that `ReplicaCapture` sends.
  mutating func add(_ change: ReplicaState, _ key: ReplicaKey) {
    guard let value = change.registers["version"]?.value, let type = value["type"]?.string,
      let id = UUID(uuidString: String(key.id.dropFirst(key.entity.count + 1)))
    else { return }
    versions.append(.sent(id: id, entity: ReplicaKey(type: type, id: key.entity), value: value))
  }

  /// Adds a state that another one replaces, if the displayed parts of the two differ.
  mutating func add(_ state: ReplicaState, replacedBy later: ReplicaState, _ key: ReplicaKey) {
    guard state.isAlive, !later.isPurged else { return }
    let (old, new) = (state.values, later.isAlive ? later.values : [:])
    let isReplaced = old.contains { field, value in
      field != "updatedAt" && !ReplicaFields.isSame(value, new[field], ignoringPosition: true)
    }
    if isReplaced { versions.append(.passed(state, entity: key)) }
  }

  /// Adds the versions to the history, except those that are already in it.
  func write(in scope: ChangeScope, _ records: ReplicaRecords) throws {
    for version in versions {
      switch version {
      case .sent(let id, let entity, let value):
        guard let record = value["record"], record.object != nil else { continue }
        try keep(
          id, entity, record, value["reason"]?.string ?? HistoryRecord.Reason.update.rawValue,
          value["at"]?.string.flatMap { Instant($0) } ?? scope.now, in: scope, records)
      case .passed(let state, let entity):
        guard ReplicaFields.types.contains(EntityType(rawValue: entity.type)),
          let stamp = state.touched
        else { continue }
        let record = try records.record(of: records.settled(state.values, entity), entity)
        try keep(
          UUID(hashing: "\(entity.type)/\(entity.id)/version/\(stamp.json.text())"), entity,
          .object(record), HistoryRecord.Reason.update.rawValue, scope.now, in: scope, records)
      }
    }
  }

  private func keep(
    _ id: UUID, _ entity: ReplicaKey, _ record: JSON, _ reason: String, _ at: Instant,
    in scope: ChangeScope, _ records: ReplicaRecords
  ) throws {
    let entity = try records.tables.canonical(entity)
    guard let source = UUID(uuidString: entity.id), try !scope.hasHistory(id),
      try !records.isPurged(entity), try !records.namesPurged(record)
    else { return }
    try scope.keep(
      HistoryRecord(
        id: id, sourceTable: EntityType(rawValue: entity.type), sourceID: source, record: record,
        reason: HistoryRecord.Reason(rawValue: reason), archivedAt: at,
        archivedBy: ReplicaMerge.author), changeKey: nil)
  }
}
