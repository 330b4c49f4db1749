import ArkivedCore
import Foundation
import GRDB

/// The people that the names in promises refer to.
///
/// Each name is looked up once for all promises that contain it.
struct PromiseNames {
  private let db: Database
  /// The owner of the archive, if known.
  private let own: Int64?
  private var mentions: [Int64: [String: Called]] = [:]
  private var participants: [Int64: [Participant]] = [:]
  private var named: [String: Int64?] = [:]
  private var people: [Int64: UUID] = [:]
  private var knownPeople: [Int64: Known] = [:]

  init(_ db: Database, own: Int64?) { (self.db, self.own) = (db, own) }

  /// The person that a name in a note refers to.
  struct Called {
    var mention: Mention
    var person: Int64
  }

  /// A participant of the meeting in which a promise was made.
  struct Participant {
    var mention: Mention
    var person: Int64?
    /// Their names, split into words.
    var names: [[Substring]]

    /// Returns true if the words contain one of their full names.
    func isNamed(in words: [Substring]) -> Bool {
      names.contains { !$0.isEmpty && words.firstRange(of: $0) != nil }
    }

    /// Returns true if the words contain the first word of one of their names.
    func isCalled(in words: [Substring]) -> Bool {
      names.contains { name in name.first.map { $0.count > 1 && words.contains($0) } ?? false }
    }

    /// Returns true if one of their names begins with a folded name.
    func begins(with name: String) -> Bool {
      let wanted = PromiseNames.words(name)
      return names.contains { $0.starts(with: wanted) }
    }
  }

  /// The number of promises at or above which mentions and participants are read all at once.
  private static let many = 100

  /// Reads the people named in the notes of many promises, and the participants of their meetings.
  mutating func readAhead(_ heads: some Collection<PromiseHead>) throws {
    guard heads.count > Self.many else { return }
    let notes = Set(heads.map(\.note)).filter { mentions[$0] == nil }
    for note in notes { mentions[note] = [:] }
    let named = try Row.fetchAll(
      db, sql: "\(Self.named) WHERE note_pk IN (\(KeyList.sql)) ORDER BY note_pk, position",
      arguments: [KeyList.text(Array(notes))])
    for (note, rows) in Dictionary(grouping: named, by: { $0["note_pk"] as Int64 }) {
      mentions[note] = try Self.called(rows)
    }
    let meetings = Set(heads.compactMap(\.meeting)).filter { participants[$0] == nil }
    for meeting in meetings { participants[meeting] = [] }
    let present = try Row.fetchAll(
      db, sql: "\(Self.present) AND meeting_pk IN (\(KeyList.sql)) ORDER BY meeting_pk, position",
      arguments: [KeyList.text(Array(meetings))])
    for (meeting, rows) in Dictionary(grouping: present, by: { $0["meeting_pk"] as Int64 }) {
      participants[meeting] = try everybody(rows)
    }
  }

  /// Returns the people who made a promise; nil for each unknown one.
  mutating func owners(_ head: PromiseHead) throws -> [Int64?] {
    guard let folded = head.owner else { return [] }
    return try folded.components(separatedBy: " and ").map { name in
      if name == "me" { return own }
      return try person(called: name, note: head.note, meeting: head.meeting)?.person
    }
  }

  /// Returns the person that a name refers to: the one linked in the note under exactly that name,
  /// otherwise the only one among the participants, among those linked in the note, or in the
  /// archive, whose name begins with it.
  mutating func person(
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

  /// Returns the only person with a name, otherwise the only one whose name begins with it.
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

  /// Returns the people linked in a note, by their names and the beginnings of names.
  mutating func called(in note: Int64) throws -> [String: Called] {
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
        // A beginning shared by several names is ambiguous.
        if !isWhole, let other = found[name], other.person != called.person { shared.insert(name) }
        if isWhole || found[name] == nil { found[name] = called }
        if isWhole { whole.insert(name) }
      }
    }
    for name in shared.subtracting(whole) { found[name] = nil }
    return found
  }

  /// Returns the forms of a name shortened at its end, such as "priya", "priya nair".
  static func beginnings(_ name: String) -> [String] {
    name.indices.filter { name[$0] == " " }.map { String(name[..<$0]) } + [name]
  }

  private static let present = """
    SELECT meeting_pk, name, person_pk FROM attendance_rows WHERE reply <> 'declined'
    """

  /// Returns the people who took part in a meeting, or may have.
  mutating func participants(of meeting: Int64) throws -> [Participant] {
    if let known = participants[meeting] { return known }
    let rows = try Row.fetchAll(
      db, cached: "\(Self.present) AND meeting_pk = ? ORDER BY position", arguments: [meeting])
    let found = try everybody(rows)
    participants[meeting] = found
    return found
  }

  /// Returns the participants in rows, each person once, because two people merged into one may
  /// both have taken part.
  private mutating func everybody(_ rows: [Row]) throws -> [Participant] {
    var seen: Set<Int64> = []
    var found: [Participant] = []
    for row in rows {
      let one = try participant(row)
      if one.person.map({ seen.insert($0).inserted }) ?? true { found.append(one) }
    }
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

  /// The names of a person.
  private struct Known {
    var id: UUID
    var name: String?
    /// The name and the aliases, split into words.
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

  mutating func id(_ person: Int64) throws -> UUID? {
    if let known = people[person] { return known }
    let id = try String.fetchOne(
      db, cached: "SELECT id FROM persons WHERE pk = ?", arguments: [person]
    ).flatMap { UUID(uuidString: $0) }
    people[person] = id
    return id
  }

  static func words(_ text: String) -> [Substring] {
    text.split { !$0.isLetter && !$0.isNumber }
  }
}
