import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// This archive's goals and related entries, read inside or outside a transaction.
protocol TenWeekSide {
  func all<Entity: RecordedEntity>(_ type: Entity.Type) throws -> [Entity]
  func actions(including ids: Set<UUID>) throws -> [Activity]
  /// Returns those IDs that belong to something a row can become.
  func present(among ids: [UUID]) throws -> Set<UUID>
  /// Returns the rows of a table as both sides last had them.
  func interchangeRows(_ table: String, from source: String) throws -> [InterchangeRow]
  func interchangeRows(
    _ table: String, _ keys: [String], from source: String
  ) throws -> [String: InterchangeRow]
  func forEachInterchangeRow(
    _ table: String, from source: String, _ body: (InterchangeRow) throws -> Void) throws
  /// Passes on messages by thread, the oldest thread first, each in its own order.
  func forEachMessage(
    _ body: (_ thread: UUID, _ message: UUID, MessageRole) throws -> Void) throws
  func messages(_ ids: [UUID]) throws -> [UUID: ConversationMessage]
}

extension ChangeScope: TenWeekSide {}
extension Archive: TenWeekSide {}

/// An error that reports that more entries may have to be deleted than is allowed without asking,
/// so one transaction has to decide about all of them.
struct NeedsOneTransaction: Error {}

/// A sync of many rows.
///
/// The linked database is locked from beginning to end; the archive is read without blocking other
/// writers, and written in short transactions that form one change.
///
/// Imported rows are written before the linked database is committed, and the records of exported
/// rows after it. If the program stops in between, both stay consistent: imported rows are the same
/// on both sides, and exported rows are not recorded yet, so the next sync compares them again.
extension TenWeekSync {
  /// The smallest size in bytes of a row in such a file.
  private static let rowBytes = 100

  /// The number of rows imported in parts that were written before a sync ended early.
  final class CameIn {
    var count = 0

    var sentence: String {
      count == 0
        ? "" : " What had already been imported from it stays here, and the next sync continues."
    }
  }

  func isLarge(_ file: URL) throws -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    let bytes = (attributes?[.size] as? NSNumber)?.intValue ?? 0
    if bytes > fewRows * Self.rowBytes { return true }
    return try archive.measuresMore(than: fewRows)
  }

  /// Synchronises in parts.
  ///
  /// - Throws: `NeedsOneTransaction`, with nothing changed.
  func inParts(_ file: URL) throws -> SyncReport {
    let change = LongChange(
      archive, by: .importer, "sync", "Synced with \(file.lastPathComponent)")
    let now = archive.clock.now
    let folder = try ScratchFolders.make()
    defer { ScratchFolders.remove(folder) }
    let index = try InterchangeIndex(in: folder)
    var run = TenWeekSyncRun(
      link, writer: TenWeekWriter(homeZone: homeZone), now: now, index: index)
    run.notesLater = true
    do {
      try ForeignWriter.change(file, waits: Self.waitSeconds) { writer in
        var there = try TenWeekFile(
          writer, variant: variant, homeZone: homeZone, now: now, identities: archive.identities,
          index: index, side: archive)
        try run.bringInLine(&there, archive, change, allowsDeletions: allowsDeletions)
      }
    } catch {
      // Rows imported so far are the same on both sides, and stay. If they were undone, that would
      // look like the owner's latest edit, and the next sync would overwrite the rows there.
      stayed.count += run.report.pulled.values.reduce(0, +)
      try? change.finish(isIdle: run.isIdle && run.report.pulled.isEmpty)
      throw error
    }
    run.notesLater = false
    var last: Int64 = 0
    while true {
      let sent = try index.lines(.sent, after: last, limit: TenWeekFile.batchCount)
      guard let end = sent.last else { break }
      try run.inParts(sent.compactMap { TenWeekSyncRun.Outgoing($0.line) }, change) {
        run, outgoing in try run.noteSent(outgoing)
      }
      last = end.number
    }
    try change.finish(isIdle: run.isIdle && run.report.pulled.isEmpty)
    return run.report
  }
}

extension TenWeekSyncRun {
  /// The time for which a transaction blocks other writers, and for which the archive is then free
  /// for them.
  private static let partMilliseconds = 250
  private static let pauseMicroseconds: UInt32 = 4_000

