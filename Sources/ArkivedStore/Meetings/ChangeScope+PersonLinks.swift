import ArkivedCore
import Foundation
import GRDB

/// The kinds of places where a person is named or takes part: entries, days, meetings and notes.
enum PersonLinks: String, CaseIterable {
  case activities, days, meetings, notes

  /// The linking table, its column for the linked row, and that row's table.
  var table: String {
    switch self {
    case .activities, .days: "mentions"
    case .meetings: "attendance_rows"
    case .notes: "note_mentions"
    }
  }

  var column: String {
    switch self {
    case .activities: "activity_pk"
    case .days: "day_pk"
    case .meetings: "meeting_pk"
    case .notes: "note_pk"
    }
  }

  var rows: String {
    switch self {
    case .activities: "activity_rows"
    case .days: "day_rows"
    case .meetings: "meeting_rows"
    case .notes: "note_rows"
    }
  }

  /// SQL for the text that tells one person's place from another's: the address if there is one,
  /// otherwise the name.
  fileprivate var text: String {
    self == .meetings ? "coalesce(\(table).address, \(table).name)" : "\(table).name"
  }
}

/// Links of a removed person.
///
/// Their positions and the names there are stored so that undo can link them again, even if the
/// texts were edited since. The links of a merged person are transferred to the other.
extension ChangeScope {
  /// Returns every place that is linked with a person, as `IDENTITY/POSITION`, and in `names` the
  /// name or address at each.
  func links(ofPerson key: Int64) throws -> JSON {
    var object = JSONObject()
    var names = JSONObject()
    for kind in PersonLinks.allCases {
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT it.id || '/' || position, \(kind.text) FROM \(kind.table)
          JOIN \(kind.rows) AS it ON it.pk = \(kind.column)
          WHERE person_pk = ? ORDER BY it.pk, position
          """, arguments: [key])
      object[kind.rawValue] = JSON(rows.map { $0[0] as String })
      names[kind.rawValue] = JSON(rows.map { $0[1] as String })
    }
    object["names"] = .object(names)
    return .object(object)
  }

  /// Returns the entries, days, meetings and notes that name both people.
  func places(shared first: Int64, with second: Int64) throws -> JSON {
    JSON(
      try PersonLinks.allCases.flatMap { kind in
        try String.fetchAll(
          db,
          sql: """
            SELECT id FROM \(kind.rows)
            WHERE pk IN (SELECT \(kind.column) FROM \(kind.table) WHERE person_pk = ?)
              AND pk IN (SELECT \(kind.column) FROM \(kind.table) WHERE person_pk = ?)
            """, arguments: [first, second])
      })
  }

  /// Transfers all links of a person to another one.
  ///
  /// Names remain as written.
  func moveLinks(ofPerson key: Int64, to kept: UUID) throws {
    guard let target = try personKey(kept) else { return }
    for table in ["mentions", "attendance_rows", "note_mentions", "external_refs"] {
      try db.execute(
        sql: "UPDATE \(table) SET person_pk = ? WHERE person_pk = ?", arguments: [target, key])
    }
  }

  /// Gives the attendances of a person who is about to be removed the name that is shown for them.
  func keepNameInMeetings(of person: Person, key: Int64) throws {
    guard let name = person.name else { return }
    try db.execute(
      sql: "UPDATE attendance_rows SET name = ? WHERE person_pk = ? AND name <> ?",
      arguments: [name, key, name])
  }

  /// Links a restored person with their former places, if these still name them.
  ///
  /// - Parameters:
  ///   - person: the person.
  ///   - links: their former places.
  ///   - kept: the person they were merged into; nil if only their name was left.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func relink(_ person: Person, _ links: JSON, from kept: String?) throws {
    guard let key = try personKey(person.id) else { return }
    let other = try kept.flatMap { UUID(uuidString: $0) }.flatMap { try self.person($0) }
    let own = [person.name, person.email].compactMap { $0 } + person.aliases
    var relinking = Relinking(
      db: db, key: key, holder: try other.flatMap { try personKey($0.id) },
      names: Set(own + person.furtherAddresses), other: other,
      shared: Set((links["shared"]?.array ?? []).compactMap(\.string)))
    for kind in PersonLinks.allCases {
      for place in FormerPlace.list(links[kind.rawValue], links["names"]?[kind.rawValue]) {
        try relinking.take(place, kind)
      }
    }
    if relinking.hasOtherNames { try rename(key, to: person.displayName) }
    try noteLinked(links)
  }

  /// Notifies the search indexes of entries whose person has changed.
  func noteLinked(_ links: JSON) throws {
    for (kind, document) in [
      (PersonLinks.activities, SearchDocument.Kind.activity), (.days, .day), (.notes, .note),
    ] {
      let keys = try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT pk FROM \(kind.rows)
          WHERE id IN (SELECT substr(value, 1, 36) FROM json_each(?)) ORDER BY pk
          """, arguments: [(links[kind.rawValue] ?? .array([])).text()])
      if kind == .notes {
        // These are found by the present name of the person too.
        try reindex(activities: [], notes: keys)
      } else {
        for key in keys { try noteDocument(document, key) }
      }
    }
  }
}

