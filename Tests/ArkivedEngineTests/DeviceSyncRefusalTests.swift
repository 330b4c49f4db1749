import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

@Suite("Changes that don’t fit together")
struct DeviceSyncRefusalTests {
  let pair: TwoDevices

  init() throws { pair = try TwoDevices() }

  /// Makes a note of which one device removes the title and the other the text.
  private func conflictingNote() throws -> UUID {
    let id = UUID()
    _ = try pair.one.archive.create(
      Note(
        id: id, title: "Plan", text: "by the lake", createdAt: pair.one.clock.now,
        updatedAt: pair.one.clock.now))
    try pair.exchange()
    for computer in [pair.one, pair.two] { computer.clock.advance(seconds: 60) }
    _ = try pair.one.archive.updateNote(id) { $0.title = nil }
    _ = try pair.two.archive.updateNote(id) { $0.text = "" }
    try pair.exchange()
    return id
  }

  private func note(_ id: UUID, _ computer: Computer) throws -> Note? {
    try computer.archive.note(id)
  }

  @Test("Each device keeps its own, says so and why, until somebody edits it")
  func refusedChange() throws {
    let id = try conflictingNote()
    #expect(try note(id, pair.one)?.text == "by the lake")
    #expect(try note(id, pair.two)?.title == "Plan")
    for computer in [pair.one, pair.two] {
      var job = try pair.job(computer)
      let status = try job.status()
      #expect(!status.isInStep)
      let refusal = try #require(status.refusals.first)
      #expect(status.refusals.count == 1)
      #expect(refusal.type == .note && refusal.sourceID == id.uuidString)
      #expect(refusal.reason == "The text is empty, and so is the title.")
      #expect(status.json["refused"]?.array?.count == 1)
      #expect(status.refusalSentence.hasPrefix("1 item is different on this device"))
    }
    pair.one.clock.advance(seconds: 60)
    _ = try pair.one.archive.updateNote(id) { $0.title = "New plan" }
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try note(id, computer)?.title == "New plan")
      #expect(try note(id, computer)?.text == "by the lake")
      var job = try pair.job(computer)
      #expect(try job.status().refusals.isEmpty)
      #expect(try job.status().isInStep)
    }
    // The device that had refused it knows that it is there, and notices that it goes.
    _ = try pair.two.archive.deleteNote(id)
    try pair.exchange()
    for computer in [pair.one, pair.two] { #expect(try note(id, computer) == nil) }
  }

  @Test("What is deleted isn’t refused any more")
  func deletedThing() throws {
    let id = try conflictingNote()
    _ = try pair.two.archive.deleteNote(id)
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try note(id, computer) == nil)
      #expect(try computer.archive.replicaRefusals().isEmpty)
    }
  }

  @Test("Devices are no entities that an archive refuses")
  func devices() throws {
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.replicaRefusals().isEmpty)
      #expect(try computer.archive.waitingReplicaCount() == 0)
      let changes = try computer.archive.read { db in
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM changes WHERE action = ?",
          arguments: [ReplicaMerge.action])
      }
      #expect(changes == 0)
    }
  }

  @Test("The last status quotes nothing that was permanently deleted")
  func purgedConflict() throws {
    let id = try pair.one.archive.add(pair.one.activity("walked")).value.id
    try pair.exchange()
    for (computer, text) in [(pair.one, "a secret walk"), (pair.two, "a public walk")] {
      computer.clock.advance(seconds: 60)
      _ = try computer.archive.updateActivity(id) { $0.text = text }
    }
    try pair.exchange()
    #expect(try pair.one.archive.replicaNote("status")?.text().contains("a secret walk") == true)
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([id]))
    #expect(try pair.one.archive.replicaNote("status")?.text().contains("secret") == false)
  }
}
