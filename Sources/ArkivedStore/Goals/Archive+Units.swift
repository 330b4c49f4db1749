package import ArkivedCore
import GRDB

extension Archive {
  /// Returns the known units, and those used by goals.
  ///
  /// - Parameter language: the language of the texts to read.
  /// - Returns: the units.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func units(in language: Language = .english) throws -> UnitTable {
    let names = try read { db in
      // The first goal with a unit determines the unit's name.
      try String.fetchAll(
        db,
        sql: """
          SELECT measurement_unit FROM goals AS it WHERE measurement_unit IS NOT NULL
          GROUP BY measurement_unit ORDER BY min(it.pk)
          """)
    }
    return names.isEmpty ? .standard : UnitTable.standard.teaching(names, in: language)
  }
}
