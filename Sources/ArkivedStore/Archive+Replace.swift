package import ArkivedCore
package import Foundation
import GRDB

/// Replacing this archive's content with that of another one.
extension Archive {
  /// Copies the whole database into `snapshots/` and verifies the copy.
  ///
  /// - Returns: the copy; nil for an archive in memory.
  package func writeSnapshot(label: String) throws -> URL? {
    guard let databaseFile, let pool = try writer as? DatabasePool else { return nil }
    return try Snapshot.write(of: pool, beside: databaseFile, label: label, now: clock.now)
  }

  /// Returns true if nothing is visible: no entry, no old version, no mark of a deletion.
  package func isEmpty() throws -> Bool {
    let tables =
      EntityType.rowsTables.keys.map(\.rawValue) + ["history", "tombstones", "interchange"]
    return try !hasRows(inOneOf: tables)
  }

  /// Returns true if nothing was ever written, not even something undone since.
  package func isUntouched() throws -> Bool { try isEmpty() && !hasRows(inOneOf: ["change_rows"]) }

  private func hasRows(inOneOf tables: [String]) throws -> Bool {
    try read { db in
      try tables.contains { table in
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") ?? false
      }
    }
  }

  /// Returns the lock that keeps imports and everything that removes files away from this archive.
  ///
  /// - Returns: the lock; nil for an archive in memory.
  /// - Throws: `ArchiveError.busy` while an import runs.
  package func lockForReplacing() throws -> FileLock? {
    try databaseFile.map {
      try FileLock(
        at: WaitingWriters.lockFile(in: $0.deletingLastPathComponent()), waits: 5,
        else: "An import is running. Nothing was changed. Try again when it’s done.")
    }
  }

  /// Moves the files of another archive's attachments into this one's folder, durably.
  ///
  /// Nothing refers to them here before `replaceContent`, so both need the same `lockForReplacing`.
  package func takeAttachments(of other: Archive) throws {
    var done: Set<String> = []
    for attachment in try other.attachments(includingHidden: true) + other.oldAttachments() {
      guard let path = attachment.relativePath, done.insert(path).inserted,
        let file = other.file(of: attachment), let target = self.file(of: attachment),
        FileManager.default.fileExists(atPath: file.path),
        // A snapshot of this archive has the same files.
        FileIdentity(of: file.path) != FileIdentity(of: target.path)
      else { continue }
      let shelf = target.deletingLastPathComponent()
      try DurableFile.makeFolder(shelf)
      try DurableFile.synchronise(file)
      // The file of that name here may have been altered since. But a backup also contains files
      // that were already altered when it was made, and the intact one may be back here.
      let isHere = FileManager.default.fileExists(atPath: target.path)
      guard try !isHere || Self.hasOwnName(file) else { continue }
      guard rename(file.path, target.path) == 0 else { throw POSIXFailure(path: target.path) }
      try DurableFile.toleratingUnflushable { try DurableFile.synchronise(shelf) }
    }
  }

  /// Returns true if a file is named by the hash of its content.
  package static func hasOwnName(_ file: URL) throws -> Bool {
    try AttachmentFileName.hash(ofFileAt: file) == file.deletingPathExtension().lastPathComponent
  }

  /// Returns the attachments that old versions of entries refer to; their files stay for undo.
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

  /// Replaces this archive's content with that of another one, in one transaction: readers see all
  /// of the old or all of the new.
  ///
  /// Browser sessions, tokens of programs, linked places, reminders and the access for devices stay
  /// because they belong to this computer; so do settings that the other archive lacks, and the
  /// answers about entries that it also has.
  ///
  /// - Parameters:
  ///   - other: an archive that is discarded afterwards; it is changed.
  ///   - links: linked places from the other archive, except for those already linked here.
  ///   - held: the lock if the caller has it already, from `lockForReplacing`.
  ///   - lastLook: is called when nobody can write any more and everything is still unchanged, so
  ///     that it can read everything that was ever acknowledged. If it throws, nothing changes.
  /// - Throws: `ArchiveError.busy` while an import runs, and what `lastLook` throws.
  package func replaceContent(
    with other: Archive, adding links: [SyncLink] = [], holding held: FileLock? = nil,
    lastLook: () throws -> Void = {}
  ) throws {
    guard databaseFile != nil else {
      throw ArchiveError.refused(
        "The content of an archive in memory can’t be replaced. Choose a folder for the archive.")
    }
    // A running import would continue in content that it does not know.
    let lock = try held ?? lockForReplacing()
    defer { lock?.release() }
    for attempt in 1...Self.attempts {
      let kept = try ownRows()
      let lastWord = try read { db in try SearchMarks.now(db).change }
      try other.takeOwn(kept, adding: links, after: lastWord)
      try other.takeAnswers(try answers())
      do {
        try other.replaceAll(of: self) {
          // A browser may have signed in since; after the last attempt it has to sign in again.
          guard try attempt == Self.attempts || ownRows() == kept else { throw OwnRowsChanged() }
          try lastLook()
        }
        return
      } catch is OwnRowsChanged {}
    }
  }

