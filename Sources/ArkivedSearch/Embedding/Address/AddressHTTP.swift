package import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// HTTP access to the model addresses that the owner configured.
package enum AddressHTTP {
  /// The client of the whole program, which is never shut down.
  ///
  /// It connects directly to the address: no proxy, no redirects, and no retry of a refused
  /// connection.
  package static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(10)),
      // Servers close idle connections after some seconds, and this is earlier.
      connectionPool: .init(idleTimeout: .seconds(2)), proxy: nil, decompression: .disabled)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.httpVersion = .http1Only
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  /// Returns a description of an error as the rest of a sentence that begins with the address.
  ///
  /// - Parameters:
  ///   - error: the error.
  ///   - patience: the time waited.
  ///   - isEncrypted: true if the address is encrypted.
  /// - Returns: the description.
  package static func problem(
    _ error: any Error, patience: Duration, isEncrypted: Bool
  ) -> String {
    switch error {
    case let error as HTTPClientError where [.deadlineExceeded, .readTimeout].contains(error):
      "didn’t send a complete response within \(seconds(patience)) s"
    case let error as HTTPClientError where error == .connectTimeout:
      "can’t be reached: no response"
    case let error as HTTPClientError where error == .remoteConnectionClosed:
      "closed the connection before its response was complete"
    case let error as HTTPParserError where error == .invalidEOFState:
      "closed the connection before its response was complete"
    case is HTTPParserError: "didn’t respond with valid HTTP"
    case let error as IOError: "can’t be reached: \(reason(error))"
    case let error as NIOConnectionError:
      "can’t be reached: "
        + (error.connectionErrors.compactMap { $0.error as? IOError }.first.map(reason)
          ?? "host not found")
    // The library's own messages refer to places in its source.
    case _ where isEncrypted && String(reflecting: type(of: error)).contains("SSL"):
      "doesn’t offer a trusted encrypted connection"
    default: "can’t be used (\(error))"
    }
  }

  private static func reason(_ error: IOError) -> String {
    error.errnoCode == ECONNREFUSED
      ? "no server is running there" : String(cString: strerror(error.errnoCode))
  }

  private static func seconds(_ patience: Duration) -> String {
    let seconds = patience / .seconds(1)
    return seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
  }

  /// Returns the beginning of an answer on one line, for a message.
  package static func shown(_ body: some Collection<UInt8>) -> String {
    EmbeddingAnswer.shown(body)
  }
}
