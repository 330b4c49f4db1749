package import ArkivedCore
import Foundation
import GRDB

/// A possible target of a link, offered while a text is typed.
package struct LinkOffer: Hashable, Sendable {
  package var target: LinkTarget
  /// The text that an editor inserts to replace the typed text: the whole link, or `#tag`.
  package var insert: String

  package var json: JSON {
    var object = target.json.object ?? JSONObject()
    object["insert"] = .string(insert)
    return .object(object)
  }
}

/// Completing links as they are typed.
extension Archive {
  /// The number of names among which offers are searched for.
  private static let offerCandidates = 32
  /// The smallest number of characters with which entries are looked up.
  private static let entryCharacters = 3

  /// Returns days, people, notes, entries and tags that a typed text may mean, the most likely
  /// first.
  ///
  /// - Parameters:
  ///   - text: the beginning of a name or of one of its words, a date, or words such as
  ///     "yesterday".
  ///   - kinds: the kinds to offer; empty for all. Meetings are offered with entries.
  ///   - today: the current day.
  ///   - reader: parses dates in the text.
  ///   - limit: the maximum number of offers.
  /// - Returns: the offers.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func linkOffers(
    matching text: String, kinds: Set<LinkTarget.Kind> = [], today: DayKey, reader: TimeReader,
    limit: Int = 10
  ) throws -> [LinkOffer] {
    let text = String(text.prefix(100)).trimmingCharacters(in: .whitespacesAndNewlines)
    let folded = NameFolding.key(text)
    func takes(_ kind: LinkTarget.Kind) -> Bool { kinds.isEmpty || kinds.contains(kind) }
    var offers: [LinkOffer] = []
    if takes(.day) {
      offers += Self.days(text, today: today, reader: reader).map {
        LinkOffer(target: LinkTarget(.day, day: $0, label: $0.shownLongName), insert: "[[\($0)]]")
      }
    }
    try read { db in
      // Each kind gets a share, and any remainder goes to the following kinds.
      let share = max(3, limit / 2)
      if takes(.person) { offers += try Self.people(folded, limit: share, db) }
      if takes(.note) { offers += try Self.notes(folded, limit: share, db) }
      if takes(.tag), !folded.isEmpty { offers += try Self.tags(folded, limit: 3, db) }
      if takes(.activity), folded.count >= Self.entryCharacters {
        offers += try Self.entries(text, limit: share, db)
      }
    }
    return Array(offers.prefix(max(0, limit)))
  }

  /// Returns the days that a text means, or today and its neighbours if it is empty.
  private static func days(_ text: String, today: DayKey, reader: TimeReader) -> [DayKey] {
    if text.isEmpty { return [today, today.advanced(by: -1)] }
    if let day = LinkedDay.read(text) { return [day] }
    // While a date is still incomplete, it would mean a different day.
    guard text.count >= 3, let phrase = try? reader.phrase(text), let from = phrase.from,
      case .day(let day) = from, phrase.to == from
    else { return [] }
    return [day]
  }

  private static func people(_ folded: String, limit: Int, _ db: Database) throws -> [LinkOffer] {
    let columns = """
      SELECT persons.pk, persons.id, coalesce(\(PersonRecord.name), value) AS label, value
      FROM person_names JOIN persons ON persons.pk = person_pk
      """
    var rows = try Row.fetchAll(
      db,
      cached: """
        \(columns) WHERE folded >= ?1 AND folded < ?1 || char(1114111) AND folded <> ''
          AND role IN ('name', 'alias') ORDER BY folded LIMIT \(offerCandidates)
        """, arguments: [folded])
    if rows.count < limit, !folded.isEmpty {
      rows += try Row.fetchAll(
        db,
        cached: """
          \(columns) WHERE instr(folded, ' ' || ?1) > 0 AND role IN ('name', 'alias')
          LIMIT \(offerCandidates)
          """, arguments: [folded])
    }
    let uses = try db.cachedStatement(
      sql: "SELECT count(*) FROM (SELECT 1 FROM mentions WHERE person_pk = ? LIMIT 1000)")
    var seen: Set<Int64> = []
    let ranked = try rows.filter { seen.insert($0["pk"]).inserted }
      .map { (row: $0, uses: try Int.fetchOne(uses, arguments: [$0["pk"] as Int64]) ?? 0) }
      .sorted { $0.uses > $1.uses }
    return try ranked.prefix(limit).map { row, _ in
      try offer(LinkTarget(.person, id: try row.identity("id"), label: row["label"]), db)
    }
  }

  private static func notes(_ folded: String, limit: Int, _ db: Database) throws -> [LinkOffer] {
    let columns = """
      SELECT notes.pk, notes.id, notes.title, notes.day_key
      FROM note_names JOIN notes ON notes.pk = note_pk
      """
    var rows: [Row]
    if folded.isEmpty {
      rows = try Row.fetchAll(
        db,
        cached: """
          SELECT pk, id, title, day_key FROM notes WHERE title IS NOT NULL AND title <> ''
          ORDER BY pk DESC LIMIT ?
          """, arguments: [limit])
    } else {
      rows = try Row.fetchAll(
        db,
        cached: """
          \(columns) WHERE folded >= ?1 AND folded < ?1 || char(1114111) ORDER BY folded LIMIT ?2
          """, arguments: [folded, limit])
      if rows.count < limit {
        rows += try Row.fetchAll(
          db, cached: "\(columns) WHERE instr(folded, ' ' || ?1) > 0 LIMIT ?2",
          arguments: [folded, limit])
      }
    }
    var seen: Set<Int64> = []
    return try rows.filter { seen.insert($0["pk"]).inserted }.prefix(limit).map { row in
      let day = (row["day_key"] as String?).flatMap(DayKey.init)
      return try offer(
        LinkTarget(.note, id: try row.identity("id"), day: day, label: row["title"]), db)
    }
  }

  private static func tags(_ folded: String, limit: Int, _ db: Database) throws -> [LinkOffer] {
    try Row.fetchAll(
      db,
      cached: """
        SELECT id, name FROM tags WHERE folded >= ?1 AND folded < ?1 || char(1114111)
        ORDER BY folded LIMIT ?2
        """, arguments: [folded, limit]
    ).compactMap { row -> LinkOffer? in
      let name: String = row["name"]
      let isWord = !name.contains { $0.isWhitespace }
      // Nothing in a text can refer to a tag such as “rest [easy]”.
      guard isWord || TextLink.canName(name) else { return nil }
      return LinkOffer(
        target: LinkTarget(.tag, id: try row.identity("id"), label: name),
        insert: isWord ? "#\(name)" : "[[\(name)]]")
    }
  }

  /// Returns the latest entries whose line has words that begin with the typed text.
  private static func entries(_ text: String, limit: Int, _ db: Database) throws -> [LinkOffer] {
    let words = Segmentation.spaced(text).split { !$0.isLetter && !$0.isNumber }
    guard let last = words.last, words.count <= 12 else { return [] }
    let match =
      "title : (" + words.dropLast().map { "\"\($0)\" " }.joined() + "\"\(last)\" *)"
    return try Row.fetchAll(
      db,
      cached: """
        SELECT it.id, it.day_key, substr(it.text, 1, 80) AS label, meetings.id AS meeting
        FROM (SELECT rowid FROM search_words WHERE search_words MATCH ? AND rowid % 8 = 0
          ORDER BY rowid DESC LIMIT \(offerCandidates)) AS found
        JOIN activities AS it ON it.pk = found.rowid / 8
        LEFT JOIN meetings ON activity_pk = it.pk
        ORDER BY it.day_key DESC, it.pk DESC LIMIT ?
        """, arguments: [match, limit]
    ).map { row in
      let id = try row.identity("id")
      let label = MarkdownText.plain(row["label"]).split(whereSeparator: \.isNewline)
        .joined(separator: " ")
      let isMeeting = (row["meeting"] as String?) != nil
      return LinkOffer(
        target: LinkTarget(
          isMeeting ? .meeting : .activity, id: id, day: try row.day("day_key"), label: label,
          entry: id),
        insert: TextLink.text(entry: id, shown: label))
    }
  }

  /// Returns an offer by name, or by ID if the name is ambiguous.
  private static func offer(_ target: LinkTarget, _ db: Database) throws -> LinkOffer {
    let name = target.label
    if TextLink.canName(name), let link = TextLink.links(in: "[[\(name)]]").first {
      let found = try targets(of: link.keys, db)
      if found.count == 1, found[0].id == target.id {
        return LinkOffer(target: target, insert: "[[\(name)]]")
      }
    }
    guard let id = target.id else { return LinkOffer(target: target, insert: name) }
    return LinkOffer(target: target, insert: TextLink.text(entry: id, shown: name))
  }
}
