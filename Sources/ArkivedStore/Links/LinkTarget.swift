package import ArkivedCore
package import Foundation
import GRDB

/// The target of a link in a text.
package struct LinkTarget: Hashable, Sendable {
  package enum Kind: String, Sendable {
    case day, person, note, activity, meeting, goal, value, term, tag
  }

  package var kind: Kind
  /// The ID; nil for a day, which doesn't need an entry of its own.
  package var id: UUID?
  /// The day itself, or the day of an entry.
  package var day: DayKey?
  /// A line that distinguishes it from others.
  package var label: String
  /// The entry that shows a meeting on its day.
  package var entry: UUID?

  package init(
    _ kind: Kind, id: UUID? = nil, day: DayKey? = nil, label: String, entry: UUID? = nil
  ) {
    self.kind = kind
    self.id = id
    self.day = day
    self.label = label
    self.entry = entry
  }

  init?(_ thing: NamedThing) {
    let kind: Kind? =
      switch thing.kind {
      case .activity: .activity
      case .day: .day
      case .meeting: .meeting
      case .note: .note
      case .goal: .goal
      case .value: .value
      case .term: .term
      case .person: .person
      case .attachment: nil
      }
    guard let kind else { return nil }
    self.init(
      kind, id: kind == .day ? nil : thing.id, day: thing.day, label: thing.label,
      entry: thing.entry)
  }

  package var json: JSON {
    [
      "type": .string(kind.rawValue), "id": JSON(id?.uuidString), "dayKey": JSON(day),
      "title": .string(label),
    ]
  }
}

extension Archive {
  /// The largest number of different links of a text that are looked up.
  package static let linkLimit = 500

  /// Returns the targets of links: none if they no longer exist, several if a name is ambiguous,
  /// and nil for links beyond the first `linkLimit`.
  package func targets(of links: [TextLink]) throws -> [[LinkTarget]?] {
    guard !links.isEmpty else { return [] }
    return try read { db in
      var known: [[LinkKey]: [LinkTarget]] = [:]
      return try links.map { link in
        let keys = link.keys
        if let found = known[keys] { return found }
        guard known.count < Self.linkLimit else { return nil }
        let found = try Self.targets(of: keys, db)
        known[keys] = found
        return found
      }
    }
  }

  /// Returns the targets of a name.
  package func targets(ofName name: String) throws -> [LinkTarget] {
    guard let link = TextLink.links(in: "[[\(name)]]").first else { return [] }
    return try targets(of: [link])[0] ?? []
  }

  static func targets(of keys: [LinkKey], _ db: Database) throws -> [LinkTarget] {
    for key in keys {
      switch key {
      case .day(let day):
        return [LinkTarget(.day, day: day, label: day.shownLongName)]
      case .entry(let digits):
        let found = try things(digits, of: NamedThing.Kind.allCases, limit: 2, db)
          .compactMap(LinkTarget.init)
        if !found.isEmpty { return found }
      case .name(let name):
        let found = try named(name, db)
        if !found.isEmpty { return found }
      }
    }
    return []
  }

  /// The number of things of the same name that are looked up.
  private static let sameNames = 20

  private static func named(_ folded: String, _ db: Database) throws -> [LinkTarget] {
    let people = try Row.fetchAll(
      db,
      cached: """
        SELECT persons.id, coalesce(\(PersonRecord.name), person_names.value) AS label,
          min(role <> 'name') AS is_alias
        FROM person_names JOIN persons ON persons.pk = person_pk
        WHERE folded = ? GROUP BY persons.pk ORDER BY is_alias, persons.pk
        LIMIT \(sameNames)
        """, arguments: [folded])
    // People's own names take precedence over others' aliases.
    let own = people.filter { $0["is_alias"] == 0 }
    var found = try (own.isEmpty ? people : own).map { row in
      LinkTarget(.person, id: try row.identity("id"), label: row["label"])
    }
    found += try Row.fetchAll(
      db,
      cached: """
        SELECT notes.id, notes.title, notes.day_key FROM note_names
        JOIN notes ON notes.pk = note_pk
        WHERE folded = ? ORDER BY notes.updated_at DESC, notes.pk DESC LIMIT \(sameNames)
        """, arguments: [folded]
    ).map { row in
      LinkTarget(
        .note, id: try row.identity("id"),
        day: (row["day_key"] as String?).flatMap(DayKey.init), label: row["title"])
    }
    guard found.isEmpty else { return found }
    // In Logseq, pages are also tags.
    return try Row.fetchAll(
      db, cached: "SELECT id, name FROM tags WHERE folded = ?", arguments: [folded]
    ).map { row in LinkTarget(.tag, id: try row.identity("id"), label: row["name"]) }
  }
}
