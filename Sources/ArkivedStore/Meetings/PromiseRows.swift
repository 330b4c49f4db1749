import ArkivedCore
import Foundation
import GRDB

/// A promise with the data that decides its order and owner, and nothing for display.
struct PromiseHead {
  let note: Int64
  let line: Int
  let meeting: Int64?
  let isDone: Bool
  let due: String?
  /// The author's name in the note, folded; nil for the owner of the archive.
  let owner: String?
  /// The people here who made it, including the owner of the archive if they did.
  var owners: [Int64] = []
  var isMine = true

  static let columns =
    "one.note_pk, one.line, meeting.pk, one.is_done, one.due, one.owner_folded"

  init(_ row: Row) {
    note = row[0]
    line = row[1]
    meeting = row[2]
    isDone = row[3]
    due = row[4]
    owner = row[5]
  }
}

/// Reads promises with their context and people: it first determines which promises to show, then
/// reads the data for display.
struct PromiseRows {
  private let db: Database
  private let own: Int64?
  private var names: PromiseNames

  /// The largest number of promises examined.
  private static let most = 200_000

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - db: the database.
  ///   - owner: the owner of the archive, if known.
  /// - Throws: `DatabaseError` if the archive can't be read.
  init(_ db: Database, owner: Owner? = nil) throws {
    self.db = db
    own = try OwnPerson.key(db, known: owner)
    names = PromiseNames(db, own: own)
  }

  mutating func fetch(
    _ filter: PromiseFilter
  ) throws -> (promises: [StoredPromise], total: Int) {
    var filter = filter
    if case .person(let id) = filter.owner, let own, try names.id(own) == id { filter.owner = .me }
    let wanted = Set(filter.people)
    if filter.owner == .anybody, wanted.isEmpty {
      let heads = try heads(filter, limit: filter.limit, offset: filter.offset)
      let isAll = filter.offset == 0 && heads.count < filter.limit
      let total = isAll ? heads.count : try count(filter)
      return (try read(try owned(heads)), total)
    }
    let (first, limit) = (max(0, filter.offset), max(0, filter.limit))
    let owner = filter.owner
    let heads = try owned(try heads(filter)).filter { try isWanted($0, owner) }
    guard !wanted.isEmpty else {
      return (try read(heads.dropFirst(first).prefix(limit)), heads.count)
    }
    let mine = try own.flatMap { try names.id($0) }
    let concerned = try read(heads).filter { promise in
      (promise.isMine && mine.map(wanted.contains) ?? false)
        || promise.ownerIDs.contains(where: wanted.contains)
        || promise.to.contains { $0.personID.map(wanted.contains) ?? false }
    }
    return (Array(concerned.dropFirst(first).prefix(limit)), concerned.count)
  }

  /// Returns true if somebody whose promises are listed made it.
  private mutating func isWanted(
    _ head: PromiseHead, _ owner: PromiseFilter.Owner
  ) throws -> Bool {
    switch owner {
    case .anybody: true
    case .me: head.isMine
    case .others: !head.isMine
    case .named: try isOfUnknown(head)
    case .person(let id): try head.owners.contains { try names.id($0) == id }
    }
  }

