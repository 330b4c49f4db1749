package import ArkivedCore
package import Foundation
import GRDB

extension ChangeScope {
  /// Replaces an activity's content; the previous version is added to the history.
  ///
  /// - Throws: `FieldError`, or `ArchiveError.notFound`.
  package func update(
    _ activity: Activity, reason: HistoryRecord.Reason = .update
  ) throws {
    guard let old = try ActivityRecord.fetchOne(db, id: activity.id) else {
      throw ArchiveError.notFound("No entry with the ID \(activity.id.uuidString).")
    }
    try update(activity, over: old, reason: reason)
  }

  /// Replaces the content of an activity that was read in this change.
  func update(
    _ activity: Activity, over old: ActivityRecord, reason: HistoryRecord.Reason = .update
  ) throws {
    let row = try ActivityRow(activity)
    try keep(.activity, activity.id, old.activity.record, reason: reason)
    try db.cachedStatement(
      sql: """
        UPDATE activity_rows SET day_key = ?, start_at = ?, end_at = ?, time_zone = ?, kind = ?,
          text = ?, description = ?, notes = ?, source = ?, is_pinned = ?, location_label = ?,
          lat = ?, lon = ?, duration_minutes = ?, day_period = ?, weather = ?, typed_text = ?,
          changed_pk = ?, created_at = ?, updated_at = ?
        WHERE pk = ?
        """
    ).execute(arguments: [
      activity.dayKey.description, activity.startAt?.milliseconds, activity.endAt?.milliseconds,
      activity.timeZone, activity.kind.rawValue, activity.text, activity.description,
      activity.notes, activity.source.rawValue, activity.isPinned, activity.locationLabel,
      activity.lat, activity.lon, activity.durationMinutes, activity.dayPeriod?.rawValue,
      activity.weather?.columnText,
      activity.typedText, changeKey, activity.createdAt.milliseconds,
      activity.updatedAt.milliseconds, old.pk,
    ])
    try removeBelongings(of: old)
    try insertBelongings(of: row, key: old.pk)
    if activity.dayKey != old.activity.dayKey { try followDay(ofActivity: activity.id) }
    try inferContributions(ofActivity: activity, key: old.pk, isNew: false)
  }

  /// Removes an activity and everything it owns; all of it is added to the history.
  package func deleteActivity(
    _ id: UUID, reason: HistoryRecord.Reason = .delete
  ) throws -> Activity {
    guard let old = try ActivityRecord.fetchOne(db, id: id) else {
      throw ArchiveError.notFound("No entry with the ID \(id.uuidString).")
    }
    try deleteRelations(of: .activity, key: old.pk)
    try keep(.activity, id, old.activity.record, reason: reason)
    try bury(.activity, id, old.activity.externalRefs)
    try removeSearchDocuments(of: old)
    try db.cachedStatement(sql: "DELETE FROM activity_rows WHERE pk = ?").execute(arguments: [
      old.pk
    ])
    return old.activity
  }

  private func removeSearchDocuments(of record: ActivityRecord) throws {
    try removeDocument(.activity, record.pk)
    try removeAttachmentDocuments(owner: "activity_pk", key: record.pk)
  }

  private func removeBelongings(of record: ActivityRecord) throws {
    try removeSearchDocuments(of: record)
    for table in ["measurements", "activity_tags", "mentions", "attachments"] {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE activity_pk = ?")
        .execute(arguments: [record.pk])
    }
  }

