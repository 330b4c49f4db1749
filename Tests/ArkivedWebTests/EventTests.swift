import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedWeb

@Suite("Events", .timeLimit(.minutes(20)))
struct EventTests {
  private func listen(
    _ client: WebClient, _ path: String = "/api/v1/events", _ headers: [String: String] = [:]
  ) async throws -> EventListener {
    try await EventListener.open(
      port: client.port, path,
      headers: ["Authorization": "Bearer \(client.door.ownerToken)"].merging(headers) { $1 })
  }

  @Test func aListenerHearsWhatAnyProgramChangesAndWhichDays() async throws {
    let web = try WebTest()
    let other = try web.test.another()
    let activity = try web.test.activity("walk", on: "2026-03-10")
    try await web.run { client in
      let listener = try await listen(client)
      #expect(listener.status == 200)
      #expect(listener.headers["content-type"] == "text/event-stream; charset=utf-8")
      #expect(listener.headers["x-accel-buffering"] == "no")
      #expect(await listener.next(1, "today").first?.json["dayKey"] == "2026-03-14")
      try other.add(activity)
      let added = try #require(await listener.next(1).first)
      #expect(added.json["action"] == "add" && added.json["days"] == ["2026-03-10"])
      #expect(added.json["reachesFurther"] == false && added.json["id"]?.string == added.id)
      let moved = try other.updateActivity(activity.id) {
        $0.dayKey = $0.dayKey.advanced(by: 5)
      }
      let edit = try #require(await listener.next(1).first)
      #expect(edit.json["days"] == ["2026-03-10", "2026-03-15"])
      let deletion = try other.deleteActivities([activity.id]).change
      #expect(await listener.next(1).first?.json["days"] == ["2026-03-15"])
      _ = try other.undo(try #require(deletion).id)
      let undo = try #require(await listener.next(1).first)
      #expect(undo.json["action"] == "undo" && undo.json["days"] == ["2026-03-15"])
      #expect(moved.value.dayKey.description == "2026-03-15")
    }
  }

  @Test func aListenerThatComesBackHearsFirstWhatItMissed() async throws {
    let web = try WebTest()
    try web.test.add("before")
    try await web.run { client in
      let first = try await listen(client, "/api/v1/events?after=")
      let heard = try #require(await first.next(1).first)
      first.hangUp()
      let missed = try (1...3).map { try web.test.add("missed \($0)") }
      let second = try await listen(client, "/api/v1/events", ["Last-Event-ID": heard.id ?? ""])
      try web.test.add("now")
      let events = await second.next(4)
      let changes = try web.test.archive.changes(limit: 4).reversed().map(\.id.uuidString)
      #expect(events.map(\.id) == changes && missed.count == 3)
      // What the header names goes before the page's own knowledge.
      let third = try await listen(
        client, "/api/v1/events?after=\(heard.id ?? "")", ["Last-Event-ID": changes[2]])
      #expect(await third.next(1).first?.id == changes[3])
      let unknown = try await listen(client, "/api/v1/events?after=\(UUID().uuidString)")
      #expect(await unknown.next(1, "missed").first?.id == changes[3])
      let wrong = try await listen(client, "/api/v1/events?after=nonsense")
      #expect(wrong.status == 400)
    }
  }

  @Test func whatAListenerMissedIsToldOnceWhereOthersListenAlready() async throws {
    let web = try WebTest()
    try web.test.add("before")
    try await web.run { client in
      let staying = try await listen(client)
      #expect(await staying.next(1, "today").count == 1)
      for _ in 0..<20 {
        let last = try #require(try web.test.archive.newestChange()).uuidString
        try web.test.add("missed")
        let coming = try await listen(client, "/api/v1/events?after=\(last)")
        #expect(await coming.next(1, "today").count == 1)
        try web.test.add("now")
        let heard = await coming.next(2).map(\.id)
        #expect(try heard == web.test.archive.changes(limit: 2).reversed().map(\.id.uuidString))
      }
    }
  }

  @Test func moreThanCanBeListedIsToldAtOnce() async throws {
    let web = try WebTest()
    let first = try web.test.add("first")
    let start = try #require(try web.test.archive.newestChange())
    for number in 0..<501 {
      _ = try web.test.archive.updateActivity(first.id) { $0.text = "\(number)" }
    }
    let newest = try web.test.archive.newestChange()
    try await web.run { client in
      let listener = try await listen(client, "/api/v1/events?after=\(start.uuidString)")
      #expect(await listener.next(1, "missed").first?.id == newest?.uuidString)
      // An import on many days names some of them and says that there are more.
      _ = try web.test.archive.write(by: .importer, "import", "many") { scope in
        for day in 0..<60 {
          var activity = try web.test.activity("a")
          activity.dayKey = activity.dayKey.advanced(by: -day)
          try scope.insert(activity)
        }
      }
      let event = try #require(await listener.next(1).first)
      #expect(event.json["days"]?.array?.count == NotedChange.dayLimit)
      #expect(event.json["reachesFurther"] == true)
    }
  }

  @Test func aClockThatPassesMidnightOrIsSetBackTurnsTheDayOnOpenPages() async throws {
    let web = try WebTest()
    try await web.run { client in
      let listener = try await listen(client)
      #expect(await listener.next(1, "today").first?.json["dayKey"] == "2026-03-14")
      // 21:00 in Berlin; four hours later it is the next day there, but not yet in UTC.
      web.test.clock.advance(seconds: 4 * 3_600)
      #expect(await listener.next(1, "today").first?.json["dayKey"] == "2026-03-15")
      let cookie = try await client.signIn()
      // A page that was opened before still adds to its own day.
      let late = try await client.post(
        "/day/2026-03-14/activities", ["line": "closed the shutters"], cookie: cookie)
      #expect(late.status == 303)
      #expect(try web.test.day("2026-03-14").activities.map(\.text) == ["closed the shutters"])
      web.test.clock.advance(seconds: -30 * 3_600)
      #expect(await listener.next(1, "today").first?.json["dayKey"] == "2026-03-13")
      let early = try await client.post(
        "/day/2026-03-15/activities", ["line": "a plan for sunday"], cookie: cookie)
      #expect(early.status == 303)
      // Two changes by a clock that went back are still two, and undo takes back the later one.
      let undone = try web.test.archive.undo()
      #expect(undone.undid.summary.contains("a plan for sunday"))
    }
  }

  @Test func aListenerIsLetGoWhenItsPageIsClosed() async throws {
    let web = try WebTest()
    try await web.run { client in
      #expect(await !web.app.feed.isWatching)
      var listeners: [EventListener] = []
      for _ in 0..<3 {
        listeners.append(try await listen(client))
        _ = await listeners.last?.next(1, "today")
      }
      #expect(await web.app.feed.isWatching)
      for listener in listeners { listener.hangUp() }
      while await web.app.feed.isWatching { try await Task.sleep(for: .milliseconds(5)) }
      // The next one starts the watch again.
      let again = try await listen(client)
      _ = await again.next(1, "today")
      try web.test.add("heard")
      #expect(await again.next(1).count == 1)
    }
  }

  @Test func onlyTheOwnerListensAndOnlySoManyAtOnce() async throws {
    let web = try WebTest()
    try await web.run { client in
      for path in ["/events", "/api/v1/events"] {
        #expect(try await EventListener.open(port: client.port, path, headers: [:]).status == 401)
        #expect(try await listen(client, path, ["Origin": "http://evil.test"]).status == 403)
        #expect(try await listen(client, path, ["Authorization": "Bearer wrong"]).status == 401)
      }
      let cookie = try await client.signIn()
      let page = try await EventListener.open(
        port: client.port, "/events", headers: ["Cookie": cookie])
      #expect(page.status == 200)
      _ = await page.next(1, "today")
      var others: [EventListener] = []
      for _ in 1..<ChangeFeed.listenerLimit {
        let listener = try await listen(client)
        _ = await listener.next(1, "today")
        others.append(listener)
      }
      let tooMany = try await listen(client)
      #expect(tooMany.status == 503 && tooMany.headers["retry-after"] == "30")
      others[0].hangUp()
      var status = 503
      while status == 503 {
        let retry = try await listen(client)
        status = retry.status
        retry.hangUp()
      }
      #expect(status == 200)
    }
  }

  @Test func anArchiveInMemoryTellsItsChangesToo() async throws {
    let archive = try Archive(at: .memory)
    let watch = try ArchiveWatch(archive)
    #expect(try watch.hasNews())
    #expect(try !watch.hasNews())
    _ = try archive.updateDay(DayKey(clamping: 20_000)) { $0.note = "n" }
    #expect(try watch.hasNews())
    guard case .all(let changes) = try archive.changes(after: nil) else {
      Issue.record("one change can be listed")
      return
    }
    #expect(changes.map(\.days) == [[DayKey(clamping: 20_000)]])
  }

  @Test func aWatchNoticesOtherConnectionsAndNothingElse() throws {
    let test = try TestArchive()
    let watch = try ArchiveWatch(test.archive)
    _ = try watch.hasNews()
    #expect(try !watch.hasNews())
    try test.add("by this connection")
    #expect(try watch.hasNews())
    _ = try test.another().updateDay(DayKey(clamping: 20_000)) { $0.note = "by another" }
    #expect(try watch.hasNews())
    #expect(try !watch.hasNews())
  }

  @Test func aWatchAtRestThatOnlyLooksAtTheLogStillNotices() throws {
    let test = try TestArchive()
    let watch = try ArchiveWatch(test.archive)
    try test.add("before the rest")
    _ = try watch.hasNews()
    let log = try #require(test.archive.databaseFile).path + "-wal"
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: log)
    for _ in 0..<3 { #expect(try !watch.hasNews()) }
    _ = try test.another().updateDay(DayKey(clamping: 20_000)) { $0.note = "by another" }
    #expect(try watch.hasNews())
    #expect(try !watch.hasNews())
  }
}
