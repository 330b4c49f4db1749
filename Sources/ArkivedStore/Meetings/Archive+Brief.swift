package import ArkivedCore
package import Foundation
import GRDB

/// Queries for a brief.
extension Archive {
  /// A past meeting that shares people with another one.
  package struct PastMeeting: Hashable, Sendable {
    package var entry: MeetingEntry
    /// The people who take part in both.
    package var shared: [UUID]
    package var isOfSeries: Bool
  }

  /// Returns past meetings before a moment that share people or the series: those of the series and
  /// those with the most people in common come first, later ones before earlier ones.
  ///
  /// The last one of the series and the last one with exactly these people are always included.
  ///
  /// - Parameters:
  ///   - people: the IDs of the people.
  ///   - entry: the meeting to which they are invited.
  ///   - now: the current time.
  ///   - limit: the number of meetings to look up.
  ///   - owner: the owner of the archive, if known.
  /// - Returns: the meetings.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func pastMeetings(
    with people: [UUID], before entry: MeetingEntry, by now: Instant, limit: Int,
    owner: Owner? = nil
  ) throws -> [PastMeeting] {
    try read { db in
      let list = JSON(people.map(\.uuidString)).text()
      let start = entry.activity.startAt ?? entry.activity.zone.start(of: entry.activity.dayKey)
      let before = min(start, now)
      let own = try OwnPerson.key(db, known: owner)
      let rows = try Row.fetchAll(
        db,
        sql: """
          WITH wanted AS (
              SELECT pk FROM persons WHERE id IN (SELECT value FROM json_each(?1))),
            -- One walk through the index of people counts for all meetings.
            met AS MATERIALIZED (
              SELECT meeting_pk, count(DISTINCT person_pk) AS shared FROM attendance_rows AS one
              WHERE person_pk IN wanted AND \(OwnPerson.isPresent) GROUP BY meeting_pk),
            candidates AS (
              SELECT meeting_pk, shared FROM met
              UNION ALL SELECT pk, 0 FROM meeting_rows
              WHERE series_identifier = ?3 AND pk NOT IN (SELECT meeting_pk FROM met))
          SELECT it.id, \(Self.begin) AS began, candidates.shared,
            (it.series_identifier IS ?3 AND ?3 IS NOT NULL) AS is_series,
            -- Two people merged into one may both have been invited.
            (SELECT count(DISTINCT coalesce(person_pk, -1 - position)) FROM attendance_rows
              WHERE meeting_pk = it.pk AND reply <> 'declined' AND role <> 'informed'
              AND person_pk IS NOT \(own.map(String.init) ?? "NULL")) AS size
          FROM candidates CROSS JOIN meeting_rows AS it ON it.pk = candidates.meeting_pk
          CROSS JOIN activity_rows AS activity ON activity.pk = it.activity_pk
          WHERE it.\(MeetingRows.isSeen) AND activity.\(MeetingRows.isSeen)
            AND it.status <> 'cancelled' AND it.is_event_deleted = 0
            AND \(Self.isBegun(by: "?2", on: "?5"))
            AND it.id <> ?4 AND \(OwnPerson.isAttended(own, meeting: "it.pk"))
          """,
        arguments: [
          list, before.milliseconds, entry.meeting.seriesIdentifier, entry.id.uuidString,
          entry.activity.zone.dayKey(at: before).description,
        ])
      struct Candidate {
        var id: String
        var score: Double
        var start: Int64
        var isSeries: Bool
        var isSameCompany: Bool
      }
      var candidates = rows.map { row -> Candidate in
        let shared = Double(row["shared"] as Int)
        let size = Double(max(row["size"] as Int, 1))
        let start: Int64 = row["began"]
        let years = Double(before.milliseconds - start) / 31_557_600_000
        let isSeries: Bool = row["is_series"]
        // The overlap of participants counts most; then the age, with a half-life of half a year.
        let overlap = shared / (Double(people.count) + size - shared).clamped(from: 1)
        return Candidate(
          id: row["id"],
          score: overlap + 0.6 * exp2(-2 * years) + (isSeries ? 0.5 : 0),
          start: start, isSeries: isSeries,
          isSameCompany: !people.isEmpty && shared == size && Int(shared) == people.count)
      }
      candidates.sort { ($0.score, $0.start) > ($1.score, $1.start) }
      let last = Set(
        [
          candidates.filter(\.isSeries).max { $0.start < $1.start },
          candidates.filter(\.isSameCompany).max { $0.start < $1.start },
        ].compactMap { $0?.id })
      var chosen = candidates.filter { last.contains($0.id) }
      chosen += candidates.filter { !last.contains($0.id) }.prefix(max(0, limit - chosen.count))
      chosen.sort { ($0.score, $0.start) > ($1.score, $1.start) }
      return try chosen.compactMap { candidate in
        try MeetingRows.fetch(db, where: "it.id = ?", arguments: [candidate.id]).first.map { past in
          PastMeeting(
            entry: past,
            shared: past.present.compactMap(\.personID).filter(people.contains),
            isOfSeries: candidate.isSeries)
        }
      }
    }
  }

  /// The beginning of a meeting; for one with only a day, the day.
  private static let begin =
    "coalesce(activity.start_at, CAST(strftime('%s', activity.day_key) AS INTEGER) * 1000)"

  /// Returns SQL that is true if a meeting began before a moment; one with only a day, before that
  /// moment's day.
  private static func isBegun(by moment: String, on day: String) -> String {
    "(activity.start_at < \(moment) OR activity.start_at IS NULL AND activity.day_key < \(day))"
  }

  /// Returns how often and when a person last took part in a meeting before a moment of a day.
  package func meetings(
    of person: UUID, before moment: Instant, on day: DayKey, owner: Owner? = nil
  ) throws -> (count: Int, last: DayKey?) {
    try read { db in
      let own = try OwnPerson.key(db, known: owner)
      let row = try Row.fetchOne(
        db,
        cached: """
          SELECT count(DISTINCT it.pk) AS count, max(activity.day_key) AS last
          FROM attendance_rows AS one CROSS JOIN meeting_rows AS it ON it.pk = one.meeting_pk
          CROSS JOIN activity_rows AS activity ON activity.pk = it.activity_pk
          WHERE one.person_pk = (SELECT pk FROM persons WHERE id = ?1) AND \(OwnPerson.isPresent)
            AND it.\(MeetingRows.isSeen) AND activity.\(MeetingRows.isSeen)
            AND it.status <> 'cancelled' AND it.is_event_deleted = 0
            AND \(Self.isBegun(by: "?2", on: "?3"))
            AND \(OwnPerson.isAttended(own, meeting: "it.pk"))
          """, arguments: [person.uuidString, moment.milliseconds, day.description])
      return (row?["count"] ?? 0, (row?["last"] as String?).flatMap(DayKey.init))
    }
  }

  /// A line of a note that records a decision.
  package struct StoredDecision: Hashable, Sendable {
    package var text: String
    package var line: Int
    package var noteID: UUID
    package var day: DayKey
    /// The title of the meeting, otherwise of the note.
    package var title: String
  }

  /// Returns the decisions recorded in notes, the latest first.
  ///
  /// - Parameter person: only in notes that name them, and of meetings they took part in.
  /// - Returns: the decisions.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func decisions(with person: UUID?) throws -> [StoredDecision] {
    try read { db in
      let condition =
        person == nil
        ? "1"
        : """
        it.pk IN (
          SELECT note_pk FROM note_mentions
          WHERE person_pk = (SELECT pk FROM persons WHERE id = ?1)
          UNION SELECT note_rows.pk FROM note_rows
          JOIN attendance_rows AS one ON one.meeting_pk = note_rows.meeting_pk
          WHERE one.person_pk = (SELECT pk FROM persons WHERE id = ?1)
            AND \(OwnPerson.tookPart))
        """
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT it.id, it.title, it.text, it.shown_day, activity.text AS meeting
          FROM notes AS it LEFT JOIN meetings ON meetings.pk = it.meeting_pk
          LEFT JOIN activity_rows AS activity ON activity.pk = meetings.activity_pk
          WHERE \(condition) AND (it.text LIKE '%deci%' OR it.text LIKE '%agree%'
            OR it.text LIKE '%resol%' OR it.text LIKE '%entsch%' OR it.text LIKE '%beschl%'
            OR it.text LIKE '%vereinb%')
          ORDER BY it.shown_day DESC, it.pk DESC
          """, arguments: person.map { [$0.uuidString] } ?? [])
      var found: [StoredDecision] = []
      while let row = try rows.next(), found.count < 5_000 {
        let title: String = row["meeting"] as String? ?? row["title"] ?? "Note"
        for decision in DecisionReader.decisions(in: row["text"]) {
          found.append(
            StoredDecision(
              text: decision.text, line: decision.line, noteID: try row.identity("id"),
              day: try row.day("shown_day"), title: title))
        }
      }
      return found
    }
  }

  /// Returns the meetings with a written purpose, outcome or summary, the latest first.
  ///
  /// - Parameters:
  ///   - person: only those they took part in.
  ///   - days: only those of these days.
  /// - Returns: the meetings.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func meetingRecords(
    with person: UUID? = nil, in days: ClosedRange<DayKey>? = nil
  ) throws -> [MeetingEntry] {
    var filter = MeetingFilter()
    filter.people = person.map { [$0] } ?? []
    (filter.from, filter.to) = (days?.lowerBound, days?.upperBound)
    filter.includesDropped = false
    return try read { db in
      let (condition, arguments) = try filter.sql(db)
      return try MeetingRows.fetch(
        db,
        where: """
          coalesce(it.purpose, it.outcomes, it.summary) IS NOT NULL AND \(condition)
          """, arguments: arguments,
        order: "activity.day_key DESC, activity.start_at DESC, it.pk", limit: 5_000)
    }
  }

  /// Returns the notes of some meetings, those of the latest meeting first.
  package func notes(ofMeetings ids: [UUID]) throws -> [Note] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          \(Note.selection(from: "notes"))
          WHERE meeting.id IN (SELECT value FROM json_each(?))
          ORDER BY it.shown_day DESC, it.pk
          """, arguments: [JSON(ids.map(\.uuidString)).text()]
      ).map(Note.read)
    }
  }

  /// Returns the last entries of the journal that name a person and began before a moment; those
  /// with only a day, before that moment's day.
  package func lastEntries(
    naming person: UUID, before moment: Instant, on day: DayKey, limit: Int
  ) throws -> [Activity] {
    try read { db in
      let keys = try Archive.lastKeys(naming: person, before: moment, on: day, limit: limit, db)
      let records = try ActivityRecord.fetch(
        db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(keys)])
      return keys.compactMap { key in records.first { $0.pk == key }?.activity }
    }
  }
}

