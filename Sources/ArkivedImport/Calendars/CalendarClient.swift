import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// An HTTP client for one calendar or address book.
///
/// Name, password and token are sent only to the scheme, host and port that the owner entered.
struct CalendarClient: Sendable {
  /// The address that the owner entered.
  let base: CalendarAddress
  let credentials: CalendarCredentials
  let network: CalendarNetwork
  /// The name of the calendar or address book in errors.
  let place: String
  let kind: DAVKind

  struct Request {
    var method: HTTPMethod = .GET
    var address: CalendarAddress
    var headers: [(String, String)] = []
    var body: [UInt8]?
    /// Returns the body of an upload, newly created for each attempt.
    var upload: (@Sendable () -> HTTPClientRequest.Body)?
    /// True if the answer may be compressed (gzip).
    var mayBePacked = false
    /// True if a redirect to another host may be followed, without name and password.
    var leavesHost = false
  }

  struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var body: HTTPClientResponse.Body
    /// The final address after redirects.
    var address: CalendarAddress
  }

  /// An error for an answer that is compressed incorrectly, or so tightly that it could be a trap.
  struct Unpacking: Error {}

  private static let redirects = 5

  /// Creates a client.
  ///
  /// - Throws: `CalendarSourceError` if the secret would be sent unencrypted.
  init(
    _ base: CalendarAddress, credentials: CalendarCredentials, allowsPlainHTTP: Bool,
    network: CalendarNetwork, place: String, kind: DAVKind = .calendar
  ) async throws {
    self.base = base
    self.credentials = credentials
    self.network = network
    self.place = place
    self.kind = kind
    try credentials.check(for: place)
    guard credentials != .none, !base.isEncrypted, !allowsPlainHTTP else { return }
    guard NetworkReach.isThisComputer(base.host) else {
      throw CalendarSourceError.unauthorised(place: place, reason: kind.refusesPlainHTTP)
    }
  }

  // MARK: Asking

  /// Sends a request and follows redirects.
  ///
  /// - Returns: Any answer that isn't a redirect, with its body still unread.
  /// - Throws: `CalendarSourceError`, `CancellationError`.
  func send(_ request: Request) async throws -> Answer {
    var address = request.address
    var seen: Set<String> = [address.text]
    while true {
      let response = try await ask(request, at: address)
      let status = Int(response.status.code)
      guard [301, 302, 303, 307, 308].contains(status) else {
        return Answer(
          status: status, headers: response.headers, body: response.body, address: address)
      }
      guard let location = response.headers.first(name: "Location"),
        let target = address.resolving(location)
      else {
        throw CalendarSourceError.unusableAnswer(
          place: place, reason: "it redirects (\(status)) to an invalid address")
      }
      guard seen.insert(target.text).inserted else {
        throw CalendarSourceError.redirectLoop(place: place)
      }
      guard seen.count <= Self.redirects + 1 else {
        throw CalendarSourceError.tooManyRedirects(place: place)
      }
      try await check(redirectTo: target, from: address, request)
      address = target
    }
  }

  private func check(
    redirectTo target: CalendarAddress, from address: CalendarAddress, _ request: Request
  ) async throws {
    func refused(_ reason: String) -> CalendarSourceError {
      .redirectedElsewhere(
        place: place, host: target.host, address: target.shown, reason: reason)
    }
    if address.isEncrypted, !target.isEncrypted {
      throw refused("unencrypted, so not followed")
    }
    if target.isSameOrigin(as: address) { return }
    guard request.leavesHost || target.isSameOrigin(as: base) else {
      throw refused("name and password aren’t sent there automatically")
    }
    guard target.host != address.host else { return }
    let from = await NetworkReach.farthest(of: address.host, lookUp: network.lookUp)
    guard await NetworkReach.nearest(of: target.host, lookUp: network.lookUp) >= from else {
      throw refused("this computer or one on your own network, so not followed")
    }
  }

  private func ask(
    _ request: Request, at address: CalendarAddress, isAgain: Bool = false
  ) async throws -> HTTPClientResponse {
    try Task.checkCancellation()
    var sent = HTTPClientRequest(url: address.text)
    sent.method = request.method
    for (name, value) in request.headers { sent.headers.add(name: name, value: value) }
    sent.headers.add(name: "User-Agent", value: "arkived")
    sent.headers.add(name: "Accept-Encoding", value: request.mayBePacked ? "gzip" : "identity")
    if let secret = credentials.header, address.isSameOrigin(as: base) {
      sent.headers.add(name: secret.name, value: secret.value)
    }
    if let body = request.body { sent.body = .bytes(body) }
    if let upload = request.upload { sent.body = upload() }
    do {
      return try await network.http.execute(sent, deadline: .distantFuture)
    } catch let error as HTTPClientError where error == .remoteConnectionClosed && !isAgain {
      // The server closed a kept-alive connection; every request made here is safe to repeat.
      return try await ask(request, at: address, isAgain: true)
    } catch {
      throw try failure(error)
    }
  }

  // MARK: Bodies

  /// Passes on a body as it arrives.
  ///
  /// - Throws: `.tooLarge` past the limit.
  func read(
    _ answer: Answer, limit: Int, _ take: (ByteBuffer) throws -> Void
  ) async throws {
    var count = 0
    do {
      for try await piece in answer.body {
        count += piece.readableBytes
        guard count <= limit else {
          throw CalendarSourceError.tooLarge(place: place, megabytes: max(1, limit >> 20))
        }
        try take(piece)
      }
      try Task.checkCancellation()
    } catch {
      throw try failure(error)
    }
  }

  /// Returns the whole of a small body.
  func collect(_ answer: Answer, limit: Int) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    try await read(answer, limit: limit) { piece in
      piece.withUnsafeReadableBytes { bytes.append(contentsOf: $0) }
    }
    return bytes
  }

  // MARK: Failures

  /// Returns the error for an unexpected status.
  func refusal(_ answer: Answer) -> CalendarSourceError {
    switch answer.status {
    case 401: return .unauthorised(place: place, reason: unauthorised(answer))
    case 403: return .forbidden(place: place)
    case 404, 410: return .notFound(place: place)
    case 408, 425, 429, 500...:
      return .serverError(
        place: place, status: answer.status,
        retryAfter: RetryAfter.read(answer.headers.first(name: "Retry-After"), now: Date()))
    default:
      return .unusableAnswer(place: place, reason: "its status is \(answer.status)")
    }
  }

  private func unauthorised(_ answer: Answer) -> String {
    guard answer.address.isSameOrigin(as: base) else {
      return
        "the server redirects to \(answer.address.host), which asks for a name and password "
        + "(401). They are only sent to the address you entered. If that’s the right host, use "
        + "its address."
    }
    var text: String
    switch credentials {
    case .none: return kind.needsCredentials
    case .basic:
      text =
        "the server rejected the name or password (401). Enter them again. Many services need an "
        + "app password for this."
    case .bearer, .apiKey: text = "the server rejected the token (401). Enter a new one."
    }
    let offered = answer.headers[canonicalForm: "WWW-Authenticate"]
      .map { $0.split(separator: " ").first.map { $0.lowercased() } ?? "" }
    if case .basic = credentials, !offered.isEmpty, !offered.contains("basic") {
      text =
        "the server doesn’t accept a name and password (401). Use a token or a different address."
    }
    if !base.isEncrypted { text += " The address uses http://. Try https:// too." }
    return text
  }

  /// Returns the error for a failed transfer.
  ///
  /// - Throws: `CancellationError` if the failure is one.
  private func failure(_ error: any Error) throws -> any Error {
    try Task.checkCancellation()
    func unreachable(_ reason: String) -> CalendarSourceError {
      .unreachable(place: place, reason: reason)
    }
    switch error {
    case is CalendarSourceError, is CancellationError, is Unpacking: return error
    case let error as HTTPClientError:
      switch error {
      case .deadlineExceeded, .readTimeout, .writeTimeout:
        return CalendarSourceError.timedOut(place: place, seconds: network.idleSeconds)
      case .connectTimeout: return unreachable("no answer")
      case .remoteConnectionClosed:
        return unreachable("the connection ended before the response was complete")
      default: return CalendarSourceError.unusableAnswer(place: place, reason: error.description)
      }
    case let error as HTTPParserError where error == .invalidEOFState:
      return unreachable("the connection ended before the response was complete")
    case is HTTPParserError:
      return CalendarSourceError.unusableAnswer(place: place, reason: "it isn’t valid HTTP")
    case let error as IOError: return unreachable(Self.reason(error))
    case let error as NIOConnectionError:
      let reason = error.connectionErrors.compactMap { $0.error as? IOError }.first
      return unreachable(reason.map(Self.reason) ?? "host not found")
    default: break
    }
    let type = String(reflecting: type(of: error))
    // The library's own descriptions refer to its source code.
    if type.contains("SSL") {
      return unreachable("it offers no trusted encrypted connection")
    }
    if type.contains("Decompression") { return Unpacking() }
    if (error as NSError).domain == NSPOSIXErrorDomain || type.hasPrefix("Foundation.") {
      return error
    }
    return unreachable(credentials.redacted("\(error)"))
  }

  private static func reason(_ error: IOError) -> String {
    error.errnoCode == ECONNREFUSED
      ? "no server is running there" : String(cString: strerror(error.errnoCode))
  }
}

/// The `Retry-After` header: seconds or a date.
enum RetryAfter {
  private static let longest = 30 * 86_400

  static func read(_ header: String?, now: Date) -> Duration? {
    guard let text = header?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      return .seconds(min(Int(text) ?? longest, longest))
    }
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
    guard let date = format.date(from: text) else { return nil }
    return .seconds(min(max(0, Int(date.timeIntervalSince(now).rounded(.up))), longest))
  }
}
