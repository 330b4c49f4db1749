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
    try transact { db in
      for card in cards {
        guard let version = card.version else {
          try db.cachedStatement(
            sql: """
              DELETE FROM calendar_resources
              WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?) AND name = ?
                AND version IS NULL
              """
          ).execute(arguments: [link.uuidString, card.name])
          continue
        }
        try db.cachedStatement(
          sql: """
            UPDATE calendar_resources SET taken = ?3, content = NULL
            WHERE link_pk = (SELECT pk FROM sync_links WHERE id = ?1) AND name = ?2
              AND version = ?3
            """
        ).execute(arguments: [link.uuidString, card.name, version])
      }
    }
  }

  /// Forgets cards that have to be imported again but whose content was removed, so they are
  /// fetched again.
  ///
  /// Undoing an import opens all cards, because one of their people may have been removed with it.
  package func forgetCardsWithoutContent(ofLink link: UUID) throws {
    try transact { db in
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
