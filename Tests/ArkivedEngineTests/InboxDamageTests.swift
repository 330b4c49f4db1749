import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("What goes wrong in an inbox folder")
struct InboxDamageTests {
  private let test: TestArchive
  private let box: InboxBox

  init() throws {
    test = try TestArchive()
    box = try InboxBox(test)
  }

  private func count() throws -> Int { try test.archive.counts().activities }

  private func putBack(_ name: String) throws {
    try FileManager.default.moveItem(
      at: box.url.appendingPathComponent("done/\(name)"),
      to: box.url.appendingPathComponent(name))
  }

  @Test func aStopBetweenCommitAndMoveDoublesNothing() throws {
    try box.drop("a.txt", "tea")
    try box.drop("log.txt", "- one\n- two\n")
    try box.drop("note.md", "# Sea\n\nCold.")
    try box.drop("2026-03-05.md", "A day.\n\nLong.")
    #expect(try box.look().taken.count == 4)
    for name in ["a.txt", "log.txt", "note.md", "2026-03-05.md"] { try putBack(name) }
    let account = try box.look()
    #expect(account.known.count == 4 && account.taken.isEmpty && account.runs.isEmpty)
    #expect(try count() == 3 && test.archive.notes(NoteFilter()).count == 1)
    #expect(box.names() == ["done"])
  }

  @Test func theSameTextOnTheSameDayIsKnownAndOnAnotherIsNot() throws {
    try box.drop("a.txt", "coffee")
    _ = try box.look()
    try box.drop("a.txt", "coffee", changed: "2026-03-14T18:30:00Z")
    #expect(try box.look().known.map(\.name) == ["a.txt"])
    try box.drop("a.txt", "coffee", changed: "2026-03-13T18:30:00Z")
    #expect(try box.look().taken == ["a.txt"])
    #expect(try count() == 2 && box.names("done") == ["a (2).txt", "a (3).txt", "a.txt"])
  }

  @Test func aConflictingCopyComesInWhereItSaysSomethingElse() throws {
    try box.drop("plan.txt", "swim")
    try box.drop("plan.sync-conflict-20260314-180000-ABCDEF7.txt", "swim")
    try box.drop("plan (conflicted copy 2026-03-14 180000).txt", "run")
    let account = try box.look()
    #expect(account.known.count == 1 && account.taken.count == 2)
    #expect(Set(try test.day("2026-03-14").activities.map(\.text)) == ["swim", "run"])
  }

