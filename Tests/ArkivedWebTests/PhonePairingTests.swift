import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Testing

@testable import ArkivedWeb

@Suite("Pairing a phone")
struct PhonePairingTests {
  @Test func aCodePairsOnePhoneWhichThenReadsAndAdds() async throws {
    let phone = try PhoneTest()
    try phone.test.add("climbed the tower")
    try await phone.run { client in
      let code = try client.code()
      let form = try await client.send(.GET, "/pair/\(code)", ["User-Agent": "Mozilla (iPhone)"])
      #expect(form.status == 200 && form.text.contains(code) && form.text.contains("iPhone"))
      let answer = try await client.post("/pair", ["code": code, "name": "My iPhone"])
      #expect(answer.status == 303 && answer.headers["location"] == ["/"])
      let cookie = answer.headers["set-cookie"].first ?? ""
      for part in [
        "__Host-arkived-phone-\(client.port)=", "HttpOnly", "Secure", "SameSite=Strict", "Path=/",
        "Max-Age=",
      ] {
        #expect(cookie.contains(part), "\(part) in \(cookie)")
      }
      #expect(!cookie.contains("Domain"))
      let held = String(cookie.prefix { $0 != ";" })
      let today = try await client.send(.GET, "/", ["Cookie": held])
      #expect(today.status == 200 && today.text.contains("climbed the tower"))
      let added = try await client.post(
        "/day/2026-03-14/activities",
        ["line": "soup for lunch", "idempotencyKey": "once"], cookie: held)
      #expect(added.status == 303)
      let again = try await client.post(
        "/day/2026-03-14/activities",
        ["line": "soup for lunch", "idempotencyKey": "once"], cookie: held)
      #expect(again.headers["location"] == added.headers["location"])
    }
    #expect(try phone.archive.counts().activities == 2)
    let device = try #require(try phone.archive.devices().first)
    #expect(device.name == "My iPhone" && device.createdAt == TestArchive.now)
  }

