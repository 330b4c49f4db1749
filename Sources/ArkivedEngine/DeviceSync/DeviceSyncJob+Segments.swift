import ArkivedCore
import ArkivedStore

/// Writing the segments of this device’s log and reading those of other devices.
extension DeviceSyncJob {
  /// The number of segments, and the approximate number of changes, merged in one transaction.
  private static let batch = 200
  private static let changesInBatch = 2_000
  /// The number of seconds after which a snapshot is requested for a missing segment.
  private static let patience = 3_600
  /// The number of seconds after which the owner is informed that something is still missing.
  private static let longPatience = 3 * 86_400

  func publish() throws -> Int {
    try archive.captureReplica(publishes: !others.isEmpty)
    try archive.sealReplica()
    var count = 0
    for segment in try archive.ownReplicaSegments() {
      let name = SharedFolder.segment(segment.sequence)
      guard !segment.isPublished || !folder.has(name, of: identity.id),
        let head = try archive.head(ofReplicaSegment: segment.sequence)
      else { continue }
      if !segment.isPublished, let there = try? open(name, of: identity.id),
        there.head["link"]?.string != segment.link
      {
        throw Copied()
      }
      let changes = try archive.changes(ofReplicaSegment: segment.sequence)
      try write(
        SealedFile(
          kind: .segment, device: identity.id, head: head, body: Array(changes.utf8)),
        as: name)
      if !segment.isPublished {
        try archive.markReplicaPublished(segment.sequence, with: changes)
        count += 1
      }
    }
    return count
  }

  // MARK: Receiving

  /// Merges everything that has arrived.
  ///
  /// - Parameters:
  ///   - report: counts what was merged.
  ///   - bytesInBatch: the approximate size of the changes merged in one transaction.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be written.
  mutating func receive(_ report: inout Report, bytesInBatch: Int = 16_000_000) throws {
    var waits: [String: String] = [:]
    while true {
      var places = try archive.replicaPlaces()
      waits = [:]
      var batch: [ReplicaSegment] = []
      var (changes, bytes) = (0, 0)
      var isMore = true
      while isMore {
        isMore = false
        for device in readable {
          while batch.count < Self.batch, changes < Self.changesInBatch,
            bytes < bytesInBatch, let segment = next(of: device, places, &waits)
          {
            batch.append(segment)
            changes += segment.changes.count
            bytes += segment.size
            places[device.id] = Archive.ReplicaPlace(
              sequence: segment.sequence, link: segment.link)
            isMore = true
          }
        }
      }
      if batch.isEmpty {
        guard try takeSnapshot(waits.keys, &report) else { break }
      } else {
        let outcome = try archive.mergeReplica(batch)
        report.received += batch.count
        report.written += outcome.written
        report.conflicts += outcome.conflicts
      }
      try readMembers()
      readKeys()
    }
    try ask(waits)
  }

  /// The devices whose logs are read; a revoked device's log is read only as far as others had read
  /// it.
  private var readable: [OwnDevice] {
    members.values.filter { $0.id != identity.id }.sorted { $0.id < $1.id }
  }

  private func limit(of device: OwnDevice) -> Int {
    guard device.isRevoked else { return .max }
    let read = heads.filter { members[$0.key]?.isRevoked == false }
      .compactMap { $0.value.seen[device.id] }
    return max(device.revokedAt, read.max() ?? 0)
  }

  /// Returns the next segment of a device’s log, if it is complete and everything that its writer
  /// had read has been read here too.
  private mutating func next(
    of device: OwnDevice, _ places: [String: Archive.ReplicaPlace],
    _ waits: inout [String: String]
  ) -> ReplicaSegment? {
    let place = places[device.id] ?? .start
    if let head = heads[device.id] {
      if head.sequence == place.sequence, head.link != place.link {
        troubles.insert(.forked(device.name))
        return nil
      }
    }
    let sequence = place.sequence + 1
    guard sequence <= limit(of: device) else { return nil }
    // A device's own head may be missing or unreadable; the other devices' heads show how far they
    // have read.
    let isAnnounced =
      (heads[device.id]?.sequence ?? 0) >= sequence
      || heads.values.contains { ($0.seen[device.id] ?? 0) >= sequence }
    do {
      guard let file = try open(SharedFolder.segment(sequence), of: device.id) else {
        if isAnnounced { waits[device.id] = device.name }
        return nil
      }
      guard file.kind == .segment, let segment = ReplicaSegment(file),
        segment.sequence == sequence
      else {
        waits[device.id] = device.name
        return nil
      }
      guard file.head["previous"]?.string == place.link else {
        troubles.insert(.forked(device.name))
        return nil
      }
      for (other, read) in segment.seen where other != device.id {
        let known = other == identity.id ? places[""] : places[other]
        if (known?.sequence ?? 0) < read {
          if other != identity.id { waits[other] = members[other]?.name ?? other }
          return nil
        }
      }
      return segment
    } catch SealedFile.Trouble.newer {
      troubles.insert(.newer(device.name))
    } catch {
      waits[device.id] = device.name
    }
    return nil
  }

  /// Returns the last segment of a device’s log that has been read, or lies in the folder to be read.
  func lastSent(by device: String) throws -> Int {
    var place = try archive.replicaPlaces()[device] ?? .start
    while let file = try? open(SharedFolder.segment(place.sequence + 1), of: device),
      file.kind == .segment, let segment = ReplicaSegment(file),
      segment.sequence == place.sequence + 1, file.head["previous"]?.string == place.link
    {
      place = Archive.ReplicaPlace(sequence: segment.sequence, link: segment.link)
    }
    return place.sequence
  }

  /// Requests a snapshot if parts have been missing for a long time, or no longer exist.
  private mutating func ask(_ waits: [String: String]) throws {
    let places = try archive.replicaPlaces()
    var since = identity.notes["missingSince"]?.object ?? JSONObject()
    for device in since.keys where waits[device] == nil { since[device] = nil }
    var isStuck = false
    let now = archive.clock.now
    for (device, name) in waits {
      let first = since[device]?.string.flatMap { Instant($0) } ?? now
      let isLong = abs(first.seconds(to: now)) > Self.longPatience
      troubles.insert(isLong ? .overdue(name) : .missing(name))
      since[device] = JSON(first)
      let next = (places[device]?.sequence ?? 0) + 1
      if (heads[device]?.floor ?? 0) > next || abs(first.seconds(to: now)) > Self.patience {
        isStuck = true
      }
    }
    identity.notes["missingSince"] = .object(since)
    let wants = identity.notes["wants"]?.int ?? 0
    let asked = identity.notes["asked"]?.int ?? 0
    if isStuck, wants == 0 {
      identity.notes["asked"] = JSON(asked + 1)
      identity.notes["wants"] = JSON(asked + 1)
    } else if !isStuck, wants != 0 {
      identity.notes["wants"] = 0
    }
  }
}
