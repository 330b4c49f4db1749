package import ArkivedCore
package import Foundation

/// Opens other programs' databases for reading.
package protocol TableSource: Sendable {
  /// Opens a database.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - folder: a private folder for anything that has to be copied.
  /// - Returns: the open database.
  /// - Throws: an error if it can't be opened.
  func open(_ file: URL, copyIn folder: URL) throws -> any TableReading
}

/// The tables of a database at one moment.
package protocol TableReading {
  func tables() throws -> [InterchangeTable]
  func forEachRow(
    of table: InterchangeTable, _ body: ([InterchangeRow.Column], Int64?) throws -> Void
  ) throws
}

/// Reads Ten Week's SQLite database, in either variant or any mixture.
package struct TenWeekImporter: Importer {
  package let format = "tenweek"
  package let keepsPlaces = true
  let source: any TableSource

  private static let magic = Array("SQLite format 3\0".utf8)

  package init(source: any TableSource) { self.source = source }

  package func recognises(head: [UInt8], fileName: String) -> Bool { false }

  package func recognises(_ file: ImportFile, head: [UInt8]) throws -> Bool {
    guard head.starts(with: TenWeekImporter.magic) else { return false }
    let folder = try ScratchFolders.make()
    defer { ScratchFolders.remove(folder) }
    return TenWeekTable.areTheirs(try source.open(file.url, copyIn: folder).tables())
  }

  package func read(
    _ file: ImportFile, context: ImportContext, into sink: any ImportSink
  ) throws {
    let tables = try source.open(file.url, copyIn: try context.scratchFolder())
    var reading = TenWeekReading(
      file: file, tables: tables, sink: sink,
      reader: TenWeekReader(
        homeZone: context.homeZone, now: context.now, makesIdentities: true))
    try reading.run()
  }

  /// Returns the key that distinguishes a row of an unknown table from its other rows.
  package static func key(
    _ layout: InterchangeTable, _ columns: [InterchangeRow.Column], _ number: Int64?
  ) -> String {
    let keys = layout.columns.indices.filter { layout.columns[$0].keyPlace > 0 }
      .sorted { layout.columns[$0].keyPlace < layout.columns[$1].keyPlace }
    guard keys.isEmpty else {
      return keys.map { columns[$0].value.text ?? columns[$0].value.json.text() }
        .joined(separator: "/")
    }
    return "row \(number ?? 0)"
  }
}

/// The reading of one database.
struct TenWeekReading {
  let file: ImportFile
  let tables: any TableReading
  let sink: any ImportSink
  var reader: TenWeekReader
  private var keys: Set<Mark> = []
  /// The threads created from sessions, keyed by their first row.
  private var threads: [Int: UUID] = [:]

  /// A compact reference to a row, because there may be millions.
  private struct Mark: Hashable {
    private let first: Int
    private let second: Int

    init(_ table: TenWeekTable, _ key: String) {
      var one = Hasher()
      one.combine(table)
      one.combine(key)
      first = one.finalize()
      var other = Hasher()
      other.combine(key)
      other.combine(first)
      second = other.finalize()
    }
  }

  init(file: ImportFile, tables: any TableReading, sink: any ImportSink, reader: TenWeekReader) {
    self.file = file
    self.tables = tables
    self.sink = sink
    self.reader = reader
  }

  mutating func run() throws {
    let layouts = try tables.tables()
    let known = TenWeekTable.allCases.compactMap { table in
      layouts.first { $0.name.lowercased() == table.rawValue }.map { (table, $0) }
    }
    if let mappings = layouts.first(where: { TenWeekTable.isOfMappings($0.name) }) {
      try tables.forEachRow(of: mappings) { columns, _ in
        reader.learnMapping(InterchangeRow(table: mappings.name, key: "", columns: columns))
      }
    }
    for layout in layouts where TenWeekZone.isTable(layout.name) {
      try tables.forEachRow(of: layout) { columns, _ in
        reader.learnZone(InterchangeRow(table: layout.name, key: "", columns: columns))
      }
    }
    for (table, layout) in known where table != .conversations {
      try tables.forEachRow(of: layout) { columns, _ in
        reader.learn(table, InterchangeRow(table: table.rawValue, key: "", columns: columns))
      }
    }
    // The archive may identify rows by numbers that only later tables define.
    for (table, layout) in known where table == .archive {
      try tables.forEachRow(of: layout) { columns, _ in
        reader.learn(table, InterchangeRow(table: table.rawValue, key: "", columns: columns))
      }
    }
    for layout in layouts where !TenWeekZone.isTable(layout.name) { try keep(layout.row) }
    for (table, layout) in known { try read(table, layout) }
    for layout in layouts
    where !known.contains(where: { $0.1.name == layout.name }) && !TenWeekZone.isTable(layout.name)
    {
      try tables.forEachRow(of: layout) { columns, number in
        try keep(
          InterchangeRow(
            table: layout.name, key: TenWeekImporter.key(layout, columns, number),
            columns: columns))
      }
    }
  }

  private mutating func read(_ table: TenWeekTable, _ layout: InterchangeTable) throws {
    try tables.forEachRow(of: layout) { columns, number in
      var row = InterchangeRow(table: table.rawValue, key: "", columns: columns)
      let key = reader.key(table, row)
      row.key = key ?? TenWeekImporter.key(layout, columns, number)
      let place = "\(file.name): \(table.rawValue) \(row.key)"
      guard keys.insert(Mark(table, row.key)).inserted else {
        sink.diagnose(
          Diagnostic(
            .skipped, place: place, message: "a previous row has the same key; skipped"))
        return
      }
      do {
        if table == .conversations {
          try take(try TenWeekExchange(row, reader), row, place)
        } else if let entity = try reader.read(table, row) {
          try take(entity, row, place)
          if table == .terms { try takeAssignments(of: row, place) }
        } else {
          try keep(row)
        }
      } catch let error as FieldError {
        sink.diagnose(
          Diagnostic(
            .skipped, place: "\(place) field “\(error.field)”",
            message: "skipped: \(error.description)"))
        try keep(row)
      }
    }
  }

  private func take(_ entity: TenWeekEntity, _ row: InterchangeRow, _ place: String) throws {
    let value: ImportedRecord.Value =
      switch entity {
      case .action(let action): .activity(action)
      case .entity(let entity): .goalSide(entity)
      case .history(let version): .history(version)
      }
    try sink.take(
      ImportedRecord(
        value, hasOwnIdentity: true, hasOwnVersion: true, place: place, linksPeople: false,
        original: row))
  }

  /// Passes on the question of a row that also contains the answer.
  private mutating func take(
    _ exchange: TenWeekExchange, _ row: InterchangeRow, _ place: String
  ) throws {
    let thread = threads[exchange.session] ?? exchange.threadID
    threads[exchange.session] = thread
    guard let first = exchange.messages(in: thread).first else { return }
    try sink.take(
      ImportedRecord(
        .goalSide(first), hasOwnIdentity: true, hasOwnVersion: true, place: place,
        linksPeople: false, original: row))
  }

  private func takeAssignments(of row: InterchangeRow, _ place: String) throws {
    for assignment in reader.assignments(of: row) {
      try sink.take(
        ImportedRecord(
          .goalSide(assignment), hasOwnIdentity: true, hasOwnVersion: true, place: place,
          linksPeople: false))
    }
  }

  private func keep(_ row: InterchangeRow) throws {
    try sink.take(
      ImportedRecord(
        .interchange(row), hasOwnIdentity: true, place: "\(file.name): \(row.table) \(row.key)"))
  }
}
