import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import ArkivedWeb

@Suite("Phone access on the home network")
struct PhoneDoorTests {
  /// What a device that is not paired may ask for.
  private static let open: Set<String> = [
    "/assets/{name}", "/service-worker.js", "/pair", "/pair/{code}", "/certificate",
    "/api/v1/pair",
  ]

  @Test func theDoorIsShutUntilItsOwnerOpensIt() async throws {
    let phone = try PhoneTest()
    #expect(try phone.archive.phoneDoor() == nil)
    #expect(phone.door.standing == .closed && !phone.door.admits(host: "127.0.0.1:8443"))
    try await phone.run { client in
      #expect(try await client.send(.GET, "/pair").status == 200)
      try phone.setup.close()
      try await phone.stands(.closed)
      #expect(client.port == 0)
    }
    #expect(phone.door.place == nil)
  }

  @Test func noRouteIsOpenToAnUnpairedDevice() async throws {
    let phone = try PhoneTest()
    let routes = try KnownRoute.all(of: phone.app, .phone)
    #expect(routes.count > 200 && Self.open.isSubset(of: Set(routes.map(\.pattern))))
    let agent = try phone.archive.addAgent(named: "a script").token
    let owner = phone.app.door.ownerToken
    try phone.archive.addWebSession(Door.hash("session"), until: .latest)
    try await phone.run { client in
      let guesses: [[String: String]] = [
        [:], ["Authorization": "Bearer \(owner)"], ["Authorization": "Bearer \(agent)"],
        ["Cookie": "__Host-arkived-phone-\(client.port)=wrong; arkived-\(client.port)=session"],
      ]
      for route in routes where !Self.open.contains(route.pattern) {
        for headers in guesses {
          let answer = try await client.send(.init(rawValue: route.method), route.path, headers)
          #expect(answer.status == 401, "\(route) \(headers) \(answer.status)")
        }
      }
    }
    #expect(try phone.archive.changes(limit: 1).isEmpty)
  }

  @Test func onlyTheExactHostAndOriginAreAnswered() async throws {
    let phone = try PhoneTest()
    let routes = try KnownRoute.all(of: phone.app, .phone)
    try await phone.run { client in
      let cookie = try await client.pair()
      for (number, route) in routes.enumerated() {
        let hosts = [
          "evil.test", "evil.test:\(client.port)", "localhost:\(client.port)", "127.0.0.1",
          "192.168.1.20:\(client.port)", "127.0.0.1:\(client.port).evil.test",
        ]
        let wrongHost = try await client.send(
          .init(rawValue: route.method), route.path,
          ["Host": hosts[number % hosts.count], "Cookie": cookie])
        #expect(wrongHost.status == 421, "\(route) \(wrongHost.status)")
        let origins = [
          "https://evil.test", "null", "http://127.0.0.1:\(client.port)", "https://127.0.0.1",
          "https://localhost:\(client.port)",
        ]
        let wrongOrigin = try await client.send(
          .init(rawValue: route.method), route.path,
          ["Origin": origins[number % origins.count], "Cookie": cookie])
        #expect(wrongOrigin.status == 403, "\(route) \(wrongOrigin.status)")
        guard !route.isReading, !Self.open.contains(route.pattern) else { continue }
        let none = try await client.send(
          .init(rawValue: route.method), route.path, ["Cookie": cookie])
        #expect(none.status == 403, "\(route) \(none.status)")
      }
    }
    #expect(try phone.archive.changes(limit: 1).isEmpty)
  }

