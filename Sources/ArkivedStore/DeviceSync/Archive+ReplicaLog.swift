package import ArkivedCore
import ArkivedCrypto
import GRDB

/// The log of this device’s own changes, in the segments that other devices read.
extension Archive {
  /// The number of entities captured in one transaction.
  private static let captureBatch = 2_000

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
        guard var capture = try Self.replicaCapture(db, now: clock.now, publishes: publishes) else {
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

  /// Returns a capture of this device’s changes; nil if the archive isn’t synced.
  static func replicaCapture(
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

  /// Returns this device's segments that not every other device has read.
  ///
  /// Their heads aren't loaded: each contains a hash of every change.
  package func ownReplicaSegments() throws -> [OwnSegment] {
    try read { db in
      try Row.fetchAll(
        db, sql: "SELECT sequence, link, is_published FROM replica_segments ORDER BY sequence"
      ).map { OwnSegment(sequence: $0[0], link: $0[1], isPublished: $0[2]) }
    }
  }

  /// Returns the head of one of this device's segments; nil if the segment is gone.
  package func head(ofReplicaSegment sequence: Int) throws -> JSON? {
    try read { db in
      try String.fetchOne(
        db, sql: "SELECT head FROM replica_segments WHERE sequence = ?", arguments: [sequence]
      ).map { try JSON(parsing: $0) }
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

  /// Records that the shared folder has a segment with these changes.
  ///
  /// If some of them were permanently deleted since they were read, the segment still has to be
  /// written without them.
  package func markReplicaPublished(_ sequence: Int, with changes: String) throws {
    try transact { db in
      try db.execute(
        sql: "UPDATE replica_segments SET is_published = 1 WHERE sequence = ? AND changes = ?",
        arguments: [sequence, changes])
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

  /// Returns the position in each device's log; this device's own log has an empty name.
  package func replicaPlaces() throws -> [String: ReplicaPlace] {
    try read { db in try ReplicaLog(db: db).places() }
  }
}
