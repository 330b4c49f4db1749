import ArkivedCore
import ArkivedCrypto
import Foundation
import NIOCore
import NIOHTTP1

/// A client for the interface of a linked service, over the calendars' client.
///
/// Requests go only to the scheme, host and port that the owner entered. Redirects elsewhere are
/// refused, and nothing that it sends changes anything on the server.
struct LinkedServiceClient: Sendable {
  /// A JSON answer with its headers.
  struct Answer: Sendable {
    var json: JSON
    var headers: HTTPHeaders
  }

  /// A file that was fetched.
  struct Fetched: Sendable {
    /// The SHA-256 hash of its content.
    var hash: String
    var byteCount: Int
    /// Its first bytes.
    var head: Data
  }

  let service: LinkedService
  private let base: CalendarAddress
  private let client: CalendarClient
  private let answerLimit: Int

  private static let patience = Duration.seconds(120)
  /// The maximum size of a JSON answer, in bytes.
  static let answerLimit = 32 << 20
  /// The minimum number of bytes per second; a slower transfer is abandoned.
  private static let slowest = 16_384
  private static let headLength = 4_096

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - service: the service.
  ///   - address: its address, as `LinkedService.address` returns it.
  ///   - key: the API key.
  ///   - allowsPlainHTTP: true if the key may be sent unencrypted in the owner's own network.
  ///   - network: the network access.
  ///   - answerLimit: the maximum size of a JSON answer, in bytes.
  /// - Throws: `LinkedServiceFailure`.
  init(
    _ service: LinkedService, address: String, key: String, allowsPlainHTTP: Bool,
    network: CalendarNetwork, answerLimit: Int = LinkedServiceClient.answerLimit
  ) async throws {
    self.service = service
    self.answerLimit = answerLimit
    do {
      guard let url = URL(string: address) else {
        throw CalendarSourceError.unusableAddress(
          place: service.name, reason: "must start with https:// or http://")
      }
      base = try CalendarAddress(url)
      if !base.isEncrypted, !NetworkReach.isThisComputer(base.host) {
        let reach = await NetworkReach.farthest(of: base.host, lookUp: network.lookUp)
        guard allowsPlainHTTP, reach <= .inside else {
          throw LinkedServiceFailure.unencrypted(place: base.shown)
        }
      }
      let credentials: CalendarCredentials =
        switch service {
        case .immich: .apiKey(key)
        case .dawarich: .bearer(token: key)
        }
      client = try await CalendarClient(
        base, credentials: credentials, allowsPlainHTTP: true, network: network, place: base.shown)
    } catch let error as CalendarSourceError {
      throw LinkedServiceFailure.transfer(error)
    }
  }

  /// The address for display.
  var place: String { base.shown }

  // MARK: Requests

  /// Fetches a JSON answer.
  ///
  /// - Parameters:
  ///   - path: the path below the server's address, beginning with `/`.
  ///   - query: the arguments, whose values need no escapes.
  ///   - body: the JSON body of a search; nil to send `GET`.
  /// - Returns: the answer.
  /// - Throws: `LinkedServiceFailure`, `CancellationError`.
  func ask(
    _ path: String, _ query: [(String, String)] = [], body: JSON? = nil
  ) async throws -> Answer {
    try await within(Self.patience) {
      var request = CalendarClient.Request(address: try address(path, query))
      request.headers = [("Accept", "application/json")]
      if let body {
        request.method = .POST
        request.headers.append(("Content-Type", "application/json"))
        request.body = body.bytes()
      }
      let answer = try await client.send(request)
      try check(answer)
      let bytes = try await client.collect(answer, limit: answerLimit)
      guard let json = try? JSON(parsing: bytes) else { throw refusal(of: bytes) }
      return Answer(json: json, headers: answer.headers)
    }
  }

  /// Fetches a file.
  ///
  /// - Parameters:
  ///   - path: the path below the server's address, beginning with `/`.
  ///   - query: the arguments, whose values need no escapes.
  ///   - target: the destination, which must not exist yet.
  ///   - size: the expected size in bytes, for the time limit.
  ///   - limit: the maximum size in bytes.
  /// - Returns: nil if the server doesn't have it.
  /// - Throws: `LinkedServiceFailure`, `CancellationError`, and errors from writing the file.
  func fetch(
    _ path: String, _ query: [(String, String)] = [], to target: URL, size: Int, limit: Int
  ) async throws -> Fetched? {
    try await within(Self.patience + .seconds(size / Self.slowest)) {
      let answer = try await client.send(
        CalendarClient.Request(address: try address(path, query)))
      if answer.status == 404 || answer.status == 410 {
        _ = try? await client.collect(answer, limit: 1 << 16)
        return nil
      }
      try check(answer)
      let isMade = FileManager.default.createFile(
        atPath: target.path, contents: nil, attributes: [.posixPermissions: 0o600])
      guard isMade else { throw CocoaError(.fileWriteUnknown) }
      let file = try FileHandle(forWritingTo: target)
      defer { try? file.close() }
      var fetched = Fetched(hash: "", byteCount: 0, head: Data())
      var hash = SHA256()
      try await client.read(answer, limit: limit) { piece in
        let view = piece.readableBytesView
        fetched.byteCount += view.count
        if fetched.head.count < Self.headLength {
          fetched.head += view.prefix(Self.headLength - fetched.head.count)
        }
        try view.withUnsafeBytes { bytes in
          hash.update(bufferPointer: bytes)
          try file.write(contentsOf: bytes)
        }
      }
      fetched.hash = hash.finalize().hexadecimal
      return fetched
    }
  }

  private func address(_ path: String, _ query: [(String, String)]) throws -> CalendarAddress {
    let start = base.path == "/" ? base.origin : base.origin + base.path
    let arguments = query.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    guard let url = URL(string: start + path + (arguments.isEmpty ? "" : "?\(arguments)")) else {
      throw CalendarSourceError.unusableAddress(
        place: place, reason: "must start with https:// or http://")
    }
    return try CalendarAddress(url)
  }

  // MARK: Failures

  /// Returns the error for an answer that the service doesn't give.
  func notTheService(_ came: String) -> LinkedServiceFailure {
    .notTheService(place: place, service: service, came: came)
  }

  func unusable(_ reason: String) -> LinkedServiceFailure {
    .transfer(.unusableAnswer(place: place, reason: reason))
  }

  private func check(_ answer: CalendarClient.Answer) throws {
    switch answer.status {
    case 200, 201: return
    case 401: throw LinkedServiceFailure.wrongKey(place: place, service: service)
    case 403: throw LinkedServiceFailure.forbidden(place: place, service: service)
    case 404, 405, 410:
      throw notTheService("a server that doesn’t know this address (\(answer.status))")
    default: throw client.refusal(answer)
    }
  }

  /// Returns the error for a body that isn't JSON.
  private func refusal(of bytes: [UInt8]) -> LinkedServiceFailure {
    switch bytes.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "<"): notTheService("a web page")
    case UInt8(ascii: "{"), UInt8(ascii: "["): unusable("its JSON is invalid or cut off")
    case nil: unusable("it’s empty")
    default: notTheService("something else")
    }
  }

  /// Runs a request with a time limit and converts its errors.
  private func within<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await FetchDeadline.run(limit, place: place, body)
    } catch let error as CalendarSourceError {
      throw LinkedServiceFailure.transfer(error)
    }
  }
}
