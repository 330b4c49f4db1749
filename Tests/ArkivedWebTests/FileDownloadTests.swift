import ArkivedBackup
import ArkivedTestSupport
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
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

  @Test func aFileThatIsCutEndsOnlyItsAnswer() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.file("life.zip", Data(count: 5_000_000))
    let response = Response(download: try PlainFile(file), [:])
    #expect(response.body.contentLength == 5_000_000)
    await #expect(throws: CocoaError.self) {
      try await response.body.write(CuttingWriter(file: file))
    }
  }
}
