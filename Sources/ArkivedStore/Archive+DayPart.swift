package import ArkivedCore
package import Foundation
import GRDB

/// A position in the order of a day's entries.
///
/// It stays the same when entries are added or removed.
package struct TimelinePlace: Hashable, Sendable, LosslessStringConvertible {
  package var startAt: Instant?
  package var createdAt: Instant
  package var id: UUID

  /// The form "1773518400000.1773518400123.IDENTITY", with "-" as its first part if the entry has
  /// no time.
  package var description: String {
    "\(startAt.map { "\($0.milliseconds)" } ?? "-").\(createdAt.milliseconds).\(id.uuidString)"
  }

  package init?(_ description: String) {
    let parts = description.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let created = Int64(parts[1]), let id = UUID(uuidString: "\(parts[2])")
    else { return nil }
    if parts[0] != "-" {
      guard let start = Int64(parts[0]) else { return nil }
      startAt = Instant(milliseconds: start)
    }
    createdAt = Instant(milliseconds: created)
    self.id = id
  }

  init(startAt: Instant?, createdAt: Instant, id: UUID) {
    self.startAt = startAt
    self.createdAt = createdAt
    self.id = id
  }
}

/// The part of a day that one page shows: the beginning of its note and some of its entries, each
/// with the beginnings of its texts.
///
/// The cost depends only on the shown part, not on the size of the day.
package struct DayPart: Sendable {
  /// The beginning of a part of the timeline.
  package enum Start: Hashable, Sendable {
    case beginning
    case place(TimelinePlace)
    /// Slightly before an entry, to show it in context.
    case entry(UUID)
    /// Before an instant, so that the part includes entries before and after it.
    case around(Instant)
  }

  package var dayKey: DayKey
  /// The day's own entry with at most `noteLimit` characters of its note.
  package var entry: DayEntry?
  /// True if the note continues after the given text.
  package var isNoteCut: Bool
  /// The activities in the order of `Day.activities`; texts are at most `textLimit` characters
  /// long.
  package var activities: [Activity]
  /// The continuing activities as in `Day`, at most `continuingLimit` of them.
  package var continuing: [Activity]
  /// The activities with a text that continues beyond the given part.
  package var cut: Set<UUID>
  package var metrics: [DayMetric]
  /// The number of activities of the day.
  package var total: Int
  /// The number of activities before this part.
  package var offset: Int
  /// The beginning of the previous part; nil at the beginning.
  package var previous: TimelinePlace?
  /// The position of each activity of this part, followed by the beginning of the next part.
  package var places: [TimelinePlace]

  /// The largest number of characters of a note that a day's page shows unless more are requested.
  package static let noteLimit = 8_000
  package static let continuingLimit = 50
  /// The largest number of characters shown of each of an activity's text, description and notes.
  package static let textLimit = 600

  /// True if the part is the whole timeline.
  package var isWhole: Bool { offset == 0 && activities.count == total }
}

