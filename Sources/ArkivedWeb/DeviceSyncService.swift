import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Foundation
import Logging
import ServiceLifecycle

/// Syncs with the owner's other devices while the server runs, as soon as something changes here or
/// arrives in the shared folder.
final class DeviceSyncService: Service {
  private let archive: Archive
  private let logger: Logger

  private static let round = Duration.milliseconds(500)
  /// The time between two checks while the archive isn't synced.
  private static let roundWhileOff = Duration.seconds(2)
  /// The longest time between two syncs, even if nothing seems to have changed.
  private static let longest = Duration.seconds(60)
  /// The longest time between two syncs for a shared folder on a server, where nothing indicates
  /// that something has arrived.
  private static let longestOnServer = Duration.seconds(10)
  private static let longestWhileJoining = Duration.seconds(2)

  init(archive: Archive, logger: Logger) {
    self.archive = archive
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await self.keep() }
  }

  private func keep() async {
    var look: [String: [Date]] = [:]
    var last: ContinuousClock.Instant?
    var longest = Self.longest
    while !Task.isCancelled {
      var isOn = true
      do {
        let isDue = last.map { $0 + longest < .now } ?? true
        let (archive, seen) = (archive, look)
        let now = try await offServer { try Self.sync(archive, unless: isDue ? nil : seen) }
        isOn = now != nil
        longest = now?.longest ?? Self.longest
        if let now = now?.look, now != look {
          (look, last) = (now, .now)
        } else if isDue {
          last = .now
        }
      } catch {
        // The settings page says why. Logs contain no paths.
        logger.warning("Couldn’t sync with the other devices. Trying again.")
        last = .now
        try? await Task.sleep(for: .seconds(5))
      }
      try? await Task.sleep(for: isOn ? Self.round : Self.roundWhileOff)
    }
  }

  /// Syncs if something changed, and returns the state of the folder, or nil if the archive isn't
  /// synced.
  ///
  /// `look` is the state of the folder after the last sync; nil syncs in any case.
  private static func sync(
    _ archive: Archive, unless look: [String: [Date]]?
  ) throws -> (look: [String: [Date]], longest: Duration)? {
    _ = try DevicePairing.finish(archive)
    guard var job = try DeviceSyncJob(archive: archive) else {
      guard try DevicePairing.isAsking(archive) else { return nil }
      return ([:], longest)
    }
    let pause =
      !job.isOnServer ? longest : job.validCode == nil ? longestOnServer : longestWhileJoining
    let seen = job.look()
    guard try look == nil || seen != look || archive.hasReplicaChanges() else {
      return (seen, pause)
    }
    try job.exchange()
    return (job.look(), pause)
  }
}
