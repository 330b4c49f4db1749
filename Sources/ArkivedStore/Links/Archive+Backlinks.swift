package import ArkivedCore
package import Foundation
import GRDB

/// A text that links to something.
package struct Backlink: Hashable, Sendable {
  /// An activity, a day or a note.
  package var type: HitType
  package var id: UUID
  package var dayKey: DayKey
  package var startAt: Instant?
  /// The entry's own line, or the note's or day's title; nil for a day without one.
  package var title: String?
  /// The line with the link, as a reader sees it.
  package var snippet: String
  /// True if a meeting belongs to the activity.
  package var isMeeting = false

  package var json: JSON {
    [
      "type": .string(type.rawValue), "id": .string(id.uuidString), "dayKey": JSON(dayKey),
      "startAt": JSON(startAt), "title": JSON(title), "snippet": .string(snippet),
    ]
  }
}

/// Links to something, the latest first.
package struct Backlinks: Hashable, Sendable {
  package var links: [Backlink] = []
  /// The number of texts that link to it, at most `Archive.backlinkCountLimit`.
  package var count = 0

  package init() {}

  package var json: JSON {
    ["count": JSON(count), "links": .array(links.map(\.json))]
  }
}

/// An item whose links are looked up.
package enum LinkSubject: Hashable, Sendable {
  case day(DayKey)
  case person(UUID)
  case note(UUID)
  /// An activity or a meeting, by the ID of either.
  case entry(UUID)
}

extension Archive {
  /// The number at which counting ends.
  package static let backlinkCountLimit = 1_000

  /// Returns the texts that link to something, the latest first.
  package func backlinks(
    to subject: LinkSubject, limit: Int = 20, offset: Int = 0
  ) throws -> Backlinks {
    try read { db in
      let (keys, own) = try Self.keys(of: subject, db)
      guard !keys.isEmpty else { return Backlinks() }
      var result = Backlinks()
      let limit = max(0, limit)
      let offset = min(max(0, offset), 100_000)
      var days: [Int64: String] = [:]
      for key in keys.sorted() {
        // Rows of an unfinished import don't count.
        let rows = try Row.fetchAll(
          db,
          cached: """
            SELECT document, day_key FROM text_links WHERE target = ?1 AND document <> ?2
              AND CASE document % 8
                WHEN 0 THEN EXISTS (SELECT 1 FROM activities WHERE pk = document / 8)
                WHEN 1 THEN EXISTS (SELECT 1 FROM days WHERE pk = document / 8)
                ELSE EXISTS (SELECT 1 FROM notes WHERE pk = document / 8) END
            ORDER BY day_key DESC, document DESC LIMIT ?3
            """, arguments: [key, own ?? -1, max(Self.backlinkCountLimit, offset + limit)])
        for row in rows { days[row["document"]] = row["day_key"] }
      }
      let documents = days.sorted { ($0.value, $0.key) > ($1.value, $1.key) }.map(\.key)
      result.count = min(documents.count, Self.backlinkCountLimit)
      result.links = try documents.dropFirst(offset).prefix(limit)
        .compactMap { try Self.backlink($0, to: keys, db) }
      return result
    }
  }

  /// Returns the IDs of the entries to which texts link; that of a meeting's entry for a meeting.
  package func linkedEntries() throws -> Set<UUID> {
    try read { db in
      let targets = try String.fetchAll(
        db, sql: "SELECT DISTINCT target FROM text_links WHERE target >= 'e ' AND target < 'e!'")
      var ids: Set<UUID> = []
      for target in targets {
        let digits = String(target.dropFirst(2))
        let isActivity = try Bool.fetchOne(
          db, cached: "SELECT EXISTS (SELECT 1 FROM activities WHERE id = ?)", arguments: [digits])
        if isActivity == true, let id = UUID(uuidString: digits) {
          ids.insert(id)
          continue
        }
        // The ID of a meeting, or an abbreviated one.
        let found = try Self.targets(of: [.entry(digits)], db)
        if found.count == 1, let id = found[0].entry ?? found[0].id { ids.insert(id) }
      }
      return ids
    }
  }

  /// Rebuilds the index of links from the texts.
  package func rebuildTextLinks() throws {
    try transact { db in
      try db.execute(sql: "DELETE FROM text_links; DELETE FROM note_names")
      try TextLinkRows.fill(db)
    }
  }

