import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Logging
import ServiceLifecycle

/// Removes old versions from the history, unless the owner keeps them forever.
final class HistoryService: Service {
  private let archive: Archive
  private let logger: Logger

  private static let round = Duration.seconds(3_600)

  init(archive: Archive, logger: Logger) {
    self.archive = archive
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await self.keep() }
  }

  private func keep() async {
    while !Task.isCancelled {
      let archive = archive
      do {
        _ = try await onOwnThread {
          try PurgeJob(archive: archive).finish()
          return try archive.applyRetention()
        }
      } catch {
        logger.warning("Earlier versions couldn’t be removed. Trying again in an hour.")
      }
      try? await Task.sleep(for: Self.round)
    }
  }
}
