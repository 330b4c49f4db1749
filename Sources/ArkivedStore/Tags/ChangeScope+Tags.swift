package import ArkivedCore
package import Foundation
import GRDB

/// Writing tags.
///
/// The places of a removed tag are stored, so undo can restore it there.
extension ChangeScope {
  package func insert(_ tag: Tag) throws {
    try tag.validate()
    guard try !adoptHiddenTag(as: tag) else { return }
    try db.cachedStatement(
      sql: """
        INSERT INTO tag_rows
          (id, name, folded, color_hex, change_pk, changed_pk, created_at, updated_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(arguments: [
      tag.id.uuidString, tag.name, NameFolding.key(tag.name), tag.colorHex, changeKey, changeKey,
      tag.createdAt.milliseconds, tag.updatedAt.milliseconds,
    ])
  }

  /// Replaces a tag's name and colour; the previous version is added to the history.
  package func update(_ tag: Tag, reason: HistoryRecord.Reason = .update) throws {
    try tag.validate()
    guard let old = try tagByIdentity(tag.id) else {
      throw ArchiveError.notFound("No tag with the ID \(tag.id.uuidString).")
    }
    try keep(.tag, tag.id, old.json, reason: reason)
    keys.forget()
    try absorbHiddenTag(NameFolding.key(tag.name), into: tag.id)
    try db.cachedStatement(
      sql: """
        UPDATE tag_rows SET name = ?, folded = ?, color_hex = ?, changed_pk = ?, created_at = ?,
          updated_at = ? WHERE id = ?
        """
    ).execute(arguments: [
      tag.name, NameFolding.key(tag.name), tag.colorHex, changeKey, tag.createdAt.milliseconds,
      tag.updatedAt.milliseconds, tag.id.uuidString,
    ])
    guard !tag.name.utf8.elementsEqual(old.name.utf8), let key = try tagKey(tag.id) else { return }
    try reindex(
      activities: try TagLinks.activities.keys(key, db), notes: try TagLinks.notes.keys(key, db))
  }

  /// Removes a tag and its links; the entries stay.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - kept: another tag, which replaces this one everywhere.
  ///   - reason: why the old version is kept.
  /// - Throws: `ArchiveError.conflict` if that one does not exist.
  package func deleteTag(
    _ id: UUID, mergedInto kept: UUID? = nil, reason: HistoryRecord.Reason = .delete
  ) throws {
    guard let old = try tagByIdentity(id), let key = try tagKey(id) else {
      throw ArchiveError.notFound("No tag with the ID \(id.uuidString).")
    }
    var record = old.json.object ?? JSONObject()
    var links = JSONObject()
    for kind in TagLinks.allCases { links[kind.rawValue] = try kind.places(key, db) }
    record["links"] = .object(links)
    var target: Int64?
    if let kept {
      guard let found = try tagKey(kept), found != key else { throw Self.goneTarget }
      record["mergedInto"] = .string(kept.uuidString)
      var shared = JSONObject()
      for kind in TagLinks.allCases { shared[kind.rawValue] = try kind.sharing(key, found, db) }
      record["shared"] = .object(shared)
      target = found
    }
    try keep(.tag, id, .object(record), reason: reason)
    try bury(.tag, id, [])
    keys.forget()
    let activities = try TagLinks.activities.keys(key, db)
    let notes = try TagLinks.notes.keys(key, db)
    if let target { for kind in TagLinks.allCases { try kind.move(key, to: target, db) } }
    try db.cachedStatement(sql: "DELETE FROM tag_rows WHERE pk = ?").execute(arguments: [key])
    try reindex(activities: activities, notes: notes)
  }

  /// Restores a tag's links to its former places that still exist; for a merged tag, only those
  /// that still have the tag it was merged into.
  ///
  /// A tag of the same name that was created in the meantime takes its place.
  ///
  /// - Throws: `ArchiveError.conflict` if the tag it was merged into no longer exists.
  func relink(_ tag: Tag, with record: JSONObject) throws {
    let key =
      try tagKey(tag.id)
      ?? Int64.fetchOne(
        db, sql: "SELECT pk FROM tags WHERE folded = ?", arguments: [NameFolding.key(tag.name)])
    guard let key else { return }
    func places(_ kind: TagLinks) -> JSON {
      if let links = record["links"] { return links[kind.rawValue] ?? .array([]) }
      // Deleted by a version that stored neither positions nor notes.
      guard kind == .activities else { return .array([]) }
      return JSON((record["activityIds"]?.array ?? []).compactMap(\.string).map { "\($0)/1000" })
    }
    if let kept = record["mergedInto"]?.string {
      guard let target = try UUID(uuidString: kept).flatMap({ try tagKey($0) }), target != key
      else { throw Self.goneTarget }
      for kind in TagLinks.allCases {
        try kind.moveBack(
          key, from: target, places: places(kind),
          shared: record["shared"]?[kind.rawValue] ?? .array([]), at: now, db)
      }
    } else {
      for kind in TagLinks.allCases { try kind.add(key, places: places(kind), at: now, db) }
    }
    try reindex(
      activities: try TagLinks.activities.keys(places: places(.activities), db),
      notes: try TagLinks.notes.keys(places: places(.notes), db))
  }

  private static var goneTarget: ArchiveError {
    .conflict(
      "The tag it was merged into has since been merged or deleted. Undo that change first.")
  }

  /// Returns the row of a tag that is visible or that this change has created.
  private func tagKey(_ id: UUID) throws -> Int64? {
    try Int64.fetchOne(
      db, cached: "SELECT pk FROM tag_rows WHERE id = ? AND \(isMine)",
      arguments: [id.uuidString, changeKey])
  }

  func tagByIdentity(_ id: UUID) throws -> Tag? {
    try Row.fetchOne(db, cached: "SELECT * FROM tags WHERE id = ?", arguments: [id.uuidString])
      .map(TagRecord.read)
  }

  // MARK: The search index

  /// Updates the search index for entries, days and notes whose tags or names were changed
  /// separately, and the matches of the entries with goals.
  ///
  /// Their words are written together, because the index would flush them at every alternation if
  /// they were written one by one.
  ///
  /// - Parameters:
  ///   - activities: row numbers in order.
  ///   - days: likewise.
  ///   - notes: likewise.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func reindex(activities: [Int64], days: [Int64] = [], notes: [Int64] = []) throws {
    let gathers = keys.documents == nil
    if gathers { gatherDocuments() }
    for slice in activities.slices() {
      let records = try ActivityRecord.fetch(
        db, from: "activity_rows", where: "pk IN (\(KeyList.sql))",
        arguments: [KeyList.text(slice)], limit: slice.count)
      for record in records {
        try removeDocument(.activity, record.pk)
        var document = SearchDocument(record.activity, pk: record.pk)
        document.add(try Meeting.words(ofActivity: record.pk, db))
        try index(document)
        try inferContributions(ofActivity: record.activity, key: record.pk, isNew: false)
      }
      if gathers { try writeDocuments(moreThan: Self.documentLimit) }
    }
    for slice in days.slices(of: Self.noteSlice) {
      let records = try DayRecord.fetch(
        db, from: "day_rows", where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(slice)],
        order: "pk")
      for record in records {
        try removeDocument(.day, record.pk)
        try index(SearchDocument(record.entry, pk: record.pk))
      }
      if gathers { try writeDocuments(moreThan: Self.noteSlice) }
    }
    for slice in notes.slices(of: Self.noteSlice) {
      let rows = try Row.fetchAll(
        db, sql: "\(Note.selection(from: "note_rows")) WHERE it.pk IN (\(KeyList.sql))",
        arguments: [KeyList.text(slice)])
      for row in rows {
        let (key, note) = (row["pk"] as Int64, try Note.read(row))
        try removeDocument(.note, key)
        try index(try SearchDocument(note, pk: key, dayKey: try note.writtenOn(self), db))
      }
      if gathers { try writeDocuments(moreThan: Self.noteSlice) }
    }
    if gathers {
      try writeDocuments()
      keys.documents = nil
    }
  }

  private static let documentLimit = 4_096
  /// The number of notes, which may be long, whose words are kept until they are written.
  private static let noteSlice = 100
}
