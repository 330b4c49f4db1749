import Foundation
import Synchronization

/// Finds the hash of a file's content on a thread of its own. Nobody waits for it while the file is being
/// read for other reasons; one that nobody asks any more for ends soon.
final class ContentHashing: Sendable {
  private struct Ended: Error {}

  /// What the thread knows, which may live longer than who asks.
  private final class Work: Sendable {
    private let isOver = Mutex(false)
    private let found = Mutex<String?>(nil)
    private let done = DispatchSemaphore(value: 0)

    func end() { isOver.withLock { $0 = true } }

    func run(_ file: URL) {
      let hash = try? SourceLook.content(of: file) { [self] _ in
        if isOver.withLock({ $0 }) { throw Ended() }
      }
      found.withLock { $0 = hash }
      done.signal()
    }

    func wait() -> String? {
      done.wait()
      // Asked again, it says the same.
      done.signal()
      return found.withLock { $0 }
    }
  }

  private let work = Work()

  /// Begins.
  init(of file: URL) {
    let thread = Thread { [work] in work.run(file) }
    thread.start()
  }

  deinit { work.end() }

  /// The SHA-256 in lower-case hexadecimal as soon as it is found; nil where the file cannot be read.
  func finish() -> String? { work.wait() }
}
