package import ArkivedCore
import Foundation
import GRDB

extension Archive {
  /// The photos that have a file, the newest entries first, each content once.
  ///
  /// - Parameter limit: of so many.
  package func photoFiles(limit: Int) throws -> [Attachment] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM attachments
          WHERE pk IN (
              SELECT max(pk) FROM attachments
              WHERE type = 'photo' AND relative_path IS NOT NULL AND content_hash IS NOT NULL
              GROUP BY content_hash)
            AND \(Visibility.attachmentIsShown)
          ORDER BY pk DESC LIMIT ?
          """, arguments: [limit]
      ).map(AttachmentRecord.read)
    }
  }
}