  mutating func bringInLine(
    _ there: inout TenWeekFile, _ archive: Archive, _ change: LongChange, allowsDeletions: Bool
  ) throws {
    let bases = try Self.bases(source, archive)
    if !allowsDeletions { try Self.refuseDoubt(there, bases, archive) }
    try readTalk(there, archive)
    if !allowsDeletions { try refuseDoubtInTalk(archive) }
    for stray in there.strays { report.warn(stray.place, stray.message) }
    for table in TenWeekTable.allCases where table.entityType != nil {
      try bringInLine(table, bases[table] ?? [:], &there, archive, change)
    }
    try bringTalkInLine(&there, archive, change)
    if !allowsDeletions { try refuseLargeDeletionsThere() }
    let reader = there.reader
    var key: String?
    var news = RowBatch()
    while let rows = try there.oldVersions(after: &key) {
      news.add(try new(rows, archive))
      guard news.isFull else { continue }
      try inParts(news.take(), change) { run, row in try run.takeOldVersion(row, reader) }
    }
    try inParts(news.take(), change) { run, row in try run.takeOldVersion(row, reader) }
    try noteWitnesses()
    try keepForeignRows(there, archive, change)
  }

  /// Rows that are processed together.
  private struct RowBatch {
    private(set) var rows: [InterchangeRow] = []
    private var size = 0

    var isFull: Bool {
      rows.count >= TenWeekFile.batchCount || size >= TenWeekFile.batchBytes
    }

    mutating func add(_ new: [InterchangeRow]) {
      rows += new
      size += new.reduce(0) { $0 + $1.size }
    }

    mutating func take() -> [InterchangeRow] {
      defer { self = RowBatch() }
      return rows
    }
  }

  /// Returns those rows that differ from what both sides last had.
  private func new(
    _ rows: [InterchangeRow], _ archive: Archive
  ) throws -> [InterchangeRow] {
    var bases: [String: [String: InterchangeRow]] = [:]
    for (table, rows) in Dictionary(grouping: rows, by: \.table) {
      bases[table] = try archive.interchangeRows(table, rows.map(\.key), from: source)
    }
    return rows.filter { bases[$0.table]?[$0.key] != $0 }
  }

  private mutating func keepForeignRows(
    _ there: TenWeekFile, _ archive: Archive, _ change: LongChange
  ) throws {
    var open = RowBatch()
    var news = RowBatch()
    try there.forEachForeignRow { row in
      open.add([row])
      guard open.isFull else { return }
      news.add(try new(open.take(), archive))
      guard news.isFull else { return }
      try inParts(news.take(), change) { run, row in try run.keep(row) }
    }
    news.add(try new(open.take(), archive))
    try inParts(news.take(), change) { run, row in try run.keep(row) }
  }

  /// Processes a list, for a short time in each transaction.
  mutating func inParts<Item>(
    _ items: [Item], _ change: LongChange,
    _ body: (inout TenWeekSyncRun, Item) throws -> Void
  ) throws {
    var next = 0
    while next < items.count {
      var run = self
      try change.write { scope in
        run.work(in: scope)
        let end = ContinuousClock.now.advanced(by: .milliseconds(Self.partMilliseconds))
        repeat {
          try body(&run, items[next])
          next += 1
        } while next < items.count && ContinuousClock.now < end
      }
      self = run
      usleep(Self.pauseMicroseconds)
    }
  }

  private mutating func bringInLine(
    _ table: TenWeekTable, _ base: [String: InterchangeRow], _ there: inout TenWeekFile,
    _ archive: Archive, _ change: LongChange
  ) throws {
    let rows = there.rows[table] ?? [:]
    let list = try Self.here(table, Self.keys(table, there, base), archive)
    let here = Dictionary(list) { first, _ in first }
    amounts[table] = Amount(here: list.count, there: rows.count)
    var keys = there.order[table] ?? []
    let known = Set(keys)
    keys += list.map(\.0).filter { !known.contains($0) }
    keys += base.keys.filter { rows[$0] == nil && here[$0] == nil }.sorted()
    let reader = there.reader
    // Rows that are and were the same on both sides need no check inside a transaction.
    let open = keys.filter { key in
      guard let entry = rows[key], let own = here[key], base[key] == entry.row else { return true }
      return !Self.areAlike(table, entry.row, own, base[key], reader)
    }
    guard !open.isEmpty else { return }
    if table == .terms {
      // They swap numbers, which has to be decided together.
      var run = self
      try change.write { scope in
        run.work(in: scope)
        try run.bringInLine(table, base, &there)
      }
      self = run
      return
    }
    try inParts(open, change) { run, key in
      let it = Case(table: table, key: key, base: base[key])
      if let entry = rows[key], let own = here[key],
        Self.areAlike(table, entry.row, own, it.base, reader)
      {
        return try run.keep(entry.row)
      }
      // It may have been changed since it was read.
      let own = try here[key].flatMap { try run.present($0) }
      try run.bringInLine(it, rows[key], own, &there)
    }
  }

  /// Returns the current state of an entity; nil if it was deleted.
  private func present(_ own: TenWeekEntity) throws -> TenWeekEntity? {
    switch own {
    case .action(let action): try scope.activity(action.id).map { .action($0) }
    case .entity(let entity):
      try scope.entity(type(of: entity).entityType, entity.id).map { .entity($0) }
    case .history: nil
    }
  }

