import ArkivedBackup
import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedWeb

@Suite("Packing and single backups on the web app", .timeLimit(.minutes(20)))
struct SettingsMoveTests {
  private func rested(_ desk: BackupDesk) async {
    while desk.current != nil { await Task.yield() }
  }

  @Test func theArchiveIsPackedIntoOneFileAndMarkedAsMoved() async throws {
    let web = try WebTest()
    try web.test.add("tea")
    let folder = web.test.folder.url.appendingPathComponent("<b>stick")
    let desk = web.app.backupDesk
    try await web.run { client in
      let cookie = try await client.signIn()
      let form = try await client.get("/settings/backup/move", cookie: cookie)
      #expect(form.status == 200 && form.text.contains("id=\"move-pack\""))
      #expect(!form.text.contains("id=\"move-leave\""))
      let fields = ["folder": folder.path, "passphrase": "open sesame", "again": "open sesame"]
      let twice = try await client.post(
        "/settings/backup/move", fields.merging(["again": "other"]) { $1 }, cookie: cookie)
      #expect(twice.status == 422 && twice.text.contains("isn’t the same in both fields"))
      #expect(!twice.text.contains("open sesame"))
      let nowhere = try await client.post(
        "/settings/backup/move", fields.merging(["folder": "stick"]) { $1 }, cookie: cookie)
      #expect(nowhere.status == 422 && nowhere.text.contains("must begin with / or ~/"))
      let sent = try await client.post("/settings/backup/move", fields, cookie: cookie)
      #expect(sent.status == 303)
      await rested(desk)
      let packed = try #require(desk.packed)
      let page = try await client.get("/settings/backup/move", cookie: cookie).text
      #expect(page.contains(MoveJob.fingerprint(packed.backup.manifest)))
      #expect(page.contains("On the other computer") && page.contains("&lt;b&gt;stick"))
      #expect(page.contains("The passphrase is weak."))
      let reader = try BackupReader(
        packed.backup.file, unlocks: [.passphrase("open sesame")])
      #expect(reader.manifest.entries == 1)
      let nameless = try await client.post(
        "/settings/backup/move/leave", ["name": " "], cookie: cookie)
      #expect(nameless.status == 422 && nameless.text.contains("Enter a name"))
      _ = try await client.post(
        "/settings/backup/move/leave", ["name": "new <laptop>"], cookie: cookie)
      let left = try await client.get("/settings/backup/move", cookie: cookie).text
      #expect(left.contains("new &lt;laptop&gt;") && left.contains("read-only"))
      #expect(try web.test.archive.departure() != nil)
      _ = try await client.post("/settings/backup/move/stay", [:], cookie: cookie)
      #expect(try web.test.archive.departure() == nil)
    }
  }

  @Test func aSingleBackupWithAPassphraseIsMade() async throws {
    let web = try WebTest()
    try web.test.add("tea")
    let folder = web.test.folder.url.appendingPathComponent("disk")
    let desk = web.app.backupDesk
    try await web.run { client in
      let cookie = try await client.signIn()
      let fields = ["folder": folder.path, "passphrase": "open sesame", "again": "open sesame"]
      let empty = try await client.post(
        "/settings/backup/once", ["folder": folder.path, "passphrase": ""], cookie: cookie)
      #expect(empty.status == 422 && empty.text.contains("The passphrase is missing"))
      #expect(try await client.post("/settings/backup/once", fields, cookie: cookie).status == 303)
      await rested(desk)
      let page = try await client.get("/settings/backup", cookie: cookie).text
      #expect(page.contains("The backup was created and checked:"), "\(page)")
    }
    let last = try #require(BackupBook(of: web.test.archive).last(now: web.test.clock.now))
    let reader = try BackupReader(
      URL(fileURLWithPath: last.path), unlocks: [.passphrase("open sesame")])
    #expect(reader.manifest.entries == 1 && last.path.hasPrefix(folder.path))
  }

  @Test func backupsThatLieInTheFolderAreListedToo() async throws {
    let web = try WebTest()
    try web.test.add("tea")
    let folder = web.test.folder.url.appendingPathComponent("backups")
    try BackupBook.plan(
      of: web.test.archive, folder: folder.path, recipients: [AgeIdentity().recipient])
    _ = try BackupJob(archive: web.test.archive, target: nil)
      .write(to: folder.appendingPathComponent("old.zip"))
    try Data("x".utf8).write(to: folder.appendingPathComponent("letter.txt"))
    let items = BackupListing(of: web.test.archive).items
    #expect(items.map { URL(fileURLWithPath: $0.path).lastPathComponent } == ["old.zip"])
    #expect(items.first?.health == .unknown && items.first?.isEncrypted == false)
    _ = try RestoreJob(archive: web.test.archive, homeZone: web.test.zone)
      .test(folder.appendingPathComponent("old.zip"), unlocks: [])
    #expect(BackupListing(of: web.test.archive).items.first?.health == .tested(TestArchive.now))
    // A file of another size is not the one that was tested.
    try Data("PK other".utf8).write(to: folder.appendingPathComponent("old.zip"))
    #expect(BackupListing(of: web.test.archive).items.first?.health == .unknown)
  }
}
