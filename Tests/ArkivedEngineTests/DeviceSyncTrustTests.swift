import ArkivedBackup
import ArkivedCore
import ArkivedCrypto
import ArkivedTestSupport
import Foundation
import Testing

@testable import ArkivedEngine
@testable import ArkivedStore

@Suite("Devices that come, go and are kept out")
struct DeviceSyncTrustTests {
  let pair: TwoDevices

  init() throws { pair = try TwoDevices() }

  private struct Stopped: Error {}

  private func sync(_ computer: Computer) throws -> Set<DeviceSyncStatus.Trouble> {
    computer.clock.advance(seconds: 1)
    var job = try pair.job(computer)
    try job.exchange()
    return job.troubles
  }

  // MARK: Revoking

  @Test("What a device had sent before it was revoked counts, even if nobody had read it")
  func sentChangesCount() throws {
    let read = try pair.two.archive.add(pair.two.activity("sent")).value.id
    #expect(try sync(pair.two).isEmpty)
    let late = try pair.two.archive.add(pair.two.activity("sent on leaving")).value.id
    #expect(try DevicePairing.leaveAfterSending(pair.two.archive) == 0)
    var first = try pair.job(pair.one)
    let laptop = try #require(first.devices.first { $0.name == "laptop" })
    try first.revoke(laptop.id)
    #expect(try pair.one.archive.activity(read)?.text == "sent")
    #expect(try pair.one.archive.activity(late)?.text == "sent on leaving")
  }

  @Test("A device that leaves while the folder is gone says what it couldn’t send")
  func leavesWithoutSending() throws {
    _ = try pair.two.archive.add(pair.two.activity("stays here"))
    let moved = pair.folder.url.appendingPathExtension("moved")
    try FileManager.default.moveItem(at: pair.folder.url, to: moved)
    defer { try? FileManager.default.removeItem(at: moved) }
    #expect(try DevicePairing.leaveAfterSending(pair.two.archive) > 0)
    #expect(try pair.two.day("2026-03-14").activities.map(\.text) == ["stays here"])
  }

  @Test("Nothing that a revoked device writes takes its revocation back")
  func revocationIsFinal() throws {
    func state(_ values: [String: JSON], at time: Int64) -> ReplicaState {
      let stamp = ReplicaStamp(time: time, device: "0123456789abcdef", sequence: 1)
      var state = ReplicaState()
      for (name, value) in values { state.registers[name] = .init(value: value, stamp: stamp) }
      return state
    }
    let revoked = state(["revoked": true, "revokedAt": 7], at: 10)
    let taken = state(["revoked": false, "revokedAt": 999], at: ReplicaStamp.latestTime)
    for (one, other) in [(revoked, taken), (taken, revoked)] {
      var merged = one
      merged.merge(other)
      #expect(merged.values["revoked"] == true)
      #expect(merged.values["revokedAt"] == 7)
    }
  }

  @Test("A key that a device made for itself in advance isn’t used after it was revoked")
  func keyMadeInAdvance() throws {
    var thief = try pair.job(pair.two)
    let key = DeviceIdentity.CircleKey(
      number: 50, identity: AgeIdentity(), excluded: [thief.thisDevice])
    let desk = try #require(thief.members.values.first { $0.name == "desk" })
    let file = SealedFile(kind: .keys, device: thief.thisDevice, head: key.json)
    try thief.folder.write(
      try file.bytes(by: thief.identity, to: [try AgeRecipient(desk.recipient)]),
      as: SharedFolder.keys(key.number, key.mark, for: desk.id), of: thief.thisDevice)
    #expect(try sync(pair.one).isEmpty)
    #expect(try pair.job(pair.one).identity.latestKey?.number == 50)
    var first = try pair.job(pair.one)
    try first.revoke(thief.thisDevice)
    let latest = try #require(try pair.job(pair.one).identity.latestKey)
    #expect(latest.number == 51)
    #expect(latest.excluded == [thief.thisDevice])
    thief.readKeys()
    #expect(thief.identity.keys.allSatisfy { $0.number <= 50 })
  }

  @Test("A key that another device names for a third one isn’t taken by a new device")
  func replacedRecipient() throws {
    let stolen = AgeIdentity()
    let desk = try pair.job(pair.one).thisDevice
    // The laptop says that the desk has another key, namely its own.
    try pair.two.archive.setReplica(
      ["recipient": .string(stolen.recipient.description)],
      of: ReplicaKey(type: OwnDevice.type, id: desk))
    try pair.exchange()
    let third = try Computer()
    try pair.join(third, as: "tablet")
    let known = try #require(try pair.job(third).members[desk])
    let own = try pair.job(pair.one).identity.encryption.recipient
    #expect(known.recipient == own.description)
  }

