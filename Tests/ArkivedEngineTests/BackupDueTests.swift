import ArkivedBackup
import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine

@Suite("When the next planned backup is due")
struct BackupDueTests {
  @Test("A new folder whose name another one begins with gets its first backup at once")
  func newFolder() throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("disk-old/arkived.zip.age", "backup")
    let now = TestArchive.now
    var book = BackupBook(in: nil)
    book.entries = [
      BackupBook.Entry(
        path: file.path, madeAt: now, bytes: 6, hash: "", entries: 1, isEncrypted: true,
        isRotated: true, missing: 0)
    ]
    func plan(_ name: String) -> BackupBook.Plan {
      BackupBook.Plan(
        folder: folder.url.appendingPathComponent(name).path,
        recipients: [AgeIdentity().recipient])
    }
    book.plan = plan("disk")
    #expect(book.nextDue(now: now) == .earliest)
    book.plan = plan("disk-old")
    #expect(book.nextDue(now: now) == now.adding(seconds: 86_400))
  }
}
