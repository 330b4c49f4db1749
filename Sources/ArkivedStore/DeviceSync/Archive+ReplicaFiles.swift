import ArkivedCore
import GRDB

/// Attached files and their names in the shared folder.
extension Archive {
  /// Returns the attached files with their names in the shared folder.
  ///
  /// - Parameter isUnsettled: true to include only those not yet known to be both here and in the
  ///   folder.
  /// - Returns: the paths in the archive, hashes, sizes in bytes and names; a name is nil until it's
  ///   known.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read.
  package func replicaFiles(
    onlyUnsettled isUnsettled: Bool = false
  ) throws -> [(path: String, hash: String, size: Int?, name: String?)] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT DISTINCT relative_path, content_hash, byte_count, name FROM attachments
          LEFT JOIN replica_files ON path = relative_path
          WHERE relative_path IS NOT NULL AND content_hash IS NOT NULL
            AND (name IS NULL OR NOT ?)
          """, arguments: [isUnsettled]
      ).map { ($0[0], $0[1], $0[2], $0[3]) }
    }
  }

  /// Makes the next exchange look again whether files are in the shared folder.
  ///
  /// - Parameter names: their names in the folder; nil for all files.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func unsettleReplicaFiles(_ names: [String]? = nil) throws {
    let chosen = "(? IS NULL OR name IN (SELECT value FROM json_each(?)))"
    let list = names.map { JSON($0).text() }
    let isAny = try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM replica_files WHERE \(chosen))",
        arguments: [list, list])
    }
    guard isAny == true else { return }
    try transact { db in
      try db.execute(
        sql: "DELETE FROM replica_files WHERE \(chosen)", arguments: [list, list])
    }
  }

  /// Forgets the locations of files that nothing refers to any more, because the same file may be
  /// attached again.
  package func forgetUnusedReplicaFiles() throws {
    let unused =
      "path NOT IN (SELECT relative_path FROM attachments WHERE relative_path IS NOT NULL)"
    let isAny = try read { db in
      try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM replica_files WHERE \(unused))")
    }
    guard isAny == true else { return }
    try transact { db in try db.execute(sql: "DELETE FROM replica_files WHERE \(unused)") }
  }

  /// Forgets the locations of files that are about to be removed here.
  ///
  /// Otherwise, one that another device attaches again before the next exchange would never be
  /// copied.
  func forgetReplicaFiles(at paths: [String]) throws {
    let list = JSON(paths.sorted()).text()
    let removed = "path IN (SELECT value FROM json_each(?))"
    let isAny = try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT EXISTS (SELECT 1 FROM replica_files WHERE \(removed))", arguments: [list])
    }
    guard isAny == true else { return }
    try transact { db in
      try db.execute(sql: "DELETE FROM replica_files WHERE \(removed)", arguments: [list])
    }
  }

  package func noteReplicaFile(_ path: String, as name: String) throws {
    try transact { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO replica_files (path, name) VALUES (?, ?)",
        arguments: [path, name])
    }
  }
}
