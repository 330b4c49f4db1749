import ArkivedAssistant
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import Logging
import ServiceLifecycle

/// Sends the reminders that the owner chose, while the server runs.
///
/// It sleeps until the next one is due, or until something is written, which can change the due
/// time.
final class NudgeService: Service {
  private let archive: Archive
  private let desk: NudgeDesk
  private let notifier: DesktopNotifier
  private let logger: Logger
  private let news: ArchiveNews

  /// The longest time between checks in milliseconds, because the clock may have been set, and
  /// writes may not be reported.
  private static let longest: Int64 = 30_000
  private static let shortest: Int64 = 1_000

  init(
    archive: Archive, zone: Zone, logger: Logger = ServerLog.logger(),
    notifier: DesktopNotifier = DesktopNotifier(), news: ArchiveNews? = nil
  ) {
    self.archive = archive
    self.news = news ?? ArchiveNews(archive)
    desk = NudgeDesk(archive: archive, zone: zone)
    self.notifier = notifier
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await self.keep() }
  }

  private func keep() async {
    var watch: ArchiveWatch?
    var next: Instant?
    var isBehind = false
    var heard = 0
    while !Task.isCancelled {
      do {
        let archive = archive
        let known = watch
        let (asked, isNews) = try await offServer {
          let asked = try known ?? ArchiveWatch(archive)
          return (asked, try asked.hasNews())
        }
        watch = asked
        isBehind = isBehind || isNews || next.map { $0 <= archive.clock.now } ?? false
        if isBehind { next = try await look() }
        isBehind = false
      } catch is CancellationError {
        return
      } catch {
        logger.warning("Due reminders couldn’t be read. Trying again later.")
        isBehind = true
      }
      let due = isBehind ? nil : next
      let wait = due.map { $0.milliseconds - archive.clock.now.milliseconds } ?? Self.longest
      let pause = Duration.milliseconds(min(max(wait, Self.shortest), Self.longest))
      heard = await news.wait(after: heard, pausing: pause, atMost: pause)
    }
  }

  /// Sends due reminders.
  ///
  /// - Returns: The time of the next check if nothing is written until then.
  func look() async throws -> Instant? {
    let desk = desk
    let round = try await offServer { try desk.giveDue() }
    guard round.settings.channels.contains(.desktop) else { return round.next }
    for nudge in round.given {
      do {
        let (archive, notifier) = (archive, notifier)
        // A separate thread waits for the program.
        try await onOwnThread {
          let words = try ShownDates.speaking(archive.spokenLanguage) {
            try desk.words(of: nudge, showsText: round.settings.showsText)
          }
          try notifier.show(NudgeWords.title, words.text)
        }
      } catch {
        // Logs don't contain the subject.
        logger.warning("A desktop notification couldn’t be shown.")
      }
    }
    return round.next
  }
}
