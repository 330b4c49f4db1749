import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// A linked Ten Week database inside the transaction that changes it.
struct TenWeekFile {
  struct Entry {
    var row: InterchangeRow
    var address: ForeignWriter.Address
  }

  let writer: ForeignWriter
  let variant: TenWeekVariant
  let now: Instant
  let identities: any IdentitySource
  private(set) var reader: TenWeekReader
  /// The index of its archive's rows and its conversations, of which there may be millions.
  let index: InterchangeIndex
  /// The times at which rows whose entries are here were deleted, from its archive.
  private(set) var deletions: [UUID: Instant] = [:]
  /// The rows of the other tables, by key.
  private(set) var rows: [TenWeekTable: [String: Entry]] = [:]
  /// The keys of each of these tables, in the order of its rows.
  private(set) var order: [TenWeekTable: [String]] = [:]
  /// The rows with a missing or duplicate key.
  private(set) var strays: [(place: String, message: String)] = []
  /// The last session of its conversations.
  private(set) var lastSession = 0
  private(set) var layouts: [TenWeekTable: InterchangeTable] = [:]
  private(set) var foreign: [InterchangeTable] = []
  /// The keys that an import gives to rows with a number but no UUID.
  ///
  /// Their entries here, if any, have these keys.
  private(set) var unkeyed: [TenWeekTable: Set<String>] = [:]
  /// The UUIDs that are neither upper-case nor lower-case with hyphens, in their original form.
  private var spellings: [UUID: InterchangeValue] = [:]
  /// The numbers of rows that have one in addition to their UUID.
  private var numbers: [UUID: Int64] = [:]
  private var zoneTable: InterchangeTable?
  private var zoneRows: [UUID: (zone: TenWeekZone?, address: ForeignWriter.Address)] = [:]
  /// True if the file writes UUIDs in lower case.
  ///
  /// Ten Week's Python only looks up lower-case ones.
  private var isSmall = false

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - writer: the open file.
  ///   - variant: the version of its format.
  ///   - homeZone: the home time zone.
  ///   - now: the current time.
  ///   - identities: the entries that its rows belong to.
  ///   - index: the index of its archive's rows and its conversations.
  ///   - side: records of the past count only if they are about entries that are here.
  /// - Throws: an error if the file can't be read.
  init(
    _ writer: ForeignWriter, variant: TenWeekVariant, homeZone: Zone, now: Instant,
    identities: any IdentitySource, index: InterchangeIndex, side: some TenWeekSide
  ) throws {
    self.writer = writer
    self.variant = variant
    self.now = now
    self.identities = identities
    self.index = index
    var reader = TenWeekReader(homeZone: homeZone, now: now)
    var maker = TenWeekReader(homeZone: homeZone, now: now, makesIdentities: true)
    var zoneRows: [UUID: (zone: TenWeekZone?, address: ForeignWriter.Address)] = [:]
    for table in try writer.tables() {
      if let known = TenWeekTable(rawValue: table.name.lowercased()) {
        layouts[known] = table
      } else if TenWeekZone.isTable(table.name) {
        zoneTable = table
        try writer.forEachRow(of: table) { columns, number in
          let row = InterchangeRow(table: table.name, key: "", columns: columns)
          reader.learnZone(row)
          if let id = UUID(foreign: row["action_id"]) {
            zoneRows[id] = (TenWeekZone(row), TenWeekFile.address(table, columns, number))
          }
        }
      } else {
        foreign.append(table)
        guard TenWeekTable.isOfMappings(table.name) else { continue }
        try writer.forEachRow(of: table) { columns, _ in
          maker.learnMapping(InterchangeRow(table: table.name, key: "", columns: columns))
        }
      }
    }
    for table in TenWeekTable.allCases where table != .archive {
      // Conversations have a UUID in addition to their number only if somebody added one.
      guard let layout = layouts[table],
        table.entityType != nil
          || layout.columns.contains(where: { $0.name.lowercased() == "uuid_id" })
      else { continue }
      try writer.forEachRow(of: layout) { columns, _ in
        let row = InterchangeRow(table: table.rawValue, key: "", columns: columns)
        reader.learn(table, row)
        if table.entityType != nil { maker.learn(table, row) }
      }
    }
    self.reader = reader
    self.zoneRows = zoneRows
    for table in TenWeekTable.allCases where table.entityType != nil {
      if let layout = layouts[table] { try gather(table, layout, maker) }
    }
    if let layout = layouts[.archive] { try gatherArchive(layout, side) }
    if let layout = layouts[.conversations] { try gatherConversations(layout) }
    // Records of the past may have been spelled by a program other than the present Ten Week.
    let keys = rows.values.joined()
      .compactMap { _, entry in (entry.row["uuid_id"] ?? entry.row["id"])?.text }
    let small = keys.count { $0 == $0.lowercased() }
    isSmall = keys.isEmpty ? variant == .uuid : small * 2 > keys.count
  }

