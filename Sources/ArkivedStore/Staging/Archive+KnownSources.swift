package import Foundation
import GRDB

/// Finds data from an external source that the archive already has, before an import begins.
extension Archive {
  /// An item of an external source, with all keys that may identify it.
  package struct Source: Hashable, Sendable {
    package var provider: String
    package var externalID: String
    /// The ID that a note made from it would have.
    package var noteID: UUID?

    package init(provider: String, externalID: String, noteID: UUID? = nil) {
      self.provider = provider
      self.externalID = externalID
      self.noteID = noteID
    }
  }

  /// The relation of an external item to the archive.
  package enum Acquaintance: Hashable, Sendable {
    /// The archive has an entry or a note made from it.
    case held
    /// The owner deleted the entry that was made from it.
    case deleted
  }

  /// Returns the relation of each item to the archive; unknown items are omitted.
  package func acquaintances(with sources: [Source]) throws -> [Source: Acquaintance] {
    guard !sources.isEmpty else { return [:] }
    return try read { db in
      let held = try db.cachedStatement(
        sql: """
          SELECT EXISTS (
              SELECT 1 FROM external_refs WHERE provider = ?1 AND external_id = ?2 AND (
                EXISTS (SELECT 1 FROM activities WHERE activities.pk = activity_pk)
                OR EXISTS (SELECT 1 FROM days WHERE days.pk = day_pk)))
            OR EXISTS (SELECT 1 FROM notes WHERE id = ?3)
          """)
      let deleted = try db.cachedStatement(
        sql: """
          SELECT EXISTS (SELECT 1 FROM tombstones WHERE provider = ?1 AND external_id = ?2)
            OR EXISTS (SELECT 1 FROM tombstones WHERE source_id = ?3)
          """)
      var known: [Source: Acquaintance] = [:]
      for source in sources {
        let arguments: StatementArguments = [
          source.provider, source.externalID, source.noteID?.uuidString,
        ]
        if try Bool.fetchOne(held, arguments: arguments) == true {
          known[source] = .held
        } else if try Bool.fetchOne(deleted, arguments: arguments) == true {
          known[source] = .deleted
        }
      }
      return known
    }
  }
}
