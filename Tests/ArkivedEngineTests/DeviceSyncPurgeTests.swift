import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

@Suite("What one device deletes permanently")
struct DeviceSyncPurgeTests {
  @Test("A title of a conversation that quotes it is on neither, nor in what waits")
  func titles() throws {
    let pair = try TwoDevices()
    let name = "a secret meeting by the northern lake"
    let secret = try pair.one.archive.add(pair.one.activity(name)).value.id
    var thread: UUID?
    for question in ["When was \(name)?", "And who came?"] {
      _ = try pair.one.archive.say(question, answered: "In March.", details: [:], in: thread) {
        open, _, _ in
        thread = open.id
        return KeptAnswer(status: 200)
      }
    }
    // Sent, but not read yet.
    var job = try pair.job(pair.one)
    try job.exchange()
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([secret]))
    let waiting = try pair.one.archive.read { db in
      try String.fetchAll(
        db,
        sql: "SELECT changes FROM replica_segments UNION ALL SELECT change FROM replica_outbox")
    }
    #expect(!waiting.isEmpty && !waiting.contains { $0.contains("secret meeting") })
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      let titles = try computer.archive.read { db in
        try String.fetchAll(db, sql: "SELECT title FROM threads")
      }
      #expect(titles == ["And who came?"])
      let states = try computer.archive.read { db in
        try String.fetchAll(db, sql: "SELECT state FROM replica_states")
      }
      #expect(!states.contains { $0.contains("secret meeting") })
    }
  }

  @Test("A conversation that gets another title still reaches the other device, or leaves it")
  func retitledSinceTheLastSync() throws {
    let pair = try TwoDevices()
    let name = "a secret meeting by the northern lake"
    let secret = try pair.one.archive.add(pair.one.activity(name)).value.id
    func talk() throws -> UUID {
      var thread: UUID?
      for question in ["When was \(name)?", "And who came?"] {
        _ = try pair.one.archive.say(question, answered: "In March.", details: [:], in: thread) {
          open, _, _ in
          thread = open.id
          return KeptAnswer(status: 200)
        }
      }
      return try #require(thread)
    }
    let deleted = try talk()
    try pair.exchange()
    let new = try talk()
    _ = try pair.one.archive.delete(ConversationThread.self, deleted)
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([secret]))
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      let ids = try computer.archive.read { db in
        try String.fetchAll(db, sql: "SELECT id FROM threads")
      }
      #expect(ids == [new.uuidString])
    }
  }

  @Test("It is in no list of conflicts, even where its versions have expired")
  func conflicts() throws {
    let pair = try TwoDevices()
    let id = try conflict(pair)
    _ = try pair.one.archive.deleteActivities([id])
    try pair.exchange()
    try pair.two.archive.transact { db in try db.execute(sql: "DELETE FROM history") }
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([id]))
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.replicaConflicts().isEmpty)
    }
  }

  /// Adds an entry that both devices change at the same time.
  private func conflict(_ pair: TwoDevices) throws -> UUID {
    let id = try pair.one.archive.add(pair.one.activity("walked")).value.id
    try pair.exchange()
    for (computer, text) in [(pair.one, "walked far"), (pair.two, "walked slowly")] {
      computer.clock.advance(seconds: 60)
      _ = try computer.archive.updateActivity(id) { $0.text = text }
    }
    try pair.exchange()
    #expect(try pair.two.archive.replicaConflicts().count == 1)
    return id
  }

  @Test("A clock that is set forward by mistake lets no other version expire")
  func wrongClock() throws {
    let pair = try TwoDevices()
    _ = try conflict(pair)
    try pair.two.archive.setRetention(Retention(versionDays: 30, deletedDays: 30))
    pair.two.clock.advance(seconds: 20 * 365 * 86_400)
    try pair.two.archive.forgetExpiredReplicas(stable: [:])
    #expect(try pair.two.archive.replicaConflicts().count == 1)
  }
}
