import ArkivedBackup
import ArkivedCore
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

/// An archive whose identities are its own.
struct Computer {
  let folder: TemporaryFolder
  let clock: HandClock
  let archive: Archive

  init() throws {
    folder = try TemporaryFolder()
    clock = HandClock(TestArchive.now)
    archive = try Archive(
      at: .folder(folder.url.appendingPathComponent("archive")), clock: clock)
  }

  func activity(_ text: String) -> Activity {
    Activity(
      id: UUID(), dayKey: DayKey("2026-03-14") ?? .earliest, timeZone: TestArchive.zoneName,
      text: text, createdAt: clock.now, updatedAt: clock.now)
  }

  func day(_ text: String) throws -> Day { try archive.day(DayKey(text) ?? .earliest) }
}

/// Two devices that see one folder.
struct TwoDevices {
  let folder: TemporaryFolder
  let one: Computer
  let two: Computer

  init() throws {
    folder = try TemporaryFolder()
    one = try Computer()
    two = try Computer()
    var first = try DevicePairing.start(one.archive, name: "desk", folder: folder.url)
    let code = try first.invite()
    let number = try DevicePairing.ask(
      two.archive, name: "laptop", folder: folder.url, code: code.lowercased())
    let request = try #require(try first.request())
    #expect(request.comparison == number)
    #expect(request.device.name == "laptop")
    #expect(try DevicePairing.isAsking(two.archive))
    try first.accept(request)
    var second = try #require(try DevicePairing.finish(two.archive))
    try second.exchange()
    try exchange()
  }

  func job(_ archive: Computer) throws -> DeviceSyncJob {
    try #require(try DeviceSyncJob(archive: archive.archive))
  }

  /// Lets both exchange until nothing is left to tell.
  func exchange() throws {
    for archive in [one, two, one, two] {
      archive.clock.advance(seconds: 1)
      var job = try job(archive)
      try job.exchange()
    }
  }

  /// Lets a device join, or join again.
  func join(_ computer: Computer, as name: String) throws {
    var first = try job(one)
    _ = try DevicePairing.ask(
      computer.archive, name: name, folder: folder.url, code: try first.invite())
    try first.accept(try #require(try first.request()))
    var joined = try #require(try DevicePairing.finish(computer.archive))
    try joined.exchange()
    try exchange()
  }

  func files(_ prefix: String, of id: String) throws -> [URL] {
    let circle = try #require(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).first {
        $0.hasPrefix("arkived-")
      })
    let shelf = folder.url.appendingPathComponent("\(circle)/\(id)")
    return try FileManager.default.contentsOfDirectory(atPath: shelf.path).sorted()
      .filter { $0.hasPrefix(prefix) }.map { shelf.appendingPathComponent($0) }
  }
}

@Suite("Two devices and a folder")
struct DeviceSyncTests {
  @Test("An entry, its file and its deletion reach the other device")
  func anEntryReachesTheOther() throws {
    let pair = try TwoDevices()
    let photo = try pair.one.archive.store(
      Data("a photo".utf8),
      as: Attachment(
        id: UUID(), type: .file, originalName: "photo.txt", createdAt: TestArchive.now,
        updatedAt: TestArchive.now))
    var activity = pair.one.activity("ran by the river")
    activity.tags = ["sport"]
    activity.attachments = [photo]
    let saved = try pair.one.archive.add(activity)
    try pair.exchange()
    let found = try #require(try pair.two.archive.activity(saved.value.id))
    #expect(found.text == "ran by the river")
    #expect(found.tags == ["sport"])
    let file = try #require(found.attachments.first)
    #expect(try pair.two.archive.content(of: file) == Data("a photo".utf8))
    _ = try pair.two.archive.deleteActivities([saved.value.id])
    try pair.exchange()
    #expect(try pair.one.archive.activity(saved.value.id) == nil)
    _ = try pair.two.archive.undo()
    try pair.exchange()
    #expect(try pair.one.archive.activity(saved.value.id)?.text == "ran by the river")
  }

