package import ArkivedCore
import ArkivedCrypto
package import Foundation
import GRDB

/// A part of a device's log, as read by other devices.
package struct ReplicaSegment: Sendable {
  package var device: String
  package var sequence: Int
  /// The chained hash of all segments up to this one.
  package var link: String
  /// The last segments of other devices that this device had read when it wrote this one.
  package var seen: [String: Int]
  /// The changes, in their order.
  package var changes: [ReplicaChange]

  package init(
    device: String, sequence: Int, link: String, seen: [String: Int], changes: [ReplicaChange]
  ) {
    self.device = device
    self.sequence = sequence
    self.link = link
    self.seen = seen
    self.changes = changes
  }
}

/// One entity or setting, with its changes.
package struct ReplicaChange: Hashable, Sendable {
  package var key: ReplicaKey
  package var state: ReplicaState

  package init(key: ReplicaKey, state: ReplicaState) {
    self.key = key
    self.state = state
  }

  /// One line of a segment.
  package var line: String {
    JSON.array([.string(key.type), .string(key.id), state.json]).text()
  }

  /// - Throws: `FieldError`, `JSONSyntaxError`.
  package init(line: some Collection<UInt8>) throws {
    guard let parts = try JSON(parsing: line).array, parts.count == 3, let type = parts[0].string,
      let id = parts[1].string, !type.isEmpty, !id.isEmpty
    else { throw FieldError("change", "isn’t an entity with its state") }
    self.init(key: ReplicaKey(type: type, id: id), state: try ReplicaState(parts[2]))
  }
}

/// A segment of this device's own log.
package struct OwnSegment: Sendable {
  package var sequence: Int
  package var link: String
  package var previous: String
  package var head: JSON
  package var isPublished: Bool
}

/// The result of a merge.
package struct ReplicaOutcome: Sendable {
  /// The number of entities written here.
  package var written = 0
  package var conflicts = 0
}

/// A field whose version was replaced by another one.
package struct ReplicaConflict: Sendable {
  package var id: String
  package var at: Instant
  package var type: EntityType
  package var sourceID: String
  package var field: String
  package var kept: JSON
  package var gaveWay: JSON
  package var keptBy: String
  package var givenBy: String

  /// One line of the version that was replaced.
  package var summary: String {
    let text = gaveWay.string ?? (gaveWay == .null ? "–" : gaveWay.text())
    return String(text.prefix(60)).replacingOccurrences(of: "\n", with: " ")
  }

  package var json: JSON {
    [
      "id": .string(id), "at": JSON(at), "type": .string(type.rawValue),
      "sourceId": .string(sourceID), "field": .string(field), "kept": kept, "gaveWay": gaveWay,
      "keptBy": .string(keptBy), "givenBy": .string(givenBy),
    ]
  }
}

/// The archive as one of several devices that sync.
extension Archive {
  /// A position in a device's log: the last segment read and its link.
  package struct ReplicaPlace: Hashable, Sendable {
    package var sequence: Int
    package var link: String

    package init(sequence: Int, link: String) {
      self.sequence = sequence
      self.link = link
    }

    package static let start = ReplicaPlace(sequence: 0, link: "")
  }

  /// The number of entities captured in one transaction.
  private static let captureBatch = 2_000

  // MARK: This device

  /// Returns the sync engine's settings for this device; nil if the archive isn't synced, or not yet
  /// because it is still joining.
  package func replicaSettings() throws -> JSON? {
    try read { db in
      let tables = ReplicaTables(db: db)
      guard try tables.value(Self.joiningNote) == nil else { return nil }
      return try tables.value("settings")
    }
  }

  package func setReplicaSettings(_ settings: JSON) throws {
    try transact { db in try ReplicaTables(db: db).set("settings", settings) }
  }

