import ArkivedStore
import ArkivedTestSupport
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import ArkivedWeb

/// Which server a request names: one, and this one.
@Suite("The address of a request")
struct DoorAddressTests {
  /// Sends the lines of a head, with the owner's token.
  ///
  /// - Returns: the status of the answer; 0 if the connection ended without one.
  private func send(_ lines: [String], _ client: WebClient) async throws -> Int {
    let token = client.door.ownerToken
    let head = lines + ["Authorization: Bearer \(token)", "Content-Length: 0", "", ""]
    return try await ArkivedTestSupport.onThread {
      let connection = try PlainConnection(port: client.port)
      try connection.send(head.joined(separator: "\r\n"))
      let answer = String(decoding: connection.receive(), as: UTF8.self)
      return Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0
    }
  }

  @Test func aRequestNamesExactlyOneHost() async throws {
    try await WebTest().run { client in
      let (tags, own) = ("GET /api/v1/tags HTTP/1.1", "127.0.0.1:\(client.port)")
      #expect(try await send([tags, "Host: \(own)"], client) == 200)
      #expect(try await send([tags, "hOsT:\(own)"], client) == 200)
      for hosts in [
        ["Host: \(own)", "Host: \(own)"], ["Host: \(own)", "Host: evil.test"],
        ["Host: evil.test", "Host: \(own)"], ["Host: \(own)", "X-A: b", "host: \(own)"],
        ["Host: \(own)", "Host:"], ["Host:"], ["Host: "], [],
      ] {
        #expect(try await send([tags] + hosts, client) == 400, "\(hosts)")
        #expect(
          try await send(["POST /api/v1/login HTTP/1.1"] + hosts, client) == 400, "\(hosts)")
      }
      for value in ["\(own), \(own)", "\(own) evil.test", "\(own)/", "user@\(own)", "\(own)."] {
        let status = try await send([tags, "Host: \(value)"], client)
        #expect([400, 421].contains(status), "\(value) \(status)")
      }
      #expect(try await send(["GET /api/v1/tags HTTP/1.0"], client) == 400)
    }
  }

  @Test func aTargetOnAnotherServerIsRefused() async throws {
    try await WebTest().run { client in
      let own = "127.0.0.1:\(client.port)"
      for target in [
        "http://evil.test/api/v1/tags", "http://evil.test:\(client.port)/api/v1/tags",
        "http://localhost:\(client.port)/api/v1/tags", "http://127.0.0.1/api/v1/tags",
        "http://\(own)0/api/v1/tags", "http://\(own)@evil.test/api/v1/tags",
        "http://user@\(own)/api/v1/tags", "https://\(own)/api/v1/tags", "evil:/api/v1/tags",
        "http:/api/v1/tags", "http:///api/v1/tags", "*", "api/v1/tags",
      ] {
        for method in ["GET", "POST", "OPTIONS"] {
          let status = try await send(["\(method) \(target) HTTP/1.1", "Host: \(own)"], client)
          #expect(status == 400, "\(method) \(target) \(status)")
        }
      }
      for target in ["evil.test:443", own, "127.0.0.1:443"] {
        let status = try await send(["CONNECT \(target) HTTP/1.1", "Host: \(own)"], client)
        #expect(status == 400, "CONNECT \(target) \(status)")
      }
      // A target in full on this server is what stands behind it.
      for (target, status) in [
        ("http://\(own)/api/v1/tags", 200), ("http://\(own)/nowhere", 404), ("http://\(own)", 200),
        ("http://\(own)?a=b", 200),
      ] {
        let answer = try await send(["GET \(target) HTTP/1.1", "Host: \(own)"], client)
        #expect(answer == status, "\(target) \(answer)")
        let other = try await send(["GET \(target) HTTP/1.1", "Host: evil.test"], client)
        #expect(other == 400, "\(target) \(other)")
      }
    }
  }

  @Test func nothingIsReadBehindARequestThatIsRefused() async throws {
    let web = try WebTest()
    try await web.run { client in
      let (token, port) = (client.door.ownerToken, client.port)
      let body = #"{"text":"smuggled"}"#
      let answer = try await ArkivedTestSupport.onThread {
        let connection = try PlainConnection(port: port)
        try connection.send(
          "GET http://evil.test/ HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
            + "POST /api/v1/activities HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            + "Authorization: Bearer \(token)\r\nContent-Type: application/json\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        var text = ""
        // The server hangs up behind its answer.
        while true {
          let piece = connection.receive()
          guard !piece.isEmpty else { return text }
          text += String(decoding: piece, as: UTF8.self)
        }
      }
      #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("onnection: close"))
      #expect(!answer.contains("HTTP/1.1 201"))
    }
    #expect(try web.test.archive.counts().activities == 0)
  }

  /// What follows it would be kept for the other protocol, without end.
  @Test func aRequestForAnotherProtocolIsAnsweredAndIsTheLast() async throws {
    try await WebTest().run { client in
      let connection = try KeptConnection(port: client.port)
      let headers = [
        "Authorization": "Bearer \(client.door.ownerToken)", "Upgrade": "h2c",
      ]
      let status = try await connection.ask("GET", "/api/v1/tags", headers, port: client.port)
      #expect(status == 200)
      try await connection.waitForEnd()
    }
  }

  @Test func theOriginIsThatOfTheHostThatIsNamed() async throws {
    try await WebTest().run { client in
      let own = "127.0.0.1:\(client.port)"
      let lines = ["POST /api/v1/login HTTP/1.1", "Host: \(own)"]
      #expect(try await send(lines + ["Origin: http://\(own)"], client) == 201)
      for origins in [
        ["http://localhost:\(client.port)"], ["http://[::1]:\(client.port)"], ["https://\(own)"],
        ["http://127.0.0.1"], ["HTTP://\(own)"], ["http://\(own)/"], ["null"], [""],
        ["http://\(own)", "http://\(own)"], ["http://\(own)", "https://evil.test"],
        ["https://evil.test", "http://\(own)"], ["http://\(own)", "null"],
        ["http://\(own), http://\(own)"],
      ] {
        let status = try await send(lines + origins.map { "Origin: \($0)" }, client)
        #expect(status == 403, "\(origins) \(status)")
      }
    }
  }

  @Test func whatAHeadAsksForIsReadWithCare() {
    func path(_ uri: String, _ hosts: [String], _ scheme: RequestTargetHandler.Scheme) -> String? {
      let headers = HTTPHeaders(hosts.map { ("Host", $0) })
      let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: uri, headers: headers)
      return RequestTargetHandler.path(of: head, scheme: scheme)
    }
    #expect(path("/a?b", ["one:1"], .http) == "/a?b")
    #expect(path("//other/a", ["one:1"], .http) == "//other/a")
    #expect(path("http://one:1/a", ["one:1"], .http) == "/a")
    #expect(path("http://one:1", ["one:1"], .http) == "/")
    #expect(path("http://one:1?a", ["one:1"], .http) == "/?a")
    #expect(path("https://one:1/a", ["one:1"], .https) == "/a")
    for (uri, hosts, scheme) in [
      ("/a", [], .http), ("/a", [""], .http), ("/a", ["one", "one"], .http), ("", ["one"], .http),
      ("http://one:11/a", ["one:1"], .http), ("http://one:1#a", ["one:1"], .http),
      ("http://two/a", ["one"], .http), ("http://one/a", ["one"], .https),
      ("http://one\u{301}/a", ["one"], .http), ("*", ["one"], .http), ("one:1", ["one:1"], .http),
    ] as [(String, [String], RequestTargetHandler.Scheme)] {
      #expect(path(uri, hosts, scheme) == nil, "\(uri) \(hosts) \(scheme)")
    }
  }

  @Test func thePhonesServerHoldsRequestsToOneAddressToo() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let (own, port) = ("127.0.0.1:\(client.port)", client.port)
      func status(_ headers: [(String, String)]) async throws -> Int {
        try await client.status("/pair", headers)
      }
      #expect(try await status([("Host", own)]) == 200)
      #expect(try await status([("Host", own), ("Origin", "https://\(own)")]) == 200)
      #expect(try await status([("Host", own), ("Host", own)]) == 400)
      #expect(try await status([("Host", "")]) == 400)
      let origins = [("Origin", "https://\(own)"), ("Origin", "https://\(own)")]
      #expect(try await status([("Host", own)] + origins) == 403)
      // It goes by two names, and the page of one isn't that of the other.
      let address = try #require(HomeAddress("127.0.0.1"))
      let name = "study.local:\(port)"
      phone.door.open(at: PhoneDoor.Place(address: address, port: port, name: "study.local"))
      for (host, origin, expected) in [
        (own, own, 200), (name, name, 200), (own, name, 403), (name, own, 403),
      ] {
        let found = try await status([("Host", host), ("Origin", "https://\(origin)")])
        #expect(found == expected, "\(host) \(origin) \(found)")
      }
    }
  }
}

extension PhoneClient {
  /// Asks with headers that may stand there twice.
  ///
  /// - Returns: the status of the answer.
  fileprivate func status(_ path: String, _ headers: [(String, String)]) async throws -> Int {
    var request = HTTPClientRequest(url: origin + path)
    for (name, value) in headers { request.headers.add(name: name, value: value) }
    let response = try await http.execute(request, timeout: .minutes(10))
    return Int(response.status.code)
  }
}
