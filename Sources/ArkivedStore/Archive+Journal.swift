package import ArkivedCore
package import Foundation
import GRDB

/// Reading and writing days and activities.
extension Archive {
  // MARK: Reading

  /// Returns everything in a day; empty if nothing was written about it.
  package func day(_ dayKey: DayKey) throws -> Day {
    try read { db in try Archive.day(dayKey, db) }
  }

  static func day(_ dayKey: DayKey, _ db: Database) throws -> Day {
    Day(
      dayKey: dayKey, entry: try DayRecord.fetchOne(db, dayKey: dayKey)?.entry,
      activities: try ActivityRecord.fetch(
        db, where: "day_key = ?", arguments: [dayKey.description],
        order: "start_at IS NULL, start_at, created_at, pk"
      ).map(\.activity),
      continuing: try ActivityRecord.continuing(into: dayKey, db).map(\.activity),
      meetings: try MeetingRows.fetch(
        db, where: "activity.day_key = ?", arguments: [dayKey.description],
        order: "activity.start_at, it.pk"),
      metrics: try Row.fetchAll(
        db, sql: "SELECT * FROM day_metrics WHERE day_key = ? ORDER BY metric, source",
        arguments: [dayKey.description]
      ).map(MetricRecord.read))
  }

  package func activity(_ id: UUID) throws -> Activity? {
    try read { db in try ActivityRecord.fetchOne(db, id: id)?.activity }
  }

  /// Returns activities by ID, in the order of the IDs; missing ones are skipped.
  package func activities(_ ids: [UUID]) throws -> [Activity] {
    try read { db in
      var found: [UUID: Activity] = [:]
      for slice in ids.slices() {
        let records = try ActivityRecord.fetch(
          db, where: "id IN (SELECT value FROM json_each(?))",
          arguments: [JSON(slice.map(\.uuidString)).text()])
        for record in records { found[record.activity.id] = record.activity }
      }
      return ids.compactMap { found[$0] }
    }
  }

  /// Returns the numbers of entries in the archive.
  package func counts() throws -> (days: Int, activities: Int, people: Int, tags: Int) {
    try read { db in
      func count(_ table: String) throws -> Int {
        try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0
      }
      return (
        try count("days"), try count("activities"), try count("persons"), try count("tags")
      )
    }
  }

  /// Returns every person, for recognising names.
  package func people() throws -> [Person] {
    try read { db in try PersonRecord.fetch(db, where: "1").map(\.person) }
  }

