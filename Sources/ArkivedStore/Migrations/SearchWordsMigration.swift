import GRDB

/// The full-text index over everything that can be searched.
///
/// A document's row number is its entity's `pk` × 8 + its type's code (see `SearchDocument`). The
/// table is derived: `Archive.rebuildSearchWords` rebuilds it from the entries.
enum SearchWordsMigration: Migration {
  static let identifier = "002-search-words"

  /// The tokeniser that splits texts into words.
  static let tokenizer = FTS5TokenizerDescriptor.porter(
    wrapping: .unicode61(diacritics: .remove))

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE VIRTUAL TABLE search_words USING fts5 (
          title, body, names, day_key UNINDEXED,
          tokenize = 'porter unicode61 remove_diacritics 2'
        );
        """)
  }
}
