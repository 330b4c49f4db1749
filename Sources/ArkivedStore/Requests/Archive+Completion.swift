package import ArkivedCore
import Foundation
import GRDB

/// Completing typed names and resolving them, using the indexes of folded names.
extension Archive {
  /// A suggested name.
  package struct NameOffer: Hashable, Sendable {
    package var name: String
    /// The number of entries that have it; nil if counting would take long.
    package var count: Int?
  }

  /// The number of names among which the most used ones are found.
  private static let candidateLimit = 64
  /// The number at which counting ends.
  private static let countLimit = 1_000

  /// Returns tags whose names have a prefix, the most used first.
  package func tagOffers(beginningWith prefix: String, limit: Int) throws -> [NameOffer] {
    let folded = NameFolding.key(prefix)
    return try read { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT pk, name FROM \(EntryTables.tags) WHERE folded >= ? AND folded < ?
          ORDER BY folded LIMIT \(Archive.candidateLimit)
          """, arguments: [folded, folded + "\u{10FFFF}"])
      let uses = "SELECT 1 FROM \(EntryTables.activityTags) WHERE tag_pk = ?"
      return try Archive.ranked(rows, uses: uses, limit: limit, db)
    }
  }

  /// Returns people with a name, or a later word of one, that has a prefix, the most frequently
  /// named first; each with the matching name.
  package func personOffers(beginningWith prefix: String, limit: Int) throws -> [NameOffer] {
    let folded = NameFolding.key(prefix)
    return try read { db in
      let columns = "SELECT person_pk AS pk, value AS name FROM \(EntryTables.personNames)"
      let exists = "person_pk IN (SELECT pk FROM \(EntryTables.persons))"
      var rows = try Row.fetchAll(
        db,
        sql: """
          \(columns) WHERE folded >= ? AND folded < ? AND role IN ('name', 'alias') AND \(exists)
          ORDER BY folded LIMIT \(Archive.candidateLimit)
          """, arguments: [folded, folded + "\u{10FFFF}"])
      if rows.count < limit, !folded.isEmpty {
        rows += try Row.fetchAll(
          db,
          sql: """
            \(columns) WHERE instr(folded, ' ' || ?) > 0 AND role IN ('name', 'alias')
              AND \(exists)
            LIMIT \(Archive.candidateLimit)
            """, arguments: [folded])
      }
      var seen = Set<Int64>()
      rows = rows.filter { seen.insert($0["pk"]).inserted }
      let uses = "SELECT 1 FROM \(EntryTables.mentions) WHERE person_pk = ?"
      return try Archive.ranked(rows, uses: uses, limit: limit, db)
    }
  }

  private static func ranked(
    _ rows: [Row], uses: String, limit: Int, _ db: Database
  ) throws -> [NameOffer] {
    let count = try db.cachedStatement(
      sql: "SELECT count(*) FROM (\(uses) LIMIT \(countLimit + 1))")
    var offers: [(offer: NameOffer, uses: Int)] = []
    for row in rows {
      let uses = try Int.fetchOne(count, arguments: [row["pk"] as Int64]) ?? 0
      let offer = NameOffer(name: row["name"], count: uses > countLimit ? nil : uses)
      offers.append((offer, uses))
    }
    // Entries of a running import are already linked, but must not be counted for anybody.
    let isHiding = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM hidden_changes)")
    offers.sort { $0.uses != $1.uses ? $0.uses > $1.uses : $0.offer.name < $1.offer.name }
    return offers.prefix(max(0, limit)).map {
      isHiding == true ? NameOffer(name: $0.offer.name, count: nil) : $0.offer
    }
  }

  /// Returns the name of the tag with a given name, in the tag's own spelling.
  package func tagName(_ name: String) throws -> String? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT name FROM \(EntryTables.tags) WHERE folded = ?",
        arguments: [NameFolding.key(name)])
    }
  }

  /// Returns the people with a name, alias, address or first name.
  package func people(named name: String) throws -> [KnownPerson] {
    try read { db in
      try Archive.known(SearchFilter.personKeys(named: name, db), db)
    }
  }

  /// Returns the people whose name or alias has a prefix.
  package func people(beginningWith prefix: String, limit: Int) throws -> [KnownPerson] {
    let folded = NameFolding.key(prefix)
    guard !folded.isEmpty else { return [] }
    return try read { db in
      let keys = try Int64.fetchAll(
        db,
        sql: """
          SELECT DISTINCT person_pk FROM \(EntryTables.personNames)
          WHERE folded >= ? AND folded < ? AND role IN ('name', 'alias') LIMIT ?
          """, arguments: [folded, folded + "\u{10FFFF}", limit])
      return try Archive.known(keys, db)
    }
  }

  private static func known(_ keys: [Int64], _ db: Database) throws -> [KnownPerson] {
    try keys.slices().flatMap { slice in
      try PersonRecord.fetch(
        db, where: "pk IN (\(placeholders(slice.count)))", arguments: StatementArguments(slice)
      ).map {
        KnownPerson(id: $0.person.id, name: $0.person.displayName, aliases: $0.person.aliases)
      }
    }
  }
}
