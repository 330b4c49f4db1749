import ArkivedCore
import ArkivedStore
import Foundation

/// Snapshots: everything that one device knows, for devices that are new or were away for too long.
extension DeviceSyncJob {
  /// The size of the changes in one part, in bytes.
  private static let partLimit = 1_000_000
  /// The number of snapshots of a device that are tried, from the newest on.
  private static let triedSnapshots = 8

  /// An error that reports that a snapshot is incomplete, or that its parts belong to two different
  /// snapshots.
  struct Incomplete: Error {}

  /// Writes everything that this device knows, and removes its earlier snapshots.
  ///
  /// - Returns: the last segment of its own log that the snapshot covers.
  @discardableResult
  mutating func writeSnapshot() throws -> Int {
    let number = (identity.notes["snapshot"]?.int ?? 0) + 1
    identity.notes["snapshot"] = JSON(number)
    try keepSettings()
    // Changes that wait in the outbox are in it too; sent later, they change nothing.
    try archive.captureReplica(publishes: !others.isEmpty)
    var lines: [String] = []
    var bytes = 0
    var part = 0
    func write(_ head: JSONObject) throws {
      var head = head
      head["snapshot"] = JSON(number)
      head["part"] = JSON(part)
      try self.write(
        SealedFile(
          kind: .snapshot, device: identity.id, head: .object(head),
          body: Array(lines.joined(separator: "\n").utf8)),
        as: SharedFolder.snapshot(number, part: part))
      part += 1
      lines = []
      bytes = 0
    }
    let places = try archive.readReplica { change in
      for state in change.state.split(into: Self.partLimit) {
        let line = ReplicaChange(key: change.key, state: state).line
        lines.append(line)
        bytes += line.utf8.count
        if bytes >= Self.partLimit { try write([:]) }
      }
    }
    var all = JSONObject()
    for (device, place) in places.sorted(by: { $0.key < $1.key }) {
      all[device] = [JSON(place.sequence), .string(place.link)]
    }
    try write(["isLast": true, "places": .object(all)])
    removeSnapshots(before: number)
    identity.notes["snapshotPlace"] = JSON(places[identity.id]?.sequence ?? 0)
    try keepSettings()
    return places[identity.id]?.sequence ?? 0
  }

  private func removeSnapshots(before number: Int) {
    let first = SharedFolder.snapshot(number, part: 0)
    for name in folder.names(in: folder.folder(of: identity.id))
    where name.hasPrefix("snapshot-") && name < first {
      folder.remove(name, of: identity.id)
    }
  }

  /// Merges a snapshot that contains more of the missing segments.
  ///
  /// - Returns: true if there was one.
  mutating func takeSnapshot(
    _ missing: some Collection<String>, _ report: inout Report
  ) throws -> Bool {
    guard !missing.isEmpty else { return false }
    let known = try archive.replicaPlaces()
    for device in others {
      guard let (number, parts, places) = lastSnapshot(of: device.id),
        missing.contains(where: { (places[$0]?.sequence ?? 0) > known[$0]?.sequence ?? 0 }),
        // The segments of this device's own log that it depends on must be present.
        (places[identity.id]?.sequence ?? 0) <= known[""]?.sequence ?? 0
      else { continue }
      do {
        let outcome = try merge(number, parts, places, of: device.id)
        report.received += 1
        report.written += outcome.written
        report.conflicts += outcome.conflicts
        return true
      } catch is Incomplete {
        continue
      }
    }
    return false
  }

  func merge(
    _ number: Int, _ parts: Int, _ places: [String: Archive.ReplicaPlace], of device: String
  ) throws -> ReplicaOutcome {
    try archive.mergeReplicaSnapshot(by: device, places: places) { take in
      for part in 0..<parts {
        guard let file = try? open(SharedFolder.snapshot(number, part: part), of: device),
          file.kind == .snapshot, file.head["snapshot"]?.int == number,
          file.head["part"]?.int == part
        else { throw Incomplete() }
        for line in file.body.split(separator: 0x0A) {
          guard let change = try? ReplicaChange(line: line) else { throw Incomplete() }
          try take(change)
        }
      }
    }
  }

  /// Returns the newest snapshot of a device that seems complete: its number, the number of its
  /// parts, and how far its writer had read the logs.
  func lastSnapshot(
    of device: String
  ) -> (number: Int, parts: Int, places: [String: Archive.ReplicaPlace])? {
    let names = folder.names(in: folder.folder(of: device))
      .filter { $0.hasPrefix("snapshot-") && $0.count == SharedFolder.snapshot(0, part: 0).count }
    // A file that isn't ours may have the name of a later one.
    let lasts = Dictionary(names.map { ($0.dropLast(7), $0) }, uniquingKeysWith: max)
      .values.sorted()
    for last in lasts.suffix(Self.triedSnapshots).reversed() {
      if let file = try? open(last, of: device), file.kind == .snapshot,
        file.head["isLast"]?.bool == true, let number = file.head["snapshot"]?.int,
        let part = file.head["part"]?.int, last == SharedFolder.snapshot(number, part: part)
      {
        return (number, part + 1, Self.places(file))
      }
    }
    return nil
  }

  private static func places(_ file: SealedFile) -> [String: Archive.ReplicaPlace] {
    var places: [String: Archive.ReplicaPlace] = [:]
    for (device, value) in file.head["places"]?.object?.members ?? [] {
      guard let sequence = value.array?.first?.int, let link = value.array?.last?.string else {
        continue
      }
      places[device] = Archive.ReplicaPlace(sequence: sequence, link: link)
    }
    return places
  }

  /// Returns true if every part of a snapshot is here, whole.
  func isWhole(_ number: Int, _ parts: Int, of device: String) -> Bool {
    (0..<parts).allSatisfy { part in
      (try? open(SharedFolder.snapshot(number, part: part), of: device)) != nil
    }
  }

  /// Writes a snapshot if another device requests one and this device knows more.
  mutating func answerWants() throws {
    let places = try archive.replicaPlaces()
    var answered = identity.notes["answered"]?.object ?? JSONObject()
    for device in others {
      guard let head = heads[device.id], head.wants > 0,
        answered[device.id]?.int != head.wants
      else { continue }
      let knowsMore = places.contains { other, place in
        let seen = other.isEmpty ? head.seen[identity.id] : head.seen[other]
        return other != device.id && place.sequence > seen ?? 0
      }
      guard knowsMore else { continue }
      try writeSnapshot()
      answered[device.id] = JSON(head.wants)
    }
    identity.notes["answered"] = .object(answered)
  }
}
