import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Synchronising single rows of values, goals, terms and actions, and the links between them.
extension TenWeekSyncRun {
  mutating func bringInLine(
    _ it: Case, _ entry: TenWeekFile.Entry?, _ own: TenWeekEntity?, _ there: inout TenWeekFile
  ) throws {
    do {
      switch (entry, own) {
      case (let entry?, let own?): try both(it, entry, own, &there)
      case (let entry?, nil): try onlyThere(it, entry, &there)
      case (nil, let own?): try onlyHere(it, own, &there)
      case (nil, nil): try forget(it.table, it.key)
      }
    } catch let error as FieldError {
      leaveAlone(it, error)
    }
  }

  /// Returns true if the entity here differs from the row that both sides last had.
  private func hasChanged(
    _ own: TenWeekEntity, since base: InterchangeRow?, _ table: TenWeekTable,
    _ reader: TenWeekReader
  ) -> Bool {
    guard let base, let before = try? reader.read(table, base) else { return true }
    let merged = TenWeekMerge.merged(before, into: own, base, base, homeZone: reader.homeZone)
    return !TenWeekMerge.isSame(merged, own)
  }

  private mutating func both(
    _ it: Case, _ entry: TenWeekFile.Entry, _ own: TenWeekEntity, _ there: inout TenWeekFile
  ) throws {
    guard let read = try there.reader.read(it.table, entry.row) else { return }
    let merged = TenWeekMerge.merged(
      read, into: own, entry.row, it.base, homeZone: there.reader.homeZone)
    guard !TenWeekMerge.isSame(merged, own) else { return try keep(entry.row) }
    let isChangedHere = hasChanged(own, since: it.base, it.table, there.reader)
    let isChangedThere = it.base.map { $0 != entry.row } ?? true
    let decided = TenWeekMerge.decidedSide(there: read, here: own)
    let isConflict = isChangedHere && isChangedThere && decided == nil
    let isPull =
      decided.map { $0 == .there }
      ?? (isChangedThere && (!isChangedHere || read.version > own.version))
    if isConflict {
      report.conflicts.append(
        .init(
          place: it.place, isFromHere: !isPull,
          message: "“\(TenWeekMerge.name(own))” was changed on both sides; the newer version was "
            + "kept, the older one is in the history"))
    }
    if isPull {
      let version = max(read.version, Instant(milliseconds: own.version.milliseconds + 1))
      let new = TenWeekMerge.dated(merged, version)
      if let term = new.term, term.termNumber != own.term?.termNumber {
        return numbersHere.append(Renumbering(it: it, entry: entry, term: term))
      }
      try scope.attempt { try TenWeekMerge.update(new, scope, reason: .update) }
      report.count("changed", isPulled: true)
      return try keep(entry.row)
    }
    if isConflict, let older = TenWeekMerge.historyRecord(merged, entry.row, now),
      try !scope.hasHistory(older.id)
    {
      try scope.adopt(older)
    }
    if let term = own.term, term.termNumber != read.term?.termNumber {
      return numbersThere.append(Renumbering(it: it, entry: entry, term: term))
    }
    let fields = writer.fields(own, it.table, kept: entry.row, there.reader)
    guard let row = try there.update(it.table, entry, fields) else {
      return report.warn(it.place, "the database’s rules don’t allow the change")
    }
    try there.keepZone(of: own, in: row)
    report.count("changed", isPulled: false)
    try noteSent(.keep(row))
  }

  private mutating func onlyThere(
    _ it: Case, _ entry: TenWeekFile.Entry, _ there: inout TenWeekFile
  ) throws {
    let ends = it.key.split(separator: "/").map(String.init)
    if ends.count == 2, ends.contains(where: deletedThere.contains) {
      return try deleteThere(it, entry, &there)
    }
    guard let read = try there.reader.read(it.table, entry.row) else { return }
    let deletion = try scope.deletion(of: read.id)
    // Entries removed by undoing a change or an import were not deleted by the owner.
    let isDerived: Bool =
      if case .entity(let entity) = read, let match = entity as? ActionGoalContribution {
        match.matchMethod == .autoInferred
      } else {
        false
      }
    if let base = it.base, deletion != nil || isDerived {
      guard base != entry.row, read.version > deletion ?? .latest else {
        if base != entry.row {
          report.conflicts.append(
            .init(
              place: it.place, isFromHere: true,
              message: "“\(TenWeekMerge.name(read))” was deleted here and changed there; the "
                + "deletion is newer"))
        }
        return try deleteThere(it, entry, &there)
      }
      report.conflicts.append(
        .init(
          place: it.place, isFromHere: false,
          message: "“\(TenWeekMerge.name(read))” was deleted here and changed there; the change is "
            + "newer"))
    } else if let deletion, deletion >= read.version {
      return try deleteThere(it, entry, &there)
    }
    try scope.attempt {
      try scope.forgetDeletion(of: read.id, [])
      switch read {
      case .action(let action): try scope.insert(action)
      case .entity(let entity): try scope.insert(entity)
      case .history: break
      }
    }
    report.count("new", isPulled: true)
    try keep(entry.row)
  }

  mutating func deleteThere(
    _ it: Case, _ entry: TenWeekFile.Entry, _ there: inout TenWeekFile
  ) throws {
    guard try there.delete(it.table, entry) else {
      return report.warn(it.place, "the database’s rules don’t allow the deletion")
    }
    deletedThere.insert(it.key)
    amounts[it.table]?.deletedThere += 1
    report.count("deleted", isPulled: false)
    try noteSent(.forget(it.table, it.key))
  }

  private mutating func onlyHere(
    _ it: Case, _ own: TenWeekEntity, _ there: inout TenWeekFile
  ) throws {
    // As reported, its row there is identified by a number; adding it would duplicate it.
    if there.unkeyed[it.table]?.contains(it.key) == true { return }
    guard there.bearsIdentities(it.table) else {
      return report.warn(
        it.place,
        "the table has no UUID column. Open the database once in the program that created it")
    }
    if let witness = there.deletions[own.id] {
      let isChanged = it.base != nil && hasChanged(own, since: it.base, it.table, there.reader)
      // A deletion that was applied here and then undone is not applied again.
      let wasBroughtBack = try it.base == nil && scope.wasDeleted(own.id)
      let isDeletion =
        it.base != nil && !isChanged || witness >= own.version && !wasBroughtBack
      if isChanged {
        report.conflicts.append(
          .init(
            place: it.place, isFromHere: !isDeletion,
            message: "“\(TenWeekMerge.name(own))” was changed here and deleted there; the "
              + (isDeletion ? "deletion" : "change") + " is newer"))
      }
      if isDeletion {
        switch own {
        case .action(let action): _ = try scope.deleteActivity(action.id)
        case .entity(let entity): try scope.delete(type(of: entity).entityType, entity.id)
        case .history: break
        }
        report.count("deleted", isPulled: true)
        return try forget(it.table, it.key)
      }
    } else if it.base != nil, it.table != .progress {
      report.warn(
        it.place,
        "the row is gone, but the database’s archive has no record of a deletion; the row was restored"
      )
    }
    let fields = writer.fields(own, it.table, kept: it.base, there.reader)
    guard let row = try there.insert(it.table, it.key, fields) else {
      return report.warn(it.place, "the database’s rules don’t allow the row")
    }
    try there.keepZone(of: own, in: row)
    report.count("new", isPulled: false)
    try noteSent(.keep(row))
  }
}
