package import ArkivedCore
package import Foundation
import GRDB

/// The facts about people that reminders depend on.
extension Archive {
  /// Returns the people whose birthday a note states for a day, sorted by name, without those who
  /// have died.
  ///
  /// A note is about a person if it mentions nobody else, or has their name as its title.
  ///
  /// - Parameters:
  ///   - day: the day.
  ///   - people: the people to consider; nil for all.
  /// - Returns: the people with their birthdays.
  /// - Throws: `DatabaseError` if the archive can't be read.
  package func birthdays(
    on day: DayKey, of people: [UUID]? = nil
  ) throws -> [(person: UUID, birthday: Birthday)] {
    try read { db in
      // A birthday on 29 February is celebrated the day before in other years.
      let days = day.month == 2 && day.day == 28 ? ["28", "29"] : ["\(day.day)"]
      let found = try factNotes(
        """
        (note.text LIKE '%birthday%:%' OR note.text LIKE '%geburtstag%:%'
          OR note.text LIKE '%born%:%' OR note.text LIKE '%geboren%:%')
        AND (\(days.map { "instr(note.text, '\($0)') > 0" }.joined(separator: " OR ")))
        """, of: people, db)
      var birthdays: [UUID: (name: String, birthday: Birthday)] = [:]
      var dead: Set<UUID> = []
      for note in found {
        let facts = PersonFacts(in: note.text)
        if facts.hasDied { dead.insert(note.person) }
        guard let birthday = facts.birthday, birthday.isCelebrated(on: day),
          birthdays[note.person]?.birthday.year == nil
        else { continue }
        birthdays[note.person] = (note.name, birthday)
      }
      guard !birthdays.isEmpty else { return [] }
      try dead.formUnion(deadPeople(Array(birthdays.keys), db))
      return birthdays.filter { !dead.contains($0.key) }
        .sorted { ($0.value.name, $0.key.uuidString) < ($1.value.name, $1.key.uuidString) }
        .map { ($0.key, $0.value.birthday) }
    }
  }

  /// Returns a text that is another one after a note or a person has changed, which is faster than
  /// looking for birthdays.
  package func birthdayMark() throws -> String {
    try read { db in
      // Indexes cover both parts, so no text is read.
      try String.fetchOne(
        db,
        cached: """
          SELECT (SELECT count(*) || '.' || coalesce(max(updated_at), 0) || '.' || total(changed_pk)
            FROM notes) || ' ' || (SELECT count(*) || '.' || total(changed_pk) FROM persons)
          """) ?? ""
    }
  }

  /// Returns the people who haven't been seen for unusually long, those seen on most days first,
  /// without the owner and those who have died.
  package func unseenPeople(on today: DayKey) throws -> [NudgeFacts.Unseen] {
    try read { db in
      let sightings = try PersonSightings(today, clock.now, db)
      let first = today.advanced(by: -(Absence.longest + Absence.usual))
      // Each entry of the last two years is read once.
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT person.id, seen.day FROM (
            SELECT one.person_pk AS person_pk, it.day_key AS day FROM activities AS it
              CROSS JOIN mentions AS one ON one.activity_pk = it.pk
              WHERE it.day_key BETWEEN ?1 AND ?2 AND one.person_pk IS NOT NULL
            UNION SELECT one.person_pk, it.day_key FROM days AS it
              CROSS JOIN mentions AS one ON one.day_pk = it.pk
              WHERE it.day_key BETWEEN ?1 AND ?2 AND one.person_pk IS NOT NULL
            UNION SELECT one.person_pk, it.day_key FROM activities AS it
              CROSS JOIN meetings ON meetings.activity_pk = it.pk
              CROSS JOIN attendance_rows AS one ON one.meeting_pk = meetings.pk
              WHERE it.day_key BETWEEN ?1 AND ?2 AND one.person_pk IS NOT NULL
                AND meetings.status <> 'cancelled' AND meetings.is_event_deleted = 0
                AND \(OwnPerson.tookPart)
                AND \(sightings.isHeld(meeting: "meetings.pk", activity: "it", now: "?3"))
          ) AS seen JOIN persons AS person ON person.pk = seen.person_pk
          WHERE person.pk IS NOT ?4
          ORDER BY person.pk, seen.day
          """,
        arguments: [
          first.description, today.description, clock.now.milliseconds, sightings.own,
        ])
      var found: [(one: NudgeFacts.Unseen, count: Int)] = []
      var person: String?
      var days: [DayKey] = []
      func finish() {
        guard let id = person.flatMap({ UUID(uuidString: $0) }), let last = days.last,
          Absence.isLong(days, today: today)
        else { return }
        found.append((NudgeFacts.Unseen(id: id, lastSeen: last), days.count))
      }
      while let row = try rows.next() {
        let next: String = row[0]
        if next != person {
          finish()
          (person, days) = (next, [])
        }
        if let day = DayKey(row[1] as String) { days.append(day) }
      }
      finish()
      guard !found.isEmpty else { return [] }
      let dead = try deadPeople(found.map(\.one.id), db)
      return found.filter { !dead.contains($0.one.id) }.sorted { $0.count > $1.count }.map(\.one)
    }
  }

  private func deadPeople(_ people: [UUID], _ db: Database) throws -> Set<UUID> {
    let found = try factNotes(
      """
      (note.text LIKE '%died%:%' OR note.text LIKE '%storben%:%')
      """, of: people, db)
    return Set(found.filter { PersonFacts(in: $0.text).hasDied }.map(\.person))
  }

  /// Returns the notes about a person that meet a condition, which may let some others through:
  /// marks of emphasis may follow a label, as in `**Birthday**: 14 March`.
  private func factNotes(
    _ condition: String, of people: [UUID]?, _ db: Database
  ) throws -> [(person: UUID, name: String, text: String)] {
    let ids = people.map { JSON($0.map(\.uuidString)).text() }
    let among = """
      AND note.pk IN (SELECT note_pk FROM note_mentions JOIN persons ON persons.pk = person_pk
        WHERE persons.id IN (SELECT value FROM json_each(?1)))
      """
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT note.pk AS pk, note.title AS title, note.text AS text, person.id AS person,
          one.name AS name
        FROM notes AS note CROSS JOIN note_mentions AS one ON one.note_pk = note.pk
        CROSS JOIN persons AS person ON person.pk = one.person_pk
        WHERE \(condition) \(ids == nil ? "" : among) ORDER BY note.pk, one.position
        """, arguments: ids.map { [$0] } ?? [])
    let asked = people.map(Set.init)
    var notes: [(person: UUID, name: String, text: String)] = []
    for (_, mentions) in Dictionary(grouping: rows, by: { $0["pk"] as Int64 })
      .sorted(by: { $0.key < $1.key })
    {
      let title = NameFolding.key(mentions[0]["title"] as String? ?? "")
      let isAlone = Set(mentions.map { $0["person"] as String }).count == 1
      for row in mentions where isAlone || NameFolding.key(row["name"] as String) == title {
        let id = try row.identity("person")
        guard asked?.contains(id) ?? true else { continue }
        notes.append((id, row["name"], row["text"]))
        break
      }
    }
    return notes
  }
}
