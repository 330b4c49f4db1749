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
  ///   - retitled: those of conversations that stay, but had a title that quotes one of the entities.
  /// - Throws: `DatabaseError` if the archive can't be written.
  func purgeReplicas(
    of ids: Set<String>, writing: Set<String> = [], retitled: Set<String> = []
  ) throws {
    let tables = ReplicaTables(db: db)
    try tables.rememberPurges(of: ids)
    guard let device = try tables.value("device")?.string else { return }
    var capture = try ReplicaCapture(db, device: device, now: now, publishes: true)
    let keys = try tables.keys(withIDs: ids)
    var names = ids
    for type in Set(keys.map(\.type)) { names.formUnion(try tables.aliases(of: ids, type: type)) }
    var purged = ReplicaState()
    purged.isPurged = true
    for key in keys {
      guard try tables.load(key)?.state.isPurged == false else { continue }
      try tables.save(purged, key)
      try tables.countPurge()
      try db.execute(
        sql: """
          DELETE FROM replica_outbox
          WHERE type = ? AND id = ? AND json_extract(change, '$.same') IS NULL
          """, arguments: [key.type, key.id])
      try capture.send(purged, key)
    }
    // What else has changed in a retitled conversation is still to be captured.
    try db.execute(
      sql: "DELETE FROM replica_dirty WHERE id IN (SELECT value FROM json_each(?))",
      arguments: [JSON(names.sorted()).text()])
    let stale = retitled.subtracting(ids)
    names.formUnion(stale)
    let all = JSON(names.sorted()).text()
    try db.execute(
      sql: """
        DELETE FROM replica_outbox
        WHERE type = ? AND substr(id, 1, 36) IN (SELECT value FROM json_each(?))
        """, arguments: [ReplicaKey.versions, all])
    try resend(stale, &capture)
    try db.execute(
      sql: "DELETE FROM replica_conflicts WHERE source_id IN (SELECT value FROM json_each(?))",
      arguments: [all])
    for id in writing {
      try db.execute(
        sql: "DELETE FROM replica_outbox WHERE type = ? AND id = ? AND instr(change, ?) > 0",
        arguments: [ReplicaFields.settingsType, Archive.writingName, id])
    }
    try redactSegments(naming: names, writing: writing)
    try redactStatus(naming: names)
  }

  /// Sends all of some conversations again, with the titles they have now.
  ///
  /// Changes with their earlier titles aren't needed any more, also by devices that haven't read
  /// them.
  private func resend(_ threads: Set<String>, _ capture: inout ReplicaCapture) throws {
    let tables = ReplicaTables(db: db)
    for id in threads.sorted() {
      let key = ReplicaKey(type: EntityType.thread.rawValue, id: id)
      guard let stored = try tables.load(key), !stored.state.isPurged, stored.state.alias == nil
      else { continue }
      let title = try String.fetchOne(
        db, cached: "SELECT title FROM thread_rows WHERE id = ?", arguments: [id])
      var change = ReplicaState()
      let stamp = capture.stamp(at: now.milliseconds, after: stored.state)
      // Otherwise, a deleted one would come back.
      if stored.state.isAlive { change.touched = stamp }
      change.registers["title"] = ReplicaState.Register(
        value: .string(title ?? Self.untitled), stamp: stamp)
      var state = stored.state
      state.merge(change)
      var shown = stored.shown?.object
      if shown?["title"] != nil { shown?["title"] = .string(title ?? Self.untitled) }
      try tables.save(
        state, shown: shown.map(JSON.object) ?? stored.shown, waits: stored.waits, key)
      try db.execute(
        sql: "DELETE FROM replica_outbox WHERE type = ? AND id = ?", arguments: [key.type, key.id])
      try capture.send(state, key)
    }
    try capture.keepClock()
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
    func isWriting(_ key: ReplicaKey) -> Bool {
      key.type == ReplicaFields.settingsType && key.id == Archive.writingName
    }
    func isForgotten(_ line: Substring) -> Bool {
      // Parsing each of a million lines would take too long.
      if let key = ReplicaChange.key(ofLine: line),
        isWriting(key) ? writing.isEmpty : !names.contains(key.entity)
      {
        return false
      }
      guard let change = try? ReplicaChange(line: line.utf8) else { return false }
      guard !isWriting(change.key) else { return writing.contains { line.contains($0) } }
      return names.contains(change.key.entity) && !change.state.isPurged
        && change.state.alias == nil
    }
    // Read one by one, because all of them may not fit into memory.
    for sequence in try Int.fetchAll(db, sql: "SELECT sequence FROM replica_segments") {
      let changes = try String.fetchOne(
        db, cached: "SELECT changes FROM replica_segments WHERE sequence = ?",
        arguments: [sequence])
      let lines = (changes ?? "").utf8
        .split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        .map { Substring($0) }
      let forgotten = Set(lines.indices.filter { isForgotten(lines[$0]) })
      guard !forgotten.isEmpty else { continue }
      let rest = lines.indices.map { forgotten.contains($0) ? "-" : lines[$0] }
      try db.execute(
        sql: "UPDATE replica_segments SET changes = ?, is_published = 0 WHERE sequence = ?",
        arguments: [rest.joined(separator: "\n"), sequence])
    }
  }
}
