package import ArkivedCore
import Foundation
import GRDB

extension Archive {
  /// Returns the photos that have a file or refer to one, newest entries first, with each content
  /// only once.
  ///
  /// - Parameter limit: the maximum number of photos.
  /// - Returns: the photos.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func photoFiles(limit: Int) throws -> [Attachment] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM attachments
          WHERE pk IN (
              SELECT max(pk) FROM attachments
              WHERE type = 'photo' AND content_hash IS NOT NULL
                AND (relative_path IS NOT NULL OR external_url LIKE 'file:%')
              GROUP BY content_hash)
            AND \(Visibility.attachmentIsShown)
          ORDER BY pk DESC LIMIT ?
          """, arguments: [limit]
      ).map(AttachmentRecord.read)
    }
  }
}
