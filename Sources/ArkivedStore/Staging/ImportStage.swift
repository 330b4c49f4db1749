import ArkivedCore
import Foundation
import GRDB

/// An import that is being staged, in short transactions between which others can write.
///
/// Its rows are invisible until `publish`, which is one transaction for any number of rows. A stage
/// that is never published, because its process was killed, stays invisible and is removed before
/// the next one begins. An archive has one stage at a time.
package final class ImportStage {
  package let archive: Archive
  /// The change that everything in the import belongs to.
  package private(set) var change: Change
  private let changeKey: Int64
  private let writer: any DatabaseWriter
  private let lock: FileLock?
  private var marks: [EntityType: HiddenRows.Mark] = [:]
  private var pendingMark: Int64 = 0
  private let flusher: LogFlusher?
  private var lastPause = ContinuousClock.now

  /// The time in seconds that one transaction of the stage may take while no writer is waiting;
  /// long transactions write pages shared by many rows only once.
  private static let batchSeconds = 6.0
  /// The time for which the archive is free for others between two transactions; a waiting writer
  /// polls more often than that.
  private static let pauseMicroseconds: UInt32 = 4_000
  /// The shortest interval in seconds between two such pauses.
  private static let pauseSeconds = 0.05
  /// The number of log pages (half a gigabyte) beyond which the log is restarted.
  private static let logLimit = 131_072

  /// Begins an invisible change.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - action: the kind of change.
  ///   - summary: the summary of the change.
  ///   - waitsSeconds: the time to wait for another import to end.
  ///   - cacheMegabytes: the size of the database cache while writing.
  /// - Throws: `ArchiveError.busy` if another import is still running then.
  package init(
    _ archive: Archive, _ action: String, _ summary: String, waitsSeconds: Double,
    cacheMegabytes: Int = 256
  ) throws {
    self.archive = archive
    switch archive.location {
    case .memory:
      lock = nil
      flusher = nil
      writer = try archive.writer
    case .folder(let folder):
      try archive.prepareToWrite()
      lock = try FileLock(at: WaitingWriters.lockFile(in: folder), waits: waitsSeconds)
      flusher = try LogFlusher(in: folder)
      writer = try Archive.stageConnection(in: folder, cacheMegabytes: cacheMegabytes)
    }
    let id = archive.identities.next()
    let now = archive.clock.now
    (change, changeKey) = try writer.write { db in
      let scope = try ChangeScope(
        db, id: id, at: now, author: .importer, action: action, summary: summary,
        identities: archive.identities)
      try scope.keepThreadsSpokenIn()
      try db.execute(
        sql: "INSERT INTO hidden_changes (change_pk, state) VALUES (?, ?)",
        arguments: [scope.changeKey, HiddenState.staged.rawValue])
      return (scope.change, scope.changeKey)
    }
  }

  /// Resumes a run that was published, but whose process ended before everything was decided.
  ///
  /// - Returns: nil if there is none, or if the import that publishes it is still running.
  package static func unfinished(in archive: Archive) throws -> ImportStage? {
    guard case .folder(let folder) = archive.location, try archive.unfinishedImport() != nil,
      let lock = try? FileLock(at: WaitingWriters.lockFile(in: folder), waits: 0),
      let (key, change) = try archive.unfinishedImport()
    else { return nil }
    return try ImportStage(archive, change, key: key, in: folder, lock: lock)
  }

  private init(
    _ archive: Archive, _ change: Change, key: Int64, in folder: URL, lock: FileLock
  ) throws {
    self.archive = archive
    self.change = change
    self.lock = lock
    writer = try Archive.stageConnection(in: folder)
    flusher = try LogFlusher(in: folder)
    changeKey = key
  }

  /// A transaction of the stage, with its time limit.
  package struct Batch {
    private let end = ContinuousClock.now.advanced(by: .seconds(ImportStage.batchSeconds))
    private let waiting: WaitingWriters?

    init(_ location: ArchiveLocation) {
      waiting =
        switch location {
        case .memory: nil
        case .folder(let folder): WaitingWriters(in: folder)
        }
    }

    /// True if it has taken long enough, or somebody else waits to write.
    ///
    /// Check it after a few dozen entries.
    package var isOver: Bool { ContinuousClock.now >= end || waiting?.haveCome() == true }
  }

  /// Writes new rows in a separate transaction.
  package func writeNew<Value>(_ body: (ChangeScope, Batch) throws -> Value) throws -> Value {
    try write { scope, batch in
      scope.gatherDocuments()
      let value = try body(scope, batch)
      try scope.writeDocuments()
      return value
    }
  }

  deinit { flusher?.wait() }

  /// Writes a part of the import in a separate transaction.
  package func write<Value>(_ body: (ChangeScope, Batch) throws -> Value) throws -> Value {
    let value = try writer.write { db in try body(scope(db), Batch(archive.location)) }
    archive.noteWrite()
    letOthersWrite()
    return value
  }

  /// Records the position of the stage, so later writes can be removed again.
  package func mark() throws {
    (marks, pendingMark) = try writer.read { db in
      (
        try HiddenRows.marks(ofChange: changeKey, db),
        try Int64.fetchOne(db, sql: "SELECT max(pk) FROM import_pending") ?? 0
      )
    }
  }

  /// Removes everything from the stage that was written since `mark`.
  package func takeBack() throws {
    try writer.write { db in
      // A day's entry that was imported earlier and has been displaced since still waits for a
      // decision.
      try db.execute(
        sql: """
          DELETE FROM import_pending WHERE change_pk = ?1 AND pk > ?2
            AND coalesce(json_extract(record, '$.displacedRow'), ?3 + 1) > ?3
          """, arguments: [changeKey, pendingMark, marks[.day]?.key ?? 0])
    }
    while try writer.write({ db in
      try HiddenRows.removeSome(ofChange: changeKey, limit: Archive.sweepBatch, after: marks, db)
    }) > 0 { letOthersWrite() }
  }

  /// Makes everything visible, in one fully synced transaction.
  ///
  /// - Parameter body: does what must happen together with it: deciding entries that affect visible
  ///   ones, and writing the run's record.
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws, and `ArchiveError` or `DatabaseError` if the archive can't be
  ///   written.
  package func publish<Value>(_ body: (ChangeScope) throws -> Value) throws -> Value {
    // The data to flush was written long before the lock is taken.
    flusher?.finish()
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    let now = archive.clock.now
    let value: Value = try writer.write { db in
      try db.execute(
        sql: "DELETE FROM hidden_changes WHERE change_pk = ?", arguments: [changeKey])
      try db.execute(
        sql: """
          UPDATE change_rows SET at = ?1,
            position = (SELECT max(coalesce(position, pk)) + 1 FROM change_rows)
          WHERE pk = ?2
          """, arguments: [now.milliseconds, changeKey])
      change.at = now
      return try body(scope(db))
    }
    archive.noteWrite()
    return value
  }

  /// Discards the staged entries for at most `seconds`; anything left then stays invisible and is
  /// removed before the next import.
  package func discard(within seconds: Double) throws {
    _ = try Archive.sweep(change: changeKey, until: Deadline(seconds: seconds), writer)
  }

  private func scope(_ db: Database) -> ChangeScope {
    ChangeScope(db, change, key: changeKey, identities: archive.identities)
  }

  private func letOthersWrite() {
    guard let flusher else { return }
    let now = ContinuousClock.now
    guard now - lastPause > .seconds(Self.pauseSeconds) else { return }
    if flusher.logPages > Self.logLimit { flusher.finish() } else { flusher.start() }
    usleep(Self.pauseMicroseconds)
    lastPause = .now
  }
}

/// A moment at which an operation is interrupted.
struct Deadline {
  private let end: ContinuousClock.Instant

  init(seconds: Double) { end = ContinuousClock.now.advanced(by: .seconds(seconds)) }

  var hasPassed: Bool { ContinuousClock.now >= end }
}