  @Test("Fields that two devices changed are settled one by one, and the other version stays")
  func fieldsAreSettled() throws {
    let pair = try TwoDevices()
    let id = try pair.one.archive.add(pair.one.activity("walked")).value.id
    try pair.exchange()
    pair.one.clock.advance(seconds: 10)
    _ = try pair.one.archive.updateActivity(id) {
      $0.text = "walked far"
      $0.isPinned = true
    }
    pair.two.clock.advance(seconds: 20)
    _ = try pair.two.archive.updateActivity(id) { $0.text = "walked slowly" }
    try pair.exchange()
    for archive in [pair.one.archive, pair.two.archive] {
      let activity = try #require(try archive.activity(id))
      #expect(activity.text == "walked slowly")
      #expect(activity.isPinned)
      let conflicts = try archive.replicaConflicts()
      #expect(conflicts.map(\.gaveWay) == ["walked far"])
      #expect(conflicts.map(\.field) == ["text"])
      let old = try archive.read { db in
        try String.fetchAll(
          db, sql: "SELECT record ->> '$.text' FROM history WHERE source_id = ?",
          arguments: [id.uuidString])
      }
      #expect(old.contains("walked far"))
    }
  }

  @Test("The device whose change is kept shows the other version too")
  func otherVersionOnBoth() throws {
    let pair = try TwoDevices()
    let id = try pair.one.archive.add(pair.one.activity("walked")).value.id
    try pair.exchange()
    pair.two.clock.advance(seconds: 10)
    _ = try pair.two.archive.updateActivity(id) { $0.text = "walked slowly" }
    pair.one.clock.advance(seconds: 20)
    _ = try pair.one.archive.updateActivity(id) { $0.text = "walked far" }
    try pair.exchange()
    for archive in [pair.one.archive, pair.two.archive] {
      #expect(try archive.activity(id)?.text == "walked far")
      #expect(try archive.replicaConflicts().map(\.gaveWay) == ["walked slowly"])
      let old = try archive.read { db in
        try String.fetchAll(
          db, sql: "SELECT record ->> '$.text' FROM history WHERE source_id = ?",
          arguments: [id.uuidString])
      }
      #expect(old.contains("walked slowly"))
    }
  }

  @Test("What both add to a day’s note is there on both")
  func notesAreMerged() throws {
    let pair = try TwoDevices()
    let day = try #require(DayKey("2026-03-14"))
    _ = try pair.one.archive.updateDay(day) { $0.note = "morning\nevening" }
    try pair.exchange()
    _ = try pair.one.archive.updateDay(day) { $0.note = "morning, early\nevening" }
    _ = try pair.two.archive.updateDay(day) { $0.note = "morning\nevening\nnight" }
    try pair.exchange()
    for archive in [pair.one, pair.two] {
      #expect(try archive.day("2026-03-14").entry?.note == "morning, early\nevening\nnight")
    }
  }

