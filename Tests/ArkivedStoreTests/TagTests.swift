import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Tags are renamed, merged and deleted as one change each")
struct TagTests {
  let test: TestArchive
  var archive: Archive { test.archive }

  init() throws { test = try TestArchive() }

  private func note(_ title: String, tags: [String]) throws -> Note {
    try archive.create(
      Note(
        id: archive.identities.next(), title: title, text: "Some words.", tags: tags,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
  }

  private func tag(_ name: String) throws -> TagSummary { try archive.tag(named: name) }

  /// Everything but the history and marks of deletions.
  private func content() throws -> [String] {
    var lines: [String] = []
    try archive.forEachEntity { type, json in
      if !["history", "tombstone"].contains(type) { lines.append("\(type) \(json.text())") }
    }
    return lines.sorted()
  }

  private func found(_ query: String) throws -> Int {
    try archive.search(SearchRequest(query: query), words: WordQuery(query)).count
  }

  @Test func notesAreListedByATagWithItsMark() throws {
    _ = try note("Plans", tags: ["sport", "ideas"])
    for tag in ["ideas", "#Ideas", " #ideas"] {
      var filter = NoteFilter()
      filter.tag = tag
      #expect(try archive.notes(filter).map(\.title) == ["Plans"], "\(tag)")
      #expect(try archive.countNotes(filter) == 1)
    }
  }

  // MARK: Counts

  @Test func aListTellsUsesAndTheLastDay() throws {
    try test.add("run", on: "2026-03-01", tags: ["sport", "Morning"])
    try test.add("swim", on: "2026-03-05", tags: ["sport"])
    _ = try note("Plans", tags: ["sport", "ideas"])
    let all = try archive.tagSummaries()
    #expect(all.map(\.tag.name) == ["sport", "ideas", "Morning"])
    #expect(all.map(\.activityCount) == [2, 0, 1] && all.map(\.noteCount) == [1, 1, 0])
    #expect(all[2].lastUsed?.description == "2026-03-01")
    #expect(
      try archive.tagSummaries(order: .name).map(\.tag.name) == ["ideas", "Morning", "sport"])
    #expect(try archive.tagSummaries(matching: "OR").map(\.tag.name) == ["sport", "Morning"])
    #expect(try archive.tagSummaries(limit: 1, offset: 1).map(\.tag.name) == ["ideas"])
    #expect(try archive.countTags() == 3 && archive.countTags(matching: "or") == 2)
    let unknown = #expect(throws: ArchiveError.self) { try archive.tag(named: "sprot") }
    #expect(unknown?.description == "No tag named #sprot. Did you mean #sport?")
    #expect(try tag("#SPORT").count == 3)
  }

  // MARK: Renaming

  @Test func aNewNameStandsEverywhereAndInTheSearchIndex() throws {
    let run = try test.add("ran", tags: ["jogging", "early"])
    let plan = try note("Plans", tags: ["jogging"])
    let before = try content()
    let saved = try archive.renameTag(try tag("jogging").id, to: " #running ")
    #expect(saved.value.entries == 2)
    #expect(saved.change?.summary == "Renamed #jogging to #running in 2 entries")
    #expect(try archive.activity(run.id)?.tags == ["running", "early"])
    #expect(try archive.note(plan.id)?.tags == ["running"])
    #expect(try found("running") == 2 && found("jogging") == 0)
    let undone = try archive.undo()
    #expect(try content() == before)
    #expect(try found("running") == 0 && found("jogging") == 2)
    _ = try archive.undo(undone.change.id)
    #expect(try archive.activity(run.id)?.tags == ["running", "early"])
    #expect(try found("running") == 2)
  }

  @Test func aNameHasNoLeadingMarks() throws {
    let run = try test.add("ran", tags: ["jogging"])
    let id = try tag("jogging").id
    _ = try archive.renameTag(id, to: "## running")
    #expect(try archive.activity(run.id)?.tags == ["running"])
    #expect(try tag("#running").id == id)
  }

  @Test func theCaseOfLettersIsANameOfItsOwn() throws {
    let run = try test.add("ran", tags: ["nyc"])
    let id = try tag("nyc").id
    #expect(try archive.renameTag(id, to: "NYC").change != nil)
    #expect(try archive.activity(run.id)?.tags == ["NYC"])
    #expect(try archive.renameTag(id, to: "NYC").change == nil)
  }

  @Test func aNameThatIsTakenOrNoneIsRefusedInWords() throws {
    try test.add("a", tags: ["one"])
    try test.add("b", tags: ["Two"])
    let id = try tag("one").id
    for (name, word) in [
      ("two", "merge them"), (" # ", "empty"), ("a\u{7}b", "control character"),
      (String(repeating: "x", count: 300), "200 bytes"),
    ] {
      let error = #expect(throws: FieldError.self) { try archive.renameTag(id, to: name) }
      #expect(error?.field == "name" && error?.problem.contains(word) == true, "\(name)")
    }
    #expect(try archive.tagSummaries(order: .name).map(\.tag.name) == ["one", "Two"])
    let seen = try tag("one").tag.updatedAt
    test.clock.advance(seconds: 5)
    _ = try archive.colourTag(id, .green)
    let conflict = #expect(throws: ArchiveError.self) {
      try archive.renameTag(id, to: "x", version: seen)
    }
    #expect(conflict?.description.contains("changed elsewhere") == true)
  }

