package import ArkivedCore
package import Foundation
import GRDB

/// A place that `sync` synchronises with the archive.
package struct SyncLink: Hashable, Sendable, Identifiable {
  /// The kind of a place.
  package struct Kind: OpenString {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A Ten Week database.
    package static let tenWeek: Kind = "tenweek"
    /// One iCalendar file.
    package static let calendarFile: Kind = "calendarFile"
    /// A folder of iCalendar files.
    package static let calendarFolder: Kind = "calendarFolder"
    /// An address that returns an iCalendar file.
    package static let calendarSubscription: Kind = "calendarSubscription"
    /// A collection on a CalDAV server.
    package static let calDAV: Kind = "calDAV"
    /// An address book on a CardDAV server.
    package static let cardDAV: Kind = "cardDAV"
    /// A photo library on an Immich server.
    package static let immich: Kind = "immich"
    /// A location history on a Dawarich server.
    package static let dawarich: Kind = "dawarich"

    package var isCalendar: Bool {
      [.calendarFile, .calendarFolder, .calendarSubscription, .calDAV].contains(self)
    }

    /// True for a program on a server, such as a photo library.
    package var isService: Bool { [.immich, .dawarich].contains(self) }

    /// True if the place is only read, and regularly.
    package var isOnlyRead: Bool { isCalendar || isService || self == .cardDAV }
  }

  package var id: UUID
  package var kind: Kind
  /// The path or address.
  package var address: String
  package var options: JSON
  package var createdAt: Instant
  package var syncedAt: Instant?
  /// The result of the last sync, or the reason it failed.
  package var outcome: JSON?

  package init(
    id: UUID, kind: Kind, address: String, options: JSON = [:], createdAt: Instant,
    syncedAt: Instant? = nil, outcome: JSON? = nil
  ) {
    self.id = id
    self.kind = kind
    self.address = address
    self.options = options
    self.createdAt = createdAt
    self.syncedAt = syncedAt
    self.outcome = outcome
  }

  package var json: JSON {
    [
      "id": .string(id.uuidString), "kind": .string(kind.rawValue), "address": .string(address),
      "options": options, "createdAt": JSON(createdAt), "syncedAt": JSON(syncedAt),
      "outcome": outcome ?? .null,
    ]
  }
}

extension Archive {
  /// Returns the linked places, the oldest first.
  package func syncLinks() throws -> [SyncLink] {
    try read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM sync_links ORDER BY pk").map { row in
        SyncLink(
          id: try row.identity("id"), kind: SyncLink.Kind(rawValue: row["kind"]),
          address: row["address"], options: try JSON(parsing: row["options"] as String),
          createdAt: row.instant("created_at"), syncedAt: row.instant(optional: "synced_at"),
          outcome: try (row["outcome"] as String?).map { try JSON(parsing: $0) })
      }
    }
  }

  package func add(_ link: SyncLink) throws {
    try transact { db in try Self.insert(link, db) }
  }

  static func insert(_ link: SyncLink, _ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO sync_links (id, kind, address, options, created_at) VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [
        link.id.uuidString, link.kind.rawValue, link.address, link.options.text(),
        link.createdAt.milliseconds,
      ])
  }

  /// Ends a link; everything imported through it stays.
  package func removeSyncLink(_ id: UUID) throws {
    try transact { db in
      try db.execute(sql: "DELETE FROM sync_links WHERE id = ?", arguments: [id.uuidString])
    }
  }

  /// Records the result of a sync.
  ///
  /// - Parameters:
  ///   - outcome: the result, or the reason it failed.
  ///   - link: the link.
  ///   - instant: the time of a successful sync; nil if it failed.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func note(_ outcome: JSON, of link: SyncLink, at instant: Instant?) throws {
    try transact { db in
      try db.execute(
        sql: """
          UPDATE sync_links SET outcome = ?, synced_at = coalesce(?, synced_at) WHERE id = ?
          """, arguments: [outcome.text(), instant?.milliseconds, link.id.uuidString])
    }
  }
}
