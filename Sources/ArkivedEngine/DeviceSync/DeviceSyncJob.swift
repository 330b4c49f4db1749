import ArkivedBackup
package import ArkivedCore
import ArkivedImport
package import ArkivedStore
package import Foundation

/// A job that exchanges changes with the owner’s other devices through a shared folder.
///
/// Each device appends to its own log, in segments that are encrypted, signed and chained. It reads
/// the other devices' segments in order, each after everything that its writer had read. Nothing is
/// removed until all other devices have it.
package struct DeviceSyncJob {
  package let archive: Archive
  var identity: DeviceIdentity
  var folder: SharedFolder
  var members: [String: OwnDevice] = [:]
  var heads: [String: Head] = [:]
  var troubles: Set<DeviceSyncStatus.Trouble> = []
  /// If more segments than this are unread by some device, they are replaced by a snapshot.
  var longestLog = 2_000

  /// The result of one exchange.
  package struct Report: Sendable {
    package var sent = 0
    package var received = 0
    package var written = 0
    package var conflicts = 0
    package var files = 0

    package var json: JSON {
      [
        "sent": JSON(sent), "received": JSON(received), "written": JSON(written),
        "conflicts": JSON(conflicts), "files": JSON(files),
      ]
    }
  }

  /// Fails if the archive isn't synced.
  package init?(archive: Archive) throws {
    guard let settings = try archive.replicaSettings() else { return nil }
    self.archive = archive
    identity = try DeviceIdentity(settings)
    folder = try SharedPlace.open(identity.folder, circle: identity.circle, of: archive)
    try readMembers()
  }

  /// Creates the job of a device that is still joining the group.
  init(_ archive: Archive, _ identity: DeviceIdentity) throws {
    self.archive = archive
    self.identity = identity
    folder = try SharedPlace.open(identity.folder, circle: identity.circle, of: archive)
    members[identity.id] = OwnDevice(identity)
  }

  mutating func readMembers() throws {
    members = [:]
    // A device's keys never change: anyone who could replace one would be able to read what only
    // that device may.
    var recipients = identity.notes["recipients"]?.object ?? JSONObject()
    for (id, state) in try archive.replicaStates(of: OwnDevice.type) {
      guard var device = OwnDevice(id: id, state.values) else { continue }
      device.recipient = recipients[id]?.string ?? device.recipient
      recipients[id] = .string(device.recipient)
      members[id] = device
    }
    identity.notes["recipients"] = .object(recipients)
    members[identity.id] = members[identity.id] ?? OwnDevice(identity)
  }

  /// The other devices in the group.
  var others: [OwnDevice] {
    members.values.filter { $0.id != identity.id && !$0.isRevoked }.sorted { $0.id < $1.id }
  }

  // MARK: The exchange

  /// Sends changes made here and receives changes made elsewhere.
  ///
  /// Problems with the folder or this computer's disk are reported in the status and are not thrown;
  /// the changes wait.
  @discardableResult
  package mutating func exchange() throws -> Report {
    do {
      return try alone { job in try job.run() }
    } catch {
      guard let storage = StorageTrouble(error), storage != .busy, storage != .other else {
        throw error
      }
      troubles = [.localDisk(storage.sentence)]
      // The archive may have no room for it.
      LocalTroubles.note(troubles, of: archive)
      return Report()
    }
  }

  /// A lock that prevents other programs on this computer from syncing this archive; nil for an
  /// archive in memory.
  static func lock(_ archive: Archive) throws -> FileLock? {
    try archive.databaseFile.map {
      try FileLock(
        at: $0.deletingLastPathComponent().appendingPathComponent("device-sync.lock"), waits: 10,
        else: "Another program is syncing this archive right now. Try again in a moment.")
    }
  }

  /// Runs code while no other program on this computer syncs the archive, with the settings as of
  /// that time.
  mutating func alone<Value>(_ body: (inout DeviceSyncJob) throws -> Value) throws -> Value {
    let lock = try Self.lock(archive)
    defer { lock?.release() }
    guard let settings = try archive.replicaSettings() else {
      throw ArchiveError.notFound("This archive isn’t synced with other devices.")
    }
    identity = try DeviceIdentity(settings)
    let interrupts = folder.interrupts
    folder = try SharedPlace.open(identity.folder, circle: identity.circle, of: archive)
    folder.interrupts = interrupts
    try readMembers()
    return try body(&self)
  }

  mutating func run() throws -> Report {
    var report = Report()
    troubles = []
    try archive.captureReplica(publishes: !others.isEmpty)
    if identity.notes["removal"] != nil || members[identity.id]?.isRevoked == true {
      troubles = [removal]
      return try close(report)
    }
    guard folder.isThere else {
      troubles = [.folderMissing(identity.folder)]
      return try close(report)
    }
    let isReached = bring()
    // The others' heads, and those of another copy of this device, may have a newer key. After a
    // revocation, nothing is written with a key that the revoked device has.
    readKeys()
    readHeads()
    do {
      guard try isAlone() else { throw Copied() }
      // A step that can't write to the folder holds up no other: a full folder can still be read, and
      // clearing makes room in it.
      try attempt { job in report.sent = try job.publish() }
      try receive(&report)
      guard !isRemoved() else {
        troubles = [removal]
        return try close(report)
      }
      // Merging may produce changes to send, for example that two entities are the same.
      try attempt { job in report.sent += try job.publish() }
      try attempt { job in try job.settlePurges() }
      try trimTexts()
      try attempt { job in try job.rotateKeys() }
      try attempt { job in try job.answerWants() }
      try attempt { job in try job.clear() }
      try attempt { job in try job.writeHead() }
      if isReached {
        try attempt { job in
          try job.send()
          report.files = try job.exchangeFiles()
        }
      }
    } catch is Copied {
      troubles.insert(.copied)
    }
    return try close(report)
  }

  /// An error that reports that another copy of this archive writes to this device's log.
  struct Copied: Error {}

  /// Runs a step that writes to the folder, and reports the problem if it can't.
  private mutating func attempt(_ step: (inout DeviceSyncJob) throws -> Void) throws {
    do { try step(&self) } catch {
      guard let trouble = trouble(of: error) else { throw error }
      troubles.insert(trouble)
    }
  }

  /// Returns what a failed write of a file means; nil for an error of another kind.
  func trouble(of error: any Error) -> DeviceSyncStatus.Trouble? {
    switch error {
    case let failure as WebDAVFailure: return .serverTrouble(failure)
    case let failure as POSIXFailure:
      guard !isLocal(failure.path) else {
        return .localDisk(StorageTrouble(failure)?.sentence ?? failure.description)
      }
      return .folderTrouble(failure.description)
    case let failure as CocoaError:
      if let path = failure.userInfo[NSFilePathErrorKey] as? String, isLocal(path) {
        return .localDisk(StorageTrouble(failure)?.sentence ?? failure.localizedDescription)
      }
      return .folderTrouble(failure.localizedDescription)
    // Of a server's files, only the copy on this computer has no room.
    case let failure as POSIXError where isOnServer && failure.code == .ENOSPC:
      return .localDisk(StorageTrouble.full.sentence)
    case let failure as POSIXError: return .folderTrouble(failure.localizedDescription)
    default: return nil
    }
  }

  /// Returns true if a file is in the archive's own folder, as is the local copy of a server's.
  private func isLocal(_ path: String) -> Bool {
    guard let home = archive.databaseFile?.deletingLastPathComponent().path else { return false }
    return path.hasPrefix(home + "/") && (isOnServer || !path.hasPrefix(folder.root.path + "/"))
  }

  /// Fetches new files from the server, if the shared folder is on a server.
  ///
  /// - Returns: false if that failed; the exchange then continues with what is already here.
  private mutating func bring() -> Bool {
    do {
      try folder.mirror?.bring(identity.circle, own: identity.id)
      return true
    } catch let failure as WebDAVFailure {
      troubles.insert(.serverTrouble(failure))
    } catch {
      troubles.insert(trouble(of: error) ?? .folderTrouble(error.localizedDescription))
    }
    return false
  }

  /// Uploads this device's new files, if the shared folder is on a server.
  func send(isFirst: Bool = false) throws {
    try folder.mirror?.send(identity.circle, own: identity.id, isFirst: isFirst)
  }

  /// Fetches the request of a device that wants to join, if the shared folder is on a server.
  ///
  /// - Throws: `WebDAVFailure`.
  package mutating func bringRequests() throws {
    guard isOnServer else { return }
    try alone { job in try job.folder.mirror?.bring(job.identity.circle, own: job.identity.id) }
  }

  private mutating func close(_ report: Report) throws -> Report {
    identity.notes["troubles"] = .array(
      troubles.map(\.json).sorted { $0.text() < $1.text() })
    if !troubles.contains(where: \.isStuck) {
      identity.notes["lastExchange"] = JSON(archive.clock.now)
    }
    try keepSettings()
    LocalTroubles.forget(of: archive)
    // Interfaces that only read the archive show this.
    let status = try status().json
    if try archive.replicaNote("status") != status { try archive.setReplicaNote("status", status) }
    return report
  }

  func keepSettings() throws {
    let settings = identity.json
    if try archive.replicaSettings() != settings { try archive.setReplicaSettings(settings) }
  }

  // MARK: Reading and writing files

  private var unlocks: [AgeIdentity] {
    identity.keys.sorted { $0.number > $1.number }.map(\.identity) + [identity.encryption]
  }

  func open(
    _ name: String, of device: String
  ) throws(SealedFile.Trouble) -> SealedFile? {
    guard let data = folder.read(name, of: device) else { return nil }
    let file = try SealedFile(data, circle: identity.circle, unlocks: unlocks) { id in
      // Only the device itself writes in its folder.
      id == device ? members[id]?.signingKey : nil
    }
    return file
  }

  func write(_ file: SealedFile, as name: String) throws {
    guard let key = identity.latestKey else { return }
    try folder.write(
      try file.bytes(by: identity, to: [key.identity.recipient]), as: name, of: identity.id)
  }

  /// Switches to another folder for exchanges, for example after the folder was renamed.
  package mutating func move(to home: URL) throws { try move(to: .folder(home)) }

  package mutating func move(to place: SharedPlace) throws {
    try refuseRemoved()
    // No sync may meet the new place's password beside the earlier place.
    try alone { job in
      try place.prepared(for: job.archive) {
        job.identity.folder = place.text
        job.folder = try SharedPlace.open(place.text, circle: job.identity.circle, of: job.archive)
        try DurableFile.makeFolder(job.folder.folder(of: job.identity.id))
        try job.archive.unsettleReplicaFiles()
        try job.send(isFirst: true)
        try job.keepSettings()
      }
    }
  }
}
