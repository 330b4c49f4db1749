import ArkivedCore
import ArkivedEngine
import ArkivedSearch
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Words that were changed since the index was built")
struct RecentWordsTests {
  private let test: TestArchive
  private let indexes: SearchIndexes

  init() async throws {
    test = try TestArchive()
    try test.add("tea in the garden")
    let noModel = EmbeddingModelFolder(URL(fileURLWithPath: "/nonexistent/model"))
    indexes = SearchIndexes(test.archive, model: noModel)
    _ = try await IndexJob(test.archive, indexes).run()
  }

  private func titles(_ query: String) throws -> [String] {
    let search = HybridSearch(archive: test.archive, zone: test.zone, indexes: indexes)
    var request = SearchRequest(query: query)
    request.mode = .words
    // The index answers, not the full-text table.
    #expect(try indexes.currentWords() != nil)
    return try search.search(request).hits.map(\.title).sorted()
  }

  @Test func eachSearchSeesTheEntriesAsTheyAreThen() throws {
    let walk = try test.add("a walk by the river")
    let other = try test.another()
    #expect(try titles("river") == ["a walk by the river"])
    // One that the last search knew is edited by another program, another one comes.
    _ = try other.updateActivity(walk.id) { $0.text = "a swim in the lake" }
    try test.add("a boat on the lake")
    #expect(try titles("river").isEmpty)
    #expect(try titles("lake") == ["a boat on the lake", "a swim in the lake"])
    // Its words come back as they were before.
    _ = try test.archive.updateActivity(walk.id) { $0.text = "a walk by the river" }
    #expect(try titles("river") == ["a walk by the river"])
    #expect(try titles("lake") == ["a boat on the lake"])
  }

  private func outcome(
    _ query: String, _ indexes: SearchIndexes? = nil
  ) throws -> HybridSearch.Outcome {
    var request = SearchRequest(query: query)
    request.mode = .words
    return try HybridSearch(
      archive: test.archive, zone: test.zone, indexes: indexes ?? self.indexes
    ).search(request)
  }

  @Test func aMisspeltWordFindsTheEntryThatCameJustNow() throws {
    try test.add("saw a capercaillie in the woods")
    for slip in ["capercailie", "capercaillje", "apercaillie"] {
      let found = try outcome(slip)
      #expect(found.hits.map(\.title) == ["saw a capercaillie in the woods"], "\(slip)")
      #expect(found.suggestion == "capercaillie", "\(slip)")
    }
    #expect(try outcome("capercailie woods").suggestion == "capercaillie woods")
    #expect(try indexes.currentWords() != nil)
  }

  @Test func aMisspeltWordFindsTheOnlyEntryInTheIndex() throws {
    let found = try outcome("gardan")
    #expect(found.hits.map(\.title) == ["tea in the garden"])
    #expect(found.suggestion == "garden")
    // Short words have too many neighbours.
    #expect(try outcome("tee").hits.isEmpty)
  }

  @Test func withoutAnyIndexAMisspeltWordIsMendedToo() throws {
    let bare = try TestArchive()
    try bare.add("saw a capercaillie in the woods", tags: ["birds"])
    try bare.add("a walk in the woods")
    for (line, meant) in [
      ("capercailie", "capercaillie"), ("apercaillie woods", "capercaillie woods"),
      ("tag:birds capercailie", nil),
    ] {
      var request = SearchRequest(query: line)
      request.mode = .words
      let found = try HybridSearch(archive: bare.archive, zone: bare.zone).search(request)
      #expect(found.hits.map(\.title) == ["saw a capercaillie in the woods"], "\(line)")
      if let meant { #expect(found.suggestion == meant) }
      #expect(!found.isRelaxed)
    }
    let nothing = try HybridSearch(archive: bare.archive, zone: bare.zone)
      .search(SearchRequest(query: "zebra"))
    #expect(nothing.hits.isEmpty && nothing.suggestion == nil)
  }

  @Test func whatIsDeletedUndoneAndAddedIsFollowed() throws {
    let walk = try test.add("a walk by the river")
    #expect(try titles("river") == ["a walk by the river"])
    _ = try test.archive.deleteActivities([walk.id])
    #expect(try titles("river").isEmpty)
    // The newest row may get the number of the one that is gone.
    try test.add("a river of lava")
    #expect(try titles("river") == ["a river of lava"])
    _ = try test.archive.undo()
    _ = try test.archive.undo()
    #expect(try titles("river") == ["a walk by the river"])
  }

  @Test func aDayNoteThatIsWrittenEmptiedAndWrittenAgainIsFound() throws {
    let day = try #require(DayKey("2026-03-14"))
    for (note, found) in [("by the river", 1), ("", 0), ("the river again", 1)] {
      _ = try test.archive.updateDay(day) { $0.note = note }
      #expect(try titles("river").count == found, "\(note)")
    }
  }

  @Test func anImportThatIsTakenBackIsNoLongerFound() throws {
    try test.add("a walk by the river")
    #expect(try titles("river").count == 1)
    let file = try test.folder.file(
      "in.jsonl", #"{"type":"activity","text":"the river in flood","dayKey":"2026-03-13"}"# + "\n")
    let job = ImportJob(archive: test.archive, homeZone: test.zone)
    let run = try #require(try job.run(file).first)
    #expect(try titles("river") == ["a walk by the river", "the river in flood"])
    _ = try test.archive.undo(test.archive.importRun(matching: run.id.uuidString).1)
    #expect(try titles("river") == ["a walk by the river"])
  }

  @Test func termsThatOnlyLookAlikeStayApart() throws {
    // The same letters, composed and as parts, are equal strings.
    try test.add("\u{AC00} composed")
    try test.add("\u{1100}\u{1161} in parts")
    let words = try #require(try indexes.currentWords())
    #expect(words.recent?.documentCount == 2)
    #expect(try titles("composed") == ["\u{AC00} composed"])
  }
}
