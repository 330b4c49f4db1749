package import ArkivedCore
package import Foundation
import GRDB

/// A filter for a list of meetings.
package struct MeetingFilter: Hashable, Sendable {
  package enum Order: Sendable { case oldest, newest }

  /// The first and last day, inclusive.
  package var from: DayKey?
  package var to: DayKey?
  /// The people who all take part, as far as the invitation shows (`Attendance.isPresent`).
  package var people: [UUID] = []
  /// Groups of people, from each of which at least one person takes part in the same sense.
  ///
  /// A group contains the people that one name may refer to.
  package var anyOf: [[UUID]] = []
  /// True to include only meetings with others.
  package var isWithOthers = false
  /// True if cancelled meetings and those that their calendar has dropped are included.
  package var includesDropped = true
  /// True to include only meetings that the owner hasn't declined.
  package var isAttended = false
  /// A moment, usually the current or the beginning of `from`.
  ///
  /// A meeting in progress at this moment belongs to the days from `from` on, and to no day up to
  /// `to`, whenever it began.
  package var now: Instant?
  package var order = Order.newest
  package var limit = 50
  package var offset = 0

  package init() {}

  /// Returns the filter for the meetings of a day that a brief is made of: with others, neither
  /// cancelled nor declined by the owner, like `nextMeeting`.
  package static func briefed(on day: DayKey) -> MeetingFilter {
    var filter = MeetingFilter()
    (filter.from, filter.to) = (day, day)
    (filter.isWithOthers, filter.includesDropped, filter.isAttended) = (true, false, true)
    filter.order = .oldest
    return filter
  }
}

extension MeetingFilter {
  /// The number of entries up to which they are examined instead of all meetings.
  private static let fewEntries = 2_000

  /// Returns the filter's SQL.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - day: "+" if no index of days is to be used.
  /// - Returns: the condition and its arguments.
  /// - Throws: `DatabaseError` if the archive can't be read.
  func sql(_ db: Database, day: String = "+") throws -> (String, StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    if let from {
      // Meetings that began earlier and continue; midnight in any zone is at most a day away.
      let midnight =
        (now ?? Zone.utc.start(of: from).adding(seconds: 14 * 3600)).milliseconds
      let near: StatementArguments = [
        from.advanced(by: -2).description, (to ?? .latest).description,
      ]
      let among = "activity_rows WHERE day_key BETWEEN ? AND ?"
      let isShort =
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM (SELECT 1 FROM \(among) LIMIT \(Self.fewEntries + 1))",
          arguments: near) ?? 0 <= Self.fewEntries
      if isShort {
        // There are few entries in the range, so their index and that of long ones are used instead
        // of all meetings.
        conditions.append(
          """
          it.activity_pk IN (SELECT pk FROM \(among)
            UNION ALL SELECT pk FROM activity_rows
            WHERE end_at - start_at > 86400000 AND end_at > ?)
          """)
        arguments += near + [midnight]
      }
      conditions.append("(\(day)activity.day_key >= ? OR activity.end_at > ?)")
      arguments += [from.description, midnight]
    }
    if let to {
      conditions.append("\(day)activity.day_key <= ?")
      arguments += [to.description]
      if from == nil, let now {
        conditions.append("(activity.end_at IS NULL OR activity.end_at <= ?)")
        arguments += [now.milliseconds]
      }
    }
    for group in (people.map { [$0] } + anyOf).prefix(SearchFilter.listLimit) {
      let (attended, named) = Self.isAttended(byOneOf: group)
      conditions.append(attended)
      arguments += named
    }
    if isWithOthers { conditions.append(OwnPerson.isWithOthers(try OwnPerson.key(db))) }
    if !includesDropped {
      conditions.append("it.status <> 'cancelled' AND it.is_event_deleted = 0")
    }
    if isAttended {
      // Determining the owner requires all meetings, and usually nobody has declined any.
      let hasDeclined =
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM attendance_rows WHERE reply = 'declined')")
        ?? false
      let own = hasDeclined ? try OwnPerson.key(db) : nil
      conditions.append(OwnPerson.isAttended(own, meeting: "it.pk"))
    }
    return (conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), arguments)
  }

  /// Returns SQL that is true for a meeting `it` if one of some people takes part and has not
  /// declined.
  private static func isAttended(
    byOneOf people: [UUID]
  ) -> (sql: String, arguments: StatementArguments) {
    let named = people.prefix(SearchFilter.listLimit).map(\.uuidString)
    return (
      """
      it.pk IN (SELECT meeting_pk FROM attendance_rows AS one
        WHERE person_pk IN (SELECT pk FROM person_rows WHERE id IN (\(placeholders(named.count))))
          AND \(OwnPerson.tookPart))
      """, StatementArguments(named)
    )
  }

  /// Returns SQL that is true for an activity that is a meeting and meets conditions.
  static func isMeeting(
    _ activity: String, _ wanted: MeetingConditions, _ db: Database
  ) throws -> (sql: String, arguments: StatementArguments) {
    let attended = wanted.groups.prefix(SearchFilter.listLimit).map(isAttended(byOneOf:))
    var conditions = ["it.activity_pk = \(activity)"] + attended.map { $0.sql }
    if wanted.isWithOthers { conditions.append(OwnPerson.isWithOthers(try OwnPerson.key(db))) }
    return (
      """
      EXISTS (SELECT 1 FROM meetings AS it
        WHERE \(conditions.joined(separator: "\n  AND ")))
      """, attended.reduce(into: StatementArguments()) { $0 += $1.arguments }
    )
  }
}
