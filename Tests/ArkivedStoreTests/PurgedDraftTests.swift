import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Drafts of what is forgotten for ever")
struct PurgedDraftTests {
  private let test: TestArchive
  private let files: DraftFiles

  init() throws {
    test = try TestArchive()
    files = DraftFiles(test.archive.location)
    try DurableFile.makeFolder(files.folder)
  }

  /// Writes a draft as an editor leaves it.
  private func write(
    _ name: String, _ purpose: Draft.Purpose, _ text: String, day: String? = nil,
    of entries: [Activity] = []
  ) throws {
    let draft = Draft(
      name: name, purpose: purpose, startedAt: test.clock.now, original: "",
      dayKey: day.flatMap { DayKey($0) },
      versions: Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0.updatedAt) }))
    try Data(draft.json.text().utf8).write(to: files.record(name))
    try Data(text.utf8).write(to: files.text(name))
  }

  private func days(_ first: String, _ last: String) throws -> PurgeSelection {
    let from: DayKey = try #require(DayKey(first))
    let to: DayKey = try #require(DayKey(last))
    return .days(DayFilter(from: from, to: to))
  }

  private static let other = "2026-03-01-0900-0000"

  @Test func theDraftOfAnEntryGoesWithIt() throws {
    let entry = try test.add("an evening")
    let name = "2026-03-14-2000-aaaa"
    try write(name, .entries, "=== 3F2A 2026-03-14\nan evening alone", of: [entry])
    let swap = files.folder.appendingPathComponent(".\(name).md.swp")
    try Data("alone".utf8).write(to: swap)
    try write(Self.other, .add, "buy bread")
    let plan = try test.archive.purgePlan(.entities([entry.id]))
    #expect(plan.drafts == [name] && plan.openDrafts.isEmpty)
    #expect(plan.lines(backups: []).contains("The draft \(name) is removed too."))
    #expect(files.names.count == 5)
    let purged = try test.archive.purge(.entities([entry.id]))
    #expect(purged.plan.drafts == [name])
    #expect(purged.change.summary == "Permanently deleted 1 item and 1 draft")
    #expect(files.names == ["\(Self.other).json", "\(Self.other).md"])
  }

  @Test func daysTagsAndTheSameTextAreFound() throws {
    var typed = try test.activity("went swimming", on: "2026-03-03", tags: ["Therapy"])
    typed.typedText = "9:00 went swimming #Therapy"
    try test.archive.add(typed)
    try write("2026-03-10-2000-note", .note, "A quiet day.", day: "2026-03-02")
    try write("2026-03-02-0800-begn", .add, "read a book")
    try write("2026-03-10-0800-date", .add, "2026-03-02 09:00: read on")
    try write("2026-03-02-0900-date", .add, "2026-02-20: read before")
    try write("2026-03-10-0900-head", .entries, "# Two.\n=== new 2026-03-02 9:00\nrun")
    try write("2026-03-10-1000-tags", .add, "tags: home, therapy\n\npainted")
    try write("2026-03-10-1100-hash", .add, "talked #THERAPY, then home")
    try write("2026-03-10-1200-line", .add, "9:00 went swimming #Therapy")
    try write("2026-03-10-1300-text", .add, "\n  went swimming\n")
    try write(Self.other, .add, "went swimming with Ann #sport")
    try Data("went swimming".utf8).write(to: files.folder.appendingPathComponent("kept.md~"))
    func drafts(_ selection: PurgeSelection) throws -> [String] {
      try test.archive.purgePlan(selection).drafts.map { String($0.suffix(4)) }
    }
    #expect(
      try drafts(days("2026-03-02", "2026-03-02")) == ["begn", "date", "head", "note"])
    #expect(
      try drafts(.tag("therapy")) == ["tags", "hash", "line", "text", ".md~"])
    #expect(try drafts(.entities([typed.id])) == ["line", "text", ".md~"])
    #expect(try drafts(days("2026-02-20", "2026-02-20")) == ["date"])
  }

  @Test func ofEverythingNoDraftIsLeft() throws {
    let entry = try test.add("an evening")
    try write("2026-03-14-2000-aaaa", .entries, "=== x\nbroken", of: [entry])
    try write(Self.other, .add, "buy bread")
    for name in ["left.md", "broken.json", ".incoming-1"] {
      try Data("{".utf8).write(to: files.folder.appendingPathComponent(name))
    }
    let all = try days("0001-01-01", "9999-12-31")
    #expect(try test.archive.purgePlan(all).drafts.count == 5)
    _ = try test.archive.purge(all)
    #expect(files.names.isEmpty)
  }

  @Test func aDraftAloneIsForgottenToo() throws {
    try write(Self.other, .add, "buy bread")
    let selection = try days("2026-03-01", "2026-03-01")
    let plan = try test.archive.purgePlan(selection)
    #expect(plan.things == 0 && !plan.isEmpty)
    let purged = try test.archive.purge(selection)
    #expect(purged.change.summary == "Permanently deleted 1 draft" && files.names.isEmpty)
    #expect(try test.archive.purgePlan(selection).isEmpty)
  }

  @Test func aDraftThatSomebodyWorksOnStaysAndIsTold() throws {
    let entry = try test.add("an evening")
    let name = "2026-03-14-2000-aaaa"
    try write(name, .entries, "an evening", of: [entry])
    let lock = try FileLock(at: files.record(name), waits: 0)
    let plan = try test.archive.purgePlan(.entities([entry.id]))
    #expect(plan.drafts.isEmpty && plan.openDrafts == [name])
    #expect(plan.elsewhere(backups: []).first?.contains("\(name) is open in an editor") == true)
    let purged = try test.archive.purge(.entities([entry.id]))
    #expect(purged.plan.openDrafts == [name] && files.names.count == 2)
    lock.release()
  }
}
