/// The priority of a connection, determined by the most privileged of its requests.
enum ConnectionPriority: Int, Comparable, Sendable {
  /// A connection without an authenticated request so far.
  case unauthenticated
  /// A connection of a program, with an agent's token.
  case program
  /// A connection of the owner, with their token, a session or a paired device.
  case owner

  static func < (left: ConnectionPriority, right: ConnectionPriority) -> Bool {
    left.rawValue < right.rawValue
  }
}
