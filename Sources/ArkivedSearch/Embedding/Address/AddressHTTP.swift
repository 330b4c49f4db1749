package import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// Talking to the addresses that the owner set for models.
package enum AddressHTTP {
  /// One for the whole program, never shut down. It goes straight to the address: no proxy, no
  /// redirects, and a refused connection is not tried again.
  package static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(10)),
      // Servers close idle connections after some seconds; this is sooner.
      connectionPool: .init(idleTimeout: .seconds(2)), proxy: nil, decompression: .disabled)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.httpVersion = .http1Only
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  /// What went wrong, as the rest of a sentence that begins with the address.
  ///
  /// - Parameters:
  ///   - patience: how long was waited.
  ///   - isEncrypted: whether the address is.
  package static func problem(
    _ error: any Error, patience: Duration, isEncrypted: Bool
  ) -> String {
    switch error {
    case let error as HTTPClientError where [.deadlineExceeded, .readTimeout].contains(error):
      "gave no complete answer within \(seconds(patience)) s"
    case let error as HTTPClientError where error == .connectTimeout:
      "can’t be reached: no answer"
    case let error as HTTPClientError where error == .remoteConnectionClosed:
      "closed the connection before its answer was complete"
    case let error as HTTPParserError where error == .invalidEOFState:
      "closed the connection before its answer was complete"
    case is HTTPParserError: "didn’t answer with valid HTTP"
    case let error as IOError: "can’t be reached: \(reason(error))"
    case let error as NIOConnectionError:
      "can’t be reached: "
        + (error.connectionErrors.compactMap { $0.error as? IOError }.first.map(reason)
          ?? "no such host")
    // The library's own words name places in its source.
    case _ where isEncrypted && String(reflecting: type(of: error)).contains("SSL"):
      "offers no encrypted connection that can be trusted"
    default: "can’t be used (\(error))"
    }
  }

  private static func reason(_ error: IOError) -> String {
    error.errnoCode == ECONNREFUSED
      ? "nothing is listening there" : String(cString: strerror(error.errnoCode))
  }

  private static func seconds(_ patience: Duration) -> String {
    let seconds = patience / .seconds(1)
    return seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
  }

  /// The beginning of an answer on one line, for a message.
  package static func shown(_ body: some Collection<UInt8>) -> String {
    EmbeddingAnswer.shown(body)
  }
}
