import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// A CalDAV server that answers badly: nothing is lost by it.
@Suite struct CalDAVTroubleTests: CalDAVTesting {
  let server: CalendarServer
  private let calendar = CollectedCalendar()
  let shelf = CalendarShelf()

  init() throws { server = try shelf.server() }

  @Test func aPartThatCannotBeHadStaysAsItWas() async throws {
    try await calendar.fetch(source())
    let before = calendar.contents
    for number in 1...3 { put("\(number).ics", "New") }
    shelf.set {
      $0.token = "t2"
      $0.changed = ["1.ics", "2.ics", "3.ics"]
      $0.items["3.ics"] = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMM"
    }
    let shelf = shelf
    server.reply { request in
      guard request.body.contains("multiget") else { return shelf.reply(request) }
      guard case .answer(let status, let headers, let body) = shelf.reply(request) else {
        return .silence
      }
      let text = String(decoding: body, as: UTF8.self).replacingOccurrences(
        of: "(?s)(/cal/2.ics</d:href><d:propstat><d:prop>).*?</d:prop><d:status>HTTP/1.1 200 OK",
        with: "$1<c:calendar-data/></d:prop><d:status>HTTP/1.1 403 No",
        options: .regularExpression)
      return .answer(status, headers: headers, body: Array(text.utf8))
    }
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/1.ics"])
    #expect(calendar.removed.isEmpty)
    #expect(calendar.warnings.count == 2)
    #expect(calendar.contents["/cal/3.ics"] == before["/cal/3.ics"])
  }

  @Test func anAnswerThatIsNoneRemovesNothing() async throws {
    try await calendar.fetch(source())
    let before = calendar.versions
    let head = "<d:multistatus xmlns:d=\"DAV:\">"
    let bomb =
      "<!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
    let deep = String(repeating: "<d:a>", count: 5_000)
    for body in [
      "<html><title>Log in</title></html>", "", "{}", head, head + "<d:response>", head + deep,
      bomb + head + "<d:response><d:href>&b;</d:href></d:response></d:multistatus>",
      "<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>" + head
        + "<d:response><d:href>&a;</d:href></d:response></d:multistatus>",
      "<other/>", head + "</d:multistatus>",
      "<!-- x --><!DOCTYPE d:multistatus []>" + head + "</d:multistatus>",
    ] {
      for status in [207, 200] {
        server.reply { _ in .answer(status, body) }
        let error = await #expect(throws: CalendarSourceError.self, "\(body.prefix(60))") {
          try await calendar.fetch(source())
        }
        #expect(error?.isPassing == true, "\(body.prefix(60))")
      }
    }
    server.reply { _ in .answer(503, headers: ["Retry-After": "7"]) }
    let busy = await #expect(throws: CalendarSourceError.self) {
      try await calendar.fetch(source())
    }
    #expect(busy?.retryAfter == .seconds(7))
    server.reply { _ in .answer(404) }
    let gone = await #expect(throws: CalendarSourceError.self) {
      try await calendar.fetch(source())
    }
    #expect(gone.map { if case .notFound = $0 { true } else { false } } == true)
    #expect(calendar.versions == before)
    #expect(calendar.removed.isEmpty)
  }

  @Test func anEmptyAnswerCountsOnlyWhereThereIsACalendar() async throws {
    try await calendar.fetch(source())
    var source = try source()
    source.trust = .zero
    server.reply { request in
      request.method == "REPORT"
        ? .multistatus("<d:sync-token>x</d:sync-token>")
        : .multistatus(
          "<d:response><d:href>/cal/</d:href><d:propstat><d:prop><d:resourcetype><d:collection/>"
            + "</d:resourcetype></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
            + "</d:response>")
    }
    let error = await #expect(throws: CalendarSourceError.self) { try await calendar.fetch(source) }
    #expect(error.map { if case .notACalendar = $0 { true } else { false } } == true)
    #expect(calendar.versions.count == 3)
    let shelf = shelf
    shelf.set { $0.items = [:] }
    server.reply { shelf.reply($0) }
    try await calendar.fetch(source)
    #expect(calendar.versions.isEmpty)
  }

  @Test func answersThatAreTooLongAreAskedForInParts() async throws {
    let long = String(repeating: "x", count: 7 << 20)
    for number in 1...3 { put("\(number).ics", long) }
    shelf.set {
      $0.items["4.ics"] = CollectedCalendar.event("4", String(repeating: "x", count: 21 << 20))
    }
    try await calendar.fetch(source())
    #expect(calendar.taken == ["/cal/1.ics", "/cal/2.ics", "/cal/3.ics"])
    #expect(calendar.contents["/cal/3.ics"]?.utf8.count ?? 0 > 7 << 20)
    #expect(calendar.warnings.count == 1)
    #expect(calendar.warnings.first?.hasPrefix("/cal/4.ics: is larger than 20 MB") == true)
  }

  @Test func redirectsToAnotherHostAreRefused() async throws {
    let other = try CalendarServer()
    let origin = other.origin
    server.reply { _ in .answer(301, headers: ["Location": origin + "/cal/"]) }
    let error = await #expect(throws: CalendarSourceError.self) {
      try await calendar.fetch(source(.basic(user: "me", password: "secret")))
    }
    guard case .redirectedElsewhere(_, _, let address, _) = error else {
      return unexpected(error as Any)
    }
    #expect(address == origin + "/cal/")
    #expect(other.requests.isEmpty)
  }

  @Test func redirectsOnTheSameHostAreFollowed() async throws {
    let shelf = shelf
    server.reply { request in
      request.path.hasPrefix("/old/")
        ? .answer(308, headers: ["Location": "/cal/"]) : shelf.reply(request)
    }
    let url = try #require(URL(string: server.origin + "/old"))
    var source = CalDAVSource(collection: url)
    source.network = TestNetwork.patient
    try await calendar.fetch(source)
    #expect(calendar.taken.count == 3)
    #expect(calendar.taken.first == "/cal/1.ics")
  }
}