  @Test("A source that both import is there once")
  func importsMakeNoDoubles() throws {
    let pair = try TwoDevices()
    for archive in [pair.one, pair.two] {
      var activity = archive.activity("a flight")
      activity.externalRefs = [
        ExternalRef(provider: "flights", externalID: "LH1", fetchedAt: TestArchive.now)
      ]
      activity.tags = ["travel"]
      _ = try archive.archive.add(activity)
    }
    try pair.exchange()
    for archive in [pair.one, pair.two] {
      #expect(try archive.day("2026-03-14").activities.map(\.text) == ["a flight"])
      #expect(try archive.archive.tags().map(\.tag.name) == ["travel"])
    }
    #expect(
      try DeviceSyncSimulation.lines(pair.one.archive)
        == DeviceSyncSimulation.lines(pair.two.archive)
    )
  }

  @Test("What one forgets for ever is on neither, nor in what waits")
  func forgottenEverywhere() throws {
    let pair = try TwoDevices()
    let secret = try pair.one.archive.add(pair.one.activity("a secret meeting by the lake")).value
      .id
    try pair.exchange()
    #expect(try pair.two.archive.activity(secret) != nil)
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([secret]))
    try pair.exchange()
    #expect(try pair.two.archive.activity(secret) == nil)
    for archive in [pair.one, pair.two] {
      let folder = try #require(archive.archive.databaseFile).deletingLastPathComponent()
      for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        let file = folder.appendingPathComponent(name)
        guard let content = try? Data(contentsOf: file) else { continue }
        #expect(content.range(of: Data("secret meeting".utf8)) == nil, "\(name)")
      }
    }
  }

  @Test("Nothing in the folder can be read, and small files are of one size")
  func nothingCanBeRead() throws {
    let pair = try TwoDevices()
    _ = try pair.one.archive.add(pair.one.activity("short"))
    var job = try pair.job(pair.one)
    try job.exchange()
    _ = try pair.one.archive.add(pair.one.activity("a much longer line about a long evening"))
    try job.exchange()
    let segments = try pair.files("log-", of: job.thisDevice)
    #expect(segments.count >= 2)
    let sizes = Set(try segments.suffix(2).map { try Data(contentsOf: $0).count })
    #expect(sizes.count == 1)
    for segment in segments {
      #expect(try Data(contentsOf: segment).range(of: Data("evening".utf8)) == nil)
    }
  }

  @Test("A file that was altered, cut off or moved is not taken, and waits")
  func alteredFilesWait() throws {
    let pair = try TwoDevices()
    let id = try pair.one.archive.add(pair.one.activity("whole")).value.id
    var first = try pair.job(pair.one)
    try first.exchange()
    let segment = try #require(try pair.files("log-", of: first.thisDevice).last)
    let whole = try Data(contentsOf: segment)
    var altered = whole
    altered[altered.count / 2] ^= 1
    for broken in [altered, whole.prefix(whole.count / 2), Data(), Data(count: 20_000_000)] {
      try broken.write(to: segment)
      var second = try pair.job(pair.two)
      try second.exchange()
      #expect(try pair.two.archive.activity(id) == nil)
      #expect(second.troubles == [.missing("desk")])
    }
    try whole.write(to: segment)
    var second = try pair.job(pair.two)
    try second.exchange()
    #expect(second.troubles.isEmpty)
    #expect(try pair.two.archive.activity(id)?.text == "whole")
  }

  @Test("A device that was copied notices, and sends nothing")
  func copiedDeviceNotices() throws {
    let pair = try TwoDevices()
    let folder = try #require(pair.two.archive.databaseFile).deletingLastPathComponent()
    let copy = try TemporaryFolder()
    let place = copy.url.appendingPathComponent("archive")
    pair.two.archive.settle()
    try FileManager.default.copyItem(at: folder, to: place)
    let twin = try Archive(at: .folder(place), clock: pair.two.clock)
    _ = try pair.two.archive.add(pair.two.activity("on the laptop"))
    try pair.exchange()
    _ = try twin.add(pair.two.activity("on its copy"))
    var job = try #require(try DeviceSyncJob(archive: twin))
    try job.exchange()
    #expect(job.troubles == [.copied])
    try DevicePairing.leave(twin)
    var first = try pair.job(pair.one)
    let code = try first.invite()
    _ = try DevicePairing.ask(twin, name: "copy", folder: pair.folder.url, code: code)
    try first.accept(try #require(try first.request()))
    var joined = try #require(try DevicePairing.finish(twin))
    try joined.exchange()
    try pair.exchange()
    #expect(
      Set(try pair.one.day("2026-03-14").activities.map(\.text))
        == ["on the laptop", "on its copy"])
  }

  @Test("A revoked device reads nothing new, and what it wrote before stays")
  func revokedDeviceReadsNothing() throws {
    let pair = try TwoDevices()
    let before = try pair.two.archive.add(pair.two.activity("before")).value.id
    try pair.exchange()
    var first = try pair.job(pair.one)
    try first.revoke(try pair.job(pair.two).thisDevice)
    _ = try pair.one.archive.add(pair.one.activity("after"))
    try first.exchange()
    var second = try pair.job(pair.two)
    try second.exchange()
    _ = try pair.two.archive.add(pair.two.activity("from the thief"))
    try second.exchange()
    try first.exchange()
    #expect(try pair.two.day("2026-03-14").activities.map(\.text).contains("after") == false)
    #expect(
      try pair.one.day("2026-03-14").activities.map(\.text).contains("from the thief") == false)
    #expect(try pair.one.archive.activity(before) != nil)
  }

  @Test("A folder that is gone, and a code that is wrong, are told")
  func troublesAreTold() throws {
    let pair = try TwoDevices()
    let moved = pair.folder.url.appendingPathExtension("moved")
    try FileManager.default.moveItem(at: pair.folder.url, to: moved)
    defer { try? FileManager.default.removeItem(at: moved) }
    let id = try pair.one.archive.add(pair.one.activity("meanwhile")).value.id
    var first = try pair.job(pair.one)
    try first.exchange()
    #expect(first.troubles == [.folderMissing(pair.folder.url.path)])
    try first.move(to: moved)
    try first.exchange()
    #expect(first.troubles.isEmpty)
    var second = try pair.job(pair.two)
    try second.move(to: moved)
    try second.exchange()
    #expect(try pair.two.archive.activity(id) != nil)
    let third = try Computer()
    #expect(throws: FieldError.self) {
      _ = try DevicePairing.ask(third.archive, name: "x", folder: moved, code: "12345")
    }
    #expect(throws: ArchiveError.self) {
      _ = try DevicePairing.ask(
        third.archive, name: "x", folder: moved, code: "00000-00000-00000-00000")
    }
  }

  @Test("Segments that both have read are gone, and a day’s changes are small")
  func segmentsAreCleared() throws {
    let pair = try TwoDevices()
    var first = try pair.job(pair.one)
    var bytes = 0
    for number in 0..<50 {
      _ = try pair.one.archive.add(pair.one.activity("an entry of a usual length, \(number)"))
      try first.exchange()
    }
    for file in try pair.files("log-", of: first.thisDevice) {
      bytes += try Data(contentsOf: file).count
    }
    #expect(bytes <= 100_000)
    try pair.exchange()
    #expect(try pair.files("log-", of: first.thisDevice).isEmpty)
    #expect(try pair.files("snapshot-", of: first.thisDevice).isEmpty)
    #expect(try pair.two.day("2026-03-14").activities.count == 50)
  }
}

