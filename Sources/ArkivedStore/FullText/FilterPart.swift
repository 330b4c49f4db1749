package import ArkivedCore
import GRDB

/// A part of a search's filters that corresponds to a set of documents on its own.
package enum FilterPart: Hashable, Sendable {
  /// Activities and notes with a tag, by the key of its row.
  case tag(Int64)
  /// Entries that name a person, by the key of their row.
  case person(Int64)
  /// Entries with a name, folded, that refers to no known person.
  case name(String)
  case pinned
  case kind(String)
  case source(String)
  /// Results of a type.
  case hitType(HitType)
  case meeting
  /// Meetings in which a person takes part and has not declined, by the key of their row.
  case attendee(Int64)

  /// True if an entry can join the set without being touched: an entry's name no longer refers to
  /// anyone after the person it referred to is deleted, and only a meeting's own row changes with
  /// its attendees.
  package var changesUnseen: Bool {
    switch self {
    case .name, .meeting, .attendee: true
    default: false
    }
  }
}

extension FilterPart {
  /// The SQL that returns the row numbers of all its documents.
  var all: (sql: String, arguments: StatementArguments) {
    switch self {
    case .tag(let key):
      (
        """
        SELECT activity_pk << 3 FROM activity_tags WHERE tag_pk = ?1
        UNION ALL SELECT (note_pk << 3) | 3 FROM note_tags WHERE tag_pk = ?1
        """, [key]
      )
    case .person(let key):
      (
        """
        \(Self.mentions) WHERE person_pk = ?1
        UNION ALL \(Self.noteMentions) WHERE person_pk = ?1
        """, [key]
      )
    case .name(let folded):
      (
        """
        \(Self.mentions) WHERE person_pk IS NULL AND folded = ?1
        UNION ALL \(Self.noteMentions) WHERE person_pk IS NULL AND folded = ?1
        """, [folded]
      )
    case .pinned: ("SELECT pk << 3 FROM activity_rows WHERE is_pinned = 1", [])
    case .kind(let kind): ("SELECT pk << 3 FROM activity_rows WHERE kind = ?", [kind])
    case .source(let source): ("SELECT pk << 3 FROM activity_rows WHERE source = ?", [source])
    case .hitType(let type): (Self.documents(of: type) ?? "SELECT 0 WHERE 0", [])
    case .meeting: (Self.meetings, [])
    case .attendee(let key): ("\(Self.meetings) WHERE \(Self.isAttended)", [key])
    }
  }

  /// Returns SQL for the row numbers of those documents that are in the part; the plus keeps SQLite
  /// from scanning all the rest.
  func some(of documents: [Int64]) -> [(sql: String, arguments: StatementArguments)] {
    func keys(_ kind: SearchDocument.Kind) -> String {
      KeyList.text(documents.filter { $0 & 7 == kind.rawValue }.map { $0 >> 3 })
    }
    func inActivities(
      _ condition: String, _ values: StatementArguments
    ) -> [(sql: String, arguments: StatementArguments)] {
      [
        (
          "SELECT pk << 3 FROM activity_rows WHERE \(condition) AND pk IN (\(KeyList.sql))",
          values + [keys(.activity)]
        )
      ]
    }
    func inMentions(
      _ condition: String, _ values: StatementArguments
    ) -> [(sql: String, arguments: StatementArguments)] {
      [("activity_pk", SearchDocument.Kind.activity), ("day_pk", .day)].map { column, kind in
        (
          "\(Self.mentions) WHERE \(condition) AND \(column) IN (\(KeyList.sql))",
          values + [keys(kind)]
        )
      } + [
        (
          "\(Self.noteMentions) WHERE \(condition) AND note_pk IN (\(KeyList.sql))",
          values + [keys(.note)]
        )
      ]
    }
    switch self {
    case .tag(let key):
      return [
        (
          """
          SELECT activity_pk << 3 FROM activity_tags
          WHERE tag_pk = ? AND activity_pk IN (\(KeyList.sql))
          """, [key, keys(.activity)]
        ),
        (
          """
          SELECT (note_pk << 3) | 3 FROM note_tags
          WHERE tag_pk = ? AND note_pk IN (\(KeyList.sql))
          """, [key, keys(.note)]
        ),
      ]
    case .person(let key): return inMentions("+person_pk = ?", [key])
    case .name(let folded): return inMentions("+person_pk IS NULL AND +folded = ?", [folded])
    case .pinned: return inActivities("+is_pinned = 1", [])
    case .kind(let kind): return inActivities("+kind = ?", [kind])
    case .source(let source): return inActivities("+source = ?", [source])
    case .hitType(let type):
      guard let kind = SearchDocument.Kind(type), let all = Self.documents(of: type) else {
        return []
      }
      return [("\(all) WHERE pk IN (\(KeyList.sql))", [keys(kind)])]
    case .meeting:
      return [("\(Self.meetings) WHERE activity_pk IN (\(KeyList.sql))", [keys(.activity)])]
    case .attendee(let key):
      return [
        (
          "\(Self.meetings) WHERE \(Self.isAttended) AND activity_pk IN (\(KeyList.sql))",
          [key, keys(.activity)]
        )
      ]
    }
  }

  private static let mentions =
    "SELECT CASE WHEN activity_pk IS NULL THEN (day_pk << 3) | 1 ELSE activity_pk << 3 END "
    + "FROM mentions"
  private static let noteMentions = "SELECT (note_pk << 3) | 3 FROM note_mentions"
  private static let meetings = "SELECT activity_pk << 3 FROM meeting_rows"
  private static let isAttended =
    "pk IN (SELECT meeting_pk FROM attendance_rows WHERE person_pk = ? AND reply <> 'declined')"

  /// Returns the SQL for the row numbers of all documents of a type; nil if it has none.
  private static func documents(of type: HitType) -> String? {
    guard let kind = SearchDocument.Kind(type) else { return nil }
    let table =
      switch kind {
      case .activity: "activity_rows"
      case .day: "day_rows"
      case .attachment: "attachments"
      case .note: "note_rows"
      }
    return "SELECT (pk << 3) | \(kind.rawValue) FROM \(table)"
  }
}
