import ArkivedCore
import Foundation
import GRDB

/// Removing rows that nobody sees; nothing of them goes to the history.
enum HiddenRows {
  /// Removes rows with all that hangs on them and their places in the search index.
  static func remove(_ type: EntityType, keys: [Int64], _ db: Database) throws {
    for slice in keys.slices() {
      let list = slice.map(String.init).joined(separator: ", ")
      if let owner = EntityType.attachmentOwner[type] {
        let attachments = try Int64.fetchAll(
          db, sql: "SELECT pk FROM attachments WHERE \(owner) IN (\(list))")
        for key in attachments { try SearchDocument.remove(.attachment, key, db) }
      }
      if let kind = SearchDocument.Kind.ofRows[type] {
        for key in slice { try SearchDocument.remove(kind, key, db) }
      }
      try db.execute(sql: "DELETE FROM \(type.rowsTable) WHERE pk IN (\(list))")
    }
  }

  /// Removes up to `limit` rows that a change made and nobody touched since.
  ///
  /// - Parameter after: only rows with greater numbers, by type.
  /// - Returns: how many rows there were.
  static func removeSome(
    ofChange key: Int64, limit: Int, after marks: [EntityType: Int64] = [:], _ db: Database
  ) throws -> Int {
    for type in [EntityType.activity, .day, .metric, .person, .tag] {
      let keys = try Int64.fetchAll(
        db,
        sql: """
          SELECT pk FROM \(type.rowsTable)
          WHERE change_pk = ?1 AND changed_pk = ?1 AND pk > ?2 LIMIT ?3
          """, arguments: [key, marks[type] ?? 0, limit])
      guard !keys.isEmpty else { continue }
      try remove(type, keys: keys, db)
      return keys.count
    }
    return 0
  }

  /// The last row number of every type, so that what comes later can be told apart.
  static func marks(_ db: Database) throws -> [EntityType: Int64] {
    var marks: [EntityType: Int64] = [:]
    for (type, table) in EntityType.rowsTables {
      marks[type] = try Int64.fetchOne(db, sql: "SELECT max(pk) FROM \(table)")
    }
    return marks
  }
}

extension EntityType {
  /// The column of `attachments` in which an entity stands.
  static let attachmentOwner: [EntityType: String] = [.activity: "activity_pk", .day: "day_pk"]
}

extension SearchDocument.Kind {
  static let ofRows: [EntityType: SearchDocument.Kind] = [.activity: .activity, .day: .day]
}
