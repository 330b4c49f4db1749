import ArkivedCore
import Foundation
import GRDB

/// The conditions of a search, as SQL over `search_words`.
struct SearchFilter {
  let joins =
    "LEFT JOIN activity_rows AS activities ON search_words.rowid & 7 = 0 "
    + "AND activities.pk = search_words.rowid >> 3"
  private(set) var conditions = SearchFilter.isShown
  var arguments: StatementArguments = []
  var labels: [String] = []

  /// The change that last touched the owner of an attachment.
  private static let attachmentChange =
    "coalesce(activity_rows.changed_pk, day_rows.changed_pk, note_rows.changed_pk)"

  /// Excludes hidden entries; costs nothing if there are none.
  private static let isShown = """

    AND (NOT EXISTS (SELECT 1 FROM hidden_changes) OR CASE search_words.rowid & 7
      WHEN 0 THEN NOT \(Visibility.isHidden("activities.changed_pk"))
      WHEN 1 THEN EXISTS (SELECT 1 FROM days WHERE days.pk = search_words.rowid >> 3)
      WHEN 3 THEN EXISTS (SELECT 1 FROM notes WHERE notes.pk = search_words.rowid >> 3)
      ELSE EXISTS (SELECT 1 FROM attachments
        LEFT JOIN activity_rows ON activity_rows.pk = activity_pk
        LEFT JOIN day_rows ON day_rows.pk = day_pk
        LEFT JOIN note_rows ON note_rows.pk = note_pk
        WHERE attachments.pk = search_words.rowid >> 3
          AND NOT \(Visibility.isHidden(attachmentChange)))
      END)
    """

  init(_ request: SearchRequest, types: [HitType], _ db: Database) throws {
    if let from = request.from { require(from: from, request.homeZone) }
    if let to = request.to { require(to: to, request.homeZone) }
    if !request.kinds.isEmpty {
      add(
        "activities.kind IN (\(placeholders(request.kinds.count)))",
        StatementArguments(request.kinds.map(\.rawValue)),
        label: "kind: " + request.kinds.map(\.rawValue).joined(separator: " or "))
    }
    if let source = request.source {
      add("activities.source = ?", [source.rawValue], label: "source: \(source)")
    }
    for tag in request.tags.prefix(SearchFilter.listLimit) {
      add(
        """
        (EXISTS (SELECT 1 FROM activity_tags JOIN tags ON tags.pk = tag_pk
            WHERE activity_pk = activities.pk AND tags.folded = ?)
          OR \(SearchFilter.isNoteTagged(1)))
        """, [NameFolding.key(tag), NameFolding.key(tag)], label: "tag: \(tag)")
    }
    for group in request.tagGroups.prefix(SearchFilter.listLimit) {
      add(
        """
        (activities.pk IN \(SearchFilter.tagged(group))
          OR \(SearchFilter.isNoteTagged(group.count)))
        """,
        StatementArguments(group.map(NameFolding.key) + group.map(NameFolding.key)),
        label: "tag: " + group.joined(separator: " or "))
    }
    if !request.excludedTags.isEmpty {
      let names = request.excludedTags.map(NameFolding.key)
      let files = SearchFilter.isFile(
        "activity_pk IN \(SearchFilter.tagged(names)) OR note_pk IN "
          + "(SELECT note_tags.note_pk FROM note_tags JOIN tags ON tags.pk = tag_pk "
          + "WHERE tags.folded IN (\(placeholders(names.count))))")
      add(
        """
        (activities.pk IS NULL OR activities.pk NOT IN
            \(SearchFilter.tagged(request.excludedTags)))
          AND NOT \(SearchFilter.isNoteTagged(request.excludedTags.count))
          AND NOT \(files)
        """, StatementArguments(names + names + names + names),
        label: "without the tag: " + request.excludedTags.joined(separator: " or "))
    }
    for (column, values) in request.excludedValues {
      let list = placeholders(values.count)
      let files = SearchFilter.isFile(ofActivity: "\(column) IN (\(list))")
      add(
        "coalesce(activities.\(column) NOT IN (\(list)), 1) AND NOT \(files)",
        StatementArguments(values + values),
        label: "any \(column) except: " + values.joined(separator: " or "))
    }
    if !request.excludedPeople.isEmpty || !request.excludedNames.isEmpty {
      let (named, values) = SearchFilter.named(request.excludedPeople, request.excludedNames)
      let files = SearchFilter.isFile(
        "activity_pk IN (SELECT mentions.activity_pk FROM mentions "
          + "WHERE mentions.activity_pk IS NOT NULL AND \(named)) "
          + "OR day_pk IN (SELECT mentions.day_pk FROM mentions "
          + "WHERE mentions.day_pk IS NOT NULL AND \(named)) "
          + "OR note_pk IN (SELECT note_mentions.note_pk FROM note_mentions WHERE \(named))")
      add(
        """
        NOT coalesce(activities.pk IN (SELECT activity_pk FROM mentions
            WHERE activity_pk IS NOT NULL AND \(named)), 0)
          AND NOT (search_words.rowid & 7 = 1 AND search_words.rowid >> 3 IN
            (SELECT day_pk FROM mentions WHERE day_pk IS NOT NULL AND \(named)))
          AND NOT (search_words.rowid & 7 = 3 AND search_words.rowid >> 3 IN
            (SELECT note_pk FROM note_mentions WHERE \(named)))
          AND NOT \(files)
        """, values + values + values + values + values + values, label: nil)
    }
    if request.isPinned { add("activities.is_pinned = 1", [], label: "pinned") }
    if request.isUnpinned {
      let files = SearchFilter.isFile(ofActivity: "is_pinned = 1")
      add(
        "coalesce(activities.is_pinned, 0) = 0 AND NOT \(files)", [], label: "not pinned")
    }
    for piece in request.pieces {
      let (condition, values) = TextPiece.condition(
        Segmentation.spaced(piece), in: ["title", "body"])
      add(condition, values, label: "contains: \(piece)")
    }
    if let anniversary = request.anniversary {
      add(
        "search_words.day_key LIKE ? AND search_words.day_key < ?",
        ["%" + anniversary.suffix, anniversary.end.description],
        label: "on this day: \(anniversary.name)")
    }
    for name in request.people.prefix(SearchFilter.listLimit) {
      let keys = try SearchFilter.personKeys(named: name, db)
      require(personKeys: keys, orName: name, label: "person: \(name)")
    }
    for group in request.personGroups where !group.isEmpty {
      let keys = try Int64.fetchAll(
        db, sql: "SELECT pk FROM persons WHERE id IN (\(placeholders(group.count)))",
        arguments: StatementArguments(group.map(\.uuidString)))
      require(personKeys: keys, orName: nil, label: nil)
    }
    if let meetings = request.meetings {
      let (condition, values) = try MeetingFilter.isMeeting("activities.pk", meetings, db)
      add(condition, values, label: nil)
    }
    let types = types.isEmpty ? request.types : types
    if !types.isEmpty {
      let list = types.compactMap { SearchDocument.Kind($0) }.map { String($0.rawValue) }
        .joined(separator: ", ")
      add("search_words.rowid & 7 IN (\(list))", [], label: nil)
    }
  }

