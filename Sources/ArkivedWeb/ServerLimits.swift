import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The limits of one listener and of one request.
struct ServerLimits: Sendable {
  /// The largest number of simultaneous connections of the owner and their devices.
  var connections = 256
  /// The largest number of simultaneous connections of programs.
  var programs = 64
  /// The largest number of simultaneous unauthenticated connections; the oldest is closed for the
  /// next.
  var unauthenticated = 64
  /// The time an unauthenticated connection may take to send the head of a request, or stay idle
  /// after an answer.
  var unauthenticatedPatience = TimeAmount.seconds(20)
  /// The time any other connection may be idle, or take to send the head of a request, however
  /// slowly it arrives.
  var patience = TimeAmount.seconds(60)
  /// The slowest acceptable rate of a request's body.
  var pace = BodyPace()

  /// The number of additional connections that are being opened or closed.
  private static let reserve = 128
  /// A burst of connections waits in the system's queue; a client that finds it full would retry
  /// only after a second.
  private static let backlog = 1_024
  /// The size limit of any request; most addresses accept far less.
  static let bodyBytes = 1 << 30

  func connections(of priority: ConnectionPriority) -> Int {
    switch priority {
    case .unauthenticated: unauthenticated
    case .program: programs
    case .owner: connections
    }
  }

  /// Returns the builder of one listener's server.
  ///
  /// - Parameters:
  ///   - scheme: the scheme of its addresses.
  ///   - connections: its connections.
  /// - Returns: the builder.
  func server(
    _ scheme: RequestTargetHandler.Scheme, _ connections: ConnectionRegistry
  ) -> HTTPServerBuilder {
    let pace = pace
    return .http1(
      configuration: .init(
        additionalChannelHandlers: [ConnectionHandlers(scheme, pace, connections)],
        idleTimeout: patience))
  }

  /// Returns the configuration of a listener.
  ///
  /// - Parameters:
  ///   - host: an address of this computer; the loopback interface by default.
  ///   - port: the port, or 0 for any free one.
  /// - Returns: the configuration.
  func configuration(host: String = "127.0.0.1", port: Int) -> ApplicationConfiguration {
    let most = connections + programs + unauthenticated + Self.reserve
    return ApplicationConfiguration(
      address: .hostname(host, port: port), serverName: nil, backlog: Self.backlog,
      availableConnectionsDelegate: MaximumAvailableConnections(most))
  }

  /// Rejects a body by its declared length, before any of it is read.
  ///
  /// - Throws: `WebFailure` if the body is larger than its route accepts.
  static func check(_ request: Request) throws {
    guard let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bodyBytes
    else { return }
    throw WebFailure(
      .contentTooLarge, "Too large", "The request is too large. Nothing was changed.")
  }
}
