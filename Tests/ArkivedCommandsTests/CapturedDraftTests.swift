import ArgumentParser
import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedCommands

/// Texts of `capture` that couldn't be saved, for example because the archive was busy.
@Suite("A captured text that is recovered")
struct CapturedDraftTests {
  private let test: TestArchive
  private let context: Context

  init() throws {
    test = try TestArchive()
    var options = try GlobalOptions.parse([])
    options.archive = test.folder.url.appendingPathComponent("archive").path
    context = try Context(
      options,
      environment: [
        "ARKIVED_NOW": "2026-03-14T20:00:00Z", "ARKIVED_TIME_ZONE": TestArchive.zoneName,
      ])
  }

  private func recover(_ text: String) throws -> [Activity] {
    let draft = Draft(
      name: Draft.newName(context), purpose: .add, startedAt: context.clock.now, original: "")
    let open = try DraftFolder(context.location).keep(text, as: draft)
    try EditingSession(context: context, archive: test.archive).recover(open, inEditor: false)
    #expect(DraftFolder(context.location).unfinished().isEmpty)
    return try test.day("2026-03-14").activities
  }

  @Test func linesThatEachBeginWithATimeAreSeveralEntries() throws {
    let entries = try recover("09:00 coffee\n12:30 lunch #food\n")
    #expect(entries.map(\.text) == ["coffee", "lunch"])
    #expect(entries.map(\.source) == [.shortcut, .shortcut])
    #expect(try test.archive.changes().count == 1)
  }

  /// The instructions of the editor's template have such lines.
  @Test func aFirstLineThatLooksLikeAFieldIsStillTheEntry() throws {
    let entries = try recover("tags: how I sort my notes\nBy colour.")
    #expect(entries.map(\.text) == ["tags: how I sort my notes"])
    #expect(entries.first?.notes == "By colour.")
  }
}
