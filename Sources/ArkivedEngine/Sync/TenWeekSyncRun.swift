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
  /// Whether nothing that is kept of the rows was touched.
  var isIdle = true
  /// Identities of what was deleted there in this run.
  var deletedThere: Set<String> = []
  /// The last session of the conversations on both sides.
  var lastSession = 0
  /// Terms that are to get another number on a side.
  var numbersHere: [Renumbering] = []
  var numbersThere: [Renumbering] = []
  var amounts: [TenWeekTable: Amount] = [:]
  /// Whether it is noted later what both sides last had of rows that went out. It may be noted no earlier than the
  /// database is committed: else a row that never got there would seem to have been changed there.
  var notesLater = false
  /// The rows of which there may be millions.
  let index: InterchangeIndex

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

  /// Those of the tables whose rows are held in memory.
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

  /// Notes what became of a row that went out, at once or when the database is committed.
  mutating func noteSent(_ outgoing: Outgoing) throws {
    guard !notesLater else { return try index.append(outgoing.line, to: .sent) }
    switch outgoing {
    case .keep(let row): try keep(row)
    case .forget(let table, let key): try forget(table, key)
    }
  }

  /// Notes the old versions that were written there.
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
    // What was deleted there and is here again counts too.
    let deleted = table == .actions ? there.deletions.keys.map(\.uuidString) : []
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
