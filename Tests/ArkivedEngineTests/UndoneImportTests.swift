import ArkivedCore
import ArkivedEngine
import ArkivedImport
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

/// An import that is taken back goes with what it brought.
///
/// What was there before stays seen, even where it cannot become what it was.
@Suite("An import that is taken back leaves what was there before")
struct UndoneImportTests {
  private let test: TestArchive
  private var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  private func day(_ text: String) throws -> DayKey { try #require(DayKey(text)) }

  /// - Returns: the change of the import.
  private func take(_ line: String) throws -> UUID {
    test.clock.advance(seconds: 60)
    let file = try test.folder.file("source.jsonl", line)
    let run = try #require(try ImportJob(archive: archive, homeZone: test.zone).run(file).first)
    #expect(run.updated == 1, "\(run.warnings)")
    return try #require(try archive.changes().first).id
  }

  private func term(_ number: Int, _ start: String) throws -> Term {
    try archive.create(
      Term(
        id: archive.identities.next(), termNumber: number, startDate: try day(start),
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  @Test func aTermWhoseNumberAnotherTookKeepsTheNewOne() throws {
    let term = try self.term(3, "2026-01-05")
    let change = try take(
      #"""
      {"type":"term","id":"\#(term.id)","termNumber":7,"startDate":"2026-01-05",\#
      "updatedAt":"2026-03-14T20:00:30Z"}
      """#)
    #expect(try archive.terms().map(\.termNumber) == [7])
    _ = try self.term(3, "2026-05-04")
    let undone = try archive.undo(change)
    #expect(undone.kept == 1)
    #expect(try archive.entity(Term.self, term.id)?.termNumber == 7)
    // Brought again and taken back again, it is still there.
    let again = try archive.undo(undone.change.id)
    _ = try archive.undo(again.change.id)
    #expect(try archive.entity(Term.self, term.id)?.termNumber == 7)
    #expect(try archive.examine().allSatisfy { $0.verdict != .problem })
  }

  @Test func tagsAndPeopleThatANoteNamesStay() throws {
    let file = try test.folder.file(
      "life.jsonl",
      #"""
      {"type":"activity","text":"weeding","dayKey":"2026-03-10","tags":["garden"]}
      {"type":"person","id":"AAAAAAAA-0000-4000-8000-0000000000F1","name":"Zora Quill"}
      {"type":"person","id":"AAAAAAAA-0000-4000-8000-0000000000F2","name":"Yan Moss"}
      """#)
    _ = try ImportJob(archive: archive, homeZone: test.zone).run(file)
    let change = try #require(try archive.changes().first).id
    let note = try archive.create(
      Note(
        id: archive.identities.next(), text: "Beds, with @[Zora Quill]", tags: ["garden"],
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    let named = try #require(try archive.note(note.id)).people
    #expect(named.first?.personID != nil)
    _ = try archive.undo(change)
    #expect(try test.day("2026-03-10").activities.isEmpty)
    #expect(try archive.tags().map { $0.tag.name } == ["garden"])
    #expect(try archive.note(note.id)?.people == named)
    let today = try day("2026-03-14")
    #expect(try archive.people(today: today).map(\.person.name) == ["Zora Quill"])
  }

  @Test func anEntryWhoseVersionBeforeIsForgottenStaysAsItIs() throws {
    let entry = try test.add("tea", measurements: ["cups": 1])
    let change = try take(
      #"""
      {"type":"activity","id":"\#(entry.id)","text":"green tea","dayKey":"2026-03-14",\#
      "updatedAt":"2026-03-14T20:00:30Z"}
      """#)
    test.clock.advance(seconds: 30 * 86_400)
    try test.add("later", on: "2026-04-13")
    try archive.setRetention(Retention(versionDays: 7))
    #expect(try archive.applyRetention() == 1)
    #expect(try archive.undo(change).kept == 1)
    #expect(try archive.activity(entry.id)?.text == "green tea")
  }
}
