import ArkivedBackup
import ArkivedCore
import ArkivedCrypto
import ArkivedImport
import ArkivedStore
import Foundation

/// Attachment files, each stored once in the folder, under a name that reveals nothing.
extension DeviceSyncJob {
  static let files = "files"

  private struct Broken: Error {}

  /// The number of seconds after which a file that couldn't be copied is tried again.
  private static let pause = 3_600

  /// Writes files that only this device has to the folder, and copies files that only other devices
  /// have from it.
  ///
  /// A file that can't be copied is left for later; the others are copied.
  ///
  /// - Returns: the number of files copied in either direction.
  /// - Throws: `ArchiveError` or `DatabaseError` if the archive can't be read or written.
  mutating func exchangeFiles() throws -> Int {
    guard let home = archive.attachmentsFolder, !others.isEmpty else { return 0 }
    if folder.opened(identity.id) == nil { try archive.unsettleReplicaFiles() }
    try archive.forgetUnusedReplicaFiles()
    var shelves: [String: OpenFolder] = [:]
    for id in members.keys { shelves[id] = folder.opened(id, Self.files) }
    try unsettleRevoked(shelves)
    let kept = shelves.filter { isLive($0.key) }
    let due = dueRepairs { name in kept.filter { $0.value.has(name) }.map(\.key) }
    if !due.isEmpty { try archive.unsettleReplicaFiles(due.sorted()) }
    let unsettled = try archive.replicaFiles(onlyUnsettled: true).map {
      Wanted(path: $0.path, hash: $0.hash, size: $0.size, name: try name(of: $0.hash))
    }
    var later = recentlyFailed()
    var count = 0
    for file in unsettled where later[file.name] == nil {
      let owners = shelves.filter { $0.value.has(file.name) }.keys.sorted()
      do {
        let outcome = try exchange(file, owners, in: home, isDue: due.contains(file.name))
        switch outcome {
        case .put, .taken, .settled:
          if outcome != .settled { count += 1 }
          // A revoked device's folder may be deleted, so its copy isn't enough.
          guard outcome == .put || owners.contains(where: { isLive($0) }) else { break }
          try archive.noteReplicaFile(file.path, as: file.name)
        case .absent: break
        case .broken: later[file.name] = JSON(archive.clock.now)
        }
        if outcome == .put {
          shelves[identity.id] = shelves[identity.id] ?? folder.opened(identity.id, Self.files)
          if due.contains(file.name) { noteRepair(of: file.name) }
        }
      } catch let failure as WebDAVFailure {
        troubles.insert(.serverTrouble(failure))
        guard failure.kind == .tooLarge || failure.kind == .unusable else { break }
        later[file.name] = JSON(archive.clock.now)
      } catch {
        guard let trouble = trouble(of: error) else { throw error }
        troubles.insert(trouble)
        break
      }
    }
    identity.notes["laterFiles"] = .object(later)
    let absent = unsettled.filter { file in
      isSafe(file.path, hash: file.hash)
        && !FileManager.default.fileExists(atPath: home.appendingPathComponent(file.path).path)
    }
    noteLacking(Set(absent.map(\.name)))
    return count
  }

  /// True for a device of the group that hasn't been revoked.
  private func isLive(_ id: String) -> Bool { members[id]?.isRevoked == false }

  /// The files that couldn't be copied a short time ago, with the time of that.
  private func recentlyFailed() -> JSONObject {
    let now = archive.clock.now
    var later = JSONObject()
    for (name, time) in identity.notes["laterFiles"]?.object?.members ?? [] {
      let isRecent = time.string.flatMap { Instant($0) }.map {
        abs(now.seconds(to: $0)) < Self.pause
      }
      if isRecent == true { later[name] = time }
    }
    return later
  }

  /// A file that isn't known to be both here and in the folder.
  private struct Wanted {
    /// Its path among the archive's attachments.
    var path: String
    var hash: String
    var size: Int?
    /// Its name in the folder.
    var name: String
  }

  private enum Exchange {
    case put
    case taken
    /// It is both here and in the folder.
    case settled
    /// It is neither here nor in the folder yet, or another device will put it there.
    case absent
    /// The local file, or the one in the folder, has different content.
    case broken
  }

  private func exchange(
    _ file: Wanted, _ owners: [String], in home: URL, isDue: Bool
  ) throws -> Exchange {
    let here = home.appendingPathComponent(file.path)
    if FileManager.default.fileExists(atPath: here.path) {
      if !isDue {
        guard !owners.contains(where: { isLive($0) }) else { return .settled }
        // Of the devices that could replace a revoked device's copy, one is enough.
        let isFirst = others.allSatisfy { identity.id < $0.id }
        guard owners.isEmpty || isFirst else { return .absent }
      }
      do { try put(here, hash: file.hash, as: file.name) } catch is Broken { return .broken }
      try send()
      return .put
    }
    guard !owners.isEmpty, isSafe(file.path, hash: file.hash) else { return .absent }
    for owner in owners {
      do {
        let copy = "\(folder.root.lastPathComponent)/\(owner)/\(Self.files)/\(file.name)"
        try folder.mirror?.fetch(file: copy, limit: file.size.map(Self.largestCopy))
        defer { folder.mirror?.drop(file: copy) }
        try take(file, of: owner, to: here)
        return .taken
      } catch is Broken {
        // Half-written or altered: another device may have a good copy.
      } catch is AgeFailure {
      }
    }
    return .broken
  }

