import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import ArkivedWeb

@Suite("Testing and restoring backups on the web app", .timeLimit(.minutes(20)))
struct SettingsRestoreTests {
  private static let path = "/settings/backup/restore"

  /// Waits until what runs in the server is over.
  private func rested(_ web: WebTest) async throws -> RestoreDesk.Job {
    while web.app.restoreDesk.current?.isRunning == true {
      try await Task.sleep(for: .milliseconds(10))
    }
    return try #require(web.app.restoreDesk.current)
  }

  /// Makes a backup of the archive with one entry.
  private func backup(_ web: WebTest, _ target: AgeTarget? = nil) throws -> URL {
    try web.test.add("tea <i>x", on: "2026-02-01")
    let file = web.test.folder.url.appendingPathComponent("<b>life.zip")
    _ = try BackupJob(archive: web.test.archive, target: target).replace(file)
    return file
  }

  private func start(
    _ file: URL, _ purpose: String, _ client: WebClient, cookie: String
  ) async throws -> WebClient.Answer {
    try await client.post(
      "\(Self.path)/path", ["path": file.path, "purpose": purpose], cookie: cookie)
  }

  /// A form with a typed secret and perhaps a file, as a browser sends it.
  private func unlock(
    _ job: RestoreDesk.Job, secret: String = "", keyFile: String = "", _ client: WebClient,
    cookie: String
  ) async throws -> WebClient.Answer {
    let body = ByteBuffer(
      string: """
        --B\r
        Content-Disposition: form-data; name="job"\r
        \r
        \(job.id.uuidString)\r
        --B\r
        Content-Disposition: form-data; name="secret"\r
        \r
        \(secret)\r
        --B\r
        Content-Disposition: form-data; name="key"; filename="\(keyFile.isEmpty ? "" : "key.txt")"\r
        Content-Type: application/octet-stream\r
        \r
        \(keyFile)\r
        --B--\r

        """)
    return try await client.send(
      .post, "\(Self.path)/unlock",
      [
        "Cookie": cookie, "Origin": client.origin,
        "Content-Type": "multipart/form-data; boundary=B",
      ], content: body)
  }

  @Test func aTestRestoresToAThrowawayPlaceAndTheListShowsIt() async throws {
    let web = try WebTest()
    let file = try backup(web)
    try await web.run { client in
      let cookie = try await client.signIn()
      let before = try await client.get("/settings/backup", cookie: cookie).text
      #expect(before.contains("Verified when it was made."))
      #expect(before.contains("Test &lt;b&gt;life.zip"))
      let asked = try await start(file, "test", client, cookie: cookie)
      #expect(asked.status == 303 && asked.headers[.location] == Self.path)
      _ = try await rested(web)
      let page = try await client.get(Self.path, cookie: cookie).text
      #expect(page.contains("This backup can be restored"), "\(page)")
      #expect(
        page.contains("A new archive with 1 entry was created") && page.contains("What was checked")
      )
      #expect(!page.contains("<b>life") && page.contains("&lt;b&gt;life.zip"))
      let after = try await client.get("/settings/backup", cookie: cookie).text
      #expect(after.contains("It can be restored completely."))
      let listed = try await client.ask(.get, "/api/v1/backups")
      #expect(listed.json["files"]?.array?.first?["health"] == "tested")
      #expect(try web.test.archive.counts().activities == 1)
      // Nothing of the throwaway archive stays.
      let names = try FileManager.default.contentsOfDirectory(
        atPath: try #require(web.test.archive.databaseFile).deletingLastPathComponent().path)
      #expect(!names.contains { $0.hasPrefix(".work") || $0.hasPrefix(Archive.workPrefix) })
    }
  }

