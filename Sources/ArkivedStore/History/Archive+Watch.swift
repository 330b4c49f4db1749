package import ArkivedCore
package import Foundation
import GRDB
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A visible change, with the entities it concerns.
package struct NotedChange: Hashable, Sendable {
  package var change: Change
  /// The days it affected, in order; at most `dayLimit`.
  package var days: [DayKey]
  /// True if it affected more than `days` shows: further days, or a name that any entry may have.
  package var reachesFurther: Bool

  /// The number of days up to which they are listed one by one.
  package static let dayLimit = 50

  package var json: JSON {
    [
      "id": .string(change.id.uuidString), "at": JSON(change.at),
      "author": .string(change.author.rawValue), "action": .string(change.action),
      "days": .array(days.map { JSON($0) }), "reachesFurther": .bool(reachesFurther),
    ]
  }
}

/// The changes that became visible since another one.
package enum NewChanges: Sendable {
  /// All changes, oldest first.
  case all([NotedChange])
  /// There are more changes than can be listed, or the given change is unknown here; only the
  /// newest is given.
  case unlisted(newest: UUID?)
}

/// Detects cheaply that a program wrote to an archive, without reading the data.
///
/// It has a separate connection, because SQLite's `data_version` shows a connection only the
/// commits of all others. While the write-ahead log is unchanged, which a single check of its
/// metadata shows, SQLite is queried every ten seconds at most: a server on a system without
/// notifications of writes checks every second forever.
package final class ArchiveWatch: Sendable {
  private let reader: any DatabaseReader
  private let question: String
  private let log: String?
  private let last = Mutex(State())

  /// The interval after which SQLite is queried in any case, because a slow disk may show a commit
  /// long after its log was written.
  private static let longestTrust = Duration.seconds(10)

  private struct State {
    var version: Int64?
    var look: LogLook?
    var askedAt: ContinuousClock.Instant?

    func trusts(_ look: LogLook, at now: ContinuousClock.Instant) -> Bool {
      guard let askedAt, self.look == look else { return false }
      return askedAt.duration(to: now) < ArchiveWatch.longestTrust
    }
  }

  package init(_ archive: Archive) throws {
    log = archive.databaseFile.map {
      ArchiveFolder(url: $0.deletingLastPathComponent()).log.path
    }
    if let file = archive.databaseFile {
      var configuration = Configuration()
      configuration.readonly = true
      configuration.label = "watch"
      reader = try DatabaseQueue(path: file.path, configuration: configuration)
      question = "PRAGMA data_version"
    } else {
      // An archive in memory has one connection, which counts its own writes.
      reader = try archive.writer
      question = "SELECT total_changes()"
    }
  }

  /// Returns true if something was committed since the last call; true the first time.
  package func hasNews() throws -> Bool {
    // Read before the query, so a later write changes the log again for the next check.
    let look = log.flatMap(LogLook.init)
    let now = ContinuousClock.now
    if let look, look.isCalm, last.withLock({ $0.trusts(look, at: now) }) { return false }
    let version = try reader.read { db in try Int64.fetchOne(db, sql: question) }
    return last.withLock { last in
      defer {
        last = State(version: version, look: look?.isCalm == true ? look : nil, askedAt: now)
      }
      return last.version != version || version == nil
    }
  }
}

/// The metadata of a write-ahead log, which every commit writes to.
private struct LogLook: Equatable {
  private var file: UInt64
  private var size: Int64
  private var changed: Int64
  private var fraction: Int64
  /// True if the log was unchanged for so long that another write would change its timestamp; file
  /// systems store it with a resolution of a few milliseconds.
  private(set) var isCalm: Bool

  /// Reads the metadata; nil if the log doesn't exist.
  init?(_ path: String) {
    var about = stat()
    guard stat(path, &about) == 0 else { return nil }
    #if canImport(Darwin)
      let time = about.st_mtimespec
    #else
      let time = about.st_mtim
    #endif
    file = UInt64(truncatingIfNeeded: about.st_ino)
    size = Int64(about.st_size)
    changed = Int64(time.tv_sec)
    fraction = Int64(time.tv_nsec)
    isCalm = Date().timeIntervalSince1970 - Double(changed) > 3
  }
}

extension Archive {
  /// Returns the newest change that readers can see; nil in an empty archive.
  package func newestChange() throws -> UUID? {
    try read { db in
      try String.fetchOne(db, sql: "SELECT id FROM changes ORDER BY position DESC, pk DESC LIMIT 1")
    }.flatMap(UUID.init(uuidString:))
  }

