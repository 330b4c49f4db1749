import ArkivedCore
import Foundation
import GRDB

/// Reads promises with what they belong to and whom they concern. Names are looked up once for all
/// promises that tell them.
struct PromiseRows {
  private let db: Database
  private var own: Int64?
  private var mentions: [Int64: [String: Called]] = [:]
  private var participants: [Int64: [Participant]] = [:]
  private var named: [String: Int64?] = [:]
  private var people: [Int64: UUID] = [:]
  private var knownPeople: [Int64: Known] = [:]

  init(_ db: Database) { self.db = db }

  /// Who is meant by a name in a note.
  private struct Called {
    var mention: Mention
    var person: Int64
  }

  /// Somebody who took part in the meeting in which something was promised.
  private struct Participant {
    var mention: Mention
    var person: Int64?
    /// What they are called, as words.
    var names: [[Substring]]

    /// Whether words tell one of their whole names.
    func isNamed(in words: [Substring]) -> Bool {
      names.contains { !$0.isEmpty && words.firstRange(of: $0) != nil }
    }

    /// Whether words tell the first word of one of their names.
    func isCalled(in words: [Substring]) -> Bool {
      names.contains { name in name.first.map { $0.count > 1 && words.contains($0) } ?? false }
    }

    /// Whether one of their names begins with a folded name.
    func begins(with name: String) -> Bool {
      let wanted = PromiseRows.words(name)
      return names.contains { $0.starts(with: wanted) }
    }
  }

