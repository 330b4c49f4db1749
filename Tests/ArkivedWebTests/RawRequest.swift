import ArkivedEngine
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

@testable import ArkivedWeb

/// A request as it stands on the line, for what no client library would send.
struct RawRequest: Sendable {
  var method: String
  var path: String
  /// nil sends none.
  var host: String?
  var headers: [String: String] = [:]
  var body = ""
  /// Whether the connection ends with the answer.
  var closes = true

  var text: String {
    var lines = ["\(method) \(path) HTTP/1.1", "Connection: \(closes ? "close" : "keep-alive")"]
    if let host { lines.append("Host: \(host)") }
    if headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil {
      lines.append("Content-Length: \(body.utf8.count)")
    }
    lines += headers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
  }

  /// The status of the answer, and as much of the rest as came with it; 0 where the connection was
  /// closed without a word.
  func answer(port: Int) throws -> (status: Int, text: String) {
    let connection = try PlainConnection(port: port)
    try connection.send(text)
    let text = String(decoding: connection.receive(), as: UTF8.self)
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0, text)
  }
}

/// A connection that stays open between requests, as a browser keeps it.
final class KeptConnection: Sendable {
  private let connection: PlainConnection
  private let received = Mutex<[UInt8]>([])

  init(port: Int) throws { connection = try PlainConnection(port: port) }

  /// Sends a request and waits for the whole answer, on a thread of its own.
  ///
  /// - Returns: the status of the answer; 0 if the connection ended before.
  func ask(
    _ method: String = "GET", _ path: String, _ headers: [String: String] = [:], port: Int
  ) async throws -> Int {
    let request = RawRequest(
      method: method, path: path, host: "127.0.0.1:\(port)", headers: headers, closes: false)
    return try await ArkivedTestSupport.onThread {
      guard (try? self.connection.send(request.text)) != nil else { return 0 }
      return self.received.withLock { self.readAnswer(&$0) }
    }
  }

  /// Waits until the server hangs up, on a thread of its own.
  func waitForEnd() async throws {
    try await ArkivedTestSupport.onThread {
      while !self.connection.receive().isEmpty {}
    }
  }

  /// - Returns: the status of the next answer, of which nothing is left then.
  private func readAnswer(_ received: inout [UInt8]) -> Int {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let split = received.firstRange(of: end) {
        let head = String(decoding: received[..<split.lowerBound], as: UTF8.self)
        let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
        let name = "content-length:"
        let length =
          head.lowercased().components(separatedBy: "\r\n").first { $0.hasPrefix(name) }
          .flatMap { Int($0.dropFirst(name.count).trimmingCharacters(in: .whitespaces)) } ?? 0
        if received.count >= split.upperBound + length {
          received.removeSubrange(..<(split.upperBound + length))
          return status
        }
      }
      let piece = connection.receive()
      guard !piece.isEmpty else { return 0 }
      received += piece
    }
  }
}

extension [RawRequest] {
  /// Asks them one after another, on a thread of their own.
  ///
  /// - Returns: those whose answer is not right, in a line each.
  func answeredWrongly(
    port: Int, unless isRight: @escaping @Sendable (_ status: Int, _ text: String) -> Bool
  ) async throws -> [String] {
    let requests = self
    return try await ArkivedTestSupport.onThread {
      var wrong: [String] = []
      for request in requests {
        let (status, text) = try request.answer(port: port)
        guard !isRight(status, text) else { continue }
        let headers = request.headers.sorted { $0.key < $1.key }.map { "\($0): \($1)" }
        wrong.append(
          "\(request.method) \(request.path) for \(request.host ?? "no host") "
            + "with \(headers): \(status)")
      }
      return wrong
    }
  }
}

/// One of the addresses that the router knows.
struct KnownRoute: Sendable, CustomStringConvertible {
  /// As it was declared, with its open parts in braces.
  var pattern: String
  var method: String
  /// With something fitting in its open parts; no such entry is there.
  var path: String

  var description: String { "\(method) \(pattern)" }
  var isReading: Bool { method == "GET" }
  var isAPI: Bool { pattern.hasPrefix("/api/") }

  func request(
    _ headers: [String: String], port: Int, query: String = "", body: String = ""
  ) -> RawRequest {
    RawRequest(
      method: method, path: path + query, host: "127.0.0.1:\(port)", headers: headers, body: body)
  }

  /// All of them, from the router itself, so that none can be forgotten.
  static func all(of app: WebApp, _ way: WebApp.Way = .desk) throws -> [KnownRoute] {
    try app.router(way).routes.map { route in
      let pattern = route.path.description
      let parts = pattern.split(separator: "/").map { part in
        part.hasPrefix("{") || part.hasPrefix(":") ? filling(part) : String(part)
      }
      return KnownRoute(
        pattern: pattern, method: route.method.rawValue,
        path: "/" + parts.joined(separator: "/"))
    }
  }

  private static func filling(_ part: Substring) -> String {
    switch part.trimmingCharacters(in: CharacterSet(charactersIn: "{}:")) {
    case "dayKey", "day": "2026-03-14"
    case "line": "0"
    case "name", "code", "year", "month": "2026"
    default: "00000000-0000-4000-8000-000000000001"
    }
  }
}