  /// The largest number of names in a filter.
  static let listLimit = 50
  /// The largest length of a pattern, because SQLite refuses longer ones.
  static let insideLimit = 500

  /// Returns SQL for the activities that have one of some tags.
  private static func tagged(_ names: [String]) -> String {
    """
    (SELECT activity_pk FROM activity_tags JOIN tags ON tags.pk = tag_pk
      WHERE tags.folded IN (\(placeholders(names.count))))
    """
  }

  /// Returns SQL that is true for a note with one of a number of tags.
  private static func isNoteTagged(_ count: Int) -> String {
    """
    (search_words.rowid & 7 = 3 AND EXISTS (SELECT 1 FROM note_tags JOIN tags ON tags.pk = tag_pk
      WHERE note_pk = search_words.rowid >> 3 AND tags.folded IN (\(placeholders(count)))))
    """
  }

  /// Returns SQL that is true for an attachment whose owner meets a condition on `activity_pk`,
  /// `day_pk` and `note_pk`: an excluded entry takes its attachments along.
  private static func isFile(_ condition: String) -> String {
    """
    (search_words.rowid & 7 = 2 AND EXISTS (SELECT 1 FROM attachments
      WHERE attachments.pk = search_words.rowid >> 3 AND (\(condition))))
    """
  }

  /// Returns SQL that is true for an attachment of an activity that meets a condition.
  private static func isFile(ofActivity condition: String) -> String {
    isFile("activity_pk IN (SELECT pk FROM activity_rows WHERE pk = activity_pk AND \(condition))")
  }

  /// Returns SQL for mentions of some people, and of names that are stored without a person.
  static func named(
    _ people: [UUID], _ names: [String]
  ) -> (sql: String, arguments: StatementArguments) {
    (
      """
      (person_pk IN (SELECT pk FROM persons WHERE id IN (\(placeholders(people.count))))
        OR (person_pk IS NULL AND folded IN (\(placeholders(names.count)))))
      """, StatementArguments(people.map(\.uuidString) + names.map(NameFolding.key))
    )
  }

