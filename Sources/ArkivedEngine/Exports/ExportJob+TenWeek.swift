package import ArkivedCore
package import ArkivedImport
import ArkivedStore
package import Foundation

/// Writing a database that the older relative opens.
extension ExportJob {
  /// Marks a database as an export (`PRAGMA application_id`): "ARKV".
  private static let applicationID: [UInt8] = [0x41, 0x52, 0x4B, 0x56]

  /// Writes the goals side, with the rows and columns that only the relative knows as they came.
  ///
  /// - Parameters:
  ///   - variant: nil for the one that was imported, else uuid.
  ///   - replaces: whether a file may be replaced that is no export, or was changed since.
  package func writeTenWeek(
    to file: URL, variant: TenWeekVariant?, homeZone: Zone, replaces: Bool = false
  ) throws -> Summary {
    try claimDatabase(file, replaces: replaces)
    try DurableFile.makeFolder(file.deletingLastPathComponent())
    let content = TenWeekContent(
      try archive.goalsSnapshot(), variant: variant, homeZone: homeZone, now: archive.clock.now)
    var summary = Summary()
    do {
      try ForeignWriter.make(at: file, applicationID: ExportJob.applicationID) { writer in
        for (table, clauses, constraints) in content.tables {
          try writer.create(table, clauses: clauses, constraints: constraints)
        }
        try content.forEachRow { table, key, columns in
          if try writer.insert(columns, into: table) != nil {
            if !TenWeekZone.isTable(table) { summary.entries += 1 }
          } else {
            summary.leftOut.append("\(table) \(key)")
          }
        }
      }
    } catch let error as ForeignDatabaseError {
      throw ArchiveError.refused("\(file.path): \(error.description). Nothing was written.")
    }
    summary.files = 1
    return summary
  }

  private static func isOpen(_ file: URL) -> ArchiveError {
    .busy("\(file.path) is open in another program. Close it there, or name another file.")
  }

  /// Refuses a file that is somebody else's, or that another program has open.
  private func claimDatabase(_ file: URL, replaces: Bool) throws {
    guard !archive.isOwn(file) else {
      throw ArchiveError.refused("\(file.path) is the archive’s own. Name another file.")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    guard let type = attributes?[.type] as? FileAttributeType else { return }
    guard type == .typeRegular else {
      throw ArchiveError.refused("\(file.path) is no ordinary file. Name another.")
    }
    for suffix in ["-wal", "-journal"] {
      let size =
        (try? FileManager.default.attributesOfItem(atPath: file.path + suffix))?[.size] as? Int
      if let size, size > 0 { throw Self.isOpen(file) }
    }
    guard !ForeignDatabase.isInUse(file) else { throw Self.isOpen(file) }
    guard !replaces, attributes?[.size] as? Int != 0 else { return }
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let head = [UInt8](try handle.read(upToCount: 100) ?? Data())
    // An export is written in one transaction; whoever changes it since adds one.
    let isUntouched =
      head.count == 100 && Array(head[68..<72]) == ExportJob.applicationID
      && Array(head[24..<28]) == [0, 0, 0, 1]
    guard isUntouched else {
      throw ArchiveError.refused(
        "\(file.path) is no export of Arkived, or was changed since. Name another file, or add "
          + "--force to replace it.")
    }
  }
}

/// The tables and rows of a database for the older relative.
struct TenWeekContent {
  private let snapshot: Archive.GoalsSnapshot
  private let variant: TenWeekVariant
  private let writer: TenWeekWriter
  private let reader: TenWeekReader
  private let kept: [String: [InterchangeRow]]
  private let layouts: [String: InterchangeTable]

  init(
    _ snapshot: Archive.GoalsSnapshot, variant: TenWeekVariant?, homeZone: Zone, now: Instant
  ) {
    self.snapshot = snapshot
    kept = Dictionary(grouping: snapshot.rows, by: \.table)
    let layouts = (kept[InterchangeTable.layouts] ?? []).map { InterchangeTable($0) }
    self.layouts = Dictionary(layouts.map { ($0.name, $0) }) { first, _ in first }
    self.variant =
      variant ?? (layouts.isEmpty ? .uuid : TenWeekTable.variant(of: layouts))
    writer = TenWeekWriter(homeZone: homeZone)
    var reader = TenWeekReader(homeZone: homeZone, now: now)
    for table in TenWeekTable.allCases {
      for row in kept[table.rawValue] ?? [] { reader.learn(table, row) }
    }
    reader.changes = [:]
    self.reader = reader
  }

  // MARK: Tables

  var tables: [(InterchangeTable, clauses: [String: String], constraints: [String])] {
    TenWeekTable.allCases.map { (layout($0), $0.clauses(variant), $0.constraints(variant)) }
      + (namesZones ? [(TenWeekZone.table, TenWeekZone.clauses, [])] : [])
      + foreignNames.compactMap { name in layouts[name].map { ($0, [:], []) } }
  }

  /// Whether an action was done where home is not.
  private var namesZones: Bool {
    snapshot.actions.contains { $0.timeZone != reader.homeZone.identifier }
  }

  private var foreignNames: [String] {
    let known = Set(TenWeekTable.allCases.map(\.rawValue) + [TenWeekZone.table.name])
    return layouts.keys.filter { !known.contains($0.lowercased()) }.sorted()
  }

