import ArkivedCore
import Foundation
import GRDB

/// One step of the schema's history.
///
/// It never changes once released.
protocol Migration: SendableMetatype {
  /// The name stored in the archive; the steps run in the order of the list.
  static var identifier: String { get }
  static func migrate(_ db: Database) throws
}

/// The schema's history and its application.
struct Migrations: Sendable {
  let steps: [any Migration.Type]

  static let all = Migrations(steps: [
    JournalMigration.self, SearchWordsMigration.self, PagesMigration.self,
    StagedImportsMigration.self, SearchIndexesMigration.self, GoalsMigration.self,
    InterchangeMigration.self, MeetingsMigration.self, LongEntriesMigration.self,
    MissedMeetingsMigration.self, SettingsMigration.self, ConversationsMigration.self,
    PendingActsMigration.self, FilesAndSumsMigration.self, OwnWordsMigration.self,
    DeviceSyncMigration.self, TextLinksMigration.self, DayPeriodsMigration.self,
    LookupIndexesMigration.self,
  ])

  private var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for step in steps {
      migrator.registerMigration(step.identifier) { db in try step.migrate(db) }
    }
    return migrator
  }

  /// Applies the missing steps, without a snapshot.
  func migrate(_ writer: some DatabaseWriter) throws { try migrator.migrate(writer) }

  /// Returns true if every step was applied.
  ///
  /// - Throws: `ArchiveError.newerArchive` if there are other steps as well.
  func isUpToDate(_ db: Database, path: String) throws -> Bool {
    let applied = try migrator.appliedIdentifiers(db)
    let known = Set(steps.map { $0.identifier })
    guard applied.isSubset(of: known) else { throw ArchiveError.newerArchive(path: path) }
    if applied.isEmpty { try refuseForeign(db, path: path) }
    return applied == known
  }

  /// Throws if the database is not an archive.
  ///
  /// - Throws: `ArchiveError.damaged` if a database without any of the steps has tables.
  private func refuseForeign(_ db: Database, path: String) throws {
    let isForeign =
      try Bool.fetchOne(
        db,
        // The list of applied steps comes first; a process killed right after that leaves it empty.
        sql: "SELECT count(*) > 0 FROM sqlite_schema WHERE tbl_name <> 'grdb_migrations'")
      ?? false
    guard !isForeign else {
      throw ArchiveError.damaged(
        path: path, reason: "it is a database of another program, not an archive")
    }
  }

  static func bringUpToDate(_ pool: DatabasePool, file: URL, now: Instant) throws {
    try all.bringUpToDate(pool, file: file, now: now)
  }

  /// Applies the missing steps, each after a verified snapshot if the archive has content.
  ///
  /// - Throws: `ArchiveError.newerArchive` for an archive of a newer version.
  func bringUpToDate(_ pool: DatabasePool, file: URL, now: Instant) throws {
    let migrator = migrator
    let (superseded, applied) = try pool.read { db in
      (try migrator.hasBeenSuperseded(db), try migrator.appliedIdentifiers(db))
    }
    guard !superseded else { throw ArchiveError.newerArchive(path: file.path) }
    guard steps.contains(where: { !applied.contains($0.identifier) }) else { return }
    // The journal's own tables show if there is anything that could be lost.
    let isFresh = applied.isEmpty
    if isFresh { try pool.read { db in try refuseForeign(db, path: file.path) } }
    for step in steps where !applied.contains(step.identifier) {
      if !isFresh {
        try Snapshot.write(of: pool, beside: file, label: "before-\(step.identifier)", now: now)
      }
      try migrator.migrate(pool, upTo: step.identifier)
    }
  }
}

/// A copy of the whole database, verified after it was written.
enum Snapshot {
  /// Writes `snapshots/LABEL-TIME.sqlite` next to the database.
  ///
  /// - Throws: if the copy cannot be written, fails SQLite's integrity check, or has a different
  ///   number of rows than the original; then no copy with that name exists.
  @discardableResult
  static func write(
    of pool: DatabasePool, beside file: URL, label: String, now: Instant
  ) throws -> URL {
    let folder = file.deletingLastPathComponent().appendingPathComponent("snapshots")
    try DurableFile.makeFolder(folder)
    let stamp = now.description.filter { $0.isNumber || $0 == "T" || $0 == "Z" }
    let base = "\(label)-\(stamp)"
    var target = folder.appendingPathComponent("\(base).sqlite")
    var counter = 1
    while FileManager.default.fileExists(atPath: target.path) {
      counter += 1
      target = folder.appendingPathComponent("\(base)-\(counter).sqlite")
    }
    let temporary = folder.appendingPathComponent(".\(base)-\(UUID().uuidString).incoming")
    defer { try? FileManager.default.removeItem(at: temporary) }
    try copy(to: temporary, of: file) { try pool.read($0) }
    try FileManager.default.moveItem(at: temporary, to: target)
    try DurableFile.toleratingUnflushable { try DurableFile.synchronise(folder) }
    return target
  }

  /// Copies the whole database to a new file, verifies the copy and flushes it.
  ///
  /// - Parameters:
  ///   - target: where to write.
  ///   - file: the file.
  ///   - read: runs a transaction that reads the original.
  /// - Throws: `ArchiveError.damaged` if the copy fails SQLite's integrity check or has a different
  ///   number of rows from the original.
  static func copy(
    to target: URL, of file: URL,
    reading read: ((Database) throws -> [String: Int]) throws -> [String: Int]
  ) throws {
    // Created here, so other users can never access it.
    try DurableFile.makeEmpty(target)
    let copy = try DatabaseQueue(path: target.path)
    // Counted and copied in one transaction, because another program may write in the meantime.
    let expected = try read { source in
      try copy.writeWithoutTransaction { try source.backup(to: $0) }
      return try rowCounts(source)
    }
    let (verdict, counts) = try copy.read { db in
      (try String.fetchAll(db, sql: "PRAGMA integrity_check"), try rowCounts(db))
    }
    try copy.close()
    guard verdict == ["ok"], counts == expected else {
      throw ArchiveError.damaged(
        path: file.path, reason: "a copy of it didn’t verify (\(verdict.prefix(3)))")
    }
    try DurableFile.synchronise(target)
  }

  private static func rowCounts(_ db: Database) throws -> [String: Int] {
    let tables = try String.fetchAll(
      db,
      sql: """
        SELECT name FROM sqlite_schema
        WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
          AND name NOT LIKE 'search\\_%' ESCAPE '\\'
        """)
    var counts: [String: Int] = [:]
    for table in tables {
      counts[table] = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM \(table.quotedDatabaseIdentifier)")
    }
    return counts
  }
}
