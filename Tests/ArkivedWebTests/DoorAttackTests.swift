import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import ArkivedWeb

@Suite("Attacks at the door")
struct DoorAttackTests {
  /// Ways up and out, in the spellings that servers have fallen for.
  static let traversals: [String] = {
    let steps = [
      "..", "%2e%2e", "%2E%2e", ".%2e", "%252e%252e", "..%00", "%c0%ae%c0%ae", "..;", "....",
      "%uff0e%uff0e", "..%0d%0a", "%e0%80%ae%e0%80%ae",
    ]
    let targets = [
      "etc/passwd", "archive.sqlite", "owner-token", "proc/self/environ", "api/v1/days",
    ]
    return steps.flatMap { step in
      ["/", "%2f", "%5c", "%255c"].flatMap { slash in
        targets.map { target in
          Array(repeating: step, count: 4).joined(separator: slash) + slash
            + target.replacingOccurrences(of: "/", with: slash)
        }
      }
    }
  }()

  @Test func noWayLeadsOutOfAnAddress() async throws {
    #expect(Self.traversals.count >= 200)
    let web = try WebTest()
    try web.test.add("a secret walk")
    try await web.run { client in
      let token = client.door.ownerToken
      let rooms = ["/assets/", "/attachments/", "/login/", "/api/v1/days/", "/"]
      let requests = Self.traversals.enumerated().flatMap { number, way -> [RawRequest] in
        // Each way from two rooms: as a stranger, and as the owner.
        let stranger = RawRequest(
          method: "GET", path: rooms[number % 5] + way, host: "127.0.0.1:\(client.port)")
        var owner = stranger
        owner.path = rooms[(number / 5) % 5] + way
        owner.headers = ["Authorization": "Bearer \(token)"]
        return [stranger, owner]
      }
      let secrets = ["root:", "SQLite format", "secret walk", token]
      let wrong = try await requests.answeredWrongly(port: client.port) { status, text in
        (400..<500).contains(status) && !secrets.contains { text.contains($0) }
      }
      #expect(wrong == [])
    }
  }

  @Test func guessingEndsAndShutsNobodyOut() async throws {
    let web = try WebTest(mostRefusals: 20)
    try await web.run { client in
      let cookie = try await client.signIn()
      let agent = try web.test.archive.addAgent(named: "a script").token
      let known = ["Authorization": "Bearer \(agent)"]
      #expect(try await client.send(.get, "/api/v1/tools", known).status == 200)
      var statuses: [Int] = []
      for number in 0..<30 {
        let answer =
          switch number % 3 {
          case 0: try await client.send(.get, "/", ["Authorization": "Bearer guess-\(number)"])
          case 1: try await client.send(.get, "/", ["Cookie": "arkived-\(client.port)=\(number)"])
          default: try await client.send(.get, "/login/guess-\(number)")
          }
        statuses.append(answer.status)
        let isTold = answer.headers[.retryAfter] == "\(Refusals.roundSeconds)"
        #expect(isTold == (answer.status == 429))
      }
      #expect(statuses.prefix(20).allSatisfy { $0 == 401 || $0 == 403 }, "\(statuses)")
      #expect(statuses.suffix(10).allSatisfy { $0 == 429 }, "\(statuses)")
      #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
      #expect(try await client.get("/", cookie: cookie).status == 200)
      #expect(try await client.send(.get, "/api/v1/tools", known).status == 200)
      let another = try await client.signIn()
      #expect(try await client.get("/", cookie: another).status == 200)
    }
  }

  @Test func whoWasSignedInStaysSoAfterARestart() throws {
    let test = try TestArchive()
    let before = try Door(archive: test.archive)
    let session = try #require(try before.signIn(code: before.makeLoginCode()))
    let agent = try test.archive.addAgent(named: "a script").token
    let refusals = Refusals(limit: 2, round: .seconds(86_400))
    let door = try Door(archive: test.archive, refusals: refusals)
    for _ in 0..<5 { _ = refusals.count() }
    #expect(try door.hasSession(session))
    #expect(try door.agent(token: agent)?.name == "a script")
    #expect(try !door.hasSession("guess") && door.agent(token: "guess") == nil)
  }

