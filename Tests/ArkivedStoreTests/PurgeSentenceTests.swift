import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedStore

/// Names here are shorter than those that a purge looks for in sentences of other things.
@Suite("What changes say of what is forgotten")
struct PurgeSentenceTests {
  private let test: TestArchive

  init() throws { test = try TestArchive() }

  private func sentences() throws -> [String] {
    try test.archive.read { db in
      try String.fetchAll(db, sql: "SELECT summary FROM change_rows ORDER BY pk")
    }
  }

  private func goal(_ title: String) throws -> Goal {
    try test.archive.create(
      Goal(
        id: test.archive.identities.next(), title: title, createdAt: test.clock.now,
        updatedAt: test.clock.now)
    ).value
  }

  @Test func linksWithOtherThingsAreNotTold() throws {
    let (therapy, walk) = (try test.add("zqtherapy"), try test.add("a walk"))
    let goal = try goal("Well")
    for activity in [therapy, walk] {
      _ = try test.archive.link(action: activity.id, goal: goal.id, amount: 1)
    }
    _ = try test.archive.unlink(action: therapy.id, goal: goal.id)
    _ = try test.archive.link(action: therapy.id, goal: goal.id, amount: 2)
    #expect(try sentences().filter { $0.contains("zqtherapy") }.count == 4)
    _ = try test.archive.purge(.entities([therapy.id]))
    let left = try sentences()
    #expect(!left.contains { $0.contains("zqtherapy") })
    #expect(left.contains { $0.contains("a walk") && $0.contains("Well") })
  }

  @Test func aGoalThatATermTookOnIsNotTold() throws {
    let goal = try goal("zqsober")
    let start = try #require(DayKey("2026-03-02"))
    let term = try test.archive.create(
      Term(
        id: test.archive.identities.next(), termNumber: 1, startDate: start,
        createdAt: test.clock.now, updatedAt: test.clock.now)
    ).value
    _ = try test.archive.write(by: .owner, "commit", "Committed to “zqsober”") { scope in
      try scope.commit(to: [goal.id], inTerm: term.id)
    }
    _ = try test.archive.purge(.entities([goal.id]))
    #expect(try !sentences().contains { $0.contains("zqsober") })
  }

  @Test func aTagThatAnotherWentIntoIsNotTold() throws {
    try test.add("one", tags: ["zqshrink"])
    try test.add("two", tags: ["zqtherapy"])
    let tags = try test.archive.tags().map(\.tag)
    let old = try #require(tags.first(where: { $0.name == "zqshrink" }))
    let kept = try #require(tags.first(where: { $0.name == "zqtherapy" }))
    _ = try test.archive.mergeTag(old.id, into: kept.id)
    _ = try test.archive.purge(.tag("zqtherapy"))
    #expect(try !sentences().contains { $0.contains("zqtherapy") })
  }

  @Test func aTagThatIsDeletedOrHasAnotherNameNowIsNotTold() throws {
    let one = try test.add("one", tags: ["zqtherapy", "other"])
    let two = try test.add("two", tags: ["zqold"])
    _ = try test.archive.deleteTag(try test.archive.tag(named: "zqtherapy").id)
    _ = try test.archive.renameTag(try test.archive.tag(named: "zqold").id, to: "new")
    #expect(try sentences().count { $0.contains("#zq") } == 2)
    for name in ["zqtherapy", "ZQold"] { _ = try test.archive.purge(.tag(name)) }
    #expect(try !sentences().contains { $0.contains("zq") })
    let records = try test.archive.read { db in
      try String.fetchAll(db, sql: "SELECT record FROM history")
    }
    #expect(!records.contains { $0.contains("zq") })
    #expect(try test.archive.activity(one.id)?.tags == ["other"])
    #expect(try test.archive.activity(two.id)?.tags == ["new"])
    #expect(try test.archive.tags().map { $0.tag.name }.sorted() == ["new", "other"])
  }

  @Test func theTitleOfAConversationDoesNotQuoteIt() throws {
    let (archive, name) = (test.archive, "zqvisit to the clinic in the next town")
    let gone = try test.add(name)
    var threads: [UUID] = []
    for question in ["When was the “\(name)”?", "When was the \(name), and the one before?"] {
      _ = try archive.say(question, answered: "In March.", details: [:]) { thread, _, _ in
        threads.append(thread.id)
        return KeptAnswer(status: 200)
      }
    }
    _ = try archive.say(
      "And who came?", answered: "Sam.", details: [:], in: threads.first
    ) { _, _, _ in KeptAnswer(status: 200) }
    _ = try archive.purge(.entities([gone.id]))
    let titles = try archive.read { db in
      try String.fetchAll(db, sql: "SELECT title FROM thread_rows ORDER BY pk")
    }
    #expect(titles == ["And who came?", "…"])
    #expect(try !sentences().contains { $0.contains("zq") })
  }

  @Test func halfOfAChangeIsNotTakenBack() throws {
    let (one, two) = (try test.add("one", tags: ["a"]), try test.add("two", tags: ["b"]))
    let merged = try test.archive.mergeActivity(two.id, into: one.id)
    test.clock.advance(seconds: 40 * 86_400)
    try test.add("later", on: "2026-04-23")
    try test.archive.setRetention(Retention(deletedDays: 30))
    #expect(try test.archive.applyRetention() == 1)
    let kept = try #require(try test.archive.activity(one.id))
    let change = try #require(merged.change)
    #expect(throws: ArchiveError.self) { try test.archive.undo(change.id) }
    #expect(try test.archive.activity(one.id) == kept && kept.tags.count == 2)
  }

  @Test func whatIsKeptNoLongerIsNotQuoted() throws {
    let gone = try test.add("zqgone")
    _ = try test.archive.updateActivity(gone.id) { $0.text = "zqgone too" }
    _ = try test.archive.deleteActivities([gone.id])
    let there = try test.add("zqfirst")
    for text in ["zqsecond", "third"] {
      test.clock.advance(seconds: 60)
      _ = try test.archive.updateActivity(there.id) { $0.text = text }
    }
    test.clock.advance(seconds: 40 * 86_400)
    try test.add("later", on: "2026-04-23")
    try test.archive.setRetention(Retention(versionDays: 30, deletedDays: 30))
    #expect(try test.archive.applyRetention() == 4)
    #expect(try sentences().filter { $0.contains("zq") } == ["Added “zqfirst”"])
    _ = try test.archive.purge(.entities([there.id]))
    #expect(try !sentences().contains { $0.contains("zq") })
  }
}
