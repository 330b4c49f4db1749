import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import ServiceLifecycle

@testable import ArkivedWeb

/// The app behind its door to the home network: real TLS, on the loopback interface.
struct PhoneTest: Sendable {
  let test: TestArchive
  let app: WebApp
  let limits: ServerLimits

  var door: PhoneDoor { app.phone }
  var archive: Archive { test.archive }
  var setup: PhoneSetup { PhoneSetup(archive: test.archive) }

  /// As it is opened for a test: any free port.
  static let settings = PhoneDoorSettings(isOpen: true, address: "127.0.0.1", port: 0)

  /// Creates a phone test that may try as many wrong codes as it likes.
  init(fromOne: Int = .max, ofAll: Int = .max, limits: ServerLimits = WebTest.patient) throws {
    self.limits = limits
    test = try TestArchive()
    let guesses = PairingGuesses(fromOne: fromOne, ofAll: ofAll, round: .seconds(86_400))
    app = WebApp(
      archive: test.archive, zone: test.zone, door: try Door(archive: test.archive),
      phone: PhoneDoor(archive: test.archive, guesses: guesses))
  }

  /// Runs the service that opens the door, opens it, and talks to it.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (PhoneClient) async throws -> Value
  ) async throws -> Value {
    var logger = Logger(label: "phone")
    logger.logLevel = .critical
    try archive.setPhoneDoor(Self.settings)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [PhoneService(app: app, limits: limits, logger: logger)], logger: logger))
    let running = Task { try await group.run() }
    let result = await answer(body)
    await group.triggerGracefulShutdown()
    try await running.value
    return try result.get()
  }

  private func answer<Value: Sendable>(
    _ body: @escaping @Sendable (PhoneClient) async throws -> Value
  ) async -> Result<Value, any Error> {
    do {
      try await stands(.open)
      let client = try PhoneClient(self)
      let result: Result<Value, any Error>
      do {
        result = .success(try await body(client))
      } catch {
        result = .failure(error)
      }
      try await client.http.shutdown()
      return result
    } catch {
      return .failure(error)
    }
  }

  /// Waits until the door stands so.
  func stands(_ standing: PhoneDoor.Standing) async throws {
    let end = ContinuousClock.now + .seconds(600)
    while door.standing != standing {
      guard ContinuousClock.now < end else { throw FieldError("door", "is \(door.standing)") }
      try await Task.sleep(for: .milliseconds(20))
    }
  }
}

/// A phone: it trusts the authority of the archive, and nobody else.
struct PhoneClient: Sendable {
  let http: HTTPClient
  let door: PhoneDoor
  let setup: PhoneSetup

  var port: Int { door.place?.port ?? 0 }
  var origin: String { "https://127.0.0.1:\(port)" }

  struct Answer: Sendable {
    var status: Int
    var headers: HTTPHeaders
    var text: String

    var json: JSON { (try? JSON(parsing: text)) ?? .null }
  }

  /// Creates a client that waits `patience` for a connection; a busy computer may take its time.
  init(_ test: PhoneTest, patience: TimeAmount = .minutes(5)) throws {
    door = test.door
    setup = test.setup
    var tls = TLSConfiguration.makeClientConfiguration()
    let authority = try test.setup.authority()
    tls.trustRoots = .certificates([
      try NIOSSLCertificate(bytes: Array(authority.certificate), format: .der)
    ])
    var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
    configuration.redirectConfiguration = .disallow
    configuration.timeout.connect = patience
    http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  /// Sends exactly these headers, with the right Host unless another is given.
  func send(
    _ method: HTTPMethod, _ path: String, _ headers: [String: String] = [:], body: String? = nil
  ) async throws -> Answer {
    let response = try await open(method, path, headers, body: body)
    let collected = try await response.body.collect(upTo: 1 << 24)
    return Answer(
      status: Int(response.status.code), headers: response.headers,
      text: String(buffer: collected))
  }

  /// The head of an answer whose body comes as it will.
  func open(
    _ method: HTTPMethod, _ path: String, _ headers: [String: String] = [:], body: String? = nil
  ) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: origin + path)
    request.method = method
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    return try await http.execute(request, timeout: .minutes(10))
  }

  /// As a page of the door that sends a form.
  func post(
    _ path: String, _ fields: [String: String], cookie: String? = nil
  ) async throws -> Answer {
    var headers = ["Origin": origin, "Content-Type": "application/x-www-form-urlencoded"]
    headers["Cookie"] = cookie
    let body = fields.map { "\($0.key)=\(URLText.escaped($0.value))" }.joined(separator: "&")
    return try await send(.POST, path, headers, body: body)
  }

  /// The same with a body that comes as it will.
  ///
  /// - Returns: the status of the answer.
  func post(_ path: String, _ pieces: AsyncStream<ByteBuffer>, cookie: String) async throws -> Int {
    var request = HTTPClientRequest(url: origin + path)
    request.method = .POST
    request.headers.add(name: "Origin", value: origin)
    request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
    request.headers.add(name: "Cookie", value: cookie)
    request.body = .stream(pieces, length: .unknown)
    return Int(try await http.execute(request, timeout: .minutes(10)).status.code)
  }

  /// Makes a code as the owner does.
  func code() throws -> String { try setup.makeCode(for: PhoneTest.settings).code }

  /// Pairs a phone and returns its cookie.
  func pair(_ name: String = "iPhone") async throws -> String {
    let answer = try await post("/pair", ["code": try code(), "name": name])
    return answer.headers["set-cookie"].first.map { String($0.prefix { $0 != ";" }) } ?? ""
  }
}