extension Archive {
  /// Returns a part of a day.
  ///
  /// - Parameters:
  ///   - dayKey: the day.
  ///   - start: where the part begins.
  ///   - limit: the maximum number of activities.
  /// - Returns: the part.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func dayPart(
    _ dayKey: DayKey, from start: DayPart.Start = .beginning, limit: Int
  ) throws -> DayPart {
    try read { db in
      let order = try TimelineOrder(dayKey, db)
      let first = try order.first(start, limit: limit, db)
      let shown = order.rows[first..<min(first + limit, order.rows.count)]
      let before = first == 0 ? nil : order.rows[max(0, first - limit)]
      let after = order.rows.dropFirst(first + limit).first
      let keys = shown.map(\.pk)
      let records = try ActivityRecord.fetchBeginnings(db, keys: keys)
      let texts = try DayRecord.fetchBeginning(db, dayKey: dayKey)
      return DayPart(
        dayKey: dayKey, entry: texts?.entry, isNoteCut: texts?.isCut ?? false,
        activities: records.map(\.activity),
        continuing: try ActivityRecord.continuing(
          into: dayKey, limit: DayPart.continuingLimit, db
        ).map(\.activity),
        cut: Set(records.filter(\.isCut).map(\.activity.id)),
        metrics: try Row.fetchAll(
          db,
          cached: "SELECT * FROM day_metrics WHERE day_key = ? ORDER BY metric, source LIMIT 100",
          arguments: [dayKey.description]
        ).map(MetricRecord.read), total: order.rows.count, offset: first,
        previous: try before.map { try order.place($0, db) },
        places: records.map {
          TimelinePlace(
            startAt: $0.activity.startAt, createdAt: $0.activity.createdAt, id: $0.activity.id)
        } + [try after.map { try order.place($0, db) }].compactMap { $0 })
    }
  }

  /// Returns those of some days that have more than `limit` activities.
  package func days(_ days: some Sequence<DayKey>, withMoreThan limit: Int) throws -> Set<DayKey> {
    try read { db in
      let statement = try db.cachedStatement(
        sql: "SELECT EXISTS (SELECT 1 FROM activities WHERE day_key = ? LIMIT 1 OFFSET ?)")
      return try Set(days).filter {
        try Bool.fetchOne(statement, arguments: [$0.description, limit]) ?? false
      }
    }
  }

  /// Returns a day's whole entry, without its activities.
  package func dayEntry(_ dayKey: DayKey) throws -> DayEntry? {
    try read { db in try DayRecord.fetchOne(db, dayKey: dayKey)?.entry }
  }
}

/// The order of a day's activities, read from the index alone.
private struct TimelineOrder {
  struct Row {
    var pk: Int64
    var startAt: Int64?
    var createdAt: Int64
  }

  var rows: [Row] = []