@Suite("States of things on several devices")
struct ReplicaStateTests {
  @Test("The outcome does not depend on order or repetition")
  func orderDoesNotMatter() {
    var numbers = HistoryNumbers(seed: 7)
    for _ in 0..<200 {
      let states = (0..<5).map { _ -> ReplicaState in
        var state = ReplicaState()
        func stamp() -> ReplicaStamp {
          ReplicaStamp(
            time: Int64.random(in: 0..<5, using: &numbers),
            device: "d\(Int.random(in: 0..<3, using: &numbers))", sequence: 1)
        }
        for field in ["a", "b"] where Bool.random(using: &numbers) {
          state.registers[field] = ReplicaState.Register(
            value: JSON(Int.random(in: 0..<3, using: &numbers)), stamp: stamp())
        }
        let version = stamp()
        state.texts["t"] = [
          version: ReplicaState.TextVersion(stamp: version, parents: [], text: "\(version.time)")
        ]
        if Bool.random(using: &numbers) { state.touched = stamp() }
        if Bool.random(using: &numbers) { state.dead = stamp() }
        state.isUnwanted = Bool.random(using: &numbers) && state.dead != nil
        if Int.random(in: 0..<20, using: &numbers) == 0 { state.isPurged = true }
        return state
      }
      func outcome(_ list: [ReplicaState]) -> ReplicaState {
        list.reduce(into: ReplicaState()) { $0.merge($1) }
      }
      let expected = outcome(states)
      #expect(outcome(states.shuffled(using: &numbers) + states) == expected)
      #expect((try? ReplicaState(expected.json)) == expected)
    }
  }

