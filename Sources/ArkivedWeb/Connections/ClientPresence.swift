import Synchronization

/// Tells long work whether the client that asked for it is still connected.
final class ClientPresence: Sendable {
  private let left = Atomic<Bool>(false)

  /// True once the client has closed its connection, or its half of it.
  var hasLeft: Bool { left.load(ordering: .sequentiallyConsistent) }

  func leave() { left.store(true, ordering: .sequentiallyConsistent) }
}
