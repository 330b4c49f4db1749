import AsyncHTTPClient
import Foundation
import NIOCore

/// The way to calendars on the network. There is one for the whole program.
package struct CalendarNetwork: Sendable {
  let http: HTTPClient
  /// The addresses of a host's name.
  let lookUp: @Sendable (String) async -> [String]
  let idleSeconds: Int

  /// Connects within 10 s and hears something every 30 s, or gives up.
  package static let system = CalendarNetwork()

  /// One that is never shut down. It goes straight to the address: no proxy, no redirects of its own
  /// accord, and a refused connection is not tried again.
  ///
  /// - Parameters:
  ///   - names: hosts that are looked for at another address, for tests.
  ///   - lookUp: the addresses of a host's name; nil asks the system.
  package init(
    connect: Duration = .seconds(10), idle: Duration = .seconds(30), names: [String: String] = [:],
    lookUp: (@Sendable (String) async -> [String])? = nil
  ) {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(
        connect: .nanoseconds(Int64(connect / .nanoseconds(1))),
        read: .nanoseconds(Int64(idle / .nanoseconds(1)))),
      // Servers close idle connections after some seconds; this is sooner.
      connectionPool: .init(idleTimeout: .seconds(2)), proxy: nil,
      // What is packed more tightly than calendars are is refused.
      decompression: HTTPClient.Configuration.singletonConfiguration.decompression)
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.httpVersion = .http1Only
    configuration.dnsOverride = names
    http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    self.lookUp = lookUp ?? NetworkReach.systemLookUp
    idleSeconds = max(1, Int((idle / .seconds(1)).rounded(.up)))
  }
}

/// Ends what takes too long.
enum FetchDeadline {
  private enum Outcome<Value: Sendable>: Sendable {
    case done(Value)
    case late
  }

  /// - Throws: `CalendarSourceError.timedOut`, `CancellationError` at once when the task is
  ///   cancelled, and what `body` throws.
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
