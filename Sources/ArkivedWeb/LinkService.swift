import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import Foundation
import Logging
import ServiceLifecycle

/// Keeps linked calendars and address books, or linked services, up to date while the server runs:
/// files and folders as they change, addresses at intervals.
///
/// Calendars don't wait for a photo library that takes hours the first time. Linked databases are
/// synced only on request.
final class LinkService: Service {
  /// The links that are kept up to date.
  enum Part: Sendable {
    case calendars, services

    func contains(_ link: SyncLink) -> Bool {
      link.kind.isOnlyRead && link.kind.isService == (self == .services)
    }

    /// The interval between requests in seconds if nothing reports changes.
    var interval: Int { self == .calendars ? 15 * 60 : 60 * 60 }
  }

  private let part: Part
  private let archive: Archive
  private let zone: Zone
  private let logger: Logger

  /// The interval between checks of the links themselves.
  private static let round = Duration.seconds(30)

  init(_ part: Part, archive: Archive, zone: Zone, logger: Logger) {
    self.part = part
    self.archive = archive
    self.zone = zone
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await self.keep() }
  }

  private func keep() async {
    var watches: [UUID: Task<Void, Never>] = [:]
    defer { for watch in watches.values { watch.cancel() } }
    let due = DueLinks()
    while !Task.isCancelled {
      guard let all = try? archive.syncLinks() else {
        // The disk may respond later.
        try? await Task.sleep(for: Self.round)
        continue
      }
      let links = all.filter(part.contains)
      await due.forget(besides: Set(links.map(\.id)))
      for (id, watch) in watches where !links.contains(where: { $0.id == id }) {
        watch.cancel()
        watches[id] = nil
      }
      for link in links where link.isLocal && watches[link.id] == nil {
        watches[link.id] = Task {
          for await _ in FileWatch(url: URL(fileURLWithPath: link.address)).changes() {
            await due.add(link.id)
          }
        }
      }
      for link in links where await due.take(link, every: part.interval) {
        guard !Task.isCancelled else { return }
        await bringInLine(link, due)
      }
      await due.waitForNews(atMost: Self.round)
    }
  }

  private func bringInLine(_ link: SyncLink, _ due: DueLinks) async {
    do {
      _ = try await SyncJob(archive: archive, homeZone: zone).bringInLine(
        link, isCancelled: { Task.isCancelled })
      await due.succeeded(link.id)
    } catch is CancellationError {
    } catch is ImportCancelled {
    } catch {
      // The link itself shows the reason to the owner; logs contain no addresses.
      logger.warning(
        part == .calendars
          ? "A linked calendar or address book could not be brought in line; it is tried again."
          : "A linked service could not be read; it is tried again.")
      let asked =
        (error as? CalendarSourceError)?.retryAfter
        ?? (error as? AddressBookError)?.cause.retryAfter
        ?? (error as? LinkedServiceFailure)?.retryAfter
      await due.failed(link.id, asked: asked)
    }
  }
}

extension SyncLink {
  fileprivate var isLocal: Bool { kind == .calendarFile || kind == .calendarFolder }
}

/// The links to sync, and the times when the others are due.
actor DueLinks {
  private var changed: Set<UUID> = []
  private var next: [UUID: ContinuousClock.Instant] = [:]
  private var failures: [UUID: Int] = [:]
  private var waiter: CheckedContinuation<Void, Never>?

  func add(_ id: UUID) {
    changed.insert(id)
    wake()
  }

  /// Removes links that no longer exist.
  func forget(besides links: Set<UUID>) { changed.formIntersection(links) }

  /// Returns true if a link is due, and if so schedules its next sync.
  func take(_ link: SyncLink, every seconds: Int) -> Bool {
    let now = ContinuousClock.now
    let isChanged = changed.remove(link.id) != nil
    guard isChanged || next[link.id].map({ $0 <= now }) ?? true else { return false }
    next[link.id] = now + .seconds(seconds)
    return true
  }

  func succeeded(_ id: UUID) { failures[id] = nil }

  func failed(_ id: UUID, asked: Duration?) {
    failures[id, default: 0] += 1
    next[id] =
      ContinuousClock.now
      + BackOff(seed: UInt64(truncatingIfNeeded: id.hashValue))
      .wait(afterFailures: failures[id] ?? 1, asked: asked)
  }

  /// Returns when something has changed, or after a timeout.
  func waitForNews(atMost duration: Duration) async {
    guard changed.isEmpty else { return }
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

  private func wake() {
    waiter?.resume()
    waiter = nil
  }
}
