import ArkivedCore
import Foundation
import GRDB

extension ChangeScope {
  /// Returns the change that last touched an entity, 0 if it is unknown; nil if the entity does not
  /// exist.
  func lastChangeKey(_ type: EntityType, _ id: UUID) throws -> Int64? {
    if type.isWriting { return try writingMark(type, id).map { $0.touched ?? 0 } }
    guard EntityType.rowsTables[type] != nil else { return nil }
    return try Int64.fetchOne(
      db.cachedStatement(sql: "SELECT changed_pk FROM \(type.rawValue) WHERE id = ?"),
      arguments: [id.uuidString])
  }

  /// Assigns an entity that undo restored to the changes it belonged to before, unless these were
  /// undone since, because it would then vanish with them.
  func putBackKeys(of version: HistoryRecord, _ row: Row) throws {
    if version.sourceTable.isWriting {
      guard let touched = row["touched_pk"] as Int64? else { return }
      return try putBackWritingKeys(version, made: row["made_pk"], touched: touched)
    }
    guard EntityType.rowsTables[version.sourceTable] != nil,
      let made = row["made_pk"] as Int64?, let touched = row["touched_pk"] as Int64?,
      try !isHidden(change: touched)
    else { return }
    try db.execute(
      sql: """
        UPDATE \(version.sourceTable.rowsTable) SET change_pk = ?, changed_pk = ? WHERE id = ?
        """, arguments: [made, touched, version.sourceID.uuidString])
    // References are settled again if an import was the last to touch the entity.
    guard let owner = EntityType.referenceOwner[version.sourceTable] else { return }
    try db.execute(
      sql: """
        UPDATE external_refs SET change_pk = ?1
        WHERE \(owner) = (SELECT pk FROM \(version.sourceTable.rowsTable) WHERE id = ?2)
          AND EXISTS (SELECT 1 FROM changes WHERE pk = ?1 AND author = 'import')
        """, arguments: [touched, version.sourceID.uuidString])
  }

  /// Returns a time of change that no version of the entity had before.
  private func newVersion(
    of type: EntityType, _ id: UUID, after updatedAt: Instant
  ) throws -> Instant {
    let current = try Int64.fetchOne(
      db, sql: "SELECT updated_at FROM \(type.rowsTable) WHERE id = ?", arguments: [id.uuidString])
    let last = max(updatedAt.milliseconds, current ?? 0)
    return max(now, Instant(milliseconds: last + 1))
  }

  /// Makes an old version the current one, even if its entity no longer exists.
  ///
  /// - Parameters:
  ///   - version: the version.
  ///   - keepsTime: true if it also has its old time of change, as if the newer one had never been
  ///     there.
  /// - Throws: `ArchiveError` if it can't be restored, `FieldError` if one of its values is invalid.
  func bringBack(_ version: HistoryRecord, keepsTime: Bool = false) throws {
    guard let object = version.record.object else {
      throw ArchiveError.refused("This earlier version can’t be read, so nothing was restored.")
    }
    var fields = FieldReader(object)
    let defaults = EntryDefaults(now: now, homeZone: .utc, identities: identities)
    let isThere = try lastChangeKey(version.sourceTable, version.sourceID) != nil
    if !isThere { try makeWay(for: version.sourceTable, version.sourceID) }
    switch version.sourceTable {
    case .activity:
      var activity = try Activity(&fields, defaults: defaults)
      activity.people = try withPresentPeople(activity.people)
      activity.tags = try withPresentNames(ofTags: activity.tags)
      for ref in activity.externalRefs {
        guard let known = try known(ref), known.id != activity.id else { continue }
        if known.standing == .hidden {
          try makeWay(for: known.type, known.id)
          continue
        }
        throw ArchiveError.conflict(
          """
          “\(activity.text.prefix(80))” was imported again later. Restoring it would create a \
          duplicate.
          """
        )
      }
      if !keepsTime {
        activity.updatedAt = try newVersion(of: .activity, activity.id, after: activity.updatedAt)
      }
      if isThere { try update(activity, reason: .restore) } else { try insert(activity) }
    case .day:
      var entry = try DayEntry(&fields, defaults: defaults)
      entry.people = try withPresentPeople(entry.people)
      if !keepsTime {
        entry.updatedAt = try newVersion(of: .day, entry.id, after: entry.updatedAt)
      }
      if !isThere, try DayRecord.fetchOne(db, dayKey: entry.dayKey) != nil {
        throw ArchiveError.conflict(
          "The day \(entry.dayKey) now has another note. Copy what you need from the history.")
      }
      if isThere { try update(entry, reason: .restore) } else { try insert(entry) }
    case .person:
      let person = try Person(&fields, defaults: defaults)
      if isThere {
        try update(person, reason: .restore)
      } else {
        try insert(person)
        try relink(person, with: object)
      }
    case .tag:
      let tag = try Tag(&fields, defaults: defaults)
      if isThere {
        try update(tag, reason: .restore)
      } else {
        // A tag of the same name that was created in the meantime is equivalent.
        if try !hasTag(named: tag.name) { try insert(tag) }
        try relink(tag, with: object)
      }
    case .metric:
      let metric = try DayMetric(&fields, defaults: defaults)
      if isThere { try update(metric, reason: .restore) } else { try insert(metric) }
    case .template, .prompts:
      try bringBackWriting(version, &fields)
    default:
      guard let type = StoredEntities.type(version.sourceTable) else {
        throw ArchiveError.refused(
          "This version of Arkived can’t restore \(version.sourceTable.rawValue).")
      }
      try bringBack(type, &fields, defaults, isThere: isThere, keepsTime: keepsTime)
    }
    try exhume(version.sourceID)
  }

