import ArkivedCore
package import Foundation
import GRDB

/// Permanent deletions that came from other devices.
extension Archive {
  /// Returns the entities that another device deleted permanently and this one still has to delete.
  package func replicaPurges() throws -> [UUID] {
    try read { db in
      try String.fetchAll(db, sql: "SELECT id FROM replica_purges").compactMap(
        UUID.init(uuidString:))
    }
  }

  /// Returns how many entities were deleted permanently on any device.
  package func replicaPurgeCount() throws -> Int {
    try read { db in try ReplicaTables(db: db).value("purges")?.int ?? 0 }
  }

  package func settleReplicaPurges(_ ids: [UUID]) throws {
    try transact { db in
      for id in ids {
        try db.execute(sql: "DELETE FROM replica_purges WHERE id = ?", arguments: [id.uuidString])
      }
    }
  }
}
