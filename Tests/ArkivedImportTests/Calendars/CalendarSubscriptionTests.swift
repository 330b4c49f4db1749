import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

/// Ways to calendars that know hosts which do not exist.
enum TestNetwork {
  /// The loopback by the names that it is given; `calendar.example` and `elsewhere.example` seem to
  /// be on the internet, `nas.example` in the house, `half-here.example` and `half-home.example` there
  /// and on the internet.
  static let patient = network(idle: .seconds(600))
  /// The same with little patience.
  static let hasty = network(idle: .milliseconds(400))

  private static func network(idle: Duration) -> CalendarNetwork {
    CalendarNetwork(
      connect: .seconds(600), idle: idle,
      names: [
        "calendar.example": "127.0.0.1", "elsewhere.example": "127.0.0.1",
        "nas.example": "127.0.0.1", "half-here.example": "127.0.0.1",
        "half-home.example": "127.0.0.1",
      ],
      lookUp: { host in
        let inside = [
          "nas.example": ["192.168.1.7"], "trap.example": ["127.0.0.1"],
          "half-here.example": ["127.0.0.1", "93.184.216.34"],
          "half-home.example": ["192.168.1.7", "93.184.216.34"],
        ]
        return inside[host] ?? ["93.184.216.34"]
      })
  }
}

@Suite struct CalendarSubscriptionTests {
  private let folder: TemporaryFolder
  private let server: CalendarServer
  private let calendar = CollectedCalendar()
  private static let text = CollectedCalendar.event("1", "Planning")

  init() throws {
    folder = try TemporaryFolder()
    server = try CalendarServer { _ in .answer(200, Self.text) }
  }

  private func source(
    _ path: String = "/private-abc/basic.ics", host: String = "127.0.0.1",
    _ credentials: CalendarCredentials = .none
  ) throws -> CalendarSubscription {
    let url = try #require(URL(string: "http://\(host):\(server.port)\(path)"))
    var source = CalendarSubscription(
      url: url, credentials: credentials, cacheFolder: folder.url.appending(path: "cache"))
    source.network = TestNetwork.patient
    return source
  }

