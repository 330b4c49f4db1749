package import ArkivedCore
package import Foundation
import GRDB

/// Which notes a list holds; the one that was changed last comes first.
package struct NoteFilter: Hashable, Sendable {
  package var meeting: UUID?
  /// Only those that stand alone.
  package var isFree = false
  /// The days on which they are found, both included.
  package var from: DayKey?
  package var to: DayKey?
  package var tag: String?
  package var person: UUID?
  package var limit = 50
  package var offset = 0

  package init() {}
}

/// A promise with the note it stands in.
package struct StoredPromise: Hashable, Sendable {
  package var promise: Promise
  package var noteID: UUID
  package var noteTitle: String
  package var noteDay: DayKey
  package var meetingID: UUID?
  package var meetingTitle: String?
  /// Who promised it, where that is known; nil for the owner of the archive too.
  package var ownerID: UUID?
  /// Whom it was promised to: who is named in it, else who else took part in the meeting.
  package var to: [Mention]

  package var json: JSON {
    [
      "text": .string(promise.text), "isDone": .bool(promise.isDone),
      "owner": JSON(promise.owner), "ownerId": JSON(ownerID?.uuidString),
      "isMine": .bool(promise.owner == nil), "to": .array(to.map(\.json)),
      "due": JSON(promise.due), "line": JSON(promise.line),
      "noteId": .string(noteID.uuidString), "noteTitle": .string(noteTitle),
      "noteDay": JSON(noteDay), "meetingId": JSON(meetingID?.uuidString),
      "meetingTitle": JSON(meetingTitle),
    ]
  }
}

/// Which promises a list holds.
package struct PromiseFilter: Hashable, Sendable {
  package enum Owner: Hashable, Sendable {
    case anybody, me
    case person(UUID)
  }

  package var owner = Owner.anybody
  /// Only those that concern one of these people: who promised, is named, or took part.
  package var people: [UUID] = []
  package var includesDone = false
  package var meeting: UUID?
  package var limit = 10_000

  package init() {}
}

extension Archive {
  package func note(_ id: UUID) throws -> Note? {
    try read { db in try Note.fetchOne(db, id: id) }
  }

  package func notes(_ filter: NoteFilter) throws -> [Note] {
    try read { db in
      let (condition, arguments) = filter.sql
      return try Row.fetchAll(
        db,
        cached: """
          \(Note.selection(from: "notes")) WHERE \(condition)
          ORDER BY it.updated_at DESC, it.pk DESC LIMIT ? OFFSET ?
          """, arguments: arguments + [max(0, filter.limit), max(0, filter.offset)]
      ).map(Note.read)
    }
  }

  package func countNotes(_ filter: NoteFilter) throws -> Int {
    try read { db in
      let (condition, arguments) = filter.sql
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM notes AS it WHERE \(condition)", arguments: arguments) ?? 0
    }
  }

  /// Adds a note; who is named in it is linked.
  @discardableResult
  package func create(_ note: Note, by author: Author = .owner) throws -> Saved<Note> {
    let (value, change) = try write(
      by: author, "add", "Added the note “\(note.headline.prefix(120))”"
    ) { scope in
      var note = note
      note.people = try scope.people(in: note)
      try scope.insertEntity(note)
      return note
    }
    return Saved(value: value, change: change)
  }

