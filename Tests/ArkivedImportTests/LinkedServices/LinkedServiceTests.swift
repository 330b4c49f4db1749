import ArkivedCore
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Servers of linked services that misbehave")
struct LinkedServiceTests {
  private let server: CalendarServer
  private let other: CalendarServer
  private static let key = "secret-key-7"

  init() throws {
    server = try CalendarServer()
    other = try CalendarServer { _ in .answer(200, "{\"res\":\"pong\",\"id\":\"a\"}") }
  }

  private func immich(
    _ host: String = "127.0.0.1", allowsPlainHTTP: Bool = false,
    network: CalendarNetwork = TestNetwork.patient
  ) async throws -> ImmichServer {
    try await ImmichServer(
      "http://\(host):\(server.port)", key: Self.key, allowsPlainHTTP: allowsPlainHTTP,
      network: network, answerLimit: 1 << 20, previewLimit: 2 << 20)
  }

  private func dawarich() async throws -> DawarichServer {
    try await DawarichServer(
      "http://127.0.0.1:\(server.port)", key: Self.key, network: TestNetwork.patient)
  }

  /// Runs a request and expects an error that names the address, but not the key.
  private func failure(
    _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> LinkedServiceFailure {
    let error = await #expect(
      throws: LinkedServiceFailure.self, sourceLocation: sourceLocation
    ) { try await body() }
    let found = try #require(error, sourceLocation: sourceLocation)
    #expect(
      found.description.contains("http://"), "\(found.description)",
      sourceLocation: sourceLocation)
    #expect(!found.description.contains(Self.key), sourceLocation: sourceLocation)
    return found
  }

  private func account() async throws -> LinkedServiceFailure {
    try await failure { _ = try await immich().account() }
  }

  private var place: String { "\(server.origin)/" }

  // MARK: What answers

  @Test func anotherProgramIsNotImmich() async throws {
    let page = "<!doctype html><html><head><title>Router</title></head></html>"
    for (body, came) in [
      (page, "a web page"), ("{\"res\":\"ok\"}", "a different program"), ("pong", "something else"),
    ] {
      server.reply { _ in .answer(200, body) }
      #expect(try await account() == .notTheService(place: place, service: .immich, came: came))
    }
    for status in [404, 405, 410] {
      server.reply { _ in .answer(status) }
      guard case .notTheService = try await account() else {
        Issue.record("\(status)")
        return
      }
    }
  }

  @Test func anotherProgramIsNotDawarich() async throws {
    server.reply { _ in .answer(200, "{\"status\":\"ok\"}") }
    let error = try await failure { try await dawarich().check() }
    #expect(
      error == .notTheService(place: place, service: .dawarich, came: "a different program"))
  }

  @Test func theKeyMayBeWrongOrNotEnough() async throws {
    for (status, expected) in [
      (401, LinkedServiceFailure.wrongKey(place: place, service: .immich)),
      (403, .forbidden(place: place, service: .immich)),
    ] {
      server.reply { request in
        request.path == "/api/server/ping" ? .answer(200, "{\"res\":\"pong\"}") : .answer(status)
      }
      #expect(try await account() == expected)
    }
  }

  @Test func aServerThatIsBusySaysWhenToComeBack() async throws {
    server.reply { _ in .answer(503, headers: ["Retry-After": "120"]) }
    let error = try await account()
    #expect(error.retryAfter == .seconds(120))
    #expect(error == .transfer(.serverError(place: place, status: 503, retryAfter: .seconds(120))))
  }

  @Test func nothingListens() async throws {
    let gone = try CalendarServer().port
    let error = try await failure {
      _ = try await ImmichServer(
        "http://127.0.0.1:\(gone)", key: Self.key, network: TestNetwork.patient
      ).account()
    }
    guard case .transfer(.unreachable) = error else {
      Issue.record("\(error)")
      return
    }
  }

  // MARK: Redirects

  @Test func theKeyGoesNowhereElse() async throws {
    let far = other.origin
    server.reply { request in
      .answer(302, headers: ["Location": "\(far)\(request.path)"])
    }
    let error = try await account()
    guard case .transfer(.redirectedElsewhere(_, _, let address, _)) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(address.hasPrefix(far) && other.requests.isEmpty)
  }

  @Test func redirectsOnTheServerAreFollowed() async throws {
    server.reply { request in
      switch request.path {
      case "/api/server/ping": .answer(301, headers: ["Location": "/photos/ping"])
      case "/photos/ping": .answer(200, "{\"res\":\"pong\"}")
      default: .answer(200, "{\"id\":\"me\"}")
      }
    }
    #expect(try await immich().account() == "me")
    #expect(server.requests.allSatisfy { $0.headers["x-api-key"] == Self.key })
  }

  // MARK: Encryption

  @Test func theKeyIsSentUnencryptedOnlyAtHomeAndIfAllowed() async throws {
    server.reply { request in
      .answer(200, request.path == "/api/server/ping" ? "{\"res\":\"pong\"}" : "{\"id\":\"me\"}")
    }
    for (host, isAllowed) in [
      ("nas.example", false), ("calendar.example", false), ("calendar.example", true),
      ("half-home.example", true), ("half-here.example", true), ("half-here.example", false),
    ] {
      let error = try await failure {
        _ = try await immich(host, allowsPlainHTTP: isAllowed).account()
      }
      #expect(error == .unencrypted(place: "http://\(host):\(server.port)/"))
    }
    #expect(server.requests.isEmpty)
    #expect(try await immich("nas.example", allowsPlainHTTP: true).account() == "me")
  }

  // MARK: Answers that are wrong or too large

  @Test func aListThatIsCutOffOrNoneIsRefused() async throws {
    for body in ["{\"assets\":{\"items\":[{\"id\":", "{\"assets\":{}}", "[]", "{}"] {
      server.reply { _ in .answer(200, body) }
      let error = try await failure { _ = try await immich().page(1, updatedAfter: nil) }
      guard case .transfer(.unusableAnswer) = error else {
        Issue.record("\(body): \(error)")
        continue
      }
    }
    for (body, headers) in [
      ("[{\"id\":1,", ["X-Total-Pages": "1"]), ("{}", ["X-Total-Pages": "1"]), ("[]", [:]),
      ("[]", ["X-Total-Pages": "many"]), ("[]", ["X-Total-Pages": "-1"]),
    ] {
      server.reply { _ in .answer(200, headers: headers, body) }
      let error = try await failure {
        _ = try await dawarich().count(from: TestArchive.now, until: TestArchive.now)
      }
      guard case .transfer(.unusableAnswer) = error else {
        Issue.record("\(body): \(error)")
        continue
      }
    }
  }

  @Test func anAnswerWithoutEndIsRefused() async throws {
    let piece = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 18)
    server.reply { _ in
      .drip(Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[".utf8), piece: piece)
    }
    let error = try await failure { _ = try await immich().page(1, updatedAfter: nil) }
    #expect(error == .transfer(.tooLarge(place: place, megabytes: 1)))
  }

  @Test func pagesWithoutEndAreRefused() async throws {
    @Sendable func page(_ number: Int, _ next: String) -> String {
      let photo =
        "{\"id\":\"11111111-0000-4000-8000-\(100_000_000_000 + number)\",\"ownerId\":\"me\","
        + "\"fileCreatedAt\":\"2026-03-10T14:05:00.000Z\",\"updatedAt\":"
        + "\"2026-03-10T14:05:00.000Z\"}"
      return "{\"assets\":{\"items\":[\(photo)],\"nextPage\":\(next)}}"
    }
    // The same page number, one before, one too high, and the same page under other numbers.
    for next in ["\"1\"", "\"0\"", "\"900000\"", "1"] {
      server.reply { _ in .answer(200, page(1, next)) }
      let error = try await failure { _ = try await immich().page(1, updatedAfter: nil) }
      #expect(error == .endless(place: place))
    }
    server.reply { request in
      let number = (try? JSON(parsing: request.body))?["page"]?.int ?? 0
      return .answer(200, page(1, "\"\(number + 1)\""))
    }
    let repeating = try await failure {
      try await immich().list(updatedAfter: nil) { _ in }
    }
    #expect(repeating == .endless(place: place) && server.requests.count == 6)

    server.forget()
    server.reply { _ in
      .answer(
        200, headers: ["X-Total-Pages": "1000"],
        "[{\"id\":1,\"timestamp\":1773137100,\"latitude\":\"52.5\",\"longitude\":\"13.4\"}]")
    }
    let positions = try await failure {
      try await dawarich().points(from: TestArchive.now, until: TestArchive.now) { _, _ in }
    }
    #expect(positions == .endless(place: place) && server.requests.count == 2)
    server.reply { _ in .answer(200, headers: ["X-Total-Pages": "99999999"], "[]") }
    let many = try await failure {
      try await dawarich().points(from: TestArchive.now, until: TestArchive.now) { _, _ in }
    }
    #expect(many == .endless(place: place))
  }

  @Test func aPictureThatIsTooLargeOrCutOffIsRefused() async throws {
    let folder = try TemporaryFolder()
    let photo = try #require(Self.asset([:]))
    let server = server
    server.reply { _ in
      .bytes(Array("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhalf".utf8))
    }
    let cut = try await failure {
      _ = try await immich().fetch(photo, isOriginal: false, into: folder.url)
    }
    guard case .transfer(.unreachable) = cut else {
      Issue.record("\(cut)")
      return
    }
    let large = try TemporaryFolder()
    let piece = [UInt8](repeating: 0xFF, count: 1 << 19)
    server.reply { _ in .drip(Array("HTTP/1.1 200 OK\r\n\r\n".utf8), piece: piece) }
    let error = try await failure {
      _ = try await immich().fetch(photo, isOriginal: false, into: large.url)
    }
    #expect(error == .transfer(.tooLarge(place: place, megabytes: 2)))
  }

  // MARK: Addresses

  @Test(arguments: [
    ("https://photos.example.org", "https://photos.example.org"),
    (" https://Photos.example.org/ ", "https://photos.example.org"),
    ("https://photos.example.org/api", "https://photos.example.org"),
    ("https://example.org/immich/api/", "https://example.org/immich"),
    ("http://192.168.1.5:2283", "http://192.168.1.5:2283"),
    ("https://example.org:443/a/../b//", "https://example.org/b"),
  ])
  func addressesAreKeptInOneForm(_ typed: String, _ kept: String) throws {
    #expect(try LinkedService.immich.address(typed) == kept)
  }

  @Test(arguments: [
    "", "photos.example.org", "ftp://example.org", "https://", "https://me:pass@example.org",
    "https://example.org/?key=1", "https://example.org/#photos", "file:///etc/passwd",
    "webcal://example.org",
  ])
  func otherTextsAreNoAddresses(_ typed: String) {
    let error = #expect(throws: FieldError.self) { try LinkedService.immich.address(typed) }
    #expect(error?.field == "address" && error?.problem.contains("pass@") == false)
  }

  // MARK: What servers write

  private static func asset(_ fields: JSONObject) -> ImmichAsset? {
    var object: JSONObject = [
      "id": "11111111-0000-4000-8000-000000000001", "ownerId": "me",
      "fileCreatedAt": "2026-03-10T14:05:00.000Z", "updatedAt": "2026-03-10T14:05:00.123Z",
    ]
    for (key, value) in fields.members { object[key] = value }
    return ImmichAsset(.object(object))
  }

  @Test func anAssetNeedsAnIdentityAnOwnerAndTimes() throws {
    let plain = try #require(Self.asset([:]))
    #expect(plain.identity == "11111111-0000-4000-8000-000000000001" && plain.isShown)
    #expect(plain.fileName == "photo" && !plain.hasCaption && plain.byteCount == nil)
    for (field, value) in [
      ("id", "../../users/me"), ("id", .null), ("ownerId", .null), ("fileCreatedAt", "yesterday"),
      ("updatedAt", 5),
    ] as [(String, JSON)] {
      #expect(Self.asset([field: value]) == nil, "\(field)")
    }
    let wrong = try #require(
      Self.asset([
        "originalFileName": "../../a/b\u{0}.jpg", "checksum": "short", "type": 5,
        "exifInfo": ["latitude": 91, "longitude": 5, "fileSizeInByte": -5, "description": " "],
      ]))
    #expect(wrong.fileName == "b.jpg" && !wrong.hasCaption && wrong.byteCount == nil)
    #expect(try #require(Self.asset(["visibility": "locked"])).isShown == false)
    #expect(try #require(Self.asset(["isTrashed": true])).isShown == false)
    #expect(try #require(Self.asset(["isArchived": true])).isShown == false)
  }

  @Test func aPositionNeedsATimeAndAPlace() throws {
    func point(_ fields: JSONObject) -> DawarichPoint? {
      var object: JSONObject = [
        "timestamp": 1_773_137_100, "latitude": "52.5", "longitude": "13.4",
      ]
      for (key, value) in fields.members { object[key] = value }
      return DawarichPoint(.object(object))
    }
    let plain = try #require(point([:]))
    #expect(plain.time == 1_773_137_100)
    let line = try JSON(parsing: try #require(plain.line))
    #expect(line["geometry"] == ["type": "Point", "coordinates": [13.4, 52.5]])
    #expect(line["properties"] == ["timestamp": 1_773_137_100, "accuracy": nil])
    // Numbers and text are the same.
    #expect(
      point(["timestamp": "1773137100", "latitude": 52.5, "longitude": 13.4])?.line == plain.line)
    for place in ["", "nan", "91", "north"] {
      #expect(try #require(point(["latitude": .string(place)])).line == nil)
    }
    for time in [JSON.null, "", "1e99", -5, 9_999_999_999_999] {
      #expect(point(["timestamp": time]) == nil)
    }
    let long = try #require(point(["motion": .string(String(repeating: "a", count: 9_000))]))
    #expect((long.line?.utf8.count ?? 0) < 300)
  }
}
