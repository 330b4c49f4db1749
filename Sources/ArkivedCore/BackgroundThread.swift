import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Runs long work on a thread of its own: the threads that tasks share are few. The system gives it less of
/// the processor than to what somebody waits for.
///
/// - Returns: what the work returns.
/// - Throws: what the work throws.
package func onBackgroundThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread {
      #if canImport(Glibc)
        // Foundation's quality of service does nothing on Linux, where a thread's priority is its nice value.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
      #endif
      continuation.resume(with: Result { try work() })
    }
    thread.qualityOfService = .utility
    thread.start()
  }
}