/// A place where a person was named or took part.
private struct FormerPlace {
  /// The ID of the entry, day, meeting or note.
  var owner: String
  var position: Int64
  /// The name or address there; nil if it was stored by an earlier version.
  var text: String?

  /// Parses a list of `IDENTITY/POSITION` with the names there.
  static func list(_ places: JSON?, _ names: JSON?) -> [FormerPlace] {
    let names = names?.array ?? []
    return (places?.array ?? []).enumerated().compactMap { index, place in
      guard let text = place.string, let position = Int64(text.dropFirst(37)) else { return nil }
      return FormerPlace(
        owner: String(text.prefix(36)), position: position,
        text: names.indices.contains(index) ? names[index].string : nil)
    }
  }
}

/// The return of a restored person to their former places.
private struct Relinking {
  let db: Database
  let key: Int64
  /// The row of the person who has the places now; nil if nobody has.
  let holder: Int64?
  /// All names and addresses of the restored person.
  let names: Set<String>
  /// The person they were merged into, as they are called now.
  let other: Person?
  /// The entries, days, meetings and notes that named both.
  let shared: Set<String>
  /// True if a place was taken that has another name by now.
  private(set) var hasOtherNames = false

  init(
    db: Database, key: Int64, holder: Int64?, names: Set<String>, other: Person?,
    shared: Set<String>
  ) {
    (self.db, self.key, self.holder) = (db, key, holder)
    (self.names, self.other, self.shared) = (names, other, shared)
  }

  /// A place that the holder has now.
  private struct Place {
    var position: Int64
    var text: String
    var name: String
  }

  /// Takes the place with the former name: the one at the former position if it has that name,
  /// otherwise another one of the same entry, day, meeting or note.
  mutating func take(_ former: FormerPlace, _ kind: PersonLinks) throws {
    let owner = "(SELECT pk FROM \(kind.rows) WHERE id = ?)"
    let places = try Row.fetchAll(
      db,
      cached: """
        SELECT position, \(kind.text), name FROM \(kind.table)
        WHERE \(kind.column) = \(owner) AND person_pk IS ? ORDER BY position
        """, arguments: [former.owner, holder]
    ).map { Place(position: $0[0], text: $0[1], name: $0[2]) }
    func fits(_ place: Place) -> Bool {
      if let text = former.text, place.text == text { return true }
      // Earlier versions stored only positions.
      guard holder == nil else { return former.text == nil && place.position == former.position }
      return place.position == former.position && names.contains(place.name)
    }
    var found =
      places.first { $0.position == former.position && fits($0) } ?? places.first(where: fits)
    if found == nil, former.text != nil, holder != nil {
      found = try renamed(former, kind, among: places)
      if found != nil, kind != .meetings { hasOtherNames = true }
    }
    guard let found else { return }
    try db.cachedStatement(
      sql: """
        UPDATE \(kind.table) SET person_pk = ?
        WHERE \(kind.column) = \(owner) AND position = ? AND person_pk IS ?
        """
    ).execute(arguments: [key, former.owner, found.position, holder])
  }

  /// Returns the place that has got the other person's name since.
  private func renamed(
    _ former: FormerPlace, _ kind: PersonLinks, among places: [Place]
  ) throws -> Place? {
    // Someone without a name had the name of the person who was merged into them.
    if let other, other.name == nil, kind == .activities || kind == .days {
      return places.first { $0.position == former.position && $0.name == other.displayName }
    }
    // Whoever is named in something that is edited is written as they are called now.
    return shared.contains(former.owner) || places.count != 1 ? nil : places.first
  }
}