  func insertMentions(_ people: [Mention], owner: String, key: Int64) throws {
    for (position, mention) in people.enumerated() {
      try db.cachedStatement(
        sql: """
          INSERT INTO mentions (\(owner), position, name, folded, person_pk, created_at)
          VALUES (?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        key, position, mention.name, NameFolding.key(mention.name),
        try mention.personID.flatMap(personKey),
        change.at.milliseconds,
      ])
    }
  }

  func insertAttachments(
    _ attachments: [Attachment], owner: String, key: Int64, dayKey: DayKey
  ) throws {
    for (position, attachment) in attachments.enumerated() {
      try db.cachedStatement(
        sql: """
          INSERT INTO attachments
            (id, \(owner), position, type, caption, relative_path, external_url, content_hash,
             byte_count, media_type, original_name, created_at, updated_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """
      ).execute(arguments: [
        attachment.id.uuidString, key, position, attachment.type.rawValue, attachment.caption,
        attachment.relativePath, attachment.externalURL, attachment.contentHash,
        attachment.byteCount, attachment.mediaType, attachment.originalName,
        attachment.createdAt.milliseconds, attachment.updatedAt.milliseconds,
      ])
      let attachmentKey = db.lastInsertedRowID
      try SearchDocument(attachment, pk: attachmentKey, dayKey: dayKey).map(index)
    }
  }

  /// Updates an entity's references.
  ///
  /// One that is kept stays with the import that settled it, so a later import can still find out
  /// if the owner has changed the entity since.
  func replaceReferences(
    _ refs: [ExternalRef], owner: String, key: Int64, isNew: Bool = false
  ) throws {
    let old =
      isNew
      ? []
      : try Row.fetchAll(
        db, cached: "SELECT pk, provider, external_id FROM external_refs WHERE \(owner) = ?",
        arguments: [key])
    for row in old
    where !refs.contains(where: {
      $0.provider == row["provider"] && $0.externalID == row["external_id"]
    }) {
      try db.cachedStatement(sql: "DELETE FROM external_refs WHERE pk = ?")
        .execute(arguments: [row["pk"] as Int64])
    }
    let isImport = change.author == .importer
    if !isNew || !isImport {
      for ref in refs {
        guard let known = try known(ref), known.standing == .hidden else { continue }
        try makeWay(for: known.type, known.id)
      }
    }
    for ref in refs {
      guard try !insertReference(ref, owner: owner, key: key) else { continue }
      try db.cachedStatement(
        sql: """
          UPDATE external_refs SET
            fetched_at = ?4, content_hash = ?5, change_pk = coalesce(?6, change_pk)
          WHERE provider = ?2 AND external_id = ?3 AND \(owner) = ?1
          """
      ).execute(arguments: [
        key, ref.provider, ref.externalID, ref.fetchedAt.milliseconds, ref.contentHash,
        isImport ? changeKey : nil,
      ])
    }
  }

  /// Writes a reference unless there is one of the same name.
  ///
  /// An upsert would do this in one statement, but opens a savepoint, at which the full-text index
  /// flushes what it has gathered.
  ///
  /// - Returns: true if it was written.
  private func insertReference(_ ref: ExternalRef, owner: String, key: Int64) throws -> Bool {
    var writer = try RowWriter(
      db,
      """
      INSERT INTO external_refs
        (\(owner), provider, external_id, fetched_at, content_hash, change_pk)
      VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (provider, external_id) DO NOTHING
      """)
    writer.bind(key)
    writer.bind(ref.provider)
    writer.bind(ref.externalID)
    writer.bind(ref.fetchedAt.milliseconds)
    writer.bind(ref.contentHash)
    writer.bind(change.author == .importer ? changeKey : nil)
    try writer.run()
    return db.changesCount > 0
  }

  func removeAttachmentDocuments(owner: String, key: Int64) throws {
    let keys = try Int64.fetchAll(
      db, sql: "SELECT pk FROM attachments WHERE \(owner) = ?", arguments: [key])
    for key in keys { try removeDocument(.attachment, key) }
  }

  /// Updates the search index for attachments whose owner moved to another day.
  func reindexAttachments(owner: String, key: Int64, dayKey: DayKey) throws {
    let rows = try Row.fetchAll(
      db, cached: "SELECT * FROM attachments WHERE \(owner) = ? ORDER BY pk", arguments: [key])
    for row in rows {
      try removeDocument(.attachment, row["pk"])
      try SearchDocument(try AttachmentRecord.read(row), pk: row["pk"], dayKey: dayKey).map(index)
    }
  }

  /// Returns the row of a tag, which is created if there is none of that name.
  func tagKey(of tag: ActivityRow.Name) throws -> Int64 {
    if let key = keys.tags[tag.folded] { return key }
    let key: Int64
    if let known = try knownTagKey(tag.folded) {
      key = known
    } else {
      try insert(
        Tag(id: identities.next(), name: tag.name, createdAt: change.at, updatedAt: change.at))
      key = db.lastInsertedRowID
    }
    keys.tags[tag.folded] = key
    return key
  }
}
