package import ArkivedCore
package import Foundation
import GRDB

/// A tag with the number of its uses.
package struct TagSummary: Hashable, Sendable, Identifiable {
  package var tag: Tag
  package var activityCount = 0
  package var noteCount = 0
  /// The latest day on which an entry or a note has it.
  package var lastUsed: DayKey?

  package var id: UUID { tag.id }
  /// The number of entries and notes that have it.
  package var count: Int { activityCount + noteCount }

  package var json: JSON {
    var object = JSONObject()
    for (key, value) in tag.json.object?.members ?? [] {
      object[key] = value
      if key == "name" {
        object["count"] = JSON(count)
        object["activityCount"] = JSON(activityCount)
        object["noteCount"] = JSON(noteCount)
        object["lastUsed"] = JSON(lastUsed)
        object["colour"] = JSON(tag.colour?.rawValue)
      }
    }
    return .object(object)
  }
}

/// A change to a tag, and the number of entries and notes that show it.
package struct TagEdit: Sendable {
  package var tag: Tag
  package var entries: Int
}

/// Two tags that are probably the same.
package struct TagProposal: Sendable {
  /// The tag that is used more.
  package var kept: TagSummary
  package var merged: TagSummary
}

/// Reading tags with their uses.
extension Archive {
  package enum TagOrder: String, Sendable, CaseIterable { case uses, name }

  /// Returns tags whose names contain a text; all if it is empty.
  package func tagSummaries(
    matching text: String = "", order: TagOrder = .uses, limit: Int = .max, offset: Int = 0
  ) throws -> [TagSummary] {
    try read { db in
      let sorting = order == .uses ? "activity_uses + note_uses DESC, folded" : "folded"
      let rows = try Row.fetchAll(
        db,
        sql: """
          \(try TagRows.selection(db)) WHERE ?1 = '' OR instr(folded, ?1) > 0
          ORDER BY \(sorting) LIMIT ?2 OFFSET ?3
          """, arguments: [NameFolding.key(text), max(0, limit), max(0, offset)])
      var days = LastDays(db)
      return try rows.map { try TagRows.summary($0, &days) }
    }
  }

  /// Returns the number of tags whose names contain a text.
  package func countTags(matching text: String = "") throws -> Int {
    try read { db in
      try Int.fetchOne(
        db, sql: "SELECT count(*) FROM tags WHERE ?1 = '' OR instr(folded, ?1) > 0",
        arguments: [NameFolding.key(text)]) ?? 0
    }
  }

  package func tag(_ id: UUID) throws -> TagSummary? {
    try read { db in try TagRows.fetchOne("id = ?", [id.uuidString], db) }
  }

  /// Returns the tag with a name or an ID; a leading # is ignored.
  ///
  /// - Throws: `ArchiveError.notFound`, with a similar tag if there is one.
  package func tag(named text: String) throws -> TagSummary {
    if let id = UUID(uuidString: text), let found = try tag(id) { return found }
    let name = Archive.bareTag(text)
    if let found = try read({ db in
      try TagRows.fetchOne("folded = ?", [NameFolding.key(name)], db)
    }) {
      return found
    }
    let like = try suggestions(for: [name]).first.map { " Did you mean #\($0.existing)?" } ?? ""
    throw ArchiveError.notFound("No tag named #\(name.prefix(60)).\(like)")
  }

  /// Returns the colours of tags that have one, by folded name.
  package func tagColours() throws -> [String: TagColour] {
    try read { db in
      var colours: [String: TagColour] = [:]
      let rows = try Row.fetchCursor(
        db, sql: "SELECT folded, color_hex FROM tags WHERE color_hex IS NOT NULL")
      while let row = try rows.next() {
        colours[row[0] as String] = TagColour(nearest: row[1] as String)
      }
      return colours
    }
  }

