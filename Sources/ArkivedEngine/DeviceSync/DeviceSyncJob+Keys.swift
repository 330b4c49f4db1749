import ArkivedBackup
import ArkivedCore
import ArkivedStore
import Foundation

/// The group’s keys: a new one whenever a device that has the latest is revoked.
extension DeviceSyncJob {
  /// Takes keys that others made for this device.
  mutating func readKeys() {
    for device in others {
      let suffix = "-\(identity.id)"
      for name in folder.names(in: folder.folder(of: device.id))
      where name.hasPrefix("keys-") && name.hasSuffix(suffix) {
        guard let file = try? open(name, of: device.id), file.kind == .keys,
          let key = try? DeviceIdentity.CircleKey(file.head),
          !identity.keys.contains(where: { $0.identity.secretText == key.identity.secretText })
        else { continue }
        identity.keys.append(key)
      }
    }
  }

  /// Makes a new key where somebody who was revoked may have the latest, and hands it to all others.
  mutating func rotateKeys() throws {
    guard let latest = identity.latestKey else { return }
    let revoked = Set(members.values.filter(\.isRevoked).map(\.id))
    if !revoked.isSubset(of: latest.excluded) {
      let key = DeviceIdentity.CircleKey(
        number: latest.number + 1, identity: AgeIdentity(), excluded: revoked.sorted())
      identity.keys.append(key)
      try keepSettings()
    }
    try handOutKeys()
  }

  /// Puts the latest key where devices find it that may not have it, as after the folder lost it.
  private func handOutKeys() throws {
    guard let latest = identity.latestKey, latest.number > 1 else { return }
    for device in others {
      let name = SharedFolder.keys(latest.number, for: device.id)
      guard !folder.has(name, of: identity.id) else { continue }
      let file = SealedFile(kind: .keys, device: identity.id, head: latest.json)
      try folder.write(
        try file.bytes(by: identity, to: [try AgeRecipient(device.recipient)]), as: name,
        of: identity.id)
    }
  }

  /// Ends a device’s part in the group.
  ///
  /// What it wrote until now counts; it reads nothing new.
  ///
  /// - Throws: `ArchiveError.notFound`, `.refused` for this device.
  package mutating func revoke(_ id: String) throws {
    try alone { job in try job.end(id) }
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
    let place = try archive.replicaPlaces()[id]?.sequence ?? 0
    try archive.setReplica(["revoked": true, "revokedAt": JSON(place)], of: device.key)
    members[id]?.isRevoked = true
    members[id]?.revokedAt = place
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
