package import ArkivedCore
import Foundation

/// Reads a server's events over a plain socket, like a program without any knowledge of them.
package final class EventListener: Sendable {
  /// An event as received.
  package struct Event: Hashable, Sendable {
    package var name: String
    package var id: String?
    package var data: String

    package var json: JSON { (try? JSON(parsing: data)) ?? .null }
  }

  /// The response before the events: the status and the headers in lower case.
  package let status: Int
  package let headers: [String: String]
  /// The events as they arrive; the stream ends when the server closes the connection.
  package let events: AsyncStream<Event>
  private let connection: PlainConnection

  private init(
    _ connection: PlainConnection, _ head: (status: Int, headers: [String: String]),
    _ lines: LineSource
  ) {
    self.connection = connection
    (status, headers) = head
    let (events, continuation) = AsyncStream<Event>.makeStream()
    self.events = events
    Thread.detachNewThread {
      var lines = lines
      var event = Event(name: "message", data: "")
      while let line = lines.next() {
        if line.isEmpty {
          if !event.data.isEmpty { continuation.yield(event) }
          event = Event(name: "message", data: "")
        } else if line.hasPrefix("event: ") {
          event.name = String(line.dropFirst(7))
        } else if line.hasPrefix("id: ") {
          event.id = String(line.dropFirst(4))
        } else if line.hasPrefix("data: ") {
          event.data += line.dropFirst(6)
        } else if line.hasPrefix(":") {
          continuation.yield(Event(name: "comment", data: line))
        }
      }
      continuation.finish()
    }
  }

  /// Requests events and waits for the head of the response.
  ///
  /// - Parameters:
  ///   - port: the port.
  ///   - path: the path, including its query.
  ///   - headers: the headers besides Host.
  /// - Returns: the open connection.
  /// - Throws: an error if the server doesn't answer.
  package static func open(
    port: Int, _ path: String, headers: [String: String]
  ) async throws -> EventListener {
    // Waiting on a separate thread leaves the server the threads it needs to respond.
    try await onThread {
      let connection = try PlainConnection(port: port)
      try connection.send(PlainAnswer.head(port: port, "GET", path, headers))
      var lines = LineSource(connection)
      return EventListener(connection, lines.head(), lines)
    }
  }

  deinit { hangUp() }

  /// Disconnects abruptly, as a closed tab does.
  package func hangUp() { connection.hangUp() }

  /// Returns the next events with a name; fewer if the connection ends first.
  package func next(_ count: Int, _ name: String = "change") async -> [Event] {
    var found: [Event] = []
    guard count > 0 else { return found }
    for await event in events where event.name == name {
      found.append(event)
      if found.count == count { break }
    }
    return found
  }
}

/// Runs blocking work on a separate thread.
package func onThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}
