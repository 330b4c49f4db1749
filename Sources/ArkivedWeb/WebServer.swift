import ArkivedAssistant
package import ArkivedCore
package import ArkivedEngine
import ArkivedSearch
package import ArkivedStore
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import Synchronization
import UnixSignals

#if canImport(Glibc)
  import CMalloc
#endif

/// The web app and the JSON API on the loopback interface.
package struct WebServer: Sendable {
  /// The address of a running server and the ways to sign in.
  package struct Address: Sendable {
    package var url: String
    /// The owner's bearer token, for scripts.
    package var token: String
    /// A link that signs one browser in, once.
    package var login: String
  }

  private let archive: Archive
  private let zone: Zone
  private let port: Int
  private let confirmingAgents: Set<String>
  private let isBeside: Bool
  private let zoneSource: HomeZone.Source
  /// The time in seconds that open requests have to finish when the server is stopped.
  private static let patience = 5

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - port: the port, or 0 for any free one.
  ///   - confirmingAgents: the agents whose own dialogs the owner accepts as confirmation.
  ///   - isBeside: true to serve even if another server serves the archive.
  ///   - zoneSource: what determines the time zone; the computer's may change while travelling.
  package init(
    archive: Archive, zone: Zone, port: Int, confirmingAgents: Set<String> = [],
    isBeside: Bool = false, zoneSource: HomeZone.Source = .environment
  ) {
    self.zoneSource = zoneSource
    self.confirmingAgents = confirmingAgents
    self.isBeside = isBeside
    self.archive = archive
    self.zone = zone
    self.port = port
  }

  /// Serves until the process is told to stop (SIGINT, SIGTERM), the task is cancelled, or the owner
  /// asks for a restart on a page.
  ///
  /// - Parameter onReady: called once, when the server answers.
  /// - Returns: the port if the owner asked for a restart; nil if the server is to stay stopped.
  /// - Throws: `PortUnavailable`, or `AlreadyServed` if another server has the archive.
  @discardableResult
  package func run(onReady: @escaping @Sendable (Address) async -> Void) async throws -> Int? {
    WebServer.giveMemoryBack()
    FileDescriptorLimit.raise()
    let archive = archive
    let place = try await ServerPlace.take(in: archive.home, isBeside: isBeside)
    defer { place.leave() }
    // The remains of a killed import are completed or removed while the server already answers.
    Task.detached(priority: .utility) { try? ImportRecovery.run(archive) }
    UpdateNews.begin(ArkivedVersion.current, of: archive)
    let door = try Door(archive: archive)
    // The other processors are left to the user of the computer.
    let indexes = SearchIndexes(archive, threads: 1)
    let status = IndexStatus()
    let timelines = ArchiveTimelines(archive, indexes: indexes)
    var app = WebApp(
      archive: archive, zone: zone, door: door, indexes: indexes, indexStatus: status,
      timelines: timelines, confirmingAgents: confirmingAgents)
    if zoneSource == .computer { app.systemZone = { Zone.systemNow() } }
    app.zoneSource = zoneSource
    let restart = app.restart
    let logger = ServerLog.logger()
    let limits = ServerLimits()
    let connections = ConnectionRegistry(limits)
    let application = AppServer(
      responder: try app.router().buildResponder(), server: limits.server(.http, connections),
      connections: connections, configuration: limits.configuration(port: port), logger: logger,
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? port
        door.open(port: port)
        restart.offer(port: port)
        let url = "http://127.0.0.1:\(port)/"
        place.tell(ServerNotice(url: url))
        await onReady(
          Address(url: url, token: door.ownerToken, login: door.makeLoginLink()))
      })
    let longQueries = LongQueries(patience: .seconds(WebServer.patience - 2)) {
      archive.interrupt()
    }
    var configuration = ServiceGroupConfiguration(
      services: [
        application,
        InBackground(
          IndexService(
            archive: archive, indexes: indexes, status: status, timelines: timelines,
            news: app.news)),
        InBackground(LinkService(.calendars, archive: archive, zone: zone, logger: logger)),
        InBackground(LinkService(.services, archive: archive, zone: zone, logger: logger)),
        InBackground(DeviceSyncService(archive: archive, logger: logger)),
        InBackground(InboxService(archive: archive, zone: zone, logger: logger, news: app.news)),
        InBackground(BackupService(archive: archive, desk: app.backupDesk, logger: logger)),
        InBackground(HistoryService(archive: archive, logger: logger)),
        InBackground(
          NudgeService(archive: archive, zone: zone, logger: logger, news: app.news)),
        InBackground(
          ThumbnailService(
            archive: archive, thumbnails: app.thumbnails, queue: app.thumbnailQueue)),
        PhoneService(app: app, limits: PhoneService.limits, logger: logger),
        longQueries,
        Downloads(desk: app.partDesk),
      ],
      gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
    configuration.services.append(
      .init(service: restart, successTerminationBehavior: .gracefullyShutdownGroup))
    // A client that stops reading would otherwise keep its connection forever.
    configuration.maximumGracefulShutdownDuration = .seconds(WebServer.patience)
    let group = ServiceGroup(configuration: configuration)
    // A restarted server is the same process, and would leave one more task behind each time.
    defer { longQueries.stop() }
    // Code that still uses the archive at the end may keep it open until the process exits.
    defer { archive.settle() }
    do {
      try await group.run()
    } catch let error as IOError {
      if let unavailable = PortUnavailable(error, port: port) { throw unavailable }
      throw error
    }
    return restart.port
  }
}

extension WebServer {
  /// Lets free blocks of a megabyte and more return to the system immediately.
  ///
  /// By default, glibc keeps as much as the longest note ever shown required.
  private static func giveMemoryBack() {
    #if canImport(Glibc)
      mallopt(M_MMAP_THRESHOLD, 1 << 20)
    #endif
  }
}

/// A service that waits for the disk on threads that no request needs.
private struct InBackground: Service {
  private let service: any Service

  init(_ service: any Service) { self.service = service }

  func run() async throws {
    try await WorkerPool.$current.withValue(.background) { try await service.run() }
  }
}

/// Ends downloads when the server stops, since each runs in a separate process.
private struct Downloads: Service {
  let desk: PartDesk

  func run() async {
    try? await gracefulShutdown()
    desk.stop()
  }
}

/// Interrupts queries that would keep a stopping server waiting longer than it may.
///
/// Services are stopped one after another, so this one must not wait itself.
final class LongQueries: Service {
  private let patience: Duration
  private let interrupt: @Sendable () -> Void
  private let interrupting = Mutex<Task<Void, Never>?>(nil)

  /// The time between two interruptions.
  private static let pause = Duration.milliseconds(200)

  /// Creates the service.
  ///
  /// - Parameters:
  ///   - patience: the time that queries have once the server is told to stop.
  ///   - interrupt: interrupts the running queries.
  init(patience: Duration, interrupt: @escaping @Sendable () -> Void) {
    self.patience = patience
    self.interrupt = interrupt
  }

  func run() async {
    guard (try? await gracefulShutdown()) != nil else { return }
    let (patience, interrupt) = (patience, interrupt)
    let task = Task.detached {
      try? await Task.sleep(for: patience)
      // No new requests are accepted, and slow queries are interrupted repeatedly until the end.
      while !Task.isCancelled {
        interrupt()
        try? await Task.sleep(for: LongQueries.pause)
      }
    }
    interrupting.withLock { $0 = task }
  }

  /// Ends the interruptions, once the server has stopped.
  func stop() {
    let task = interrupting.withLock { $0 }
    task?.cancel()
  }
}