  /// Returns tags with the number of activities that have them, most used first.
  package func tags(prefix: String = "", limit: Int = 1_000) throws -> [(tag: Tag, count: Int)] {
    let folded = Tag.key(prefix)
    return try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT tags.*, CASE
            WHEN NOT EXISTS (SELECT 1 FROM hidden_changes)
            THEN (SELECT count(*) FROM activity_tags WHERE tag_pk = tags.pk)
            ELSE (SELECT count(*) FROM activity_tags
              JOIN activities ON activities.pk = activity_pk WHERE tag_pk = tags.pk)
            END AS uses
          FROM tags
          WHERE substr(folded, 1, ?) = ?
          ORDER BY uses DESC, folded LIMIT ?
          """, arguments: [folded.unicodeScalars.count, folded, limit]
      ).map { (try TagRecord.read($0), $0["uses"]) }
    }
  }

  // MARK: Writing

  /// Adds an activity.
  ///
  /// People named without an ID are found or created.
  @discardableResult
  package func add(
    _ activity: Activity, by author: Author = .owner, changeID: UUID? = nil
  ) throws -> Saved<Activity> {
    let (value, change) = try write(
      by: author, "add", "Added “\(activity.text.prefix(120))”", id: changeID
    ) { scope in
      var activity = activity
      activity.people = try activity.people.map { try scope.resolve($0, allowsFirstName: true) }
      try scope.insert(activity)
      return activity
    }
    return Saved(value: value, change: change)
  }

  /// Changes an activity; the previous version is added to the history.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - version: if given, the `updatedAt` the caller last saw; another one is a conflict.
  ///   - author: who makes the change.
  ///   - summary: the text for the list of changes.
  ///   - edit: receives the current activity and changes it.
  /// - Returns: the activity as saved.
  /// - Throws: `ArchiveError.notFound`, `.conflict`, `FieldError`.
  package func updateActivity(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner,
    summary: String? = nil, _ edit: (inout Activity) throws -> Void
  ) throws -> Saved<Activity> {
    try transact { db in
      try updateActivity(id, in: db, version: version, by: author, summary: summary, edit)
    }
  }

  /// Changes an activity within a transaction.
  func updateActivity(
    _ id: UUID, in db: Database, version: Instant? = nil, by author: Author,
    summary: String? = nil, _ edit: (inout Activity) throws -> Void
  ) throws -> Saved<Activity> {
    guard let old = try ActivityRecord.fetchOne(db, id: id)?.activity else {
      throw ArchiveError.notFound("No entry with the ID \(id.uuidString).")
    }
    try Archive.check(version, against: old.updatedAt, "This entry")
    var new = old
    try edit(&new)
    guard new != old || Archive.differ(new.json, old.json) else {
      return Saved(value: old, change: nil)
    }
    let scope = try openScope(
      db, by: author, "edit", summary ?? "Changed “\(old.text.prefix(120))”")
    new.updatedAt = max(scope.now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
    new.people = try new.people.map { try scope.resolve($0, allowsFirstName: true) }
    try scope.update(new)
    return Saved(value: new, change: scope.change)
  }

  /// Deletes activities; all are added to the history, from which undo restores them.
  ///
  /// - Parameters:
  ///   - given: their IDs.
  ///   - version: if given, the `updatedAt` the caller last saw of a single activity.
  ///   - author: who makes the change.
  /// - Returns: the activities as deleted.
  /// - Throws: `ArchiveError.notFound`, `.conflict`.
  package func deleteActivities(
    _ given: [UUID], version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<[Activity]> {
    var seen = Set<UUID>()
    let ids = given.filter { seen.insert($0).inserted }
    let summary = ids.count == 1 ? "Deleted an entry" : "Deleted \(ids.count) entries"
    let (value, change) = try write(by: author, "delete", summary) { scope in
      let deleted = try ids.map { try scope.deleteActivity($0) }
      for activity in deleted {
        try Archive.check(version, against: activity.updatedAt, "This entry")
      }
      if deleted.count == 1, let only = deleted.first {
        try scope.summarise("Deleted “\(only.text.prefix(120))”")
      }
      return deleted
    }
    return Saved(value: value, change: change)
  }

  /// Changes a day's own entry, which is created if it doesn't exist and removed if it becomes
  /// empty.
  ///
  /// The people named in a changed note are determined again.
  ///
  /// - Parameters:
  ///   - dayKey: the day.
  ///   - version: if given, the `updatedAt` the caller last saw (nil inside for "none yet").
  ///   - author: who makes the change.
  ///   - summary: the text for the list of changes, for a change other than one to the note.
  ///   - edit: receives the current entry and changes it.
  /// - Returns: the day's entry as saved.
  /// - Throws: `ArchiveError.conflict`, `FieldError`.
  package func updateDay(
    _ dayKey: DayKey, version: Instant?? = .none, by author: Author = .owner,
    summary: String? = nil, _ edit: (inout DayEntry) throws -> Void
  ) throws -> Saved<DayEntry> {
    try transact { db in
      try updateDay(dayKey, in: db, version: version, by: author, summary: summary, edit)
    }
  }

  /// Changes a day's own entry as part of a transaction.
  func updateDay(
    _ dayKey: DayKey, in db: Database, version: Instant?? = .none, by author: Author,
    summary: String? = nil, _ edit: (inout DayEntry) throws -> Void
  ) throws -> Saved<DayEntry> {
    let old = try DayRecord.fetchOne(db, dayKey: dayKey)?.entry
    if case .some(let expected) = version, expected != old?.updatedAt {
      throw ArchiveError.conflict(
        "The note for \(dayKey) has been changed elsewhere since you opened it. Load it again.")
    }
    let now = clock.now
    let blank = DayEntry(
      id: identities.next(), dayKey: dayKey, createdAt: now, updatedAt: now)
    var new = old ?? blank
    try edit(&new)
    if new.title?.isEmpty == true { new.title = nil }
    guard new != old ?? blank || Archive.differ(new.json, (old ?? blank).json) else {
      return Saved(value: new, change: nil)
    }
    try new.validate()
    let scope = try openScope(
      db, by: author, summary == nil ? "note" : "edit", summary ?? "Edited the day \(dayKey)")
    new = try scope.save(new, over: old)
    return Saved(value: new, change: scope.change)
  }

  /// Deletes a whole day: its entry, its activities and its metrics.
  package func deleteDay(_ dayKey: DayKey, by author: Author = .owner) throws -> Saved<Day> {
    let (value, change) = try write(by: author, "delete", "Deleted the day \(dayKey)") { scope in
      let day = try Archive.day(dayKey, scope.db)
      guard day.entry != nil || !day.activities.isEmpty || !day.metrics.isEmpty else {
        throw ArchiveError.notFound("No entry on \(dayKey).")
      }
      if let entry = day.entry { try scope.deleteDayEntry(entry.id) }
      for activity in day.activities { _ = try scope.deleteActivity(activity.id) }
      for metric in day.metrics { try scope.deleteMetric(metric.id) }
      return day
    }
    return Saved(value: value, change: change)
  }

  func openScope(
    _ db: Database, by author: Author, _ action: String, _ summary: String
  ) throws -> ChangeScope {
    try ChangeScope(
      db, id: identities.next(), at: clock.now, author: author, action: action, summary: summary,
      identities: identities)
  }

  static func check(_ version: Instant?, against current: Instant, _ what: String) throws {
    guard let version, version != current else { return }
    throw ArchiveError.conflict(
      "\(what) has been changed elsewhere since you opened it. Load it again.")
  }
}

/// Iterating over everything.
extension Archive {
  /// Returns the days that have any content, in order.
  package func daysWithEntries() throws -> [DayKey] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT day_key FROM activities UNION SELECT day_key FROM days
          UNION SELECT day_key FROM day_metrics ORDER BY day_key
          """
      ).compactMap(DayKey.init)
    }
  }

  /// Returns a page of the same days, the latest first, without reading earlier ones.
  package func latestDays(limit: Int, offset: Int) throws -> [DayKey] {
    try read { db in
      try String.fetchAll(
        db,
        cached: """
          SELECT day_key FROM activities UNION SELECT day_key FROM days
          UNION SELECT day_key FROM day_metrics ORDER BY day_key DESC LIMIT ? OFFSET ?
          """, arguments: [max(0, limit), max(0, offset)]
      ).compactMap(DayKey.init)
    }
  }

  /// Returns all attachments.
  ///
  /// - Parameter includingHidden: also those of imports that were undone or are not published.
  /// - Returns: the attachments.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func attachments(includingHidden: Bool = false) throws -> [Attachment] {
    let condition = includingHidden ? "1" : Visibility.attachmentIsShown
    return try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM attachments WHERE \(condition) ORDER BY pk")
        .map(AttachmentRecord.read)
    }
  }

  /// Passes on every entity with the name of its type, from one consistent view of the archive:
  /// people, tags, days, activities, metrics, goals, attachments, history, deletion marks.
  ///
  /// Entities that imports leave alone have `editedHere`.
  package func forEachEntity(_ body: (_ type: String, JSON) throws -> Void) throws {
    try read { db in
      for record in try PersonRecord.fetch(db, where: "1") {
        try body("person", record.person.json)
      }
      func each(_ table: String, _ body: (Row) throws -> Void) throws {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM \(table) ORDER BY pk")
        while let row = try rows.next() { try body(row) }
      }
      try each("tags") { try body("tag", TagRecord.read($0).json) }
      let own = try OwnWords(db)
      try DayRecord.forEach(db) { try body("day", own.marking($0.entry.json)) }
      var last: Int64 = 0
      while true {
        let records = try ActivityRecord.fetch(
          db, where: "pk > ?", arguments: [last], limit: 1_000)
        guard let end = records.last?.pk else { break }
        for record in records { try body("activity", own.marking(record.activity.record)) }
        last = end
      }
      try each("day_metrics") { try body("metric", MetricRecord.read($0).json) }
      for type in StoredEntities.all.reversed() {
        try Archive.forEach(type, db) { name, json in try body(name, own.marking(json)) }
      }
      let owned = try Row.fetchCursor(
        db,
        sql: """
          SELECT attachments.*, activities.id AS activity_id, days.day_key AS day_key,
            notes.id AS note_id
          FROM attachments LEFT JOIN activities ON activities.pk = activity_pk
          LEFT JOIN days ON days.pk = day_pk LEFT JOIN notes ON notes.pk = note_pk
          WHERE coalesce(activities.pk, days.pk, notes.pk) IS NOT NULL ORDER BY attachments.pk
          """)
      while let row = try owned.next() {
        var object = JSONObject()
        object["activityId"] = JSON(row["activity_id"] as String?)
        object["dayKey"] = JSON(row["day_key"] as String?)
        if let note = row["note_id"] as String? { object["noteId"] = .string(note) }
        for (key, value) in try AttachmentRecord.read(row).json.object?.members ?? [] {
          // In a separate line, `type` is the type of the line.
          object[key == "type" ? "attachmentType" : key] = value
        }
        try body("attachment", .object(object))
      }
      let versions = try Row.fetchCursor(db, sql: "\(ShownVersions.query) ORDER BY pk")
      while let row = try versions.next() {
        try body("history", Archive.historyRecord(row).json)
      }
      try each("tombstones") { row in
        try body(
          "tombstone",
          Tombstone(
            sourceTable: EntityType(rawValue: row["source_table"]),
            sourceID: try row.identity("source_id"), provider: row["provider"],
            externalID: row["external_id"], deletedAt: row.instant("deleted_at")
          ).json)
      }
      try Archive.forEachInterchangeRow(db) { try body("interchange", $0.line) }
    }
  }
}
