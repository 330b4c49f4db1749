import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Brings in what is dropped into the owner's inbox folder while the server runs.
final class InboxService: Service {
  private let archive: Archive
  private let zone: Zone
  private let logger: Logger
  private let stillness = InboxStillness()
  private let images: ImageReader
  private let archiveNews: ArchiveNews

  /// How often the folder is looked into where nothing tells of a change: not every file system does.
  private static let round = Duration.seconds(60)
  /// How soon a file is looked at again that is on its way; one that is so for long, less often.
  private static let soon = Duration.seconds(1)
  private static let later = Duration.seconds(10)
  private static let soonLimit = 30

  init(
    archive: Archive, zone: Zone, logger: Logger, images: ImageReader = ImageReader(),
    news: ArchiveNews? = nil
  ) {
    self.archive = archive
    archiveNews = news ?? ArchiveNews(archive)
    self.zone = zone
    self.logger = logger
    self.images = images
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await self.keep() }
  }

  private func keep() async {
    let news = InboxNews()
    var watched: URL?
    var watch: Task<Void, Never>?
    var waits = 0
    var heard = 0
    defer { watch?.cancel() }
    while !Task.isCancelled {
      let chosen = InboxBook(of: archive).url
      if chosen != watched {
        watch?.cancel()
        watched = chosen
        watch = chosen.map { folder in
          Task {
            var files = FileWatch(url: folder)
            files.looksAt = .allInFolder
            for await _ in files.changes() { await news.add() }
          }
        }
      }
      guard let folder = chosen else {
        // Where the inbox is stands in a book beside the archive.
        heard = await archiveNews.wait(
          after: heard, pausing: Self.later, atMost: Self.round)
        continue
      }
      var pause = await look(folder)
      waits = pause == Self.soon ? waits + 1 : 0
      if waits > Self.soonLimit { pause = Self.later }
      await news.wait(atMost: pause)
    }
  }

  /// - Returns: how long to wait for the next look.
  private func look(_ folder: URL) async -> Duration {
    let (archive, zone, stillness, images) = (archive, zone, stillness, images)
    let isStopping = InboxStop()
    do {
      let account = try await withTaskCancellationHandler {
        try await onOwnThread {
          var job = InboxJob(
            archive: archive, homeZone: zone, folder: folder, stillness: stillness,
            images: images, isCancelled: { isStopping.isSet })
          job.language = archive.spokenLanguage
          job.placeNames = PlaceNames.installed()
          let account = try job.run()
          let now = archive.clock.now
          try InboxBook.change(of: archive) { book in
            if book.url?.path == folder.path { book.note(account, at: now) }
          }
          return account
        }
      } onCancel: {
        isStopping.set()
      }
      return account.waiting > 0 ? Self.soon : Self.round
    } catch ArchiveError.busy {
      return Self.soon * 5
    } catch {
      // Why is told by `arkived inbox` and in the settings; neither a name nor a text stands in a log.
      logger.warning("The inbox could not be looked into; it is tried again.")
      await note(WebFailure(error).detail, folder)
      return Self.round
    }
  }

  /// Has the owner told what is in the way.
  private func note(_ sentence: String, _ folder: URL) async {
    let archive = archive
    try? await onOwnThread {
      _ = try InboxBook.change(of: archive) { book in
        guard book.url?.path == folder.path else { return }
        let words = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
        book.problem = "\(words). Arkived will try again"
      }
    }
  }
}

/// Tells a look that the server is to stop.
private final class InboxStop: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// Tells that something changed in the folder.
private actor InboxNews {
  private var hasNews = false
  private var waiter: CheckedContinuation<Void, Never>?

  func add() {
    hasNews = true
    wake()
  }

  /// Returns when something has changed, or after a while.
  func wait(atMost duration: Duration) async {
    if !hasNews {
      let timer = Task {
        try? await Task.sleep(for: duration)
        wake()
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { waiter = $0 }
      } onCancel: {
        Task { await self.wake() }
      }
      timer.cancel()
    }
    hasNews = false
  }

  private func wake() {
    waiter?.resume()
    waiter = nil
  }
}
