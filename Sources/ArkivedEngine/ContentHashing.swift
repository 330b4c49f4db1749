import Foundation
import Synchronization

/// Computes a file's hash on a separate thread.
///
/// Nothing waits for it while the file is being read for other reasons, and an abandoned
/// computation ends soon.
final class ContentHashing: Sendable {
  private struct Ended: Error {}

  /// The state of the thread, which may outlive its owner.
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
      // Lets a second call return the same result.
      done.signal()
      return found.withLock { $0 }
    }
  }

  private let work = Work()

  /// Starts hashing a file.
  init(of file: URL) {
    let thread = Thread { [work] in work.run(file) }
    thread.start()
  }

  deinit { work.end() }

  /// Waits for the SHA-256 and returns it in lower-case hexadecimal; nil if the file cannot be
  /// read.
  func finish() -> String? { work.wait() }
}