  /// An error that reports that this computer's own data was changed after it was read.
  private struct OwnRowsChanged: Error {}

  private static let attempts = 4

  /// Returns the rows that belong to this computer.
  ///
  /// - Throws: `ArchiveError.refused` if this archive was moved.
  private func ownRows() throws -> [[Row]] {
    try read { db in
      try Self.checkStays(db)
      return try Self.ownTables.map {
        try Row.fetchAll(db, sql: "SELECT * FROM \($0.name) WHERE \($0.condition)")
      }
    }
  }

  /// Replaces the other archive's computer-specific data with this computer's.
  ///
  /// - Parameters:
  ///   - kept: this computer's rows.
  ///   - links: this computer's links.
  ///   - lastWord: the last word number that the other archive had reached.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  private func takeOwn(_ kept: [[Row]], adding links: [SyncLink], after lastWord: Int64) throws {
    try transact { db in
      for (table, rows) in zip(Self.ownTables, kept) {
        if table.isOwn {
          try db.execute(sql: "DELETE FROM \(table.name) WHERE \(table.condition)")
        }
        for row in rows {
          let columns = Array(row.columnNames)
          try db.execute(
            sql: """
              INSERT OR IGNORE INTO \(table.name) (\(columns.joined(separator: ", ")))
              VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
              """, arguments: StatementArguments(row.databaseValues))
        }
      }
      var known = try String.fetchSet(db, sql: "SELECT address FROM sync_links")
      for link in links where known.insert(link.address).inserted {
        try Self.insert(link, db)
      }
      // An index that is currently built from the other's words is rejected when it is done.
      let last = try max(lastWord, SearchMarks.now(db).change) + Self.manyWords
      try db.execute(
        sql: "INSERT INTO search_changes (seq, document) VALUES (?, ?)",
        arguments: [last, Self.wordsWereRemade])
    }
  }

  /// A number of words greater than can be added before one archive has replaced another.
  private static let manyWords: Int64 = 1_000_000

  /// The number of pages copied per step, fewer than any archive has.
  private static let pagesPerStep: CInt = 16

  /// Copies everything over another archive's content.
  ///
  /// - Parameters:
  ///   - target: the other archive.
  ///   - lastLook: is called once the other one is locked.
  /// - Throws: what `lastLook` throws, and an error if the content can't be copied.
  private func replaceAll(of target: Archive, lastLook: () throws -> Void) throws {
    var isHeld = false
    try withoutActuallyEscaping(lastLook) { lastLook in
      try writer.backup(to: try target.writer, pagesPerStep: Self.pagesPerStep) { _ in
        // The first step obtains the write lock (sqlite3_backup_step), and only the last one, which
        // is never the first, makes the copied data visible.
        guard !isHeld else { return }
        isHeld = true
        try lastLook()
      }
    }
  }

  /// The parts of this archive that stay: tables, conditions for their rows, and a flag that is
  /// true if the rows belong to the computer.
  ///
  /// Rows of personal data that are kept only if the other archive has no such data.
  private static let ownTables: [(name: String, condition: String, isOwn: Bool)] = [
    ("web_sessions", "1", true), ("sync_links", "1", true),
    ("settings", "name = '\(ArchiveIdentity.settingName)'", true),
    // Restoring an old copy must not readmit a program that has lost its access.
    ("agent_tokens", "1", true),
    (
      "settings",
      "name GLOB 'phone-*' OR name GLOB 'nudges*' OR name = '\(addingAgentsName)'", true
    ),
    ("settings", "name IN ('\(portableNames.joined(separator: "', '"))')", false),
  ]
}

// MARK: Answers

extension Archive {
  private func answers() throws -> [Row] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: "SELECT key, request_hash, status, location, etag, body, at FROM kept_answers")
    }
  }

  /// Keeps answers about activities that exist here, so a saved line is not saved twice when a
  /// phone that never received its answer sends it again.
  ///
  /// A line whose activity is missing is added again.
  private func takeAnswers(_ rows: [Row]) throws {
    try transact { db in
      for row in rows {
        let location: String? = row["location"]
        guard let id = location.flatMap(Self.entry(of:)),
          try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM activities WHERE id = ?)",
            arguments: [id.uuidString]) == true
        else { continue }
        try db.execute(
          sql: """
            INSERT OR IGNORE INTO kept_answers
              (key, request_hash, status, location, etag, body, at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, arguments: StatementArguments(row.databaseValues))
      }
    }
  }

  /// Returns the entry that an answer refers to: `/day/DAY?added=ID…`, `/api/v1/activities/ID`.
  private static func entry(of location: String) -> UUID? {
    let mark = location.range(of: "added=") ?? location.range(of: "/", options: .backwards)
    return mark.flatMap { UUID(uuidString: String(location[$0.upperBound...].prefix(36))) }
  }
}
