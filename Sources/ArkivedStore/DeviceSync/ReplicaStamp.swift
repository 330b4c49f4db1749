import ArkivedCore

/// The time and place of a write: a combination of the clock's time and the order of cause and
/// effect.
///
/// The time is the clock's, or a millisecond after the latest time that the writer has seen,
/// whichever is later. A change made with knowledge of another therefore has a later stamp, even if
/// a clock is wrong (Kulkarni et al., “Logical Physical Clocks”, 2014).
package struct ReplicaStamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970.
  package var time: Int64
  /// The device that wrote it.
  package var device: String
  /// The segment of that device's log that contains the write.
  package var sequence: Int

  /// The end of the year 9999.
  static let latestTime: Int64 = 253_402_300_799_999

  package init(time: Int64, device: String, sequence: Int) {
    self.time = time
    self.device = device
    self.sequence = sequence
  }

  package static func < (left: ReplicaStamp, right: ReplicaStamp) -> Bool {
    (left.time, left.device, left.sequence) < (right.time, right.device, right.sequence)
  }

  var json: JSON { [.integer(time), .string(device), JSON(sequence)] }

  init?(_ json: JSON?) {
    guard let parts = json?.array, parts.count == 3, case .integer(let time) = parts[0],
      let device = parts[1].string, let sequence = parts[2].int,
      // Other times are impossible, and within this range adding one never overflows.
      (0...Self.latestTime).contains(time), sequence >= 0
    else { return nil }
    self.init(time: time, device: device, sequence: sequence)
  }
}

/// Identifies an entity or setting across all devices: its type and its ID, or a setting's name.
package struct ReplicaKey: Hashable, Comparable, Sendable {
  package var type: String
  package var id: String

  package init(type: String, id: String) {
    self.type = type
    self.id = id
  }

  /// The type under which old versions of entities are sent.
  static let versions = "history"

  /// Creates the key of an old version of an entity.
  init(version: String, of entity: String) {
    self.init(type: Self.versions, id: "\(entity)/\(version)")
  }

  /// The ID of the entity or, for an old version, of the entity that it belongs to.
  var entity: String { type == Self.versions ? String(id.prefix { $0 != "/" }) : id }

  package static func < (left: ReplicaKey, right: ReplicaKey) -> Bool {
    (left.type, left.id) < (right.type, right.id)
  }
}
