import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Large pieces of files")
struct FilePieceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 4_096, 99_999, 100_000, 100_001, 350_000])
  func allBytesComeInTheirOrder(count: Int) throws {
    let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let file = try FileHandle(forReadingFrom: try folder.file("\(count)", Data(content)))
    var found: [UInt8] = []
    while true {
      let piece = try file.readPiece(upTo: 100_000)
      guard !piece.isEmpty else { break }
      // Only the last one is shorter.
      #expect(piece.count == min(100_000, count - found.count))
      found += piece
    }
    #expect(found == content)
    #expect(try file.readPiece(upTo: 100_000).isEmpty)
  }

  @Test func whatCannotBeReadIsAnError() throws {
    let file = try folder.file("x", "x")
    let handle = try FileHandle(forWritingTo: file)
    #expect(throws: CocoaError.self) { try handle.readPiece(upTo: 10) }
  }
}
