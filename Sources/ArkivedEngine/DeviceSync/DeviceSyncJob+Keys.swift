import ArkivedBackup
import ArkivedCore
import ArkivedStore
import Foundation

/// The group’s keys: a new key is created whenever a device that has the newest key is revoked, and
/// that device is notified.
extension DeviceSyncJob {
  /// No group makes as many keys.
  private static let mostKeys = 1_000_000

  /// Reads the keys that other devices created for this one.
  mutating func readKeys() {
    for device in others {
      let suffix = "-\(identity.id)"
      for name in folder.names(in: folder.folder(of: device.id))
      where name.hasPrefix("keys-") && name.hasSuffix(suffix) {
        guard let file = try? open(name, of: device.id), file.kind == .keys,
          var key = try? DeviceIdentity.CircleKey(file.head), key.number < Self.mostKeys,
          !identity.keys.contains(where: { $0.identity.secretText == key.identity.secretText })
        else { continue }
        key.giver = device.id
        identity.keys.append(key)
      }
    }
  }

  /// Creates a new key if a revoked device may have the newest key, and sends it to all other
  /// devices.
  mutating func rotateKeys() throws {
    guard let latest = identity.latestKey else { return }
    let revoked = Set(members.values.filter(\.isRevoked).map(\.id))
    // A revoked device has the key that came from it, whatever it says about the key.
    if !revoked.isSubset(of: latest.excluded) || latest.giver.map(revoked.contains) == true {
      let key = DeviceIdentity.CircleKey(
        number: latest.number + 1, identity: AgeIdentity(), excluded: revoked.sorted())
      identity.keys.append(key)
      try keepSettings()
    }
    try handOutKeys()
    try tellRevoked()
  }

  /// Leaves a notice for each revoked device, which can no longer read anything else.
  private func tellRevoked() throws {
    for device in members.values.sorted(by: { $0.id < $1.id }) where device.isRevoked {
      let name = SharedFolder.removal(of: device.id)
      guard !members.values.contains(where: { !$0.isRevoked && folder.has(name, of: $0.id) }) else {
        continue
      }
      // A device whose key is damaged can read nothing, not even this.
      guard let recipient = try? AgeRecipient(device.recipient) else { continue }
      let by = device.removal.flatMap { members[$0.by]?.name }
      let file = SealedFile(
        kind: .removal, device: identity.id,
        head: [
          "removed": .string(device.id), "at": JSON(device.removal?.at), "by": JSON(by),
        ])
      try folder.write(
        try file.bytes(by: identity, to: [recipient]), as: name, of: identity.id)
    }
  }

  /// Returns true if another device reports that this one was revoked, and remembers it.
  mutating func isRemoved() -> Bool {
    if members[identity.id]?.isRevoked == true || identity.notes["removal"] != nil { return true }
    for device in others {
      let file = try? open(SharedFolder.removal(of: identity.id), of: device.id)
      guard let file, file.kind == .removal, file.head["removed"]?.string == identity.id else {
        continue
      }
      identity.notes["removal"] = [
        "at": file.head["at"] ?? .null, "by": .string(file.head["by"]?.string ?? device.name),
      ]
      return true
    }
    return false
  }

  /// The problem that reports that this device was revoked.
  var removal: DeviceSyncStatus.Trouble {
    if let notice = identity.notes["removal"] {
      return .revoked(
        by: notice["by"]?.string, at: notice["at"]?.string.flatMap { Instant($0) })
    }
    let own = members[identity.id]?.removal
    return .revoked(by: own.flatMap { members[$0.by]?.name }, at: own?.at)
  }

  /// Throws if this device was revoked, for operations that only a device in the group can perform.
  func refuseRemoved() throws {
    guard identity.notes["removal"] == nil, members[identity.id]?.isRevoked != true else {
      throw ArchiveError.refused(removal.sentence())
    }
  }

  /// Writes the newest key for devices that may not have it, for example after it was lost from the
  /// folder.
  private func handOutKeys() throws {
    guard let latest = identity.latestKey, latest.number > 1 else { return }
    for device in others {
      let name = SharedFolder.keys(latest.number, latest.mark, for: device.id)
      guard !folder.has(name, of: identity.id),
        let recipient = try? AgeRecipient(device.recipient)
      else { continue }
      let file = SealedFile(kind: .keys, device: identity.id, head: latest.json)
      try folder.write(
        try file.bytes(by: identity, to: [recipient]), as: name, of: identity.id)
    }
  }

  /// Revokes a device.
  ///
  /// Everything it has sent until now still counts; it can't read anything new. Without the shared
  /// folder, what counts is what has been read here.
  ///
  /// - Throws: `ArchiveError.notFound`, `.refused` for this device.
  package mutating func revoke(_ id: String) throws {
    try alone { job in
      try job.refuseRemoved()
      // What it has already sent is read first.
      _ = try job.run()
      try job.refuseRemoved()
      try job.end(id)
    }
  }

  private mutating func end(_ id: String) throws {
    guard let device = members[id], !device.isRevoked else {
      throw ArchiveError.notFound("No device with the ID \(id.prefix(60)).")
    }
    guard id != identity.id else {
      throw ArchiveError.refused(
        "This is the device you’re using. Run `arkived sync leave` here, or revoke it on another device."
      )
    }
    let place = try lastSent(by: id)
    let now = archive.clock.now
    try archive.setReplica(
      [
        "revoked": true, "revokedAt": JSON(place), "revokedOn": JSON(now),
        "revokedBy": .string(identity.id),
      ], of: device.key)
    members[id]?.isRevoked = true
    members[id]?.revokedAt = place
    members[id]?.removal = OwnDevice.Removal(at: now, by: identity.id)
    try rotateKeys()
  }

  package mutating func rename(_ id: String, to name: String) throws {
    try alone { job in try job.call(id, name) }
  }

  private mutating func call(_ id: String, _ name: String) throws {
    let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
    guard let device = members[id] else {
      throw ArchiveError.notFound("No device with the ID \(id.prefix(60)).")
    }
    guard !name.isEmpty, name.count <= 60, !name.contains(where: \.isNewline) else {
      throw FieldError("name", "must be one line of 1 to 60 characters")
    }
    try archive.setReplica(["name": .string(name)], of: device.key)
    members[id]?.name = name
    if id == identity.id {
      identity.name = name
      try keepSettings()
    }
  }
}
