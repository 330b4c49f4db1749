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

@Suite("Merging another archive on the web app", .timeLimit(.minutes(20)))
struct SettingsMergeTests {
  private static let path = "/settings/backup/merge"

  /// The archive of another computer.
  private func otherArchive(_ web: WebTest) throws -> Archive {
    try Archive(
      at: .folder(web.test.folder.url.appendingPathComponent("other")), clock: web.test.clock)
  }

  private func backup(_ archive: Archive, _ target: AgeTarget?, _ web: WebTest) throws -> URL {
    let file = web.test.folder.url.appendingPathComponent("<b>laptop.zip.age")
    _ = try BackupJob(archive: archive, target: target).write(to: file)
    return file
  }

  /// A form with one file as a browser sends it.
  private func upload(
    _ name: String, _ content: Data, _ client: WebClient, cookie: String
  ) async throws -> WebClient.Answer {
    var body = ByteBuffer(
      string: "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n"
        + "Content-Type: application/octet-stream\r\n\r\n")
    body.writeBytes(content)
    body.writeString("\r\n--B--\r\n")
    return try await client.send(
      .post, Self.path,
      [
        "Cookie": cookie, "Origin": client.origin,
        "Content-Type": "multipart/form-data; boundary=B",
      ], content: body)
  }

  /// Waits until what runs in the server is over.
  private func rested(_ web: WebTest) async throws -> MergeDesk.Job {
    while web.app.mergeDesk.current?.isRunning == true {
      try await Task.sleep(for: .milliseconds(10))
    }
    return try #require(web.app.mergeDesk.current)
  }

  private func send(
    _ step: String, _ job: MergeDesk.Job, _ client: WebClient, cookie: String,
    secret: String? = nil
  ) async throws -> WebClient.Answer {
    var fields = ["job": job.id.uuidString]
    fields["secret"] = secret
    return try await client.post("\(Self.path)/\(step)", fields, cookie: cookie)
  }

  @Test func anEncryptedBackupIsOpenedLookedAtMergedAndTakenBack() async throws {
    let web = try WebTest()
    try web.test.add("tea")
    let other = try otherArchive(web)
    _ = try other.add(try web.test.activity("<i>rowing", on: "2026-02-01"))
    let file = try backup(other, .passphrase("open sesame", workFactor: 4), web)
    let content = try Data(contentsOf: file)
    try await web.run { client in
      let cookie = try await client.signIn()
      let empty = try await client.get(Self.path, cookie: cookie)
      #expect(empty.status == 200 && empty.text.contains("id=\"merge-upload\""))
      let sent = try await upload("<b>laptop.zip.age", content, client, cookie: cookie)
      #expect(sent.status == 303 && sent.headers[.location] == Self.path)
      var job = try await rested(web)
      #expect(job.stage == .locked(isForKey: false))
      let locked = try await client.get(Self.path, cookie: cookie).text
      #expect(locked.contains("Passphrase") && locked.contains("&lt;b&gt;laptop.zip.age"))
      _ = try await send("unlock", job, client, cookie: cookie, secret: "wrong")
      job = try await rested(web)
      #expect(job.stage == .locked(isForKey: false))
      let wrong = try await client.get(Self.path, cookie: cookie).text
      #expect(wrong.contains("The passphrase or key doesn’t open this file"))
      _ = try await send("unlock", job, client, cookie: cookie, secret: "open sesame")
      job = try await rested(web)
      #expect(job.stage == .ready && job.forecast?.created["activity"] == 1)
      let look = try await client.get(Self.path, cookie: cookie).text
      #expect(look.contains("Preview of") && look.contains("1 entry"))
      #expect(!look.contains("<i>rowing") && !look.contains("id=\"merge-upload\""))
      #expect(try web.test.archive.counts().activities == 1)
      // Whoever restores meanwhile is not kept waiting by the page.
      _ = try MergeJob(archive: web.test.archive, homeZone: web.test.zone)
        .prepare(try #require(other.databaseFile).deletingLastPathComponent())
      #expect(try await send("go", job, client, cookie: cookie).status == 303)
      job = try await rested(web)
      #expect(job.stage == .ended && job.problem == nil)
      #expect(try web.test.archive.counts().activities == 2)
      let merged = try await client.get(Self.path, cookie: cookie).text
      #expect(merged.contains("id=\"merged\"") && merged.contains("<dt>Skipped</dt><dd>0</dd>"))
      let run = try #require(job.run)
      let undone = try await client.post(
        "/settings/imports/\(run.uuidString)/undo", ["back": Self.path], cookie: cookie)
      #expect(undone.status == 303)
      #expect(undone.headers[.location]?.hasPrefix(Self.path) == true)
      #expect(try web.test.archive.counts().activities == 1)
      _ = try await send("dismiss", job, client, cookie: cookie)
      #expect(web.app.mergeDesk.current == nil)
      #expect(try await send("go", job, client, cookie: cookie).status == 404)
    }
  }

  @Test func aBackupForAKeyOpensWithTheTextOfItsKeyFile() async throws {
    let web = try WebTest()
    let other = try otherArchive(web)
    _ = try other.add(try web.test.activity("rowing", on: "2026-02-01"))
    let identity = AgeIdentity()
    let content = try Data(
      contentsOf: try backup(other, .recipients([identity.recipient]), web))
    let pasted = "# public key: \(identity.recipient) \(identity.secretText)"
    try await web.run { client in
      let cookie = try await client.signIn()
      _ = try await upload("laptop.age", content, client, cookie: cookie)
      let job = try await rested(web)
      #expect(job.stage == .locked(isForKey: true))
      let none = try await send("unlock", job, client, cookie: cookie, secret: "my cat")
      #expect(none.status == 422 && none.text.contains("AGE-SECRET-KEY-1"))
      _ = try await send(
        "unlock", job, client, cookie: cookie, secret: AgeIdentity().secretText)
      #expect(try await rested(web).stage == .locked(isForKey: true))
      _ = try await send("unlock", job, client, cookie: cookie, secret: pasted)
      #expect(try await rested(web).stage == .ready)
    }
  }

  @Test func whatDiffersIsShownBeforeAndTheSameAgainBringsNothing() async throws {
    let web = try WebTest()
    let (archive, other) = (web.test.archive, try otherArchive(web))
    let both = try web.test.add("tea")
    try web.test.add("rowing on the lake", from: "10:00", to: "11:00")
    let file = try backup(archive, nil, web)
    _ = try RestoreJob(archive: other, homeZone: web.test.zone).prepare(file, unlocks: []).apply()
    web.test.clock.advance(seconds: 60)
    _ = try archive.updateActivity(both.id) { $0.text = "green tea" }
    web.test.clock.advance(seconds: 60)
    _ = try other.updateActivity(both.id) { $0.text = "black tea" }
    _ = try other.add(try web.test.activity("<b>rowing", from: "10:05", to: "11:00"))
    let folder = try #require(other.databaseFile).deletingLastPathComponent()
    try await web.run { client in
      let cookie = try await client.signIn()
      let sent = try await client.post(
        "\(Self.path)/path", ["path": folder.path], cookie: cookie)
      #expect(sent.status == 303)
      let job = try await rested(web)
      #expect(job.report?.conflictCount == 1)
      let look = try await client.get(Self.path, cookie: cookie).text
      #expect(
        look.contains("1 entry was changed in both archives")
          && look.contains("uses the version from the other archive"))
      #expect(look.contains("1 entry may be a duplicate of one here"))
      #expect(look.contains("&lt;b&gt;rowing") && look.contains("rowing on the lake"))
      #expect(try archive.activity(both.id)?.text == "green tea")
      _ = try await send("go", job, client, cookie: cookie)
      #expect(try await rested(web).stage == .ended)
      #expect(try archive.activity(both.id)?.text == "black tea")
      _ = try await client.post("\(Self.path)/path", ["path": folder.path], cookie: cookie)
      #expect(try await rested(web).stage == .ready)
      let again = try await client.get(Self.path, cookie: cookie).text
      #expect(again.contains("Everything in it is already here."))
      #expect(!again.contains("action=\"\(Self.path)/go\""))
    }
  }

