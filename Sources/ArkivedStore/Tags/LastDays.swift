import GRDB

/// Finds the last days on which tags were used.
///
/// A tag that is used many thousands of times is sought among the last entries of all, because
/// nearly always one of them has it; its own entries are read only if that fails.
struct LastDays {
  /// The number of uses beyond which a tag's entries are not read one by one.
  static let many = 2_000
  /// The number of last entries among which it is sought.
  static let walk = 20_000

  private let db: Database
  private let many: Int
  private let walk: Int
  /// The day from which on entries are among the last ones; nil if unknown.
  private var first: String?

  init(_ db: Database, many: Int = LastDays.many, walk: Int = LastDays.walk) {
    (self.db, self.many, self.walk) = (db, many, walk)
  }

  mutating func day(ofTag key: Int64, uses: Int) throws -> String? {
    let inNotes = try String.fetchOne(
      db,
      cached: """
        SELECT max(shown_day) FROM note_tags JOIN notes ON notes.pk = note_pk WHERE tag_pk = ?
        """, arguments: [key])
    let inEntries =
      try uses > many ? recentDay(ofTag: key) ?? dayAmongAll(ofTag: key) : dayAmongAll(ofTag: key)
    return [inNotes, inEntries].compactMap(\.self).max()
  }

  private mutating func recentDay(ofTag key: Int64) throws -> String? {
    let first =
      try self.first
      ?? String.fetchOne(
        db, cached: "SELECT day_key FROM activities ORDER BY day_key DESC LIMIT 1 OFFSET ?",
        arguments: [walk]) ?? ""
    self.first = first
    return try String.fetchOne(
      db,
      cached: """
        SELECT it.day_key FROM activities AS it
        WHERE it.day_key >= ? AND EXISTS (
          SELECT 1 FROM activity_tags WHERE activity_pk = it.pk AND tag_pk = ?)
        ORDER BY it.day_key DESC LIMIT 1
        """, arguments: [first, key])
  }

  private func dayAmongAll(ofTag key: Int64) throws -> String? {
    try String.fetchOne(
      db,
      cached: """
        SELECT max(day_key) FROM activity_tags JOIN activities ON activities.pk = activity_pk
        WHERE tag_pk = ?
        """, arguments: [key])
  }
}
