package import ArkivedCore
import GRDB

extension Archive {
  /// The known units, and those in which goals are set.
  ///
  /// - Parameter language: in which texts are read with it.
  package func units(in language: Language = .english) throws -> UnitTable {
    let names = try read { db in
      // The goal that was set first gives a unit its name.
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