  /// Returns pairs of tags that are probably the same, the most similar first, excluding those that
  /// the owner keeps apart.
  package func tagProposals(limit: Int = 20) throws -> [TagProposal] {
    try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          \(try TagRows.selection(db)) ORDER BY activity_uses + note_uses DESC, folded
          LIMIT \(TagRows.proposalLimit)
          """)
      let uses = rows.map { ($0["activity_uses"] as Int) + ($0["note_uses"] as Int) }
      let apart = try Archive.tagsApart(db)
      // A misspelling is rare, so a tag that is used often is intended.
      let pairs = TagProposals.pairs(among: rows.map { $0["name"] })
        .filter { !$0.isSlip || uses[$0.second] <= TagRows.slipLimit }
        .filter { !apart.contains(TagsApart(rows[$0.first], rows[$0.second])) }
      var days = LastDays(db)
      return try pairs.prefix(max(0, limit)).map {
        TagProposal(
          kept: try TagRows.summary(rows[$0.first], &days),
          merged: try TagRows.summary(rows[$0.second], &days))
      }
    }
  }
}

/// Changing tags.
///
/// Each edit is one change, which can be undone as a whole.
extension Archive {
  /// The action of a merge in the list of changes.
  static let mergeAction = "merge"

  /// Renames a tag everywhere, in links too; a change of case counts too.
  ///
  /// - Parameters:
  ///   - id: its ID.
  ///   - name: the name.
  ///   - version: if given, the `updatedAt` the caller last saw.
  ///   - author: who makes the change.
  /// - Returns: the tag as saved.
  /// - Throws: `FieldError` if the name is not valid or belongs to another tag,
  ///   `ArchiveError.notFound`, `.conflict`.
  package func renameTag(
    _ id: UUID, to name: String, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<TagEdit> {
    try editTag(id, version: version, by: author) { $0.name = name }
  }

  /// Sets or removes a tag's colour.
  package func colourTag(
    _ id: UUID, _ colour: TagColour?, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<TagEdit> {
    try editTag(id, version: version, by: author) { $0.colorHex = colour?.hex }
  }

  /// Changes a tag's name, its colour, or both.
  package func editTag(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner,
    _ edit: (inout Tag) throws -> Void
  ) throws -> Saved<TagEdit> {
    try transact { db in
      guard let summary = try TagRows.fetchOne("id = ?", [id.uuidString], db) else {
        throw ArchiveError.notFound(
          "No tag with the ID \(id.uuidString). It may have been deleted.")
      }
      let old = summary.tag
      try Archive.check(version, against: old.updatedAt, "This tag")
      var new = old
      try edit(&new)
      new.name = Archive.bareTag(new.name)
      // Case and accents are significant here.
      let isRenamed = !new.name.utf8.elementsEqual(old.name.utf8)
      guard isRenamed || new.colorHex != old.colorHex else {
        return Saved(value: TagEdit(tag: old, entries: 0), change: nil)
      }
      if isRenamed { try Archive.refuse(new, db) }
      try new.validate()
      let entries = isRenamed ? summary.count : 0
      let scope = try openScope(
        db, by: author, "edit",
        isRenamed
          ? "Renamed #\(old.name.prefix(60)) to #\(new.name.prefix(60)) in \(Self.entries(entries))"
          : "\(new.colorHex == nil ? "Removed the colour from" : "Coloured") #\(old.name.prefix(60))"
      )
      new.updatedAt = max(scope.now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
      try scope.update(new)
      if isRenamed { try scope.followName(of: new, from: old) }
      return Saved(value: TagEdit(tag: new, entries: entries), change: scope.change)
    }
  }

  /// Merges two tags: everything that has the first gets the other in its place, and links to the
  /// first lead to the other.
  ///
  /// - Throws: `ArchiveError.notFound`, `.conflict`, `FieldError` if both are the same tag.
  package func mergeTag(
    _ id: UUID, into kept: UUID, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<TagEdit> {
    try transact { db in
      try mergeTag(id, into: kept, in: db, version: version, by: author)
    }
  }

  /// Merges two tags and stores the answer in the same transaction.
  ///
  /// - Parameters:
  ///   - id: the tag that is merged.
  ///   - kept: the one that stays.
  ///   - author: who makes the change.
  ///   - request: nil if it may not be repeated.
  ///   - answer: receives the tag that stays, and the change.
  /// - Returns: the answer to this request or, if it was made before, to the first one.
  /// - Throws: `RequestKeyTaken`, and what the other `mergeTag` throws.
  package func mergeTag(
    _ id: UUID, into kept: UUID, by author: Author = .owner, once request: RequestKey?,
    answer: (TagSummary, Saved<TagEdit>) throws -> KeptAnswer
  ) throws -> KeptAnswer {
    try transact { db in
      try answering(request, in: db) {
        let saved = try mergeTag(id, into: kept, in: db, by: author)
        guard let found = try TagRows.fetchOne("id = ?", [kept.uuidString], db) else {
          throw ArchiveError.notFound("No tag with the ID \(kept.uuidString).")
        }
        return try answer(found, saved)
      }
    }
  }

  private func mergeTag(
    _ id: UUID, into kept: UUID, in db: Database, version: Instant? = nil, by author: Author
  ) throws -> Saved<TagEdit> {
    guard id != kept else { throw FieldError("into", "is the same tag") }
    guard let old = try TagRows.fetchOne("id = ?", [id.uuidString], db),
      let target = try TagRows.fetchOne("id = ?", [kept.uuidString], db)
    else {
      throw ArchiveError.notFound(
        "The tag to merge wasn’t found. It may have been merged "
          + "already.")
    }
    try Archive.check(version, against: old.tag.updatedAt, "This tag")
    let scope = try openScope(
      db, by: author, Archive.mergeAction,
      "Merged #\(old.tag.name.prefix(60)) into #\(target.tag.name.prefix(60)) in "
        + Self.entries(old.count))
    try scope.deleteTag(id, mergedInto: kept)
    try scope.followName(of: target.tag, from: old.tag)
    return Saved(
      value: TagEdit(tag: target.tag, entries: old.count), change: scope.change)
  }

  /// Removes a tag from everything that has it, and deletes it.
  package func deleteTag(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<TagEdit> {
    try transact { db in
      guard let old = try TagRows.fetchOne("id = ?", [id.uuidString], db) else {
        throw ArchiveError.notFound(
          "No tag with the ID \(id.uuidString). It may have been deleted.")
      }
      try Archive.check(version, against: old.tag.updatedAt, "This tag")
      let scope = try openScope(
        db, by: author, "delete",
        "Deleted #\(old.tag.name.prefix(60)) from \(Self.entries(old.count))")
      try scope.deleteTag(id)
      return Saved(value: TagEdit(tag: old.tag, entries: old.count), change: scope.change)
    }
  }

  /// Returns a tag's typed name without the # and surrounding spaces.
  fileprivate static func bareTag(_ text: String) -> String {
    Tag.names([text]).first ?? ""
  }

  /// Throws, in terms the owner understands, if a name is not valid or belongs to another tag.
  private static func refuse(_ tag: Tag, _ db: Database) throws {
    do throws(FieldError) {
      try Tag.validate(name: tag.name)
    } catch {
      throw FieldError(
        "name",
        error.problem.replacingOccurrences(
          of: "contains an empty name", with: "is empty. Enter a name"
        )
        .replacingOccurrences(of: "contains a name of", with: "has"))
    }
    let other = try TagRows.fetchOne(
      "folded = ? AND id <> ?", [NameFolding.key(tag.name), tag.id.uuidString], db)
    guard let other else { return }
    throw FieldError(
      "name",
      "is #\(other.tag.name.prefix(60)), which already exists (\(entries(other.count))). If both mean the "
        + "same, merge them")
  }

  private static func entries(_ count: Int) -> String {
    count == 1 ? "1 entry" : "\(count) entries"
  }
}

/// Rows of tags with their uses.
private enum TagRows {
  /// The number of tags up to which they are searched for similar ones.
  static let proposalLimit = 3_000
  /// The number of uses up to which a tag may be a typing error.
  static let slipLimit = 5

  /// Returns SQL for tags.
  ///
  /// Without hidden imports, the indexes of the links are enough to count.
  static func selection(_ db: Database) throws -> String {
    let isPlain = try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM hidden_changes)")
    let (activities, notes) =
      isPlain == true
      ? ("", "")
      : (
        "JOIN activities ON activities.pk = activity_pk", "JOIN notes ON notes.pk = note_pk"
      )
    return """
      SELECT tags.*,
        (SELECT count(*) FROM activity_tags \(activities) WHERE tag_pk = tags.pk) AS activity_uses,
        (SELECT count(*) FROM note_tags \(notes) WHERE tag_pk = tags.pk) AS note_uses
      FROM tags
      """
  }

  static func fetchOne(
    _ condition: String, _ arguments: StatementArguments, _ db: Database
  ) throws -> TagSummary? {
    var days = LastDays(db)
    return try Row.fetchOne(
      db, sql: "\(try selection(db)) WHERE \(condition)", arguments: arguments
    ).map { try summary($0, &days) }
  }

  static func summary(_ row: Row, _ days: inout LastDays) throws -> TagSummary {
    let uses: Int = row["activity_uses"]
    return TagSummary(
      tag: try TagRecord.read(row), activityCount: uses, noteCount: row["note_uses"],
      lastUsed: try days.day(ofTag: row["pk"], uses: uses).flatMap(DayKey.init))
  }
}
