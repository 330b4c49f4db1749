import GRDB

/// An index of meetings that did not take place, or took place without the owner, which finds them
/// without reading all meetings.
enum MissedMeetingsMigration: Migration {
  static let identifier = "010-missed-meetings"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE INDEX meetings_dropped ON meeting_rows (activity_pk)
          WHERE status = 'cancelled' OR is_event_deleted = 1;
        CREATE INDEX attendances_declined ON attendance_rows (person_pk, meeting_pk)
          WHERE reply = 'declined';
        """)
  }
}
