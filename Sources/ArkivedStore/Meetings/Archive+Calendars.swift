package import ArkivedCore
package import Foundation
import GRDB

/// A file of events from a link that still has to become meetings, or has to be examined again.
package struct OpenCalendarResource: Hashable, Sendable {
  package var name: String
  /// The version; nil if the place no longer has the file.
  package var version: String?
  /// True if its meetings were imported before from this very version.
  package var isFollowed: Bool
}

/// The stored data of linked calendars, which allows continuing repeating events without fetching
/// them again.
extension Archive {
  /// Returns the versions of the resources in a link's place, by name.
  package func calendarVersions(of link: UUID) throws -> [String: String] {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT name, version FROM calendar_resources
          WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?) AND version IS NOT NULL
          """, arguments: [link.uuidString])
      var versions: [String: String] = [:]
      while let row = try rows.next() { versions[row[0]] = row[1] }
      return versions
    }
  }

  /// Stores the content that a place has under a name; it is open until its meetings are imported.
  package func keep(
    _ resources: [(name: String, version: String, content: Data)], ofLink link: UUID
  ) throws {
    try transact { db in
      for resource in resources {
        try db.cachedStatement(
          sql: """
            INSERT INTO calendar_resources (link_pk, name, version, content)
            SELECT pk, ?2, ?3, ?4 FROM sync_links WHERE id = ?1
            ON CONFLICT (link_pk, name) DO UPDATE SET version = excluded.version,
              content = excluded.content,
              taken = CASE WHEN taken = excluded.version THEN NULL ELSE taken END
            """
        ).execute(
          arguments: [link.uuidString, resource.name, resource.version, resource.content])
      }
    }
  }

  /// Records the resources that a link's meetings came from when that link was ended and is added
  /// again; resources dropped in the meantime are then noticed.
  ///
  /// Their version is one that no place has.
  package func expectCalendarResources(ofLink link: UUID) throws {
    try transact { db in
      try db.execute(
        sql: """
          INSERT OR IGNORE INTO calendar_resources (link_pk, name, version, taken)
          SELECT DISTINCT sync_links.pk, meetings.resource, '?', '?' FROM sync_links
          JOIN meetings ON meetings.link_id = sync_links.id
          WHERE sync_links.id = ? AND meetings.resource <> ''
          """, arguments: [link.uuidString])
    }
  }

  /// Records that a place no longer has some resources.
  package func dropCalendarResources(_ names: [String], ofLink link: UUID) throws {
    try transact { db in
      for name in names {
        try db.cachedStatement(
          sql: """
            UPDATE calendar_resources SET version = NULL, content = NULL, taken = coalesce(taken, '')
            WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?) AND name = ?
            """
        ).execute(arguments: [link.uuidString, name])
      }
    }
  }

  /// Returns resources whose meetings don't match their version, and repeating ones that were only
  /// followed up to an earlier day; by name.
  ///
  /// - Parameters:
  ///   - link: the ID of the link.
  ///   - day: the day.
  ///   - all: true if unchanged ones are examined too.
  /// - Returns: the resources.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func openCalendarResources(
    of link: UUID, followingTo day: DayKey, all: Bool = false
  ) throws -> [OpenCalendarResource] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT name, version, taken IS version AS is_followed FROM calendar_resources
          WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?1)
            AND (taken IS NOT version OR followed_to < ?2 OR ?3)
          ORDER BY name
          """, arguments: [link.uuidString, day.description, all]
      ).map {
        OpenCalendarResource(
          name: $0["name"], version: $0["version"], isFollowed: $0["is_followed"])
      }
    }
  }

  package func calendarContent(_ name: String, ofLink link: UUID) throws -> Data? {
    try read { db in
      try Data.fetchOne(
        db,
        cached: """
          SELECT content FROM calendar_resources
          WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?) AND name = ?
          """, arguments: [link.uuidString, name])
    }
  }

  /// Returns the state that a source wants to receive at the next fetch.
  package func syncState(of link: UUID) throws -> JSON? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT state FROM sync_links WHERE id = ?", arguments: [link.uuidString]
      ).map { try JSON(parsing: $0) }
    }
  }

  /// Removes a run without effect from the lists of runs and changes.
  package func forget(emptyRun id: UUID) throws {
    try transact { db in
      guard
        let key = try Int64.fetchOne(
          db,
          sql: "SELECT change_pk FROM import_runs WHERE id = ? AND created = '{}' AND updated = 0",
          arguments: [id.uuidString])
      else { return }
      try db.execute(sql: "DELETE FROM import_runs WHERE id = ?", arguments: [id.uuidString])
      try db.execute(sql: "DELETE FROM change_rows WHERE pk = ?", arguments: [key])
    }
  }

  package func setSyncState(_ state: JSON?, of link: UUID) throws {
    try transact { db in
      try db.execute(
        sql: "UPDATE sync_links SET state = ? WHERE id = ?",
        arguments: [state?.text(), link.uuidString])
    }
  }
}

