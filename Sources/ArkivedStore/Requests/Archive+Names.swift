package import ArkivedCore
import Foundation
import GRDB

/// Finding names without loading all people and tags.
extension Archive {
  /// A new tag and the existing tag that was probably intended.
  package struct TagSuggestion: Hashable, Sendable {
    package var name: String
    package var existing: String
    /// The number of entries that have the existing one.
    package var count: Int
  }

  /// Returns the most similar tag for each name that is not a tag yet, if there is one.
  package func suggestions(for names: [String]) throws -> [TagSuggestion] {
    guard !names.isEmpty else { return [] }
    return try read { db in
      let isKnown = try db.cachedStatement(
        sql: "SELECT 1 FROM \(EntryTables.tags) WHERE folded = ?")
      let new = try names.filter {
        try Int.fetchOne(isKnown, arguments: [NameFolding.key($0)]) == nil
      }
      guard !new.isEmpty else { return [] }
      let existing = try Row.fetchAll(db, sql: "SELECT pk, name FROM \(EntryTables.tags)").map {
        (pk: $0["pk"] as Int64, name: $0["name"] as String)
      }
      let likenesses = existing.map { TagLikeness($0.name) }
      // Without hidden imports, the index of the links is enough to count.
      let isPlain =
        try Bool.fetchOne(db, sql: "SELECT NOT EXISTS (SELECT 1 FROM hidden_changes)") ?? false
      let shown = isPlain ? "" : "JOIN \(EntryTables.activities) ON pk = activity_pk"
      let uses = try db.cachedStatement(
        sql: "SELECT count(*) FROM \(EntryTables.activityTags) \(shown) WHERE tag_pk = ?")
      return try new.compactMap { name in
        let likeness = TagLikeness(name)
        var best: (distance: Int, suggestion: TagSuggestion)?
        for (tag, other) in zip(existing, likenesses) {
          guard let distance = likeness.distance(to: other), distance <= best?.distance ?? .max
          else { continue }
          let count = try Int.fetchOne(uses, arguments: [tag.pk]) ?? 0
          guard count > 0 else { continue }
          if distance < best?.distance ?? .max || count > best?.suggestion.count ?? 0 {
            best = (distance, TagSuggestion(name: name, existing: tag.name, count: count))
          }
        }
        return best?.suggestion
      }
    }
  }

  /// Returns tags whose names have a prefix, in order, for completing them during typing.
  package func tagNames(beginningWith prefix: String, limit: Int) throws -> [String] {
    let folded = NameFolding.key(prefix)
    return try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT name FROM \(EntryTables.tags) WHERE folded >= ? AND folded < ?
          ORDER BY folded LIMIT ?
          """, arguments: [folded, folded + "\u{10FFFF}", limit])
    }
  }

  /// Returns people whose name, or a part of it, has a prefix, in order.
  package func personNames(beginningWith prefix: String, limit: Int) throws -> [String] {
    let folded = NameFolding.key(prefix)
    return try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT value FROM \(EntryTables.personNames)
          JOIN \(EntryTables.persons) ON pk = person_pk
          WHERE role IN ('name', 'alias')
            AND (substr(folded, 1, ?1) = ?2 OR instr(folded, ' ' || ?2) > 0)
          ORDER BY folded LIMIT ?3
          """, arguments: [folded.unicodeScalars.count, folded, limit])
    }
  }

  /// Returns the people whom a text may mention: all whose name, alias or address begins with a
  /// word of the text.
  ///
  /// Parsing names finds the same people among these as among all people.
  package func people(mentionedIn text: String) throws -> [KnownPerson] {
    let words = PersonReader.words(in: text)
    guard !words.isEmpty else { return [] }
    return try read { db in
      // The index covers the query, so people who are not named are not read.
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT folded, person_pk FROM \(EntryTables.personNames) WHERE role <> 'address'
          """)
      var keys = Set<Int64>()
      while let row = try rows.next() {
        if PersonReader.begins(row[0] as String, with: words) { keys.insert(row[1]) }
      }
      var people: [KnownPerson] = []
      for slice in keys.sorted().slices() {
        people += try PersonRecord.fetch(
          db, where: "pk IN (\(placeholders(slice.count)))", arguments: StatementArguments(slice)
        ).map {
          KnownPerson(id: $0.person.id, name: $0.person.displayName, aliases: $0.person.aliases)
        }
      }
      return people
    }
  }
}

/// Days with content.
extension Archive {
  /// Returns the latest days whose keys have a prefix and that have an activity or their own entry.
  package func dayKeys(beginningWith prefix: String, limit: Int) throws -> [DayKey] {
    guard prefix.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }) else { return [] }
    return try read { db in
      var found = Set<DayKey>()
      for table in [EntryTables.activities, EntryTables.days] {
        found.formUnion(
          try String.fetchAll(
            db,
            sql: """
              SELECT DISTINCT day_key FROM \(table) WHERE day_key >= ?1 AND day_key < ?1 || 'Z'
              ORDER BY day_key DESC LIMIT ?2
              """, arguments: [prefix, limit]
          ).compactMap(DayKey.init))
      }
      return Array(found.sorted(by: >).prefix(limit))
    }
  }

  /// Returns the days with a month and day in all years that have any content, the latest first.
  package func days(of anniversary: Anniversary) throws -> [Day] {
    try dayKeys(of: anniversary).map(day)
  }

  /// Returns the keys of the days that `days(of:)` returns, without their content.
  ///
  /// - Parameters:
  ///   - anniversary: the day of the year.
  ///   - years: the maximum number of years.
  /// - Returns: the keys.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func dayKeys(of anniversary: Anniversary, years: Int = .max) throws -> [DayKey] {
    try read { db in
      var found = Set<DayKey>()
      for table in [EntryTables.activities, EntryTables.days] {
        let first = try String.fetchOne(db, sql: "SELECT min(day_key) FROM \(table)")
        let keys = first.flatMap(DayKey.init).map { anniversary.days(since: $0) } ?? []
        let exists = try db.cachedStatement(
          sql: "SELECT 1 FROM \(table) WHERE day_key = ? LIMIT 1")
        for key in keys.prefix(years)
        where try Int.fetchOne(exists, arguments: [key.description]) != nil { found.insert(key) }
      }
      return found.sorted(by: >)
    }
  }
}
