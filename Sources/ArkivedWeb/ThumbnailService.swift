import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import ServiceLifecycle
import Synchronization

/// Creates the small thumbnails of photos while the server runs, so a day with many of them appears
/// immediately.
///
/// Large ones are created on demand.
final class ThumbnailService: Service {
  private let archive: Archive
  private let thumbnails: Thumbnails
  private let queue: ThumbnailQueue
  /// The contents that were processed.
  private let done = Mutex<Set<String>>([])

  /// The interval for checking for new photos.
  private static let round = Duration.seconds(20)
  /// The pause between two pictures, which gives other programs priority.
  private static let breath = Duration.milliseconds(20)

  init(archive: Archive, thumbnails: Thumbnails, queue: ThumbnailQueue) {
    self.archive = archive
    self.thumbnails = thumbnails
    self.queue = queue
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskCancellationHandler {
        await self.keep()
      } onCancel: {
        // Slow pictures don't have to be awaited.
        self.thumbnails.stop()
      }
    }
  }

  private func keep() async {
    var watch = try? ArchiveWatch(archive)
    while watch == nil, !Task.isCancelled {
      try? await Task.sleep(for: Self.round)
      watch = try? ArchiveWatch(archive)
    }
    guard let watch else { return }
    var known: String?
    while !Task.isCancelled {
      if (try? watch.hasNews()) == true { known = await pass(after: known) }
      // The thumbnail process uses memory, and the next request for a picture starts it again.
      let thumbnails = thumbnails
      try? await onThread { thumbnails.rest() }
      try? await Task.sleep(for: Self.round)
    }
  }

  private func pass(after known: String?) async -> String? {
    let (archive, thumbnails) = (archive, thumbnails)
    let found = try? await offServer { () throws -> (mark: String, photos: [Attachment])? in
      let mark = try archive.photoMark()
      // Most changes are of words.
      guard mark != known else { return nil }
      return (mark, try archive.photoFiles(limit: Thumbnails.photoLimit))
    }
    guard let found else { return known }
    for photo in found.photos {
      guard !Task.isCancelled else { return known }
      guard let hash = photo.contentHash, !done.withLock({ $0.contains(hash) }) else { continue }
      // The pictures that somebody is looking at come first.
      while queue.isBusy, !Task.isCancelled { try? await Task.sleep(for: Self.breath) }
      let isMade = try? await onThread { () -> Bool in
        if thumbnails.isDone(photo) { return false }
        _ = try? thumbnails.picture(photo, .small)
        return true
      }
      done.withLock { _ = $0.insert(hash) }
      if isMade == true { try? await Task.sleep(for: Self.breath) }
    }
    return found.mark
  }
}
