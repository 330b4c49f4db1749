package import ArkivedCore
import GRDB

/// Switching sync with other devices on and off, and its data about this device.
extension Archive {
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
  static let joiningNote = "joining"

  /// Returns the request to join other devices; nil if this device isn't joining any.
  package func joiningReplica() throws -> JSON? { try replicaNote(Self.joiningNote) }

  /// Stores a request to join other devices.
  package func requestReplica(_ request: JSON) throws {
    try setReplicaNote(Self.joiningNote, request)
  }

  /// Ends joining, once everything that the other devices had is here.
  package func endJoiningReplica() throws {
    try transact { db in
      let tables = ReplicaTables(db: db)
      try tables.remove(Self.joiningNote)
      try tables.forgetMemories()
    }
  }

  /// Switches sync off.
  ///
  /// The archive's content stays, and the times of what this device knew, for the case that it
  /// joins again.
  ///
  /// - Parameter request: the request to join other devices, to be tried again.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  package func stopReplica(keeping request: JSON? = nil) throws {
    try transact { db in
      let tables = ReplicaTables(db: db)
      // A device that was still joining keeps what it remembers.
      if try tables.value("device") != nil, try tables.value(Self.joiningNote) == nil {
        try tables.rememberStates()
      }
      try ReplicaTriggers.remove(db)
      try Self.clearReplica(db)
      if let request { try ReplicaTables(db: db).set(Self.joiningNote, request) }
    }
  }

  private static func clearReplica(_ db: Database) throws {
    for table in [
      "states", "dirty", "outbox", "segments", "places", "conflicts", "purges", "files", "device",
    ] {
      let kept = table == "states" ? " WHERE type <> '\(ReplicaTables.memories)'" : ""
      try db.execute(sql: "DELETE FROM replica_\(table)\(kept)")
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
}
