import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ArkivedWeb

/// Many connections at once: the owner gets in beside them.
@Suite("Crowds at the door", .timeLimit(.minutes(20)))
struct DoorCrowdTests {
  private static let hour = TimeAmount.hours(1)

  private func owner(_ client: WebClient) -> [String: String] {
    ["Authorization": "Bearer \(client.door.ownerToken)"]
  }

  /// Connections of nobody who says anything.
  private func silent(_ count: Int, port: Int) async throws -> [PlainConnection] {
    try await ArkivedTestSupport.onThread {
      try (0..<count).map { _ in try PlainConnection(port: port) }
    }
  }

  @Test func theOwnerIsAnsweredBesideAThousandSilentConnections() async throws {
    FileDescriptorLimit.raise()
    let limits = ServerLimits(unauthenticatedPatience: Self.hour, patience: Self.hour)
    try await WebTest(limits: limits).run { client in
      let cookie = try await client.signIn()
      let crowd = try await silent(1_000, port: client.port)
      // Would they keep the owner waiting, that would be for an hour.
      for _ in 0..<5 {
        #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
        #expect(try await client.get("/", cookie: cookie).status == 200)
      }
      for connection in crowd { connection.hangUp() }
    }
  }

  @Test func aNewConnectionTakesThePlaceOfTheOldestStranger() async throws {
    let limits = ServerLimits(
      unauthenticated: 16, unauthenticatedPatience: Self.hour, patience: Self.hour)
    try await WebTest(limits: limits).run { client in
      let port = client.port
      let first = try KeptConnection(port: port)
      // It has asked, and shown no right.
      #expect(try await first.ask("GET", "/api/v1/tags", port: port) == 401)
      let crowd = try await silent(16, port: port)
      try await first.waitForEnd()
      #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
      for connection in crowd { connection.hangUp() }
    }
  }

  @Test func aSilentConnectionOutlivesStrangersWhoBeganToAskBeforeIt() {
    let registry = ConnectionRegistry(ServerLimits(unauthenticated: 8))
    let closed = Mutex<Set<Int>>([])
    let channels = (0..<11).map { number in
      let channel = EmbeddedChannel()
      channel.closeFuture.whenComplete { _ in closed.withLock { _ = $0.insert(number) } }
      return channel
    }
    for stranger in channels[..<8] { registry.beginRequest(registry.add(stranger)) }
    let id = registry.add(channels[8])
    for newer in channels[9...] { _ = registry.add(newer) }
    registry.beginRequest(id)
    registry.raise(id, to: .owner)
    for channel in channels { channel.embeddedEventLoop.run() }
    // The three oldest made room.
    #expect(closed.withLock { $0 } == [0, 1, 2])
  }

  @Test func whoHasShownARightStaysHoweverManyCome() async throws {
    let limits = ServerLimits(
      unauthenticated: 16, unauthenticatedPatience: .seconds(8), patience: Self.hour)
    let web = try WebTest(limits: limits)
    let agent = ["Authorization": "Bearer \(try web.test.archive.addAgent(named: "Robot").token)"]
    try await web.run { client in
      let port = client.port
      let session = ["Cookie": try await client.signIn()]
      var known: [(connection: KeptConnection, headers: [String: String])] = []
      for headers in [self.owner(client), session, agent] {
        let connection = try KeptConnection(port: port)
        #expect(try await connection.ask("GET", "/api/v1/tags", headers, port: port) == 200)
        known.append((connection, headers))
      }
      // A stream of the owner, which says nothing for a while.
      let listener = try await EventListener.open(
        port: port, "/api/v1/events", headers: self.owner(client))
      _ = await listener.next(1, "today")
      // Three times as many as there are places; the last of them go by themselves.
      let crowd = try await silent(48, port: port)
      try await ArkivedTestSupport.onThread {
        for connection in crowd { while !connection.receive().isEmpty {} }
      }
      for (connection, headers) in known {
        #expect(try await connection.ask("GET", "/api/v1/tags", headers, port: port) == 200)
      }
      try web.test.add("heard")
      #expect(await listener.next(1).count == 1)
    }
  }

  @Test func whoShowsNoRightIsHungUpOnSoon() async throws {
    let limits = ServerLimits(unauthenticatedPatience: .seconds(4), patience: Self.hour)
    try await WebTest(limits: limits).run { client in
      let port = client.port
      let asked = try KeptConnection(port: port)
      #expect(try await asked.ask("GET", "/api/v1/tags", port: port) == 401)
      let answers = try await ArkivedTestSupport.onThread {
        let head = "GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nX-"
        let dribbling = try [0, 1, 16, head.utf8.count].map { count in
          let connection = try PlainConnection(port: port)
          try connection.send(String(head.prefix(count)))
          return connection
        }
        // They would wait for an hour otherwise.
        return dribbling.map { $0.receive().count }
      }
      #expect(answers == [0, 0, 0, 0])
      try await asked.waitForEnd()
    }
  }

