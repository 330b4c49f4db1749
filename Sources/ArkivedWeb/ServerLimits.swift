import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

/// What the server gives to all who ask together, and to one request.
struct ServerLimits: Sendable {
  /// Connections at once; who comes then waits in the system's queue until one ends.
  var connections = 256
  /// How long a connection may be silent, or take to send a request's head, however it dribbles.
  var patience = TimeAmount.seconds(60)
  /// How slowly a request's body may come.
  var pace = BodyPace()

  /// No request is larger, whatever it asks; most addresses take far less.
  static let bodyBytes = 1 << 30

  var server: HTTPServerBuilder {
    let pace = pace
    return .http1(
      configuration: .init(
        additionalChannelHandlers: [BodyPaceInstaller(pace)], idleTimeout: patience))
  }

  /// - Parameters:
  ///   - host: an address of this computer; the loopback interface where nobody says.
  ///   - port: 0 takes any free one.
  func configuration(host: String = "127.0.0.1", port: Int) -> ApplicationConfiguration {
    ApplicationConfiguration(
      address: .hostname(host, port: port), serverName: nil,
      availableConnectionsDelegate: MaximumAvailableConnections(connections))
  }

  /// Refuses a body by its announced length, before any of it is read.
  ///
  /// - Throws: `WebFailure`.
  static func check(_ request: Request) throws {
    guard let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bodyBytes
    else { return }
    throw WebFailure(
      .contentTooLarge, "Too large", "The request is too large; nothing was changed.")
  }
}
