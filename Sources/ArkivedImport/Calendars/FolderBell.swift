package import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Tells at once when files of certain names in a folder are written to, come or go. Unlike
/// `FileWatch` it does not look at them, so that a write that leaves no trace is told too.
package struct FolderBell: Sendable {
  package let folder: URL
  /// How long is waited for more after a change, so that one of many parts rings once.
  package var gathering = Duration.milliseconds(50)
  private let concerns: @Sendable (String) -> Bool

  /// - Parameter concerns: whether a file of that name is of concern.
  package init(folder: URL, concerns: @escaping @Sendable (String) -> Bool) {
    self.folder = folder
    self.concerns = concerns
  }

  /// Gives an element for each change from this call on, or for several in a short time. Ends when
  /// the folder is gone, or nobody listens any more.
  ///
  /// - Returns: nil where the system cannot tell.
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
        // More happened than the kernel keeps: what it was is not known.
        let isOfConcern = told.contains { $0.isAny(IN_Q_OVERFLOW) || concerns($0.name) }
        if isOfConcern { rings.yield() }
        if told.contains(where: { $0.isAny(IN_DELETE_SELF, IN_MOVE_SELF, IN_IGNORED) }) { return }
      }
    }
  #endif
}
