import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

@Suite("What taking an import back concerns")
struct ImportExtentTests {
  /// An import of some entries with tags and people, as it is when it is published.
  private func imported(_ test: TestArchive, _ names: [String]) throws -> (UUID, [Activity]) {
    let stage = try ImportStage(test.archive, "import", "Imported", waitsSeconds: 0)
    let entries = try names.map { try test.activity($0, tags: ["t-\($0)"], people: ["P \($0)"]) }
    try stage.write { scope, _ in
      for var entry in entries {
        entry.people = try entry.people.map { try scope.resolve($0, allowsFirstName: false) }
        try scope.insert(entry)
      }
    }
    try stage.publish { _ in }
    return (stage.change.id, entries)
  }

  private func key(_ test: TestArchive, _ change: UUID) throws -> Int64 {
    try #require(
      try test.archive.read { db in
        try Int64.fetchOne(
          db, sql: "SELECT pk FROM changes WHERE id = ?", arguments: [change.uuidString])
      })
  }

  private enum Stop: Error { case now }

  /// What was found out before and brought up to date must be what is found out now.
  private func expectSame(_ before: ImportExtent, _ test: TestArchive) throws {
    #expect(throws: Stop.self) {
      try test.archive.write(by: .owner, "undo", "") { scope in
        let caughtUp = try before.caughtUp(scope)
        let now = try ImportExtent(of: before.key, scope.db)
        #expect(caughtUp.isShown == now.isShown)
        #expect(caughtUp.made == now.made && caughtUp.untouched == now.untouched)
        #expect(caughtUp.tags == now.tags && caughtUp.people == now.people)
        throw Stop.now
      }
    }
  }

  @Test func whatOthersWroteInTheMeantimeCounts() throws {
    let test = try TestArchive()
    let (id, entries) = try imported(test, ["a", "b", "c", "d", "e", "f"])
    try test.add("uses", tags: ["t-f"])
    let before = try test.archive.read { [key = try key(test, id)] db in
      try ImportExtent(of: key, db)
    }
    #expect(before.made == 6 && before.untouched == 6)
    #expect(before.tags.count == 1 && before.people.isEmpty)
    try expectSame(before, test)
    _ = try test.archive.updateActivity(entries[0].id) { $0.text = "edited" }
    _ = try test.archive.updateActivity(entries[0].id) { $0.text = "edited twice" }
    try test.add("new", tags: ["t-b", "own"], people: ["P b"])
    _ = try test.archive.updateDay(entries[0].dayKey) { $0.people = [Mention(name: "P c")] }
    _ = try test.archive.deleteActivities([entries[3].id, entries[0].id])
    try expectSame(before, test)
    _ = try test.archive.undo()
    try expectSame(before, test)
    let (other, _) = try imported(test, ["e"])
    try expectSame(before, test)
    _ = try test.archive.undo(other)
    try expectSame(before, test)
    let undone = try test.archive.undo(id)
    #expect(undone.removed + undone.kept == 6)
    try expectSame(before, test)
  }

  @Test func aHiddenImportIsCountedAsItIsWhenItComesAgain() throws {
    let test = try TestArchive()
    let (id, entries) = try imported(test, ["a", "b", "c"])
    let undo = try test.archive.undo(id).change.id
    let before = try test.archive.read { [key = try key(test, id)] db in
      try ImportExtent(of: key, db)
    }
    #expect(!before.isShown && before.untouched == 3)
    try test.add("new", tags: ["t-a"])
    try expectSame(before, test)
    _ = try test.archive.write(by: .owner, "add", "takes its place") { scope in
      try scope.makeWay(for: .activity, entries[1].id)
    }
    try expectSame(before, test)
    #expect(try test.archive.undo(undo).restored == 2)
  }

  @Test func theLogStaysShortWhileALargeImportIsSweptAway() throws {
    let test = try TestArchive()
    guard case .folder(let folder) = test.archive.location else { return }
    do {
      let stage = try ImportStage(test.archive, "import", "killed", waitsSeconds: 0)
      for batch in 0..<8 {
        try stage.write { scope, _ in
          for number in 0..<Archive.sweepBatch {
            let text = "entry \(batch) \(number) " + String(repeating: "word\(number) ", count: 60)
            try scope.insert(try test.activity(text))
          }
        }
      }
    }
    _ = try test.archive.writer.writeWithoutTransaction { db in
      try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
    }
    #expect(try test.archive.sweepBrokenImports())
    let log = folder.appendingPathComponent("archive.sqlite-wal").path
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: log)[.size] as? NSNumber)
    // A batch of such entries takes one and a half megabytes, and there are eight.
    #expect(size.intValue < 9_000_000)
  }

  @Test func shortIdentitiesOfChangesVersionsAndImportsCanBeTypedBack() throws {
    let test = try TestArchive()
    // The test's identities differ in their last digits only.
    let activity = try test.add("one")
    for text in ["two", "three", "four"] {
      _ = try test.archive.updateActivity(activity.id) { $0.text = text }
    }
    let changes = try test.archive.changes().map(\.id)
    let short = try test.archive.shortIDs(changes, of: .changes)
    for id in changes { #expect(try test.archive.changeID(matching: short[id] ?? "") == id) }
    let versions = try test.archive.history(of: activity.id).map(\.id)
    let shortVersions = try test.archive.shortIDs(versions, of: .oldVersions)
    for id in versions {
      #expect(try test.archive.historyRecord(matching: shortVersions[id] ?? "").id == id)
    }
    #expect(versions.count == 3 && Set(shortVersions.values).count == 3)
  }
}
