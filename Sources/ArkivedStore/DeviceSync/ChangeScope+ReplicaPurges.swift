import ArkivedCore
import GRDB

extension ChangeScope {
  /// Makes the other devices permanently delete what was deleted permanently here, and removes all
  /// traces of it from the changes waiting for them.
  ///
  /// If this device has left them, they learn of it when it joins again.
  ///
  /// - Parameters:
  ///   - ids: the IDs of the entities.
  ///   - writing: those of templates and prompts, which devices share as one setting.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func purgeReplicas(of ids: Set<String>, writing: Set<String> = []) throws {
    let tables = ReplicaTables(db: db)
    try tables.rememberPurges(of: ids)
    guard let device = try tables.value("device")?.string else { return }
    var capture = try ReplicaCapture(db, device: device, now: now, publishes: true)
    let list = JSON(ids.sorted()).text()
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT type, id FROM replica_states WHERE id IN (SELECT value FROM json_each(?1))
          OR json_extract(state, '$.same') IN (SELECT value FROM json_each(?1))
        """, arguments: [list])
    var names = ids
    var purged = ReplicaState()
    purged.isPurged = true
    for row in rows {
      let key = ReplicaKey(type: row[0], id: row[1])
      names.insert(key.id)
      guard ids.contains(key.id), try tables.load(key)?.state.isPurged == false else { continue }
      try tables.save(purged, key)
      try tables.countPurge()
      try db.execute(
        sql: """
          DELETE FROM replica_outbox
          WHERE type = ? AND id = ? AND json_extract(change, '$.same') IS NULL
          """, arguments: [key.type, key.id])
      try capture.send(purged, key)
    }
    let all = JSON(names.sorted()).text()
    try db.execute(
      sql: """
        DELETE FROM replica_outbox
        WHERE type = ? AND substr(id, 1, 36) IN (SELECT value FROM json_each(?))
        """, arguments: [ReplicaKey.versions, all])
    for (table, column) in [("conflicts", "source_id"), ("dirty", "id")] {
      try db.execute(
        sql: "DELETE FROM replica_\(table) WHERE \(column) IN (SELECT value FROM json_each(?))",
        arguments: [all])
    }
    for id in writing {
      try db.execute(
        sql: "DELETE FROM replica_outbox WHERE type = ? AND id = ? AND instr(change, ?) > 0",
        arguments: [ReplicaFields.settingsType, Archive.writingName, id])
    }
    try redactSegments(naming: names, writing: writing)
    try redactStatus(naming: names)
  }

  /// Removes entities from the last status, which quotes conflicts.
  private func redactStatus(naming names: Set<String>) throws {
    let tables = ReplicaTables(db: db)
    guard var status = try tables.value("status")?.object else { return }
    for list in ["conflicts", "refused"] {
      let rest = (status[list]?.array ?? []).filter { one in
        one["sourceId"]?.string.map { !names.contains($0) } ?? true
      }
      status[list] = .array(rest)
    }
    try tables.set("status", .object(status))
  }

  /// Removes changes of some entities from segments.
  ///
  /// The segments' hashes stay, which keeps the chain intact. Changes that only state that two IDs
  /// belong to the same entity stay as well, because other devices need them to purge the right
  /// entity.
  ///
  /// The setting with all templates is shared as a whole, and a newer version of it follows, so
  /// earlier ones that contain a template aren't needed.
  private func redactSegments(naming names: Set<String>, writing: Set<String>) throws {
    let rows = try Row.fetchAll(db, sql: "SELECT sequence, changes FROM replica_segments")
    for row in rows {
      let lines = (row[1] as String).split(separator: "\n", omittingEmptySubsequences: false)
      let rest = lines.map { line -> Substring in
        guard let change = try? ReplicaChange(line: line.utf8) else { return line }
        if change.key.type == ReplicaFields.settingsType, change.key.id == Archive.writingName {
          return writing.contains { line.contains($0) } ? "-" : line
        }
        guard names.contains(change.key.entity), !change.state.isPurged, change.state.alias == nil
        else { return line }
        return "-"
      }
      guard rest != lines else { continue }
      try db.execute(
        sql: "UPDATE replica_segments SET changes = ?, is_published = 0 WHERE sequence = ?",
        arguments: [rest.joined(separator: "\n"), row[0] as Int])
    }
  }
}
