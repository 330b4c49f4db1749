import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import ServiceLifecycle

@testable import ArkivedWeb

/// The web app over a real archive, driven over a real socket on the loopback interface.
struct WebTest: Sendable {
  let test: TestArchive
  let door: Door
  var app: WebApp
  let limits: ServerLimits

  /// As patient as tests need that wait for each other's threads.
  static let patient = ServerLimits(
    unauthenticatedPatience: .minutes(30), patience: .minutes(30),
    pace: BodyPace(grace: .minutes(30)))

  /// Creates a web test that may use a wrong token as often as it likes.
  init(
    mostRefusals: Int = .max, limits: ServerLimits = WebTest.patient,
    confirming: Set<String> = [], account: @escaping PeerAccount.Question = PeerAccount.of
  ) throws {
    self.limits = limits
    test = try TestArchive()
    // A busy computer may take longer than a round for what a test tries in it.
    let refusals = Refusals(limit: mostRefusals, round: .seconds(86_400))
    door = try Door(archive: test.archive, refusals: refusals, account: account)
    app = WebApp(
      archive: test.archive, zone: test.zone, door: door, confirmingAgents: confirming)
  }

  /// Creates a second server for another one's archive.
  init(beside other: WebTest) throws {
    limits = other.limits
    test = other.test
    door = try Door(
      archive: test.archive, refusals: Refusals(limit: .max, round: .seconds(86_400)))
    app = WebApp(archive: test.archive, zone: test.zone, door: door, confirmingAgents: [])
  }

  /// Runs the server while `body` talks to it.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (WebClient) async throws -> Value
  ) async throws -> Value {
    try await serve { client, _ in try await body(client) }
  }

  /// The same with the channel that accepts connections.
  func serve<Value: Sendable>(
    _ body: @escaping @Sendable (WebClient, any Channel) async throws -> Value
  ) async throws -> Value {
    let (listeners, told) = AsyncStream.makeStream(of: (any Channel).self)
    var logger = Logger(label: "web")
    logger.logLevel = .critical
    let connections = ConnectionRegistry(limits)
    let server = AppServer(
      responder: try app.router().buildResponder(),
      server: limits.server(.http, connections), connections: connections,
      configuration: limits.configuration(port: 0), logger: logger,
      onServerRunning: { listener in
        told.yield(listener)
        told.finish()
      })
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(services: [server], logger: logger))
    let running = Task {
      defer { told.finish() }
      try await group.run()
    }
    let result = await answer(listeners, body)
    await group.triggerGracefulShutdown()
    try await running.value
    return try result.get()
  }

  private func answer<Value: Sendable>(
    _ listeners: AsyncStream<any Channel>,
    _ body: @escaping @Sendable (WebClient, any Channel) async throws -> Value
  ) async -> Result<Value, any Error> {
    for await listener in listeners {
      let port = listener.localAddress?.port ?? 0
      door.open(port: port)
      do {
        return .success(try await body(WebClient(port: port, door: door), listener))
      } catch {
        return .failure(error)
      }
    }
    return .failure(FieldError("server", "did not start"))
  }
}

/// Asks the server as the owner's script, as a signed-in browser, or as somebody else.
struct WebClient: Sendable {
  let port: Int
  let door: Door

  var origin: String { "http://127.0.0.1:\(port)" }

  struct Answer: Sendable {
    var status: Int
    var headers: HTTPFields
    var text: String

    var json: JSON { (try? JSON(parsing: text)) ?? .null }
  }

  /// Sends exactly these headers, with the right Host unless another is given.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String] = [:],
    body: String? = nil
  ) async throws -> Answer {
    try await send(method, path, headers, content: body.map { ByteBuffer(string: $0) })
  }

  /// The same with a body that is no text.
  func send(
    _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String],
    content: ByteBuffer?
  ) async throws -> Answer {
    var fields = HTTPFields()
    for (name, value) in headers where name != "Host" {
      if let name = HTTPField.Name(name) { fields[name] = value }
    }
    let request = TestClient.Request(
      path, method: method, authority: headers["Host"] ?? "127.0.0.1:\(port)", headers: fields,
      body: content)
    // Hundreds of tests at once leave a request waiting its turn for longer than the client's own 15 seconds.
    let patience = TestClient.Configuration(timeout: .seconds(600))
    return try await TestClient.withClient(
      host: "127.0.0.1", port: port, configuration: patience
    ) { client in
      let response = try await client.execute(request)
      return Answer(
        status: response.status.code, headers: response.headers,
        text: response.body.map { String(buffer: $0) } ?? "")
    }
  }

  /// As a script with the owner's token.
  func ask(
    _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil,
    _ headers: [String: String] = [:]
  ) async throws -> Answer {
    var all = headers
    all["Authorization"] = "Bearer \(door.ownerToken)"
    if body != nil { all["Content-Type"] = all["Content-Type"] ?? "application/json" }
    return try await send(method, path, all, body: body?.text())
  }

  /// Signs a browser in and returns its cookie.
  func signIn() async throws -> String {
    let answer = try await send(.get, "/login/\(door.makeLoginCode())")
    return answer.headers[.setCookie]?.split(separator: ";").first.map(String.init) ?? ""
  }

  /// As a signed-in browser that sends a form from its own page.
  func post(_ path: String, _ fields: [String: String], cookie: String) async throws -> Answer {
    let body = fields.map { "\($0.key)=\(URLText.escaped($0.value))" }.joined(separator: "&")
    return try await send(
      .post, path,
      [
        "Cookie": cookie, "Origin": origin,
        "Content-Type": "application/x-www-form-urlencoded",
      ], body: body)
  }

  func get(_ path: String, cookie: String) async throws -> Answer {
    try await send(.get, path, ["Cookie": cookie])
  }
}

extension Archive {
  /// Records a sync as an earlier version did, which kept the whole address of a subscription.
  func recordSync(with address: String) throws {
    let now = clock.now
    _ = try write(by: .importer, "calendar", "Synced with \(address)") { scope in
      try scope.record(
        ImportRun(
          id: identities.next(), format: "calendar", source: address, startedAt: now,
          finishedAt: now, created: ["meeting": 1]))
    }
  }
}
