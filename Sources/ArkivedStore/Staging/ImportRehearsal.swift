import ArkivedCore
import GRDB

/// A rehearsal that determines the effects of an import: it is written in the usual way, and each
/// part is rolled back at once, before anybody can see it.
package struct ImportRehearsal {
  private let archive: Archive

  package init(_ archive: Archive) { self.archive = archive }

  /// Runs a part of the import in a transaction that is always rolled back.
  ///
  /// It should be short, because other writers wait for it.
  ///
  /// - Returns: what `body` returns.
  package func attempt<Value>(_ body: (ChangeScope) throws -> Value) throws -> Value {
    var outcome: Result<Value, any Error>?
    try archive.writer.writeWithoutTransaction { db in
      try db.inTransaction(.immediate) {
        outcome = Result {
          var scope = try ChangeScope(
            db, id: archive.identities.next(), at: archive.clock.now, author: .importer,
            action: "import", summary: "", identities: archive.identities)
          scope.matchesGoals = false
          scope.gatherDocuments()
          return try body(scope)
        }
        return .rollback
      }
    }
    guard let outcome else { throw ArchiveError.refused("The preview couldn’t be created.") }
    return try outcome.get()
  }
}
