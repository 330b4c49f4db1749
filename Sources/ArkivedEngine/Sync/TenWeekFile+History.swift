import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// The rows of Ten Week's archive and its conversations.
///
/// There may be millions, so only their keys and positions are kept, in an index on disk.
extension TenWeekFile {
  /// The largest number of rows processed together.
  static let batchCount = 500
  /// The approximate limit of their memory in bytes.
  static let batchBytes = 4_000_000

  // MARK: Collecting versions

  /// Indexes the rows of Ten Week's archive.
  ///
  /// - Parameters:
  ///   - layout: how the table is laid out.
  ///   - side: records of the past count only if they are about entries that are here.
  /// - Throws: an error if the file can't be read.
  mutating func gatherArchive(_ layout: InterchangeTable, _ side: some TenWeekSide) throws {
    var deletions: [UUID: Instant] = [:]
    try gather(.archive, layout) { file, row, _ in
      // Rows without a key, or with a repeated one, are records of the past too.
      guard let witness = file.reader.witness(row) else { return }
      switch (witness.subject, witness.reason) {
      case (.row(let id), .change): file.learnChange(of: id, at: witness.at)
      case (.row(let id), .deletion):
        deletions[id] = max(deletions[id] ?? witness.at, witness.at)
        guard deletions.count >= TenWeekFile.batchCount else { return }
        file.learn(deletions, presentIn: try side.present(among: Array(deletions.keys)))
        deletions = [:]
      case (.exchange(let key), .change): try file.index.note(changed: witness.at, of: key)
      case (.exchange(let key), .deletion): try file.index.note(deleted: witness.at, of: key)
      }
    }
    learn(deletions, presentIn: try side.present(among: Array(deletions.keys)))
  }

  mutating func gatherConversations(_ layout: InterchangeTable) throws {
    try gather(.conversations, layout) { file, row, number in
      guard let number else { return }
      file.learnSession(of: row)
      try file.note(row, as: number)
    }
  }

  /// Indexes the rows of a table.
  ///
  /// - Parameters:
  ///   - table: the table.
  ///   - layout: how the table is laid out.
  ///   - body: receives each row with its number in the index, which only the first row of a key
  ///     has.
  /// - Throws: what `body` throws, and an error if the file can't be read.
  private mutating func gather(
    _ table: TenWeekTable, _ layout: InterchangeTable,
    _ body: (inout TenWeekFile, InterchangeRow, Int64?) throws -> Void
  ) throws {
    try writer.forEachRow(of: layout) { columns, place in
      var row = InterchangeRow(table: table.rawValue, key: "", columns: columns)
      var number: Int64?
      if let key = reader.key(table, row) {
        row.key = key
        number = try index.add(
          table.rawValue, key, at: TenWeekFile.address(layout, columns, place))
        if number == nil { addStray(table, second: key) }
      } else {
        addStray(table, place)
      }
      try body(&self, row, number)
    }
  }

  /// Indexes the messages that belong to a row of a conversation, either in its current form or as
  /// both sides last had it.
  func note(_ row: InterchangeRow, as number: Int64) throws {
    guard let exchange = try? TenWeekExchange(row, reader) else { return }
    for role in [MessageRole.user, .assistant] {
      try index.note(exchange.id(role), .made, of: number)
    }
    if let id = exchange.writtenFrom { try index.note(id, .written, of: number) }
    try index.note(session: exchange.session, first: exchange.id(.user), of: number)
  }

  // MARK: Rows

  /// Returns the current state of a row; nil if it was deleted.
  func entry(_ table: TenWeekTable, _ found: InterchangeIndex.Entry?) throws -> Entry? {
    guard let found, let address = found.address, let layout = layouts[table] else {
      return nil
    }
    let columns = try writer.row(address, of: layout)
    guard !columns.isEmpty else { return nil }
    let row = InterchangeRow(table: table.rawValue, key: found.key, columns: columns)
    return Entry(row: row, address: address)
  }

  func entry(_ table: TenWeekTable, _ key: String) throws -> Entry? {
    try entry(table, index.entry(table.rawValue, key))
  }

  /// Returns the next rows of its archive, by key; nil at the end.
  func oldVersions(after key: inout String?) throws -> [InterchangeRow]? {
    let table = TenWeekTable.archive
    let found = try index.entries(table.rawValue, after: key, limit: TenWeekFile.batchCount)
    guard !found.isEmpty else { return nil }
    var rows: [InterchangeRow] = []
    var size = 0
    for next in found where size < TenWeekFile.batchBytes {
      key = next.key
      guard let row = try entry(table, next)?.row else { continue }
      rows.append(row)
      size += row.size
    }
    return rows
  }
}
