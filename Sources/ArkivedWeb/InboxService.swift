import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Imports files that are put into the owner's inbox folder while the server runs.
final class InboxService: Service {
  private let archive: Archive
  private let zone: Zone
  private let logger: Logger
  private let stillness = InboxStillness()
  private let images: ImageReader
  private let archiveNews: ArchiveNews

  /// The interval between checks of the folder, because not every file system reports changes.
  private static let round = Duration.seconds(60)
  /// The time until an incomplete file is checked again; one that stays incomplete is checked less
  /// often.
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
        // The inbox's place is in a settings file next to the archive.
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

  /// Checks the folder.
  ///
  /// - Returns: The time to wait until the next check.
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
      // `arkived inbox` and the settings show the reason; logs contain neither names nor texts.
      logger.warning("The inbox could not be looked into; it is tried again.")
      await note(WebFailure(error).detail, folder)
      return Self.round
    }
  }

  /// Notifies the owner of an obstacle.
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

/// Signals a check that the server is stopping.
private final class InboxStop: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// Signals changes in the folder.
private actor InboxNews {
  private var hasNews = false
  private var waiter: CheckedContinuation<Void, Never>?

  func add() {
    hasNews = true
    wake()
  }

  /// Returns when something has changed, or after a timeout.
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