  @Test func programsTakeNoPlaceOfTheOwner() async throws {
    let limits = ServerLimits(
      connections: 4, programs: 2, unauthenticatedPatience: Self.hour, patience: Self.hour)
    let web = try WebTest(limits: limits)
    let agent = ["Authorization": "Bearer \(try web.test.archive.addAgent(named: "Robot").token)"]
    try await web.run { client in
      let port = client.port
      let own = try KeptConnection(port: port)
      #expect(try await own.ask("GET", "/api/v1/tags", self.owner(client), port: port) == 200)
      var programs: [KeptConnection] = []
      for _ in 0..<6 {
        let connection = try KeptConnection(port: port)
        #expect(try await connection.ask("GET", "/api/v1/tags", agent, port: port) == 200)
        programs.append(connection)
      }
      // Those that were used least recently went for the others.
      for connection in programs.prefix(4) { try await connection.waitForEnd() }
      for connection in programs.suffix(2) {
        #expect(try await connection.ask("GET", "/api/v1/tags", agent, port: port) == 200)
      }
      #expect(try await own.ask("GET", "/api/v1/tags", self.owner(client), port: port) == 200)
    }
  }

  @Test func aConnectionAtWorkIsNotEndedForAnother() async throws {
    let limits = ServerLimits(
      connections: 2, unauthenticated: 16, unauthenticatedPatience: Self.hour,
      patience: Self.hour)
    let web = try WebTest(limits: limits)
    try await web.run { client in
      let port = client.port
      var listeners: [EventListener] = []
      for _ in 0..<2 {
        let listener = try await EventListener.open(
          port: port, "/api/v1/events", headers: self.owner(client))
        _ = await listener.next(1, "today")
        listeners.append(listener)
      }
      for _ in 0..<4 { #expect(try await client.ask(.get, "/api/v1/tags").status == 200) }
      try web.test.add("heard")
      for listener in listeners { #expect(await listener.next(1).count == 1) }
    }
  }

  @Test func aPageIsShownWhileMoreWritersWaitThanThereAreThreads() async throws {
    let web = try WebTest()
    let other = try web.test.another()
    try web.test.archive.prepareToWrite()
    try await web.run { client in
      let (held, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      // Nobody else can write as long as this one does.
      async let holding: Void = ArkivedTestSupport.onThread {
        _ = try other.write(by: .owner, "test", "Held") { _ in
          held.signal()
          release.wait()
        }
      }
      defer { release.signal() }
      try await ArkivedTestSupport.onThread { held.wait() }
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<40 {
          group.addTask {
            let walk: JSON = ["text": .string("walk \(number)")]
            var status = 503
            // On a slow computer one gives up before the lock is free, and is told to try again.
            while status == 503 {
              status = try await client.ask(.post, "/api/v1/activities", walk).status
            }
            return status
          }
        }
        // One page and one list: writers give up after a while.
        #expect(try await client.ask(.get, "/api/v1/tags").status == 200)
        #expect(try await client.ask(.get, "/day/2026-03-14").status == 200)
        release.signal()
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try await holding
      #expect(statuses.allSatisfy { $0 == 201 }, "\(statuses)")
      #expect(try web.test.day("2026-03-14").activities.count == 40)
    }
  }

  @Test func whoeverHasNoRightGivesWayWhenNoMoreFilesCanBeOpened() async throws {
    let limits = ServerLimits(unauthenticatedPatience: Self.hour, patience: Self.hour)
    try await WebTest(limits: limits).serve { client, listener in
      let port = client.port
      let events = try await EventListener.open(
        port: port, "/api/v1/events", headers: self.owner(client))
      _ = await events.next(1, "today")
      var strangers: [KeptConnection] = []
      for _ in 0..<3 {
        let connection = try KeptConnection(port: port)
        #expect(try await connection.ask("GET", "/api/v1/tags", port: port) == 401)
        strangers.append(connection)
      }
      listener.pipeline.fireErrorCaught(IOError(errnoCode: EMFILE, reason: "accept"))
      for connection in strangers { try await connection.waitForEnd() }
      // It tries again by itself, and what was at work goes on.
      let added = try await client.ask(.post, "/api/v1/activities", ["text": "heard"])
      #expect(added.status == 201)
      #expect(await events.next(1).count == 1)
    }
  }

  @Test func aListenerOutlivesWhateverGoesWrongWhenItAccepts() async throws {
    let problems: [any Error] = [
      IOError(errnoCode: EMFILE, reason: "accept"), IOError(errnoCode: ENFILE, reason: "accept"),
      IOError(errnoCode: ECONNABORTED, reason: "accept"), ChannelError.ioOnClosedChannel,
      FieldError("connection", "cannot be set up"),
    ]
    try await WebTest().serve { client, listener in
      for problem in problems {
        listener.pipeline.fireErrorCaught(problem)
        let answer = try await client.ask(.get, "/api/v1/tags")
        #expect(answer.status == 200, "\(problem)")
      }
    }
  }
}