  @Test func aCodeWorksOnceAndForTenMinutesAndOnlyTheNewestOne() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let first = try client.code()
      let second = try client.code()
      #expect(try await client.post("/pair", ["code": first, "name": "a"]).status == 403)
      let typed = second.lowercased().replacing("-", with: " ")
      #expect(try await client.post("/pair", ["code": typed, "name": "a"]).status == 303)
      let used = try await client.post("/pair", ["code": second, "name": "b"])
      #expect(used.status == 403 && used.text.contains("already used"))
      #expect(used.headers["set-cookie"].isEmpty)
      let third = try client.code()
      phone.test.clock.advance(seconds: PairingCode.minutes * 60 + 1)
      #expect(try await client.post("/pair", ["code": third, "name": "b"]).status == 403)
      for guess in ["", "0000-0000-0000", String(repeating: "A", count: 9_000)] {
        #expect(try await client.post("/pair", ["code": guess, "name": "b"]).status == 403)
      }
    }
    #expect(try phone.archive.devices().map(\.name) == ["a"])
  }

  @Test func guessingCodesEndsAndShutsNoPairedPhoneOut() async throws {
    let phone = try PhoneTest(fromOne: 10)
    try await phone.run { client in
      let cookie = try await client.pair()
      var statuses: [Int] = []
      for number in 0..<14 {
        let answer = try await client.post("/pair", ["code": "guess \(number)", "name": "x"])
        statuses.append(answer.status)
        #expect(answer.headers["retry-after"].isEmpty == (answer.status == 403))
      }
      #expect(statuses.prefix(10).allSatisfy { $0 == 403 }, "\(statuses)")
      #expect(statuses.suffix(4).allSatisfy { $0 == 429 }, "\(statuses)")
      // Whoever guessed that much would be told no even if the next guess were right.
      let right = try await client.post("/pair", ["code": try client.code(), "name": "x"])
      #expect(right.status == 429)
      #expect(try await client.send(.GET, "/", ["Cookie": cookie]).status == 200)
      // Nor does a guest who guesses keep the owner's own phone from pairing.
      let own = try phone.door.pair(
        code: try client.code(), name: "own", isSame: false, from: "192.168.1.9")
      #expect(try own.get().device.name == "own")
    }
    #expect(try phone.archive.devices().count == 2)
  }

  @Test func guessesAreCountedByAddressAndAllTogetherAndRightOnesNotAtAll() {
    let guesses = PairingGuesses(fromOne: 2, ofAll: 5, round: .seconds(86_400))
    for _ in 0..<50 {
      #expect(guesses.mayTry(from: "192.168.1.2"))
      guesses.wasRight(from: "192.168.1.2")
    }
    #expect((0..<4).map { _ in guesses.mayTry(from: "192.168.1.2") } == [true, true, false, false])
    #expect((0..<3).map { _ in guesses.mayTry(from: nil) } == [true, true, false])
    #expect(guesses.mayTry(from: "192.168.1.3"))
    #expect(!guesses.mayTry(from: "192.168.1.3") && !guesses.mayTry(from: "192.168.1.4"))
    let rounds = PairingGuesses(fromOne: 1, ofAll: 1, round: .zero)
    #expect(rounds.mayTry(from: "192.168.1.2") && rounds.mayTry(from: "192.168.1.2"))
  }

  @Test func aLineWhoseAnswerWasLostIsTheSameEntryWeeksLater() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let cookie = try await client.pair()
      let path = "/day/2026-03-14/activities"
      var fields = ["line": "soup for lunch", "idempotencyKey": "once"]
      let added = try await client.post(path, fields, cookie: cookie)
      for number in 0..<5 {
        phone.test.clock.advance(seconds: 10 * 86_400)
        let other = ["line": "tea \(number)", "idempotencyKey": "\(number)"]
        #expect(try await client.post(path, other, cookie: cookie).status == 303)
      }
      fields["writtenAt"] = TestArchive.now.description
      let again = try await client.post(path, fields, cookie: cookie)
      #expect(again.status == 303 && again.headers["location"] == added.headers["location"])
    }
    #expect(try phone.archive.counts().activities == 6)
  }

  @Test func anotherSiteCannotPair() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let code = try client.code()
      for origin in ["https://evil.test", "null", "http://127.0.0.1:\(client.port)", ""] {
        var headers = ["Content-Type": "application/x-www-form-urlencoded"]
        headers["Origin"] = origin.isEmpty ? nil : origin
        let answer = try await client.send(.POST, "/pair", headers, body: "code=\(code)&name=x")
        #expect(answer.status == 403, "\(origin)")
      }
    }
    #expect(try phone.archive.devices().isEmpty)
  }

  @Test func aNameIsAPhonesOwnUnlessItIsTheSamePhone() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let first = try await client.pair("Ann's phone")
      let code = try client.code()
      let taken = try await client.post("/pair", ["code": code, "name": "ANN'S phone"])
      #expect(taken.status == 422 && taken.text.contains("is already paired"))
      let same = try await client.post(
        "/pair", ["code": code, "name": "Ann's phone", "same": "on"])
      #expect(same.status == 303)
      #expect(try await client.send(.GET, "/", ["Cookie": first]).status == 401)
      let more = try client.code()
      for name in ["", "  ", String(repeating: "n", count: 61), "a\u{7}b"] {
        #expect(try await client.post("/pair", ["code": more, "name": name]).status == 422)
      }
    }
    #expect(try phone.archive.devices().count == 1)
  }

  @Test func aProgramOfThePhoneGetsATokenAndMayNoMoreThanThePhone() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let type = ["Content-Type": "application/json"]
      let code = try client.code()
      let body = "{\"code\":\"\(code)\",\"name\":\"Shortcuts\"}"
      let paired = try await client.send(.POST, "/api/v1/pair", type, body: body)
      let token = try #require(paired.json["token"]?.string)
      #expect(paired.status == 201 && paired.json["device"]?["name"] == "Shortcuts")
      #expect(try await client.send(.POST, "/api/v1/pair", type, body: body).status == 403)
      let door = ["Authorization": "Bearer \(token)"].merging(type) { $1 }
      let added = try await client.send(
        .POST, "/api/v1/activities", door, body: "{\"text\":\"from the phone\"}")
      #expect(added.status == 201, "\(added.text)")
      #expect(try await client.send(.GET, "/api/v1/devices", door).status == 403)
      #expect(try await client.send(.GET, "/api/v1/agents", door).status == 403)
    }
  }

  @Test func whatAPhoneHoldsIsKeptAsAHashAndEndsWhenItStaysAway() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let cookie = try await client.pair()
      let token = String(cookie.drop { $0 != "=" }.dropFirst())
      let door = try #require(try phone.door.device(token: token))
      #expect(door.name == "iPhone")
      guard case .folder(let folder) = phone.archive.location else { return }
      for name in ["archive.sqlite", "archive.sqlite-wal"] {
        let content = try? Data(contentsOf: folder.appendingPathComponent(name))
        #expect(content?.range(of: Data(token.utf8)) == nil)
      }
      phone.test.clock.advance(seconds: 3_600)
      let seen = try await client.send(.GET, "/", ["Cookie": cookie])
      #expect(seen.headers["set-cookie"].first?.contains(token) == true)
      #expect(try phone.archive.devices().first?.lastSeenAt == phone.test.clock.now)
      phone.test.clock.advance(seconds: (PairedDevice.idleDays + 1) * 86_400)
      #expect(try await client.send(.GET, "/", ["Cookie": cookie]).status == 401)
      #expect(try phone.archive.devices().isEmpty)
    }
  }
}