  @Test func aDamagedBackupFailsItsTestAndIsMarked() async throws {
    let web = try WebTest()
    let file = try backup(web)
    var content = try Data(contentsOf: file)
    content[content.count / 2] ^= 0xFF
    try content.write(to: file)
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await start(file, "test", client, cookie: cookie)
      #expect(try await rested(web).problem?.contains("damaged") == true)
      let page = try await client.get(Self.path, cookie: cookie).text
      #expect(page.contains("The test failed") && page.contains("The backup is damaged"))
      let list = try await client.get("/settings/backup", cookie: cookie).text
      #expect(list.contains("Failed the test on"))
    }
  }

  @Test func aBackupIsUnlockedByATypedKeyOrAKeyFile() async throws {
    let web = try WebTest()
    let identity = AgeIdentity()
    let file = try backup(web, .recipients([identity.recipient]))
    try await web.run { client in
      let cookie = try await client.signIn()
      for (typed, inFile) in [
        (identity.secretText, ""), ("", identity.fileText(created: "today")),
      ] {
        _ = try await start(file, "restore", client, cookie: cookie)
        var job = try await rested(web)
        #expect(job.stage == .locked(isForKey: true))
        let none = try await unlock(job, client, cookie: cookie)
        #expect(none.status == 422 && none.text.contains("AGE-SECRET-KEY-1"))
        _ = try await unlock(job, secret: AgeIdentity().secretText, client, cookie: cookie)
        job = try await rested(web)
        #expect(job.stage == .locked(isForKey: true) && job.problem != nil)
        _ = try await unlock(job, secret: typed, keyFile: inFile, client, cookie: cookie)
        job = try await rested(web)
        #expect(job.stage == .ready && job.contents?.entries == 1)
        let page = try await client.get(Self.path, cookie: cookie)
        #expect(page.text.contains("Contents of") && !page.text.contains("AGE-SECRET-KEY-1"))
      }
    }
  }

  @Test func aBackupBecomesANewArchiveAndThePresentOneStays() async throws {
    let web = try WebTest()
    let file = try backup(web)
    try web.test.add("later", on: "2026-03-01")
    let folder = web.test.folder.url.appendingPathComponent("new life")
    let taken = web.test.folder.url.appendingPathComponent("taken")
    try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: taken.appendingPathComponent("x"))
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await start(file, "restore", client, cookie: cookie)
      let job = try await rested(web)
      let look = try await client.get(Self.path, cookie: cookie).text
      #expect(look.contains("Restore into a new archive") && look.contains("Replace this archive"))
      #expect(look.contains("1 entry here isn’t in the backup."))
      #expect(look.contains("archive restored 2026-03-14"))
      let inside = try #require(web.test.archive.databaseFile).deletingLastPathComponent()
        .appendingPathComponent("in").path
      for (typed, words) in [
        ("new", "Enter a folder that begins"), (taken.path, "already exists and isn’t empty"),
        (inside, "is inside the current archive’s folder"),
      ] {
        let refused = try await client.post(
          "\(Self.path)/beside", ["job": job.id.uuidString, "folder": typed], cookie: cookie)
        #expect(refused.status == 422 && refused.text.contains(words), "\(refused.text)")
      }
      _ = try await client.post(
        "\(Self.path)/beside", ["job": job.id.uuidString, "folder": folder.path], cookie: cookie)
      #expect(try await rested(web).problem == nil)
      let done = try await client.get(Self.path, cookie: cookie).text
      #expect(done.contains("Open this archive") && done.contains("new life"))
    }
    let new = try Archive(at: .folder(folder))
    #expect(try new.counts().activities == 1)
    #expect(try web.test.archive.counts().activities == 2)
  }

  @Test func onlyAYesReplacesTheArchiveAndACopyOfItStays() async throws {
    let web = try WebTest()
    let file = try backup(web)
    try web.test.add("later", on: "2026-03-01")
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await start(file, "restore", client, cookie: cookie)
      let job = try await rested(web)
      let refused = try await client.post(
        "\(Self.path)/replace", ["job": job.id.uuidString], cookie: cookie)
      #expect(refused.status == 422 && refused.text.contains("Tick the box"))
      #expect(try web.test.archive.counts().activities == 2)
      _ = try await client.post(
        "\(Self.path)/replace", ["job": job.id.uuidString, "sure": "yes"], cookie: cookie)
      let ended = try await rested(web)
      #expect(try web.test.archive.counts().activities == 1)
      guard case .replaced(let outcome) = ended.outcome, let copy = outcome.safetyCopy else {
        Issue.record("no safety copy: \(String(describing: ended.problem))")
        return
      }
      let page = try await client.get(Self.path, cookie: cookie).text
      #expect(page.contains("before-restore-"))
      // The way back: the copy is restored in the same way.
      _ = try await start(copy, "restore", client, cookie: cookie)
      let back = try await rested(web)
      #expect(back.stage == .ready && back.contents?.entries == 2)
      _ = try await client.post(
        "\(Self.path)/replace", ["job": back.id.uuidString, "sure": "yes"], cookie: cookie)
      _ = try await rested(web)
      #expect(try web.test.archive.counts().activities == 2)
    }
  }

  @Test func aFileThatChangedSinceItWasShownReplacesNothing() async throws {
    let web = try WebTest()
    let file = try backup(web)
    try web.test.add("soup", on: "2026-02-02")
    let other = web.test.folder.url.appendingPathComponent("other.zip")
    _ = try BackupJob(archive: web.test.archive, target: nil).replace(other)
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await start(file, "restore", client, cookie: cookie)
      let job = try await rested(web)
      #expect(job.stage == .ready && job.contents?.entries == 1)
      try FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: other, to: file)
      _ = try await client.post(
        "\(Self.path)/replace", ["job": job.id.uuidString, "sure": "yes"], cookie: cookie)
      let ended = try await rested(web)
      #expect(ended.outcome == nil && ended.problem?.contains("expired") == true)
      #expect(try web.test.archive.counts().activities == 2)
    }
  }

  @Test func aPackedArchiveArrivesInAnEmptyOneWithItsLinks() async throws {
    let web = try WebTest()
    let other = try Archive(
      at: .folder(web.test.folder.url.appendingPathComponent("other")), clock: web.test.clock)
    _ = try other.add(try web.test.activity("rowing", on: "2026-02-01"))
    let calendar = try web.test.folder.file("work.ics", "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n")
    _ = try SyncJob(archive: other, homeZone: web.test.zone).linkCalendar(.file(calendar))
    let file = web.test.folder.url.appendingPathComponent("life.move")
    _ = try MoveJob(archive: other, homeZone: web.test.zone).pack(
      to: file, target: .passphrase("open sesame", workFactor: 4), host: "<i>old",
      withSecrets: false)
    try await web.run { client in
      let cookie = try await client.signIn()
      let today = try await client.get("/", cookie: cookie).text
      #expect(today.contains("I have a backup") && today.contains(Self.path))
      _ = try await start(file, "restore", client, cookie: cookie)
      let locked = try await rested(web)
      #expect(locked.stage == .locked(isForKey: false))
      _ = try await unlock(locked, secret: "open sesame", client, cookie: cookie)
      let job = try await rested(web)
      #expect(job.contents?.isPacked == true && !job.replacesSomething)
      let look = try await client.get(Self.path, cookie: cookie).text
      #expect(look.contains("Restore it here") && !look.contains("Replace this archive"))
      _ = try await client.post(
        "\(Self.path)/replace", ["job": job.id.uuidString], cookie: cookie)
      #expect(try await rested(web).problem == nil)
      let done = try await client.get(Self.path, cookie: cookie).text
      #expect(done.contains("Everything is here") && done.contains("&lt;i&gt;old"))
      #expect(try web.test.archive.counts().activities == 1)
      #expect(try web.test.archive.syncLinks().map(\.address) == [calendar.path])
    }
  }

  @Test func oneDayComesBackAsAnImport() async throws {
    let web = try WebTest()
    let file = try backup(web)
    let entry = try #require(try web.test.day("2026-02-01").activities.first)
    _ = try web.test.archive.deleteActivities([entry.id])
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await start(file, "restore", client, cookie: cookie)
      let job = try await rested(web)
      #expect(try await client.get(Self.path, cookie: cookie).text.contains("id=\"restore-day\""))
      _ = try await client.post(
        "\(Self.path)/day", ["job": job.id.uuidString, "day": "2026-02-02"], cookie: cookie)
      let none = try await rested(web)
      #expect(none.stage == .ready && none.problem?.contains("2026-02-02") == true)
      _ = try await client.post(
        "\(Self.path)/day", ["job": job.id.uuidString, "day": "2026-02-01"], cookie: cookie)
      #expect(try await rested(web).problem == nil)
      let page = try await client.get(Self.path, cookie: cookie).text
      #expect(page.contains("href=\"/day/2026-02-01\"") && page.contains("/settings/imports"))
    }
    #expect(try web.test.day("2026-02-01").activities.map(\.id) == [entry.id])
  }

  @Test func onlyASignedInBrowserRestores() async throws {
    let web = try WebTest()
    let file = try backup(web)
    try await web.run { client in
      let answer = try await client.send(
        .post, "\(Self.path)/path",
        [
          "Authorization": "Bearer \(client.door.ownerToken)",
          "Content-Type": "application/x-www-form-urlencoded",
        ], body: "path=\(URLText.escaped(file.path))")
      #expect(answer.status == 403)
      #expect(web.app.restoreDesk.current == nil)
    }
  }
}