  private mutating func gather(
    _ table: TenWeekTable, _ layout: InterchangeTable, _ maker: TenWeekReader
  ) throws {
    var found: [String: Entry] = [:]
    var keys: [String] = []
    try writer.forEachRow(of: layout) { columns, number in
      var row = InterchangeRow(table: table.rawValue, key: "", columns: columns)
      guard let key = reader.key(table, row) else {
        if let made = maker.key(table, row) { unkeyed[table, default: []].insert(made) }
        return addStray(table, number)
      }
      row.key = key
      learnSpelling(of: row, in: table)
      guard found[key] == nil else { return addStray(table, second: key) }
      found[key] = Entry(row: row, address: TenWeekFile.address(layout, columns, number))
      keys.append(key)
    }
    rows[table] = found
    order[table] = keys
  }

  mutating func addStray(_ table: TenWeekTable, _ number: Int64?) {
    let number = number.map { "\($0)" } ?? "?"
    addStray("\(table.rawValue) row \(number)", "it has no UUID; left unchanged")
  }

  mutating func addStray(_ table: TenWeekTable, second key: String) {
    addStray("\(table.rawValue) \(key)", "this key occurs twice; left unchanged")
  }

  private mutating func addStray(_ place: String, _ message: String) {
    guard strays.count < ImportState.warningLimit else { return }
    strays.append((place, message))
  }

  /// Records when a row whose entry is here under its UUID was changed.
  mutating func learnChange(of id: UUID, at instant: Instant) {
    let key = id.uuidString
    guard rows.contains(where: { $0.key.isPersistable && $0.value[key] != nil }) else { return }
    reader.changes[id] = max(reader.changes[id] ?? instant, instant)
  }

  /// Records when rows were deleted, if their entries are here.
  mutating func learn(_ deletions: [UUID: Instant], presentIn present: Set<UUID>) {
    for (id, instant) in deletions where present.contains(id) {
      self.deletions[id] = max(self.deletions[id] ?? instant, instant)
    }
  }

  /// Records the number of a conversation's session if it is the last one.
  mutating func learnSession(of row: InterchangeRow) {
    if case .integer(let number)? = row["session_id"], let session = Int(exactly: number) {
      lastSession = max(lastSession, session)
    }
  }

  private mutating func learnSpelling(of row: InterchangeRow, in table: TenWeekTable) {
    guard table.isPersistable, let id = reader.identity(row) else { return }
    if case .integer(let number)? = row["id"] { numbers[id] = number }
    let raw = ["uuid_id", "id"].compactMap { row[$0] }.first { UUID(foreign: $0) == id }
    if let raw, raw.text?.uppercased() != id.uuidString { spellings[id] = raw }
  }

  /// Returns true if rows of a table can have a UUID.
  func bearsIdentities(_ table: TenWeekTable) -> Bool {
    guard table.isPersistable, let layout = layouts[table] else { return true }
    return layout.columns.contains { column in
      ["uuid_id", "id"].contains(column.name.lowercased()) && !column.isInteger
    }
  }

