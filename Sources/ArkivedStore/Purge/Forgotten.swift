import ArkivedCore
import Foundation
import GRDB

/// The rows, versions, changes and files of a selection.
struct Forgotten {
  private let db: Database
  /// The row numbers of existing entities, including hidden ones.
  private(set) var keys: [EntityType: [Int64]] = [:]
  private(set) var ids: Set<String> = []
  /// The existing templates.
  private(set) var templates: Set<UUID> = []
  /// The IDs of templates, existing or deleted, and of the prompts.
  private(set) var writing: Set<String> = []
  /// The row numbers of old versions.
  private(set) var versions: Set<Int64> = []
  /// The row numbers of the changes that created, touched or removed them.
  private(set) var changes: Set<Int64> = []
  /// The paths of attachments' files.
  private(set) var paths: Set<String> = []
  /// The contents of originals elsewhere: the files stay, but data derived from them is removed.
  private(set) var originals: Set<String> = []
  /// Their names, as changes and acts quote them.
  private(set) var names: Set<String> = []
  /// The days whose own entries are included.
  private(set) var dayKeys: Set<String> = []
  /// The lines of drafts that are the text of an included entity.
  private(set) var quotedLines: Set<String> = []
  private let draftLines: Set<String>
  private(set) var firstMade: Instant?

  /// Collects the selected data.
  ///
  /// - Parameters:
  ///   - selection: the data to remove.
  ///   - db: the database.
  ///   - drafts: the drafts that may contain its text.
  /// - Throws: `DatabaseError` if the archive can't be read.
  init(
    _ selection: PurgeSelection, _ db: Database, drafts: [DraftFiles.Content] = []
  ) throws {
    self.db = db
    draftLines = drafts.reduce(into: []) { $0.formUnion($1.lines) }
    switch selection {
    case .entities(let given), .deletedElsewhere(let given): ids = Set(given.map(\.uuidString))
    case .tag(let name): try select(tag: NameFolding.key(name))
    case .days(let span): try select(span)
    }
    try addDeleted()
    try widen()
    try gatherRows()
    try gatherTemplates()
    try gatherVersions()
    try gatherLinks()
    try gatherChanges()
  }

  private var list: String { Self.list(ids) }

  static func list(_ texts: some Collection<String>) -> String { JSON(Array(texts)).text() }
  static func list(_ keys: some Collection<Int64>) -> String { KeyList.text(Array(keys)) }

  // MARK: Selection

