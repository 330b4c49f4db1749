import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// The limits of one listener, and of one request.
struct ServerLimits: Sendable {
  /// Connections of the owner and their devices at once.
  var connections = 256
  /// Connections of programs at once.
  var programs = 64
  /// Connections at once that haven't shown a right yet; the oldest one makes room for the next.
  var unauthenticated = 64
  /// How long such a connection may take to send the head of a request, or stay silent after an answer.
  var unauthenticatedPatience = TimeAmount.seconds(20)
  /// How long any other connection may be silent, or take to send the head of a request, however it dribbles.
  var patience = TimeAmount.seconds(60)
  /// How slowly a request's body may come.
  var pace = BodyPace()

  /// Connections that are on their way in or out, beyond the others.
  private static let reserve = 128
  /// A burst of connections waits in the system's queue; whoever finds it full would try again only after a second.
  private static let backlog = 1_024
  /// No request is larger, whatever it asks; most addresses take far less.
  static let bodyBytes = 1 << 30

  func connections(of priority: ConnectionPriority) -> Int {
    switch priority {
    case .unauthenticated: unauthenticated
    case .program: programs
    case .owner: connections
    }
  }

  /// Returns what builds the server of one listener.
  ///
  /// - Parameters:
  ///   - scheme: of its addresses.
  ///   - connections: its own.
  func server(
    _ scheme: RequestTargetHandler.Scheme, _ connections: ConnectionRegistry
  ) -> HTTPServerBuilder {
    let pace = pace
    return .http1(
      configuration: .init(
        additionalChannelHandlers: [ConnectionHandlers(scheme, pace, connections)],
        idleTimeout: patience))
  }

  /// - Parameters:
  ///   - host: an address of this computer; the loopback interface where nobody says.
  ///   - port: 0 takes any free one.
  func configuration(host: String = "127.0.0.1", port: Int) -> ApplicationConfiguration {
    let most = connections + programs + unauthenticated + Self.reserve
    return ApplicationConfiguration(
      address: .hostname(host, port: port), serverName: nil, backlog: Self.backlog,
      availableConnectionsDelegate: MaximumAvailableConnections(most))
  }

  /// Refuses a body by its announced length, before any of it is read.
  ///
  /// - Throws: `WebFailure`.
  static func check(_ request: Request) throws {
    guard let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bodyBytes
    else { return }
    throw WebFailure(
      .contentTooLarge, "Too large", "The request is too large. Nothing was changed.")
  }
}
