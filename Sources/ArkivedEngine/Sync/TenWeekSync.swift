import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Brings a linked database of the older relative and the archive in line.
///
/// Each row is compared with the row as both sides last had it. What one side changed or deleted
/// since is done on the other; what both changed is settled by time, and the version that loses goes
/// to the history of both. A row that is missing there counts as deleted where the relative's own
/// archive says so; else it is written back.
///
/// The database is committed first and the archive right after it. Who stops the program between
/// the two leaves both whole, and the next sync finds that what went out is the same on both sides.
struct TenWeekSync {
  let archive: Archive
  let homeZone: Zone
  let link: SyncLink
  /// Whether most rows of a kind may be deleted.
  let allowsDeletions: Bool
  /// So many rows are brought in line in one transaction; more in parts.
  var fewRows = 2_000
  /// What came in and stays although the database there could not be committed.
  let stayed = CameIn()

  /// How long the other program is waited for while the archive is held, and how often anew.
  static let waitSeconds = 0.4
  private static let attempts = 4

  func run() throws -> SyncReport {
    let file = URL(fileURLWithPath: link.address)
    guard FileManager.default.fileExists(atPath: file.path) else {
      throw ArchiveError.notFound("file \(file.path), which is linked")
    }
    for attempt in 1...Self.attempts {
      do {
        return try bringInLine(file)
      } catch ForeignDatabaseError.busy(let reason) where attempt == Self.attempts {
        throw ArchiveError.busy(
          "\(file.path): \(reason). Nothing was changed there.\(stayed.sentence)")
      } catch ForeignDatabaseError.busy {
        usleep(100_000)
      } catch ForeignDatabaseError.damaged(let reason) {
        throw ArchiveError.busy(
          "\(file.path) was left alone: \(reason). If it stays so, restore it from a backup.")
      } catch ForeignDatabaseError.unreachable(let reason) {
        throw ArchiveError.cannotOpen(path: file.path, reason: "\(reason).\(stayed.sentence)")
      }
    }
    throw ArchiveError.busy("\(file.path) is in use. Nothing was changed there.")
  }

  private func bringInLine(_ file: URL) throws -> SyncReport {
    guard try isLarge(file) else { return try once(file) }
    do {
      return try inParts(file)
    } catch is NeedsOneTransaction {
      return try once(file)
    }
  }

  var variant: TenWeekVariant {
    link.options["variant"]?.string.flatMap(TenWeekVariant.init) ?? .uuid
  }

  private func once(_ file: URL) throws -> SyncReport {
    return try archive.write(
      by: .importer, "sync", "Synced with \(file.lastPathComponent)"
    ) { scope in
      var run = TenWeekSyncRun(
        link, writer: TenWeekWriter(homeZone: homeZone), now: scope.now)
      run.work(in: scope)
      try ForeignWriter.change(file, waits: Self.waitSeconds) { writer in
        var there = try TenWeekFile(
          writer, variant: variant, homeZone: homeZone, now: scope.now,
          identities: archive.identities)
        try run.bringInLine(&there)
        if !allowsDeletions { try run.refuseLargeDeletions() }
      }
      if run.isIdle, run.report.pulled.isEmpty { try scope.forget() }
      return run.report
    }.value
  }
}

/// The state of one sync.
struct TenWeekSyncRun {
  let source: String
  let writer: TenWeekWriter
  let now: Instant
  private var transaction: ChangeScope?
  var report: SyncReport
  /// Whether nothing that is kept of the rows was touched.
  var isIdle = true
  /// Identities of what was deleted there in this run.
  private var deletedThere: Set<String> = []
  /// What was said on both sides when the sync began.
  var talk = Talk()
  /// Terms that are to get another number on a side.
  var numbersHere: [Renumbering] = []
  var numbersThere: [Renumbering] = []
  var amounts: [TenWeekTable: Amount] = [:]
  /// What both sides last had of rows that went out; nil where that is noted at once. It may be noted
  /// no earlier than the database is committed: else a row that never got there would seem to have
  /// been changed there.
  var later: [Outgoing]?

  /// How many rows of a kind there were on both sides, and how many were deleted.
  struct Amount {
    var here: Int
    var there: Int
    var deletedThere = 0
    /// Only of conversations; of other kinds the change tells.
    var deletedHere = 0
  }

  /// What is to be noted of a row that went out.
  enum Outgoing {
    case keep(InterchangeRow)
    case forget(TenWeekTable, String)
  }

  init(_ link: SyncLink, writer: TenWeekWriter, now: Instant) {
    self.writer = writer
    self.now = now
    source = link.id.uuidString
    report = SyncReport(link)
  }

  /// Writes into this transaction from now on.
  mutating func work(in scope: ChangeScope) { transaction = scope }

  /// The transaction that is open just now.
  var scope: ChangeScope {
    get throws {
      guard let transaction else {
        throw ArchiveError.refused("The sync has no open transaction.")
      }
      return transaction
    }
  }

