import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// Notes of Google Keep whose creation is given as zero, or in quotes.
@Suite("Names of Keep's notes")
struct KeepNameTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func note(_ title: String, created: String, edited: String) throws {
    let json = """
      {"isTrashed":false,"isPinned":false,"isArchived":false,"title":"\(title)",\
      "textContent":"About \(title)","createdTimestampUsec":\(created),\
      "userEditedTimestampUsec":\(edited)}
      """
    _ = try test.folder.file("in/Keep/\(title).json", json)
  }

  private func run() throws -> ImportRun {
    try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone)
        .run(test.folder.url.appendingPathComponent("in")).first)
  }

  @Test(arguments: [
    ["0", "0", "0"],
    ["\"1604000000000000\"", "\"1604100000000000\"", "\"1603000000000000\""],
  ])
  func aFurtherNoteLeavesTheOthersAsTheyAre(created: [String]) throws {
    try note("Milk", created: created[0], edited: "1604445200000000")
    try note("Tea", created: created[1], edited: "1604545200000000")
    #expect(try run().created["activity"] == 2)
    // In the order of files, it comes before them.
    try note("Apple", created: created[2], edited: "1604645200000000")
    let again = try run()
    #expect(again.created["activity"] == 1 && again.updated == 0, "\(again.warnings)")
  }
}
