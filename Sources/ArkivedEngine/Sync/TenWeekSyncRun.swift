import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// The state of one sync.
struct TenWeekSyncRun {
  let source: String
  let writer: TenWeekWriter
  let now: Instant
  private var transaction: ChangeScope?
  var report: SyncReport
  /// True if no stored information about rows was changed.
  var isIdle = true
  /// The IDs of rows deleted there in this run.
  var deletedThere: Set<String> = []
  /// The last session of the conversations on both sides.
  var lastSession = 0
  /// The terms whose number is to change on a side.
  var numbersHere: [Renumbering] = []
  var numbersThere: [Renumbering] = []
  var amounts: [TenWeekTable: Amount] = [:]
  /// True if the common state of exported rows is recorded later.
  ///
  /// It must not be recorded before the database is committed; otherwise a row that never arrived
  /// would seem to have been changed there.
  var notesLater = false
  /// The index of those rows of which there may be millions.
  let index: InterchangeIndex

  /// The number of rows of a kind on both sides, and of those deleted.
  struct Amount {
    var here: Int
    var there: Int
    var deletedThere = 0
    /// Used only for conversations; for other kinds, the change contains this number.
    var deletedHere = 0
  }

  /// The information to record about an exported row.
  enum Outgoing {
    case keep(InterchangeRow)
    case forget(TenWeekTable, String)

    var line: JSON {
      switch self {
      case .keep(let row): row.line
      case .forget(let table, let key):
        ["sourceTable": .string(table.rawValue), "sourceKey": .string(key)]
      }
    }

    init?(_ line: JSON) {
      if let row = InterchangeRow(line: line) {
        self = .keep(row)
      } else if let table = line["sourceTable"]?.string.flatMap(TenWeekTable.init(rawValue:)),
        let key = line["sourceKey"]?.string
      {
        self = .forget(table, key)
      } else {
        return nil
      }
    }
  }

  init(_ link: SyncLink, writer: TenWeekWriter, now: Instant, index: InterchangeIndex) {
    self.writer = writer
    self.now = now
    self.index = index
    source = link.id.uuidString
    report = SyncReport(link)
  }

  /// Uses a transaction for all further writes.
  mutating func work(in scope: ChangeScope) { transaction = scope }

  /// The transaction that is open.
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
    let bases = try Self.bases(source, try scope)
    for table in TenWeekTable.allCases where table.entityType != nil {
      try bringInLine(table, bases[table] ?? [:], &there)
    }
    try bringTalkInLine(&there)
    var key: String?
    while let rows = try there.oldVersions(after: &key) {
      for row in rows { try takeOldVersion(row, there.reader) }
    }
    try noteWitnesses()
    try there.forEachForeignRow { try keep($0) }
  }

  /// Rows as both sides last had them, by key.
  typealias Bases = [TenWeekTable: [String: InterchangeRow]]

  /// Returns the rows last common to both sides, for the tables that are held in memory.
  static func bases(_ source: String, _ side: some TenWeekSide) throws -> Bases {
    var bases: Bases = [:]
    for table in TenWeekTable.allCases where table.entityType != nil {
      let rows = try side.interchangeRows(table.rawValue, from: source)
      bases[table] = Dictionary(rows.map { ($0.key, $0) }) { $1 }
    }
    return bases
  }

  mutating func keep(_ row: InterchangeRow) throws {
    if try scope.keep(row, from: source) { isIdle = false }
  }

  /// Records the result of exporting a row, either immediately or after the database is committed.
  mutating func noteSent(_ outgoing: Outgoing) throws {
    guard !notesLater else { return try index.append(outgoing.line, to: .sent) }
    switch outgoing {
    case .keep(let row): try keep(row)
    case .forget(let table, let key): try forget(table, key)
    }
  }

  /// Records the old versions that were written there.
  mutating func noteWitnesses() throws {
    var last: Int64 = 0
    while true {
      let lines = try index.lines(.witnesses, after: last, limit: TenWeekFile.batchCount)
      guard let end = lines.last else { return }
      for (_, line) in lines {
        if let row = InterchangeRow(line: line) { try noteSent(.keep(row)) }
      }
      last = end.number
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
      report.warn("archive \(row.key) field “\(error.field)”", "unchanged: \(error.description)")
    }
    try keep(row)
  }

  // MARK: One table

  mutating func bringInLine(
    _ table: TenWeekTable, _ bases: [String: InterchangeRow], _ there: inout TenWeekFile
  ) throws {
    let rows = there.rows[table] ?? [:]
    // Rows deleted there whose entries exist here count too.
    let deleted = table == .actions ? there.deletions.keys.map(\.uuidString) : []
    let list = try Self.here(table, Set(rows.keys).union(bases.keys).union(deleted), scope)
    let here = Dictionary(list) { first, _ in first }
    // Entries deleted as a consequence of earlier steps existed when the sync began.
    let gone = try table.entityType.flatMap { try scope.deletedCounts()[$0] } ?? 0
    amounts[table] = Amount(here: list.count + gone, there: rows.count)
    var keys = there.order[table] ?? []
    let known = Set(keys)
    keys += list.map(\.0).filter { !known.contains($0) }
    keys += bases.keys.filter { rows[$0] == nil && here[$0] == nil }.sorted()
    // Terms exchange numbers before new terms take them.
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

  mutating func leaveAlone(_ it: Case, _ error: FieldError) {
    report.warn("\(it.place) field “\(error.field)”", "unchanged: \(error.description)")
  }

  struct Case {
    let table: TenWeekTable
    let key: String
    let base: InterchangeRow?

    var place: String { "\(table.rawValue) \(key)" }
    var type: String { table.entityType?.singular ?? table.rawValue }
  }
}
