import ArkivedBackup
package import ArkivedCore
import ArkivedCrypto
import ArkivedImport
package import ArkivedStore
import Foundation

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

  /// The number of segments, and the approximate number of changes, merged in one transaction.
  private static let batch = 200
  private static let changesInBatch = 2_000
  /// The number of seconds after which a snapshot is requested for a missing segment.
  private static let patience = 3_600
  /// The number of seconds after which the owner is informed that something is still missing.
  private static let longPatience = 3 * 86_400
  /// If more segments than this are unread by some device, they are replaced by a snapshot.
  private static let longestLog = 2_000
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
    var at: Instant
  }

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

  private mutating func readMembers() throws {
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
  /// Problems with the folder are reported in the status and are not thrown; the changes wait.
  @discardableResult
  package mutating func exchange() throws -> Report {
    try alone { job in try job.run() }
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
    readHeads()
    do {
      guard try isAlone() else {
        troubles.insert(.copied)
        return try close(report)
      }
      // After a revocation, nothing is written with a key that the revoked device has.
      readKeys()
      report.sent = try publish()
      try receive(&report)
      guard !isRemoved() else {
        troubles = [removal]
        return try close(report)
      }
      // Merging may produce changes to send, for example that two entities are the same.
      report.sent += try publish()
      try settlePurges()
      try trimTexts()
      try rotateKeys()
      try answerWants()
      try clear()
      try writeHead()
      if isReached {
        try send()
        report.files = try exchangeFiles()
      }
    } catch let failure as WebDAVFailure {
      troubles.insert(.serverTrouble(failure))
    } catch let failure as POSIXFailure {
      troubles.insert(.folderTrouble(failure.description))
    } catch let failure as CocoaError {
      troubles.insert(.folderTrouble(failure.localizedDescription))
    } catch let failure as POSIXError {
      troubles.insert(.folderTrouble(failure.localizedDescription))
    }
    return try close(report)
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
      troubles.insert(.folderTrouble(error.localizedDescription))
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

  // MARK: Heads

  private mutating func readHeads() {
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
      troubles.insert(.rolledBack(device.name))
    }
    identity.notes["heads"] = .object(seen)
    noteLastHeads()
  }

  private mutating func writeHead() throws {
    let places = try archive.replicaPlaces()
    let own = places[""] ?? .start
    let kept = try archive.ownReplicaSegments().first?.sequence ?? own.sequence + 1
    var seen = JSONObject()
    for (device, place) in places.sorted(by: { $0.key < $1.key }) where !device.isEmpty {
      seen[device] = JSON(place.sequence)
    }
    let said: JSONObject = [
      "sequence": JSON(own.sequence), "link": .string(own.link), "seen": .object(seen),
      "floor": JSON(kept), "wants": identity.notes["wants"] ?? 0,
    ]
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
  private func isAlone() throws -> Bool {
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

  // MARK: Sending

  private func publish() throws -> Int {
    try archive.captureReplica(publishes: !others.isEmpty)
    try archive.sealReplica()
    var count = 0
    for segment in try archive.ownReplicaSegments() {
      let name = SharedFolder.segment(segment.sequence)
      guard !segment.isPublished || !folder.has(name, of: identity.id) else { continue }
      let changes = try archive.changes(ofReplicaSegment: segment.sequence)
      try write(
        SealedFile(
          kind: .segment, device: identity.id, head: segment.head, body: Array(changes.utf8)),
        as: name)
      if !segment.isPublished {
        try archive.markReplicaPublished(segment.sequence)
        count += 1
      }
    }
    return count
  }

  // MARK: Receiving

  private mutating func receive(_ report: inout Report) throws {
    var waits: [String: String] = [:]
    while true {
      var places = try archive.replicaPlaces()
      waits = [:]
      var batch: [ReplicaSegment] = []
      var changes = 0
      var isMore = true
      while isMore {
        isMore = false
        for device in readable {
          while batch.count < Self.batch, changes < Self.changesInBatch,
            let segment = next(of: device, places, &waits)
          {
            batch.append(segment)
            changes += segment.changes.count
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

  // MARK: Cleanup

  /// Removes everything that all other devices have read.
  private mutating func clear() throws {
    guard !others.isEmpty else { return }
    let own = try archive.ownReplicaSegments()
    let read = others.map { heads[$0.id]?.seen[identity.id] ?? 0 }.min() ?? 0
    if own.count > Self.longestLog, own.last?.sequence != read {
      // A device has been away for a long time and needs a snapshot of everything.
      let place = try writeSnapshot()
      try remove(own, upTo: place)
    }
    try remove(own, upTo: read)
    try removeReturned(upTo: read)
    removeUsedSnapshots(read: read)
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
  private func trimTexts() throws {
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

  // MARK: Purges

  /// Permanently deletes what other devices permanently deleted, and removes all of it from the
  /// folder.
  private mutating func settlePurges() throws {
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

extension DeviceSyncJob.Head {
  init?(_ json: JSON) {
    guard let sequence = json["sequence"]?.int, let link = json["link"]?.string,
      let at = json["at"]?.string.flatMap({ Instant($0) })
    else { return nil }
    self.init(
      sequence: sequence, link: link, seen: ReplicaSegment.seen(json["seen"]),
      floor: json["floor"]?.int ?? 1, wants: json["wants"]?.int ?? 0, at: at)
  }

  func isSaying(_ said: JSONObject) -> Bool {
    said["sequence"]?.int == sequence && said["link"]?.string == link
      && ReplicaSegment.seen(said["seen"]) == seen && said["floor"]?.int == floor
      && said["wants"]?.int == wants
  }
}

extension ReplicaSegment {
  static func seen(_ json: JSON?) -> [String: Int] {
    Dictionary(
      (json?.object?.members ?? []).compactMap { one in one.value.int.map { (one.key, $0) } }
    ) { $1 }
  }

  /// Fails if its parts don't match.
  init?(_ file: SealedFile) {
    guard let sequence = file.head["sequence"]?.int, let previous = file.head["previous"]?.string,
      let hashes = file.head["hashes"]?.array?.compactMap(\.string)
    else { return nil }
    let lines = file.body.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count == hashes.count else { return nil }
    var changes: [ReplicaChange] = []
    for (line, hash) in zip(lines, hashes) where Array(line) != [0x2D] {
      guard SHA256.hash(data: line).hexadecimal == hash,
        let change = try? ReplicaChange(line: line)
      else { return nil }
      changes.append(change)
    }
    self.init(
      device: file.device, sequence: sequence,
      link: Archive.link(after: previous, sequence, hashes),
      seen: Self.seen(file.head["seen"]), changes: changes)
  }
}