  // MARK: Joining

  @Test("A device that was let in only halfway can be let in again", arguments: 0..<6)
  func acceptanceGoesOn(_ writes: Int) throws {
    _ = try pair.one.archive.add(pair.one.activity("at home"))
    let third = try Computer()
    var first = try pair.job(pair.one)
    let code = try first.invite()
    _ = try DevicePairing.ask(third.archive, name: "tablet", folder: pair.folder.url, code: code)
    let request = try #require(try first.request())
    var left = writes
    first.folder.interrupts = {
      left -= 1
      if left < 0 { throw Stopped() }
    }
    let isAccepted = (try? first.accept(request)) != nil
    if !isAccepted {
      #expect(try DevicePairing.finish(third.archive) == nil)
      // The program starts again.
      first = try pair.job(pair.one)
      let again = try #require(try first.request())
      #expect(again.comparison == request.comparison)
      try first.accept(again)
    }
    var joined = try #require(try DevicePairing.finish(third.archive))
    try joined.exchange()
    #expect(try third.day("2026-03-14").activities.map(\.text) == ["at home"])
    #expect(try pair.job(pair.one).request() == nil)
  }

  @Test("Joining isn’t held up by a strange file, and waits for one that is half-written")
  func joiningWaitsForTheWhole() throws {
    _ = try pair.one.archive.add(pair.one.activity("at home"))
    let third = try Computer()
    var first = try pair.job(pair.one)
    let code = try first.invite()
    _ = try DevicePairing.ask(third.archive, name: "tablet", folder: pair.folder.url, code: code)
    try first.accept(try #require(try first.request()))
    let part = try #require(try pair.files("snapshot-", of: first.thisDevice).first)
    let strange = part.deletingLastPathComponent()
      .appendingPathComponent(SharedFolder.snapshot(9_999_999_999, part: 0))
    try Data("not ours".utf8).write(to: strange)
    let whole = try Data(contentsOf: part)
    try whole.prefix(whole.count / 2).write(to: part)
    _ = try third.archive.add(third.activity("on the tablet"))
    #expect(try DevicePairing.finish(third.archive) == nil)
    #expect(try DevicePairing.isAsking(third.archive))
    try whole.write(to: part)
    var joined = try #require(try DevicePairing.finish(third.archive))
    try joined.exchange()
    #expect(
      Set(try third.day("2026-03-14").activities.map(\.text)) == ["at home", "on the tablet"])
  }

  // MARK: Away

  @Test("A device that was away while the log became too long gets a snapshot")
  func awayBeyondTheLog() throws {
    for number in 0..<12 {
      pair.one.clock.advance(seconds: 60)
      _ = try pair.one.archive.add(pair.one.activity("day \(number)"))
      var job = try pair.job(pair.one)
      job.longestLog = 5
      try job.exchange()
    }
    let desk = try pair.job(pair.one).thisDevice
    #expect(try pair.files("log-", of: desk).count <= 6)
    #expect(try !pair.files("snapshot-", of: desk).isEmpty)
    let own = try pair.two.archive.add(pair.two.activity("meanwhile, away")).value.id
    try pair.exchange()
    #expect(try pair.two.day("2026-03-14").activities.count == 13)
    #expect(try pair.one.archive.activity(own) != nil)
    #expect(try sync(pair.one).isEmpty)
    #expect(try sync(pair.two).isEmpty)
  }

  @Test("A copy whose twin has written the next part of the log notices before it overwrites it")
  func copyNoticesBeforeWriting() throws {
    let folder = try #require(pair.two.archive.databaseFile).deletingLastPathComponent()
    let copy = try TemporaryFolder()
    let place = copy.url.appendingPathComponent("archive")
    pair.two.archive.settle()
    try FileManager.default.copyItem(at: folder, to: place)
    let twin = try Archive(at: .folder(place), clock: pair.two.clock)
    _ = try pair.two.archive.add(pair.two.activity("on the laptop"))
    // Its segment has arrived, and its head hasn't.
    var job = try pair.job(pair.two)
    try job.alone { job in _ = try job.publish() }
    let segment = try #require(try pair.files("log-", of: job.thisDevice).last)
    let written = try Data(contentsOf: segment)
    _ = try twin.add(pair.two.activity("on its copy"))
    var other = try #require(try DeviceSyncJob(archive: twin))
    try other.exchange()
    #expect(other.troubles == [.copied])
    #expect(try Data(contentsOf: segment) == written)
    try pair.exchange()
    #expect(try pair.one.day("2026-03-14").activities.map(\.text) == ["on the laptop"])
  }
}
