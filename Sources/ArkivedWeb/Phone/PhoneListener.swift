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

/// The app on an address of the home network, behind TLS, as long as access is open.
final class PhoneListener: Sendable {
  /// The settings it was opened with.
  let settings: PhoneDoorSettings
  /// The period for which its certificate is suitable; outside it, even if only because the clock
  /// was set, a new one is needed.
  let service: Range<Date>
  private let group: ServiceGroup
  private let running: Task<Void, any Error>
  private let end: End

  /// The end, signalled by the task that runs the listener.
  private final class End: Sendable {
    let hasCome = Mutex(false)
  }

  /// The time in seconds that requests have to finish when access is closed.
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

  /// True if it no longer listens although it was not stopped.
  var isOver: Bool { end.hasCome.withLock { $0 } }

  /// Starts listening, and informs the app of the address.
  ///
  /// - Throws: `IOError` if the address is not available, or any error of the certificates.
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
        // The phone service then checks immediately.
        Task { await news.ring() }
      }
      try await group.run()
    }
    var port: Int?
    for await one in ports { port = one }
    guard let port else {
      // Listening failed, or the caller no longer waits.
      await group.triggerGracefulShutdown()
      try await running.value
      throw CancellationError()
    }
    app.phone.open(at: PhoneDoor.Place(address: address, port: port, name: settings.name))
    let early = Double(PhoneCertificates.renewalDays) * 86_400
    // In the last days of the authority, no certificate outlasts it, so one check a day is enough.
    let now = Date()
    let renewal = max(
      certificate.notValidAfter.addingTimeInterval(-early), now.addingTimeInterval(86_400))
    return PhoneListener(
      settings: settings, service: min(certificate.notValidBefore, now)..<renewal,
      group: group, running: running, end: end)
  }

  /// Lets requests finish and stops listening.
  func stop() async {
    await group.triggerGracefulShutdown()
    _ = await running.result
  }
}
