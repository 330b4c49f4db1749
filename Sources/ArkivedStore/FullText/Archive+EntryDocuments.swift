package import ArkivedCore
import Foundation
import GRDB

/// The row numbers of entries in the full-text table, which identify them in the indexes next to
/// the database.
extension Archive {
  /// Returns the row numbers of the activities from a source.
  package func documents(from source: ActivitySource) throws -> Set<Int64> {
    try read { db in
      try Int64.fetchSet(
        db, sql: "SELECT pk << 3 FROM activity_rows WHERE source = ?", arguments: [source.rawValue])
    }
  }

  /// Returns the row numbers of the activities and days among some hits.
  package func documents(of hits: [SearchHit]) throws -> Set<Int64> {
    try read { db in
      var rows: Set<Int64> = []
      for (type, kind, table) in [
        (HitType.activity, SearchDocument.Kind.activity, "activity_rows"), (.day, .day, "day_rows"),
      ] {
        for slice in hits.filter({ $0.type == type }).map(\.id.uuidString).slices() {
          let keys = try Int64.fetchAll(
            db, sql: "SELECT pk FROM \(table) WHERE id IN (\(placeholders(slice.count)))",
            arguments: StatementArguments(slice))
          rows.formUnion(keys.map { SearchDocument.rowNumber(kind, $0) })
        }
      }
      return rows
    }
  }
}
