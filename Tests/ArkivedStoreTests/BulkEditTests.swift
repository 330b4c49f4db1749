import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Changes of many entries")
struct BulkEditTests {
  @Test func manyChangesAreOneChangeAndOneUndo() throws {
    let test = try TestArchive()
    let ids = try (0..<30).map { try test.add("entry \($0)", tags: $0 % 2 == 0 ? ["even"] : []).id }
    let saved = try test.archive.changeActivities(
      ids, action: "edit", summary: { "Changed \($0)" }
    ) { if !$0.tags.contains("even") { $0.tags.append("odd") } }
    #expect(saved.value.count == 15 && saved.change?.summary == "Changed 15")
    #expect(try test.archive.tags().map(\.count) == [15, 15])
    #expect(
      try test.archive.search(SearchRequest(query: "odd"), words: WordQuery("odd")).count == 15)
    let undone = try test.archive.undo()
    #expect(undone.restored == 15)
    #expect(try test.archive.tags().filter { $0.count > 0 }.map(\.tag.name) == ["even"])
    let again = try test.archive.changeActivities(ids, action: "edit", summary: { "\($0)" }) { _ in
    }
    #expect(again.change == nil && again.value.isEmpty)
    // One that doesn't exist leaves all as they are.
    #expect(throws: ArchiveError.self) {
      try test.archive.changeActivities(ids + [UUID()], action: "edit", summary: { "\($0)" }) {
        $0.isPinned = true
      }
    }
    #expect(try test.archive.activity(ids[0])?.isPinned == false)
  }

  @Test func activitiesAndNotesAreDeletedTogether() throws {
    let test = try TestArchive()
    let day = try #require(DayKey("2026-03-14"))
    let walk = try test.add("walk")
    let note = try test.archive.updateDay(day) { $0.note = "A note." }.value
    let deleted = try test.archive.deleteEntries([walk.id, note.id, walk.id]).value
    #expect(deleted.map(\.title) == ["walk", "A note."])
    #expect(try test.day("2026-03-14").entry == nil)
    _ = try test.archive.undo()
    #expect(try test.day("2026-03-14").entry?.note == "A note.")
    #expect(throws: ArchiveError.self) { try test.archive.deleteEntries([UUID()]) }
  }

  @Test func anEditMeetsAConflictWhole() throws {
    let test = try TestArchive()
    var walk = try test.add("walk")
    var run = try test.add("run")
    let versions = [walk.id: walk.updatedAt, run.id: run.updatedAt]
    test.clock.advance(seconds: 60)
    _ = try test.archive.updateActivity(run.id) { $0.text = "ran elsewhere" }
    walk.text = "long walk"
    run.text = "ran here"
    var edits = Archive.EntryEdits()
    edits.changed = [.activity(walk), .activity(run)]
    edits.added = [try test.activity("swim")]
    edits.versions = versions
    let error = #expect(throws: ArchiveError.self) {
      try test.archive.apply(edits, action: "edit", "x")
    }
    #expect(error?.description.contains("“ran elsewhere” was changed") == true)
    #expect(try test.day("2026-03-14").activities.map(\.text) == ["walk", "ran elsewhere"])
    edits.versions = [:]
    let done = try test.archive.apply(edits, action: "edit", "x").value
    #expect(done.changed.count == 2 && done.added.count == 1)
    #expect(try test.day("2026-03-14").activities.map(\.text) == ["long walk", "ran here", "swim"])
    _ = try test.archive.undo()
    #expect(try test.day("2026-03-14").activities.map(\.text) == ["walk", "ran elsewhere"])
    _ = try test.archive.deleteActivities([walk.id])
    edits.versions = versions
    #expect(throws: ArchiveError.self) { try test.archive.apply(edits, action: "edit", "x") }
  }
}

@Suite("Names that are looked up")
struct NameLookupTests {
  /// Reading with the people a line may name gives what reading with everybody gives.
  @Test(arguments: [
    "lunch with Sam", "lunch with sam lee", "José came by", "met Jose Garcia at Joe's",
    "@Sam.Lee and @\"Jean-Luc O'Neill\" @Zoë", "Ünal's birthday", "call from sam@example.org",
    "WILL will call Will", "o'neill's place", "李小龙 came", "", "nothing to see", "The Boss said so",
    "dinner at Joe's Diner", "x-ray with Dr. Who",
  ])
  func aLinesPeopleAreThoseOfAll(line: String) throws {
    let test = try TestArchive()
    let people = [
      "Sam Lee", "Sam Miller", "José García", "Zoë", "Jean-Luc O'Neill", "Ünal Öz", "Will", "李小龙",
      "Joe's Diner", "(Max)", "Dr Who",
    ]
    for name in people { try test.add("with", people: [name]) }
    try test.add("with", people: ["sam@example.org"])
    _ = try test.archive.write(by: .owner, "test", "alias") { scope in
      try scope.insert(
        Person(
          id: test.archive.identities.next(), name: "Ada Boss", aliases: ["The Boss", "Öse"],
          createdAt: test.clock.now, updatedAt: test.clock.now))
    }
    let all = try test.archive.people().map {
      KnownPerson(id: $0.id, name: $0.displayName, aliases: $0.aliases)
    }
    let some = try test.archive.people(mentionedIn: line)
    #expect(some.count < all.count)
    func read(_ people: [KnownPerson]) -> QuickAddReading? {
      try? QuickAddReader(now: test.clock.now, zone: test.zone, knownPeople: people).read(line)
    }
    #expect(read(some) == read(all))
    #expect(
      PersonReader(people: some).mentions(in: line) == PersonReader(people: all).mentions(in: line))
  }

  @Test func aNewTagIsComparedWithThoseInUse() throws {
    let test = try TestArchive()
    try test.add("a", tags: ["running", "food"])
    try test.add("b", tags: ["running"])
    let found = try test.archive.suggestions(for: ["runing", "running", "soup"])
    #expect(found.map(\.name) == ["runing"] && found.map(\.existing) == ["running"])
    #expect(found.first?.count == 2)
    let food = try #require(try test.day("2026-03-14").activities.first)
    _ = try test.archive.updateActivity(food.id) { $0.tags = [] }
    #expect(try test.archive.suggestions(for: ["foods"]).isEmpty)
  }

  @Test func beginningsAreCompleted() throws {
    let test = try TestArchive()
    try test.add("a", on: "2025-05-05", tags: ["food", "Foot", "bar"], people: ["Sam Lee"])
    try test.add("b", people: ["Lee Marvin"])
    #expect(try test.archive.tagNames(beginningWith: "FOO", limit: 9) == ["food", "Foot"])
    #expect(try test.archive.tagNames(beginningWith: "", limit: 2) == ["bar", "food"])
    #expect(
      try test.archive.personNames(beginningWith: "lee", limit: 9) == ["Lee Marvin", "Sam Lee"])
    #expect(
      try test.archive.dayKeys(beginningWith: "2025-0", limit: 9).map(\.description)
        == ["2025-05-05"])
    #expect(try test.archive.dayKeys(beginningWith: "' OR 1", limit: 9).isEmpty)
  }
}
