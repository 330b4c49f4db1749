import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("The list of changes, and what one of them did")
struct ChangeListTests {
  let test: TestArchive
  var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  @Test func changesAreFilteredByMakerKindAndTime() throws {
    try test.add("one")
    test.clock.advance(seconds: 86_400)
    let two = try test.add("two")
    _ = try archive.updateActivity(two.id, by: .assistant) { $0.text = "two more" }
    func summaries(_ edit: (inout ChangeFilter) -> Void) throws -> [String] {
      var filter = ChangeFilter()
      edit(&filter)
      return try archive.listedChanges(filter).changes.map(\.change.summary)
    }
    #expect(try summaries { _ in } == ["Changed “two”", "Added “two”", "Added “one”"])
    #expect(try summaries { $0.maker = .assistant } == ["Changed “two”"])
    #expect(try summaries { $0.maker = .owner }.count == 2)
    #expect(try summaries { $0.maker = .sync }.isEmpty)
    #expect(try summaries { $0.action = "add" } == ["Added “two”", "Added “one”"])
    #expect(try summaries { $0.to = TestArchive.now.adding(seconds: 1) } == ["Added “one”"])
    #expect(try summaries { $0.from = test.clock.now }.count == 2)
    var page = ChangeFilter()
    (page.limit, page.offset) = (1, 1)
    let part = try archive.listedChanges(page)
    #expect(part.hasMore && part.changes.map(\.change.summary) == ["Added “two”"])
    #expect(try archive.changeActions() == ["add", "edit"])
  }

  @Test func anyNumberOfChangesMayBeAskedFor() throws {
    try test.add("one")
    var filter = ChangeFilter()
    for (limit, count) in [(Int.max, 1), (.min, 0)] {
      filter.limit = limit
      #expect(try archive.listedChanges(filter).changes.count == count)
    }
  }

  @Test func aChangeSaysHowItIsTakenBackAndBroughtAgain() throws {
    let added = try #require(try archive.add(try test.activity("tea")).change)
    let first = try #require(try archive.listedChange(added.id))
    #expect(first.undo == added.id && !first.isRedo && first.touched == 1)
    #expect(first.noted.days.map(\.description) == ["2026-03-14"])
    let undone = try archive.undo(added.id).change
    let gone = try #require(try archive.listedChange(added.id))
    #expect(gone.change.isUndone && gone.undo == undone.id && gone.isRedo)
    let turn = try #require(try archive.listedChange(undone.id))
    #expect(turn.undo == undone.id && turn.isRedo && turn.touched == 1)
    let redone = try archive.undo(undone.id).change
    let passed = try #require(try archive.listedChange(undone.id))
    #expect(passed.undo == nil)
    let back = try #require(try archive.listedChange(redone.id))
    #expect(back.undo == redone.id && !back.isRedo && back.touched == 1)
    let again = try #require(try archive.listedChange(added.id))
    #expect(again.undo == added.id)
  }

  @Test func aChangeIsToldBeforeAndAfterWhateverCameLater() throws {
    let tea = try archive.add(try test.activity("tea"))
    let first = try archive.updateActivity(tea.value.id) { $0.text = "green tea" }
    let second = try archive.updateActivity(tea.value.id) { $0.text = "black tea" }
    func told(_ change: Change?) throws -> [EntityChange] {
      let id = try #require(change?.id)
      return try #require(try archive.entities(ofChange: id, limit: 10))
    }
    let edit = try told(first.change)
    #expect(edit.map(\.verb) == [.changed])
    #expect(edit.first?.before?["text"] == "tea" && edit.first?.after?["text"] == "green tea")
    #expect(try told(second.change).first?.after?["text"] == "black tea")
    let add = try told(tea.change)
    #expect(add.map(\.verb) == [.added] && add.first?.before == nil)
    #expect(add.first?.after?["text"] == "tea")
    let deleted = try archive.deleteActivities([tea.value.id]).change
    let removal = try told(deleted)
    #expect(removal.map(\.verb) == [.removed] && removal.first?.after == nil)
    #expect(try told(tea.change).map(\.verb) == [.added])
    let back = try archive.undo(try #require(deleted).id).change
    #expect(try told(back).map(\.verb) == [.restored])
    #expect(try archive.entities(ofChange: UUID(), limit: 10) == nil)
  }

  @Test func whatIsTooLongToCompareIsSaid() throws {
    let day = try #require(DayKey("2026-03-14"))
    _ = try archive.updateDay(day) { $0.note = String(repeating: "word ", count: 60_000) }
    let saved = try archive.updateDay(day) { $0.note = "short" }
    let id = try #require(saved.change?.id)
    let told = try #require(try archive.entities(ofChange: id, limit: 10)?.first)
    #expect(told.isLong && told.before == nil && told.after?["note"] == "short")
    #expect(told.version != nil)
  }

  @Test func aRenamedTagIsComparedByItsName() throws {
    try test.add("lunch", tags: ["fod"])
    let change = try #require(
      try archive.renameTag(try archive.tag(named: "fod").id, to: "food").change)
    let told = try #require(try archive.entities(ofChange: change.id, limit: 10))
    #expect(told.map(\.type) == [.tag])
    #expect(told.first?.before?["name"] == "fod" && told.first?.after?["name"] == "food")
  }

  @Test func storageTellsWhatTheArchiveTakesAndTheLastCheck() throws {
    try test.add("lunch", tags: ["food"])
    let report = try archive.storageReport()
    #expect(report.archiveBytes > 10_000 && report.folder?.hasSuffix("archive") == true)
    #expect(report.counts.first { $0.kind == "Entries" }?.count == 1)
    #expect(report.schema.hasPrefix("0") && report.freeBytes ?? 0 > 0)
    let photos = test.folder.url.appending(path: "archive/attachments/2026")
    try FileManager.default.createDirectory(at: photos, withIntermediateDirectories: true)
    try Data(count: 300).write(to: photos.appending(path: "a.jpg"))
    try Data(count: 7).write(to: photos.appending(path: "ä b.jpg"))
    try FileManager.default.createSymbolicLink(
      at: photos.appending(path: "c.jpg"), withDestinationURL: photos.appending(path: "a.jpg"))
    #expect(try archive.storageReport().attachmentBytes == 307)
    try FileManager.default.removeItem(at: photos)
    #expect(archive.lastCheck() == nil)
    try archive.keepCheck(try archive.examine())
    let check = try #require(archive.lastCheck())
    #expect(check.isWell && check.at == test.clock.now && check.findings.count > 3)
  }
}