  mutating func fetch(
    _ filter: PromiseFilter, owner: Owner? = nil
  ) throws -> (promises: [StoredPromise], total: Int) {
    own = try OwnPerson.key(db, known: owner)
    var filter = filter
    if case .person(let id) = filter.owner, let own, try self.id(own) == id { filter.owner = .me }
    let (condition, arguments) = try candidates(filter)
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT one.*, note.id AS note_id, note.title, substr(note.plain_text, 1, 400) AS beginning,
          note.shown_day, note.created_at AS note_created_at, meeting.id AS meeting_id, meeting.pk AS meeting_pk,
          activity.text AS meeting_title
        FROM promise_rows AS one \(filter.meeting == nil ? "CROSS JOIN" : "JOIN") notes AS note
          ON note.pk = one.note_pk
        LEFT JOIN meetings AS meeting ON meeting.pk = note.meeting_pk
        LEFT JOIN activity_rows AS activity ON activity.pk = meeting.activity_pk
        WHERE \(condition)
        ORDER BY one.is_done, one.due IS NULL, one.due, note.shown_day DESC, note.pk, one.line
        LIMIT 200000
        """, arguments: arguments)
    let wanted = Set(filter.people)
    var found: [StoredPromise] = []
    var total = 0
    let isPage = filter.owner == .anybody && wanted.isEmpty
    if !isPage || filter.limit >= rows.count { try readAhead(rows) }
    for row in rows {
      if isPage, total < filter.offset || found.count >= filter.limit {
        total += 1
        continue
      }
      let owners = try owners(row)
      let isMine = Self.isMine(row["owner_folded"], owners, own)
      let keys = owners.compactMap(\.self)
      switch filter.owner {
      case .anybody: break
      case .me: guard isMine else { continue }
      case .others: guard !isMine else { continue }
      case .named: guard !isMine else { continue }
      case .person(let id):
        guard try keys.contains(where: { try self.id($0) == id }) else { continue }
      }
      let isAfter = total >= filter.offset
      guard !wanted.isEmpty || isAfter && found.count < filter.limit else {
        total += 1
        continue
      }
      let promise = try read(row, owners: keys, isMine: isMine)
      if !wanted.isEmpty {
        let mine = isMine ? try own.flatMap { try id($0) } : nil
        let concerned =
          promise.ownerIDs + promise.to.compactMap(\.personID) + [mine].compactMap(\.self)
        guard concerned.contains(where: wanted.contains) else { continue }
      }
      total += 1
      if isAfter, found.count < filter.limit { found.append(promise) }
    }
    return (found, total)
  }

  /// Of so many promises who is named and who took part is read at once.
  private static let many = 100

  /// Reads who is named in the notes of many promises, and who took part in their meetings.
  private mutating func readAhead(_ rows: [Row]) throws {
    guard rows.count > Self.many else { return }
    let notes = Set(rows.map { $0["note_pk"] as Int64 })
    for note in notes { mentions[note] = [:] }
    let named = try Row.fetchAll(
      db, sql: "\(Self.named) WHERE note_pk IN (\(KeyList.sql)) ORDER BY note_pk, position",
      arguments: [KeyList.text(Array(notes))])
    for (note, rows) in Dictionary(grouping: named, by: { $0["note_pk"] as Int64 }) {
      mentions[note] = try Self.called(rows)
    }
    let meetings = Set(rows.compactMap { $0["meeting_pk"] as Int64? })
    for meeting in meetings { participants[meeting] = [] }
    let present = try Row.fetchAll(
      db, sql: "\(Self.present) AND meeting_pk IN (\(KeyList.sql)) ORDER BY meeting_pk, position",
      arguments: [KeyList.text(Array(meetings))])
    for (meeting, rows) in Dictionary(grouping: present, by: { $0["meeting_pk"] as Int64 }) {
      participants[meeting] = try rows.map { try participant($0) }
    }
  }

  private static func isMine(_ folded: String?, _ owners: [Int64?], _ own: Int64?) -> Bool {
    guard let folded else { return true }
    return own != nil && owners.contains(own)
      || folded.components(separatedBy: " and ").contains("me")
  }

  /// The condition that all promises of a filter fulfil, and perhaps others.
  private func candidates(_ filter: PromiseFilter) throws -> (String, StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    if !filter.includesDone { conditions.append("one.is_done = 0") }
    if filter.owner == .others { conditions.append("one.owner IS NOT NULL") }
    if case .person = filter.owner { conditions.append("one.owner IS NOT NULL") }
    if case .named(let name) = filter.owner {
      conditions.append("one.owner_folded = ?")
      arguments += [NameFolding.key(name)]
    }
    if let meeting = filter.meeting {
      conditions.append("note.meeting_pk = (SELECT pk FROM meetings WHERE id = ?)")
      arguments += [meeting.uuidString]
    }
    guard !filter.people.isEmpty else {
      return (conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), arguments)
    }
    let list = JSON(filter.people.map(\.uuidString)).text()
    let people = "(SELECT pk FROM persons WHERE id IN (SELECT value FROM json_each(?)))"
    let names = try String.fetchAll(
      db,
      sql: "SELECT folded FROM person_names WHERE role <> 'address' AND person_pk IN \(people)",
      arguments: [list])
    // "priya" means Priya Nair where nobody else is called so.
    let spoken = Set(names.flatMap(Self.beginnings))
    conditions.append(
      """
      (note.pk IN (
          SELECT note_pk FROM note_mentions WHERE person_pk IN \(people)
          UNION SELECT note_rows.pk FROM note_rows
          JOIN attendance_rows ON attendance_rows.meeting_pk = note_rows.meeting_pk
          WHERE person_pk IN \(people))
        OR one.owner_folded IN (SELECT value FROM json_each(?))
        OR instr(one.owner_folded, ' and ') > 0 OR one.named <> '[]')
      """)
    arguments += [list, list, JSON(Array(spoken)).text()]
    return (conditions.joined(separator: " AND "), arguments)
  }

  // MARK: Who is meant

  /// Who promised; nil for each whom nobody knows.
  private mutating func owners(_ row: Row) throws -> [Int64?] {
    guard let folded = row["owner_folded"] as String? else { return [] }
    let note: Int64 = row["note_pk"]
    return try folded.components(separatedBy: " and ").map { name in
      if name == "me" { return own }
      return try person(called: name, note: note, meeting: row["meeting_pk"])?.person
    }
  }

  /// Who is meant by a name: who is linked in the note under just that name, else the only one who
  /// took part, is linked in the note, or is here, and whose name begins so.
  private mutating func person(
    called name: String, note: Int64, meeting: Int64?
  ) throws -> Called? {
    let linked = try called(in: note)
    if let whole = linked[name], NameFolding.key(whole.mention.name) == name { return whole }
    if let meeting {
      let present = try participants(of: meeting).filter { one in
        one.person != nil && one.begins(with: name)
      }
      if Set(present.map(\.person)).count == 1, let one = present.first, let person = one.person {
        return Called(mention: one.mention, person: person)
      }
    }
    if let one = linked[name] { return one }
    guard let person = try person(called: name), let id = try id(person) else { return nil }
    let known = try String.fetchOne(
      db, cached: "SELECT value FROM person_names WHERE person_pk = ? AND role = 'name'",
      arguments: [person])
    return Called(mention: Mention(name: known ?? name, personID: id), person: person)
  }

  private mutating func person(called name: String) throws -> Int64? {
    if let known = named[name] { return known }
    let person = try person(named: name)
    named[name] = .some(person)
    return person
  }

  /// The only person of a name, else the only one whose name begins with it.
  private func person(named name: String) throws -> Int64? {
    let whole = try Int64.fetchAll(
      db,
      cached: """
        SELECT DISTINCT person_pk FROM person_names JOIN persons ON persons.pk = person_pk
        WHERE folded = ?
        """, arguments: [name])
    guard whole.isEmpty else { return whole.count == 1 ? whole.first : nil }
    let beginning = try Int64.fetchAll(
      db,
      cached: """
        SELECT DISTINCT person_pk FROM person_names JOIN persons ON persons.pk = person_pk
        WHERE role IN ('name', 'alias') AND folded >= ? AND folded < ?
        """, arguments: [name + " ", name + "!"])
    return beginning.count == 1 ? beginning.first : nil
  }

  private static let named = """
    SELECT one.note_pk, one.folded, one.name, one.person_pk, persons.id FROM note_mentions AS one
    JOIN persons ON persons.pk = one.person_pk
    """

  /// Those who are linked in a note, by their names and what names begin with.
  private mutating func called(in note: Int64) throws -> [String: Called] {
    if let known = mentions[note] { return known }
    let found = try Self.called(
      try Row.fetchAll(
        db, cached: "\(Self.named) WHERE note_pk = ? ORDER BY position", arguments: [note]))
    mentions[note] = found
    return found
  }

  private static func called(_ rows: [Row]) throws -> [String: Called] {
    var found: [String: Called] = [:]
    var (shared, whole): (Set<String>, Set<String>) = ([], [])
    for row in rows {
      let called = Called(
        mention: Mention(name: row["name"], personID: try row.identity("id")),
        person: row["person_pk"])
      for name in beginnings(row["folded"]) {
        let isWhole = name == (row["folded"] as String)
        // What several names begin with means none of them.
        if !isWhole, let other = found[name], other.person != called.person { shared.insert(name) }
        if isWhole || found[name] == nil { found[name] = called }
        if isWhole { whole.insert(name) }
      }
    }
    for name in shared.subtracting(whole) { found[name] = nil }
    return found
  }

  /// "priya", "priya nair": a name as it may be shortened at its end.
  private static func beginnings(_ name: String) -> [String] {
    name.indices.filter { name[$0] == " " }.map { String(name[..<$0]) } + [name]
  }

  private static let present = """
    SELECT meeting_pk, name, person_pk FROM attendance_rows WHERE reply <> 'declined'
    """

  private mutating func participants(of meeting: Int64) throws -> [Participant] {
    if let known = participants[meeting] { return known }
    let rows = try Row.fetchAll(
      db, cached: "\(Self.present) AND meeting_pk = ? ORDER BY position", arguments: [meeting])
    let found = try rows.map { try participant($0) }
    participants[meeting] = found
    return found
  }

  private mutating func participant(_ row: Row) throws -> Participant {
    let written: String = row["name"]
    let person: Int64? = row["person_pk"]
    let known = try person.flatMap { try self.known($0) }
    let name = known?.name ?? written
    let names = known?.names ?? []
    return Participant(
      mention: Mention(name: name, personID: known?.id), person: person,
      names: names.isEmpty ? [Self.words(NameFolding.key(name))] : names)
  }

  /// What somebody is called.
  private struct Known {
    var id: UUID
    var name: String?
    /// The name and the aliases, as words.
    var names: [[Substring]]
  }

  private mutating func known(_ person: Int64) throws -> Known? {
    if let one = knownPeople[person] { return one }
    guard let id = try id(person) else { return nil }
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT role, value, folded FROM person_names
        WHERE person_pk = ? AND role IN ('name', 'alias')
        """, arguments: [person])
    let one = Known(
      id: id, name: rows.first { $0["role"] as String == "name" }.map { $0["value"] as String },
      names: rows.map { Self.words($0["folded"] as String) })
    knownPeople[person] = one
    return one
  }

  private mutating func id(_ person: Int64) throws -> UUID? {
    if let known = people[person] { return known }
    let id = try String.fetchOne(
      db, cached: "SELECT id FROM persons WHERE pk = ?", arguments: [person]
    ).flatMap { UUID(uuidString: $0) }
    people[person] = id
    return id
  }

  private static func words(_ text: String) -> [Substring] {
    text.split { !$0.isLetter && !$0.isNumber }
  }

  // MARK: One promise

  private mutating func read(
    _ row: Row, owners: [Int64], isMine: Bool
  ) throws -> StoredPromise {
    let text: String = row["text"]
    let named = try (JSON(parsing: row["named"] as String).array ?? []).compactMap(\.string)
    var to: [Mention] = []
    for name in named {
      // Who was not known when the note was written may be by now.
      let known = try person(
        called: NameFolding.key(name), note: row["note_pk"], meeting: row["meeting_pk"])
      // Nobody owes anything to themselves.
      if let known, owners.contains(known.person) || isMine && known.person == own { continue }
      to.append(known?.mention ?? Mention(name: name))
    }
    var isToNamed = !to.isEmpty
    if to.isEmpty, let meeting = row["meeting_pk"] as Int64? {
      let others = try participants(of: meeting).filter { one in
        one.person.map { !owners.contains($0) && (!isMine || $0 != own) } ?? true
      }
      let words = others.isEmpty ? [] : Self.words(NameFolding.key(text))
      let whole = others.filter { $0.isNamed(in: words) }
      // Words that tell somebody else's whole name don't mean a namesake.
      var isElse = false
      if whole.isEmpty, !others.isEmpty {
        isElse = try called(in: row["note_pk"]).keys.contains { name in
          name.contains(" ") && words.firstRange(of: Self.words(name)) != nil
        }
      }
      let named = !whole.isEmpty ? whole : isElse ? [] : others.filter { $0.isCalled(in: words) }
      isToNamed = !named.isEmpty
      to = (named.isEmpty ? others : named).map(\.mention)
    }
    let title: String? = row["title"]
    let beginning: String = row["beginning"]
    return StoredPromise(
      promise: Promise(
        line: row["line"], text: text, isDone: row["is_done"], owner: row["owner"],
        named: named, due: (row["due"] as String?).flatMap(DayKey.init)),
      noteID: try row.identity("note_id"),
      noteTitle: title ?? beginning.split(separator: "\n").first.map { String($0.prefix(80)) }
        ?? "Note",
      noteDay: try row.day("shown_day"), noteCreatedAt: row.instant("note_created_at"),
      meetingID: (row["meeting_id"] as String?).flatMap { UUID(uuidString: $0) },
      meetingTitle: row["meeting_title"], isMine: isMine,
      ownerIDs: try owners.filter { $0 != own }.compactMap { try id($0) }, to: to,
      isToNamed: isToNamed)
  }
}
