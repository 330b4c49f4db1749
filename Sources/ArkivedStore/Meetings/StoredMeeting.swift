import ArkivedCore
import Foundation
import GRDB

extension Meeting: StoredEntity {
  static var uniqueColumns: [String] { ["event_identifier"] }

  static func selection(from source: String) -> String { selection(from: source, join: "JOIN") }

  /// Returns SQL for meetings.
  ///
  /// - Parameters:
  ///   - source: the SQL after FROM.
  ///   - join: "CROSS JOIN" if meetings are to be read first.
  /// - Returns: the SQL.
  static func selection(from source: String, join: String) -> String {
    """
    SELECT it.*, activity.id AS activity_id,
      (SELECT json_group_array(json_object('name', coalesce(known.value, one.name),
          'address', one.address, 'personId', person.id, 'role', one.role, 'reply', one.reply,
          'isOrganizer', json(iif(one.is_organizer, 'true', 'false'))))
        FROM (SELECT * FROM attendance_rows WHERE meeting_pk = it.pk ORDER BY position) AS one
        LEFT JOIN persons AS person ON person.pk = one.person_pk
        LEFT JOIN person_names AS known ON known.person_pk = person.pk AND known.role = 'name'
          AND known.position = 0) AS attendees
    FROM \(source) AS it \(join) activity_rows AS activity ON activity.pk = it.activity_pk
    """
  }

  static func read(_ row: Row) throws -> Meeting {
    Meeting(
      id: try row.identity("id"), activityID: try row.identity("activity_id"),
      eventIdentifier: row["event_identifier"], seriesIdentifier: row["series_identifier"],
      organizer: row["organizer"], purpose: row["purpose"], outcomes: row["outcomes"],
      summary: row["summary"], status: MeetingStatus(rawValue: row["status"]),
      isAllDay: row["is_all_day"], isEventDeleted: row["is_event_deleted"],
      attendances: try attendances(row["attendees"]),
      event: try (row["event"] as String?).flatMap { text in
        guard let object = try JSON(parsing: text).object else { return nil }
        var fields = FieldReader(object)
        return try CalendarEvent(&fields)
      }, linkID: (row["link_id"] as String?).flatMap { UUID(uuidString: $0) },
      resource: row["resource"], createdAt: row.instant("created_at"),
      updatedAt: row.instant("updated_at"))
  }

  private static func attendances(_ text: String) throws -> [Attendance] {
    try (JSON(parsing: text).array ?? []).compactMap(\.object).map { object in
      var fields = FieldReader(object)
      return try Attendance(&fields)
    }
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    guard
      let activity = try Int64.fetchOne(
        scope.db,
        cached: "SELECT pk FROM activity_rows WHERE id = ? AND \(scope.isMine)",
        arguments: [activityID.uuidString, scope.changeKey])
    else {
      throw FieldError("activityId", "is \(activityID.uuidString), but no such entry exists")
    }
    return [
      ("activity_pk", activity), ("event_identifier", eventIdentifier),
      ("series_identifier", seriesIdentifier), ("organizer", organizer), ("purpose", purpose),
      ("outcomes", outcomes), ("summary", summary), ("status", status.rawValue),
      ("is_all_day", isAllDay), ("is_event_deleted", isEventDeleted),
      ("event", event?.json.text()), ("link_id", linkID?.uuidString), ("resource", resource),
    ]
  }

