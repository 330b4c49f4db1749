import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct CalendarRedirectTests {
  private let folder: TemporaryFolder
  private let server: CalendarServer
  private let other: CalendarServer
  private let calendar = CollectedCalendar()

  init() throws {
    folder = try TemporaryFolder()
    server = try CalendarServer()
    other = try CalendarServer { _ in .answer(200, CollectedCalendar.event("1")) }
  }

  private func source(
    host: String = "127.0.0.1", _ credentials: CalendarCredentials = .none
  ) throws -> CalendarSubscription {
    let url = try #require(URL(string: "http://\(host):\(server.port)/a.ics"))
    var source = CalendarSubscription(
      url: url, credentials: credentials, cacheFolder: folder.url.appending(path: "cache"))
    source.network = TestNetwork.patient
    source.allowsPlainHTTP = true
    return source
  }

  private func leads(to location: String, status: Int = 302) {
    server.reply { request in
      request.path == "/end.ics"
        ? .answer(200, CollectedCalendar.event("1"))
        : .answer(status, headers: ["Location": location])
    }
  }

  private func failure(_ source: CalendarSubscription) async throws -> CalendarSourceError {
    let error = await #expect(throws: CalendarSourceError.self) { try await calendar.fetch(source) }
    #expect(calendar.contents.isEmpty)
    return try #require(error)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func redirectsOnTheSameHostAreFollowedWithThePassword(status: Int) async throws {
    leads(to: "/end.ics", status: status)
    try await calendar.fetch(source(.basic(user: "me", password: "secret")))
    #expect(calendar.taken.count == 1)
    #expect(
      server.requests.map { $0.headers["authorization"] } == [
        "Basic bWU6c2VjcmV0", "Basic bWU6c2VjcmV0",
      ])
  }

  @Test func thePasswordNeverGoesToAnotherHostOrPort() async throws {
    for credentials in [
      CalendarCredentials.basic(user: "me", password: "secret"), .bearer(token: "secret"),
    ] {
      leads(to: "\(other.origin)/far.ics")
      let calendar = CollectedCalendar()
      try await calendar.fetch(source(credentials))
      #expect(calendar.taken.count == 1)
      #expect(other.requests.last?.path == "/far.ics")
      #expect(other.requests.last?.headers["authorization"] == nil)
    }
    other.reply { _ in .answer(401) }
    let error = try await failure(source(.bearer(token: "secret")))
    guard case .unauthorised(_, let reason) = error else { return unexpected("\(error)") }
    #expect(reason.contains("only sent to the address you entered"))
  }

  @Test func thePasswordReturnsWithTheHost() async throws {
    let back = "\(server.origin)/end.ics"
    other.reply { _ in .answer(302, headers: ["Location": back]) }
    leads(to: "\(other.origin)/far.ics")
    try await calendar.fetch(source(.bearer(token: "secret")))
    #expect(other.requests.map { $0.headers["authorization"] } == [nil])
    #expect(server.requests.last?.headers["authorization"] == "Bearer secret")
  }

  @Test func circlesAndLongWaysEnd() async throws {
    leads(to: "/a.ics")
    guard case .redirectLoop = try await failure(source()) else { return unexpected("went on") }
    #expect(server.requests.count == 1)
    let server = server
    server.reply { _ in .answer(302, headers: ["Location": "/\(server.requests.count).ics"]) }
    server.forget()
    guard case .tooManyRedirects = try await failure(source()) else { return unexpected("went on") }
    #expect(server.requests.count == 6)
    leads(to: "")
    _ = try await failure(source())
    server.reply { _ in .answer(302) }
    guard case .unusableAnswer = try await failure(source()) else { return unexpected("went on") }
  }

  @Test(arguments: [
    "127.0.0.1", "localhost", "[::1]", "10.1.2.3", "192.168.0.1", "169.254.169.254", "172.31.0.1",
    "[fe80::1]", "[fd00::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "nas.example", "trap.example",
  ])
  func aServerOutsideNeverLeadsInside(host: String) async throws {
    leads(to: "http://\(host):\(other.port)/admin")
    let error = try await failure(source(host: "calendar.example"))
    guard case .redirectedElsewhere(_, _, _, let reason) = error else {
      return unexpected("\(error)")
    }
    #expect(reason.contains("not followed"))
    #expect(other.requests.isEmpty)
  }

  @Test func aServerInTheHouseNeverLeadsToThisComputer() async throws {
    leads(to: "\(other.origin)/far.ics")
    guard case .redirectedElsewhere = try await failure(source(host: "nas.example")) else {
      return unexpected("went on")
    }
    // Nor does a name that only partly means this computer.
    leads(to: "\(other.origin)/far.ics")
    guard case .redirectedElsewhere = try await failure(source(host: "half-here.example")) else {
      return unexpected("went on")
    }
    leads(to: "http://elsewhere.example:\(other.port)/far.ics")
    try await calendar.fetch(source(host: "calendar.example"))
    #expect(calendar.taken.count == 1)
  }

  @Test func passwordsDoNotTravelInTheOpen() async throws {
    server.reply { _ in .answer(200, CollectedCalendar.event("1")) }
    let secret = CalendarCredentials.basic(user: "me", password: "secret")
    var source = try source(host: "calendar.example", secret)
    // A name that only partly means this computer may lead elsewhere.
    var half = try self.source(host: "half-here.example", secret)
    source.allowsPlainHTTP = false
    half.allowsPlainHTTP = false
    for source in [source, half] {
      let error = try await failure(source)
      guard case .unauthorised(_, let reason) = error else { return unexpected("\(error)") }
      #expect(reason.contains("https://"))
    }
    #expect(server.requests.isEmpty)
    source.allowsPlainHTTP = true
    try await calendar.fetch(source)
    #expect(server.requests.count == 1)
  }

  @Test func aRefusedPasswordSaysWhatToDo() async throws {
    server.reply { _ in .answer(401, headers: ["WWW-Authenticate": "Basic realm=\"x\""]) }
    #expect(try await failure(source()).description.contains("needs a name and password"))
    let wrong = try await failure(source(.basic(user: "me", password: "hunter2")))
    #expect(wrong.description.contains("(401)"))
    #expect(wrong.description.contains("Try https://"))
    #expect(!wrong.description.contains("hunter2"))
    #expect(!wrong.isPassing)
    server.reply { _ in .answer(401, headers: ["WWW-Authenticate": "Digest realm=\"x\""]) }
    #expect(
      try await failure(source(.basic(user: "me", password: "hunter2"))).description
        .contains("doesn’t accept a name and password"))
    server.reply { _ in .answer(403) }
    guard case .forbidden = try await failure(source()) else { return unexpected("403") }
    // A page that repeats the secret.
    server.reply { _ in .answer(200, "<html><title>No, hunter2 is wrong</title></html>") }
    let page = try await failure(source(.bearer(token: "hunter2")))
    #expect(!page.description.contains("hunter2"))
    await #expect(throws: CalendarSourceError.self) {
      try await calendar.fetch(source(.bearer(token: "a\r\nX-Evil: 1")))
    }
  }
}
