import ArkivedAssistant
package import ArkivedCore
import ArkivedEngine
import ArkivedSearch
package import ArkivedStore
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
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
  private let followsSystem: Bool
  /// The seconds that open requests have to finish when the server is stopped.
  private static let patience = 5

  /// Creates a server.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - zone: the time zone.
  ///   - port: the port, or 0 for any free one.
  ///   - confirmingAgents: the agents whose own dialogs the owner accepts as confirmation.
  ///   - isBeside: true to serve even if another server serves the archive.
  ///   - followsSystem: true if the time zone is the system's, which may change on a journey.
  package init(
    archive: Archive, zone: Zone, port: Int, confirmingAgents: Set<String> = [],
    isBeside: Bool = false, followsSystem: Bool = false
  ) {
    self.followsSystem = followsSystem
    self.confirmingAgents = confirmingAgents
    self.isBeside = isBeside
    self.archive = archive
    self.zone = zone
    self.port = port
  }

  /// Serves until the process is told to stop (SIGINT, SIGTERM) or the task is cancelled.
  ///
  /// - Parameter onReady: called once, when the server answers.
  ///
  /// - Throws: `PortInUse`, or `AlreadyServed` if another server has the archive.
  package func run(onReady: @escaping @Sendable (Address) async -> Void) async throws {
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
    if followsSystem { app.systemZone = { Zone.systemNow() } }
    let logger = ServerLog.logger()
    let limits = ServerLimits()
    let connections = ConnectionRegistry(limits)
    let application = AppServer(
      responder: try app.router().buildResponder(), server: limits.server(.http, connections),
      connections: connections, configuration: limits.configuration(port: port), logger: logger,
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? port
        door.open(port: port)
        let url = "http://127.0.0.1:\(port)/"
        place.tell(ServerNotice(url: url))
        await onReady(
          Address(url: url, token: door.ownerToken, login: door.makeLoginLink()))
      })
    var configuration = ServiceGroupConfiguration(
      services: [
        application,
        InBackground(
          IndexService(
            archive: archive, indexes: indexes, status: status, timelines: timelines,
            news: app.news)),
        InBackground(CalendarService(archive: archive, zone: zone, logger: logger)),
        InBackground(DeviceSyncService(archive: archive, logger: logger)),
        InBackground(InboxService(archive: archive, zone: zone, logger: logger, news: app.news)),
        InBackground(BackupService(archive: archive, desk: app.backupDesk, logger: logger)),
        InBackground(HistoryService(archive: archive, logger: logger)),
        InBackground(
          NudgeService(archive: archive, zone: zone, logger: logger, news: app.news)),
        InBackground(ThumbnailService(archive: archive, thumbnails: app.thumbnails)),
        PhoneService(app: app, limits: PhoneService.limits, logger: logger),
        LongQueries(archive: archive, patience: .seconds(WebServer.patience - 2)),
      ],
      gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
    // A client that stops reading would otherwise keep its connection for ever.
    configuration.maximumGracefulShutdownDuration = .seconds(WebServer.patience)
    let group = ServiceGroup(configuration: configuration)
    // Code that still uses the archive at the end may keep it open until the process exits.
    defer { archive.settle() }
    do {
      try await group.run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw PortInUse(port: port)
    }
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

/// Interrupts queries that would keep a stopping server waiting longer than it may.
///
/// Services are stopped one after another, so this one must not wait itself.
private struct LongQueries: Service {
  let archive: Archive
  let patience: Duration

  func run() async {
    guard (try? await gracefulShutdown()) != nil else { return }
    let (archive, patience) = (archive, patience)
    Task.detached {
      try? await Task.sleep(for: patience)
      // No new requests are accepted, and slow queries are interrupted repeatedly until the end.
      while true {
        archive.interrupt()
        try? await Task.sleep(for: .milliseconds(200))
      }
    }
  }
}

/// Another program listens on the port.
package struct PortInUse: Error {
  package let port: Int
}