  init(_ dayKey: DayKey, _ db: Database) throws {
    let cursor = try GRDB.Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT pk, start_at, created_at FROM activities WHERE day_key = ?
          ORDER BY start_at, created_at, pk
          """), arguments: [dayKey.description])
    var untimed: [Row] = []
    while let row = try cursor.next() {
      let item = Row(pk: row[0], startAt: row[1], createdAt: row[2])
      if item.startAt == nil { untimed.append(item) } else { rows.append(item) }
    }
    rows += untimed
  }

  func first(_ start: DayPart.Start, limit: Int, _ db: Database) throws -> Int {
    switch start {
    case .beginning: return 0
    case .place(let place):
      let key = try pk(place.id, db) ?? 0
      let wanted = Row(
        pk: key, startAt: place.startAt?.milliseconds, createdAt: place.createdAt.milliseconds)
      return rows.firstIndex { !TimelineOrder.precedes($0, wanted) } ?? max(0, rows.count - limit)
    case .entry(let id):
      guard rows.count > limit, let key = try pk(id, db),
        let index = rows.firstIndex(where: { $0.pk == key }), index >= limit
      else { return 0 }
      return index - limit / 4
    case .around(let instant):
      guard rows.count > limit else { return 0 }
      let next =
        rows.firstIndex { ($0.startAt ?? .max) > instant.milliseconds } ?? rows.count
      return min(max(0, next - limit / 2), rows.count - limit)
    }
  }

  private func pk(_ id: UUID, _ db: Database) throws -> Int64? {
    try Int64.fetchOne(
      db, sql: "SELECT pk FROM activities WHERE id = ?", arguments: [id.uuidString])
  }

  private static func precedes(_ left: Row, _ right: Row) -> Bool {
    switch (left.startAt, right.startAt) {
    case (nil, _?): return false
    case (_?, nil): return true
    case (let one?, let other?) where one != other: return one < other
    default:
      return (left.createdAt, left.pk) < (right.createdAt, right.pk)
    }
  }

  func place(_ row: Row, _ db: Database) throws -> TimelinePlace {
    let id = try String.fetchOne(
      db, sql: "SELECT id FROM activities WHERE pk = ?", arguments: [row.pk])
    return TimelinePlace(
      startAt: row.startAt.map(Instant.init(milliseconds:)),
      createdAt: Instant(milliseconds: row.createdAt),
      id: id.flatMap(UUID.init(uuidString:)) ?? UUID())
  }
}

extension ActivityRecord {
  /// The beginning of an activity's texts, and a flag that shows if any of them continues.
  struct Beginning {
    var activity: Activity
    var isCut: Bool
  }

  /// Returns activities by row number, in that order, with the beginnings of their texts.
  fileprivate static func fetchBeginnings(
    _ db: Database, keys: [Int64]
  ) throws -> [Beginning] {
    let limit = DayPart.textLimit
    func beginning(_ column: String) -> String { "substr(\(column), 1, \(limit + 1)) AS \(column)" }
    var records: [ActivityRecord] = []
    for slice in keys.slices() {
      records += try Row.fetchAll(
        db,
        sql: """
          SELECT pk, id, day_key, start_at, end_at, time_zone, kind, \(beginning("text")),
            \(beginning("description")), \(beginning("notes")), source, is_pinned,
            \(beginning("location_label")), lat, lon, duration_minutes, day_period,
            NULL AS weather, NULL AS typed_text, created_at, updated_at
          FROM activities WHERE pk IN (\(placeholders(slice.count)))
          """, arguments: StatementArguments(slice)
      ).map(ActivityRecord.init)
    }
    try complete(&records, db)
    var found: [Int64: Beginning] = [:]
    for record in records {
      var activity = record.activity
      var isCut = false
      func cut(_ text: String?) -> String? {
        guard let text, text.unicodeScalars.count > limit else { return text }
        isCut = true
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
      }
      activity.text = cut(activity.text) ?? ""
      activity.description = cut(activity.description)
      activity.notes = cut(activity.notes)
      activity.locationLabel = cut(activity.locationLabel)
      found[record.pk] = Beginning(activity: activity, isCut: isCut)
    }
    return keys.compactMap { found[$0] }
  }
}

extension DayRecord {
  fileprivate static func fetchBeginning(
    _ db: Database, dayKey: DayKey
  ) throws -> (entry: DayEntry, isCut: Bool)? {
    let limit = DayPart.noteLimit
    let row = try Row.fetchOne(
      db,
      cached: """
        SELECT pk, id, substr(title, 1, 300) AS title, substr(note, 1, \(limit + 1)) AS note,
          mood, energy, weather, created_at, updated_at
        FROM days WHERE day_key = ?
        """, arguments: [dayKey.description])
    guard let row else { return nil }
    var note: String = row["note"]
    let isCut = note.unicodeScalars.count > limit
    if isCut { note = String(String.UnicodeScalarView(note.unicodeScalars.prefix(limit))) }
    let attachments = try Row.fetchAll(
      db, cached: "SELECT * FROM attachments WHERE day_pk = ? ORDER BY position LIMIT 100",
      arguments: [row["pk"] as Int64])
    let entry = DayEntry(
      id: try row.identity("id"), dayKey: dayKey, title: row["title"], note: note,
      mood: row["mood"], energy: row["energy"], weather: try row.weather("weather"),
      people: [], attachments: try attachments.map(AttachmentRecord.read),
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
    return (entry, isCut)
  }
}

extension ActivityRecord {
  /// Returns the activities longer than a day that began before a day and continue into it, the
  /// earliest first.
  static func continuing(
    into dayKey: DayKey, limit: Int = 1_000, _ db: Database
  ) throws -> [ActivityRecord] {
    // Wide enough for every zone; each entry's own zone decides.
    let midnight = Zone.utc.start(of: dayKey)
    let keys = try Int64.fetchAll(
      db,
      cached: """
        SELECT pk FROM activity_rows
        WHERE end_at - start_at > 86400000 AND end_at > ? AND start_at < ?
          AND NOT EXISTS (SELECT 1 FROM meeting_rows WHERE activity_pk = activity_rows.pk
            AND (status = 'cancelled' OR is_event_deleted = 1))
        """,
      arguments: [
        midnight.adding(seconds: -86_400).milliseconds,
        midnight.adding(seconds: 86_400).milliseconds,
      ])
    guard !keys.isEmpty else { return [] }
    let found = try fetch(
      db, where: "pk IN (\(KeyList.sql)) AND day_key < ?",
      arguments: [KeyList.text(keys), dayKey.description], order: "start_at, pk"
    ).filter { record in
      record.activity.endAt.map { $0 > record.activity.zone.start(of: dayKey) } ?? false
    }
    return Array(found.prefix(limit))
  }
}
