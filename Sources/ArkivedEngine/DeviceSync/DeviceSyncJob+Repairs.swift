import ArkivedCore
import ArkivedStore
import Foundation

/// Attachment files that were lost or damaged in the folder: a device that doesn't get one says so in
/// its head, and the others write it again.
extension DeviceSyncJob {
  /// The number of missing files that a head names.
  static let mostLacking = 200
  /// The number of seconds after which a missing file is requested.
  private static let lackPatience = 3_600
  /// The number of seconds after which a file that is still requested is written again, also by a
  /// device other than the one that wrote it first.
  private static let repairPause = 86_400
  /// The number of seconds after which other missing files take the place of those requested.
  private static let lackTurn = 7 * 86_400

  /// The names of the files that this device requests from the others, in order.
  func lacks() -> [String] {
    let now = archive.clock.now
    return times("lacking").filter { abs($0.value.seconds(to: now)) > Self.lackPatience }
      .keys.sorted()
  }

  /// Remembers since when files have been missing here.
  ///
  /// There may be more than a head can name. Files that nobody has must not keep out the others.
  mutating func noteLacking(_ absent: Set<String>) {
    let now = archive.clock.now
    let known = times("lacking").filter { absent.contains($0.key) }
    var kept = known.filter { abs($0.value.seconds(to: now)) <= Self.lackTurn }
    for names in [absent.subtracting(known.keys), Set(known.keys)] {
      for name in names.sorted() where kept.count < Self.mostLacking && kept[name] == nil {
        kept[name] = now
      }
    }
    setTimes("lacking", kept)
  }

  /// Returns the files that other devices request and this one now writes again.
  ///
  /// A copy that looks whole here may be damaged elsewhere, so the device that wrote it replaces it
  /// once. If that doesn't help for a day, every device that has the file writes it.
  ///
  /// - Parameter owners: returns the devices in the group whose folder has a file.
  /// - Returns: the names.
  mutating func dueRepairs(_ owners: (String) -> [String]) -> Set<String> {
    let requested = Set(others.flatMap { heads[$0.id]?.lacks ?? [] })
    let now = archive.clock.now
    // Since when a file has been requested, or when it was last written again.
    var times = times("repairs").filter { requested.contains($0.key) }
    var due: Set<String> = []
    for name in requested {
      let holders = owners(name)
      if let time = times[name] {
        if holders.isEmpty || abs(time.seconds(to: now)) > Self.repairPause { due.insert(name) }
      } else if holders.isEmpty || holders.contains(identity.id) {
        due.insert(name)
      } else {
        times[name] = now
      }
    }
    setTimes("repairs", times)
    return due
  }

  mutating func noteRepair(of name: String) {
    var times = times("repairs")
    times[name] = archive.clock.now
    setTimes("repairs", times)
  }

  /// Looks again at the files in a revoked device's folder, which can be deleted at any time.
  mutating func unsettleRevoked(_ shelves: [String: OpenFolder]) throws {
    let revoked = members.values.filter(\.isRevoked).map(\.id).sorted()
    let known = Set((identity.notes["revokedFiles"]?.array ?? []).compactMap(\.string))
    for id in revoked where !known.contains(id) {
      let names = shelves[id]?.names.filter(SharedFolder.isAttachment) ?? []
      // If they are gone, nobody knows which they were.
      try archive.unsettleReplicaFiles(names.isEmpty ? nil : names)
    }
    identity.notes["revokedFiles"] = JSON(revoked)
  }

  private func times(_ note: String) -> [String: Instant] {
    var times: [String: Instant] = [:]
    for (name, time) in identity.notes[note]?.object?.members ?? [] {
      times[name] = time.string.flatMap { Instant($0) }
    }
    return times
  }

  private mutating func setTimes(_ note: String, _ times: [String: Instant]) {
    var object = JSONObject()
    for (name, time) in times.sorted(by: { $0.key < $1.key }) {
      object.append(uncheckedKey: name, JSON(time))
    }
    identity.notes[note] = object.isEmpty ? nil : .object(object)
  }
}