  @Test(arguments: [
    "GET /settings/programs", "POST /settings/programs", "GET /settings/phone",
    "POST /settings/phone", "POST /settings/phone/code", "GET /settings/backup",
    "POST /settings/backup/make", "POST /settings/backup/restore/path",
    "POST /settings/backup/move", "POST /settings/service", "POST /settings/capture/inbox",
    "POST /settings/storage/repair", "GET /settings/storage", "GET /settings/storage/export.jsonl",
    "GET /settings/forget", "POST /settings/forget", "GET /settings/imports",
    "POST /settings/imports", "GET /settings/assistant", "POST /settings/assistant/model",
    "GET /export/markdown.zip", "POST /pending/00000000-0000-4000-8000-000000000001/confirm",
    "POST /api/v1/pending/00000000-0000-4000-8000-000000000001/confirm", "POST /calendars",
    "POST /sync", "POST /api/v1/links", "POST /api/v1/syncs", "POST /api/v1/imports",
    "GET /api/v1/agents", "POST /api/v1/agents", "GET /api/v1/devices", "POST /mcp",
    "GET //settings//programs", "GET /%73ettings/backup", "GET /nowhere",
    "GET /settings/linked", "POST /settings/linked", "GET /settings/nudges",
    "POST /settings/nudges", "PATCH /api/v1/nudges",
    "POST /api/v1/nudges/test", "GET /calendars", "GET /api/v1/links",
  ])
  func whatIsTheComputersIsShutToAPairedDevice(request: String) async throws {
    let parts = request.split(separator: " ").map(String.init)
    let isReading = parts[0] == "GET"
    #expect(!DeviceRoutes.admit(parts[1], isReading: isReading))
  }