  /// Returns true if a row has the same content as the entity here.
  private static func areAlike(
    _ table: TenWeekTable, _ row: InterchangeRow, _ own: TenWeekEntity, _ base: InterchangeRow?,
    _ reader: TenWeekReader
  ) -> Bool {
    guard let read = try? reader.read(table, row) else { return false }
    let merged = TenWeekMerge.merged(read, into: own, row, base, homeZone: reader.homeZone)
    return TenWeekMerge.isSame(merged, own)
  }

  private static func keys(
    _ table: TenWeekTable, _ there: TenWeekFile, _ base: [String: InterchangeRow]
  ) -> Set<String> {
    // Rows deleted there whose entries exist here count too.
    let deleted = table == .actions ? there.deletions.keys.map(\.uuidString) : []
    return Set((there.rows[table] ?? [:]).keys).union(base.keys).union(deleted)
  }

  /// Throws if so many rows may have to be deleted that the owner has to be asked.
  ///
  /// - Throws: `NeedsOneTransaction` if the limit is exceeded.
  private static func refuseDoubt(
    _ there: TenWeekFile, _ bases: Bases, _ archive: Archive
  ) throws {
    // Relations are deleted with the entities they link.
    for table in [TenWeekTable.values, .goals, .terms, .actions] {
      guard let type = table.entityType else { continue }
      let rows = there.rows[table] ?? [:]
      let base = bases[table] ?? [:]
      func ids(known: Bool) -> [UUID] {
        rows.keys.filter { (base[$0] != nil) == known }.compactMap { UUID(uuidString: $0) }
      }
      let known = ids(known: true)
      let goneHere =
        try known.count - archive.presentCount(type, among: known)
        + archive.deletedCount(among: ids(known: false))
      let goneThere = there.deletions.keys.filter { rows[$0.uuidString] == nil }
      let leaving = try archive.presentCount(type, among: goneThere)
      guard max(goneHere, leaving) <= LargeDeletion.limit else { throw NeedsOneTransaction() }
    }
  }

  /// Throws if most rows of a kind are about to be deleted there.
  ///
  /// - Throws: `LargeDeletion` if too many rows would be deleted.
  private func refuseLargeDeletionsThere() throws {
    let parts = TenWeekTable.allCases.compactMap { table -> LargeDeletion.Part? in
      guard let amount = amounts[table],
        LargeDeletion.isLarge(amount.deletedThere, of: amount.there)
      else { return nil }
      return LargeDeletion.Part(
        side: .there, kind: table.kind, count: amount.deletedThere, total: amount.there)
    }
    guard parts.isEmpty else {
      throw LargeDeletion(address: report.link.address, parts: parts)
    }
  }

  /// Throws if most rows of a kind were deleted on either side.
  ///
  /// - Throws: `LargeDeletion` if too many rows would be deleted.
  func refuseLargeDeletions() throws {
    let deleted = try scope.deletedCounts()
    var parts: [LargeDeletion.Part] = []
    for table in TenWeekTable.allCases {
      guard let amount = amounts[table] else { continue }
      let here = table.entityType.map { deleted[$0] ?? 0 } ?? amount.deletedHere
      for (side, count, total) in [
        (LargeDeletion.Side.here, here, amount.here),
        (.there, amount.deletedThere, amount.there),
      ] where LargeDeletion.isLarge(count, of: total) {
        parts.append(.init(side: side, kind: table.kind, count: count, total: total))
      }
    }
    guard parts.isEmpty else {
      throw LargeDeletion(address: report.link.address, parts: parts)
    }
  }

  // MARK: Local state

  static func here(
    _ table: TenWeekTable, _ keys: Set<String>, _ side: some TenWeekSide
  ) throws -> [(String, TenWeekEntity)] {
    switch table {
    case .values: try side.all(PersonalValue.self).map { ($0.id.uuidString, .entity($0)) }
    case .goals: try side.all(Goal.self).map { ($0.id.uuidString, .entity($0)) }
    case .terms: try side.all(Term.self).map { ($0.id.uuidString, .entity($0)) }
    case .actions:
      try side.actions(including: Set(keys.compactMap { UUID(identity: $0) }))
        .map { ($0.id.uuidString, .action($0)) }
    case .assignments:
      try side.all(TermGoalAssignment.self)
        .map { ("\($0.termID.uuidString)/\($0.goalID.uuidString)", .entity($0)) }
    case .progress:
      try side.all(ActionGoalContribution.self)
        .map { ("\($0.actionID.uuidString)/\($0.goalID.uuidString)", .entity($0)) }
    case .archive, .conversations: []
    }
  }
}
