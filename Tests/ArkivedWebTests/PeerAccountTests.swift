import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import ArkivedWeb

/// A session's cookie goes to every server on this computer that the browser is led to.
@Suite("Sessions from other accounts")
struct PeerAccountTests {
  @Test func aSessionThatAnotherAccountSendsIsWorthNothing() async throws {
    for thief in [PeerAccount.account(geteuid() + 1), .gone] {
      let web = try WebTest(account: { _, _ in thief })
      try await web.run { client in
        let cookie = try await client.signIn()
        #expect(try await client.get("/", cookie: cookie).status == 403)
        let written = try await client.post(
          "/day/2026-03-14/activities", ["text": "by somebody else"], cookie: cookie)
        #expect(written.status == 403)
        #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
      }
      #expect(try web.test.archive.counts().activities == 0)
    }
  }

  @Test func whereTheSystemDoesNotSayTheSessionCountsAsBefore() async throws {
    try await WebTest(account: { _, _ in .unknown }).run { client in
      let cookie = try await client.signIn()
      #expect(try await client.get("/", cookie: cookie).status == 200)
    }
  }

  /// A program of another account can take the port of a server that is ending.
  @Test func theOwnersTokenIsSentToNoServerOfAnotherAccount() async throws {
    let web = try WebTest()
    let archive = web.test.archive
    try await web.run { client in
      let notice = ServerNotice(url: client.origin + "/")
      let refusal = await #expect(throws: NoLoginLink.self) {
        _ = try await notice.makeLoginLink(for: archive) { _ in .account(geteuid() + 1) }
      }
      #expect(refusal?.description.contains("another account") == true)
      for account in [PeerAccount.account(geteuid()), .account(0), .unknown] {
        let link = try await notice.makeLoginLink(for: archive) { _ in account }
        #expect(link.hasPrefix(client.origin + "/login/"))
      }
      #if os(Linux)
        let port = try #require(URL(string: client.origin)?.port)
        #expect(PeerAccount.listening(on: port) == .account(geteuid()))
      #endif
    }
  }

  #if os(Linux)
    @Test func theAccountAtTheOtherEndIsFound() async throws {
      let seen = Mutex<[PeerAccount]>([])
      let web = try WebTest(account: { client, server in
        let found = PeerAccount.of(client: client, server: server)
        seen.withLock { $0.append(found) }
        return found
      })
      try await web.run { client in
        let cookie = try await client.signIn()
        #expect(try await client.get("/", cookie: cookie).status == 200)
      }
      #expect(seen.withLock { $0 } == [.account(geteuid())])
    }
  #endif

  @Test func anAnswerOfTheSystemIsReadWithCare() {
    func answer(type: UInt8, farPort: UInt16, account: UInt8, file: UInt8) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 88)
      (bytes[4], bytes[80], bytes[84]) = (type, account, file)
      (bytes[22], bytes[23]) = (UInt8(farPort >> 8), UInt8(farPort & 0xFF))
      return bytes
    }
    func read(_ bytes: [UInt8]) -> PeerAccount { PeerAccount.read(bytes, serverPort: 8_080) }
    #expect(read(answer(type: 20, farPort: 8_080, account: 7, file: 1)) == .account(7))
    // A listener, and an end that its program closed, which the system tells as root's.
    #expect(read(answer(type: 20, farPort: 0, account: 7, file: 1)) == .gone)
    #expect(read(answer(type: 20, farPort: 8_080, account: 0, file: 0)) == .gone)
    var error = [UInt8](repeating: 0, count: 36)
    error[4] = 2
    error.replaceSubrange(16..<20, with: withUnsafeBytes(of: -ENOENT) { Array($0) })
    #expect(read(error) == .gone)
    error.replaceSubrange(16..<20, with: withUnsafeBytes(of: -EPERM) { Array($0) })
    #expect(read(error) == .unknown)
    #expect(read([]) == .unknown)
    let whole = answer(type: 20, farPort: 8_080, account: 7, file: 1)
    #expect(read(Array(whole.prefix(60))) == .unknown)
  }
}
