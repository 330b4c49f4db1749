package import ArkivedCore
package import Foundation
import GRDB

/// A filter for a list of notes; the note changed last comes first.
package struct NoteFilter: Hashable, Sendable {
  package var meeting: UUID?
  /// True to include only standalone notes.
  package var isFree = false
  /// The first and last day to which they belong, inclusive.
  package var from: DayKey?
  package var to: DayKey?
  package var tag: String?
  package var person: UUID?
  package var limit = 50
  package var offset = 0

  package init() {}
}

extension Archive {
  package func note(_ id: UUID) throws -> Note? {
    try read { db in try Note.fetchOne(db, id: id) }
  }

  package func notes(_ filter: NoteFilter) throws -> [Note] {
    try datedNotes(filter).map(\.note)
  }

  /// Returns notes with the day on which search finds each: its own day, that of its meeting, or
  /// otherwise that of its creation in UTC.
  package func datedNotes(_ filter: NoteFilter) throws -> [(note: Note, day: DayKey)] {
    try read { db in
      let (condition, arguments) = filter.sql
      return try Row.fetchAll(
        db,
        cached: """
          \(Note.selection(from: "notes")) WHERE \(condition)
          ORDER BY it.updated_at DESC, it.pk DESC LIMIT ? OFFSET ?
          """, arguments: arguments + [max(0, filter.limit), max(0, filter.offset)]
      ).map { row in (note: try Note.read(row), day: try row.day("shown_day")) }
    }
  }

  /// Passes on all notes in the order in which they were written.
  package func forEachNote(_ body: (Note) throws -> Void) throws {
    try read { db in
      let rows = try Row.fetchCursor(
        db, sql: "\(Note.selection(from: "notes")) ORDER BY it.created_at, it.pk")
      while let row = try rows.next() { try body(try Note.read(row)) }
    }
  }

  package func countNotes(_ filter: NoteFilter) throws -> Int {
    try read { db in
      let (condition, arguments) = filter.sql
      return try Int.fetchOne(
        db, sql: "SELECT count(*) FROM notes AS it WHERE \(condition)", arguments: arguments) ?? 0
    }
  }

  /// Adds a note; the people named in it are linked.
  @discardableResult
  package func create(_ note: Note, by author: Author = .owner) throws -> Saved<Note> {
    let (value, change) = try write(
      by: author, "add", "Added the note “\(note.headline.prefix(120))”"
    ) { scope in try scope.add(note) }
    return Saved(value: value, change: change)
  }

  /// Changes a note; the previous version is added to the history.
  ///
  /// Links by its former title get the new one.
  ///
  /// - Parameters:
  ///   - id: the ID of the note.
  ///   - version: if given, the `updatedAt` the caller last saw.
  ///   - author: the author of the change.
  ///   - summary: the text for the list of changes; the default if nil.
  ///   - edit: makes the changes.
  /// - Returns: the note as saved, and the change; nil for the change if nothing is different.
  /// - Throws: `ArchiveError.notFound`, `.conflict`, `FieldError`.
  package func updateNote(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner, summary: String? = nil,
    _ edit: (inout Note) throws -> Void
  ) throws -> Saved<Note> {
    try transact { db in
      try updateNote(id, in: db, version: version, by: author, summary: summary, edit)
    }
  }

  /// Changes a note within a transaction.
  func updateNote(
    _ id: UUID, in db: Database, version: Instant? = nil, by author: Author,
    summary: String? = nil, _ edit: (inout Note) throws -> Void
  ) throws -> Saved<Note> {
    var scope = try openScope(db, by: author, "edit", "")
    guard let old = try Note.fetchOne(db, id: id) else {
      throw ArchiveError.notFound("No note with the ID \(id.uuidString).")
    }
    try Archive.check(version, against: old.updatedAt, "This note")
    var new = old
    try edit(&new)
    if new.text != old.text || new.title != old.title { new.people = try scope.people(in: new) }
    guard new != old || Archive.differ(new.json, old.json) else {
      try scope.forget()
      return Saved(value: old, change: nil)
    }
    try scope.summarise(summary ?? "Changed the note “\(old.headline.prefix(120))”")
    new.updatedAt = max(scope.now, Instant(milliseconds: old.updatedAt.milliseconds + 1))
    try scope.updateEntity(new)
    try scope.followTitle(of: new, from: old)
    return Saved(value: new, change: scope.change)
  }

  @discardableResult
  package func deleteNote(
    _ id: UUID, version: Instant? = nil, by author: Author = .owner
  ) throws -> Saved<Note> {
    let (value, change) = try write(by: author, "delete", "") { scope in
      guard let old = try Note.fetchOne(scope.db, id: id) else {
        throw ArchiveError.notFound("No note with the ID \(id.uuidString).")
      }
      try Archive.check(version, against: old.updatedAt, "This note")
      try scope.summarise("Deleted the note “\(old.headline.prefix(120))”")
      return try scope.deleteEntity(Note.self, id)
    }
    return Saved(value: value, change: change)
  }

  /// Checks or unchecks a checkbox of a note.
  ///
  /// - Parameters:
  ///   - line: the line of the note, from 1.
  ///   - id: its ID.
  ///   - isDone: true if it is done.
  ///   - text: if given, the text of the promise there; another one is a conflict.
  ///   - version: if given, the `updatedAt` the caller last saw; another one is a conflict.
  ///   - author: who makes the change.
  /// - Returns: the note as saved.
  /// - Throws: `ArchiveError.conflict` if the line is not such a checkbox.
  package func setPromise(
    line: Int, ofNote id: UUID, isDone: Bool, text: String? = nil, version: Instant? = nil,
    by author: Author = .owner
  ) throws -> Saved<Note> {
    try updateNote(id, version: version, by: author) { note in
      guard let changed = PromiseMark.set(isDone, line: line, in: note.text, expecting: text) else {
        throw ArchiveError.conflict(
          "Line \(line) of that note no longer contains this checkbox. Look at the note again.")
      }
      note.text = changed
    }
  }
}

extension ChangeScope {
  /// Adds a note with the people it names.
  func add(_ note: Note) throws -> Note {
    var note = note
    note.people = try people(in: note)
    try insertEntity(note)
    return note
  }

  /// Returns the people who may be named in a text; of all others, only names are read.
  func knownPeople(in text: String) throws -> [KnownPerson] {
    let words = NoteMentions.words(in: text)
    guard !words.isEmpty else { return [] }
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql: "SELECT folded, person_pk FROM person_names WHERE role <> 'address'"))
    var keys: Set<Int64> = []
    while let row = try rows.next() {
      if PersonReader.begins(row[0] as String, with: words) { keys.insert(row[1]) }
    }
    guard !keys.isEmpty else { return [] }
    return try PersonRecord.fetch(
      db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(keys.sorted())]
    ).map {
      KnownPerson(id: $0.person.id, name: $0.person.displayName, aliases: $0.person.aliases)
    }
  }

  /// Returns the people named in a note; existing links stay as long as the name is in the note.
  fileprivate func people(in note: Note) throws -> [Mention] {
    let text = [note.title, note.text].compactMap { $0 }.joined(separator: "\n")
    return NoteMentions(people: try knownPeople(in: text))
      .mentions(in: text, before: note.people.filter { $0.personID != nil })
      .filter { !PromiseReader.isOwner($0.name) }
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
        [Tag.key(tag)])
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