extension Archive {
  /// Returns the keys of the last entries.
  ///
  /// Those of somebody named in thousands of entries are found among the last entries of all; their
  /// own entries are sorted only if that fails.
  private static func lastKeys(
    naming person: UUID, before moment: Instant, on day: DayKey, limit: Int, _ db: Database
  ) throws -> [Int64] {
    guard
      let key = try Int64.fetchOne(
        db, cached: "SELECT pk FROM persons WHERE id = ?", arguments: [person.uuidString])
    else { return [] }
    let count =
      try Int.fetchOne(
        db, cached: "SELECT count(*) FROM mentions WHERE person_pk = ?", arguments: [key]) ?? 0
    let isBegun = "(start_at < ?3 OR start_at IS NULL AND day_key < ?2)"
    let arguments: StatementArguments = [key, day.description, moment.milliseconds, limit]
    if count > PersonSightings.many {
      let keys = try Int64.fetchAll(
        db,
        cached: """
          SELECT pk FROM (
            SELECT pk, day_key, start_at FROM activities WHERE day_key <= ?2
            ORDER BY day_key DESC, start_at DESC LIMIT \(PersonSightings.walk)) AS it
          -- Not by the index of the person, which has thousands for each of these.
          WHERE EXISTS (SELECT 1 FROM mentions WHERE activity_pk = it.pk AND +person_pk = ?1)
            AND NOT EXISTS (SELECT 1 FROM meeting_rows WHERE activity_pk = it.pk) AND \(isBegun)
          ORDER BY day_key DESC, start_at DESC LIMIT ?4
          """, arguments: arguments)
      if keys.count == limit { return keys }
    }
    return try Int64.fetchAll(
      db,
      cached: """
        SELECT DISTINCT activities.pk FROM mentions
        JOIN activities ON activities.pk = activity_pk
        WHERE person_pk = ?1 AND day_key <= ?2 AND \(isBegun)
          AND NOT EXISTS (SELECT 1 FROM meeting_rows WHERE activity_pk = activities.pk)
        ORDER BY day_key DESC, start_at DESC LIMIT ?4
        """, arguments: arguments)
  }
}

extension Double {
  fileprivate func clamped(from lower: Double) -> Double { Swift.max(self, lower) }
}
