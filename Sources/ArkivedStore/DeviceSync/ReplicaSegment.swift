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
  /// The size of the changes as text, in bytes.
  package var size: Int

  package init(
    device: String, sequence: Int, link: String, seen: [String: Int], changes: [ReplicaChange],
    size: Int = 0
  ) {
    self.device = device
    self.sequence = sequence
    self.link = link
    self.seen = seen
    self.changes = changes
    self.size = size
  }
}
