package import ArkivedCore
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Listens to a server's events over a plain socket, as a program does that knows nothing of them.
package final class EventListener: Sendable {
  /// One event as it came over the line.
  package struct Event: Hashable, Sendable {
    package var name: String
    package var id: String?
    package var data: String

    package var json: JSON { (try? JSON(parsing: data)) ?? .null }
  }

  /// What the server answered before the events: the status and the headers in lower case.
  package let status: Int
  package let headers: [String: String]
  /// The events as they come; it ends when the server closes the connection.
  package let events: AsyncStream<Event>
  private let line: Line

  private init(status: Int, headers: [String: String], lines: LineSource) {
    line = lines.line
    self.status = status
    self.headers = headers
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
      lines.line.close()
      continuation.finish()
    }
  }

  /// Asks for events and waits for the head of the answer.
  ///
  /// - Parameters:
  ///   - path: with its query.
  ///   - headers: beside Host.
  package static func open(
    port: Int, _ path: String, headers: [String: String]
  ) async throws -> EventListener {
    try await withCheckedThrowingContinuation { continuation in
      // Waiting on a thread of its own leaves the server those it needs for the answer.
      Thread.detachNewThread {
        continuation.resume(with: Result { try ask(port: port, path, headers: headers) })
      }
    }
  }

  private static func ask(
    port: Int, _ path: String, headers: [String: String]
  ) throws -> EventListener {
    let descriptor = socket(AF_INET, streamType, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    // An HTTP/1.0 answer is not cut into chunks.
    var head = "GET \(path) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    let bytes = Array("\(head)\r\n".utf8)
    let line = Line(descriptor)
    guard connected == 0, write(descriptor, bytes, bytes.count) == bytes.count else {
      line.close()
      throw FieldError("port", "is \(port), where nothing listens")
    }
    var lines = LineSource(line)
    let status = Int((lines.next() ?? "").split(separator: " ").dropFirst().first ?? "") ?? 0
    var received: [String: String] = [:]
    while let line = lines.next(), !line.isEmpty {
      let pair = line.split(separator: ":", maxSplits: 1)
      received[pair[0].lowercased()] = pair.dropFirst().first.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    return EventListener(status: status, headers: received, lines: lines)
  }

  deinit { hangUp() }

  /// Goes without a word, as a closed tab does.
  package func hangUp() { line.hangUp() }

  /// The next events of a name; fewer when the connection ends before.
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

#if canImport(Glibc)
  private let streamType = Int32(SOCK_STREAM.rawValue)
#else
  private let streamType = SOCK_STREAM
#endif

/// A connection. Only who reads from it closes it, so that its number cannot become another's while
/// it is read.
private final class Line: Sendable {
  let descriptor: Int32
  private let isOpen = Mutex(true)

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Ends the reading.
  func hangUp() {
    isOpen.withLock { isOpen in
      if isOpen { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  func close() {
    isOpen.withLock { isOpen in
      guard isOpen else { return }
      isOpen = false
      #if canImport(Glibc)
        _ = Glibc.close(descriptor)
      #else
        _ = Darwin.close(descriptor)
      #endif
    }
  }
}

/// Lines read from a socket.
private struct LineSource: Sendable {
  let line: Line
  private var buffer: [UInt8] = []

  init(_ line: Line) { self.line = line }

  mutating func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line.hasSuffix("\r") ? String(line.dropLast()) : line
      }
      var piece = [UInt8](repeating: 0, count: 16_384)
      let count = read(line.descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      buffer += piece[..<count]
    }
  }
}