  // MARK: Merging

  @Test func aMergeGivesEverythingTheOtherTagAndUndoPartsThemAgain() throws {
    let only = try test.add("ran", tags: ["early", "jogging", "park"])
    let both = try test.add("ran more", tags: ["jogging", "running"])
    try test.add("raced", tags: ["running"])
    let plan = try note("Plans", tags: ["jogging", "running"])
    let other = try note("Shoes", tags: ["jogging"])
    let before = try content()
    let kept = try tag("running").id
    let saved = try archive.mergeTag(try tag("jogging").id, into: kept)
    #expect(saved.value.entries == 4)
    #expect(saved.change?.summary == "Merged #jogging into #running in 4 entries")
    #expect(try archive.activity(only.id)?.tags == ["early", "running", "park"])
    #expect(try archive.activity(both.id)?.tags == ["running"])
    #expect(try archive.note(plan.id)?.tags == ["running"])
    #expect(try archive.note(other.id)?.tags == ["running"])
    #expect(try found("jogging") == 0 && found("running") == 5)
    let undone = try archive.undo()
    #expect(try content() == before)
    #expect(try found("jogging") == 4 && found("running") == 3)
    let redone = try archive.undo(undone.change.id)
    #expect(try archive.activity(both.id)?.tags == ["running"])
    #expect(try found("jogging") == 0 && found("running") == 5)
    _ = try archive.undo(redone.change.id)
    #expect(try content() == before)
    #expect(throws: FieldError.self) { try archive.mergeTag(kept, into: kept) }
  }

