import ArkivedCore
import ArkivedStore
import Foundation
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Opens and shuts the door to the home network as its owner says, also from another process, and
/// notices when the address is gone, the certificate grows old or a device is revoked.
final class PhoneService: Service {
  private let app: WebApp
  private let limits: ServerLimits
  private let logger: Logger

  /// How often the owner's word is looked at, where nothing tells that it was written.
  private static let round = Duration.seconds(1)
  /// After how long the address is looked at again, or a failed opening is tried again.
  private static let longRound = Duration.seconds(5)
  /// How often is looked whether a door that is shut is to be opened, though nothing told so.
  private static let restRound = Duration.seconds(60)
  /// Devices are few, and come from farther away than programs of this computer.
  static let limits = ServerLimits(
    connections: 64, unauthenticated: 32, unauthenticatedPatience: .seconds(15))

  /// - Parameter limits: of each connection.
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
        // What failed is tried again after a while, or at once where the owner changed it.
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

  /// What the owner wants to be open now; nil for nothing. Streams of revoked devices end here.
  ///
  /// - Parameter standing: what was wanted before, which holds while the archive cannot be read.
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

  /// Brings the listener in line with what is wanted.
  ///
  /// - Returns: what listens then; nil where nothing can.
  private func inLine(
    _ listener: PhoneListener?, _ settings: PhoneDoorSettings
  ) async -> PhoneListener? {
    guard let address = HomeAddress(settings.address) else {
      await listener?.stop()
      app.phone.close(.failed("The address \(settings.address) isn’t on the home network."))
      return nil
    }
    guard HomeNetwork.has(address) else {
      // Never another one: which network is home is for the owner to say.
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
      logger.warning("The door to the home network could not be opened; it is tried again.")
      app.phone.close(.failed("Phone access couldn’t be started. Arkived will try again."))
    }
    return nil
  }
}
