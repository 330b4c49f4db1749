import Foundation
import Synchronization

/// How often Ctrl-C (or a polite request to end) came. A signal's handler can reach nothing else.
private let interrupts = Atomic<Int>(0)

/// Notices Ctrl-C so that a long work can stop in good order; a second one ends the program at once.
enum Interrupt {
  static var hasCome: Bool { interrupts.load(ordering: .relaxed) > 0 }

  /// Does work that ends when its task is cancelled, and cancels it at Ctrl-C.
  static func cancelling<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
      group.addTask { try await work() }
      group.addTask {
        while !hasCome, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(50)) }
        return nil
      }
      defer { group.cancelAll() }
      while let result = try await group.next() {
        if let value = result { return value }
        // What was done before Ctrl-C came still counts; the rest throws.
        group.cancelAll()
      }
      throw CancellationError()
    }
  }

  /// From here on signals are noticed and no longer end the program.
  static func watch() {
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in
        if interrupts.add(1, ordering: .relaxed).newValue > 1 { _exit(130) }
      }
    }
  }
}