  /// Returns all keys with which links may refer to a subject, and the document of its own text.
  private static func keys(
    of subject: LinkSubject, _ db: Database
  ) throws -> (keys: Set<String>, own: Int64?) {
    switch subject {
    case .day(let day):
      let row = try Row.fetchOne(
        db, cached: "SELECT pk, id FROM days WHERE day_key = ?", arguments: [day.description])
      var keys: Set = [LinkKey.day(day).stored]
      if let row { keys.formUnion(identityKeys(row["id"])) }
      return (keys, row.map { SearchDocument.rowNumber(.day, $0["pk"]) })
    case .person(let id):
      let names = try String.fetchAll(
        db,
        cached: """
          SELECT folded FROM person_names JOIN persons ON persons.pk = person_pk
          WHERE persons.id = ?
          """, arguments: [id.uuidString])
      return (Set(names.map { LinkKey.name($0).stored }).union(identityKeys(id.uuidString)), nil)
    case .note(let id):
      let row = try Row.fetchOne(
        db,
        cached: """
          SELECT notes.pk, folded FROM notes LEFT JOIN note_names ON note_pk = notes.pk
          WHERE id = ?
          """, arguments: [id.uuidString])
      var keys = identityKeys(id.uuidString)
      if let name = row?["folded"] as String? { keys.insert(LinkKey.name(name).stored) }
      return (keys, row.map { SearchDocument.rowNumber(.note, $0["pk"]) })
    case .entry(let id):
      let row = try Row.fetchOne(
        db,
        cached: """
          SELECT activities.pk, activities.id, meetings.id AS meeting FROM activities
          LEFT JOIN meetings ON activity_pk = activities.pk
          WHERE activities.id = ?1 OR activities.pk =
            (SELECT activity_pk FROM meetings WHERE id = ?1)
          """, arguments: [id.uuidString])
      guard let row else { return ([], nil) }
      var keys = identityKeys(row["id"])
      if let meeting = row["meeting"] as String? { keys.formUnion(identityKeys(meeting)) }
      return (keys, SearchDocument.rowNumber(.activity, row["pk"]))
    }
  }

  /// Returns the keys of links by an ID, complete or abbreviated as displayed.
  private static func identityKeys(_ id: String) -> Set<String> {
    [LinkKey.entry(id).stored, LinkKey.entry(String(id.prefix(shortLength))).stored]
  }

  private static func backlink(
    _ document: Int64, to keys: Set<String>, _ db: Database
  ) throws -> Backlink? {
    let pk = document / 8
    switch SearchDocument.Kind(rawValue: document % 8) {
    case .activity:
      guard
        let row = try Row.fetchOne(
          db,
          cached: """
            SELECT it.id, it.day_key, it.start_at, it.text, it.description, it.notes,
              meetings.pk AS meeting, purpose, outcomes, summary
            FROM activities AS it LEFT JOIN meetings ON activity_pk = it.pk WHERE it.pk = ?
            """, arguments: [pk])
      else { return nil }
      let texts =
        [
          row["description"], row["notes"], row["purpose"], row["outcomes"], row["summary"],
          row["text"],
        ] as [String?]
      return Backlink(
        type: .activity, id: try row.identity("id"), dayKey: try row.day("day_key"),
        startAt: row.instant(optional: "start_at"),
        title: MarkdownText.plain(row["text"]),
        snippet: LinkSnippet.of(texts.compactMap(\.self), keys),
        isMeeting: (row["meeting"] as Int64?) != nil)
    case .day:
      guard
        let row = try Row.fetchOne(
          db, cached: "SELECT id, day_key, title, note FROM days WHERE pk = ?", arguments: [pk])
      else { return nil }
      return Backlink(
        type: .day, id: try row.identity("id"), dayKey: try row.day("day_key"),
        title: row["title"], snippet: LinkSnippet.of([row["note"]], keys))
    case .note:
      guard
        let row = try Row.fetchOne(
          db, cached: "SELECT \(Self.noteColumns) FROM notes WHERE pk = ?", arguments: [pk])
      else { return nil }
      return Backlink(
        type: .note, id: try row.identity("id"), dayKey: try row.day("shown_day"),
        title: row["title"], snippet: LinkSnippet.of([row["text"]], keys))
    case .attachment, nil: return nil
    }
  }

  private static let noteColumns = "id, shown_day, title, text"
}

/// The line of a text that has a link.
private enum LinkSnippet {
  /// The length limit in characters.
  private static let limit = 200

  /// Returns the line of the first link to one of the keys.
  static func of(_ texts: [String], _ keys: Set<String>) -> String {
    for text in texts {
      for link in TextLink.links(in: text)
      where link.keys.contains(where: { keys.contains($0.stored) }) {
        return line(around: link, in: text)
      }
    }
    return ""
  }

  private static func line(around link: TextLink, in text: String) -> String {
    let bytes = text.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: link.range.lowerBound)
    let end = bytes.index(bytes.startIndex, offsetBy: link.range.upperBound)
    let before = text[..<start].lastIndex(where: \.isNewline).map { text.index(after: $0) }
    let after = text[end...].firstIndex(where: \.isNewline)
    let lead = text[(before ?? text.startIndex)..<start]
    let rest = text[end..<(after ?? text.endIndex)]
    // A truncated link would show its brackets.
    let shortLead = lead.count > limit / 2 ? "…" + String(lead.suffix(limit / 2)) : String(lead)
    let shortRest = rest.count > limit ? String(rest.prefix(limit)) + "…" : String(rest)
    return MarkdownText.plain(shortLead + String(text[start..<end]) + shortRest)
      .trimmingCharacters(in: .whitespaces)
  }
}
