import ArkivedCore
import ArkivedStore
package import Foundation

extension DeviceSyncJob {
  /// Returns the state of all devices after the last exchange.
  package mutating func status() throws -> DeviceSyncStatus {
    var status = DeviceSyncStatus(folder: identity.folder)
    status.troubles = (identity.notes["troubles"]?.array ?? []).compactMap(
      DeviceSyncStatus.Trouble.init)
    status.troubles += LocalTroubles.all(of: archive)
    status.lastExchange = identity.notes["lastExchange"]?.string.flatMap { Instant($0) }
    status.unsent =
      try archive.unsentReplicaCount()
      + (folder.mirror?.unsentCount(identity.circle, own: identity.id) ?? 0)
    status.waiting = try archive.waitingReplicaCount()
    status.conflicts = try archive.replicaConflicts(limit: 20)
    status.refusals = try archive.replicaRefusals()
    let own = try archive.replicaPlaces()[""]?.sequence ?? 0
    if folder.isThere {
      heads = readableHeads()
      status.missingFiles = try missingFiles()
    }
    status.devices = members.values.sorted { $0.name < $1.name }.map { device in
      // Without the folder, the last known state of a device is used.
      let (seenAt, read) =
        heads[device.id].map { ($0.at, $0.seen[identity.id] ?? 0) } ?? lastHead(of: device.id)
      let isThisOne = device.id == identity.id
      return DeviceSyncStatus.Device(
        device: device, isThisOne: isThisOne, lastSeen: seenAt,
        behind: isThisOne || device.isRevoked ? 0 : max(0, own - read))
    }
    return status
  }

  /// Remembers when each device last synced and how much of this one's log it had read.
  mutating func noteLastHeads() {
    var last = identity.notes["lastHeads"]?.object ?? JSONObject()
    for (id, head) in heads where id != identity.id {
      last[id] = ["at": JSON(head.at), "read": JSON(head.seen[identity.id] ?? 0)]
    }
    identity.notes["lastHeads"] = .object(last)
  }

  private func lastHead(of device: String) -> (at: Instant?, read: Int) {
    let last = identity.notes["lastHeads"]?[device]
    return (last?["at"]?.string.flatMap { Instant($0) }, last?["read"]?.int ?? 0)
  }

  func readableHeads() -> [String: Head] {
    var heads: [String: Head] = [:]
    for device in members.keys {
      if let file = try? open(SharedFolder.head, of: device), file.kind == .head {
        heads[device] = Head(file.head)
      }
    }
    return heads
  }

  /// The devices of the group.
  package var devices: [OwnDevice] { members.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) } }

  package var thisDevice: String { identity.id }

  /// True if the shared folder is on a server.
  package var isOnServer: Bool { folder.mirror != nil }
}

extension DeviceSyncJob {
  /// Returns the times at which each device's folder, files and head last changed.
  package func look() -> [String: [Date]] {
    var look: [String: [Date]] = [:]
    for device in folder.devices() {
      let home = folder.folder(of: device)
      look[device] = [
        home, home.appendingPathComponent(Self.files), folder.file(SharedFolder.head, of: device),
      ].map { place in
        let found = try? FileManager.default.attributesOfItem(atPath: place.path)
        return found?[.modificationDate] as? Date ?? .distantPast
      }
    }
    return look
  }
}
