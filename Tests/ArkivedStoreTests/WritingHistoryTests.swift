import ArkivedCore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedStore

@Suite("The history of templates and prompts")
struct WritingHistoryTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }

  init() throws {
    test = try TestArchive()
    // The example, then one for Sundays.
    try archive.updateWritingSettings { settings in
      try settings.keep(Self.template("Sunday", 0xB1, weekdays: [.sunday]))
    }
  }

  private static func template(
    _ name: String, _ number: UInt8, text: String = "text", weekdays: Set<Weekday> = []
  ) -> WritingTemplate {
    WritingTemplate(
      id: id(number), name: name, text: text, weekdays: weekdays)
  }

  private static func id(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 1, number))
  }

  private var names: [String] {
    get throws { try archive.writingSettings().templates.map(\.name) }
  }

  private func template(_ number: UInt8) throws -> WritingTemplate? {
    try archive.writingSettings().template(Self.id(number))
  }

  private func keep(_ template: WritingTemplate) throws -> Change {
    try #require(try archive.updateWritingSettings { try $0.keep(template) }.change)
  }

  private func delete(_ id: UUID) throws -> Change {
    try #require(
      try archive.updateWritingSettings { settings in
        settings.templates.removeAll { $0.id == id }
      }.change)
  }

  @Test func anOpenItemAtTheEndOfALongNoteIsCarriedOverWhole() throws {
    let day = try #require(DayKey("2026-03-13"))
    let words = String(repeating: "words ", count: DayPart.noteLimit / 6)
    _ = try archive.updateDay(day) { $0.note = "\(words)\n- [ ] call the plumber\n- [ ] rest" }
    let values = try archive.templateValues(of: day.advanced(by: 1), in: test.zone)
    #expect(values.openItems == ["call the plumber", "rest"])
  }

  @Test func aDeletedTemplateComesBackWhereItWas() throws {
    let example = try #require(try archive.writingSettings().templates.first)
    let before = try archive.writingSettings()
    let deletion = try delete(example.id)
    #expect(deletion.action == "delete" && deletion.author == .owner)
    #expect(deletion.summary == "Deleted the template “\(example.name)”")
    #expect(try names == ["Sunday"])
    // It is the latest change, so undo without an ID means it.
    let undone = try archive.undo()
    #expect(undone.undid.id == deletion.id && undone.restored == 1)
    #expect(try archive.writingSettings() == before)
    let redone = try archive.undo(undone.change.id)
    #expect(try names == ["Sunday"])
    _ = try archive.undo(redone.change.id)
    #expect(try archive.writingSettings() == before)
  }

  @Test func addingAndChangingATemplateAreUndoneInTurn() throws {
    let added = try keep(Self.template("Walk", 0xB2))
    #expect(added.action == "add" && added.summary == "Added the template “Walk”")
    let edited = try keep(Self.template("Long walk", 0xB2, text: "other"))
    #expect(edited.action == "edit" && edited.summary == "Changed the template “Walk”")
    // The addition can't be undone below the edit.
    #expect(throws: ArchiveError.self) { try archive.undo(added.id) }
    let first = try archive.undo(edited.id)
    #expect(try template(0xB2)?.text == "text")
    let second = try archive.undo(added.id)
    #expect(try template(0xB2) == nil && second.removed == 1)
    _ = try archive.undo(second.change.id)
    #expect(try template(0xB2)?.name == "Walk")
    _ = try archive.undo(first.change.id)
    #expect(try template(0xB2)?.name == "Long walk")
  }

  @Test func aWeekdayThatWasTakenFromAnotherGoesBackToIt() throws {
    let taking = try keep(Self.template("Rest", 0xB2, weekdays: [.sunday]))
    #expect(taking.summary == "Added the template “Rest”")
    #expect(try template(0xB1)?.weekdays == [])
    let undone = try archive.undo(taking.id)
    #expect(try template(0xB1)?.weekdays == [.sunday])
    #expect(try template(0xB2) == nil)
    _ = try archive.undo(undone.change.id)
    #expect(try template(0xB1)?.weekdays == [])
    #expect(try template(0xB2)?.weekdays == [.sunday])
    // Both at once in an edit.
    let edit = try keep(Self.template("Sunday", 0xB1, text: "new", weekdays: [.sunday]))
    #expect(edit.summary == "Changed the template “Sunday”")
    _ = try archive.undo(edit.id)
    #expect(try template(0xB1)?.text == "text" && template(0xB1)?.weekdays == [])
    #expect(try template(0xB2)?.weekdays == [.sunday])
  }

  @Test func aNameThatIsTakenNowIsNotRepeated() throws {
    let deletion = try delete(Self.id(0xB1))
    _ = try keep(Self.template("Sunday", 0xB2))
    #expect(throws: ArchiveError.self) { try archive.undo(deletion.id) }
    #expect(try archive.writingSettings().templates.filter { $0.name == "Sunday" }.count == 1)
    #expect(try archive.change(deletion.id)?.isUndone == false)
  }

  @Test func promptsAreUndoneWithWhereTheyAreShown() throws {
    let change = try #require(
      try archive.updateWritingSettings { settings in
        try settings.setPrompts(["Why?"])
        settings.showsPrompts = true
      }.change)
    #expect(change.summary == "Changed the prompts")
    try archive.updateWritingSettings { $0.usesPast = true }
    #expect(throws: ArchiveError.self) { try archive.undo(change.id) }
    _ = try archive.undo()
    let undone = try archive.undo(change.id)
    var settings = try archive.writingSettings()
    #expect(settings.prompts == nil && !settings.showsPrompts && !settings.usesPast)
    _ = try archive.undo(undone.change.id)
    settings = try archive.writingSettings()
    #expect(settings.prompts == ["Why?"] && settings.showsPrompts && !settings.usesPast)
  }

  @Test func savingWithoutADifferenceIsNoChange() throws {
    let before = try archive.changes().count
    let saved = try archive.updateWritingSettings {
      try $0.keep(Self.template("Sunday", 0xB1, weekdays: [.sunday]))
    }
    #expect(saved.change == nil)
    #expect(try archive.changes().count == before)
  }

  @Test func theHistoryShowsEachVersionAndRestoresIt() throws {
    let edit = try keep(Self.template("Sunday", 0xB1, text: "new", weekdays: [.sunday]))
    let deletion = try delete(Self.id(0xB1))
    let versions = try archive.history(of: Self.id(0xB1))
    #expect(versions.map(\.reason) == [.delete, .update])
    #expect(versions.map { $0.record["text"]?.string } == ["new", "text"])
    let removed = try #require(try archive.entities(ofChange: deletion.id, limit: 10))
    #expect(removed.map(\.verb) == [.removed] && removed.first?.type == .template)
    let changed = try #require(try archive.entities(ofChange: edit.id, limit: 10)?.first)
    #expect(changed.before?["text"]?.string == "text" && changed.after?["text"]?.string == "new")
    // The place in the list is stored to restore it, but is no difference to show.
    #expect(changed.after?["position"] == nil && removed.first?.before?["position"] == nil)
    #expect(try archive.listedChange(deletion.id)?.touched == 1)
    let restored = try archive.restore(try #require(versions.last))
    #expect(restored.summary == "Restored an earlier version of the template")
    #expect(try template(0xB1)?.text == "text")
    let added = try #require(try archive.changes().last { $0.action == "add" })
    #expect(try archive.entities(ofChange: added.id, limit: 10)?.first?.verb == .added)
  }

  @Test func aTemplateThatAnotherDeviceChangedIsNotOverwrittenByUndo() throws {
    let edit = try keep(Self.template("Sunday", 0xB1, text: "mine", weekdays: [.sunday]))
    // As sync does: the setting is replaced, and the history knows nothing of it.
    var theirs = try archive.writingSettings()
    try theirs.keep(Self.template("Sunday", 0xB1, text: "theirs", weekdays: [.sunday]))
    try archive.setWritingSettings(theirs)
    #expect(throws: ArchiveError.self) { try archive.undo(edit.id) }
    #expect(try template(0xB1)?.text == "theirs")
  }

  @Test func oldVersionsOfTemplatesExpireLikeOthers() throws {
    _ = try keep(Self.template("Sunday", 0xB1, text: "new", weekdays: [.sunday]))
    let deletion = try delete(try #require(try archive.writingSettings().templates.first).id)
    test.clock.advance(seconds: 400 * 86_400)
    try test.add("today", on: "2027-04-18")
    try archive.setRetention(Retention(versionDays: 365))
    #expect(try archive.applyRetention() == 1)
    #expect(try archive.history(of: Self.id(0xB1)).isEmpty)
    // The deleted one has its own limit.
    try archive.setRetention(Retention(deletedDays: 365))
    #expect(try archive.applyRetention() == 1)
    #expect(throws: ArchiveError.self) { try archive.undo(deletion.id) }
  }

  @Test(arguments: [
    EntityType.day, .activity, .person, .tag, .attachment, .metric, .goal, .personalValue, .term,
    .lifeTime, .contribution, .alignment, .assignment, .meeting, .note, .thread, .message,
    .template, .prompts,
  ])
  func whatWouldBeDeletedIsCountedInTheLanguageOfThePage(type: EntityType) {
    let told = ShownDates.speaking(.german) { ItemCount.text(2, of: type.singular) }
    #expect(told != "2 \(type.singular)")
  }

  @Test func aTemplateCanBeDeletedPermanently() throws {
    let word = "zqxjkvwpyu"
    _ = try keep(Self.template("The \(word)", 0xB2, text: "first \(word)"))
    _ = try keep(Self.template("The \(word)", 0xB2, text: "second \(word)"))
    let plan = try archive.purgePlan(.entities([Self.id(0xB2)]))
    #expect(plan.lines(backups: []).contains("1 template") && plan.versions == 1)
    _ = try archive.purge(.entities([Self.id(0xB2)]))
    #expect(try template(0xB2) == nil && template(0xB1) != nil)
    let folder = test.folder.url
    let traces = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { name in
      let content = try? Data(contentsOf: folder.appendingPathComponent(name))
      return content?.range(of: Data(word.utf8)) != nil
    }
    #expect(traces.isEmpty, "\(traces)")
    // One that was deleted before goes as well.
    _ = try keep(Self.template("Other \(word)", 0xB3))
    _ = try delete(Self.id(0xB3))
    _ = try archive.purge(.entities([Self.id(0xB3)]))
    #expect(try archive.history(of: Self.id(0xB3)).isEmpty)
    #expect(try !archive.changes(limit: 100).contains { $0.summary.contains(word) })
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }
}
