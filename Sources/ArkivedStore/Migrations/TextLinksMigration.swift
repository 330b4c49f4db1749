import ArkivedCore
import GRDB

/// An index of the links in texts, which finds the links to something, and of the titles of notes,
/// which links refer to.
///
/// Both tables are derived: they are written with the search documents, and
/// `Archive.rebuildSearchWords` rebuilds all of these together.
enum TextLinksMigration: Migration {
  static let identifier = "018-text-links"

  static func migrate(_ db: Database) throws {
    try db.execute(
      sql: """
        -- `target` is a `LinkKey`, `document` the row number in search_words.
        CREATE TABLE text_links (
          target TEXT NOT NULL CHECK (length(target) > 2),
          day_key TEXT NOT NULL,
          document INTEGER NOT NULL,
          PRIMARY KEY (target, day_key, document)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX text_links_of_document ON text_links (document);

        CREATE TABLE note_names (
          note_pk INTEGER PRIMARY KEY REFERENCES note_rows (pk) ON DELETE CASCADE,
          folded TEXT NOT NULL
        ) STRICT;
        CREATE INDEX note_names_folded ON note_names (folded);
        """)
    try TextLinkRows.fill(db)
  }
}
