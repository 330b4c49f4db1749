import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// What of the goals side stands here, read inside a transaction or without one.
protocol TenWeekSide {
  func all<Entity: RecordedEntity>(_ type: Entity.Type) throws -> [Entity]
  func actions(including ids: Set<UUID>) throws -> [Activity]
  /// Those of some identities that are something which a row can become.
  func present(among ids: [UUID]) throws -> Set<UUID>
  /// The rows of a table as both sides last had them.
  func interchangeRows(_ table: String, from source: String) throws -> [InterchangeRow]
  func interchangeRows(
    _ table: String, _ keys: [String], from source: String
  ) throws -> [String: InterchangeRow]
  func forEachInterchangeRow(
    _ table: String, from source: String, _ body: (InterchangeRow) throws -> Void) throws
  /// What was said, by thread, the first that was begun first, in each in its order.
  func forEachMessage(
    _ body: (_ thread: UUID, _ message: UUID, MessageRole) throws -> Void) throws
  func messages(_ ids: [UUID]) throws -> [UUID: ConversationMessage]
}

extension ChangeScope: TenWeekSide {}
extension Archive: TenWeekSide {}

/// More may have to be deleted than is done without asking: then one transaction decides about all.
struct NeedsOneTransaction: Error {}

/// A sync of many rows. The database there is held from the beginning to the end; the archive is
/// read without keeping anybody from writing, and written in short transactions of one change.
///
/// What comes in is written before the database is committed, what is known of rows that went out
/// after it. Who stops the program in between leaves both whole: what came in is the same on both
/// sides, and of what went out nothing is known yet, so that the next sync compares it anew.
extension TenWeekSync {
  /// How many bytes a row takes in such a file at least.
  private static let rowBytes = 100

  /// How many rows came in by parts that were written before a sync ended early.
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
      // What came in by then is the same on both sides, and stays: taken back, it would seem to be
      // the owner's newest word, and the next sync would write it over what stands there.
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
  /// How long a transaction keeps others from writing, and how long they find the archive free.
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

  /// Rows that are worked through together.
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

  /// Those of some rows that are not what both sides last had.
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

  /// Works through a list, for a short time in each transaction.
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
    // What both have alike, and had alike before, needs no look inside a transaction.
    let open = keys.filter { key in
      guard let entry = rows[key], let own = here[key], base[key] == entry.row else { return true }
      return !Self.areAlike(table, entry.row, own, base[key], reader)
    }
    guard !open.isEmpty else { return }
    if table == .terms {
      // They exchange their numbers, which has to be seen together.
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
      // Others may have changed it since it was read.
      let own = try here[key].flatMap { try run.present($0) }
      try run.bringInLine(it, rows[key], own, &there)
    }
  }

  /// What something is by now; nil where it is gone.
  private func present(_ own: TenWeekEntity) throws -> TenWeekEntity? {
    switch own {
    case .action(let action): try scope.activity(action.id).map { .action($0) }
    case .entity(let entity):
      try scope.entity(type(of: entity).entityType, entity.id).map { .entity($0) }
    case .history: nil
    }
  }

  /// Whether a row says what stands here.
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
    // What was deleted there and is here again counts too.
    let deleted = table == .actions ? there.deletions.keys.map(\.uuidString) : []
    return Set((there.rows[table] ?? [:]).keys).union(base.keys).union(deleted)
  }

  /// - Throws: `NeedsOneTransaction` where so many rows may have to be deleted that somebody has to be
  ///   asked.
  private static func refuseDoubt(
    _ there: TenWeekFile, _ bases: Bases, _ archive: Archive
  ) throws {
    // Relations go with what they link.
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

  /// - Throws: `LargeDeletion` where most rows of a kind are about to be deleted there.
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

  /// - Throws: `LargeDeletion` where most rows of a kind were deleted on a side.
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

  // MARK: What stands here

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
