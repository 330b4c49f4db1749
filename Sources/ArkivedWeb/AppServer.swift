import ArkivedCore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The app on a port, like Hummingbird's `Application` but without the timer that refreshes the
/// response date every second, even while there are no requests.
struct AppServer: Service {
  let responder: RouterResponder<WebContext>
  let server: HTTPServerBuilder
  let connections: ConnectionRegistry
  let configuration: ApplicationConfiguration
  let logger: Logger
  /// Called once with the channel on which the server listens.
  let onServerRunning: @Sendable (any Channel) async -> Void

  func run() async throws {
    let (responder, logger) = (responder, logger)
    let (date, connections, told) = (AnswerDate(), connections, onServerRunning)
    let service = try server.buildServer(
      configuration: ServerConfiguration(
        address: configuration.address, backlog: configuration.backlog,
        reuseAddress: configuration.reuseAddress,
        availableConnectionsDelegate: configuration.availableConnectionsDelegate),
      eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
    ) { (request, writer: consuming ResponseWriter, channel) in
      let context = WebContext(
        source: ApplicationRequestContextSource(channel: channel, logger: logger))
      var response: Response
      let isReading = request.method == .get || request.method == .head
      do {
        response = try await WorkerPool.$current.withValue(isReading ? .reads : .writes) {
          try await responder.respond(to: request, context: context)
        }
      } catch let error as HTTPParserError {
        throw error
      } catch {
        response = Response(status: .internalServerError)
      }
      response.headers[.date] = date.text()
      do {
        try await writer.write(response: response.head, body: response.body)
      } catch is HTTPParserError {
        // Its own error would write a second response after this one.
        throw CancellationError()
      }
    } onServerRunning: { channel in
      // Without the handler, the server keeps listening as long as every connection can be
      // accepted.
      try? await AcceptErrorHandler.install(in: channel, connections)
      await told(channel)
    }
    try await service.run()
  }
}

/// The date of responses (RFC 9110 §5.6.7), refreshed by a request at least a second later.
final class AnswerDate: Sendable {
  private struct Made {
    var second = Int64.min
    var text = ""
  }

  private let made = Mutex(Made())

  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns a date such as `Sat, 14 Mar 2026 12:00:00 GMT`, in any locale.
  func text(at now: Instant = Instant(Date())) -> String {
    let second = now.milliseconds / 1_000
    return made.withLock { made in
      if made.second != second { made = Made(second: second, text: Self.written(now)) }
      return made.text
    }
  }

  private static func written(_ now: Instant) -> String {
    let wall = Zone.utc.wallTime(at: now)
    let day = wall.day
    let clock = [wall.hour, wall.minute, wall.second].map(twoDigits).joined(separator: ":")
    return "\(weekdays[day.weekday.rawValue - 1]), \(twoDigits(day.day)) \(months[day.month - 1]) "
      + "\(day.year) \(clock) GMT"
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }
}
