import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine

@Suite("Exports while something is written")
struct ExportWhileWritingTests {
  private let test: TestArchive
  private let notes: [Note]

  init() throws {
    let test = try TestArchive()
    self.test = test
    notes = try ["a", "b", "c", "d", "e"].map { title in
      try test.archive.create(
        Note(
          id: test.archive.identities.next(), title: title, text: "text", createdAt: test.clock.now,
          updatedAt: test.clock.now)
      ).value
    }
  }

  /// Returns the titles in the order they are passed on, with a change during the first.
  private func titles(_ change: () throws -> Void) throws -> [String] {
    var job = ExportJob(archive: test.archive)
    job.partSize = 2
    var titles: [String] = []
    try job.forEachNote(of: DayFilter()) { note in
      titles.append(note.title ?? "")
      if titles.count == 1 { try change() }
    }
    return titles
  }

  @Test func aDeletedNoteTakesNoOtherAway() throws {
    let found = try titles { _ = try test.archive.deleteNote(notes[4].id) }
    #expect(found.sorted() == ["a", "b", "c", "d", "e"])
  }

  @Test func anEditedNoteIsPassedOnOnceAndMovesNoOther() throws {
    test.clock.advance(seconds: 60)
    let found = try titles {
      _ = try test.archive.updateNote(notes[0].id) { $0.text = "changed" }
    }
    #expect(found.sorted() == ["a", "b", "c", "d", "e"])
  }

  @Test func withoutAChangeTheListIsReadOnce() throws {
    #expect(try titles {} == ["e", "d", "c", "b", "a"])
  }
}
