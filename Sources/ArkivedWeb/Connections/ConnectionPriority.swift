/// Whose requests a connection carries, by the best right that one of them has shown.
enum ConnectionPriority: Int, Comparable, Sendable {
  /// Nobody's yet.
  case unauthenticated
  /// A program's, with an agent's token.
  case program
  /// The owner's: with their token, a session or a paired device.
  case owner

  static func < (left: ConnectionPriority, right: ConnectionPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
