import ServiceLifecycle
import Synchronization

/// Restarts the server when the owner asks for it on a page.
final class Restart: Service {
  private struct State {
    var isOffered = false
    var isAsked = false
    var port: Int?
  }

  private let state = Mutex(State())
  private let asked: AsyncStream<Void>
  private let ask: AsyncStream<Void>.Continuation

  /// The time for the page that announces the restart to reach the browser.
  private static let delay = Duration.milliseconds(300)

  init() { (asked, ask) = AsyncStream.makeStream() }

  /// True if the server can be started again.
  var isOffered: Bool { state.withLock(\.isOffered) }

  /// The port to use after the restart; nil unless the owner asked for one.
  var port: Int? { state.withLock { $0.isAsked ? $0.port : nil } }

  /// Offers restarts from now on.
  func offer(port: Int) {
    state.withLock { ($0.isOffered, $0.port) = (true, port) }
  }

  /// Asks for a restart.
  func request() {
    state.withLock { $0.isAsked = true }
    ask.yield()
  }

  func run() async {
    for await _ in asked.cancelOnGracefulShutdown() {
      try? await Task.sleep(for: Self.delay)
      return
    }
  }
}