  /// The relative's columns, and behind them those that only the imported file had.
  private func layout(_ table: TenWeekTable) -> InterchangeTable {
    var layout = table.layout(variant)
    let before = layouts[table.rawValue]?.columns ?? []
    // Numbers stay numbers where they came so.
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

  func forEachRow(
    _ body: (_ table: String, _ key: String, [InterchangeRow.Column]) throws -> Void
  ) throws {
    let unread = unreadKeys
    for table in TenWeekTable.allCases {
      let layout = layout(table)
      let rows = Dictionary((kept[table.rawValue] ?? []).map { ($0.key, $0) }) { $1 }
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
      if table == .conversations {
        try forEachExchange(layout, body)
        continue
      }
      for row in kept[table.rawValue] ?? [] where !written.contains(row.key) {
        // What could be read and is not here any more was deleted here, unless it hangs on what
        // could not be read.
        let ends = row.key.split(separator: "/").map(String.init)
        let hangs = ends.count == 2 && ends.contains(where: unread.contains)
        guard table.entityType == nil || hangs || (try? reader.read(table, row)) == nil else {
          continue
        }
        try body(table.rawValue, row.key, columns(layout, table, [:], row))
      }
      if table == .archive { try forEachOldVersion(layout, body) }
    }
    for name in foreignNames {
      for row in kept[name] ?? [] { try body(name, row.key, row.columns) }
    }
  }

  /// The keys of rows that became no entity since they could not be read.
  private var unreadKeys: Set<String> {
    var keys: Set<String> = []
    for table in [TenWeekTable.actions, .goals, .terms] {
      for row in kept[table.rawValue] ?? [] where (try? reader.read(table, row)) == nil {
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

  private func columns(
    _ layout: InterchangeTable, _ table: TenWeekTable, _ fields: TenWeekWriter.Fields,
    _ row: InterchangeRow?
  ) -> [InterchangeRow.Column] {
    layout.columns.compactMap { column in
      let field = Self.field(of: column.name, in: table)
      let own = row?[column.name]
      if let field, let value = fields[field.meaning] {
        // Rows that older versions counted keep their number beside the UUID.
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

  /// Questions and answers: the rows that came, of those whose talk is still here, and behind them what was said
  /// here, a session each thread.
  private func forEachExchange(
    _ layout: InterchangeTable,
    _ body: (_ table: String, _ key: String, [InterchangeRow.Column]) throws -> Void
  ) throws {
    let table = TenWeekTable.conversations
    let rows = kept[table.rawValue] ?? []
    var read: [String: TenWeekExchange] = [:]
    var made: [UUID: String] = [:]
    var written: [UUID: InterchangeRow] = [:]
    var last = 0
    for row in rows {
      if case .integer(let session)? = row["session_id"] { last = max(last, Int(session)) }
      guard let exchange = try? TenWeekExchange(row, reader) else { continue }
      read[row.key] = exchange
      for role in [MessageRole.user, .assistant] { made[exchange.id(role)] = row.key }
      if let id = exchange.writtenFrom { written[id] = row }
    }
    let messages = Dictionary(snapshot.messages.map { ($0.id, $0) }) { first, _ in first }
    for row in rows {
      var fields: TenWeekWriter.Fields = [:]
      if let exchange = read[row.key] {
        let question = messages[exchange.id(.user)]
        let answer = messages[exchange.id(.assistant)]
        guard question != nil || answer != nil else { continue }
        if let text = Self.changed(question, from: exchange.prompt) { fields["prompt"] = text }
        if let text = Self.changed(answer, from: exchange.response) { fields["response"] = text }
      }
      try body(table.rawValue, row.key, columns(layout, table, fields, row))
    }
    let threads = Dictionary(grouping: snapshot.messages, by: \.threadID)
    for thread in snapshot.threads.sorted(by: {
      ($0.createdAt, $0.title) < ($1.createdAt, $1.title)
    }) {
      let said = threads[thread.id] ?? []
      let own = said.filter { made[$0.id] == nil }
      guard !own.isEmpty else { continue }
      let known = said.lazy.compactMap { message -> Int? in
        made[message.id].flatMap { read[$0]?.session }
          ?? written[message.id].flatMap { read[$0.key]?.session }
      }.first
      if known == nil { last += 1 }
      for (question, answer) in ConversationMessage.exchanges(own) {
        let row = [answer?.id, question?.id].compactMap { $0.flatMap { written[$0] } }.first
        var fields = writer.fields(question, answer, session: known ?? last)
        for name in ["id", "session_id", "created_at"] {
          if let value = row?[name] { fields[name] = value }
        }
        if row != nil { fields["freeform_notes"] = nil }
        try body(table.rawValue, fields["id"]?.text ?? "", columns(layout, table, fields, row))
      }
    }
  }

  /// What is said here, where that is not what the row says.
  private static func changed(
    _ message: ConversationMessage?, from text: String
  ) -> InterchangeValue? {
    let now = message?.text ?? ""
    return now == text ? nil : .text(now)
  }

  /// What this archive's own history adds to the rows that came.
  private func forEachOldVersion(
    _ layout: InterchangeTable,
    _ body: (_ table: String, _ key: String, [InterchangeRow.Column]) throws -> Void
  ) throws {
    let came = Set(
      (kept[TenWeekTable.archive.rawValue] ?? []).compactMap { row in
        (try? reader.read(.archive, row))??.id
      })
    let actions = Set(snapshot.actions.map(\.id))
    for version in snapshot.history where !came.contains(version.id) {
      if version.sourceTable == .activity, !actions.contains(version.sourceID),
        version.record["measurements"]?.object?.isEmpty ?? true
      {
        continue
      }
      try body(
        TenWeekTable.archive.rawValue, version.id.uuidString,
        columns(layout, .archive, writer.fields(version, variant), nil))
    }
  }
}
