package import ArkivedCore
package import Foundation
import GRDB
import GRDBSQLite

/// Data for answering questions besides the entries: the people, and the days' own values.
extension Archive {
  /// A person with all their names.
  package struct NamedPerson: Hashable, Sendable {
    package var name: String
    package var aliases: [String]
    package var summary: String?
  }

  /// Returns everybody in the archive, in the order of creation.
  package func namedPeople() throws -> [NamedPerson] {
    try read { db in
      var aliases: [Int64: [String]] = [:]
      let names = try Row.fetchCursor(
        db,
        sql: """
          SELECT person_pk, role, value FROM person_names WHERE role IN ('alias', 'email')
          ORDER BY person_pk, role, position
          """)
      var addresses: [Int64: String] = [:]
      while let row = try names.next() {
        if row["role"] as String == "alias" {
          aliases[row[0], default: []].append(row["value"])
        } else {
          addresses[row[0]] = row["value"]
        }
      }
      let people = try Row.fetchAll(
        db,
        sql: """
          SELECT pk, iif(trim(name) = '', NULL, name), relationship_summary FROM persons ORDER BY pk
          """)
      return people.map { row in
        let key: Int64 = row[0]
        let own = aliases[key] ?? []
        // The same as `Person.displayName`.
        return NamedPerson(
          name: row[1] ?? own.first ?? addresses[key] ?? Person.nameless, aliases: own,
          summary: row[2])
      }
    }
  }

  /// A day's own values.
  package struct DayFigure: Hashable, Sendable {
    package var id: UUID?
    package var mood: Int?
    package var energy: Int?
    /// The measurements of devices; if several devices measured a value, what `MetricRule` makes of
    /// theirs.
    package var metrics: [String: Double] = [:]
  }

  /// Returns the days of a span that have their own values, in order.
  ///
  /// - Parameters:
  ///   - span: the days.
  ///   - units: the units of the metrics, to which values in other units are converted; those that
  ///     can't be converted are skipped.
  /// - Returns: the days with their values.
  /// - Throws: an error if the archive can't be read.
  package func dayFigures(
    in span: ClosedRange<DayKey>, units: [String: String]
  ) throws -> [(DayKey, DayFigure)] {
    try read { db in
      let bounds: StatementArguments = [
        span.lowerBound.description, span.upperBound.description,
      ]
      var found: [(DayKey, DayFigure)] = []
      var names: [String] = []
      // The number of devices that measured the last value.
      var devices = 0
      // Ordered by the table's own index: by day, metric and source.
      try db.forEachRow(
        """
        SELECT day_key, metric, value, unit FROM day_metrics
        WHERE day_key BETWEEN ? AND ? ORDER BY day_key, metric
        """, bounds
      ) { row in
        let day = try Archive.day(row)
        let name = Archive.text(row, 1, among: &names)
        var value = sqlite3_column_double(row, 2)
        let unit = Archive.text(row, 3, among: &names)
        if let wanted = units[name], wanted != unit {
          // A value in another unit would be a wrong one.
          guard
            let converted = UnitTable.standard.converted(value, of: name, from: unit, to: wanted)
          else { return }
          value = converted
        }
        if found.last?.0 != day { found.append((day, DayFigure())) }
        let known = found[found.count - 1].1.metrics[name]
        devices = known == nil ? 1 : devices + 1
        found[found.count - 1].1.metrics[name] =
          known.map {
            MetricRule(name, unit: units[name] ?? unit).combining($0, with: value, count: devices)
          } ?? value
      }
      let measured = found.count
      var next = 0
      try db.forEachRow(
        """
        SELECT day_key, id, mood, energy FROM days
        WHERE day_key BETWEEN ? AND ? AND (mood IS NOT NULL OR energy IS NOT NULL)
        ORDER BY day_key
        """, bounds
      ) { row in
        let day = try Archive.day(row)
        while next < measured, found[next].0 < day { next += 1 }
        if next >= measured || found[next].0 != day { found.append((day, DayFigure())) }
        let place = next < measured && found[next].0 == day ? next : found.count - 1
        found[place].1.id = sqlite3_column_text(row, 1).flatMap {
          UUID(uuidString: String(cString: $0))
        }
        func number(_ column: Int32) -> Int? {
          sqlite3_column_type(row, column) == SQLITE_NULL
            ? nil : Int(sqlite3_column_int64(row, column))
        }
        found[place].1.mood = number(2)
        found[place].1.energy = number(3)
      }
      if found.count > measured { found.sort { $0.0 < $1.0 } }
      return found
    }
  }

