import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("Files that an import made and the archive takes")
struct TakenFileTests {
  private let test: TestArchive
  private let flusher = FileFlusher()
  private let scratch: URL
  private let content = Data("a pressed leaf".utf8)

  init() throws {
    test = try TestArchive()
    scratch = test.folder.url.appendingPathComponent("scratch")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
  }

  private func make(_ name: String, _ content: Data? = nil) throws -> URL {
    try test.folder.file("scratch/\(name)", content ?? self.content)
  }

  private func row(hash: String? = nil) -> ArkivedCore.Attachment {
    ArkivedCore.Attachment(
      id: test.archive.identities.next(), type: .photo, contentHash: hash,
      originalName: "leaf.JPG", createdAt: test.clock.now, updatedAt: test.clock.now)
  }

  private func take(
    _ file: URL, hash: String? = nil
  ) throws -> (attachment: ArkivedCore.Attachment, file: URL)? {
    let taken = try test.archive.take(file, outOf: scratch, as: row(hash: hash), flusher: flusher)
    guard let taken else { return nil }
    return (taken, try #require(test.archive.file(of: taken)))
  }

  private func status(_ file: URL) -> stat? {
    var status = stat()
    return lstat(file.path, &status) == 0 ? status : nil
  }

  /// Names that are no attachments.
  private func leftovers() throws -> [String] {
    let folder = try #require(test.archive.attachmentsFolder)
    return try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.contains("incoming")
    }
  }

  @Test(.enabled(if: geteuid() != 0, "the superuser may open every folder"))
  func aFolderThatCannotBeFlushedFailsNoStoredFile() throws {
    let stored = try test.archive.store(content, as: row())
    let shelf = try #require(test.archive.file(of: stored)).deletingLastPathComponent()
    // Some network disks can't flush a folder; one that can't be opened can't be flushed either.
    try FileManager.default.setAttributes([.posixPermissions: 0o300], ofItemAtPath: shelf.path)
    defer {
      try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: shelf.path)
    }
    #expect(try test.archive.store(content, as: row()).relativePath == stored.relativePath)
    _ = try test.archive.store(content, as: row(), flusher: flusher)
    try flusher.finish()
  }

  @Test func aFileIsMovedAndIsWhatItWas() throws {
    let file = try make("photos/1.jpg")
    let number = try #require(status(file)).st_ino
    let (attachment, stored) = try #require(try take(file))
    #expect(status(file) == nil)
    let now = try #require(status(stored))
    #if os(Linux)
      #expect(now.st_ino == number)
    #endif
    #expect(now.st_mode & 0o777 == 0o600 && now.st_nlink == 1)
    #expect(attachment.byteCount == content.count)
    let copy = try test.archive.store(content, as: row())
    #expect(attachment.contentHash == copy.contentHash)
    #expect(attachment.relativePath == copy.relativePath)
    try flusher.finish()
    #expect(try Data(contentsOf: stored) == content)
    #expect(try leftovers().isEmpty)
  }

  @Test func whatIsStillOpenSomewhereIsNotShared() throws {
    let file = try make("1.jpg")
    let open = try FileHandle(forWritingTo: file)
    let (attachment, stored) = try #require(try take(file))
    try open.write(contentsOf: Data("scribbled over".utf8))
    try open.close()
    try flusher.finish()
    #expect(try Data(contentsOf: stored) == content)
    #expect(try test.archive.store(content, as: row()).contentHash == attachment.contentHash)
    #expect(try leftovers().isEmpty)
  }

  @Test func whatHasAnotherNameIsNotShared() throws {
    let file = try make("1.jpg")
    let other = scratch.appendingPathComponent("other.jpg")
    try FileManager.default.linkItem(at: file, to: other)
    let (_, stored) = try #require(try take(file))
    let handle = try FileHandle(forWritingTo: other)
    try handle.write(contentsOf: Data("scribbled over".utf8))
    try handle.close()
    try flusher.finish()
    #expect(try Data(contentsOf: stored) == content)
    #expect(try #require(status(stored)).st_nlink == 1)
  }

  @Test func theSameContentIsKeptOnce() throws {
    let (first, stored) = try #require(try take(try make("1.jpg")))
    let number = try #require(status(stored)).st_ino
    let second = try make("2.jpg")
    let again = try #require(try take(second))
    #expect(again.attachment.relativePath == first.relativePath && status(second) == nil)
    #expect(try #require(status(stored)).st_ino == number)
    // What was damaged since is made good.
    try Data("a pressed le".utf8).write(to: stored)
    _ = try take(try make("3.jpg"))
    try flusher.finish()
    #expect(try Data(contentsOf: stored) == content)
    #expect(try leftovers().isEmpty)
  }

  @Test func linksLeadNowhere() throws {
    let outside = try test.folder.file("mine/photo.jpg", content)
    try FileManager.default.createSymbolicLink(
      at: scratch.appendingPathComponent("folder"),
      withDestinationURL: outside.deletingLastPathComponent())
    #expect(try take(scratch.appendingPathComponent("folder/photo.jpg"))?.file == nil)
    let link = scratch.appendingPathComponent("link.jpg")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
    #expect(throws: CocoaError.self) { try take(link) }
    #expect(try Data(contentsOf: outside) == content)
    #expect(try leftovers().isEmpty)
  }

  @Test(arguments: ["../mine/photo.jpg", ".lock", "missing.jpg"])
  func whatIsNotReachedStaysWhereItIs(path: String) throws {
    let outside = try test.folder.file("mine/photo.jpg", content)
    let lock = try make(".lock")
    #expect(try take(scratch.appendingPathComponent(path))?.file == nil)
    #expect(try take(outside)?.file == nil)
    for file in [outside, lock] { #expect(try Data(contentsOf: file) == content) }
  }

  @Test func anotherHashThanTheOneToldIsRefused() throws {
    let file = try make("1.jpg")
    #expect(throws: FieldError.self) { try take(file, hash: String(repeating: "0", count: 64)) }
    #expect(try leftovers().isEmpty)
  }

  @Test func manyFilesAreThereWhenTheyAreFinished() throws {
    let files = try (0..<200).map { number in
      try #require(try take(try make("\(number).jpg", Data("\(number)".utf8)))).file
    }
    try flusher.finish()
    for (number, file) in files.enumerated() {
      #expect(try Data(contentsOf: file) == Data("\(number)".utf8))
    }
    #expect(try leftovers().isEmpty)
  }

  @Test func whatIsBeingUnpackedIsNoneOfTheChecksBusiness() throws {
    try test.add("a walk")
    let home = try #require(test.archive.scratchHome)
    #expect(home.path.hasPrefix(test.folder.url.path))
    try FileManager.default.createDirectory(
      at: home, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let file = home.appendingPathComponent("arkived-import-1")
    try content.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    #expect(try test.archive.examine().allSatisfy { $0.verdict == .good })
  }
}
