package import ArkivedCore
import Foundation
import GRDB

/// Listing entries by their metadata.
///
/// Without words, a list is read from the entries' own tables using their indexes; the full-text
/// table, which has no such indexes, is not used.
extension Archive {
  /// An entry that a list found; its content is read with `entries(_:)`.
  package struct EntryReference: Hashable, Sendable {
    let type: HitType
    let pk: Int64
    /// Days since 1970.
    let day: Int
    package var isActivity: Bool { type == .activity }
    /// Its start, or the time it was written if it has none, in milliseconds: the order within its
    /// day.
    let moment: Int64

    static func isEarlier(_ left: EntryReference, _ right: EntryReference) -> Bool {
      (left.day, left.moment, left.type.rawValue, left.pk)
        < (right.day, right.moment, right.type.rawValue, right.pk)
    }
  }

  /// Returns the entries that pass a request's filters, in chronological order; its words are
  /// ignored.
  ///
  /// Within a day, an entry without a time is ordered by the time it was written.
  ///
  /// - Parameters:
  ///   - request: its limit and offset count in that order.
  ///   - order: `.oldest` first, otherwise newest first.
  ///   - window: if there are more rows than this, the nearest ones are examined before an index of
  ///     candidates is used, whose rows would all have to be sorted.
  /// - Returns: the entries.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func list(
    _ request: SearchRequest, order: ResultOrder = .newest, window: Int = 20_000
  ) throws -> [EntryReference] {
    let wanted = request.limit.addingReportingOverflow(max(0, request.offset))
    let limit = wanted.overflow ? Int.max : wanted.partialValue
    guard request.limit > 0 else { return [] }
    return try read { db in
      let filter = try EntryFilter(request, db)
      var found = try Archive.activities(filter, order, limit: limit, window: window, db)
      if let days = filter.days {
        found += try Archive.days(days, order, limit: limit, db)
        found.sort {
          order == .oldest
            ? EntryReference.isEarlier($0, $1) : EntryReference.isEarlier($1, $0)
        }
      }
      return Array(found.dropFirst(max(0, request.offset)).prefix(request.limit))
    }
  }

  /// Returns the number of entries that match a request's filters, ignoring its limit.
  package func count(_ request: SearchRequest) throws -> Int {
    try read { db in
      let filter = try EntryFilter(request, db)
      func count(_ table: String, _ conditions: EntryFilter.Conditions) throws -> Int {
        let (clause, arguments) = conditions.whereClause()
        return try Int.fetchOne(
          db, sql: "SELECT count(*) FROM \(table) AS entry WHERE \(clause)", arguments: arguments)
          ?? 0
      }
      return try count(EntryTables.activities, filter.activities)
        + (filter.days.map { try count(EntryTables.days, $0) } ?? 0)
    }
  }

  /// Returns short descriptions of why entries pass a request's filters.
  package func reasons(_ request: SearchRequest) throws -> [String] {
    try read { db in try EntryFilter(request, db).labels }
  }

  // MARK: Reading keys

  private static func activities(
    _ filter: EntryFilter, _ order: ResultOrder, limit: Int, window: Int, _ db: Database
  ) throws -> [EntryReference] {
    let edge = try windowEdge(filter.activities, order, window, db)
    if let edge, limit < window {
      let (clause, arguments) =
        order == .oldest
        ? filter.activities.whereClause(to: edge) : filter.activities.whereClause(from: edge)
      let near = try references(
        .activity, "WHERE \(clause) \(ordering(order)) LIMIT ?", arguments + [limit], db)
      if near.count == limit { return near }
    }
    let (clause, arguments) = filter.activities.whereClause()
    let candidates = edge == nil ? nil : filter.candidates
    // Reading everything in storage order is faster than by the index of days, and few rows are
    // quickly sorted.
    let isSorted =
      edge != nil
      && (candidates != nil || !filter.isBounded && !filter.activities.sql.isEmpty)
    func unindexed(_ sql: String, _ column: String) -> String {
      isSorted ? sql.replacing(column, with: "+\(column)") : sql
    }
    return try references(
      .activity,
      """
      WHERE \(candidates.map { "pk IN (\($0.sql)) AND " } ?? "")\(unindexed(clause, "entry.day_key"))
      \(unindexed(ordering(order), "day_key")) LIMIT ?
      """, (candidates?.arguments ?? []) + arguments + [limit], db)
  }

  private static func days(
    _ conditions: EntryFilter.Conditions, _ order: ResultOrder, limit: Int, _ db: Database
  ) throws -> [EntryReference] {
    let (clause, arguments) = conditions.whereClause()
    return try references(
      .day, "WHERE \(clause) \(ordering(order)) LIMIT ?", arguments + [limit], db)
  }

  private static func ordering(_ order: ResultOrder) -> String {
    let direction = order == .oldest ? "ASC" : "DESC"
    return "ORDER BY day_key \(direction), moment \(direction), pk \(direction)"
  }

  static func references(
    _ type: HitType, _ clause: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> [EntryReference] {
    let isActivity = type == .activity
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT pk, day_key,
          \(isActivity ? "coalesce(start_at, created_at)" : "created_at") AS moment
        FROM \(isActivity ? EntryTables.activities : EntryTables.days) AS entry \(clause)
        """, arguments: arguments)
    var found: [EntryReference] = []
    while let row = try rows.next() {
      found.append(
        EntryReference(
          type: type, pk: row[0], day: try row.day("day_key").daysSinceEpoch, moment: row[2]))
    }
    return found
  }

  /// Returns the day at which the nearest rows end, if there are many more.
  private static func windowEdge(
    _ conditions: EntryFilter.Conditions, _ order: ResultOrder, _ window: Int, _ db: Database
  ) throws -> DayKey? {
    try String.fetchOne(
      db,
      sql: """
        SELECT day_key FROM \(EntryTables.activities) WHERE day_key >= ? AND day_key <= ?
        ORDER BY day_key \(order == .oldest ? "ASC" : "DESC") LIMIT 1 OFFSET \(window)
        """, arguments: [conditions.first.description, conditions.last.description]
    ).flatMap(DayKey.init)
  }
}