  private mutating func select(tag folded: String) throws {
    for (table, links, column) in [
      ("activity_rows", "activity_tags", "activity_pk"), ("note_rows", "note_tags", "note_pk"),
    ] {
      ids.formUnion(
        try String.fetchAll(
          db,
          sql: """
            SELECT id FROM \(table) WHERE pk IN (SELECT \(column) FROM \(links)
              WHERE tag_pk = (SELECT pk FROM tag_rows WHERE folded = ?))
            """, arguments: [folded]))
    }
    ids.formUnion(
      try String.fetchAll(
        db, sql: "SELECT id FROM tag_rows WHERE folded = ?", arguments: [folded]))
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT history.pk, tag.value FROM history, json_each(history.record, '$.tags') AS tag
        WHERE source_table IN ('activities', 'notes') AND tag.type = 'text'
        UNION ALL SELECT pk, json_extract(record, '$.name') FROM history
        WHERE source_table = 'tags' AND json_type(record, '$.name') = 'text'
        """)
    while let row = try rows.next() {
      if NameFolding.key(row[1]) == folded { versions.insert(row[0]) }
    }
  }

  private mutating func select(_ span: DayFilter) throws {
    let days: StatementArguments = [
      (span.from ?? .earliest).description, (span.to ?? .latest).description,
    ]
    for (table, column) in [
      ("activity_rows", "day_key"), ("day_rows", "day_key"), ("metric_rows", "day_key"),
      ("note_rows", "shown_day"),
    ] {
      ids.formUnion(
        try String.fetchAll(
          db, sql: "SELECT id FROM \(table) WHERE \(column) BETWEEN ? AND ?", arguments: days))
    }
    versions = Set(
      try Int64.fetchAll(
        db,
        sql: """
          SELECT pk FROM history WHERE json_extract(record, '$.dayKey') BETWEEN ? AND ?
            AND source_table IN ('activities', 'days', 'day_metrics', 'notes')
          """, arguments: days))
  }

  /// Adds deleted entities; if one version is included, all are.
  private mutating func addDeleted() throws {
    let isThere = ["activity_rows", "day_rows", "metric_rows", "note_rows", "tag_rows"]
      .map { "EXISTS (SELECT 1 FROM \($0) WHERE id = source_id)" }.joined(separator: " OR ")
    ids.formUnion(
      try String.fetchAll(
        db,
        sql: "SELECT source_id FROM history WHERE pk IN (\(KeyList.sql)) AND NOT (\(isThere))",
        arguments: [Self.list(versions)]))
  }

  /// Adds what belongs together: a meeting with its entry and notes, and a conversation with its
  /// messages.
  private mutating func widen() throws {
    for _ in 0..<2 {
      for sql in [
        """
        SELECT activity.id FROM meeting_rows AS it JOIN activity_rows AS activity
          ON activity.pk = activity_pk WHERE it.id IN (SELECT value FROM json_each(?1))
        """,
        """
        SELECT it.id FROM meeting_rows AS it JOIN activity_rows AS activity
          ON activity.pk = activity_pk WHERE activity.id IN (SELECT value FROM json_each(?1))
        """,
        """
        SELECT note.id FROM note_rows AS note JOIN meeting_rows AS it ON it.pk = meeting_pk
          WHERE it.id IN (SELECT value FROM json_each(?1))
        """,
        """
        SELECT it.id FROM message_rows AS it JOIN thread_rows AS thread ON thread.pk = thread_pk
          WHERE thread.id IN (SELECT value FROM json_each(?1))
        """,
        """
        SELECT json_extract(record, '$.activityId') FROM history WHERE source_table = 'meetings'
          AND source_id IN (SELECT value FROM json_each(?1))
          AND json_extract(record, '$.activityId') IS NOT NULL
        """,
        Self.versionsOf("meetings", "activityId"), Self.versionsOf("notes", "meetingId"),
        Self.versionsOf("messages", "threadId"),
        Self.versionsOf("action_goal_contributions", "actionId"),
        Self.versionsOf("action_goal_contributions", "goalId"),
        Self.versionsOf("goal_value_alignments", "goalId"),
        Self.versionsOf("goal_value_alignments", "valueId"),
        Self.versionsOf("term_goal_assignments", "goalId"),
        Self.versionsOf("term_goal_assignments", "termId"),
      ] {
        ids.formUnion(
          try String.fetchAll(db, sql: sql, arguments: [list]))
      }
    }
  }

  private static func versionsOf(_ table: String, _ field: String) -> String {
    """
    SELECT source_id FROM history WHERE source_table = '\(table)'
      AND json_extract(record, '$.\(field)') IN (SELECT value FROM json_each(?1))
    """
  }

  // MARK: Rows and links

  /// The columns with a row's name in the list of changes.
  private static let nameColumns: [EntityType: String] = [
    .activity: "text", .day: "title", .note: "coalesce(title, text)", .goal: "title",
    .personalValue: "title", .term: "theme", .thread: "title", .message: "text",
    .tag: "NULL", .person: "name",
  ]

  /// The columns, besides the name, that identify a row in a draft.
  private static let draftColumns: [EntityType: String] = [
    .activity: "typed_text", .day: "day_key",
  ]

  private mutating func gatherRows() throws {
    for (type, table) in EntityType.rowsTables {
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT pk, id, change_pk, changed_pk, created_at, \(Self.nameColumns[type] ?? "NULL"),
            \(Self.draftColumns[type] ?? "NULL")
          FROM \(table) WHERE id IN (SELECT value FROM json_each(?))
          """, arguments: [list])
      while let row = try rows.next() {
        keys[type, default: []].append(row[0])
        // A match found by the rules has the change of a goal, which reveals nothing about an
        // entry.
        if !StoredEntities.relations.contains(type) {
          changes.formUnion([row[2] as Int64, row[3] as Int64])
        }
        note(madeAt: Instant(milliseconds: row[4]))
        note(name: row[5])
        note(type, draftText: row[6])
      }
    }
    for (type, column) in EntityType.attachmentOwner {
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT relative_path, caption, original_name, content_hash FROM attachments
          WHERE \(column) IN (\(KeyList.sql))
          """, arguments: [Self.list(keys[type] ?? [])])
      while let row = try rows.next() {
        if let path = row[0] as String? {
          paths.insert(path)
        } else if let hash = row[3] as String? {
          originals.insert(hash)
        }
        note(name: row[1])
        note(name: row[2])
      }
    }
  }

  private mutating func gatherTemplates() throws {
    let marks = try WritingMarks(db).marks
    for template in try Archive.writingSettings(db).templates
    where ids.contains(template.id.uuidString) {
      templates.insert(template.id)
      writing.insert(template.id.uuidString)
      let mark = marks[template.id]
      changes.formUnion([mark?.made, mark?.touched].compactMap(\.self))
      note(name: template.name)
      // Templates don't record when they were created, so any copy may contain them.
      note(madeAt: Instant(milliseconds: 0))
    }
  }

  private mutating func gatherVersions() throws {
    let rows = try Row.fetchCursor(
      db,
      sql: """
        SELECT * FROM history WHERE source_id IN (SELECT value FROM json_each(?1))
          OR pk IN (SELECT value FROM json_each(?2))
        """, arguments: [list, Self.list(versions)])
    while let row = try rows.next() {
      versions.insert(row["pk"])
      let record = try? JSON(parsing: row["record"] as String)
      let isFound = record?["matchMethod"]?.string == MatchMethod.autoInferred.rawValue
      let columns = ["change_pk", "made_pk", "touched_pk"]
      for column in columns.prefix(isFound ? 1 : 3) {
        if let key = row[column] as Int64? { changes.insert(key) }
      }
      guard let record else { continue }
      for field in ["text", "title", "name", "theme"] { note(name: record[field]?.string) }
      if EntityType(rawValue: row["source_table"]).isWriting {
        writing.insert(row["source_id"])
        note(madeAt: Instant(milliseconds: 0))
      }
      note(.activity, draftText: record["typedText"]?.string)
      if (row["source_table"] as String) == EntityType.day.rawValue {
        note(.day, draftText: record["dayKey"]?.string)
      }
      if let made = record["createdAt"]?.string.flatMap({ Instant($0) }) { note(madeAt: made) }
      for attachment in record["attachments"]?.array ?? [] {
        if let path = attachment["relativePath"]?.string {
          paths.insert(path)
        } else if let hash = attachment["contentHash"]?.string {
          originals.insert(hash)
        }
        note(name: attachment["caption"]?.string)
        note(name: attachment["originalName"]?.string)
      }
    }
  }

  /// The links that the owner creates, with the entities at their ends.
  private static let links: [(sql: String, ends: [(column: String, type: EntityType)])] = [
    (
      "contribution_rows WHERE match_method <> '\(MatchMethod.autoInferred.rawValue)'",
      [("activity_pk", .activity), ("goal_pk", .goal)]
    ),
    ("alignment_rows WHERE 1", [("goal_pk", .goal), ("value_pk", .personalValue)]),
    ("assignment_rows WHERE 1", [("term_pk", .term), ("goal_pk", .goal)]),
  ]

  /// Adds the changes that linked an entity with another one, or created another one with it,
  /// because they name both.
  private mutating func gatherLinks() throws {
    for link in Self.links {
      for end in link.ends {
        let ends = Self.list(keys[end.type] ?? [])
        changes.formUnion(
          try Int64.fetchAll(
            db,
            sql: """
              SELECT change_pk FROM \(link.sql) AND \(end.column) IN (\(KeyList.sql))
              UNION SELECT changed_pk FROM \(link.sql) AND \(end.column) IN (\(KeyList.sql))
              """, arguments: [ends, ends]))
      }
    }
    changes.formUnion(
      try Int64.fetchAll(
        db,
        sql: """
          SELECT change_pk FROM history WHERE source_table IN ('tags', 'persons')
            AND change_pk IS NOT NULL
            AND json_extract(record, '$.mergedInto') IN (\(KeyList.sql))
          """, arguments: [list]))
  }

  /// Adds the undo of those changes, and the undo of that, because they name the same entities.
  private mutating func gatherChanges() throws {
    var count = -1
    while count != changes.count {
      count = changes.count
      changes.formUnion(
        try Int64.fetchAll(
          db,
          sql: """
            SELECT undone_by FROM change_rows WHERE undone_by IS NOT NULL AND pk IN (\(KeyList.sql))
            UNION SELECT pk FROM change_rows WHERE undone_by IN (\(KeyList.sql))
            """, arguments: [Self.list(changes), Self.list(changes)]))
    }
  }

  private mutating func note(madeAt instant: Instant) {
    firstMade = min(firstMade ?? instant, instant)
  }

  /// The length below which a name is not searched for, because many entries are called “Breakfast”
  /// and a short name may refer to another.
  private static let shortestName = 24

  /// Records the text that identifies a draft of a row: the typed line or the day.
  private mutating func note(_ type: EntityType, draftText text: String?) {
    guard let text else { return }
    if type == .day { dayKeys.insert(text) } else { note(line: text) }
  }

  private mutating func note(line text: String) {
    guard !draftLines.isEmpty else { return }
    let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if draftLines.contains(line) { quotedLines.insert(line) }
  }

  private mutating func note(name: String?) {
    if let name { note(line: name) }
    guard let name, name.count >= Self.shortestName else { return }
    names.insert(String(name.prefix(80)))
  }

  // MARK: Mentions

  /// The number of entities beyond which only IDs are searched for, because every text is compared
  /// with every name.
  private static let nameLimit = 200

  /// Returns true if a text contains one of the IDs or quotes one of the names.
  func isSpokenOf(in text: String) -> Bool { isNamed(in: text) || isQuoted(in: text) }

  /// Returns true if a text contains one of the IDs.
  func isNamed(in text: String) -> Bool {
    guard text.utf8.count >= 36 else { return false }
    return text.matches(of: #/[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/#)
      .contains { ids.contains($0.output.uppercased()) }
  }

  private func isQuoted(in text: String) -> Bool {
    guard names.count <= Self.nameLimit else { return false }
    // JSON escapes quotes and line ends.
    return names.contains { name in
      text.contains(name) || text.contains(String(JSON.string(name).text().dropFirst().dropLast()))
    }
  }
}
