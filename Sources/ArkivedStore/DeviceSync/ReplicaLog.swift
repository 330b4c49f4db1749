import ArkivedCore
import ArkivedCrypto
import GRDB

/// This device's own log, and how far the logs of all devices were read.
struct ReplicaLog {
  let db: Database

  /// The size of the waiting changes, in bytes, from which they become a segment.
  static let segmentSize = 1_000_000
  /// The size that no segment exceeds by more than one change.
  private static let largestSegment = 64_000_000

  // MARK: Places

  /// Returns the position in each device's log; this device's own log has an empty name.
  func places() throws -> [String: Archive.ReplicaPlace] {
    let rows = try Row.fetchAll(db, cached: "SELECT device, sequence, link FROM replica_places")
    return Dictionary(
      rows.map { ($0[0] as String, Archive.ReplicaPlace(sequence: $0[1], link: $0[2])) }
    ) { $1 }
  }

  func set(_ place: Archive.ReplicaPlace, of device: String) throws {
    try db.cachedStatement(
      sql: "INSERT OR REPLACE INTO replica_places (device, sequence, link) VALUES (?, ?, ?)"
    ).execute(arguments: [device, place.sequence, place.link])
  }

  /// Returns the number of the last segment of this device.
  func lastSequence() throws -> Int {
    try Int.fetchOne(
      db, cached: "SELECT sequence FROM replica_places WHERE device = ''") ?? 0
  }

  // MARK: Segments

  /// Returns the approximate size of the changes that are in no segment yet, in bytes.
  func waitingSize() throws -> Int {
    try Int.fetchOne(db, cached: "SELECT total(length(change)) FROM replica_outbox") ?? 0
  }

  /// Makes the next segment of all waiting changes.
  ///
  /// Stamps name the segment that contains them, so a change must not get into a later one.
  ///
  /// - Parameter now: the time to state in the segment.
  /// - Returns: false if no changes were waiting.
  /// - Throws: `DatabaseError` if the archive can't be written.
  @discardableResult
  func seal(at now: Instant) throws -> Bool {
    var lines: [String] = []
    var bytes = 0
    var last: Int64 = 0
    let rows = try Row.fetchCursor(
      db, sql: "SELECT pk, type, id, change FROM replica_outbox ORDER BY pk")
    while bytes < Self.largestSegment, let row = try rows.next() {
      let change = ReplicaChange(
        key: ReplicaKey(type: row[1], id: row[2]),
        state: try ReplicaState(JSON(parsing: row[3] as String)))
      lines.append(change.line)
      bytes += lines.last?.utf8.count ?? 0
      last = row[0]
    }
    guard !lines.isEmpty else { return false }
    let places = try places()
    let place = places[""] ?? .start
    let hashes = lines.map { SHA256.hash(data: $0.utf8).hexadecimal }
    let sequence = place.sequence + 1
    let link = Archive.link(after: place.link, sequence, hashes)
    var seen = JSONObject()
    for (device, place) in places.sorted(by: { $0.key < $1.key }) where !device.isEmpty {
      seen[device] = JSON(place.sequence)
    }
    let head: JSON = [
      "sequence": JSON(sequence), "previous": .string(place.link), "link": .string(link),
      "seen": .object(seen), "hashes": JSON(hashes), "at": JSON(now),
    ]
    try db.execute(
      sql: """
        INSERT INTO replica_segments (sequence, link, previous, head, changes)
        VALUES (?, ?, ?, ?, ?)
        """,
      arguments: [sequence, link, place.link, head.text(), lines.joined(separator: "\n")])
    try db.execute(sql: "DELETE FROM replica_outbox WHERE pk <= ?", arguments: [last])
    try set(Archive.ReplicaPlace(sequence: sequence, link: link), of: "")
    return true
  }
}
