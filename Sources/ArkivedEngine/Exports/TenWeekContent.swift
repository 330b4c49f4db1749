import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// The tables and rows of a database for Ten Week.
struct TenWeekContent {
  let snapshot: GoalsSnapshot
  let index: InterchangeIndex
  let variant: TenWeekVariant
  let writer: TenWeekWriter
  let reader: TenWeekReader
  /// The rows of the tables that are held in memory.
  private let kept: [TenWeekTable: [InterchangeRow]]
  private let layouts: [String: InterchangeTable]

  /// Creates the content for an export.
  ///
  /// - Parameters:
  ///   - snapshot: the goals and everything about them.
  ///   - index: empty; filled with the positions of the many rows of Ten Week's archive and
  ///     conversations.
  ///   - variant: the version of the format; nil for the newest.
  ///   - homeZone: the home time zone.
  ///   - now: the current time.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  init(
    _ snapshot: GoalsSnapshot, index: InterchangeIndex, variant: TenWeekVariant?, homeZone: Zone,
    now: Instant
  ) throws {
    self.snapshot = snapshot
    self.index = index
    let layouts = try snapshot.rows(InterchangeTable.layouts).map { InterchangeTable($0) }
    self.layouts = Dictionary(layouts.map { ($0.name, $0) }) { first, _ in first }
    self.variant =
      variant ?? (layouts.isEmpty ? .uuid : TenWeekTable.variant(of: layouts))
    writer = TenWeekWriter(homeZone: homeZone)
    var reader = TenWeekReader(homeZone: homeZone, now: now)
    var kept: [TenWeekTable: [InterchangeRow]] = [:]
    for table in TenWeekTable.allCases where table.entityType != nil {
      let rows = try snapshot.rows(table.rawValue)
      for row in rows { reader.learn(table, row) }
      kept[table] = rows
    }
    self.kept = kept
    self.reader = reader
  }

  // MARK: Tables

  var tables: [(InterchangeTable, clauses: [String: String], constraints: [String])] {
    TenWeekTable.allCases.map { (layout($0), $0.clauses(variant), $0.constraints(variant)) }
      + (namesZones ? [(TenWeekZone.table, TenWeekZone.clauses, [])] : [])
      + foreignNames.compactMap { name in layouts[name].map { ($0, [:], []) } }
  }

  /// True if an action was done outside the home zone.
  private var namesZones: Bool {
    snapshot.actions.contains { $0.timeZone != reader.homeZone.identifier }
  }

  private var foreignNames: [String] {
    let known = Set(TenWeekTable.allCases.map(\.rawValue) + [TenWeekZone.table.name])
    return layouts.keys.filter { !known.contains($0.lowercased()) }.sorted()
  }

  /// Returns Ten Week's columns, followed by those that only the imported file had.
  private func layout(_ table: TenWeekTable) -> InterchangeTable {
    var layout = table.layout(variant)
    let before = layouts[table.rawValue]?.columns ?? []
    // Values that were imported as numbers stay numbers.
    if table == .archive || table == .conversations,
      before.first(where: { $0.name.lowercased() == "id" })?.isInteger == true
    {
      layout.columns[0].type = ""
    }
    let names = Set(layout.columns.map { $0.name.lowercased() })
    for column in before where !names.contains(column.name.lowercased()) {
      let meaning = Self.field(of: column.name, in: table)
      let isAlone =
        meaning.map { field in
          before.filter { field.names.contains($0.name.lowercased()) }.count == 1
        } ?? false
      let isOther = ["polymorphic_subtype", "log_time"].contains(column.name.lowercased())
      guard !isAlone || isOther else { continue }
      layout.columns.append(.init(name: column.name, type: column.type))
    }
    return layout
  }

  private static func field(of name: String, in table: TenWeekTable) -> TenWeekTable.Field? {
    table.fields.first { $0.names.contains(name.lowercased()) }
  }

  // MARK: Rows

  /// A function that receives a row of a table with its key.
  typealias Body = (_ table: String, _ key: String, [InterchangeRow.Column]) throws -> Void

  func forEachRow(_ body: Body) throws {
    let unread = unreadKeys
    for table in TenWeekTable.allCases {
      let layout = layout(table)
      switch table {
      case .archive: try forEachOldVersion(layout, body)
      case .conversations: try forEachExchange(layout, body)
      default: try forEachEntity(table, layout, unread, body)
      }
    }
    for name in foreignNames {
      try snapshot.forEachRow(name) { row in try body(name, row.key, row.columns) }
    }
  }

  private func forEachEntity(
    _ table: TenWeekTable, _ layout: InterchangeTable, _ unread: Set<String>,
    _ body: Body
  ) throws {
    let kept = kept[table] ?? []
    let rows = Dictionary(kept.map { ($0.key, $0) }) { $1 }
    var written: Set<String> = []
    for (key, entity) in entities(table) {
      let row = rows[key]
      let fields = writer.fields(entity, table, kept: row, reader)
      written.insert(key)
      let columns = columns(layout, table, fields, row)
      try body(table.rawValue, key, columns)
      guard case .action(let action) = entity,
        let zone = TenWeekZone(
          of: action, in: .init(table: table.rawValue, key: key, columns: columns),
          reader.homeZone)
      else { continue }
      try body(TenWeekZone.table.name, key, zone.columns(.text(key)))
    }
    for row in kept where !written.contains(row.key) {
      // A row that was readable and no longer exists here was deleted here, unless it depends on
      // something unreadable.
      let ends = row.key.split(separator: "/").map(String.init)
      let hangs = ends.count == 2 && ends.contains(where: unread.contains)
      guard hangs || (try? reader.read(table, row)) == nil else { continue }
      try body(table.rawValue, row.key, columns(layout, table, [:], row))
    }
  }

  /// The keys of rows that didn't become entities because they could not be read.
  private var unreadKeys: Set<String> {
    var keys: Set<String> = []
    for table in [TenWeekTable.actions, .goals, .terms] {
      for row in kept[table] ?? [] where (try? reader.read(table, row)) == nil {
        keys.insert(row.key)
      }
    }
    return keys
  }

  private func entities(_ table: TenWeekTable) -> [(String, TenWeekEntity)] {
    switch table {
    case .actions: snapshot.actions.map { ($0.id.uuidString, .action($0)) }
    case .goals: snapshot.goals.map { ($0.id.uuidString, .entity($0)) }
    case .values: snapshot.values.map { ($0.id.uuidString, .entity($0)) }
    case .terms: snapshot.terms.map { ($0.id.uuidString, .entity($0)) }
    case .assignments:
      snapshot.assignments.map {
        ("\($0.termID.uuidString)/\($0.goalID.uuidString)", .entity($0))
      }
    case .progress:
      snapshot.contributions.map {
        ("\($0.actionID.uuidString)/\($0.goalID.uuidString)", .entity($0))
      }
    case .archive, .conversations: []
    }
  }

  func columns(
    _ layout: InterchangeTable, _ table: TenWeekTable, _ fields: TenWeekWriter.Fields,
    _ row: InterchangeRow?
  ) -> [InterchangeRow.Column] {
    layout.columns.compactMap { column in
      let field = Self.field(of: column.name, in: table)
      let own = row?[column.name]
      if let field, let value = fields[field.meaning] {
        // Rows that older versions numbered keep their number in addition to the UUID.
        if field.meaning == "key", column.isInteger {
          if case .integer? = own { return .init(name: column.name, value: own ?? .null) }
          return nil
        }
        return .init(name: column.name, value: value)
      }
      let other = field?.names.compactMap { row?[$0] }.first { !$0.isNull }
      return (own ?? other).map { .init(name: column.name, value: $0) }
    }
  }
}
