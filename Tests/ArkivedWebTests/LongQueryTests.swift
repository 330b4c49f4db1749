import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import ArkivedWeb

@Suite("Slow queries of a server that stops", .timeLimit(.minutes(20)))
struct LongQueryTests {
  /// Counts how often queries are interrupted.
  private final class Counter: Sendable {
    private let state = Mutex(0)

    var count: Int { state.withLock { $0 } }

    func add() { state.withLock { $0 += 1 } }
  }

  /// Tells that the services of its group run.
  private struct Started: Service {
    let told: AsyncStream<Void>.Continuation

    func run() async {
      told.finish()
      try? await gracefulShutdown()
    }
  }

  @Test func theyAreInterruptedUntilTheServerHasStopped() async throws {
    let counter = Counter()
    let queries = LongQueries(patience: .zero) { counter.add() }
    let (started, told) = AsyncStream.makeStream(of: Void.self)
    let services: [any Service] = [queries, Started(told: told)]
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: services, logger: Logger(label: "queries")))
    let running = Task { try await group.run() }
    for await _ in started {}
    #expect(counter.count == 0)
    await group.triggerGracefulShutdown()
    try await running.value
    while counter.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
    queries.stop()
    // One interruption may have been under way.
    try await Task.sleep(for: .milliseconds(100))
    let count = counter.count
    try await Task.sleep(for: .milliseconds(600))
    #expect(counter.count == count)
  }
}
