import ArkivedCore
package import Foundation
import GRDB

/// The identification of the owner among meetings' participants: the person with the alias "me",
/// otherwise the one who takes part in far more of them than anybody else.
///
/// Unknown if that is not clear.
enum OwnPerson {
  static func key(_ db: Database, known owner: Owner?) throws -> Int64? {
    if let owner { return owner.key }
    return try key(db)
  }

  static func key(_ db: Database) throws -> Int64? {
    let named = try Int64.fetchAll(
      db,
      cached: """
        SELECT DISTINCT person_pk FROM person_names JOIN persons ON persons.pk = person_pk
        WHERE folded = 'me' AND role IN ('name', 'alias')
        """)
    if named.count == 1 { return named.first }
    return try mostPresent(db)
  }

  /// Returns the person who takes part in far more meetings with others than anybody else.
  ///
  /// The most frequent people are found from the index of people alone; the other participants are
  /// read only for the first few.
  private static func mostPresent(_ db: Database) throws -> Int64? {
    let shared =
      try Int.fetchOne(
        db,
        // Participants are numbered from 0.
        cached: """
          SELECT count(*) FROM attendance_rows INDEXED BY attendances_shared WHERE position = 1
          """) ?? 0
    guard shared >= 5 else { return nil }
    // Only the first few of thousands are needed.
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: """
          SELECT person_pk, count(*) AS count FROM attendance_rows
          WHERE person_pk IS NOT NULL GROUP BY person_pk ORDER BY count DESC
          """))
    var best: [(person: Int64, count: Int)] = []
    while let row = try rows.next() {
      let (person, all) = (row[0] as Int64, row[1] as Int)
      // From here on, nobody can become the first or come too close to the first.
      if best.count == 2 {
        let isPlain = best[0].count * 10 >= shared * 8
        let end = isPlain ? all * 10 <= best[0].count * 7 : all * 10 < shared * 8
        if end || all <= best[1].count { break }
      }
      let count = try Int.fetchOne(
        db,
        cached: """
          SELECT count(*) FROM attendance_rows AS one
          WHERE one.person_pk = (SELECT pk FROM persons WHERE pk = ?1)
            AND EXISTS (SELECT 1 FROM attendance_rows AS other
              WHERE other.meeting_pk = one.meeting_pk AND other.position <> one.position)
          """, arguments: [person])
      guard let count, count > 0 else { continue }
      best.append((person, count))
      best.sort { $0.count > $1.count }
      if best.count > 2 { best.removeLast() }
    }
    // With only one other person, it is impossible to know who is who.
    guard best.count > 1, best[0].count * 10 >= shared * 8,
      best[1].count * 10 <= best[0].count * 7
    else { return nil }
    return best[0].person
  }

  /// Returns the condition that somebody other than the owner takes part in a meeting `it`.
  static func isWithOthers(_ own: Int64?) -> String {
    let other = own.map { "person_pk IS NOT \($0)" } ?? "is_organizer = 0"
    return "EXISTS (SELECT 1 FROM attendance_rows WHERE meeting_pk = it.pk AND \(other))"
  }

  /// Returns the condition that the owner has not declined a meeting.
  ///
  /// - Parameters:
  ///   - own: the owner's row; nil if the owner is unknown.
  ///   - key: the meeting's key, in SQL.
  /// - Returns: the SQL.
  static func isAttended(_ own: Int64?, meeting key: String) -> String {
    guard let own else { return "1" }
    // These are few, and are looked up once for all meetings.
    return "\(key) NOT IN (SELECT meeting_pk FROM \(declined(by: "\(own)")))"
  }

  /// Returns SQL for the attendances `gone` that a person declined, except where they accepted
  /// under another address.
  static func declined(by person: String) -> String {
    """
    attendance_rows AS gone INDEXED BY attendances_declined
      WHERE gone.reply = 'declined' AND gone.person_pk = \(person)
        AND NOT EXISTS (SELECT 1 FROM attendance_rows AS other
          WHERE other.meeting_pk = gone.meeting_pk AND other.person_pk = gone.person_pk
            AND other.reply IN ('accepted', 'tentative'))
    """
  }

  /// The condition that a participant's row `one`, which is read anyway, was there as far as the
  /// invitation shows (`Attendance.isPresent`).
  static let tookPart = "one.reply <> 'declined' AND one.role <> 'informed'"

  /// The same condition; who declined is determined from an index.
  static let isPresent = """
    one.role <> 'informed' AND NOT EXISTS (
      SELECT 1 FROM attendance_rows AS gone INDEXED BY attendances_declined
      WHERE gone.reply = 'declined' AND gone.person_pk = one.person_pk
        AND gone.meeting_pk = one.meeting_pk AND gone.position = one.position)
    """
}

/// The person identified as the owner, or nobody if that is not clear.
package struct Owner: Sendable {
  let key: Int64?
  package let id: UUID?
}

extension Archive {
  /// Returns the activities of meetings that were cancelled, removed from their calendar or
  /// declined by the owner, by the row numbers of their documents in ascending order.
  package func missedMeetings() throws -> [Int64] {
    try read { db in
      var rows = Set(
        try Int64.fetchAll(
          db,
          cached: """
            SELECT activity_pk FROM meeting_rows WHERE status = 'cancelled' OR is_event_deleted = 1
            """))
      // Determining the owner requires all meetings, and usually nobody has declined any.
      let hasDeclined =
        try Bool.fetchOne(
          db, cached: "SELECT EXISTS (SELECT 1 FROM attendance_rows WHERE reply = 'declined')")
        ?? false
      if hasDeclined, let own = try OwnPerson.key(db) {
        rows.formUnion(
          try Int64.fetchAll(
            db,
            cached: """
              SELECT activity_pk FROM meeting_rows
              WHERE pk IN (SELECT meeting_pk FROM \(OwnPerson.declined(by: "?")))
              """, arguments: [own]))
      }
      return rows.sorted().map { SearchDocument.rowNumber(.activity, $0) }
    }
  }

  /// Returns the owner among the people who take part in meetings; nil if that is not clear.
  package func ownPerson() throws -> UUID? {
    try owner().id
  }

  /// Returns the owner, for several queries that need it, because finding it requires reading all
  /// meetings.
  package func owner() throws -> Owner {
    try read { db in
      guard let key = try OwnPerson.key(db) else { return Owner(key: nil, id: nil) }
      let id = try String.fetchOne(
        db, cached: "SELECT id FROM persons WHERE pk = ?", arguments: [key])
      return Owner(key: key, id: id.flatMap { UUID(uuidString: $0) })
    }
  }
}
