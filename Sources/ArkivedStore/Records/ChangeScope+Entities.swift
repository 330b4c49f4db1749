package import ArkivedCore
package import Foundation
import GRDB

extension ChangeScope {
  // MARK: Days

  /// Writes a new day entry.
  package func insert(_ entry: DayEntry) throws {
    try entry.validate()
    try makeWay(forDay: entry.dayKey)
    try db.cachedStatement(
      sql: """
        INSERT INTO day_rows
          (id, day_key, title, note, mood, energy, weather, change_pk, changed_pk, created_at,
           updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      entry.id.uuidString, entry.dayKey.description, entry.title, entry.note, entry.mood,
      entry.energy, entry.weather?.columnText, changeKey, changeKey, entry.createdAt.milliseconds,
      entry.updatedAt.milliseconds,
    ])
    try insertBelongings(of: entry, key: db.lastInsertedRowID)
  }

  /// Replaces a day entry's content; the previous version is added to the history.
  package func update(_ entry: DayEntry, reason: HistoryRecord.Reason = .update) throws {
    try entry.validate()
    guard let old = try DayRecord.fetchOne(db, id: entry.id) else {
      throw ArchiveError.notFound("No record of the day \(entry.dayKey).")
    }
    try keep(.day, entry.id, old.entry.json, reason: reason)
    try removeDocuments(of: old)
    for table in ["mentions", "attachments"] {
      try db.cachedStatement(sql: "DELETE FROM \(table) WHERE day_pk = ?")
        .execute(arguments: [old.pk])
    }
    try db.cachedStatement(
      sql: """
        UPDATE day_rows SET day_key = ?, title = ?, note = ?, mood = ?, energy = ?, weather = ?,
          changed_pk = ?, created_at = ?, updated_at = ?
        WHERE pk = ?
        """
    ).execute(arguments: [
      entry.dayKey.description, entry.title, entry.note, entry.mood, entry.energy,
      entry.weather?.columnText, changeKey, entry.createdAt.milliseconds,
      entry.updatedAt.milliseconds, old.pk,
    ])
    try insertBelongings(of: entry, key: old.pk)
  }

  /// Removes a day's own entry (not its activities); all of it is added to the history.
  package func deleteDayEntry(_ id: UUID, reason: HistoryRecord.Reason = .delete) throws {
    guard let old = try DayRecord.fetchOne(db, id: id) else {
      throw ArchiveError.notFound("No record of the day \(id.uuidString).")
    }
    try keep(.day, id, old.entry.json, reason: reason)
    try bury(.day, id, old.entry.externalRefs + [old.entry.naturalReference])
    try removeDocuments(of: old)
    try db.cachedStatement(sql: "DELETE FROM day_rows WHERE pk = ?").execute(arguments: [old.pk])
  }

  private func removeDocuments(of record: DayRecord) throws {
    try removeDocument(.day, record.pk)
    try removeAttachmentDocuments(owner: "day_pk", key: record.pk)
  }

  private func insertBelongings(of entry: DayEntry, key: Int64) throws {
    try insertMentions(entry.people, owner: "day_pk", key: key)
    try insertAttachments(entry.attachments, owner: "day_pk", key: key, dayKey: entry.dayKey)
    try replaceReferences(entry.externalRefs, owner: "day_pk", key: key)
    try index(SearchDocument(entry, pk: key))
  }

  // MARK: Metrics

  /// Writes a metric; one of the same day, name and source is replaced.
  package func insert(_ metric: DayMetric) throws {
    try metric.validate()
    try makeWay(forMetric: metric)
    try db.cachedStatement(
      sql: """
        INSERT INTO metric_rows
          (id, day_key, metric, unit, value, minimum, maximum, source, change_pk, changed_pk,
           created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      metric.id.uuidString, metric.dayKey.description, metric.metric, metric.unit, metric.value,
      metric.minimum, metric.maximum, metric.source, changeKey, changeKey,
      metric.createdAt.milliseconds, metric.updatedAt.milliseconds,
    ])
  }

