import ArkivedCore
import ArkivedStore
import Foundation

/// A change to an archive, as observed by an app.
public enum LibraryNews: Hashable, Sendable {
  /// A change by this app or any other program, with the days that it affected.
  ///
  /// If `reachesFurther`, it affected more than those days: other days, or a name that any entry
  /// may contain.
  case changed(LibraryChange, days: [DayKey], reachesFurther: Bool)
  /// More changes than can be reported individually, such as a restored backup.
  ///
  /// Reload everything.
  case replaced
}

extension Library {
  /// Returns a sequence of all future changes, by this app or any other program.
  ///
  /// ```swift
  /// for await news in try await library.news() { await model.reload(news) }
  /// ```
  ///
  /// The archive's log is checked twice a second, which costs a single system call while nothing
  /// happens. The sequence ends when its task is cancelled, or when the archive can't be read any
  /// more.
  ///
  /// - Parameter interval: the interval at which the archive is checked.
  /// - Returns: the sequence.
  /// - Throws: ``LibraryError/Code/storage`` if the archive can't be read.
  public func news(
    every interval: Duration = .milliseconds(500)
  ) async throws(LibraryError) -> AsyncStream<LibraryNews> {
    let (watch, newest) = try await waiting { [self] in
      let watch = try ArchiveWatch(archive)
      // Called before the newest change is looked up, so a change in between is reported.
      _ = try watch.hasNews()
      return (watch, try archive.newestChange())
    }
    return AsyncStream(bufferingPolicy: .unbounded) { continuation in
      let task = Task.detached { [self] in
        await tellNews(of: watch, after: newest, every: interval, to: continuation)
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func tellNews(
    of watch: ArchiveWatch, after newest: UUID?, every interval: Duration,
    to continuation: AsyncStream<LibraryNews>.Continuation
  ) async {
    var last = newest
    do {
      while !Task.isCancelled {
        try await Task.sleep(for: interval)
        guard try watch.hasNews() else { continue }
        last = try tell(after: last, to: continuation)
      }
    } catch {
      // The task was cancelled, or the archive no longer exists: the sequence ends.
    }
  }

  /// Reports the changes.
  ///
  /// - Returns: the newest change reported.
  private func tell(
    after last: UUID?, to continuation: AsyncStream<LibraryNews>.Continuation
  ) throws -> UUID? {
    switch try archive.changes(after: last) {
    case .all(let changes):
      for noted in changes {
        continuation.yield(
          .changed(
            LibraryChange(noted.change), days: noted.days, reachesFurther: noted.reachesFurther))
      }
      return changes.last?.change.id ?? last
    case .unlisted(let newest):
      continuation.yield(.replaced)
      return newest
    }
  }
}
