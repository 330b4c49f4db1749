import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

@Suite("Words that an import gathers")
struct GatheredDocumentsTests {
  private enum Stop: Error { case now }

  private func titles(_ test: TestArchive) throws -> [String] {
    try test.archive.read { db in
      try String.fetchAll(db, sql: "SELECT title FROM search_words ORDER BY title")
    }
  }

  @Test("notes that an earlier version indexed get the present names of their people")
  func presentNames() throws {
    let test = try TestArchive()
    let archive = test.archive
    let person = try archive.create(
      Person(
        id: archive.identities.next(), name: "Zo", createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
    _ = try archive.create(
      Note(
        id: archive.identities.next(), text: "tea with @Zo",
        people: [Mention(name: "Zo", personID: person.id)], createdAt: test.clock.now,
        updatedAt: test.clock.now))
    _ = try archive.updatePerson(person.id) { $0.name = "Ida" }
    try archive.writer.write { try $0.execute(sql: "UPDATE search_words SET names = 'Zo'") }
    for _ in 1...2 { try archive.renewSearchWords() }
    let names = try archive.read { try String.fetchAll($0, sql: "SELECT names FROM search_words") }
    #expect(names == ["Zo\nIda"])
  }

  @Test("they are written with their rows, but for what was taken back or removed")
  func writtenWithTheirRows() throws {
    let test = try TestArchive()
    let stage = try ImportStage(test.archive, "import", "Imported", waitsSeconds: 0)
    try stage.writeNew { scope, _ in
      try scope.insert(try test.activity("first"))
      #expect(throws: Stop.self) {
        try scope.attempt {
          try scope.insert(try test.activity("undone"))
          throw Stop.now
        }
      }
      try scope.insert(try test.activity("removed"))
      try scope.removeDocument(.activity, scope.db.lastInsertedRowID)
      let day = try test.activity("").dayKey
      try scope.insert(
        DayEntry(
          id: scope.identities.next(), dayKey: day, title: "second", note: "a note",
          createdAt: scope.now, updatedAt: scope.now))
      #expect(throws: Stop.self) {
        try scope.attempt {
          try scope.removeDocument(.activity, 1)
          throw Stop.now
        }
      }
    }
    #expect(try titles(test) == ["first", "second"])
  }

  @Test("a document that takes the place of another one is the one that is found")
  func lastOneStands() throws {
    let test = try TestArchive()
    let stage = try ImportStage(test.archive, "import", "Imported", waitsSeconds: 0)
    let day = try test.activity("").dayKey
    try stage.writeNew { scope, _ in
      for title in ["before", "after"] {
        try scope.removeDocument(.day, 1)
        try scope.index(SearchDocument(kind: .day, pk: 1, dayKey: day, title: title, body: ""))
      }
    }
    #expect(try titles(test) == ["after"])
  }

  @Test("the same reference twice is one reference, as the last one says")
  func sameReferenceTwice() throws {
    let test = try TestArchive()
    var activity = try test.activity("twice")
    activity.externalRefs = ["one", "two"].map {
      ExternalRef(provider: "p", externalID: "1", fetchedAt: test.clock.now, contentHash: $0)
    }
    let entry = activity
    _ = try test.archive.write(by: .importer, "import", "") { scope in try scope.insert(entry) }
    let hashes = try test.archive.read { db in
      try String.fetchAll(db, sql: "SELECT content_hash FROM external_refs")
    }
    #expect(hashes == ["two"])
  }
}