extension ChangeScope {
  /// Records that the meetings of a resource match its version.
  ///
  /// - Parameters:
  ///   - resource: the resource.
  ///   - link: the ID of the link.
  ///   - day: the last day up to which it was expanded; nil if nothing in it comes later.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func settle(_ resource: OpenCalendarResource, ofLink link: UUID, followedTo day: DayKey?)
    throws
  {
    guard let version = resource.version else {
      try db.cachedStatement(
        sql: """
          DELETE FROM calendar_resources
          WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?) AND name = ? AND version IS NULL
          """
      ).execute(arguments: [link.uuidString, resource.name])
      return
    }
    try db.cachedStatement(
      sql: """
        UPDATE calendar_resources SET taken = ?3, followed_to = ?4
        WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?1) AND name = ?2
        """
    ).execute(arguments: [link.uuidString, resource.name, version, day?.description])
  }

  /// Marks a meeting as dropped from its calendar; it stays, with everything written to it.
  ///
  /// An event that was created in its place by this change, with another UID but the same title and
  /// start, is the same meeting, which then continues as that event.
  ///
  /// - Returns: true if it continued as another event.
  package func drop(_ meeting: Meeting) throws -> Bool {
    guard let entry = try self.meeting(meeting.id) else { return false }
    if let successor = try successor(of: entry) {
      try goOn(entry, as: successor)
      return true
    }
    guard !meeting.isEventDeleted else { return false }
    var dropped = entry
    dropped.meeting.isEventDeleted = true
    try update(dropped, over: entry, reason: .import)
    return false
  }

  private func successor(of entry: MeetingEntry) throws -> MeetingEntry? {
    try MeetingRows.fetch(
      db,
      where: """
        it.change_pk = ?1 AND it.pk <> (SELECT pk FROM meetings WHERE id = ?2)
        AND activity.day_key = ?5 AND it.link_id = ?6
        AND (activity.text = ?3 AND activity.start_at IS ?4
          OR it.series_identifier IS NOT NULL AND it.series_identifier = ?7)
        """,
      arguments: [
        changeKey, entry.id.uuidString, entry.meeting.event?.title ?? entry.title,
        (entry.meeting.event?.startAt ?? entry.activity.startAt)?.milliseconds,
        (entry.meeting.event?.dayKey ?? entry.activity.dayKey).description,
        entry.meeting.linkID?.uuidString, entry.meeting.seriesIdentifier,
      ], limit: 1
    ).first
  }

  /// Replaces the new rows with the old entry.
  ///
  /// The new rows are not added to the history, because nobody has seen them.
  private func goOn(_ entry: MeetingEntry, as successor: MeetingEntry) throws {
    let key = try Int64.fetchOne(
      db, sql: "SELECT pk FROM activity_rows WHERE id = ?",
      arguments: [successor.activity.id.uuidString])
    let meetingKey = try Int64.fetchOne(
      db, sql: "SELECT pk FROM meeting_rows WHERE id = ?",
      arguments: [successor.id.uuidString])
    guard let key, let meetingKey, let event = successor.meeting.event else { return }
    // Documents that still wait to be written belong to rows that are removed.
    try writeDocuments()
    try HiddenRows.remove(.meeting, keys: [meetingKey], db)
    try HiddenRows.remove(.activity, keys: [key], db)
    var new = entry.following(event, attendances: successor.meeting.attendances)
    new.followCoordinates(of: successor.activity, from: entry.activity)
    new.meeting.eventIdentifier = successor.meeting.eventIdentifier
    new.meeting.seriesIdentifier = successor.meeting.seriesIdentifier
    new.meeting.resource = successor.meeting.resource
    new.activity.externalRefs =
      new.activity.externalRefs.filter { $0.provider != "calendar" }
      + successor.activity.externalRefs
    try update(new, over: entry, reason: .import)
  }
}
