package import ArkivedCore
package import Foundation
import GRDB

/// Queries that an import run makes while its change is open.
extension ChangeScope {
  /// The archive's entity for an external reference.
  package struct Known: Sendable {
    package var type: EntityType
    package var id: UUID
    package var contentHash: String?
    /// True if anything but an import has changed the entity since the reference was settled.
    package var isEdited: Bool
    /// True if this change created the entity.
    package var isNew: Bool
    package var standing: Standing
  }

  package func known(_ ref: ExternalRef) throws -> Known? {
    guard
      let row = try Row.fetchOne(
        db, cached: "SELECT * FROM external_refs WHERE provider = ? AND external_id = ?",
        arguments: [ref.provider, ref.externalID])
    else { return nil }
    let owners: [(String, EntityType)] = [
      ("activity_pk", .activity), ("day_pk", .day), ("person_pk", .person),
    ]
    for (column, type) in owners {
      guard let key = row[column] as Int64?,
        let owner = try Row.fetchOne(
          db,
          cached: """
            SELECT id, change_pk, changed_pk, \(Visibility.isHidden()) AS is_hidden
            FROM \(type.rowsTable) WHERE pk = ?
            """, arguments: [key])
      else { continue }
      let (id, changed) = (try owner.identity("id"), owner["changed_pk"] as Int64)
      return Known(
        type: type, id: id, contentHash: row["content_hash"],
        isEdited: try (row["change_pk"] as Int64?) != changed || isMarkedOwn(id, by: changed),
        isNew: (owner["change_pk"] as Int64?) == changeKey, standing: try standing(owner))
    }
    return nil
  }

