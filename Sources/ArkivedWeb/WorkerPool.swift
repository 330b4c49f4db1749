import ArkivedCore
import NIOPosix

/// The threads on which work may wait for the disk. Each kind of work has its own, so that no page waits for a
/// thread that waits for a flush.
enum WorkerPool: Sendable {
  /// Requests that only read.
  case reads
  /// Requests that may write. SQLite takes one writer at a time; the others wait here.
  case writes
  /// Requests of programs, which may come in any number.
  case programs
  /// What the server does by itself.
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

/// Runs work that may wait for the disk on threads of its own, never on the server's.
@concurrent
func offServer<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  // A pool's threads are no tasks: they know how days are to be shown only if they are told.
  let preferences = ShownDates.preferences
  return try await WorkerPool.current.threads.runIfActive {
    try ShownDates.$preferences.withValue(preferences) { try work() }
  }
}
