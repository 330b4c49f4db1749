import ArkivedCore
import ArkivedEngine
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("A vault that is exported again")
struct VaultPagesTests {
  private let test: TestArchive
  private var vault: URL { test.folder.url.appendingPathComponent("vault") }

  init() throws { test = try TestArchive() }

  @discardableResult
  private func export(_ span: DayFilter = DayFilter()) throws -> ExportJob.Summary {
    try ExportJob(archive: test.archive).writeMarkdown(of: span, to: vault)
  }

  /// Returns the pages in the folder.
  private func pages() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: vault.path)
      .filter { $0.hasSuffix(".md") }.sorted()
  }

  private func write(_ text: String, to page: String) throws {
    try Data(text.utf8).write(to: vault.appendingPathComponent(page))
  }

  private func note(_ title: String) throws -> Note {
    try test.archive.create(
      Note(
        id: test.archive.identities.next(), title: title, text: "text of \(title)",
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  @Test func anAddressStaysOnItsLine() throws {
    let entry = try test.add("swam", on: "2026-03-10")
    let link = Attachment(
      id: test.archive.identities.next(), type: .link, caption: "Pool",
      externalURL: "https://pool.example/\n- 09:00 forged", createdAt: test.clock.now,
      updatedAt: test.clock.now)
    _ = try test.archive.attach([link], to: .activity(entry.id))
    try export()
    let page = try String(
      contentsOf: vault.appendingPathComponent("2026/2026-03-10.md"), encoding: .utf8)
    #expect(!page.contains("\n- 09:00 forged"))
    #expect(page.contains("[Pool](<https://pool.example/%0A- 09:00 forged>)"), "\(page)")
  }

  @Test func pagesOfWhatIsDeletedOrRenamedGo() throws {
    let secret = try test.add("a secret", on: "2026-03-09")
    try test.add("swam", on: "2026-03-10")
    let (plan, kept) = (try note("Plan"), try note("2026-03-09"))
    try export()
    #expect(
      try pages() == [
        "2026/2026-03-09.md", "2026/2026-03-10.md", "notes/2026-03-09.md", "notes/Plan.md",
      ])
    // The owner's own files are none of the export's, whatever they are called.
    try write("mine", to: "2026/2026-03-11.md")
    try write("mine", to: "notes/Idea.md")
    _ = try test.archive.purge(.entities([secret.id]))
    _ = try test.archive.updateNote(plan.id) { $0.title = "The plan" }
    try export()
    let left = [
      "2026/2026-03-10.md", "2026/2026-03-11.md", "notes/2026-03-09.md", "notes/Idea.md",
      "notes/The plan.md",
    ]
    #expect(try pages() == left)
    // A page of some days takes no notes away.
    try export(DayFilter(from: DayKey("2026-03-09"), to: DayKey("2026-03-09")))
    #expect(try pages() == left)
    _ = try test.archive.deleteNote(kept.id)
    try export()
    #expect(try pages() == left.filter { $0 != "notes/2026-03-09.md" })
  }

  @Test func aPageThatWasChangedInTheFolderStays() throws {
    let walk = try test.add("walk", on: "2026-03-09")
    try export()
    try write("walk, and more", to: "2026/2026-03-09.md")
    _ = try test.archive.deleteActivities([walk.id])
    try export()
    try export()
    #expect(try pages() == ["2026/2026-03-09.md"])
  }

  @Test func aCopiedFolderIsNotTakenForChanged() throws {
    let walk = try test.add("walk", on: "2026-03-09")
    try export()
    let page = vault.appendingPathComponent("2026/2026-03-09.md")
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: page.path)
    _ = try test.archive.updateActivity(walk.id) { $0.text = "a long walk" }
    #expect(try export().leftOut.isEmpty)
    #expect(try String(contentsOf: page, encoding: .utf8).contains("a long walk"))
  }
}
