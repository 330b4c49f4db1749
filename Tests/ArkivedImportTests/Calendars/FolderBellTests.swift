#if os(Linux)
  import ArkivedImport
  import ArkivedTestSupport
  import Foundation
  import Testing

  @Suite(.timeLimit(.minutes(20)))
  struct FolderBellTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func rings() throws -> AsyncStream<Void> {
      let bell = FolderBell(folder: folder.url) { $0.hasSuffix("-wal") }
      return try #require(bell.rings())
    }

    @Test func aWriteThatLeavesNoTraceIsToldToo() async throws {
      let log = try folder.file("a.sqlite-wal", "12345678")
      let before = try FileManager.default.attributesOfItem(atPath: log.path)
      var told = try rings().makeAsyncIterator()
      let handle = try FileHandle(forWritingTo: log)
      try handle.write(contentsOf: Data("12345678".utf8))
      try handle.close()
      try FileManager.default.setAttributes(
        [.modificationDate: before[.modificationDate] ?? Date()], ofItemAtPath: log.path)
      let ring: Void? = await told.next(isolation: nil)
      #expect(ring != nil)
    }

    @Test func aFileThatComesOrGoesRings() async throws {
      var told = try rings().makeAsyncIterator()
      let log = try folder.file("a.sqlite-wal", "1")
      let came: Void? = await told.next(isolation: nil)
      try FileManager.default.removeItem(at: log)
      let went: Void? = await told.next(isolation: nil)
      #expect(came != nil && went != nil)
    }

    @Test func otherFilesRingNothingAndItEndsWithItsFolder() async throws {
      var told = try rings().makeAsyncIterator()
      _ = try folder.file("notes.txt", "n")
      try FileManager.default.removeItem(at: folder.url)
      let end: Void? = await told.next(isolation: nil)
      #expect(end == nil)
    }

    @Test func aFolderThatIsNotThereCannotBeTold() throws {
      let bell = FolderBell(folder: folder.url.appending(path: "none")) { _ in true }
      #expect(bell.rings() == nil)
    }
  }
#endif