  /// Returns everything that became visible after a change, or since the archive began if it is
  /// nil.
  ///
  /// - Parameters:
  ///   - id: the ID of the change.
  ///   - limit: the number of changes up to which they are listed.
  /// - Returns: the changes.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func changes(after id: UUID?, limit: Int = 500) throws -> NewChanges {
    try read { db in
      // An import may have the position of the change before it.
      var last: (position: Int64, pk: Int64) = (0, 0)
      if let id {
        let known = try Row.fetchOne(
          db, sql: "SELECT position, pk FROM changes WHERE id = ?", arguments: [id.uuidString])
        guard let known else { return .unlisted(newest: try Archive.newest(db)) }
        last = (known["position"], known["pk"])
      }
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM changes WHERE position >= ?1 AND (position, pk) > (?1, ?2)
          ORDER BY position, pk LIMIT ?3
          """, arguments: [last.position, last.pk, limit + 1])
      guard rows.count <= limit else { return .unlisted(newest: try Archive.newest(db)) }
      return .all(try rows.map { try Archive.noted($0, db) })
    }
  }

  /// Returns the first of the days affected by a change, for showing it.
  package func firstDay(ofChange id: UUID) throws -> DayKey? {
    try read { db in
      try Row.fetchOne(db, sql: "SELECT * FROM changes WHERE id = ?", arguments: [id.uuidString])
        .flatMap { try Archive.noted($0, db).days.first }
    }
  }

  private static func newest(_ db: Database) throws -> UUID? {
    try String.fetchOne(db, sql: "SELECT id FROM changes ORDER BY position DESC, pk DESC LIMIT 1")
      .flatMap(UUID.init(uuidString:))
  }

  /// Returns a change with the days and entities it affects.
  ///
  /// - Parameters:
  ///   - row: the row of the change.
  ///   - before: the changes that this one undid, if they are already known.
  ///   - db: the database.
  /// - Returns: the change.
  /// - Throws: `DatabaseError` if the archive can't be read.
  static func noted(
    _ row: Row, tookBack before: [Int64]? = nil, _ db: Database
  ) throws -> NotedChange {
    let key: Int64 = row["pk"]
    var reach = Reach()
    try reach.add(key, db)
    // Entities restored by an undo have the marks of the changes they had before.
    let undone =
      try before
      ?? Int64.fetchAll(
        db, sql: "SELECT pk FROM changes WHERE undone_by = ? LIMIT 10", arguments: [key])
    for key in undone { try reach.add(key, db) }
    let days = reach.days.sorted()
    return NotedChange(
      change: try Archive.change(row, db), days: Array(days.prefix(NotedChange.dayLimit)),
      reachesFurther: reach.isFurther || days.count > NotedChange.dayLimit || days.isEmpty)
  }
}

/// The days that changes affected, collected from their entries and old versions.
private struct Reach {
  var days: Set<DayKey> = []
  var isFurther = false

  /// The number of rows examined; a change with more reaches further anyway.
  private static let rowLimit = 500

  mutating func add(_ change: Int64, _ db: Database) throws {
    for table in ["activities", "days", "day_metrics"] {
      try add(
        try String.fetchAll(
          db.cachedStatement(
            sql: "SELECT day_key FROM \(table) WHERE change_pk = ? LIMIT \(Reach.rowLimit)"),
          arguments: [change]))
    }
    // An activity may have been moved from another day. Days and metrics stay where they are, so a
    // long note's old version don't have to be read.
    let rows = try Row.fetchAll(
      db,
      cached: """
        SELECT history.source_table,
          coalesce(activities.day_key, days.day_key, day_metrics.day_key) AS day_now,
          CASE WHEN coalesce(days.pk, day_metrics.pk) IS NULL
            THEN json_extract(history.record, '$.dayKey') END AS day_then
        FROM history
        LEFT JOIN activities ON activities.id = history.source_id
        LEFT JOIN days ON days.id = history.source_id
        LEFT JOIN day_metrics ON day_metrics.id = history.source_id
        WHERE history.change_pk = ? LIMIT \(Reach.rowLimit)
        """, arguments: [change])
    var found: [String] = []
    for row in rows {
      let names = [row["day_now"] as String?, row["day_then"] as String?].compactMap { $0 }
      // A person or a tag: entries of any day may show its name.
      if names.isEmpty { isFurther = true }
      found += names
    }
    if rows.count == Reach.rowLimit { isFurther = true }
    try add(found)
  }

  private mutating func add(_ names: [String]) throws {
    if names.count >= Reach.rowLimit { isFurther = true }
    days.formUnion(names.compactMap(DayKey.init))
  }
}
