package import ArkivedCore
import Foundation
import GRDB

/// What the web app keeps: its owner's token, sessions, and answered requests.
extension Archive {
  /// The owner's bearer token, kept in a file that only the owner can read.
  ///
  /// - Parameter make: makes a new one, for the first start and for archives in memory.
  package func ownerToken(_ make: () -> String) throws -> String {
    guard case .folder(let folder) = location else { return make() }
    return try ArchiveLock.withLock(at: folder.appendingPathComponent("archive.lock")) {
      let file = folder.appendingPathComponent("owner-token")
      if let data = try? Data(contentsOf: file),
        let token = String(validating: data, as: UTF8.self)?
          .trimmingCharacters(in: .whitespacesAndNewlines), token.utf8.count >= 32
      {
        return token
      }
      let token = make()
      try DurableFile.write(Data(token.utf8), to: file)
      return token
    }
  }

  package func addWebSession(_ tokenHash: String, until end: Instant) throws {
    let now = clock.now
    try writer.write { db in
      try db.execute(
        sql: "DELETE FROM web_sessions WHERE expires_at < ?", arguments: [now.milliseconds])
      try db.execute(
        sql: "INSERT INTO web_sessions (token_hash, created_at, expires_at) VALUES (?, ?, ?)",
        arguments: [tokenHash, now.milliseconds, end.milliseconds])
    }
  }

  package func hasWebSession(_ tokenHash: String) throws -> Bool {
    let now = clock.now.milliseconds
    return try read { db in
      try Bool.fetchOne(
        db,
        sql: """
          SELECT EXISTS (SELECT 1 FROM web_sessions WHERE token_hash = ? AND expires_at >= ?)
          """, arguments: [tokenHash, now]) ?? false
    }
  }

  package func removeWebSession(_ tokenHash: String) throws {
    try writer.write { db in
      try db.execute(sql: "DELETE FROM web_sessions WHERE token_hash = ?", arguments: [tokenHash])
    }
  }

  /// Adds an activity once per key: a repeated request gets the activity of the first one.
  ///
  /// - Parameter requestHash: a hash of what was asked, so that a key used for something else is
  ///   noticed.
  /// - Throws: `ArchiveError.conflict` when the key stands for another request.
  package func add(
    _ activity: Activity, by author: Author = .owner, idempotencyKey: String,
    requestHash: String
  ) throws -> Saved<Activity> {
    try writer.write { db in
      if let row = try Row.fetchOne(
        db, sql: "SELECT * FROM idempotency_keys WHERE key = ?", arguments: [idempotencyKey])
      {
        guard (row["request_hash"] as String) == requestHash else {
          throw ArchiveError.conflict("This Idempotency-Key was used for another request.")
        }
        guard
          let old = try ActivityRecord.fetchOne(db, id: try row.identity("entity_id"))?.activity
        else {
          throw ArchiveError.conflict("The entry of this Idempotency-Key was deleted since.")
        }
        let change = try Row.fetchOne(
          db, sql: "SELECT * FROM changes WHERE id = ?", arguments: [row["change_id"] as String]
        ).map(Archive.change)
        return Saved(value: old, change: change)
      }
      let scope = try openScope(db, by: author, "add", "Added “\(activity.text.prefix(120))”")
      var activity = activity
      activity.people = try activity.people.map { try scope.resolve($0, allowsFirstName: true) }
      try scope.insert(activity)
      // Keys are for repeated requests, not for ever.
      try db.execute(
        sql: "DELETE FROM idempotency_keys WHERE at < ?",
        arguments: [scope.now.adding(seconds: -7 * 86_400).milliseconds])
      try db.execute(
        sql: """
          INSERT INTO idempotency_keys (key, request_hash, entity_id, change_id, at)
          VALUES (?, ?, ?, ?, ?)
          """,
        arguments: [
          idempotencyKey, requestHash, activity.id.uuidString, scope.change.id.uuidString,
          scope.now.milliseconds,
        ])
      return Saved(value: activity, change: scope.change)
    }
  }
}
