import Foundation

/// Does long work on a thread of its own: the threads that tasks share are few.
package func onThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread { continuation.resume(with: Result { try work() }) }
    thread.qualityOfService = .utility
    thread.start()
  }
}
