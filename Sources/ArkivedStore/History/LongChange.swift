package import ArkivedCore
import FoundationEssentials
import GRDB

/// A change written in several transactions, so others can write in between.
///
/// It begins with the first one, and can be undone like any other change.
package final class LongChange {
  private let archive: Archive
  private let author: Author
  private let action: String
  private let summary: String
  private var begun: (change: Change, key: Int64)?

  package init(_ archive: Archive, by author: Author, _ action: String, _ summary: String) {
    self.archive = archive
    self.author = author
    self.action = action
    self.summary = summary
  }

  /// Writes a part in a separate transaction; if `body` throws, none of the part is kept.
  package func write<Value>(_ body: (ChangeScope) throws -> Value) throws -> Value {
    let (value, state) = try archive.transact { db -> (Value, (change: Change, key: Int64)) in
      if let begun {
        try Self.checkGoesOn(begun.change, begun.key, db)
        let scope = ChangeScope(
          db, begun.change, key: begun.key, identities: archive.identities)
        return (try body(scope), begun)
      }
      let scope = try archive.openScope(db, by: author, action, summary)
      return (try body(scope), (change: scope.change, key: scope.changeKey))
    }
    begun = state
    return value
  }

  /// Throws if the change cannot continue.
  ///
  /// - Throws: `ArchiveError.conflict` if the change was removed or undone between two parts, and
  ///   `.refused` if the archive was moved.
  private static func checkGoesOn(_ change: Change, _ key: Int64, _ db: Database) throws {
    try Archive.checkStays(db)
    let goesOn =
      try Bool.fetchOne(
        db,
        cached: """
          SELECT EXISTS (SELECT 1 FROM change_rows WHERE pk = ? AND id = ? AND undone_by IS NULL)
          """, arguments: [key, change.id.uuidString]) ?? false
    guard goesOn else {
      throw ArchiveError.conflict(
        "This was undone, or the archive was restored from a backup, before it was finished. Do "
          + "it again.")
    }
  }

  /// Ends the change: it becomes the newest one, so watchers notice the last part.
  ///
  /// - Parameter isIdle: true if nothing was changed after all; then it is removed from the list of
  ///   changes.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func finish(isIdle: Bool) throws {
    guard let begun else { return }
    try archive.transact { db in
      guard !isIdle else {
        return try db.execute(
          sql: "DELETE FROM change_rows WHERE pk = ?", arguments: [begun.key])
      }
      try db.execute(
        sql: """
          UPDATE change_rows
          SET position = (SELECT max(coalesce(position, pk)) + 1 FROM change_rows) WHERE pk = ?
          """, arguments: [begun.key])
    }
    self.begun = nil
  }
}
