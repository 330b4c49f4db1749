import Foundation
import Synchronization

/// The number of times that Ctrl-C (or a request to terminate) has occurred.
///
/// A signal handler can access only globals.
private let interrupts = Atomic<Int>(0)

/// Detects Ctrl-C, so long work can stop cleanly; a second one terminates the program immediately.
enum Interrupt {
  static var hasCome: Bool { interrupts.load(ordering: .relaxed) > 0 }

  /// Runs work that ends when its task is cancelled, and cancels it on Ctrl-C.
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
        // Work finished before Ctrl-C still counts; the rest throws.
        group.cancelAll()
      }
      throw CancellationError()
    }
  }

  private static let signals = [SIGINT, SIGTERM]

  /// Lets the signals through, at the program's start.
  ///
  /// A program inherits what its parent blocks, and the threads of Dispatch block them.
  static func unblock() {
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in signals { sigaddset(&mask, number) }
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }

  /// Starts detecting signals, which then don't terminate the program.
  static func watch() {
    for number in signals {
      signal(number) { _ in
        if interrupts.add(1, ordering: .relaxed).newValue > 1 { _exit(130) }
      }
    }
  }
}