  private func bringBack<Entity: StoredEntity>(
    _ type: Entity.Type, _ fields: inout FieldReader, _ defaults: EntryDefaults, isThere: Bool,
    keepsTime: Bool
  ) throws {
    var entity = try withPresentNames(Entity(&fields, defaults: defaults))
    if !keepsTime {
      entity.updatedAt = try newVersion(
        of: Entity.entityType, entity.id, after: entity.updatedAt)
    }
    if isThere { try updateEntity(entity, reason: .restore) } else { try insertEntity(entity) }
    if let match = entity as? ActionGoalContribution { try refresh(match) }
  }

  /// Returns a note or meeting with its people and tags as they are called now.
  private func withPresentNames<Entity: StoredEntity>(_ entity: Entity) throws -> Entity {
    if var note = entity as? Note {
      note.people = try withPresentPeople(note.people)
      note.tags = try withPresentNames(ofTags: note.tags)
      return note as? Entity ?? entity
    }
    if var meeting = entity as? Meeting {
      for (index, attendance) in meeting.attendances.enumerated() {
        meeting.attendances[index].personID = try attendance.personID.map(presentPerson)
      }
      return meeting as? Entity ?? entity
    }
    return entity
  }

  /// Links the mentions of a restored person again, if only the name was left or if they had been
  /// transferred to somebody the person was merged into.
  private func relink(_ person: Person, with record: JSONObject) throws {
    if let links = record["links"] {
      return try relink(person, links, from: record["mergedInto"]?.string)
    }
    // Deleted by a version that stored only the entries.
    for (key, table, column, kind) in [
      ("activityIds", "activity_rows", "activity_pk", SearchDocument.Kind.activity),
      ("dayIds", "day_rows", "day_pk", .day),
    ] {
      for id in record[key]?.array ?? [] {
        let owner = try Int64.fetchOne(
          db.cachedStatement(sql: "SELECT pk FROM \(table) WHERE id = ?"), arguments: [id.string])
        guard let owner else { continue }
        try db.cachedStatement(
          sql: """
            UPDATE mentions SET person_pk = (SELECT pk FROM person_rows WHERE id = ?)
            WHERE person_pk IS NULL AND \(column) = ? AND name = ?
            """
        ).execute(arguments: [person.id.uuidString, owner, person.displayName])
        try noteDocument(kind, owner)
      }
    }
  }

  /// Updates the search index for an activity whose tags or names were changed separately.
  func reindexActivity(_ id: String?) throws {
    guard let id,
      let record = try ActivityRecord.fetch(
        db, from: "activity_rows", where: "id = ?", arguments: [id]
      ).first
    else { return }
    try removeDocument(.activity, record.pk)
    var document = SearchDocument(record.activity, pk: record.pk)
    document.add(try Meeting.words(ofActivity: record.pk, db))
    try index(document)
    try inferContributions(ofActivity: record.activity, key: record.pk, isNew: false)
  }
}
