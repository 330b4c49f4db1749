import Foundation

/// Runs long work on a separate thread, because tasks share only a few threads.
package func onThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try work() }) }
    thread.qualityOfService = .utility
    thread.start()
  }
}
