import ArkivedBackup
import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

/// Devices that come back, exchanges that were interrupted, and single files that are damaged.
@Suite("Devices that come back, and what is interrupted or damaged")
struct DeviceSyncReturnTests {
  private func photo(_ text: String, _ computer: Computer) throws -> Activity {
    var activity = computer.activity("took a photo of \(text)")
    activity.attachments = [
      try computer.archive.store(
        Data(text.utf8),
        as: Attachment(
          id: UUID(), type: .file, originalName: "\(text).txt", createdAt: TestArchive.now,
          updatedAt: TestArchive.now))
    ]
    return try computer.archive.add(activity).value
  }

  private func content(_ id: UUID, _ computer: Computer) throws -> Data? {
    let file = try computer.archive.activity(id)?.attachments.first
    return file.flatMap { try? computer.archive.content(of: $0) }
  }

  // MARK: Coming back

  @Test("A device that joins again doesn’t undo what the others changed and deleted meanwhile")
  func joiningAgain() throws {
    let pair = try TwoDevices()
    let day = try #require(DayKey("2026-03-14"))
    let edited = try pair.one.archive.add(pair.one.activity("ran 5 km")).value.id
    let deleted = try pair.one.archive.add(pair.one.activity("a mistake")).value.id
    _ = try pair.one.archive.updateDay(day) { $0.note = "first line\nsecond line" }
    try pair.exchange()
    try DevicePairing.leave(pair.two.archive)
    pair.one.clock.advance(seconds: 3_600)
    _ = try pair.one.archive.updateActivity(edited) { $0.text = "ran 8 km" }
    _ = try pair.one.archive.deleteActivities([deleted])
    _ = try pair.one.archive.updateDay(day) { $0.note = "first line\nsecond line, longer" }
    pair.two.clock.advance(seconds: 7_200)
    // The latest change of all is made on the device that comes back.
    _ = try pair.two.archive.updateDay(try #require(DayKey("2026-03-13"))) { $0.note = "rest" }
    let own = try pair.two.archive.add(pair.two.activity("swam")).value.id
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.activity(edited)?.text == "ran 8 km")
      #expect(try computer.archive.activity(deleted) == nil)
      #expect(try computer.archive.activity(own)?.text == "swam")
      #expect(try computer.day("2026-03-13").entry?.note == "rest")
      let note = try #require(try computer.day("2026-03-14").entry?.note)
      #expect(note.components(separatedBy: "first line").count == 2, "\(note)")
      #expect(note.contains("second line, longer"))
    }
  }

  @Test("What a device deleted before it joined again is deleted everywhere")
  func deletedMeanwhile() throws {
    let pair = try TwoDevices()
    let id = try pair.one.archive.add(pair.one.activity("a mistake")).value.id
    try pair.exchange()
    try DevicePairing.leave(pair.two.archive)
    pair.two.clock.advance(seconds: 60)
    _ = try pair.two.archive.deleteActivities([id])
    try pair.join(pair.two, as: "laptop again")
    for computer in [pair.one, pair.two] { #expect(try computer.archive.activity(id) == nil) }
  }

  @Test(
    "A new device knows which imported entries were deleted, so that it doesn’t import them again")
  func deletedImports() throws {
    let pair = try TwoDevices()
    var activity = pair.one.activity("an advertisement")
    activity.externalRefs = [
      ExternalRef(provider: "flights", externalID: "X1", fetchedAt: TestArchive.now)
    ]
    let id = try pair.one.archive.add(activity).value.id
    try pair.exchange()
    pair.one.clock.advance(seconds: 60)
    _ = try pair.one.archive.deleteActivities([id])
    try pair.exchange()
    let third = try Computer()
    try pair.join(third, as: "tablet")
    let found = try third.archive.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT provider || ' ' || external_id FROM tombstones
          WHERE source_id = ? AND provider IS NOT NULL
          """, arguments: [id.uuidString])
    }
    #expect(found.contains("flights X1"))
  }

  @Test("A first fill that was interrupted begins again and loses nothing")
  func interruptedFirstFill() throws {
    let pair = try TwoDevices()
    let theirs = try pair.one.archive.add(pair.one.activity("theirs")).value.id
    let third = try Computer()
    let own = try third.archive.add(third.activity("own")).value.id
    var first = try pair.job(pair.one)
    _ = try DevicePairing.ask(
      third.archive, name: "tablet", folder: pair.folder.url, code: try first.invite())
    try first.accept(try #require(try first.request()))
    // As far as the program gets before it is killed.
    let request = try #require(try third.archive.joiningReplica())
    let identity = try DeviceIdentity(request)
    try third.archive.startReplica(
      device: identity.id, settings: identity.json, joining: request)
    try third.archive.captureReplica(publishes: true)
    #expect(try DeviceSyncJob(archive: third.archive) == nil)
    #expect(try DevicePairing.isAsking(third.archive))
    var joined = try #require(try DevicePairing.finish(third.archive))
    try joined.exchange()
    try pair.exchange()
    #expect(try third.archive.activity(theirs)?.text == "theirs")
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.activity(own)?.text == "own")
    }
  }

  // MARK: Purges

  @Test("A file that went with a purged entry comes again with another entry")
  func fileOfAPurgedEntry() throws {
    let pair = try TwoDevices()
    let first = try photo("the lake", pair.one)
    try pair.exchange()
    #expect(try content(first.id, pair.two) == Data("the lake".utf8))
    _ = try PurgeJob(archive: pair.two.archive).run(.entities([first.id]))
    pair.one.clock.advance(seconds: 60)
    let second = try photo("the lake", pair.one)
    try pair.exchange()
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try content(first.id, computer) == nil)
      #expect(try content(second.id, computer) == Data("the lake".utf8))
    }
  }

  @Test(
    "A tag that is permanently deleted with its entries is deleted everywhere, and sync goes on")
  func purgedTag() throws {
    let pair = try TwoDevices()
    var activity = pair.one.activity("a secret")
    activity.tags = ["private"]
    let id = try pair.one.archive.add(activity).value.id
    try pair.exchange()
    _ = try PurgeJob(archive: pair.one.archive).run(.tag("private"))
    try pair.exchange()
    let later = try pair.one.archive.add(pair.one.activity("later")).value.id
    try pair.exchange()
    #expect(try pair.two.archive.activity(id) == nil)
    #expect(try pair.two.archive.tags().isEmpty)
    #expect(try pair.two.archive.activity(later) != nil)
    #expect(try pair.job(pair.two).archive.replicaPurges().isEmpty)
  }

  @Test("What was deleted longer ago than the owner keeps the history is in no state either")
  func expired() throws {
    let pair = try TwoDevices()
    try pair.one.archive.setRetention(Retention(versionDays: 30, deletedDays: 30))
    let id = try pair.one.archive.add(pair.one.activity("an old secret")).value.id
    try pair.exchange()
    _ = try pair.one.archive.deleteActivities([id])
    try pair.exchange()
    func texts(_ computer: Computer) throws -> String {
      try computer.archive.read { db in
        try String.fetchAll(db, sql: "SELECT state FROM replica_states").joined(separator: "\n")
      }
    }
    #expect(try texts(pair.two).contains("an old secret"))
    for computer in [pair.one, pair.two] { computer.clock.advance(seconds: 40 * 86_400) }
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try !texts(computer).contains("an old secret"))
    }
    _ = try pair.one.archive.undo()
    try pair.exchange()
    #expect(try pair.two.archive.activity(id)?.text == "an old secret")
  }

  @Test("Restoring a backup says that sync has ended, and joining again brings back what is newer")
  func restored() throws {
    let pair = try TwoDevices()
    let old = try pair.two.archive.add(pair.two.activity("in the backup")).value.id
    try pair.exchange()
    let file = pair.folder.url.appendingPathComponent("backup.zip")
    _ = try BackupJob(archive: pair.two.archive, target: nil).write(to: file)
    let new = try pair.two.archive.add(pair.two.activity("after the backup")).value.id
    try pair.exchange()
    let outcome = try RestoreJob(archive: pair.two.archive, homeZone: .utc)
      .prepare(file, unlocks: []).apply()
    #expect(outcome.endedSync)
    #expect(try pair.two.archive.activity(new) == nil)
    try pair.join(pair.two, as: "laptop again")
    #expect(try pair.two.archive.activity(new)?.text == "after the backup")
    #expect(try pair.one.archive.activity(old) != nil)
  }

  // MARK: Long texts

  @Test("Many changes go into several segments, and every stamp names the one it is in")
  func segmentsOfStamps() throws {
    let pair = try TwoDevices()
    let page = String(repeating: "A line of a long day. ", count: 5_000)
    for number in 0..<28 {
      let day = try #require(DayKey("2026-02-\(number < 9 ? "0" : "")\(number + 1)"))
      _ = try pair.one.archive.updateDay(day) { $0.note = "\(number) \(page)" }
    }
    try pair.one.archive.captureReplica(publishes: true)
    try pair.one.archive.sealReplica()
    let segments = try pair.one.archive.ownReplicaSegments()
    #expect(segments.count > 2)
    for segment in segments {
      let lines = try pair.one.archive.changes(ofReplicaSegment: segment.sequence)
      for line in lines.split(separator: "\n") {
        let change = try ReplicaChange(line: Array(line.utf8))
        #expect(change.state.touched?.sequence ?? segment.sequence == segment.sequence)
      }
    }
    try pair.exchange()
    #expect(try pair.two.day("2026-02-28").entry?.note == "27 \(page)")
  }

  @Test("Segments are merged in transactions of a limited size")
  func mergedInParts() throws {
    let pair = try TwoDevices()
    var first = try pair.job(pair.one)
    for number in 0..<4 {
      _ = try pair.one.archive.add(pair.one.activity("walked \(number)"))
      try first.exchange()
    }
    func merges() throws -> Int? {
      try pair.two.archive.read { db in
        try Int.fetchOne(
          db, sql: "SELECT count(*) FROM changes WHERE action = ?",
          arguments: [ReplicaMerge.action])
      }
    }
    let before = try #require(try merges())
    var second = try pair.job(pair.two)
    second.readHeads()
    var report = DeviceSyncJob.Report()
    try second.receive(&report, bytesInBatch: 1)
    #expect(report.received == 4)
    #expect(try merges() == before + 4)
    #expect(try pair.two.day("2026-03-14").activities.count == 4)
  }

  @Test(
    "A long note that was changed very often while a device was away reaches new and old devices")
  func oftenChanged() throws {
    let pair = try TwoDevices()
    let day = try #require(DayKey("2026-03-14"))
    let page = String(repeating: "A line of a long day.\n", count: 3_000)
    for number in 0..<25 {
      _ = try pair.one.archive.updateDay(day) { $0.note = "\(number)\n\(page)" }
      var job = try pair.job(pair.one)
      try job.exchange()
    }
    let third = try Computer()
    try pair.join(third, as: "tablet")
    for computer in [pair.two, third] {
      let note = try computer.day("2026-03-14").entry?.note
      #expect(note == "24\n\(page)", "\(note?.prefix(40) ?? "no note")")
    }
    try pair.exchange()
    #expect(
      try DeviceSyncSimulation.lines(pair.one.archive)
        == DeviceSyncSimulation.lines(pair.two.archive))
  }

  @Test("A note of a megabyte that both changed contains both changes, and sync doesn’t take long")
  func longNote() throws {
    let pair = try TwoDevices()
    let day = try #require(DayKey("2026-03-14"))
    let lines = (0..<15_000).map { "Line \($0) of a day that was long, \($0 % 97), and hot." }
    func note(_ lines: [String]) -> String { lines.joined(separator: "\n") }
    _ = try pair.one.archive.updateDay(day) { $0.note = note(lines) }
    try pair.exchange()
    var (mine, theirs, both) = (lines, lines, lines)
    (mine[100], both[100]) = ("mine", "mine")
    (theirs[14_900], both[14_900]) = ("theirs", "theirs")
    let time = try ContinuousClock().measure {
      _ = try pair.one.archive.updateDay(day) { $0.note = note(mine) }
      _ = try pair.two.archive.updateDay(day) { $0.note = note(theirs) }
      try pair.exchange()
    }
    for computer in [pair.one, pair.two] {
      let hasBoth = try computer.day("2026-03-14").entry?.note == note(both)
      #expect(hasBoth)
    }
    #expect(time < .seconds(300))
  }

  // MARK: Files

  @Test("A damaged file doesn’t keep back the others")
  func damagedFile() throws {
    let pair = try TwoDevices()
    let damaged = try photo("the lake", pair.one)
    let path = try #require(damaged.attachments.first?.relativePath)
    let home = try #require(pair.one.archive.attachmentsFolder)
    try Data("cut".utf8).write(to: home.appendingPathComponent(path))
    let whole = try photo("the house", pair.one)
    let entry = try pair.one.archive.add(pair.one.activity("without a file")).value.id
    try pair.exchange()
    #expect(try content(whole.id, pair.two) == Data("the house".utf8))
    #expect(try pair.two.archive.activity(entry) != nil)
    #expect(try content(damaged.id, pair.two) == nil)
    #expect(try pair.job(pair.two).missingFiles() == 1)
    try Data("the lake".utf8).write(to: home.appendingPathComponent(path))
    pair.one.clock.advance(seconds: 7_200)
    pair.two.clock.advance(seconds: 7_200)
    try pair.exchange()
    #expect(try content(damaged.id, pair.two) == Data("the lake".utf8))
  }

  @Test("Files are put into a new folder again")
  func newFolder() throws {
    let pair = try TwoDevices()
    let entry = try photo("the lake", pair.one)
    try pair.exchange()
    let other = try TemporaryFolder()
    for computer in [pair.one, pair.two] {
      var job = try pair.job(computer)
      try job.move(to: other.url)
      try job.exchange()
    }
    let third = try Computer()
    var first = try pair.job(pair.one)
    try first.exchange()
    _ = try DevicePairing.ask(
      third.archive, name: "tablet", folder: other.url, code: try first.invite())
    try first.accept(try #require(try first.request()))
    var joined = try #require(try DevicePairing.finish(third.archive))
    try joined.exchange()
    #expect(try content(entry.id, third) == Data("the lake".utf8))
  }

  @Test("A file that was permanently deleted and attached again reaches the other device")
  func attachedAgain() throws {
    let pair = try TwoDevices()
    let first = try photo("the lake", pair.one)
    try pair.exchange()
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([first.id]))
    try pair.exchange()
    let second = try photo("the lake", pair.one)
    try pair.exchange()
    #expect(try content(second.id, pair.two) == Data("the lake".utf8))
  }

  // MARK: Hostile devices

  @Test("What a revoked device says doesn’t stop the others")
  func revokedDeviceSpeaks() throws {
    let pair = try TwoDevices()
    let revoked = try pair.job(pair.two)
    var first = try pair.job(pair.one)
    try first.revoke(revoked.thisDevice)
    let head: JSON = [
      "sequence": 1_000_000, "link": "0",
      "seen": [first.thisDevice: 1_000_000_000] as JSON, "floor": 1, "wants": 0,
      "at": JSON(pair.two.clock.now),
    ]
    try revoked.write(
      SealedFile(kind: .head, device: revoked.thisDevice, head: head), as: SharedFolder.head)
    try first.exchange()
    #expect(!first.troubles.contains(.copied))
  }

  @Test("A time that no clock shows isn’t a stamp")
  func impossibleStamps() {
    for time: Int64 in [.max, .min, -1] {
      #expect(ReplicaStamp([.integer(time), "device", 1]) == nil)
    }
    #expect(ReplicaStamp([.integer(1_767_225_600_000), "device", 1]) != nil)
  }

  @Test("Something that was made twice keeps what both said")
  func oneDayTwice() throws {
    let pair = try TwoDevices()
    let day = try #require(DayKey("2026-03-14"))
    _ = try pair.one.archive.updateDay(day) { $0.title = "A calm day" }
    pair.two.clock.advance(seconds: 5)
    _ = try pair.two.archive.updateDay(day) { $0.title = "A long day" }
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try computer.day("2026-03-14").entry?.title == "A long day")
    }
    let lost = try [pair.one, pair.two].flatMap { try $0.archive.replicaConflicts() }
    #expect(lost.contains { $0.field == "title" && $0.gaveWay == "A calm day" })
  }
}