  @Test func undoingAMergeLeavesWhatWasChangedSince() throws {
    let first = try test.add("one", tags: ["old"])
    let second = try test.add("two", tags: ["old"])
    let both = try test.add("both", tags: ["old", "new"])
    try test.add("three", tags: ["new"])
    let merge = try #require(
      try archive.mergeTag(try tag("old").id, into: try tag("new").id).change)
    for id in [first.id, both.id] { _ = try archive.updateActivity(id) { $0.tags = [] } }
    let later = try test.add("four", tags: ["old", "new"])
    _ = try archive.undo(merge.id)
    #expect(try archive.activity(first.id)?.tags == [])
    #expect(try archive.activity(both.id)?.tags == [])
    #expect(try archive.activity(second.id)?.tags == ["old"])
    #expect(try archive.activity(later.id)?.tags == ["old", "new"])
  }

  @Test func anOldVersionHasItsTagsUnderTheirPresentNames() throws {
    let entry = try test.add("ran", tags: ["jogging", "slow"])
    try test.add("ran on", tags: ["jogging", "slow", "calm"])
    let edit = try #require(try archive.updateActivity(entry.id) { $0.tags = [] }.change)
    _ = try archive.renameTag(try tag("jogging").id, to: "running")
    _ = try archive.mergeTag(try tag("slow").id, into: try tag("calm").id)
    _ = try archive.undo(edit.id)
    #expect(try archive.activity(entry.id)?.tags == ["running", "calm"])
    #expect(try archive.tagSummaries(order: .name).map(\.tag.name) == ["calm", "running"])
  }

  @Test func aMergeIsNotPartedWhileItsTargetIsGone() throws {
    let entry = try test.add("one", tags: ["a"])
    try test.add("two", tags: ["b"])
    try test.add("three", tags: ["c"])
    let first = try #require(try archive.mergeTag(try tag("a").id, into: try tag("b").id).change)
    let second = try #require(try archive.mergeTag(try tag("b").id, into: try tag("c").id).change)
    let error = #expect(throws: ArchiveError.self) { try archive.undo(first.id) }
    #expect(error?.description.contains("Undo that change first") == true)
    #expect(try archive.activity(entry.id)?.tags == ["c"])
    _ = try archive.undo(second.id)
    _ = try archive.undo(first.id)
    #expect(try archive.activity(entry.id)?.tags == ["a"])
  }

  // MARK: Deleting

  @Test func aDeletedTagGoesFromEverythingAndComesBackInItsPlace() throws {
    let entry = try test.add("lunch", tags: ["food", "friends", "out"])
    let recipe = try note("Soup", tags: ["food", "home"])
    let before = try content()
    let saved = try archive.deleteTag(try tag("food").id)
    #expect(saved.change?.summary == "Deleted #food from 2 entries")
    #expect(try archive.activity(entry.id)?.tags == ["friends", "out"])
    #expect(try archive.note(recipe.id)?.tags == ["home"])
    #expect(try found("food") == 0)
    let undone = try archive.undo()
    #expect(try content() == before)
    #expect(try found("food") == 2)
    _ = try archive.undo(undone.change.id)
    #expect(try archive.note(recipe.id)?.tags == ["home"])
  }

  @Test func aTagThatWasWrittenAnewMeanwhileTakesTheOldLinks() throws {
    let entry = try test.add("lunch", tags: ["food"])
    let deleted = try #require(try archive.deleteTag(try tag("food").id).change)
    try test.add("dinner", tags: ["Food"])
    _ = try archive.undo(deleted.id)
    #expect(try archive.activity(entry.id)?.tags == ["Food"])
    #expect(try archive.tagSummaries().map(\.count) == [2])
  }

  @Test func undoingAnEntryKeepsATagThatANoteUses() throws {
    let entry = try test.add("lunch", tags: ["food"])
    let added = try #require(try archive.changes().first { $0.summary.contains("lunch") })
    let recipe = try note("Soup", tags: ["food"])
    _ = try archive.undo(added.id)
    #expect(try archive.activity(entry.id) == nil)
    #expect(try archive.note(recipe.id)?.tags == ["food"])
  }

  // MARK: Colours and likenesses

  @Test func aColourIsOneOfEightAndUndone() throws {
    try test.add("lunch", tags: ["Food", "out"])
    _ = try archive.colourTag(try tag("food").id, .teal)
    #expect(try archive.tagColours() == ["food": .teal])
    #expect(try tag("food").json["colour"] == "teal")
    #expect(try archive.undo().change.summary == "Undid: Coloured #Food")
    #expect(try archive.tagColours().isEmpty)
    #expect(TagColour(nearest: "#ff1111") == .red && TagColour(nearest: "#12") == nil)
    #expect(TagColour(nearest: TagColour.amber.hex) == .amber)
    #expect(throws: FieldError.self) { try TagColour(named: "mauve") }
  }

  @Test func tagsThatLookAlikeAreProposedTheMoreUsedOneFirst() throws {
    for number in 0..<3 { try test.add("run \(number)", tags: ["running"]) }
    try test.add("slip", tags: ["runing", "day-off", "travel"])
    try test.add("slip", tags: ["day off", "Day off 2"])
    try test.add("slip", tags: ["day off"])
    let pairs = try archive.tagProposals().map { "\($0.merged.tag.name)>\($0.kept.tag.name)" }
    #expect(pairs == ["day-off>day off", "runing>running"])
    #expect(try archive.tagProposals(limit: 1).count == 1)
    // Two words that are both used often are both meant; one and several of it are not.
    for number in 0..<7 { try test.add("slip \(number)", tags: ["lunch", "launch", "friend"]) }
    try test.add("more", tags: ["lunch", "friends"])
    let more = try archive.tagProposals().map { "\($0.merged.tag.name)>\($0.kept.tag.name)" }
    #expect(more == ["day-off>day off", "friends>friend", "runing>running"])
  }

  @Test func tagsThatAreKeptApartAreProposedNoMoreUntilTheyAreAskedFor() throws {
    try test.add("one", tags: ["running", "day off"])
    try test.add("two", tags: ["runing", "day-off"])
    let (running, slip) = (try tag("running").id, try tag("runing").id)
    try archive.keepTagsApart(slip, running)
    #expect(try archive.tagProposals().map(\.merged.tag.name) == ["day-off"])
    try archive.keepTagsApart(running, slip)
    #expect(try archive.countTagsApart() == 1)
    #expect(throws: FieldError.self) { try archive.keepTagsApart(slip, slip) }
    #expect(throws: ArchiveError.self) { try archive.keepTagsApart(slip, UUID()) }
    try archive.proposeTagsAgain()
    #expect(try archive.tagProposals().count == 2)
    #expect(try archive.countTagsApart() == 0)
    try archive.keepTagsApart(slip, running)
    _ = try archive.mergeTag(slip, into: running)
    // A tag that is gone is kept apart from nothing.
    #expect(try archive.countTagsApart() == 0)
  }

  @Test func manyEntriesAreOneChange() throws {
    var edits = Archive.EntryEdits()
    edits.added = try (0..<2_500).map { try test.activity("entry \($0)", tags: ["many", "x"]) }
    _ = try archive.apply(edits, action: "add", "Added many")
    let saved = try archive.renameTag(try tag("many").id, to: "lots")
    #expect(saved.value.entries == 2_500 && saved.change?.summary.hasSuffix("2500 entries") == true)
    #expect(try archive.tagSummaries().map(\.tag.name) == ["lots", "x"])
    let merged = try archive.mergeTag(try tag("x").id, into: try tag("lots").id)
    #expect(merged.value.entries == 2_500)
    #expect(try archive.tagSummaries().map(\.count) == [2_500])
    _ = try archive.undo()
    #expect(try archive.tagSummaries().map(\.count) == [2_500, 2_500])
    let examined = try archive.examine().filter { $0.verdict != .good }
    #expect(examined.isEmpty)
  }
}
