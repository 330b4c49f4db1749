import GRDB

/// A mark on imports that contain the owner's own text from another archive, so further imports
/// leave it unchanged like text edited here.
enum OwnWordsMigration: Migration {
  static let identifier = "016-own-words"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        -- `change_pk` is the import that brought them; a later change of the entity speaks for itself,
        -- and where that is taken back, the earlier one speaks again.
        CREATE TABLE own_words (
          source_id TEXT NOT NULL CHECK (length(source_id) = 36),
          change_pk INTEGER NOT NULL REFERENCES change_rows (pk) ON DELETE CASCADE,
          PRIMARY KEY (source_id, change_pk)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX own_words_of_change ON own_words (change_pk);
        """)
  }
}
