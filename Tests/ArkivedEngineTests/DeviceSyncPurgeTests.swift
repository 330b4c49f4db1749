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

  @Test("A note that was deleted before it was sent isn’t kept where its meeting was purged")
  func noteOfAPurgedMeeting() throws {
    let pair = try TwoDevices()
    let defaults = EntryDefaults(
      now: TestArchive.now, homeZone: .utc, identities: pair.one.archive.identities)
    var fields = FieldReader([
      "startAt": "2026-03-12T09:00:00Z", "endAt": "2026-03-12T10:00:00Z",
      "timeZone": .string(TestArchive.zoneName), "text": "met the lawyer",
      "source": "calendarImport",
    ])
    let activity = try Activity(&fields, defaults: defaults)
    fields = FieldReader([
      "activityId": .string(activity.id.uuidString), "eventIdentifier": "event-1",
    ])
    let meeting = try pair.one.archive.create(
      MeetingEntry(meeting: try Meeting(&fields, defaults: defaults), activity: activity)
    ).value.meeting.id
    try pair.exchange()
    fields = FieldReader([
      "title": "note", "text": "a secret of the lake", "meetingId": .string(meeting.uuidString),
    ])
    let note = try pair.two.archive.create(try Note(&fields, defaults: defaults)).value.id
    _ = try pair.two.archive.deleteNote(note)
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([activity.id]))
    var job = try pair.job(pair.two)
    try job.exchange()
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      let kept = try computer.archive.read { db in
        try String.fetchAll(db, sql: "SELECT record FROM history")
      }
      #expect(!kept.contains { $0.contains("secret of the lake") })
    }
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
