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

/// The app on a port: what Hummingbird's `Application` does for it, without the timer by which that has
/// the date of its answers ready each second, also while nobody asks for anything.
struct AppServer: Service {
  let responder: RouterResponder<WebContext>
  let server: HTTPServerBuilder
  let connections: ConnectionRegistry
  let configuration: ApplicationConfiguration
  let logger: Logger
  /// Is told once where it listens.
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
        // Its own error would have a second answer written behind this one.
        throw CancellationError()
      }
    } onServerRunning: { channel in
      // Without it the server listens on as long as every connection can be set up.
      try? await AcceptErrorHandler.install(in: channel, connections)
      await told(channel)
    }
    try await service.run()
  }
}

/// The date of answers (RFC 9110 §5.6.7), made anew when somebody asks a second later.
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

  /// Such as `Sat, 14 Mar 2026 12:00:00 GMT`, whatever language is spoken.
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
