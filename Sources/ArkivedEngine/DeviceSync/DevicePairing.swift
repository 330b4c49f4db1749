import ArkivedBackup
import ArkivedCore
package import ArkivedCrypto
import ArkivedImport
package import ArkivedStore
package import Foundation

/// Adds a device to the group, using a code that is typed on the new device and a number that both
/// devices show.
///
/// The code is a secret of 100 bits. The messages that the two devices exchange through the folder
/// are sealed with keys derived from it, so somebody who only has access to the folder can't
/// intercept the exchange. The number confirms that both devices have received each other's keys.
package enum DevicePairing {
  /// The number of seconds for which a code can be used.
  package static let validSeconds = 3_600

  /// The default name of a new device.
  package static var hostName: String {
    let name = ProcessInfo.processInfo.hostName.split(separator: ".").first.map(String.init) ?? ""
    return name.isEmpty ? said("Computer") : String(name.prefix(60))
  }

  /// A device that asks to join.
  package struct Request: Sendable {
    package var device: OwnDevice
    /// The number that both devices show.
    package var comparison: String
    var place: String
  }

  // MARK: The first device

  /// Makes this device the first in a group that uses a shared folder.
  ///
  /// - Parameters:
  ///   - archive: the archive of this device.
  ///   - name: the name that other devices show.
  ///   - place: the shared folder.
  ///   - signing: the key with which this device signs, and from which its ID is derived.
  /// - Returns: the job of the new group.
  /// - Throws: `ArchiveError.refused` if it already belongs to a group, `.notFound` if the folder
  ///   doesn't exist.
  package static func start(
    _ archive: Archive, name: String, at place: SharedPlace, signing: Ed25519Key = Ed25519Key()
  ) throws -> DeviceSyncJob {
    try refuseMember(archive)
    try place.prepare(for: archive)
    let identity = DeviceIdentity(
      name: name, circle: Secrets.random(8).hexadecimal, nameKey: Secrets.random(32),
      keys: [DeviceIdentity.CircleKey(number: 1, identity: AgeIdentity(), excluded: [])],
      folder: place.text, signing: signing)
    let folder = try SharedPlace.open(place.text, circle: identity.circle, of: archive)
    try DurableFile.makeFolder(folder.folder(of: identity.id))
    try folder.mirror?.send(identity.circle, own: identity.id, isFirst: true)
    try archive.startReplica(device: identity.id, settings: identity.json)
    let own = OwnDevice(identity)
    try archive.setReplica(own.values, of: own.key, publishes: false)
    try archive.captureReplica(publishes: false)
    return try opened(archive)
  }

  package static func start(
    _ archive: Archive, name: String, folder: URL, signing: Ed25519Key = Ed25519Key()
  ) throws -> DeviceSyncJob {
    try start(archive, name: name, at: .folder(folder), signing: signing)
  }

  private static func refuseMember(_ archive: Archive) throws {
    guard try archive.replicaSettings() == nil else {
      throw ArchiveError.refused(
        "This archive already syncs with other devices. To join others, run `arkived sync leave` first."
      )
    }
  }

  private static func opened(_ archive: Archive) throws -> DeviceSyncJob {
    guard let job = try DeviceSyncJob(archive: archive) else {
      throw ArchiveError.notFound("This archive isn’t synced with other devices.")
    }
    return job
  }

  // MARK: The new device

  /// Answers a code: finds the device that showed it and asks to join.
  ///
  /// - Returns: the number to compare.
  /// - Throws: `ArchiveError.refused` if this archive is already synced, `.notFound` if no device
  ///   showed the code in this folder.
  package static func ask(
    _ archive: Archive, name: String, folder: URL, code: String,
    signing: Ed25519Key = Ed25519Key()
  ) throws -> String {
    try ask(archive, name: name, at: .folder(folder), code: code, signing: signing)
  }

  package static func ask(
    _ archive: Archive, name: String, at place: SharedPlace, code: String,
    signing: Ed25519Key = Ed25519Key()
  ) throws -> String {
    try refuseMember(archive)
    let secret = try PairingSecret(code)
    try place.prepare(for: archive)
    if let settings = try archive.joiningReplica(), let known = try? DeviceIdentity(settings),
      known.notes["code"]?.string == secret.text, known.folder == place.text,
      let inviter = OwnDevice(card: known.notes["inviter"] ?? .null)
    {
      // The request was sent before; the other device may be showing the number, or may have
      // accepted this one.
      try send(known, secret, of: archive)
      return secret.comparison(inviter, OwnDevice(known))
    }
    let home = try SharedPlace.open(place.text, circle: "", of: archive)
    try home.mirror?.bringInvitations("invite-\(secret.place)")
    guard let (circle, inviter) = find(secret, in: home.home) else {
      throw ArchiveError.notFound(
        "No device shows this code in \(place.text). Check the code, and that the folder is up to date."
      )
    }
    var identity = DeviceIdentity(
      name: name, circle: circle, nameKey: [], keys: [], folder: place.text, signing: signing)
    identity.notes["inviter"] = .object(inviter.card)
    identity.notes["code"] = .string(secret.text)
    // The keys are stored before the other device can see the request.
    try archive.requestReplica(identity.json)
    try send(identity, secret, of: archive)
    return secret.comparison(inviter, OwnDevice(identity))
  }

  /// Writes the request of a device that wants to join to the folder, unless it is already there.
  private static func send(
    _ identity: DeviceIdentity, _ secret: PairingSecret, of archive: Archive
  ) throws {
    let folder = try SharedPlace.open(identity.folder, circle: identity.circle, of: archive)
    let name = "request-\(secret.place)"
    if !folder.has(name, of: identity.id) {
      let card = JSON.object(OwnDevice(identity).card)
      try folder.write(try secret.sealed(card), as: name, of: identity.id)
    }
    try folder.mirror?.send(identity.circle, own: identity.id)
  }

  private static func find(
    _ secret: PairingSecret, in home: URL
  ) -> (circle: String, inviter: OwnDevice)? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: home.path)) ?? []
    for name in names.sorted() where name.hasPrefix("arkived-") {
      let folder = SharedFolder(home: home, circle: String(name.dropFirst("arkived-".count)))
      for device in folder.devices() {
        guard let data = folder.read("invite-\(secret.place)", of: device),
          let card = secret.opened(data), card["circle"]?.string == folder.circle,
          let inviter = OwnDevice(card: card), inviter.id == device
        else { continue }
        return (folder.circle, inviter)
      }
    }
    return nil
  }

  /// Continues once the other device has accepted this one.
  ///
  /// If the program stops in the middle, the next call starts again.
  ///
  /// - Returns: nil if it hasn't been accepted yet, or while another program on this computer is
  ///   doing this.
  package static func finish(_ archive: Archive) throws -> DeviceSyncJob? {
    guard try archive.joiningReplica() != nil else { return nil }
    let lock: FileLock?
    do { lock = try DeviceSyncJob.lock(archive) } catch is ArchiveError { return nil }
    defer { lock?.release() }
    // Another program may have finished while this one was waiting.
    guard let request = try archive.joiningReplica() else { return nil }
    return try finish(archive, request)
  }

  /// Returns the inviter's answer; nil if there is none yet, or only a part of it.
  private static func welcome(
    _ secret: PairingSecret, from inviter: OwnDevice, to identity: DeviceIdentity,
    in folder: SharedFolder
  ) throws -> SealedFile? {
    guard let data = folder.read("welcome-\(secret.place)", of: inviter.id) else { return nil }
    do {
      let file = try SealedFile(
        data, circle: identity.circle, unlocks: [identity.encryption],
        signer: { $0 == inviter.id ? inviter.signingKey : nil })
      return file.kind == .welcome ? file : nil
    } catch SealedFile.Trouble.newer {
      throw ArchiveError.refused(DeviceSyncStatus.Trouble.newer(inviter.name).sentence())
    } catch {
      return nil
    }
  }

  private static func finish(_ archive: Archive, _ request: JSON) throws -> DeviceSyncJob? {
    var identity = try DeviceIdentity(request)
    guard let inviter = OwnDevice(card: identity.notes["inviter"] ?? .null),
      let secret = try? PairingSecret(identity.notes["code"]?.string ?? "")
    else { return nil }
    let folder = try SharedPlace.open(identity.folder, circle: identity.circle, of: archive)
    if let mirror = folder.mirror {
      do { try mirror.bring(identity.circle, own: identity.id) } catch is WebDAVFailure {
        return nil
      }
    }
    guard let welcome = try welcome(secret, from: inviter, to: identity, in: folder),
      let number = welcome.head["snapshot"]?.int
    else { return nil }
    identity.nameKey = welcome.head["nameKey"]?.string.flatMap { [UInt8](hexadecimal: $0) } ?? []
    identity.keys = try (welcome.head["keys"]?.array ?? []).map(DeviceIdentity.CircleKey.init)
    identity.notes = JSONObject()
    // Anyone in the group could send another key for a device, but not before the inviter knew it.
    identity.notes["recipients"] = welcome.head["recipients"]
    var probe = try DeviceSyncJob(archive, identity)
    probe.members[inviter.id] = inviter
    // The snapshot must have arrived completely; it may have been replaced by a later one.
    guard let snapshot = probe.lastSnapshot(of: inviter.id), snapshot.number >= number,
      probe.isWhole(snapshot.number, snapshot.parts, of: inviter.id)
    else { return nil }
    try archive.startReplica(device: identity.id, settings: identity.json, joining: request)
    do {
      // The entries that were here before go to the other devices.
      try archive.captureReplica(publishes: true)
      _ = try probe.merge(snapshot.number, snapshot.parts, snapshot.places, of: inviter.id)
    } catch is DeviceSyncJob.Incomplete {
      // The snapshot was replaced in the meantime.
      try archive.stopReplica(keeping: request)
      return nil
    } catch {
      try archive.stopReplica(keeping: request)
      throw error
    }
    try archive.endJoiningReplica()
    folder.remove("request-\(secret.place)", of: identity.id)
    return try opened(archive)
  }

  /// Returns the folder and the number to compare while this device is waiting to be accepted.
  package static func pending(_ archive: Archive) throws -> (folder: String, comparison: String)? {
    guard let settings = try archive.joiningReplica(),
      let identity = try? DeviceIdentity(settings),
      let inviter = OwnDevice(card: identity.notes["inviter"] ?? .null),
      let secret = try? PairingSecret(identity.notes["code"]?.string ?? "")
    else { return nil }
    return (identity.folder, secret.comparison(inviter, OwnDevice(identity)))
  }

  /// Returns true if this device is waiting to be accepted.
  package static func isAsking(_ archive: Archive) throws -> Bool {
    try archive.joiningReplica() != nil
  }

  /// Sends what waits, as far as the folder can be reached, and removes this device from the group.
  ///
  /// - Returns: the number of changes made here that the other devices don't have.
  package static func leaveAfterSending(_ archive: Archive) throws -> Int {
    var unsent = 0
    if var job = try DeviceSyncJob(archive: archive) {
      _ = try? job.exchange()
      unsent = (try? job.status().unsent) ?? 0
    }
    try leave(archive)
    return unsent
  }

  /// Removes this device from the group, or withdraws its request to join; the archive’s content is
  /// kept.
  package static func leave(_ archive: Archive) throws {
    // A running exchange would store its settings again.
    let lock = try DeviceSyncJob.lock(archive)
    defer { lock?.release() }
    // Its last changes are remembered with their times. Without them, it can leave all the same.
    _ = try? archive.captureReplica(publishes: false)
    try archive.stopReplica()
    try SharedPlace.forget(archive)
  }
}