  func writeParts(_ scope: ChangeScope, key: Int64, before: Meeting?) throws {
    if before?.attendances != attendances {
      try scope.db.cachedStatement(sql: "DELETE FROM attendance_rows WHERE meeting_pk = ?")
        .execute(arguments: [key])
      for (position, attendance) in attendances.enumerated() {
        try scope.db.cachedStatement(
          sql: """
            INSERT INTO attendance_rows
              (meeting_pk, position, person_pk, name, address, role, reply, is_organizer)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).execute(arguments: [
          key, position, try attendance.personID.flatMap(scope.personKey), attendance.name,
          attendance.address, attendance.role.rawValue, attendance.reply.rawValue,
          attendance.isOrganizer,
        ])
      }
    }
    try scope.adoptNotes(of: eventIdentifier, key: key)
    // A restored meeting may have missed changes in its calendar.
    if before == nil, ["undo", "redo", "restore"].contains(scope.change.action), let linkID,
      let resource
    {
      try scope.db.execute(
        sql: """
          UPDATE calendar_resources SET taken = NULL WHERE version IS NOT NULL AND name = ?
            AND link_pk = (SELECT pk FROM sync_links WHERE id = ?)
          """, arguments: [resource, linkID.uuidString])
    }
    // Text written to a meeting is found with its entry.
    if (before?.ownWords ?? "") != ownWords { try scope.reindexActivity(activityID.uuidString) }
  }

  /// Returns the owner's text in an activity's meeting, for search; empty if there is none.
  static func words(ofActivity key: Int64, _ db: Database) throws -> String {
    try Row.fetchOne(
      db,
      cached: "SELECT purpose, outcomes, summary FROM meeting_rows WHERE activity_pk = ?",
      arguments: [key]
    ).map { row in
      [row[0] as String?, row[1], row[2]].compactMap(\.self).joined(separator: "\n")
    } ?? ""
  }

  /// The owner's text in it, for search.
  var ownWords: String {
    [purpose, outcomes, summary].compactMap { $0 }.joined(separator: "\n")
  }
}

extension Note: StoredEntity {
  static func selection(from source: String) -> String {
    """
    SELECT it.*, meeting.id AS meeting_id,
      (SELECT json_group_array(name) FROM (SELECT name FROM note_tags
        JOIN tag_rows ON tag_rows.pk = tag_pk WHERE note_pk = it.pk ORDER BY position)) AS tags,
      (SELECT json_group_array(json_object('name', name, 'personId', person)) FROM
        (SELECT one.name, persons.id AS person FROM note_mentions AS one
          LEFT JOIN persons ON persons.pk = one.person_pk
          WHERE note_pk = it.pk ORDER BY position)) AS people,
      \(AttachmentRecord.list(owner: "note_pk")) AS attachments
    FROM \(source) AS it LEFT JOIN meetings AS meeting ON meeting.pk = it.meeting_pk
    """
  }

  static func read(_ row: Row) throws -> Note {
    var people: [Mention] = []
    for one in try JSON(parsing: row["people"] as String).array ?? [] {
      guard let name = one["name"]?.string else { continue }
      people.append(
        Mention(name: name, personID: one["personId"]?.string.flatMap { UUID(uuidString: $0) }))
    }
    return Note(
      id: try row.identity("id"), title: row["title"], text: row["text"],
      meetingID: (row["meeting_id"] as String?).flatMap { UUID(uuidString: $0) },
      dayKey: try row.day(optional: "day_key"),
      tags: try (JSON(parsing: row["tags"] as String).array ?? []).compactMap(\.string),
      people: people, attachments: try AttachmentRecord.readList(row["attachments"]),
      createdAt: row.instant("created_at"), updatedAt: row.instant("updated_at"))
  }

  func columns(_ scope: ChangeScope) throws -> [Column] {
    [
      ("title", title), ("text", text), ("plain_text", plainText),
      ("meeting_pk", try meetingID.map { try Meeting.linkedKey($0, field: "meetingId", scope.db) }),
      ("day_key", dayKey?.description), ("shown_day", try writtenOn(scope).description),
    ]
  }

  func writeParts(_ scope: ChangeScope, key: Int64, before: Note?) throws {
    let known = try knownPromises(key, before: before, scope)
    for table in ["note_tags", "note_mentions", "promise_rows"] {
      try scope.db.cachedStatement(sql: "DELETE FROM \(table) WHERE note_pk = ?")
        .execute(arguments: [key])
    }
    for (position, tag) in tags.enumerated() {
      try scope.db.cachedStatement(
        sql: """
          INSERT INTO note_tags (note_pk, tag_pk, position, created_at) VALUES (?, ?, ?, ?)
          ON CONFLICT DO NOTHING
          """
      ).execute(arguments: [
        key, try scope.tagKey(of: ActivityRow.Name(tag)), position, scope.now.milliseconds,
      ])
    }
    for (position, mention) in people.enumerated() {
      try scope.db.cachedStatement(
        sql: """
          INSERT INTO note_mentions (note_pk, position, name, folded, person_pk)
          VALUES (?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        key, position, mention.name, NameFolding.key(mention.name),
        try mention.personID.flatMap(scope.personKey),
      ])
    }
    let day = try writtenOn(scope)
    try writePromises(scope, key: key, day: day, known: known)
    if before != nil { try scope.removeDocument(.note, key) }
    if before?.attachments.isEmpty == false {
      try scope.removeAttachmentDocuments(owner: "note_pk", key: key)
      try scope.db.cachedStatement(sql: "DELETE FROM attachments WHERE note_pk = ?")
        .execute(arguments: [key])
    }
    try scope.insertAttachments(attachments, owner: "note_pk", key: key, dayKey: day)
    try scope.index(try SearchDocument(self, pk: key, dayKey: day, scope.db))
  }

  fileprivate func writePromises(
    _ scope: ChangeScope, key: Int64, day: DayKey, known: [String: DayKey?]
  ) throws {
    for promise in PromiseReader().promises(in: text, writtenOn: day, known: known) {
      try scope.db.cachedStatement(
        sql: """
          INSERT INTO promise_rows (note_pk, line, text, is_done, owner, owner_folded, named, due)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        key, promise.line, promise.text, promise.isDone, promise.owner,
        promise.owner.map(NameFolding.key), JSON(promise.named).text(), promise.due?.description,
      ])
    }
  }

  /// Returns the due days of its promises as parsed before, by their texts; empty if they have to
  /// be parsed relative to another day.
  private func knownPromises(
    _ key: Int64, before: Note?, _ scope: ChangeScope
  ) throws -> [String: DayKey?] {
    guard let before, before.dayKey == dayKey, before.meetingID == meetingID else { return [:] }
    let rows = try Row.fetchAll(
      scope.db, cached: "SELECT text, due FROM promise_rows WHERE note_pk = ?", arguments: [key])
    return Dictionary(
      rows.map { ($0["text"], ($0["due"] as String?).flatMap(DayKey.init)) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the day to which its promises are relative and on which search finds it: its own day,
  /// the day of its meeting, or otherwise the day of its creation in UTC.
  func writtenOn(_ scope: ChangeScope) throws -> DayKey {
    if let dayKey { return dayKey }
    let meetingDay = try meetingID.flatMap { id in
      try String.fetchOne(
        scope.db,
        cached: """
          SELECT day_key FROM activity_rows
          WHERE pk = (SELECT activity_pk FROM meeting_rows WHERE id = ?)
          """, arguments: [id.uuidString])
    }
    return meetingDay.flatMap(DayKey.init) ?? Zone.utc.dayKey(at: createdAt)
  }
}

extension ChangeScope {
  /// Moves the notes of an entry's meeting to its day: they are found there, and "by Friday" is
  /// relative to it.
  func followDay(ofActivity id: UUID) throws {
    let rows = try Row.fetchAll(
      db,
      cached: """
        \(Note.selection(from: "note_rows")) WHERE it.day_key IS NULL AND it.meeting_pk =
          (SELECT pk FROM meeting_rows WHERE activity_pk =
            (SELECT pk FROM activity_rows WHERE id = ?))
        """, arguments: [id.uuidString])
    for row in rows {
      let (key, note) = (row["pk"] as Int64, try Note.read(row))
      let day = try note.writtenOn(self)
      try db.execute(
        sql: "UPDATE note_rows SET shown_day = ? WHERE pk = ?", arguments: [day.description, key])
      try db.execute(sql: "DELETE FROM promise_rows WHERE note_pk = ?", arguments: [key])
      try note.writePromises(self, key: key, day: day, known: [:])
      try removeDocument(.note, key)
      try index(try SearchDocument(note, pk: key, dayKey: day, db))
      try reindexAttachments(owner: "note_pk", key: key, dayKey: day)
    }
  }

  /// Remembers the notes of a hidden meeting that is about to be removed with its entry: if the
  /// same event is imported again, they are its notes.
  func orphanNotes(ofActivity key: Int64) throws {
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT note.pk, meeting.event_identifier FROM note_rows AS note
        JOIN meeting_rows AS meeting ON meeting.pk = note.meeting_pk
        WHERE meeting.activity_pk = ?
        """, arguments: [key])
    for row in rows {
      keys.orphanedNotes[row["event_identifier"], default: []].append(row["pk"])
    }
  }

  fileprivate func adoptNotes(of eventIdentifier: String, key: Int64) throws {
    for note in keys.orphanedNotes.removeValue(forKey: eventIdentifier) ?? [] {
      try db.execute(
        sql: "UPDATE note_rows SET meeting_pk = ? WHERE pk = ? AND meeting_pk IS NULL",
        arguments: [key, note])
    }
  }
}

extension ChangeScope {
  /// Keeps meetings when an import is about to be hidden: a meeting that the owner edited or wrote
  /// notes about stays with its entry, and an entry that the owner changed keeps its meeting.
  ///
  /// - Returns: the number of entries that stay for that reason.
  func keepMeetingsWrittenTo(ofImport key: Int64) throws -> Int {
    try db.execute(
      sql: """
        UPDATE meeting_rows SET changed_pk = coalesce(
          (SELECT changed_pk FROM activity_rows WHERE pk = activity_pk AND changed_pk <> ?1),
          (SELECT changed_pk FROM note_rows WHERE meeting_pk = meeting_rows.pk
            AND changed_pk <> ?1 ORDER BY changed_pk DESC LIMIT 1), ?1)
        WHERE changed_pk = ?1
        """, arguments: [key])
    try db.execute(
      sql: """
        UPDATE activity_rows SET changed_pk =
          (SELECT changed_pk FROM meeting_rows WHERE activity_pk = activity_rows.pk)
        WHERE changed_pk = ?1 AND pk IN
          (SELECT activity_pk FROM meeting_rows WHERE change_pk = ?1 AND changed_pk <> ?1)
        """, arguments: [key])
    return db.changesCount
  }

  /// Makes the next sync examine calendars again, because imported events may have been removed
  /// here or may be in another of their files.
  ///
  /// - Parameter series: events that may be in another file; nil for all imported ones.
  /// - Throws: `DatabaseError` if the archive can't be written.
  package func reopenCalendars(holding series: [String]? = nil) throws {
    guard let series else {
      return try db.execute(
        sql: "UPDATE calendar_resources SET taken = NULL WHERE version IS NOT NULL")
    }
    // The content of files is not stored here.
    try db.execute(
      sql: """
        UPDATE calendar_resources SET taken = NULL WHERE version IS NOT NULL
          AND (length(content) = 0 OR EXISTS
            (SELECT 1 FROM json_each(?) WHERE instr(content, CAST(value AS BLOB)) > 0))
        """, arguments: [JSON(Array(Set(series).prefix(200))).text()])
  }
}
