package import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Reports at once when files of certain names in a folder are written, created or removed.
///
/// Unlike `FileWatch`, it doesn't look at the files, so even a write that leaves no trace is
/// reported.
package struct FolderBell: Sendable {
  package let folder: URL
  /// The time to wait for more changes after the first, so a write in several parts is reported
  /// once.
  package var gathering = Duration.milliseconds(50)
  private let concerns: @Sendable (String) -> Bool

  /// Creates a bell.
  ///
  /// - Parameters:
  ///   - folder: the folder.
  ///   - concerns: returns true for file names of interest.
  package init(folder: URL, concerns: @escaping @Sendable (String) -> Bool) {
    self.folder = folder
    self.concerns = concerns
  }

  /// Returns a stream with an element for each change from this call on, or for several within a
  /// short time.
  ///
  /// The stream ends when the folder no longer exists or nobody is listening any more.
  ///
  /// - Returns: nil if the system can't report changes.
  package func rings() -> AsyncStream<Void>? {
    #if os(Linux)
      guard let events = KernelEvents(), events.watch(folder.path, for: Self.flags) != nil else {
        return nil
      }
      let (rings, continuation) = AsyncStream<Void>.makeStream(
        bufferingPolicy: .bufferingNewest(1))
      continuation.onTermination = { _ in events.stop() }
      Thread.detachNewThread { wait(for: events, continuation) }
      return rings
    #else
      return nil
    #endif
  }

  #if os(Linux)
    private static let flags =
      UInt32(IN_MODIFY) | UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO)
      | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE_SELF) | UInt32(IN_MOVE_SELF)

    private func wait(for events: KernelEvents, _ rings: AsyncStream<Void>.Continuation) {
      defer { rings.finish() }
      let pause = UInt32(gathering / .microseconds(1))
      while events.wait(milliseconds: -1), !events.isOver {
        usleep(pause)
        let told = events.take()
        // The kernel's queue overflowed, so it is unknown what changed.
        let isOfConcern = told.contains { $0.isAny(IN_Q_OVERFLOW) || concerns($0.name) }
        if isOfConcern { rings.yield() }
        if told.contains(where: { $0.isAny(IN_DELETE_SELF, IN_MOVE_SELF, IN_IGNORED) }) { return }
      }
    }
  #endif
}
