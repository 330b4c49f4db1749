import ArkivedCore
import ArkivedTestSupport
import GRDB
import Testing

@testable import ArkivedStore

@Suite("Writing while everything from other devices is added")
struct ArchiveFillingTests {
  private let test: TestArchive
  private let refusal = ArchiveError.busy(Archive.fillingSentence)

  init() throws { test = try TestArchive() }

  @Test("Another write of the same process waits, then says why it failed")
  func sameProcess() throws {
    let archive = test.archive
    try archive.fill { (_: Database) throws -> Void in
      #expect(throws: DatabaseError.self) { try archive.waitWhileFilling(seconds: 0.05) }
      #expect(throws: refusal) {
        try archive.explainingFill { try archive.waitWhileFilling(seconds: 0.05) }
      }
      // The archive can be read.
      #expect(try archive.day(DayKey("2026-03-14") ?? .earliest).activities.isEmpty)
    }
    try archive.waitWhileFilling(seconds: 0)
    try test.add("afterwards")
    // The same holds after a fill that failed.
    #expect(throws: CancellationError.self) {
      try archive.fill { (_: Database) throws -> Void in throw CancellationError() }
    }
    try archive.waitWhileFilling(seconds: 0)
    #expect(try test.day("2026-03-14").activities.count == 1)
  }

  @Test("A write of another process says why it failed")
  func otherProcess() throws {
    let other = try test.another()
    func fail(_ code: ResultCode) throws {
      try other.explainingFill { () throws -> Void in throw DatabaseError(resultCode: code) }
    }
    #expect(throws: DatabaseError.self) { try fail(.SQLITE_BUSY) }
    try test.archive.startReplica(
      device: "own", settings: ["name": "desk"], joining: ["code": "A"])
    #expect(throws: refusal) { try fail(.SQLITE_BUSY) }
    #expect(throws: DatabaseError.self) { try fail(.SQLITE_FULL) }
    try test.archive.endJoiningReplica()
    #expect(throws: DatabaseError.self) { try fail(.SQLITE_BUSY) }
    // A request to join that nobody has answered yet fills nothing.
    try test.archive.stopReplica(keeping: ["code": "A"])
    #expect(throws: DatabaseError.self) { try fail(.SQLITE_BUSY) }
  }
}
