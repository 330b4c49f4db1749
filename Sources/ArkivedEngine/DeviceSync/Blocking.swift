import Foundation
import Synchronization

/// Waits for asynchronous work, for code that runs on its own threads.
///
/// The work gets its own threads too, because the threads that tasks share may all be waiting here.
enum Blocking {
  private final class Threads: TaskExecutor {
    private let queue = DispatchQueue(label: "arkived.blocking", attributes: .concurrent)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      let executor = asUnownedTaskExecutor()
      queue.async { job.runSynchronously(on: executor) }
    }
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }

  private static let threads = Threads()

  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let outcome = Outcome<Value>()
    Task(executorPreference: threads) {
      let result: Result<Value, any Error>
      do { result = .success(try await work()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
      outcome.isThere.signal()
    }
    outcome.isThere.wait()
    guard let result = outcome.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }
}