  @Test(
    "A revoked device is told by which device and when, keeps what it has and reads nothing new")
  func revokedDeviceIsTold() throws {
    let pair = try TwoDevices()
    let old = try pair.two.archive.add(pair.two.activity("before")).value.id
    try pair.exchange()
    var first = try pair.job(pair.one)
    let second = try pair.job(pair.two).thisDevice
    pair.one.clock.advance(seconds: 60)
    let at = pair.one.clock.now
    try first.revoke(second)
    try first.exchange()
    let new = try pair.one.archive.add(pair.one.activity("after")).value.id
    try first.exchange()
    var job = try pair.job(pair.two)
    try job.exchange()
    #expect(job.troubles == [.revoked(by: "desk", at: at)])
    let sentence = try #require(try DeviceSyncStatus.lastTrouble(pair.two.archive)).sentence(
      in: .utc)
    #expect(
      sentence == """
        This computer was removed from your devices on 14 March 2026, using “desk”. Nothing is lost here, but this computer no longer gets new changes. To sync again, stop syncing here, then join with a new code.
        """)
    #expect(try pair.two.archive.activity(old)?.text == "before")
    #expect(try pair.two.archive.activity(new) == nil)
    let mine = try pair.two.archive.add(pair.two.activity("mine")).value.id
    try job.exchange()
    #expect(try job.status().isRemoved)
    #expect(throws: ArchiveError.self) { _ = try job.invite() }
    #expect(throws: ArchiveError.self) { try job.revoke(first.thisDevice) }
    // It joins again, and what it wrote meanwhile goes to the others.
    try DevicePairing.leave(pair.two.archive)
    first = try pair.job(pair.one)
    _ = try DevicePairing.ask(
      pair.two.archive, name: "laptop", folder: pair.folder.url, code: try first.invite())
    try first.accept(try #require(try first.request()))
    _ = try #require(try DevicePairing.finish(pair.two.archive))
    try pair.exchange()
    #expect(try pair.two.archive.activity(new)?.text == "after")
    #expect(try pair.one.archive.activity(mine)?.text == "mine")
  }

  @Test("What sync adds to the schema is small, because every connection reads it")
  func schemaStaysSmall() throws {
    let pair = try TwoDevices()
    let size = try pair.one.archive.read { db in
      try Int.fetchOne(
        db, sql: "SELECT sum(length(sql)) FROM sqlite_schema WHERE name GLOB 'replica_note*'")
    }
    #expect(try #require(size) < 20_000)
  }

  private func versions(_ id: UUID, _ archive: Archive) throws -> [String] {
    try archive.read { db in
      try String.fetchAll(
        db, sql: "SELECT record ->> '$.text' FROM history WHERE source_id = ? ORDER BY pk",
        arguments: [id.uuidString])
    }
  }

  @Test("Every version between two syncs is in the history of all devices")
  func versionsBetweenSyncs() throws {
    let pair = try TwoDevices()
    let id = try pair.one.archive.add(pair.one.activity("zero")).value.id
    try pair.exchange()
    for text in ["one", "two", "three"] {
      pair.one.clock.advance(seconds: 10)
      _ = try pair.one.archive.updateActivity(id) { $0.text = text }
    }
    pair.two.clock.advance(seconds: 100)
    for text in ["eins", "zwei"] {
      pair.two.clock.advance(seconds: 10)
      _ = try pair.two.archive.updateActivity(id) { $0.text = text }
    }
    try pair.exchange()
    for archive in [pair.one.archive, pair.two.archive] {
      #expect(try archive.activity(id)?.text == "zwei")
      #expect(
        Set(try versions(id, archive)) == ["zero", "one", "two", "three", "eins"])
    }
    // Nothing of it is left in the folder or elsewhere once it is deleted permanently.
    _ = try PurgeJob(archive: pair.one.archive).run(.entities([id]))
    try pair.exchange()
    #expect(try versions(id, pair.two.archive).isEmpty)
  }

  @Test("Versions of which the other device reads several at once are in its history")
  func versionsReadAtOnce() throws {
    let pair = try TwoDevices()
    let id = try pair.one.archive.add(pair.one.activity("zero")).value.id
    try pair.exchange()
    for text in ["one", "two", "three"] {
      pair.one.clock.advance(seconds: 10)
      _ = try pair.one.archive.updateActivity(id) { $0.text = text }
      var job = try pair.job(pair.one)
      try job.exchange()
    }
    try pair.exchange()
    #expect(try pair.two.archive.activity(id)?.text == "three")
    #expect(Set(try versions(id, pair.two.archive)) == ["zero", "one", "two"])
    #expect(try versions(id, pair.one.archive) == ["zero", "one", "two"])
  }
}
