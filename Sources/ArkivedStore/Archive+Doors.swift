package import ArkivedCore
import Foundation
import GRDB

/// The web app's stored state: its owner's token and sessions.
extension Archive {
  /// Returns the owner's bearer token, stored in a file that only the owner can read.
  ///
  /// If it cannot be written, because the disk is full or the folder read-only, a new one is used
  /// until the process ends.
  ///
  /// - Parameter make: makes a new one, for the first start and for archives in memory.
  /// - Returns: the token.
  /// - Throws: an error if the file can't be read.
  package func ownerToken(_ make: () -> String) throws -> String {
    guard case .folder(let folder) = location else { return make() }
    let file = folder.appendingPathComponent("owner-token")
    if let kept = Archive.keptToken(file) { return kept }
    do {
      return try ArchiveLock.withLock(at: folder.appendingPathComponent("archive.lock")) {
        if let kept = Archive.keptToken(file) { return kept }
        let token = make()
        try DurableFile.write(Data(token.utf8), to: file)
        return token
      }
    } catch let failure as POSIXFailure where StorageTrouble(failure)?.leavesReadable == true {
      return make()
    } catch ArchiveError.cannotOpen {
      return make()
    }
  }

  private static func keptToken(_ file: URL) -> String? {
    guard let data = try? Data(contentsOf: file),
      let token = String(validating: data, as: UTF8.self)?
        .trimmingCharacters(in: .whitespacesAndNewlines), token.utf8.count >= 32
    else { return nil }
    return token
  }

  package func addWebSession(_ tokenHash: String, until end: Instant) throws {
    let now = clock.now
    try transact { db in
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

  /// Returns the hashes of valid sessions and of programs' tokens, the newest first.
  package func signInHashes() throws -> [String] {
    let now = clock.now.milliseconds
    return try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT token_hash FROM (
            SELECT token_hash, created_at FROM web_sessions WHERE expires_at >= ?
            UNION ALL SELECT token_hash, created_at FROM agent_tokens)
          ORDER BY created_at DESC LIMIT 5000
          """, arguments: [now])
    }
  }

  package func removeWebSession(_ tokenHash: String) throws {
    try transact { db in
      try db.execute(sql: "DELETE FROM web_sessions WHERE token_hash = ?", arguments: [tokenHash])
    }
  }
}