  static func address(
    _ layout: InterchangeTable, _ columns: [InterchangeRow.Column], _ number: Int64?
  ) -> ForeignWriter.Address {
    number.map { .number($0) }
      ?? .key(layout.columns.indices.filter { layout.columns[$0].keyPlace > 0 }.map { columns[$0] })
  }

  /// Passes on the rows of tables that are not Ten Week's own, each with its key.
  func forEachForeignRow(_ body: (InterchangeRow) throws -> Void) throws {
    for layout in foreign {
      try body(layout.row)
      try writer.forEachRow(of: layout) { columns, number in
        try body(
          InterchangeRow(
            table: layout.name, key: TenWeekImporter.key(layout, columns, number),
            columns: columns))
      }
    }
    for table in TenWeekTable.allCases {
      if var row = layouts[table]?.row {
        row.key = table.rawValue
        try body(row)
      }
    }
  }

  // MARK: Writing

  private mutating func layout(_ table: TenWeekTable) throws -> InterchangeTable {
    if let layout = layouts[table] { return layout }
    let layout = table.layout(variant)
    try writer.create(
      layout, clauses: table.clauses(variant), constraints: table.constraints(variant))
    layouts[table] = layout
    return layout
  }

  private static let keys: Set = ["key", "action_id", "goal_id", "term_uuid", "goal_uuid"]

  private static func field(
    _ column: InterchangeTable.Column, _ table: TenWeekTable
  ) -> TenWeekTable.Field? {
    table.fields.first { $0.names.contains(column.name.lowercased()) }
  }

  /// Adds a row.
  ///
  /// - Returns: the row as stored; nil if the table's rules reject it.
  mutating func insert(
    _ table: TenWeekTable, _ key: String, _ fields: TenWeekWriter.Fields
  ) throws -> InterchangeRow? {
    let layout = try layout(table)
    var columns: [InterchangeRow.Column] = []
    for column in layout.columns {
      guard let field = Self.field(column, table), let value = fields[field.meaning] else {
        continue
      }
      if column.isInteger, ["key", "id"].contains(field.meaning) { continue }
      var spelled = spelled(value, field.meaning)
      if column.isInteger, TenWeekTable.identities.contains(field.meaning) {
        guard let number = UUID(foreign: value).flatMap({ numbers[$0] }) else { return nil }
        spelled = .integer(number)
      }
      columns.append(.init(name: column.name, value: spelled))
    }
    guard let number = try writer.insert(columns, into: layout.name) else { return nil }
    let address: ForeignWriter.Address =
      try writer.hasRowNumbers(layout)
      ? .number(number)
      : .key(
        columns.filter { column in
          layout.columns.contains { $0.name == column.name && $0.keyPlace > 0 }
        })
    let stored = try writer.row(address, of: layout)
    var row = InterchangeRow(table: table.rawValue, key: key, columns: stored)
    if let own = reader.key(table, row) { row.key = own }
    return row
  }

  /// Returns a UUID in the spelling that the file uses.
  private func spelled(_ value: InterchangeValue, _ meaning: String) -> InterchangeValue {
    if meaning != "key", TenWeekTable.identities.contains(meaning),
      let known = UUID(foreign: value).flatMap({ spellings[$0] })
    {
      return known
    }
    guard isSmall, TenWeekTable.identities.contains(meaning) || meaning == "id",
      let text = value.text, UUID(uuidString: text) != nil
    else { return value }
    return .text(text.lowercased())
  }

