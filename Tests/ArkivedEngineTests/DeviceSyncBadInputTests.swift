import ArkivedBackup
import ArkivedCore
import ArkivedCrypto
import ArkivedTestSupport
import Foundation
import GRDB
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

@Suite("A shared folder with what doesn’t belong there")
struct DeviceSyncBadInputTests {
  let pair: TwoDevices

  init() throws { pair = try TwoDevices() }

  private func troubles(of computer: Computer) throws -> Set<DeviceSyncStatus.Trouble> {
    computer.clock.advance(seconds: 1)
    var job = try pair.job(computer)
    try job.exchange()
    return job.troubles
  }

  private func circle() throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: pair.folder.url.path)
    return pair.folder.url.appendingPathComponent(
      try #require(names.first { $0.hasPrefix("arkived-") }))
  }

  @Test("A full folder and one that can’t be written make changes wait")
  func fullFolder() throws {
    let id = try pair.one.archive.add(pair.one.activity("waits")).value.id
    var job = try pair.job(pair.one)
    let other = try pair.two.archive.add(pair.two.activity("from the laptop")).value.id
    #expect(try troubles(of: pair.two).isEmpty)
    job.folder.interrupts = { throw POSIXFailure(path: "folder", code: ENOSPC) }
    try job.exchange()
    // What the others wrote can be read all the same.
    #expect(try pair.one.archive.activity(other)?.text == "from the laptop")
    #expect(job.troubles.contains { $0.name == "folderTrouble" && $0.isStuck })
    #expect(try DeviceSyncStatus.lastTrouble(pair.one.archive)?.name == "folderTrouble")
    let own = try circle().appendingPathComponent(job.thisDevice)
    let aside = try circle().appendingPathComponent("aside")
    try FileManager.default.moveItem(at: own, to: aside)
    try Data().write(to: own)
    #expect(try troubles(of: pair.one).contains { $0.name == "folderTrouble" })
    try FileManager.default.removeItem(at: own)
    try FileManager.default.moveItem(at: aside, to: own)
    #expect(try troubles(of: pair.one).isEmpty)
    #expect(try troubles(of: pair.two).isEmpty)
    #expect(try pair.two.archive.activity(id)?.text == "waits")
    #expect(try DeviceSyncStatus.lastTrouble(pair.one.archive) == nil)
  }

  @Test("A full disk keeps out what others changed, until there is room again")
  func fullDisk() throws {
    let note = String(repeating: "A line of a long day.\n", count: 100_000)
    let day = try #require(DayKey("2026-03-14"))
    _ = try pair.one.archive.updateDay(day) { $0.note = note }
    let id = try pair.one.archive.add(pair.one.activity("small")).value.id
    #expect(try troubles(of: pair.one).isEmpty)
    func limit(_ pages: Int) throws {
      _ = try pair.two.archive.transact { db in
        try Row.fetchAll(db, sql: "PRAGMA max_page_count = \(pages)")
      }
    }
    let places = try pair.two.archive.replicaPlaces()
    // SQLite never makes a file smaller for it.
    try limit(1)
    #expect(try troubles(of: pair.two).map(\.name) == ["localDisk"])
    #expect(try pair.two.archive.replicaPlaces() == places)
    #expect(try pair.two.archive.activity(id) == nil)
    var job = try pair.job(pair.two)
    #expect(try !job.status().isInStep)
    #expect(try DeviceSyncStatus.lastTrouble(pair.two.archive)?.name == "localDisk")
    try limit(1_000_000)
    #expect(try troubles(of: pair.two).isEmpty)
    #expect(try job.status().isInStep)
    #expect(try DeviceSyncStatus.lastTrouble(pair.two.archive) == nil)
    #expect(try pair.two.archive.activity(id)?.text == "small")
    let isWhole = try pair.two.day("2026-03-14").entry?.note == note
    #expect(isWhole)
  }

  @Test(
    "A folder that doesn’t tell capital letters apart, or allows few characters, holds all files")
  func caseInsensitiveFolder() throws {
    let photo = try pair.one.archive.store(
      Data("a photo".utf8),
      as: Attachment(
        id: UUID(), type: .file, originalName: "Photo.TXT", createdAt: TestArchive.now,
        updatedAt: TestArchive.now))
    var activity = pair.one.activity("photographed")
    activity.attachments = [photo]
    _ = try pair.one.archive.add(activity)
    var names: Set<String> = []
    func collect() throws {
      for path in try FileManager.default.subpathsOfDirectory(atPath: pair.folder.url.path) {
        names.formUnion(path.split(separator: "/").map(String.init))
      }
    }
    var first = try pair.job(pair.one)
    try first.exchange()
    try collect()
    let third = try Computer()
    let code = try first.invite()
    try collect()
    _ = try DevicePairing.ask(third.archive, name: "Tablet", folder: pair.folder.url, code: code)
    try collect()
    try first.accept(try #require(try first.request()))
    try collect()
    var tablet = try #require(try DevicePairing.finish(third.archive))
    try tablet.exchange()
    try first.revoke(try pair.job(pair.two).thisDevice)
    try first.exchange()
    try collect()
    let kinds = [
      "arkived", "log", "snapshot", "head", "files", "keys", "removed", "invite", "request",
    ]
    for kind in kinds + ["welcome"] {
      #expect(names.contains { $0.hasPrefix(kind) }, "\(kind)")
    }
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
    for name in names {
      #expect(name.count <= 100 && name.allSatisfy(allowed.contains), "\(name)")
    }
  }

  @Test("A device’s folder that is put back to an older state changes nothing, and is made right")
  func replayedFolder() throws {
    let device = try pair.job(pair.one).thisDevice
    let folder = try circle().appendingPathComponent(device)
    let kept = try pair.one.archive.add(pair.one.activity("before")).value.id
    let deleted = try pair.one.archive.add(pair.one.activity("a mistake")).value.id
    #expect(try troubles(of: pair.one).isEmpty)
    let old = try TemporaryFolder()
    let copy = old.url.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: folder, to: copy)
    try pair.exchange()
    _ = try pair.one.archive.updateActivity(kept) { $0.text = "after" }
    _ = try pair.one.archive.deleteActivities([deleted])
    try pair.exchange()
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: copy, to: folder)
    #expect(try troubles(of: pair.two) == [.rolledBack("desk")])
    let new = try pair.one.archive.add(pair.one.activity("new")).value.id
    pair.one.clock.advance(seconds: 4_000)
    try pair.exchange()
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      #expect(try computer.archive.activity(kept)?.text == "after")
      #expect(try computer.archive.activity(deleted) == nil)
      #expect(try computer.archive.activity(new)?.text == "new")
      #expect(try troubles(of: computer).isEmpty)
    }
    #expect(try pair.files("log-", of: device).isEmpty)
  }

  @Test("Conflict copies, files of another archive and files of 10 GB are ignored")
  func strangeFiles() throws {
    let id = try pair.one.archive.add(pair.one.activity("kept")).value.id
    #expect(try troubles(of: pair.one).isEmpty)
    let other = try TwoDevices()
    let circle = try circle()
    let device = try pair.job(pair.one).thisDevice
    for file in try pair.files("", of: device) {
      let copy = file.deletingLastPathComponent()
        .appendingPathComponent("\(file.lastPathComponent) (1)")
      try FileManager.default.copyItem(at: file, to: copy)
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: other.folder.url.path) {
      try FileManager.default.copyItem(
        at: other.folder.url.appendingPathComponent(name),
        to: pair.folder.url.appendingPathComponent(name))
    }
    for name in ["log-0000000009", "snapshot-0000000009-000000", "keys-000009-\(device)"] {
      let file = circle.appendingPathComponent("\(device)/\(name)")
      try Data().write(to: file)
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 10_000_000_000)
      try handle.close()
    }
    #expect(try troubles(of: pair.two).isEmpty)
    #expect(try pair.two.archive.activity(id)?.text == "kept")
    #expect(try pair.job(pair.two).devices.count == 2)
  }

  @Test("Files of another group are no changes of this one")
  func wrongKeys() throws {
    let other = try TwoDevices()
    _ = try other.one.archive.add(other.one.activity("of somebody else"))
    let stranger = try other.job(other.one)
    var job = stranger
    try job.exchange()
    let segment = try #require(try other.files("log-", of: stranger.thisDevice).last)
    let device = try pair.job(pair.one).thisDevice
    let next = (try pair.one.archive.replicaPlaces()[""]?.sequence ?? 0) + 1
    try FileManager.default.copyItem(
      at: segment,
      to: try circle().appendingPathComponent("\(device)/\(SharedFolder.segment(next))"))
    _ = try troubles(of: pair.two)
    #expect(
      try pair.two.day("2026-03-14").activities.map(\.text).contains("of somebody else") == false)
    let id = try pair.one.archive.add(pair.one.activity("afterwards")).value.id
    try pair.exchange()
    #expect(try pair.two.archive.activity(id)?.text == "afterwards")
  }

  @Test("An old state of a device that is played back is reported and changes nothing")
  func replayedState() throws {
    let device = try pair.job(pair.one).thisDevice
    let head = try circle().appendingPathComponent("\(device)/head")
    let old = try Data(contentsOf: head)
    let id = try pair.one.archive.add(pair.one.activity("new")).value.id
    try pair.exchange()
    try old.write(to: head)
    #expect(try troubles(of: pair.two) == [.rolledBack("desk")])
    #expect(try pair.two.archive.activity(id)?.text == "new")
    // The device whose state was played back writes it again.
    pair.one.clock.advance(seconds: 4_000)
    #expect(try troubles(of: pair.one).isEmpty)
    #expect(try troubles(of: pair.two).isEmpty)
  }

  @Test("A clock in 1970 is reported, and its changes arrive")
  func clockIn1970() throws {
    pair.two.clock.advance(seconds: -1_773_000_000)
    let id = try pair.two.archive.add(pair.two.activity("long ago")).value.id
    #expect(try troubles(of: pair.two) == [.clock("laptop")])
    #expect(try troubles(of: pair.one) == [.clock("laptop")])
    #expect(try pair.one.archive.activity(id)?.text == "long ago")
    _ = try pair.one.archive.updateActivity(id) { $0.text = "corrected" }
    _ = try troubles(of: pair.one)
    _ = try troubles(of: pair.two)
    _ = try pair.two.archive.updateActivity(id) { $0.text = "corrected again" }
    _ = try troubles(of: pair.two)
    _ = try troubles(of: pair.one)
    #expect(try pair.one.archive.activity(id)?.text == "corrected again")
  }

  @Test("A newer program’s changes wait for an update")
  func newerProgram() throws {
    let job = try pair.job(pair.one)
    let next = (try pair.one.archive.replicaPlaces()[""]?.sequence ?? 0) + 1
    let head: JSON = [
      "format": 99, "kind": "segment", "circle": .string(job.identity.circle),
      "device": .string(job.thisDevice), "length": 0, "body": "",
    ]
    let line = head.bytes()
    let signature = try job.identity.signing.signature(of: line).hexadecimal
    let plain = line + [0x0A] + Array(signature.utf8) + [0x0A]
    var sealed = Data()
    let key = try #require(job.identity.latestKey)
    let encryptor = try AgeEncryptor(to: .recipients([key.identity.recipient])) {
      sealed.append($0)
    }
    try plain.withUnsafeBytes { try encryptor.write($0) }
    try encryptor.finish()
    let file = try circle().appendingPathComponent(
      "\(job.thisDevice)/\(SharedFolder.segment(next))")
    try sealed.write(to: file)
    #expect(try troubles(of: pair.two) == [.newer("desk")])
    try FileManager.default.removeItem(at: file)
    #expect(try troubles(of: pair.two).isEmpty)
  }

  @Test("Changes are noted even after the triggers were lost")
  func lostTriggers() throws {
    let id = try pair.one.archive.add(pair.one.activity("before")).value.id
    let gone = try pair.one.archive.add(pair.one.activity("goes")).value.id
    try pair.exchange()
    try pair.one.archive.transact { db in try ReplicaTriggers.remove(db) }
    _ = try pair.one.archive.updateActivity(id) { $0.text = "after" }
    _ = try pair.one.archive.deleteActivities([gone])
    try pair.exchange()
    #expect(try pair.two.archive.activity(id)?.text == "after")
    #expect(try pair.two.archive.activity(gone) == nil)
  }

  @Test("Old versions of a text go once every device has read a later one")
  func textsAreTrimmed() throws {
    let day = try #require(DayKey("2026-03-14"))
    for number in 0..<20 {
      _ = try pair.one.archive.updateDay(day) { $0.note += "line \(number)\n" }
      try pair.exchange()
    }
    _ = try pair.two.archive.updateDay(day) { $0.note += "from the laptop" }
    try pair.exchange()
    try pair.exchange()
    for computer in [pair.one, pair.two] {
      let states = try computer.archive.read { db in
        try String.fetchAll(db, sql: "SELECT state FROM replica_states WHERE type = 'days'")
      }
      let state = try ReplicaState(JSON(parsing: try #require(states.first)))
      #expect(state.texts["note"]?.count == 1)
      #expect(state.text("note")?.hasSuffix("line 19\nfrom the laptop") == true)
    }
  }

  @Test("After a revocation the remaining devices use a key that the revoked one never had")
  func keysChange() throws {
    let third = try Computer()
    var first = try pair.job(pair.one)
    let code = try first.invite()
    _ = try DevicePairing.ask(
      third.archive, name: "tablet", folder: pair.folder.url, code: code)
    try first.accept(try #require(try first.request()))
    var tablet = try #require(try DevicePairing.finish(third.archive))
    try tablet.exchange()
    try pair.exchange()
    let revoked = try pair.job(pair.two)
    first = try pair.job(pair.one)
    try first.revoke(revoked.thisDevice)
    let id = try pair.one.archive.add(pair.one.activity("secret")).value.id
    try first.exchange()
    try tablet.exchange()
    #expect(try third.archive.activity(id)?.text == "secret")
    let name = try #require(
      try pair.files("log-", of: first.thisDevice).last?.lastPathComponent)
    #expect(throws: SealedFile.Trouble.unreadable) {
      _ = try revoked.open(name, of: first.thisDevice)
    }
  }
}
