package import ArkivedCore
import Foundation
import GRDB
import GRDBSQLite

extension Archive {
  /// Returns a request's filters by tags, people, pins, kinds, sources, types and meetings: a
  /// document passes if, for each list, it is in the set of one of its parts.
  ///
  /// Without such filters, there are no lists.
  package func filterParts(of request: SearchRequest) throws -> [[FilterPart]] {
    try read { db in
      var lists: [[FilterPart]] = []
      let groups = request.tags.map { [$0] } + request.tagGroups
      for group in groups.prefix(SearchFilter.listLimit) {
        let keys = try Int64.fetchAll(
          db, sql: "SELECT pk FROM tags WHERE folded IN (\(placeholders(group.count)))",
          arguments: StatementArguments(group.map(NameFolding.key)))
        lists.append(keys.map(FilterPart.tag))
      }
      for name in request.people.prefix(SearchFilter.listLimit) {
        let keys = try SearchFilter.personKeys(named: name, db)
        lists.append(keys.map(FilterPart.person) + [.name(NameFolding.key(name))])
      }
      for group in request.personGroups where !group.isEmpty {
        let keys = try Int64.fetchAll(
          db, sql: "SELECT pk FROM persons WHERE id IN (\(placeholders(group.count)))",
          arguments: StatementArguments(group.map(\.uuidString)))
        lists.append(keys.map(FilterPart.person))
      }
      if request.isPinned { lists.append([.pinned]) }
      if !request.kinds.isEmpty { lists.append(request.kinds.map { .kind($0.rawValue) }) }
      if let source = request.source { lists.append([.source(source.rawValue)]) }
      if !request.types.isEmpty { lists.append(request.types.map(FilterPart.hitType)) }
      if let meetings = request.meetings {
        lists.append([.meeting])
        for group in meetings.groups.prefix(SearchFilter.listLimit) {
          let people = group.prefix(SearchFilter.listLimit).map(\.uuidString)
          let keys = try Int64.fetchAll(
            db, sql: "SELECT pk FROM person_rows WHERE id IN (\(placeholders(people.count)))",
            arguments: StatementArguments(people))
          lists.append(keys.map(FilterPart.attendee))
        }
      }
      return lists
    }
  }

  /// Returns all documents of a part of a filter, which may include hidden ones.
  package func documents(of part: FilterPart) throws -> DocumentSet {
    try read { db in
      let last = try Int64.fetchOne(db, sql: "SELECT max(pk) FROM activity_rows") ?? 0
      var found = DocumentSet(roomUpTo: SearchDocument.rowNumber(.activity, last))
      let (sql, arguments) = part.all
      try db.forEachRow(sql, arguments) { found.insert(sqlite3_column_int64($0, 0)) }
      return found
    }
  }

  /// Returns those documents that match a part of a filter.
  package func documents(
    of part: FilterPart, among documents: [Int64]
  ) throws -> Set<Int64> {
    try read { db in
      var found = Set<Int64>()
      for (sql, arguments) in part.some(of: documents) {
        try db.forEachRow(sql, arguments) { found.insert(sqlite3_column_int64($0, 0)) }
      }
      return found
    }
  }
}