  @Test func whatTheOwnerDeletedStaysAway() throws {
    try box.drop("a.txt", "tea")
    try box.drop("b.txt", "cake")
    _ = try box.look()
    let tea = try #require(
      try test.day("2026-03-14").activities.first { $0.text == "tea" })
    _ = try test.archive.deleteActivities([tea.id])
    #expect(try count() == 1)
    try putBack("a.txt")
    let account = try box.look()
    #expect(account.known.first?.reason.contains("deleted") == true && account.taken.isEmpty)
    #expect(try count() == 1)
  }

  @Test func aRunThatWasTakenBackMayComeAgain() throws {
    try box.drop("a.txt", "tea")
    let run = try #require(try box.look().runs.first)
    _ = try test.archive.undo(
      try test.archive.importRun(matching: run.id.uuidString).changeID)
    #expect(try count() == 0)
    try putBack("a.txt")
    #expect(try box.look().taken == ["a.txt"])
    #expect(try count() == 1)
  }

  @Test func linksFoldersAndPipesAreLeftAlone() throws {
    let outside = try test.folder.file("outside/secret.txt", "secret")
    let link = box.url.appendingPathComponent("link.txt")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
    #expect(mkfifo(box.url.appendingPathComponent("pipe.txt").path, 0o600) == 0)
    try FileManager.default.createDirectory(
      at: box.url.appendingPathComponent("vault"), withIntermediateDirectories: true)
    try box.drop(".hidden.txt", "tea")
    let account = try box.look()
    #expect(account.left.map(\.name) == ["link.txt", "pipe.txt", "vault"])
    #expect(try count() == 0 && account.isEmpty)
    #expect(try String(contentsOf: outside, encoding: .utf8) == "secret")
    #expect(box.names() == [".hidden.txt", "link.txt", "pipe.txt", "vault"])
  }

  @Test func aShelfThatLeadsElsewhereIsNoShelf() throws {
    let outside = test.folder.url.appendingPathComponent("outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: box.url.appendingPathComponent("done"), withDestinationURL: outside)
    try box.drop("a.txt", "tea")
    let account = try box.look()
    #expect(account.left.first?.reason.contains("done isn’t an actual subfolder") == true)
    #expect(box.names().contains("a.txt"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
    // It is in the archive once, however often it is met.
    _ = try box.look()
    #expect(try count() == 1)
  }

  @Test func aFileThatIsBeingWrittenIsWaitedFor() throws {
    try box.drop("a.txt", "half")
    #expect(try box.look(rest: 60).waiting == 1)
    #if os(Linux)
      // No program that another test starts meanwhile may have it open as well.
      let path = box.url.appendingPathComponent("a.txt").path
      let writer = FileHandle(
        fileDescriptor: open(path, O_WRONLY | O_CLOEXEC), closeOnDealloc: true)
      let account = try box.look()
      #expect(account.waiting == 1 && account.taken.isEmpty)
      try writer.close()
    #endif
    #expect(try count() == 0)
    #expect(try box.look().taken == ["a.txt"])
  }

  #if os(Linux)
    @Test func aFileThatWasOnlyNotClosedIsTakenOnceItWasSeenUnchangedForAWhile() throws {
      try box.drop("a.txt", "tea")
      let path = box.url.appendingPathComponent("a.txt").path
      let writer = FileHandle(
        fileDescriptor: open(path, O_WRONLY | O_CLOEXEC), closeOnDealloc: true)
      let job = InboxJob(
        archive: test.archive, homeZone: test.zone, folder: box.url,
        stillness: InboxStillness(rest: 0, patience: 0))
      // However old it is: who writes it may have slept as long as its computer.
      #expect(try job.run().waiting == 1)
      #expect(try job.run().taken == ["a.txt"])
      try writer.close()
    }
  #endif

  @Test func aReasonTakesNoOtherFilesPlace() throws {
    let content = Data([0, 1, 2])
    try box.drop("letter.docx.reason.txt", content)
    #expect(try box.look().failed.count == 1)
    try box.drop("letter.docx", Data([0x50, 0x4B, 3, 4, 1]))
    #expect(try box.look().failed.map(\.name) == ["letter.docx"])
    let kept = box.url.appendingPathComponent("failed/letter.docx.reason.txt")
    #expect(try Data(contentsOf: kept) == content)
    #expect(try box.text("failed/letter (2).docx.reason.txt").contains("arkived import"))
  }

  @Test func moreEntriesThanAnybodyWritesAreNoNote() throws {
    try box.drop("log.txt", String(repeating: "- a\n", count: 10_001))
    #expect(try box.look().failed.first?.reason.contains("10001 entries") == true)
    #expect(try count() == 0)
  }

  @Test func whatStandsBesideAPhotoThatFailedStaysWithIt() throws {
    try box.drop("a\\b.png", TestPicture.png(width: 8, height: 8, seed: 1))
    try box.drop("a\\b.xmp", "<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>")
    let account = try box.look()
    #expect(account.failed.map(\.name) == ["a\\b.png"] && account.taken.isEmpty)
    #expect(account.left.map(\.name) == ["a\\b.xmp"] && box.names().contains("a\\b.xmp"))
  }

  @Test func aLockedFileIsLeftAndTold() throws {
    let file = try box.drop("a.txt", "tea")
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(try box.look().left.first?.reason.contains("locked") == true)
    close(descriptor)
    #expect(try box.look().taken == ["a.txt"])
  }

  @Test func aFileThatMayNotBeReadIsLeftAndTold() throws {
    let file = try box.drop("a.txt", "tea")
    chmod(file.path, 0)
    let account = try box.look()
    // Root may read everything.
    if geteuid() != 0 {
      #expect(account.left.first?.reason.contains("permissions") == true)
      chmod(file.path, 0o600)
      #expect(try box.look().taken == ["a.txt"])
    }
    #expect(try count() == 1)
  }

  @Test func namesThatAreTakenAreCounted() throws {
    for number in 1...3 {
      try box.drop("note.txt", "entry \(number)")
      #expect(try box.look().taken == ["note.txt"])
    }
    #expect(box.names("done") == ["note (2).txt", "note (3).txt", "note.txt"])
    #expect(try box.text("done/note (3).txt") == "entry 3")
  }

  @Test func aFolderThatIsGoneIsTold() throws {
    try FileManager.default.removeItem(at: box.url)
    #expect(try box.look().problem?.contains("can’t be opened") == true)
  }

  @Test func anInboxIsAFolderOfItsOwn() throws {
    let home = FileManager.default.homeDirectoryForCurrentUser
    for folder in [URL(fileURLWithPath: "/"), home, test.folder.url] {
      #expect(throws: ArchiveError.self) { try InboxBook.choose(folder, for: test.archive) }
    }
    let book = try InboxBook.choose(box.url.appendingPathComponent("new"), for: test.archive)
    #expect(book.url?.lastPathComponent == "new" && box.names() == ["new"])
    #expect(InboxBook(of: test.archive).folder == book.folder)
    try InboxBook.change(of: test.archive) { $0.folder = nil }
    #expect(InboxBook(of: test.archive).folder == nil)
  }
}