  /// Returns a board with a column for each person who made promises: the owner of the archive,
  /// then those with the earliest due promises.
  ///
  /// - Parameters:
  ///   - includesDone: true to show kept promises as well.
  ///   - today: promises due before it are late.
  ///   - limit: the number of promises shown in each column.
  ///   - columns: the people whose columns are shown.
  ///   - most: the largest number of promises on the board.
  /// - Returns: the board.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  mutating func board(
    includesDone: Bool, today: DayKey, limit: Int, columns: Range<Int>, most: Int
  ) throws -> PromiseBoard {
    var filter = PromiseFilter()
    filter.includesDone = includesDone
    let heads = try owned(try heads(filter, limit: most + 1))
    var order: [PromiseFilter.Owner] = []
    var groups: [PromiseFilter.Owner: [PromiseHead]] = [:]
    for head in heads.prefix(most) {
      let owner = try owner(head)
      if groups[owner] == nil { order.append(owner) }
      groups[owner, default: []].append(head)
    }
    order = order.filter { $0 == .me } + order.filter { $0 != .me }
    let shown = order[columns.clamped(to: order.indices)].map { ($0, groups[$0] ?? []) }
    var promises = try read(shown.flatMap { $0.1.prefix(limit) })[...]
    let parts = shown.map { owner, own in
      let part = promises.prefix(min(limit, own.count))
      promises = promises.dropFirst(part.count)
      return PromiseBoard.Column(
        owner: owner, promises: Array(part), total: own.count,
        late: own.count { !$0.isDone && $0.due.map { $0 < today.description } ?? false })
    }
    return PromiseBoard(
      columns: parts, columnCount: order.count, isCut: heads.count > most)
  }

  /// Returns the person in whose column a promise is shown.
  private mutating func owner(_ head: PromiseHead) throws -> PromiseFilter.Owner {
    if head.isMine { return .me }
    for key in head.owners where key != own {
      if let id = try names.id(key) { return .person(id) }
    }
    return .named(head.owner ?? "")
  }

  /// Returns true if nobody here is known to have made a promise, so the board shows it under the
  /// name alone; in another note, the same name may be that of somebody here.
  private mutating func isOfUnknown(_ head: PromiseHead) throws -> Bool {
    if case .named = try owner(head) { return true }
    return false
  }

  /// Returns the promises with the people who made them.
  private mutating func owned(_ heads: [PromiseHead]) throws -> [PromiseHead] {
    try names.readAhead(heads.filter { $0.owner != nil })
    return try heads.map { head in
      guard let folded = head.owner else { return head }
      var head = head
      let owners = try names.owners(head)
      head.owners = owners.compactMap(\.self)
      head.isMine =
        own != nil && owners.contains(own) || folded.components(separatedBy: " and ").contains("me")
      return head
    }
  }

  // MARK: Selection

  /// Returns SQL that reads promises first, except for those of one meeting.
  private static func source(_ filter: PromiseFilter) -> String {
    """
    promise_rows AS one \(filter.meeting == nil ? "CROSS JOIN" : "JOIN") notes AS note
      ON note.pk = one.note_pk
    """
  }

  /// Returns the promises that may match a filter, in the order of lists.
  private func heads(
    _ filter: PromiseFilter, limit: Int = Self.most, offset: Int = 0
  ) throws -> [PromiseHead] {
    let (condition, arguments) = try candidates(filter)
    return try Row.fetchAll(
      db,
      cached: """
        SELECT \(PromiseHead.columns) FROM \(Self.source(filter))
        LEFT JOIN meetings AS meeting ON meeting.pk = note.meeting_pk
        WHERE \(condition)
        ORDER BY one.is_done, one.due IS NULL, one.due, note.shown_day DESC, note.pk, one.line
        LIMIT ? OFFSET ?
        """, arguments: arguments + [min(max(0, limit), Self.most), max(0, offset)]
    ).map(PromiseHead.init)
  }

  private func count(_ filter: PromiseFilter) throws -> Int {
    let (condition, arguments) = try candidates(filter)
    return try Int.fetchOne(
      db, cached: "SELECT count(*) FROM \(Self.source(filter)) WHERE \(condition)",
      arguments: arguments) ?? 0
  }

  /// Returns a condition that is met by all promises matching a filter, and perhaps by others.
  private func candidates(_ filter: PromiseFilter) throws -> (String, StatementArguments) {
    var conditions: [String] = []
    var arguments = StatementArguments()
    if !filter.includesDone { conditions.append("one.is_done = 0") }
    if let due = filter.due {
      conditions.append("one.due BETWEEN ? AND ?")
      arguments += [due.lowerBound.description, due.upperBound.description]
    }
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
    // "priya" means Priya Nair if nobody else has that name.
    let spoken = Set(names.flatMap(PromiseNames.beginnings))
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

  // MARK: Rows

  /// Reads complete promises, in the given order.
  private mutating func read(_ heads: some Collection<PromiseHead>) throws -> [StoredPromise] {
    guard !heads.isEmpty else { return [] }
    try names.readAhead(heads)
    let keys = JSON.array(heads.map { [JSON(Int($0.note)), JSON($0.line)] })
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT one.*, note.id AS note_id, note.title, substr(note.plain_text, 1, 400) AS beginning,
          note.shown_day, note.created_at AS note_created_at, meeting.id AS meeting_id,
          activity.text AS meeting_title
        FROM json_each(?) AS wanted
        CROSS JOIN promise_rows AS one ON one.note_pk = json_extract(wanted.value, '$[0]')
          AND one.line = json_extract(wanted.value, '$[1]')
        CROSS JOIN note_rows AS note ON note.pk = one.note_pk
        LEFT JOIN meetings AS meeting ON meeting.pk = note.meeting_pk
        LEFT JOIN activity_rows AS activity ON activity.pk = meeting.activity_pk
        ORDER BY wanted.key
        """, arguments: [keys.text()])
    var promises: [StoredPromise] = []
    promises.reserveCapacity(heads.count)
    var next = heads.makeIterator()
    while let row = try rows.next(), let head = next.next() {
      promises.append(try read(row, head))
    }
    return promises
  }

  private mutating func read(_ row: Row, _ head: PromiseHead) throws -> StoredPromise {
    let (owners, isMine) = (head.owners, head.isMine)
    let text: String = row["text"]
    let named = try (JSON(parsing: row["named"] as String).array ?? []).compactMap(\.string)
    var to: [Mention] = []
    for name in named {
      // A person who was unknown when the note was written may be known by this time.
      let known = try names.person(
        called: NameFolding.key(name), note: head.note, meeting: head.meeting)
      // Nobody owes anything to themselves.
      if let known, owners.contains(known.person) || isMine && known.person == own { continue }
      to.append(known?.mention ?? Mention(name: name))
    }
    var isToNamed = !to.isEmpty
    if to.isEmpty, let meeting = head.meeting {
      let others = try names.participants(of: meeting).filter { one in
        one.person.map { !owners.contains($0) && (!isMine || $0 != own) } ?? true
      }
      let words = others.isEmpty ? [] : PromiseNames.words(NameFolding.key(text))
      let whole = others.filter { $0.isNamed(in: words) }
      // Words that contain somebody else's full name don't refer to a namesake.
      var isElse = false
      if whole.isEmpty, !others.isEmpty {
        isElse = try names.called(in: head.note).keys.contains { name in
          name.contains(" ") && words.firstRange(of: PromiseNames.words(name)) != nil
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
      ownerIDs: try owners.filter { $0 != own }.compactMap { try names.id($0) }, to: to,
      isToNamed: isToNamed)
  }
}
