import ArkivedCore
import Foundation
import GRDB

/// Reads promises with what they belong to.
enum PromiseRows {
  static func fetch(_ filter: PromiseFilter, _ db: Database) throws -> [StoredPromise] {
    var conditions: [String] = []
    var arguments = StatementArguments()
    if !filter.includesDone { conditions.append("one.is_done = 0") }
    switch filter.owner {
    case .anybody: break
    case .me: conditions.append("one.owner IS NULL")
    case .person(let id):
      conditions.append("\(owner) = (SELECT pk FROM persons WHERE id = ?)")
      arguments += [id.uuidString]
    }
    if !filter.people.isEmpty {
      conditions.append(
        """
        note.pk IN (
          SELECT note_pk FROM note_mentions WHERE person_pk IN \(people)
          UNION SELECT note_rows.pk FROM note_rows
          JOIN attendance_rows ON attendance_rows.meeting_pk = note_rows.meeting_pk
          WHERE person_pk IN \(people)
          UNION SELECT note_pk FROM promise_rows JOIN person_names
            ON person_names.folded = owner_folded OR person_names.folded LIKE owner_folded || ' %'
          WHERE person_pk IN \(people))
        """)
      let list = JSON(filter.people.map(\.uuidString)).text()
      arguments += [list, list, list]
    }
    if let meeting = filter.meeting {
      conditions.append("note.meeting_pk = (SELECT pk FROM meetings WHERE id = ?)")
      arguments += [meeting.uuidString]
    }
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT one.*, note.id AS note_id, note.title, note.plain_text, note.shown_day,
          meeting.id AS meeting_id, meeting.pk AS meeting_pk, activity.text AS meeting_title,
          (SELECT json_group_array(json_array(folded, person_pk)) FROM note_mentions
            WHERE note_pk = one.note_pk AND person_pk IS NOT NULL) AS mentioned
        FROM promise_rows AS one JOIN notes AS note ON note.pk = one.note_pk
        LEFT JOIN meetings AS meeting ON meeting.pk = note.meeting_pk
        LEFT JOIN activity_rows AS activity ON activity.pk = meeting.activity_pk
        WHERE \(conditions.isEmpty ? "1" : conditions.joined(separator: " AND "))
        ORDER BY one.is_done, one.due IS NULL, one.due, note.shown_day DESC, note.pk, one.line
        LIMIT ?
        """, arguments: arguments + [filter.people.isEmpty ? max(0, filter.limit) : 100_000])
    var found: [StoredPromise] = []
    var reading = Reading(db)
    for row in rows {
      let promise = try reading.promise(row)
      if !filter.people.isEmpty {
        let concerned = [promise.ownerID] + promise.to.map(\.personID)
        guard concerned.contains(where: { $0.map(filter.people.contains) ?? false }) else {
          continue
        }
      }
      found.append(promise)
      if found.count == filter.limit { break }
    }
    return found
  }

  /// The people of a list of identities.
  private static let people =
    "(SELECT pk FROM persons WHERE id IN (SELECT value FROM json_each(?)))"

  /// Who promised: the only person whom the name after the @ means, among those in the note first.
  private static let owner = """
    coalesce(
      (SELECT person_pk FROM note_mentions WHERE note_pk = one.note_pk AND person_pk IS NOT NULL
        AND (folded = one.owner_folded OR folded LIKE one.owner_folded || ' %') LIMIT 1),
      (SELECT CASE WHEN count(DISTINCT person_pk) = 1 THEN max(person_pk) END FROM person_names
        WHERE folded = one.owner_folded),
      (SELECT CASE WHEN count(DISTINCT person_pk) = 1 THEN max(person_pk) END FROM person_names
        WHERE role IN ('name', 'alias') AND folded LIKE one.owner_folded || ' %'))
    """

  /// Reads promises one after the other; what many have in common is looked up once.
  private struct Reading {
    private struct Somebody {
      var name: String
      var id: UUID?
    }

    private let db: Database
    private var owners: [String: Int64?] = [:]
    private var people: [Int64: UUID?] = [:]
    private var company: [Int64: [Somebody]] = [:]

    init(_ db: Database) { self.db = db }

    mutating func promise(_ row: Row) throws -> StoredPromise {
      let named = try (JSON(parsing: row["named"] as String).array ?? []).compactMap(\.string)
      let note: Int64 = row["note_pk"]
      let owner = try self.owner(row)
      var to: [Mention] = []
      for name in named {
        let person = try Row.fetchOne(
          db,
          cached: """
            SELECT persons.id, one.name FROM note_mentions AS one
            JOIN persons ON persons.pk = one.person_pk
            WHERE note_pk = ?1 AND (one.folded = ?2 OR one.folded LIKE ?2 || ' %') LIMIT 1
            """, arguments: [note, NameFolding.key(name)])
        to.append(
          try person.map { Mention(name: $0["name"], personID: try $0.identity("id")) }
            ?? Mention(name: name))
      }
      if to.isEmpty, let meeting = row["meeting_pk"] as Int64? {
        to = try others(in: meeting).filter { $0.id != owner || owner == nil }
          .map { Mention(name: $0.name, personID: $0.id) }
      }
      let plain: String = row["plain_text"]
      let title: String? = row["title"]
      return StoredPromise(
        promise: Promise(
          line: row["line"], text: row["text"], isDone: row["is_done"], owner: row["owner"],
          named: named, due: (row["due"] as String?).flatMap(DayKey.init)),
        noteID: try row.identity("note_id"),
        noteTitle: title ?? plain.split(separator: "\n").first.map { String($0.prefix(80)) }
          ?? "Note",
        noteDay: try row.day("shown_day"),
        meetingID: (row["meeting_id"] as String?).flatMap { UUID(uuidString: $0) },
        meetingTitle: row["meeting_title"], ownerID: owner, to: to)
    }

    /// Who promised, as `PromiseRows.owner` says it.
    private mutating func owner(_ row: Row) throws -> UUID? {
      guard let name = row["owner_folded"] as String? else { return nil }
      let mentioned = try JSON(parsing: row["mentioned"] as String).array ?? []
      let inNote = mentioned.first { one in
        guard let folded = one.array?.first?.string else { return false }
        return folded == name || folded.hasPrefix(name + " ")
      }?.array?.last?.int.map(Int64.init)
      guard let key = try inNote ?? person(named: name) else { return nil }
      if let known = people[key] { return known }
      let id = try String.fetchOne(
        db, cached: "SELECT id FROM persons WHERE pk = ?", arguments: [key])
      let found = id.flatMap { UUID(uuidString: $0) }
      people[key] = .some(found)
      return found
    }

    private mutating func person(named name: String) throws -> Int64? {
      if let known = owners[name] { return known }
      let found = try Int64.fetchOne(
        db,
        cached: """
          SELECT coalesce(
            (SELECT CASE WHEN count(DISTINCT person_pk) = 1 THEN max(person_pk) END
              FROM person_names WHERE folded = ?1),
            (SELECT CASE WHEN count(DISTINCT person_pk) = 1 THEN max(person_pk) END
              FROM person_names
              WHERE role IN ('name', 'alias') AND folded >= ?1 || ' ' AND folded < ?1 || '!'))
          """, arguments: [name])
      owners[name] = .some(found)
      return found
    }

    private mutating func others(in meeting: Int64) throws -> [Somebody] {
      if let known = company[meeting] { return known }
      let found = try Row.fetchAll(
        db,
        cached: """
          SELECT coalesce(known.value, one.name) AS name, persons.id FROM attendance_rows AS one
          LEFT JOIN persons ON persons.pk = one.person_pk
          LEFT JOIN person_names AS known ON known.person_pk = persons.pk AND known.role = 'name'
          WHERE meeting_pk = ? AND reply <> 'declined' ORDER BY one.position
          """, arguments: [meeting]
      ).map {
        Somebody(name: $0["name"], id: ($0["id"] as String?).flatMap { UUID(uuidString: $0) })
      }
      company[meeting] = found
      return found
    }
  }
}
