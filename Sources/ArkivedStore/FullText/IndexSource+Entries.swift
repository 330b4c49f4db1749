package import ArkivedCore
import GRDB

extension IndexSource {
  /// Passes on every activity, and every day with its own values, in the order of their keys.
  ///
  /// - Parameters:
  ///   - documents: only these row numbers; all if nil.
  ///   - body: receives an entry.
  /// - Throws: what `body` throws, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   read.
  package func forEachEntry(
    among documents: [Int64]? = nil, _ body: (IndexedEntry) throws -> Void
  ) throws {
    func keys(_ kind: SearchDocument.Kind) -> String? {
      documents.map { list in
        KeyList.text(list.filter { $0 & 7 == kind.rawValue }.map { $0 >> 3 }.sorted())
      }
    }
    try forEachActivity(keys(.activity), body)
    try forEachNote(keys(.day), body)
  }

  /// Returns the maximum number of activities.
  package func activityCount() throws -> Int { Int(marks.activities) }

  private func forEachActivity(
    _ keys: String?, _ body: (IndexedEntry) throws -> Void
  ) throws {
    let among = keys == nil ? "" : "WHERE pk IN (\(KeyList.sql))"
    let arguments: StatementArguments = keys.map { [$0] } ?? []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT pk, day_key, start_at, end_at, time_zone, kind, text, location_label,
          duration_minutes, description, notes, lat, lon, day_period IS NOT NULL
        FROM activities \(among) ORDER BY pk
        """, arguments: arguments)
    var tags = try Belongings<String>(
      db,
      """
      SELECT activity_pk, name FROM activity_tags JOIN tag_rows ON tag_rows.pk = tag_pk
      \(keys == nil ? "" : "WHERE activity_pk IN (\(KeyList.sql))") ORDER BY activity_pk, position
      """, arguments
    ) { $0[1] }
    var people = try Belongings<NamedMention>(
      db,
      """
      \(NamedMention.selection(owner: "activity_pk"))
      WHERE activity_pk \(keys == nil ? "IS NOT NULL" : "IN (\(KeyList.sql))")
      ORDER BY activity_pk, position
      """, arguments, NamedMention.init)
    var measures = try Belongings<(unit: String, amount: Double)>(
      db,
      """
      SELECT activity_pk, unit, amount FROM measurements
      \(keys == nil ? "" : "WHERE activity_pk IN (\(KeyList.sql))") ORDER BY activity_pk, unit
      """, arguments
    ) { ($0[1], $0[2]) }
    var zones: [String: Zone] = [:]
    while let row = try rows.next() {
      let key: Int64 = row[0]
      let start = (row[2] as Int64?).map(Instant.init(milliseconds:))
      let end = (row[3] as Int64?).map(Instant.init(milliseconds:))
      var entry = IndexedEntry(
        rowNumber: SearchDocument.rowNumber(.activity, key), day: try row.day("day_key"),
        kind: row[5], text: row[6], place: row[7])
      if let start {
        let name: String = row[4]
        let zone = zones[name] ?? Zone(name) ?? .utc
        zones[name] = zone
        let wall = zone.wallTime(at: start)
        // The day by UTC says nothing about a start in an unknown zone.
        entry.startMinute = wall.minutes(since: zone.identifier == name ? entry.day : wall.day)
      }
      entry.isPartOfDay = row[13]
      entry.minutes = row[8]
      if entry.minutes == nil, let start, let end {
        entry.minutes = Double(start.seconds(to: end)) / 60
      }
      let notes = [row[9] as String?, row[10]].compactMap(\.self).filter { !$0.isEmpty }
      if let latitude = row[11] as Double?, let longitude = row[12] as Double? {
        entry.coordinates = Coordinates(latitude: latitude, longitude: longitude)
      }
      entry.notes = notes.isEmpty ? nil : notes.joined(separator: ".\n")
      entry.tags = try tags.of(key)
      entry.people = NamedMention.names(try people.of(key))
      entry.measurements = try measures.of(key)
      try body(entry)
    }
  }

  private func forEachNote(_ keys: String?, _ body: (IndexedEntry) throws -> Void) throws {
    let arguments: StatementArguments = keys.map { [$0] } ?? []
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT pk, day_key, title, note FROM days
        WHERE (note <> '' OR title <> '' OR mood IS NOT NULL OR energy IS NOT NULL)
          \(keys == nil ? "" : "AND pk IN (\(KeyList.sql))")
        ORDER BY pk
        """, arguments: arguments)
    var people = try Belongings<NamedMention>(
      db,
      """
      \(NamedMention.selection(owner: "day_pk"))
      WHERE day_pk \(keys == nil ? "IS NOT NULL" : "IN (\(KeyList.sql))") ORDER BY day_pk, position
      """, arguments, NamedMention.init)
    while let row = try rows.next() {
      let key: Int64 = row[0]
      let parts = [row[2] as String?, row[3]].compactMap(\.self).filter { !$0.isEmpty }
      var entry = IndexedEntry(
        rowNumber: SearchDocument.rowNumber(.day, key), day: try row.day("day_key"),
        text: parts.joined(separator: ".\n"), isActivity: false)
      entry.people = NamedMention.names(try people.of(key))
      try body(entry)
    }
  }
}

/// A person named in an entry, by their current name: a merged person has the name of the person
/// they were merged into.
private struct NamedMention {
  private let name: String
  private let person: Int64?

  init(_ row: Row) {
    name = row[1]
    person = row[2]
  }

  static func selection(owner: String) -> String {
    """
    SELECT \(owner), coalesce(\(PersonRecord.name), mentions.name), person_pk FROM mentions
    LEFT JOIN person_rows AS persons ON persons.pk = person_pk
    """
  }

  /// Returns each person once, because an entry may name two people who were merged.
  static func names(_ all: [NamedMention]) -> [String] {
    guard all.count > 1 else { return all.map(\.name) }
    var seen: Set<Int64> = []
    return all.filter { one in one.person.map { seen.insert($0).inserted } ?? true }.map(\.name)
  }
}

/// The values that belong to entries, read in parallel with them in the order of the entries' keys.
private struct Belongings<Value> {
  private let rows: RowCursor
  private let value: (Row) -> Value
  private var next: (key: Int64, value: Value)?

  init(
    _ db: Database, _ sql: String, _ arguments: StatementArguments,
    _ value: @escaping (Row) -> Value
  ) throws {
    rows = try Row.fetchCursor(db, sql: sql, arguments: arguments)
    self.value = value
    try advance()
  }

  private mutating func advance() throws {
    next = try rows.next().map { ($0[0], value($0)) }
  }

  /// Returns the values of an entry.
  ///
  /// Keys must increase from call to call.
  mutating func of(_ key: Int64) throws -> [Value] {
    var found: [Value] = []
    while let candidate = next, candidate.key <= key {
      if candidate.key == key { found.append(candidate.value) }
      try advance()
    }
    return found
  }
}
