import AsyncHTTPClient
import Foundation
import NIOCore

/// The network access for calendars, shared by the whole program.
package struct CalendarNetwork: Sendable {
  let http: HTTPClient
  /// Looks up the addresses of a host name.
  let lookUp: @Sendable (String) async -> [String]
  let idleSeconds: Int

  /// The shared network, which gives up after 10 s without a connection or 30 s without data.
  package static let system = CalendarNetwork()

  /// Creates a network that is never shut down.
  ///
  /// It connects directly: no proxy, no automatic redirects, and no second attempt after a refused
  /// connection.
  ///
  /// - Parameters:
  ///   - connect: the time to wait for a connection.
  ///   - idle: the time to wait for the next bytes.
  ///   - names: hosts to connect to at another address, for tests.
  ///   - lookUp: looks up the addresses of a host name; nil to ask the system.
  package init(
    connect: Duration = .seconds(10), idle: Duration = .seconds(30), names: [String: String] = [:],
    lookUp: (@Sendable (String) async -> [String])? = nil
  ) {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(
        connect: .nanoseconds(Int64(connect / .nanoseconds(1))),
        read: .nanoseconds(Int64(idle / .nanoseconds(1))),
        write: .nanoseconds(Int64(idle / .nanoseconds(1)))),
      // Servers close idle connections after some seconds; closing them earlier avoids errors.
      connectionPool: .init(idleTimeout: .seconds(2)), proxy: nil,
      // Anything compressed more tightly than calendars are is refused.
      decompression: HTTPClient.Configuration.singletonConfiguration.decompression)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.httpVersion = .http1Only
    configuration.dnsOverride = names
    http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    self.lookUp = lookUp ?? NetworkReach.systemLookUp
    idleSeconds = max(1, Int((idle / .seconds(1)).rounded(.up)))
  }
}

/// Time limits for fetches.
enum FetchDeadline {
  private enum Outcome<Value: Sendable>: Sendable {
    case done(Value)
    case late
  }

  /// Runs a closure with a time limit.
  ///
  /// - Throws: `CalendarSourceError.timedOut`, `CancellationError` at once when the task is
  ///   cancelled, and any error that `body` throws.
  static func run<Value: Sendable>(
    _ limit: Duration, place: String, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Outcome<Value>.self) { group in
      group.addTask { .done(try await body()) }
      group.addTask {
        try await Task.sleep(for: limit)
        return .late
      }
      defer { group.cancelAll() }
      do {
        guard case .done(let value) = try await group.next() else {
          throw CalendarSourceError.timedOut(
            place: place, seconds: Int((limit / .seconds(1)).rounded(.up)))
        }
        return value
      } catch {
        try Task.checkCancellation()
        throw error
      }
    }
  }
}
