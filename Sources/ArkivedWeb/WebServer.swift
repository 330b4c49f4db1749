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
  /// How to reach a running server.
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
  /// Seconds that open requests have to end when the server is told to stop.
  private static let patience = 5

  /// - Parameters:
  ///   - port: 0 takes any free one.
  ///   - confirmingAgents: the agents whose own dialogs the owner takes for theirs.
  ///   - isBeside: whether to serve although another server serves the archive.
  ///   - followsSystem: whether the zone is the system's, which may change on a journey.
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
  /// - Parameter onReady: is called once, when the server answers.
  /// - Throws: `PortInUse`, and `AlreadyServed` where another server has the archive.
  package func run(onReady: @escaping @Sendable (Address) async -> Void) async throws {
    WebServer.giveMemoryBack()
    FileDescriptorLimit.raise()
    let archive = archive
    let place = try await ServerPlace.take(in: archive.home, isBeside: isBeside)
    defer { place.leave() }
    // What a killed import left is ended while the server answers already.
    Task.detached(priority: .utility) { try? ImportRecovery.run(archive) }
    let door = try Door(archive: archive)
    // Whoever is at the computer has the other processors.
    let indexes = SearchIndexes(archive, threads: 1)
    let status = IndexStatus()
    let timelines = ArchiveTimelines(archive)
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
    // A reader that takes nothing more would keep its connection for ever.
    configuration.maximumGracefulShutdownDuration = .seconds(WebServer.patience)
    let group = ServiceGroup(configuration: configuration)
    // Whoever has the archive in hand at the end may keep it open until the process is gone.
    defer { archive.settle() }
    do {
      try await group.run()
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      throw PortInUse(port: port)
    }
  }
}

extension WebServer {
  /// Lets blocks of a megabyte and more go back to the system as soon as they are free. Left alone,
  /// glibc keeps as much as the longest note that was ever shown took.
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

/// Ends queries for which a server that is told to stop would wait longer than it has time.
///
/// Services are stopped one after another, so that this one must not wait itself.
private struct LongQueries: Service {
  let archive: Archive
  let patience: Duration

  func run() async {
    guard (try? await gracefulShutdown()) != nil else { return }
    let (archive, patience) = (archive, patience)
    Task.detached {
      try? await Task.sleep(for: patience)
      // Nothing new is accepted any more; what takes its time is asked again until the end.
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
