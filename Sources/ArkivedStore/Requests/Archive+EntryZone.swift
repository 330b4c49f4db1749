package import ArkivedCore
import GRDB

extension Archive {
  /// Returns the time zone of most entries; nil without entries.
  package func usualZone() throws -> Zone? {
    try read { db in
      try String.fetchOne(
        db,
        sql: """
          SELECT time_zone FROM activities GROUP BY time_zone
          ORDER BY count(*) DESC, time_zone LIMIT 1
          """)
    }.flatMap { Zone($0) }
  }
}
