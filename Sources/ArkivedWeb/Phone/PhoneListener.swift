import ArkivedCore
import Foundation
import Hummingbird
import HummingbirdTLS
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization
import ArkivedCrypto

/// The app on an address of the home network, behind TLS, for as long as the door there is open.
final class PhoneListener: Sendable {
  /// What it was opened for.
  let settings: PhoneDoorSettings
  /// While its certificate serves; outside of that, also by a clock that was set, it needs another.
  let service: Range<Date>
  private let group: ServiceGroup
  private let running: Task<Void, any Error>
  private let end: End

  /// Told by the task that runs it.
  private final class End: Sendable {
    let hasCome = Mutex(false)
  }

  /// Seconds that requests have to end when the door is shut.
  private static let patience = 2

  private init(
    settings: PhoneDoorSettings, service: Range<Date>, group: ServiceGroup,
    running: Task<Void, any Error>, end: End
  ) {
    self.settings = settings
    self.service = service
    self.group = group
    self.running = running
    self.end = end
  }

  /// Whether it listens no longer, though nobody stopped it.
  var isOver: Bool { end.hasCome.withLock { $0 } }

  /// Listens, and tells the app's door where.
  ///
  /// - Throws: `IOError` where the place cannot be had; whatever a certificate lacks.
  static func open(
    _ app: WebApp, _ settings: PhoneDoorSettings, at address: HomeAddress, limits: ServerLimits,
    logger: Logger
  ) async throws -> PhoneListener {
    let archive = app.archive
    let certificate = try await offServer {
      try PhoneCertificates(archive: archive)
        .server(for: address, name: settings.name, now: Date())
    }
    let (ports, told) = AsyncStream.makeStream(of: Int.self)
    let connections = ConnectionRegistry(limits)
    let application = AppServer(
      responder: try app.router(.phone).buildResponder(),
      server: try .tls(
        limits.server(.https, connections), tlsConfiguration: try certificate.serverConfiguration()),
      connections: connections,
      configuration: limits.configuration(host: address.text, port: settings.port), logger: logger,
      onServerRunning: { channel in
        told.yield(channel.localAddress?.port ?? settings.port)
        told.finish()
      })
    var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
    configuration.maximumGracefulShutdownDuration = .seconds(patience)
    let group = ServiceGroup(configuration: configuration)
    let end = End()
    let news = app.news
    let running = Task {
      defer {
        end.hasCome.withLock { $0 = true }
        told.finish()
        // Whoever keeps the door looks at once.
        Task { await news.ring() }
      }
      try await group.run()
    }
    var port: Int?
    for await one in ports { port = one }
    guard let port else {
      // It could not listen, or whoever asked waits no longer.
      await group.triggerGracefulShutdown()
      try await running.value
      throw CancellationError()
    }
    app.phone.open(at: PhoneDoor.Place(address: address, port: port, name: settings.name))
    let early = Double(PhoneCertificates.renewalDays) * 86_400
    // In the last days of the authority no certificate lasts longer than it; once a day is enough.
    let now = Date()
    let renewal = max(
      certificate.notValidAfter.addingTimeInterval(-early), now.addingTimeInterval(86_400))
    return PhoneListener(
      settings: settings, service: min(certificate.notValidBefore, now)..<renewal,
      group: group, running: running, end: end)
  }

  /// Lets requests end, and listens no longer.
  func stop() async {
    await group.triggerGracefulShutdown()
    _ = await running.result
  }
}
