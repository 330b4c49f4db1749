package import ArkivedCore
package import Foundation

/// A change or deletion of a row, as recorded in Ten Week's archive.
package struct TenWeekWitness: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case row(UUID)
    /// A conversation, whose key don't have to be a UUID.
    case exchange(String)
  }

  package enum Reason: Sendable { case change, deletion }

  package var subject: Subject
  package var reason: Reason
  package var at: Instant
}

/// Ten Week's history.
extension TenWeekReader {
  /// Returns the record in a row of its archive, or nil if it doesn't describe a change or
  /// deletion, or has no time.
  package func witness(_ row: InterchangeRow) -> TenWeekWitness? {
    let reason: TenWeekWitness.Reason
    switch row["reason"]?.text {
    case "delete": reason = .deletion
    case "update": reason = .change
    default: return nil
    }
    guard let text = row["archived_at"]?.text,
      let time = TenWeekTime(text, homeZone, isStamp: true)
    else { return nil }
    if let key = exchangeKey(row) {
      return TenWeekWitness(subject: .exchange(key), reason: reason, at: time.instant)
    }
    return source(row).map {
      TenWeekWitness(subject: .row($0), reason: reason, at: time.instant)
    }
  }

  /// Returns the key of the conversation of which a row of its archive is an old version.
  private func exchangeKey(_ row: InterchangeRow) -> String? {
    guard let table = row["source_table"]?.text,
      TenWeekTable(archived: table) == .conversations
    else { return nil }
    return row["source_id"]?.text.map(TenWeekReader.exchangeKey)
  }

  /// Returns the key of a conversation, however its UUID is written.
  package static func exchangeKey(_ text: String) -> String {
    UUID(foreign: text)?.uuidString ?? text
  }

  /// Returns the record of which a row of its archive is an old version.
  func source(_ row: InterchangeRow) -> UUID? {
    let table = row["source_table"]?.text.flatMap(TenWeekTable.init(archived:))
    if let id = reference(row["source_id"], table ?? .archive) { return id }
    // Older versions give only a number for the source, and have its UUID in the record.
    guard let record = row["record_data"]?.text, let object = try? JSON(parsing: record) else {
      return nil
    }
    return (object["uuid_id"]?.string ?? object["id"]?.string).flatMap { UUID(foreign: $0) }
  }

  func history(_ fields: inout TenWeekFields) throws(FieldError) -> HistoryRecord {
    guard let name = try fields.text("source_table") else {
      throw FieldError("source_table", "is missing")
    }
    let table = TenWeekTable(archived: name)
    var source = source(fields.row)
    if source == nil, table == .conversations, let key = fields.row["source_id"]?.text {
      source = DerivedIdentity.of(name, key)
    }
    guard let sourceID = source else {
      throw FieldError("source_id", "doesn’t refer to a row by UUID")
    }
    guard let text = try fields.text("record_data") else {
      throw FieldError("record_data", "is missing")
    }
    guard let record = try? JSON(parsing: text), record.object != nil else {
      throw FieldError("record_data", "isn’t a JSON object")
    }
    let archivedAt = try fields.time("archived_at")?.instant ?? now
    let author = try fields.text("archived_by")
    return HistoryRecord(
      id: UUID(foreign: fields.row["id"])
        ?? DerivedIdentity.of("archive", name, sourceID.uuidString, "\(archivedAt)", text),
      sourceTable: table?.entityType ?? EntityType(rawValue: name), sourceID: sourceID,
      record: table.flatMap { entity(of: record, $0) } ?? record,
      reason: HistoryRecord.Reason(rawValue: try fields.text("reason") ?? "update"),
      archivedAt: archivedAt, archivedBy: Author(rawValue: author ?? "system"))
  }

  /// Returns the old version in this archive's format, for restoring it.
  private func entity(of record: JSON, _ table: TenWeekTable) -> JSON? {
    let columns = (record.object?.members ?? []).map { name, value in
      InterchangeRow.Column(name: name, value: TenWeekReader.column(value))
    }
    let row = InterchangeRow(table: table.rawValue, key: "", columns: columns)
    var reader = self
    reader.changes = [:]
    switch try? reader.read(table, row) {
    case .action(let action)?: return action.record
    case .entity(let entity)?: return entity.json
    default: return nil
    }
  }

  private static func column(_ value: JSON) -> InterchangeValue {
    switch value {
    case .null: .null
    case .bool(let flag): .integer(flag ? 1 : 0)
    case .integer(let number): .integer(number)
    case .number(let number): .real(number)
    case .string(let text): .text(text)
    case .array, .object: .text(value.text())
    }
  }
}
