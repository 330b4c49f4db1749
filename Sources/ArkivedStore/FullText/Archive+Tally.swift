package import ArkivedCore
import GRDB

/// Counting and adding up the entries that a search finds.
extension Archive {
  /// The totals of a set of entries.
  package struct Tally: Hashable, Sendable {
    package var entries = 0
    /// The number of different days they belong to.
    package var days = 0
    package var first: DayKey?
    package var last: DayKey?
    /// Their duration in minutes, if known.
    package var minutes = 0.0
    /// The amounts by unit, with the number of entries that have one.
    package var amounts: [String: (sum: Double, entries: Int)] = [:]
    package var timed = 0

    package static func == (left: Tally, right: Tally) -> Bool {
      left.entries == right.entries && left.days == right.days && left.minutes == right.minutes
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(entries) }
  }

  /// Returns counts and sums of every entry that a search would find, without a limit.
  package func tally(
    _ request: SearchRequest, words: WordQuery, expand: (String) -> [String] = { _ in [] },
    types: [HitType] = []
  ) throws -> Tally {
    try read { db in
      var filter = try SearchFilter(request, types: types, db)
      let match = filter.match(words, matching: .all, expand: expand)
      let source = """
        FROM search_words \(filter.joins)
        WHERE \(match == nil ? "1" : "search_words MATCH ?") \(filter.conditions)
        """
      let arguments = (match.map { [$0] } ?? []) + filter.arguments
      var tally = Tally()
      if let row = try Row.fetchOne(
        db,
        sql: """
          SELECT count(*) AS entries, count(DISTINCT search_words.day_key) AS days,
            min(search_words.day_key) AS first, max(search_words.day_key) AS last,
            count(coalesce(activities.duration_minutes, activities.end_at - activities.start_at))
              AS timed,
            total(coalesce(activities.duration_minutes,
              (activities.end_at - activities.start_at) / 60000.0)) AS minutes
          \(source)
          """, arguments: arguments)
      {
        tally.entries = row["entries"]
        tally.days = row["days"]
        tally.first = (row["first"] as String?).flatMap(DayKey.init)
        tally.last = (row["last"] as String?).flatMap(DayKey.init)
        tally.minutes = row["minutes"]
        tally.timed = row["timed"]
      }
      let amounts = try Row.fetchCursor(
        db,
        sql: """
          SELECT unit, sum(amount) AS sum, count(*) AS entries FROM measurements
          WHERE activity_pk IN (SELECT activities.pk \(source)) GROUP BY unit
          """, arguments: arguments)
      while let row = try amounts.next() {
        tally.amounts[row["unit"]] = (row["sum"], row["entries"])
      }
      return tally
    }
  }
}