  /// Changes the columns of a row that differ; the previous version is stored in Ten Week's
  /// archive.
  mutating func update(
    _ table: TenWeekTable, _ entry: Entry, _ fields: TenWeekWriter.Fields
  ) throws -> InterchangeRow? {
    let layout = try layout(table)
    var columns: [InterchangeRow.Column] = []
    for field in table.fields where !Self.keys.contains(field.meaning) {
      guard let value = fields[field.meaning] else { continue }
      let names = layout.columns.map(\.name).filter { field.names.contains($0.lowercased()) }
        .sorted {
          field.names.firstIndex(of: $0.lowercased()) ?? 0 < field.names.firstIndex(
            of: $1.lowercased()) ?? 0
        }
      let filled = names.filter { entry.row[$0]?.isNull == false }
      for name in filled.isEmpty ? Array(names.prefix(1)) : filled
      where entry.row[name] != value { columns.append(.init(name: name, value: value)) }
    }
    guard !columns.isEmpty else { return entry.row }
    guard try writer.update(entry.address, columns, in: layout) else { return nil }
    try witness(table, entry.row, "update")
    return InterchangeRow(
      table: table.rawValue, key: entry.row.key,
      columns: try writer.row(entry.address, of: layout))
  }

  /// Returns the current numbers of terms, by key.
  func termNumbers() throws -> [String: Int] {
    guard let layout = layouts[.terms] else { return [:] }
    var numbers: [String: Int] = [:]
    try writer.forEachRow(of: layout) { columns, place in
      let row = InterchangeRow(table: TenWeekTable.terms.rawValue, key: "", columns: columns)
      guard let number = Self.number(row["term_number"]) else { return }
      numbers[reader.key(.terms, row) ?? "row \(place ?? 0)"] = number
    }
    return numbers
  }

  private static func number(_ value: InterchangeValue?) -> Int? {
    switch value {
    case .integer(let number)?: Int(exactly: number)
    case .real(let number)?: Int(exactly: number)
    case .text(let text)?: Int(text)
    default: nil
    }
  }

  /// Changes only the number of a term, without a record in Ten Week's archive.
  ///
  /// - Returns: true if the table's rules allow it.
  mutating func renumber(_ entry: Entry, to number: InterchangeValue) throws -> Bool {
    try writer.update(
      entry.address, [.init(name: "term_number", value: number)], in: try layout(.terms))
  }

  /// Deletes a row; Ten Week's archive keeps it.
  mutating func delete(_ table: TenWeekTable, _ entry: Entry) throws -> Bool {
    guard try writer.delete(entry.address, from: try layout(table)) else { return false }
    try witness(table, entry.row, "delete")
    rows[table]?[entry.row.key] = nil
    if table == .actions, let id = reader.identity(entry.row) { try keepZone(nil, of: id) }
    return true
  }

  /// Stores the zone of an action for its row as currently written.
  mutating func keepZone(of entity: TenWeekEntity, in row: InterchangeRow) throws {
    guard case .action(let action) = entity else { return }
    try keepZone(TenWeekZone(of: action, in: row, reader.homeZone), of: action.id)
  }

  private mutating func keepZone(_ zone: TenWeekZone?, of id: UUID) throws {
    let old = zoneRows[id]
    guard zone != old?.zone || zone == nil && old != nil else { return }
    if let old, let table = zoneTable {
      _ = try writer.delete(old.address, from: table)
      zoneRows[id] = nil
    }
    guard let zone else { return }
    if zoneTable == nil {
      try writer.create(TenWeekZone.table, clauses: TenWeekZone.clauses)
      zoneTable = TenWeekZone.table
    }
    guard let table = zoneTable,
      let number = try writer.insert(zone.columns(.text(id.uuidString)), into: table.name)
    else { return }
    zoneRows[id] = (zone, .number(number))
  }

  private mutating func witness(
    _ table: TenWeekTable, _ row: InterchangeRow, _ reason: String
  ) throws {
    var record = JSONObject()
    for column in row.columns { record[column.name] = TenWeekWriter.json(column.value) }
    let id = reader.identity(row)?.uuidString ?? row.key
    let written = try insert(
      .archive, "",
      [
        "id": .text(identities.next().uuidString), "source_table": .text(table.rawValue),
        "source_id": .text(id), "record_data": .text(JSON.object(record).text()),
        "reason": .text(reason), "archived_at": TenWeekWriter(homeZone: reader.homeZone).time(now),
        "archived_by": .text("arkived"), "notes": .null,
      ])
    if let written { try index.append(written.line, to: .witnesses) }
  }
}
