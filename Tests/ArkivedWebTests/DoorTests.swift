import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The web app's door")
struct DoorTests {
  private let routes = [
    "/", "/day/2026-03-14", "/search?query=a", "/ask?question=a", "/api/v1/days/2026-03-14",
    "/api/v1/search?query=a", "/api/v1/openapi.json", "/day/2026-03-14/note/edit", "/nowhere",
    "/attachments/00000000-0000-4000-8000-000000000001",
  ]

  @Test func nothingIsServedToAStranger() async throws {
    try await WebTest().run { web in
      for route in routes {
        let query = route + (route.contains("?") ? "&" : "?") + "token=\(web.door.ownerToken)"
        let attempts: [(String, [String: String])] = [
          (route, [:]), (route, ["Authorization": "Bearer wrong"]),
          (route, ["Cookie": "arkived-\(web.port)=wrong"]), (query, [:]),
        ]
        for (path, headers) in attempts {
          let answer = try await web.send(.get, path, headers)
          #expect(answer.status == 401, "\(route) \(headers)")
        }
      }
    }
  }

  @Test func whoeverWasSignedOutWhileWritingIsToldThatTheirWordsAreKept() async throws {
    try await WebTest().run { web in
      let headers = [
        "Cookie": "arkived-\(web.port)=ended", "Origin": web.origin,
        "Content-Type": "application/x-www-form-urlencoded",
      ]
      for (path, isDraft) in [
        ("/day/2026-03-14/activities", true), ("/day/2026-03-14/note", true),
        ("/day/2026-03-14/note/line", true), ("/day/2026-03-14/levels", false),
      ] {
        let answer = try await web.send(.post, path, headers, body: "line=a+walk&note=x")
        #expect(answer.status == 401)
        #expect(answer.text.contains("Your text is kept in") == isDraft, "\(path)")
      }
      let visit = try await web.send(.get, "/day/2026-03-14", ["Cookie": headers["Cookie"] ?? ""])
      #expect(visit.status == 401 && !visit.text.contains("signed out"))
    }
  }

  @Test func onlyTheExactHostIsAnswered() async throws {
    try await WebTest().run { web in
      for host in [
        "evil.test", "evil.test:\(web.port)", "localhost.evil.test:\(web.port)",
        "0.0.0.0:\(web.port)", "127.0.0.1", "127.0.0.1:1", "127.0.0.1:\(web.port).evil.test",
        "[::]:\(web.port)", "",
      ] {
        let answer = try await web.ask(.get, "/api/v1/changes", nil, ["Host": host])
        #expect(answer.status == 421 || answer.status == 400, "\(host) \(answer.status)")
      }
      #expect(try await web.ask(.get, "/api/v1/changes").status == 200)
    }
  }

  /// `localhost` may lead to `::1`, where the server doesn't listen and another program may.
  @Test func whoComesByAnotherNameOfThisComputerIsToldTheRightAddress() async throws {
    try await WebTest().run { web in
      for host in ["localhost", "[::1]", "LOCALHOST", "127.0.0.2", "127.1"] {
        let headers = ["Host": "\(host):\(web.port)"]
        let answer = try await web.ask(.get, "/api/v1/changes", nil, headers)
        #expect(answer.status == 421 && answer.text.contains("\(web.origin)/"), "\(host)")
        let page = try await web.send(.get, "/", headers)
        #expect(page.status == 421 && page.text.contains("\(web.origin)/"), "\(host)")
      }
      #expect(web.door.makeLoginLink().hasPrefix("\(web.origin)/login/"))
    }
  }

  @Test func onlyTheExactOriginMayChangeAnything() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      for origin in [
        "https://evil.test", "null", "http://127.0.0.1", "https://127.0.0.1:\(client.port)",
        "http://localhost.evil.test:\(client.port)", "http://127.0.0.1:\(client.port).evil.test",
        "http://localhost:\(client.port)", "http://[::1]:\(client.port)",
      ] {
        let headers = [
          "Cookie": cookie, "Origin": origin,
          "Content-Type": "application/x-www-form-urlencoded",
        ]
        let answer = try await client.send(
          .post, "/day/2026-03-14/activities", headers, body: "line=evil")
        #expect(answer.status == 403, "\(origin)")
        #expect(
          try await client.ask(.post, "/api/v1/activities", ["text": "evil"], ["Origin": origin])
            .status == 403)
      }
      let without = try await client.send(
        .post, "/day/2026-03-14/activities",
        ["Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"], body: "line=evil")
      #expect(without.status == 403)
    }
    #expect(try web.test.archive.counts().activities == 0)
  }

  @Test func aLoginLinkWorksOnceAndItsCookieIsStrict() async throws {
    try await WebTest().run { web in
      let code = web.door.makeLoginCode()
      let first = try await web.send(.get, "/login/\(code)")
      #expect(first.status == 303 && first.headers[.location] == "/")
      let cookie = first.headers[.setCookie] ?? ""
      for part in ["HttpOnly", "SameSite=Strict", "Path=/", "Max-Age="] {
        #expect(cookie.contains(part), "\(part)")
      }
      #expect(try await web.send(.get, "/login/\(code)").status == 403)
      #expect(try await web.send(.get, "/login/guess").status == 403)
      let session = String(cookie.prefix { $0 != ";" })
      #expect(try await web.get("/", cookie: session).status == 200)
      #expect(try await web.post("/logout", [:], cookie: session).status == 303)
      #expect(try await web.get("/", cookie: session).status == 401)
    }
  }

  @Test func aLoginLinkAndASessionEnd() async throws {
    let web = try WebTest()
    try await web.run { client in
      let code = client.door.makeLoginCode()
      web.test.clock.advance(seconds: (Door.codeMinutes + 1) * 60)
      #expect(try await client.send(.get, "/login/\(code)").status == 403)
      let cookie = try await client.signIn()
      #expect(try await client.get("/", cookie: cookie).status == 200)
      web.test.clock.advance(seconds: (Door.sessionDays + 1) * 86_400)
      #expect(try await client.get("/", cookie: cookie).status == 401)
    }
  }

  @Test func everyAnswerCarriesTheSecurityHeaders() async throws {
    try await WebTest().run { web in
      let cookie = try await web.signIn()
      for route in routes + ["/assets/app.css", "/login/x"] {
        let answer = try await web.get(route, cookie: cookie)
        let policy = answer.headers[try #require(.init("Content-Security-Policy"))] ?? ""
        #expect(policy.contains("default-src 'none'"), "\(route)")
        #expect(!policy.contains("unsafe"), "\(route)")
        #expect(answer.headers[try #require(.init("X-Content-Type-Options"))] == "nosniff")
        #expect(answer.headers[try #require(.init("Access-Control-Allow-Origin"))] == nil)
      }
    }
  }

  @Test func theTokenSurvivesARestartAndOnlyTheOwnerCanReadIt() throws {
    let web = try WebTest()
    #expect(try Door(archive: try web.test.another()).ownerToken == web.door.ownerToken)
    guard case .folder(let folder) = web.test.archive.location else { return }
    let attributes = try FileManager.default.attributesOfItem(
      atPath: folder.appendingPathComponent("owner-token").path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }
}
