import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("Links that sign in")
struct LoginLinkTests {
  @Test func theOwnerAloneMakesFurtherOnes() async throws {
    let web = try WebTest()
    let agent = try web.test.archive.addAgent(named: "Robot").token
    try await web.run { client in
      let made = try await client.ask(.post, "/api/v1/login")
      #expect(made.status == 201)
      let link = try #require(made.json["login"]?.string)
      #expect(link.hasPrefix(client.origin + "/login/"))
      let path = String(link.dropFirst(client.origin.count))
      #expect(try await client.send(.get, path).status == 303)
      #expect(try await client.send(.get, path).status == 403)
      let asked = ["Authorization": "Bearer \(agent)"]
      #expect(try await client.send(.post, "/api/v1/login", asked).status == 403)
      #expect(try await client.send(.post, "/api/v1/login").status == 401)
      #expect(try await client.ask(.post, "/api/v1/login?x=1").status >= 400)
    }
  }

  @Test func whoComesFromElsewhereIsLedOnByThePageItself() async throws {
    try await WebTest().run { web in
      let answer = try await web.send(
        .get, "/login/\(web.door.makeLoginCode())", ["Sec-Fetch-Site": "cross-site"])
      #expect(answer.status == 200 && answer.headers[.location] == nil)
      #expect(answer.text.contains("http-equiv=\"refresh\" content=\"0; url=/\""))
      #expect(answer.headers[.setCookie]?.contains("SameSite=Strict") == true)
      let wrong = try await web.send(.get, "/login/guess", ["Sec-Fetch-Site": "cross-site"])
      #expect(wrong.status == 403 && wrong.headers[.setCookie] == nil)
    }
  }

  @Test func aBrowserThatIsSignedOutIsLedToTheAppBeforeTheTerminal() async throws {
    try await WebTest().run { web in
      for path in ["/", "/login/guess"] {
        let page = try await web.send(.get, path, ["Accept": "text/html"])
        #expect(page.status == 401 || page.status == 403, "\(path)")
        let app = try #require(page.text.range(of: "pen Arkived from your applications"), "\(path)")
        let command = try #require(page.text.range(of: "arkived open"), "\(path)")
        #expect(app.lowerBound < command.lowerBound, "\(path)")
      }
    }
  }

  @Test func aServersPlaceIsTakenOnceAndFreeAgain() async throws {
    let web = try WebTest()
    guard case .folder(let home) = web.test.archive.location else { return }
    #expect(ServerNotice.current(of: home) == nil)
    let place = try await ServerPlace.take(in: home, isBeside: false)
    // It has said nothing yet, and nobody answers.
    await #expect(throws: AlreadyServed.self) {
      _ = try await ServerPlace.take(in: home, isBeside: false, patience: .milliseconds(1))
    }
    place.tell(ServerNotice(url: "http://127.0.0.1:9/"))
    #expect(ServerNotice.current(of: home)?.url == "http://127.0.0.1:9/")
    _ = try await ServerPlace.take(in: home, isBeside: true)
    #expect(ServerNotice.current(of: home)?.url == "http://127.0.0.1:9/")
    place.leave()
    #expect(ServerNotice.read(in: home) == nil)
  }
}
