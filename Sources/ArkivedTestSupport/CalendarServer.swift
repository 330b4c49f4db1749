import ArkivedCore
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A simple calendar server on 127.0.0.1, well-behaved or not; it listens until the last reference
/// to it is released.
package final class CalendarServer: Sendable {
  /// A request that the server received.
  package struct Request: Sendable {
    package var method: String
    /// The path, including its query.
    package var path: String
    /// The headers, with lower-case names.
    package var headers: [String: String]
    package var body: String
    /// The body as received.
    package var bytes: [UInt8]
  }

  package enum Reply: Sendable {
    case answer(Int, headers: [String: String] = [:], body: [UInt8])
    /// Raw bytes, then the end of the connection.
    case bytes([UInt8])
    /// The head and the beginning of a response, then a piece of it repeatedly.
    case drip([UInt8], piece: [UInt8])
    /// No response, while the client waits.
    case silence

    package static func answer(
      _ status: Int, headers: [String: String] = [:], _ body: String = ""
    ) -> Reply {
      .answer(status, headers: headers, body: Array(body.utf8))
    }

    /// Returns a response about several resources.
    package static func multistatus(_ inner: String) -> Reply {
      .answer(
        207, headers: ["Content-Type": "application/xml; charset=utf-8"],
        "<?xml version=\"1.0\"?>\n<d:multistatus xmlns:d=\"DAV:\" "
          + "xmlns:c=\"urn:ietf:params:xml:ns:caldav\" "
          + "xmlns:k=\"urn:ietf:params:xml:ns:carddav\">\(inner)</d:multistatus>")
    }
  }

  package let port: Int
  private let state: State
  /// A semaphore for the closing of the listening socket; only then may its number be reused.
  private let closed = DispatchSemaphore(value: 0)

  private final class State: Sendable {
    let requests = Mutex<[Request]>([])
    let reply: Mutex<@Sendable (Request) -> Reply>
    let isOver = Atomic(false)
    let connections = Mutex<Set<Int32>>([])

    init(_ reply: @escaping @Sendable (Request) -> Reply) { self.reply = Mutex(reply) }
  }

  package init(
    _ reply: @escaping @Sendable (Request) -> Reply = { _ in .answer(404) }
  ) throws {
    state = State(reply)
    #if canImport(Glibc)
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 16) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    guard isListening else { throw FieldError("port", "is not to be had") }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [state, closed] in
      while !state.isOver.load(ordering: .acquiring) {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { continue }
        _ = state.connections.withLock { $0.insert(connection) }
        Thread.detachNewThread { CalendarServer.serve(connection, state) }
      }
      close(listener)
      closed.signal()
    }
  }

  deinit {
    state.isOver.store(true, ordering: .releasing)
    // A new connection wakes the thread that waits for one.
    _ = try? PlainConnection(port: port)
    closed.wait()
    state.connections.withLock { for one in $0 { shutdown(one, Int32(SHUT_RDWR)) } }
  }

  package var origin: String { "http://127.0.0.1:\(port)" }
  package var requests: [Request] { state.requests.withLock { $0 } }

  /// Changes the replies from here on.
  package func reply(_ reply: @escaping @Sendable (Request) -> Reply) {
    state.reply.withLock { $0 = reply }
  }

  /// Forgets the received requests.
  package func forget() { state.requests.withLock { $0 = [] } }

  // MARK: A connection

  private static func serve(_ connection: Int32, _ state: State) {
    defer {
      state.connections.withLock {
        $0.remove(connection)
        close(connection)
      }
    }
    var buffer: [UInt8] = []
    while let request = request(from: connection, &buffer) {
      state.requests.withLock { $0.append(request) }
      switch state.reply.withLock({ $0 })(request) {
      case .answer(let status, var headers, let body):
        if status != 304 { headers["Content-Length"] = "\(body.count)" }
        let lines = headers.map { "\($0): \($1)\r\n" }.sorted().joined()
        guard send(Array("HTTP/1.1 \(status) Answer\r\n\(lines)\r\n".utf8) + body, to: connection)
        else { return }
      case .bytes(let bytes):
        _ = send(bytes, to: connection)
        return
      case .drip(let start, let piece):
        guard send(start, to: connection) else { return }
        while !state.isOver.load(ordering: .acquiring), send(piece, to: connection) {
          usleep(5_000)
        }
        return
      case .silence:
        while receive(connection, &buffer) {}
        return
      }
    }
  }

  private static func request(from connection: Int32, _ buffer: inout [UInt8]) -> Request? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let head = buffer.firstRange(of: end) {
        let text = String(decoding: buffer[..<head.lowerBound], as: UTF8.self)
        let lines = text.components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
          let pair = line.split(separator: ":", maxSplits: 1)
          headers[pair[0].lowercased()] = pair.last?.trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while buffer.count < head.upperBound + length {
          guard receive(connection, &buffer) else { return nil }
        }
        let body = buffer[head.upperBound..<head.upperBound + length]
        let first = lines[0].split(separator: " ")
        guard first.count == 3 else { return nil }
        defer { buffer.removeSubrange(..<(head.upperBound + length)) }
        return Request(
          method: String(first[0]), path: String(first[1]), headers: headers,
          body: String(decoding: body, as: UTF8.self), bytes: Array(body))
      }
      guard receive(connection, &buffer) else { return nil }
    }
  }

  private static func receive(_ connection: Int32, _ buffer: inout [UInt8]) -> Bool {
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(connection, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      buffer += piece[..<max(0, count)]
      return count > 0
    }
  }

  /// Sends bytes.
  ///
  /// - Returns: false if the client has disconnected.
  private static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
          Darwin.send(connection, bytes.baseAddress, bytes.count, 0)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
