import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Logging
import ServiceLifecycle

/// Creates the backups in the owner's plan while the server runs.
final class BackupService: Service {
  private let archive: Archive
  private let desk: BackupDesk
  private let logger: Logger

  /// The interval between checks for a due backup, at which a changed clock is also noticed.
  private static let round = Duration.seconds(60)
  /// The interval after a failure.
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
          // The settings and `doctor` show the reason; logs contain no paths.
          logger.warning("A backup could not be made; it is tried again in an hour.")
          pause = Self.longRound
        }
      }
      try? await Task.sleep(for: pause)
    }
  }
}
