import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
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
      #expect(page.status == 200 && page.text.contains("There is none yet"))
      #expect(page.text.contains("arkived backup schedule --folder DIR --to KEY"))
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
      #expect(page.text.contains("Compare the last backup"))
      _ = try await client.post("/settings/backup/compare", [:], cookie: cookie)
      while desk.current != nil { await Task.yield() }
      let compared = try await client.get("/settings/backup", cookie: cookie)
      #expect(compared.text.contains("The last backup is unchanged."))
      // Of the same size, with another content.
      let last = try #require(BackupBook(of: web.test.archive).last)
      try Data(count: last.bytes).write(to: URL(fileURLWithPath: last.path))
      _ = try await client.post("/settings/backup/compare", [:], cookie: cookie)
      while desk.current != nil { await Task.yield() }
      let altered = try await client.get("/settings/backup", cookie: cookie)
      #expect(altered.text.contains("has changed since it was made. Make a new backup, and check the"))
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
