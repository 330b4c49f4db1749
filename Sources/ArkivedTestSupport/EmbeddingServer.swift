package import ArkivedCore
import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A server for embeddings on 127.0.0.1, good or bad; it listens until nobody holds it any more.
package final class EmbeddingServer: Sendable {
  /// What was asked.
  package struct Request: Sendable {
    /// `POST /v1/embeddings HTTP/1.1`
    package var line: String
    /// With their names in lower case.
    package var headers: [String: String]
    package var body: JSON

    package var texts: [String] { body["input"]?.array?.compactMap(\.string) ?? [] }
  }

  package enum Reply: Sendable {
    case answer(status: Int = 200, headers: [String: String] = [:], body: String)
    /// These bytes, then the end of the connection.
    case bytes(String)
    /// Nothing, while the other side waits.
    case silence
  }

  package let port: Int
  private let state: State
  /// Says that the listening socket is closed: only then may its number be another's.
  private let closed = DispatchSemaphore(value: 0)

  private final class State: Sendable {
    let requests = Mutex<[Request]>([])
    let reply: Mutex<@Sendable (Request) -> Reply>
    let isOver = Atomic(false)
    let connections = Mutex<Set<Int32>>([])

    init(_ reply: @escaping @Sendable (Request) -> Reply) { self.reply = Mutex(reply) }
  }

  package init(
    _ reply: @escaping @Sendable (Request) -> Reply = { .vectors(for: $0) }
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
        Thread.detachNewThread { EmbeddingServer.serve(connection, state) }
      }
      close(listener)
      closed.signal()
    }
  }

  deinit {
    state.isOver.store(true, ordering: .releasing)
    // Who waits for a connection gets one more and looks.
    _ = try? PlainConnection(port: port)
    closed.wait()
    // Clients must not take the next server on this port for this one.
    state.connections.withLock { for one in $0 { shutdown(one, Int32(SHUT_RDWR)) } }
  }

  package var url: String { "http://127.0.0.1:\(port)/v1/embeddings" }
  package var requests: [Request] { state.requests.withLock { $0 } }
  /// All texts that were sent, in the order in which they came.
  package var texts: [String] { requests.flatMap(\.texts) }

  /// Answers otherwise from now on.
  package func reply(_ reply: @escaping @Sendable (Request) -> Reply) {
    state.reply.withLock { $0 = reply }
  }

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
        headers["Content-Length"] = "\(body.utf8.count)"
        let lines = headers.map { "\($0): \($1)\r\n" }.sorted().joined()
        send("HTTP/1.1 \(status) Answer\r\n\(lines)\r\n\(body)", to: connection)
      case .bytes(let text):
        send(text, to: connection)
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
        let json = (try? JSON(parsing: body)) ?? .null
        buffer.removeSubrange(..<(head.upperBound + length))
        return Request(line: lines[0], headers: headers, body: json)
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

  private static func send(_ text: String, to connection: Int32) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          Glibc.send(connection, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
          Darwin.send(connection, bytes.baseAddress, bytes.count, 0)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

extension EmbeddingServer.Reply {
  /// Words that mean the same here.
  private static let concepts: [String: String] = [
    "dentist": "tooth", "molar": "tooth", "teeth": "tooth", "football": "game", "soccer": "game",
    "match": "game", "stadium": "game", "bill": "money", "paid": "money", "owed": "money",
    "settled": "money", "power": "electricity", "rained": "wet", "weather": "wet",
    "job": "work", "baked": "loaf", "bread": "loaf", "granny": "grandmother", "rail": "train",
    "sea": "coast", "journey": "train", "late": "delayed", "piano": "grand", "used": "second",
  ]

  /// A text's vector: a number for each word, or for what the word means, at a place that goes by
  /// its letters.
  package static func vector(of text: String, width: Int) -> [Double] {
    var vector = [Double](repeating: 0, count: width)
    vector[0] = 0.1
    for word in text.lowercased().split(whereSeparator: { !$0.isLetter }) {
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in (concepts[String(word)] ?? String(word)).utf8 {
        hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
      }
      vector[Int((hash >> 20) % UInt64(width))] += word.count > 3 ? 1 : 0.2
    }
    return vector
  }

  /// A right answer, the last text first.
  package static func vectors(for request: EmbeddingServer.Request, width: Int = 384) -> Self {
    let width = request.body["dimensions"]?.int ?? width
    return vectors(request.texts.map { vector(of: $0, width: width) })
  }

  package static func vectors(_ vectors: [[Double]]) -> Self {
    let data = vectors.enumerated().reversed().map { index, vector in
      let numbers = vector.map { "\($0)" }.joined(separator: ",")
      return #"{"object":"embedding","index":\#(index),"embedding":[\#(numbers)]}"#
    }
    return .answer(body: #"{"object":"list","data":[\#(data.joined(separator: ","))]}"#)
  }
}
