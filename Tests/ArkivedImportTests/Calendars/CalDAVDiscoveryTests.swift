import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite struct CalDAVDiscoveryTests {
  private let server: CalendarServer

  init() throws { server = try CalendarServer() }

  private func calendars(
    _ path: String, _ credentials: CalendarCredentials = .none,
    network: CalendarNetwork = TestNetwork.patient
  ) async throws -> [CalendarChoice] {
    let url = try #require(URL(string: server.origin + path))
    var discovery = CalDAVDiscovery(url: url, credentials: credentials)
    discovery.network = network
    return try await discovery.calendars()
  }

  private static func response(_ href: String, _ properties: String) -> String {
    "<d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>"
      + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
  }

  private static let calendar = "<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>"
  private static let folder = "<d:resourcetype><d:collection/></d:resourcetype>"

  private static let home =
    response("/home/me/", folder)
    + response(
      "/home/me/office/",
      calendar + "<d:displayname> Work &amp;\n Play </d:displayname>"
        + "<i:calendar-color xmlns:i=\"http://apple.com/ns/ical/\">#ff8800AA</i:calendar-color>"
        + "<c:calendar-description>All of it</c:calendar-description>"
        + "<c:supported-calendar-component-set><c:comp name=\"VEVENT\"/><c:comp name=\"VTODO\"/>"
        + "</c:supported-calendar-component-set><d:current-user-privilege-set><d:privilege><d:read/>"
        + "</d:privilege></d:current-user-privilege-set><d:supported-report-set><d:supported-report>"
        + "<d:report><d:sync-collection/></d:report></d:supported-report></d:supported-report-set>")
    + response(
      "\(Self.foreign)/home/me/tr%c3%a4ume/",
      calendar + "<d:current-user-privilege-set><d:privilege><d:all/></d:privilege>"
        + "</d:current-user-privilege-set>")
    + response(
      "tasks/",
      calendar + "<c:supported-calendar-component-set><c:comp name=\"VTODO\"/>"
        + "</c:supported-calendar-component-set>")
    + response(
      "/home/me/inbox/", "<d:resourcetype><d:collection/><c:schedule-inbox/></d:resourcetype>")
    + response("http://elsewhere.example/cal/", calendar)

  /// The same host, as a server behind another one may name it.
  private static let foreign = "https://127.0.0.1:8443"

  /// A whole server: where it says where things are.
  private func serve(principal: String = "/people/me", home: String = "/home/me") {
    server.reply { request in
      switch request.path {
      case "/.well-known/caldav": .answer(301, headers: ["Location": "/dav/"])
      case "/dav/":
        .multistatus(
          Self.response(
            "/dav/",
            "<d:current-user-principal><d:href>\(principal)</d:href></d:current-user-principal>"))
      case "/people/me":
        .multistatus(
          Self.response(
            "/people/me",
            "<c:calendar-home-set><d:href>\(home)</d:href></c:calendar-home-set>"))
      case "/home/me/", "/home/me":
        .multistatus(
          request.headers["depth"] == "1"
            ? Self.home : Self.response("/home/me/", Self.folder))
      case "/home/me/office/":
        .multistatus(Self.response("/home/me/office/", Self.calendar))
      default: .answer(404)
      }
    }
  }

  @Test(arguments: ["", "/", "/dav/", "/people/me", "/home/me", "/home/me/", "/unheard/of"])
  func calendarsAreFoundFromWhereverOneStarts(path: String) async throws {
    serve()
    let found = try await calendars(path)
    #expect(found.map(\.displayName) == ["Work & Play", "träume"])
    let work = try #require(found.first)
    #expect(work.url.absoluteString == "\(server.origin)/home/me/office/")
    #expect(work.color == "#FF8800")
    #expect(work.description == "All of it")
    #expect(work.components == ["VEVENT", "VTODO"])
    #expect(work.canWrite == false)
    #expect(work.supportsSync)
    // Named by another scheme and port of the same host.
    #expect(found.last?.url.absoluteString == "\(server.origin)/home/me/tr%c3%a4ume/")
    #expect(found.last?.canWrite == true)
    #expect(found.last?.supportsSync == false)
  }

  @Test func aCalendarIsItsOwnChoice() async throws {
    serve()
    let found = try await calendars("/home/me/office/")
    #expect(found.map(\.displayName) == ["office"])
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("http://elsewhere.example/people/me", "/home/me"),
    ("/people/me", "http://elsewhere.example/home/me"),
  ])
  func anotherHostIsNamedAndNotAsked(principal: String, home: String) async throws {
    serve(principal: principal, home: home)
    let error = await #expect(throws: CalendarSourceError.self) {
      try await calendars("/", .basic(user: "me", password: "secret"))
    }
    guard case .redirectedElsewhere(_, let host, _, _) = error else {
      return unexpected(error as Any)
    }
    #expect(host == "elsewhere.example")
    #expect(error?.description.contains("http://elsewhere.example/") == true)
  }

  @Test func aServerWithoutCalendarsSaysSo() async throws {
    server.reply { _ in .answer(404) }
    let none = await #expect(throws: CalendarSourceError.self) { try await calendars("/") }
    #expect(none?.description.contains("lists no calendars") == true)
    server.reply { _ in .answer(200, "<html><title>Welcome</title></html>") }
    let page = await #expect(throws: CalendarSourceError.self) { try await calendars("/") }
    #expect(page?.description.contains("Welcome") == true)
    server.reply { _ in .answer(401) }
    let shut = await #expect(throws: CalendarSourceError.self) { try await calendars("/x/y") }
    #expect(shut?.isPassing == false)
    #expect(server.requests.count { $0.path == "/x/y" } == 1)
    server.reply { _ in .silence }
    let silent = await #expect(throws: CalendarSourceError.self) {
      try await calendars("/x/y", network: TestNetwork.hasty)
    }
    guard case .timedOut = silent else { return unexpected(silent as Any) }
  }
}