  /// Replaces a metric; the previous version is added to the history.
  package func update(_ metric: DayMetric, reason: HistoryRecord.Reason = .update) throws {
    try metric.validate()
    guard let old = try metricByIdentity(metric.id) else {
      throw ArchiveError.notFound("No metric with the ID \(metric.id.uuidString).")
    }
    try keep(.metric, metric.id, old.json, reason: reason)
    try db.cachedStatement(
      sql: """
        UPDATE metric_rows SET day_key = ?, metric = ?, unit = ?, value = ?, minimum = ?,
          maximum = ?, source = ?, changed_pk = ?, created_at = ?, updated_at = ?
        WHERE id = ?
        """
    ).execute(arguments: [
      metric.dayKey.description, metric.metric, metric.unit, metric.value, metric.minimum,
      metric.maximum, metric.source, changeKey, metric.createdAt.milliseconds,
      metric.updatedAt.milliseconds, metric.id.uuidString,
    ])
  }

  package func deleteMetric(_ id: UUID, reason: HistoryRecord.Reason = .delete) throws {
    guard let old = try metricByIdentity(id) else {
      throw ArchiveError.notFound("No metric with the ID \(id.uuidString).")
    }
    try keep(.metric, id, old.json, reason: reason)
    try bury(.metric, id, [old.naturalReference])
    try db.cachedStatement(sql: "DELETE FROM metric_rows WHERE id = ?")
      .execute(arguments: [id.uuidString])
  }

  func metricByIdentity(_ id: UUID) throws -> DayMetric? {
    try Row.fetchOne(
      db, cached: "SELECT * FROM day_metrics WHERE id = ?", arguments: [id.uuidString]
    ).map(MetricRecord.read)
  }

  // MARK: People

