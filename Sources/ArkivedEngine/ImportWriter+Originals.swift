import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Import of entities from a row of another program, which is stored so that it can be written
/// back.
///
/// The row as last imported shows which side has changed since. If the new row is unchanged,
/// nothing is imported. If only the row differs, it is imported. If both sides differ, the newer
/// one wins and the other goes to the history.
extension ImportWriter {
  /// Imports a row that doesn't become an entity.
  func take(_ row: InterchangeRow, _ record: ImportedRecord) throws {
    guard try !isUnwanted(row) else { return leave(record) }
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
    if try isUnwanted(original) {
      guard original.table == TenWeekTable.conversations.rawValue else { return try take(plain) }
      return leave(record)
    }
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
    case .goalSide(let said as ConversationMessage): try take(said, original, base, record)
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

  /// Returns true if the owner permanently deleted what a row says.
  private func isUnwanted(_ row: InterchangeRow) throws -> Bool {
    try !overridesOwner && scope.isPurged(row)
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
        record, "your version of “\(TenWeekMerge.name(old))” is as new or newer and was kept")
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
          message: "skipped: \(error.description)"))
    }
  }

  /// Stores a version that did not win.
  private func keepOlder(_ version: TenWeekEntity, _ original: InterchangeRow) throws {
    guard let record = TenWeekMerge.historyRecord(version, original, scope.now),
      try !scope.hasHistory(record.id)
    else { return }
    try scope.adopt(record)
  }
}
