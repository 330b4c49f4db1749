import ArkivedCore
import ArkivedStore

/// Removing data that all other devices have read, or that was permanently deleted.
extension DeviceSyncJob {
  /// The number of seconds after which files that a killed program left are looked for again.
  private static let abandonedPause = 86_400

  /// Removes everything that all other devices have read.
  mutating func clear() throws {
    removeAbandoned()
    try clearRevoked()
    guard !others.isEmpty else { return }
    let own = try archive.ownReplicaSegments()
    let read = others.map { heads[$0.id]?.seen[identity.id] ?? 0 }.min() ?? 0
    if own.count > longestLog, own.last?.sequence != read {
      // A device has been away for a long time and needs a snapshot of everything.
      let place = try writeSnapshot()
      try remove(own, upTo: place)
    }
    try remove(own, upTo: read)
    try removeReturned(upTo: read)
    removeUsedSnapshots(read: read)
  }

  /// Removes files that a killed program left half-written in this device's part of the folder.
  private mutating func removeAbandoned() {
    let now = archive.clock.now
    let last = identity.notes["abandoned"]?.string.flatMap { Instant($0) }
    if let last, abs(last.seconds(to: now)) < Self.abandonedPause { return }
    folder.opened(identity.id)?.removeAbandoned()
    folder.opened(identity.id, Self.files)?.removeAbandoned()
    identity.notes["abandoned"] = JSON(now)
  }

  /// Removes parts of this device's log that reappeared after all other devices had read them.
  ///
  /// A server may have received a file although its response was lost. If the file was removed here
  /// before it was uploaded again, it would otherwise stay on the server forever.
  private func removeReturned(upTo read: Int) throws {
    let last = SharedFolder.segment(read)
    let kept = Set(try archive.ownReplicaSegments().map { SharedFolder.segment($0.sequence) })
    for name in folder.names(in: folder.folder(of: identity.id))
    where name.hasPrefix("log-") && name.count == last.count && name <= last && !kept.contains(name)
    {
      folder.remove(name, of: identity.id)
    }
  }

  /// Removes snapshots and welcomes once every device has joined and none requests a snapshot.
  private mutating func removeUsedSnapshots(read: Int) {
    let place = identity.notes["snapshotPlace"]?.int
    guard place ?? read <= read, others.allSatisfy({ heads[$0.id].map { $0.wants == 0 } ?? false })
    else { return }
    // If no place is noted, the only snapshot here can be one that reappeared.
    for name in folder.names(in: folder.folder(of: identity.id))
    where name.hasPrefix("snapshot-") || place != nil && name.hasPrefix("welcome-") {
      folder.remove(name, of: identity.id)
    }
    identity.notes["snapshotPlace"] = nil
  }

  private func remove(_ own: [OwnSegment], upTo sequence: Int) throws {
    guard let first = own.first?.sequence, first <= sequence else { return }
    try archive.forgetReplicaSegments(upTo: sequence)
    for segment in own where segment.sequence <= sequence {
      folder.remove(SharedFolder.segment(segment.sequence), of: identity.id)
    }
  }

  /// Removes versions of long texts that all devices have replaced.
  func trimTexts() throws {
    let places = try archive.replicaPlaces()
    var stable = places
    stable[identity.id] = stable.removeValue(forKey: "") ?? .start
    var least = stable.mapValues(\.sequence)
    for device in others {
      // Everything it wrote before it had read a version must be here.
      guard let head = heads[device.id], places[device.id]?.sequence ?? 0 >= head.sequence else {
        return
      }
      for (writer, sequence) in least where writer != device.id {
        least[writer] = min(sequence, head.seen[writer] ?? 0)
      }
    }
    try archive.trimReplicaTexts(stable: least)
    try archive.forgetExpiredReplicas(stable: least)
  }

  /// Permanently deletes what other devices permanently deleted, and removes all of it from the
  /// folder.
  mutating func settlePurges() throws {
    let ids = try archive.replicaPurges()
    if !ids.isEmpty {
      do {
        _ = try PurgeJob(archive: archive).run(.deletedElsewhere(ids))
      } catch ArchiveError.notFound {
        // It was removed in the meantime.
      } catch ArchiveError.busy {
        // An import takes precedence.
        return
      }
      try archive.settleReplicaPurges(ids)
    }
    let forgotten = try archive.replicaPurgeCount()
    guard forgotten != identity.notes["purged"]?.int ?? 0 else { return }
    for name in folder.names(in: folder.folder(of: identity.id)) where name.hasPrefix("snapshot-") {
      folder.remove(name, of: identity.id)
    }
    identity.notes["answered"] = nil
    // A device that is joining needs another one.
    if identity.notes["snapshotPlace"] != nil { try writeSnapshot() }
    try clearFiles()
    _ = try publish()
    identity.notes["purged"] = JSON(forgotten)
  }
}
