package import ArkivedCore
package import Foundation
import GRDB

/// Putting another archive's content into this one's place.
extension Archive {
  /// Copies the whole database into `snapshots/`, verified.
  /// - Returns: the copy; nil where the archive lives in memory.
  package func writeSnapshot(label: String) throws -> URL? {
    guard let databaseFile, let pool = try writer as? DatabasePool else { return nil }
    return try Snapshot.write(of: pool, beside: databaseFile, label: label, now: clock.now)
  }

  /// Whether there is nothing that anybody sees: no entry, no old version, no mark of a deletion.
  package func isEmpty() throws -> Bool {
    let tables =
      EntityType.rowsTables.keys.map(\.rawValue) + ["history", "tombstones", "interchange"]
    return try !hasRows(inOneOf: tables)
  }

  /// Whether nothing was ever written; what was taken back since counts too.
  package func isUntouched() throws -> Bool { try isEmpty() && !hasRows(inOneOf: ["change_rows"]) }

  private func hasRows(inOneOf tables: [String]) throws -> Bool {
    try read { db in
      try tables.contains { table in
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM \(table))") ?? false
      }
    }
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
  /// reads sees all of the one or all of the other. Sessions of browsers, tokens of programs, linked
  /// places, nudges, and the door for devices, which belong to this computer, stay; so do settings that
  /// the other one does not have, and the answers about entries that it has too.
  ///
  /// - Parameters:
  ///   - other: an archive that is thrown away afterwards; it is changed.
  ///   - links: linked places that come with the content, but for those that are linked here already.
  ///   - lastLook: is called while nobody can write any more and everything is still as it was, so
  ///     that what it reads is all that was ever acknowledged. Where it throws, it stays so.
  /// - Throws: `ArchiveError.busy` while an import runs, and what `lastLook` throws.
  package func replaceContent(
    with other: Archive, adding links: [SyncLink] = [], lastLook: () throws -> Void = {}
  ) throws {
    guard let databaseFile else {
      throw ArchiveError.refused(
        "The content of an archive in memory can’t be replaced. Choose a folder for the archive.")
    }
    // What an import has begun would go on in content that it knows nothing of.
    let lock = try FileLock(
      at: WaitingWriters.lockFile(in: databaseFile.deletingLastPathComponent()), waits: 5,
      else: "An import is running. Nothing was changed. Try again when it’s done.")
    defer { lock.release() }
    for attempt in 1...Self.attempts {
      let kept = try ownRows()
      let lastWord = try read { db in try SearchMarks.now(db).change }
      try other.takeOwn(kept, adding: links, after: lastWord)
      try other.takeAnswers(try answers())
      do {
        try other.replaceAll(of: self) {
          // A browser may have signed in since; at last it signs in anew.
          guard try attempt == Self.attempts || ownRows() == kept else { throw OwnRowsChanged() }
          try lastLook()
        }
        return
      } catch is OwnRowsChanged {}
    }
  }

  /// What belongs to this computer was changed after it was read.
  private struct OwnRowsChanged: Error {}

  private static let attempts = 4

  /// - Throws: `ArchiveError.refused` where this archive was moved.
  private func ownRows() throws -> [[Row]] {
    try read { db in
      try Self.checkStays(db)
      return try Self.ownTables.map {
        try Row.fetchAll(db, sql: "SELECT * FROM \($0.name) WHERE \($0.condition)")
      }
    }
  }

  /// Takes over what belongs to another archive's computer, in the place of its own.
  ///
  /// - Parameter lastWord: up to where the other archive's words had come.
  private func takeOwn(_ kept: [[Row]], adding links: [SyncLink], after lastWord: Int64) throws {
    try writer.write { db in
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
      // An index that is being built of the other's words just now is refused when it is done.
      let last = try max(lastWord, SearchMarks.now(db).change) + Self.manyWords
      try db.execute(
        sql: "INSERT INTO search_changes (seq, document) VALUES (?, ?)",
        arguments: [last, Self.wordsWereRemade])
    }
  }

  /// More words than come in until one archive takes the place of another.
  private static let manyWords: Int64 = 1_000_000

  /// A step of copying has fewer pages than any archive.
  private static let pagesPerStep: CInt = 16

  /// Copies everything over another archive's content.
  ///
  /// - Parameter lastLook: is called once the other one is held.
  private func replaceAll(of target: Archive, lastLook: () throws -> Void) throws {
    var isHeld = false
    try withoutActuallyEscaping(lastLook) { lastLook in
      try writer.backup(to: try target.writer, pagesPerStep: Self.pagesPerStep) { _ in
        // The first step takes the right to write (sqlite3_backup_step), and only the last one, which
        // is never the first, shows anything of what was copied.
        guard !isHeld else { return }
        isHeld = true
        try lastLook()
      }
    }
  }

  /// What of this archive stays: tables, which of their rows, and whether these belong to the computer
  /// and not to the life. What does not stays where the other archive says nothing of it.
  private static let ownTables: [(name: String, condition: String, isOwn: Bool)] = [
    ("web_sessions", "1", true), ("sync_links", "1", true),
    ("settings", "name = '\(ArchiveIdentity.settingName)'", true),
    // A program that is not let in any more is not let in by a copy of a day on which it was.
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

  /// Takes over answers about activities that are here, so that a line that was saved, and that a phone
  /// sends again since it never heard so, is saved no second time. What is not here comes in anew.
  private func takeAnswers(_ rows: [Row]) throws {
    try writer.write { db in
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

  /// The entry that an answer leads to: `/day/DAY?added=ID…`, `/api/v1/activities/ID`.
  private static func entry(of location: String) -> UUID? {
    let mark = location.range(of: "added=") ?? location.range(of: "/", options: .backwards)
    return mark.flatMap { UUID(uuidString: String(location[$0.upperBound...].prefix(36))) }
  }
}
