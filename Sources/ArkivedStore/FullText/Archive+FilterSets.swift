package import ArkivedCore
import Foundation
import GRDB

extension Archive {
  /// The documents that can pass a request's filters by tags, people and pins, by the tables' own
  /// indexes; nil where it has none of these. What is hidden may be among them.
  package func documents(allowedBy request: SearchRequest) throws -> DocumentSet? {
    try read { db in
      var allowed: DocumentSet?
      func require(_ set: DocumentSet) { allowed = allowed.map { $0.intersection(set) } ?? set }
      let groups = request.tags.map { [$0] } + request.tagGroups
      for group in groups.prefix(SearchFilter.listLimit) {
        require(try Archive.tagged(group, db))
      }
      for name in request.people.prefix(SearchFilter.listLimit) {
        let keys = try SearchFilter.personKeys(named: name, db)
        require(try Archive.mentioning(keys, orName: name, db))
      }
      for group in request.personGroups where !group.isEmpty {
        let keys = try Int64.fetchAll(
          db, sql: "SELECT pk FROM persons WHERE id IN (\(placeholders(group.count)))",
          arguments: StatementArguments(group.map(\.uuidString)))
        require(try Archive.mentioning(keys, orName: nil, db))
      }
      if request.isPinned {
        var pinned = DocumentSet()
        let keys = try Int64.fetchCursor(
          db, sql: "SELECT pk FROM activity_rows WHERE is_pinned = 1")
        while let key = try keys.next() { pinned.insert(SearchDocument.rowNumber(.activity, key)) }
        require(pinned)
      }
      return allowed
    }
  }

  private static func tagged(_ names: [String], _ db: Database) throws -> DocumentSet {
    var found = DocumentSet()
    let keys = try Int64.fetchCursor(
      db,
      sql: """
        SELECT activity_pk FROM activity_tags WHERE tag_pk IN (
          SELECT pk FROM tags WHERE folded IN (\(placeholders(names.count))))
        """, arguments: StatementArguments(names.map(NameFolding.key)))
    while let key = try keys.next() { found.insert(SearchDocument.rowNumber(.activity, key)) }
    return found
  }

  /// Entries that name one of some people, or have the name without a person.
  private static func mentioning(
    _ persons: [Int64], orName name: String?, _ db: Database
  ) throws -> DocumentSet {
    var found = DocumentSet()
    var queries: [(String, StatementArguments)] = persons.map { ("person_pk = ?", [$0]) }
    if let name { queries.append(("person_pk IS NULL AND folded = ?", [NameFolding.key(name)])) }
    for (condition, arguments) in queries {
      let owners = try Row.fetchCursor(
        db, sql: "SELECT activity_pk, day_pk FROM mentions WHERE \(condition)",
        arguments: arguments)
      while let owner = try owners.next() {
        if let key = owner[0] as Int64? {
          found.insert(SearchDocument.rowNumber(.activity, key))
        } else if let key = owner[1] as Int64? {
          found.insert(SearchDocument.rowNumber(.day, key))
        }
      }
    }
    return found
  }
}