  /// Returns the day key in a row's first column.
  private static func day(_ row: OpaquePointer) throws -> DayKey {
    let text = sqlite3_column_text(row, 0).map { String(cString: $0) } ?? ""
    guard let day = DayKey(text) else {
      throw DatabaseError(
        resultCode: .SQLITE_CORRUPT, message: "day_key contains \(text), which isn’t a valid day")
    }
    return day
  }

  /// Returns the text of a column with few distinct values.
  private static func text(
    _ row: OpaquePointer, _ column: Int32, among known: inout [String]
  ) -> String {
    guard let start = sqlite3_column_text(row, column) else { return "" }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(row, column)))
    if let text = known.first(where: { $0.utf8.elementsEqual(bytes) }) { return text }
    let text = String(decoding: bytes, as: UTF8.self)
    if known.count < 64 { known.append(text) }
    return text
  }

  /// Returns the names of daily metrics with their units, among those added after a row; of several
  /// units, such as pounds by a phone and kilograms by a scale, the preferred one.
  ///
  /// - Returns: the names, and the last row.
  package func metricNames(after row: Int64) throws -> (names: [String: String], last: Int64) {
    try read { db in
      var names: [String: String] = [:]
      let rows = try Row.fetchCursor(
        db, sql: "SELECT DISTINCT metric, unit FROM day_metrics WHERE pk > ?", arguments: [row])
      while let found = try rows.next() {
        let name: String = found[0]
        let unit: String = found[1]
        names[name] = names[name].map { UnitTable.standard.preferred($0, unit) } ?? unit
      }
      let last = try Int64.fetchOne(db, sql: "SELECT max(pk) FROM metric_rows") ?? 0
      return (names, last)
    }
  }

  /// Returns the first and last day that has its own values.
  package func figureSpan() throws -> ClosedRange<DayKey>? {
    try read { db in
      let bounds = try ["days", "day_metrics"].flatMap { table in
        try ["min", "max"].compactMap { edge in
          try String.fetchOne(db, sql: "SELECT \(edge)(day_key) FROM \(table)")
        }
      }.compactMap { DayKey($0) }
      guard let first = bounds.min(), let last = bounds.max() else { return nil }
      return first...last
    }
  }
}

extension Archive {
  /// An entry's details in a citation, besides its words.
  package struct CitedEntry: Hashable, Sendable {
    package var type: HitType
    package var id: UUID
    package var externalRefs: [ExternalRef] = []
  }

  /// Returns a day's entries that begin after an instant, as the row numbers of their documents.
  package func entries(on day: DayKey, beginningAfter now: Instant) throws -> Set<Int64> {
    try read { db in
      let keys = try Int64.fetchAll(
        db, cached: "SELECT pk FROM activities WHERE day_key = ? AND start_at > ?",
        arguments: [day.description, now.milliseconds])
      return Set(keys.map { SearchDocument.rowNumber(.activity, $0) })
    }
  }

  /// Returns the activities and days of some documents, by row number; missing ones are skipped.
  package func citedEntries(_ documents: [Int64]) throws -> [Int64: CitedEntry] {
    try read { db in
      var found: [Int64: CitedEntry] = [:]
      for (kind, table, type) in [
        (SearchDocument.Kind.activity, "activities", HitType.activity), (.day, "days", .day),
      ] {
        let keys = KeyList.text(
          documents.filter { $0 & 7 == kind.rawValue }.map { $0 >> 3 })
        let rows = try Row.fetchCursor(
          db, sql: "SELECT pk, id FROM \(table) WHERE pk IN (\(KeyList.sql))", arguments: [keys])
        while let row = try rows.next() {
          guard let id = UUID(uuidString: row[1]) else { continue }
          found[SearchDocument.rowNumber(kind, row[0])] = CitedEntry(type: type, id: id)
        }
        let owner = kind == .activity ? "activity_pk" : "day_pk"
        let references = try Row.fetchCursor(
          db,
          sql: """
            SELECT \(owner), provider, external_id, fetched_at FROM external_refs
            WHERE \(owner) IN (\(KeyList.sql)) ORDER BY pk
            """, arguments: [keys])
        while let row = try references.next() {
          found[SearchDocument.rowNumber(kind, row[0])]?.externalRefs.append(
            ExternalRef(
              provider: row[1], externalID: row[2], fetchedAt: Instant(milliseconds: row[3])))
        }
      }
      return found
    }
  }
}
