import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Runs long work on a thread of its own: the threads that tasks share are few.
///
/// - Parameter givesWay: whether the system gives it less of the processor than everything else. On a busy
///   machine such work hardly moves, so it must hold nothing that somebody waits for: no lock, no write.
/// - Returns: what the work returns.
/// - Throws: what the work throws.
package func onOwnThread<Value: Sendable>(
  givesWay: Bool = false, _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread {
      #if canImport(Glibc)
        // Foundation's quality of service does nothing on Linux, where a thread's priority is its nice value.
        if givesWay { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
      #endif
      continuation.resume(with: Result { try work() })
    }
    if givesWay { thread.qualityOfService = .utility }
    thread.start()
  }
}
