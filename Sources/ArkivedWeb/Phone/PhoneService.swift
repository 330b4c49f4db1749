import ArkivedCore
import ArkivedStore
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Switches access from the home network on and off as the owner chooses, possibly in another
/// process, and reacts when the address disappears, the certificate expires or a device is revoked.
final class PhoneService: Service {
  private let app: WebApp
  private let limits: ServerLimits
  private let logger: Logger

  /// The interval for checking the owner's choice if nothing signals that it was written.
  private static let round = Duration.seconds(1)
  /// The interval for checking the address again and for retrying to open.
  private static let longRound = Duration.seconds(5)
  /// The interval for checking whether closed access should be opened, without a signal.
  private static let restRound = Duration.seconds(60)
  /// Devices are few, and are farther away than programs on this computer.
  static let limits = ServerLimits(
    connections: 64, unauthenticated: 32, unauthenticatedPatience: .seconds(15))

  /// Creates the service.
  ///
  /// - Parameters:
  ///   - app: answers the requests.
  ///   - limits: the limits of each connection.
  ///   - logger: where errors are logged.
  init(app: WebApp, limits: ServerLimits, logger: Logger) {
    self.app = app
    self.limits = limits
    self.logger = logger
  }

  func run() async throws {
    await cancelWhenGracefulShutdown { await self.keep() }
  }

  private func keep() async {
    var listener: PhoneListener?
    var tried: PhoneDoorSettings?
    var heard = 0
    var nextLong = ContinuousClock.now
    while !Task.isCancelled {
      let isLong = ContinuousClock.now >= nextLong
      if isLong { nextLong = ContinuousClock.now + Self.longRound }
      let settings = await wanted(else: tried)
      if let settings {
        // A failed attempt is repeated after a while, or immediately if the owner changed the
        // settings.
        if tried != settings || isLong || listener?.isOver == true {
          listener = await inLine(listener, settings)
        }
      } else if tried != nil {
        app.phone.close(.closed)
        await listener?.stop()
        listener = nil
      }
      tried = settings
      heard = await app.news.wait(
        after: heard, pausing: Self.round,
        atMost: settings == nil ? Self.restRound : Self.longRound)
    }
    app.phone.close(.closed)
    await listener?.stop()
  }

  /// Returns the settings the owner wants to be open, or nil for none, and ends streams of revoked
  /// devices.
  ///
  /// - Parameter standing: the previous settings, which apply while the archive cannot be read.
  /// - Returns: the settings.
  private func wanted(else standing: PhoneDoorSettings?) async -> PhoneDoorSettings? {
    let archive = app.archive
    let asksForDevices = app.phone.hasStreams
    let newest = app.phone.newestStream
    guard
      let (settings, devices) = try? await offServer({
        try (archive.phoneDoor(), asksForDevices ? archive.devices() : [])
      })
    else { return standing }
    if asksForDevices { app.phone.endStreams(except: Set(devices.map(\.id)), upTo: newest) }
    return settings.flatMap { $0.isOpen ? $0 : nil }
  }

  /// Adapts the listener to the wanted settings.
  ///
  /// - Returns: the current listener, or nil if listening is not possible.
  private func inLine(
    _ listener: PhoneListener?, _ settings: PhoneDoorSettings
  ) async -> PhoneListener? {
    guard let address = HomeAddress(settings.address) else {
      await listener?.stop()
      app.phone.close(.failed("The address \(settings.address) isn’t on the home network."))
      return nil
    }
    guard HomeNetwork.has(address) else {
      // Another address is never chosen, because only the owner can say which network is home.
      await listener?.stop()
      app.phone.close(.addressGone)
      return nil
    }
    if let listener, listener.settings == settings, !listener.isOver,
      listener.service.contains(Date())
    {
      return listener
    }
    await listener?.stop()
    do {
      return try await PhoneListener.open(
        app, settings, at: address, limits: limits, logger: logger)
    } catch let error as IOError where error.errnoCode == EADDRINUSE {
      app.phone.close(.portTaken)
    } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL {
      app.phone.close(.addressGone)
    } catch let error as IOError where error.errnoCode == EACCES {
      app.phone.close(
        .failed(
          "This account isn’t allowed to use port \(settings.port). Choose a port from 1024 up, "
            + "such as \(PhoneSetup.usualPort)."))
    } catch let error as PhoneDoorFailure {
      app.phone.close(.failed(error.description))
    } catch is CancellationError {
      app.phone.close(.closed)
    } catch {
      logger.warning("Phone access couldn’t be switched on. Trying again later.")
      app.phone.close(.failed("Phone access couldn’t be started. Arkived will try again."))
    }
    return nil
  }
}
