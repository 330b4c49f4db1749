import ArkivedCore
import Foundation
import GRDB

/// Reads days' own entries with all their parts.
struct DayRecord {
  var pk: Int64
  var entry: DayEntry

  static func fetch(
    _ db: Database, from table: String = "days", where condition: String,
    arguments: StatementArguments = [], order: String = "day_key", limit: Int? = nil
  ) throws -> [DayRecord] {
    let end = limit.map { " LIMIT \($0)" } ?? ""
    let rows = try Row.fetchAll(
      db, cached: "SELECT * FROM \(table) WHERE \(condition) ORDER BY \(order)\(end)",
      arguments: arguments)
    return try rows.map { row in
      let pk: Int64 = row["pk"]
      func belongings<Value>(_ sql: String, _ read: (Row) throws -> Value) throws -> [Value] {
        try Row.fetchAll(db, cached: sql, arguments: [pk]).map(read)
      }
      return DayRecord(
        pk: pk,
        entry: DayEntry(
          id: try row.identity("id"), dayKey: try row.day("day_key"), title: row["title"],
          note: row["note"], mood: row["mood"], energy: row["energy"],
          weather: try row.weather("weather"),
          people: try belongings(
            MentionRecord.sql(owner: "day_pk", list: "?"), MentionRecord.read),
          attachments: try belongings(
            "SELECT * FROM attachments WHERE day_pk = ? ORDER BY position", AttachmentRecord.read),
          externalRefs: try belongings(
            "SELECT * FROM external_refs WHERE day_pk = ? ORDER BY pk", ExternalRefRecord.read),
          createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at")))
    }
  }

  /// The number of days whose notes are in memory at once.
  private static let batch = 200

  /// Passes on all days in order, reading a few at a time, because the notes of a life are long.
  static func forEach(
    _ db: Database, from table: String = "days", _ body: (DayRecord) throws -> Void
  ) throws {
    var last = ""
    while true {
      let records = try fetch(
        db, from: table, where: "day_key > ?", arguments: [last], limit: batch)
      for record in records { try body(record) }
      guard records.count == batch, let end = records.last else { return }
      last = end.entry.dayKey.description
    }
  }

  static func fetchOne(_ db: Database, dayKey: DayKey) throws -> DayRecord? {
    try fetch(db, where: "day_key = ?", arguments: [dayKey.description]).first
  }

  static func fetchOne(_ db: Database, id: UUID) throws -> DayRecord? {
    try fetch(db, where: "id = ?", arguments: [id.uuidString]).first
  }
}

enum MetricRecord {
  static func read(_ row: Row) throws -> DayMetric {
    DayMetric(
      id: try row.identity("id"), dayKey: try row.day("day_key"), metric: row["metric"],
      unit: row["unit"], value: row["value"], minimum: row["minimum"], maximum: row["maximum"],
      source: row["source"], createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }
}

enum TagRecord {
  static func read(_ row: Row) throws -> Tag {
    Tag(
      id: try row.identity("id"), name: row["name"], colorHex: row["color_hex"],
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
  }
}

/// Reads people with their names and addresses.
struct PersonRecord {
  var pk: Int64
  var person: Person

  /// The SQL expression for the name of a row of `persons`; NULL for a blank name, which earlier
  /// versions let a person have.
  static let name = "iif(trim(persons.name) = '', NULL, persons.name)"

  static func fetch(
    _ db: Database, from table: String = "persons", where condition: String,
    arguments: StatementArguments = []
  ) throws -> [PersonRecord] {
    let rows = try Row.fetchAll(
      db, cached: "SELECT * FROM \(table) WHERE \(condition) ORDER BY pk", arguments: arguments)
    var records = try rows.map { row in
      PersonRecord(
        pk: row["pk"],
        person: Person(
          id: try row.identity("id"), name: row["name"],
          relationshipSummary: row["relationship_summary"],
          createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at")))
    }
    var places: [Int64: Int] = [:]
    for (index, record) in records.enumerated() { places[record.pk] = index }
    for keys in records.map(\.pk).slices() {
      let names = try Row.fetchAll(
        db,
        cached: """
          SELECT * FROM person_names WHERE person_pk IN (\(KeyList.sql)) AND role <> 'name'
          ORDER BY person_pk, role, position
          """, arguments: [KeyList.text(keys)])
      for row in names {
        guard let place = places[row["person_pk"]] else { continue }
        switch row["role"] as String {
        case "email": records[place].person.email = row["value"]
        case "alias": records[place].person.aliases.append(row["value"])
        default: records[place].person.furtherAddresses.append(row["value"])
        }
      }
      let refs = try Row.fetchAll(
        db,
        cached: """
          SELECT * FROM external_refs WHERE person_pk IN (\(KeyList.sql))
          ORDER BY person_pk, pk
          """, arguments: [KeyList.text(keys)])
      for row in refs {
        guard let place = places[row["person_pk"]] else { continue }
        records[place].person.externalRefs.append(ExternalRefRecord.read(row))
      }
    }
    return records
  }

  static func fetchOne(_ db: Database, id: UUID) throws -> PersonRecord? {
    try fetch(db, where: "id = ?", arguments: [id.uuidString]).first
  }
}
