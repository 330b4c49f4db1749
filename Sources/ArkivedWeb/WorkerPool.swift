import ArkivedCore
import NIOPosix

/// The threads on which work may wait for the disk.
///
/// Each kind of work has separate threads, so no page waits for a thread that is flushing.
enum WorkerPool: Sendable {
  /// Requests that only read.
  case reads
  /// Requests that may write; SQLite allows one writer at a time, and the others wait here.
  case writes
  /// Requests of programs, in any number.
  case programs
  /// The server's own work.
  case background

  @TaskLocal static var current = WorkerPool.reads

  private static let readThreads = started(8)
  private static let writeThreads = started(8)
  private static let programThreads = started(4)

  fileprivate var threads: NIOThreadPool {
    switch self {
    case .reads: Self.readThreads
    case .writes: Self.writeThreads
    case .programs: Self.programThreads
    case .background: .singleton
    }
  }

  private static func started(_ count: Int) -> NIOThreadPool {
    let pool = NIOThreadPool(numberOfThreads: count)
    pool.start()
    return pool
  }
}

/// Runs work that may wait for the disk on separate threads, never on the server's.
@concurrent
func offServer<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  // A pool's threads are not tasks, so the page's settings must be passed to them.
  let preferences = ShownDates.preferences
  let links = PageLinks.current
  return try await WorkerPool.current.threads.runIfActive {
    try ShownDates.$preferences.withValue(preferences) {
      try PageLinks.$current.withValue(links) { try work() }
    }
  }
}