  /// Returns true if the owner deleted the entity, by ID or by one of its references.
  package func isBuried(_ id: UUID, _ refs: [ExternalRef]) throws -> Bool {
    guard try hasTombstones() else { return false }
    let byID = try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM tombstones WHERE source_id = ?)"),
      arguments: [id.uuidString])
    if byID == true { return true }
    for ref in refs {
      let byRef = try Bool.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT EXISTS (SELECT 1 FROM tombstones WHERE provider = ? AND external_id = ?)
            """), arguments: [ref.provider, ref.externalID])
      if byRef == true { return true }
    }
    return false
  }

  /// Returns true if the owner deleted a person with one of these addresses.
  ///
  /// A calendar names people by their addresses, which are in the last version of a deleted person.
  package func isBuriedPerson(withAddress addresses: [String]) throws -> Bool {
    guard !addresses.isEmpty, try hasTombstones() else { return false }
    let deleted = try keys.deletedAddresses ?? deletedAddresses()
    keys.deletedAddresses = deleted
    return addresses.contains { deleted.contains(NameFolding.key($0)) }
  }

  private func deletedAddresses() throws -> Set<String> {
    let records = try String.fetchAll(
      db,
      sql: """
        SELECT record FROM history WHERE source_table = ?1 AND reason = ?2
          AND source_id IN (SELECT source_id FROM tombstones WHERE source_table = ?1)
        """,
      arguments: [EntityType.person.rawValue, HistoryRecord.Reason.delete.rawValue])
    var addresses: Set<String> = []
    for record in try records.map({ try JSON(parsing: $0) }) {
      let further = record["addresses"]?.array ?? []
      for address in [record["email"]].compactMap(\.self) + further {
        if let text = address.string { addresses.insert(NameFolding.key(text)) }
      }
    }
    return addresses
  }

  /// Returns true if the owner deleted anything; looked up once per transaction.
  func hasTombstones() throws -> Bool {
    let isThere =
      try keys.hasTombstones
      ?? Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM tombstones)") ?? false
    keys.hasTombstones = isThere
    return isThere
  }

  /// Removes the record of an entity's deletion, because its owner asked an import to restore it.
  package func forgetDeletion(of id: UUID, _ refs: [ExternalRef]) throws {
    try exhume(id)
    for ref in refs {
      try db.cachedStatement(sql: "DELETE FROM tombstones WHERE provider = ? AND external_id = ?")
        .execute(arguments: [ref.provider, ref.externalID])
    }
  }

  /// Returns true if an entity of that ID is visible to everyone.
  func isThere(_ type: EntityType, _ id: UUID) throws -> Bool {
    try lastChangeKey(type, id) != nil
  }

  /// Returns true if the last change of an entity was not made by an import, either here or in the
  /// archive it came from.
  package func isOwners(_ type: EntityType, _ id: UUID) throws -> Bool {
    guard let key = try lastChangeKey(type, id) else { return false }
    let author = try String.fetchOne(
      db, sql: "SELECT author FROM changes WHERE pk = ?", arguments: [key])
    return try author != Author.importer.rawValue || isMarkedOwn(id, by: key)
  }

  package func activity(_ id: UUID) throws -> Activity? {
    try ActivityRecord.fetchOne(db, id: id)?.activity
  }

  package func dayEntry(_ id: UUID) throws -> DayEntry? {
    try DayRecord.fetchOne(db, id: id)?.entry
  }

  package func dayEntry(on dayKey: DayKey) throws -> DayEntry? {
    try DayRecord.fetchOne(db, dayKey: dayKey)?.entry
  }

  package func person(_ id: UUID) throws -> Person? {
    try PersonRecord.fetchOne(db, id: id)?.person
  }

  /// Returns the ID of the person who has one of the addresses.
  package func personID(withAddress addresses: [String]) throws -> UUID? {
    for address in addresses {
      let row = try Row.fetchOne(
        db,
        cached: """
          SELECT person_rows.id FROM person_names JOIN person_rows ON pk = person_pk
          WHERE folded = ? AND role IN ('email', 'address') AND \(isMine)
          """, arguments: [NameFolding.key(address), changeKey])
      if let row { return try row.identity("id") }
    }
    return nil
  }

  /// Returns the only person with a name or alias; nil if there is none or several.
  package func person(named name: String) throws -> Person? {
    let keys = try personKeys(named: name)
    guard keys.count == 1, let key = keys.first else { return nil }
    return try personOfKey(key)
  }

  /// Returns true if several people have a name or alias.
  package func isNameOfSeveral(_ name: String) throws -> Bool {
    try personKeys(named: name).count > 1
  }

  private func personKeys(named name: String) throws -> [Int64] {
    try Int64.fetchAll(
      db.cachedStatement(
        sql: """
          SELECT DISTINCT person_pk FROM person_names JOIN person_rows ON pk = person_pk
          WHERE folded = ? AND role IN ('name', 'alias') AND \(isMine)
          """), arguments: [NameFolding.key(name), changeKey])
  }

  private func personOfKey(_ key: Int64) throws -> Person? {
    try PersonRecord.fetch(db, from: "person_rows", where: "pk = ?", arguments: [key]).first?.person
  }

  /// Returns true if a tag of that name exists, either visible or created by this change.
  package func hasTag(named name: String) throws -> Bool {
    let row = try Row.fetchOne(
      db,
      cached: """
        SELECT changed_pk, \(Visibility.isHidden()) AS is_hidden FROM tag_rows WHERE folded = ?
        """, arguments: [NameFolding.key(name)])
    return [.shown, .own].contains(try standing(row))
  }

  /// Returns the metric that is the same measurement, with the same day, name and source.
  package func metric(like metric: DayMetric) throws -> (metric: DayMetric, standing: Standing)? {
    let row = try Row.fetchOne(
      db,
      cached: """
        SELECT *, \(Visibility.isHidden()) AS is_hidden FROM metric_rows
        WHERE day_key = ? AND metric = ? AND source = ?
        """, arguments: [metric.dayKey.description, metric.metric, metric.source])
    return try row.map { (try MetricRecord.read($0), try standing($0)) }
  }

  /// Returns the status of a day's own entry.
  package func standing(ofDay dayKey: DayKey) throws -> Standing {
    try standing(
      Row.fetchOne(
        db,
        cached: """
          SELECT changed_pk, \(Visibility.isHidden()) AS is_hidden FROM day_rows WHERE day_key = ?
          """, arguments: [dayKey.description]))
  }

  /// Returns true if a person exists, either visible or created by this change.
  package func hasPerson(_ id: UUID) throws -> Bool {
    try personKey(id) != nil
  }

  /// Returns a person's name, if they exist, either visible or created by this change.
  package func personName(_ id: UUID) throws -> String? {
    guard let key = try personKey(id) else { return nil }
    // The same as `Person.displayName`, without reading all people.
    return try String.fetchOne(
      db,
      cached: """
        SELECT coalesce(iif(trim(name) = '', NULL, name),
          (SELECT value FROM person_names WHERE person_pk = pk AND role = 'alias'
            ORDER BY position LIMIT 1),
          (SELECT value FROM person_names WHERE person_pk = pk AND role = 'email'), 'Somebody')
        FROM person_rows WHERE pk = ?
        """, arguments: [key])
  }

  package func hasAttachment(_ id: UUID) throws -> Bool {
    try Bool.fetchOne(
      db, cached: "SELECT EXISTS (SELECT 1 FROM attachments WHERE id = ?)",
      arguments: [id.uuidString]) ?? false
  }

  package func hasHistory(_ id: UUID) throws -> Bool {
    try Bool.fetchOne(
      db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM history WHERE id = ?)"),
      arguments: [id.uuidString]) ?? false
  }

  /// Adopts a deletion mark from another archive.
  ///
  /// - Returns: true if it was new here; something that exists is not marked as deleted.
  package func adopt(_ mark: Tombstone) throws -> Bool {
    let isThere = try lastChangeKey(mark.sourceTable, mark.sourceID) != nil
    let isKnown =
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM tombstones
            WHERE source_id = ? AND provider IS ? AND external_id IS ?)
          """, arguments: [mark.sourceID.uuidString, mark.provider, mark.externalID]) ?? false
    guard !isThere, !isKnown else { return false }
    try db.execute(
      sql: """
        INSERT INTO tombstones (source_table, source_id, provider, external_id, deleted_at)
        VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [
        mark.sourceTable.rawValue, mark.sourceID.uuidString, mark.provider, mark.externalID,
        mark.deletedAt.milliseconds,
      ])
    return true
  }

  /// Adopts an old version from another archive.
  package func adopt(_ version: HistoryRecord) throws { try keep(version, changeKey: nil) }

  /// Returns the record of this change's run so far.
  package func importRun() throws -> ImportRun? {
    try Row.fetchOne(
      db, sql: Archive.importRunQuery + " WHERE changes.pk = ?", arguments: [changeKey]
    ).map { try Archive.importRun($0, db) }
  }

  /// Writes the record of a run, replacing an earlier one.
  package func record(_ run: ImportRun) throws {
    var created = JSONObject()
    for (type, count) in run.created.sorted(by: { $0.key < $1.key }) { created[type] = JSON(count) }
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO import_runs
          (id, change_pk, format, source, started_at, finished_at, created, updated, unchanged,
           skipped, warnings)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        run.id.uuidString, changeKey, run.format, run.source, run.startedAt.milliseconds,
        run.finishedAt.milliseconds, JSON.object(created).text(), run.updated, run.unchanged,
        run.skipped, JSON.array(run.warnings.map(\.json)).text(),
      ])
  }
}

/// Listing and undoing import runs.
extension Archive {
  /// Returns all import runs, newest first.
  package func importRuns() throws -> [ImportRun] {
    try read { db in
      try Row.fetchAll(db, sql: Archive.importRunQuery + " ORDER BY import_runs.pk DESC")
        .map { try Archive.importRun($0, db) }
    }
  }

  /// Returns a part of the import runs, newest first, each with its change, and the total number.
  package func importRuns(
    limit: Int, offset: Int = 0
  ) throws -> (runs: [(run: ImportRun, changeID: UUID)], total: Int) {
    try read { db in
      let rows = try Row.fetchAll(
        db, sql: Archive.importRunQuery + " ORDER BY import_runs.pk DESC LIMIT ? OFFSET ?",
        arguments: [max(0, limit), max(0, offset)])
      let total = try Int.fetchOne(
        db,
        sql: """
          SELECT count(*) FROM import_runs JOIN changes ON changes.pk = import_runs.change_pk
          """)
      return (
        try rows.map { (try Archive.importRun($0, db), try $0.identity("change_id")) }, total ?? 0
      )
    }
  }

  /// Returns the run whose ID begins with the given digits (at least four), with its change.
  package func importRun(matching text: String) throws -> (run: ImportRun, changeID: UUID) {
    let digits = text.uppercased()
    guard digits.count >= 4, digits.allSatisfy({ $0.isHexDigit || $0 == "-" }) else {
      throw ArchiveError.notFound("No import with the ID “\(text.prefix(60))”.")
    }
    let runs = try read { db in
      try Row.fetchAll(
        db,
        sql: Archive.importRunQuery + " WHERE import_runs.id >= ? AND import_runs.id < ? LIMIT 2",
        arguments: [digits, digits + "Z"]
      ).map { (try Archive.importRun($0, db), try $0.identity("change_id")) }
    }
    guard let run = runs.first else {
      throw ArchiveError.notFound("No import with the ID \(text.prefix(60)).")
    }
    guard runs.count == 1 else {
      throw ArchiveError.ambiguous("Several imports have IDs that start with \(text.prefix(60)).")
    }
    return run
  }

  /// Returns the run that imported an entity; nil if it was written here.
  package func importRun(thatBrought type: EntityType, _ id: UUID) throws -> ImportRun? {
    try read { db in
      try Row.fetchOne(
        db,
        sql: Archive.importRunQuery
          + " WHERE changes.pk = (SELECT change_pk FROM \(type.rowsTable) WHERE id = ?)",
        arguments: [id.uuidString]
      ).map { try Archive.importRun($0, db) }
    }
  }

  static let importRunQuery = """
    SELECT import_runs.*, changes.id AS change_id, changes.undone_by FROM import_runs
    JOIN changes ON changes.pk = import_runs.change_pk
    """

  static func importRun(_ row: Row, _ db: Database) throws -> ImportRun {
    let created = try JSON(parsing: row["created"] as String).object?.members ?? []
    let warnings = try JSON(parsing: row["warnings"] as String).array ?? []
    let format: String = row["format"]
    let source: String = row["source"]
    return ImportRun(
      id: try row.identity("id"), format: format,
      source: format == "calendar" ? AddressText.withoutPath(source) : source,
      startedAt: row.instant("started_at"), finishedAt: row.instant("finished_at"),
      created: Dictionary(uniqueKeysWithValues: created.map { ($0.key, $0.value.int ?? 0) }),
      updated: row["updated"], unchanged: row["unchanged"], skipped: row["skipped"],
      warnings: warnings.map {
        .init(place: $0["place"]?.string ?? "", message: $0["message"]?.string ?? "")
      }, isUndone: try UndoLine.isUndone(by: row["undone_by"], db))
  }
}
