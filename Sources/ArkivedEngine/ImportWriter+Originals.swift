import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Entities that came from a row of another program, which is kept so that it can be written back.
///
/// The row as it last came in tells who changed something since: where it is as it was, nothing came;
/// where only it differs, it is taken; where both differ, the newer wins and the other goes to the
/// history.
extension ImportWriter {
  /// A row that becomes no entity.
  func take(_ row: InterchangeRow, _ record: ImportedRecord) throws {
    guard !isStaging else { return try putOff(.interchange(row), record) }
    let isTold =
      row.table != InterchangeTable.layouts
      && [nil, .conversations].contains(TenWeekTable(rawValue: row.table))
    if try scope.keep(row) {
      if isTold { state.account.created["row", default: 0] += 1 }
    } else if isTold {
      leave(record)
    }
  }

  func take(_ original: InterchangeRow, of record: ImportedRecord) throws {
    var plain = record
    plain.original = nil
    guard !isStaging else {
      guard case .activity(let activity) = record.value,
        try scope.standing(of: .activity, activity.id) == .absent
      else { return try putOff(record.value, record) }
      try take(plain)
      return try putOff(.interchange(original), plain)
    }
    let base = try scope.interchangeRow(original.table, original.key)
    switch record.value {
    case .activity(let imported):
      if let old = try scope.activity(imported.id) {
        try take(TenWeekEntity.action(imported), .action(old), original, base, record)
      } else {
        try take(plain)
      }
    case .goalSide(let imported):
      let type = type(of: imported).entityType
      if let old = try scope.entity(type, imported.id) {
        try take(.entity(imported), .entity(old), original, base, record)
      } else if base == original, !overridesOwner, try scope.entity(like: imported) != nil {
        leave(record)
      } else {
        try take(plain)
      }
    default: try take(plain)
    }
    try scope.keep(original)
  }

  private func take(
    _ imported: TenWeekEntity, _ old: TenWeekEntity, _ original: InterchangeRow,
    _ base: InterchangeRow?, _ record: ImportedRecord
  ) throws {
    guard base != original || overridesOwner else { return leave(record) }
    let new = TenWeekMerge.merged(imported, into: old, original, base)
    guard !TenWeekMerge.isSame(new, old) else { return leave(record) }
    let version = imported.version
    var isNewer = overridesOwner || version > old.version
    if !isNewer, let base, let type = TenWeekMerge.entityType(old) {
      isNewer = try !TenWeekMerge.isOlder(original, than: base) && !scope.isOwners(type, old.id)
    }
    guard isNewer else {
      try keepOlder(new, original)
      return leave(
        record, "“\(TenWeekMerge.name(old))” is as new or newer here; your version was kept")
    }
    let dated = TenWeekMerge.dated(
      new, max(version, Instant(milliseconds: old.version.milliseconds + 1)))
    do {
      try scope.attempt { try TenWeekMerge.update(dated, scope, reason: .import) }
      state.account.updated += 1
    } catch let error as FieldError {
      diagnose(
        Diagnostic(
          .skipped, place: "\(record.place) field “\(error.field)”",
          message: "left out: \(error.description)"))
    }
  }

  /// Keeps a version that did not win.
  private func keepOlder(_ version: TenWeekEntity, _ original: InterchangeRow) throws {
    guard let record = TenWeekMerge.historyRecord(version, original, scope.now),
      try !scope.hasHistory(record.id)
    else { return }
    try scope.adopt(record)
  }
}

/// Bringing a row of the older relative and what stands here together.
enum TenWeekMerge {
  private static let writer = TenWeekWriter(homeZone: .utc)

  static func entityType(_ entity: TenWeekEntity) -> EntityType? {
    switch entity {
    case .action: .activity
    case .entity(let entity): type(of: entity).entityType
    case .history: nil
    }
  }

  static func name(_ entity: TenWeekEntity) -> String {
    let title: String =
      switch entity {
      case .action(let action): action.text
      case .entity(let entity): (entity as? any Persistable)?.title ?? type(of: entity).typeName
      case .history: ""
      }
    return String(title.prefix(80))
  }

