import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Dispatch
import Foundation
import HTTPTypes
import Testing

@testable import ArkivedWeb

@Suite("The page of the backups")
struct SettingsBackupTests {
  @Test func withoutAPlanThePageTellsHowToMakeOne() async throws {
    let web = try WebTest()
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/backup", cookie: cookie)
      #expect(page.status == 200 && page.text.contains("You don’t have a backup yet."))
      #expect(page.text.contains("id=\"backup-plan\""))
      #expect(page.text.contains("arkived backup schedule"))
      #expect(!page.text.contains("Back up now") && page.text.contains("None yet."))
      let stranger = try await client.send(
        .post, "/settings/backup/make",
        ["Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"], body: "")
      #expect(stranger.status == 403)
    }
  }

  @Test func aBackupIsMadeAndComparedFromThePage() async throws {
    let web = try WebTest()
    try web.test.add("tea")
    let folder = web.test.folder.url.appendingPathComponent("<b>backups")
    try BackupBook.change(of: web.test.archive) {
      $0.plan = BackupBook.Plan(folder: folder.path, recipients: [AgeIdentity().recipient])
    }
    let desk = web.app.backupDesk
    try await web.run { client in
      let cookie = try await client.signIn()
      let before = try await client.get("/settings/backup", cookie: cookie)
      #expect(before.text.contains("Back up now") && before.text.contains("&lt;b&gt;backups"))
      let made = try await client.post("/settings/backup/make", [:], cookie: cookie)
      #expect(made.status == 303)
      while desk.current != nil { await Task.yield() }
      let page = try await client.get("/settings/backup", cookie: cookie)
      #expect(page.text.contains("A backup was created and checked"), "\(page.text)")
      #expect(page.text.contains("Verify the last backup"))
      _ = try await client.post("/settings/backup/compare", [:], cookie: cookie)
      while desk.current != nil { await Task.yield() }
      let compared = try await client.get("/settings/backup", cookie: cookie)
      #expect(compared.text.contains("The last backup is unchanged."))
      // Of the same size, with another content.
      let last = try #require(BackupBook(of: web.test.archive).last(now: web.test.clock.now))
      try Data(count: last.bytes).write(to: URL(fileURLWithPath: last.path))
      _ = try await client.post("/settings/backup/compare", [:], cookie: cookie)
      while desk.current != nil { await Task.yield() }
      let altered = try await client.get("/settings/backup", cookie: cookie)
      #expect(altered.text.contains("has changed since it was made. Make a new backup"))
    }
  }

  @Test func aScheduleWithANewKeyIsSetOnThePageAndItsBackupOpensWithThatKey() async throws {
    let web = try WebTest()
    try web.test.add("tea")
    let folder = web.test.folder.url.appendingPathComponent("backups")
    let desk = web.app.backupDesk
    try await web.run { client in
      let cookie = try await client.signIn()
      let saved = try await client.post(
        "/settings/backup/plan", ["folder": folder.path, "days": "7", "key": "new"], cookie: cookie)
      #expect(saved.status == 200 && saved.text.contains("Your secret key"))
      #expect(saved.headers[.cacheControl]?.contains("no-store") == true)
      let secret = try #require(saved.text.firstMatch(of: /AGE-SECRET-KEY-1[A-Z0-9]+/)).output
      while desk.current != nil { await Task.yield() }
      let book = BackupBook(of: web.test.archive)
      #expect(book.plan?.folder == folder.path && book.plan?.days == 7)
      let file = URL(fileURLWithPath: try #require(book.last(now: web.test.clock.now)?.path))
      let reader = try BackupReader(file, unlocks: [.identity(try AgeIdentity(String(secret)))])
      #expect(reader.manifest.entries == 1)
      let later = try await client.get("/settings/backup", cookie: cookie)
      #expect(!later.text.contains("AGE-SECRET-KEY") && later.text.contains("Change the schedule"))
      guard case .folder(let home) = web.test.archive.location else {
        Issue.record("the archive has no folder")
        return
      }
      let files = try FileManager.default.contentsOfDirectory(atPath: home.path)
        .compactMap { FileManager.default.contents(atPath: "\(home.path)/\($0)") }
      #expect(!files.isEmpty && !files.contains { $0.range(of: Data(secret.utf8)) != nil })
      // The key stays when only the interval changes.
      let recipients = book.plan?.recipients
      let changed = try await client.post(
        "/settings/backup/plan", ["folder": folder.path, "days": "1", "key": "kept"],
        cookie: cookie)
      #expect(changed.status == 303)
      while desk.current != nil { await Task.yield() }
      let plan = BackupBook(of: web.test.archive).plan
      #expect(plan?.days == 1 && plan?.recipients == recipients)
      #expect(try await client.post("/settings/backup/off", [:], cookie: cookie).status == 303)
      #expect(BackupBook(of: web.test.archive).plan == nil)
      #expect(BackupBook(of: web.test.archive).last(now: web.test.clock.now)?.path.isEmpty == false)
    }
  }

  /// The page would show the progress of the other one, and this one would never be made.
  @Test func aBackupThatCannotBeStartedIsRefused() async throws {
    let web = try WebTest()
    let folder = web.test.folder.url.appendingPathComponent("backups").path
    let desk = web.app.backupDesk
    let gate = DispatchSemaphore(value: 0)
    let isFirst = desk.begin(.making) {
      gate.wait()
      return "Done."
    }
    #expect(isFirst)
    try await web.run { client in
      let cookie = try await client.signIn()
      let words = "correct horse battery staple"
      let fields = ["folder": folder, "passphrase": words, "again": words]
      for path in ["/settings/backup/once", "/settings/backup/move"] {
        let refused = try await client.post(path, fields, cookie: cookie)
        #expect(refused.status == 409 && refused.text.contains("Wait until it’s done"), "\(path)")
      }
    }
    gate.signal()
    while desk.current != nil { await Task.yield() }
    #expect(desk.outcome?.sentence == "Done.")
  }

  /// A second click, or the page loaded again, would replace the key that somebody wrote down.
  @Test func aScheduleThatIsSentTwiceHasOneNewKey() async throws {
    let web = try WebTest()
    let folder = web.test.folder.url.appendingPathComponent("backups").path
    let desk = web.app.backupDesk
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/backup", cookie: cookie)
      let form = try #require(
        page.text.firstMatch(of: #/name="idempotencyKey" value="([^"]+)"/#)
      ).output.1
      func secret(_ form: String) async throws -> String {
        let fields = ["folder": folder, "days": "7", "key": "new", "idempotencyKey": form]
        let saved = try await client.post("/settings/backup/plan", fields, cookie: cookie)
        while desk.current != nil { await Task.yield() }
        return String(
          try #require(saved.text.firstMatch(of: /AGE-SECRET-KEY-1[A-Z0-9]+/)).output)
      }
      let first = try await secret(String(form))
      #expect(try await secret(String(form)) == first)
      let recipients = BackupBook(of: web.test.archive).plan?.recipients
      #expect(try recipients == [AgeIdentity(first).recipient])
      #expect(try await secret("another form") != first)
    }
  }

  @Test func thePageThatShowsTheKeyFollowsItsBackupAndKeepsTheKey() async throws {
    let web = try WebTest()
    let folder = web.test.folder.url.appendingPathComponent("backups").path
    let desk = web.app.backupDesk
    try await web.run { client in
      let cookie = try await client.signIn()
      let saved = try await client.post(
        "/settings/backup/plan", ["folder": folder, "days": "7", "key": "new"], cookie: cookie)
      // Its own address only takes forms, so it is read again from the page of the backups.
      #expect(saved.text.contains(" data-refresh=\"/settings/backup\""))
      let key = try #require(saved.text.firstMatch(of: #/<section [^>]*id="backup-key"[^>]*>/#))
      #expect(key.output.contains(" data-keep"))
      while desk.current != nil { await Task.yield() }
      // The page that takes its place goes on doing so.
      let later = try await client.get("/settings/backup", cookie: cookie)
      #expect(later.text.contains(" data-refresh=\"/settings/backup\""))
      #expect(later.text.contains("A backup was created") && !later.text.contains("data-polls"))
      // What was typed and refused stays.
      let refused = try await client.post(
        "/settings/backup/plan", ["folder": "backups", "days": "7", "key": "kept"], cookie: cookie)
      #expect(refused.status == 422 && !refused.text.contains("data-refresh"))
    }
  }

  @Test(arguments: [
    (["folder": ""], "The folder is missing"), (["folder": "backups"], "must begin with / or ~/"),
    (["days": "0"], "between 1 and 1000"),
    (["key": "own", "publicKey": "<b>"], "a public key (age1…)"),
    (["folder": "/proc/no"], "The folder can’t be used"), (["key": "kept"], ""),
  ])
  func aScheduleThatCannotBeComesBackAsTyped(typed: [String: String], words: String) async throws {
    let web = try WebTest()
    let folder = web.test.folder.url.appendingPathComponent("kept <typed>").path
    try await web.run { client in
      let cookie = try await client.signIn()
      let answer = try await client.post(
        "/settings/backup/plan",
        ["folder": folder, "days": "1", "key": "new"].merging(typed) { $1 }, cookie: cookie)
      // Without a schedule there is no key to keep, so a new one is made.
      guard !words.isEmpty else {
        #expect(answer.text.contains("AGE-SECRET-KEY-1"))
        return
      }
      #expect(answer.status == 422 && answer.text.contains(words), "\(answer.text)")
      #expect(typed["folder"] != nil || answer.text.contains("kept &lt;typed&gt;"))
      #expect(!answer.text.contains("<b>\"") && answer.text.contains("aria-invalid"))
      #expect(BackupBook(of: web.test.archive).plan == nil)
    }
  }

  @Test func anArchiveThatMovedSaysSoAndIsWrittenAgainByItsOwner() async throws {
    let web = try WebTest()
    _ = try web.test.archive.leave(for: "<i>laptop")
    try await web.run { client in
      let cookie = try await client.signIn()
      let page = try await client.get("/settings/backup", cookie: cookie)
      #expect(
        page.text.contains("&lt;i&gt;laptop") && page.text.contains("Allow changes here again"))
      let refused = try await client.ask(.post, "/api/v1/activities", ["text": "tea"])
      #expect(refused.status == 403 && refused.text.contains("arkived move stay"))
      #expect(try await client.post("/settings/backup/stay", [:], cookie: cookie).status == 303)
      #expect(try await client.ask(.post, "/api/v1/activities", ["text": "tea"]).status == 201)
      let after = try await client.get("/settings/backup", cookie: cookie)
      #expect(!after.text.contains("Allow changes here again"))
    }
  }
}