  /// Changes a note; the version before goes to the history.
  ///
  /// - Parameter version: when given, the `updatedAt` the caller last saw.
  /// - Throws: `ArchiveError.notFound`, `.conflict`, `FieldError`.
  package func updateNote(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner,
    _ edit: (inout Note) throws -> Void
  ) throws -> Saved<Note> {
    try writer.write { db in
      var scope = try openScope(db, by: author, "edit", "")
      guard let old = try Note.fetchOne(db, id: id) else {
        throw ArchiveError.notFound("note \(id.uuidString)")
      }
      try Archive.check(version, against: old.updatedAt, "This note")
      var new = old
      try edit(&new)
      if new.text != old.text || new.title != old.title { new.people = try scope.people(in: new) }
      guard new != old else {
        try scope.forget()
        return Saved(value: old, change: nil)
      }
      try scope.summarise("Changed the note “\(old.headline.prefix(120))”")
      new.updatedAt = max(scope.now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
      try scope.updateEntity(new)
      return Saved(value: new, change: scope.change)
    }
  }

  @discardableResult
  package func deleteNote(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<Note> {
    let (value, change) = try write(by: author, "delete", "") { scope in
      guard let old = try Note.fetchOne(scope.db, id: id) else {
        throw ArchiveError.notFound("note \(id.uuidString)")
      }
      try Archive.check(version, against: old.updatedAt, "This note")
      try scope.summarise("Deleted the note “\(old.headline.prefix(120))”")
      return try scope.deleteEntity(Note.self, id)
    }
    return Saved(value: value, change: change)
  }

  /// Ticks a checkbox of a note, or takes its tick away.
  ///
  /// - Parameters:
  ///   - line: the line of the note, from 1.
  ///   - text: when given, what the promise there says; another one is a conflict.
  /// - Throws: `ArchiveError.conflict` where the line is no such checkbox.
  package func setPromise(
    line: Int, ofNote id: UUID, isDone: Bool, text: String? = nil, version: Instant? = nil,
    by author: Author = .owner
  ) throws -> Saved<Note> {
    try updateNote(id, version: version, by: author) { note in
      guard let changed = PromiseMark.set(isDone, line: line, in: note.text, expecting: text) else {
        throw ArchiveError.conflict(
          "Line \(line) of that note is no such checkbox any more. Look at the note again.")
      }
      note.text = changed
    }
  }

  /// Promises, the one that is due first at the top, those without a day last.
  package func promises(_ filter: PromiseFilter = PromiseFilter()) throws -> [StoredPromise] {
    try read { db in try PromiseRows.fetch(filter, db) }
  }
}

extension ChangeScope {
  /// Who is named in a note; those who were linked before stay while their name stands there.
  fileprivate func people(in note: Note) throws -> [Mention] {
    let text = [note.title, note.text].compactMap { $0 }.joined(separator: "\n")
    let words = PersonReader.words(in: text)
    let rows = try Row.fetchAll(
      db,
      cached: "SELECT folded, person_pk FROM person_names WHERE role <> 'address'")
    let keys = Set(
      rows.filter { PersonReader.begins($0[0] as String, with: words) }.map { $0[1] as Int64 })
    var known: [KnownPerson] = []
    for slice in keys.sorted().slices() {
      known += try PersonRecord.fetch(
        db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(slice)]
      ).map {
        KnownPerson(id: $0.person.id, name: $0.person.displayName, aliases: $0.person.aliases)
      }
    }
    return NoteMentions(people: known)
      .mentions(in: text, before: note.people.filter { $0.personID != nil })
      .filter { !["me", "myself"].contains($0.name.lowercased()) }
  }
}

extension NoteFilter {
  fileprivate var sql: (String, StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    func add(_ condition: String, _ values: StatementArguments = []) {
      conditions.append(condition)
      arguments += values
    }
    if let meeting {
      add("it.meeting_pk = (SELECT pk FROM meetings WHERE id = ?)", [meeting.uuidString])
    }
    if isFree { add("it.meeting_pk IS NULL") }
    if let from { add("it.shown_day >= ?", [from.description]) }
    if let to { add("it.shown_day <= ?", [to.description]) }
    if let tag {
      add(
        "it.pk IN (SELECT note_pk FROM note_tags JOIN tags ON tags.pk = tag_pk WHERE folded = ?)",
        [NameFolding.key(tag)])
    }
    if let person {
      add(
        """
        it.pk IN (SELECT note_pk FROM note_mentions
          WHERE person_pk = (SELECT pk FROM persons WHERE id = ?))
        """, [person.uuidString])
    }
    return (conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), arguments)
  }
}

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