  /// Returns the largest size of the encrypted copy of a file.
  private static func largestCopy(of size: Int) -> Int {
    let padded = Padding.size(of: size + 8)
    // The header, and sixteen bytes for each 64 KiB.
    return padded + 16 * (padded / 65_536 + 1) + 65_536
  }

  /// Returns the number of attached files that aren't here.
  func missingFiles() throws -> Int {
    guard let home = archive.attachmentsFolder else { return 0 }
    return try archive.replicaFiles(onlyUnsettled: true).count {
      !FileManager.default.fileExists(atPath: home.appendingPathComponent($0.path).path)
    }
  }

  /// Returns the name of a file in the folder, which reveals nothing about its content.
  func name(of hash: String) throws -> String {
    let code = try Secrets.authenticationCode(for: Array(hash.utf8), key: identity.nameKey)
    return String(code.hexadecimal.prefix(SharedFolder.attachmentLength))
  }

  private func isSafe(_ path: String, hash: String) -> Bool {
    path.hasPrefix("\(hash.prefix(2))/\(hash)") && !path.contains("..")
      && path.split(separator: "/").count == 2
  }

  private func put(_ file: URL, hash: String, as name: String) throws {
    guard let key = identity.latestKey else { return }
    let shelf = try folder.made(identity.id, Self.files)
    guard let source = try? FileHandle(forReadingFrom: file) else { throw Broken() }
    defer { try? source.close() }
    let count = Int(try source.seekToEnd())
    try source.seek(toOffset: 0)
    try shelf.write(name) { append in
      try withoutActuallyEscaping(append) { append in
        let encryptor = try AgeEncryptor(to: .recipients([key.identity.recipient]), sink: append)
        try Self.write(withUnsafeBytes(of: UInt64(count).littleEndian) { Array($0) }, encryptor)
        var written = 8
        var sum = SHA256()
        while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
          sum.update(data: piece)
          try piece.withUnsafeBytes { try encryptor.write($0) }
          written += piece.count
        }
        guard written == count + 8, sum.finalize().hexadecimal == hash else { throw Broken() }
        let rest = Padding.size(of: written) - written
        var zeros = rest
        let block = [UInt8](repeating: 0, count: min(rest, 1 << 20))
        while zeros > 0 {
          try Self.write(Array(block.prefix(zeros)), encryptor)
          zeros -= block.count
        }
        try encryptor.finish()
      }
    }
  }

  private static func write(_ bytes: [UInt8], _ encryptor: AgeEncryptor) throws {
    try bytes.withUnsafeBytes { try encryptor.write($0) }
  }

  private func take(_ file: Wanted, of device: String, to target: URL) throws {
    guard let (source, size) = folder.opened(device, Self.files)?.file(file.name),
      size <= file.size.map(Self.largestCopy) ?? .max
    else { throw Broken() }
    let decryptor = try AgeDecryptor(
      ByteInput(source), unlocks: identity.keys.map { .identity($0.identity) })
    try DurableFile.makeFolder(target.deletingLastPathComponent())
    try DurableFile.write(to: target) { append in
      var sum = SHA256()
      var head: [UInt8] = []
      var left: Int?
      while let piece = try decryptor.next() {
        var piece = piece[...]
        if left == nil {
          let taken = piece.prefix(8 - head.count)
          head += taken
          piece = piece.dropFirst(taken.count)
          guard head.count == 8 else { continue }
          let count = head.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
          guard count <= UInt64(size) else { throw Broken() }
          left = Int(count)
        }
        let content = piece.prefix(left ?? 0)
        sum.update(data: content)
        try append(Data(content))
        left = (left ?? 0) - content.count
      }
      guard left == 0, sum.finalize().hexadecimal == file.hash else { throw Broken() }
    }
  }

  /// Removes files from this device’s part of the folder that are no longer referenced.
  func clearFiles() throws {
    guard let shelf = folder.opened(identity.id, Self.files) else { return }
    let names = shelf.names.filter(SharedFolder.isAttachment)
    guard !names.isEmpty else { return }
    let needed = Set(try archive.replicaFiles().map { try name(of: $0.hash) })
    let gone = names.filter { !needed.contains($0) }
    guard !gone.isEmpty else { return }
    for name in gone { shelf.remove(name) }
    // The same file may be attached again.
    try archive.unsettleReplicaFiles(gone)
  }
}
