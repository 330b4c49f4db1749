import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

/// What a device that has left the others changes before it joins again, also with a wrong clock.
@Suite("Changes of a device that is away")
struct DeviceSyncAwayTests {
  /// From 2026 to the first days of 1970.
  private static let farBack = -1_773_000_000

  let pair: TwoDevices
  let day: DayKey

  init() throws {
    pair = try TwoDevices()
    day = try #require(DayKey("2026-03-14"))
    for computer in [pair.one, pair.two] { computer.clock.advance(seconds: 60) }
  }

  /// Takes the second device out of the group, and moves its clock by some seconds.
  private func leave(_ seconds: Int) throws {
    try DevicePairing.leave(pair.two.archive)
    pair.two.clock.advance(seconds: seconds)
  }

  private func history(_ id: UUID, _ computer: Computer) throws -> [String] {
    try computer.archive.read { db in
      try String.fetchAll(
        db, sql: "SELECT record FROM history WHERE source_id = ? ORDER BY pk",
        arguments: [id.uuidString])
    }
  }

  /// Both hold the same, and nothing waits or is still remembered.
  private func expectSame() throws {
    #expect(
      try DeviceSyncSimulation.lines(pair.one.archive)
        == DeviceSyncSimulation.lines(pair.two.archive))
    for computer in [pair.one, pair.two] {
      let left = try computer.archive.read { db in
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM replica_states WHERE type = 'left' OR waits = 1")
      }
      #expect(left == 0)
    }
  }

  // MARK: A clock in 1970

  @Test("A deletion made away with a clock in 1970 deletes everywhere", arguments: [false, true])
  func deleted(isChangedBefore: Bool) throws {
    // Their stamps follow each other, although they have one time.
    let ids = try (0..<5).map { try pair.one.archive.add(pair.one.activity("\($0)")).value.id }
    try pair.exchange()
    if isChangedBefore { _ = try pair.two.archive.updateActivity(ids[0]) { $0.text = "mine" } }
    try leave(Self.farBack)
    _ = try pair.two.archive.deleteActivities(ids)
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      for id in ids {
        #expect(try computer.archive.activity(id) == nil)
        #expect(try history(id, computer).isEmpty == false)
      }
    }
    try expectSame()
  }

  @Test("An edit made away with a clock in 1970 follows what the device had seen")
  func edited() throws {
    var activity = pair.one.activity("walked")
    activity.tags = ["sport", "lake"]
    let id = try pair.one.archive.add(activity).value.id
    _ = try pair.one.archive.updateDay(day) { $0.note = "first line\nsecond line" }
    try pair.exchange()
    try leave(Self.farBack)
    _ = try pair.two.archive.updateActivity(id) {
      $0.text = "walked far"
      $0.tags = ["sport"]
    }
    _ = try pair.two.archive.updateDay(day) { $0.note = "second line" }
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      let found = try #require(try computer.archive.activity(id))
      #expect(found.text == "walked far")
      #expect(found.tags == ["sport"])
      #expect(try computer.day("2026-03-14").entry?.note == "second line")
    }
    try expectSame()
  }

  @Test("What another device changed meanwhile is later, and the other version is kept")
  func changedMeanwhile() throws {
    let edited = try pair.one.archive.add(pair.one.activity("walked")).value.id
    let deleted = try pair.one.archive.add(pair.one.activity("swam")).value.id
    try pair.exchange()
    try leave(Self.farBack)
    _ = try pair.two.archive.updateActivity(edited) { $0.text = "walked far" }
    _ = try pair.two.archive.deleteActivities([deleted])
    pair.one.clock.advance(seconds: 60)
    _ = try pair.one.archive.updateActivity(edited) { $0.text = "walked slowly" }
    _ = try pair.one.archive.updateActivity(deleted) { $0.text = "swam far" }
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.activity(edited)?.text == "walked slowly")
      #expect(try computer.archive.activity(deleted)?.text == "swam far")
      #expect(try history(edited, computer).contains { $0.contains("walked far") })
    }
    try expectSame()
  }

  @Test("Undoing a deletion away with a clock in 1970 brings the entry back everywhere")
  func broughtBack() throws {
    let id = try pair.one.archive.add(pair.one.activity("walked")).value.id
    try pair.exchange()
    _ = try pair.two.archive.deleteActivities([id])
    try pair.exchange()
    #expect(try pair.one.archive.activity(id) == nil)
    try leave(Self.farBack)
    _ = try pair.two.archive.undo()
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.activity(id)?.text == "walked")
    }
    try expectSame()
  }

  @Test("What was changed with a clock in 1970 just before the device left isn’t lost")
  func changedBefore() throws {
    let edited = try pair.one.archive.add(pair.one.activity("walked")).value.id
    let deleted = try pair.one.archive.add(pair.one.activity("a mistake")).value.id
    try pair.exchange()
    pair.two.clock.advance(seconds: Self.farBack)
    _ = try pair.two.archive.updateActivity(edited) { $0.text = "walked far" }
    _ = try pair.two.archive.deleteActivities([deleted])
    try leave(60)
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.activity(edited)?.text == "walked far")
      #expect(try computer.archive.activity(deleted) == nil)
    }
    try expectSame()
  }

  @Test("A deletion made with a clock in 1970 counts on a device that remembers nothing, too")
  func restoredDevice() throws {
    let id = try pair.one.archive.add(pair.one.activity("a mistake")).value.id
    try pair.exchange()
    try leave(Self.farBack)
    try pair.two.archive.transact { db in try ReplicaTables(db: db).forgetMemories() }
    _ = try pair.two.archive.deleteActivities([id])
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] { #expect(try computer.archive.activity(id) == nil) }
    try expectSame()
  }

  @Test("A join that was interrupted still knows what the device had seen")
  func interruptedJoin() throws {
    let id = try pair.one.archive.add(pair.one.activity("a mistake")).value.id
    try pair.exchange()
    try leave(Self.farBack)
    _ = try pair.two.archive.deleteActivities([id])
    var first = try pair.job(pair.one)
    _ = try DevicePairing.ask(
      pair.two.archive, name: "laptop again", folder: pair.folder.url, code: try first.invite())
    try first.accept(try #require(try first.request()))
    // As far as the program gets before it is killed.
    let request = try #require(try pair.two.archive.joiningReplica())
    let identity = try DeviceIdentity(request)
    try pair.two.archive.startReplica(
      device: identity.id, settings: identity.json, joining: request)
    try pair.two.archive.captureReplica(publishes: true)
    _ = try #require(try DevicePairing.finish(pair.two.archive))
    try pair.exchange()
    for computer in [pair.one, pair.two] { #expect(try computer.archive.activity(id) == nil) }
    try expectSame()
  }

  // MARK: Permanent deletion

  @Test(
    "What is permanently deleted away, or just before, is permanently deleted everywhere",
    arguments: [true, false])
  func purged(isAway: Bool) throws {
    let id = try pair.one.archive.add(pair.one.activity("a secret by the lake")).value.id
    try pair.exchange()
    if !isAway { _ = try PurgeJob(archive: pair.two.archive).run(.entities([id])) }
    try leave(Self.farBack)
    if isAway { _ = try PurgeJob(archive: pair.two.archive).run(.entities([id])) }
    pair.one.clock.advance(seconds: 60)
    _ = try pair.one.archive.updateActivity(id) { $0.text = "a secret by the sea" }
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.activity(id) == nil)
      let folder = try #require(computer.archive.databaseFile).deletingLastPathComponent()
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        let content = try? Data(contentsOf: folder.appendingPathComponent(name))
        #expect(content?.range(of: Data("a secret".utf8)) == nil, "\(name)")
      }
    }
    try expectSame()
  }

  // MARK: A clock that is right

  @Test("Fields that only the others changed keep their change, and what was removed stays removed")
  func fields() throws {
    var activity = pair.one.activity("walked")
    activity.tags = ["sport", "lake"]
    let id = try pair.one.archive.add(activity).value.id
    try pair.exchange()
    try leave(7_200)
    pair.one.clock.advance(seconds: 3_600)
    _ = try pair.one.archive.updateActivity(id) { $0.isPinned = true }
    _ = try pair.two.archive.updateActivity(id) {
      $0.text = "walked far"
      $0.tags = ["lake"]
    }
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      let found = try #require(try computer.archive.activity(id))
      #expect(found.isPinned)
      #expect(found.text == "walked far")
      #expect(found.tags == ["lake"])
    }
    try expectSame()
  }

  @Test("A note that only the others changed is as they left it")
  func unchangedNote() throws {
    _ = try pair.one.archive.updateDay(day) { $0.note = "first line\nsecond line" }
    try pair.exchange()
    try leave(60)
    pair.one.clock.advance(seconds: 60)
    _ = try pair.one.archive.updateDay(day) { $0.note = "second line\nthird line" }
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      #expect(try computer.day("2026-03-14").entry?.note == "second line\nthird line")
    }
    try expectSame()
  }

  @Test("A note that both changed contains both changes once")
  func changedNote() throws {
    _ = try pair.one.archive.updateDay(day) { $0.note = "first line\nsecond line\nthird line" }
    try pair.exchange()
    try leave(120)
    pair.one.clock.advance(seconds: 60)
    _ = try pair.one.archive.updateDay(day) { $0.note = "second line\nthird line" }
    _ = try pair.two.archive.updateDay(day) {
      $0.note = "first line\nsecond line\nthird line, longer"
    }
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      #expect(try computer.day("2026-03-14").entry?.note == "second line\nthird line, longer")
    }
    try expectSame()
  }

  @Test("An entry whose creation was undone away is gone everywhere")
  func undoneCreation() throws {
    let id = try pair.two.archive.add(pair.two.activity("not meant")).value.id
    try pair.exchange()
    try leave(60)
    _ = try pair.two.archive.undo()
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] { #expect(try computer.archive.activity(id) == nil) }
    try expectSame()
  }

  @Test("An entry whose tag the others deleted is shown with its latest text")
  func deletedTag() throws {
    var activity = pair.one.activity("walked")
    activity.tags = ["sport"]
    let id = try pair.one.archive.add(activity).value.id
    try pair.exchange()
    try leave(60)
    pair.one.clock.advance(seconds: 60)
    let tag = try #require(try pair.one.archive.tags().first?.tag.id)
    _ = try pair.one.archive.deleteTag(tag)
    _ = try pair.one.archive.updateActivity(id) { $0.text = "walked far" }
    try pair.join(pair.two, as: "laptop again")
    #expect(try pair.two.archive.activity(id)?.text == "walked far")
    try expectSame()
  }

  @Test("A device remembers the same, in however many parts it reads the states")
  func memoriesInParts() throws {
    for number in 0..<7 {
      var activity = pair.one.activity("walked \(number)")
      activity.tags = ["tag\(number % 3)"]
      _ = try pair.one.archive.add(activity)
    }
    try pair.exchange()
    func memories(part: Int) throws -> [String] {
      try pair.two.archive.transact { db in
        try ReplicaTables(db: db).rememberStates(part: part)
        return try String.fetchAll(
          db,
          sql: "SELECT id || ' ' || state FROM replica_states WHERE type = 'left' ORDER BY id")
      }
    }
    let whole = try memories(part: .max)
    #expect(whole.count { $0.hasPrefix("activities/") } == 7)
    #expect(whole.count { $0.hasPrefix("tags/") } == 3)
    for part in [1, 2, 7] { #expect(try memories(part: part) == whole) }
  }

  @Test("What a device remembers contains no content")
  func memories() throws {
    var activity = pair.one.activity("a walk with Ann")
    activity.notes = "by the lake"
    activity.tags = ["sport"]
    activity.people = [Mention(name: "Ann")]
    _ = try pair.one.archive.add(activity)
    try pair.exchange()
    try leave(60)
    let states = try pair.two.archive.read { db in
      try String.fetchAll(db, sql: "SELECT type || id || state FROM replica_states")
    }
    #expect(!states.isEmpty)
    for word in ["walk", "lake", "sport", "Ann"] {
      #expect(!states.contains { $0.contains(word) })
    }
    #expect(try pair.two.archive.replicaSettings() == nil)
  }
}