  /// Adds the conditions of a query's words that MATCH can't express.
  ///
  /// - Returns: the MATCH expression of the others; nil if none of them must occur.
  mutating func match(
    _ words: WordQuery, matching: Archive.WordMatching, expand: (String) -> [String]
  ) -> String? {
    for term in words.terms where term.form == .inside { require(inside: term) }
    let match = SearchMatch.expression(words, matching: matching, expand: expand)
    if match == nil { SearchMatch.exclusions(words).forEach { exclude(match: $0) } }
    return match
  }

  /// Excludes documents that contain a word, if no other word is searched for.
  private mutating func exclude(match: String) {
    add(
      "search_words.rowid NOT IN (SELECT rowid FROM search_words WHERE search_words MATCH ?)",
      [match], label: nil)
  }

  private mutating func add(_ condition: String, _ values: StatementArguments, label: String?) {
    conditions += "\nAND \(condition)"
    arguments += values
    if let label { labels.append(label) }
  }

  private mutating func require(from bound: TimeBound, _ zone: Zone) {
    switch bound {
    case .day(let day): add("search_words.day_key >= ?", [day.description], label: "from: \(day)")
    case .instant(let instant):
      // An entry without a time counts by whole days, in the home zone.
      let local = zone.dayKey(at: instant)
      let day = zone.start(of: local) == instant ? local : local.advanced(by: 1)
      add(
        "CASE WHEN activities.start_at IS NULL THEN search_words.day_key >= ? "
          + "ELSE activities.start_at >= ? END",
        [day.description, instant.milliseconds], label: "from: \(instant)")
    }
  }

  private mutating func require(to bound: TimeBound, _ zone: Zone) {
    switch bound {
    case .day(let day): add("search_words.day_key <= ?", [day.description], label: "to: \(day)")
    case .instant(let instant):
      let day = zone.dayKey(at: instant).description
      add(
        "CASE WHEN activities.start_at IS NULL THEN search_words.day_key < ? "
          + "ELSE activities.start_at < ? END",
        [day, instant.milliseconds], label: "to: \(instant)")
    }
  }

  /// Returns every person a name refers to: by name, alias, address or first name, or by their ID.
  static func personKeys(named name: String, _ db: Database) throws -> [Int64] {
    let folded = NameFolding.key(name)
    guard !folded.isEmpty else { return [] }
    if let id = UUID(uuidString: folded) {
      let keys = try Int64.fetchAll(
        db, sql: "SELECT pk FROM persons WHERE id = ?", arguments: [id.uuidString])
      if !keys.isEmpty { return keys }
    }
    return try Int64.fetchAll(
      db,
      sql: """
        SELECT DISTINCT person_pk FROM person_names
        WHERE folded = ?1 OR (role IN ('name', 'alias') AND folded >= ?2 AND folded < ?3)
        """, arguments: [folded, folded + " ", folded + "!"])
  }

  private mutating func require(personKeys keys: [Int64], orName name: String?, label: String?) {
    let list = keys.map(String.init).joined(separator: ", ")
    // An entry names few people, but a person may be named a hundred thousand times: the plus keeps
    // SQLite from scanning all of these for each entry.
    var named = "+person_pk IN (\(list))"
    var values: StatementArguments = []
    if let name {
      named = "(\(named) OR (+person_pk IS NULL AND +folded = ?))"
      values = [NameFolding.key(name), NameFolding.key(name), NameFolding.key(name)]
    }
    add(
      """
      (EXISTS (SELECT 1 FROM mentions WHERE activity_pk = activities.pk AND \(named))
        OR (search_words.rowid & 7 = 1 AND EXISTS
          (SELECT 1 FROM mentions WHERE day_pk = search_words.rowid >> 3 AND \(named)))
        OR (search_words.rowid & 7 = 3 AND EXISTS
          (SELECT 1 FROM note_mentions WHERE note_pk = search_words.rowid >> 3 AND \(named))))
      """, values, label: label)
  }

  private mutating func require(inside term: WordQuery.Term) {
    let (found, values) = TextPiece.condition(
      Segmentation.spaced(String(term.text.prefix(SearchFilter.insideLimit))),
      in: ["title", "body", "names"])
    add(term.isExcluded ? "NOT \(found)" : found, values, label: nil)
  }
}

extension SearchRequest {
  /// The excluded values of an activity's columns; documents without such a column pass.
  var excludedValues: [(column: String, values: [String])] {
    [
      ("kind", excludedKinds.map(\.rawValue)), ("source", excludedSources.map(\.rawValue)),
    ].filter { !$0.1.isEmpty }
  }
}
