package import ArkivedCore
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A plain socket to a server on this computer; it is closed when the last reference to it is
/// released.
package final class PlainConnection: Sendable {
  private let descriptor: Int32

  /// Connects to a port.
  ///
  /// - Parameters:
  ///   - port: the port.
  ///   - receiveBuffer: the number of bytes that the system buffers before they are read; the
  ///     system's default if nil.
  /// - Throws: an error if nobody listens there.
  package init(port: Int, receiveBuffer: Int32? = nil) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
      var yes: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
    if var receiveBuffer {
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard connected == 0 else { throw FieldError("port", "is \(port), where nothing listens") }
  }

  deinit { _ = close(descriptor) }

  /// Returns a port of this computer on which nothing is listening.
  package static func freePort() throws -> Int {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    defer { _ = close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
      }
    }
    guard isBound else { throw FieldError("port", "cannot be had") }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  package func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        #if canImport(Glibc)
          Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        #else
          Darwin.send(descriptor, bytes.baseAddress, bytes.count, 0)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FieldError("connection", "was closed by the server") }
      rest = rest.dropFirst(count)
    }
  }

  /// Returns the next bytes; empty if the other side has closed the connection.
  package func receive() -> ArraySlice<UInt8> {
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      return piece[..<max(0, count)]
    }
  }

  /// Disconnects abruptly, as a closed tab does; readers see the end of the stream.
  package func hangUp() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}

/// A response as received.
package struct PlainAnswer: Sendable {
  package var status: Int
  /// The headers, with lower-case names.
  package var headers: [String: String]
  package var body: String

  package var json: JSON { (try? JSON(parsing: body)) ?? .null }

  /// Sends a request to a server on this computer and waits for the complete response.
  ///
  /// - Parameters:
  ///   - port: the port.
  ///   - method: the method.
  ///   - path: the path.
  ///   - headers: the headers besides Host and Content-Length.
  ///   - body: the body.
  /// - Returns: the answer.
  /// - Throws: an error if the server doesn't answer.
  package static func ask(
    port: Int, _ method: String, _ path: String, headers: [String: String], body: String = ""
  ) throws -> PlainAnswer {
    let connection = try PlainConnection(port: port)
    var headers = headers
    headers["Content-Length"] = "\(body.utf8.count)"
    try connection.send(head(port: port, method, path, headers) + body)
    var lines = LineSource(connection)
    var answer = PlainAnswer(lines.head())
    answer.body = lines.rest(answer.headers["content-length"].flatMap { Int($0) } ?? .max)
    return answer
  }

  init(_ head: (status: Int, headers: [String: String])) {
    (status, headers) = head
    body = ""
  }

  /// Returns a request's head.
  ///
  /// The response to HTTP/1.0 ends with the connection and isn't chunked.
  package static func head(
    port: Int, _ method: String, _ path: String, _ headers: [String: String]
  ) -> String {
    "\(method) \(path) HTTP/1.0\r\nHost: 127.0.0.1:\(port)\r\n"
      + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
  }
}

/// Lines read from a connection.
struct LineSource: Sendable {
  private let connection: PlainConnection
  private var buffer: [UInt8] = []

  init(_ connection: PlainConnection) { self.connection = connection }

  mutating func next() -> String? {
    while true {
      if let end = buffer.firstIndex(of: 0x0A) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        return line.hasSuffix("\r") ? String(line.dropLast()) : line
      }
      let piece = connection.receive()
      guard !piece.isEmpty else { return nil }
      buffer += piece
    }
  }

  /// Returns the status and the lower-case headers of a response.
  mutating func head() -> (status: Int, headers: [String: String]) {
    let status = Int((next() ?? "").split(separator: " ").dropFirst().first ?? "") ?? 0
    var headers: [String: String] = [:]
    while let line = next(), !line.isEmpty {
      let pair = line.split(separator: ":", maxSplits: 1)
      headers[pair[0].lowercased()] = pair.dropFirst().first.map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    return (status, headers)
  }

  /// Returns a number of bytes, or everything up to the end.
  mutating func rest(_ count: Int) -> String {
    while buffer.count < count {
      let piece = connection.receive()
      guard !piece.isEmpty else { break }
      buffer += piece
    }
    return String(decoding: buffer.prefix(count), as: UTF8.self)
  }
}
