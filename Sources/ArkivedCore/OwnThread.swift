import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Runs long work on a separate thread, because tasks share only a few threads.
///
/// - Parameters:
///   - givesWay: true to give it a lower priority than everything else. On a busy machine such work
///     hardly progresses, so it must not hold anything others wait for, such as a lock or a write.
///   - work: the work.
/// - Returns: the result of the work.
/// - Throws: the error thrown by the work.
package func onOwnThread<Value: Sendable>(
  givesWay: Bool = false, _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    let thread = Thread {
      #if canImport(Glibc)
        // Foundation's quality of service has no effect on Linux, where a thread's priority is its
        // nice value.
        if givesWay { setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10) }
      #endif
      continuation.resume(with: Result { try work() })
    }
    if givesWay { thread.qualityOfService = .utility }
    thread.start()
  }
}
