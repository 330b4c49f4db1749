import ArkivedCore
import Foundation
import GRDB

/// Reads activities with all their parts.
struct ActivityRecord {
  var pk: Int64
  var activity: Activity

  init(row: Row) throws {
    pk = row["pk"]
    activity = Activity(
      id: try row.identity("id"), dayKey: try row.day("day_key"),
      startAt: row.instant(optional: "start_at"), endAt: row.instant(optional: "end_at"),
      timeZone: row["time_zone"], kind: ActivityKind(rawValue: row["kind"]), text: row["text"],
      description: row["description"], notes: row["notes"],
      source: ActivitySource(rawValue: row["source"]), isPinned: row["is_pinned"],
      locationLabel: row["location_label"], lat: row["lat"], lon: row["lon"],
      durationMinutes: row["duration_minutes"],
      dayPeriod: (row["day_period"] as String?).flatMap(DayPeriod.init(rawValue:)),
      weather: try row.weather("weather"), typedText: row["typed_text"],
      createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }

  /// Returns the activities of a query over `activities`, in its order, complete.
  static func fetch(
    _ db: Database, from table: String = "activities", where condition: String,
    arguments: StatementArguments = [], order: String = "pk", limit: Int? = nil
  ) throws -> [ActivityRecord] {
    var sql = "SELECT * FROM \(table) WHERE \(condition) ORDER BY \(order)"
    if let limit { sql += " LIMIT \(limit)" }
    var records = try Row.fetchAll(db, cached: sql, arguments: arguments).map(ActivityRecord.init)
    try complete(&records, db)
    return records
  }

  static func fetchOne(_ db: Database, id: UUID) throws -> ActivityRecord? {
    try fetch(db, where: "id = ?", arguments: [id.uuidString]).first
  }

  /// Loads measurements, tags, people, attachments and references for all records at once.
  static func complete(_ records: inout [ActivityRecord], _ db: Database) throws {
    var places: [Int64: Int] = [:]
    for (index, record) in records.enumerated() { places[record.pk] = index }
    guard !records.isEmpty else { return }
    let list = KeyList.sql
    let arguments: StatementArguments = [KeyList.text(records.map(\.pk))]
    func each(_ sql: String, _ body: (Int, Row) throws -> Void) throws {
      let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: arguments)
      while let row = try rows.next() {
        if let place = places[row["activity_pk"]] { try body(place, row) }
      }
    }
    try each("SELECT activity_pk, unit, amount FROM measurements WHERE activity_pk IN (\(list))") {
      place, row in
      records[place].activity.measurements[row["unit"]] = row["amount"]
    }
    try each(
      """
      SELECT activity_pk, tags.name FROM activity_tags JOIN tag_rows AS tags ON tags.pk = tag_pk
      WHERE activity_pk IN (\(list)) ORDER BY activity_pk, position, tags.pk
      """
    ) { place, row in records[place].activity.tags.append(row["name"]) }
    try each(MentionRecord.sql(owner: "activity_pk", list: list)) { place, row in
      records[place].activity.people.append(try MentionRecord.read(row))
    }
    try each(
      "SELECT * FROM attachments WHERE activity_pk IN (\(list)) ORDER BY activity_pk, position"
    ) { place, row in
      records[place].activity.attachments.append(try AttachmentRecord.read(row))
    }
    try each(
      "SELECT * FROM external_refs WHERE activity_pk IN (\(list)) ORDER BY activity_pk, pk"
    ) { place, row in
      records[place].activity.externalRefs.append(ExternalRefRecord.read(row))
    }
  }
}

/// People named in entries.
enum MentionRecord {
  static func sql(owner: String, list: String) -> String {
    """
    SELECT mentions.\(owner), mentions.name, persons.id AS person_id, persons.name AS person_name
    FROM mentions LEFT JOIN person_rows AS persons ON persons.pk = mentions.person_pk
    WHERE mentions.\(owner) IN (\(list)) ORDER BY mentions.\(owner), mentions.position, mentions.pk
    """
  }

  static func read(_ row: Row) throws -> Mention {
    guard row["person_id"] as String? != nil else { return Mention(name: row["name"]) }
    let name: String = (row["person_name"] as String?) ?? row["name"]
    // Earlier versions let a person lose their name.
    let isNamed = name.contains { !$0.isWhitespace }
    return Mention(
      name: isNamed ? name : Person.nameless, personID: try row.identity("person_id"))
  }
}

enum ExternalRefRecord {
  static func read(_ row: Row) -> ExternalRef {
    ExternalRef(
      provider: row["provider"], externalID: row["external_id"],
      fetchedAt: row.instant("fetched_at"), contentHash: row["content_hash"])
  }
}

enum AttachmentRecord {
  /// Returns SQL for the attachments of a row `it` as one value, in order; read by `readList`.
  ///
  /// - Parameter owner: the column that contains the row's number.
  /// - Returns: the SQL.
  static func list(owner: String) -> String {
    """
    (SELECT json_group_array(json_object('id', id, 'type', type, 'caption', caption,
        'relativePath', relative_path, 'externalURL', external_url, 'contentHash', content_hash,
        'byteCount', byte_count, 'mediaType', media_type, 'originalName', original_name,
        'createdAt', created_at, 'updatedAt', updated_at))
      FROM (SELECT * FROM attachments WHERE \(owner) = it.pk ORDER BY position))
    """
  }

  static func readList(_ text: String) throws -> [Attachment] {
    try (JSON(parsing: text).array ?? []).map { one in
      guard let id = one["id"]?.string.flatMap({ UUID(uuidString: $0) }) else {
        throw DatabaseError(
          resultCode: .SQLITE_CORRUPT, message: "an attachment has no ID")
      }
      func instant(_ key: String) -> Instant {
        Instant(milliseconds: Int64(one[key]?.int ?? 0))
      }
      return Attachment(
        id: id, type: AttachmentType(rawValue: one["type"]?.string ?? ""),
        caption: one["caption"]?.string, relativePath: one["relativePath"]?.string,
        externalURL: one["externalURL"]?.string, contentHash: one["contentHash"]?.string,
        byteCount: one["byteCount"]?.int, mediaType: one["mediaType"]?.string,
        originalName: one["originalName"]?.string, createdAt: instant("createdAt"),
        updatedAt: instant("updatedAt"))
    }
  }

  static func read(_ row: Row) throws -> Attachment {
    Attachment(
      id: try row.identity("id"), type: AttachmentType(rawValue: row["type"]),
      caption: row["caption"], relativePath: row["relative_path"],
      externalURL: row["external_url"], contentHash: row["content_hash"],
      byteCount: row["byte_count"], mediaType: row["media_type"],
      originalName: row["original_name"], createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }
}
