package import ArkivedCore
package import Foundation
import GRDB

/// Reading and writing meetings.
extension Archive {
  package func meeting(_ id: UUID) throws -> MeetingEntry? {
    try read { db in try MeetingRows.fetch(db, where: "it.id = ?", arguments: [id.uuidString]).first
    }
  }

  /// Returns the meeting that an activity represents on its day.
  package func meeting(ofActivity id: UUID) throws -> MeetingEntry? {
    try read { db in
      try MeetingRows.fetch(db, where: "activity.id = ?", arguments: [id.uuidString]).first
    }
  }

  package func meeting(ofEvent identifier: String) throws -> MeetingEntry? {
    try read { db in
      try MeetingRows.fetch(db, where: "it.event_identifier = ?", arguments: [identifier]).first
    }
  }

  package func meetings(_ filter: MeetingFilter) throws -> [MeetingEntry] {
    try read { db in
      // The index of days is used if many of its entries are meetings; otherwise meetings are
      // sorted.
      let day = try filter.from == nil && Self.hasManyMeetings(db) ? "" : "+"
      let (condition, arguments) = try filter.sql(db, day: day)
      let direction = filter.order == .newest ? "DESC" : ""
      return try MeetingRows.fetch(
        db, where: condition, arguments: arguments,
        order:
          "\(day)activity.day_key \(direction), activity.start_at \(direction), it.pk \(direction)",
        limit: filter.limit, offset: filter.offset, join: day.isEmpty ? "JOIN" : "CROSS JOIN")
    }
  }

  private static func hasManyMeetings(_ db: Database) throws -> Bool {
    let limit = 20_000
    let count =
      try Int.fetchOne(
        db, cached: "SELECT count(*) FROM (SELECT 1 FROM meeting_rows LIMIT \(limit))") ?? 0
    return count == limit
  }

  package func countMeetings(_ filter: MeetingFilter) throws -> Int {
    try read { db in
      let (condition, arguments) = try filter.sql(db)
      return try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM meetings AS it
          CROSS JOIN activity_rows AS activity ON activity.pk = it.activity_pk WHERE \(condition)
          """, arguments: arguments) ?? 0
    }
  }

  /// Returns the next meeting with others that has not ended at `now`, excluding all-day meetings
  /// and those that the owner declined.
  ///
  /// - Parameters:
  ///   - now: the current time.
  ///   - owner: the owner of the archive, if known.
  /// - Returns: the meeting; nil if there is none.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func nextMeeting(at now: Instant, owner: Owner? = nil) throws -> MeetingEntry? {
    try read { db in
      let own = try OwnPerson.key(db, known: owner)
      func next(upTo last: DayKey, order: String) throws -> MeetingEntry? {
        try MeetingRows.fetch(
          db,
          where: """
            activity.start_at >= ?1 AND coalesce(activity.end_at, activity.start_at) > ?2
            AND activity.day_key BETWEEN ?3 AND ?4
            AND it.status <> 'cancelled' AND it.is_event_deleted = 0
            AND it.is_all_day = 0 AND \(OwnPerson.isWithOthers(own))
            AND \(OwnPerson.isAttended(own, meeting: "it.pk"))
            """,
          // A meeting that began more than a day ago is not upcoming.
          arguments: [
            now.milliseconds - 86_400_000, now.milliseconds,
            Zone.utc.dayKey(at: now).advanced(by: -2).description, last.description,
          ], order: order, limit: 1
        ).first
      }
      // A day is that of the meeting's zone, so one on a later day may begin earlier.
      let days = "activity.day_key, activity.start_at, it.pk"
      guard let first = try next(upTo: .latest, order: days) else { return nil }
      return try next(
        upTo: first.activity.dayKey.advanced(by: 2), order: "+activity.start_at, it.pk")
    }
  }

  /// Adds the owner's own meeting, with the activity that shows it on its day.
  ///
  /// - Throws: `FieldError` if either is not valid.
  @discardableResult
  package func create(
    _ entry: MeetingEntry, by author: Author = .owner
  ) throws -> Saved<MeetingEntry> {
    let (value, change) = try write(
      by: author, "add", "Added the meeting “\(entry.title.prefix(120))”"
    ) { scope in try scope.add(entry) }
    return Saved(value: value, change: change)
  }

  /// Changes a meeting and its entry; the previous versions are added to the history.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - version: if given, the `updatedAt` the caller last saw; another one is a conflict.
  ///   - author: who makes the change.
  ///   - edit: receives the current meeting and changes it.
  /// - Returns: the meeting as saved.
  /// - Throws: `ArchiveError.notFound`, `.conflict`, `FieldError`.
  package func updateMeeting(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner,
    _ edit: (inout MeetingEntry) throws -> Void
  ) throws -> Saved<MeetingEntry> {
    try transact { db in
      var scope = try openScope(db, by: author, "edit", "")
      guard let old = try scope.meeting(id) else {
        throw ArchiveError.notFound("No meeting with the ID \(id.uuidString).")
      }
      try Archive.check(version, against: old.updatedAt, "This meeting")
      var new = old
      try edit(&new)
      if new.meeting.attendances != old.meeting.attendances {
        try scope.resolvePeople(of: &new, keeping: old.meeting.attendances)
      }
      guard
        new != old || Archive.differ(new.activity.json, old.activity.json)
          || Archive.differ(new.meeting.json, old.meeting.json)
      else {
        try scope.forget()
        return Saved(value: old, change: nil)
      }
      try scope.summarise("Changed the meeting “\(old.title.prefix(120))”")
      let saved = try scope.update(new, over: old, reason: .update)
      return Saved(value: saved, change: scope.change)
    }
  }

  /// Deletes a meeting with its entry and its notes; undo restores all of it.
  @discardableResult
  package func deleteMeeting(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<MeetingEntry> {
    let (value, change) = try write(by: author, "delete", "") { scope in
      guard let old = try scope.meeting(id) else {
        throw ArchiveError.notFound("No meeting with the ID \(id.uuidString).")
      }
      try Archive.check(version, against: old.updatedAt, "This meeting")
      try scope.summarise("Deleted the meeting “\(old.title.prefix(120))”")
      _ = try scope.deleteActivity(old.activity.id)
      return old
    }
    return Saved(value: value, change: change)
  }
}