  /// Fetches and expects an error, after which everything is as it was.
  private func failure(_ source: CalendarSubscription) async throws -> CalendarSourceError {
    let before = calendar.contents
    let error = await #expect(throws: CalendarSourceError.self) { try await calendar.fetch(source) }
    #expect(calendar.contents == before)
    let cache = folder.url.appending(path: "cache").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: cache)) ?? []
    #expect(files == (before.isEmpty ? [] : ["calendar.ics"]))
    let found = try #require(error)
    // The path of a private calendar is its secret.
    #expect(!found.description.contains("private-abc"))
    return found
  }

  // MARK: What goes well

  @Test func whatHasNotChangedIsNotFetchedAgain() async throws {
    server.reply { request in
      request.headers["if-none-match"] == "\"1\"" && request.headers["if-modified-since"] != nil
        ? .answer(304)
        : .answer(
          200,
          headers: ["ETag": "\"1\"", "Last-Modified": "Sat, 14 Mar 2026 20:00:00 GMT"], Self.text)
    }
    try await calendar.fetch(source())
    #expect(calendar.contents == ["calendar.ics": Self.text])
    #expect(server.requests[0].headers["if-none-match"] == nil)
    #expect(server.requests[0].headers["accept-encoding"] == "gzip")
    try await calendar.fetch(source())
    #expect(calendar.taken.isEmpty)
    #expect(server.requests.count == 2)

    server.reply { _ in .answer(200, headers: ["ETag": "\"2\""], CollectedCalendar.event("2")) }
    #expect(try await calendar.fetch(source()).taken == ["calendar.ics"])
  }

  @Test func theSameTextIsNotToldTwiceWhateverItsTag() async throws {
    try await calendar.fetch(source())
    server.reply { _ in .answer(200, headers: ["ETag": "\"other\""], Self.text) }
    #expect(try await calendar.fetch(source()).taken.isEmpty)
  }

  @Test func anArchiveThatLostTheCalendarGetsItWhole() async throws {
    server.reply { request in
      request.headers["if-none-match"] == nil
        ? .answer(200, headers: ["ETag": "\"1\""], Self.text) : .answer(304)
    }
    let source = try source()
    let state = try await source.fetch(known: [:], state: nil, into: calendar)
    let other = CollectedCalendar()
    other.kept = state
    #expect(try await other.fetch(source).taken == ["calendar.ics"])
  }

  @Test func aCopyThatIsGoneIsFetchedAgain() async throws {
    server.reply { request in
      request.headers["if-none-match"] == nil
        ? .answer(200, headers: ["ETag": "\"1\""], Self.text) : .answer(304)
    }
    try await calendar.fetch(source())
    let cache = folder.url.appending(path: "cache")
    try FileManager.default.removeItem(at: cache)
    #expect(try await calendar.fetch(source()).taken.isEmpty)
    let copy = cache.appending(path: CalendarSubscription.name)
    #expect(try String(contentsOf: copy, encoding: .utf8) == Self.text)
  }

  @Test(arguments: ["\u{FEFF}", "\r\n \t\r\n"])
  func whatStandsAroundTheTextIsNoHindrance(start: String) async throws {
    server.reply { _ in .answer(200, start + Self.text + "\r\n<!-- 0.2 s -->\r\n") }
    #expect(try await calendar.fetch(source()).taken.count == 1)
  }

  @Test func packedTextsAreUnpacked() async throws {
    let packed = try #require(Data(base64Encoded: Self.packed))
    server.reply { request in
      request.headers["accept-encoding"] == "gzip"
        ? .answer(200, headers: ["Content-Encoding": "gzip"], body: [UInt8](packed))
        : .answer(200, Self.text)
    }
    try await calendar.fetch(source())
    #expect(calendar.contents["calendar.ics"] == "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")

    // What cannot be unpacked is asked for without.
    server.reply { request in
      request.headers["accept-encoding"] == "gzip"
        ? .answer(200, headers: ["Content-Encoding": "gzip"], "nonsense")
        : .answer(200, Self.text)
    }
    #expect(try await calendar.fetch(source()).contents["calendar.ics"] == Self.text)
    server.reply { _ in .answer(200, headers: ["Content-Encoding": "gzip"], "nonsense") }
    let error = try await failure(source())
    #expect(error.description.contains("compressed incorrectly"))
  }

  /// `BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n` as gzip has it.
  private static let packed =
    "H4sIAAAAAAACA3Nydff0swpzdvRx9XNxDOLlAlLIXADyoVmYIAAAAA=="

  // MARK: Bad answers

  @Test(arguments: [
    (
      "<!DOCTYPE html><html><title> Sign in –\nExample </title><input type=\"password\">",
      "a login page (“Sign in – Example”)"
    ),
    ("<html><head><title>Oops</title></head></html>", "a web page (“Oops”)"),
    ("", "empty"), ("{\"error\": \"gone\"}", "JSON"), ("\u{0}\u{1}garbage", "something else"),
    ("BEGIN:VCARD\r\nEND:VCARD\r\n", "BEGIN:VCARD"), ("<rss/>", "XML"),
  ])
  func whatIsNoCalendarChangesNothing(body: String, says: String) async throws {
    try await calendar.fetch(source())
    server.reply { _ in .answer(200, body) }
    let error = try await failure(source())
    guard case .notACalendar(_, let came) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(came.contains(says))
  }

  @Test func halfABodyChangesNothing() async throws {
    try await calendar.fetch(source())
    let half = String(Self.text.prefix(100))
    // Whole for HTTP, but not for a calendar.
    server.reply { _ in .answer(200, half) }
    guard case .unusableAnswer(_, let reason) = try await failure(source()) else { return }
    #expect(reason.contains("it ends after"))
    let event = String(Self.text.dropLast(15))
    server.reply { _ in .answer(200, event) }
    guard case .unusableAnswer = try await failure(source()) else { return }
    // Broken off on the way.
    server.reply { _ in .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n\(half)".utf8))
    }
    guard case .unreachable(_, let broke) = try await failure(source()) else { return }
    #expect(broke.contains("before the response was complete"))
    server.reply { _ in .bytes([]) }
    guard case .unreachable = try await failure(source()) else { return }
    server.reply { _ in .bytes(Array("nonsense\r\n\r\n".utf8)) }
    let nonsense = try await failure(source())
    #expect(nonsense.isPassing)
  }

  @Test func serversThatCannotAnswerAreAskedAgainLater() async throws {
    server.reply { _ in .answer(500, "sorry") }
    #expect(try await failure(source()).retryAfter == nil)
    server.reply { _ in .answer(503, headers: ["Retry-After": "120"]) }
    let busy = try await failure(source())
    #expect(busy.isPassing)
    #expect(busy.retryAfter == .seconds(120))
    server.reply { _ in .answer(429, headers: ["Retry-After": "Fri, 31 Dec 2100 23:59:59 GMT"]) }
    #expect(try await failure(source()).retryAfter == .seconds(30 * 86_400))
    server.reply { _ in .answer(503, headers: ["Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"]) }
    #expect(try await failure(source()).retryAfter == .zero)
    server.reply { _ in .answer(503, headers: ["Retry-After": "soon"]) }
    #expect(try await failure(source()).retryAfter == nil)
    for status in [404, 410] {
      server.reply { _ in .answer(status) }
      let gone = try await failure(source())
      guard case .notFound = gone else { return unexpected("\(gone)") }
      #expect(!gone.isPassing)
    }
    server.reply { _ in .answer(418) }
    guard case .unusableAnswer = try await failure(source()) else {
      return unexpected("418 is no answer")
    }
  }

  @Test func aServerThatIsSilentOrSlowIsGivenUp() async throws {
    server.reply { _ in .silence }
    var hasty = try source()
    hasty.network = TestNetwork.hasty
    guard case .timedOut(_, 1) = try await failure(hasty) else { return unexpected("waited") }
    // A piece now and then keeps the line alive, but not for ever.
    server.reply { _ in
      .drip(
        Array("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\nBEGIN:VCALENDAR\r\n".utf8),
        piece: Array("X-A:b\r\n".utf8))
    }
    var source = try source()
    source.patience = .milliseconds(700)
    guard case .timedOut = try await failure(source) else { return unexpected("waited") }
  }

  @Test func cancellingEndsAFetchAtOnce() async throws {
    let server = server
    server.reply { _ in
      .drip(
        Array("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\nBEGIN:VCALENDAR\r\n".utf8),
        piece: Array("X-A:b\r\n".utf8))
    }
    let source = try source()
    let fetch = Task { try await calendar.fetch(source) }
    while server.requests.isEmpty { await Task.yield() }
    fetch.cancel()
    await #expect(throws: CancellationError.self) { try await fetch.value }
  }

  @Test func aTextWithoutEndIsRefusedAtTheLimit() async throws {
    let line = Array(
      String(repeating: "X-A:\(String(repeating: "b", count: 60))\r\n", count: 900).utf8)
    server.reply { _ in .drip(Array("HTTP/1.1 200 OK\r\n\r\nBEGIN:VCALENDAR\r\n".utf8), piece: line)
    }
    var source = try source()
    source.limit = 1 << 20
    // A busy machine may need minutes between two pieces.
    source.network = TestNetwork.patient
    let error = try await failure(source)
    guard case .tooLarge(_, 1) = error else { return unexpected("\(error)") }
  }

  @Test func whereNothingListensIsToldInWords() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/calendar.ics"))
    let nowhere = CalendarSubscription(url: url, cacheFolder: folder.url)
    let error = await #expect(throws: CalendarSourceError.self) {
      try await calendar.fetch(nowhere)
    }
    #expect(
      error == .unreachable(place: "http://127.0.0.1:1/…", reason: "no server is running there"))
  }

  @Test(arguments: [
    "ftp://example.org/a.ics", "file:///etc/passwd", "https://me:secret@example.org/a.ics",
    "https:///a.ics", "calendar.ics", "https://example.org:0/a.ics",
  ])
  func addressesThatCannotBeAskedAreRefused(text: String) async throws {
    let url = try #require(URL(string: text))
    let source = CalendarSubscription(url: url, cacheFolder: folder.url)
    let error = await #expect(throws: CalendarSourceError.self) { try await calendar.fetch(source) }
    guard case .unusableAddress = error else { return unexpected("\(String(describing: error))") }
    #expect(error?.description.contains("secret") == false)
  }
}