  @Test func imagesOnOtherSitesAreNoGuesses() async throws {
    let web = try WebTest(mostRefusals: 2)
    try await web.run { client in
      let image = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "image"]
      for number in 0..<10 {
        let answer = try await client.send(.get, "/login/guess-\(number)", image)
        #expect(answer.status == 403)
      }
      // A page that was opened from elsewhere still signs in.
      let page = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"]
      let code = client.door.makeLoginCode()
      #expect(try await client.send(.get, "/login/\(code)", page).status == 200)
      let wrong = try await client.send(.get, "/login/guess", page)
      #expect(wrong.status == 403)
    }
  }

  @Test func onlyWhatWasRightBeforeIsLookedUpAfterTooManyGuesses() {
    let refusals = Refusals(limit: 2, round: .seconds(86_400))
    #expect(refusals.mayTry("a"))
    #expect([refusals.count(), refusals.count(), refusals.count()] == [false, false, true])
    #expect(!refusals.mayTry("a"))
    refusals.remember("a")
    #expect(refusals.mayTry("a") && !refusals.mayTry("b"))
  }

  @Test func floodsOfHeadersAreRefusedAndTheNextRequestIsAnswered() async throws {
    try await WebTest().run { client in
      let token = ["Authorization": "Bearer \(client.door.ownerToken)"]
      let port = client.port
      let many = Dictionary(uniqueKeysWithValues: (0..<5_000).map { ("X-\($0)", "flood") })
      let long = ["X-Long": String(repeating: "a", count: 1 << 20)]
      for headers in [many, long] {
        let flood = RawRequest(
          method: "GET", path: "/api/v1/tags", host: "127.0.0.1:\(port)",
          headers: headers.merging(token) { $1 })
        // It may hang up before all of the flood was sent.
        let status = try await ArkivedTestSupport.onThread {
          (try? flood.answer(port: port).status) ?? 0
        }
        #expect([0, 400, 431].contains(status), "\(status)")
        #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
      }
    }
  }

  @Test func aBodyWithoutEndIsRefused() async throws {
    let web = try WebTest()
    try await web.run { client in
      let port = client.port
      let request = RawRequest(
        method: "POST", path: "/api/v1/activities", host: "127.0.0.1:\(port)",
        headers: [
          "Authorization": "Bearer \(client.door.ownerToken)", "Content-Type": "application/json",
          "Transfer-Encoding": "chunked",
        ])
      let head = try await ArkivedTestSupport.onThread { () -> String in
        let connection = try PlainConnection(port: port)
        try connection.send(request.text)
        let piece = String(repeating: "[", count: 1 << 20)
        for _ in 0..<20 {
          try? connection.send(String(piece.utf8.count, radix: 16) + "\r\n" + piece + "\r\n")
        }
        return String(decoding: connection.receive(), as: UTF8.self)
      }
      #expect(head.isEmpty || head.hasPrefix("HTTP/1.1 413"), "\(head.prefix(40))")
      #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
    }
    #expect(try web.test.archive.counts().activities == 0)
  }

  @Test func whoDribblesIsHungUpOnWhileOthersAreAnswered() async throws {
    // Long enough for whoever does not dribble, on however busy a computer.
    let limits = ServerLimits(unauthenticatedPatience: .seconds(8), patience: .seconds(8))
    let web = try WebTest(limits: limits)
    try await web.run { client in
      let port = client.port
      let slow = try await ArkivedTestSupport.onThread {
        try (0..<40).map { _ in
          let connection = try PlainConnection(port: port)
          try connection.send("GET /api/v1/tags HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nX-")
          return connection
        }
      }
      #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
      let answers = try await ArkivedTestSupport.onThread {
        slow.map { connection in
          try? connection.send("a")
          // Nothing more comes when the server has hung up.
          return String(decoding: connection.receive(), as: UTF8.self)
        }
      }
      #expect(answers.allSatisfy { !$0.hasPrefix("HTTP/1.1 2") })
      #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
    }
  }

  @Test(arguments: [true, false])
  func whoDribblesABodyIsHungUpOnWhetherOrNotItIsRead(isLetIn: Bool) async throws {
    let pace = BodyPace(grace: .milliseconds(300), bytesPerSecond: 1_000)
    let limits = ServerLimits(
      unauthenticatedPatience: .minutes(30), patience: .minutes(30), pace: pace)
    let web = try WebTest(limits: limits)
    try await web.run { client in
      let (port, token) = (client.port, client.door.ownerToken)
      let isHungUp = try await ArkivedTestSupport.onThread {
        let connection = try PlainConnection(port: port)
        try connection.send(
          "POST /api/v1/activities HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
            + "Authorization: Bearer \(isLetIn ? token : "wrong")\r\n"
            + "Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n")
        // Far longer than it takes; a server that goes on listening would take all of it.
        for _ in 0..<3_000 {
          guard (try? connection.send(" ")) != nil else { return true }
          usleep(20_000)
        }
        return false
      }
      #expect(isHungUp)
      let text = String(repeating: "long ", count: 40_000)
      let answer = try await client.ask(
        .post, "/api/v1/activities", ["text": .string("honest"), "notes": .string(text)])
      #expect(answer.status == 201, "\(answer.text.prefix(200))")
    }
  }

  @Test func aBodyIsTooSlowByItsMeanRateAfterAGrace() {
    let pace = BodyPace(grace: .seconds(60), bytesPerSecond: 1_000)
    #expect(!pace.isTooSlow(0, waited: .seconds(59)))
    #expect(pace.isTooSlow(10, waited: .seconds(61)))
    #expect(!pace.isTooSlow(1_000_000, waited: .seconds(1_000)))
    #expect(pace.isTooSlow(1_000_000, waited: .seconds(1_100)))
  }
}