  mutating func bringInLine(_ there: inout TenWeekFile) throws {
    for stray in there.strays { report.warn(stray.place, stray.message) }
    let bases = Dictionary(grouping: try scope.interchangeRows(from: source), by: \.table)
    for table in TenWeekTable.allCases where table.entityType != nil {
      let base = Dictionary((bases[table.rawValue] ?? []).map { ($0.key, $0) }) { $1 }
      try bringInLine(table, base, &there)
    }
    let said = Dictionary(
      (bases[TenWeekTable.conversations.rawValue] ?? []).map { ($0.key, $0) }
    ) { $1 }
    try bringTalkInLine(said, &there)
    for (_, entry) in (there.rows[.archive] ?? [:]).sorted(by: { $0.key < $1.key }) {
      try takeOldVersion(entry.row, there.reader)
    }
    for row in there.witnesses { try noteSent(.keep(row)) }
    try there.forEachForeignRow { try keep($0) }
  }

  mutating func keep(_ row: InterchangeRow) throws {
    if try scope.keep(row, from: source) { isIdle = false }
  }

  /// Notes what became of a row that went out, at once or when the database is committed.
  mutating func noteSent(_ outgoing: Outgoing) throws {
    guard later == nil else {
      later?.append(outgoing)
      return
    }
    switch outgoing {
    case .keep(let row): try keep(row)
    case .forget(let table, let key): try forget(table, key)
    }
  }

  mutating func forget(_ table: TenWeekTable, _ key: String) throws {
    try scope.forgetInterchangeRow(table.rawValue, key, from: source)
    isIdle = false
  }

  mutating func takeOldVersion(_ row: InterchangeRow, _ reader: TenWeekReader) throws {
    guard try scope.interchangeRow(row.table, row.key, from: source) != row else { return }
    do {
      if case .history(let version)? = try reader.read(.archive, row),
        try !scope.hasHistory(version.id)
      {
        try scope.adopt(version)
        report.count("history", isPulled: true)
      }
    } catch let error as FieldError {
      report.warn("archive \(row.key) field “\(error.field)”", "left alone: \(error.description)")
    }
    try keep(row)
  }

  // MARK: One table

  mutating func bringInLine(
    _ table: TenWeekTable, _ bases: [String: InterchangeRow], _ there: inout TenWeekFile
  ) throws {
    let rows = there.rows[table] ?? [:]
    // What was deleted there and is here again counts too.
    let deleted = table == .actions ? there.reader.deletions.keys.map(\.uuidString) : []
    let list = try Self.here(table, Set(rows.keys).union(bases.keys).union(deleted), scope)
    let here = Dictionary(list) { first, _ in first }
    // What went with something else a moment ago was there when the sync began.
    let gone = try table.entityType.flatMap { try scope.deletedCounts()[$0] } ?? 0
    amounts[table] = Amount(here: list.count + gone, there: rows.count)
    var keys = there.order[table] ?? []
    let known = Set(keys)
    keys += list.map(\.0).filter { !known.contains($0) }
    keys += bases.keys.filter { rows[$0] == nil && here[$0] == nil }.sorted()
    // Terms give each other their numbers before others come and take those.
    let isTerms = table == .terms
    let isOnBothSides = isTerms ? Set(keys.filter { rows[$0] != nil && here[$0] != nil }) : []
    for key in keys where isOnBothSides.contains(key) {
      try bringInLine(Case(table: table, key: key, base: bases[key]), rows[key], here[key], &there)
    }
    if isTerms { try exchangeNumbers(&there, isLast: false) }
    for key in keys where !isOnBothSides.contains(key) {
      try bringInLine(Case(table: table, key: key, base: bases[key]), rows[key], here[key], &there)
    }
    if isTerms { try exchangeNumbers(&there, isLast: true) }
  }

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

  mutating func leaveAlone(_ it: Case, _ error: FieldError) {
    report.warn("\(it.place) field “\(error.field)”", "left alone: \(error.description)")
  }

  struct Case {
    let table: TenWeekTable
    let key: String
    let base: InterchangeRow?

    var place: String { "\(table.rawValue) \(key)" }
    var type: String { table.entityType?.singular ?? table.rawValue }
  }

  /// Whether what stands here is not what the row said that both last had.
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
          message: "“\(TenWeekMerge.name(own))” was changed on both sides; the newer was kept, "
            + "the older is in the history"))
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
      return report.warn(it.place, "the database's own rules refuse the change")
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
    // What went with a change that was taken back, or with an import, was not deleted by the owner.
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
      return report.warn(it.place, "the database's own rules refuse the deletion")
    }
    deletedThere.insert(it.key)
    amounts[it.table]?.deletedThere += 1
    report.count("deleted", isPulled: false)
    try noteSent(.forget(it.table, it.key))
  }

  private mutating func onlyHere(
    _ it: Case, _ own: TenWeekEntity, _ there: inout TenWeekFile
  ) throws {
    // It stands there under a number, as was told; adding it would double it.
    if there.unkeyed[it.table]?.contains(it.key) == true { return }
    guard there.bearsIdentities(it.table) else {
      return report.warn(
        it.place,
        "the table has no column for a UUID; open the database in its own program once")
    }
    if let witness = there.reader.deletions[own.id] {
      let isChanged = it.base != nil && hasChanged(own, since: it.base, it.table, there.reader)
      // A deletion that was carried out here and taken back since is not carried out again.
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
        it.place, "the row is gone, but the database's archive tells of no deletion; written back")
    }
    let fields = writer.fields(own, it.table, kept: it.base, there.reader)
    guard let row = try there.insert(it.table, it.key, fields) else {
      return report.warn(it.place, "the database's own rules refuse the row")
    }
    try there.keepZone(of: own, in: row)
    report.count("new", isPulled: false)
    try noteSent(.keep(row))
  }
}
