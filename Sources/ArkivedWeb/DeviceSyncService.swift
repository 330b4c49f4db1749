import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import Logging
import ServiceLifecycle

/// Keeps the archive in step with the owner's other devices while the server runs: a second after
/// something was changed here, or arrived in the shared folder.
final class DeviceSyncService: Service {
  private let archive: Archive
  private let logger: Logger

  private static let round = Duration.seconds(1)
  /// How often the folder is read even where nothing seems to have changed.
  private static let longest = Duration.seconds(60)

  init(archive: Archive, logger: Logger) {
    self.archive = archive
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await self.keep() }
  }

  private func keep() async {
    var look: [String: Date] = [:]
    var last: ContinuousClock.Instant?
    while !Task.isCancelled {
      do {
        _ = try DevicePairing.finish(archive)
        if var job = try DeviceSyncJob(archive: archive) {
          let seen = job.look()
          let isDue = last.map { $0 + Self.longest < .now } ?? true
          if try isDue || seen != look || archive.hasReplicaChanges() {
            try job.exchange()
            look = job.look()
            last = .now
          }
        }
      } catch {
        // The owner sees why on the page of devices; no path stands in a log.
        logger.warning("The devices could not be brought in step; it is tried again.")
        last = .now
      }
      try? await Task.sleep(for: Self.round)
    }
  }
}
