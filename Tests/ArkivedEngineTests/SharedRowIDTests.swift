import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Rows of tables that share an ID")
struct SharedRowIDTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func run(_ name: String, _ text: String) throws -> ImportRun {
    let file = try test.folder.file(name, text)
    return try #require(
      try ImportJob(archive: test.archive, homeZone: test.zone).run(file).first)
  }

  private func entries() throws -> [Activity] { try test.day("2026-03-10").activities }

  @Test func rowsThatShareAnIDAreKeptBesideAnEntryUnderIt() throws {
    let head = "id,Date,Title\n7,2026-03-10 10:00,Run\n"
    _ = try run("a.csv", head)
    let identity = try entries().first?.id
    let more = head + "7,2026-03-10 18:00,Dinner\n"
    let second = try run("a.csv", more)
    #expect(second.created == ["activity": 1] && second.updated == 0 && second.skipped == 0)
    #expect(try entries().first { $0.text == "Run" }?.id == identity)
    let again = try run("b.csv", more)
    #expect(again.created.isEmpty && again.updated == 0 && again.unchanged == 2)
    let edited = try run("b.csv", more.replacing("Run", with: "Long run"))
    #expect(edited.created.isEmpty && edited.updated == 1)
    #expect(try entries().map(\.text).sorted() == ["Dinner", "Long run"])
  }
}
