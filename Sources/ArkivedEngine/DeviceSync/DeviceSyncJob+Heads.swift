import ArkivedCore
import ArkivedStore

/// The heads: the reports of devices about themselves.
extension DeviceSyncJob {
  /// The number of this device's last segments that are compared with the folder each time.
  private static let checkedSegments = 3
  /// The number of seconds after which the head is written again, to show the other devices when
  /// this one last synced.
  private static let headAge = 3_600
  /// A clock that shows a time before this is wrong: 2026-01-01.
  private static let earliest = Instant(milliseconds: 1_767_225_600_000)
  /// A clock that is off by more than this number of seconds is reported.
  private static let clockTolerance = 86_400

  /// The last report of a device about itself.
  struct Head {
    var sequence: Int
    var link: String
    var seen: [String: Int]
    /// The first segment that it still provides.
    var floor: Int
    /// A counter that increases whenever it needs a snapshot; 0 if it needs none.
    var wants: Int
    /// The names of attachment files that it has been missing for a while.
    var lacks: [String] = []
    var at: Instant
  }

  /// Reads the heads of all devices, and reports wrong clocks and logs that went back.
  mutating func readHeads() {
    heads = readableHeads()
    let now = archive.clock.now
    guard now >= Self.earliest else {
      troubles.insert(.clock(identity.name))
      return
    }
    // A head may arrive after its segments; a decreasing number means that an older head was
    // restored.
    var seen = identity.notes["heads"]?.object ?? JSONObject()
    for (id, head) in heads {
      guard let device = members[id] else { continue }
      if id != identity.id {
        let last = seen[id]?.int ?? 0
        if head.sequence < last { troubles.insert(.rolledBack(device.name)) }
        seen[id] = JSON(max(last, head.sequence))
      }
      if device.id != identity.id, !device.isRevoked,
        head.at < Self.earliest || now.seconds(to: head.at) > Self.clockTolerance
      {
        troubles.insert(.clock(device.name))
      }
    }
    for device in others where heads[device.id] == nil && (seen[device.id]?.int ?? 0) > 0 {
      do {
        // A head that is there and can't be read is half-written, or damaged.
        _ = try open(SharedFolder.head, of: device.id)
        let isThere = folder.has(SharedFolder.head, of: device.id)
        troubles.insert(isThere ? .missing(device.name) : .rolledBack(device.name))
      } catch SealedFile.Trouble.newer {
        troubles.insert(.newer(device.name))
      } catch {
        troubles.insert(.missing(device.name))
      }
    }
    identity.notes["heads"] = .object(seen)
    noteLastHeads()
  }

  /// Writes this device’s head if it has changed or is old.
  mutating func writeHead() throws {
    let places = try archive.replicaPlaces()
    let own = places[""] ?? .start
    let kept = try archive.ownReplicaSegments().first?.sequence ?? own.sequence + 1
    var seen = JSONObject()
    for (device, place) in places.sorted(by: { $0.key < $1.key }) where !device.isEmpty {
      seen[device] = JSON(place.sequence)
    }
    var said: JSONObject = [
      "sequence": JSON(own.sequence), "link": .string(own.link), "seen": .object(seen),
      "floor": JSON(kept), "wants": identity.notes["wants"] ?? 0,
    ]
    let lacks = lacks()
    if !lacks.isEmpty { said["lacks"] = JSON(lacks) }
    let now = archive.clock.now
    if let old = heads[identity.id], old.isSaying(said), abs(old.at.seconds(to: now)) < Self.headAge
    {
      return
    }
    var head = said
    head["at"] = JSON(now)
    try write(
      SealedFile(kind: .head, device: identity.id, head: .object(head)), as: SharedFolder.head)
  }

  /// Returns true if no other device writes to this device's log.
  func isAlone() throws -> Bool {
    let places = try archive.replicaPlaces()
    let own = places[""] ?? .start
    if let head = heads[identity.id] {
      if head.sequence > own.sequence { return false }
      if head.sequence == own.sequence, head.link != own.link { return false }
    }
    for segment in try archive.ownReplicaSegments().suffix(Self.checkedSegments) {
      guard let file = try? open(SharedFolder.segment(segment.sequence), of: identity.id) else {
        continue
      }
      if file.head["link"]?.string != segment.link { return false }
    }
    // Another device has read more of this one’s log than exists: this archive was restored to an
    // earlier state.
    return !heads.contains { id, head in
      members[id]?.isRevoked == false && (head.seen[identity.id] ?? 0) > own.sequence
    }
  }
}

extension DeviceSyncJob.Head {
  init?(_ json: JSON) {
    guard let sequence = json["sequence"]?.int, let link = json["link"]?.string,
      let at = json["at"]?.string.flatMap({ Instant($0) })
    else { return nil }
    self.init(
      sequence: sequence, link: link, seen: ReplicaSegment.seen(json["seen"]),
      floor: json["floor"]?.int ?? 1, wants: json["wants"]?.int ?? 0,
      lacks: Self.lacks(json["lacks"]), at: at)
  }

  func isSaying(_ said: JSONObject) -> Bool {
    said["sequence"]?.int == sequence && said["link"]?.string == link
      && ReplicaSegment.seen(said["seen"]) == seen && said["floor"]?.int == floor
      && said["wants"]?.int == wants && Self.lacks(said["lacks"]) == lacks
  }

  private static func lacks(_ json: JSON?) -> [String] {
    (json?.array ?? []).prefix(DeviceSyncJob.mostLacking).compactMap(\.string)
      .filter(SharedFolder.isAttachment)
  }
}
