import ArkivedCore
import Foundation

/// What the relative keeps of the past.
extension TenWeekReader {
  /// Whose old version a row of its archive is.
  func source(_ row: InterchangeRow) -> UUID? {
    let table = row["source_table"]?.text.flatMap(TenWeekTable.init(archived:))
    if let id = reference(row["source_id"], table ?? .archive) { return id }
    // Older versions name the source by a number alone, and have its UUID in the record.
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
      throw FieldError("source_id", "names no row by a UUID")
    }
    guard let text = try fields.text("record_data") else {
      throw FieldError("record_data", "is missing")
    }
    guard let record = try? JSON(parsing: text), record.object != nil else {
      throw FieldError("record_data", "is no JSON object")
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

  /// The old version as this archive tells one, so that it can be brought back.
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