  @Test func whatCannotBeMergedIsSaidAndNothingIsLeft() async throws {
    let web = try WebTest()
    let own = try #require(web.test.archive.databaseFile).deletingLastPathComponent()
    try await web.run { client in
      let cookie = try await client.signIn()
      let none = try await upload("", Data(), client, cookie: cookie)
      #expect(none.status == 422 && none.text.contains("Choose a file"))
      let plain = try await client.post(Self.path, ["file": "x"], cookie: cookie)
      #expect(plain.status == 415)
      _ = try await upload("x.zip", Data("\u{1}\u{2}nothing".utf8), client, cookie: cookie)
      var job = try await rested(web)
      #expect(job.stage == .ended && job.run == nil && job.problem != nil)
      let page = try await client.get(Self.path, cookie: cookie).text
      #expect(page.contains("Nothing merged") && page.contains("id=\"merge-upload\""))
      #expect(!page.contains("arkived-import-"))
      _ = try await client.post("\(Self.path)/path", ["path": own.path], cookie: cookie)
      job = try await rested(web)
      #expect(job.problem?.contains("is this archive itself") == true)
      for typed in ["", "relative", "/no/such/place"] {
        let wrong = try await client.post("\(Self.path)/path", ["path": typed], cookie: cookie)
        #expect(wrong.status == 422 && wrong.text.contains("merge-path-error"))
      }
      let lost = try await send("unlock", job, client, cookie: cookie, secret: "x")
      #expect(lost.status == 303)
      _ = try await send("cancel", job, client, cookie: cookie)
    }
    #expect(try web.test.archive.changes(limit: 1).isEmpty)
  }

  @Test func onlyTheSignedInOwnerMerges() async throws {
    let web = try WebTest()
    try await web.run { client in
      for step in ["", "/path", "/unlock", "/go", "/cancel", "/dismiss"] {
        let answer = try await client.ask(
          .post, Self.path + step, nil,
          ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(answer.status == 403, "\(step)")
      }
      let cookie = try await client.signIn()
      let stranger = try await client.send(
        .post, "\(Self.path)/go",
        ["Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"], body: "")
      #expect(stranger.status == 403)
    }
  }
}