  /// Switches sync on: records everything that exists, and every change from then on.
  ///
  /// - Parameters:
  ///   - device: this device's own name in stamps.
  ///   - settings: the sync settings, stored with the device's name.
  ///   - request: the request to join other devices, if their content is still to be merged. Until
  ///     `endJoiningReplica`, the archive counts as one that isn't synced.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func startReplica(device: String, settings: JSON, joining request: JSON? = nil) throws {
    try transact { db in
      let tables = ReplicaTables(db: db)
      try Self.clearReplica(db)
      if let request { try tables.set(Self.joiningNote, request) }
      try tables.set(ReplicaCapture.firstNote, true)
      try tables.set("device", .string(device))
      try tables.set("settings", settings)
      try tables.set("history", .integer(ReplicaCapture.newestVersion(db)))
      try ReplicaTriggers.install(db)
      try tables.noteAll()
    }
  }

  /// The name of the note with the request to join other devices.
  private static let joiningNote = "joining"

  /// Returns the request to join other devices; nil if this device isn't joining any.
  package func joiningReplica() throws -> JSON? { try replicaNote(Self.joiningNote) }

  /// Stores a request to join other devices.
  package func requestReplica(_ request: JSON) throws {
    try setReplicaNote(Self.joiningNote, request)
  }

  /// Ends joining, once everything that the other devices had is here.
  package func endJoiningReplica() throws { try setReplicaNote(Self.joiningNote, nil) }

  /// Switches sync off.
  ///
  /// The archive's content stays.
  ///
  /// - Parameter request: the request to join other devices, to be tried again.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func stopReplica(keeping request: JSON? = nil) throws {
    try transact { db in
      try ReplicaTriggers.remove(db)
      try Self.clearReplica(db)
      if let request { try ReplicaTables(db: db).set(Self.joiningNote, request) }
    }
  }

  private static func clearReplica(_ db: Database) throws {
    for table in [
      "states", "dirty", "outbox", "segments", "places", "conflicts", "purges", "files", "device",
    ] {
      try db.execute(sql: "DELETE FROM replica_\(table)")
    }
  }

  /// Returns true if something was changed here that no published segment contains.
  ///
  /// This is cheap.
  package func hasReplicaChanges() throws -> Bool {
    try read { db in
      try Bool.fetchOne(
        db,
        cached: """
          SELECT EXISTS (SELECT 1 FROM replica_dirty) OR EXISTS (SELECT 1 FROM replica_outbox)
            OR EXISTS (SELECT 1 FROM replica_segments WHERE is_published = 0)
          """) ?? false
    }
  }

  /// Returns another value stored about this device; nil if it isn't set.
  package func replicaNote(_ name: String) throws -> JSON? {
    try read { db in try ReplicaTables(db: db).value(name) }
  }

  package func setReplicaNote(_ name: String, _ value: JSON?) throws {
    try transact { db in
      guard let value else {
        return try db.execute(sql: "DELETE FROM replica_device WHERE name = ?", arguments: [name])
      }
      try ReplicaTables(db: db).set(name, value)
    }
  }

  // MARK: Local changes

  /// Turns changes made on this device into changes for the others.
  ///
  /// - Parameter publishes: false while there are no other devices; new ones get everything when
  ///   they join.
  /// - Returns: the number of changed entities.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  @discardableResult
  package func captureReplica(publishes: Bool) throws -> Int {
    try restoreTriggers()
    var count = 0
    while true {
      let more = try transact { db -> Bool in
        guard var capture = try Self.capture(db, now: clock.now, publishes: publishes) else {
          return false
        }
        count += try capture.run(limit: Self.captureBatch)
        return try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM replica_dirty)") ?? false
      }
      guard more else { return count }
    }
  }

  /// Reinstalls the triggers if another version of the schema lost or changed them, and marks
  /// everything that may have changed in the meantime for comparison.
  private func restoreTriggers() throws {
    let isComplete = try read { db in
      try ReplicaTables(db: db).value("device") == nil || ReplicaTriggers.areInstalled(db)
    }
    guard !isComplete else { return }
    try transact { db in
      try ReplicaTriggers.install(db)
      try ReplicaTables(db: db).noteAll()
    }
  }

  private static func capture(
    _ db: Database, now: Instant, publishes: Bool
  ) throws -> ReplicaCapture? {
    guard let device = try ReplicaTables(db: db).value("device")?.string else { return nil }
    return try ReplicaCapture(db, device: device, now: now, publishes: publishes)
  }

  /// Moves waiting changes into segments of the log.
  package func sealReplica() throws {
    while try transact({ db in try ReplicaLog(db: db).seal(at: clock.now) }) {}
  }

  /// The hash that chains a segment to the one before it.
  package static func link(after previous: String, _ sequence: Int, _ hashes: [String]) -> String {
    let text = "\(previous)|\(sequence)|\(hashes.joined(separator: ","))"
    return SHA256.hash(data: text.utf8).hexadecimal
  }

  /// Returns this device's segments that not every other device has read, without their changes.
  package func ownReplicaSegments() throws -> [OwnSegment] {
    try read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT sequence, link, previous, head, is_published FROM replica_segments
          ORDER BY sequence
          """
      ).map { row in
        OwnSegment(
          sequence: row["sequence"], link: row["link"], previous: row["previous"],
          head: try JSON(parsing: row["head"] as String), isPublished: row["is_published"])
      }
    }
  }

  /// Returns the changes of one of this device's segments: one line for each, `-` for changes that
  /// have since been forgotten.
  package func changes(ofReplicaSegment sequence: Int) throws -> String {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT changes FROM replica_segments WHERE sequence = ?", arguments: [sequence])
        ?? ""
    }
  }

  package func markReplicaPublished(_ sequence: Int) throws {
    try transact { db in
      try db.execute(
        sql: "UPDATE replica_segments SET is_published = 1 WHERE sequence = ?",
        arguments: [sequence])
    }
  }

  /// Deletes segments that all others have read, or that a snapshot contains.
  package func forgetReplicaSegments(upTo sequence: Int) throws {
    try transact { db in
      try db.execute(
        sql: "DELETE FROM replica_segments WHERE sequence <= ? AND is_published = 1",
        arguments: [sequence])
    }
  }

  // MARK: Places

  /// Returns the position in each device's log; this device's own log has an empty name.
  package func replicaPlaces() throws -> [String: ReplicaPlace] {
    try read { db in try ReplicaLog(db: db).places() }
  }

  // MARK: Remote changes

  /// Captures the changes made here, then merges other devices' segments, either all or none.
  ///
  /// - Parameters:
  ///   - segments: each device's segments in the order of its log, beginning after the last one
  ///     that was merged.
  ///   - publishes: false to keep this device's changes only in the states.
  /// - Returns: the number of entities written and of conflicts.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func mergeReplica(
    _ segments: [ReplicaSegment], publishes: Bool = true
  ) throws -> ReplicaOutcome {
    try captureReplica(publishes: publishes)
    return try transact { db in
      guard var capture = try Self.capture(db, now: clock.now, publishes: publishes) else {
        return ReplicaOutcome()
      }
      _ = try capture.run()
      // Changes made here so far were made without knowledge of what is read now.
      try capture.seal()
      let log = ReplicaLog(db: db)
      var merge = ReplicaMerge(db, self, capture)
      for segment in segments {
        for change in segment.changes {
          try merge.join(
            change.state, change.key, by: segment.device, having: segment.seen, isSegment: true)
        }
        try log.set(
          ReplicaPlace(sequence: segment.sequence, link: segment.link), of: segment.device)
      }
      try merge.show()
      return ReplicaOutcome(written: merge.written, conflicts: merge.conflicts)
    }
  }

  /// Merges a snapshot of another device.
  ///
  /// - Parameters:
  ///   - writer: the device that wrote it.
  ///   - places: the last segment that the device had read in each log; its own log is under its
  ///     name.
  ///   - publishes: false to keep this device's changes only in the states.
  ///   - changes: calls its argument with each change in the snapshot.
  /// - Returns: the number of entities written and of conflicts.
  /// - Throws: an error if the snapshot can't be read or the archive can't be written.
  package func mergeReplicaSnapshot(
    by writer: String, places: [String: ReplicaPlace], publishes: Bool = true,
    _ changes: ((ReplicaChange) throws -> Void) throws -> Void
  ) throws -> ReplicaOutcome {
    try captureReplica(publishes: publishes)
    return try transact { db in
      guard var capture = try Self.capture(db, now: clock.now, publishes: publishes),
        let own = try ReplicaTables(db: db).value("device")?.string
      else { return ReplicaOutcome() }
      _ = try capture.run()
      try capture.seal()
      let log = ReplicaLog(db: db)
      var merge = ReplicaMerge(db, self, capture, isWhole: true)
      let seen = places.mapValues(\.sequence)
      try changes { change in
        try merge.join(change.state, change.key, by: writer, having: seen, isSegment: false)
      }
      let known = try log.places()
      for (device, place) in places where device != own {
        if place.sequence > known[device]?.sequence ?? 0 { try log.set(place, of: device) }
      }
      try merge.show()
      return ReplicaOutcome(written: merge.written, conflicts: merge.conflicts)
    }
  }

  /// Reads everything that this device knows, in one transaction.
  ///
  /// - Returns: the positions in all logs; this device's own log is under its name.
  package func readReplica(
    _ body: (ReplicaChange) throws -> Void
  ) throws -> [String: ReplicaPlace] {
    try read { db in
      let rows = try Row.fetchCursor(
        db, sql: "SELECT type, id, state FROM replica_states ORDER BY type, id")
      while let row = try rows.next() {
        try body(
          ReplicaChange(
            key: ReplicaKey(type: row[0], id: row[1]),
            state: try ReplicaState(JSON(parsing: row[2] as String))))
      }
      var places = try ReplicaLog(db: db).places()
      let own = try ReplicaTables(db: db).value("device")?.string ?? ""
      places[own] = places.removeValue(forKey: "") ?? .start
      return places
    }
  }

  /// Removes old versions of long texts that every device has replaced.
  ///
  /// - Parameters:
  ///   - stable: the last segment of each device's log that all devices have read.
  ///   - limit: the maximum number of entities to trim.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func trimReplicaTexts(stable: [String: Int], limit: Int = 500) throws {
    let keys = try read { db in try ReplicaTables(db: db).trimming(limit: limit) }
    guard !keys.isEmpty else { return }
    try transact { db in
      let tables = ReplicaTables(db: db)
      for key in keys {
        guard let stored = try tables.load(key) else { continue }
        var state = stored.state
        guard state.trimTexts({ $0.sequence <= stable[$0.device] ?? 0 }) else { continue }
        try tables.replace(state, key)
      }
    }
  }

  /// Forgets the content of deleted entities and replaced versions, once both have exceeded the
  /// owner's retention of the history.
  ///
  /// References to other programs are kept, so no device imports a deleted entity again.
  ///
  /// - Parameter stable: the last segment of each device's log that all devices have read. A deletion
  ///   that some device hasn't read isn't touched, because that device may still change the entity.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or written.
  package func forgetExpiredReplicas(stable: [String: Int]) throws {
    let retention = try retention()
    guard !retention.isForEver else { return }
    let now = clock.now
    let last = try replicaNote(Self.forgottenNote)?.string.flatMap { Instant($0) }
    guard last.map({ abs($0.seconds(to: now)) > 86_400 }) ?? true else { return }
    func edge(_ days: Int?) -> Int64 {
      days.map { now.adding(seconds: -$0 * 86_400).milliseconds } ?? .min
    }
    try transact { db in
      let tables = ReplicaTables(db: db)
      try db.execute(
        sql: "DELETE FROM replica_conflicts WHERE at < ?", arguments: [edge(retention.versionDays)])
      for key in try tables.deleted(before: edge(retention.deletedDays)) {
        guard let stored = try tables.load(key), let dead = stored.state.dead,
          !stored.state.isAlive, dead.sequence <= stable[dead.device] ?? 0
        else { continue }
        var state = stored.state
        guard state.forgetContent(keeping: ReplicaFields.isExternalReference) else { continue }
        try tables.replace(state, key)
      }
      try tables.set(Self.forgottenNote, JSON(now))
    }
  }

  /// The name of the note with the time at which expired data was last forgotten.
  private static let forgottenNote = "expired"

  // MARK: Data other than entities

  /// Returns the states of entities that only the engine understands, such as devices.
  package func replicaStates(of type: String) throws -> [(id: String, state: ReplicaState)] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT id, state FROM replica_states WHERE type = ? ORDER BY id",
        arguments: [type]
      ).map { ($0[0], try ReplicaState(JSON(parsing: $0[1] as String))) }
    }
  }

  /// Sets fields of such a thing.
  package func setReplica(
    _ values: [String: JSON], of key: ReplicaKey, publishes: Bool = true
  ) throws {
    try transact { db in
      guard var capture = try Self.capture(db, now: clock.now, publishes: publishes) else { return }
      let tables = ReplicaTables(db: db)
      var state = try tables.load(key)?.state ?? ReplicaState()
      let known = state.values
      let changed = values.filter { !ReplicaFields.isSame(known[$0.key], $0.value) }
      guard !changed.isEmpty else { return }
      let stamp = capture.stamp(at: clock.now.milliseconds, after: state)
      var change = ReplicaState()
      change.touched = stamp
      for (name, value) in changed {
        change.registers[name] = ReplicaState.Register(value: value, stamp: stamp)
      }
      state.merge(change)
      try tables.save(state, key)
      try capture.send(change, key)
      try capture.keepClock()
    }
  }

  // MARK: Conflicts and purges

  /// Returns the versions that were replaced in conflicts, latest first.
  package func replicaConflicts(limit: Int = 50) throws -> [ReplicaConflict] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT * FROM replica_conflicts ORDER BY at DESC, id LIMIT ?", arguments: [limit]
      ).map { row in
        ReplicaConflict(
          id: row["id"], at: row.instant("at"), type: EntityType(rawValue: row["type"]),
          sourceID: row["source_id"], field: row["field"],
          kept: try JSON(parsing: row["kept"] as String),
          gaveWay: try JSON(parsing: row["gave_way"] as String), keptBy: row["kept_by"],
          givenBy: row["given_by"])
      }
    }
  }

  /// Returns the number of changed entities and changes that aren't in the shared folder yet.
  package func unsentReplicaCount() throws -> Int {
    try read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT (SELECT count(*) FROM replica_dirty) + (SELECT count(*) FROM replica_outbox)
            + (SELECT count(*) FROM replica_segments WHERE is_published = 0)
          """) ?? 0
    }
  }

  /// Returns the number of entities that are waiting for another one that isn't here yet.
  package func waitingReplicaCount() throws -> Int {
    try read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM replica_states WHERE waits = 1") ?? 0
    }
  }

  /// Returns the entities that another device deleted permanently and this one still has to delete.
  package func replicaPurges() throws -> [UUID] {
    try read { db in
      try String.fetchAll(db, sql: "SELECT id FROM replica_purges").compactMap(
        UUID.init(uuidString:))
    }
  }

  /// Returns how many entities were deleted permanently on any device.
  package func replicaPurgeCount() throws -> Int {
    try read { db in try ReplicaTables(db: db).value("purges")?.int ?? 0 }
  }

  package func settleReplicaPurges(_ ids: [UUID]) throws {
    try transact { db in
      for id in ids {
        try db.execute(sql: "DELETE FROM replica_purges WHERE id = ?", arguments: [id.uuidString])
      }
    }
  }

  // MARK: Files

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
    try transact { db in
      guard let names else { return try db.execute(sql: "DELETE FROM replica_files") }
      try db.execute(
        sql: "DELETE FROM replica_files WHERE name IN (SELECT value FROM json_each(?))",
        arguments: [JSON(names).text()])
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

  package func noteReplicaFile(_ path: String, as name: String) throws {
    try transact { db in
      try db.execute(
        sql: "INSERT OR REPLACE INTO replica_files (path, name) VALUES (?, ?)",
        arguments: [path, name])
    }
  }
}

extension ChangeScope {
  /// Makes the other devices permanently delete what was deleted permanently here, and removes all
  /// traces of it from the changes waiting for them.
  func purgeReplicas(of ids: Set<String>) throws {
    guard let device = try ReplicaTables(db: db).value("device")?.string else { return }
    let tables = ReplicaTables(db: db)
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
    try redactSegments(naming: names)
  }

  /// Removes changes of some entities from segments.
  ///
  /// The segments' hashes stay, which keeps the chain intact. Changes that only state that two IDs
  /// belong to the same entity stay as well, because other devices need them to purge the right
  /// entity.
  private func redactSegments(naming names: Set<String>) throws {
    let rows = try Row.fetchAll(db, sql: "SELECT sequence, changes FROM replica_segments")
    for row in rows {
      let lines = (row[1] as String).split(separator: "\n", omittingEmptySubsequences: false)
      let rest = lines.map { line -> Substring in
        guard let change = try? ReplicaChange(line: line.utf8), names.contains(change.key.entity),
          !change.state.isPurged, change.state.alias == nil
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
