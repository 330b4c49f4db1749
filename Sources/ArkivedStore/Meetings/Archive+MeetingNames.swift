package import ArkivedCore
import Foundation
import GRDB

/// Finding meetings, people and notes by the names people use.
extension Archive {
  /// Returns the meeting for "next", an ID or the beginning of one, or a title or a part of one.
  ///
  /// If several have the same title, the result is the next one that has not ended, otherwise the
  /// latest.
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` if different titles match.
  package func meeting(named text: String, now: Instant) throws -> MeetingEntry {
    let wanted = NameFolding.loose(text.trimmingCharacters(in: .whitespacesAndNewlines))
    guard !wanted.isEmpty else { throw ArchiveError.notFound("No name given for the meeting.") }
    if wanted == "next" {
      guard let next = try nextMeeting(at: now) else {
        throw ArchiveError.notFound("No upcoming meeting with other people.")
      }
      return next
    }
    let found = try read { db in
      let digits = Archive.identityDigits(text)
      let identified =
        try digits.map {
          try MeetingRows.fetch(
            db, where: "it.id >= ? AND it.id < ?", arguments: [$0, $0 + "Z"], limit: 2)
        } ?? []
      guard identified.isEmpty || Archive.mayBeWord(digits) else { return identified }
      let keys = try Archive.meetings(called: wanted, at: now, db)
      let called = try MeetingRows.fetch(
        db, where: "it.pk IN (\(KeyList.sql))", arguments: [KeyList.text(keys)],
        order: "+activity.day_key, activity.start_at, it.pk")
      let isTitle = called.contains { NameFolding.loose($0.title) == wanted }
      return identified.isEmpty || isTitle ? called : identified
    }
    let titles = Set(found.map { NameFolding.loose($0.title) })
    guard titles.count < 2 || found.count == 1 else {
      let lines = found.suffix(5).map {
        "\n  \($0.id.uuidString.prefix(8))  \($0.activity.dayKey)  \($0.title)"
      }
      throw ArchiveError.ambiguous(
        "“\(text.prefix(60))” matches several. Choose one by its ID:" + lines.joined()
          + (found.count > 5 ? "\n  …" : ""))
    }
    let ahead = found.first { entry in
      let activity = entry.activity
      // Without times, it lasts until its day is over.
      let end =
        activity.endAt ?? activity.startAt
        ?? activity.zone.start(of: activity.dayKey.advanced(by: 1))
      return end > now && entry.meeting.counts
    }
    guard let meeting = ahead ?? found.last else {
      throw ArchiveError.notFound("No meeting named “\(text.prefix(60))”.")
    }
    return meeting
  }

  /// Returns true if the first digits of an ID may also be a title or a name, such as “2025” or
  /// “Edda”, which is then meant; IDs are shown with eight digits or more.
  private static func mayBeWord(_ digits: String?) -> Bool {
    digits.map { $0.utf8.count < 8 } ?? true
  }

  /// Returns the meetings that match a folded title or a part of one: for one title, those that
  /// have not ended and the latest; for several titles the latest, with at least two titles among
  /// them.
  private static func meetings(
    called wanted: String, at now: Instant, _ db: Database
  ) throws -> [Int64] {
    struct Named {
      var key: Int64
      var title: String
      var end: Int64?
    }
    // Titles are folded here because SQLite folds only ASCII; a series has one title for all its
    // times. A day without times is over in all zones when the second one after it begins in UTC.
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT it.pk, activity.text, coalesce(activity.end_at, activity.start_at,
          CAST(strftime('%s', activity.day_key, '+2 days') AS INTEGER) * 1000)
        FROM meetings AS it JOIN activity_rows AS activity ON activity.pk = it.activity_pk
        ORDER BY +activity.day_key DESC, activity.start_at DESC, it.pk DESC
        """)
    var folded: [String: String] = [:]
    var exact: [Named] = []
    var partial: [Named] = []
    while let row = try rows.next(), exact.count < 2_000 {
      let text: String = row[1]
      let title = folded[text] ?? NameFolding.loose(text)
      folded[text] = title
      let named = Named(key: row[0], title: title, end: row[2])
      if title == wanted {
        exact.append(named)
      } else if partial.count < 2_000, title.contains(wanted) {
        partial.append(named)
      }
    }
    let found = exact.isEmpty ? partial : exact
    guard let latest = found.first else { return [] }
    guard let other = found.first(where: { $0.title != latest.title }) else {
      let ahead = found.dropFirst().filter { $0.end.map { $0 > now.milliseconds } ?? false }
      return [latest.key] + ahead.map(\.key)
    }
    return found.prefix(6).map(\.key) + [other.key]
  }

  /// Returns the person with a name, an alias, an address, a first name or an ID.
  ///
  /// - Throws: `ArchiveError.notFound`, or `.ambiguous` with the candidates.
  package func person(named text: String) throws -> Person {
    let folded = NameFolding.key(text.hasPrefix("@") ? String(text.dropFirst()) : text)
    guard !folded.isEmpty else { throw ArchiveError.notFound("No name given for the person.") }
    let people = try read { db -> [Person] in
      let isName =
        try !Archive.people("role IN ('name', 'alias') AND folded = ?1", folded, db).isEmpty
      if !isName, let digits = Archive.identityDigits(text) {
        let named = try PersonRecord.fetch(
          db, where: "id >= ? AND id < ?", arguments: [digits, digits + "Z"])
        if !named.isEmpty { return named.map(\.person) }
      }
      let called = try Archive.people(called: folded, db)
      guard called.isEmpty else { return called }
      let containing = try Archive.people("instr(folded, ?1) > 0", folded, db)
      guard containing.isEmpty else { return containing }
      // As typed without its accents.
      let keys = try PersonRows.keys(matching: folded, db)
      return try PersonRecord.fetch(
        db, where: "pk IN (\(KeyList.sql))", arguments: [KeyList.text(Array(keys))]
      ).map(\.person)
    }
    guard let person = people.first else {
      throw ArchiveError.notFound("No person named “\(text.prefix(60))”.")
    }
    guard people.count == 1 else {
      let lines = people.prefix(5).map { "\n  \($0.id.uuidString.prefix(8))  \($0.tellingName)" }
      throw ArchiveError.ambiguous(
        "“\(text.prefix(60))” matches several people. Choose one by their ID:" + lines.joined()
          + (people.count > 5 ? "\n  …" : ""))
    }
    return person
  }

  /// Returns everybody that a name, an alias, an address or a first name may refer to: those with
  /// that exact name; if there is none, those with that alias or address; otherwise those whose
  /// name begins with it.
  package func people(called text: String) throws -> [Person] {
    let folded = NameFolding.key(text.hasPrefix("@") ? String(text.dropFirst()) : text)
    return folded.isEmpty ? [] : try read { db in try Archive.people(called: folded, db) }
  }

  private static func people(called folded: String, _ db: Database) throws -> [Person] {
    for condition in [
      "role = 'name' AND folded = ?1", "folded = ?1",
      "role IN ('name', 'alias') AND folded >= ?1 || ' ' AND folded < ?1 || '!'",
    ] {
      let named = try people(condition, folded, db)
      if !named.isEmpty { return named }
    }
    return []
  }

  private static func people(
    _ condition: String, _ folded: String, _ db: Database
  ) throws -> [Person] {
    try PersonRecord.fetch(
      db, where: "pk IN (SELECT person_pk FROM person_names WHERE \(condition))",
      arguments: [folded]
    ).map(\.person)
  }

  /// Returns the note with an ID, the beginning of one, a title or a part of it; if several have
  /// the same title, the one changed last.
  package func note(named text: String) throws -> Note {
    let wanted = NameFolding.loose(text.trimmingCharacters(in: .whitespacesAndNewlines))
    guard !wanted.isEmpty else { throw ArchiveError.notFound("No name given for the note.") }
    let notes = try read { db -> [Note] in
      let digits = Archive.identityDigits(text)
      let identified =
        try digits.map {
          try Note.fetch(db, where: "it.id >= ? AND it.id < ?", arguments: [$0, $0 + "Z"])
        } ?? []
      guard identified.isEmpty || Archive.mayBeWord(digits) else { return identified }
      let called = try Archive.notes(called: wanted, db)
      let isExact = called.first.map { NameFolding.loose($0.headline) == wanted } ?? false
      return isExact || identified.isEmpty ? called : identified
    }
    guard let note = notes.first else {
      throw ArchiveError.notFound("No note named “\(text.prefix(60))”.")
    }
    guard Set(notes.map { NameFolding.loose($0.headline) }).count == 1 else {
      let lines = notes.prefix(5).map { "\n  \($0.id.uuidString.prefix(8))  \($0.headline)" }
      throw ArchiveError.ambiguous(
        "“\(text.prefix(60))” matches several. Choose one by its ID:" + lines.joined()
          + (notes.count > 5 ? "\n  …" : ""))
    }
    return note
  }

  /// The number of characters of a text in which its first line is nearly always found.
  private static let beginning = 2_000

  /// Returns the note changed last whose headline is a folded name; if there is none, the latest
  /// ones whose headline contains it, with at least two headlines among them if there are several.
  ///
  /// Of all others, only titles are read, or the beginning of a text without a title, because texts
  /// may be long.
  private static func notes(called wanted: String, _ db: Database) throws -> [Note] {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT pk, title, CASE WHEN trim(coalesce(title, '')) = ''
          THEN substr(ltrim(plain_text, char(10)), 1, \(beginning)) END AS beginning
        FROM notes ORDER BY updated_at DESC, pk DESC
        """)
    let whole = try db.cachedStatement(sql: "SELECT plain_text FROM notes WHERE pk = ?")
    func headline(_ row: Row) throws -> String {
      let beginning: String? = row["beginning"]
      if let found = Note.headline(title: row["title"], plainText: beginning ?? "") {
        return found
      }
      let text = try String.fetchOne(whole, arguments: [row["pk"] as Int64])
      return Note.headline(title: nil, plainText: text ?? "") ?? Note.emptyHeadline
    }
    var exact: Int64?
    var partial: [(key: Int64, headline: String)] = []
    var other: Int64?
    while exact == nil, let row = try rows.next() {
      let folded = NameFolding.loose(try headline(row))
      if folded == wanted {
        exact = row["pk"]
      } else if folded.contains(wanted) {
        if partial.count < 6 {
          partial.append((row["pk"], folded))
        } else if other == nil, folded != partial[0].headline {
          other = row["pk"]
        }
      }
    }
    let keys = exact.map { [$0] } ?? partial.map(\.key) + [other].compactMap(\.self)
    return try Note.fetch(
      db, where: "it.pk IN (\(KeyList.sql))", arguments: [KeyList.text(keys)],
      order: "it.updated_at DESC, it.pk DESC")
  }

  /// Returns a participant, linked if their address is known.
  package func linking(_ attendance: Attendance) throws -> Attendance {
    guard attendance.personID == nil, let address = attendance.address,
      let known = try people(named: address).first
    else { return attendance }
    var linked = attendance
    (linked.personID, linked.name) = (known.id, known.name)
    return linked
  }
}