  @Test func aPairedDeviceIsToldWhatIsDoneAtTheComputer() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let cookie = try await client.pair()
      let page = try await client.send(.GET, "/settings/backup", ["Cookie": cookie])
      #expect(page.status == 403 && page.text.contains("A paired device can only read"))
      let settings = try await client.send(.GET, "/settings", ["Cookie": cookie])
      #expect(settings.status == 200 && settings.text.contains("/settings/tags"))
      #expect(!settings.text.contains("href=\"/settings/phone\""))
      for path in ["/day/2026-03-14", "/search?query=a", "/ask?question=a", "/goals", "/people"] {
        #expect(try await client.send(.GET, path, ["Cookie": cookie]).status == 200, "\(path)")
      }
    }
  }

  @Test func aPairedDeviceLearnsNoCalendarsAddressAndRecordsNoPlaces() async throws {
    let phone = try PhoneTest()
    try phone.archive.recordSync(with: "https://calendar.example.org/private-0123/basic.ics")
    try await phone.run { client in
      let cookie = try await client.pair()
      let changes = try await client.send(.GET, "/api/v1/changes", ["Cookie": cookie])
      #expect(changes.status == 200 && changes.text.contains("https://calendar.example.org/…"))
      #expect(!changes.text.contains("private-0123"))
      let headers = [
        "Cookie": cookie, "Origin": client.origin, "Content-Type": "application/json",
      ]
      let refused = try await client.send(
        .PATCH, "/api/v1/preferences", headers, body: #"{"recordsPlace":true}"#)
      #expect(refused.status == 403, "\(refused.text)")
      let themed = try await client.send(
        .PATCH, "/api/v1/preferences", headers, body: #"{"theme":"dark"}"#)
      #expect(themed.status == 200, "\(themed.text)")
    }
    #expect(try !phone.archive.preferences().recordsPlace)
  }

  @Test func everyAnswerCarriesTheSecurityHeadersAndNoneAsksForMore() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let cookie = try await client.pair()
      for path in ["/", "/pair", "/certificate", "/assets/app.css", "/nowhere"] {
        let answer = try await client.send(.GET, path, ["Cookie": cookie])
        let policy = answer.headers["content-security-policy"].first ?? ""
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "\(path)")
        #expect(answer.headers["strict-transport-security"].isEmpty)
        #expect(answer.headers["access-control-allow-origin"].isEmpty)
      }
    }
  }

  @Test func aDeviceRevokedWhileItListensHearsNothingMore() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      for isHere in [true, false] {
        let cookie = try await client.pair()
        let listening = try await client.open(.GET, "/events", ["Cookie": cookie])
        #expect(listening.status == .ok)
        var pieces = listening.body.makeAsyncIterator()
        #expect(try await pieces.next() != nil)
        // On the page of the settings, or by another process.
        _ = try isHere ? phone.door.revoke("iPhone") : phone.archive.removeDevice("iPhone")
        // The stream ends; would it not, this would wait for ever.
        while let piece = try await pieces.next() {
          #expect(!String(buffer: piece).contains("event: change"))
        }
        #expect(try await client.send(.GET, "/", ["Cookie": cookie]).status == 401)
      }
    }
    #expect(!phone.door.hasStreams)
  }

  @Test func aDeviceRevokedInTheMidstOfALongAnswerGetsNoMoreOfIt() async throws {
    let phone = try PhoneTest()
    let archive = phone.archive
    let size = 64 << 20
    let film = try archive.store(
      Data(repeating: 7, count: size),
      as: ArkivedCore.Attachment(
        id: archive.identities.next(), type: .file, mediaType: "application/octet-stream",
        originalName: "film.bin", createdAt: TestArchive.now, updatedAt: TestArchive.now))
    let day = phone.test.zone.dayKey(at: TestArchive.now)
    _ = try archive.attach([film], to: .day(day))
    try await phone.run { client in
      let cookie = try await client.pair()
      let path = "/attachments/\(film.id.uuidString)"
      let answer = try await client.open(.GET, path, ["Cookie": cookie])
      #expect(answer.status == .ok)
      var pieces = answer.body.makeAsyncIterator()
      var count = try await pieces.next()?.readableBytes ?? 0
      #expect(count > 0)
      _ = try phone.door.revoke("iPhone")
      // It breaks off.
      while let piece = try? await pieces.next() { count += piece.readableBytes }
      #expect(count < size)
    }
    #expect(!phone.door.hasStreams)
  }

  @Test func whatADeviceSendsSlowlyIsNotDoneWhereItIsRevokedMeanwhile() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      for isHere in [true, false] {
        let cookie = try await client.pair()
        let (pieces, sender) = AsyncStream.makeStream(of: ByteBuffer.self)
        sender.yield(ByteBuffer(string: "line=sent+slowly"))
        let sending = Task {
          try await client.post("/day/2026-03-14/activities", pieces, cookie: cookie)
        }
        while !phone.door.hasStreams { try await Task.sleep(for: .milliseconds(10)) }
        // On the page of the settings, or by another process.
        _ = try isHere ? phone.door.revoke("iPhone") : phone.archive.removeDevice("iPhone")
        sender.yield(ByteBuffer(string: "+to+its+end"))
        sender.finish()
        #expect(try await sending.value == 401)
      }
    }
    #expect(try phone.archive.counts().activities == 0)
  }

  @Test func whatWasOpenEndsWhereThePhoneIsPairedAnew() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let first = try await client.pair()
      let listening = try await client.open(.GET, "/events", ["Cookie": first])
      var pieces = listening.body.makeAsyncIterator()
      #expect(try await pieces.next() != nil)
      let fields = ["code": try client.code(), "name": "iPhone", "same": "on"]
      #expect(try await client.post("/pair", fields).status == 303)
      // Would it go on, this would wait for ever.
      while let piece = try? await pieces.next() {
        #expect(!String(buffer: piece).contains("event: change"))
      }
    }
    #expect(try phone.archive.devices().count == 1)
  }

  @Test func theLinesOfTodayArePutOffAndDismissedOnAPhoneToo() async throws {
    let phone = try PhoneTest()
    try phone.archive.updateNudgeSettings { settings in
      settings.set(.evening, at: .at(21))
      settings.quiet = nil
    }
    let desk = NudgeDesk(archive: phone.archive, zone: phone.test.zone)
    let nudge = try #require(try desk.giveDue().given.first)
    try await phone.run { client in
      let cookie = try await client.pair()
      let today = try await client.send(.GET, "/", ["Cookie": cookie])
      #expect(today.text.contains("/nudges/\(nudge.id)/dismiss"))
      let dismissed = try await client.post("/nudges/\(nudge.id)/dismiss", [:], cookie: cookie)
      #expect(dismissed.status == 303)
    }
    #expect(try desk.standing().isEmpty)
  }

  @Test func signingOutOnThePhoneRevokesIt() async throws {
    let phone = try PhoneTest()
    try await phone.run { client in
      let cookie = try await client.pair()
      let answer = try await client.post("/logout", [:], cookie: cookie)
      #expect(answer.status == 303 && answer.headers["location"] == ["/pair"])
      #expect(try await client.send(.GET, "/", ["Cookie": cookie]).status == 401)
    }
    #expect(try phone.archive.devices().isEmpty)
  }
}