  package func insert(_ person: Person) throws {
    try person.validate()
    keys.people[person.id] = nil
    guard try !adoptHiddenPerson(as: person) else { return }
    try db.cachedStatement(
      sql: """
        INSERT INTO person_rows
          (id, name, relationship_summary, change_pk, changed_pk, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      person.id.uuidString, person.name, person.relationshipSummary, changeKey, changeKey,
      person.createdAt.milliseconds, person.updatedAt.milliseconds,
    ])
    let key = db.lastInsertedRowID
    try insertNames(of: person, key: key)
    try replaceReferences(person.externalRefs, owner: "person_pk", key: key)
  }

  /// Replaces a person's content; the previous version is added to the history.
  package func update(_ person: Person, reason: HistoryRecord.Reason = .update) throws {
    try person.validate()
    guard let old = try PersonRecord.fetchOne(db, id: person.id) else {
      throw ArchiveError.notFound("No person with the ID \(person.id.uuidString).")
    }
    try keep(.person, person.id, old.person.json, reason: reason)
    try db.cachedStatement(
      sql: """
        UPDATE person_rows SET name = ?, relationship_summary = ?, changed_pk = ?, created_at = ?,
          updated_at = ? WHERE pk = ?
        """
    ).execute(arguments: [
      person.name, person.relationshipSummary, changeKey, person.createdAt.milliseconds,
      person.updatedAt.milliseconds, old.pk,
    ])
    try db.cachedStatement(sql: "DELETE FROM person_names WHERE person_pk = ?")
      .execute(arguments: [old.pk])
    try insertNames(of: person, key: old.pk)
    if person.displayName != old.person.displayName { try rename(old.pk, to: person.displayName) }
    try replaceReferences(person.externalRefs, owner: "person_pk", key: old.pk)
  }

  /// Removes a person; the entries that name them keep the name.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - kept: the person who gets their entries, meetings and notes.
  ///   - reason: why the old version is kept.
  /// - Throws: `DatabaseError` if the archive can't be written.
  package func deletePerson(
    _ id: UUID, mergedInto kept: UUID? = nil, reason: HistoryRecord.Reason = .delete
  ) throws {
    guard let old = try PersonRecord.fetchOne(db, id: id) else {
      throw ArchiveError.notFound("No person with the ID \(id.uuidString).")
    }
    var record = old.person.json.object ?? JSONObject()
    if kept == nil { try keepNameInMeetings(of: old.person, key: old.pk) }
    var links = try links(ofPerson: old.pk)
    if let kept {
      record["mergedInto"] = .string(kept.uuidString)
      if let other = try personKey(kept), var object = links.object {
        object["shared"] = try places(shared: old.pk, with: other)
        links = .object(object)
      }
    }
    record["links"] = links
    try keep(.person, id, .object(record), reason: reason)
    if let kept {
      try moveLinks(ofPerson: old.pk, to: kept)
      try noteLinked(links)
    } else {
      try bury(.person, id, old.person.externalRefs)
    }
    keys.forget()
    try db.cachedStatement(sql: "DELETE FROM person_rows WHERE pk = ?").execute(arguments: [old.pk])
  }

  /// Copies a person's new name to the mentions of them and the search index.
  func rename(_ key: Int64, to name: String) throws {
    try db.execute(
      sql: "UPDATE mentions SET name = ?, folded = ? WHERE person_pk = ?",
      arguments: [name, NameFolding.key(name), key])
    func named(_ owner: String) throws -> [Int64] {
      try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT \(owner) FROM mentions WHERE person_pk = ? AND \(owner) IS NOT NULL
          ORDER BY 1
          """, arguments: [key])
    }
    let notes = try Int64.fetchAll(
      db, sql: "SELECT DISTINCT note_pk FROM note_mentions WHERE person_pk = ? ORDER BY 1",
      arguments: [key])
    // There may be a hundred thousand, which are written together.
    try reindex(
      activities: try named("activity_pk"), days: try named("day_pk"), notes: notes)
  }

  func insertNames(of person: Person, key: Int64) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO person_names (person_pk, role, position, value, folded)
        VALUES (?, ?, ?, ?, ?)
        """)
    let groups: [(String, [String])] = [
      ("name", [person.name].compactMap { $0 }), ("alias", person.aliases),
      ("email", [person.email].compactMap { $0 }), ("address", person.furtherAddresses),
    ]
    var addresses = Set<String>()
    for address in groups[2].1 + groups[3].1 { try makeWay(forAddress: address) }
    for (role, values) in groups {
      for (position, value) in values.enumerated() {
        // The same address with two different labels is one address.
        let isAddress = role == "email" || role == "address"
        guard !isAddress || addresses.insert(NameFolding.key(value)).inserted else { continue }
        try statement.execute(arguments: [key, role, position, value, NameFolding.key(value)])
      }
    }
  }

  /// Finds the person with a name, alias or address, and creates one if there is none.
  ///
  /// - Parameters:
  ///   - mention: the name.
  ///   - allowsFirstName: also accepts a first name that only one person has, as in a line typed by
  ///     the owner.
  /// - Returns: the mention with its person; without one if several people match.
  /// - Throws: `DatabaseError` if the archive can't be written.
  package func resolve(_ mention: Mention, allowsFirstName: Bool) throws -> Mention {
    if mention.personID != nil { return mention }
    var mention = mention
    if mention.name.hasPrefix("@") { mention.name.removeFirst() }
    let folded = NameFolding.key(mention.name)
    guard !folded.isEmpty else { return mention }
    var keys = try Int64.fetchAll(
      db,
      cached: """
        SELECT DISTINCT person_pk FROM person_names JOIN person_rows ON pk = person_pk
        WHERE folded = ? AND \(isMine)
        """, arguments: [folded, changeKey])
    if keys.isEmpty, allowsFirstName, !folded.contains(" ") {
      keys = try Int64.fetchAll(
        db,
        cached: """
          SELECT DISTINCT person_pk FROM person_names JOIN person_rows ON pk = person_pk
          WHERE role = 'name' AND folded >= ? AND folded < ? AND \(isMine)
          """, arguments: [folded + " ", folded + "!", changeKey])
    }
    if keys.count > 1 { return mention }
    // Only a person's own row shows if they have a name.
    if let key = keys.first,
      let row = try Row.fetchOne(
        db, cached: "SELECT id, name FROM person_rows WHERE pk = ? AND trim(name) <> ''",
        arguments: [key])
    {
      return Mention(name: row["name"], personID: try row.identity("id"))
    }
    if let key = keys.first,
      let person = try PersonRecord.fetch(
        db, from: "person_rows", where: "pk = ?", arguments: [key]
      ).first?.person
    {
      return Mention(name: person.displayName, personID: person.id)
    }
    let isAddress = Person.isAddress(mention.name)
    let person = Person(
      id: identities.next(), name: isAddress ? nil : mention.name,
      email: isAddress ? mention.name : nil, createdAt: change.at, updatedAt: change.at)
    try insert(person)
    return Mention(name: person.displayName, personID: person.id)
  }
}
