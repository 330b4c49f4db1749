import ArkivedBackup
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import ArkivedWeb

@Suite("Downloads of files")
struct FileDownloadTests {
  /// Cuts the file that is being sent, as another program may.
  private struct CuttingWriter: ResponseBodyWriter {
    let file: URL

    @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 10)
      try handle.close()
    }

    @concurrent consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  /// The pieces of an answer, as they are sent.
  private final class Pieces: Sendable {
    let content = Mutex<[[UInt8]]>([])
  }

  private struct KeepingWriter: ResponseBodyWriter {
    let pieces: Pieces

    @concurrent mutating func write(_ buffer: ByteBuffer) async throws {
      pieces.content.withLock { $0.append(Array(buffer.readableBytesView)) }
    }

    @concurrent consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  @Test(arguments: [0, 9, 2_500_000])
  func aLargeFileIsSentInPieces(_ size: Int) async throws {
    var content = Data(count: size)
    for index in stride(from: 0, to: size, by: 99_991) {
      content[index] = UInt8(truncatingIfNeeded: index)
    }
    // A player asks for parts.
    let part = content.dropFirst(3)
    let body = Response.body(inPieces: part)
    #expect(body.contentLength == part.count)
    let pieces = Pieces()
    try await body.write(KeepingWriter(pieces: pieces))
    let sent = pieces.content.withLock { $0 }
    #expect(sent.allSatisfy { $0.count <= 1 << 20 })
    #expect(Data(sent.joined()) == part)
  }

  @Test func aFileThatIsCutEndsOnlyItsAnswer() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("life.zip", Data(count: 5_000_000))
    let response = Response(download: try PlainFile(file), [:])
    #expect(response.body.contentLength == 5_000_000)
    await #expect(throws: CocoaError.self) {
      try await response.body.write(CuttingWriter(file: file))
    }
  }

  /// It may be a film on a disk that is removed while a phone plays it.
  @Test func aLargeAttachmentThatIsCutEndsOnlyItsAnswer() async throws {
    let test = try TestArchive()
    let archive = test.archive
    var content = Data(count: 3_000_000)
    for index in stride(from: 0, to: content.count, by: 99_991) {
      content[index] = UInt8(truncatingIfNeeded: index)
    }
    let film = try archive.store(
      content,
      as: ArkivedCore.Attachment(
        id: archive.identities.next(), type: .file, mediaType: "video/mp4",
        originalName: "film.mp4", createdAt: test.clock.now, updatedAt: test.clock.now))
    let small = try AttachmentController.opened(film, size: 1 << 20, in: archive)
    #expect(small?.count == nil)
    let opened = try #require(
      try AttachmentController.opened(film, size: content.count, in: archive))
    let part = 5..<2_500_000
    let pieces = Pieces()
    let body = Response.body(of: opened, part)
    #expect(body.contentLength == part.count)
    try await body.write(KeepingWriter(pieces: pieces))
    #expect(Data(pieces.content.withLock { $0 }.joined()) == content[part])
    let file = try #require(archive.file(of: film))
    await #expect(throws: CocoaError.self) {
      try await Response.body(of: opened, part).write(CuttingWriter(file: file))
    }
    #expect(throws: ArchiveError.self) {
      try AttachmentController.opened(film, size: content.count, in: archive)
    }
  }
}
