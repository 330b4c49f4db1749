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

  /// Returns a text that changes when `photoFiles` may have new ones.
  ///
  /// The last attachment alone isn't enough: when an entry changes, its attachments are stored
  /// again, and may reuse the keys of the old ones.
  ///
  /// - Returns: the text.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func photoMark() throws -> String {
    try read { db in
      try String.fetchOne(
        db,
        cached: """
          SELECT (SELECT coalesce(max(pk), 0) FROM attachments) || ' '
            || (SELECT count(*) || '.' || total(change_pk) FROM hidden_changes) || ' '
            || coalesce((SELECT group_concat(id || coalesce(content_hash, ''))
                 FROM (SELECT id, content_hash FROM attachments ORDER BY pk DESC LIMIT 100)), '')
          """) ?? ""
    }
  }
}
