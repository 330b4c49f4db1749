package import ArkivedCore
package import Foundation
import GRDB

/// Putting another archive's content into this one's place.
extension Archive {
  /// Copies the whole database into `snapshots/`, verified.
  /// - Returns: the copy; nil where the archive lives in memory.
  package func writeSnapshot(label: String) throws -> URL? {
    guard let databaseFile, let pool = writer as? DatabasePool else { return nil }
    return try Snapshot.write(of: pool, beside: databaseFile, label: label, now: clock.now)
  }

  /// Moves the files of another archive's attachments into this one's folder, durably. Nothing names
  /// them here before `replaceContent`.
  package func takeAttachments(of other: Archive) throws {
    var done: Set<String> = []
    for attachment in try other.attachments(includingHidden: true) + other.oldAttachments() {
      guard let path = attachment.relativePath, done.insert(path).inserted,
        let file = other.file(of: attachment), let target = self.file(of: attachment),
        FileManager.default.fileExists(atPath: file.path)
      else { continue }
      let shelf = target.deletingLastPathComponent()
      try DurableFile.makeFolder(shelf)
      try DurableFile.synchronise(file)
      // What has the name here may have been altered since; what comes was compared with its hash.
      guard rename(file.path, target.path) == 0 else { throw POSIXFailure(path: target.path) }
      try DurableFile.synchronise(shelf)
    }
  }

  /// Attachments as old versions of entries name them; their files stay for undo.
  package func oldAttachments() throws -> [Attachment] {
    try read { db in
      var found: [Attachment] = []
      let records = try String.fetchCursor(
        db, sql: "SELECT record FROM history WHERE record LIKE '%relativePath%'")
      while let text = try records.next() {
        guard let record = try? JSON(parsing: text) else { continue }
        for json in (record["attachments"]?.array ?? []) + [record] {
          guard let path = json["relativePath"]?.string else { continue }
          found.append(
            Attachment(
              id: UUID(), type: .file, relativePath: path,
              contentHash: json["contentHash"]?.string, createdAt: clock.now,
              updatedAt: clock.now))
        }
      }
      return found
    }
  }

  /// Puts the content of another archive into the place of this one's, in one transaction: whoever
  /// reads sees all of the one or all of the other. Sessions of browsers, linked places, and the
  /// door for devices, which belong to this computer, stay.
  ///
  /// - Parameter other: an archive that is thrown away afterwards; it is changed.
  package func replaceContent(with other: Archive) throws {
    let kept = try read { db in
      try Self.checkStays(db)
      return try Self.ownRows.map { try Row.fetchAll(db, sql: "SELECT * FROM \($0) WHERE \($1)") }
    }
    try other.writer.write { db in
      for ((table, which), rows) in zip(Self.ownRows, kept) {
        try db.execute(sql: "DELETE FROM \(table) WHERE \(which)")
        for row in rows {
          let columns = Array(row.columnNames)
          try db.execute(
            sql: """
              INSERT INTO \(table) (\(columns.joined(separator: ", ")))
              VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
              """, arguments: StatementArguments(row.databaseValues))
        }
      }
    }
    try other.writer.backup(to: writer)
  }

  /// What belongs to the computer and not to the life: tables, and which of their rows.
  private static let ownRows = [
    ("web_sessions", "1"), ("sync_links", "1"), ("settings", "name GLOB 'phone-*'"),
  ]
}
