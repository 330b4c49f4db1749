package import ArkivedCore
package import Foundation
import GRDB

/// A photo or the line of a journey that belongs to an activity.
package struct MapFile: Hashable, Sendable {
  /// The key of the attachment.
  package var key: Int64
  /// The row number of the activity's document.
  package var row: Int64
  /// The content of a line, by its SHA-256; nil for a photo.
  package var lineHash: String?
}

extension Archive {
  private static let isPhotoWithFile = """
    attachments.type = 'photo' AND attachments.content_hash IS NOT NULL
      AND (attachments.relative_path IS NOT NULL OR attachments.external_url LIKE 'file:%')
    """
  private static let isLine = """
    attachments.relative_path IS NOT NULL AND attachments.content_hash IS NOT NULL
      AND (attachments.media_type = 'application/geo+json'
        OR attachments.original_name = 'track.geojson')
    """

  /// Returns the photos and lines of the activities of some days, in the order they were added.
  ///
  /// If no days are given, those of entries that aren't visible may be included.
  ///
  /// - Parameter days: the days; nil for all days.
  /// - Returns: the photos and lines.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func mapFiles(_ days: ClosedRange<DayKey>?) throws -> [MapFile] {
    try read { db in
      let columns = """
        attachments.pk, attachments.activity_pk,
          CASE WHEN \(Self.isLine) THEN attachments.content_hash END
        """
      let rows: RowCursor
      if let days {
        // The days are few, so their activities are looked up first.
        rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT \(columns) FROM activities CROSS JOIN attachments
              ON attachments.activity_pk = activities.pk
            WHERE activities.day_key BETWEEN ? AND ?
              AND ((\(Self.isPhotoWithFile)) OR (\(Self.isLine)))
            ORDER BY attachments.pk
            """, arguments: [days.lowerBound.description, days.upperBound.description])
      } else {
        rows = try Row.fetchCursor(
          db,
          sql: """
            SELECT \(columns) FROM attachments
            WHERE attachments.activity_pk IS NOT NULL
              AND ((\(Self.isPhotoWithFile)) OR (\(Self.isLine)))
            """)
      }
      var files: [MapFile] = []
      while let row = try rows.next() {
        files.append(
          MapFile(
            key: row[0], row: SearchDocument.rowNumber(.activity, row[1]), lineHash: row[2]))
      }
      return files
    }
  }

  /// Returns attachments by their keys; missing ones are skipped.
  package func attachments(_ keys: [Int64]) throws -> [Int64: Attachment] {
    try read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT * FROM attachments WHERE pk IN (\(KeyList.sql))",
        arguments: [KeyList.text(keys)])
      var found: [Int64: Attachment] = [:]
      while let row = try rows.next() { found[row["pk"]] = try AttachmentRecord.read(row) }
      return found
    }
  }

  // MARK: All photos

  /// Returns the photos of entries and day notes, newest day first, each with its day.
  ///
  /// Within a day, the photos of its note come first, followed by those of its entries in the order
  /// of the entries.
  package func datedPhotos() throws -> [(key: Int64, day: DayKey)] {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT attachments.pk, day_key, start_at, attachments.position
          FROM attachments CROSS JOIN activities ON activities.pk = attachments.activity_pk
          WHERE \(Self.isPhotoWithFile)
          UNION ALL
          SELECT attachments.pk, day_key, NULL, attachments.position
          FROM attachments CROSS JOIN days ON days.pk = attachments.day_pk
          WHERE \(Self.isPhotoWithFile)
          ORDER BY 2 DESC, 3, 4, 1
          """)
      var photos: [(key: Int64, day: DayKey)] = []
      // Most photos are of the same day as the previous one.
      var (text, day) = ("", DayKey.earliest)
      while let row = try rows.next() {
        let key: String = row[1]
        if key != text { (text, day) = (key, try row.day("day_key")) }
        photos.append((row[0], day))
      }
      return photos
    }
  }

  /// A photo with the entry to which it belongs.
  package struct OwnedPhoto: Sendable {
    package var attachment: Attachment
    /// The entry; nil for a photo of a day's note.
    package var entry: (id: UUID, text: String, kind: String)?
  }

  /// Returns photos with their entries by their keys; missing ones are skipped.
  package func ownedPhotos(_ keys: [Int64]) throws -> [Int64: OwnedPhoto] {
    try read { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT attachments.*, activities.id AS entry_id, activities.text AS entry_text,
            activities.kind AS entry_kind
          FROM attachments LEFT JOIN activities ON activities.pk = attachments.activity_pk
          WHERE attachments.pk IN (\(KeyList.sql))
          """, arguments: [KeyList.text(keys)])
      var found: [Int64: OwnedPhoto] = [:]
      while let row = try rows.next() {
        let entry = (row["entry_id"] as String?).flatMap(UUID.init(uuidString:)).map {
          (id: $0, text: row["entry_text"] as String, kind: row["entry_kind"] as String)
        }
        found[row["pk"]] = OwnedPhoto(attachment: try AttachmentRecord.read(row), entry: entry)
      }
      return found
    }
  }

  /// Returns the key of an attachment; nil if there is none, or if it isn't visible.
  package func attachmentKey(_ id: UUID) throws -> Int64? {
    try read { db in
      try Int64.fetchOne(
        db, sql: "SELECT pk FROM attachments WHERE id = ? AND \(Visibility.attachmentIsShown)",
        arguments: [id.uuidString])
    }
  }
}
