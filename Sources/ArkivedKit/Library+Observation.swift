import ArkivedCore
import ArkivedStore
import Foundation

/// News of an archive.
public enum LibraryNews: Hashable, Sendable {
  /// A change, by this app or any other program, with the days that it touched. Where `reachesFurther`,
  /// it touched more than those days: further ones, or a name that any entry may carry.
  case changed(LibraryChange, days: [DayKey], reachesFurther: Bool)
  /// More than can be told one by one, such as a restored backup. Read everything again.
  case replaced
}

extension Library {
  /// Tells of every change that is made from now on, by this app or any other program.
  ///
  /// ```swift
  /// for await news in try await library.news() { await model.reload(news) }
  /// ```
  ///
  /// The archive's log is looked at twice a second, which costs one call of the system while nothing
  /// happens. The sequence ends when its task is cancelled, or the archive can't be read any more.
  ///
  /// - Parameter interval: how often the archive is looked at.
  /// - Throws: ``LibraryError/Code/storage`` if the archive can't be read.
  public func news(
    every interval: Duration = .milliseconds(500)
  ) async throws(LibraryError) -> AsyncStream<LibraryNews> {
    let (watch, newest) = try await waiting { [self] in
      let watch = try ArchiveWatch(archive)
      // Asked before the newest change is looked up, so that what is made in between is told.
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
      // Cancelled, or the archive is gone: the sequence ends.
    }
  }

  /// - Returns: the newest change that was told.
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
