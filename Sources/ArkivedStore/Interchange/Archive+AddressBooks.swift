import ArkivedCore
package import Foundation
import GRDB

/// The stored cards of linked address books.
///
/// They share the table of calendars' files. Unlike these, a card's content is only kept until it
/// has been imported, because nothing in it repeats.
extension Archive {
  /// Marks cards as imported and removes their content, and forgets those that the address book no
  /// longer has.
  ///
  /// A card that was fetched again in the meantime stays open.
  package func settleCards(_ cards: [OpenCalendarResource], ofLink link: UUID) throws {
    let (kept, gone) = (cards.filter { $0.version != nil }, cards.filter { $0.version == nil })
    try writer.write { db in
      if !kept.isEmpty {
        let pairs = kept.map { JSON.array([.string($0.name), .string($0.version ?? "")]) }
        try db.execute(
          sql: """
            UPDATE calendar_resources SET taken = done.mark, content = NULL
            FROM (SELECT value ->> 0 AS card, value ->> 1 AS mark FROM json_each(?2)) AS done
            WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?1)
              AND name = done.card AND version = done.mark
            """, arguments: [link.uuidString, JSON.array(pairs).text()])
      }
      if !gone.isEmpty {
        try db.execute(
          sql: """
            DELETE FROM calendar_resources
            WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?1) AND version IS NULL
              AND name IN (SELECT value FROM json_each(?2))
            """, arguments: [link.uuidString, JSON(gone.map(\.name)).text()])
      }
    }
  }

  /// Forgets cards that have to be imported again but whose content was removed, so they are
  /// fetched again.
  ///
  /// Undoing an import opens all cards, because one of their people may have been removed with it.
  package func forgetCardsWithoutContent(ofLink link: UUID) throws {
    try writer.write { db in
      try db.execute(
        sql: """
          DELETE FROM calendar_resources
          WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?)
            AND version IS NOT NULL AND taken IS NOT version AND content IS NULL
          """, arguments: [link.uuidString])
      guard db.changesCount > 0 else { return }
      // Only a comparison of everything finds them.
      try db.execute(
        sql: "UPDATE sync_links SET state = NULL WHERE id = ?", arguments: [link.uuidString])
    }
  }
}
