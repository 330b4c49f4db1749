import ArkivedCore
import ArkivedImport
import ArkivedStore
import Foundation

/// Emptying the folders of revoked devices, which no longer do that themselves.
extension DeviceSyncJob {
  /// The number of seconds after which a folder that was emptied is looked at again.
  private static let emptyPause = 86_400
  /// The number of files that are removed from a server in one exchange.
  private static let removedAtOnce = 500

  /// Removes the files of revoked devices that all other devices have read.
  ///
  /// Nobody reads more of a revoked device's log once all know that it was revoked, and all have
  /// read it up to the same segment. Each device therefore first remembers what it had read when it
  /// learned of the revocation, and waits until the others have read that too.
  mutating func clearRevoked() throws {
    let revoked = members.values.filter(\.isRevoked).sorted { $0.id < $1.id }
    let places = try archive.replicaPlaces()
    var read = JSONObject()
    for (id, place) in places.sorted(by: { $0.key < $1.key }) {
      read[id.isEmpty ? identity.id : id] = JSON(place.sequence)
    }
    let known = identity.notes["revocations"]
    var notes = JSONObject()
    for device in revoked {
      let note = known?[device.id]
      notes[device.id] = note ?? .object(read)
      guard let note, isDue(note), isRead(device, places[device.id]?.sequence ?? 0, note)
      else { continue }
      if try empty(device.id) { notes[device.id] = JSON(archive.clock.now) }
    }
    identity.notes["revocations"] = notes.isEmpty ? nil : .object(notes)
  }

  /// A note is the time at which the folder was emptied, or what has to be read before.
  private func isDue(_ note: JSON) -> Bool {
    guard let time = note.string.flatMap({ Instant($0) }) else { return true }
    return abs(time.seconds(to: archive.clock.now)) > Self.emptyPause
  }

  private func isRead(_ device: OwnDevice, _ last: Int, _ note: JSON) -> Bool {
    guard last >= device.revokedAt else { return false }
    return others.allSatisfy { other in
      guard let head = heads[other.id], head.seen[device.id] ?? 0 == last else { return false }
      return (note.object?.members ?? []).allSatisfy { writer, sequence in
        writer == other.id || head.seen[writer] ?? 0 >= sequence.int ?? 0
      }
    }
  }

  /// Removes a revoked device's files, but keeps attachments that haven't been copied elsewhere yet.
  ///
  /// - Returns: true once everything that can be removed now is gone.
  private func empty(_ device: String) throws -> Bool {
    guard let home = folder.opened(device) else { return true }
    let shelf = folder.opened(device, Self.files)
    home.removeAbandoned()
    shelf?.removeAbandoned()
    let names = Set((shelf?.names ?? []).filter(SharedFolder.isAttachment))
    let files = try dispensable(names)
    if others.isEmpty {
      // A device that joins later gets them from this one.
      if !files.isEmpty { try archive.unsettleReplicaFiles(files) }
    }
    let parts = home.names.filter(SharedFolder.isOurs)
    let isAll = files.count == names.count
    guard let mirror = folder.mirror else {
      for name in parts { home.remove(name) }
      for name in files { shelf?.remove(name) }
      return isAll
    }
    let path = "\(folder.root.lastPathComponent)/\(device)"
    let paths = (parts + files.map { "\(Self.files)/\($0)" }).map { "\(path)/\($0)" }
    do {
      try mirror.remove(Array(paths.prefix(Self.removedAtOnce)))
      return isAll && paths.count <= Self.removedAtOnce
    } catch is WebDAVFailure {
      // The server may not allow it. That must not hold up anything else.
      return true
    }
  }

  /// Returns those of a revoked device's attachments that nothing refers to, or that are both here
  /// and in another device's folder.
  private func dispensable(_ names: Set<String>) throws -> [String] {
    guard !names.isEmpty else { return [] }
    var isHere: [String: Bool] = [:]
    for file in try archive.replicaFiles() {
      let name = try name(of: file.hash)
      guard names.contains(name) else { continue }
      let path = archive.attachmentsFolder?.appendingPathComponent(file.path).path
      let isThere = path.map { FileManager.default.fileExists(atPath: $0) } ?? false
      isHere[name] = isThere && isHere[name] ?? true
    }
    let shelves = (others.map(\.id) + [identity.id]).compactMap { folder.opened($0, Self.files) }
    let lacking = Set(others.flatMap { heads[$0.id]?.lacks ?? [] })
    return names.filter { name in
      guard !lacking.contains(name) else { return false }
      guard let isWhole = isHere[name] else { return true }
      return isWhole && (others.isEmpty || shelves.contains { $0.has(name) })
    }.sorted()
  }
}
