import ArkivedCore
import ArkivedStore
import ArkivedTestSupport
import Foundation
import Testing

@Suite("Changes that are stored with the answer to their request")
struct RepeatedChangeTests {
  private struct Failure: Error {}

  let test: TestArchive
  private var archive: Archive { test.archive }
  private let key = RequestKey(key: "k", requestHash: "h")

  init() throws { test = try TestArchive() }

  @Test func aRepeatedUndoGetsTheFirstAnswer() throws {
    let walk = try test.add("walk")
    let change = try #require(try archive.changes().first?.id)
    #expect(throws: Failure.self) {
      try archive.undo(change, once: key) { _ in throw Failure() }
    }
    // Neither half of it happened.
    #expect(try archive.activity(walk.id) != nil)
    #expect(try archive.keptAnswer(to: key) == nil)
    let answers = try [0, 1].map { _ in
      try archive.undo(change, once: key) {
        KeptAnswer(status: 200, location: $0.change.id.uuidString)
      }
    }
    #expect(answers[0] == answers[1])
    #expect(try archive.activity(walk.id) == nil)
    // A request of its own is told so.
    #expect(throws: ArchiveError.self) {
      try archive.undo(change, once: nil) { _ in KeptAnswer(status: 200) }
    }
    #expect(try archive.activity(walk.id) == nil)
  }

  @Test func aVersionIsRestoredOnce() throws {
    let walk = try test.add("walk")
    _ = try archive.updateActivity(walk.id) { $0.text = "a long walk" }
    let version = try #require(try archive.history(of: walk.id).first)
    #expect(throws: Failure.self) {
      try archive.restore(version, once: key, answer: { _ in throw Failure() }) { _ in }
    }
    #expect(try archive.activity(walk.id)?.text == "a long walk")
    func restore() throws -> KeptAnswer {
      try archive.restore(
        version, once: key, answer: { KeptAnswer(status: 200, location: $0.id.uuidString) }
      ) { _ in }
    }
    let first = try restore()
    #expect(try archive.activity(walk.id)?.text == "walk")
    _ = try archive.updateActivity(walk.id) { $0.text = "a short walk" }
    #expect(try restore() == first)
    #expect(try archive.activity(walk.id)?.text == "a short walk")
  }

  @Test func entriesAreMergedOnce() throws {
    let (one, other) = (try test.add("walk"), try test.add("walk"))
    #expect(throws: Failure.self) {
      try archive.mergeActivity(other.id, into: one.id, once: key) { _ in throw Failure() }
    }
    #expect(try archive.activity(other.id) != nil)
    let answers = try [0, 1].map { _ in
      try archive.mergeActivity(other.id, into: one.id, once: key) { saved in
        KeptAnswer(status: 200, location: saved.change?.id.uuidString)
      }
    }
    #expect(answers[0] == answers[1] && answers[0].location != nil)
    #expect(try archive.activity(other.id) == nil && archive.activity(one.id) != nil)
  }

  @Test func peopleAndTagsAreMergedOnce() throws {
    try test.add("walk", tags: ["garden"], people: ["Alex Kim"])
    try test.add("tea", tags: ["gardening"], people: ["Alex Moreau"])
    let people = try archive.people().sorted { $0.displayName < $1.displayName }.map(\.id)
    let tags = try archive.tags().map(\.tag).sorted { $0.name < $1.name }.map(\.id)
    let today = try #require(DayKey("2026-03-14"))
    #expect(throws: Failure.self) {
      try archive.merge(people[1], into: people[0], today: today, once: key) { _, _ in
        throw Failure()
      }
    }
    #expect(throws: Failure.self) {
      try archive.mergeTag(tags[1], into: tags[0], once: key) { _, _ in throw Failure() }
    }
    #expect(try archive.people().count == 2 && archive.tags().count == 2)
    let merged = try [0, 1].map { _ in
      try archive.merge(people[1], into: people[0], today: today, once: key) { found, change in
        #expect(found.person.id == people[0] && found.person.aliases == ["Alex Moreau"])
        return KeptAnswer(status: 200, location: change.id.uuidString)
      }
    }
    #expect(merged[0] == merged[1])
    let other = RequestKey(key: "tags", requestHash: "h")
    let tagged = try [0, 1].map { _ in
      try archive.mergeTag(tags[1], into: tags[0], once: other) { found, saved in
        #expect(found.count == 2 && saved.value.entries == 1)
        return KeptAnswer(status: 200, location: saved.change?.id.uuidString)
      }
    }
    #expect(tagged[0] == tagged[1] && tagged[0].location != nil)
    #expect(try archive.people().count == 1 && archive.tags().count == 1)
  }

  @Test func aConversationIsBranchedOnce() throws {
    var said: [ConversationMessage] = []
    var thread: UUID?
    for question in ["where was I?", "and when?"] {
      _ = try archive.say(question, answered: "at home", details: [:], in: thread) {
        open, messages, _ in
        thread = open.id
        said += messages
        return KeptAnswer(status: 201)
      }
    }
    let (old, last) = (try #require(thread), try #require(said.last { $0.text == "and when?" }))
    var branches: [Int] = []
    let answers = try [0, 1].map { _ in
      try archive.branch(old, before: last.id, once: key) { saved, messages in
        branches.append(messages.count)
        return KeptAnswer(status: 201, location: saved.value.id.uuidString)
      }
    }
    #expect(answers[0] == answers[1] && branches == [2])
  }

  @Test func aDayIsWrittenOnce() throws {
    let day = try #require(DayKey("2026-03-14"))
    try test.add("walk")
    let answers = try [0, 1].map { _ in
      try archive.updateDay(
        day, once: key,
        answer: { saved, whole in
          #expect(saved.value.note == "Calm." && whole.entry?.note == "Calm.")
          #expect(whole.activities.map(\.text) == ["walk"])
          return KeptAnswer(status: 200, location: saved.change?.id.uuidString)
        }
      ) { $0.note += "Calm." }
    }
    #expect(answers[0] == answers[1])
    #expect(try archive.day(day).entry?.note == "Calm.")
  }
}
