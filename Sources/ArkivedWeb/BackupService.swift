import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Logging
import ServiceLifecycle

/// Makes the backups of the owner's plan while the server runs.
final class BackupService: Service {
  private let archive: Archive
  private let desk: BackupDesk
  private let logger: Logger

  /// How often is looked whether one is due; a clock that was set is noticed then.
  private static let round = Duration.seconds(60)
  /// After one that failed.
  private static let longRound = Duration.seconds(3_600)

  init(archive: Archive, desk: BackupDesk, logger: Logger) {
    self.archive = archive
    self.desk = desk
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskCancellationHandler {
        await self.keep()
      } onCancel: {
        self.desk.stop()
      }
    }
  }

  private func keep() async {
    while !Task.isCancelled {
      var pause = Self.round
      let now = archive.clock.now
      if let due = BackupBook(of: archive).nextDue(now: now), due <= now, desk.current == nil {
        let desk = desk
        do {
          _ = try await onOwnThread { try desk.makeNow() }
        } catch is BackupCancelled {
          return
        } catch {
          // Why stands in the settings and in doctor; no path stands in a log.
          logger.warning("A backup could not be made; it is tried again in an hour.")
          pause = Self.longRound
        }
      }
      try? await Task.sleep(for: pause)
    }
  }
}