  /// Whether both say the same, as far as the relative has words for it.
  static func isSame(_ left: TenWeekEntity, _ right: TenWeekEntity) -> Bool {
    writer.content(left) == writer.content(right)
  }

  /// Whether a row names an earlier time than another of the same key.
  static func isOlder(_ row: InterchangeRow, than other: InterchangeRow) -> Bool {
    let reader = TenWeekReader(homeZone: .utc, now: .earliest)
    guard let table = TenWeekTable(rawValue: row.table),
      let left = try? reader.read(table, row), let right = try? reader.read(table, other)
    else { return false }
    return left.version < right.version
  }

  /// What stands here with what the row says in its place; what the relative knows nothing of stays.
  static func merged(
    _ imported: TenWeekEntity, into old: TenWeekEntity, _ row: InterchangeRow,
    _ base: InterchangeRow?
  ) -> TenWeekEntity {
    switch (imported, old) {
    case (.action(let imported), .action(let old)):
      var new = old
      (new.text, new.description, new.notes) =
        (imported.text, imported.description, imported.notes)
      new.measurements = imported.measurements
      if imported.durationMinutes != old.duration { new.durationMinutes = imported.durationMinutes }
      let isTimed =
        base.map { base in
          ["log_time", "start_time"].contains { base[$0] != row[$0] }
        } ?? true
      guard isTimed else { return .action(new) }
      (new.dayKey, new.createdAt) = (imported.dayKey, imported.createdAt)
      if imported.startAt != old.startAt {
        // What began at another time ends at another.
        new.endAt = imported.startAt.flatMap { start in
          guard let before = old.startAt, let end = old.endAt else { return nil }
          return Instant(
            milliseconds: end.milliseconds + start.milliseconds - before.milliseconds)
        }
        new.startAt = imported.startAt
      }
      return .action(new)
    case (.entity(var imported), .entity(let old)):
      imported.id = old.id
      imported.createdAt = old.createdAt
      return .entity(imported)
    default: return imported
    }
  }

  enum Side { case here, there }

  /// Of two links of an action and a goal the one that somebody decided about; where the rules found
  /// both, the one that they find here.
  static func decidedSide(there: TenWeekEntity, here: TenWeekEntity) -> Side? {
    guard case .entity(let there as ActionGoalContribution) = there,
      case .entity(let here as ActionGoalContribution) = here
    else { return nil }
    return switch (there.matchMethod.isOwners, here.matchMethod.isOwners) {
    case (true, false): .there
    case (_, false), (false, true): .here
    case (true, true): nil
    }
  }

  static func dated(_ entity: TenWeekEntity, _ instant: Instant) -> TenWeekEntity {
    switch entity {
    case .action(var action):
      action.updatedAt = instant
      return .action(action)
    case .entity(var entity):
      entity.updatedAt = instant
      return .entity(entity)
    case .history: return entity
    }
  }

  static func update(
    _ entity: TenWeekEntity, _ scope: ChangeScope, reason: HistoryRecord.Reason
  ) throws {
    switch entity {
    case .action(let action): try scope.update(action, reason: reason)
    case .entity(let entity): try scope.update(entity, reason: reason)
    case .history: break
    }
  }

  /// A version that did not win, for the history; the same row gives the same record.
  static func historyRecord(
    _ version: TenWeekEntity, _ row: InterchangeRow, _ now: Instant
  ) -> HistoryRecord? {
    let record: JSON
    switch version {
    case .action(let action): record = action.record
    case .entity(let entity): record = entity.json
    case .history: return nil
    }
    guard let type = entityType(version) else { return nil }
    return HistoryRecord(
      id: DerivedIdentity.of("older", row.table, row.key, row.json.text()), sourceTable: type,
      sourceID: version.id, record: record, reason: .import, archivedAt: now,
      archivedBy: .importer)
  }
}
